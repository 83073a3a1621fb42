"""All puzzles of a small board, loop by loop, one loop of each symmetry class.

`LoopTable` lists all loops by their clues. A `PartialCensus` has the numbers of puzzles of some of
them; `BoardRun` adds these up, unit by unit.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from linkoracle.batch import Processes
from linkoracle.batch.runs import Run
from linkoracle.board import Lattice, LinkModel, Solution
from linkoracle.board.symmetry import motions
from linkoracle.census import census_kernel
from linkoracle.census.loop import checked_size
from linkoracle.core import Progress, check_memory, checked_limit, default_limit
from linkoracle.frontier import Diagram
from linkoracle.kinds import Slitherlink

#: The most cells of a board whose clue sets are bits of one 32-bit word.
MOST_CELLS = 30
#: Bytes per loop needed to build a table: the sorted columns, their order, and temporaries.
_BYTES_A_LOOP = 80

#: Target seconds of a unit: short compared to a run, long compared to writing the result.
_UNIT_SECONDS = 3.0
#: Nanoseconds per loop for a comparison with another loop, and for a word of the bitset.
_COMPARISON_NS, _WORD_NS = 1.2, 8.0


@dataclass(frozen=True)
class LoopTable:
    """All loops of a board of ``rows`` x ``cols`` cells, in a fixed order.

    A set of cells is a bitmask: bit ``r * cols + c`` for cell (r, c). ``planes`` has shape
    (3, loops): row *k* holds, for each loop, the cells whose clue has bit *k* set. ``interiors``
    are the cells inside each loop, which identify it. The loops are sorted by their clues, with the
    last cell the most significant, so that loops with similar clues at the end of the board are
    neighbours.

    ``classes`` are the representatives of the symmetry classes. ``stabilisers`` are the symmetries
    of the board (bits, as in `motions`) that leave each of them unchanged.
    """

    rows: int
    cols: int
    planes: NDArray[np.uint32]
    interiors: NDArray[np.uint32]
    classes: NDArray[np.int64]
    stabilisers: NDArray[np.uint8]

    @classmethod
    def build(cls, rows: int, cols: int, *, memory: int | None = None) -> LoopTable:
        """List the loops. O(loops x cells) time, about 80 bytes per loop.

        Raises ``ValueError`` for a board of more than `MOST_CELLS` cells, `MemoryLimit` if
        ``memory`` bytes (default: half of the free memory) do not suffice.

        >>> table = LoopTable.build(3, 3)
        >>> len(table), len(table.classes)
        (213, 43)
        """
        cells = checked_size(rows, cols, MOST_CELLS)
        memory = checked_limit(memory)
        lattice = Lattice(rows + 1, cols + 1)
        diagram = Diagram.build(LinkModel.blank_loop(lattice), memory=memory)
        number = diagram.count()
        check_memory(f"a table of {number} loops needs about", number * _BYTES_A_LOOP, memory)
        planes = np.empty((3, number), dtype=np.uint32)
        interiors = np.empty(number, dtype=np.uint32)
        done = 0
        for block in diagram.masks():
            part = slice(done, done + len(block))
            done += len(block)
            clues = block[:, lattice.face_edges].sum(axis=2)
            for bit in range(3):
                planes[bit, part] = _packed(clues >> bit & 1)
            # A cell is inside if the number of lines to its left is odd.
            crossed = block[:, lattice.down[:-1, :-1].ravel()].reshape(-1, rows, cols)
            interiors[part] = _packed((np.cumsum(crossed, axis=2) & 1).reshape(-1, cells))
        order = np.lexsort([interiors, planes[2], _clues_as_number(planes, cells)])
        planes, interiors = np.ascontiguousarray(planes[:, order]), interiors[order]
        classes, stabilisers = _classes(interiors, rows, cols)
        return cls(rows, cols, planes, interiors, classes, stabilisers)

    def __len__(self) -> int:
        return len(self.interiors)

    @property
    def cells(self) -> int:
        return self.rows * self.cols

    def solution(self, loop: int) -> Solution:
        """Return a loop, by its index, as a solution."""
        lattice = Lattice(self.rows + 1, self.cols + 1)
        inside = [cell for cell in range(self.cells) if self.interiors[loop] >> cell & 1]
        sides = np.bincount(lattice.face_edges[inside].ravel(), minlength=lattice.num_edges)
        return Solution(lattice, tuple(np.flatnonzero(sides & 1).tolist()))


def _packed(bits: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return rows of 0 and 1, with a column for each cell, as bitmasks."""
    return (bits @ (1 << np.arange(bits.shape[1]))).astype(np.uint32)


def _clues_as_number(planes: NDArray[np.uint32], cells: int) -> NDArray[np.uint64]:
    """Return the clues of each loop, without the third bit, as a number of two-bit digits."""
    number = np.zeros(planes.shape[1], dtype=np.uint64)
    for cell in range(cells):
        low, high = (planes[:2] >> np.uint32(cell) & np.uint32(1)).astype(np.uint64)
        number |= (low | high << np.uint64(1)) << np.uint64(2 * cell)
    return number


def _classes(
    interiors: NDArray[np.uint32], rows: int, cols: int
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return the loops that are first in their symmetry class, and the stabiliser of each."""
    first = np.ones(len(interiors), dtype=np.bool_)
    stabilisers = np.zeros(len(interiors), dtype=np.uint8)
    for symmetry, (moved, _) in enumerate(motions(Lattice(rows + 1, cols + 1))):
        images = np.zeros_like(interiors)
        for cell, target in enumerate(moved):
            images |= (interiors >> np.uint32(cell) & np.uint32(1)) << np.uint32(target)
        first &= interiors <= images
        stabilisers |= (images == interiors).astype(np.uint8) << np.uint8(symmetry)
    classes = np.flatnonzero(first)
    return classes, stabilisers[classes]


def count_part(table: LoopTable, first: int, stop: int, *, fours: bool) -> PartialCensus:
    """Count the puzzles of the symmetry classes ``first`` to ``stop`` of ``table``.

    Without ``fours``, cells never show the clue 4. Each class takes O(loops) time to compare and
    O(2^cells x cells / 64) to close: 8 ms for a loop of 5 x 5 cells.
    """
    rows, cols, cells = table.rows, table.cols, table.cells
    part = PartialCensus.nothing(cells)
    orbits = [_cycle_masks(moved) for moved, _ in motions(Lattice(rows + 1, cols + 1))]
    bad, full = census_kernel.new_bitset(cells), (1 << cells) - 1
    classes, stabilisers = table.classes[first:stop], table.stabilisers[first:stop]
    for loop, stabiliser in zip(classes.tolist(), stabilisers.tolist(), strict=True):
        census_kernel.mark_agreements(table.planes, loop, full, bad)
        census_kernel.close_downward(bad)
        # The third bit is that of the clue 4, in a loop around a single cell.
        if not fours and (four := int(table.planes[2, loop])):
            census_kernel.forbid(bad, four)
        sizes = census_kernel.count_sizes(bad, cells)
        fixing = [masks for s, masks in enumerate(orbits) if stabiliser >> s & 1]
        fixed = sizes + sum(census_kernel.count_fixed(bad, cells, masks) for masks in fixing[1:])
        # Burnside: the number of puzzles up to the symmetries of the loop is the mean, over these
        # symmetries, of the number of puzzles that each leaves unchanged.
        images = len(orbits) // len(fixing)
        part.count(*(sizes * images).tolist(), *(fixed // len(fixing)).tolist())
        if sizes[0].any():
            _keep_records(part, bad, sizes, loop)
        else:
            part.unclueable += images
    return part


def _cycle_masks(goes_to: Sequence[int]) -> NDArray[np.int64]:
    """Return the cycles of a permutation of cells as bitmasks; its fixed sets are their unions."""
    permutation = np.array(goes_to)
    image = np.arange(len(permutation))
    masks = np.zeros_like(image)
    # The fourth power of a rotation or reflection is the identity.
    for _ in range(4):
        masks |= 1 << image
        image = permutation[image]
    return np.unique(masks)


def _keep_records(
    part: PartialCensus, bad: NDArray[np.uint64], sizes: NDArray[np.int64], loop: int
) -> None:
    cells, total = sizes.shape[1] - 1, int(sizes[0].sum())
    part.keep("richest", [-total, loop])
    part.keep("poorest", [total, loop])
    minimal = np.flatnonzero(sizes[1]).tolist()
    for name, size, sign in (("fewest", minimal[0], 1), ("largest", minimal[-1], -1)):
        if name not in part.records or sign * size < part.records[name][0]:
            part.keep(name, [sign * size, loop, int(census_kernel.first_minimal(bad, cells, size))])


@dataclass(frozen=True)
class BoardCensus:
    """The numbers of uniquely solvable Slitherlinks of a board.

    The four tuples are by number of clues, from 0: all ``puzzles``, the ``minimal`` ones, and both
    up to the symmetries of the board. ``loops`` is the number of loops, and ``unclueable`` the
    number of loops that no clue set makes unique. The examples are a puzzle with the ``fewest``
    clues, a minimal puzzle with the most (``largest``), and, with all clues, a loop with the most
    puzzles (``richest``) and one with the fewest (``poorest``); ``None`` on a board without
    puzzles.
    """

    rows: int
    cols: int
    fours: bool
    loops: int
    unclueable: int
    puzzles: tuple[int, ...]
    minimal: tuple[int, ...]
    puzzle_classes: tuple[int, ...]
    minimal_classes: tuple[int, ...]
    fewest: Slitherlink | None
    largest: Slitherlink | None
    richest: tuple[Slitherlink, int] | None
    poorest: tuple[Slitherlink, int] | None


def board_census(
    rows: int,
    cols: int,
    *,
    fours: bool = False,
    memory: int | None = None,
    progress: Progress | None = None,
) -> BoardCensus:
    """Count all clue sets with exactly one solution on a board of ``rows`` x ``cols`` cells.

    Clues are 0 to 3, with ``fours`` 0 to 4. Raises as `BoardRun`. Time grows with the square of the
    number of loops and with 2^cells: 4 x 4 cells take a tenth of a second, 4 x 5 a few seconds.
    For larger boards, `BoardRun` uses several processes and can be resumed.

    >>> census = board_census(2, 2)
    >>> sum(census.puzzles), sum(census.minimal), census.puzzles
    (61, 24, (0, 4, 28, 24, 5))
    >>> sum(census.puzzle_classes), sum(board_census(2, 2, fours=True).puzzles)
    (12, 93)
    """
    with BoardRun(rows, cols, fours=fours, memory=memory) as run:
        run.work(progress=progress)
        return run.census()


class BoardRun:
    """The census of a board as a run that can be stopped, killed and resumed.

    ``path`` is the SQLite file of finished units, or `None`. ``memory`` (bytes; default: half of
    the free memory) is the total of all processes on this machine. ``executor`` computes the units
    (`None`: this process); see `linkoracle.batch`. Raises `MemoryLimit`, ``ValueError`` for a board
    of more than 30 cells, and `RunError` for a file that is not of this run.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        *,
        fours: bool = False,
        path: Path | None = None,
        resume: bool = False,
        executor: Executor | None = None,
        memory: int | None = None,
    ) -> None:
        memory = checked_limit(memory)
        self._fours, self._executor = fours, executor
        self._table = LoopTable.build(rows, cols, memory=memory)
        cells = rows * cols
        words = 1 << max(cells, 6) >> 6
        # Each process has the table and a bitset; remote workers have their own memory.
        jobs = executor.workers if isinstance(executor, Processes) else 1
        needed = (8 * words + (1 << 20) + 20 * len(self._table)) * jobs
        processes = f"{jobs} process{'es' if jobs > 1 else ''}"
        check_memory(f"the census of {rows}x{cols} cells by {processes} needs", needed, memory)
        # Symmetry classes in a unit: a power of two that depends only on the board size.
        most = int(_UNIT_SECONDS * 1e9 / (_COMPARISON_NS * len(self._table) + _WORD_NS * words))
        self._size = 1 << min(12, max(1, most).bit_length() - 1)
        parameters = {"census": "board", "rows": rows, "cols": cols, "fours": fours}
        units = -(-len(self._table.classes) // self._size)
        self._run = Run(path, {**parameters, "classes_a_unit": self._size}, units, resume=resume)

    def __reduce__(self) -> Any:
        raise TypeError(
            "a run cannot be copied or pickled: it alone may write to its file. Make another with "
            "the same arguments; resume=True continues a closed run"
        )

    def __enter__(self) -> BoardRun:
        return self

    def __exit__(self, *_: object) -> None:
        self._run.__exit__()

    def work(self, *, most: int | None = None, progress: Progress | None = None) -> bool:
        """Compute missing units, at most ``most``; return whether all are finished then."""
        table = self._table
        counting = _Counting(table.rows, table.cols, self._size, self._fours, table)
        return self._run.work(counting, executor=self._executor, most=most, progress=progress)

    def estimate(self) -> str:
        """Return the progress of the run and an estimate of the time left, as a line of text."""
        return self._run.estimate(getattr(self._executor, "workers", 1))

    def census(self) -> BoardCensus:
        """Return the result.

        Raises ``ValueError`` while units are missing, and `RunError` if a unit was changed.
        """
        if self._run.missing():
            raise ValueError("the run is not finished")
        table = self._table
        total = PartialCensus.nothing(table.cells)
        for number, result in enumerate(self._run.results()):
            try:
                total.add(PartialCensus.read(result, table.cells, len(table)))
            except ValueError as error:
                raise self._run.damaged(number, str(error)) from None
        records: dict[str, Any] = dict.fromkeys(RECORDS)
        for name, (number, loop, *mask) in total.records.items():
            shown = Slitherlink.from_solution(table.solution(loop))
            if mask:
                hidden = [cell for cell in range(table.cells) if not mask[0] >> cell & 1]
                records[name] = shown.with_clues(
                    {divmod(cell, table.cols): None for cell in hidden}
                )
            else:
                records[name] = shown, abs(number)
        sizes: Any = map(tuple, total.numbers)
        counted = table.rows, table.cols, self._fours, len(table), total.unclueable
        return BoardCensus(*counted, *sizes, **records)


@dataclass
class _Counting:
    """Computes a unit of a board; each process builds its table of loops once."""

    rows: int
    cols: int
    size: int
    fours: bool
    table: LoopTable | None = None

    def __call__(self, number: int) -> dict[str, Any]:
        table = self.table or _table(self.rows, self.cols)
        first = number * self.size
        return count_part(table, first, first + self.size, fours=self.fours).as_json()

    def __reduce__(self) -> tuple[Any, ...]:
        return _Counting, (self.rows, self.cols, self.size, self.fours)


@lru_cache(maxsize=1)
def _table(rows: int, cols: int) -> LoopTable:
    return LoopTable.build(rows, cols, memory=default_limit())


#: A record and its loop. The smallest list is kept, so ties go to the first loop.
Record = list[int]
#: The keys in files, in the order of the fields of `PartialCensus`.
KEYS = ("puzzles", "minimal", "puzzle_classes", "minimal_classes", "barren", "records")
#: The names of records, and their lengths.
RECORDS = {"fewest": 3, "largest": 3, "richest": 2, "poorest": 2}


@dataclass
class PartialCensus:
    """The numbers of puzzles on some loops of a board, by number of clues.

    ``puzzles`` and ``minimal`` count every loop of a symmetry class; the other two count puzzles up
    to symmetry. ``unclueable`` is the number of loops that no clue set makes unique. Records:
    ``fewest`` is [clues, loop, mask] of a puzzle with the fewest clues, ``largest`` [-clues, loop,
    mask] of a minimal puzzle with the most, ``richest`` [-puzzles, loop] and ``poorest`` [puzzles,
    loop] of a loop with the most and the fewest puzzles.
    """

    puzzles: list[int]
    minimal: list[int]
    puzzle_classes: list[int]
    minimal_classes: list[int]
    unclueable: int = 0
    records: dict[str, Record] = field(default_factory=dict)

    @classmethod
    def nothing(cls, cells: int) -> Self:
        none: Any = ([0] * (cells + 1) for _ in range(4))
        return cls(*none)

    @property
    def numbers(self) -> tuple[list[int], ...]:
        """The four lists, in order."""
        return self.puzzles, self.minimal, self.puzzle_classes, self.minimal_classes

    def as_json(self) -> dict[str, Any]:
        """Return the fields by their `KEYS` in files."""
        return dict(zip(KEYS, vars(self).values(), strict=True))

    @classmethod
    def read(cls, kept: Any, cells: int, loops: int) -> Self:
        """Read what `as_json` returned for a board with these numbers of cells and loops.

        Raises ``ValueError`` if it is invalid. Does not detect wrong numbers.
        """
        if not isinstance(kept, dict) or kept.keys() != set(KEYS):
            raise ValueError("it is not a part of a census")
        part = cls(*map(kept.__getitem__, KEYS))
        for counts in part.numbers:
            if not (isinstance(counts, list) and len(counts) == cells + 1 and _are_counts(counts)):
                raise ValueError(f"expected {cells + 1} numbers from 0")
        if not _are_counts([part.unclueable]):
            raise ValueError("expected a number of loops without a puzzle")
        if not isinstance(part.records, dict) or not all(
            name in RECORDS and _is_record(record, RECORDS[name], (loops, 1 << cells))
            for name, record in part.records.items()
        ):
            raise ValueError("expected records of loops of this board")
        return part

    def count(self, *numbers: list[int]) -> None:
        """Add to each of the four lists."""
        for mine, more in zip(self.numbers, numbers, strict=True):
            mine[:] = map(operator.add, mine, more)

    def add(self, other: PartialCensus) -> None:
        """Add the numbers of other loops to these."""
        self.count(*other.numbers)
        self.unclueable += other.unclueable
        for name, record in other.records.items():
            self.keep(name, record)

    def keep(self, name: str, record: Record) -> None:
        """Keep the better record."""
        self.records[name] = min(record, self.records.get(name, record))


def _are_counts(numbers: Iterable[object]) -> bool:
    return all(type(number) is int and number >= 0 for number in numbers)


def _is_record(record: object, length: int, bounds: Sequence[int]) -> bool:
    """Return whether it is a number, then a loop, then maybe a set of cells, within bounds."""
    if not isinstance(record, list) or len(record) != length or type(record[0]) is not int:
        return False
    places = record[1:]
    return _are_counts(places) and all(map(operator.lt, places, bounds))

"""All puzzles of a small board: over its loops, one of each symmetry class.

A `Part` has the numbers of some of the loops; `BoardRun` adds parts up, one unit after the other.
"""

from __future__ import annotations

import operator
from concurrent.futures import Executor
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from linkoracle.batch import Processes
from linkoracle.board.symmetry import isometries
from linkoracle.census import bitsets
from linkoracle.census.loop_table import LoopTable
from linkoracle.census.runs import Run
from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import Progress, default_limit
from linkoracle.kinds import Slitherlink

#: A record and where it was set: the smallest such tuple is kept, so ties go to the first loop.
Record = tuple[int, ...]


@dataclass
class Part:
    """Numbers of puzzles on some loops of a board, by number of clues.

    ``puzzles`` and ``minimal`` count every loop of a symmetry class; the other two count puzzles
    that are turns or mirror images of each other once. ``barren`` is the number of loops that no
    clue set makes unique. Records: ``fewest`` is (clues, loop, mask) of a puzzle with the fewest
    clues, ``largest`` is (-clues, loop, mask) of a minimal puzzle with the most, ``richest`` is
    (-puzzles, loop) and ``poorest`` (puzzles, loop) of a loop with the most and with the fewest
    puzzles but some.
    """

    puzzles: list[int]
    minimal: list[int]
    puzzle_classes: list[int]
    minimal_classes: list[int]
    barren: int = 0
    records: dict[str, Record] = field(default_factory=dict)

    @classmethod
    def nothing(cls, cells: int) -> Self:
        none: Any = ([0] * (cells + 1) for _ in range(4))
        return cls(*none)

    @property
    def numbers(self) -> tuple[list[int], ...]:
        """The four lists, in order."""
        return self.puzzles, self.minimal, self.puzzle_classes, self.minimal_classes

    def count(self, *numbers: list[int]) -> None:
        """Add to each of the four lists."""
        for mine, more in zip(self.numbers, numbers, strict=True):
            mine[:] = map(operator.add, mine, more)

    def add(self, other: Part) -> None:
        """Add the numbers of other loops to these."""
        self.count(*other.numbers)
        self.barren += other.barren
        for name, record in other.records.items():
            self.keep(name, record)

    def keep(self, name: str, record: Record) -> bool:
        """Keep the better record; whether it is the new one."""
        better = name not in self.records or record < self.records[name]
        if better:
            self.records[name] = record
        return better

    def to_json(self) -> dict[str, Any]:
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        records = {name: tuple(record) for name, record in data["records"].items()}
        return cls(**{**data, "records": records})


def bytes_needed(cells: int) -> int:
    """The memory that `count_part` needs beside the table."""
    return (1 << max(cells, 6)) // 8 + (1 << 20)


def count_part(table: LoopTable, first: int, stop: int, *, fours: bool) -> Part:
    """Count the puzzles of the symmetry classes ``first`` to ``stop`` of ``table``.

    Without ``fours`` no cell whose clue is 4 may carry it. For each class, O(loops) time to compare
    and O(2^cells x cells / 64) to close: 6 ms for a loop of 5 x 5 cells.
    """
    cells = table.cells
    part = Part.nothing(cells)
    rows, cols = table.rows, table.cols
    orbits = [_cycle_masks(one.cells(rows, cols)) for one in isometries(rows, cols)]
    bad = bitsets.new_bitset(cells)
    full = (1 << cells) - 1
    for number in range(first, stop):
        loop = int(table.classes[number])
        bitsets.mark_agreements(table.planes, loop, full, bad)
        bitsets.close_downward(bad)
        if not fours and table.clue_four(loop):
            bitsets.forbid(bad, table.clue_four(loop))
        sizes = bitsets.count_sizes(bad, cells)
        fixing = [s for s in range(len(orbits)) if int(table.stabilisers[number]) >> s & 1]
        fixed = sizes.copy()
        for symmetry in fixing[1:]:
            fixed += bitsets.count_fixed(bad, cells, orbits[symmetry])
        # Burnside: a loop's puzzles up to the symmetries of that loop are the mean, over these
        # symmetries, of the number of puzzles that each leaves as they are.
        images = len(orbits) // len(fixing)
        part.count(*(sizes * images).tolist(), *(fixed // len(fixing)).tolist())
        _keep_records(part, bad, sizes, loop)
        if not sizes[0].any():
            part.barren += images
    return part


def _cycle_masks(permutation: NDArray[np.int64]) -> NDArray[np.int64]:
    """The cycles of a permutation of cells, as bitmasks: its fixed sets are their unions."""
    masks = []
    seen = 0
    for start in range(len(permutation)):
        if seen >> start & 1:
            continue
        mask, cell = 0, start
        while not mask >> cell & 1:
            mask |= 1 << cell
            cell = int(permutation[cell])
        seen |= mask
        masks.append(mask)
    return np.array(masks, dtype=np.int64)


def _keep_records(part: Part, bad: NDArray[np.uint64], sizes: NDArray[np.int64], loop: int) -> None:
    cells = sizes.shape[1] - 1
    total = int(sizes[0].sum())
    if not total:
        return
    part.keep("richest", (-total, loop))
    part.keep("poorest", (total, loop))
    minimal = np.flatnonzero(sizes[1]).tolist()
    for name, size, sign in (("fewest", minimal[0], 1), ("largest", minimal[-1], -1)):
        held = part.records.get(name)
        if held is None or sign * size < held[0]:
            part.keep(name, (sign * size, loop, int(bitsets.first_minimal(bad, cells, size))))


#: Seconds that a unit of work should take: short beside a run, long beside writing it down.
_UNIT_SECONDS = 3.0
#: Nanoseconds for a loop: a comparison with another loop, and a word of the bitset.
_COMPARISON_NS, _WORD_NS = 1.2, 8.0


@dataclass(frozen=True)
class BoardCensus:
    """All uniquely solvable Slitherlinks of a board, counted.

    The four tuples are by number of clues, from 0 on: all ``puzzles``; the ``minimal`` ones, from
    which no clue can be taken; and both up to the symmetries of the board. ``loops`` is the number
    of loops, ``barren`` how many of them no clue set makes unique. The examples are ``None`` on a
    board without puzzles: a puzzle of the ``fewest`` clues, a minimal one of the most
    (``largest``), and, with all their clues, a loop with the most puzzles (``richest``) and one
    with the fewest (``poorest``).
    """

    rows: int
    cols: int
    fours: bool
    loops: int
    barren: int
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
    number of loops and with 2^cells: 4 x 4 cells take a tenth of a second, 4 x 5 some
    seconds. For more, `BoardRun` does it in several processes and resumes.

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

    ``path`` is the SQLite file that keeps finished units, `None` for none. ``memory`` (bytes;
    default: half of what is free) is for all processes of this machine together. The units are
    worked on by the ``executor`` (`None`: this process), see `linkoracle.batch`. Raises
    `MemoryLimit`, ``ValueError`` for a board of more than 30 cells, `RunError` for a file that is
    not this run.
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
        memory = memory or default_limit()
        self._fours = fours
        self._executor = executor
        self._table = LoopTable.build(rows, cols, memory=memory)
        cells = rows * cols
        # Each process has the table and a bitset; workers elsewhere have memory of their own.
        jobs = executor.workers if isinstance(executor, Processes) else 1
        needed = (bytes_needed(cells) + 20 * len(self._table)) * jobs
        if needed > memory:
            raise MemoryLimit(
                f"the census of {rows}x{cols} cells needs {needed >> 20} MB for {jobs} "
                f"process{'es' if jobs > 1 else ''}, over the limit of {memory >> 20} MB"
            )
        self._size = _unit_size(len(self._table), cells)
        parameters = {"census": "board", "rows": rows, "cols": cols, "fours": fours}
        units = -(-len(self._table.classes) // self._size)
        self._run = Run(path, {**parameters, "classes_a_unit": self._size}, units, resume=resume)

    def __enter__(self) -> BoardRun:
        return self

    def __exit__(self, *_: object) -> None:
        self._run.__exit__()

    def work(
        self,
        *,
        most: int | None = None,
        progress: Progress | None = None,
    ) -> bool:
        """Do the units that are missing, at most ``most``; whether all are done then."""
        counting = _Counting(self._table.rows, self._table.cols, self._size, self._fours)
        counting.table = self._table
        return self._run.work(counting, executor=self._executor, most=most, progress=progress)

    def estimate(self) -> str:
        """How far the run has got, and how long the rest should take."""
        return self._run.estimate(getattr(self._executor, "workers", 1))

    def census(self) -> BoardCensus:
        """The result. Raises ``ValueError`` while units are missing."""
        if self._run.missing():
            raise ValueError("the run is not finished")
        table = self._table
        total = Part.nothing(table.cells)
        for result in self._run.results():
            total.add(Part.from_json(result))
        by_clues: Any = map(tuple, total.numbers)
        return BoardCensus(
            *(table.rows, table.cols, self._fours, len(table), total.barren),
            *by_clues,
            *(self._record_puzzle(total, name) for name in ("fewest", "largest")),
            *(self._record_loop(total, name) for name in ("richest", "poorest")),
        )

    def _record_loop(self, total: Part, name: str) -> tuple[Slitherlink, int] | None:
        if name not in total.records:
            return None
        number, loop = total.records[name]
        return Slitherlink.from_solution(self._table.solution(loop)), abs(number)

    def _record_puzzle(self, total: Part, name: str) -> Slitherlink | None:
        if name not in total.records:
            return None
        _, loop, mask = total.records[name]
        full = Slitherlink.from_solution(self._table.solution(loop))
        hidden = (cell for cell in range(self._table.cells) if not mask >> cell & 1)
        return full.with_clues({divmod(cell, full.cols): None for cell in hidden})


def _unit_size(loops: int, cells: int) -> int:
    """Classes in a unit: a power of two, by the size of the board alone."""
    nanoseconds = _COMPARISON_NS * loops + _WORD_NS * (1 << max(cells, 6) >> 6)
    return 1 << min(12, max(1, int(_UNIT_SECONDS * 1e9 / nanoseconds)).bit_length() - 1)


class _Counting:
    """Does a unit of a board; other processes make the table of loops for themselves, once."""

    def __init__(self, rows: int, cols: int, size: int, fours: bool) -> None:
        self._asked = rows, cols, size, fours
        self.table: LoopTable | None = None

    def __call__(self, number: int) -> dict[str, object]:
        rows, cols, size, fours = self._asked
        table = self.table or _table(rows, cols)
        first = number * size
        last = min(first + size, len(table.classes))
        return count_part(table, first, last, fours=fours).to_json()

    def __reduce__(self) -> tuple[Any, ...]:
        return _Counting, self._asked


@lru_cache(maxsize=1)
def _table(rows: int, cols: int) -> LoopTable:
    return LoopTable.build(rows, cols, memory=default_limit())

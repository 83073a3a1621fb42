"""All puzzles of a small board: over its loops, one of each symmetry class."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from linkoracle.batch import Processes
from linkoracle.census.loop_table import LoopTable
from linkoracle.census.part import Part, bytes_needed, count_part
from linkoracle.census.runs import Run
from linkoracle.errors import MemoryLimit
from linkoracle.memory import default_limit
from linkoracle.puzzles import Slitherlink

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
    progress: Callable[[str, float | None], None] | None = None,
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
        progress: Callable[[str, float | None], None] | None = None,
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
        richest, poorest = (self._record_loop(total, name) for name in ("richest", "poorest"))
        fewest, largest = (self._record_puzzle(total, name) for name in ("fewest", "largest"))
        return BoardCensus(
            table.rows,
            table.cols,
            self._fours,
            len(table),
            total.barren,
            tuple(total.puzzles),
            tuple(total.minimal),
            tuple(total.puzzle_classes),
            tuple(total.minimal_classes),
            fewest,
            largest,
            richest,
            poorest,
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

"""`Verdict` and `Tally`: what the engines answer; `Seen`, a solution that may answer the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal

    from linkoracle.board.lattice import Solution

#: A cell of the board (a face of the lattice) as ``(row, column)``, counted from 0.
Cell = tuple[int, int]
#: What a clue allows: one number of chosen edges around its cell, or any out of a set.
Clue = int | Set[int]
#: Clues by cell; pairs of cell and clue do as well.
Clues = Mapping[Cell, Clue] | Iterable[tuple[Cell, Clue]]


@dataclass(frozen=True)
class Verdict:
    """The answer of `Oracle.ask`: how many solutions, up to two of them, and why.

    ``core`` is a subset of the clues asked about, as they were given, and ``core_edges`` one of the
    edges: with ``"unique"`` together they already leave a single solution, with ``"none"`` they
    already contradict the board; with ``"many"`` both are ``None``. They are small, not smallest.
    """

    status: Literal["none", "unique", "many"]
    solutions: tuple[Solution, ...]
    core: dict[Cell, Clue] | None
    core_edges: dict[int, bool] | None = None

    @property
    def unique(self) -> bool:
        return self.status == "unique"


@dataclass(frozen=True)
class Tally:
    """How many solutions were counted, and whether that is all.

    ``exact`` is false when the count stopped at the limit and more solutions exist. ``engine`` is
    the one that answered. ``solutions`` holds the solutions counted, when they were asked for.
    """

    count: int
    exact: bool
    engine: str
    solutions: tuple[Solution, ...] = ()


@dataclass(eq=False)
class Seen:
    """A solution; and, for the questions after it, the counts of its faces and its edges."""

    solution: Solution

    @cached_property
    def counts(self) -> list[int]:
        return [*chain.from_iterable(self.solution.clues())]

    @cached_property
    def chosen(self) -> bytearray:
        return self.solution.marks()

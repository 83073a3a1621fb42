"""Is the solution that a maker laid the only one? Decided, or given up, alike on every machine."""

from __future__ import annotations

from linkoracle.errors import ConflictLimit
from linkoracle.model import Solution
from linkoracle.puzzles import Puzzle
from linkoracle.sat.oracle import Oracle
from linkoracle.sat.search import Deadline


class Undecided(Exception):
    """The oracle used up its conflicts."""


def another(puzzle: Puzzle, solution: Solution, conflicts: int) -> Solution | None:
    """A solution other than the known one; ``None`` is a proof that there is no other.

    Raises `Undecided` after so many conflicts of the SAT solver. The clock has no say, since the
    same seed must give the same puzzle.
    """
    with Oracle(puzzle.model) as oracle:
        try:
            return oracle.another(solution, timeout=Deadline(None, conflicts))
        except ConflictLimit:
            raise Undecided from None

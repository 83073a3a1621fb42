"""`Grade`: the result of grading a puzzle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from linkoracle.deduce.rules import Label

#: The result of grading.
Status = Literal["solved", "gave up", "not unique", "no solution"]


@dataclass(frozen=True)
class Grade:
    """The difficulty of a puzzle, and the steps that solve it.

    ``status`` is ``"solved"``, ``"gave up"``, ``"not unique"`` or ``"no solution"``. If solved,
    ``label`` is one of `LABELS`, and ``score`` a number from 0, higher for harder puzzles
    (`linkoracle.deduce.score`). ``steps`` has the number of steps of each technique, and ``rules``
    that of each pattern. ``depth`` is the greatest depth of a guess that decided an edge,
    ``guesses`` the number of guesses, and ``backtracking`` the depth of `backtrack` if requested.
    """

    status: Status
    label: Label | None
    score: int | None
    steps: dict[str, int]
    rules: dict[str, int]
    depth: int
    guesses: int
    open_edges: int
    backtracking: int | None = None

    @property
    def total(self) -> int:
        """The number of steps."""
        return sum(self.steps.values())

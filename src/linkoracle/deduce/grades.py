"""`Grade`: the result of grading a puzzle, and the scale of its score, from which labels are cut.

The *effort* of a puzzle is the root of a sum over its steps: the square of the weight of each step,
divided by the number of steps available then. Hard steps add up, and one hard step counts for more
than many easy ones. A large board has more steps than a small one of the same difficulty, so the
sum is divided by a power of the size. The score is the logarithm of the effort: a score higher by
100 means 1.74 times the effort.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import Literal, get_args

from linkoracle.core.arguments import SCALE
from linkoracle.deduce.rules import Label

#: The result of grading.
Status = Literal["solved", "gave up", "not unique", "no solution"]

#: The labels, the easiest first.
LABELS: tuple[Label, ...] = get_args(Label)

#: The scores of each label span this range.
SPAN = 100
#: The lowest score of a Slitherlink or Numberlink that needs a guess; all others score less.
GUESSED = SPAN * LABELS.index("fiendish")
#: The edges of 10x10 cells, by which sizes are compared; the power of the size; and the edges of
#: 7x7 cells, as which smaller boards count: one guess is one guess.
_EDGES, _POWER, _FEWEST = 220, 0.6, 112
#: Binary logarithms of efforts: the start of the scale, and the span of one label.
_LOWEST, _STEP = 2.85, 0.8


def score_of(squares: float, edges: int) -> int:
    """Return the score for a sum of ``squares`` on a board with ``edges``, a whole number from 0.

    >>> score_of(150**2, 220), score_of(20**2, 220), score_of(20**2, 440)
    (547, 184, 146)
    """
    if squares <= 0:
        return 0
    effort = log2(squares * (_EDGES / max(_FEWEST, edges)) ** _POWER) / 2
    return max(0, round(SPAN * (effort - _LOWEST) / _STEP))


def label_of(score: int) -> Label:
    """Return the label of a score.

    >>> label_of(99), label_of(100), label_of(1234)
    ('easy', 'normal', 'brutal')
    """
    return LABELS[min(score // SPAN, len(LABELS) - 1)]


@dataclass(frozen=True)
class Grade:
    """The difficulty of a puzzle, and the steps that solve it.

    ``status`` is ``"solved"``, ``"gave up"``, ``"not unique"`` or ``"no solution"``. If solved,
    ``score`` is a number from 0, higher for harder puzzles. Its hundreds give the ``label``, one of
    `LABELS`: 0 to 99 is easy. ``scale`` is the version of scores and labels. ``steps`` has the
    number of steps of each technique, and ``rules`` the number of steps of each pattern. ``depth``
    is the greatest depth of a guess that decided an edge, ``guesses`` the number of guesses, and
    ``backtracking`` the depth of `backtrack` if requested.
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
    scale: int = SCALE

    @property
    def total(self) -> int:
        """The number of steps."""
        return sum(self.steps.values())

"""Human-style deduction: explained steps, guesses of limited depth, and a grade.

`Board` is a puzzle while it is solved, `walk` tells its steps, `grade` sums them up, `within` makes
a predicate for generators, `backtrack` counts solutions the way a patient person would.
"""

from linkoracle.deduce.board import Board
from linkoracle.deduce.grading import LABELS, SUBSETS, Backtracking, Grade, backtrack, grade, within
from linkoracle.deduce.walk import Step, walk

__all__ = [
    "LABELS",
    "SUBSETS",
    "Backtracking",
    "Board",
    "Grade",
    "Step",
    "backtrack",
    "grade",
    "walk",
    "within",
]

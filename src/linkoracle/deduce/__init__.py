"""Human-style deduction: explained steps, guesses of limited depth, and a grade.

`Board` is a puzzle while it is solved, `walk` tells its steps, `grade` sums them up, `within` makes
a predicate for generators, `backtrack` counts solutions the way a patient person would.
"""

from linkoracle.deduce.backtracking import Backtracking, backtrack
from linkoracle.deduce.board import Board
from linkoracle.deduce.grading import LABELS, SUBSETS, Grade, grade, within
from linkoracle.deduce.walk import Step, course, walk

__all__ = [
    "LABELS",
    "SUBSETS",
    "Backtracking",
    "Board",
    "Grade",
    "Step",
    "backtrack",
    "course",
    "grade",
    "walk",
    "within",
]

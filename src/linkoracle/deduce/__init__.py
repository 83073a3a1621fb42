"""Human-style deduction: explained steps, guesses of limited depth, and a grade.

`DeductionState` is a puzzle during its deduction, `solve_path` explains the steps, `grade` sums
them up. `within` makes a predicate for generators; `backtrack` lists solutions by deduction and
assumptions.
"""

from typing import TYPE_CHECKING

from linkoracle.core import loader
from linkoracle.deduce.board import Backtracking, DeductionState, backtrack
from linkoracle.deduce.explaining import Step, solve_path, technique_runs
from linkoracle.deduce.grades import LABELS, Grade
from linkoracle.deduce.grading import grade, within
from linkoracle.deduce.rules import SUBSETS

__all__ = [
    "LABELS",
    "SUBSETS",
    "Backtracking",
    "DeductionState",
    "Grade",
    "Step",
    "backtrack",
    "grade",
    "solve_path",
    "technique_runs",
    "within",
]

if not TYPE_CHECKING:
    __getattr__ = loader(__name__)

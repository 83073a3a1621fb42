"""Human-style deduction: explained steps, guesses of limited depth, and a grade.

`DeductionState` is a puzzle during its deduction, `solve_path` explains the steps, `grade` sums
them up. `within` makes a predicate for generators; `backtrack` lists solutions by deduction and
assumptions.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "board": "Backtracking DeductionState backtrack",
        "explaining": "Step solve_path technique_runs",
        "grades": "LABELS Grade",
        "grading": "grade within",
        "rules": "SUBSETS",
    },
    inner={
        "board": "has_patterns",
        "counting": "TECHNIQUES hint_by_counts",
        "explaining": "next_step",
        "grades": "GUESSED label_of",
        "grading": "Deduced Within deduced",
        "reduction": "Guessing Reduction",
        "rules": "CATALOGUE Label deck_for",
    },
)

"""Human-style deduction: explained steps, guesses of limited depth, and a grade.

`deduced` solves a puzzle as a player would: its result has the grade, the path as numbers, and the
steps as sentences. `hint` is the next step of a player, `grade` only the grade. `within` makes a
predicate for generators. `Deduction` is any board during its deduction by the `TECHNIQUES`;
`DeductionState` a Slitherlink or Numberlink during its deduction by patterns, too, which
`solve_path` explains; `backtrack` lists solutions by deduction and assumptions.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "board": "Backtracking DeductionState backtrack",
        "deduction": "TECHNIQUES",
        "explaining": "solve_path technique_runs",
        "grades": "LABELS Grade Made narrowest widest",
        "grading": "deduced grade hint within",
        "paths": "PathWish",
        "rules": "SUBSETS",
        "words": "Step",
    },
    inner={
        "board": "has_patterns",
        "deduction": "Deduction",
        "grades": "GUESSED label_of",
        "grading": "Deduced Measured Within",
        "paths": (
            "PATTERNED TRIALS checked_range like meaning_of places_in places_of techniques_in "
            "uses_in"
        ),
        "reduction": "Guessing Reduction",
        "rules": "CATALOGUE Label deck_for",
        "words": "TITLES edge_words face_words",
    },
)

"""The SAT engine: edge variables, small local clauses, cuts added when a model needs them."""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "answers": "Verdict",
        "oracle": "Oracle",
    },
    inner={
        "answers": (
            "CONFLICT_BUDGET ENGINES SOLVERS Assumptions Cell Clue Clues CountResult Edges Engine"
        ),
        "clauses": "PieceSolver completed",
        "cores": "Ask Conflicts Contradict HittingSets best_core core_deadline find_core",
        "lanes": "another_covering has_lanes",
        "plain": "components with_pair_labels",
        "schedule": "Query Turns",
        "search": "LazySearch at_once",
        "statement_oracle": "StatementOracle",
        "taut_search": "another_in_part starts",
        "works": "Work",
    },
)

"""The SAT engine: edge variables, small local clauses, cuts added when a model needs them.

`linkoracle.sat.alternatives`, for generators, is imported by its own name.
"""

from linkoracle.sat.oracle import Oracle, Verdict

__all__ = ["Oracle", "Verdict"]

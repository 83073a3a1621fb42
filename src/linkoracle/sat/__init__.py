"""The SAT engine: edge variables, small local clauses, cuts added when a model needs them."""

from linkoracle.sat.oracle import Oracle, Verdict

__all__ = ["Oracle", "Verdict"]

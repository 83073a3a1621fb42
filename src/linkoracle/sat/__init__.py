"""The SAT engine: edge variables, small local clauses, cuts added when a model needs them."""

from linkoracle.sat.oracle import Oracle, Verdict
from linkoracle.sat.rivals import Rivals

__all__ = ["Oracle", "Rivals", "Verdict"]

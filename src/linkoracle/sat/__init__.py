"""The SAT engine: edge variables, small local clauses, cuts added when a model needs them."""

from linkoracle.sat.answers import Verdict
from linkoracle.sat.oracle import Oracle

__all__ = ["Oracle", "Verdict"]

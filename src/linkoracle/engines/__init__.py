"""The SAT engine: edge variables, small local clauses, cuts added when a model needs them."""

from typing import TYPE_CHECKING

from linkoracle.core import loader
from linkoracle.engines.answers import Verdict

if TYPE_CHECKING:
    from linkoracle.engines.oracle import Oracle

__all__ = ["Oracle", "Verdict"]

if not TYPE_CHECKING:
    # The oracle loads compiled modules, which its settings and answers do without.
    __getattr__ = loader(__name__, {"Oracle": "oracle"})

"""The SAT engine: edge variables, small local clauses, cuts added when a model needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkoracle.sat.answers import Verdict

if TYPE_CHECKING:
    from linkoracle.sat.oracle import Oracle

__all__ = ["Oracle", "Verdict"]


def __getattr__(name: str) -> Any:
    # The oracle loads compiled modules, which its settings and answers do without.
    if name == "Oracle":
        from linkoracle.sat.oracle import Oracle

        return Oracle
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

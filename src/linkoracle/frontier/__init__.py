"""The frontier engine: exact counts and whole solution sets by dynamic programming.

Knows `LinkModel` and no puzzle.

>>> from linkoracle.board.lattice import Lattice
>>> from linkoracle.board.model import LinkModel
>>> count(LinkModel.blank_loop(Lattice(11, 11)))
988808811046283595068099
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linkoracle.frontier.counts import count
from linkoracle.frontier.lengths import by_length

if TYPE_CHECKING:
    from linkoracle.frontier.diagram import Diagram
    from linkoracle.frontier.family import Family

__all__ = ["Diagram", "Family", "by_length", "count"]

#: What needs NumPy is loaded when it is first used.
_MODULES = {"Diagram": "diagram", "Family": "family"}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"linkoracle.frontier.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

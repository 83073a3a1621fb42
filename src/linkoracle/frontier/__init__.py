"""The frontier engine: exact counts and whole solution sets by dynamic programming.

It takes a `LinkModel`, and imports no kind of puzzle.

>>> from linkoracle.board.lattice import Lattice
>>> from linkoracle.board.model import LinkModel
>>> count(LinkModel.blank_loop(Lattice(11, 11)))
988808811046283595068099
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkoracle.core import loader
from linkoracle.frontier.counts import by_length, count

if TYPE_CHECKING:
    from linkoracle.frontier.diagram import Diagram
    from linkoracle.frontier.family import Family

__all__ = ["Diagram", "Family", "by_length", "count"]

if not TYPE_CHECKING:
    # What needs NumPy is loaded when it is first used.
    __getattr__ = loader(__name__, {"Diagram": "diagram", "Family": "family"})


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

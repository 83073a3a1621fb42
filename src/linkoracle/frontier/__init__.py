"""The frontier engine: exact counts and whole solution sets by dynamic programming.

Knows `LinkModel` and no puzzle.

>>> from linkoracle.board.lattice import Lattice
>>> from linkoracle.board.model import LinkModel
>>> count(LinkModel.blank_loop(Lattice(11, 11)))
988808811046283595068099
"""

from linkoracle.frontier.diagram import Diagram
from linkoracle.frontier.family import Family
from linkoracle.frontier.lengths import by_length
from linkoracle.frontier.sweep import count
from linkoracle.frontier.taut import two_solutions

__all__ = ["Diagram", "Family", "by_length", "count", "two_solutions"]

"""The frontier engine: exact counts and whole solution sets by dynamic programming.

Knows `LinkModel` and no puzzle. Importing it imports Numba; the first call on a machine compiles
for some seconds (`compiled` tells beforehand) and keeps the result on disk.

>>> from linkoracle.lattice import Lattice
>>> from linkoracle.model import LinkModel
>>> count(LinkModel.blank_loop(Lattice(11, 11)))
988808811046283595068099
"""

from linkoracle.frontier.compilation import compiled
from linkoracle.frontier.diagram import Diagram
from linkoracle.frontier.families import Family
from linkoracle.frontier.sweep import count
from linkoracle.frontier.taut import two_solutions

__all__ = ["Diagram", "Family", "compiled", "count", "two_solutions"]

"""The frontier engine: exact counts and whole solution sets by dynamic programming.

Knows `LinkModel` and no puzzle. The first `Diagram` on a machine compiles for some seconds
(`compiled` tells beforehand) and keeps the result on disk.

>>> from linkoracle.board.lattice import Lattice
>>> from linkoracle.board.model import LinkModel
>>> count(LinkModel.blank_loop(Lattice(11, 11)))
988808811046283595068099
"""

from typing import Literal

from linkoracle.core.compilation import is_ready
from linkoracle.frontier import layers
from linkoracle.frontier.diagram import Diagram
from linkoracle.frontier.family import Family
from linkoracle.frontier.sweep import count
from linkoracle.frontier.taut import two_solutions

__all__ = ["Diagram", "Family", "compiled", "count", "two_solutions"]

_KERNELS = {
    "count": (),
    "diagram": (layers.reduce_layer, layers.count_below),
    "two_solutions": (),
}


def compiled(work: Literal["count", "diagram", "two_solutions"] = "count") -> bool:
    """Whether the next `count`, `Diagram` or `two_solutions` starts without compiling.

    True when the kernels are loaded, or a cache file that fits this version of them exists. The
    answer is a forecast for a message to the user: when Numba does not say, it is False.
    """
    return all(is_ready(function) for function in _KERNELS[work])

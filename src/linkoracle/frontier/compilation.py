"""Whether the kernels are compiled already, so that a program can say that it has to wait."""

from __future__ import annotations

from typing import Literal

from linkoracle.compilation import is_ready
from linkoracle.frontier import kernel, layers, taut_kernel

_KERNELS = {
    "count": (kernel.advance,),
    "diagram": (kernel.advance, layers.reduce_layer, layers.count_below),
    "two_solutions": (taut_kernel.advance,),
}


def compiled(work: Literal["count", "diagram", "two_solutions"] = "count") -> bool:
    """Whether the next `count`, `Diagram` or `two_solutions` starts without compiling.

    True when the kernels are loaded, or a cache file that fits this version of them exists. The
    answer is a forecast for a message to the user: when Numba does not say, it is False.
    """
    return all(is_ready(function) for function in _KERNELS[work])

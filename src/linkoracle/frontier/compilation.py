"""Whether the kernels are compiled already, so that a program can say that it has to wait."""

from __future__ import annotations

from typing import Any, Literal

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
    return all(_is_ready(function) for function in _KERNELS[work])


def _is_ready(dispatcher: Any) -> bool:
    if dispatcher.signatures:
        return True
    # Numba has no public way to ask for a cache entry without compiling what is missing.
    try:
        return bool(dispatcher._cache._cache_file._load_index())
    except (AttributeError, OSError):
        return False

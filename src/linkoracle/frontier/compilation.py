"""Whether the kernels are compiled already, so that a program can say that it has to wait."""

from __future__ import annotations

from typing import Any

from linkoracle.frontier import kernel, layers

_COUNTING = (kernel.advance,)
_KEEPING = (kernel.advance, layers.reduce_layer, layers.count_below)


def compiled(*, diagram: bool = False) -> bool:
    """Whether the next count (or, with ``diagram``, the next `Diagram`) starts without compiling.

    True when the kernels are loaded, or a cache file that fits this version of them exists. The
    answer is a forecast for a message to the user: when Numba does not say, it is False.
    """
    return all(_is_ready(function) for function in (_KEEPING if diagram else _COUNTING))


def _is_ready(dispatcher: Any) -> bool:
    if dispatcher.signatures:
        return True
    # Numba has no public way to ask for a cache entry without compiling what is missing.
    try:
        return bool(dispatcher._cache._cache_file._load_index())
    except (AttributeError, OSError):
        return False

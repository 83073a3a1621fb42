"""Whether functions are compiled already, so that a program can say that it has to wait."""

from __future__ import annotations

from typing import Any


def is_ready(dispatcher: Any) -> bool:
    """Whether a function that Numba caches is loaded, or a file in the cache fits its source.

    A forecast for a message to the user: when Numba does not say, it is False.
    """
    if dispatcher.signatures:
        return True
    # Numba has no public way to ask for a cache entry without compiling what is missing.
    try:
        return bool(dispatcher._cache._cache_file._load_index())
    except (AttributeError, OSError):
        return False

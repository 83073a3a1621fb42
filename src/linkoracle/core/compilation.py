"""What Numba keeps of compiled functions: whether it is there, and what it was made of."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


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


def digest(files: Iterable[Traversable]) -> str:
    """A digest of these files, in the order of their names; folders among them are left out.

    Numba's cache notices a change of the file that a function is in, and of what a closure holds: a
    function that holds this is compiled anew when one of the files changes. Raises ``OSError`` for
    a file that is not there.
    """
    found = sorted((file.name, file.read_bytes()) for file in files if not file.is_dir())
    return sha256(repr(found).encode()).hexdigest()

"""Small sets of reasons: what contradicts itself, until none of it can be spared."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


def spared(
    core: dict[Key, Value], contradiction: Callable[[dict[Key, Value]], dict[Key, Value] | None]
) -> dict[Key, Value]:
    """A part of ``core`` that still contradicts itself, and no part of which does.

    ``contradiction`` tells of a part which of it contradict each other; ``None`` if none do.

    >>> spared({1: "a", 2: "b", 3: "c"}, lambda part: part if {1, 3} <= part.keys() else None)
    {1: 'a', 3: 'c'}
    """
    for key in list(core):
        if key in core:
            fewer = {other: value for other, value in core.items() if other != key}
            found = contradiction(fewer)
            if found is not None:
                core = found
    return core

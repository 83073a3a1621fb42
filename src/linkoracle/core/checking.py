"""Arguments that make no sense: refused at the door, with the value and what was expected.

A call that makes no sense raises ``ValueError`` (``KeyError`` and ``IndexError`` where a place is
asked for that does not exist). Whatever input, limits or the machine can cause derives from
`linkoracle.core.errors.LinkOracleError` instead.
"""

from __future__ import annotations

import math
from operator import index


def checked_int(value: object, what: str, least: int | None = None, most: int | None = None) -> int:
    """``value`` as an ``int``, or ``ValueError`` for what is no whole number from least to most.

    Whole numbers of other types, such as NumPy's, are taken; ``True``, ``2.0`` and ``"2"`` are not.

    >>> checked_int(3, "a limit", 1)
    3
    >>> checked_int(2.9, "a clue", 0, 4)
    Traceback (most recent call last):
        ...
    ValueError: expected a clue from 0 to 4, got 2.9
    """
    try:
        number = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if (
        number is None
        or (least is not None and number < least)
        or (most is not None and number > most)
    ):
        bounds = "" if least is None else f" from {least}"
        bounds += "" if most is None else f" to {most}"
        kind = "" if bounds else ", a whole number"
        raise ValueError(f"expected {what}{bounds}{kind}, got {value!r}")
    return number


def checked_seconds(timeout: object) -> float | None:
    """A time limit in seconds, or ``None`` for none; ``ValueError`` for what is no positive time.

    >>> checked_seconds(2), checked_seconds(None)
    (2.0, None)
    >>> checked_seconds(float("nan"))
    Traceback (most recent call last):
        ...
    ValueError: expected a positive number of seconds, got nan
    """
    if timeout is None:
        return None
    try:
        seconds = math.nan if isinstance(timeout, (bool, str)) else float(timeout)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        seconds = math.nan
    if not seconds > 0:
        raise ValueError(f"expected a positive number of seconds, got {timeout!r}")
    return seconds

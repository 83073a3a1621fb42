"""Fractions of the paths of a board: ranges from 0 to 1, and numbers of paths within them."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any

#: A range of fractions that includes both ends.
Share = tuple[float, float]
ALL: Share = (0.0, 1.0)


def checked_share(share: Any, name: str) -> Share:
    """Return a range as two floats; raise ``ValueError`` unless it is within 0 to 1."""
    try:
        least, most = (float(part) for part in share)
    except (TypeError, ValueError):
        least, most = math.nan, math.nan
    if not 0 <= least <= most <= 1:
        raise ValueError(f"expected a range within 0 to 1 for {name}, got {share!r}")
    return least, most


@lru_cache(maxsize=1024)
def numbers_within(share: Share, number: int) -> range:
    """Return the numbers of paths, out of ``number``, in a range of fractions; may be empty.

    >>> numbers_within((0.25, 0.5), 8), list(numbers_within((0.3, 0.4), 2))
    (range(2, 5), [])
    """
    # Divided and not multiplied, since 7 / 100 is 0.07 and 0.07 * 100 more than 7.
    fewest = next(part for part in range(number + 1) if part / number >= share[0])
    return range(fewest, 1 + next(k for k in range(number, -1, -1) if k / number <= share[1]))


def missed_by(part: int, share: Share, number: int) -> int:
    """Return by how much ``part`` out of ``number`` misses a range; never 0 if that is empty.

    >>> [missed_by(part, (0.25, 0.5), 8) for part in (1, 2, 6)]
    [1, 0, 2]
    """
    within = numbers_within(share, number)
    return max(0, within.start - part, part + 1 - within.stop)


def can_cover(
    cells: int, number: int, short_share: Share, long_share: Share, shortest: int, longest: int
) -> bool:
    """Return whether paths of ``shortest`` to ``longest`` cells can cover all cells.

    The ranges are for the fractions of paths of at most half, and of at least one and a half times,
    the average length.

    >>> can_cover(36, 6, (0, 1), (0, 1), 3, 36), can_cover(36, 6, (1, 1), (0, 1), 3, 36)
    (True, False)
    """
    half, much = cells // (2 * number), -(-3 * cells // (2 * number))
    lengths = (
        (shortest, min(half, longest)),
        (max(shortest, much), longest),
        (max(shortest, half + 1), min(much - 1, longest)),
    )
    shorts, longs = numbers_within(short_share, number), numbers_within(long_share, number)
    # A long path can give cells to a short one until that is average; it is then at least average
    # itself. So checking the fewest of one of the two suffices.
    for short, long in [*product(shorts, longs[:1]), *product(shorts[:1], longs)]:
        parts = list(zip((short, long, number - short - long), lengths, strict=True))
        if (
            all(not part or (part > 0 and least <= most) for part, (least, most) in parts)
            and sum(part * least for part, (least, _) in parts) <= cells
            and sum(part * most for part, (_, most) in parts) >= cells
        ):
            return True
    return False

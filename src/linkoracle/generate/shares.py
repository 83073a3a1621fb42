"""Shares of the links of a board: ranges from 0 to 1, and how many links are within them."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any

#: A range of shares, both ends included.
Share = tuple[float, float]
ALL: Share = (0.0, 1.0)


def checked_share(share: Any, name: str) -> Share:
    """A range as two floats. Raises ``ValueError`` for what is none within 0 to 1."""
    try:
        least, most = (float(part) for part in share)
    except (TypeError, ValueError):
        least, most = math.nan, math.nan
    if not 0 <= least <= most <= 1:
        raise ValueError(f"expected a range within 0 to 1 for {name}, got {share!r}")
    return least, most


@lru_cache(maxsize=1024)
def numbers_within(share: Share, number: int) -> range:
    """Which numbers of links, out of so many, are within a share; empty if none is.

    >>> numbers_within((0.25, 0.5), 8), list(numbers_within((0.3, 0.4), 2))
    (range(2, 5), [])
    """
    # Divided and not multiplied, since 7 / 100 is 0.07 and 0.07 * 100 more than 7.
    fewest = next(part for part in range(number + 1) if part / number >= share[0])
    return range(fewest, 1 + next(k for k in range(number, -1, -1) if k / number <= share[1]))


def missed_by(part: int, share: Share, number: int) -> int:
    """By how much ``part`` of so many links misses a share: never 0 where nothing is within it.

    >>> [missed_by(part, (0.25, 0.5), 8) for part in (1, 2, 6)]
    [1, 0, 2]
    """
    within = numbers_within(share, number)
    return max(0, within.start - part, part + 1 - within.stop)


def can_cover(
    cells: int, number: int, short_share: Share, long_share: Share, shortest: int, longest: int
) -> bool:
    """Whether so many links of ``shortest`` to ``longest`` cells can have all cells together.

    The shares are of links that are at most half, and at least one and a half times, as long as the
    average.

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
    # A long link can give cells to a short one until that is in between, and is then as long as the
    # average at least. So the fewest of one of the two will do.
    for short, long in [*product(shorts, longs[:1]), *product(shorts[:1], longs)]:
        parts = list(zip((short, long, number - short - long), lengths, strict=True))
        if (
            all(not part or (part > 0 and least <= most) for part, (least, most) in parts)
            and sum(part * least for part, (least, _) in parts) <= cells
            and sum(part * most for part, (_, most) in parts) >= cells
        ):
            return True
    return False

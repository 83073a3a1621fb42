"""The number of pairs of a Numberlink: by default that of published puzzles, or by symmetry."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any

from linkoracle.board import Lattice, Symmetry
from linkoracle.board.symmetry import images

#: The defaults for boards of at least this many cells are those of published puzzles. Of 116 with
#: 10x10 and 58 with 15x15 cells, the mean number of pairs is 7.3 and 12.3: a power of the number of
#: cells. Hardly any path has three cells, and one on every third board is straight. With the least
#: number of turns per cell, generated boards have the published mean.
USUAL_CELLS = 49
USUAL_PAIRS, PAIRS_POWER = (0.34, 0.43), 0.643
USUAL_LENGTH = 4
USUAL_STRAIGHT = (0.0, 0.15)
USUAL_TURNS = 0.185
#: The same for small boards, and if all cells must be used or numbers are symmetric: with fewer
#: pairs, few of these have one solution.
OTHER_PAIRS, OTHER_POWER = (0.85, 1.15), 0.5
#: The most pairs on other boards: times the root of the number of cells, or a fraction of the cells
#: if their neighbours allow no long paths, as one attempt in `SHORT_PATHS` supposes.
BOARD_PAIRS, MOST_OF_CELLS, SHORT_PATHS = 2.0, 1 / 3, 4
#: Beyond this many cells, the number of pairs per additional cell. Of the two published boards of
#: more than 500 cells that were proved unique, one of 25x32 has 64 pairs, one of 30x30 has 46. With
#: fewer, a proof takes minutes or longer.
LARGE_CELLS, LARGE_PAIRS = 400, (1 / 13, 1 / 11)


def usual_pairs(cells: int, *, published: bool, square: bool) -> tuple[float, float]:
    """Return the default range of the number of pairs.

    ``published`` is true for boards that should look like published ones.

    >>> usual_pairs(100, published=False, square=True)
    (8.5, 11.5)
    """
    (low, high), power = (USUAL_PAIRS, PAIRS_POWER) if published else (OTHER_PAIRS, OTHER_POWER)
    scale, more = math.pow(min(cells, LARGE_CELLS), power), max(0, cells - LARGE_CELLS)
    if not square:
        return low * scale, max(low * scale, MOST_OF_CELLS * cells)
    return low * scale + LARGE_PAIRS[0] * more, high * scale + LARGE_PAIRS[1] * more


def default_pairs(usual: tuple[float, float], least: int, most: int, step: int) -> tuple[int, int]:
    """Return the part of the ``usual`` range of the number of pairs between two bounds.

    If it has no multiple of ``step``, return the nearest one.

    >>> default_pairs((8.5, 11.5), 1, 10, 1), default_pairs((8.5, 11.5), 1, 10, 4)
    ((9, 10), (8, 8))
    """
    low, high = math.ceil(usual[0]), math.floor(usual[1])
    low, high = (max(least, min(end, most)) for end in (low, max(low, high)))
    nearest = max(step, round(sum(usual) / 2 / step) * step)
    return (low, high) if multiples((low, high), step) else (nearest, nearest)


def pairs_together(rows: int, cols: int, symmetry: Symmetry) -> int:
    """Return the number of paths that a symmetry maps to each other; check the symmetry.

    A path that a half turn maps to itself has the centre of the board in its middle. The centre is
    a cell or a step unless both sides are even; then paths come in twos, or fours. The paths are
    symmetric, not only their ends. So on the diagonal of a mirror, the first cell is joined to
    both cells right and below, the last to both above and left, and two consecutive cells in
    between close a ring of four. Under a quarter turn, the middle cell of a board with an odd
    side would be joined to none or to all four of its neighbours.
    """
    images(Lattice(rows, cols), symmetry)
    if symmetry in ("diagonal", "antidiagonal"):
        raise ValueError(f"paths cannot have the symmetry {symmetry}: they would be rings")
    if symmetry == "quarter-turn" and rows % 2:
        needed = f"needs a square board with an even side, got {rows}x{cols}"
        raise ValueError(f"the symmetry {symmetry} {needed}")
    if rows % 2 or cols % 2:
        return 1
    return {"half-turn": 2, "both": 2, "quarter-turn": 4}.get(symmetry, 1)


def multiples(pairs: tuple[int, int], step: int) -> range:
    """Return the numbers of pairs from the least to the most that are multiples of a step."""
    return range(-(-pairs[0] // step) * step, pairs[1] + 1, step)


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

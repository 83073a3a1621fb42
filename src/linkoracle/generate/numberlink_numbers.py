"""The number of pairs of a Numberlink: by default that of published puzzles, or by symmetry."""

from __future__ import annotations

import math

from linkoracle.board.lattice import Lattice
from linkoracle.board.symmetry import Symmetry, images

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

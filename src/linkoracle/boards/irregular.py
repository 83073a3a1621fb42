"""Tilings whose tiles are all alike, but not regular: pentagons and kites.

Which tiles belong to a board, and their order: ``grid.c`` of Simon Tatham's Portable Puzzle
Collection, https://www.chiark.greenend.org.uk/~sgtatham/puzzles/
"""

from __future__ import annotations

from linkoracle.board.board import Board
from linkoracle.boards.patch import Corner, Patch, R, cells, checked_cells

#: In the Cairo tiling, `R` is the longer part of a slanted edge along an axis, and 1 the shorter:
#: all edges have one length, twice ``R - 1``.
_CAIRO_ROOT = (4 + 7**0.5) / 3


def cairo(rows: int, cols: int) -> Board:
    """Return pentagons in pairs, which lie or stand by turns: the Cairo tiling.

    There is one for each side between two of ``rows`` x ``cols`` squares. Raises ``ValueError`` for
    less than two rows or columns.

    >>> cairo(3, 4)
    <Board: 40 vertices, 56 edges, 17 faces>
    """
    rows, cols = checked_cells(rows, cols, 2)
    if min(rows, cols) < 2:
        raise ValueError(f"expected two rows and columns, or more, got {rows} x {cols}")
    patch = Patch(f"cairo {rows} {cols}", root=_CAIRO_ROOT, edge=2 * (_CAIRO_ROOT - 1))
    for col, row in cells(rows, cols):
        x, y = 2 * R * col, 2 * R * row
        side = -1 if (row + col) % 2 else 1
        if row > 0:
            patch.polygon(x, y, _lying(side))
        if col > 0:
            patch.polygon(x, y, [(dy, dx) for dx, dy in _lying(-side)[::-1]])
    return patch.finished()


def _lying(side: int) -> list[Corner]:
    """A pentagon on its longest diagonal, clockwise; its tip is above (1) or below (-1)."""
    return [(0, 0), (R, -side), (2 * R, 0), (2 * R - 1, side * R), (1, side * R)][::side]


def kites(rows: int, cols: int) -> Board:
    """Return kites, six around each of the dots that stand in ``rows`` and ``cols``.

    >>> kites(2, 3)
    <Board: 55 vertices, 90 edges, 36 faces>
    """
    rows, cols = checked_cells(rows, cols, 6)
    patch = Patch(f"kites {rows} {cols}", root=3**0.5, edge=2.0)
    # The long edges around a dot, clockwise from the right, and the tips of the kites between them.
    long = ((2 * R, 0), (R, 3), (-R, 3), (-2 * R, 0), (-R, -3), (R, -3))
    tips = ((2 * R, 2), (0, 4), (-2 * R, 2), (-2 * R, -2), (0, -4), (2 * R, -2))
    around = [((0, 0), long[k], tips[k], long[(k + 1) % 6]) for k in range(6)]
    for col, row in cells(rows, cols):
        for kite in around:
            patch.polygon(4 * R * col + 2 * R * (row % 2), 6 * row, kite)
    return patch.finished()


def floret(rows: int, cols: int) -> Board:
    """Return flowers of six pentagons in columns, every second column half a flower lower.

    The last row has flowers in the odd columns alone, unless it or the column is the only one.

    >>> floret(2, 3)
    <Board: 58 vertices, 81 edges, 24 faces>
    """
    rows, cols = checked_cells(rows, cols, 6)
    patch = Patch(f"floret {rows} {cols}", root=3**0.5, edge=28**0.5)
    # Three edges 60 degrees apart, r + p = q; a petal is as long as two of them.
    px, py, qx, qy = 5, -R, 4, 2 * R
    edges = [(qx - px, qy - py), (qx, qy), (px, py)]
    edges += [(-x, -y) for x, y in edges]
    petals = []
    for (x, y), (next_x, next_y) in zip(edges, [*edges[1:], edges[0]], strict=True):
        petals.append(
            (
                (0, 0),
                (2 * next_x, 2 * next_y),
                (2 * next_x + x, 2 * next_y + y),
                (2 * x + next_x, 2 * y + next_y),
                (2 * x, 2 * y),
            )
        )
    for col, row in cells(rows, cols):
        odd = col % 2
        if not odd and 0 < row == rows - 1 and cols > 1:
            continue
        for petal in petals:
            patch.polygon(21 * col, (7 * odd - 14 * row) * R, petal)
    return patch.finished()

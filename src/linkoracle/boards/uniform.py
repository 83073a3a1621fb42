"""Tilings by regular polygons with edges of one length.

Most of them run in twelve directions, 30 degrees apart. A tile is drawn as a turtle would do it:
from a corner, in a direction, so many sides, clockwise. Edges have the length 2 in these
coordinates, so that their parts along the axes are 0, 1, 2, and the square root of 3.

Which tiles belong to a board, and their order: ``grid.c`` of Simon Tatham's Portable Puzzle
Collection, https://www.chiark.greenend.org.uk/~sgtatham/puzzles/
"""

from __future__ import annotations

from functools import cache

from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice
from linkoracle.boards.patch import Corner, Patch, R, cells, checked_cells

#: An edge in each of twelve directions, clockwise as drawn, from the right.
_QUARTER = ((2, 0), (R, 1), (1, R))
_TWELVE = tuple(
    turned
    for turn in (
        lambda x, y: (x, y),
        lambda x, y: (-y, x),
        lambda x, y: (-x, -y),
        lambda x, y: (y, -x),
    )
    for turned in (turn(*edge) for edge in _QUARTER)
)
_SQRT_3 = 3**0.5


@cache
def _regular(sides: int, heading: int) -> tuple[Corner, ...]:
    """The corners of a regular polygon from its first one, where its first side has a heading."""
    x = y = 0
    corners = []
    for side in range(sides):
        corners.append((x, y))
        dx, dy = _TWELVE[(heading + side * 12 // sides) % 12]
        x, y = x + dx, y + dy
    return tuple(corners)


class _Twelve(Patch):
    """A patch drawn in twelve directions."""

    def __init__(self, words: str) -> None:
        super().__init__(words, root=_SQRT_3, edge=2.0)

    def tile(self, sides: int, x: int, y: int, heading: int = 0) -> None:
        """Add a regular polygon by its first corner and the direction of its first side."""
        self.polygon(x, y, _regular(sides, heading))


def square(rows: int, cols: int) -> Lattice:
    """Return the square board.

    >>> square(2, 3)
    Lattice(rows=3, cols=4)
    """
    return Lattice(checked_cells(rows, cols)[0] + 1, cols + 1)


def triangular(rows: int, cols: int, *, ears: bool = False) -> Board:
    """Return rows of ``2 * cols + 1`` triangles; the last of an odd number of rows has two less.

    With ``ears``, the board of older game IDs: ``2 * cols`` triangles in each row. Two of the
    triangles in the corners share one side only with the rest.

    >>> triangular(3, 2)
    <Board: 12 vertices, 24 edges, 13 faces>
    >>> triangular(3, 2, ears=True)
    <Board: 12 vertices, 23 edges, 12 faces>
    """
    rows, cols = checked_cells(rows, cols)
    patch = _Twelve(f"triangular {rows} {cols}" + (" ears" if ears else ""))
    down, up = 0, 2
    for row in range(rows):
        odd, top = row % 2, row * R
        if ears:
            for left in range(odd, 2 * cols + odd, 2):
                pair = (left, down), (left + 2 - 2 * odd, up)
                for x, heading in reversed(pair) if odd else pair:
                    patch.tile(3, x, top, heading)
            continue
        # The corner triangles of a last row that is even would hang on by one side.
        cut = not odd and row == rows - 1
        for col in range(cut, cols + 1 - cut):
            patch.tile(3, 2 * col + 1 - odd, top, down if odd else up)
        for col in range(cols):
            patch.tile(3, 2 * col + 1 + odd, top, up if odd else down)
    return patch.board()


def honeycomb(rows: int, cols: int) -> Board:
    """Return hexagons in columns, every second column half a cell lower.

    >>> honeycomb(2, 3)
    <Board: 22 vertices, 27 edges, 6 faces>
    """
    rows, cols = checked_cells(rows, cols)
    patch = _Twelve(f"honeycomb {rows} {cols}")
    for col, row in cells(rows, cols):
        patch.tile(6, 3 * col - 1, (2 * row + col % 2 - 1) * R)
    return patch.board()

"""Tilings that repeat: cells in rows and columns, each with the same tiles.

In some tilings, every second row or column is shifted by half a cell. A tile between cells belongs
to a board if all these cells do; compass points name the cells. Most tiles are regular polygons
with sides of one length, in twelve directions.

Source of the tiles of a board, and their order: ``grid.c`` of Simon Tatham's Portable Puzzle
Collection, https://www.chiark.greenend.org.uk/~sgtatham/puzzles/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from linkoracle.board import Board, Lattice
from linkoracle.boards.patch import Corner, Patch, R, cells, checked_cells
from linkoracle.core import checked_int


def _compass(*quarter: Corner) -> tuple[Corner, ...]:
    """Return an edge in each direction, clockwise, from those of the first quarter turn."""
    return (
        *quarter,
        *((-y, x) for x, y in quarter),
        *((-x, -y) for x, y in quarter),
        *((y, -x) for x, y in quarter),
    )


#: Eight directions, with edges as long as the square root of 2, which is `R`.
_EIGHT = _compass((R, 0), (1, 1))
#: Twelve directions, with edges of length 2; `R` is the square root of 3.
_TWELVE = _compass((2, 0), (R, 1), (1, R))
#: In the Cairo tiling, `R` is the longer part of a slanted edge along an axis, and 1 the shorter:
#: all edges have one length, twice ``R - 1``.
_CAIRO_ROOT = (4 + 7**0.5) / 3


class _Tile(NamedTuple):
    """A tile of a cell."""

    corners: tuple[Corner, ...]
    #: The position of the corner (0, 0), from the middle of the cell.
    x: int
    y: int
    #: The other cells that the tile needs, such as ``"E NE"``.
    needs: str


def _tile(
    sides: int,
    x: int,
    y: int,
    heading: int = 0,
    needs: str = "",
    compass: tuple[Corner, ...] = _TWELVE,
) -> _Tile:
    """Return a regular polygon from its first corner and the direction of its first side.

    Directions are numbered clockwise from 0, to the right.
    """
    at_x = at_y = 0
    corners = []
    for side in range(sides):
        corners.append((at_x, at_y))
        dx, dy = compass[(heading + side * len(compass) // sides) % len(compass)]
        at_x, at_y = at_x + dx, at_y + dy
    return _Tile(tuple(corners), x, y, needs)


def _tiled(
    name: str,
    rows: int,
    cols: int,
    step: Corner,
    *tiles: Sequence[_Tile],
    faces: int,
    shift: Corner = (0, 0),
    root: float = 3**0.5,
    edge: float = 2.0,
) -> Board:
    """Return the board whose cells are ``step`` apart, to the right and down.

    ``shift`` moves every second row to the right, or every second column down. If there are two
    lists of ``tiles``, they are for white and black cells as on a chessboard. ``faces`` is the most
    tiles of a cell; ``root`` and ``edge`` are as in `Patch`.
    """
    rows, cols = checked_cells(rows, cols, faces)
    patch = Patch(f"{name} {rows} {cols}", root, edge)
    laid = set()
    for col, row in cells(rows, cols):
        odd = (row if shift[0] else col) % 2
        x, y = step[0] * col + shift[0] * odd, step[1] * row + shift[1] * odd

        def is_there(side: str, col: int = col, row: int = row, odd: int = odd) -> bool:
            across, down = ("E" in side) - ("W" in side), ("S" in side) - ("N" in side)
            if across and down and shift[0]:
                across = odd - ("W" in side)
            elif across and down and shift[1]:
                down = odd - ("N" in side)
            return 0 <= col + across < cols and 0 <= row + down < rows

        for corners, dx, dy, needs in tiles[(row + col) % len(tiles)]:
            place = x + dx, y + dy, corners
            if place not in laid and all(map(is_there, needs.split())):
                laid.add(place)
                patch.polygon(*place)
    return patch.finished()


def square(rows: int, cols: int) -> Lattice:
    """Return the square board.

    >>> square(2, 3)
    Lattice(rows=3, cols=4)
    """
    return Lattice(checked_int(rows, "rows", 1) + 1, checked_int(cols, "cols", 1) + 1)


def triangular(rows: int, cols: int, *, ears: bool = False) -> Board:
    """Return rows of ``2 * cols + 1`` triangles; the last of an odd number of rows has two less.

    With ``ears``, return the board of older game IDs: ``2 * cols`` triangles in each row. Two
    triangles in corners share only one side with others.

    >>> triangular(3, 2)
    <Board: 12 vertices, 24 edges, 13 faces>
    >>> triangular(3, 2, ears=True)
    <Board: 12 vertices, 23 edges, 12 faces>
    """
    rows, cols = checked_cells(rows, cols, 2)
    patch = Patch(f"triangular {rows} {cols}" + (" ears" if ears else ""), root=3**0.5, edge=2.0)
    down, up = (_tile(3, 0, 0, heading).corners for heading in (0, 2))
    for row in range(rows):
        odd, top = row % 2, row * R
        if ears:
            for left in range(odd, 2 * cols + odd, 2):
                pair = (left, down), (left + 2 - 2 * odd, up)
                for x, corners in reversed(pair) if odd else pair:
                    patch.polygon(x, top, corners)
            continue
        # Omit corner triangles of an even last row, which would share only one side with others.
        cut = not odd and row == rows - 1
        for col in range(cut, cols + 1 - cut):
            patch.polygon(2 * col + 1 - odd, top, down if odd else up)
        for col in range(cols):
            patch.polygon(2 * col + 1 + odd, top, up if odd else down)
    return patch.finished()


def honeycomb(rows: int, cols: int) -> Board:
    """Return hexagons in columns, every second column half a cell lower.

    >>> honeycomb(2, 3)
    <Board: 22 vertices, 27 edges, 6 faces>
    """
    hexagon = _tile(6, -1, -R)
    return _tiled("honeycomb", rows, cols, (3, 2 * R), [hexagon], faces=1, shift=(0, R))


def snub_square(rows: int, cols: int) -> Board:
    """Return squares in rows and columns, turned by 30 or 60 degrees, with triangles between them.

    >>> snub_square(2, 3)
    <Board: 17 vertices, 29 edges, 13 faces>
    """
    even = _tile(4, R, 0, 2), _tile(3, 0, 1, 2, "W"), _tile(3, 0, -1, 1, "N")
    odd = _tile(4, 1, 0, 1), _tile(3, -1, 0, 0, "W"), _tile(3, 1, 0, 11, "N")
    return _tiled("snub_square", rows, cols, (1 + R, 1 + R), even, odd, faces=3)


def great_hexagonal(rows: int, cols: int) -> Board:
    """Return hexagons in columns, with squares between two and triangles between three of them.

    >>> great_hexagonal(2, 3)
    <Board: 36 vertices, 54 edges, 19 faces>
    """
    tiles = [
        _tile(6, -1, -R),
        _tile(4, -1, R, 0, "S"),
        _tile(4, 2, 0, 1, "SE"),
        _tile(4, -2, 0, 2, "SW"),
        _tile(3, 1, R, 1, "S SE"),
        _tile(3, -1, R, 3, "S SW"),
    ]
    step, shift = (3 + R, 2 + 2 * R), (0, 1 + R)
    return _tiled("great_hexagonal", rows, cols, step, tiles, faces=6, shift=shift)


def kagome(rows: int, cols: int) -> Board:
    """Return hexagons in rows that touch at corners, with triangles between them.

    >>> kagome(2, 3)
    <Board: 27 vertices, 42 edges, 16 faces>
    """
    # At least two of the three hexagons beside a triangle belong to the board.
    tiles = [
        _tile(6, -1, -R),
        *(_tile(3, 1, -R, 0, needs) for needs in ("E", "NE")),
        *(_tile(3, 2, 0, 2, needs) for needs in ("E", "SE")),
        _tile(3, -3, -R, 0, "NW"),
        _tile(3, -2, 0, 2, "SW"),
    ]
    return _tiled("kagome", rows, cols, (4, 2 * R), tiles, faces=3, shift=(2, 0))


def octagonal(rows: int, cols: int) -> Board:
    """Return octagons in rows and columns, with squares between four of them.

    >>> octagonal(2, 3)
    <Board: 34 vertices, 41 edges, 8 faces>
    """
    tiles = _tile(8, 1, 0, compass=_EIGHT), _tile(4, 0, -1, 1, "NW", _EIGHT)
    step, root = (2 + R, 2 + R), 2**0.5
    return _tiled("octagonal", rows, cols, step, tiles, faces=2, root=root, edge=root)


def dodecagonal(rows: int, cols: int) -> Board:
    """Return dodecagons in rows, with triangles between three of them.

    >>> dodecagonal(2, 3)
    <Board: 54 vertices, 63 edges, 10 faces>
    """
    tiles = [
        _tile(12, -1, -2 - R),
        _tile(3, -1, 2 + R, 0, "SW SE"),
        _tile(3, 0, -2 - 2 * R, 2, "NW NE"),
    ]
    step, shift = (4 + 2 * R, 3 + 2 * R), (2 + R, 0)
    return _tiled("dodecagonal", rows, cols, step, tiles, faces=3, shift=shift)


def great_dodecagonal(rows: int, cols: int) -> Board:
    """Return dodecagons in rows, with squares between two and hexagons between three of them.

    >>> great_dodecagonal(2, 3)
    <Board: 72 vertices, 90 edges, 19 faces>
    """
    tiles = [
        _tile(12, -1, -2 - R),
        _tile(6, -1, 2 + R, 0, "SW SE"),
        _tile(6, -1, -2 - 3 * R, 0, "NW NE"),
        _tile(4, 2 + R, -1, 0, "E"),
        _tile(4, 1, -2 - R, 10, "NE"),
        _tile(4, -1 - R, -1 - R, 8, "NW"),
    ]
    step, shift = (6 + 2 * R, 3 + 3 * R), (3 + R, 0)
    return _tiled("great_dodecagonal", rows, cols, step, tiles, faces=6, shift=shift)


def great_great_dodecagonal(rows: int, cols: int) -> Board:
    """Return dodecagons in rows, with hexagons, squares and triangles between them.

    >>> great_great_dodecagonal(2, 3)
    <Board: 90 vertices, 120 edges, 31 faces>
    """
    tiles = [
        _tile(12, -1, -2 - R),
        _tile(6, 1 + 2 * R, -4 - R, 3, "NE"),
        _tile(6, 2 + 3 * R, -1, 3, "E"),
        _tile(6, 1 + 2 * R, 2 + R, 3, "SE"),
        _tile(4, 1 + 2 * R, -2 - R, 2, "NE E"),
        _tile(4, 2 + 2 * R, 2, 4, "SE E"),
        _tile(4, 1, 2 + R, 3, "SW SE"),
        _tile(4, -2 - R, 1, 2, "SW W"),
        _tile(4, -1 - R, -1 - R, 4, "NW W"),
        _tile(4, 1, -4 - R, 3, "NW NE"),
        _tile(3, 3 + 2 * R, -2 - R, 4, "NE E"),
        _tile(3, 3 + 2 * R, 2 + R, 6, "SE E"),
    ]
    step, shift = (4 + 4 * R, 6 + 2 * R), (2 + 2 * R, 0)
    return _tiled("great_great_dodecagonal", rows, cols, step, tiles, faces=12, shift=shift)


def compass_dodecagonal(rows: int, cols: int) -> Board:
    """Return dodecagons in rows and columns; between four of them, a square and four triangles.

    >>> compass_dodecagonal(2, 3)
    <Board: 58 vertices, 73 edges, 16 faces>
    """
    tiles = [
        _tile(12, -1, -2 - R),
        _tile(3, 2 + R, 1, 2, "SE"),
        _tile(3, 3 + 2 * R, 2 + R, 5, "SE"),
        _tile(3, 3 + R, 3 + R, 4, "SE"),
        _tile(3, 1 + R, 1 + R, 3, "SE"),
        _tile(4, 3 + R, 1 + R, 3, "SE"),
    ]
    step = (4 + 2 * R, 4 + 2 * R)
    return _tiled("compass_dodecagonal", rows, cols, step, tiles, faces=6)


def cairo(rows: int, cols: int) -> Board:
    """Return pentagons in pairs, alternately across and upright: the Cairo tiling.

    There is one pentagon for each side between two of ``rows`` x ``cols`` squares. Raises
    ``ValueError`` for less than two rows or columns.

    >>> cairo(3, 4)
    <Board: 40 vertices, 56 edges, 17 faces>
    """
    rows, cols = checked_cells(rows, cols, 2)
    if min(rows, cols) < 2:
        raise ValueError(f"expected two rows and columns, or more, got {rows} x {cols}")
    # Pentagons from the ends of their longest diagonals, clockwise, with the tip above or below.
    above = (0, 0), (R, -1), (2 * R, 0), (2 * R - 1, R), (1, R)
    below = (1, -R), (2 * R - 1, -R), (2 * R, 0), (R, 1), (0, 0)
    left, right = (tuple((y, x) for x, y in corners[::-1]) for corners in (above, below))
    tiles = [
        (_Tile(lying, 0, 0, "N"), _Tile(standing, 0, 0, "W"))
        for lying, standing in ((above, right), (below, left))
    ]
    step, edge = (2 * R, 2 * R), 2 * (_CAIRO_ROOT - 1)
    return _tiled("cairo", rows, cols, step, *tiles, faces=2, root=_CAIRO_ROOT, edge=edge)


def kites(rows: int, cols: int) -> Board:
    """Return kites, six around each dot in ``rows`` and ``cols``.

    >>> kites(2, 3)
    <Board: 55 vertices, 90 edges, 36 faces>
    """
    # The long edges around a dot, clockwise from the right, and the tips of the kites between them.
    long = ((2 * R, 0), (R, 3), (-R, 3), (-2 * R, 0), (-R, -3), (R, -3))
    tips = ((2 * R, 2), (0, 4), (-2 * R, 2), (-2 * R, -2), (0, -4), (2 * R, -2))
    around = [_Tile(((0, 0), long[k], tips[k], long[(k + 1) % 6]), 0, 0, "") for k in range(6)]
    return _tiled("kites", rows, cols, (4 * R, 6), around, faces=6, shift=(2 * R, 0))


def floret(rows: int, cols: int) -> Board:
    """Return flowers of six pentagons in columns, every second column half a flower lower.

    The last row has flowers only in odd columns, unless there is one row or one column.

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

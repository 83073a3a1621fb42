"""Tilings by regular polygons with edges of one length.

Most of them run in twelve directions, 30 degrees apart. A tile is drawn as a turtle would do it:
from a corner, in a direction, so many sides, clockwise. Directions are numbered clockwise from 0,
to the right.

Which tiles belong to a board, and their order: ``grid.c`` of Simon Tatham's Portable Puzzle
Collection, https://www.chiark.greenend.org.uk/~sgtatham/puzzles/
"""

from __future__ import annotations

from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice
from linkoracle.boards.patch import Corner, Patch, R, cells, checked_cells
from linkoracle.core.limits import checked_int


def _compass(*quarter: Corner) -> tuple[Corner, ...]:
    """An edge in each direction, clockwise as drawn: those from the right to above the bottom,
    and these turned by 90, 180 and 270 degrees.
    """
    return (
        *quarter,
        *((-y, x) for x, y in quarter),
        *((-x, -y) for x, y in quarter),
        *((y, -x) for x, y in quarter),
    )


class _Turtle(Patch):
    """A patch of regular polygons."""

    def __init__(self, words: str, compass: tuple[Corner, ...], root: float, edge: float) -> None:
        super().__init__(words, root, edge)
        self._compass = compass
        self._known: dict[tuple[int, int], list[Corner]] = {}

    def tile(self, sides: int, x: int, y: int, heading: int = 0) -> None:
        """Add a regular polygon by its first corner and the direction of its first side."""
        corners = self._known.get((sides, heading))
        if corners is None:
            corners = self._known[sides, heading] = self._walk(sides, heading)
        self.polygon(x, y, corners)

    def _walk(self, sides: int, heading: int) -> list[Corner]:
        all_directions = len(self._compass)
        x = y = 0
        corners = []
        for side in range(sides):
            corners.append((x, y))
            dx, dy = self._compass[(heading + side * all_directions // sides) % all_directions]
            x, y = x + dx, y + dy
        return corners


#: Eight directions, an edge long the square root of 2, which is `R`.
_EIGHT = _compass((R, 0), (1, 1))
#: Twelve directions, an edge 2 long; `R` is the square root of 3.
_TWELVE = _compass((2, 0), (R, 1), (1, R))


def _twelve(words: str) -> _Turtle:
    return _Turtle(words, _TWELVE, root=3**0.5, edge=2.0)


def square(rows: int, cols: int) -> Lattice:
    """Return the square board.

    >>> square(2, 3)
    Lattice(rows=3, cols=4)
    """
    return Lattice(checked_int(rows, "rows", 1) + 1, checked_int(cols, "cols", 1) + 1)


def triangular(rows: int, cols: int, *, ears: bool = False) -> Board:
    """Return rows of ``2 * cols + 1`` triangles; the last of an odd number of rows has two less.

    With ``ears``, the board of older game IDs: ``2 * cols`` triangles in each row. Two of the
    triangles in the corners share one side only with the rest.

    >>> triangular(3, 2)
    <Board: 12 vertices, 24 edges, 13 faces>
    >>> triangular(3, 2, ears=True)
    <Board: 12 vertices, 23 edges, 12 faces>
    """
    rows, cols = checked_cells(rows, cols, 2)
    patch = _twelve(f"triangular {rows} {cols}" + (" ears" if ears else ""))
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
    return patch.finished()


def honeycomb(rows: int, cols: int) -> Board:
    """Return hexagons in columns, every second column half a cell lower.

    >>> honeycomb(2, 3)
    <Board: 22 vertices, 27 edges, 6 faces>
    """
    rows, cols = checked_cells(rows, cols)
    patch = _twelve(f"honeycomb {rows} {cols}")
    for col, row in cells(rows, cols):
        patch.tile(6, 3 * col - 1, (2 * row + col % 2 - 1) * R)
    return patch.finished()


def snub_square(rows: int, cols: int) -> Board:
    """Return squares in rows and columns, turned by 30 or 60 degrees, with triangles between them.

    >>> snub_square(2, 3)
    <Board: 17 vertices, 29 edges, 13 faces>
    """
    rows, cols = checked_cells(rows, cols, 3)
    patch = _twelve(f"snub_square {rows} {cols}")
    for col, row in cells(rows, cols):
        x, y = (1 + R) * col, (1 + R) * row
        odd = (row + col) % 2
        patch.tile(4, x + (1 if odd else R), y, 1 if odd else 2)
        if col > 0 and odd:
            patch.tile(3, x - 1, y)
        elif col > 0:
            patch.tile(3, x, y + 1, 2)
        if row > 0 and odd:
            patch.tile(3, x + 1, y, 11)
        elif row > 0:
            patch.tile(3, x, y - 1, 1)
    return patch.finished()


def great_hexagonal(rows: int, cols: int) -> Board:
    """Return hexagons in columns, with squares between two and triangles between three of them.

    >>> great_hexagonal(2, 3)
    <Board: 36 vertices, 54 edges, 19 faces>
    """
    rows, cols = checked_cells(rows, cols, 6)
    patch = _twelve(f"great_hexagonal {rows} {cols}")
    for col, row in cells(rows, cols):
        x, y = (3 + R) * col, (2 * row + col % 2) * (1 + R)
        above_last = row < rows - 1
        lower_row = col % 2 == 0 or above_last
        patch.tile(6, x - 1, y - R)
        if above_last:
            patch.tile(4, x - 1, y + R)
        if col < cols - 1 and lower_row:
            patch.tile(4, x + 2, y, 1)
        if col > 0 and lower_row:
            patch.tile(4, x - 2, y, 2)
        if col < cols - 1 and above_last:
            patch.tile(3, x + 1, y + R, 1)
        if col > 0 and above_last:
            patch.tile(3, x - 1, y + R, 3)
    return patch.finished()


def kagome(rows: int, cols: int) -> Board:
    """Return hexagons in rows that touch at corners, with triangles between them.

    >>> kagome(2, 3)
    <Board: 27 vertices, 42 edges, 16 faces>
    """
    rows, cols = checked_cells(rows, cols, 3)
    patch = _twelve(f"kagome {rows} {cols}")
    for col, row in cells(rows, cols):
        odd = row % 2
        x, y = 4 * col + 2 * odd, 2 * R * row
        inner = col < cols - 1
        patch.tile(6, x - 1, y - R)
        # A triangle has two of the three hexagons beside it, at least.
        if inner or (row > 0 and not odd):
            patch.tile(3, x + 1, y - R)
        if inner or (row < rows - 1 and not odd):
            patch.tile(3, x + 2, y, 2)
        if col == 0 and odd:
            patch.tile(3, x - 3, y - R)
        if col == 0 and odd and row < rows - 1:
            patch.tile(3, x - 2, y, 2)
    return patch.finished()


def octagonal(rows: int, cols: int) -> Board:
    """Return octagons in rows and columns, with squares between four of them.

    >>> octagonal(2, 3)
    <Board: 34 vertices, 41 edges, 8 faces>
    """
    rows, cols = checked_cells(rows, cols, 2)
    patch = _Turtle(f"octagonal {rows} {cols}", _EIGHT, root=2**0.5, edge=2**0.5)
    for col, row in cells(rows, cols):
        x, y = (2 + R) * col, (2 + R) * row
        patch.tile(8, x + 1, y)
        if col > 0 and row > 0:
            patch.tile(4, x, y - 1, 1)
    return patch.finished()


def dodecagonal(rows: int, cols: int) -> Board:
    """Return dodecagons in rows, with triangles between three of them.

    >>> dodecagonal(2, 3)
    <Board: 54 vertices, 63 edges, 10 faces>
    """
    rows, cols = checked_cells(rows, cols, 3)
    patch = _twelve(f"dodecagonal {rows} {cols}")
    for col, row in cells(rows, cols):
        x, y = (4 + 2 * R) * col + (2 + R) * (row % 2), (3 + 2 * R) * row
        patch.tile(12, x - 1, y - 2 - R)
        if _has_two(col, row, cols):
            if row < rows - 1:
                patch.tile(3, x - 1, y + 2 + R)
            if row > 0:
                patch.tile(3, x, y - 2 - 2 * R, 2)
    return patch.finished()


def _has_two(col: int, row: int, cols: int) -> bool:
    """Whether two cells of the row above, and of the row below, touch this one."""
    return col < cols - 1 if row % 2 else col > 0


def great_dodecagonal(rows: int, cols: int) -> Board:
    """Return dodecagons in rows, with squares between two and hexagons between three of them.

    >>> great_dodecagonal(2, 3)
    <Board: 72 vertices, 90 edges, 19 faces>
    """
    rows, cols = checked_cells(rows, cols, 6)
    patch = _twelve(f"great_dodecagonal {rows} {cols}")
    for col, row in cells(rows, cols):
        odd = row % 2
        x, y = (6 + 2 * R) * col + (3 + R) * odd, (3 + 3 * R) * row
        patch.tile(12, x - 1, y - 2 - R)
        if row < rows - 1 and _has_two(col, row, cols):
            patch.tile(6, x - 1, y + 2 + R)
        if row > 0 and _has_two(col, row, cols):
            patch.tile(6, x - 1, y - 2 - 3 * R)
        if col < cols - 1:
            patch.tile(4, x + 2 + R, y - 1)
        if row > 0 and (col < cols - 1 or not odd):
            patch.tile(4, x + 1, y - 2 - R, 10)
        if row > 0 and (col > 0 or odd):
            patch.tile(4, x - 1 - R, y - 1 - R, 8)
    return patch.finished()


def great_great_dodecagonal(rows: int, cols: int) -> Board:
    """Return dodecagons in rows, with hexagons, squares and triangles between them.

    >>> great_great_dodecagonal(2, 3)
    <Board: 90 vertices, 120 edges, 31 faces>
    """
    rows, cols = checked_cells(rows, cols, 12)
    patch = _twelve(f"great_great_dodecagonal {rows} {cols}")
    for col, row in cells(rows, cols):
        odd = row % 2
        x, y = (4 + 4 * R) * col + (2 + 2 * R) * odd, (6 + 2 * R) * row
        above, below, right = row > 0, row < rows - 1, col < cols - 1
        slanted = right or not odd
        patch.tile(12, x - 1, y - 2 - R)
        if above and slanted:
            patch.tile(6, x + 1 + 2 * R, y - 4 - R, 3)
        if right:
            patch.tile(6, x + 2 + 3 * R, y - 1, 3)
        if below and slanted:
            patch.tile(6, x + 1 + 2 * R, y + 2 + R, 3)
        if above and right:
            patch.tile(4, x + 1 + 2 * R, y - 2 - R, 2)
        if below and right:
            patch.tile(4, x + 2 + 2 * R, y + 2, 4)
        if below and _has_two(col, row, cols):
            patch.tile(4, x + 1, y + 2 + R, 3)
        if below and col > 0:
            patch.tile(4, x - 2 - R, y + 1, 2)
        if above and col > 0:
            patch.tile(4, x - 1 - R, y - 1 - R, 4)
        if above and _has_two(col, row, cols):
            patch.tile(4, x + 1, y - 4 - R, 3)
        if above and right:
            patch.tile(3, x + 3 + 2 * R, y - 2 - R, 4)
        if below and right:
            patch.tile(3, x + 3 + 2 * R, y + 2 + R, 6)
    return patch.finished()


def compass_dodecagonal(rows: int, cols: int) -> Board:
    """Return dodecagons in rows and columns; between four of them, a square and four triangles.

    >>> compass_dodecagonal(2, 3)
    <Board: 58 vertices, 73 edges, 16 faces>
    """
    rows, cols = checked_cells(rows, cols, 6)
    patch = _twelve(f"compass_dodecagonal {rows} {cols}")
    for col, row in cells(rows, cols):
        x, y = (4 + 2 * R) * col, (4 + 2 * R) * row
        patch.tile(12, x - 1, y - 2 - R)
        if col < cols - 1 and row < rows - 1:
            patch.tile(3, x + 2 + R, y + 1, 2)
            patch.tile(3, x + 3 + 2 * R, y + 2 + R, 5)
            patch.tile(3, x + 3 + R, y + 3 + R, 4)
            patch.tile(3, x + 1 + R, y + 1 + R, 3)
            patch.tile(4, x + 3 + R, y + 1 + R, 3)
    return patch.finished()

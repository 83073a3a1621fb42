"""`Patch`: polygons of a tiling, put together to a board by exact coordinates.

Corners of tilings have coordinates ``p + q * root`` with whole numbers ``p`` and ``q`` and one
irrational ``root`` for the whole tiling. A patch keeps such a number as the integer
``p + q * R``. Sums of them are sums of integers, and two polygons share a corner iff their
integers are equal: no rounding decides which corners are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from linkoracle.board.board import Board
from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import checked_int

#: The irrational unit of a tiling as an integer; whole parts stay far below half of it.
R = 1 << 40

#: Exact coordinates.
Corner = tuple[int, int]

#: Boards of tilings are made of Python objects: more cells than this would fill the memory.
MAX_CELLS = 10**6


class Patch:
    """A board that is being made, face by face; ``words`` name it (see `linkoracle.boards`).

    ``root`` is the irrational unit, and ``edge`` the length of an edge, which becomes 1.
    """

    def __init__(self, words: str, root: float, edge: float = 1.0) -> None:
        self._words = words
        self._root = root
        self._edge = edge
        self._vertex_of: dict[Corner, int] = {}
        self._faces: list[list[int]] = []

    def polygon(self, x: int, y: int, offsets: Iterable[Corner]) -> None:
        """Add the face whose corners are ``(x, y)`` plus each of the offsets."""
        vertex_of = self._vertex_of
        self._faces.append(
            [vertex_of.setdefault((x + dx, y + dy), len(vertex_of)) for dx, dy in offsets]
        )

    def board(self) -> Board:
        """Return the board: the top left corner of its bounding box is (0, 0)."""
        places = [(self._length(x), self._length(y)) for x, y in self._vertex_of]
        left, top = (min(axis) for axis in zip(*places, strict=True))
        return Board(
            len(places),
            sides(self._faces),
            self._faces,
            points=[(x - left, y - top) for x, y in places],
            words=self._words,
        )

    def _length(self, coordinate: int) -> float:
        whole = (coordinate + R // 2) % R - R // 2
        return (whole + (coordinate - whole) // R * self._root) / self._edge


def sides(faces: Iterable[list[int]]) -> set[tuple[int, int]]:
    """Return the sides of all faces, each once, the smaller vertex first."""
    return {
        (one, other) if one < other else (other, one)
        for walk in faces
        for one, other in zip(walk, [*walk[1:], walk[0]], strict=True)
    }


def checked_cells(rows: object, cols: object) -> tuple[int, int]:
    """Return the two sides of a board if they can be; ``ValueError`` or `MemoryLimit` if not."""
    height, width = checked_int(rows, "rows", 1), checked_int(cols, "cols", 1)
    if height * width > MAX_CELLS:
        raise MemoryLimit(f"expected at most {MAX_CELLS} cells, got {height} x {width}")
    return height, width


def cells(rows: int, cols: int) -> Iterator[tuple[int, int]]:
    """Yield each cell as ``(column, row)``, row by row."""
    for row in range(rows):
        for col in range(cols):
            yield col, row

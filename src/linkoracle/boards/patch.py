"""`Faces` and `Patch`: faces of a tiling, joined to a board by exact corners."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from linkoracle.board.board import Board, Point
from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import checked_int

#: The irrational unit of a tiling as an integer; whole parts stay far below half of it.
R = 1 << 40

#: Coordinates ``p + q * root`` as integers ``p + q * R``.
Corner = tuple[int, int]

#: Boards of tilings are made of Python objects, about two kilobytes for each face.
MAX_FACES = 10**6

Key = TypeVar("Key", bound=Hashable)


class Faces(Generic[Key]):
    """Faces, one by one. Two faces share a corner if and only if they have the same key for it."""

    def __init__(self) -> None:
        self._vertex_of: dict[Key, int] = {}
        self._faces: list[list[int]] = []

    def face(self, corners: Iterable[Key]) -> None:
        """Add the face with these corners."""
        vertex_of = self._vertex_of
        self._faces.append([vertex_of.setdefault(corner, len(vertex_of)) for corner in corners])

    def trim(self) -> None:
        """Keep only faces at inner vertices: vertices that faces surround.

        If edges do not connect all inner vertices, the largest connected part counts, and the
        first of equal parts. Loopy cuts the border of tilings that do not repeat in this way.
        """
        walks = [list(zip(walk, [*walk[1:], walk[0]], strict=True)) for walk in self._faces]
        steps = {step for walk in walks for step in walk}
        shore = {end for one, other in steps if (other, one) not in steps for end in (one, other)}
        near: dict[int, list[int]] = {}
        for one, other in steps:
            if one not in shore and other not in shore:
                near.setdefault(one, []).append(other)
        part_of: dict[int, int] = {}
        sizes: dict[int, int] = {}
        for vertex in range(len(self._vertex_of)):
            if vertex in shore or vertex in part_of:
                continue
            part_of[vertex] = vertex
            waiting = [vertex]
            while waiting:
                sizes[vertex] = sizes.get(vertex, 0) + 1
                fresh = [there for there in near.get(waiting.pop(), ()) if there not in part_of]
                part_of |= dict.fromkeys(fresh, vertex)
                waiting += set(fresh)
        largest = max(sizes, key=sizes.__getitem__, default=None)
        inner = {vertex for vertex, part in part_of.items() if part == largest}
        kept = [walk for walk in self._faces if not inner.isdisjoint(walk)]
        keys = list(self._vertex_of)
        self._vertex_of.clear()
        self._faces.clear()
        for walk in kept:
            self.face(keys[vertex] for vertex in walk)

    def board(self, words: str, place: Callable[[Key], Point]) -> Board:
        """Return the board with the name ``words``; ``place`` maps a corner to coordinates.

        The top left corner of its bounding box is (0, 0). Raises ``ValueError`` if no face is left.
        """
        if not self._faces:
            raise ValueError(f"the board {words!r} is too small: no face of it is left")
        places = [place(key) for key in self._vertex_of]
        left, top = (min(axis) for axis in zip(*places, strict=True))
        points = [(x - left, y - top) for x, y in places]
        return Board(
            len(points), sorted(sides(self._faces)), self._faces, points=points, words=words
        )


class Patch(Faces[Corner]):
    """Faces of a tiling that repeats; ``words`` name the board (see `linkoracle.boards`).

    Corners have coordinates ``p + q * root`` with whole numbers ``p`` and ``q`` and one irrational
    ``root`` for the whole tiling. A patch stores such a number as the integer ``p + q * R``. So
    sums are exact, and corners are equal without rounding. ``edge`` is the length of an edge,
    which becomes 1.
    """

    def __init__(self, words: str, root: float, edge: float) -> None:
        super().__init__()
        self._words = words
        self._root = root
        self._edge = edge

    def polygon(self, x: int, y: int, offsets: Iterable[Corner]) -> None:
        """Add the face whose corners are ``(x, y)`` plus each of the offsets."""
        self.face((x + dx, y + dy) for dx, dy in offsets)

    def finished(self) -> Board:
        """Return the board."""
        return self.board(self._words, lambda at: (self._length(at[0]), self._length(at[1])))

    def _length(self, coordinate: int) -> float:
        whole = (coordinate + R // 2) % R - R // 2
        return (whole + (coordinate - whole) // R * self._root) / self._edge


def sides(faces: Iterable[list[int]]) -> set[tuple[int, int]]:
    """Return the sides of all faces, each once, with the smaller vertex first."""
    return {
        (one, other) if one < other else (other, one)
        for walk in faces
        for one, other in zip(walk, [*walk[1:], walk[0]], strict=True)
    }


def checked_cells(rows: object, cols: object, tiles: int = 1) -> tuple[int, int]:
    """Return the two sides of a board, checked; ``tiles`` is the number of faces per cell.

    Raises ``ValueError`` for sides that are not whole numbers from 1, and `MemoryLimit` for more
    faces than `MAX_FACES`.
    """
    height, width = checked_int(rows, "rows", 1), checked_int(cols, "cols", 1)
    if height * width * tiles > MAX_FACES:
        raise MemoryLimit(
            f"expected a board of at most {MAX_FACES} faces, got one of {height} x {width} cells"
            + (f", {tiles} faces each" if tiles > 1 else "")
        )
    return height, width


def cells(rows: int, cols: int) -> Iterator[tuple[int, int]]:
    """Yield each cell as ``(column, row)``, row by row."""
    for row in range(rows):
        for col in range(cols):
            yield col, row

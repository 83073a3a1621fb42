"""`Places`: the positions of cells and vertices in a picture, on square and all other boards.

On square boards, a cell is 1 wide. On other boards, the mean edge is 1 long, and a clue stands in
the middle of the largest circle in its face.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from math import dist, hypot, inf, sqrt
from typing import Any

from linkoracle.board import Board, middle
from linkoracle.core import NotSupported, counted
from linkoracle.kinds import Puzzle
from linkoracle.render.shapes import Point

#: The margin around a board, in cells.
MARGIN = 0.5
#: The heights of labels beside a board, and of those in a face.
_BESIDE, _IN_FACE = 0.2, 0.22
#: The points of a grid across a face, candidates for the middle of a large circle; and how often
#: the grid is refined by three.
_ACROSS, _ROUNDS = 9, 4
#: The circle around the centre of gravity suffices if it reaches this fraction of the bound.
_ENOUGH = 0.85
#: The most by which cells may be smaller than squares with the same room for clues.
_READABLE = 1.25


class Squares:
    """The positions of cells and vertices of a board of rows and columns; a cell is 1 x 1."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.width, self.height = puzzle.cols, puzzle.rows
        self.least_room = self.unit = 1.0
        self._position = puzzle.board.position
        self._offset = 0.5 if puzzle.through_cells else 0.0

    def point(self, vertex: int) -> Point:
        row, col = self._position(vertex)
        return col + self._offset, row + self._offset

    def way(self, walk: Sequence[int]) -> tuple[Point, ...]:
        return tuple(map(self.point, walk))

    def middle(self, cell: Any) -> Point:
        row, col = cell
        return col + 0.5, row + 0.5

    def room(self, cell: Any) -> float:  # noqa: ARG002 - as on other boards
        return 1.0

    def labels(self, away: float) -> Iterator[tuple[Point, str, float]]:
        """Yield where names of rows and columns stand, so far from the board, and their size."""
        rows = [((-away, row + 0.5), f"r{row + 1}") for row in range(self.height)]
        cols = [((col + 0.5, -away), f"c{col + 1}") for col in range(self.width)]
        return ((at, text, _BESIDE) for at, text in [*rows, *cols])

    def corners(self, cell: Any) -> tuple[Point, ...]:
        row, col = cell
        return (col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)


class PlanePlaces:
    """The positions of faces and vertices of a board; the left and upper borders are at 0.

    Raises `NotSupported` for a board without coordinates.
    """

    def __init__(self, tiling: Board, *, through_cells: bool = False) -> None:
        if tiling.points is None:
            size = counted(tiling.num_faces, "face")
            raise NotSupported(f"a board without coordinates cannot be drawn ({size})")
        self.tiling, self._through_cells = tiling, through_cells
        points = tiling.points
        lengths = [dist(*(points[v] for v in tiling.ends(e))) for e in range(tiling.num_edges)]
        scale = len(lengths) / sum(lengths) if sum(lengths) else 1.0
        left, top = (min(axis) for axis in zip(*points, strict=True))
        self.vertices: list[Point] = [((x - left) * scale, (y - top) * scale) for x, y in points]
        self.width, self.height = (max(axis) for axis in zip(*self.vertices, strict=True))

    def point(self, vertex: int) -> Point:
        """Return the point at which lines through a vertex meet."""
        return self._middles[vertex][0] if self._through_cells else self.vertices[vertex]

    def way(self, walk: Sequence[int]) -> tuple[Point, ...]:
        """Return the points of lines along these vertices."""
        if not self._through_cells:
            return tuple(map(self.point, walk))
        # Lines cross the side between two cells in its middle.
        points: list[Point] = []
        for place, face in enumerate(walk):
            if place:
                points.append(self.side(walk[place - 1], face))
            points.append(self.point(face))
        return tuple(points)

    def side(self, one: int, other: int) -> Point:
        """Return the middle of the first side that two faces share."""
        edge = min(set(self.tiling.edges_of(one)).intersection(self.tiling.edges_of(other)))
        (x, y), (x2, y2) = map(self.vertices.__getitem__, self.tiling.ends(edge))
        return (x + x2) / 2, (y + y2) / 2

    def middle(self, cell: Any) -> Point:
        """Return the point of the clue of a cell."""
        return self._middles[int(cell)][0]

    def room(self, cell: Any) -> float:
        """Return the room for a clue; 1, the most, is that of a square cell."""
        return min(1.0, 2 * self._middles[int(cell)][1])

    @cached_property
    def least_room(self) -> float:
        """The room for a clue in the smallest cell, at most 1."""
        return min(map(self.room, range(self.tiling.num_faces)))

    @cached_property
    def unit(self) -> float:
        """The side of a square that is as easy to work in as these cells."""
        faces = range(self.tiling.num_faces)
        mean = sum(_area(self.corners(face)) for face in faces) / len(faces)
        # Clues in the smallest cells must be readable, too.
        return min(sqrt(mean), _READABLE * self.least_room)

    def corners(self, cell: Any) -> tuple[Point, ...]:
        """Return the corners of a cell, in order."""
        return tuple(self.vertices[vertex] for vertex in self.tiling.walk(cell))

    def labels(self, away: float) -> Iterator[tuple[Point, str, float]]:  # noqa: ARG002 - in them
        """Yield where the numbers of faces stand in them, and their size."""
        for face in range(self.tiling.num_faces):
            (x, y), top = self.middle(face), min(self.corners(face), key=lambda at: at[::-1])
            # Between the middle, where a clue may stand, and the topmost corner.
            yield ((2 * x + top[0]) / 3, (y + top[1]) / 2), str(face), _IN_FACE

    @cached_property
    def _middles(self) -> list[tuple[Point, float]]:
        """The middle and the radius of a large circle in each face."""
        every = map(self.corners, range(self.tiling.num_faces))
        return [_circle(corners, middle(corners)) for corners in every]


#: The positions of cells and vertices on any board.
Places = Squares | PlanePlaces


def places_of(puzzle: Puzzle) -> Places:
    """Return the positions of cells and vertices of a puzzle.

    Raises `NotSupported` for a board without coordinates.
    """
    # Squares are drawn from row and column: other boards need coordinates, and more work.
    if puzzle.tiling is None:
        return Squares(puzzle)
    return _on_plane(puzzle.tiling, through_cells=puzzle.through_cells)


_on_plane = lru_cache(maxsize=8)(PlanePlaces)


def _circle(corners: tuple[Point, ...], start: Point) -> tuple[Point, float]:
    """Return the middle and radius of a largest circle in a polygon, found on a grid.

    The middle is the centre of gravity unless another point has clearly more room.
    """
    best, radius = start, _depth(corners, start)
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*corners, strict=True))
    # The radius of a circle in a convex polygon is at most twice its area divided by its perimeter.
    if radius >= _ENOUGH * 2 * _area(corners) / sum(dist(*side) for side in _sides(corners)):
        return best, radius
    centre, size = ((left + right) / 2, (top + bottom) / 2), max(right - left, bottom - top) / 2
    for _ in range(_ROUNDS):
        x0, y0 = centre
        steps = [size * (2 * k / (_ACROSS - 1) - 1) for k in range(_ACROSS)]
        near = ((x0 + dx, y0 + dy) for dx in steps for dy in steps)
        depth, centre = max((_depth(corners, point), point) for point in near)
        if depth > 1.05 * radius:
            best, radius = centre, depth
        size /= 3
    return best, radius


def _sides(corners: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
    return zip(corners, [*corners[1:], corners[0]], strict=True)


def _area(corners: tuple[Point, ...]) -> float:
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in _sides(corners))) / 2


def _depth(corners: tuple[Point, ...], point: Point) -> float:
    """Return the distance of a point from the sides of a polygon; negative outside the polygon."""
    x, y = point
    inside, nearest = False, inf
    for (ax, ay), (bx, by) in _sides(corners):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
        dx, dy = bx - ax, by - ay
        square = dx * dx + dy * dy
        along = 0.0 if not square else min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / square))
        nearest = min(nearest, hypot(x - ax - along * dx, y - ay - along * dy))
    return nearest if inside else -nearest

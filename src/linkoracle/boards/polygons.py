"""`from_polygons`: boards of your own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from linkoracle.board.board import Board, Point
from linkoracle.boards.patch import sides


def from_polygons(polygons: Iterable[Iterable[Sequence[float]]]) -> Board:
    """Return the board whose faces are these polygons, each a list of its corners ``(x, y)``.

    Polygons that share a corner must give the same coordinates. x grows to the right, y down.
    Faces keep the order of the polygons; a hole is a polygon left out.

    >>> from_polygons([[(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 0), (2, 0.5), (1, 1)]])
    <Board: 5 vertices, 6 edges, 2 faces>
    """
    vertex_of: dict[Point, int] = {}
    faces = [
        [vertex_of.setdefault((float(x), float(y)), len(vertex_of)) for x, y in polygon]
        for polygon in polygons
    ]
    return Board(len(vertex_of), sides(faces), faces, points=list(vertex_of))

"""`from_polygons`: boards of any polygons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor, hypot

from linkoracle.board import Board, Point, area, inner_faces
from linkoracle.boards.patch import sides

#: Corners are the same up to the first, and distinct beyond the second of these fractions of the
#: size of the board; between the two lies an error. Powers of 2, so that no product is rounded.
_SAME, _NEAR = 2.0**-40, 2.0**-24
#: Coordinates, and the inverse of the size of a board, are less than this: squares do not overflow.
_FAR = 1e100
#: A smaller sine of an angle counts as 0.
_PRECISION = 1e-9

_Segment = tuple[int, int]


def from_polygons(polygons: Iterable[Iterable[Sequence[float]]]) -> Board:
    """Return the board whose faces are these polygons, each a list of its corners ``(x, y)``.

    x grows to the right and y down. Polygons that share a corner must have the same coordinates
    there, up to errors of rounding (``docs/reference/file-formats.md`` has the definition). Faces
    keep the order of the polygons, and vertices that of their first occurrence. A hole is a missing
    polygon.

    Raises ``ValueError`` if two corners are nearly the same, if a polygon has less than three
    corners or a repeated corner, if polygons overlap, or if they are not connected. O(n log n) for
    boards as wide as high, O(n**2) at worst.

    >>> from_polygons([[(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 0), (2, 0.5), (1, 1)]])
    <Board: 5 vertices, 6 edges, 2 faces>
    >>> from_polygons([[(0, 0), (0.3, 0), (0, 0.1)], [(0, 0), (0, 0.1), (-0.1 - 0.2, 0)]])
    <Board: 4 vertices, 5 edges, 2 faces>
    """
    corners = [[_point(corner) for corner in polygon] for polygon in polygons]
    if not any(corners):
        raise ValueError("expected polygons, got none")
    vertices = _Vertices([corner for polygon in corners for corner in polygon])
    faces = [[vertices.at(corner) for corner in polygon] for polygon in corners]
    for number, face in enumerate(faces):
        if len(face) < 3 or len(set(face)) < len(face):
            found = f"{len(face)} of which {len(set(face))} differ"
            raise ValueError(
                f"expected three or more different corners in polygon {number}, got {found}"
            )
    edges = sorted(sides(faces))
    _refuse_crossings(edges, vertices.points)
    _refuse_overlaps(faces, edges, vertices.points)
    return Board(len(vertices.points), edges, faces, points=vertices.points)


def _point(corner: Sequence[float]) -> Point:
    try:
        x, y = map(float, corner)
    except (TypeError, ValueError):
        raise ValueError(f"expected a corner as two numbers, got {corner!r}") from None
    if not (abs(x) < _FAR and abs(y) < _FAR):
        raise ValueError(f"expected coordinates below {_FAR:g}, got {corner!r}")
    return x, y


class _Vertices:
    """The distinct corners by position, such that rounding does not separate equal corners.

    Each vertex stands where its first corner is. First corners lie in squares, so that each corner
    is compared with few others.
    """

    def __init__(self, corners: list[Point]) -> None:
        self.points: list[Point] = []
        self._origin = tuple(min(axis) for axis in zip(*corners, strict=True))
        size = max(max(axis) - min(axis) for axis in zip(*corners, strict=True))
        if not size * _FAR > 1:
            raise ValueError(f"expected a board wider or higher than {1 / _FAR:g}, got {size!r}")
        self._same, self._near = size * _SAME, size * _NEAR
        self._vertices_in: dict[tuple[int, int], list[int]] = {}

    def at(self, corner: Point) -> int:
        """Return the vertex at a position; add one if there is none.

        Raises ``ValueError`` for a corner that is nearly at a vertex.
        """
        x, y = (
            floor((value - least) / (2 * self._near))
            for value, least in zip(corner, self._origin, strict=True)
        )
        around = ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        beside = (vertex for square in around for vertex in self._vertices_in.get(square, ()))
        distance, vertex = min(
            ((self._distance(one, corner), one) for one in beside), default=(2 * self._near, -1)
        )
        if distance <= self._same:
            return vertex
        if distance <= self._near:
            raise ValueError(
                f"the corners {self.points[vertex]} and {corner} are nearly the same: write equal "
                "numbers in both, or move them apart"
            )
        self._vertices_in.setdefault((x, y), []).append(len(self.points))
        self.points.append(corner)
        return len(self.points) - 1

    def _distance(self, vertex: int, corner: Point) -> float:
        (x, y), (other_x, other_y) = self.points[vertex], corner
        return max(abs(x - other_x), abs(y - other_y))


def _refuse_crossings(edges: list[_Segment], points: list[Point]) -> None:
    """Raise ``ValueError`` if two sides meet except at a corner of both.

    A line sweeps from left to right; sides that the line crosses are compared.
    """
    boxes = []
    for edge in edges:
        (x, y), (far_x, far_y) = (points[end] for end in edge)
        boxes.append((min(x, far_x), max(x, far_x), min(y, far_y), max(y, far_y), edge))
    boxes.sort()
    beside: list[tuple[float, float, float, float, _Segment]] = []
    for box in boxes:
        left, _, top, bottom, edge = box
        beside = [other for other in beside if other[1] >= left]
        for _, _, upper, lower, other in beside:
            if lower >= top and upper <= bottom and _meet(edge, other, points):
                first, second = (
                    " to ".join(f"({points[end][0]:g}, {points[end][1]:g})" for end in side)
                    for side in (other, edge)
                )
                raise ValueError(
                    f"the sides {first} and {second} meet elsewhere than at a corner of both"
                )
        beside.append(box)


def _meet(one: _Segment, other: _Segment, points: list[Point]) -> bool:
    """Return whether two segments share a point that is not an end of both."""
    shared = set(one) & set(other)
    if shared:
        # With a shared end, check whether both have the same direction.
        (middle,) = shared
        far = [points[sum(side) - middle] for side in (one, other)]
        (x, y), ((ax, ay), (bx, by)) = points[middle], far
        along = (ax - x) * (bx - x) + (ay - y) * (by - y)
        return along > 0 and _side(points[middle], *far) == 0
    a, b, c, d = (points[end] for end in (*one, *other))
    turns = _side(a, b, c), _side(a, b, d), _side(c, d, a), _side(c, d, b)
    # Their bounding boxes meet, which is enough if they are on one line.
    return turns[0] * turns[1] <= 0 and turns[2] * turns[3] <= 0


def _side(a: Point, b: Point, c: Point) -> int:
    """Return the side of the point c of the line from a to b: 1, -1, or 0 on the line."""
    cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    size = hypot(b[0] - a[0], b[1] - a[1]) * hypot(c[0] - a[0], c[1] - a[1])
    return 0 if abs(cross) <= _PRECISION * size else 1 if cross > 0 else -1


def _refuse_overlaps(faces: list[list[int]], edges: list[_Segment], points: list[Point]) -> None:
    """Raise ``ValueError`` unless the polygons are distinct faces of the drawing of all sides."""
    drawn = {_from_least(walk) for walk in inner_faces(edges, points)}
    if not drawn:
        raise ValueError("expected polygons that hang together by corners or sides")
    found: dict[tuple[int, ...], int] = {}
    for number, face in enumerate(faces):
        key = _from_least(face if area(face, points) > 0 else face[::-1])
        if key in found:
            raise ValueError(f"polygons {found[key]} and {number} are the same")
        if key not in drawn:
            raise ValueError(f"polygon {number} overlaps another one")
        found[key] = number


def _from_least(walk: Sequence[int]) -> tuple[int, ...]:
    """Return a closed walk that starts at its smallest vertex."""
    start = walk.index(min(walk))
    return (*walk[start:], *walk[:start])

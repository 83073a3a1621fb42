"""How disjoint paths lie among each other on squares: `rerouted`, and `Triangulation`.

Where cells may stay unused, there are two ways to reroute a path without changing the others:

* along a **chord**: two neighbouring vertices of one path without the edge between them. Replace
  the piece of path between them by that edge.
* through an **unused region**, a connected part of the unused vertices, that touches the path at
  two vertices. Replace the piece of path between these by a walk through the region.

A solution that admits either is not the only one. One that admits neither is the only one iff no
other solution is *taut*: see `docs/explanation/taut.md` for the theorem, its proof, and what the
SAT engine makes of it.

How paths are led around the terminals, up to wriggling, shows in the edges of a triangulation that
they cross, and in which order: see `docs/explanation/homotopy.md`. Besides the terminals there are
corners of triangles outside of the board, which no path can go around.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import atan2, gcd
from typing import NamedTuple

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import HOLE, LinkModel
from linkoracle.board.solution import Solution
from linkoracle.board.topology import neighbours
from linkoracle.core import Deadline

#: Vertices, each beside the next.
Walk = list[int]


def rerouted(lattice: Lattice, chosen: Iterable[int]) -> tuple[int, ...] | None:
    """Return another solution of a free model that differs from ``chosen`` in one path.

    Both are edge ids. Returns ``None`` if no path can be rerouted. O(vertices).

    >>> lattice = Lattice(2, 3)
    >>> around = [((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (1, 2)), ((1, 2), (0, 2))]
    >>> other = rerouted(lattice, [lattice.edge(u, v) for u, v in around])
    >>> steps = lattice.edge_vertices[list(other)].tolist()
    >>> [(lattice.position(u), lattice.position(v)) for u, v in steps]
    [((0, 0), (0, 1)), ((0, 1), (1, 1)), ((0, 2), (1, 2)), ((1, 1), (1, 2))]
    """
    edges, near = set(chosen), neighbours(lattice)
    walks = Solution(lattice, tuple(edges)).walks()
    change = _chord(near, walks) or _detour(near, walks)
    if change is None:
        return None
    old, new = (
        {lattice.edge(*map(lattice.position, step)) for step in pairwise(walk)} for walk in change
    )
    return tuple(sorted(edges - old | new))


def _chord(near: list[Walk], walks: list[Walk]) -> tuple[Walk, Walk] | None:
    """Return a piece of a path, and the edge that can replace it."""
    for walk in walks:
        place_of = {vertex: place for place, vertex in enumerate(walk)}
        for place, vertex in enumerate(walk):
            for beside in near[vertex]:
                other = place_of.get(beside, -1)
                if other > place + 1:
                    return walk[place : other + 1], [vertex, beside]
    return None


def _detour(near: list[Walk], walks: list[Walk]) -> tuple[Walk, Walk] | None:
    """Return a piece of a path, and a walk through unused vertices that can replace it."""
    region = _unused_regions(near, {vertex for walk in walks for vertex in walk})
    for walk in walks:
        first: dict[int, tuple[int, int]] = {}
        for place, vertex in enumerate(walk):
            for beside in near[vertex]:
                if beside in region:
                    start, entry = first.setdefault(region[beside], (place, beside))
                    if start != place:
                        through = _walk_between(near, entry, beside, region)
                        return walk[start : place + 1], [walk[start], *through, vertex]
    return None


def _unused_regions(near: list[Walk], used: set[int]) -> dict[int, int]:
    """Number the connected parts of the vertices that no path uses."""
    region: dict[int, int] = {}
    for vertex in range(len(near)):
        waiting = [vertex]
        while waiting:
            here = waiting.pop()
            if here not in used and here not in region:
                region[here] = vertex
                waiting += near[here]
    return region


def _walk_between(near: list[Walk], start: int, goal: int, region: dict[int, int]) -> Walk:
    """Return a shortest walk from ``start`` to ``goal`` inside their region."""
    came_from: dict[int, int | None] = {goal: None}
    waiting = [goal]
    for here in waiting:
        if here == start:
            break
        for beside in near[here]:
            if beside in region and beside not in came_from:
                came_from[beside] = here
                waiting.append(beside)
    walk = [start]
    while (onward := came_from[walk[-1]]) is not None:
        walk.append(onward)
    return walk


#: Row and column.
Point = tuple[int, int]


class Triangle(NamedTuple):
    """Three points and three edges, by number; ``edges[i]`` is opposite to ``points[i]``."""

    points: tuple[int, int, int]
    edges: tuple[int, int, int]


class Triangulation:
    """The triangles of a model of paths; ``ValueError`` for a model without terminals.

    ``points`` are the terminals, both of pair 0 first, and then points in the rows and columns just
    outside of the board: its corners, and for each terminal the one beside the nearest side.

    Edges are drawn from the shortest on where none is crossed. Each stands for the cells of a line
    from end to end that steps from cell to cell, diagonally too. What crosses the edge must use one
    of these. O(points**3): some hundred points take a second. Raises `SearchTimeout` at the
    deadline.

    >>> model = LinkModel.blank_paths(Lattice(1, 3), [(0, 2)])
    >>> board = Triangulation(model)
    >>> board.points
    [(0, 0), (0, 2), (-1, -1), (-1, 0), (-1, 2), (-1, 3), (1, -1), (1, 3)]
    >>> len(board.triangles), board.edges[0], board.cells[board.edges.index((0, 1))]
    (8, (0, 1), [1])
    """

    def __init__(self, model: LinkModel, deadline: Deadline | None = None) -> None:
        if not model.terminals:
            raise ValueError("expected a model of paths, got one without terminals")
        lattice = model.lattice
        terminals = [lattice.position(vertex) for pair in model.terminals for vertex in pair]
        around = walls(terminals, lattice.rows, lattice.cols)
        self.points = terminals + around
        #: Each with the smaller of its ends first.
        self.edges = sorted(_edges(self.points, len(around), deadline or Deadline(None)))
        self.triangles = _triangles(self.points, self.edges)
        #: For each edge the vertices of the lattice on its line, from the first end on. Holes are
        #: left out. Empty for the edges around the board.
        self.cells = [
            [
                vertex
                for row, col in digital_line(self.points[one], self.points[other])
                if 0 <= row < lattice.rows and 0 <= col < lattice.cols
                if model.degrees[vertex := lattice.vertex(row, col)] != HOLE
            ]
            for one, other in self.edges
        ]


def walls(terminals: list[Point], rows: int, cols: int) -> list[Point]:
    """Return the corners of triangles outside the board, in order.

    >>> walls([(1, 3)], 5, 9)
    [(-1, -1), (-1, 3), (-1, 9), (5, -1), (5, 9)]
    """
    points = {(-1, -1), (-1, cols), (rows, -1), (rows, cols)}
    for row, col in terminals:
        beside = (
            (row, (-1, col)),
            (rows - 1 - row, (rows, col)),
            (col, (row, -1)),
            (cols - 1 - col, (row, cols)),
        )
        points.add(min(beside)[1])
    return sorted(points)


def digital_line(start: Point, end: Point) -> list[Point]:
    """Return the lattice points nearest to a segment, one for each step along its longer axis.

    The ends are left out. No lattice point lies between the segment and the line.

    >>> digital_line((0, 0), (2, 5))
    [(0, 1), (1, 2), (1, 3), (2, 4)]
    """
    down, right = end[0] - start[0], end[1] - start[1]
    steps = max(abs(down), abs(right))
    return [
        (
            start[0] + (2 * step * down + steps) // (2 * steps),
            start[1] + (2 * step * right + steps) // (2 * steps),
        )
        for step in range(1, steps)
    ]


def turn(one: Point, two: Point, three: Point) -> int:
    """Return the turn at the second of three points: positive one way, negative the other, or 0."""
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])


def _edges(points: list[Point], around: int, deadline: Deadline) -> list[tuple[int, int]]:
    """Return the edges of a triangulation: the shortest first, none crossing another.

    ``around`` is the number of points around the others.
    """

    def length(edge: tuple[int, int]) -> tuple[int, int]:
        down, right = (abs(x - y) for x, y in zip(points[edge[0]], points[edge[1]], strict=True))
        return max(down, right), down + right

    known, size = set(points), len(points)
    edges: list[tuple[int, int]] = []
    for edge in sorted(((i, j) for i in range(size) for j in range(i + 1, size)), key=length):
        deadline.check()
        one, other = points[edge[0]], points[edge[1]]
        if not known.isdisjoint(_on_segment(one, other)):
            continue
        if not any(_cross(one, other, points[i], points[j]) for i, j in edges):
            edges.append(edge)
            # Euler's formula: there is no room for another one.
            if len(edges) == 3 * size - 3 - around:
                break
    return edges


def _on_segment(start: Point, end: Point) -> list[Point]:
    """Return the lattice points on a segment, without its ends."""
    down, right = end[0] - start[0], end[1] - start[1]
    parts = gcd(down, right)
    return [
        (start[0] + down // parts * part, start[1] + right // parts * part)
        for part in range(1, parts)
    ]


def _cross(one: Point, other: Point, start: Point, end: Point) -> bool:
    """Return whether two segments share a point that is an end of neither."""
    down, right = other[0] - one[0], other[1] - one[1]
    first = down * (start[1] - one[1]) - right * (start[0] - one[0])
    second = down * (end[1] - one[1]) - right * (end[0] - one[0])
    # Most lie on one side of the other.
    if first * second >= 0:
        return False
    return turn(start, end, one) * turn(start, end, other) < 0


def _triangles(points: list[Point], edges: list[tuple[int, int]]) -> list[Triangle]:
    number = {edge: index for index, edge in enumerate(edges)}
    near: list[list[int]] = [[] for _ in points]
    for one, other in edges:
        near[one].append(other)
        near[other].append(one)
    triangles = []
    for first, around in enumerate(near):
        row, col = points[first]
        around.sort(key=lambda other: atan2(points[other][0] - row, points[other][1] - col))
        for second, third in zip(around, around[1:] + around[:1], strict=True):
            # Each is found at all of its corners, and kept at the smallest. Outside of the board
            # there is none.
            corners = (first, *sorted((second, third)))
            opposite = number.get((corners[1], corners[2]))
            if first > corners[1] or opposite is None:
                continue
            if turn(points[first], points[second], points[third]) >= 0:
                continue
            sides = (opposite, number[first, corners[2]], number[first, corners[1]])
            triangles.append(Triangle((first, corners[1], corners[2]), sides))
    return triangles

"""Another solution of free Numberlink, made from one solution without any search.

Where cells may stay unused, a path can be rerouted in two ways that concern no other path:

* along a **chord**: two neighbouring vertices of one path without the edge between them. Replace
  the piece of path between them by that edge.
* through an **unused region**, a connected part of the unused vertices, that touches the path at
  two vertices. Replace the piece of path between these by a walk through the region.

A solution that admits either is not the only one. One that admits neither is the only one iff no
other solution is *taut*: see `docs/explanation/taut.md` for the theorem, its proof, and what the
SAT engine makes of it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from linkoracle.board.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from linkoracle.board.lattice import Lattice

Position = tuple[int, int]
Walk = list[Position]


def rerouted(lattice: Lattice, chosen: Iterable[int]) -> tuple[int, ...] | None:
    """Another solution of a free model that differs from the solution ``chosen`` in one path.

    Both are edge ids. Returns ``None`` when no path can be rerouted. O(vertices).

    >>> from linkoracle.board.lattice import Lattice
    >>> lattice = Lattice(2, 3)
    >>> around = [((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (1, 2)), ((1, 2), (0, 2))]
    >>> other = rerouted(lattice, [lattice.edge(u, v) for u, v in around])
    >>> steps = lattice.edge_vertices[list(other)].tolist()
    >>> [(lattice.position(u), lattice.position(v)) for u, v in steps]
    [((0, 0), (0, 1)), ((0, 1), (1, 1)), ((0, 2), (1, 2)), ((1, 1), (1, 2))]
    """
    edges = set(chosen)
    walks = Solution(lattice, tuple(sorted(edges))).paths()
    change = _chord(lattice, walks) or _way_round(lattice, walks)
    if change is None:
        return None
    old, new = change
    edges.difference_update(lattice.edge(u, v) for u, v in pairwise(old))
    edges.update(lattice.edge(u, v) for u, v in pairwise(new))
    return tuple(sorted(edges))


def _chord(lattice: Lattice, walks: list[Walk]) -> tuple[Walk, Walk] | None:
    """A piece of path, and the edge that does as well."""
    for walk in walks:
        place_of = {vertex: place for place, vertex in enumerate(walk)}
        for place, vertex in enumerate(walk):
            for near in _around(lattice, vertex):
                other = place_of.get(near, -1)
                if other > place + 1:
                    return walk[place : other + 1], [vertex, near]
    return None


def _way_round(lattice: Lattice, walks: list[Walk]) -> tuple[Walk, Walk] | None:
    """A piece of path, and a walk through unused vertices that does as well."""
    used = {vertex for walk in walks for vertex in walk}
    region = _unused_regions(lattice, used)
    for walk in walks:
        first: dict[int, tuple[int, Position]] = {}
        for place, vertex in enumerate(walk):
            for near in _around(lattice, vertex):
                if near in region:
                    start, entry = first.setdefault(region[near], (place, near))
                    if start != place:
                        through = _walk_between(lattice, entry, near, region)
                        return walk[start : place + 1], [walk[start], *through, vertex]
    return None


def _around(lattice: Lattice, vertex: Position) -> Iterator[Position]:
    row, col = vertex
    for r, c in ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)):
        if 0 <= r < lattice.rows and 0 <= c < lattice.cols:
            yield r, c


def _unused_regions(lattice: Lattice, used: set[Position]) -> dict[Position, int]:
    """Number the connected parts of the vertices that no path uses."""
    region: dict[Position, int] = {}
    for vertex in range(lattice.num_vertices):
        waiting = [lattice.position(vertex)]
        while waiting:
            here = waiting.pop()
            if here not in used and here not in region:
                region[here] = vertex
                waiting += _around(lattice, here)
    return region


def _walk_between(
    lattice: Lattice, start: Position, goal: Position, region: dict[Position, int]
) -> Walk:
    """A shortest walk from ``start`` to ``goal`` inside their region."""
    came_from: dict[Position, Position | None] = {goal: None}
    waiting = [goal]
    for here in waiting:
        if here == start:
            break
        for near in _around(lattice, here):
            if near in region and near not in came_from:
                came_from[near] = here
                waiting.append(near)
    walk = [start]
    while (onward := came_from[walk[-1]]) is not None:
        walk.append(onward)
    return walk

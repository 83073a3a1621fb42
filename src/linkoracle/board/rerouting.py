"""Make another solution of a free Numberlink from one solution, without any search.

Where cells may stay unused, there are two ways to reroute a path without changing the others:

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

from linkoracle.board.lists import neighbours
from linkoracle.board.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkoracle.board.lattice import Lattice

#: Vertices, each beside the next.
Walk = list[int]


def rerouted(lattice: Lattice, chosen: Iterable[int]) -> tuple[int, ...] | None:
    """Return another solution of a free model that differs from ``chosen`` in one path.

    Both are edge ids. Returns ``None`` if no path can be rerouted. O(vertices).

    >>> from linkoracle.board.lattice import Lattice
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

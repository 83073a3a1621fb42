"""Changes that turn one solution of a free model into another without any search.

Three local changes are enough to decide, together with a search restricted to the normal form of
`linkoracle.sat.encoding.normal_form_clauses`, whether a solution S is the only one:

* a **chord**: two neighbouring vertices of one path without the edge between them. Replace the
  piece of path between them by that edge.
* a **detour**: an edge uv of S where u and v both touch one connected part of the unused vertices.
  Replace uv by a walk through that part.
* a **loose corner** a-v-b whose fourth vertex d is unused. Replace v by d.

If S admits one of them it is not unique. If it admits none, it is unique iff the normal form has no
solution besides S. For suppose T is another solution. Shorten its paths along chords and push loose
corners up until neither is possible; the result is a solution in normal form. If it is not S, the
restricted search finds it. If it is S, look at the last step: undoing the removal of a chord
replaces an edge of S by a walk through vertices that S does not use, which is a detour; undoing the
push of a corner moves a corner of S to an unused vertex, which is a loose corner. Both were ruled
out.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkoracle.lattice import Lattice

Position = tuple[int, int]


def changed_locally(lattice: Lattice, chosen: Iterable[int]) -> tuple[int, ...] | None:
    """Another solution of a free model, made from the solution ``chosen`` by one of the changes.

    Returns ``None`` when no change applies. O(vertices).
    """
    edges = set(chosen)
    links: dict[Position, list[Position]] = {}
    ends = lattice.edge_vertices.tolist()
    for edge in edges:
        u, v = (lattice.position(vertex) for vertex in ends[edge])
        links.setdefault(u, []).append(v)
        links.setdefault(v, []).append(u)
    region = _unused_regions(lattice, links)
    change = (
        _loose_corner(links, region) or _chord(lattice, links) or _detour(lattice, links, region)
    )
    if change is None:
        return None
    removed, added = change
    edges.difference_update(lattice.edge(u, v) for u, v in removed)
    edges.update(lattice.edge(u, v) for u, v in added)
    return tuple(sorted(edges))


Steps = list[tuple[Position, Position]]
Links = dict[Position, list[Position]]


def _loose_corner(links: Links, region: dict[Position, int]) -> tuple[Steps, Steps] | None:
    for corner, linked in links.items():
        if len(linked) == 2:
            a, b = linked
            opposite = (a[0] + b[0] - corner[0], a[1] + b[1] - corner[1])
            if opposite in region:
                return [(a, corner), (corner, b)], [(a, opposite), (opposite, b)]
    return None


def _chord(lattice: Lattice, links: Links) -> tuple[Steps, Steps] | None:
    index: dict[Position, tuple[int, int]] = {}
    walks: list[list[Position]] = []
    for start, linked in links.items():
        if len(linked) == 1 and start not in index:
            walk, here = [start], linked[0]
            while True:
                walk.append(here)
                onward = [vertex for vertex in links[here] if vertex != walk[-2]]
                if not onward:
                    break
                here = onward[0]
            index.update((vertex, (len(walks), place)) for place, vertex in enumerate(walk))
            walks.append(walk)
    for u, (walk_index, place) in index.items():
        for v in _around(lattice, u):
            other_walk, other_place = index.get(v, (-1, -1))
            if other_walk == walk_index and other_place > place + 1:
                piece = walks[walk_index][place : other_place + 1]
                return list(pairwise(piece)), [(u, v)]
    return None


def _detour(
    lattice: Lattice, links: Links, region: dict[Position, int]
) -> tuple[Steps, Steps] | None:
    for u, linked in links.items():
        beside_u = {region[x]: x for x in _around(lattice, u) if x in region}
        for v in linked:
            for y in _around(lattice, v):
                x = beside_u.get(region.get(y, -1))
                if x is not None:
                    walk = [u, *_walk_between(lattice, x, y, region), v]
                    return [(u, v)], list(pairwise(walk))
    return None


def _around(lattice: Lattice, vertex: Position) -> list[Position]:
    row, col = vertex
    near = [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]
    return [(r, c) for r, c in near if 0 <= r < lattice.rows and 0 <= c < lattice.cols]


def _unused_regions(lattice: Lattice, links: Links) -> dict[Position, int]:
    """Number the connected parts of the vertices that no path uses."""
    region: dict[Position, int] = {}
    for vertex in range(lattice.num_vertices):
        start = lattice.position(vertex)
        if start in links or start in region:
            continue
        region[start] = vertex
        waiting = [start]
        while waiting:
            for near in _around(lattice, waiting.pop()):
                if near not in links and near not in region:
                    region[near] = vertex
                    waiting.append(near)
    return region


def _walk_between(
    lattice: Lattice, start: Position, goal: Position, region: dict[Position, int]
) -> list[Position]:
    """A shortest walk from ``start`` to ``goal`` inside their region."""
    came_from: dict[Position, Position | None] = {goal: None}
    layer = [goal]
    while start not in came_from:
        following = []
        for here in layer:
            for near in _around(lattice, here):
                if near in region and near not in came_from:
                    came_from[near] = here
                    following.append(near)
        layer = following
    walk = [start]
    while (onward := came_from[walk[-1]]) is not None:
        walk.append(onward)
    return walk

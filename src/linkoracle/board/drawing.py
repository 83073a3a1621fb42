"""`drawn`: a `networkx` graph as the parts of a board; the faces of a straight-line drawing."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import atan2
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import networkx as nx

#: Coordinates: x to the right, y down.
Point = tuple[float, float]


class Drawing(NamedTuple):
    """A graph by the numbers of its nodes."""

    nodes: list[Any]
    edges: list[tuple[int, int]]
    #: Each inner face as the walk around it.
    faces: list[list[int]]
    points: list[Point] | None


def drawn(graph: nx.Graph[Any], points: Mapping[Any, Point] | None = None) -> Drawing:
    """See `linkoracle.board.board.Board.from_graph`."""
    import networkx as nx

    embedding: Any = graph if isinstance(graph, nx.PlanarEmbedding) else None
    if graph.is_multigraph() or (graph.is_directed() and embedding is None):
        raise ValueError("expected an undirected graph, with one edge between two nodes at most")
    if points is None and embedding is None:
        points = nx.get_node_attributes(graph, "pos") or None
    if points is None:
        if embedding is None:
            plane, embedding = nx.check_planarity(graph)
            embedding = embedding if plane else None
        if embedding is not None and len(graph) > 0:
            points = nx.combinatorial_embedding_to_pos(embedding)
    nodes = list(graph)
    vertex_of = {node: vertex for vertex, node in enumerate(nodes)}
    pairs = ((vertex_of[one], vertex_of[other]) for one, other in graph.edges)
    edges = sorted({(min(pair), max(pair)) for pair in pairs})
    for one, other in edges:
        if one == other:
            raise ValueError(f"the node {nodes[one]!r} is joined to itself")
    if points is None:
        return Drawing(nodes, edges, [], None)
    missing = [node for node in nodes if node not in points]
    if missing:
        raise ValueError(f"the node {missing[0]!r} has no point")
    places = [(float(points[node][0]), float(points[node][1])) for node in nodes]
    return Drawing(nodes, edges, inner_faces(edges, places), places)


def inner_faces(edges: list[tuple[int, int]], points: list[Point]) -> list[list[int]]:
    """Return the inner faces of a straight-line drawing, as walks; none if it is not a plane one.

    A face is walked along with itself on the right hand. A connected drawing is plane if it has as
    many faces as Euler's formula says, and all but one of them, the outer one, lie inside of their
    walks. That finds every crossing that changes the order of edges around a vertex.
    """
    around: list[list[int]] = [[] for _ in points]
    for one, other in edges:
        around[one].append(other)
        around[other].append(one)
    if not edges or not _is_connected(around):
        return []
    after: dict[tuple[int, int], int] = {}
    for here, near in enumerate(around):
        x, y = points[here]
        near.sort(key=lambda v: atan2(points[v][1] - y, points[v][0] - x))
        # A walk that comes to `here` from one neighbour goes on to the next counter-clockwise.
        after |= {(there, here): near[place - 1] for place, there in enumerate(near)}
    walks: list[list[int]] = []
    while after:
        one, other = next(iter(after))
        walk = []
        while (one, other) in after:
            walk.append(one)
            one, other = other, after.pop((one, other))
        walks.append(walk)
    inner = [walk for walk in walks if area(walk, points) > 0]
    plane = len(points) - len(edges) + len(walks) == 2 and len(inner) == len(walks) - 1
    return inner if plane else []


def _is_connected(around: list[list[int]]) -> bool:
    seen, waiting = {0}, [0]
    while waiting:
        for there in around[waiting.pop()]:
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return len(seen) == len(around)


def area(walk: list[int], points: list[Point]) -> float:
    """Return twice the area inside a closed walk: positive if it runs clockwise as drawn."""
    total = 0.0
    # From a corner, not from (0, 0), so that rounding does not depend on the place of the board.
    start_x, start_y = points[walk[0]]
    for one, other in pairwise(walk):
        (x, y), (next_x, next_y) = points[one], points[other]
        total += (x - start_x) * (next_y - start_y) - (next_x - start_x) * (y - start_y)
    return total

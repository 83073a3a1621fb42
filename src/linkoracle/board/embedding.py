"""`drawn`: a `networkx` graph as what makes a board, with the faces of its drawing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import networkx as nx

from linkoracle.board.drawing import Point, inner_faces


class Drawing(NamedTuple):
    """A graph by the numbers of its nodes."""

    nodes: list[Any]
    edges: list[tuple[int, int]]
    #: Each inner face as the walk around it.
    faces: list[list[int]]
    points: list[Point] | None


def drawn(graph: nx.Graph[Any], points: Mapping[Any, Point] | None = None) -> Drawing:
    """See `linkoracle.board.board.Board.from_graph`."""
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
    edges = sorted({_pair(vertex_of[one], vertex_of[other]) for one, other in graph.edges})
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


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)

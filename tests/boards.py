"""Boards of all sorts."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from itertools import combinations, pairwise

import networkx as nx

from linkoracle import Board, Lattice
from linkoracle.boards import from_polygons, named


def honeycomb(rows: int, cols: int) -> Board:
    return Board.from_graph(nx.hexagonal_lattice_graph(rows, cols))


def triangular(rows: int, cols: int) -> Board:
    return Board.from_graph(nx.triangular_lattice_graph(rows, cols))


def scattered(rng: random.Random, size: int, kept: float = 0.7) -> Board:
    """A triangulation of random points with edges removed: plane, maybe in several parts."""
    points = {v: (rng.random(), rng.random()) for v in range(size)}
    graph = nx.Graph()
    graph.add_nodes_from(points)
    by_length = sorted(
        ((u, v) for u in points for v in range(u)),
        key=lambda pair: sum((a - b) ** 2 for a, b in zip(*map(points.get, pair), strict=True)),
    )
    for u, v in by_length:
        if not any(_cross(points, (u, v), edge) for edge in graph.edges):
            graph.add_edge(u, v)
    graph.remove_edges_from([edge for edge in list(graph.edges) if rng.random() > kept])
    return Board.from_graph(graph, points)


def delaunay(rng: random.Random, size: int, kept: float) -> Board:
    """The Delaunay triangulation of random points, with edges removed."""
    points = {v: (rng.random(), rng.random()) for v in range(size)}
    graph = nx.Graph()
    graph.add_nodes_from(points)
    for corners in combinations(points, 3):
        if not any(_in_circle(*map(points.get, (*corners, other))) for other in points):
            graph.add_edges_from(combinations(corners, 2))
    graph.remove_edges_from([edge for edge in list(graph.edges) if rng.random() > kept])
    return Board.from_graph(graph, points)


def _in_circle(a, b, c, d) -> bool:
    """Whether the last point is inside the circle through the others, and none of them."""
    if d in (a, b, c):
        return False
    (ax, ay), (bx, by), (cx, cy) = ((x - d[0], y - d[1]) for x, y in (a, b, c))
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    inside = (ax * ax + ay * ay) * (bx * cy - cx * by)
    inside += (bx * bx + by * by) * (cx * ay - ax * cy)
    inside += (cx * cx + cy * cy) * (ax * by - bx * ay)
    return inside * turn > 0


def polygons(rng: random.Random, size: int) -> Board:
    """Random polygons, most of them not convex, some of them left out."""
    while True:
        whole = delaunay(rng, size, rng.choice([0.6, 0.75, 0.9]))
        walks = map(whole.walk, range(whole.num_faces))
        faces = [walk for walk in walks if len(walk) == len(set(walk)) and rng.random() < 0.85]
        with suppress(ValueError):  # they may not hang together
            return from_polygons([[whole.points[vertex] for vertex in walk] for walk in faces])


def cut_squares(rng: random.Random, side: int = 3) -> Board:
    """Squares, some of them left out, and some cut in two."""
    while True:
        faces = []
        for x, y in ((x, y) for x in range(side) for y in range(side) if rng.random() < 0.7):
            corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
            halves = [corners[:3], [corners[0], *corners[2:]]]
            faces += halves if rng.random() < 0.3 else [corners]
        with suppress(ValueError):  # they may not hang together
            return from_polygons(faces)


def without_labels(board: Board) -> Board:
    """Files have no labels."""
    edges = map(board.ends, range(board.num_edges))
    faces = map(board.walk, range(board.num_faces))
    return Board(board.num_vertices, edges, faces, points=board.points)


def plane_board(rng: random.Random) -> Board:
    """A board with faces whose loops can be listed one by one, without labels."""
    while True:
        kind, size, kept = rng.randrange(5), rng.randrange(4, 12), rng.choice([0.7, 0.9, 1.0])
        match kind:
            case 0:
                found = named(rng.choice(["honeycomb 2 2", "triangular 2 2", "kagome 1 1"]))
            case 1:
                found = cut_squares(rng)
            case 2:
                found = scattered(rng, size, kept)
            case 3:
                found = delaunay(rng, size, kept)
            case _:
                found = polygons(rng, size)
        if found.num_faces:
            return without_labels(found)


def sides(board: Board, face: int) -> set[frozenset[int]]:
    """The sides of a face, each as its two ends."""
    walk = board.walk(face)
    return {frozenset(two) for two in pairwise([*walk, walk[0]])}


def rim_dots(rows: int, cols: int) -> list[tuple[int, int]]:
    """The dots on the border of a board of cells, clockwise from the top left."""
    lattice = Lattice(rows + 1, cols + 1)
    return [lattice.position(vertex) for vertex in lattice.border()[0]]


def _cross(points, one, other) -> bool:
    if set(one) & set(other):
        return False

    def turn(a, b, c):
        (ax, ay), (bx, by), (cx, cy) = points[a], points[b], points[c]
        return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0

    (a, b), (c, d) = one, other
    return turn(a, b, c) != turn(a, b, d) and turn(c, d, a) != turn(c, d, b)


def random_board(rng: random.Random) -> Board:
    """Up to 12 vertices."""
    kind = rng.randrange(6)
    if kind == 0:
        return Lattice(*rng.choice([(2, 2), (2, 5), (3, 3), (3, 4), (4, 3), (1, 4), (6, 2)]))
    if kind == 1:
        return honeycomb(1, rng.choice([1, 2]))
    if kind == 2:
        return triangular(*rng.choice([(1, 1), (1, 3), (2, 2), (2, 4)]))
    if kind == 3:
        # Not plane, for the most part.
        return Board.from_graph(
            nx.gnm_random_graph(rng.randrange(4, 9), 14, seed=rng.getrandbits(32))
        )
    return scattered(rng, rng.randrange(3, 12), rng.choice([0.6, 0.8, 1.0]))


#: Families of small boards.
FAMILIES = ("squares", "tilings", "not plane")


def small_board(rng: random.Random, family: str) -> Board:
    """A board of 4 to 10 vertices or so, on which all paths and loops are soon listed."""
    if family == "squares":
        return Lattice(*rng.choice([(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 5)]))
    if family == "not plane":
        return not_plane(rng)
    if rng.random() < 0.5:
        return named(rng.choice(["honeycomb 1 2", "triangular 1 2", "cairo 2 2", "octagonal 1 2"]))
    return cut_squares(rng, 2) if rng.random() < 0.5 else scattered(rng, rng.randint(4, 8), 0.8)


def not_plane(rng: random.Random) -> Board:
    """A graph that cannot be drawn without crossings, and cycles as its faces."""
    graph = rng.choice([nx.complete_graph(5), nx.complete_bipartite_graph(3, 3)])
    if rng.random() < 0.6:
        while nx.is_planar(graph):
            size = rng.randint(6, 8)
            graph = nx.gnm_random_graph(size, rng.randint(9, 12), seed=rng.getrandbits(32))
    elif rng.random() < 0.5:
        graph.add_edge(rng.randrange(5), len(graph))
    edges = [(min(edge), max(edge)) for edge in graph.edges]
    faces: list[list[int]] = []
    beside: Counter = Counter()
    for cycle in sorted(nx.simple_cycles(graph, 4), key=lambda _: rng.random())[:6]:
        around = [frozenset(two) for two in pairwise([*cycle, cycle[0]])]
        if all(beside[side] < 2 for side in around):
            beside.update(around)
            faces.append(cycle)
    return Board(len(graph), edges, faces)

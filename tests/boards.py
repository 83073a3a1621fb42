"""Boards of all sorts, random models on them, and their solutions by definition.

The solutions come from networkx' cycles and paths and from each constraint as its definition says
it; nothing here shares code with the engines.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, pairwise, product

import networkx as nx

from linkoracle import Board, Count, Lattice, LinkModel, Shape
from linkoracle.board.model import HOLE, PASS, PASS_OR_SKIP
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


def cut_squares(rng: random.Random) -> Board:
    """Squares, some of them left out, and some cut in two."""
    while True:
        faces = []
        for x, y in ((x, y) for x in range(3) for y in range(3) if rng.random() < 0.7):
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


def line_sets(model: LinkModel) -> Iterator[frozenset[int]]:
    """The sets of edges that fulfil the connectivity constraint."""
    board = model.board
    edge_of = {board.ends(edge): edge for edge in range(board.num_edges)}
    graph = nx.Graph(list(edge_of))
    graph.add_nodes_from(range(board.num_vertices))

    def along(walk):
        return {edge_of[min(step), max(step)] for step in pairwise(walk)}

    def joined(pairs, graph) -> Iterator[frozenset[int]]:
        if not pairs:
            yield frozenset()
            return
        (start, end), *others = pairs
        ends = {vertex for pair in others for vertex in pair}
        for path in nx.all_simple_paths(graph.subgraph(set(graph) - ends), start, end):
            rest = graph.subgraph(set(graph) - set(path))
            yield from (frozenset(along(path)) | more for more in joined(others, rest))

    if model.free_ends:
        for start, end in combinations(graph, 2):
            yield from (frozenset(along(path)) for path in nx.all_simple_paths(graph, start, end))
    elif model.loop:
        yield from (frozenset(along([*cycle, cycle[0]])) for cycle in nx.simple_cycles(graph))
    else:
        yield from joined(model.terminals, graph)


def fits(model: LinkModel, chosen: frozenset[int]) -> bool:
    """Whether edges fulfil every local constraint."""
    board = model.board
    at = [
        [e for e in range(board.num_edges) if v in board.ends(e)] for v in range(board.num_vertices)
    ]
    used = [bool(chosen.intersection(edges)) for edges in at]
    if not (chosen >= set(model.given) and chosen.isdisjoint(model.forbidden)):
        return False
    for edges, mask in zip(at, model.degrees, strict=True):
        if not mask >> len(chosen.intersection(edges)) & 1:
            return False
    for face, mask in enumerate(model.faces):
        if not mask >> len(chosen.intersection(board.edges_of(face))) & 1:
            return False
    values = [edge in chosen for edge in range(board.num_edges)] + used

    def holds(literal, values):
        return values[abs(literal) - 1] == (literal > 0)

    for literals, mask in model.counts:
        if not mask >> sum(holds(literal, values) for literal in literals) & 1:
            return False
    for vertex, mask in model.shapes:
        found = sum((edge in chosen) << place for place, edge in enumerate(board.edges_at(vertex)))
        if not mask >> found & 1:
            return False
    auxiliary = model.num_variables - len(values) if model.clauses else 0
    return any(
        all(any(holds(literal, [*values, *more]) for literal in clause) for clause in model.clauses)
        for more in product((False, True), repeat=max(0, auxiliary))
    )


def solutions(model: LinkModel) -> set[tuple[int, ...]]:
    return {tuple(sorted(one)) for one in line_sets(model) if fits(model, one)}


def random_model(rng: random.Random, board: Board) -> LinkModel:
    """Constraints that fit a planted solution, for the most part: others leave nearly nothing."""
    size, edges = board.num_vertices, range(board.num_edges)
    pairs = rng.randrange(min(4, size // 2 + 1))
    if pairs == 0:
        blank = LinkModel.blank_loop(board)
    else:
        ends = rng.sample(range(size), 2 * pairs)
        blank = LinkModel.blank_paths(board, zip(ends[::2], ends[1::2], strict=True))
    every = sorted(map(sorted, line_sets(blank)))
    chosen = set(rng.choice(every)) if every else set()
    at = [[e for e in edges if v in board.ends(e)] for v in range(size)]
    used = [bool(chosen.intersection(around)) for around in at]
    degrees = bytearray(blank.degrees)
    strict = rng.choice([0.0, 0.1, 0.4])
    for vertex, mask in enumerate(degrees):
        if mask == PASS_OR_SKIP and rng.random() < strict:
            degrees[vertex] = PASS if used[vertex] else HOLE
    faces = list(blank.faces)
    density = rng.choice([0.0, 0.3, 0.8])
    for face, free in enumerate(board.free_masks):
        if rng.random() < density:
            count = len(chosen.intersection(board.edges_of(face)))
            faces[face] = (1 << count | rng.choice([0, 0, rng.randrange(free + 1)])) & free
    given = [edge for edge in chosen if rng.random() < 0.04]
    forbidden = [edge for edge in edges if edge not in chosen and rng.random() < 0.04]
    model = LinkModel(
        board, bytes(degrees), faces, blank.terminals, blank.loop, tuple(given), tuple(forbidden)
    )
    values = [edge in chosen for edge in edges] + used
    literals = [sign * (k + 1) for k in range(len(values)) for sign in (1, -1)]
    shapes, counts, clauses = [], [], []
    for vertex in range(size):
        if rng.random() < 0.1 and len(at[vertex]) <= 6:
            found = sum((e in chosen) << place for place, e in enumerate(board.edges_at(vertex)))
            shapes.append(Shape(vertex, rng.getrandbits(1 << len(at[vertex])) | 1 << found))
    for _ in range(rng.choice([0, 0, 1, 3])):
        some = rng.choices(literals, k=rng.choice([1, 2, 4, 9, 12]))
        true = sum(values[abs(one) - 1] == (one > 0) for one in some)
        counts.append(Count(tuple(some), 1 << true | rng.getrandbits(len(some) + 1)))
    auxiliary = rng.choice([0, 0, 1, 2])
    for _ in range(rng.choice([0, 0, 1, 3])):
        extra = [sign * (len(values) + 1 + k) for k in range(auxiliary) for sign in (1, -1)]
        clauses.append(rng.choices(literals + extra, k=rng.choice([1, 2, 3, 3])))
    return model.with_constraints(shapes=shapes, counts=counts, clauses=clauses)

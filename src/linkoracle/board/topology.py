"""Graphs in the plane: the faces of a drawing; of a board its border, dual, colours and cycles.

`board_lists` has what lies beside what as plain lists, for loops in Python; kernels read
`linkoracle.board.board.Layout`.

`linkoracle.board.board` imports this module only when it needs it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
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


def border(board: Any) -> tuple[list[int], list[int]]:
    """Return the vertices on the border, and the edge after each: see `Board.border`."""
    edges = [edge for edge in range(board.num_edges) if len(board.faces_of(edge)) == 1]
    at: dict[int, list[int]] = {}
    for edge in edges:
        for vertex in board.ends(edge):
            at.setdefault(vertex, []).append(edge)
    vertices: list[int] = []
    order = edges[:1]
    here = board.ends(edges[0])[0] if edges else 0
    while here not in vertices[:1] and len(at.get(here, ())) == 2:
        vertices.append(here)
        here = sum(board.ends(order[-1])) - here
        order.append(sum(at[here]) - order[-1])
    if not edges or len(vertices) < len(edges):
        raise ValueError(f"expected a board that one cycle bounds, got {board!r}")
    return vertices, order[:-1]


def sides(board: Any) -> bytes | None:
    """Return a colouring of the vertices with two colours: see `Board.sides`."""
    side = bytearray([2]) * board.num_vertices
    for start in range(board.num_vertices):
        if side[start] != 2:
            continue
        side[start] = 0
        waiting = [start]
        while waiting:
            here = waiting.pop()
            for edge in board.edges_at(here):
                there = sum(board.ends(edge)) - here
                if side[there] == 2:
                    side[there] = 1 - side[here]
                    waiting.append(there)
                elif side[there] == side[here]:
                    return None
    return bytes(side)


def has_sides(board: Any, off: int) -> bool:
    """Return whether each cycle borders some faces and divides the plane: see `Board.has_sides`.

    Borders of faces are sums of cycles if each face has an even number of edges at a vertex. No
    sum of them is empty if each face has a way off the board over edges. So each cycle is a sum of
    borders if there are as many faces as the dimension of the space of cycles, E - V + 1 for each
    part of the graph. The faces beside an edge that is not on the cycle are on the same side of
    the cycle. So are edges that meet, if shared faces connect all edges of a vertex. The face
    ``off`` stands for everything off the board. O(size).
    """
    ends = [board.ends(edge) for edge in range(board.num_edges)]
    at = board.layout.edge_faces
    beside = [(at[2 * edge], at[2 * edge + 1]) for edge in range(board.num_edges)]
    root, around = united(ends), united([*beside, (off, off)])
    if board.num_faces != board.num_edges - len(root) + len({*root.values()}):
        return False
    if len(around) <= board.num_faces or len({*around.values()}) > 1:
        return False
    for face in range(board.num_faces):
        odd: set[int] = set()
        for end in chain.from_iterable(ends[edge] for edge in board.edges_of(face)):
            odd ^= {end}
        if odd:
            return False
    return all(
        len({*united(beside[edge] for edge in board.edges_at(vertex)).values()}) <= 1
        for vertex in range(board.num_vertices)
    )


def united(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return for each item of the pairs the representative of its connected component.

    >>> root = united([(0, 1), (2, 3), (1, 2), (4, 5)])
    >>> root[0] == root[3], root[3] == root[4], len(root)
    (True, False, 6)
    """
    above: dict[int, int] = {}

    def root(item: int) -> int:
        while above.setdefault(item, item) != item:
            above[item] = above[above[item]]
            item = above[item]
        return item

    for one, other in pairs:
        above[root(one)] = root(other)
    return {item: root(item) for item in above}


def fundamental_cycles(
    board: Any, holes: Collection[int] = (), forbidden: Collection[int] = ()
) -> Iterator[tuple[int, ...]]:
    """Yield the edges of cycles, in increasing order, each with an edge that no earlier cycle has.

    The cycles avoid the vertices ``holes`` and the edges ``forbidden``. There is one for each edge
    outside a spanning forest, the fundamental cycles of this forest. A breadth-first search grows
    it only as far as the cycles that the caller takes need: O(1) for each of the first on a board
    of small faces, whatever its size.

    >>> from linkoracle.board.lattice import Lattice
    >>> list(fundamental_cycles(Lattice(2, 3)))
    [(0, 1, 3, 5), (2, 3, 4, 6)]
    >>> next(fundamental_cycles(Lattice(1000, 1000)))
    (0, 1, 3, 1999)
    """
    #: By vertex of the forest: the edge to its parent, the parent, the distance from the root.
    came: dict[int, tuple[int, int, int]] = {}
    done: set[int] = set()
    for root in range(board.num_vertices):
        if root in came or root in holes:
            continue
        came[root] = -1, -1, 0
        waiting = deque([root])
        while waiting:
            vertex = waiting.popleft()
            done.add(vertex)
            back, _, depth = came[vertex]
            for edge in board.edges_at(vertex):
                other = sum(board.ends(edge)) - vertex
                if edge == back or other in done or other in holes or edge in forbidden:
                    continue
                if other in came:
                    yield tuple(sorted((edge, *_between(came, vertex, other))))
                else:
                    came[other] = edge, vertex, depth + 1
                    waiting.append(other)


def _between(came: dict[int, tuple[int, int, int]], one: int, other: int) -> Iterator[int]:
    """Yield the edges of the path between two vertices of a tree."""
    while one != other:
        if came[one][2] < came[other][2]:
            one, other = other, one
        edge, one, _ = came[one]
        yield edge


@lru_cache(maxsize=32)
def dual(board: Any) -> Drawing:
    """Return a graph with a node for each face, and an edge where two faces share a side.

    Node *v* is face *v*, in the middle of its corners. Two faces that share several sides have one
    edge. The faces are the inner vertices of ``board``, as the ring of faces around each. There are
    none if some pair of faces shares sides in two places. The last few are kept. O(size).

    >>> import networkx as nx
    >>> from linkoracle.board.board import Board
    >>> dual(Board.from_graph(nx.hexagonal_lattice_graph(2, 2))).edges
    [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    """
    sides: dict[tuple[int, int], list[int]] = {}
    for edge in range(board.num_edges):
        match board.faces_of(edge):
            case [one, other]:
                sides.setdefault((one, other), []).append(edge)
    rings = [] if _parted(board, sides) else _rings(board)
    points = None
    if board.points is not None:
        walks = map(board.walk, range(board.num_faces))
        points = [middle([board.points[vertex] for vertex in walk]) for walk in walks]
    return Drawing([*range(board.num_faces)], sorted(sides), rings, points)


def middle(corners: Sequence[Point]) -> Point:
    """Return the centre of gravity of a polygon; the mean of its corners if it has no area.

    >>> middle([(0, 0), (3, 0), (0, 3)])
    (1.0, 1.0)
    """
    # Relative to a corner, so that boards far from the origin lose no digits.
    x0, y0 = corners[0]
    area = x = y = 0.0
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        cross = (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
        area += cross
        x += (ax + bx - 2 * x0) * cross
        y += (ay + by - 2 * y0) * cross
    if not area:
        return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
    return x0 + x / (3 * area), y0 + y / (3 * area)


def _parted(board: Any, sides: dict[tuple[int, int], list[int]]) -> bool:
    """Return whether two faces share sides that are not one chain."""
    for edges in sides.values():
        degrees: dict[int, int] = {}
        for edge in edges:
            for vertex in board.ends(edge):
                degrees[vertex] = degrees.get(vertex, 0) + 1
        if list(degrees.values()).count(1) != 2:
            return True
    return False


def _rings(board: Any) -> list[list[int]]:
    """Return the faces around each inner vertex where three or more meet, in order."""
    rings = []
    for vertex in range(board.num_vertices):
        beside = {edge: board.faces_of(edge) for edge in board.edges_at(vertex)}
        if not beside or any(len(faces) < 2 for faces in beside.values()):
            continue
        _, faces = beside.popitem()
        ring = [faces[0]]
        while ring[-1] != faces[1]:
            onward = [one for one, both in beside.items() if ring[-1] in both]
            if len(onward) != 1:
                break
            both = beside.pop(onward[0])
            ring.append(sum(both) - ring[-1])
        if not beside and len(set(ring)) == len(ring) > 2:
            rings.append(ring)
    return rings


class BoardLists(NamedTuple):
    """What is beside what, by ids."""

    #: The two ends of each edge.
    ends: list[tuple[int, int]]
    #: For each vertex its edges in increasing order, with their other ends.
    around: list[list[tuple[int, int]]]
    faces_of_edge: list[list[int]]
    face_edges: list[list[int]]
    #: The vertices around each face.
    corners: list[tuple[int, ...]]


@lru_cache(maxsize=8)
def neighbours(board: Any) -> list[list[int]]:
    """Return the neighbours of each vertex; kept for a few boards, so callers must not change them.

    In the order of the edges to them; unlike `board_lists`, it finds no faces. O(edges).

    >>> from linkoracle.board.lattice import Lattice
    >>> neighbours(Lattice(2, 3))[1]
    [0, 2, 4]
    """
    near: list[list[int]] = [[] for _ in range(board.num_vertices)]
    for one, other in map(board.ends, range(board.num_edges)):
        near[one].append(other)
        near[other].append(one)
    return near


@lru_cache(maxsize=8)
def board_lists(board: Any) -> BoardLists:
    """Return the lists of a board; kept for a few boards, so callers must not change them.

    >>> from linkoracle.board.lattice import Lattice
    >>> board_lists(Lattice(2, 3)).around[1]
    [(0, 0), (2, 2), (3, 4)]
    """
    layout = board.layout
    ends = list(zip(layout.edge_ends[::2], layout.edge_ends[1::2], strict=True))
    around: list[list[tuple[int, int]]] = [[] for _ in range(board.num_vertices)]
    for edge, (u, v) in enumerate(ends):
        around[u].append((edge, v))
        around[v].append((edge, u))
    pairs = zip(layout.edge_faces[::2], layout.edge_faces[1::2], strict=True)
    faces_of_edge = [[face for face in pair if face >= 0] for pair in pairs]
    edges, starts = layout.face_edges.tolist(), layout.face_starts
    face_edges = [edges[start:end] for start, end in pairwise(starts)]
    corners = [board.walk(face) for face in range(board.num_faces)]
    return BoardLists(ends, around, faces_of_edge, face_edges, corners)


def stated_edges(board: Any) -> list[list[int]]:
    """Return the edges that a file must list: those of no face, or all if not in order.

    >>> from linkoracle.board.board import Board
    >>> stated_edges(Board(3, [(0, 2), (0, 1), (1, 2)], [(0, 1, 2)]))
    [[0, 2], [0, 1], [1, 2]]
    """
    listed = [list(board.ends(edge)) for edge in range(board.num_edges)]
    lonely = [ends for edge, ends in enumerate(listed) if not board.faces_of(edge)]
    return lonely if board.in_order else listed

"""What lies beside what on a board: as plain lists, and as the board that joins its faces.

The lists are for loops in Python; kernels read `linkoracle.board.board.Layout`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from linkoracle.board.board import NO_FACE, Board, Point


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
def neighbours(board: Board) -> list[list[int]]:
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
def board_lists(board: Board) -> BoardLists:
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
    faces_of_edge = [[face for face in pair if face != NO_FACE] for pair in pairs]
    edges, starts = layout.face_edges.tolist(), layout.face_starts
    face_edges = [edges[start:end] for start, end in pairwise(starts)]
    corners = [board.walk(face) for face in range(board.num_faces)]
    return BoardLists(ends, around, faces_of_edge, face_edges, corners)


def stated_edges(board: Board) -> list[list[int]]:
    """Return the edges that a file must list: those of no face, or all if not in order.

    >>> from linkoracle.board.board import Board
    >>> stated_edges(Board(3, [(0, 2), (0, 1), (1, 2)], [(0, 1, 2)]))
    [[0, 2], [0, 1], [1, 2]]
    """
    listed = [list(board.ends(edge)) for edge in range(board.num_edges)]
    lonely = [ends for edge, ends in enumerate(listed) if not board.faces_of(edge)]
    return lonely if board.in_order else listed


@lru_cache(maxsize=32)
def dual(board: Board) -> Board:
    """Return the board with a vertex for each face, and an edge where two faces share a side.

    Vertex *v* is face *v*, in the middle of its corners. Two faces that share several sides have
    one edge. The faces are the inner vertices of ``board``, as the ring of faces around each. There
    are none if some pair of faces shares sides in two places. `Board.dual` returns it, and squares
    have squares. The last few are kept. O(size).

    >>> import networkx as nx
    >>> dual(Board.from_graph(nx.hexagonal_lattice_graph(2, 2)))
    <Board: 4 vertices, 5 edges, 2 faces>
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
    return Board(board.num_faces, sorted(sides), rings, points=points)


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


def _parted(board: Board, sides: dict[tuple[int, int], list[int]]) -> bool:
    """Return whether two faces share sides that are not one chain."""
    for edges in sides.values():
        degrees: dict[int, int] = {}
        for edge in edges:
            for vertex in board.ends(edge):
                degrees[vertex] = degrees.get(vertex, 0) + 1
        if list(degrees.values()).count(1) != 2:
            return True
    return False


def _rings(board: Board) -> list[list[int]]:
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

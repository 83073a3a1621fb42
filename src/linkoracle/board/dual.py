"""`dual`: the board whose vertices are the faces of another, for lines from cell to cell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from linkoracle.board.board import Board, Point
from linkoracle.board.lattice import Lattice


@lru_cache(maxsize=32)
def dual(board: Board) -> Board:
    """Return the board with a vertex for each face, and an edge where two faces share a side.

    Vertex *v* is face *v*, in the middle of its corners. Two faces that share several sides have
    one edge. The faces are the inner vertices of ``board``, as the ring of faces around each. There
    are none if some pair of faces shares sides in two places. That of a `Lattice` is a `Lattice`.
    The last few are kept. O(size).

    >>> import networkx as nx
    >>> dual(Board.from_graph(nx.hexagonal_lattice_graph(2, 2)))
    <Board: 4 vertices, 5 edges, 2 faces>
    """
    if isinstance(board, Lattice):
        return Lattice(board.rows - 1, board.cols - 1)
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

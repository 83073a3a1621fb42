"""In which order a frontier pass takes the vertices of a board.

The cost of a pass grows exponentially with the *frontier*: the vertices to come that have an edge
to one that is done. On a square board it is shortest if the pass goes along the short side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice

#: About as many times more states come with each vertex on the frontier.
_GROWTH = 3.0


def vertex_order(board: Board) -> tuple[int, ...]:
    """Return all vertices in the order of the pass: on squares along the short side.

    For any other board, the best of some orders by the widths of their frontiers: along the
    coordinates, and that of Cuthill and McKee (*Reducing the bandwidth of sparse symmetric
    matrices*, 1969), as networkx has it. O(vertices x candidates).

    >>> vertex_order(Lattice(2, 3)), vertex_order(Lattice(3, 2))
    ((0, 3, 1, 4, 2, 5), (0, 1, 2, 3, 4, 5))
    """
    if isinstance(board, Lattice):
        rows, cols = board.rows, board.cols
        if cols <= rows:
            return tuple(range(rows * cols))
        return tuple(row * cols + col for col in range(cols) for row in range(rows))
    return min(_candidates(board), key=lambda order: _cost(board, order))


def _candidates(board: Board) -> Iterator[tuple[int, ...]]:
    from networkx import Graph
    from networkx.utils import reverse_cuthill_mckee_ordering

    vertices = range(board.num_vertices)
    yield tuple(vertices)
    if (points := board.points) is not None:
        for across, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
            keys = [
                (round(across * x + down * y, 6), round(down * x - across * y, 6))
                for x, y in points
            ]
            yield tuple(sorted(vertices, key=keys.__getitem__))
    graph: Graph[int] = Graph()
    graph.add_nodes_from(vertices)
    graph.add_edges_from(map(board.ends, range(board.num_edges)))
    yield tuple(reverse_cuthill_mckee_ordering(graph))


def _cost(board: Board, order: Sequence[int]) -> float:
    """An estimate of the states of a pass, but for a factor."""
    place = {vertex: at for at, vertex in enumerate(order)}
    change = [0] * (len(order) + 1)
    for vertex, at in place.items():
        ends = (board.ends(edge) for edge in board.edges_at(vertex))
        first = min((place[one + other - vertex] for one, other in ends), default=at)
        if first < at:
            change[first] += 1
            change[at] -= 1
    width, cost = 0, 0.0
    for more in change:
        width += more
        cost += _GROWTH ** min(width, 600)
    return cost

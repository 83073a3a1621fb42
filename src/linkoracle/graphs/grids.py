"""`grid_of`: find out whether a graph is a grid of rows and columns, in any numbering.

Grids have passes of their own, many times as fast as those of other graphs.
"""

from __future__ import annotations

from math import isqrt

from linkoracle.board.adjacency import neighbours
from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice


def grid_of(board: Board) -> tuple[Lattice, list[int]] | None:
    """Return the lattice of a grid, and the lattice vertex for each vertex of the board.

    Return ``None`` if the board is not a grid of at least two rows and two columns. O(vertices),
    and O(1) for most other boards.

    >>> square = Board(4, [(0, 1), (1, 3), (2, 3), (0, 2)])
    >>> grid_of(square), grid_of(Board(4, [(0, 1), (1, 2), (2, 3)]))
    ((Lattice(rows=2, cols=2), [0, 1, 2, 3]), None)
    """
    # The numbers of vertices and edges of a grid determine the sum of its sides.
    number = board.num_vertices
    both = 2 * number - board.num_edges
    root = isqrt(max(0, both * both - 4 * number))
    rows, cols = (both + root) // 2, (both - root) // 2
    if rows * cols != number or rows + cols != both or cols < 2:
        return None
    near = neighbours(board)
    corners = [vertex for vertex in range(number) if len(near[vertex]) == 2]
    if len(corners) != 4:
        return None
    here = _distances(near, corners[0])
    there = _distances(near, min(corners[1:], key=here.__getitem__))
    # From one corner to the other, along the shorter side. The edges show whether it is a grid.
    places = []
    for one, two in zip(here, there, strict=True):
        col = (one - two + cols - 1) // 2
        places.append((one - col) * cols + col)
    lattice = Lattice(rows, cols)
    ends = ((places[one], places[two]) for one, two in map(board.ends, range(board.num_edges)))
    edges = {(min(pair), max(pair)) for pair in ends}
    same = edges == {lattice.ends(edge) for edge in range(lattice.num_edges)}
    return (lattice, places) if same and len(set(places)) == number else None


def _distances(near: list[list[int]], start: int) -> list[int]:
    """Return the distance of each vertex from ``start`` in edges; -1 if it is not reachable."""
    away = [-1] * len(near)
    away[start] = 0
    waiting = [start]
    for vertex in waiting:
        for other in near[vertex]:
            if away[other] < 0:
                away[other] = away[vertex] + 1
                waiting.append(other)
    return away

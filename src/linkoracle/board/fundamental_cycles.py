"""Cycles of a board that a breadth-first search meets, without any engine."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

from linkoracle.board.board import Board


def fundamental_cycles(
    board: Board, holes: Collection[int] = (), forbidden: Collection[int] = ()
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

"""Properties of a `Board` as a graph in the plane: its border, its colouring, its sides.

`linkoracle.board.board` imports this module only when it needs it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any


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

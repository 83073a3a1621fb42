"""The lattice as plain lists, for loops in Python; `board.index_arrays` are for NumPy."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from linkoracle.board.lattice import Lattice


class BoardLists(NamedTuple):
    """What is beside what, by ids."""

    #: The two ends of each edge.
    ends: list[tuple[int, int]]
    #: For each vertex its edges, up, left, right and down, with their other ends.
    around: list[list[tuple[int, int]]]
    faces_of_edge: list[list[int]]
    face_edges: list[list[int]]


@lru_cache(maxsize=8)
def board_lists(lattice: Lattice) -> BoardLists:
    """The lists of a lattice, kept for the last few: callers must not change them.

    >>> board_lists(Lattice(2, 3)).around[1]
    [(0, 0), (2, 2), (3, 4)]
    """
    ends = [lattice.ends(edge) for edge in range(lattice.num_edges)]
    around: list[list[tuple[int, int]]] = [[] for _ in range(lattice.num_vertices)]
    for edge, (u, v) in enumerate(ends):
        around[u].append((edge, v))
        around[v].append((edge, u))
    faces_of_edge: list[list[int]] = [[] for _ in ends]
    face_edges = [lattice.edges_of(face) for face in range(lattice.num_faces)]
    for face, edges in enumerate(face_edges):
        for edge in edges:
            faces_of_edge[edge].append(face)
    return BoardLists(ends, around, faces_of_edge, face_edges)

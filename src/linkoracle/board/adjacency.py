"""What lies beside what on a board, as plain lists.

They are for loops in Python; kernels read `linkoracle.board.board.Layout`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from linkoracle.board.board import NO_FACE, Board


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

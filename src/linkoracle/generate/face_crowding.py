"""`FaceCrowding`: how crowded the clues of a board are that is not square."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from linkoracle.board.board import Board

#: The weight of a clue in a face that shares a side, a corner, or a neighbour with another face:
#: the mean of what such faces have on squares (`linkoracle.generate.evenness`).
_SIDE, _CORNER, _SECOND = 700, 500, 190
#: The costs of a clue of 0 and of one for most sides, in parts of a full neighbourhood, and the
#: largest random cost.
_NONE, _MOST, _CHANCE = -0.005, -0.03, 0.05


class FaceCrowding:
    """The weights of clues around each face, all of which have a clue at first.

    ``counts`` has the clue of each face. O(faces) for boards whose faces have few neighbours.

    >>> import networkx as nx
    >>> board = Board.from_graph(nx.hexagonal_lattice_graph(3, 3))
    >>> clues = FaceCrowding(board, [2] * 9, Random(0))
    >>> before = clues.of([4])
    >>> clues.change([0, 1, 3], -1)
    >>> clues.of([4]) < before
    True
    """

    def __init__(self, board: Board, counts: Sequence[int], rng: Random) -> None:
        self._around = _around(board)
        self._full = [max(1, sum(near.values())) for near in self._around]
        self._weights = list(self._full)
        self._bias = [
            _CHANCE * rng.random()
            + (_NONE if not count else _MOST if 4 * count >= 3 * len(board.edges_of(face)) else 0.0)
            for face, count in enumerate(counts)
        ]

    def change(self, faces: Iterable[int], sign: int) -> None:
        """Add the weights of the clues of these faces, or with a ``sign`` of -1 take them away."""
        for face in faces:
            for near, weight in self._around[face].items():
                self._weights[near] += sign * weight

    def of(self, group: Sequence[int]) -> float:
        """Return the mean crowding of these faces; with a clue in every face around it is 1."""
        return sum(
            self._bias[face] + self._weights[face] / self._full[face] for face in group
        ) / len(group)


def _around(board: Board) -> list[dict[int, int]]:
    """For each face the weights of those near it; the same in both directions."""
    at: list[list[int]] = [[] for _ in range(board.num_vertices)]
    for face in range(board.num_faces):
        for vertex in set(board.walk(face)):
            at[vertex].append(face)
    corner = [
        {other for vertex in board.walk(face) for other in at[vertex] if other != face}
        for face in range(board.num_faces)
    ]
    found = []
    for face, near in enumerate(corner):
        weights = dict.fromkeys(set[int]().union(*(corner[other] for other in near)), _SECOND)
        weights |= dict.fromkeys(near, _CORNER)
        for edge in board.edges_of(face):
            weights |= dict.fromkeys(board.faces_of(edge), _SIDE)
        weights.pop(face, None)
        found.append(dict(sorted(weights.items())))
    return found

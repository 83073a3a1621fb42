"""`plain_loop`: random loops where nothing is compiled, as in a browser tab."""

from __future__ import annotations

from random import Random

from linkoracle.board.board import Board
from linkoracle.board.solution import Solution
from linkoracle.core.randomness import below, pick

#: At most so many of a hundred faces are inside, and so many of them are chosen for a long loop.
_INSIDE, _LONG = 60, 80


def plain_loop(rng: Random, board: Board) -> Solution:
    """Return a random loop: the outline of faces that are taken in one by one.

    Faces that share one side with those inside make the loop longer, and are often preferred. The
    outline stays one loop if the sides and corners that a face shares with it are one path: a path
    has one more vertex than edges, several paths have more, and the whole boundary has none.

    >>> from linkoracle.board.lattice import Lattice
    >>> loop = plain_loop(Random(1), Lattice(11, 11))
    >>> len(loop.paths()), len(loop) > 60
    (1, True)
    """
    sides = [{*board.edges_of(face)} for face in range(board.num_faces)]
    corners = [{*board.walk(face)} for face in range(board.num_faces)]
    first = below(rng, board.num_faces)
    inside, outline = {first}, {*sides[first]}
    while 100 * len(inside) < _INSIDE * board.num_faces:
        reached = {vertex for edge in outline for vertex in board.ends(edge)}
        beside = {face for edge in outline for face in board.faces_of(edge)} - inside
        shared = {face: len(sides[face] & outline) for face in sorted(beside)}
        free = [face for face in shared if len(corners[face] & reached) == shared[face] + 1]
        if not free:
            break
        longer = [face for face in free if shared[face] == 1]
        face = pick(rng, longer if longer and below(rng, 100) < _LONG else free)
        inside.add(face)
        outline ^= sides[face]
    return Solution(board, tuple(sorted(outline)))

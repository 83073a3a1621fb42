"""`plain_loop`: random loops where nothing is compiled, as in a browser tab."""

from __future__ import annotations

from random import Random

from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution
from linkoracle.core.randomness import below, pick

#: The squares around one, clockwise from the one above it, as steps of row and column.
_RING = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
#: At most so many of a hundred squares are inside, and so many of them are chosen for a long loop.
_INSIDE, _LONG = 60, 80


def plain_loop(rng: Random, board: Lattice) -> Solution:
    """Return a random loop: the outline of squares that are taken in one by one.

    Squares with one neighbour inside make the loop longer, and are often preferred.

    >>> loop = plain_loop(Random(1), Lattice(11, 11))
    >>> len(loop.paths()), len(loop) > 60
    (1, True)
    """
    rows, cols = board.rows - 1, board.cols - 1
    inside = {(below(rng, rows), below(rng, cols))}
    while 100 * len(inside) < _INSIDE * rows * cols:
        beside = {(row + down, col + right) for row, col in inside for down, right in _RING[::2]}
        free = sorted(
            (row, col)
            for row, col in beside - inside
            if 0 <= row < rows and 0 <= col < cols and _keeps_one_line((row, col), inside)
        )
        longer = [square for square in free if _sides(square, inside) == 1]
        if not free:
            break
        inside.add(pick(rng, longer if longer and below(rng, 100) < _LONG else free))
    squares = sorted(row * cols + col for row, col in inside)
    uses = [0] * board.num_edges
    for square in squares:
        for edge in board.edges_of(square):
            uses[edge] += 1
    return Solution(board, tuple(edge for edge, used in enumerate(uses) if used == 1))


def _around(square: tuple[int, int], inside: set[tuple[int, int]]) -> list[bool]:
    row, col = square
    return [(row + down, col + right) in inside for down, right in _RING]


def _sides(square: tuple[int, int], inside: set[tuple[int, int]]) -> int:
    return sum(_around(square, inside)[::2])


def _keeps_one_line(square: tuple[int, int], inside: set[tuple[int, int]]) -> bool:
    """Whether the outline stays one loop: inside and outside are one run each around the square."""
    ring = _around(square, inside)
    changes = sum(one != other for one, other in zip(ring, [*ring[1:], ring[0]], strict=True))
    return changes == 2 and any(ring[::2]) and not all(ring[::2])

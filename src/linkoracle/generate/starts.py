"""Where shapes begin: a board, and one region on it inside the line."""

from __future__ import annotations

from random import Random

from linkoracle.board.board import NO_FACE, Board
from linkoracle.board.colouring_kernel import Colouring
from linkoracle.board.lattice import Lattice
from linkoracle.core.errors import NothingFound
from linkoracle.core.randomness import below, pick


def board_of(rows: int | Board, cols: int | None) -> Board:
    """The board that is given in place of the rows, or the square one of so many cells."""
    if isinstance(rows, Board):
        if not rows.num_faces:
            raise ValueError(f"expected a board with faces, got {rows!r}")
        return rows
    if cols is None or min(rows, cols) < 1:
        raise ValueError(f"expected a board of at least 1x1 cells, got {rows}x{cols}")
    return Lattice(rows + 1, cols + 1)


def half(rng: Random, board: Lattice) -> Colouring:
    """The left, right, upper or lower half of a board inside, one line of cells at least."""
    upper, far = divmod(below(rng, 4), 2)
    rows, cols = board.rows - 1, board.cols - 1
    length = rows if upper else cols
    size = max(1, length // 2)
    inside = range(length - size, length) if far else range(size)
    found = Colouring(board)
    found.paint(
        bytes((row if upper else col) in inside for row in range(rows) for col in range(cols))
    )
    return found


def around_one(rng: Random, board: Board) -> tuple[Colouring, int]:
    """A random face alone inside; one that a single cycle bounds."""
    found, faces = Colouring(board), list(range(board.num_faces))
    while faces:
        face = pick(rng, faces)
        found.flip(face)
        if found.is_single_line():
            return found, face
        found.flip(face)
        faces.remove(face)
    raise NothingFound(f"no loop bounds a face of {board!r}")


def region(rng: Random, board: Board, share: float) -> Colouring:
    """A region around a random face, of such a share of the board if it gets there."""
    found, start = around_one(rng, board)
    reached = [start]
    for face in reached:
        for other in found.across(face):
            if other == NO_FACE or found.is_inside(other) or not found.can_flip(other):
                continue
            if len(reached) >= share * board.num_faces:
                return found
            found.flip(other)
            reached.append(other)
    return found

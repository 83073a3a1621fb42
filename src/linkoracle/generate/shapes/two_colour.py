"""`two_colour`: flip cells along the border of two colours until it cannot get more wiggly.

The method is Liam Appelbe's, *How to generate Slither Link puzzles* (2020),
https://liamappelbe.medium.com/how-to-generate-slither-link-puzzles-6c65510b2ba1
"""

from __future__ import annotations

from random import Random

from linkoracle.generate.randomness import below
from linkoracle.generate.shapes.colouring import (
    CORNERS_ALIKE,
    SIDES_ALIKE,
    SIMPLE,
    Colouring,
    Ends,
)
from linkoracle.model import Solution

#: A board with a side no longer than this is not halved any more.
_SMALLEST = 3


def two_colour(
    rng: Random,
    rows: int,
    cols: int,
    *,
    ends: Ends = None,
    diagonal_ties: bool = True,
    recursive: bool = True,
) -> Solution:
    """A loop, or with ``ends`` an open path, that winds evenly over the board.

    A cell flips if most of its four neighbours have its colour, or (with ``diagonal_ties``) half
    of them and most of its four corners, and if both colours stay connected. Every
    flip makes the line longer, or as long with more corners unlike, so it ends; cells wait in a
    list of candidates that is popped at random, and come back when a cell beside them flips. With
    ``recursive`` the start is such a line on a board of half the size, scaled up, else one half of
    the board, any of four. The ring around the board is part of the computation, so the line
    touches the rim.

    O(cells) flips in practice: 50x50 takes some 20 ms.

    >>> len(two_colour(Random(1), 10, 10))
    118
    """
    board = _start(rng, rows, cols, ends, diagonal_ties) if recursive else None
    if board is None:
        board = Colouring(rows, cols, ends)
        if ends is None:
            for cell in _half(rng, board):
                board.flip(cell)
    _wiggle(rng, board, diagonal_ties)
    return board.outline()


def _half(rng: Random, board: Colouring) -> list[int]:
    """The cells of the left, right, upper or lower half of a board, one at least."""
    rows, cols = board.rows, board.cols
    of_rows = range(1, max(1, rows // 2) + 1)
    of_cols = range(1, max(1, cols // 2) + 1)
    side = below(rng, 4)
    if side == 0:
        return [cell for cell in board.cells if cell % board.step in of_cols]
    if side == 1:
        return [cell for cell in board.cells if cols + 1 - cell % board.step in of_cols]
    if side == 2:
        return [cell for cell in board.cells if cell // board.step in of_rows]
    return [cell for cell in board.cells if rows + 1 - cell // board.step in of_rows]


def _start(rng: Random, rows: int, cols: int, ends: Ends, diagonal_ties: bool) -> Colouring | None:
    """A colouring from a board of half the size, cell by cell; ``None`` where that fails."""
    if min(rows, cols) <= _SMALLEST:
        return None
    half_rows, half_cols = (rows + 1) // 2, (cols + 1) // 2
    half_ends = None
    if ends is not None:
        (row, col), (row2, col2) = ends
        half_ends = (
            (half_rows if row == rows else row // 2, half_cols if col == cols else col // 2),
            (half_rows if row2 == rows else row2 // 2, half_cols if col2 == cols else col2 // 2),
        )
        if half_ends[0] == half_ends[1]:
            return None
    line = two_colour(rng, half_rows, half_cols, ends=half_ends, diagonal_ties=diagonal_ties)
    small = Colouring.of(line, half_ends)
    board = Colouring(rows, cols, ends)
    for cell in board.cells:
        row, col = divmod(cell, board.step)
        board.colour[cell] = small.colour[(row + 1) // 2 * small.step + (col + 1) // 2]
    # The ring of a path is not scaled but drawn anew, and its ends may have moved by a dot.
    return board if ends is None or board.is_single_line() else None


def _wiggle(rng: Random, board: Colouring, diagonal_ties: bool) -> None:
    may_flip = [
        SIMPLE[pattern]
        and (
            SIDES_ALIKE[pattern] == 3
            or (diagonal_ties and SIDES_ALIKE[pattern] == 2 and CORNERS_ALIKE[pattern] > 2)
        )
        for pattern in range(256)
    ]
    candidates = list(board.cells)
    listed = bytearray(board.on_board)
    random, alike, on_board, around = rng.random, board.alike, board.on_board, board.around
    while candidates:
        place = int(random() * len(candidates))
        cell = candidates[place]
        candidates[place] = candidates[-1]
        candidates.pop()
        listed[cell] = 0
        if may_flip[alike(cell)]:
            board.flip(cell)
            for offset in around:
                beside = cell + offset
                if on_board[beside] and not listed[beside]:
                    listed[beside] = 1
                    candidates.append(beside)

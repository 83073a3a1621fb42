"""`crumple`: fold the full board inwards, cell by cell."""

from __future__ import annotations

from random import Random

from linkoracle.generate.randomness import below
from linkoracle.generate.shapes.colouring import Colouring
from linkoracle.model import Solution


def crumple(
    rng: Random, rows: int, cols: int, *, ratio: float = 1.9, share: float = 0.6
) -> Solution:
    """A loop that begins as the rim of the board and is dented until it is long enough.

    Each step takes a random cell on the border of the inside out of it, one that adds two edges if
    there is any, else one that adds none; never one that would part the loop in two or make four
    edges meet in a dot. It ends when the loop has ``ratio`` edges for each cell inside and the
    inside is at most ``share`` of the board, or when no cell is left that may go.

    Known from generators for Slitherlink that have no published description. O(cells).

    Raises ``ValueError`` for a ratio or share that no loop has.

    >>> len(crumple(Random(1), 10, 10))
    116
    """
    if not 0 < ratio < 4 or not 0 < share <= 1:
        raise ValueError("expected a ratio between 0 and 4, and a share between 0 and 1")
    board = Colouring(rows, cols)
    for cell in board.cells:
        board.flip(cell)
    area, length = rows * cols, 2 * (rows + cols)
    fresh = _Bag(board.cells)
    later = _Bag([])
    while length < ratio * area or area > share * rows * cols:
        bag = fresh if fresh else later
        if not bag:
            break
        cell = bag.pop(rng)
        if bag is fresh and board.colour[cell] and board.added(cell) == 0:
            later.add(cell)
            continue
        if not board.colour[cell] or not board.can_flip(cell) or board.added(cell) < 0:
            continue
        length += board.added(cell)
        area -= 1
        board.flip(cell)
        for offset in board.around:
            if board.on_board[cell + offset] and board.colour[cell + offset]:
                fresh.add(cell + offset)
    return board.outline()


class _Bag:
    """Cells to draw at random, each at most once in it."""

    def __init__(self, cells: list[int]) -> None:
        self._cells = list(cells)
        self._held = set(cells)

    def add(self, cell: int) -> None:
        if cell not in self._held:
            self._held.add(cell)
            self._cells.append(cell)

    def __bool__(self) -> bool:
        return bool(self._cells)

    def pop(self, rng: Random) -> int:
        place = below(rng, len(self._cells))
        cell, self._cells[place] = self._cells[place], self._cells[-1]
        self._cells.pop()
        self._held.discard(cell)
        return cell

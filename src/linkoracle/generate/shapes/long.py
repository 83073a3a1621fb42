"""`long`: a loop that visits nearly every dot."""

from __future__ import annotations

from random import Random

from linkoracle.generate.randomness import below, pick
from linkoracle.generate.shapes.colouring import Colouring, Ends
from linkoracle.generate.shapes.two_colour import two_colour
from linkoracle.model import Solution

#: Steps of a walk for each cell of the board, at most: 50x50 takes a quarter of a second.
_STEPS = 40


def long(rng: Random, rows: int, cols: int, *, ends: Ends = None) -> Solution:
    """A loop, or with ``ends`` an open path, that visits most dots, and leaves out no two together.

    Starts from `two_colour`, where about one dot in twenty is not visited, and lets these *holes*
    walk. A hole takes a step when a corner of the line next to it is folded over it: the line stays
    as long, and the hole is now where the corner was. Two holes side by side are filled at once by
    pushing the line over both, which makes it two edges longer. Like any random walkers on a board,
    the holes meet in pairs until few are left; no step makes a hole. O(cells).

    >>> len(long(Random(1), 9, 9))
    100
    """
    board = Colouring.of(two_colour(rng, rows, cols, ends=ends), ends)
    step = board.step
    # A dot has the number of the cell below and to the right of it.
    unused = [
        dot
        for row in range(1, rows + 2)
        for dot in range(row * step + 1, row * step + step)
        if not _visited(board, dot)
    ]
    holes = set(unused)
    for _ in range(_STEPS * rows * cols):
        if len(unused) < 2:
            break
        place = below(rng, len(unused))
        dot = unused[place]
        cell = dot - pick(rng, (0, 1, step, step + 1))
        if not board.on_board[cell] or not board.can_flip(cell) or board.added(cell) < 0:
            continue
        board.flip(cell)
        for corner in (cell, cell + 1, cell + step, cell + step + 1):
            used = _visited(board, corner)
            if used and corner in holes:
                holes.discard(corner)
                unused.remove(corner)
            elif not used and corner not in holes:
                holes.add(corner)
                unused.append(corner)
    return board.outline()


def _visited(board: Colouring, dot: int) -> bool:
    """Whether the line passes through a dot: its four cells have not all the same colour."""
    colour, step = board.colour, board.step
    return not colour[dot] == colour[dot - 1] == colour[dot - step] == colour[dot - step - 1]

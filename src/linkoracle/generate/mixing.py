"""`stir`: flips of a line until its cells have the numbers that people like to see.

The lines of published puzzles have more cells without a line around them, so more wide areas, than
most shapes make, and fewer 2s. `stir` draws from all lines, those with such numbers the more often:
a line has a probability in proportion to exp of the sum, over the cells, of what their numbers are
worth. It is the algorithm of Metropolis et al. (*Equation of state calculations by fast computing
machines*, J. Chemical Physics 21, 1953), by flips that keep the line a single one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from linkoracle.generate.colouring import SIMPLE, Colouring


def stir(rng: Random, board: Colouring, worth: Sequence[float], tries: int) -> None:
    """Try to flip so many random cells, each with the probability that its change is worth.

    ``worth`` has a value for each number from 0 to 4. A flip that is worth more is always made, one
    that is worth *d* less with probability exp(-*d*). O(tries).

    >>> board = Colouring(4, 4)
    >>> board.flip(board.cells[0])
    >>> stir(Random(1), board, [0, 0, 0, 1, 0], 500)
    >>> board.is_single_line()
    True
    """
    colour, sides, on_board, cells = board.colour, board.sides, board.on_board, board.cells
    alike, random = board.alike, rng.random
    counts = [0] * len(colour)
    for cell in cells:
        counts[cell] = sum(colour[cell] != colour[cell + side] for side in sides)
    for _ in range(tries):
        cell = cells[int(random() * len(cells))]
        count = counts[cell]
        # Without a line around it, or with four, no cell can flip.
        if not 0 < count < 4 or not SIMPLE[alike(cell)]:
            continue
        mine = colour[cell]
        gain = worth[4 - count] - worth[count]
        changes = []
        for side in sides:
            beside = cell + side
            if on_board[beside]:
                old = counts[beside]
                new = old + 1 if colour[beside] == mine else old - 1
                gain += worth[new] - worth[old]
                changes.append((beside, new))
        if gain >= 0 or random() < math.exp(gain):
            colour[cell] = 1 - mine
            counts[cell] = 4 - count
            for beside, new in changes:
                counts[beside] = new

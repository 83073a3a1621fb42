"""`stir`: flips of a line until its cells have the numbers that people like to see.

The lines of published puzzles have more cells without a line around them, so more wide areas, than
most shapes make, and fewer 2s. `stir` draws from all lines, those with such numbers the more often:
a line has a probability in proportion to exp of the sum, over the cells, of what their numbers are
worth. It is the algorithm of Metropolis et al. (*Equation of state calculations by fast computing
machines*, J. Chemical Physics 21, 1953), by flips that keep the line a single one.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random

from linkoracle.generate import flips_kernel
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
    values = array("d", worth)
    flips_kernel.stir(
        board.colour, bytes(SIMPLE), board.rows, board.cols, values, tries, rng.random
    )

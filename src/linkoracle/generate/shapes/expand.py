"""`expand`: grow a region from one cell, branch by branch."""

from __future__ import annotations

from random import Random

from linkoracle.generate.randomness import below, pick, shuffled
from linkoracle.generate.shapes.colouring import Colouring
from linkoracle.model import Solution


def expand(rng: Random, rows: int, cols: int, *, thickness: float = 0.1) -> Solution:
    """A loop around a region that grows like a tree until nothing fits.

    A random cell of the region that is still *expandable* is taken, and a random one of the
    *available* cells beside it joins the region if it passes two tests: the cell opposite the one
    it grows from is not in the region, nor are the two that touch its far corners (kitty-corner),
    so that the region does not close around anything; and it keeps the line a single one. A cell
    with no such neighbour becomes *unexpandable*. A new cell may also touch the region with its
    flanks, but only for a share of ``thickness`` of the tries; 0 makes every branch one cell wide.

    Known from generators for Slitherlink that have no published description. O(cells).

    Raises ``ValueError`` for a thickness outside 0 to 1.

    >>> len(expand(Random(1), 10, 10))
    114
    """
    if not 0 <= thickness <= 1:
        raise ValueError(f"expected a thickness between 0 and 1, got {thickness}")
    board = Colouring(rows, cols)
    colour, sides = board.colour, board.sides
    start = pick(rng, board.cells)
    board.flip(start)
    expandable = [start]
    while expandable:
        place = below(rng, len(expandable))
        cell = expandable[place]
        for direction in shuffled(rng, range(4)):
            new = cell + sides[direction]
            if not board.on_board[new] or colour[new]:
                continue
            flank = sides[(direction + 1) % 4]
            ahead = new + sides[direction]
            if colour[ahead] or colour[ahead + flank] or colour[ahead - flank]:
                continue
            if (colour[new + flank] or colour[new - flank]) and rng.random() >= thickness:
                continue
            if board.can_flip(new):
                board.flip(new)
                expandable.append(new)
                break
        else:
            expandable[place] = expandable[-1]
            expandable.pop()
    return board.outline()

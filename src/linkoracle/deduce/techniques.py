"""The techniques by name, in the order in which they are tried: the cheapest first.

The kernel tries technique *t* only where no technique before it has anything to say, so a step is
always told with the simplest argument that was there. The order is part of what a grade means.

The numbers are NumPy's, because Numba compiles a function anew for every Python number among its
arguments, but only once for these.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

(
    CLUE,
    DOT,
    LOOP,
    STATIC,
    REACH,
    CELL,
    PAIR,
    SQUARE,
    PARITY,
    POCKET,
    COLOUR,
    BLOCK,
    SHADE,
    REGION,
    WINDOW,
    WIDE,
    UNIQUE,
) = map(np.int64, range(17))
#: How many techniques the deduction has.
TECHNIQUES = 17
#: What is no deduction: guesses that decided, and lines that were given.
REFUTED, EITHER, GIVEN = map(np.int64, (17, 18, 19))


@dataclass(frozen=True)
class Technique:
    """What one technique is called, and what it says."""

    name: str
    meaning: str


#: By number; the numbers are their places in this list.
CATALOGUE = (
    Technique("clue", "a clue has all its lines, or needs all its open edges"),
    Technique("dot", "a line goes on from where it ends, and never branches"),
    Technique("loop", "an edge would close a loop, or join what must not be joined, too early"),
    Technique("static", "a pattern of clues, wherever it stands"),
    Technique("reach", "a line that reaches a 3 goes on around it, and what follows from that"),
    Technique("cell", "a pattern of a 1 or 2 and the edges at its corners"),
    Technique("pair", "a pattern of two clues side by side and the edges around them"),
    Technique("square", "a pattern of clues in a block of 2x2 cells and the edges around it"),
    Technique("parity", "a loop crosses a straight cut an even number of times"),
    Technique("pocket", "what lies behind a gap must be reached through it, or not at all"),
    Technique("colour", "two cells are known to be on the same side of the loop, or not"),
    Technique("block", "a pattern of clues in a block of up to 3x3 cells"),
    Technique("shade", "the sides of cells around a clue or a dot fit in few ways"),
    Technique("region", "all cells inside hang together, and all outside"),
    Technique("window", "all ways to fill a block of 2x2 cells agree"),
    Technique("wide", "all ways to fill a block of 3x3 cells agree"),
    Technique("unique", "another choice would leave two solutions"),
    Technique("refuted", "a guess that leads to a contradiction"),
    Technique("either", "a guess and its opposite lead to the same"),
    Technique("given", "was there at the beginning"),
)

#: Techniques whose steps are rules of the rule file.
PATTERNS = (STATIC, REACH, CELL, PAIR, SQUARE, BLOCK)


def number(name: str) -> int:
    """The number of the technique with this name; ``KeyError`` if there is none.

    >>> number("loop")
    2
    """
    for index, technique in enumerate(CATALOGUE):
        if technique.name == name:
            return index
    raise KeyError(name)

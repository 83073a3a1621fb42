"""Turnaround: a loop past numbers of turns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import FALSE, FILL, CellLoop, LoopRules
from linkoracle.kinds.lines import DIRECTIONS, Lines, step
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Pzpr, place_of


class Turnaround(CellLoop):
    """A Turnaround of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 0 to 3, of -1 (``?``) for an unknown number, or ``None``. The
    loop visits every number, and in the variant ``"fill"`` every cell. A number counts the turns of
    the loop in its cell, in the cell before it and in the cell after it.

    >>> from linkoracle import count
    >>> count(Turnaround([".2..", "....", "1..3", "..2."]))
    1
    """

    kind = "turnaround"
    title = "Turnaround"
    variants: ClassVar = FILL
    instructions: ClassVar = {
        variant: f"{LOOP}, and passes through every {place}. A number shows in how many of three "
        "cells along the loop it turns: the cell of the number, the one before, and the one after."
        for variant, place in (("loop", "number"), ("fill", "cell"))
    }
    examples: ClassVar = {
        "loop": Example(".2..2 3.2.. ..... 3..2. ...1.", (((0, 1), "RRRDLLDRDDLLLURULURU"),)),
        "fill": Example(
            "...... ...... 1..32. ...... 1..... .1....",
            (((0, 0), "RRRDRURDDDDDLUUULDLLDRRDLLLUUURRULLU"),),
        ),
    }
    max_clue = 3
    symbols: ClassVar = {-1: "?"}
    clue = "a number from 0 to 3, or '?' (-1)"
    unknown = -1
    pzpr = Pzpr("hex_or_unknown", {("turnaround", ""): "loop", ("turnaround", "f"): "fill"})

    def constrain(self, rules: LoopRules) -> None:
        """Count turns for each two lines that may leave a number."""
        for cell, _ in self.clue_cells():
            rules.visit(cell)
        for cell, number in self.clue_cells():
            rules.about("clue", cell)
            for pair in combinations(DIRECTIONS, 2) if number >= 0 else ():
                one, other = (rules.line(cell, direction) for direction in pair)
                left = number - (pair not in (("n", "s"), ("e", "w")))
                if not 0 <= left <= 2:
                    rules.clause(-one, -other)
                elif FALSE not in (one, other):
                    first, second = (rules.turning(step(cell, direction)) for direction in pair)
                    # None, just one, or both of the neighbours turn.
                    needed = (
                        ((-first,), (-second,)),
                        ((first, second), (-first, -second)),
                        ((first,), (second,)),
                    )
                    for some in needed[left]:
                        rules.clause(-one, -other, *some)

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each number that is not visited, or that counts other turns."""
        for cell, number in self.clue_cells():
            if cell not in lines:
                yield f"no line passes the number at {place_of(cell)}"
            elif number not in (-1, found := self._turns(lines, cell)):
                yield f"the loop turns {found} times at and beside the {number} at {place_of(cell)}"

    def _turns(self, lines: Lines, cell: Cell) -> int:
        return sum(map(lines.turns, {cell, *lines[cell]}))

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the numbers of all visited cells."""
        return ((cell, self._turns(lines, cell)) for cell in sorted(lines))

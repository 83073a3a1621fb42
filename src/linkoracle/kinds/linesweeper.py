"""Linesweeper: a loop past numbers, which count the visited cells around them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import CellLoop, LoopRules, labelled
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, place_of


class LineSweeper(CellLoop):
    """A Linesweeper of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 0 to 8, or ``None``. The loop leaves out all cells with
    numbers. A number counts the visited cells among the up to eight cells around it.

    >>> from linkoracle import count
    >>> count(LineSweeper(["...3", "....", ".8..", "...."]))
    1
    """

    kind = "linesweeper"
    title = "Linesweeper"
    instruction = (
        f"{LOOP}, and passes through no cell with a number. A number shows through how many of the "
        "eight cells around it, diagonal ones too, the loop passes."
    )
    example = Example("..... .7... ..7.4 ..... .....", (((0, 0), "RRDRDDRDLLULULUU"),))
    difficulties: ClassVar = labelled(fiendish_from=81)
    avoids_clues = True
    max_clue = 8
    clue = "a number from 0 to 8"

    def constrain(self, rules: LoopRules) -> None:
        """Require that numbers count the visited cells around them."""
        for cell, number in self.clue_cells():
            rules.count(map(rules.visited, _around(cell)), [number])

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each number that differs from the visited cells around it."""
        for cell, number in self.clue_cells():
            if (found := sum(one in lines for one in _around(cell))) != number:
                yield f"the loop visits {found} cells around the {number} at {place_of(cell)}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the numbers of all cells that the loop leaves out."""
        for cell in self.cells():
            if cell not in lines:
                yield cell, sum(one in lines for one in _around(cell))


def _around(cell: Cell) -> list[Cell]:
    """Return the eight cells around a cell, on the board or off it."""
    row, col = cell
    return [
        (row + down, col + right) for down, right in product((-1, 0, 1), repeat=2) if down or right
    ]

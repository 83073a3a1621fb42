"""Koburin: a loop past shaded cells; numbers count their shaded neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import LoopRules, ShadingLoop, labelled
from linkoracle.kinds.lines import DIRECTIONS, Lines, step
from linkoracle.kinds.puzzle import Cell, Example, Figure, Pzpr, place_of


class Koburin(ShadingLoop):
    """A Koburin of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 0 to 4, of -1 (``?``) for an unknown number, or ``None``. The
    loop leaves out all cells with numbers. A number counts the shaded cells among the up to four
    neighbours of its cell. Any other cell is visited by the loop or shaded, and no two shaded
    cells are neighbours.

    >>> from linkoracle import count
    >>> count(Koburin([".1..", "....", "....", "...1"]))
    1
    """

    kind = "koburin"
    title = "Koburin"
    instruction = (
        "Shade some empty cells, no two of which share a side, and draw one closed loop that runs "
        "from cell to neighbouring cell, across or down, and passes through all other empty cells. "
        "Neither happens in cells with a number. A number shows how many of the cells that share a "
        "side with its own are shaded."
    )
    example = Example("..... 2...1 ..2.. ..... .....", (((0, 1), "RRDDRDLDLLLURUUU"),))
    avoids_clues = True
    max_clue = 4
    symbols: ClassVar = {-1: "?"}
    clue = "a number from 0 to 4, or '?' (-1)"
    unknown = -1
    difficulties: ClassVar = labelled(fiendish_from=101)
    pzpr = Pzpr("four_or_unknown", {("koburin", ""): None, ("koburin", "b"): None})

    def constrain(self, rules: LoopRules) -> None:
        """Require that no shaded cells are neighbours, and that numbers count them."""
        super().constrain(rules)
        for cell, number in self.clue_cells():
            if number >= 0:
                self.count_shaded(rules, (step(cell, d) for d in DIRECTIONS), number)

    def number_faults(self, shaded: set[Cell]) -> Iterator[str]:
        """Yield a sentence for each number that differs from the shaded cells beside it."""
        for cell, number in self.clue_cells():
            found = _beside(shaded, cell)
            if number not in (-1, found):
                yield f"{found} shaded cells are beside the {number} at {place_of(cell)}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield a number in each unvisited cell that is not shaded."""
        shaded, closed = self.closed_cells(lines)
        for cell in closed:
            yield cell, _beside(shaded, cell)

    def clue_figures(self, cell: Cell, clue: int) -> Iterator[Figure]:
        """Yield what to draw: a grey cell with its number."""
        yield Figure("grey", cell)
        yield from super().clue_figures(cell, clue)


def _beside(shaded: set[Cell], cell: Cell) -> int:
    return sum(step(cell, d) in shaded for d in DIRECTIONS)

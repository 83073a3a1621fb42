"""Yajilin: a loop past shaded cells; arrows count them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import LoopRules, ShadingLoop, labelled
from linkoracle.kinds.lines import DIRECTIONS, Lines, step
from linkoracle.kinds.puzzle import Cell, Example, Figure, Pzpr, place_of


class Yajilin(ShadingLoop):
    """A Yajilin of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words for closed cells, which the loop leaves out, or ``None``. A word such
    as ``"2n"`` is the number of shaded cells in the direction of an arrow (n, e, s or w). ``"x"``
    is a closed cell without a number. Any other cell is visited by the loop or shaded, and no two
    shaded cells are neighbours.

    >>> from linkoracle import count
    >>> count(Yajilin([". . . .", ". . . .", ". 1w . ."]))
    1
    """

    kind = "yajilin"
    title = "Yajilin"
    instruction = (
        "Shade some white cells, no two of which share a side, and draw one closed loop that runs "
        "from cell to neighbouring cell, across or down, and passes through all other white cells. "
        "Neither happens in the grey cells. A number shows how many cells are shaded in the "
        "direction of its arrow."
    )
    example = Example(
        ". 1e . . ./. . . . 1n/. . . . ./. . . 1w ./. . . . .",
        (((0, 2), "RDDRDDLLLULUURDRUU"),),
    )
    avoids_clues = True
    words = "[0-9]{1,3}[nesw]|x"
    arrows = True
    clue = "a number and an arrow such as '2n' (n, e, s or w), or 'x'"
    unknown = "x"
    difficulties: ClassVar = labelled(easy=81, fiendish_from=101)
    pzpr = Pzpr("arrows", {("yajilin", ""): None, ("yajilin", "b"): None})

    def constrain(self, rules: LoopRules) -> None:
        """Require that no shaded cells are neighbours, and that arrows count them."""
        super().constrain(rules)
        for cell, word in self.clue_cells():
            if word != "x":
                self.count_shaded(rules, self._along(cell, word[-1]), int(word[:-1]))

    def number_faults(self, shaded: set[Cell]) -> Iterator[str]:
        """Yield a sentence for each arrow that differs from the shaded cells in its direction."""
        for cell, word in self.clue_cells():
            if word != "x":
                found = len(shaded.intersection(self._along(cell, word[-1])))
                if found != int(word[:-1]):
                    yield f"the arrow {word} at {place_of(cell)} counts {found} shaded cells"

    def _along(self, cell: Cell, direction: str) -> list[Cell]:
        """Return the cells in this direction, and some off the board, which are never shaded."""
        return [step(cell, direction, length) for length in range(1, max(self.rows, self.cols))]

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield an arrow in each closed cell, in the direction with the most shaded cells."""
        shaded, closed = self.closed_cells(lines)
        for cell in closed:
            counts = {d: len(shaded.intersection(self._along(cell, d))) for d in DIRECTIONS}
            best = max(counts, key=lambda d: counts[d])
            yield cell, f"{counts[best]}{best}"

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: a grey cell with its number and arrow."""
        yield Figure("grey", cell)
        if clue != "x":
            yield Figure("arrow", cell, clue)

"""Dotchi Loop: one loop through white circles, which turns at all or none of each region."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise, product
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import LoopRules, circle_figure, labelled
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Figure, Pzpr, place_of
from linkoracle.kinds.regions import RegionPuzzle


class DotchiLoop(RegionPuzzle):
    """A Dotchi Loop of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of ``"w"`` for a white circle, ``"b"`` for a black one, or ``None``. The loop
    visits every white circle and leaves out every black one. In each of the ``regions`` it turns at
    all white circles, or goes straight on at all of them.

    >>> from linkoracle import count
    >>> count(DotchiLoop([".ww.", ".wb.", "...."], regions=["aabc", "aade", "ddde"]))
    1
    """

    kind = "dotchiloop"
    title = "Dotchi Loop"
    instruction = (
        f"{LOOP}. It passes through every white circle, and through no black one. In each region "
        "the loop either turns at every white circle, or goes straight on at every one."
    )
    example = Example(
        ".w.w. ..... w.www .w..w .b.b.",
        (((0, 0), "RDDRUURDDRDLLLLUUU"),),
        {"regions": ["abccc", "acccc", "dccee", "ddeee", "ddeee"]},
    )
    unit = "circles"
    words = "[wb]"
    clue = "a circle 'w' (white) or 'b' (black)"
    difficulties: ClassVar = labelled(fiendish_from=101)
    pzpr = Pzpr("pearls", {("dotchi", ""): None})

    @cached_property
    def avoided(self) -> frozenset[Cell]:
        """The cells outside all regions, and those with black circles."""
        return super().avoided.union(cell for cell, circle in self.clue_cells() if circle == "b")

    def constrain(self, rules: LoopRules) -> None:
        """Require visits of white circles: in each region all turns, or all straight."""
        for cell, circle in self.clue_cells():
            if circle == "w":
                rules.visit(cell)
        for cells in self._white_by_region():
            for pair in pairwise(cells):
                for one, other in (pair, pair[::-1]):
                    for straight, turn in product(("ns", "ew"), ("ne", "es", "sw", "nw")):
                        lines = [
                            *(rules.line(one, direction) for direction in straight),
                            *(rules.line(other, direction) for direction in turn),
                        ]
                        rules.clause(*(-line for line in lines))

    def _white_by_region(self) -> list[list[Cell]]:
        white = {cell for cell, circle in self.clue_cells() if circle == "w"}
        return [[cell for cell in cells if cell in white] for cells in self.cells_by_region()]

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each unvisited white circle, and each region with both."""
        for cell, circle in self.clue_cells():
            if circle == "w" and cell not in lines:
                yield f"no line passes the white circle at {place_of(cell)}"
        for cells in self._white_by_region():
            if len({lines.turns(cell) for cell in cells}) > 1:
                yield f"the loop turns at some circles in the region of {place_of(cells[0])} only"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield black circles, and in each region the turns or the straights as white circles."""
        for cells in self.cells_by_region():
            visited = [cell for cell in cells if cell in lines]
            turns = 2 * sum(map(lines.turns, visited)) >= len(visited)
            for cell in cells:
                if cell not in lines or lines.turns(cell) == turns:
                    yield cell, "w" if cell in lines else "b"

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: a circle."""
        yield circle_figure(cell, clue)

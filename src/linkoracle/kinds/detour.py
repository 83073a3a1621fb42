"""Detour: a loop through every cell, whose turns are counted in regions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import LoopRules, labelled
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Pzpr
from linkoracle.kinds.regions import RegionPuzzle


class Detour(RegionPuzzle):
    """A Detour of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers or ``None``, one number at most in each of the ``regions``: the
    loop, which visits every cell, turns in that many cells of the region.

    >>> from linkoracle import count
    >>> count(Detour(["....", "2...", "....", "...."], regions=["abcd", "eecd", "cccf", "ggch"]))
    1
    """

    kind = "detour"
    title = "Detour"
    instruction = (
        f"{LOOP}, and passes through every cell. A number shows in how many cells of its region "
        "the loop turns."
    )
    example = Example(
        "8..4.. ...... .....0 .....3 1..... ......",
        (((0, 0), "RRRRRDDDLUULLDRDLDRRRDLLLLLURULURULU"),),
        {"regions": ["aabccc", "aaaccc", "aaaccd", "eeacfg", "heeegg", "eeeegg"]},
    )
    every_cell = True
    difficulties: ClassVar = labelled(easy=35, normal=35, tricky=35, hard=81)
    region_clues = True
    clue = "a number of turns"
    pzpr = Pzpr("hex", {("detour", ""): None}, by_region=True)

    def constrain(self, rules: LoopRules) -> None:
        """Count turns: a cell is one if exactly one of its lines east and west is drawn."""
        for cells, _, number in self.clues_by_region():
            turns = []
            for cell in cells:
                turn, east, west = rules.variable(), rules.line(cell, "e"), rules.line(cell, "w")
                rules.clause(-turn, east, west)
                rules.clause(-turn, -east, -west)
                rules.clause(turn, -east, west)
                rules.clause(turn, east, -west)
                turns.append(turn)
            rules.count(turns, [number])

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each number that differs from the turns in its region."""
        return self.region_faults(lambda cells: sum(map(lines.turns, cells)), "turns are")

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the number of each region in its first cell."""
        return self.region_numbers(lambda cells: sum(map(lines.turns, cells)))

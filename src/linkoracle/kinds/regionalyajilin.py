"""Regional Yajilin: a loop past shaded cells, counted by region."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import LoopRules, ShadingLoop, labelled
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import Cell, Example, Pzpr
from linkoracle.kinds.regions import RegionPuzzle


class RegionalYajilin(ShadingLoop, RegionPuzzle):
    """A Regional Yajilin of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers or ``None``, one number at most in each of the ``regions``: the
    number of its shaded cells. The loop visits all cells that are not shaded, and no two
    shaded cells are neighbours.

    >>> from linkoracle import count
    >>> count(RegionalYajilin(["2...", "....", "...."], regions=["abbc", "aaaa", "ddde"]))
    1
    """

    kind = "regionalyajilin"
    title = "Regional Yajilin"
    instruction = (
        "Shade some cells, no two of which share a side, and draw one closed loop that runs from "
        "cell to neighbouring cell, across or down, and passes through all other cells. A number "
        "shows how many cells are shaded in its region, and may be shaded itself."
    )
    example = Example(
        "32... ..... ..... ..... .....",
        (((0, 1), "RRDRDDDLUULDLDLUUURU"),),
        {"regions": ["abbbb", "abbbc", "aaabc", "daabc", "eaacc"]},
    )
    region_clues = True
    difficulties: ClassVar = labelled(easy=35, normal=35, tricky=81, hard=99)
    clue = "a number of shaded cells"
    pzpr = Pzpr("hex", {("yajilin-regions", ""): None}, by_region=True)

    def constrain(self, rules: LoopRules) -> None:
        """Require that no shaded cells are neighbours, and that numbers count them by region."""
        super().constrain(rules)
        for cells, _, number in self.clues_by_region():
            self.count_shaded(rules, cells, number)

    def number_faults(self, shaded: set[Cell]) -> Iterator[str]:
        """Yield a sentence for each number that differs from the shaded cells of its region."""
        return self.region_faults(lambda cells: len(shaded.intersection(cells)), "cells are shaded")

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the number of each region in its first cell."""
        shaded = self.shaded(lines)
        return self.region_numbers(lambda cells: len(shaded.intersection(cells)))

"""Country Road: a loop that enters every region once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import LoopRules, labelled
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Pzpr, place_of
from linkoracle.kinds.regions import RegionPuzzle, borders


class CountryRoad(RegionPuzzle):
    """A Country Road of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers or ``None``, one number at most in each of the ``regions``: the
    loop visits that many cells of the region. If there are several regions, the loop enters and
    leaves each of them once. It visits at least one of two neighbouring cells in different regions.

    >>> from linkoracle import count
    >>> regions = ["aabc", "aadd", "eeed", "eeee"]
    >>> count(CountryRoad(["2...", "....", "....", "...."], regions=regions))
    1
    """

    kind = "countryroad"
    title = "Country Road"
    instruction = (
        f"{LOOP}. It enters every region exactly once, and leaves it once. A number shows how many "
        "cells of its region the loop passes through. Where two cells in different regions share a "
        "side, the loop passes through at least one of them."
    )
    example = Example(
        "..... ..... ....2 ..... .....",
        (((0, 0), "RRRRDLDLULDDRRDLLLUUUU"),),
        {"regions": ["aaaab", "acbbb", "acbbd", "accdd", "aaadd"]},
    )
    region_clues = True
    difficulties: ClassVar = labelled(easy=35, normal=35, tricky=81, hard=99)
    clue = "a number of cells from 1"
    min_clue = 1
    pzpr = Pzpr("hex", {("country", ""): None}, by_region=True)
    visits = 1

    def constrain(self, rules: LoopRules) -> None:
        """Add the constraints of borders, and of the numbers of visited cells in regions."""
        super().constrain(rules)
        for one, other in borders(self.regions):
            if self.avoided.isdisjoint((one, other)):
                rules.clause(rules.visited(one), rules.visited(other))
        for cells, _, number in self.clues_by_region():
            rules.count(map(rules.visited, cells), [number])

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each border crossed wrongly, and each number with a wrong count."""
        yield from super().clue_faults(lines)
        for one, other in borders(self.regions):
            if not {one, other} & ({*lines} | self.avoided):
                yield f"neither {place_of(one)} is visited nor {place_of(other)}, across a border"
        yield from self.region_faults(
            lambda cells: sum(map(lines.__contains__, cells)), "cells are visited"
        )

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the number of each region that the loop visits, in its first cell."""
        found = self.region_numbers(lambda cells: sum(map(lines.__contains__, cells)))
        return ((cell, number) for cell, number in found if number)

"""Maxi Loop: a loop through all cells, with the length of the longest visit of a region."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import FALSE, LoopRules
from linkoracle.kinds.lines import DIRECTIONS, Lines, reached, step
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Pzpr
from linkoracle.kinds.regions import RegionPuzzle


class MaxiLoop(RegionPuzzle):
    """A Maxi Loop of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 1, of -1 (``?``) for an unknown number, or ``None``, one at
    most in each of the ``regions``. The loop visits every cell. A number is the most cells of its
    region through which the loop passes one after the other.

    >>> from linkoracle import count
    >>> regions = ["abbb", "aaab", "aaab", "cccb"]
    >>> count(MaxiLoop([".6..", "....", "....", "3..."], regions=regions))
    1
    """

    kind = "maxiloop"
    title = "Maxi Loop"
    instruction = (
        f"{LOOP}, and passes through every cell. A number shows the length, in cells, of the "
        "longest visit of the loop to its region."
    )
    example = Example(
        "...... .7.... ...... .2.2.. ....2. ......",
        (((0, 0), "RRRDRURDDDDDLUUULLULDDRRDDLULDLUUUUU"),),
        {"regions": ["abbccc", "addccc", "addddc", "aeefdg", "hhhfig", "hhhhig"]},
    )
    every_cell = True
    region_clues = True
    min_clue = 1
    clue = "a number of cells from 1, or '?' (-1)"
    symbols: ClassVar = {-1: "?"}
    unknown = -1
    drawn_visits = 1
    pzpr = Pzpr("hex_or_unknown", {("maxi", ""): None}, by_region=True)

    def constrain(self, rules: LoopRules) -> None:
        """Number the cells of each visit, in one direction of travel, up to the number.

        Literal n of a cell: this visit has passed at least n cells there.
        """
        for cells, place, number in self.numbers_by_region():
            rules.about("clue", place)
            inside = {*cells}
            alone = len(self.cells_by_region()) == 1
            if alone or number > len(cells):
                # The loop never leaves a single region.
                if number != len(cells):
                    rules.clause()
                continue
            passed = {cell: [rules.variable() for _ in range(2, number + 1)] for cell in cells}
            for cell in cells:
                for direction in DIRECTIONS:
                    if (line := rules.line(cell, direction)) == FALSE:
                        continue
                    away, before = rules.onward(cell, direction), step(cell, direction)
                    if before not in inside:
                        # The visit begins here.
                        for more in passed[cell]:
                            rules.clause(-line, away, -more)
                        continue
                    longer = [*passed[cell], FALSE]
                    for one, other in zip([-FALSE, *passed[before]], longer, strict=True):
                        rules.clause(-line, away, -one, other)
                        rules.clause(-line, away, one, -other)
            if number > 1:
                rules.clause(*(passed[cell][-1] for cell in cells))

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each number that is not the length of the longest visit."""
        return self.region_faults(partial(_longest, lines), "cells are in the longest visit")

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the number of each region in its first cell."""
        return self.region_numbers(partial(_longest, lines))


def _longest(lines: Lines, cells: list[Cell]) -> int:
    """Return the number of cells of the longest visit of these cells."""
    inside = {*cells}
    return max(len(reached(cell, lambda one: lines[one] & inside)) for cell in cells)

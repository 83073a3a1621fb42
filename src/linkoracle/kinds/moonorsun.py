"""Moon or Sun: a loop past all moons or all suns of each region, in turns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from linkoracle.core import PuzzleError
from linkoracle.kinds.cell_loops import FALSE, LoopRules, circle_figure
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Figure, Pzpr, place_of
from linkoracle.kinds.regions import RegionPuzzle, borders


class MoonOrSun(RegionPuzzle):
    """A Moon or Sun of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of ``"w"`` for a sun, ``"b"`` for a moon, or ``None``. The loop enters and
    leaves each of the ``regions`` once, if there are several. There it visits all moons and no sun,
    or all suns and no moon, and at least one of them. After a region of moons it enters one of
    suns, and after suns moons.

    >>> from linkoracle import count
    >>> regions = ["abbb", "accb", "accc", "ddcc"]
    >>> count(MoonOrSun(["wb..", ".w..", "...w", "b..b"], regions=regions))
    1
    """

    kind = "moonorsun"
    title = "Moon or Sun"
    instruction = (
        f"{LOOP}. It enters every region exactly once, and leaves it once. In each region it "
        "passes through all moons (black circles) and no sun (white circles), or through all suns "
        "and no moon, but at least through one of them. After a region of moons comes one of suns, "
        "and after suns come moons."
    )
    example = Example(
        ".b.bw ..... .wb.b w...w b.b..",
        (((0, 2), "RDRDLLDRRDLLLULURURU"),),
        {"regions": ["aabbb", "aaabb", "aabbb", "aaccc", "adddd"]},
    )
    unit = "circles"
    words = "[wb]"
    clue = "a sun 'w' or a moon 'b'"
    pzpr = Pzpr("pearls", {("moonsun", ""): None})
    visits = 1

    def constrain(self, rules: LoopRules) -> None:
        """Require moons or suns in each region, in turns along the loop."""
        super().constrain(rules)
        moons = []
        for cells in self.cells_by_region():
            rules.about("circles", cells[0])
            circles = [(cell, self.grid[cell[0]][cell[1]]) for cell in cells]
            # Literals, all of which are true if the region has moons, and none if it has suns.
            signs = [
                rules.visited(cell) * (1 if circle == "b" else -1)
                for cell, circle in circles
                if circle
            ]
            for sign, next_sign in pairwise(signs):
                rules.same(sign, next_sign)
            sorts = {circle for _, circle in circles} - {None}
            if len(sorts) == 1:
                rules.clause(signs[0] if sorts == {"b"} else -signs[0])
            elif not sorts:
                rules.clause()
            moons.append((signs or [FALSE])[0])
        rules.about()
        for one, other in borders(self.regions):
            if self.avoided.isdisjoint((one, other)):
                near, far = (moons[self.region_of(cell) or 0] for cell in (one, other))
                rules.clause(-rules.line_between(one, other), near, far)
                rules.clause(-rules.line_between(one, other), -near, -far)

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each region with both or neither, and two of one sort in a row."""
        yield from super().clue_faults(lines)
        sorts = []
        for cells in self.cells_by_region():
            circles = {self.grid[row][col] for row, col in cells if (row, col) in lines} - {None}
            missed = {self.grid[row][col] for row, col in cells if (row, col) not in lines}
            sorts.append(circles)
            if len(circles) != 1 or circles & missed:
                yield f"the region of {place_of(cells[0])} does not have all moons, or all suns"
        for one, other in borders(self.regions):
            if (
                lines.has_edge(one, other)
                and sorts[self.region_of(one) or 0] == sorts[self.region_of(other) or 0]
            ):
                yield f"the loop finds the same on both sides of the border at {place_of(one)}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield moons in the first region along the loop, suns in the next, in visited cells."""
        sort = {self.region_of(cell): "bw"[at % 2] for at, cell in enumerate(self._entered(lines))}
        for cell in self.cells():
            moon = sort.get(self.region_of(cell)) == "b"
            if cell not in self.avoided:
                yield cell, "b" if moon == (cell in lines) else "w"

    def _entered(self, lines: Lines) -> list[Cell]:
        """Return the cell by which the loop enters each region, in order."""
        walk = lines.walk()
        changes = [
            cell
            for before, cell in pairwise([*walk[-1:], *walk])
            if self.region_of(before) != self.region_of(cell)
        ]
        if len(changes) % 2:
            raise PuzzleError("expected an even number of regions along the loop")
        return changes or walk[:1]

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: a circle."""
        yield circle_figure(cell, clue)

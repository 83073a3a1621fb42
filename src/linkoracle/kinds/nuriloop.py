"""Nuri-Loop: a loop around areas of given sizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import FALSE, TRUE, CellLoop, LoopRules
from linkoracle.kinds.lines import DIRECTIONS, Lines, reached, step
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Pzpr, place_of


class NuriLoop(CellLoop):
    """A Nuri-Loop of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 1, of -1 (``?``) for an unknown number, or ``None``. The loop
    leaves out all cells with numbers. Cells without a line form areas of neighbours; each has
    exactly one number, which is its number of cells.

    >>> from linkoracle import count
    >>> count(NuriLoop(["4....", "...2.", ".....", ".1...", "....."]))
    1
    """

    kind = "nuriloop"
    title = "Nuri-Loop"
    instruction = (
        f"{LOOP}, and passes through no cell with a number. The cells that it leaves out form "
        "areas of cells that share sides. Every area contains exactly one number, which shows how "
        "many cells it has. A question mark is any number."
    )
    example = Example("..... .1... ..?.. ..... ...2.", (((0, 0), "RRDRURDDDLLDLLURULUU"),))
    avoids_clues = True
    min_clue = 1
    symbols: ClassVar = {-1: "?"}
    clue = "a number of cells from 1, or '?' (-1)"
    unknown = -1
    general_rule = "The rule that the loop leaves out an area for each number"
    pzpr = Pzpr("hex_or_unknown", {("nuriloop", ""): None})

    def constrain(self, rules: LoopRules) -> None:
        """Give each unvisited cell to a number, which reaches it by steps within its area."""
        owners: dict[Cell, list[int]] = {cell: [] for cell in self.cells()}
        for cell, number in self.clue_cells():
            size = number if number > 0 else self.rows * self.cols
            # Literal of each cell: the number reaches it by at most so many steps.
            near = {cell: TRUE}
            for _ in range(min(size, self.rows * self.cols) - 1):
                near = self._spread(rules, near)
            for one, inside in near.items():
                owners[one].append(inside)
                for other in self._beside(one):
                    rules.clause(-inside, near.get(other, FALSE), rules.visited(other))
            for other, _ in self.clue_cells():
                if other != cell:
                    rules.clause(-near.get(other, FALSE))
            if number > 0:
                rules.count(near.values(), [number])
        for cell, some in owners.items():
            rules.clause(rules.visited(cell), *some)

    def _spread(self, rules: LoopRules, near: dict[Cell, int]) -> dict[Cell, int]:
        """Return the literals after one more step."""
        wider = {other for cell in near for other in (cell, *self._beside(cell))}
        found = {}
        for cell in sorted(wider):
            if near.get(cell) == TRUE:
                found[cell] = TRUE
                continue
            found[cell] = rules.variable()
            rules.clause(-found[cell], -rules.visited(cell))
            before = (near.get(other, FALSE) for other in (cell, *self._beside(cell)))
            rules.clause(-found[cell], *before)
        return found

    def _beside(self, cell: Cell) -> list[Cell]:
        return list(filter(self.has, (step(cell, direction) for direction in DIRECTIONS)))

    def areas(self, lines: Lines) -> list[set[Cell]]:
        """Return the areas that the loop leaves out."""
        free = {cell for cell in self.cells() if cell not in lines}
        found = []
        while free:
            found.append(reached(min(free), lambda cell: {*self._beside(cell)} - {*lines}))
            free -= found[-1]
        return found

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each area without one number that is its size."""
        for area in self.areas(lines):
            numbers = [self.grid[row][col] for row, col in area if self.grid[row][col] is not None]
            if len(numbers) != 1:
                yield f"the area of {place_of(min(area))} has {len(numbers)} numbers"
            elif numbers[0] not in (-1, len(area)):
                yield f"the area of {place_of(min(area))} has {len(area)} cells"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the size of each area in its first cell."""
        return ((min(area), len(area)) for area in self.areas(lines))

"""A kind of an author, by docs/kinds.md: without one of its clues, a solution breaks a rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import linkoracle
from linkoracle.kinds import CellLoop, Figure, Lines, LoopRules, place_of, step

Cell = tuple[int, int]


def turns_along(lines: Lines) -> list[Cell]:
    """Return the cells in which a loop turns, in its order."""
    return [cell for cell in lines.walk() if lines.turns(cell)]


@linkoracle.register
class EverySecondTurn(CellLoop):
    """One loop through all cells; the circles are at every second of its turns."""

    kind = "everysecondturn"
    title = "Every Second Turn"
    unit = "circles"
    words = "o"
    clue = "a circle 'o'"
    instruction = "Draw one loop through all cells. Every second turn is at a circle."
    every_cell = True

    def constrain(self, rules: LoopRules) -> None:
        circles = dict(self.clue_cells())
        for cell in circles:
            rules.turn(cell)
        for cell in self.cells():
            for ahead, back in ("ew", "sn"):
                other, missing = step(cell, ahead), [-rules.line(cell, ahead)]
                while rules.has(other):
                    if (cell in circles) == (other in circles):
                        # Of the two ends of a straight piece, one has a circle.
                        rules.clause(*missing, rules.line(cell, back), rules.line(other, ahead))
                    missing.append(-rules.line(other, ahead))
                    other = step(other, ahead)

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        circles, turns = dict(self.clue_cells()), turns_along(lines)
        for one, other in zip(turns, [*turns[1:], turns[0]], strict=True):
            if (one in circles) == (other in circles):
                yield f"of the turns {place_of(one)} and {place_of(other)}, one needs a circle"
        for cell in circles.keys() - turns:
            yield f"the loop does not turn at the circle at {place_of(cell)}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        return ((cell, "o") for cell in turns_along(lines)[::2])

    def clue_figures(self, cell: Cell, _clue: str) -> Iterator[Figure]:
        yield Figure("white", cell)

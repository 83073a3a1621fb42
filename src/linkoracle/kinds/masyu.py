"""Masyu: one loop through all pearls, which turns at black ones and not at white ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from linkoracle.kinds.cell_loops import CellLoop, LoopRules, circle_figure
from linkoracle.kinds.lines import DIRECTIONS, Lines, step
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Figure, Pzpr, place_of


class Masyu(CellLoop):
    """A Masyu of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of ``"w"`` for a white pearl, ``"b"`` for a black one, or ``None``. The loop
    visits every pearl. It goes straight on at a white pearl and turns in the cell before it, the
    cell after it, or both. It turns at a black pearl and goes straight on in the cells before and
    after it.

    >>> from linkoracle import count
    >>> count(Masyu(["..w.", "..b.", "....", "...."]))
    1
    """

    kind = "masyu"
    title = "Masyu"
    instruction = (
        f"{LOOP}, and passes through every circle. At a black circle it turns, and goes straight "
        "on in the cells before and after. At a white circle it goes straight on, and turns in the "
        "cell before it, in the cell after it, or in both."
    )
    example = Example("..... .w.w. .ww.. .w... .....", (((1, 0), "RRRRDDDLLLLURRRULLLU"),))
    unit = "pearls"
    words = "[wb]"
    clue = "a pearl 'w' (white) or 'b' (black)"
    pzpr = Pzpr("pearls", {("mashu", ""): None, ("masyu", ""): None, ("pearl", ""): None})

    def constrain(self, rules: LoopRules) -> None:
        """Add the constraints of pearls on lines near them."""
        for cell, pearl in self.clue_cells():
            rules.visit(cell)
            rules.about("clue", cell)
            if pearl == "b":
                rules.turn(cell)
                for ahead in DIRECTIONS:
                    rules.clause(-rules.line(cell, ahead), rules.line(step(cell, ahead), ahead))
            else:
                rules.straight(cell)
                for ahead, back in ("ns", "ew"):
                    beyond = (
                        rules.line(step(cell, ahead), ahead),
                        rules.line(step(cell, back), back),
                    )
                    rules.clause(-rules.line(cell, ahead), *(-line for line in beyond))

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each pearl that lines do not pass as its colour requires."""
        for cell, pearl in self.clue_cells():
            if cell not in lines:
                yield f"no line passes the pearl at {place_of(cell)}"
            elif pearl != _pearl(lines, cell):
                colour = {"w": "white", "b": "black"}[pearl]
                yield f"the line is wrong at or beside the {colour} pearl at {place_of(cell)}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield all pearls that a loop allows."""
        for cell in lines:
            if pearl := _pearl(lines, cell):
                yield cell, pearl

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: a pearl."""
        yield circle_figure(cell, clue)


def _pearl(lines: Lines, cell: Cell) -> str | None:
    """Return the pearl that fits the loop in a visited cell; ``None`` if none does."""
    turns = [lines.turns(beside) for beside in lines[cell]]
    if lines.turns(cell):
        return None if any(turns) else "b"
    return "w" if any(turns) else None

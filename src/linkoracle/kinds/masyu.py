"""Masyu: one loop through all pearls, which turns at black ones and not at white ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import FALSE, FILL, CellLoop, LoopRules, circle_figure
from linkoracle.kinds.lines import DIRECTIONS, Lines, step
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Figure, Pzpr, place_of


class Masyu(CellLoop):
    """A Masyu of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of ``"w"`` for a white pearl, ``"b"`` for a black one, ``"?"`` for one of
    either colour, or ``None``. The loop visits every pearl, and in the variant ``"fill"`` every
    cell. It goes straight on at a white pearl and turns in the cell before it, the cell after it,
    or both. It turns at a black pearl and goes straight on in the cells before and after it. In the
    variant ``"all"``, no pearl would fit the loop in a cell without one.

    >>> from linkoracle import count
    >>> count(Masyu(["..w.", "..b.", "....", "...."]))
    1
    """

    kind = "masyu"
    title = "Masyu"
    variants: ClassVar = {**FILL, "all": "all pearls given"}
    instructions: ClassVar = {
        variant: f"{LOOP}, and passes through every {place}. At a black circle it turns, and goes "
        "straight on in the cells before and after. At a white circle it goes straight on, and "
        "turns in the cell before it, in the cell after it, or in both. A grey circle is white or "
        f"black.{more}"
        for variant, place, more in (
            ("loop", "circle", ""),
            ("fill", "cell", ""),
            ("all", "circle", " There is a circle in every cell where one could be."),
        )
    }
    examples: ClassVar = {
        "loop": Example("..... .w.w. .ww.. .w... .....", (((1, 0), "RRRRDDDLLLLURRRULLLU"),)),
        "fill": Example(
            "...... ....b. b..... ...... ...... .w....",
            (((0, 0), "RRRRRDDDDDLLLLLUUURRRDLLDRRRUUULLLLU"),),
        ),
        "all": Example(
            "bw..wb w....w ....w. ...wb. .....w ..w...",
            (((0, 0), "RRRRRDDDDDLULDLLURURRUULDLULDLUU"),),
        ),
    }
    unit = "pearls"
    words = "[wb?]"
    clue = "a pearl 'w' (white), 'b' (black) or '?' (either)"
    unknown = "?"
    pzpr = Pzpr(
        "pearls",
        {
            ("mashu", ""): "loop",
            ("mashu", "f"): "fill",
            ("masyu", ""): "loop",
            ("pearl", ""): "loop",
        },
    )

    def constrain(self, rules: LoopRules) -> None:
        """Add the constraints of pearls on lines near them."""
        for cell, _ in self.clue_cells():
            rules.visit(cell)
        for cell, pearl in self.clue_cells():
            rules.about("clue", cell)
            beyond = {d: rules.line(step(cell, d), d) for d in DIRECTIONS}
            if pearl == "b":
                rules.turn(cell)
                for ahead in DIRECTIONS:
                    rules.clause(-rules.line(cell, ahead), beyond[ahead])
                continue
            if pearl == "w":
                rules.straight(cell)
            for ahead, back in ("ns", "ew"):
                # A white pearl has the second line if it has the first.
                other = -rules.line(cell, back) if pearl == "?" else FALSE
                rules.clause(-rules.line(cell, ahead), other, -beyond[ahead], -beyond[back])
            for ahead, beside in permutations(DIRECTIONS, 2) if pearl == "?" else ():
                if {ahead, beside} not in ({*"ns"}, {*"ew"}):
                    turn = -rules.line(cell, ahead), -rules.line(cell, beside)
                    rules.clause(*turn, beyond[ahead])
        if self.variant == "all":
            rules.about()
            pearls = dict(self.clue_cells())
            for cell in self.cells():
                if cell not in pearls:
                    self._fit_none(rules, cell)

    @staticmethod
    def _fit_none(rules: LoopRules, cell: Cell) -> None:
        """Require that no pearl fits a cell: a turn is beside another, a straight cell is not."""
        for one, other in combinations(DIRECTIONS, 2):
            lines = -rules.line(cell, one), -rules.line(cell, other)
            ahead = [rules.line(step(cell, way), way) for way in (one, other)]
            if {one, other} in ({*"ns"}, {*"ew"}):
                for line in ahead:
                    rules.clause(*lines, line)
            else:
                rules.clause(*lines, *(-line for line in ahead))

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each pearl that lines do not pass as its colour requires."""
        for cell, pearl in self.clue_cells():
            if cell not in lines:
                yield f"no line passes the pearl at {place_of(cell)}"
            elif _pearl(lines, cell) not in ({"w", "b"} if pearl == "?" else {pearl}):
                colour = {"w": "white ", "b": "black ", "?": ""}[pearl]
                yield f"the line is wrong at or beside the {colour}pearl at {place_of(cell)}"
        pearls = dict(self.clue_cells())
        for cell in lines if self.variant == "all" else ():
            if cell not in pearls and _pearl(lines, cell):
                yield f"a pearl would fit at {place_of(cell)}, where none is given"

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

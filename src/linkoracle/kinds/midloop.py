"""Mid-Loop: a loop past dots in cells and on borders, which halve its straight lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import FILL, CellLoop, LoopRules
from linkoracle.kinds.lines import DIRECTIONS, OPPOSITE, Lines, step
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Pzpr, format_edge, place_of
from linkoracle.kinds.sides import SidePuzzle


class MidLoop(SidePuzzle, CellLoop):
    """A Mid-Loop of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words for dots, or ``None``: ``o`` for a dot in the middle of the cell,
    ``e`` and ``s`` for one on its right and lower side, or several, such as ``"es"``. The loop
    passes through every dot, and in the variant ``"fill"`` through every cell. A dot is in the
    middle of a straight line of the loop.

    >>> from linkoracle import count
    >>> count(MidLoop([".o..", "s.e.", "....", ".o.."]))
    1
    """

    kind = "midloop"
    title = "Mid-Loop"
    variants: ClassVar = FILL
    instructions: ClassVar = {
        variant: f"{LOOP}, and passes through every dot{more}. Each dot is in the middle of a "
        "straight line of the loop, measured between its turns."
        for variant, more in (("loop", ""), ("fill", " and every cell"))
    }
    examples: ClassVar = {
        "loop": Example(".s..s ..... .s... ...o. .e...", (((0, 1), "RRRDLLDRDDLLLURULURU"),)),
        "fill": Example(
            ". e . . . ./. o . . . ./. . . es . ./. . o . s ./. . . . . ./. . . . . .",
            (((0, 0), "RRRDRURDDDDDLUUULDLLDRRDLLLUUURRULLU"),),
        ),
    }
    pzpr = Pzpr("dots", {("midloop", ""): "loop", ("midloop", "f"): "fill"}, layout="sides")

    def constrain(self, rules: LoopRules) -> None:
        """Require lines of equal length on both sides of dots."""
        for cell in self.middles():
            rules.visit(cell)
        for cell in self.middles():
            rules.about("clue", cell)
            for ways in ("ns", "ew"):
                rules.balance(*(rules.ray(cell, way) for way in ways))
        for cell, way in self.sides():
            rules.about("clue", cell)
            rules.clause(rules.line(cell, way))
            rules.balance(rules.ray(cell, OPPOSITE[way]), rules.ray(step(cell, way), way))

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each dot that is not in the middle of a straight line."""
        for cell in self.middles():
            if cell not in lines or any(
                lines.arm(cell, one) != lines.arm(cell, other) for one, other in ("ns", "ew")
            ):
                yield f"the dot at {place_of(cell)} is not in the middle of a straight line"
        for cell, way in self.sides():
            if not _halves(lines, cell, way):
                ends = format_edge((cell, step(cell, way)))
                yield f"the dot between {ends} is not in the middle of a straight line"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the dots that halve the straight lines of a loop."""
        for cell in sorted(lines):
            arms = {way: lines.arm(cell, way) for way in DIRECTIONS}
            word = "o" if arms["n"] == arms["s"] and arms["e"] == arms["w"] else ""
            word += "".join(way for way in "es" if _halves(lines, cell, way))
            if word:
                yield cell, word


def _halves(lines: Lines, cell: Cell, way: str) -> bool:
    """Return whether a line that leaves a cell is in the middle of a straight line."""
    beyond = step(cell, way)
    if not lines.has_edge(cell, beyond):
        return False
    return lines.arm(cell, OPPOSITE[way]) == lines.arm(beyond, way)

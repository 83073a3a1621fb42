"""Nagareru-Loop: a loop that follows arrows, and turns with the wind."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

from linkoracle.kinds.cell_loops import FALSE, CellLoop, LoopRules
from linkoracle.kinds.lines import DIRECTIONS, Lines, step
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Figure, Pzpr, place_of


class NagareruLoop(CellLoop):
    """A Nagareru-Loop of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words, or ``None``: an arrow (``n``, ``e``, ``s``, ``w``), which the loop
    passes straight in its direction; ``x`` for a closed cell, which the loop leaves out; ``xn`` for
    a closed cell from which wind blows in a direction, up to the next closed cell or the border.
    The loop goes along with the wind, never against it nor straight across it.

    >>> from linkoracle import count
    >>> count(NagareruLoop([". e . .", ". xe . .", ". x . .", ". . . xw"]))
    1
    """

    kind = "nagareruloop"
    title = "Nagareru-Loop"
    instruction = (
        f"{LOOP}, in one direction, and passes through no black cell. It passes straight through "
        "every cell with an arrow, in the direction of the arrow. Wind blows from a black cell in "
        "the direction of its arrow, up to the next black cell or the border. In these cells, the "
        "loop does not go against the wind, and it does not go straight across: it must turn with "
        "the wind after at least one step into it."
    )
    example = Example(
        "xe . . . ./. . . w ./n . . . ./. . . s ./xn . w . .", (((0, 1), "RRRDLLDRDDLLULUURU"),)
    )
    words = "[nesw]|x[nesw]?"
    arrows = True
    clue = "an arrow (n, e, s or w), a closed cell 'x', or one with wind such as 'xn'"
    unknown = "x"
    general_rule = "The rule of one direction along the loop"
    pzpr = Pzpr("winds", {("nagare", ""): None})

    @cached_property
    def avoided(self) -> frozenset[Cell]:
        """The closed cells."""
        return frozenset(cell for cell, word in self.clue_cells() if word[0] == "x")

    def winds(self) -> Iterator[tuple[Cell, str]]:
        """Yield each cell in the wind, and the direction of the wind."""
        for source, word in self.clue_cells():
            cell = source
            while (
                len(word) > 1 and self.has(cell := step(cell, word[1])) and cell not in self.avoided
            ):
                yield cell, word[1]

    def constrain(self, rules: LoopRules) -> None:
        """Require the direction of travel at arrows and in the wind."""
        arrows = [(cell, word) for cell, word in self.clue_cells() if word[0] != "x"]
        for cell, _ in arrows:
            rules.visit(cell)
        for cell, way in arrows:
            rules.about("clue", cell)
            rules.clause(rules.line(cell, way))
            rules.straight(cell)
        rules.about()
        for cell, way in arrows:
            if rules.line(cell, way) != FALSE:
                rules.clause(rules.onward(cell, way))
        for cell, way in self.winds():
            across = (rules.line(cell, d) for d in DIRECTIONS if d not in _along(way))
            rules.clause(*(-line for line in across))
            if (line := rules.line(cell, way)) != FALSE:
                rules.clause(-line, rules.onward(cell, way))

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each arrow or wind violated, in the better direction."""
        for cell, way in self.winds():
            if cell in lines and lines.directions(cell) in {"ns", "ew"} - {_along(way)}:
                yield f"the loop goes across the wind at {place_of(cell)}"
        walk = lines.walk()
        wrong = [[*self._against(lines, one)] for one in (walk, walk[::-1])]
        yield from min(wrong, key=len)

    def _against(self, lines: Lines, walk: list[Cell]) -> Iterator[str]:
        """Yield a sentence for each arrow and wind that a loop in this direction violates."""
        after = dict(zip(walk, [*walk[1:], *walk[:1]], strict=True))
        for cell, way in self.clue_cells():
            if way[0] != "x" and (
                after.get(cell) != step(cell, way) or not lines.goes_straight(cell)
            ):
                yield f"the loop does not follow the arrow at {place_of(cell)}"
        for cell, way in self.winds():
            onward = step(cell, way)
            if lines.has_edge(cell, onward) and after[cell] != onward:
                yield f"the loop goes against the wind at {place_of(cell)}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the arrows of straight lines, and closed cells, with a wind where one fits."""
        walk = lines.walk()
        ways = {
            after: way
            for cell, after in pairwise([*walk[-1:], *walk])
            for way in DIRECTIONS
            if step(cell, way) == after
        }
        for cell in self.cells():
            if cell not in lines:
                fitting = (way for way in DIRECTIONS if self._blows(lines, ways, cell, way))
                yield cell, f"x{next(fitting, '')}"
            elif lines.goes_straight(cell):
                yield cell, ways[cell]

    def _blows(self, lines: Lines, ways: dict[Cell, str], cell: Cell, way: str) -> bool:
        """Return whether wind from a cell fits the loop up to the next cell that it leaves out."""
        found = False
        while (cell := step(cell, way)) in lines:
            onward = step(cell, way)
            across = lines.goes_straight(cell) and ways[cell] not in _along(way)
            if across or (lines.has_edge(cell, onward) and ways[onward] != way):
                return False
            found = True
        return found

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: an arrow, on a black ground if it is a wind."""
        if clue[0] == "x":
            yield Figure("grey", cell, "black")
        if way := clue.removeprefix("x"):
            yield Figure("arrow", cell, way)


def _along(way: str) -> str:
    """Return the directions along an axis, sorted."""
    return "ns" if way in "ns" else "ew"

"""Vertex Slitherlink: a loop between dots; a number counts the dots around it on the loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import CellLoop, LoopRules
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import Cell, Example, Pzpr, place_of


def corners(cell: Cell) -> list[Cell]:
    """Return the dots at the corners of a cell."""
    row, col = cell
    return [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)]


class VertexSlitherlink(CellLoop):
    """A Vertex Slitherlink of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 0 to 4, of -1 (``?``) for an unknown number, or ``None``. The
    loop joins neighbouring dots. A number counts the dots at the four corners of its cell through
    which the loop passes.

    >>> from linkoracle import count
    >>> count(VertexSlitherlink(["4...", ".4.3", "..32", "1..."]))
    1
    """

    kind = "vertexslitherlink"
    title = "Vertex Slitherlink"
    instruction = (
        "Join neighbouring dots by lines, across or down, so that they form one closed loop. A "
        "number shows through how many of the four dots around it the loop passes."
    )
    example = Example("...2. .222. .22.4 3.... ....4", (((0, 0), "RRDDDDRRUUUURDDDDDLLLLULUUUU"),))
    through_cells = False
    max_clue = 4
    symbols: ClassVar = {-1: "?"}
    clue = "a number from 0 to 4, or '?' (-1)"
    unknown = -1
    pzpr = Pzpr("four_or_unknown", {("vslither", ""): None})

    def constrain(self, rules: LoopRules) -> None:
        """Require that numbers count the visited dots around them."""
        for cell, number in self.clue_cells():
            rules.about("clue", cell)
            if number >= 0:
                rules.count(map(rules.visited, corners(cell)), [number])

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each number that differs from the visited dots around it."""
        for cell, number in self.clue_cells():
            found = sum(map(lines.__contains__, corners(cell)))
            if number not in (-1, found):
                yield f"the loop passes {found} dots around the {number} at {place_of(cell)}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the numbers of all cells."""
        for cell in self.faces.face_names:
            yield cell, sum(map(lines.__contains__, corners(cell)))

"""Loops past closed cells with clues: Castle Wall and Linesweeper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from linkoracle.kinds.cell_loops import CellLoop, LoopRules
from linkoracle.kinds.cell_loops import ahead as ahead_of
from linkoracle.kinds.lines import DIRECTIONS, Lines, around, step
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Figure, Pzpr, place_of


class CastleWall(CellLoop):
    """A Castle Wall of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words for closed cells, which the loop leaves out, or ``None``. A word such
    as ``"2no"`` is a number, the direction of an arrow (n, e, s or w), and a colour. The number
    counts the lines of the loop along the arrow, in its direction from the cell. The colour is
    ``o`` (white) for a cell inside the loop, ``x`` (black) for one outside, and missing (grey) for
    one on either side. The number may be unknown, as in ``"no"``, and a colour may stand alone;
    ``"?"`` is a grey cell without both.

    >>> from linkoracle import count
    >>> count(CastleWall(["2ex . . .", ". . 1wo .", ". . . ."]))
    1
    """

    kind = "castlewall"
    title = "Castle Wall"
    instruction = (
        f"{LOOP}, and passes through no framed cell. White framed cells are inside the loop, black "
        "ones are outside, and grey ones may be either. A number shows how many steps of the loop "
        "from cell to cell lie in the direction of its arrow and run along it."
    )
    example = Example(
        ". . 2sx . ./. . . . ./. . . . ./2ex . . . ./1nx . . 2nx .",
        (((0, 3), "RDDDLLDLUULURRDRUU"),),
    )
    avoids_clues = True
    words = r"[0-9]{0,3}[nesw][ox]?|[ox?]"
    arrows = True
    clue = "a number, an arrow and a colour such as '2no' or '2n', a colour 'o' or 'x', or '?'"
    unknown = "?"
    pzpr = Pzpr("walls", {("castle", ""): None})

    def constrain(self, rules: LoopRules) -> None:
        """Add the constraints of arrows, and of cells inside and outside the loop.

        A cell is inside if a ray to the north, a little to the right of it, crosses an odd number
        of lines: those to the east of the cells above.
        """
        for cell, word in self.clue_cells():
            rules.about("clue", cell)
            if len(number := word.rstrip("ox?")) > 1:
                rules.count(rules.ray(cell, number[-1]), [int(number[:-1])])
            if word[-1] in "ox":
                row, col = cell
                crossed = [rules.line((above, col), "e") for above in range(row)]
                rules.count(crossed, range(word[-1] == "o", row + 1, 2))

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each wrong arrow, and each cell on the wrong side of the loop."""
        for cell, word in self.clue_cells():
            if len(number := word.rstrip("ox?")) > 1:
                found = self._along(lines, cell, number[-1])
                if found != int(number[:-1]):
                    yield f"the arrow {number} at {place_of(cell)} counts {found} lines"
            if word[-1] in "ox" and lines.encloses(cell) != (word[-1] == "o"):
                side = "outside" if word[-1] == "o" else "inside"
                yield f"the cell at {place_of(cell)} is {side} the loop"

    def _along(self, lines: Lines, cell: Cell, direction: str) -> int:
        places = [step(cell, direction, length) for length in range(max(self.rows, self.cols))]
        return sum(lines.has_edge(one, step(one, direction)) for one in places)

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield arrows and a colour in each unvisited cell; the arrow that counts most comes last.

        None points to the border beside it.
        """
        for cell in self.cells():
            if cell not in lines:
                colour = "o" if lines.encloses(cell) else "x"
                counts = {d: self._along(lines, cell, d) for d in DIRECTIONS}
                every = sorted(DIRECTIONS, key=counts.__getitem__)
                ahead = [d for d in every if ahead_of(self.lattice, cell, d) > 1]
                for direction in ahead or every[-1:]:
                    yield cell, f"{counts[direction]}{direction}{colour}"

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: a coloured cell with its number and arrow."""
        yield Figure("grey", cell, {"o": "white", "x": "black"}.get(clue[-1], "grey"))
        if number := clue.rstrip("ox?"):
            yield Figure("arrow", cell, number)


class LineSweeper(CellLoop):
    """A Linesweeper of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 0 to 8, or ``None``. The loop leaves out all cells with
    numbers. A number counts the visited cells among the up to eight cells around it.

    >>> from linkoracle import count
    >>> count(LineSweeper(["...3", "....", ".8..", "...."]))
    1
    """

    kind = "linesweeper"
    title = "Linesweeper"
    instruction = (
        f"{LOOP}, and passes through no cell with a number. A number shows through how many of the "
        "eight cells around it, diagonal ones too, the loop passes."
    )
    example = Example("..... .7... ..7.4 ..... .....", (((0, 0), "RRDRDDRDLLULULUU"),))
    avoids_clues = True
    max_clue = 8
    clue = "a number from 0 to 8"

    def constrain(self, rules: LoopRules) -> None:
        """Require that numbers count the visited cells around them."""
        for cell, number in self.clue_cells():
            rules.about("clue", cell)
            rules.count(map(rules.visited, around(cell)), [number])

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each number that differs from the visited cells around it."""
        for cell, number in self.clue_cells():
            if (found := sum(one in lines for one in around(cell))) != number:
                yield f"the loop visits {found} cells around the {number} at {place_of(cell)}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the numbers of all cells that the loop leaves out."""
        for cell in self.cells():
            if cell not in lines:
                yield cell, sum(one in lines for one in around(cell))

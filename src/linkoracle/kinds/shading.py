"""Loops past shaded cells, no two of which are neighbours: Yajilin and Koburin, and by region."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from linkoracle.board import Solution
from linkoracle.kinds.cell_loops import CellLoop, LoopRules
from linkoracle.kinds.lines import DIRECTIONS, Lines, step
from linkoracle.kinds.puzzle import Cell, Example, Figure, Pzpr, place_of
from linkoracle.kinds.regions import RegionPuzzle


class ShadingLoop(CellLoop):
    """Base of kinds whose loop leaves out shaded cells, no two of which are neighbours.

    All cells that the loop leaves out are shaded, unless they are ``avoided``.
    """

    cell_words = ("not shaded", "shaded")
    general_rule = "The rule that shaded cells do not touch"

    def constrain(self, rules: LoopRules) -> None:
        """Require that the loop visits one of any two neighbours, unless one of them is avoided."""
        for cell in self.cells():
            for other in (step(cell, "e"), step(cell, "s")):
                if rules.has(other) and self.avoided.isdisjoint((cell, other)):
                    rules.clause(rules.visited(cell), rules.visited(other))

    def count_shaded(self, rules: LoopRules, cells: Iterable[Cell], number: int) -> None:
        """Require that ``number`` of these cells are shaded; cells off the board are not."""
        may_be = [cell for cell in cells if rules.has(cell) and cell not in self.avoided]
        rules.count([-rules.visited(cell) for cell in may_be], [number])

    def shaded(self, lines: Lines) -> set[Cell]:
        """Return the cells that are shaded when these lines are the loop."""
        return {cell for cell in self.cells() if cell not in lines and cell not in self.avoided}

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each pair of shaded neighbours, and each clue with a wrong count."""
        shaded = self.shaded(lines)
        for cell in sorted(shaded):
            for other in (step(cell, "e"), step(cell, "s")):
                if other in shaded:
                    yield f"shaded cells touch at {place_of(cell)} and {place_of(other)}"
        yield from self.number_faults(shaded)

    def number_faults(self, shaded: set[Cell]) -> Iterator[str]:
        """Yield a sentence for each clue that does not fit these shaded cells."""
        raise NotImplementedError

    def closed_cells(self, lines: Lines) -> tuple[set[Cell], list[Cell]]:
        """Divide unvisited cells into shaded cells, no two of which are neighbours, and others.

        Cells that are ``avoided`` are among the others.
        """
        shaded: set[Cell] = set()
        closed = []
        for cell in self.cells():
            if cell in lines:
                continue
            if cell in self.avoided or {step(cell, "n"), step(cell, "w")} & shaded:
                closed.append(cell)
            else:
                shaded.add(cell)
        return shaded, closed

    def solution_figures(self, solution: Solution) -> Iterator[Figure]:
        """Yield what a solution shows besides its lines: the shaded cells."""
        for cell in sorted(self.shaded(Lines.of(solution))):
            yield Figure("shaded", cell)


class Yajilin(ShadingLoop):
    """A Yajilin of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words for closed cells, which the loop leaves out, or ``None``. A word such
    as ``"2n"`` is the number of shaded cells in the direction of an arrow (n, e, s or w). ``"x"``
    is a closed cell without a number. Any other cell is visited by the loop or shaded, and no two
    shaded cells are neighbours.

    >>> from linkoracle import count
    >>> count(Yajilin([". . . .", ". . . .", ". 1w . ."]))
    1
    """

    kind = "yajilin"
    title = "Yajilin"
    instruction = (
        "Shade some white cells, no two of which share a side, and draw one closed loop that runs "
        "from cell to neighbouring cell, across or down, and passes through all other white cells. "
        "Neither happens in the grey cells. A number shows how many cells are shaded in the "
        "direction of its arrow."
    )
    example = Example(
        ". 1e . . ./. . . . 1n/. . . . ./. . . 1w ./. . . . .",
        (((0, 2), "RDDRDDLLLULUURDRUU"),),
    )
    avoids_clues = True
    words = "[0-9]{1,3}[nesw]|x"
    arrows = True
    clue = "a number and an arrow such as '2n' (n, e, s or w), or 'x'"
    unknown = "x"
    pzpr = Pzpr("arrows", {("yajilin", ""): None, ("yajilin", "b"): None})

    def constrain(self, rules: LoopRules) -> None:
        """Require that no shaded cells are neighbours, and that arrows count them."""
        super().constrain(rules)
        for cell, word in self.clue_cells():
            rules.about("clue", cell)
            if word != "x":
                self.count_shaded(rules, self._along(cell, word[-1]), int(word[:-1]))

    def number_faults(self, shaded: set[Cell]) -> Iterator[str]:
        """Yield a sentence for each arrow that differs from the shaded cells in its direction."""
        for cell, word in self.clue_cells():
            if word != "x":
                found = len(shaded.intersection(self._along(cell, word[-1])))
                if found != int(word[:-1]):
                    yield f"the arrow {word} at {place_of(cell)} counts {found} shaded cells"

    def _along(self, cell: Cell, direction: str) -> list[Cell]:
        """Return the cells in this direction, and some off the board, which are never shaded."""
        return [step(cell, direction, length) for length in range(1, max(self.rows, self.cols))]

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield an arrow in each closed cell, in the direction with the most shaded cells."""
        shaded, closed = self.closed_cells(lines)
        for cell in closed:
            counts = {d: len(shaded.intersection(self._along(cell, d))) for d in DIRECTIONS}
            best = max(counts, key=lambda d: counts[d])
            yield cell, f"{counts[best]}{best}"

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: a grey cell with its number and arrow."""
        yield Figure("grey", cell)
        if clue != "x":
            yield Figure("arrow", cell, clue)


class RegionalYajilin(ShadingLoop, RegionPuzzle):
    """A Regional Yajilin of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers or ``None``, one number at most in each of the ``regions``: the
    number of its shaded cells. The loop visits all cells that are not shaded, and no two
    shaded cells are neighbours.

    >>> from linkoracle import count
    >>> count(RegionalYajilin(["2...", "....", "...."], regions=["abbc", "aaaa", "ddde"]))
    1
    """

    kind = "regionalyajilin"
    title = "Regional Yajilin"
    instruction = (
        "Shade some cells, no two of which share a side, and draw one closed loop that runs from "
        "cell to neighbouring cell, across or down, and passes through all other cells. A number "
        "shows how many cells are shaded in its region, and may be shaded itself."
    )
    example = Example(
        "32... ..... ..... ..... .....",
        (((0, 1), "RRDRDDDLUULDLDLUUURU"),),
        {"regions": ["abbbb", "abbbc", "aaabc", "daabc", "eaacc"]},
    )
    region_clues = True
    clue = "a number of shaded cells"
    pzpr = Pzpr("hex", {("yajilin-regions", ""): None}, by_region=True)

    def constrain(self, rules: LoopRules) -> None:
        """Require that no shaded cells are neighbours, and that numbers count them by region."""
        super().constrain(rules)
        for cells, cell, number in self.clues_by_region():
            rules.about("clue", cell)
            self.count_shaded(rules, cells, number)

    def number_faults(self, shaded: set[Cell]) -> Iterator[str]:
        """Yield a sentence for each number that differs from the shaded cells of its region."""
        return self.region_faults(lambda cells: len(shaded.intersection(cells)), "cells are shaded")

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the number of each region in its first cell."""
        shaded = self.shaded(lines)
        return self.region_numbers(lambda cells: len(shaded.intersection(cells)))


class Koburin(ShadingLoop):
    """A Koburin of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 0 to 4, of -1 (``?``) for an unknown number, or ``None``. The
    loop leaves out all cells with numbers. A number counts the shaded cells among the up to four
    neighbours of its cell. Any other cell is visited by the loop or shaded, and no two shaded
    cells are neighbours.

    >>> from linkoracle import count
    >>> count(Koburin([".1..", "....", "....", "...1"]))
    1
    """

    kind = "koburin"
    title = "Koburin"
    instruction = (
        "Shade some empty cells, no two of which share a side, and draw one closed loop that runs "
        "from cell to neighbouring cell, across or down, and passes through all other empty cells. "
        "Neither happens in cells with a number. A number shows how many of the cells that share a "
        "side with its own are shaded."
    )
    example = Example("..... 2...1 ..2.. ..... .....", (((0, 1), "RRDDRDLDLLLURUUU"),))
    avoids_clues = True
    max_clue = 4
    symbols: ClassVar = {-1: "?"}
    clue = "a number from 0 to 4, or '?' (-1)"
    unknown = -1
    pzpr = Pzpr("four_or_unknown", {("koburin", ""): None, ("koburin", "b"): None})

    def constrain(self, rules: LoopRules) -> None:
        """Require that no shaded cells are neighbours, and that numbers count them."""
        super().constrain(rules)
        for cell, number in self.clue_cells():
            rules.about("clue", cell)
            if number >= 0:
                self.count_shaded(rules, (step(cell, d) for d in DIRECTIONS), number)

    def number_faults(self, shaded: set[Cell]) -> Iterator[str]:
        """Yield a sentence for each number that differs from the shaded cells beside it."""
        for cell, number in self.clue_cells():
            found = _beside(shaded, cell)
            if number not in (-1, found):
                yield f"{found} shaded cells are beside the {number} at {place_of(cell)}"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield a number in each unvisited cell that is not shaded."""
        shaded, closed = self.closed_cells(lines)
        for cell in closed:
            yield cell, _beside(shaded, cell)

    def clue_figures(self, cell: Cell, clue: int) -> Iterator[Figure]:
        """Yield what to draw: a grey cell with its number."""
        yield Figure("grey", cell)
        yield from super().clue_figures(cell, clue)


def _beside(shaded: set[Cell], cell: Cell) -> int:
    return sum(step(cell, d) in shaded for d in DIRECTIONS)

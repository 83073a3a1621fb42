"""Loops past shaded cells, no two of which are neighbours: Yajilin and Koburin, and by region."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any, ClassVar

from linkoracle.board import Lattice, Solution
from linkoracle.kinds.cell_loops import CellLoop, LoopRules
from linkoracle.kinds.lines import DIRECTIONS, Lines, around, step
from linkoracle.kinds.puzzle import Cell, Example, Figure, Pzpr, place_of
from linkoracle.kinds.regions import RegionPuzzle

#: What a heading says of the variant ``outside``, and its rule for players.
_OUTSIDE = "shaded cells outside the loop"
_NONE_INSIDE = " No shaded cell is inside the loop."


class ShadingLoop(CellLoop):
    """Base of kinds whose loop leaves out shaded cells, no two of which are neighbours.

    All cells that the loop leaves out are shaded, unless they are ``avoided``. In variants whose
    name begins with ``outside``, no shaded cell is inside the loop.
    """

    cell_words = ("not shaded", "shaded")
    general_rule = "The rule that shaded cells do not touch"
    variants: ClassVar = {"loop": "", "outside": _OUTSIDE}

    @property
    def outside(self) -> bool:
        """Whether shaded cells must be outside the loop."""
        return self.variant.startswith("outside")

    def constrain(self, rules: LoopRules) -> None:
        """Require that the loop visits one of any two neighbours, unless one of them is avoided."""
        avoided = self.avoided
        rules.clauses.extend(
            clause for pair, clause in _neighbours(rules.board) if avoided.isdisjoint(pair)
        )
        for cell in self.cells() if self.outside else ():
            if cell not in self.avoided:
                rules.clause(rules.visited(cell), -rules.inside(cell))

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
            if self.outside and lines.encloses(cell):
                yield f"the shaded cell at {place_of(cell)} is inside the loop"
        yield from self.number_faults(shaded)

    def number_faults(self, shaded: set[Cell]) -> Iterator[str]:
        """Yield a sentence for each clue that does not fit these shaded cells."""
        raise NotImplementedError

    def choices(self, cell: Cell) -> Iterator[tuple[list[Cell], Callable[[int], Any]]]:
        """Yield the clues that a cell may have: which cells they count, and the clue of a number.

        Some of the cells may be off the board.
        """
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
            inside = self.outside and lines.encloses(cell)
            if cell in self.avoided or inside or {step(cell, "n"), step(cell, "w")} & shaded:
                closed.append(cell)
            else:
                shaded.add(cell)
        return shaded, closed

    def solution_figures(self, solution: Solution) -> Iterator[Figure]:
        """Yield what a solution shows besides its lines: the shaded cells."""
        for cell in sorted(self.shaded(Lines.of(solution))):
            yield Figure("shaded", cell)


# Cached, as generators need the clauses many times.
@lru_cache(maxsize=16)
def _neighbours(board: Lattice) -> list[tuple[tuple[Cell, Cell], tuple[int, int]]]:
    """Return all pairs of neighbours, each with the clause that one of them is visited."""
    found = []
    for edge in range(board.num_edges):
        one, other = board.ends(edge)
        pair = board.position(one), board.position(other)
        found.append((pair, (board.visited(one), board.visited(other))))
    return sorted(found)


class Yajilin(ShadingLoop):
    """A Yajilin of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of words for closed cells, which the loop leaves out, or ``None``. A word such
    as ``"2n"`` is the number of shaded cells in the direction of an arrow (n, e, s or w), which is
    unknown for an arrow alone. ``"x"`` is a closed cell without both. Any other cell is visited by
    the loop or shaded, and no two shaded cells are neighbours. In the variant ``"outside"``, no
    shaded cell is inside the loop.

    >>> from linkoracle import count
    >>> count(Yajilin([". . . .", ". . . .", ". 1w . ."]))
    1
    """

    kind = "yajilin"
    title = "Yajilin"
    instructions: ClassVar = {
        variant: "Shade some white cells, no two of which share a side, and draw one closed loop "
        "that runs from cell to neighbouring cell, across or down, and passes through all other "
        "white cells. Neither happens in the grey cells. A number shows how many cells are shaded "
        f"in the direction of its arrow.{more}"
        for variant, more in (("loop", ""), ("outside", _NONE_INSIDE))
    }
    examples: ClassVar = {
        "loop": Example(
            ". 1e . . ./. . . . 1n/. . . . ./. . . 1w ./. . . . .",
            (((0, 2), "RDDRDDLLLULUURDRUU"),),
        ),
        "outside": Example(
            ". . . . 1w/. . . . ./. . . 1n ./. . . . ./. . . . .",
            (((0, 0), "RRDRRDDLDLLLURRULULU"),),
        ),
    }
    avoids_clues = True
    words = "[0-9]{0,3}[nesw]|x"
    arrows = True
    clue = "an arrow, perhaps with a number, such as '2n' (n, e, s or w), or 'x'"
    unknown = "x"
    pzpr = Pzpr(
        "arrows",
        {
            ("yajilin", ""): "loop",
            ("yajilin", "o"): "outside",
            ("yajirin", ""): "loop",
            ("yajirin", "o"): "outside",
        },
        drawn="b",
    )

    def constrain(self, rules: LoopRules) -> None:
        """Require that no shaded cells are neighbours, and that arrows count them."""
        super().constrain(rules)
        for cell, word in self.clue_cells():
            rules.about("clue", cell)
            if word[:-1]:
                self.count_shaded(rules, self._along(cell, word[-1]), int(word[:-1]))

    def number_faults(self, shaded: set[Cell]) -> Iterator[str]:
        """Yield a sentence for each arrow that differs from the shaded cells in its direction."""
        for cell, word in self.clue_cells():
            if word[:-1]:
                found = len(shaded.intersection(self._along(cell, word[-1])))
                if found != int(word[:-1]):
                    yield f"the arrow {word} at {place_of(cell)} counts {found} shaded cells"

    def _along(self, cell: Cell, direction: str) -> list[Cell]:
        """Return the cells in this direction, and some off the board, which are never shaded."""
        return [step(cell, direction, length) for length in range(1, max(self.rows, self.cols))]

    def choices(self, cell: Cell) -> Iterator[tuple[list[Cell], Callable[[int], Any]]]:
        """Yield an arrow in each direction, unless the border is next."""
        for direction in DIRECTIONS:
            if self.has(step(cell, direction)):
                yield self._along(cell, direction), partial("{1}{0}".format, direction)

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield arrows in each closed cell; that with the most shaded cells comes last.

        None points to the border beside it.
        """
        shaded, closed = self.closed_cells(lines)
        for cell in closed:
            counts = [(len(shaded.intersection(cells)), word) for cells, word in self.choices(cell)]
            for number, word in sorted(counts, key=lambda one: one[0]):
                yield cell, word(number)

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: a grey cell with its number and arrow."""
        yield Figure("grey", cell)
        if clue != "x":
            yield Figure("arrow", cell, clue)


class RegionalYajilin(ShadingLoop, RegionPuzzle):
    """A Regional Yajilin of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers, of -1 (``?``) for an unknown number, or ``None``, one at most in
    each of the ``regions``: the number of its shaded cells. The loop visits all cells that are not
    shaded, and no two shaded cells are neighbours. In the variant ``"outside"``, no shaded cell is
    inside the loop.

    >>> from linkoracle import count
    >>> count(RegionalYajilin(["2...", "....", "...."], regions=["abbc", "aaaa", "ddde"]))
    1
    """

    kind = "regionalyajilin"
    title = "Regional Yajilin"
    instructions: ClassVar = {
        variant: "Shade some cells, no two of which share a side, and draw one closed loop that "
        "runs from cell to neighbouring cell, across or down, and passes through all other cells. "
        f"A number shows how many cells are shaded in its region, and may be shaded itself.{more}"
        for variant, more in (("loop", ""), ("outside", _NONE_INSIDE))
    }
    examples: ClassVar = {
        "loop": Example(
            "32... ..... ..... ..... .....",
            (((0, 1), "RRDRDDDLUULDLDLUUURU"),),
            {"regions": ["abbbb", "abbbc", "aaabc", "daabc", "eaacc"]},
        ),
        "outside": Example(
            "00... ..... ..... 1....",
            (((0, 0), "RDRURDRDDLULDLULUU"),),
            {"regions": ["abbbc", "ddddd", "ddddd", "eddfg"]},
        ),
    }
    region_clues = True
    clue = "a number of shaded cells, or '?' (-1)"
    symbols: ClassVar = {-1: "?"}
    unknown = -1
    pzpr = Pzpr(
        "hex_or_unknown",
        {
            ("yajilin-regions", ""): "loop",
            ("yajilin-regions", "o"): "outside",
            ("yajirin-regions", ""): "loop",
            ("yajirin-regions", "o"): "outside",
        },
        by_region=True,
    )

    def constrain(self, rules: LoopRules) -> None:
        """Require that no shaded cells are neighbours, and that numbers count them by region."""
        super().constrain(rules)
        for cells, cell, number in self.numbers_by_region():
            rules.about("clue", cell)
            self.count_shaded(rules, cells, number)

    def number_faults(self, shaded: set[Cell]) -> Iterator[str]:
        """Yield a sentence for each number that differs from the shaded cells of its region."""
        return self.region_faults(lambda cells: len(shaded.intersection(cells)), "cells are shaded")

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the number of each region in its first cell."""
        shaded = self.shaded(lines)
        return self.region_numbers(lambda cells: len(shaded.intersection(cells)))


#: The cells that a number of a Koburin counts.
_SIDES = "cells that share a side with its own"
_ROUND = "eight cells around its own, diagonal ones too,"


class Koburin(ShadingLoop):
    """A Koburin of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers from 0 to 4, of -1 (``?``) for an unknown number, or ``None``. The
    loop leaves out all cells with numbers. A number counts the shaded cells among the up to four
    neighbours of its cell; in variants whose name ends in ``eight``, among the up to eight cells
    around it. Any other cell is visited by the loop or shaded, and no two shaded cells are
    neighbours. In variants whose name begins with ``outside``, no shaded cell is inside the loop.

    >>> from linkoracle import count
    >>> count(Koburin([".1..", "....", "....", "...1"]))
    1
    """

    kind = "koburin"
    title = "Koburin"
    variants: ClassVar = {
        "loop": "",
        "outside": _OUTSIDE,
        "eight": "eight cells around",
        "outside-eight": f"eight cells around, {_OUTSIDE}",
    }
    instructions: ClassVar = {
        variant: "Shade some empty cells, no two of which share a side, and draw one closed loop "
        "that runs from cell to neighbouring cell, across or down, and passes through all other "
        "empty cells. Neither happens in cells with a number. A number shows how many of the "
        f"{around} are shaded.{more}"
        for variant, around, more in (
            ("loop", _SIDES, ""),
            ("outside", _SIDES, _NONE_INSIDE),
            ("eight", _ROUND, ""),
            ("outside-eight", _ROUND, _NONE_INSIDE),
        )
    }
    examples: ClassVar = {
        "loop": Example("..... 2...1 ..2.. ..... .....", (((0, 1), "RRDDRDLDLLLURUUU"),)),
        "outside": Example("..... ..... .2... ..... .....", (((0, 0), "RRRRDDDDLLLLURRRUULLLU"),)),
        "eight": Example("..... ...1. ..... ..... 2....", (((0, 0), "RDRURRDDLDRDLLULULUU"),)),
        "outside-eight": Example(
            "..... ..... .2... ..... .....", (((0, 0), "RRRRDDDDLLLLURRRUULLLU"),)
        ),
    }
    avoids_clues = True
    max_clue = 4
    symbols: ClassVar = {-1: "?"}
    clue = "a number from 0 to 4, or '?' (-1)"
    unknown = -1
    pzpr = Pzpr(
        "four_or_unknown",
        {
            ("koburin", ""): "loop",
            ("koburin", "o"): "outside",
            ("koburin", "m"): "eight",
            ("koburin", "mo"): "outside-eight",
        },
        drawn="b",
    )

    def constrain(self, rules: LoopRules) -> None:
        """Require that no shaded cells are neighbours, and that numbers count them."""
        super().constrain(rules)
        for cell, number in self.clue_cells():
            rules.about("clue", cell)
            if number >= 0:
                self.count_shaded(rules, self._counted(cell), number)

    def _counted(self, cell: Cell) -> list[Cell]:
        """Return the cells that a number counts, and some off the board."""
        if self.variant.endswith("eight"):
            return around(cell)
        return [step(cell, direction) for direction in DIRECTIONS]

    def number_faults(self, shaded: set[Cell]) -> Iterator[str]:
        """Yield a sentence for each number that differs from the shaded cells beside it."""
        for cell, number in self.clue_cells():
            found = len(shaded.intersection(self._counted(cell)))
            if number not in (-1, found):
                yield f"{found} shaded cells are beside the {number} at {place_of(cell)}"

    def choices(self, cell: Cell) -> Iterator[tuple[list[Cell], Callable[[int], Any]]]:
        """Yield the number of shaded cells beside a cell."""
        yield self._counted(cell), lambda number: number

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield a number in each unvisited cell that is not shaded."""
        shaded, closed = self.closed_cells(lines)
        for cell in closed:
            yield cell, len(shaded.intersection(self._counted(cell)))

    def clue_figures(self, cell: Cell, clue: int) -> Iterator[Figure]:
        """Yield what to draw: a grey cell with its number."""
        yield Figure("grey", cell)
        yield from super().clue_figures(cell, clue)

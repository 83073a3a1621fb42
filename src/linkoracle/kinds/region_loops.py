"""Loops through regions: Country Road, Detour, Dotchi-Loop, Double Back and Entry Exit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, count, pairwise, product
from typing import Any, ClassVar, Self

from linkoracle.kinds.cell_loops import LoopRules, circle_figure
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Figure, Grid, Pzpr, place_of
from linkoracle.kinds.regions import RegionPuzzle, borders, normal_regions


class CountryRoad(RegionPuzzle):
    """A Country Road of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers, of -1 (``?``) for an unknown number, or ``None``, one at most in
    each of the ``regions``: the loop visits that many cells of the region. If there are several
    regions, the loop enters and leaves each of them once; in the variant ``"skip"``, at most once.
    It visits at least one of two neighbouring cells in different regions.

    >>> from linkoracle import count
    >>> regions = ["aabc", "aadd", "eeed", "eeee"]
    >>> count(CountryRoad(["2...", "....", "....", "...."], regions=regions))
    1
    """

    kind = "countryroad"
    title = "Country Road"
    variants: ClassVar = {"loop": "", "skip": "regions may be left out"}
    instructions: ClassVar = {
        variant: f"{LOOP}. It {enters}. A number shows how many cells of its region the loop "
        "passes through. Where two cells in different regions share a side, the loop passes "
        "through at least one of them."
        for variant, enters in (
            ("loop", "enters every region exactly once, and leaves it once"),
            ("skip", "enters no region more than once, and may leave out some"),
        )
    }
    examples: ClassVar = {
        "loop": Example(
            "..... ..... ....2 ..... .....",
            (((0, 0), "RRRRDLDLULDDRRDLLLUUUU"),),
            {"regions": ["aaaab", "acbbb", "acbbd", "accdd", "aaadd"]},
        ),
        "skip": Example(
            "..6.. ..... ...4. ..3.. .....",
            (((0, 2), "RRDLDRDLLDLULURURU"),),
            {"regions": ["aabbb", "aabbb", "ccbdd", "ccedd", "eeeff"]},
        ),
    }
    region_clues = True
    clue = "a number of cells, or '?' (-1)"
    symbols: ClassVar = {-1: "?"}
    unknown = -1
    pzpr = Pzpr(
        "hex_or_unknown", {("country", ""): "loop", ("country", "e"): "skip"}, by_region=True
    )
    visits = 1

    @property
    def crossings(self) -> Sequence[int]:
        """How many lines may cross the border of a region."""
        return [0, 2] if self.variant == "skip" else [2]

    def constrain(self, rules: LoopRules) -> None:
        """Add the constraints of borders, and of the numbers of visited cells in regions."""
        super().constrain(rules)
        rules.about()
        for one, other in borders(self.regions):
            if self.avoided.isdisjoint((one, other)):
                rules.clause(rules.visited(one), rules.visited(other))
        for cells, cell, number in self.numbers_by_region():
            rules.about("clue", cell)
            rules.count(map(rules.visited, cells), [number])

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each border crossed wrongly, and each number with a wrong count."""
        yield from super().clue_faults(lines)
        for one, other in borders(self.regions):
            if not {one, other} & ({*lines} | self.avoided):
                yield f"neither {place_of(one)} is visited nor {place_of(other)}, across a border"
        yield from self.region_faults(
            lambda cells: sum(map(lines.__contains__, cells)), "cells are visited"
        )

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the number of each region that the loop visits, in its first cell."""
        found = self.region_numbers(lambda cells: sum(map(lines.__contains__, cells)))
        skips = self.variant == "skip"
        return ((cell, number) for cell, number in found if number or skips)


class Detour(RegionPuzzle):
    """A Detour of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers, of -1 (``?``) for an unknown number, or ``None``, one at most in
    each of the ``regions``: the loop, which visits every cell, turns in that many cells of the
    region.

    >>> from linkoracle import count
    >>> count(Detour(["....", "2...", "....", "...."], regions=["abcd", "eecd", "cccf", "ggch"]))
    1
    """

    kind = "detour"
    title = "Detour"
    instruction = (
        f"{LOOP}, and passes through every cell. A number shows in how many cells of its region "
        "the loop turns."
    )
    example = Example(
        "8..4.. ...... .....0 .....3 1..... ......",
        (((0, 0), "RRRRRDDDLUULLDRDLDRRRDLLLLLURULURULU"),),
        {"regions": ["aabccc", "aaaccc", "aaaccd", "eeacfg", "heeegg", "eeeegg"]},
    )
    every_cell = True
    region_clues = True
    clue = "a number of turns, or '?' (-1)"
    symbols: ClassVar = {-1: "?"}
    unknown = -1
    pzpr = Pzpr("hex_or_unknown", {("detour", ""): None}, by_region=True)

    def constrain(self, rules: LoopRules) -> None:
        """Count the turns of each region."""
        for cells, place, number in self.numbers_by_region():
            rules.about("clue", place)
            rules.count(map(rules.turning, cells), [number])

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each number that differs from the turns in its region."""
        return self.region_faults(lambda cells: sum(map(lines.turns, cells)), "turns are")

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield the number of each region in its first cell."""
        return self.region_numbers(lambda cells: sum(map(lines.turns, cells)))


class DotchiLoop(RegionPuzzle):
    """A Dotchi Loop of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of ``"w"`` for a white circle, ``"b"`` for a black one, or ``None``. The loop
    visits every white circle and leaves out every black one. In each of the ``regions`` it turns at
    all white circles, or goes straight on at all of them.

    >>> from linkoracle import count
    >>> count(DotchiLoop([".ww.", ".wb.", "...."], regions=["aabc", "aade", "ddde"]))
    1
    """

    kind = "dotchiloop"
    title = "Dotchi Loop"
    instruction = (
        f"{LOOP}. It passes through every white circle, and through no black one. In each region "
        "the loop either turns at every white circle, or goes straight on at every one."
    )
    example = Example(
        ".w.w. ..... w.www .w..w .b.b.",
        (((0, 0), "RDDRUURDDRDLLLLUUU"),),
        {"regions": ["abccc", "acccc", "dccee", "ddeee", "ddeee"]},
    )
    unit = "circles"
    words = "[wb]"
    clue = "a circle 'w' (white) or 'b' (black)"
    pzpr = Pzpr("pearls", {("dotchi", ""): None})

    @cached_property
    def avoided(self) -> frozenset[Cell]:
        """The cells outside all regions, and those with black circles."""
        return super().avoided.union(cell for cell, circle in self.clue_cells() if circle == "b")

    def constrain(self, rules: LoopRules) -> None:
        """Require visits of white circles: in each region all turns, or all straight."""
        for cell, circle in self.clue_cells():
            if circle == "w":
                rules.visit(cell)
        for cells in self._white_by_region():
            rules.about("circles", cells[0] if cells else None)
            for pair in pairwise(cells):
                for one, other in (pair, pair[::-1]):
                    for straight, turn in product(("ns", "ew"), ("ne", "es", "sw", "nw")):
                        lines = [
                            *(rules.line(one, direction) for direction in straight),
                            *(rules.line(other, direction) for direction in turn),
                        ]
                        rules.clause(*(-line for line in lines))

    def _white_by_region(self) -> list[list[Cell]]:
        white = {cell for cell, circle in self.clue_cells() if circle == "w"}
        return [[cell for cell in cells if cell in white] for cells in self.cells_by_region()]

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each unvisited white circle, and each region with both."""
        for cell, circle in self.clue_cells():
            if circle == "w" and cell not in lines:
                yield f"no line passes the white circle at {place_of(cell)}"
        for cells in self._white_by_region():
            if len({lines.turns(cell) for cell in cells}) > 1:
                yield f"the loop turns at some circles in the region of {place_of(cells[0])} only"

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield black circles, and in each region the turns or the straights as white circles."""
        for cells in self.cells_by_region():
            visited = [cell for cell in cells if cell in lines]
            turns = 2 * sum(map(lines.turns, visited)) >= len(visited)
            for cell in cells:
                if cell not in lines or lines.turns(cell) == turns:
                    yield cell, "w" if cell in lines else "b"

    def clue_figures(self, cell: Cell, clue: str) -> Iterator[Figure]:
        """Yield what to draw: a circle."""
        yield circle_figure(cell, clue)


class DoubleBack(RegionPuzzle):
    """A Double Back of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of 0 (``*``) for a hole, or ``None``. The loop visits every cell but the
    holes, and enters and leaves each of the ``regions`` exactly twice. So a board with a single
    region has no solution.

    Holes are the cells outside all regions: a hole belongs to none, whatever its name in
    ``regions``, and a cell outside all regions becomes a hole. A region of holes alone is none, and
    one that holes cut into parts is several. If `with_clues` removes a hole, the cell belongs to
    the region that it had before, or to a new one if it had none.

    >>> from linkoracle import count
    >>> regions = ["abbb", "abbb", "aaba", "aaaa"]
    >>> count(DoubleBack(["....", "..*.", "..*.", "...."], regions=regions))
    1
    >>> DoubleBack(["..*."], regions=["abbb"]) == DoubleBack(["...."], regions=["ab.c"])
    True
    """

    kind = "doubleback"
    title = "Double Back"
    instruction = (
        f"{LOOP}, and passes through every white cell, and through no black one. It enters every "
        "region exactly twice, and leaves it twice."
    )
    example = Example(
        "....* ..... ..... *.... *....",
        (((0, 0), "RDRURDRDDDLUULDDLUULUU"),),
        {"regions": ["aaaaa", "bbbaa", "bccca", "bcccd", "ddddd"]},
    )
    every_cell = True
    avoids_clues = True
    look = "filled"
    unit = "holes"
    symbols: ClassVar = {0: "*"}
    clue = "a hole (0)"
    max_clue = 0
    pzpr = Pzpr("bits", {("doubleback", ""): None})
    visits = 2
    clues_are_holes = True

    def __post_init__(self) -> None:
        super().__post_init__()
        empty: Grid = ((0,) * self.cols,) * self.rows
        new, named = count(self.rows * self.cols), self.regions or empty
        #: The regions without holes, each of which has a region of its own if it has no name.
        self._names: Grid
        names = tuple(tuple(next(new) if at is None else at for at in row) for row in named)
        object.__setattr__(self, "_names", names)
        cells = zip(self.clues, chain.from_iterable(named), strict=True)
        vars(self)["clues"] = tuple(0 if at is None else cell for cell, at in cells)
        vars(self).pop("grid", None)
        holes = self.holes_in(self.grid)
        if holes:
            every = len(holes) == self.rows * self.cols
            object.__setattr__(self, "regions", () if every else normal_regions(names, holes))

    def _with_cells(self, clues: tuple[Any, ...]) -> Self:
        return replace(self, clues=clues, regions=self._names)

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield a hole for each cell that the loop leaves out."""
        return ((cell, 0) for cell in self.cells() if cell not in lines)


class EntryExit(RegionPuzzle):
    """An Entry Exit of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has no clues: rows of ``None``. The loop visits every cell, and enters and leaves each
    of the ``regions`` exactly once, if there are several.

    >>> from linkoracle import count
    >>> count(EntryExit.blank(4, 4, regions=["aabb", "acbb", "dbbb", "deef"]))
    1
    """

    kind = "entryexit"
    title = "Entry Exit"
    instruction = (
        f"{LOOP}, and passes through every cell. It enters every region exactly once, and leaves "
        "it once."
    )
    example = Example(
        "...... ...... ...... ...... ...... ......",
        (((0, 0), "RRRRRDDDLUULLDRDLDRRRDLLLLLURULURULU"),),
        {"regions": ["aaaaaa", "abccca", "bbcdca", "bbddcc", "bbdddd", "bbeefd"]},
    )
    every_cell = True
    words = "(?!)"
    clue = "no clue"
    visits = 1

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:  # noqa: ARG002 - none
        """Yield no clue: there are none."""
        return iter(())

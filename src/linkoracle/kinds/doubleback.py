"""Double Back: a loop through every cell that enters every region twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count
from typing import Any, ClassVar, Self

from linkoracle.kinds.cell_loops import labelled
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Grid, Pzpr
from linkoracle.kinds.regions import RegionPuzzle, normal_regions


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
    difficulties: ClassVar = labelled(easy=35, normal=35, tricky=81, hard=99, fiendish_from=64)
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

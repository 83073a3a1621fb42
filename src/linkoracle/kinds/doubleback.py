"""Double Back: a loop through every cell that enters every region twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import labelled
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example, Pzpr
from linkoracle.kinds.regions import RegionPuzzle


class DoubleBack(RegionPuzzle):
    """A Double Back of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of 0 (``*``) for a hole, or ``None``. The loop visits every cell but the
    holes, and enters and leaves each of the ``regions`` exactly twice, if there are several.

    >>> from linkoracle import count
    >>> regions = ["abbb", "abbb", "aaba", "aaaa"]
    >>> count(DoubleBack(["....", "..*.", "..*.", "...."], regions=regions))
    1
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
    difficulties: ClassVar = labelled(easy=35, normal=35, tricky=81, hard=99)
    avoids_clues = True
    look = "filled"
    unit = "holes"
    symbols: ClassVar = {0: "*"}
    clue = "a hole (0)"
    max_clue = 0
    pzpr = Pzpr("bits", {("doubleback", ""): None})
    visits = 2

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield a hole for each cell that the loop leaves out."""
        return ((cell, 0) for cell in self.cells() if cell not in lines)

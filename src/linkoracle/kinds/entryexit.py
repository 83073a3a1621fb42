"""Entry Exit: a loop through every cell that enters every region once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from linkoracle.kinds.cell_loops import labelled
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import LOOP, Cell, Example
from linkoracle.kinds.regions import RegionPuzzle


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
    difficulties: ClassVar = labelled(easy=35, normal=81, tricky=99, fiendish_from=101)
    words = "(?!)"
    clue = "no clue"
    visits = 1

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:  # noqa: ARG002 - none
        """Yield no clue: there are none."""
        return iter(())

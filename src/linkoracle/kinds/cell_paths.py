"""`CellPath`: kinds of one path through all cells, past numbers in increasing order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar

from linkoracle.core.errors import PuzzleError
from linkoracle.kinds.cell_loops import CellLoop
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import Cell, Figure, place_of


class CellPath(CellLoop):
    """Base of kinds whose solution is one path through all cells but the holes.

    ``grid`` has rows of different numbers from 1, of 0 for a hole, or ``None``. A kind defines
    `CellLoop.constrain`, `ends`, `order_faults` and `clues_along`. If the numbers do not show
    which end is the first, there is no solution.
    """

    variants: ClassVar = {"path": ""}
    every_cell = True
    general_rule = "The order of the numbers"
    symbols: ClassVar = {0: "*"}
    clue = "a number from 1, or a hole (0)"

    def __post_init__(self) -> None:
        super().__post_init__()
        seen = set()
        for cell, number in self.clue_cells():
            if number in seen:
                raise PuzzleError(f"expected the number {number} once, found it twice", cell)
            seen |= {number} - {0}

    @cached_property
    def avoided(self) -> frozenset[Cell]:
        """The holes."""
        return frozenset(cell for cell, number in self.clue_cells() if number == 0)

    @cached_property
    def numbers(self) -> dict[int, Cell]:
        """The cells of the numbers, by number, in increasing order."""
        return dict(sorted((number, cell) for cell, number in self.clue_cells() if number))

    @property
    def ends(self) -> tuple[Cell, ...]:
        """The known endpoints of the path."""
        raise NotImplementedError

    def order_faults(self, walk: list[Cell]) -> Iterator[str]:
        """Yield a sentence for each number that is out of place on this path, either way."""
        raise NotImplementedError

    def clues_along(self, walk: list[Cell]) -> Iterator[tuple[Cell, int]]:
        """Yield the numbers of a path that begins with its first cell in reading order."""
        return ((cell, number) for number, cell in enumerate(walk, start=1))

    def faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each rule that lines break: those of one path, and of numbers."""
        yield from self.fixed_faults(lines)
        for cell in self.cells():
            if (cell in lines) == (cell in self.avoided):
                what = "hole" if cell in self.avoided else "cell"
                yield f"the {what} at {place_of(cell)} is {'not ' * (cell not in lines)}used"
        yield from self.clue_faults(lines)

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each number that is out of order."""
        walk = walk_of(lines)
        if walk is None:
            yield "the lines are not one path"
        else:
            yield from self.order_faults(walk)

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield a hole in each cell without lines, and the numbers along the path."""
        yield from ((cell, 0) for cell in self.cells() if cell not in lines)
        yield from self.clues_along(walk_of(lines) or [])

    def clue_figures(self, cell: Cell, clue: int) -> Iterator[Figure]:
        """Yield what to draw: a number on the path, or a filled cell for a hole."""
        yield Figure("label", cell, str(clue)) if clue else Figure("filled", cell)


def walk_of(lines: Lines) -> list[Cell] | None:
    """Return the cells along a path from its first end in reading order; ``None`` if not one path.

    >>> walk_of(Lines([((0, 1), (0, 0)), ((0, 1), (1, 1))]))
    [(0, 0), (0, 1), (1, 1)]
    """
    ends = sorted(cell for cell in lines if lines.degree(cell) == 1)
    if len(ends) != 2 or any(lines.degree(cell) > 2 for cell in lines):
        return None
    walk = [ends[0]]
    while onward := lines[walk[-1]].difference(walk[-2:-1]):
        walk += onward
    return walk if len(walk) == len(lines) else None

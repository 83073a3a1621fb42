"""Zip: one path through all cells, past numbers in increasing order and through no wall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

from linkoracle.core.errors import PuzzleError
from linkoracle.kinds.cell_loops import FALSE, TRUE, LoopRules
from linkoracle.kinds.cell_paths import CellPath
from linkoracle.kinds.fixed import FIXED, format_edge
from linkoracle.kinds.lines import Lines, step
from linkoracle.kinds.puzzle import AnnotationList, Cell, Edges, Example, Rows, place_of


@dataclass(frozen=True, repr=False)
class Zip(CellPath):
    """A Zip of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of different numbers, usually from 1, of 0 for a hole, or ``None``. The path
    begins at the least number and ends at the greatest; a board with fewer than two numbers has no
    solution. The path does not cross ``walls``, which are pairs of neighbouring cells.

    >>> from linkoracle import count
    >>> puzzle = Zip(["1..", "...", "..2"])
    >>> count(puzzle), count(Zip(puzzle.grid, walls=[((1, 0), (1, 1))]))
    (2, 1)
    """

    walls: Edges = field(default=(), kw_only=True)

    kind = "zip"
    title = "Zip"
    instruction = (
        "Draw one line from cell to neighbouring cell, across or down, that begins at 1, visits "
        "the numbers in increasing order, ends at the greatest, and passes once through each white "
        "cell. It passes through no wall."
    )
    example = Example(
        "...2. .1... ....4 ...5. ...3.",
        (((1, 1), "RRRULLLLDDRDLDRRRRUULLDR"),),
        {"walls": (((3, 1), (3, 2)), ((3, 1), (4, 1)))},
    )
    annotations: ClassVar = {**FIXED, "walls": AnnotationList("walls", "border", edges=True)}

    if TYPE_CHECKING:

        def __init__(
            self,
            clues: Rows,
            *,
            walls: Iterable[Any] = (),
            given: Iterable[Any] = (),
            forbidden: Iterable[Any] = (),
        ) -> None: ...

    def _check_annotations(self) -> None:
        super()._check_annotations()
        object.__setattr__(self, "walls", self._checked_edges("walls", self.walls))
        for place, wall in enumerate(self.walls):
            if wall in self.given:
                reason = f"expected no wall across a given line, found {format_edge(wall)}"
                raise PuzzleError(reason, listed=("walls", place))

    @property
    def ends(self) -> tuple[Cell, ...]:
        """The cells of the least and of the greatest number."""
        cells = list(self.numbers.values())
        return (cells[0], cells[-1]) if len(cells) > 1 else ()

    def constrain(self, rules: LoopRules) -> None:
        """Require the order of the numbers along the path, and no line through walls.

        The *part* of a cell is the index of the last number before it on the path. Parts are in
        Gray code: successive ones differ in one digit, so beside a number only one is unknown.
        """
        last = len(self.numbers) - 2
        if last < 0:
            rules.clause()
            return
        digits = range(last.bit_length())
        parts: dict[Cell, list[int | None]] = {}
        for place, cell in enumerate(self.numbers.values()):
            before, after = (one ^ one >> 1 for one in (max(place - 1, 0), min(place, last)))
            sides = ((before >> digit & 1, after >> digit & 1) for digit in digits)
            parts[cell] = [
                (TRUE if one else FALSE) if one == other else None for one, other in sides
            ]
        for cell in self.cells():
            if cell not in self.avoided:
                parts.setdefault(cell, [rules.variable() for _ in digits])
        for cell, part in parts.items():
            for other in (step(cell, "e"), step(cell, "s")):
                for one, two in zip(part, parts.get(other, ()), strict=False):
                    if one is not None and two is not None:
                        line = rules.line_between(cell, other)
                        rules.clause(-line, -one, two)
                        rules.clause(-line, one, -two)
        for wall in self.walls:
            rules.clause(-rules.line_between(*wall))

    def faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each crossed wall, and each other rule that lines break."""
        for one, other in self.walls:
            if lines.has_edge(one, other):
                yield f"a line passes through the wall {format_edge((one, other))}"
        yield from super().faults(lines)

    def order_faults(self, walk: list[Cell]) -> Iterator[str]:
        """Yield a sentence for each end that is not a number, and each number out of order."""
        if len(self.numbers) < 2:
            yield "there are fewer than two numbers"
            return
        numbers = [self.grid[row][col] for row, col in walk]
        if (numbers[0] or 0) > (numbers[-1] or 0):
            numbers.reverse()
        for what, number in (("begin", numbers[0]), ("end", numbers[-1])):
            if number is None:
                yield f"the path does not {what} at a number"
        for one, other in pairwise([number for number in numbers if number]):
            if one > other:
                yield f"the {other} at {place_of(self.numbers[other])} comes after the {one}"

    def renumbered(self) -> Self:
        """Return the same puzzle with its numbers replaced by 1, 2, 3 ... in order."""
        place = {cell: number for number, cell in enumerate(self.numbers.values(), start=1)}
        return self.with_clues(place)

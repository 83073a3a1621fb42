"""Numbrix: one path through all cells, some of which show their places on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from linkoracle.kinds.cell_loops import place_of
from linkoracle.kinds.cell_paths import CellPath
from linkoracle.kinds.puzzle import Cell, Example


class Numbrix(CellPath):
    """A Numbrix of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers: the places of cells on the path, counted from 1. No number stands
    twice, 0 is a hole, and ``None`` a cell to be numbered. The ends of the path may be unknown.

    A solution is a path. So that it has one numbering only, a number must stand that is not in the
    middle of the path; a board without such a number has no solution.

    >>> from linkoracle import count
    >>> count(Numbrix(["7..", "...", "..3"])), count(Numbrix(["...", ".5.", "..."]))
    (6, 0)
    """

    kind = "numbrix"
    title = "Numbrix"
    instructions: ClassVar = {
        "path": "Write a number in each white cell so that each number from 1 to the number of "
        "white cells stands once, and consecutive numbers stand side by side, across or down."
    }
    examples: ClassVar = {
        "path": Example(
            ". . 1 . ./. . . . ./11 12 . 22 ./. . . 25 ./. . 17 . .",
            (((0, 2), "RRDLLLULDDRDLDRRRRUULLDR"),),
        ),
    }

    @property
    def ends(self) -> tuple[Cell, ...]:
        """The ends of the path that are known."""
        found = (self.numbers.get(number) for number in (1, self._length))
        return tuple(dict.fromkeys(cell for cell in found if cell))

    @property
    def _length(self) -> int:
        return self.rows * self.cols - len(self.avoided)

    def _tells_direction(self) -> bool:
        return any(2 * number != self._length + 1 for number in self.numbers)

    def labels(self) -> dict[Cell, list[int]] | None:
        """Return the numbers that each cell may have.

        As sets of bits: those as far from each shown number as the cell is from that, or by an even
        number further.
        """
        if not self._tells_direction() or max(self.numbers) > self._length:
            return None
        every = (2 << self._length) - 2
        odd = sum(1 << number for number in range(1, self._length + 1, 2))
        others = every - sum(1 << number for number in self.numbers)
        found = {}
        for cell in self.cells():
            if cell in self.avoided:
                continue
            shown = self.grid[cell[0]][cell[1]]
            allowed = others if shown is None else 1 << shown
            for number, place in self.numbers.items():
                far = abs(cell[0] - place[0]) + abs(cell[1] - place[1])
                allowed &= odd if (number + far) % 2 else every - odd
                near = range(max(1, number - far + 1), min(number + far, self._length + 1))
                allowed &= ~sum(1 << label for label in near)
            found[cell] = [number for number in range(1, self._length + 1) if allowed >> number & 1]
        return found

    def step_into(self, cell: Cell) -> int:  # noqa: ARG002 - all are 1
        """Return 1: each number is the next one."""
        return 1

    def order_faults(self, walk: list[Cell]) -> Iterator[str]:
        """Why shown numbers are not those of the cells, counted from one end or the other."""
        if not self._tells_direction():
            yield "no number tells which end of the path is the first"
            return
        wrong = []
        for onward in (walk, walk[::-1]):
            places = {cell: number for number, cell in enumerate(onward, start=1)}
            shown = [(places.get(cell), number, cell) for number, cell in self.numbers.items()]
            wrong.append(
                [
                    f"the cell at {place_of(cell)} is number {place}, not {number}"
                    for place, number, cell in shown
                    if place != number
                ]
            )
        yield from min(wrong, key=len)

"""Numbrix: one path through all cells, some of which show their positions on the path."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

from linkoracle.kinds.cell_loops import FALSE, TRUE, LoopRules, labelled
from linkoracle.kinds.cell_paths import CellPath
from linkoracle.kinds.lines import step
from linkoracle.kinds.puzzle import Cell, Example, place_of


class Numbrix(CellPath):
    """A Numbrix of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of numbers: the positions of cells on the path, counted from 1. No number
    occurs twice, 0 is a hole, and ``None`` a cell without a number. The endpoints may be unknown.

    A solution is a path. It has only one numbering if some number is not in the middle of the
    path; a board without such a number has no solution.

    >>> from linkoracle import count
    >>> count(Numbrix(["7..", "...", "..3"])), count(Numbrix(["...", ".5.", "..."]))
    (6, 0)
    """

    kind = "numbrix"
    title = "Numbrix"
    instruction = (
        "Write a number in each white cell so that each number from 1 to the number of white cells "
        "stands once, and consecutive numbers stand side by side, across or down."
    )
    example = Example(
        ". . 1 . ./. . . . ./11 12 . 22 ./. . . 25 ./. . 17 . .",
        (((0, 2), "RRDLLLULDDRDLDRRRRUULLDR"),),
    )
    difficulties: ClassVar = labelled(easy=64)

    @property
    def ends(self) -> tuple[Cell, ...]:
        """The known endpoints of the path."""
        found = (self.numbers.get(number) for number in (1, self._length))
        return tuple(dict.fromkeys(cell for cell in found if cell))

    @property
    def _length(self) -> int:
        return self.rows * self.cols - len(self.avoided)

    def _fixes_direction(self) -> bool:
        return any(2 * number != self._length + 1 for number in self.numbers)

    def labels(self) -> dict[Cell, int]:
        """Return the possible numbers of each cell, as bits.

        They differ from each shown number by its distance to the cell plus an even number.
        """
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
                if far := abs(cell[0] - place[0]) + abs(cell[1] - place[1]):
                    allowed &= odd if (number + far) % 2 else every - odd
                    allowed &= ~((1 << number + far) - (1 << max(0, number - far + 1)))
            found[cell] = allowed
        return found

    def constrain(self, rules: LoopRules) -> None:
        """Require one number for each cell, and an increase by 1 along the path.

        Each line has a direction; at most one line enters a cell, and at most one leaves it.
        """
        if not self._fixes_direction() or max(self.numbers) > self._length:
            rules.clause()
            return
        labels = self.labels()
        # Literal n: the number is n or more.
        at_least = {cell: self._at_least(rules, allowed) for cell, allowed in labels.items()}
        into: dict[Cell, list[tuple[int, int]]] = {cell: [] for cell in labels}
        out_of: dict[Cell, list[tuple[int, int]]] = {cell: [] for cell in labels}
        for cell in labels:
            for other in (step(cell, "e"), step(cell, "s")):
                if other not in labels:
                    continue
                line, ahead = rules.line_between(cell, other), rules.variable()
                for one, two, arc in ((cell, other, ahead), (other, cell, -ahead)):
                    if not labels[one] << 1 & labels[two]:
                        rules.clause(-line, -arc)
                        continue
                    out_of[one].append((line, arc))
                    into[two].append((line, arc))
                    for number in _bits(labels[one] | labels[two] >> 1):
                        here, there = at_least[one][number], at_least[two][number + 1]
                        if labels[one] >> number & 1:
                            rules.clause(-line, -arc, -here, there)
                        if labels[two] >> number + 1 & 1:
                            rules.clause(-line, -arc, here, -there)
        for arcs in (*into.values(), *out_of.values()):
            for (line, arc), (line2, arc2) in combinations(arcs, 2):
                rules.clause(-line, -arc, -line2, -arc2)

    def _at_least(self, rules: LoopRules, allowed: int) -> list[int]:
        """Return literals: the number of a cell is at least n, for each n up to two too many."""
        found = [TRUE]
        for number in range(1, self._length + 2):
            if not allowed >> number - 1 & 1:
                found.append(found[-1])
            elif not allowed >> number:
                found.append(FALSE)
            else:
                found.append(rules.variable())
                rules.clause(-found[-1], found[-2])
        return [*found, FALSE]

    def order_faults(self, walk: list[Cell]) -> Iterator[str]:
        """Yield a sentence if shown numbers fit the path in neither direction."""
        if not self._fixes_direction():
            yield "no number shows which end of the path is the first"
            return
        wrong = []
        for onward in (walk, walk[::-1]):
            places = {cell: number for number, cell in enumerate(onward, start=1)}
            wrong.append(
                [
                    f"the cell at {place_of(cell)} is number {places.get(cell)}, not {number}"
                    for number, cell in self.numbers.items()
                    if places.get(cell) != number
                ]
            )
        yield from min(wrong, key=len)


def _bits(mask: int) -> Iterator[int]:
    """Yield the positions of the bits of a mask."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest

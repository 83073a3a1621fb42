"""`CellPath`: kinds of one path through all cells, past numbers in increasing order.

What stands at a place of the path is said by a *label* of each cell, which grows along the path.
Labels are in the model only: a solution is the lines of the path.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any, ClassVar

from linkoracle.core.errors import PuzzleError
from linkoracle.kinds.cell_loops import FALSE, TRUE, CellLoop, LoopRules, place_of
from linkoracle.kinds.lines import Lines, step
from linkoracle.kinds.puzzle import Cell, Figure


@dataclass(frozen=True, repr=False)
class CellPath(CellLoop):
    """What kinds share whose solution is one path through all cells but the holes.

    ``grid`` has rows of numbers from 1, no number twice, of 0 for a hole, or ``None``. A kind says
    `labels`, `step_into`, `ends`, `order_faults` and `clues_along`. Numbers that do not tell which
    end is the first leave no solution.
    """

    rules: ClassVar = {"path": ""}
    every_cell = True
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
        """The cells of the numbers, in increasing order of these."""
        return dict(sorted((number, cell) for cell, number in self.clue_cells() if number))

    @property
    def ends(self) -> tuple[Cell, ...]:
        """The ends of the path that are known."""
        raise NotImplementedError

    def labels(self) -> dict[Cell, list[int]] | None:
        """Return the labels that each cell may have, in increasing order; ``None``: no solution."""
        raise NotImplementedError

    def step_into(self, cell: Cell) -> int:
        """Return how much greater the label of a cell is than that of the cell before it."""
        raise NotImplementedError

    def order_faults(self, walk: list[Cell]) -> Iterator[str]:
        """Yield a sentence for each number that is not in its place on this path, either way."""
        raise NotImplementedError

    def clues_along(self, walk: list[Cell]) -> Iterator[tuple[Cell, int]]:
        """Yield the numbers of a path that begins with its first cell in reading order."""
        return ((cell, number) for number, cell in enumerate(walk, start=1))

    def constrain(self, rules: LoopRules) -> None:
        """State that labels grow along the path as `step_into` says.

        Each line has a direction, and of the lines at a cell one at most leads there, and one away.
        """
        labels = self.labels()
        if labels is None or not all(labels.values()):
            rules.clause()
            return
        reached = {}
        for cell, allowed in labels.items():
            # Literal i: the label is at least the one at place i.
            reached[cell] = [TRUE, *(rules.variable() for _ in allowed[1:])]
            for less, more in pairwise(reached[cell]):
                rules.clause(-more, less)

        def at_least(cell: Cell, label: int) -> int:
            place = bisect_left(labels[cell], label)
            return reached[cell][place] if place < len(reached[cell]) else FALSE

        into: dict[Cell, list[tuple[int, int]]] = {cell: [] for cell in labels}
        out_of: dict[Cell, list[tuple[int, int]]] = {cell: [] for cell in labels}
        for cell in labels:
            for other in (step(cell, "e"), step(cell, "s")):
                if other not in labels:
                    continue
                line, ahead = rules.line_between(cell, other), rules.variable()
                same = labels[cell] == labels[other] and not (
                    self.step_into(cell) or self.step_into(other)
                )
                if same:
                    # Whatever the direction.
                    for here, there in zip(reached[cell][1:], reached[other][1:], strict=True):
                        rules.clause(-line, -here, there)
                        rules.clause(-line, here, -there)
                for one, two, arc in ((cell, other, ahead), (other, cell, -ahead)):
                    out_of[one].append((line, arc))
                    into[two].append((line, arc))
                    if same:
                        continue
                    more = self.step_into(two)
                    for label in labels[one]:
                        after = at_least(two, label + more)
                        rules.clause(-line, -arc, -at_least(one, label), after)
                    for label in labels[two]:
                        before = at_least(one, label - more)
                        rules.clause(-line, -arc, -at_least(two, label), before)
        for arcs in (*into.values(), *out_of.values()):
            for (line, arc), (line2, arc2) in combinations(arcs, 2):
                rules.clause(-line, -arc, -line2, -arc2)

    def faults(self, lines: Lines) -> Iterator[str]:
        """Why lines between cells are no single path, or not as the rules and numbers demand."""
        yield from self.fixed_faults(lines)
        for cell in self.cells():
            if (cell in lines) == (cell in self.avoided):
                what = "hole" if cell in self.avoided else "cell"
                yield f"the {what} at {place_of(cell)} is {'not ' * (cell not in lines)}used"
        yield from self.clue_faults(lines)

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Why numbers are not in their order."""
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
        """What to draw: a number on the path, or a hole, as a cell that is filled."""
        yield Figure("label", cell, str(clue)) if clue else Figure("filled", cell)


def walk_of(lines: Lines) -> list[Cell] | None:
    """Return the cells along lines, from the first end in reading order; ``None``: not one path.

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

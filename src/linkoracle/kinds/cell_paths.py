"""Kinds of one path through all cells, past numbers in increasing order: Numbrix and Zip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Self

from linkoracle.board import Board, neighbours
from linkoracle.core import PuzzleError
from linkoracle.kinds.cell_loops import FALSE, TRUE, CellLoop, LoopRules
from linkoracle.kinds.fixed import FIXED
from linkoracle.kinds.lines import Lines, step
from linkoracle.kinds.puzzle import (
    AnnotationList,
    Cell,
    Edges,
    Example,
    Figure,
    Rows,
    format_edge,
    place_of,
)


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
        yield from lines.fixed_faults(self.given, self.forbidden)
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

    def clues_along(self, walk: list[Cell]) -> Iterator[tuple[Cell, int]]:
        """Yield the numbers of a path; those that are there tell its first cell."""
        fits = [
            sum(onward[number - 1 : number] == [cell] for number, cell in self.numbers.items())
            for onward in (walk, walk[::-1])
        ]
        return super().clues_along(walk if fits[0] >= fits[1] else walk[::-1])

    @property
    def ends(self) -> tuple[Cell, ...]:
        """The known endpoints of the path."""
        found = (self.numbers.get(number) for number in (1, self._length))
        return tuple(dict.fromkeys(cell for cell in found if cell))

    @property
    def _length(self) -> int:
        return len(self.clues) - len(self.avoided)

    def _fixes_direction(self) -> bool:
        return any(2 * number != self._length + 1 for number in self.numbers)

    def labels(self) -> dict[Cell, int]:
        """Return the possible numbers of each cell, as bits.

        They differ from each shown number by at least its distance to the cell and, if the board is
        a chessboard, by that and an even number.
        """
        every = (2 << self._length) - 2
        odd = sum(1 << number for number in range(1, self._length + 1, 2))
        others = every - sum(1 << number for number in self.numbers)
        parity = self.board.sides is not None
        apart = {
            number: dict(zip(self.board.vertex_names, steps_from(self.board, cell), strict=True))
            for number, cell in self.numbers.items()
        }
        # If successive numbers are at such distances, all shown ones are.
        fit = all(
            (far := apart[before].get(cell) or inf) <= after - before
            and not (parity and (far - after + before) % 2)
            for (before, _), (after, cell) in pairwise(self.numbers.items())
        )
        found = {}
        shown_at = dict(self.clue_cells())
        for cell in self.cells():
            if cell in self.avoided:
                continue
            shown = shown_at.get(cell)
            if shown is not None and fit:
                found[cell] = 1 << shown
                continue
            allowed = others if shown is None else 1 << shown
            for number in self.numbers:
                if (far := apart[number][cell]) is None:
                    allowed = 0
                elif far:
                    if parity:
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
        for edge in range(self.board.num_edges):
            cell, other = map(self.board.vertex_name, self.board.ends(edge))
            if cell in labels and other in labels:
                line, ahead = edge + 1, rules.variable()
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
        *some, last = list(_bits(allowed)) or [self._length + 1]
        found = [TRUE]
        # The literal changes only after a number that is possible.
        for number in some:
            found += [found[-1]] * (number + 1 - len(found))
            found.append(rules.variable())
            rules.clause(-found[-1], found[-2])
        found += [found[-1]] * (last + 1 - len(found))
        return found + [FALSE] * (self._length + 3 - len(found))

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


@lru_cache(maxsize=2_000)
def steps_from(board: Board, cell: Any) -> list[int | None]:
    """Return how many steps lead from a cell to each vertex; ``None`` where none do. O(board).

    >>> from linkoracle import Lattice
    >>> steps_from(Lattice(2, 3), (0, 1))
    [1, 0, 1, 2, 1, 2]
    """
    found: list[int | None] = [None] * board.num_vertices
    waiting = [board.vertex_of(cell)]
    found[waiting[0]] = 0
    around = neighbours(board)
    for vertex in waiting:
        for other in around[vertex]:
            if found[other] is None:
                found[other] = (found[vertex] or 0) + 1
                waiting.append(other)
    return found


def _bits(mask: int) -> Iterator[int]:
    """Yield the positions of the bits of a mask."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


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

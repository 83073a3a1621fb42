"""Puzzles with shaded cells and clues in cells that the loop leaves out: Yajilin and Koburin.

People place few clues, all with numbers. So a loop that leaves out few cells is drawn, most of them
apart, and these are divided into cells with clues and shaded cells: as many clues as published
puzzles have, and as often symmetric. Then this design is changed near what the rules leave open,
as long as less stays open: another arrow, a shaded cell for one with a clue, or another loop there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from linkoracle.board import Solution
from linkoracle.core import ConflictLimit, Deadline, below, pick, shuffled
from linkoracle.generate.loops.aims import Wanted, drawn_place
from linkoracle.generate.loops.drawing import Aim, Drawn
from linkoracle.kinds import Another, Cell, Puzzle, ShadingLoop

#: The cost of two neighbours without a line, while a loop is drawn.
_APART = 1.0
#: Changes of a design before another loop is drawn, for each cell.
_CHANGES = 3
#: After half as many changes as cells, one more clue is allowed every so often.
_MORE = 8
#: The temperature at which changes are accepted, in open edges, at first and at last.
_HOT, _COLD = 4.0, 1.0
#: Flips of faces near a place, their distance, and their temperature.
_FLIPS, _NEAR, _WARM = 5, 2, 1.5
#: Of ten changes, so many are to arrows, and so many of the others to cells with clues.
_ARROWS, _CELLS = 4, 3
#: The cost of a number that is not wanted, in open edges.
_NUMBER = 0.5
#: The last alternatives that a change must exclude.
_KNOWN = 40
#: Changes to propose against an alternative.
_PROPOSED = 30
_TOLD, _SHADED = 2.0, 0.17


def divides(kind: type[Puzzle]) -> bool:
    """Return whether the cells that a loop leaves out are divided into clues and shaded cells."""
    return issubclass(kind, ShadingLoop) and kind.avoids_clues


class Division(NamedTuple):
    """A loop by the cells that it leaves out, those with clues, and the choice of each clue."""

    left_out: int
    clues: int
    chosen: dict[int, int]


class Shading:
    """The cells that a loop leaves out, divided into cells with clues and shaded cells.

    Sets of cells are bits of numbers. ``orbits`` are cells that have clues together.
    """

    def __init__(
        self, kind: type[ShadingLoop], rows: int, cols: int, rng: Random, wanted: Wanted
    ) -> None:
        self.rows, self.cols, self._rng, self._wanted = rows, cols, rng, wanted
        self._blank = kind.blank(rows, cols)
        #: The number of clues to aim at; it grows while no design succeeds.
        self.clues = wanted.clues
        self.orbits = [sum(1 << cell for cell in orbit) for orbit in wanted.orbits(rows, cols)]
        self._inner = sum(((1 << cols - 1) - 1) << row * cols for row in range(rows))
        #: For each cell, what its clue may count: cells as bits, and the clue for their number.
        self._choices: list[list[tuple[int, Callable[[int], object]]]] = [
            [(self._bits(cells), clue) for cells, clue in self._blank.choices(divmod(cell, cols))]
            for cell in range(rows * cols)
        ]

    def _bits(self, cells: Sequence[Cell]) -> int:
        return sum(
            1 << row * self.cols + col
            for row, col in cells
            if 0 <= row < self.rows and 0 <= col < self.cols
        )

    def touching(self, cells: int) -> int:
        """Return those of these cells with a neighbour to the east or south among them."""
        return cells & cells >> self.cols | cells & cells >> 1 & self._inner

    def around(self, cells: int) -> int:
        """Return the neighbours of cells."""
        left, inner = cells & self._inner, self._inner
        every = (1 << self.rows * self.cols) - 1
        return (left << 1 | cells >> 1 & inner | cells << self.cols | cells >> self.cols) & every

    def lacking(self, left_out: int) -> float:
        """Return how far a loop is from one whose left out cells can be divided as wanted."""
        whole = 0
        for bits in self.orbits:
            if not bits & ~left_out:
                whole |= bits
        short = max(0, self.clues - whole.bit_count())
        # What is in no whole orbit must be shaded.
        return short + 2 * self.touching(left_out & ~whole).bit_count()

    def divided(self, left_out: int, clues: int = 0) -> int | None:
        """Return cells for clues, among them ``clues`` if possible; ``None`` if that fails.

        No two of the other cells touch.
        """
        whole = [bits for bits in shuffled(self._rng, self.orbits) if not bits & ~left_out]
        clues = sum(bits for bits in whole if bits & clues)
        while rest := self.touching(left_out & ~clues):
            beside = self.around(left_out & ~clues)
            rest = left_out & ~clues & beside
            best = max(whole, key=lambda bits: (bits & rest & ~clues).bit_count(), default=0)
            if not best & rest:
                return None
            clues |= best
        for bits in whole:
            if clues.bit_count() >= self.clues:
                break
            clues |= bits
        return self._fewer(left_out, clues, whole)

    def _fewer(self, left_out: int, clues: int, groups: Sequence[int], keep: int = 0) -> int:
        """Return clues without some of these orbits, down to the number; those of ``keep`` stay."""
        for bits in groups:
            if clues.bit_count() <= self.clues:
                break
            if bits & clues and not bits & keep and not self.touching(left_out & ~(clues & ~bits)):
                clues &= ~bits
        return clues

    def design(self, left_out: int, clues: int, chosen: dict[int, int]) -> Division:
        """Return the design with these clues, and with new choices where none is known."""
        shaded = left_out & ~clues
        found = {cell: at for cell, at in chosen.items() if clues >> cell & 1}
        cells = [cell for cell in range(self.rows * self.cols) if clues >> cell & 1]
        for cell in shuffled(self._rng, cells):
            if cell not in found:
                found[cell] = self.choice(cell, shaded, found)
        return Division(left_out, clues, found)

    def choice(self, cell: int, shaded: int, chosen: dict[int, int], but: int = -1) -> int:
        """Return a choice for a cell at random, sooner one whose number is wanted."""
        counts, many = self._numbers(shaded, chosen), 1 + len(chosen)
        options = self._choices[cell]
        design_clues = sum(1 << other for other in chosen)
        weights = []
        for at, (counted, _) in enumerate(options):
            number = (counted & shaded).bit_count()
            share = (counts[number] + 0.5) / many
            told = said(number, (counted & ~design_clues).bit_count()) ** _TOLD
            worth = (self._wanted.worth(number) + 0.005) / share
            weights.append(0.0 if at == but else worth * told)
        return drawn_place(self._rng, weights)

    def _numbers(self, shaded: int, chosen: Mapping[int, int]) -> Counter[int]:
        """Return how often each number of shaded cells is a clue."""
        counted = (self._choices[cell][at][0] for cell, at in chosen.items())
        return Counter((cells & shaded).bit_count() for cells in counted)

    def off(self, design: Division) -> float:
        """Return the cost of numbers that are commoner or rarer than in published puzzles."""
        counts = self._numbers(design.left_out & ~design.clues, design.chosen)
        many, cost = len(design.chosen), 0.0
        for number in {*counts, *range(len(self._wanted.numbers))}:
            cost += abs(counts[number] - many * self._wanted.worth(number))
        return _NUMBER * cost

    def puzzle(self, design: Division) -> ShadingLoop:
        """Return the puzzle of a design."""
        shaded, found = design.left_out & ~design.clues, {}
        for cell, at in design.chosen.items():
            counted, clue = self._choices[cell][at]
            found[divmod(cell, self.cols)] = clue((counted & shaded).bit_count())
        return self._blank.with_clues(found)

    def cells_left_out(self, loop: Solution) -> int:
        """Return the cells that a loop leaves out."""
        board = loop.lattice
        used = {vertex for edge in loop for vertex in board.ends(edge)}
        return sum(1 << v for v in range(board.num_vertices) if v not in used)

    def fits(self, design: Division, other: int) -> bool:
        """Return whether a loop that leaves out these cells fits the clues of a design."""
        clues = design.clues
        if clues & ~other or self.touching(other & ~clues):
            return False
        ours, theirs = design.left_out & ~clues, other & ~clues
        return all(
            (counted & ours).bit_count() == (counted & theirs).bit_count()
            for cell, at in design.chosen.items()
            for counted in (self._choices[cell][at][0],)
        )

    def other_choice(self, design: Division, near: int) -> Division | None:
        """Return a design with another choice for a clue, of those ``near`` if possible."""
        cells = [cell for cell in design.chosen if len(self._choices[cell]) > 1]
        if not cells:
            return None
        close = [cell for cell in cells if near >> cell & 1]
        cell = pick(self._rng, close or cells)
        shaded = design.left_out & ~design.clues
        rest = {other: at for other, at in design.chosen.items() if other != cell}
        at = self.choice(cell, shaded, rest, design.chosen[cell])
        return design._replace(chosen={**rest, cell: at})

    def other_cells(self, design: Division, near: int) -> Division | None:
        """Return a design with clues in a shaded orbit near a place, and fewer elsewhere."""
        left_out, clues = design.left_out, design.clues
        free = [bits for bits in self.orbits if not bits & ~left_out and not bits & clues]
        close = [bits for bits in free if bits & near] or free
        if not close:
            return None
        new = pick(self._rng, close)
        found = self._fewer(left_out, clues | new, shuffled(self._rng, self.orbits), new)
        return None if found == clues else self.design(left_out, found, design.chosen)


@lru_cache(maxsize=1_000)
def said(number: int, cells: int) -> float:
    """Return how much a number of shaded cells out of some in a row tells, in bits."""
    ways = [math.comb(cells - k + 1, k) if 2 * k <= cells + 1 else 0 for k in range(cells + 1)]
    chances = [w * _SHADED**k * (1 - _SHADED) ** (cells - k) for k, w in enumerate(ways)]
    if number >= len(chances) or not chances[number]:
        return 8.0
    return math.log2(sum(chances) / chances[number]) + 0.1


def shading_loop(
    kind: type[ShadingLoop],
    rows: int,
    cols: int,
    rng: Random,
    another: Another,
    wanted: Wanted,
    is_good: Callable[[ShadingLoop], bool],
) -> tuple[ShadingLoop, Solution] | None:
    """Make a puzzle of a kind whose loop leaves out clues and shaded cells; ``None`` on failure."""
    shading = Shading(kind, rows, cols, rng, wanted)
    aim = Aim(wanted.visited, wanted.turns, wanted.straight, _APART)
    drawn = Drawn(rows, cols, aim, rng, shading.lacking)
    drawn.anneal()
    clues = shading.divided(drawn.left_out)
    if clues is None:
        return None
    design = shading.design(drawn.left_out, clues, {})
    puzzle = shading.puzzle(design)
    open_ = len(open_edges(puzzle)) + shading.off(design)
    size, known = rows * cols, list[int]()
    for number in range(_CHANGES * size):
        if number > size // 2 and not number % _MORE:
            shading.clues += 1
        loop = drawn.solution()
        try:
            other = another(puzzle, loop)
        except ConflictLimit:
            return None
        if other is None and is_good(puzzle):
            return puzzle, loop
        missed = None if other is None else shading.cells_left_out(other)
        if missed is not None:
            known.append(missed)
        places = drawn.left_out ^ missed if missed is not None else 0
        if other is not None and not places:
            board = loop.lattice
            places = sum(1 << v for v in {v for e in {*loop} ^ {*other} for v in board.ends(e)})
        kept = drawn.kept()
        for _ in range(_PROPOSED):
            new = changed(shading, drawn, design, places, rng)
            if new is None or any(shading.fits(new, one) for one in known[-_KNOWN:]):
                drawn.restore(kept)
                continue
            other_puzzle = shading.puzzle(new)
            now = len(open_edges(other_puzzle)) + shading.off(new)
            warm = _HOT * (_COLD / _HOT) ** min(1.0, number / size)
            if now <= open_ or rng.random() < math.exp((open_ - now) / warm):
                design, puzzle, open_ = new, other_puzzle, now
                break
            drawn.restore(kept)
    return None


def changed(
    shading: Shading, drawn: Drawn, design: Division, places: int, rng: Random
) -> Division | None:
    """Return a design that differs near one of these places; ``None`` if that fails."""
    rows, cols = shading.rows, shading.cols
    near = _near(shading, places, rng)
    if below(rng, 10) < _ARROWS and (found := shading.other_choice(design, near)):
        return found
    if below(rng, 10) < _CELLS and (found := shading.other_cells(design, near)):
        return found
    faces = [
        divmod(cell, cols)
        for cell in range(rows * cols)
        if near >> cell & 1 and cell % cols < cols - 1 and cell // cols < rows - 1
    ]
    before = drawn.left_out
    drawn.change(faces, _FLIPS, _WARM)
    if drawn.left_out == before:
        return None
    clues = shading.divided(drawn.left_out, design.clues)
    return None if clues is None else shading.design(drawn.left_out, clues, design.chosen)


def _near(shading: Shading, places: int, rng: Random) -> int:
    """Return the cells near one of these cells; all cells if there are none."""
    cells = [cell for cell in range(shading.rows * shading.cols) if places >> cell & 1]
    if not cells:
        return (1 << shading.rows * shading.cols) - 1
    found = 1 << pick(rng, cells)
    for _ in range(_NEAR):
        found |= shading.around(found)
    return found


def open_edges(puzzle: ShadingLoop) -> list[int]:
    """Return the edges that the rules and probes of single edges leave open."""
    from linkoracle.lines.rules_kernel import Rules

    rules = Rules(puzzle.model)
    if not rules.preprocess(Deadline(None)):
        return []
    return [edge for edge, value in enumerate(rules.fixed()) if value == 2]

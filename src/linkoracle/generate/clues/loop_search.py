"""`LoopSearch`: search for a loop that clues on given cells make unique, with given digits."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import chain, product
from random import Random
from typing import NamedTuple

from linkoracle.board import NO_FACE, Colouring, Lattice, LoopRepair, Solution
from linkoracle.core import (
    Deadline,
    NothingFound,
    SearchTimeout,
    below,
    counted,
    default_limit,
    pick,
    shuffled,
)
from linkoracle.engines import LazySearch
from linkoracle.generate.attempts import Reduced, Watching, showing, with_all_clues
from linkoracle.generate.clues import SearchPlan, plan_of
from linkoracle.generate.clues.reducing import reduced
from linkoracle.generate.clues.request import SlitherlinkRequest
from linkoracle.generate.loops.colouring import Ends, beyond, enclosed, neighbourhoods
from linkoracle.generate.loops.shapes import UniqueLoops
from linkoracle.kinds import Cell, Slitherlink, empty_cells
from linkoracle.search import Alternatives

#: Steps without progress after which a loop is given up.
_MOST_IDLE_STEPS = 600
#: The initial temperature of the annealing, in cells.
_TEMPERATURE = 2.0
#: The fraction of a time limit for changing loops.
_SEARCHED = 0.7
#: Most cells that a step flips at random before the repair.
_SHAKEN = 4
#: Flips of a repair, flips for a new loop per cell, and the temperature of a flip.
_FLIPS, _FLIPS_A_CELL, _FLIP_TEMPERATURE = 300, 20, 0.7
#: Most alternatives that count for the cost of a loop.
_ALTERNATIVES = 8
#: Most alternatives that are remembered, as they often recur.
_KNOWN = 200


class LoopSearch:
    """Searches for a loop that clues on the cells allowed by a plan make unique.

    Each step flips a few cells where an *alternative*, another loop with the same clues, differs.
    Then `LoopRepair` flips further cells until one or two flips make no alternative, and each given
    digit is right. The step is accepted if the alternatives then differ in fewer cells, and
    sometimes if in slightly more (simulated annealing, Kirkpatrick, Gelatt and Vecchi, Science 220,
    1983). Failure proves nothing. The statistics are those of all attempts.
    """

    def __init__(self, plan: SearchPlan, deadline: Deadline, watching: Watching) -> None:
        self._plan, self._watching = plan, watching
        self._rows, self._cols = plan.board.rows, plan.board.cols
        self._shown = plan.shown
        self._digits = array("b", [-1]) * (self._rows * self._cols)
        for (row, col), digit in plan.digits.items():
            self._digits[row * self._cols + col] = digit
        #: The faces whose flip would contradict an annotation of the board.
        self._annotated = _annotated_faces(plan)
        # The rest of the time is for the nearest puzzle.
        self._until, self._deadline = deadline, deadline.after(_SEARCHED)
        self._memory = default_limit()
        self._queries = self._conflicts = 0
        self._board = Lattice(self._rows + 1, self._cols + 1)
        self._touched = frozenset(chain.from_iterable(map(self._board.edges_of, self._shown)))
        self._neighbourhoods = neighbourhoods(self._board)
        #: Used after the first attempt has failed.
        self._all: UniqueLoops | None = None
        #: A remark for the message when clues do not decide all cells.
        self.gaps = _remark_on_gaps(self._shown, self._cols)
        #: The number of cells in which a sample of alternatives of the last attempt differs.
        self.missed: int | None = None
        #: The loop at which the last attempt gave up, if its clues are those requested, not all 0.
        self.left: Solution | None = None

    def nearest(self, ends: Ends) -> Reduced | None:
        """Return the puzzle of the loop `left`, with some clues against the mask.

        None of these clues is redundant. Return ``None`` without such a loop, or if the loop is not
        unique even with all clues.
        """
        loop, cols = self.left, self._cols
        if loop is None or len(self._shown) == self._rows * cols:
            return None
        full = with_all_clues(self._plan.blank(ends), loop)
        shown = {divmod(face, cols) for face in self._shown}
        needed = self._plan.must
        try:
            found = self._reduced(full, loop, shown)
            against = {cell for cell, _ in found.puzzle.clue_cells()} - shown
            if shown <= needed:
                return found
            # Of the cells that may have a clue, not all need one.
            clues = full.with_clues(dict.fromkeys(dict(full.clue_cells()).keys() - shown - against))
            return self._reduced(clues, loop, needed | against)
        except (NothingFound, SearchTimeout):
            return None

    def _reduced(self, full: Slitherlink, loop: Solution, must: Collection[Cell]) -> Reduced:
        request = SlitherlinkRequest(
            full.rows, full.cols, strategy="core", must=must, must_not=empty_cells(full)
        )
        plan = plan_of(request).clues
        return reduced(plan, full, loop, Random(0), self._until, Watching())

    def puzzle(self, loop: Solution, ends: Ends) -> Reduced:
        """Return the puzzle of a loop with clues on exactly the cells that must have one."""
        kept = self._plan.faces(self._plan.must)
        shown = showing(with_all_clues(self._plan.blank(ends), loop), kept)
        return Reduced(shown, False, self._queries, self._conflicts)

    def improved(self, rng: Random, loop: Solution, ends: Ends = None) -> Solution:
        """Change a loop until it is unique and agrees with the digits and the board.

        For an exact mask, about half of the attempts begin with a loop along the clues instead.
        Raises `NothingFound` if there is no progress for a while, or no loop fits.
        """
        self.left = None
        if self._plan.exact and ends is None and below(rng, 2):
            loop = self._grown(rng)
        if self._plan.digits or self._annotated:
            loop = self._fitted(loop, ends)
        shown = bytes(face in self._shown for face in range(len(self._digits)))
        may_flip = bytes(face not in self._annotated for face in range(len(self._digits)))
        seed = below(rng, 1 << 48)
        outside = beyond(self._board, ends)
        repair = LoopRepair(
            self._board, outside, shown, self._digits, may_flip, self._neighbourhoods, seed
        )
        repair.load(loop.edges)
        best: State | None = None
        try:
            for best in self._annealed(rng, repair, ends):
                self.missed = len(best.changed) or None
        finally:
            # At the deadline, too: the loop may lead to the nearest puzzle.
            if best is not None:
                repair.paint(best.colours)
                self.left = repair.outline() if self._has_digits(repair.outline()) else None
        assert best is not None
        if best.is_done:
            return repair.outline()
        if self._plan.exact:
            if self._all is None and self._plan.ends != "random":
                numbers = {face: digit for face, digit in enumerate(self._digits) if digit >= 0}
                blank = self._plan.blank(self._plan.ends)
                self._all = UniqueLoops(blank, self._shown, numbers, self._deadline)
            if self._all is not None and len(self._all):
                return self._all.draw(rng)
        if not best.alternatives:
            raise NothingFound("ended with wrong digits, or with 0 as more than half of the clues")
        gaps = f" ({self.gaps})" if self.gaps else ""
        raise NothingFound(f"left cells that the clues do not decide{gaps}")

    def _has_digits(self, loop: Solution) -> bool:
        """Return whether a loop has the digits, and at most half of its other clues are 0."""
        counts = [clue for row in loop.clues() for clue in row]
        open_clues = [counts[face] for face in self._shown if self._digits[face] < 0]
        digits = (digit in (-1, clue) for digit, clue in zip(self._digits, counts, strict=True))
        return all(digits) and 2 * open_clues.count(0) <= len(open_clues) + 1

    def _annealed(self, rng: Random, repair: LoopRepair, ends: Ends) -> Iterator[State]:
        """Anneal a loop until it is done or there is no progress; yield each state accepted."""
        repair.anneal(_FLIPS_A_CELL * len(self._digits), _FLIP_TEMPERATURE, self._deadline)
        self._watching.show(partial(self._look, repair, ends))
        best = State.of(repair, self._alternatives(repair, ends, [], math.inf))
        known = {flips.faces.tobytes(): flips for flips in best.alternatives}
        least, idle = best.cost, 0
        yield best
        while not best.is_done and idle < _MOST_IDLE_STEPS:
            idle += 1
            self._deadline.check()
            repair.paint(best.colours)
            wrong = sorted(best.changed)
            face = pick(rng, wrong) if wrong else below(rng, len(self._digits))
            repair.shake(face, 1 + below(rng, _SHAKEN))
            repair.anneal(_FLIPS, _FLIP_TEMPERATURE, self._deadline)
            # A step that is worse by the temperature is accepted once in e times.
            temperature = _TEMPERATURE * (1 - idle / _MOST_IDLE_STEPS)
            bound = best.cost - temperature * math.log(1 - rng.random())
            if _cost(repair, []) > bound or repair.colours == best.colours:
                continue
            left = [flips for flips in known.values() if repair.is_free_flip(flips.faces)]
            if _cost(repair, left) > bound:
                continue
            left = self._alternatives(repair, ends, left, bound)
            for flips in left:
                key = flips.faces.tobytes()
                known[key] = known.pop(key, flips)
            while len(known) > _KNOWN:
                del known[next(iter(known))]
            state = State.of(repair, left)
            if state.cost <= bound:
                best = state
                yield best
                if best.cost < least:
                    least, idle = best.cost, 0
                    self._watching.show(partial(self._look, repair, ends))

    def _look(self, board: Colouring, ends: Ends) -> tuple[Slitherlink, Solution]:
        """Return a loop in progress, with the allowed clues and the requested digits."""
        loop = board.outline()
        full = with_all_clues(self._plan.blank(ends), loop)
        shown = showing(full, self._shown)
        return shown.with_clues(self._plan.digits), loop

    @property
    def proof(self) -> str | None:
        """The reason why there is no such puzzle at all, if known."""
        if self._all is None or not self._all.loops or len(self._all):
            return None
        there = " and these digits" if self._plan.digits else ""
        message = f"no puzzle has clues exactly there{there}, at most half of them 0: none of the"
        loops = "loops" if self._plan.ends is None else "paths"
        return f"{message} {self._all.loops} {loops} of the board is unique with such clues"

    def _fitted(self, loop: Solution, ends: Ends) -> Solution:
        """Return a loop near the given one that agrees with the digits and the board."""
        puzzle = self._plan.blank(ends).with_clues(self._plan.digits)
        with LazySearch(puzzle.model, deadline=self._deadline) as search:
            search.prefer(loop.edges)
            edges = search.next_solution(deadline=self._deadline)
        if edges is None:
            message = "fits the board" if self._annotated else "has the digits given"
            line = "loop" if ends is None else "path"
            raise NothingFound(f"no {line} {message}")
        return Solution(loop.lattice, edges)

    def _grown(self, rng: Random) -> Solution:
        """Return a loop that winds along the cells with clues.

        It begins around a cell next to a clue, or around a region enclosed by clues, and adds, in
        random order, cells next to a clue that touch it on one side.
        """
        board = Colouring(self._board)
        near = {one for face in self._shown for one in (face, *board.across(face))}
        cells = sorted(near - {NO_FACE}) or list(range(self._board.num_faces))
        starts = [[pick(rng, cells)], *enclosed(board, near)]
        for cell in pick(rng, starts):
            board.flip(cell)
        grows = True
        while grows:
            grows = False
            for cell in shuffled(rng, cells):
                # The cell touches the region at one of its four sides.
                if not board.is_inside(cell) and board.count(cell) == 1 and board.can_flip(cell):
                    board.flip(cell)
                    grows = True
        return board.outline()

    def _alternatives(
        self, repair: LoopRepair, ends: Ends, known: list[FlipSet], bound: float
    ) -> list[FlipSet]:
        """Return alternatives, known ones first, until their cost exceeds the bound."""
        found = list(known)
        loop, colours = repair.outline(), repair.colours
        other = Colouring(self._board, beyond(self._board, ends))
        changed = {face for flips in found for face in flips.changed}
        blank = self._plan.blank(ends)
        with Alternatives(blank, loop, memory=self._memory) as alternatives:
            every = set(range(len(alternatives.counts)))
            while len(found) < _ALTERNATIVES and _cost(repair, found) <= bound:
                # Each alternative must differ at a face where none did so far.
                denied = sorted(every - self._shown - changed) if found else []
                if found and not denied:
                    break
                alternative = alternatives.find(self._shown, denied, timeout=self._deadline)
                if alternative is None:
                    break
                other.load(alternative.solution.edges)
                new_colours = other.colours
                faces = (face for face in every if new_colours[face] != colours[face])
                flips = FlipSet(
                    array("q", faces),
                    # An alternative may have the same clues everywhere.
                    alternative.changed or frozenset(every),
                    frozenset(alternative.flipped) & self._touched,
                )
                changed |= flips.changed
                found.append(flips)
            self._queries += alternatives.queries
            self._conflicts += alternatives.conflicts
        return found


def _annotated_faces(plan: SearchPlan) -> set[int]:
    """Return the faces with a given or forbidden edge, or with a missing dot as a corner."""
    board = plan.board
    lattice, edges = board.lattice, (*board.given, *board.forbidden)
    sides = {face for ends in edges for face in lattice.faces_of(lattice.edge(*ends))}
    corners = {
        (row - above, col - left)
        for (row, col), above, left in product(board.holes, (0, 1), (0, 1))
        if 0 <= row - above < board.rows and 0 <= col - left < board.cols
    }
    return sides | plan.faces(corners)


class FlipSet(NamedTuple):
    """An alternative: the faces that it flips, the faces whose clues change, and the edges."""

    faces: array[int]
    changed: frozenset[int]
    edges: frozenset[int]


class State(NamedTuple):
    """The colours of a loop, and its faults."""

    colours: bytes
    alternatives: list[FlipSet]
    unfit: bool
    cost: int

    @classmethod
    def of(cls, repair: LoopRepair, alternatives: list[FlipSet]) -> State:
        """Return the current state, with these alternatives."""
        return cls(repair.colours, alternatives, repair.is_unfit, _cost(repair, alternatives))

    @property
    def is_done(self) -> bool:
        """Whether the loop is unique and has the digits."""
        return not self.alternatives and not self.unfit

    @property
    def changed(self) -> set[int]:
        """The faces whose clues alternatives change."""
        return {face for flips in self.alternatives for face in flips.changed}


def _cost(repair: LoopRepair, alternatives: Sequence[FlipSet]) -> int:
    """Return the cost of a loop: how far it is from being unique."""
    return (
        len({edge for flips in alternatives for edge in flips.edges})
        + len(alternatives)
        + repair.cost
        + repair.layout_cost
    )


def _remark_on_gaps(shown: set[int], cols: int) -> str:
    """Return a remark about clues that meet only at a corner, with gaps on both sides.

    >>> _remark_on_gaps({0, 5, 10, 11}, 4), _remark_on_gaps({0, 1, 5}, 4)
    ('in 2 places, two clues meet only at a corner, where a loop slips through: join them', '')
    """
    found = len([*_gaps(shown, cols)])
    remark = "two clues meet only at a corner, where a loop slips through: join them"
    return f"in {counted(found, 'place')}, {remark}" if found else ""


def _gaps(shown: set[int], cols: int) -> Iterator[tuple[int, int]]:
    """Yield the two empty faces beside each corner where two clues meet that no clue joins."""
    for face in shown:
        for side in (-1, 1):
            if 0 <= face % cols + side < cols and face + cols + side in shown:
                gap = face + side, face + cols
                if shown.isdisjoint(gap):
                    yield gap


def joining(shown: set[int], rows: int, cols: int) -> set[int]:
    """Return faces that join clues which meet only at a corner: the faces nearer to the middle.

    >>> sorted(joining({0, 5, 10}, 3, 4)), sorted(joining({3, 6, 9}, 3, 4))
    ([4, 6], [5, 7])
    """

    def away(face: int) -> tuple[int, int]:
        row, col = divmod(face, cols)
        return abs(2 * row + 1 - rows) + abs(2 * col + 1 - cols), -row

    return {min(gap, key=away) for gap in _gaps(shown, cols)}

"""`Designing`: puzzles for what a designer has fixed: clues, cells for clues, lines, the loop.

One way for all kinds of a loop or a path. The board with its fixed clues and lines, and a clue
without a number in each cell that must have one, is a model whose solutions are the loops that fit
the design. A solution near a random loop is the first one. While other loops fit the clues that the
design allows, it changes next to a difference: edges farther away stay, and the solver finds
another solution of the model. The cost of a loop is the number of its known alternatives and of
cells without the clue that they must have; simulated annealing accepts a change.

If the model has no solution, some parts of the design contradict each other: a minimal set of these
is found by leaving out one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from linkoracle.board import Board, LinkModel, Solution
from linkoracle.core import (
    ConflictLimit,
    Deadline,
    NothingFound,
    below,
    counted,
    listing,
    pick,
    shuffled,
)
from linkoracle.engines import Oracle
from linkoracle.generate.loops import any_loop, loop_for
from linkoracle.generate.loops.cells import reduced
from linkoracle.generate.loops.choosing import allowed, chosen
from linkoracle.generate.loops.shading import divides
from linkoracle.kinds import CellLoop, CellPath, RegionPuzzle, place_of

#: The most known alternatives of a loop, how far a loop may change from a place, and the edges one
#: of which changes.
_ALTERNATIVES, _RADII, _CHANGED = 6, (1, 2, 3, 5), 6
#: Changes of a loop without progress before another one is drawn; the temperature at first.
_IDLE, _TEMPERATURE = 60, 1.5
#: At first, one of about so many open cells is closed for a clue where all others are shaded.
_CLOSED = 5
#: Further attempts to find the nearest puzzle.
_NEAREST = 3
#: The cost of a cell without the clue that it must have.
_MISSING = 3
#: Conflicts of a search for a loop that may be another one as well.
_BRIEFLY = 2_000
#: The most parts that a message names.
_NAMED = 8

#: Searches for an alternative to a solution of a puzzle; with edges that are on or off in it.
Another = Callable[..., Solution | None]


@dataclass(frozen=True)
class Design:
    """A ``board`` with clues and lines that stay; cells that must, or must not, have a clue.

    With a ``loop``, this one is the solution.
    """

    board: Any
    must: frozenset[Any] = frozenset()
    must_not: frozenset[Any] = frozenset()
    loop: Solution | None = None

    @cached_property
    def given(self) -> dict[Any, Any]:
        """The clues that stay; a clue without a number may get one where the cell must have one."""
        unknown = self.board.unknown
        return {place: clue for place, clue in self.board.every_clue() if clue != unknown}

    @cached_property
    def base(self) -> Any:
        """The board with a clue without a number in each cell that must have one."""
        return self.with_marks(self.board, self.must)

    def with_marks(self, board: Any, must: Collection[Any]) -> Any:
        """Return a board with a clue without a number where there is none, if the kind has such."""
        there = dict(board.every_clue())
        if board.unknown is None:
            return board
        return board.with_clues(
            dict.fromkeys((one for one in must if one not in there), board.unknown)
        )

    def model(self, board: Any, must: Collection[Any]) -> LinkModel:
        """Return the model of the loops that fit these clues, lines and marks."""
        model: LinkModel = self.with_marks(board, must).model
        if board.unknown is None and board.avoids_clues:
            model = model.with_holes(board.board.vertex_of(one) for one in must)
        return model

    def open(self, place: Any) -> bool:
        """Return whether a puzzle may have a new clue in a place."""
        return place not in self.must_not and place not in self.given

    @cached_property
    def parts(self) -> list[tuple[str, Any]]:
        """What the designer has fixed, as kinds of parts and places or lines."""
        fixed = [
            (name, line) for name in ("given", "forbidden") for line in getattr(self.board, name)
        ]
        marks = sorted(self.must, key=lambda one: (isinstance(one, str), one))
        return [
            *(("clue", one) for one in self.given),
            *(("mark", one) for one in marks),
            *fixed,
        ]

    def only(self, parts: Collection[tuple[str, Any]]) -> LinkModel:
        """Return the model with these parts only."""
        kept = {*parts}
        gone = {place: None for place, _ in self.board.every_clue() if ("clue", place) not in kept}
        lines = {
            name: tuple(line for line in getattr(self.board, name) if (name, line) in kept)
            for name in ("given", "forbidden")
        }
        board = replace(self.board, **lines).with_clues(gone)
        return self.model(board, [place for what, place in parts if what == "mark"])

    def named(self, parts: Sequence[tuple[str, Any]]) -> str:
        """Return the names of parts in the words of a designer."""
        marks = [place_of(place) for what, place in parts if what == "mark"]
        names = [self._name(*part) for part in parts if part[0] != "mark"]
        if marks:
            several = f"the marks at {listing_of(marks)}"
            names.append(several if len(marks) > 1 else f"the mark at {marks[0]}")
        return listing_of(names)

    def _name(self, what: str, place: Any) -> str:
        if what == "clue":
            return f"the clue {self.given[place]} at {place_of(place)}"
        return f"the {'line' if what == 'given' else 'cross'} {'-'.join(map(place_of, place))}"

    def conflict(self, deadline: Deadline) -> list[tuple[str, Any]] | None:
        """Return a minimal set of parts that no loop fits together; ``None`` if some loop fits all.

        Empty if no loop fits the board even without them.
        """

        def fits(parts: Collection[tuple[str, Any]]) -> bool:
            with Oracle(self.only(parts)) as oracle:
                return next(oracle.solutions(timeout=deadline.left), None) is not None

        if fits(self.parts):
            return None
        core = list(self.parts)
        size = max(1, len(core) // 2)
        # Leave out long runs first: most parts have nothing to do with the conflict.
        while size:
            at = 0
            while at < len(core):
                fewer = core[:at] + core[at + size :]
                if fits(fewer):
                    at += size
                else:
                    core = fewer
            size //= 2
        return core


def random_loop(puzzle: Any, rng: Random) -> Solution:
    """Return a random loop, or path, on the board of a puzzle; it need not fit the puzzle."""
    kind = type(puzzle)
    if issubclass(kind, CellPath):
        return loop_for(kind, puzzle.rows, puzzle.cols, rng)
    if kind.every_cell and (puzzle.lattice.num_vertices % 2 == 0):
        return loop_for(kind, puzzle.rows, puzzle.cols, rng)
    return any_loop(rng, puzzle.lattice)


def more_clues(extra: Sequence[Any]) -> str:
    """Return a message with the extra clues of a nearest puzzle, and the option that allows them.

    >>> more_clues([(0, 0), (1, 2)])
    'The nearest puzzle found has 2 more clues, at r1c1 and r2c3: set extra_clues to 2'
    """
    number = len(extra)
    return (
        f"The nearest puzzle found has {counted(number, 'more clue')}, at "
        f"{listing_of([*map(place_of, extra)])}: set extra_clues to {number}"
    )


def listing_of(names: Sequence[str]) -> str:
    """Return the first names in words, and how many more there are."""
    more = len(names) - _NAMED
    return listing([*names[:_NAMED], *([counted(more, "other cell")] if more > 0 else [])])


@dataclass(frozen=True)
class _State:
    """A loop, its puzzle with all clues that the design allows, and its faults."""

    loop: Solution
    puzzle: Any
    missing: tuple[Any, ...]
    others: tuple[Solution, ...]

    @property
    def cost(self) -> int:
        return _MISSING * len(self.missing) + len(self.others)


class Designing:
    """Makes puzzles of a design; ``another`` searches for alternatives, ``orbits`` go together."""

    def __init__(
        self,
        design: Design,
        orbits: Sequence[Sequence[int]],
        rng: Random,
        another: Another,
        deadline: Deadline,
    ) -> None:
        self._design, self._orbits, self._rng = design, orbits, rng
        self._another, self.deadline = another, deadline
        self._board: Board = design.board.board
        self._oracle = Oracle(design.model(design.board, design.must))
        #: The board with clues without a number.
        self._base = design.base
        #: The best loop of the last attempt, which may lead to the nearest puzzle.
        self.best: _State | None = None

    @property
    def fixed(self) -> frozenset[Any]:
        """The places and lines that a puzzle has as the design has them."""
        design = self._design
        return design.must | design.must_not | {*design.given, *design.board.given}

    def require_loop(self) -> None:
        """Raise `NothingFound` with the parts of the design that contradict each other, if any."""
        design = self._design
        if design.loop is not None:
            puzzle = design.base.with_clues(self._clues(design.loop)[0])
            if faults := self._with_lines(puzzle, design.loop).violations(design.loop):
                raise NothingFound(f"the drawn loop does not fit the board: {faults[0]}.")
            return
        if next(self._oracle.solutions(timeout=self.deadline), None) is not None:
            return
        conflict = design.conflict(self.deadline)
        if not conflict:
            raise NothingFound("no loop fits this board, even without clues, marks and lines.")
        alone = "does not fit any loop" if len(conflict) == 1 else "contradict each other"
        raise NothingFound(f"{design.named(conflict)} {alone}.", "Change one of them.")

    def reason(self, failures: str, nearest: Any) -> tuple[str, str]:
        """Return why there is no puzzle, and what to change."""
        design, state = self._design, self.best
        advice = "Try another seed, more attempts, or mark more cells as ?."
        if nearest is not None and nearest.extra:
            advice = f"{more_clues(nearest.extra)}, or mark these cells as ?."
        if state is not None and state.missing:
            places = listing_of([*map(place_of, sorted(state.missing))])
            allows = "the drawn loop allows no clue"
            if design.loop is None:
                allows = "found no loop that allows a clue"
            return f"{allows} at {places}.", "Mark these cells as ?."
        if design.loop is None:
            return f"found no puzzle with clues in these cells only: {failures}.", advice
        allowed_clues = (
            "with clues in these cells only" if design.must_not else "even with all clues"
        )
        if nearest is not None and not nearest.extra:
            lines = {*nearest.solution} ^ {*design.loop}
            advice = f"The nearest loop with a puzzle differs in {counted(len(lines), 'line')}."
        return f"the drawn loop is not the only solution {allowed_clues}.", advice

    def made(self, *, minimal: bool) -> tuple[Any, Solution] | None:
        """Return a puzzle with one solution; ``None`` if this attempt failed."""
        state = self._found()
        if state is None:
            return None
        return self._few(state.puzzle, state.loop, minimal=minimal), state.loop

    def nearest(self) -> tuple[Any, Solution, tuple[Any, ...]] | None:
        """Return a puzzle with clues against the marks, its solution, and the cells of these.

        None of these clues is redundant. It has the loop of the last attempt, or one near it.
        """
        free = copy(self)
        free._design = replace(self._design, must_not=frozenset(), loop=None)
        free._oracle = Oracle(self._design.model(self._design.board, self._design.must))
        found = None if self.best is None else free._state(self.best.loop)
        for near in (None if found is None else found.loop, *[None] * _NEAREST):
            if found is not None and not found.cost:
                break
            found = free._found(near)
        if found is None or found.cost:
            return None
        # Clues against the marks go first, then others where there is a choice.
        inside = [one for one, _ in found.puzzle.every_clue() if self._design.open(one)]
        left = free._few(found.puzzle, found.loop, minimal=True, also=inside)
        against = [one for one, _ in left.every_clue() if one in self._design.must_not]
        left = self._few(left, found.loop, minimal=False, also=against)
        return left, found.loop, tuple(against)

    def _found(self, near: Solution | None = None) -> _State | None:
        """Return a loop that is unique with the clues that the design allows.

        The first one is ``near``, or near a random loop.
        """
        self.best = None
        if self._design.loop is not None:
            state = self.best = self._state(self._design.loop)
            return None if state.cost else state
        first = self._past_closed if divides(type(self._design.board)) else self._first
        start = near or first()
        if start is None:
            return None
        state = self.best = self._state(start)
        idle = 0
        while state.cost and idle < _IDLE:
            self.deadline.check()
            idle += 1
            loop = self._changed(state)
            if loop is None:
                continue
            new = self._state(loop)
            temperature = _TEMPERATURE * (1 - idle / _IDLE)
            if new.cost <= state.cost - temperature * math.log(1 - self._rng.random()):
                state = new
                if new.cost < self.best.cost:
                    self.best, idle = new, 0
        return None if state.cost else state

    def _past_closed(self) -> Solution | None:
        """Return a loop that leaves out drawn cells, which may have a clue and now must."""
        design = self._design
        ends = {end for line in design.board.given for end in line}
        cells = (cell for cell in design.board.cells() if cell not in ends)
        open_ = [cell for cell in cells if design.open(cell)]
        number = len(open_) // (_CLOSED + below(self._rng, _CLOSED))
        while True:
            must = {*design.must, *shuffled(self._rng, open_)[:number]}
            self._base = design.with_marks(design.board, must)
            self._oracle.close()
            self._oracle = Oracle(design.model(design.board, must))
            if (found := self._first()) is not None or not number:
                return found
            # Clues that stay may leave few cells to close.
            number = number * 3 // 4

    def _with_lines(self, puzzle: Any, loop: Solution) -> Any:
        """Return a puzzle with the lines of a loop, if these are the clues of its kind."""
        made: Any = type(puzzle).from_solution
        if made.__func__ is CellLoop.from_solution.__func__:  # type: ignore[attr-defined]
            return puzzle
        lines = {*puzzle.given, *made(loop).given}
        return replace(puzzle, given=tuple(sorted(lines - {*puzzle.forbidden})))

    def _first(self) -> Solution | None:
        """Return a loop that fits the design, near a random one."""
        random = random_loop(self._design.board, self._rng)
        found = self._oracle.another(random, timeout=self.deadline)
        # The random loop may be the only one.
        return found or next(self._oracle.solutions(timeout=self.deadline), None)

    def _state(self, loop: Solution) -> _State:
        design = self._design
        clues, missing = self._clues(loop)
        puzzle = self._with_lines(self._base.with_clues(clues), loop)
        if puzzle.violations(loop):
            puzzle = self._fitting(loop, clues)
            missing = tuple(sorted({*design.must} - {*dict(puzzle.every_clue())}))
        if missing:
            return _State(loop, puzzle, missing, ())
        puzzle, others = chosen(
            puzzle,
            loop,
            lambda one: self._others(one, loop),
            self._rng,
            kept=design.given,
        )
        return _State(loop, puzzle, (), tuple(others))

    def _clues(self, loop: Solution) -> tuple[dict[Any, Any], tuple[Any, ...]]:
        """Return a clue for each open place that may have one, and the places that lack one."""
        design, base = self._design, self._base
        clues: dict[Any, Any] = {}
        for place, some in allowed(base, loop).items():
            at = self._place_in_region(place)
            if at is not None and design.open(at):
                clues[at] = some[-1]
        known = {*clues, *dict(base.every_clue())}
        for orbit in self._orbits:
            # Clues that a symmetry maps to each other come together.
            cells = [divmod(cell, base.cols) for cell in orbit]
            if len(cells) > 1 and not known.issuperset(cells):
                for cell in cells:
                    clues.pop(cell, None)
        known = {*clues, *design.given}
        # A clue without a number stays where a loop has no number for it.
        there = dict(design.board.every_clue())
        return clues, tuple(one for one in design.must if one not in known and one not in there)

    def _fitting(self, loop: Solution, clues: dict[Any, Any]) -> Any:
        """Return the board with as many of these clues as fit together with its own."""
        puzzle = self._base
        for place in shuffled(self._rng, sorted(clues, key=str)):
            fuller = puzzle.with_clues({place: clues[place]})
            if not fuller.violations(loop):
                puzzle = fuller
        return puzzle

    def _place_in_region(self, place: Any) -> Any:
        """Return where the clue of a region goes: any cell of it may have it."""
        base = self._design.base
        if not (isinstance(base, RegionPuzzle) and base.region_clues) or isinstance(place, str):
            return place
        there, design = dict(base.every_clue()), self._design
        cells = self._regions[base.region_of(place)]
        taken = [cell for cell in cells if cell in there or cell in design.must]
        return next(iter([*taken, *(cell for cell in cells if design.open(cell))]), None)

    @cached_property
    def _regions(self) -> dict[Any, list[Any]]:
        base = self._design.base
        return {base.region_of(cells[0]): cells for cells in base.cells_by_region()}

    def _others(self, puzzle: Any, loop: Solution) -> list[Solution]:
        """Return alternatives that differ in places apart."""
        found: list[Solution] = []
        edges: dict[int, bool] = {}
        used = {*loop}
        while len(found) < _ALTERNATIVES:
            try:
                other = self._another(puzzle, loop, edges) if edges else self._another(puzzle, loop)
            except ConflictLimit:
                if not found:
                    raise
                break
            if other is None:
                break
            found.append(other)
            edges.update((edge, edge in used) for edge in used ^ {*other})
        return found

    def _changed(self, state: _State) -> Solution | None:
        """Return a loop that fits the design, changed near a fault of this one."""
        board, rng, used = self._board, self._rng, {*state.loop}
        if state.missing and (not state.others or below(rng, 2)):
            middle = board.vertex_of(pick(rng, state.missing))
            differing: set[int] = set()
        else:
            differing = used ^ {*pick(rng, state.others)}
            middle = pick(rng, sorted({end for edge in differing for end in board.ends(edge)}))
        near = [{middle}]
        for radius in range(1, _RADII[-1] + 1):
            grown = {end for one in near[-1] for e in board.edges_at(one) for end in board.ends(e)}
            near.append(near[-1] | grown)
            if radius not in _RADII:
                continue
            inside = {e for one in near[-1] for e in board.edges_at(one)}
            fixed = {e: e in used for e in range(board.num_edges) if e not in inside}
            wanted = shuffled(rng, sorted(inside))[:_CHANGED]
            try:
                found = self._oracle.differing(
                    state.loop, wanted, len(wanted), edges=fixed, timeout=_briefly()
                )
            except ConflictLimit:
                continue
            if found is not None:
                return found
        return None

    def _few(
        self, puzzle: Any, loop: Solution, *, minimal: bool, also: Collection[Any] = ()
    ) -> Any:
        """Remove redundant clues where the design leaves a choice, but those of ``also``."""
        kept = {*self.fixed, *also}
        return reduced(
            puzzle, loop, self._rng, self._another, self._orbits, minimal=minimal, kept=kept
        )


def _briefly() -> Deadline:
    return Deadline(None).with_conflicts(_BRIEFLY)

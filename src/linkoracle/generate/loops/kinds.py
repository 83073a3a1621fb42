"""The generator of each kind: one in the module of the kind, or that of all loops through cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import signature
from itertools import islice
from random import Random
from typing import Any, ClassVar

from linkoracle import deduce
from linkoracle.board import Board, Edge, Lattice, Solution, Symmetry, orbits
from linkoracle.core import (
    ConflictLimit,
    Deadline,
    NothingFound,
    check_options,
    checked_int,
    counted,
    declare,
    shuffled,
    source,
)
from linkoracle.deduce import Measured, Within
from linkoracle.generate.attempts import EFFORT, HARDER, Attempts, Made, misfit
from linkoracle.generate.loops.aims import Wanted, has_aims, wanted
from linkoracle.generate.loops.cells import cell_loop, reduced
from linkoracle.generate.loops.choosing import allowed
from linkoracle.generate.loops.shading import shading_loop
from linkoracle.generate.request import (
    Graded,
    as_grade,
    board_option,
    check_even,
    checked_board,
    is_made,
    makers,
    symmetry_of,
    tries_of,
    visits_all,
)
from linkoracle.kinds import (
    Another,
    CellLoop,
    CellPath,
    FaceMaker,
    GridPuzzle,
    IsEasy,
    Puzzle,
    ShadingLoop,
    alternatives,
    kind_named,
)


def face_maker_of(kind: type[Puzzle]) -> FaceMaker | None:
    """Return the generator of a kind on the faces of a board, if there is one."""
    if not (issubclass(kind, GridPuzzle) and kind.fits_boards()):
        return None
    return kind.face_maker


def chooses_places(kind: type[Puzzle]) -> bool:
    """Return whether the generator of a kind chooses the cells that have clues.

    False for kinds whose clues may be anywhere in a region, are all cells that the loop omits, or
    do not exist.
    """
    return (
        kind.maker is None
        and issubclass(kind, CellLoop)
        and not (kind.every_cell or getattr(kind, "region_clues", False))
    )


def designs(kind: type[Puzzle]) -> bool:
    """Return whether puzzles of a kind are designed: where clues are, and what they count."""
    return issubclass(kind, ShadingLoop) and kind.avoids_clues


#: Conflicts of a search for an alternative beside one that is known.
_BRIEFLY = 1_000
#: Least side of a board whose cells with clues are designed, and attempts to design a puzzle that
#: is as requested; attempts with a symmetry that was drawn.
_DESIGNED, _DESIGNS, _SYMMETRIC = 4, 3, 8
#: Default number of attempts for a puzzle, and the most cells of a board.
TRIES, MOST_CELLS = 100, 2_500


@dataclass(frozen=True)
class PuzzleRequest(Graded):
    """A request for a puzzle of a kind that has a generator.

    Instead of rows and columns, ``board`` has the cells of a Simple Loop as its faces. The
    generator makes up to ``tries`` attempts. ``symmetry`` is one of
    `linkoracle.board.symmetry.SYMMETRIES`: either all cells that it maps to each other have clues,
    or none of them. Regions need not be symmetric. Raises ``ValueError`` for a kind that is not in
    `makers`, and for contradictory options.

    >>> PuzzleRequest("simpleloop", 6, 6, difficulty="easy").tries
    100
    """

    needing_rows: ClassVar = ("minimal", "symmetry")

    kind: str
    rows: int = None  # type: ignore[assignment]
    cols: int = None  # type: ignore[assignment]
    board: Board | None = board_option()
    tries: int = tries_of("Attempts", TRIES)
    minimal: bool = declare(
        False, "Remove every redundant clue, even if a player then must guess.", title="Minimal"
    )
    symmetry: Symmetry | None = symmetry_of(
        "clues", None, " By default as often as in published puzzles of the kind."
    )

    def __post_init__(self) -> None:
        if not is_made(self.kind):
            known = alternatives(makers())
            raise ValueError(f"expected a kind with a generator, {known}, got {self.kind!r}")
        if self.board is not None:
            if face_maker_of(kind := kind_named(self.kind)) is None:
                raise ValueError(f"{kind.title}s are made on rows and columns only")
            checked_board(self, MOST_CELLS)
            cells = self.board.num_faces
        else:
            cells = checked_int(self.rows, "rows", 1) * checked_int(self.cols, "columns", 1)
            if cells > MOST_CELLS:
                size = f"{self.rows}x{self.cols}"
                raise ValueError(f"expected a board of at most {MOST_CELLS} cells, got {size}")
            self.orbits()
            if visits_all(kind := kind_named(self.kind)):
                check_even(self.rows, self.cols, dots=not kind.through_cells)
        checked_int(self.tries, "a number of tries", 1)
        check_options(self)
        if self.minimal and kind_named(self.kind).maker is not None:
            raise ValueError(f"expected no minimal for {self.kind}: its puzzles are minimal anyway")
        if self.symmetry not in (None, "none") and not chooses_places(kind_named(self.kind)):
            raise ValueError(
                f"expected no symmetry for {self.kind}: the cells of its clues cannot be chosen"
            )
        self._check_grade(self.kind)

    def orbits(self) -> Sequence[tuple[int, ...]]:
        """Return the cells of a square board that have clues together."""
        if self.board is not None:
            return ()
        return orbits(Lattice(self.rows + 1, self.cols + 1), self.symmetry or "none")

    def looks(self, rng: Random) -> Wanted | None:
        """Draw the looks to aim at; ``None`` if they are not known, or not wanted."""
        known = self.board is None and not self.minimal and has_aims(self.kind)
        if not known or kind_named(self.kind).maker is not None:
            return None
        return wanted(self.kind, self.rows, self.cols, rng, self.symmetry)

    def maker(
        self,
        is_easy: IsEasy,
        fits: Callable[[Any], bool] | None,
        looks: Wanted | None,
    ) -> Callable[[Random, Another], tuple[Any, Solution] | None]:
        """Return the generator; it may reduce the clues as long as a puzzle is easy.

        A design is changed until it ``fits``; ``None`` if no puzzle is designed.
        """
        kind, size = kind_named(self.kind), (self.rows, self.cols)
        if fits and looks is not None and designs(kind) and min(size) >= _DESIGNED:
            return partial(shading_loop, kind, *size, wanted=looks, is_good=fits)
        if self.board is None and kind.maker is None:
            loops: Any = kind
            symmetry = self.symmetry or ("none" if looks is None else looks.symmetry)
            how: Any = {"minimal": self.minimal, "symmetry": symmetry, "is_easy": is_easy}
            return partial(cell_loop, loops, *size, looks=looks, **how)
        maker: Any = kind.maker if self.board is None else face_maker_of(kind)
        # Generators of other packages may not support grades.
        if "is_easy" in signature(maker).parameters:
            maker = partial(maker, is_easy=is_easy)
        return partial(maker, *(size if self.board is None else (self.board,)))


def make_puzzle(request: PuzzleRequest, seed: int, index: int, attempts: Attempts) -> Made:
    """Make the puzzle of a request, a seed and an index; raise `NothingFound` if that fails."""
    rng, deadline = source(seed, index), attempts.deadline
    looks, keeps = request.looks(rng), request.keeps
    if keeps is None and looks is not None:
        # No guess, and mostly no trial, as published puzzles.
        keeps = deduce.within(path=deduce.PathWish(no_trial=rng.random() < looks.plain))
    grade, tried = as_grade(keeps), 0
    attempts.begin(request)

    def another(
        made: Puzzle, solution: Solution, edges: Mapping[Edge, bool] | None = None
    ) -> Solution | None:
        nonlocal tried
        tried += edges is None
        return attempts.another(made, solution, EFFORT if edges is None else _BRIEFLY, edges)

    def is_easy(made: Puzzle) -> bool:
        return grade is None or grade.check(made, deadline) < 1

    def fits(made: Puzzle) -> bool:
        return misfit(keeps, made, deadline) is None

    for number in range(request.tries):
        if looks is not None and number:
            looks = looks.eased(number, request.symmetry is None and number >= _SYMMETRIC)
        every = request.orbits() if looks is None else looks.orbits(request.rows, request.cols)
        # Few designs have a difficulty or a path that is asked for.
        designed = fits if request.keeps is None or number < _DESIGNS else None
        maker = request.maker(None if grade is None else is_easy, designed, looks)
        try:
            found = maker(rng, another)
            why: str | None = "with a second solution to the end"
            if found is not None:
                made, loop = found
                why = misfit(keeps, made, deadline)
                if why is not None and grade is not None and not request.minimal:
                    difference = 1 if why == HARDER else -1
                    fitting = Fitting(loop, every, grade, rng, deadline, another, looks)
                    changed = fitting.fitted(made, difference)
                    if changed is not None and another(changed, loop) is None:
                        made, why = changed, None
        except ConflictLimit:
            why = f"undecided after {EFFORT} conflicts"
        if why is None:
            return Made(made, loop, tried=tried, seed=seed, index=index)
        attempts.fail(why)
    tries = request.tries
    default = ", the default" if tries == TRIES else ""
    raise NothingFound(
        f"found no puzzle with one solution in {counted(tries, 'attempt')}{default}: "
        f"{attempts.failures} "
        f"({counted(tried, 'board')} in all).",
        "Try another seed, a smaller board or more attempts.",
    )


#: Number of orders in which clues are restored before a puzzle is given up, and number of orders of
#: removal that may fail to make it harder.
_ORDERS, _IDLE = 8, 5
#: For each number of this many clues, one is restored before others are removed.
_RESTORED = 4


@dataclass(frozen=True)
class Fitting:
    """Changes the clues of puzzles of one ``loop`` until they have a ``grade``.

    The clues of an orbit in ``every`` are removed together. Given lines count as clues, too.
    ``another`` searches for a second solution.
    """

    loop: Solution
    every: Sequence[Sequence[int]]
    grade: Within
    rng: Random
    deadline: Deadline
    another: Another
    looks: Wanted | None = None
    #: The puzzles graded so far, and the alternatives that `reduced` has found.
    _graded: dict[Puzzle, Measured] = field(default_factory=dict, init=False)
    _met: dict[Any, Solution] = field(default_factory=dict, init=False)

    def fitted(self, puzzle: Puzzle, difference: int) -> Puzzle | None:
        """Remove clues, or restore some, until a puzzle has the grade; ``None`` if that fails.

        ``difference`` is the result of `Within.check` for the puzzle.
        """
        if difference < 0 and isinstance(puzzle, CellLoop):
            puzzle = self._harder(puzzle)
            difference = self._measured(puzzle).difference
        if difference > 0:
            return self._easier(puzzle)
        return None if difference else puzzle

    def _measured(self, puzzle: Puzzle) -> Measured:
        if puzzle not in self._graded:
            self._graded[puzzle] = self.grade.measured(puzzle, self.deadline)
        return self._graded[puzzle]

    def _harder(self, puzzle: CellLoop) -> CellLoop:
        """Remove clues until none is redundant, restore a few, and repeat while it gets harder."""
        fuller, best, idle = puzzle, -1, 0
        while idle < _IDLE:
            about = (self.loop, self.rng, self.another, self.every)
            fewer = reduced(fuller, *about, minimal=True, met=self._met, looks=self._few())
            points, difference = self._measured(fewer)
            if points is None or difference >= 0:
                return fewer
            idle = 0 if points > best else idle + 1
            if points >= best:
                puzzle, best = fewer, points
            more = 1 + puzzle.number_of_clues // _RESTORED
            *_, fuller = puzzle, *islice(self._fuller(puzzle), more)
            if fuller is puzzle:
                break
        return puzzle

    def _easier(self, puzzle: Puzzle) -> Puzzle | None:
        """Restore clues until a puzzle has the grade.

        If the last clue makes the puzzle too easy, restore others instead.
        """
        for _ in range(_ORDERS):
            steps: list[Puzzle] = [puzzle, *self._fuller(puzzle)]
            low, high, ahead = 0, len(steps), 1
            while high - low > 1:
                # Twice as many clues each time, until they are enough.
                place = low + ahead if high == len(steps) else (low + high) // 2
                place, ahead = min(place, len(steps) - 1), 2 * ahead
                difference = self._measured(steps[place]).difference
                if not difference:
                    return steps[place]
                low, high = (place, high) if difference > 0 else (low, place)
            if high == len(steps):
                return None
            puzzle = steps[low]
        return None

    def _few(self) -> Wanted | None:
        """Return the looks without clues that are not needed."""
        return None if self.looks is None else replace(self.looks, clues=0)

    def _fuller(self, puzzle: Any) -> Iterator[Any]:
        """Yield puzzles of the loop, each with one more orbit of clues, or one more given line."""
        if not isinstance(puzzle, CellLoop):
            return
        loop = self.loop
        there = dict(puzzle.every_clue())
        # Where the loop allows several clues, the puzzle keeps its own.
        left = {
            place: there[place] if there.get(place) in clues else clues[-1]
            for place, clues in allowed(puzzle, loop).items()
        }
        if isinstance(puzzle, CellPath):
            # The clues of a Zip are 1, 2, 3 ... and leave no room for others along the path.
            puzzle = puzzle.with_clues({cell: left[cell] for cell, _ in puzzle.clue_cells()})
        there = dict(puzzle.every_clue())
        groups: list[list[Any]] = [
            [divmod(cell, puzzle.cols) for cell in one] for one in self.every
        ]
        groups += [[place] for place in left if isinstance(place, str)]
        groups = shuffled(self.rng, groups)
        if self.looks is not None:
            rest = [cells for cells in groups if cells[0] not in there]
            groups = [*self.looks.added(rest, there, left, type(puzzle), whole=True)]
        for cells in groups:
            more = {cell: left[cell] for cell in cells if cell in left}
            if len(more) == len(cells) and any(there.get(cell) != more[cell] for cell in cells):
                fuller = puzzle.with_clues(more)
                # With another clue, the loop may break a rule, as in kinds whose clues close cells.
                if not fuller.violations(loop):
                    puzzle = fuller
                    yield puzzle.renumbered()
        if puzzle.given:
            board = loop.lattice
            ends: list[Any] = [tuple(sorted(map(board.position, board.ends(e)))) for e in loop]
            for line in shuffled(self.rng, [one for one in ends if one not in puzzle.given]):
                puzzle = replace(puzzle, given=tuple(sorted((*puzzle.given, line))))
                yield puzzle

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
    SearchTimeout,
    check_options,
    checked_int,
    counted,
    declare,
    shuffled,
    source,
)
from linkoracle.deduce import Measured, Within
from linkoracle.generate.attempts import EFFORT, HARDER, Attempts, Made, Misfit, misfit
from linkoracle.generate.loops.aims import Wanted, has_aims, wanted
from linkoracle.generate.loops.cells import cell_loop, reduced
from linkoracle.generate.loops.choosing import allowed
from linkoracle.generate.loops.designing import Design, Designing
from linkoracle.generate.loops.shading import divides, shading_loop
from linkoracle.generate.request import (
    Masked,
    as_grade,
    check_even,
    checked_board,
    checked_mask,
    is_made,
    makers,
    mask_of,
    size_of,
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
    RegionPuzzle,
    alternatives,
    annotation_names,
    kind_named,
    place_of,
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


#: Conflicts of a search for an alternative beside one that is known.
_BRIEFLY = 1_000
#: Least side of a board whose cells without a line are divided; attempts with a symmetry that was
#: drawn; attempts that aim at looks, and those if a difficulty or a path is requested.
_DIVIDED, _SYMMETRIC, _AIMED, _ASKED = 4, 8, 20, 3
#: Default number of attempts for a puzzle, and for one of a design; the most cells of a board.
TRIES, DESIGN_TRIES, MOST_CELLS = 100, 30, 2_500
#: Seconds for the nearest puzzle after the time limit.
_NEAREST_SECONDS = 5.0


#: The words of kinds without clues: none.
NO_WORD = "(?!)"


def designs(kind: type[Puzzle]) -> bool:
    """Return whether puzzles of a kind are made for what a designer has fixed: see `Design`."""
    # Numbers that are only an order leave no room for a clue that stays.
    ordered = issubclass(kind, GridPuzzle) and kind.renumbered is not GridPuzzle.renumbered
    return kind.maker is None and issubclass(kind, CellLoop) and not ordered


@dataclass(frozen=True)
class PuzzleRequest(Masked):
    """A request for a puzzle of a kind that has a generator.

    Instead of rows and columns, ``board`` has the cells of a Simple Loop as its faces; or it is a
    puzzle of a kind of loops through cells, whose clues, lines and regions stay. A ``mask``, or
    ``must`` and ``must_not``, say where clues are; with a ``loop``, this is the solution.
    ``extra_clues`` are allowed where a mask has none. The
    generator makes up to ``tries`` attempts. ``symmetry`` is one of
    `linkoracle.board.symmetry.SYMMETRIES`: either all cells that it maps to each other have clues,
    or none of them. Regions need not be symmetric. Raises ``ValueError`` for a kind that is not in
    `makers`, and for contradictory options.

    >>> PuzzleRequest("simpleloop", 6, 6, difficulty="easy").tries
    100
    """

    needing_rows: ClassVar = (
        *("minimal", "symmetry", "mask", "must", "must_not", "loop", "extra_clues"),
    )

    kind: str
    rows: int = None  # type: ignore[assignment]
    cols: int = None  # type: ignore[assignment]
    board: Any = declare(
        None,
        "A file or URL with a puzzle of this kind: its clues, lines and regions stay.",
        form="WORDS|FILE PUZZLE",
        hash=False,
    )
    mask: Sequence[str] | None = mask_of(
        "Cells as rows of # (must have a clue), . (must not), ? (may) and _ (unmarked)."
    )
    loop: Solution | None = declare(
        None, "The loop, drawn in a file: lines as --show draws them.", form="FILE LOOP"
    )
    extra_clues: int | None = declare(
        None, "Clues allowed where a mask has none, if there is no puzzle without.", least=0
    )
    tries: int = tries_of(
        "Attempts", TRIES, f"  With a mask, a board or a loop, {DESIGN_TRIES} by default."
    )
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
        if isinstance(self.board, Board):
            if face_maker_of(kind := kind_named(self.kind)) is None:
                raise ValueError(f"{kind.title}s are made on rows and columns only")
            checked_board(self, MOST_CELLS)
        else:
            self._take_rows(kind_named(self.kind))
        checked_int(self.tries, "a number of tries", 1)
        check_options(self)
        if self.minimal and kind_named(self.kind).maker is not None:
            raise ValueError(f"expected no minimal for {self.kind}: its puzzles are minimal anyway")
        if self.symmetry not in (None, "none") and not chooses_places(kind_named(self.kind)):
            raise ValueError(
                f"expected no symmetry for {self.kind}: the cells of its clues cannot be chosen"
            )
        self._check_grade(self.kind)

    def _take_rows(self, kind: type[Puzzle]) -> None:
        """Take the size, and what a designer has fixed."""
        board, loop, dots = self.board, self.loop, not kind.through_cells
        if board is not None and not isinstance(board, kind):
            raise ValueError(f"expected a puzzle of the kind {self.kind} as a board, got {board!r}")
        if self.is_bound and not designs(kind):
            raise ValueError(f"{kind.title}s are not made from masks, boards or loops")
        self._take_size(
            mask=size_of(self.mask),
            loop=None if loop is None else (loop.lattice.rows - dots, loop.lattice.cols - dots),
            board=None if board is None else (board.rows, board.cols),
        )
        cells = checked_int(self.rows, "rows", 1) * checked_int(self.cols, "columns", 1)
        if cells > MOST_CELLS:
            size = f"{self.rows}x{self.cols}"
            raise ValueError(f"expected a board of at most {MOST_CELLS} cells, got {size}")
        for found in self._take_mask(self.mask).values():
            raise ValueError(
                f"expected a mask of #, ., ? and _, found {found}. Clues that stay are on a board"
            )
        must, must_not = checked_mask(self.must, self.must_not, self.rows, self.cols)
        self._fill(must=must, must_not=must_not)
        self.orbits()
        # The clues of a board may be holes.
        if visits_all(kind) and not self.is_bound:
            check_even(self.rows, self.cols, dots=dots)

    @property
    def is_bound(self) -> bool:
        """Whether a designer has fixed something: see `design`."""
        fixed = self.must or self.must_not or self.mask is not None or self.loop is not None
        board = None if isinstance(self.board, Board) else self.board
        stays = board is not None and (any(board.every_clue()) or any(annotation_names(board)))
        return bool(fixed) or stays

    @property
    def design(self) -> Design:
        """What a designer has fixed. Raises ``ValueError`` for marks on cells with other clues."""
        kind: Any = kind_named(self.kind)
        board = kind.blank(self.rows, self.cols) if self.board is None else self.board
        there = dict(board.every_clue())
        if both := there.keys() & {*self.must_not}:
            raise ValueError(f"the board has a clue at {place_of(min(both))}, where it must not")
        if issubclass(kind, RegionPuzzle) and not board.regions:
            raise ValueError(
                f"{kind.title}s are designed on a board with regions: give one as board"
            )
        if issubclass(kind, CellPath) and (self.must or self.must_not):
            raise ValueError(
                f"a {kind.title} takes no mask: give a board with some clues, or a loop"
            )
        must = frozenset(self.must) | {cell for cell, clue in there.items() if clue == kind.unknown}
        return Design(board, must, frozenset(self.must_not), self.loop)

    def orbits(self) -> Sequence[tuple[int, ...]]:
        """Return the cells of a square board that have clues together."""
        if isinstance(self.board, Board):
            return ()
        return orbits(Lattice(self.rows + 1, self.cols + 1), self.symmetry or "none")

    def looks(self, rng: Random) -> Wanted | None:
        """Draw the looks to aim at; ``None`` if they are not known, or not wanted."""
        known = self.rows is not None and not (self.minimal or self.is_bound)
        known = known and has_aims(self.kind)
        if not known or kind_named(self.kind).maker is not None:
            return None
        return wanted(self.kind, self.rows, self.cols, rng, self.symmetry)

    def maker(
        self,
        is_easy: IsEasy,
        fits: Callable[[Any], bool],
        looks: Wanted | None,
    ) -> Callable[[Random, Another], tuple[Any, Solution] | None]:
        """Return the generator; it may reduce the clues as long as a puzzle is easy.

        Where cells are divided, that is changed until a puzzle ``fits``.
        """
        kind, size = kind_named(self.kind), (self.rows, self.cols)
        on_rows = self.rows is not None
        if looks is not None and divides(kind) and min(size) >= _DIVIDED:
            shading: Any = kind
            return partial(shading_loop, shading, *size, wanted=looks, is_good=fits)
        if on_rows and kind.maker is None:
            loops: Any = kind
            symmetry = self.symmetry or ("none" if looks is None else looks.symmetry)
            how: Any = {"minimal": self.minimal, "symmetry": symmetry, "is_easy": is_easy}
            return partial(cell_loop, loops, *size, looks=looks, **how)
        maker: Any = kind.maker if on_rows else face_maker_of(kind)
        # Generators of other packages may not support grades.
        if "is_easy" in signature(maker).parameters:
            maker = partial(maker, is_easy=is_easy)
        return partial(maker, *(size if on_rows else (self.board,)))


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

    refused: Misfit | None = None

    def is_easy(made: Puzzle) -> bool:
        nonlocal refused
        found = misfit(grade, made, deadline)
        if found is None or found.difference != HARDER:
            return True
        refused = found
        return False

    def fits(made: Puzzle) -> bool:
        return misfit(keeps, made, deadline) is None

    designing: Designing | None = None
    every = request.orbits()
    if request.is_bound:
        designing = Designing(request.design, every, rng, another, deadline)
        designing.require_loop()
    tries = request.tries if designing is None or request.tries != TRIES else DESIGN_TRIES
    for number in range(tries):
        if looks is not None:
            if number:
                looks = looks.eased(number, request.symmetry is None and number >= _SYMMETRIC)
            every = looks.orbits(request.rows, request.cols)
            # Few puzzles that look like published ones may be as requested.
            if number >= (_AIMED if request.keeps is None else _ASKED):
                looks, every = None, request.orbits()
        maker = request.maker(None if grade is None else is_easy, fits, looks)
        try:
            refused = None
            found = (
                maker(rng, another)
                if designing is None
                else designing.made(minimal=request.minimal)
            )
            # The generator gives up where no clue may go: a puzzle is too hard with all of them.
            unfit: Misfit | None = refused or Misfit("", "with a second solution to the end")
            if found is not None:
                made, loop = found
                unfit = misfit(keeps, made, deadline)
                if unfit is not None and grade is not None and not request.minimal:
                    difference = 1 if unfit.difference == HARDER else -1
                    kept = frozenset() if designing is None else designing.fixed
                    fitting = Fitting(loop, every, grade, rng, deadline, another, kept, looks)
                    changed = fitting.fitted(made, difference)
                    if changed is not None and another(changed, loop) is None:
                        made, unfit = changed, None
        except SearchTimeout as error:
            if designing is None:
                raise
            attempts.deadline = designing.deadline = Deadline(_NEAREST_SECONDS)
            nearest = _nearest_of(designing, tried=tried, seed=seed, index=index)
            reached = error.reached or attempts.failures
            raise SearchTimeout(error.seconds, error.found, reached, nearest) from None
        except ConflictLimit:
            unfit = Misfit("", f"undecided after {EFFORT} conflicts")
        if unfit is None:
            return Made(made, loop, tried=tried, seed=seed, index=index)
        attempts.fail(unfit.reason, unfit.number)
        if designing is not None and request.loop is not None:
            break
    if designing is not None:
        return _nearest(request, designing, attempts, tried=tried, seed=seed, index=index)
    default = ", the default" if tries == TRIES else ""
    what = "with one solution" if request.keeps is None else "as requested"
    raise NothingFound(
        f"found no puzzle {what} in {counted(tries, 'attempt')}{default}: "
        f"{attempts.failures} "
        f"({counted(tried, 'board')} in all).",
        "Try another seed, a smaller board or more attempts.",
    )


@dataclass(frozen=True)
class Designed(Made):
    """A puzzle of a design; ``extra`` are the cells with clues against its marks."""

    extra: tuple[Any, ...] = ()

    @property
    def remarks(self) -> dict[str, Any]:
        """Return the cells of ``extra`` clues."""
        return {"extra": [[*one] for one in self.extra]} if self.extra else {}


def _nearest_of(designing: Designing, **about: Any) -> Designed | None:
    """Return the nearest puzzle, if one is found."""
    try:
        found = designing.nearest()
    except SearchTimeout:
        return None
    return None if found is None else Designed(*found[:2], extra=found[2], **about)


def _nearest(
    request: PuzzleRequest, designing: Designing, attempts: Attempts, **about: int
) -> Designed:
    """Return the nearest puzzle if it is near enough; else raise `NothingFound` with it."""
    nearest = _nearest_of(designing, **about)
    enough = nearest is not None and len(nearest.extra) <= (request.extra_clues or 0)
    if nearest is not None and enough and request.loop in (None, nearest.solution):
        return nearest
    raise NothingFound(*designing.reason(attempts.failures, nearest), nearest)


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
    #: Places and lines that stay.
    kept: frozenset[Any] = frozenset()
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
            about_loop = (self.loop, self.rng, self.another, self.every)
            about: Any = {"met": self._met, "kept": self.kept, "looks": self._few()}
            fewer = reduced(fuller, *about_loop, minimal=True, **about)
            points, difference, _ = self._measured(fewer)
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
            if not self.kept.isdisjoint(cells):
                continue
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

"""Code shared by all generators, and `puzzle` for kinds with a simple generator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from linkoracle.board.board import Board
from linkoracle.board.solution import Solution
from linkoracle.board.symmetry import Symmetry, group, orbits
from linkoracle.core.errors import ConflictLimit, NothingFound, counted
from linkoracle.core.limits import Deadline, Progress, check_options, checked_int, declare
from linkoracle.core.randomness import seed_or_fresh, source
from linkoracle.core.renamed import with_old_arguments
from linkoracle.generate.easing import Fitting
from linkoracle.generate.kind_makers import (
    chooses_places,
    face_maker_of,
    is_made,
    maker_of,
    makers,
    visits_all,
)
from linkoracle.generate.request_parts import (
    Graded,
    as_grade,
    board_option,
    check_even,
    checked_board,
    labels_of,
    optional_int,
    symmetry_of,
    tries_of,
)
from linkoracle.generate.watching import Preview, Watching
from linkoracle.kinds import Puzzle, alternatives, kind_named
from linkoracle.kinds.puzzle import Another, IsEasy
from linkoracle.sat.oracle import Oracle

if TYPE_CHECKING:
    from concurrent.futures import Executor


#: Conflict budget of the SAT solver for a board.
EFFORT = 20_000
#: Default number of attempts for a puzzle, and the most cells of a board in `puzzle`.
TRIES, MOST_CELLS = 100, 2_500
#: Why a puzzle is not of the grade.
EASIER, HARDER = "easier than requested", "harder than requested"
#: Number of consecutive repeated boards after which a run gives up.
_REPEATS = 300

Request = TypeVar("Request")


def asked(
    kind: type[Request], rows: int | Board | Request, cols: int | None, options: Mapping[str, Any]
) -> Request:
    """The request that is given in place of the rows, or one of a size or board and options."""
    if isinstance(rows, Board):
        return kind(cols=cols, board=rows, **options)  # type: ignore[call-arg]
    if not isinstance(rows, kind):
        return kind(rows, cols, **options)  # type: ignore[call-arg]
    if cols is not None or options:
        raise ValueError("expected a request, or a size and options, got both")
    return rows


def unwanted(keeps: Callable[..., bool] | None, puzzle: Puzzle, deadline: Deadline) -> str | None:
    """What keeps a puzzle with one solution from being as wanted; ``None`` if nothing does."""
    if (grade := as_grade(keeps)) is not None:
        return {1: HARDER, 0: None, -1: EASIER}[grade.check(puzzle, deadline)]
    return None if keeps is None or keeps(puzzle) else "not as requested"


@dataclass(frozen=True)
class Made:
    """A puzzle and its only solution.

    ``tried`` is the number of boards that the oracle decided, including this one. ``repaired`` of
    them were repairs of a failed board. ``seed`` and ``index`` reproduce the puzzle from the same
    request.
    """

    puzzle: Puzzle
    solution: Solution
    tried: int = 1
    repaired: int = 0
    seed: int = 0
    index: int = 0

    @property
    def remarks(self) -> dict[str, Any]:
        """Return JSON members for a record of the puzzle, in addition to the request."""
        return {}

    def _repr_svg_(self) -> str:
        from linkoracle.render import picture, svg

        return svg(picture(self.puzzle, self.solution))


class Attempts:
    """The attempts to make a puzzle or several: deadline, number, and reasons of failures.

    >>> attempts = Attempts(None)
    >>> for clues in (31, 28):
    ...     attempts.fail("kept more than 20 clues", clues)
    >>> attempts.failures
    '2 kept more than 20 clues (28 at best)'
    """

    def __init__(
        self,
        timeout: float | None,
        progress: Progress | None = None,
        preview: Preview | None = None,
    ) -> None:
        self.deadline = Deadline(timeout)
        self.watching = Watching(preview)
        self._progress = progress
        self._tried = self._unfit = 0
        #: The fraction of the requested puzzles that is done.
        self.share: float | None = None
        self.begin()

    def begin(self, request: Graded | None = None) -> None:
        """Begin another puzzle: forget the failures of the last one, and estimate its time."""
        self._failed: Counter[str] = Counter()
        self._best: dict[str, int] = {}
        self._usual = ""
        if request is not None and self._progress is not None:
            from linkoracle.generate.estimates import estimate

            if (seconds := estimate(request) or 0) >= 1:
                self._usual = f", usually about {seconds:.0f} s"
                self.add(0)

    def fail(self, reason: str, measure: int | None = None) -> None:
        """Count a failed attempt, with its reason and a measure, where less is better."""
        self._failed[reason] += 1
        if measure is not None:
            self._best[reason] = min(measure, self._best.get(reason, measure))

    @property
    def failures(self) -> str:
        """The reasons of failed attempts for the current puzzle, with the best measures."""
        best = {reason: f" ({least} at best)" for reason, least in self._best.items()}
        failed = self._failed.most_common()
        return ", ".join(f"{times} {reason}{best.get(reason, '')}" for reason, times in failed)

    def add(self, tried: int = 1, *, unfit: int = 0) -> None:
        """Count boards that were tried, or that were not as requested."""
        self._tried += tried
        self._unfit += unfit
        if self._progress is not None:
            others = f", {self._unfit} not as requested" if self._unfit else ""
            why = f": {self.failures}" if self._failed else ""
            self._progress(f"{self._tried} tried{others}{self._usual}{why}", self.share)

    def another(self, puzzle: Puzzle, solution: Solution, effort: int) -> Solution | None:
        """Count a board; return a solution other than the known one, or ``None``.

        Raises `ConflictLimit` after ``effort`` conflicts. The clock must not decide which boards
        fail: the same seed must give the same puzzle.
        """
        self.deadline.check()
        self.add()
        self.watching.show(lambda: (puzzle, solution))
        with Oracle(puzzle.model) as oracle:
            return oracle.another(solution, timeout=self.deadline.with_conflicts(effort))


Puzzled = TypeVar("Puzzled", bound=Made)
#: Makes the puzzle of a seed and an index: always the same, apart from timeouts.
Make = Callable[[int, int, Attempts], Puzzled]


def single(
    make: Make[Puzzled],
    seed: int | None,
    index: int,
    timeout: float | None,
    progress: Progress | None,
    preview: Preview | None,
) -> Puzzled:
    """Make one puzzle of a seed, or of a fresh one for ``None``. Checks arguments."""
    index = checked_int(index, "an index", 0)
    return make(seed_or_fresh(seed), index, Attempts(timeout, progress, preview))


def different(
    make: Make[Puzzled],
    seed: int | None,
    start: int,
    wanted: int | None,
    timeout: float | None,
    executor: Executor | None,
    progress: Progress | None,
    preview: Preview | None = None,
) -> Iterator[Puzzled]:
    """Yield the puzzles of the indices ``start``, ``start + 1`` ..., no board twice.

    See `puzzles`. Never begins more puzzles than are missing from ``wanted``. ``progress`` counts
    boards of other processes late. Raises `NothingFound` after a few hundred repeated boards in a
    row, and what ``make`` raises.
    """
    make_one = partial(make, seed_or_fresh(seed))
    index = checked_int(start, "a first index", 0)
    optional_int(wanted, "a number of puzzles", 0)
    attempts = Attempts(timeout, progress, preview)

    def run() -> Iterator[Puzzled]:
        nonlocal index
        seen: set[Puzzle] = set()
        repeated = 0
        while wanted is None or len(seen) < wanted:
            indices = count(index) if wanted is None else range(index, index + wanted - len(seen))
            if executor is None:
                results = (make_one(number, attempts) for number in indices)
            else:
                from linkoracle.batch import ordered

                results = ordered(executor, partial(_elsewhere, make_one, timeout), indices)
            with closing(results):
                for made in results:
                    index += 1
                    if executor is not None:
                        attempts.add(made.tried)
                    if made.puzzle not in seen:
                        repeated = 0
                        seen.add(made.puzzle)
                        attempts.share = None if wanted is None else len(seen) / wanted
                        yield made
                        attempts.deadline = Deadline(timeout)
                        continue
                    repeated += 1
                    if repeated == _REPEATS:
                        raise NothingFound(
                            f"found only {counted(len(seen), 'different board')}: the last "
                            f"{repeated} were repeats. Request a larger board, or fewer conditions."
                        )
                    attempts.deadline.check()

    return run()


def _elsewhere(
    make_one: Callable[[int, Attempts], Puzzled], timeout: float | None, index: int
) -> Puzzled:
    return make_one(index, Attempts(timeout))


@dataclass(frozen=True)
class PuzzleRequest(Graded):
    """A request for a puzzle of a kind that has a ``maker``.

    In place of rows and columns, ``board`` has the cells of a Simple Loop as its faces. The maker
    of the kind is run ``tries`` times. ``symmetry`` is one of
    `linkoracle.board.symmetry.SYMMETRIES`: cells that it maps to each other all have clues, or none
    has; regions need not have it. Raises ``ValueError`` for a kind that is not in `makers`, and for
    what makes no sense.

    >>> PuzzleRequest("simpleloop", 6, 6, difficulty="easy").tries
    100
    """

    kind: str
    rows: int = None  # type: ignore[assignment]
    cols: int = None  # type: ignore[assignment]
    board: Board | None = board_option()
    tries: int = tries_of("Attempts", TRIES)
    minimal: bool = declare(
        False, "Keep no clue that can go, even if the puzzle then takes a guess.", title="Minimal"
    )
    symmetry: Symmetry = symmetry_of("clues")

    def __post_init__(self) -> None:
        if not is_made(self.kind):
            known = alternatives(makers())
            raise ValueError(f"expected a kind with a maker, {known}, got {self.kind!r}")
        if self.board is not None:
            face_maker_of(kind_named(self.kind))
            checked_board(self, MOST_CELLS, ("minimal", "symmetry"))
            cells = self.board.num_faces
        else:
            cells = checked_int(self.rows, "rows", 1) * checked_int(self.cols, "columns", 1)
            if cells > MOST_CELLS:
                size = f"{self.rows}x{self.cols}"
                raise ValueError(f"expected a board of at most {MOST_CELLS} cells, got {size}")
            group(self.rows, self.cols, self.symmetry)
            if visits_all(page := kind_named(self.kind)):
                check_even(self.rows, self.cols, dots=not page.through_cells)
        checked_int(self.tries, "a number of tries", 1)
        check_options(self)
        if self.minimal and kind_named(self.kind).maker is not None:
            raise ValueError(f"expected no minimal for {self.kind}: its puzzles are minimal anyway")
        if self.symmetry != "none" and not chooses_places(kind_named(self.kind)):
            raise ValueError(
                f"expected no symmetry for {self.kind}: its maker does not choose cells for clues"
            )
        self._check_grade(*labels_of(self.kind, cells, self.board))

    def orbits(self) -> Sequence[tuple[int, ...]]:
        """Return the cells of a square board that have clues together."""
        return () if self.board is not None else orbits(self.rows, self.cols, self.symmetry)

    def maker(self, is_easy: IsEasy) -> Callable[[Random, Another], tuple[Any, Solution] | None]:
        """Return what makes such puzzles; it may reduce their clues as long as they are easy."""
        kind = kind_named(self.kind)
        if self.board is not None:
            return partial(face_maker_of(kind, is_easy=is_easy), self.board)
        how: Any = {"minimal": self.minimal, "symmetry": self.symmetry, "is_easy": is_easy}
        maker = maker_of(kind, **how)
        assert maker is not None
        return partial(maker, self.rows, self.cols)


@with_old_arguments
def puzzle(
    kind: str | PuzzleRequest,
    rows: int | Board | None = None,
    cols: int | None = None,
    *,
    seed: int | None = None,
    index: int = 0,
    timeout: float | None = None,
    progress: Progress | None = None,
    preview: Preview | None = None,
    **options: Any,
) -> Made:
    """Make a puzzle of a kind, of ``rows`` x ``cols`` cells, that provably has one solution.

    Of a Simple Loop, cells may be the faces of a board that is given in place of ``rows``.
    ``options`` are the other fields of `PuzzleRequest`; or pass one such request instead of kind,
    size and options. A pure function of the request, ``seed`` and ``index``, which numbers the
    puzzles of one seed. The seed ``None``, as in all generators, draws a fresh one, which is in the
    result. ``progress`` is called for each board that the oracle decides. ``preview`` is called
    several times a second with the board in progress and its target solution.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds, and ``ValueError`` for a kind
    that is not in `makers` or a size that it does not support.

    >>> made = puzzle("simpleloop", 6, 6, seed=1)
    >>> from linkoracle import is_unique
    >>> is_unique(made.puzzle), made.puzzle.number_of_clues
    (True, 6)
    """
    make = partial(_make, _requested(kind, rows, cols, options))
    return single(make, seed, index, timeout, progress, preview)


@with_old_arguments
def puzzles(
    kind: str | PuzzleRequest,
    rows: int | Board | None = None,
    cols: int | None = None,
    *,
    seed: int | None = None,
    start: int = 0,
    wanted: int | None = None,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    preview: Preview | None = None,
    **options: Any,
) -> Iterator[Made]:
    """Yield puzzles as `puzzle` makes them, no board twice, from index ``start`` on.

    Checks arguments at once. Ends after ``wanted`` puzzles, if given. Raises `NothingFound` if a
    small board has no more puzzles, and `SearchTimeout` after ``timeout`` seconds without a new
    puzzle. An ``executor`` makes several puzzles at a time. The puzzles and their order stay the
    same, but ``preview`` is not called.

    >>> [made.puzzle.number_of_clues for made in puzzles("simpleloop", 4, 4, seed=0, wanted=2)]
    [2, 2]
    """
    make = partial(_make, _requested(kind, rows, cols, options))
    return different(make, seed, start, wanted, timeout, executor, progress, preview)


def _requested(
    kind: str | PuzzleRequest, rows: Any, cols: Any, options: Mapping[str, Any]
) -> PuzzleRequest:
    if isinstance(kind, str):
        if isinstance(rows, Board):
            return PuzzleRequest(kind, cols=cols, board=rows, **options)
        return PuzzleRequest(kind, rows, cols, **options)
    if options or (rows, cols) != (None, None):
        raise ValueError("expected a request, or a kind, a size and options, got both")
    return kind


def _make(request: PuzzleRequest, seed: int, index: int, attempts: Attempts) -> Made:
    grade, deadline = as_grade(request.keeps), attempts.deadline
    rng, every = source(seed, index), request.orbits()
    tried = 0
    attempts.begin(request)

    def another(made: Puzzle, solution: Solution) -> Solution | None:
        nonlocal tried
        tried += 1
        return attempts.another(made, solution, EFFORT)

    def is_easy(made: Puzzle) -> bool:
        return grade is None or grade.check(made, deadline) < 1

    maker = request.maker(None if grade is None else is_easy)
    for _ in range(request.tries):
        try:
            found = maker(rng, another)
            why: str | None = "with a second solution to the end"
            if found is not None:
                made, loop = found
                why = unwanted(request.keeps, made, deadline)
                if why is not None and grade is not None and not request.minimal:
                    judged = 1 if why == HARDER else -1
                    fitting = Fitting(loop, every, grade, rng, deadline, another)
                    changed = fitting.fitted(made, judged)
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

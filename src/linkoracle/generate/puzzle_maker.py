"""`puzzle` and `puzzles`: run the generator of a kind until a puzzle is as requested."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution
from linkoracle.board.symmetry import Symmetry, orbits
from linkoracle.core.errors import ConflictLimit, NothingFound, counted
from linkoracle.core.limits import Progress, check_options, checked_int, declare
from linkoracle.core.randomness import source
from linkoracle.generate.easing import Fitting
from linkoracle.generate.kind_makers import (
    chooses_places,
    face_maker_of,
    is_made,
    maker_of,
    makers,
    visits_all,
)
from linkoracle.generate.making import (
    EFFORT,
    HARDER,
    Attempts,
    Made,
    Preview,
    different,
    misfit,
    request_from,
    single,
)
from linkoracle.generate.request_parts import (
    Graded,
    as_grade,
    board_option,
    check_even,
    checked_board,
    symmetry_of,
    tries_of,
)
from linkoracle.kinds import Puzzle, alternatives, kind_named
from linkoracle.kinds.puzzle import Another, IsEasy

if TYPE_CHECKING:
    from concurrent.futures import Executor

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

    kind: str
    rows: int = None  # type: ignore[assignment]
    cols: int = None  # type: ignore[assignment]
    board: Board | None = board_option()
    tries: int = tries_of("Attempts", TRIES)
    minimal: bool = declare(
        False, "Remove every redundant clue, even if a player then must guess.", title="Minimal"
    )
    symmetry: Symmetry = symmetry_of("clues")

    def __post_init__(self) -> None:
        if not is_made(self.kind):
            known = alternatives(makers())
            raise ValueError(f"expected a kind with a generator, {known}, got {self.kind!r}")
        if self.board is not None:
            face_maker_of(kind_named(self.kind))
            checked_board(self, MOST_CELLS, ("minimal", "symmetry"))
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
        if self.symmetry != "none" and not chooses_places(kind_named(self.kind)):
            raise ValueError(
                f"expected no symmetry for {self.kind}: the cells of its clues cannot be chosen"
            )
        self._check_grade(self.kind)

    def orbits(self) -> Sequence[tuple[int, ...]]:
        """Return the cells of a square board that have clues together."""
        if self.board is not None:
            return ()
        return orbits(Lattice(self.rows + 1, self.cols + 1), self.symmetry)

    def maker(self, is_easy: IsEasy) -> Callable[[Random, Another], tuple[Any, Solution] | None]:
        """Return the generator; it may reduce the clues as long as a puzzle is easy."""
        kind = kind_named(self.kind)
        if self.board is not None:
            return partial(face_maker_of(kind, is_easy=is_easy), self.board)
        how: Any = {"minimal": self.minimal, "symmetry": self.symmetry, "is_easy": is_easy}
        maker = maker_of(kind, **how)
        assert maker is not None
        return partial(maker, self.rows, self.cols)


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

    The cells of a Simple Loop may be the faces of a board given instead of ``rows``. ``options``
    are the other fields of `PuzzleRequest`; or pass a request instead of kind, size and options. A
    pure function of the request, ``seed`` and ``index``, which numbers the puzzles of one seed. In
    all generators, the seed ``None`` draws a fresh one, which is in the result. ``progress`` is
    called for each board that the oracle decides. ``preview`` is called several times a second with
    the board in progress and its target solution.

    All generators check each puzzle at last: a fresh engine decides it from the clues alone, and
    the rules of its kind check its solution.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds, `CheckFailed` for a puzzle of
    a wrong kind or generator, and ``ValueError`` for a kind that is not in `makers` or a size that
    it does not support.

    >>> made = puzzle("simpleloop", 6, 6, seed=1)
    >>> from linkoracle import is_unique
    >>> is_unique(made.puzzle), made.puzzle.number_of_clues
    (True, 6)
    """
    make = partial(_make, _requested(kind, rows, cols, options))
    return single(make, seed, index, timeout, progress, preview)


def puzzles(
    kind: str | PuzzleRequest,
    rows: int | Board | None = None,
    cols: int | None = None,
    *,
    seed: int | None = None,
    start: int = 0,
    limit: int | None = None,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    preview: Preview | None = None,
    **options: Any,
) -> Iterator[Made]:
    """Yield puzzles as `puzzle` makes them, no board twice, from index ``start`` on.

    Checks arguments at once. Ends after ``limit`` puzzles, if given. Raises `NothingFound` if a
    small board has no more puzzles, and `SearchTimeout` after ``timeout`` seconds without a new
    puzzle. An ``executor`` makes several puzzles at a time. The puzzles and their order stay the
    same, but ``preview`` is not called.

    >>> [made.puzzle.number_of_clues for made in puzzles("simpleloop", 4, 4, seed=0, limit=2)]
    [2, 2]
    """
    make = partial(_make, _requested(kind, rows, cols, options))
    return different(make, seed, start, limit, timeout, executor, progress, preview)


def _requested(
    kind: str | PuzzleRequest, rows: Any, cols: Any, options: Mapping[str, Any]
) -> PuzzleRequest:
    if isinstance(kind, str):
        found: PuzzleRequest = request_from(PuzzleRequest, rows, cols, {"kind": kind, **options})
        return found
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
                why = misfit(request.keeps, made, deadline)
                if why is not None and grade is not None and not request.minimal:
                    difference = 1 if why == HARDER else -1
                    fitting = Fitting(loop, every, grade, rng, deadline, another)
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

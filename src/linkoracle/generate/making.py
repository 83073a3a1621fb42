"""What all makers share, and `puzzle`, for kinds that say on their page how they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

from linkoracle.board.solution import Solution
from linkoracle.core.errors import ConflictLimit, NothingFound
from linkoracle.core.limits import (
    Deadline,
    Progress,
    check_options,
    checked_int,
)
from linkoracle.core.randomness import seed_or_fresh, source
from linkoracle.generate.request_parts import Graded, optional_int, tries_of
from linkoracle.generate.watching import Watch, Watching
from linkoracle.kinds import KINDS, Puzzle, alternatives, kind_named
from linkoracle.sat.oracle import Oracle

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from linkoracle.deduce.grading import Within

#: Conflicts of the SAT solver after which a board is given up as undecided.
EFFORT = 20_000
#: Runs of a maker before a puzzle is given up, and the largest board that `puzzle` takes, in cells.
TRIES, MOST_CELLS = 100, 2_500
#: Boards made before in a row, after which a run has no more to give.
_REPEATS = 300

Request = TypeVar("Request")


def asked(
    kind: type[Request], rows: int | Request, cols: int | None, options: Mapping[str, Any]
) -> Request:
    """The request that is given in place of the rows, or one of a size and options."""
    if not isinstance(rows, kind):
        return kind(rows, cols, **options)  # type: ignore[call-arg]
    if cols is not None or options:
        raise ValueError("expected a request, or a size and options, got both")
    return rows


def as_grade(keeps: Callable[..., bool] | None) -> Within | None:
    """The hook if it asks for a grade, which then tells more than whether a puzzle may pass."""
    if keeps is None:
        return None
    from linkoracle.deduce.grading import Within

    return keeps if isinstance(keeps, Within) else None


def unwanted(keeps: Callable[..., bool] | None, puzzle: Puzzle, deadline: Deadline) -> str | None:
    """What keeps a puzzle with one solution from being as wanted; ``None`` if nothing does."""
    if (grade := as_grade(keeps)) is not None:
        judged = grade.judge(puzzle, deadline)
        return {1: "harder than asked", 0: None, -1: "easier than asked"}[judged]
    return None if keeps is None or keeps(puzzle) else "not as asked"


@dataclass(frozen=True)
class Made:
    """A puzzle and its only solution.

    ``tried`` boards were put before the oracle until this one passed; ``repaired`` of them were
    changed where a second solution showed, instead of being made anew. ``seed`` and ``index`` make
    the same puzzle again from the same request.
    """

    puzzle: Puzzle
    solution: Solution
    tried: int = 1
    repaired: int = 0
    seed: int = 0
    index: int = 0

    @property
    def remarks(self) -> dict[str, Any]:
        """What a record should say of the puzzle beside the request, as JSON; mostly nothing."""
        return {}

    def _repr_svg_(self) -> str:
        from linkoracle.render import picture, svg

        return svg(picture(self.puzzle, self.solution))


class Tally:
    """The deadline of a puzzle, or a run of them, how many boards were tried, and why they failed.

    >>> tally = Tally(None)
    >>> for clues in (31, 28):
    ...     tally.fail("kept more than 20 clues", clues)
    >>> tally.failures
    '2 kept more than 20 clues (28 at best)'
    """

    def __init__(
        self,
        timeout: float | None,
        progress: Progress | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.deadline = Deadline(timeout)
        self.watching = Watching(watch)
        self._progress = progress
        self._tried = self._unfit = 0
        #: The share of the puzzles that are made.
        self.share: float | None = None
        self.begin()

    def begin(self) -> None:
        """Another puzzle: forget why tries for the last one failed."""
        self._failed: Counter[str] = Counter()
        self._best: dict[str, int] = {}

    def fail(self, reason: str, measure: int | None = None) -> None:
        """One more try failed for a reason, by a measure of which the least is the best."""
        self._failed[reason] += 1
        if measure is not None:
            self._best[reason] = min(measure, self._best.get(reason, measure))

    @property
    def failures(self) -> str:
        """Why tries for the puzzle that is being made led to nothing, and how close they came."""
        best = {reason: f" ({least} at best)" for reason, least in self._best.items()}
        failed = self._failed.most_common()
        return ", ".join(f"{times} {reason}{best.get(reason, '')}" for reason, times in failed)

    def add(self, tried: int = 1, *, unfit: int = 0) -> None:
        """So many more boards are tried, or did not come out as requested."""
        self._tried += tried
        self._unfit += unfit
        if self._progress is not None:
            others = f", {self._unfit} not as requested" if self._unfit else ""
            why = f": {self.failures}" if self._failed else ""
            self._progress(f"{self._tried} tried{others}{why}", self.share)

    def another(self, puzzle: Puzzle, solution: Solution, effort: int) -> Solution | None:
        """One more board is tried: another solution than the one known, if there is one.

        Raises `ConflictLimit` after an effort in conflicts. The clock has no say in what is
        dropped: the same seed must give the same puzzle.
        """
        self.deadline.check()
        self.add()
        self.watching.show(lambda: (puzzle, solution))
        with Oracle(puzzle.model) as oracle:
            return oracle.another_within(self.deadline.with_conflicts(effort), solution)


Puzzled = TypeVar("Puzzled", bound=Made)
#: Makes the puzzle of a seed and an index: always the same, unless time is up.
Make = Callable[[int, int, Tally], Puzzled]


def single(
    make: Make[Puzzled],
    seed: int | None,
    index: int,
    timeout: float | None,
    progress: Progress | None,
    watch: Watch | None,
) -> Puzzled:
    """One puzzle of a seed, a fresh one if that is ``None``. Arguments are checked."""
    index = checked_int(index, "an index", 0)
    return make(seed_or_fresh(seed), index, Tally(timeout, progress, watch))


def different(
    make: Make[Puzzled],
    seed: int | None,
    start: int,
    wanted: int | None,
    timeout: float | None,
    executor: Executor | None,
    progress: Progress | None,
    watch: Watch | None = None,
) -> Iterator[Puzzled]:
    """Yield the puzzles of the indices ``start``, ``start + 1`` ..., no board twice.

    See `puzzles`. Of ``wanted`` puzzles no more are begun than are missing; ``progress`` is told of
    boards late where they were tried in another process. Raises `NothingFound` after a few hundred
    boards in a row that came up before, and what ``make`` raises.
    """
    make_one = partial(make, seed_or_fresh(seed))
    index = checked_int(start, "a first index", 0)
    optional_int(wanted, "a number of puzzles", 0)
    tally = Tally(timeout, progress, watch)

    def run() -> Iterator[Puzzled]:
        nonlocal index
        seen: set[Puzzle] = set()
        repeated = 0
        while wanted is None or len(seen) < wanted:
            indices = count(index) if wanted is None else range(index, index + wanted - len(seen))
            if executor is None:
                results = (make_one(number, tally) for number in indices)
            else:
                from linkoracle.batch import ordered

                results = ordered(executor, partial(_elsewhere, make_one, timeout), indices)
            with closing(results):
                for made in results:
                    index += 1
                    if executor is not None:
                        tally.add(made.tried)
                    if made.puzzle not in seen:
                        repeated = 0
                        seen.add(made.puzzle)
                        tally.share = None if wanted is None else len(seen) / wanted
                        yield made
                        tally.deadline = Deadline(timeout)
                        continue
                    repeated += 1
                    if repeated == _REPEATS:
                        raise NothingFound(
                            f"found no more than {len(seen)} different boards: the last {repeated}"
                            " had been made before; ask for a larger board, or for less of it"
                        )
                    tally.deadline.check()

    return run()


def _elsewhere(
    make_one: Callable[[int, Tally], Puzzled], timeout: float | None, index: int
) -> Puzzled:
    return make_one(index, Tally(timeout))


def makers() -> list[str]:
    """The kinds that `puzzle` makes. Slitherlink and Numberlink have makers of their own."""
    return [name for name, kind in KINDS.items() if kind.maker is not None]


@dataclass(frozen=True)
class PuzzleRequest(Graded):
    """A puzzle of a kind that says on its page how it is made, as it is asked for.

    The maker of the kind is run ``tries`` times. Raises ``ValueError`` for a kind that is not in
    `makers`, and for what makes no sense.

    >>> PuzzleRequest("simpleloop", 6, 6, difficulty="easy").tries
    100
    """

    kind: str
    rows: int
    cols: int
    tries: int = tries_of("Attempts", TRIES)

    def __post_init__(self) -> None:
        if self.kind not in makers():
            known = alternatives(makers())
            raise ValueError(f"expected a kind with a maker, {known}, got {self.kind!r}")
        cells = checked_int(self.rows, "rows", 1) * checked_int(self.cols, "columns", 1)
        if cells > MOST_CELLS:
            size = f"{self.rows}x{self.cols}"
            raise ValueError(f"expected a board of at most {MOST_CELLS} cells, got {size}")
        checked_int(self.tries, "a number of tries", 1)
        check_options(self)
        self._check_grade()


def puzzle(
    kind: str | PuzzleRequest,
    rows: int | None = None,
    cols: int | None = None,
    *,
    seed: int | None = None,
    index: int = 0,
    timeout: float | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> Made:
    """Make a puzzle of a kind, of ``rows`` x ``cols`` cells, that provably has one solution.

    ``options`` are the other fields of `PuzzleRequest`, or one such request stands in place of all.
    The puzzle is a pure function of the request, ``seed`` and ``index``, which tells the puzzles of
    one seed apart; ``None``, as for all makers, draws a fresh one, which the result tells.
    ``progress`` is called for each board that is put before the oracle, and ``watch`` some times a
    second with the board as it stands and the line that is meant for it.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds, ``ValueError`` for a kind
    that is not in `makers`, and for sizes that it does not have.

    >>> made = puzzle("simpleloop", 6, 6, seed=1)
    >>> from linkoracle import is_unique
    >>> is_unique(made.puzzle), made.puzzle.number_of_clues
    (True, 6)
    """
    make = partial(_make, _requested(kind, rows, cols, options))
    return single(make, seed, index, timeout, progress, watch)


def puzzles(
    kind: str | PuzzleRequest,
    rows: int | None = None,
    cols: int | None = None,
    *,
    seed: int | None = None,
    start: int = 0,
    wanted: int | None = None,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> Iterator[Made]:
    """Yield puzzles as `puzzle` makes them, no board twice, from index ``start`` on.

    Arguments are checked at once. Ends after ``wanted`` puzzles, if that is given; with
    `NothingFound` where small boards run out; with `SearchTimeout` when no new board has come up
    for ``timeout`` seconds. An ``executor`` makes several puzzles at a time; they and their order
    stay the same, and nothing of them is shown to ``watch``.

    >>> [made.puzzle.number_of_clues for made in puzzles("simpleloop", 4, 4, seed=0, wanted=2)]
    [2, 2]
    """
    make = partial(_make, _requested(kind, rows, cols, options))
    return different(make, seed, start, wanted, timeout, executor, progress, watch)


def _requested(
    kind: str | PuzzleRequest, rows: Any, cols: Any, options: Mapping[str, Any]
) -> PuzzleRequest:
    if isinstance(kind, str):
        return PuzzleRequest(kind, rows, cols, **options)
    if options or (rows, cols) != (None, None):
        raise ValueError("expected a request, or a kind, a size and options, got both")
    return kind


def _make(request: PuzzleRequest, seed: int, index: int, tally: Tally) -> Made:
    maker = kind_named(request.kind).maker
    assert maker is not None
    rng = source(seed, index)
    tried = 0
    tally.begin()

    def another(made: Puzzle, solution: Solution) -> Solution | None:
        nonlocal tried
        tried += 1
        return tally.another(made, solution, EFFORT)

    for _ in range(request.tries):
        try:
            found = maker(request.rows, request.cols, rng, another)
        except ConflictLimit:
            tally.fail(f"undecided after {EFFORT} conflicts")
            continue
        why = "with a second solution to the end"
        if found is not None:
            why = unwanted(request.keeps, found[0], tally.deadline) or ""
        if found is not None and not why:
            return Made(*found, tried=tried, seed=seed, index=index)
        tally.fail(why)
    default = ", the default" if request.tries == TRIES else ""
    raise NothingFound(
        f"found no puzzle with one solution in {request.tries} tries{default}: {tally.failures}, "
        f"{tried} boards in all; try another seed, a smaller board or more tries"
    )

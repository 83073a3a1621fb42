"""What all generators share: made puzzles, attempts and previews, series, estimates of time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from linkoracle.board import LinkModel, Solution
from linkoracle.board.statements import statements
from linkoracle.core import (
    COMPILED,
    LABELS,
    Deadline,
    NothingFound,
    Progress,
    SearchTimeout,
    Timeout,
    checked_int,
    counted,
    data_text,
    seed_or_fresh,
)
from linkoracle.engines import Oracle, StatementOracle, another_covering, has_lanes
from linkoracle.generate.request import Graded, as_grade, optional_int
from linkoracle.kinds import CellLoop, Puzzle
from linkoracle.solving import confirm

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from linkoracle.board import Board, Edge
    from linkoracle.board.statements import Statements

#: The solver that checks boards up to this number of cells with lines around them: it takes a fifth
#: less time than the default there. On larger boards it sometimes gets lost for seconds.
QUICK_SOLVER, QUICK_CELLS = "minisat22", 100
#: Conflict budget of the SAT solver for a board.
EFFORT = 20_000
#: The solver of a board is replaced if it has this many times the variables of its first puzzle.
_RENEWED = 4
#: Why a puzzle is not of the grade.
EASIER, HARDER = "easier than requested", "harder than requested"
#: Number of consecutive repeated boards after which a run gives up.
_REPEATS = 300
#: Called with a puzzle in progress and its target solution.
Preview = Callable[[Puzzle, Solution], object]
#: Seconds between two previews, and before the first: fast puzzles are not shown.
_PAUSE = 0.2
Request = TypeVar("Request")


class Misfit(NamedTuple):
    """Why a unique puzzle is not as requested: `EASIER` or `HARDER`, if it has a grade.

    ``reason`` says more, and ``number`` is what was too large, if anything.
    """

    difference: str
    reason: str
    number: int | None = None


def misfit(keeps: Callable[..., bool] | None, puzzle: Puzzle, deadline: Deadline) -> Misfit | None:
    """Return the reason why a unique puzzle is not as requested; ``None`` if it is."""
    if (grade := as_grade(keeps)) is not None:
        found = grade.measured(puzzle, deadline)
        if not found.difference:
            return None
        difference = HARDER if found.difference > 0 else EASIER
        return Misfit(difference, *(found.missed or (difference,)))
    return None if keeps is None or keeps(puzzle) else Misfit("", "not as requested")


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


@dataclass(frozen=True)
class Reduced:
    """A puzzle with one solution, and the statistics of the reduction.

    ``minimal`` is true if it is proven that no clue is redundant: `witnesses` shows why.
    ``redundant`` are the cells of single redundant clues that other options kept; ``None`` without
    the option ``minimal``. ``queries`` is the number of searches for another solution, and
    ``conflicts`` their number of conflicts. No puzzle of the loop has fewer than ``lower_bound``
    clues, if computed; ``interrupted`` is true if Ctrl-C ended the search. ``seed`` reproduces the
    puzzle; ``seed`` is ``None`` if a `random.Random` was given.
    """

    puzzle: Any
    minimal: bool = False
    queries: int = 0
    conflicts: int = 0
    lower_bound: int | None = None
    interrupted: bool = False
    redundant: tuple[Any, ...] | None = None
    seed: int | None = None

    @property
    def clues(self) -> int:
        """The number of clues."""
        return len([*self.puzzle.clue_cells()])


def with_all_clues(board: Any, solution: Solution) -> Any:
    """Return the board with all clues of the solution."""
    return replace(board, clues=tuple(solution.counts()))


def showing(full: Any, faces: Collection[int]) -> Any:
    """Return the board with the clues of these faces only."""
    clues = enumerate(full.clues)
    return replace(full, clues=tuple(clue if face in faces else None for face, clue in clues))


class Watching:
    """Passes previews on, at most one in each interval, if there is a function for them.

    >>> from linkoracle import Slitherlink, Solution
    >>> shown = []
    >>> watching = Watching(lambda puzzle, line: shown.append(line.edges), pause=0)
    >>> board = Slitherlink.blank(1, 1)
    >>> watching.show(lambda: (board, Solution(board.lattice, (0, 1, 2, 3))))
    >>> shown
    [(0, 1, 2, 3)]
    """

    def __init__(self, preview: Preview | None = None, pause: float = _PAUSE) -> None:
        self._preview, self._pause = preview, pause
        self._last = time.monotonic()

    def show(self, look: Callable[[], tuple[Puzzle, Solution]], *, now: bool = False) -> None:
        """Show a puzzle and its solution; calls ``look`` only if a preview is due, or ``now``."""
        due = now or time.monotonic() - self._last >= self._pause
        if self._preview is not None and due:
            self._preview(*look())
            self._last = time.monotonic()


class BoardOracle:
    """One solver for all loop puzzles that are tried on a board: clues and regions come and go.

    What a puzzle states is assumed, so the solver keeps what it has learned of the board, and takes
    clauses only for what no puzzle has stated before. It is replaced once most of its variables
    belong to clues and regions that are gone: memory stays in proportion to a puzzle.

    >>> from linkoracle.kinds import SimpleLoop
    >>> boards = BoardOracle()
    >>> ring, more = SimpleLoop.from_holes(3, 3, [(1, 1)]), SimpleLoop.blank(3, 4)
    >>> for puzzle in (ring, more, more):
    ...     with Oracle(puzzle.model) as oracle:
    ...         known = next(oracle.solutions())
    ...     print(boards.another(puzzle.model, known) is None, boards.solvers)
    True 1
    False 2
    False 2
    """

    def __init__(self) -> None:
        self._oracle: StatementOracle | None = None
        self._most = 0
        #: The last model, and what it states.
        self._last: tuple[LinkModel, Statements] | None = None
        #: The number of solvers so far.
        self.solvers = 0

    def another(
        self,
        model: LinkModel,
        solution: Solution,
        edges: Mapping[Edge, bool] | None = None,
        timeout: Timeout = None,
    ) -> Solution | None:
        """Return a solution of a model of one loop other than the known one, or ``None``.

        ``edges`` are on or off in it.
        """
        if self._last is None or self._last[0] is not model:
            self._last = model, statements(model)
        stated, kept = self._last[1], self._oracle
        if kept is None or kept.model.board is not model.board or kept.variables > self._most:
            kept = self._renewed(model.board, stated)
        return kept.another(solution, stated, edges or (), timeout=timeout)

    def _renewed(self, board: Board, stated: Statements) -> StatementOracle:
        """Return a new solver for the puzzles of a board, in place of the last one."""
        if self._oracle is not None:
            self._oracle.close()
        self._oracle = StatementOracle(board)
        self._oracle.learn(stated)
        self._most = _RENEWED * self._oracle.variables
        self.solvers += 1
        return self._oracle


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
        # What the solver has learned would show in the next puzzle of a series.
        self._boards = BoardOracle()
        #: The oracle of the last board, where boards do not share one.
        self._oracle: Oracle | None = None
        self._usual = ""
        watched = request is not None and self._progress is not None
        if watched and (seconds := estimate(request) or 0) >= 1:
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
        """Count boards that were tried, and boards that were not as requested."""
        self._tried += tried
        self._unfit += unfit
        if self._progress is not None:
            others = f", {self._unfit} not as requested" if self._unfit else ""
            why = f": {self.failures}" if self._failed else ""
            self._progress(f"{self._tried} tried{others}{self._usual}{why}", self.share)

    def another(
        self,
        puzzle: Puzzle,
        solution: Solution,
        effort: int,
        edges: Mapping[Edge, bool] | None = None,
    ) -> Solution | None:
        """Count a board; return a solution other than the known one, or ``None``.

        ``edges`` are on or off in it; with them, the board counts as the same as before. Raises
        `ConflictLimit` after ``effort`` conflicts. The clock must not decide which boards fail:
        the same seed must give the same puzzle.
        """
        self.deadline.check()
        if edges is None:
            self.add()
            # All edges stand for no solution, from which any differs.
            if len(solution) < puzzle.board.num_edges:
                self.watching.show(lambda: (puzzle, solution))
        timeout = self.deadline.with_conflicts(effort)
        # Where clues close cells, a solver that knows the board finds alternatives that repeat.
        if (
            isinstance(puzzle, CellLoop)
            and puzzle.model.loop
            and (puzzle.covers or not puzzle.avoids_clues)
        ):
            return self._boards.another(puzzle.model, solution, edges, timeout)
        if not edges and has_lanes(puzzle.model):
            return another_covering(puzzle.model, solution.edges, timeout)
        if self._oracle is None or self._oracle.model is not puzzle.model:
            if self._oracle is not None:
                self._oracle.close()
            self._oracle = Oracle(puzzle.model)
        return self._oracle.another(solution, edges=edges or (), timeout=timeout)


Puzzled = TypeVar("Puzzled", bound=Made)
#: Makes the puzzle of a seed and an index: always the same, apart from timeouts.
Make = Callable[[int, int, Attempts], Puzzled]


def checked(puzzle: Any, solution: Solution, deadline: Deadline | None = None) -> None:
    """Raise `CheckFailed` unless a made puzzle has this solution and no other: see `confirm`."""
    quick = (
        puzzle.model.only_masks
        and not puzzle.through_cells
        and puzzle.board.num_faces <= QUICK_CELLS
    )
    confirm(puzzle, solution, solver=QUICK_SOLVER if quick else None, deadline=deadline)


def _made_and_checked(make: Make[Puzzled], seed: int, index: int, attempts: Attempts) -> Puzzled:
    """Make the puzzle of a seed and an index, and check it; also the nearest one of a failure."""
    try:
        made = make(seed, index, attempts)
    except (NothingFound, SearchTimeout) as error:
        if error.nearest is not None:
            checked(error.nearest.puzzle, error.nearest.solution)
        raise
    # A search for the fewest clues, or for a mask, hands out its best puzzle after its time limit.
    best_yet = isinstance(made, Reduced) or attempts.deadline.seconds <= 0
    checked(made.puzzle, made.solution, None if best_yet else attempts.deadline)
    return made


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
    attempts = Attempts(timeout, progress, preview)
    return _made_and_checked(make, seed_or_fresh(seed), index, attempts)


def different(
    make: Make[Puzzled],
    seed: int | None,
    start: int,
    most: int | None,
    timeout: float | None,
    executor: Executor | None,
    progress: Progress | None,
    preview: Preview | None = None,
) -> Iterator[Puzzled]:
    """Yield the puzzles of the indices ``start``, ``start + 1`` ..., no board twice.

    See `puzzles`. Never begins more puzzles than are missing from ``most``. ``progress`` counts
    the boards of other processes late. Raises `NothingFound` after a few hundred repeated boards
    in a row, and the exceptions of ``make``.
    """
    make_one = partial(_made_and_checked, make, seed_or_fresh(seed))
    index = checked_int(start, "a first index", 0)
    optional_int(most, "a number of puzzles", 0)
    attempts = Attempts(timeout, progress, preview)

    def run() -> Iterator[Puzzled]:
        nonlocal index
        seen: set[Puzzle] = set()
        repeated = 0
        while most is None or len(seen) < most:
            indices = count(index) if most is None else range(index, index + most - len(seen))
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
                        attempts.share = None if most is None else len(seen) / most
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


#: ``times.json`` has the medians of requests by kind and label, as
#: ``scripts/bench_difficulties.py --write`` measures them. Other sizes are scaled: the number of
#: cells of the measured boards, and the power of this number that is proportional to the time.
CELLS, _POWER = 100, 1.6


def estimate(request: Any) -> float | None:
    """Return the seconds of processor time that a puzzle usually takes; ``None`` if unknown.

    ``request`` is a result of `request_for`. In a range of labels, the fastest one counts. Options
    other than the size and the difficulty are ignored, though they may take time. Half of all
    puzzles take longer. Without compiled kernels, times are unknown.

    >>> from linkoracle.generate import request_for
    >>> slow = estimate(request_for("numbrix", 10, 10, difficulty="normal"))
    >>> fast = estimate(request_for("masyu", 10, 10, difficulty="hard"))
    >>> slow > fast > estimate(request_for("masyu", 6, 6, difficulty="hard"))
    True
    """
    known = _times().get(request.kind, {}) if COMPILED else {}
    low, _, high = str(request.difficulty or "").partition("..")
    labels = LABELS[LABELS.index(low) : LABELS.index(high or low) + 1] if low else [""]
    if not (times := [known[label] for label in labels if label in known]):
        return None
    return float(min(times) * (request.cells / CELLS) ** _POWER)


@cache
def _times() -> dict[str, dict[str, float]]:
    import json

    found: dict[str, dict[str, float]] = json.loads(data_text("linkoracle.generate", "times.json"))
    return found

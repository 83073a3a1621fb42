"""`slitherlink` and `slitherlinks`: a line, its clues, fewer clues, and a certificate."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Unpack

from linkoracle.core.errors import NothingFound, SearchTimeout
from linkoracle.core.limits import Deadline, Progress
from linkoracle.core.randomness import below, pick, source
from linkoracle.generate.colouring import Colouring, Ends, local_alternatives, rim_dots
from linkoracle.generate.hitting import smallest
from linkoracle.generate.making import Made, Tally, asked, different, single
from linkoracle.generate.removal import showing
from linkoracle.generate.shapes import SHAPES, SLOW_SHAPES, mix
from linkoracle.generate.slitherlink_request import SlitherlinkOptions, SlitherlinkRequest
from linkoracle.generate.thinning import Thinned, thinned
from linkoracle.kinds import Slitherlink
from linkoracle.search import Alternatives
from linkoracle.solving import certify

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from linkoracle.board.lattice import Solution

#: The solver for the certificates of boards up to so many cells: it takes a fifth less time than
#: the default one there. On larger ones it now and then goes astray for seconds.
QUICK_SOLVER, QUICK_CELLS = "minisat22", 100
#: Alternatives looked at to see how far a line is from being unique.
_ALTERNATIVES = 4
#: Steps without progress after which a new line is begun.
_PATIENCE = 150
#: How much worse a step may be, in cells, in the beginning.
_WARMTH = 3.0
#: Cells that one step flips, at most.
_FLIPS = 4


@dataclass(frozen=True)
class MadeSlitherlink(Made):
    """A Slitherlink and its only solution; see `linkoracle.generate.Thinned`."""

    puzzle: Slitherlink
    minimal: bool = False
    questions: int = 0
    conflicts: int = 0
    lower_bound: int | None = None
    interrupted: bool = False


def slitherlink(
    rows: int | SlitherlinkRequest,
    cols: int | None = None,
    *,
    seed: int | None = 0,
    index: int = 0,
    timeout: float | None = None,
    progress: Progress | None = None,
    **options: Unpack[SlitherlinkOptions],
) -> MadeSlitherlink:
    """Make a Slitherlink of ``rows`` x ``cols`` cells that provably has one solution.

    ``options`` are the other fields of `SlitherlinkRequest`, or one such request stands in place of
    all; for the other arguments see `puzzle`. ``progress`` is called for each line that is tried.
    At last the puzzle is certified by `linkoracle.certify`.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds (but the strategy ``"fewest"``
    returns the smallest puzzle found until then, with a lower bound, also after Ctrl-C),
    `MemoryLimit` (the shape ``uniform``), ``ValueError`` for arguments that make no sense.

    >>> made = slitherlink(6, 6, seed=1)
    >>> made.puzzle.number_of_clues, slitherlink(6, 6, seed=1, minimal=True).puzzle.number_of_clues
    (15, 13)
    """
    make = partial(_make, asked(SlitherlinkRequest, rows, cols, options))
    return single(make, seed, index, timeout, progress)


def slitherlinks(
    rows: int | SlitherlinkRequest,
    cols: int | None = None,
    *,
    seed: int | None = 0,
    start: int = 0,
    wanted: int | None = None,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    **options: Unpack[SlitherlinkOptions],
) -> Iterator[MadeSlitherlink]:
    """Yield Slitherlinks as `slitherlink` makes them, no board twice, from index ``start`` on.

    For the other arguments see `puzzles`.

    >>> from itertools import islice
    >>> boards = [made.puzzle for made in islice(slitherlinks(3, 3, seed=1), 20)]
    >>> len(set(boards))
    20
    """
    make = partial(_make, asked(SlitherlinkRequest, rows, cols, options))
    return different(make, seed, start, wanted, timeout, executor, progress)


def _make(request: SlitherlinkRequest, seed: int, index: int, tally: Tally) -> MadeSlitherlink:
    rng, deadline = source(seed, index), tally.deadline
    annealing = Annealing(request, deadline) if request.strategy == "mask" else None
    tally.begin()
    for tried in range(1, request.most_tries + 1):
        deadline.check()
        tally.add()
        found: Thinned | None
        if annealing is not None:
            solution, found = annealing.attempt(rng)
            if found is None:
                tally.fail("left cells that the mask does not decide", annealing.missed)
                continue
        else:
            ends = _random_ends(rng, request) if request.ends == "random" else request.ends
            solution = _line(request, ends, rng, deadline)
            try:
                if request.strategy == "fewest":
                    found = smallest(solution, ends, deadline, None)
                else:
                    found = thinned(request, solution, ends, rng, deadline)
            except NothingFound as error:
                tally.fail(str(error))
                continue
            if found.clues > request.most_clues:
                tally.fail(f"kept more than {request.most_clues} clues", found.clues)
                continue
        solver = QUICK_SOLVER if request.rows * request.cols <= QUICK_CELLS else None
        if certify(found.puzzle, solver=solver).solutions != (solution,):
            raise AssertionError("a generated puzzle failed its independent check")
        return MadeSlitherlink(
            solution=solution, tried=tried, seed=seed, index=index, **vars(found)
        )
    default = "" if request.tries is not None else ", the default"
    raise NothingFound(
        f"none of {request.most_tries} lines{default} led to a puzzle as asked: {tally.failures}; "
        "try more of them, another seed or shape, or ask for less"
    )


def _line(request: SlitherlinkRequest, ends: Ends, rng: Random, deadline: Deadline) -> Solution:
    options = dict(request.shape_options)
    if request.shape in SLOW_SHAPES:
        options["timeout"] = deadline.left
    if ends is not None:
        options["ends"] = ends
    try:
        return SHAPES[request.shape](rng, request.rows, request.cols, **options)
    except SearchTimeout:
        deadline.check()  # says the whole time, not what was left of it
        raise


def _random_ends(rng: Random, request: SlitherlinkRequest) -> Ends:
    dots = rim_dots(request.rows, request.cols)
    first = pick(rng, dots)
    second = pick(rng, [dot for dot in dots if dot != first])
    return (first, second) if first < second else (second, first)


class Annealing:
    """From a mask alone: a line that clues on exactly the cells of ``request.must`` make unique.

    Other lines that change no number of the mask are what is wrong with one. Begin with a
    `mix` line and flip a few cells next to where another line differs, wherever that leaves
    it single; keep the change if the other lines then found differ in fewer cells, or now and then
    if in few more (simulated annealing, Kirkpatrick, Gelatt and Vecchi, Science 220, 1983). Lines
    that differ by one or two flips are found by looking, and only one without any is put before the
    search. When no line is found, that proves nothing. The statistics are those of all tries.
    """

    def __init__(self, request: SlitherlinkRequest, deadline: Deadline) -> None:
        self._blank = Slitherlink.blank(request.rows, request.cols)
        self._kept = request.faces(request.must)
        self._deadline = deadline
        self._questions = self._conflicts = 0
        #: Of the last try, in how many cells other lines differed at best.
        self.missed = 0

    def attempt(self, rng: Random) -> tuple[Solution, Thinned | None]:
        """One line, improved until it is unique or nothing helps for a while; then ``None``."""
        rows, cols = self._blank.rows, self._blank.cols
        board = Colouring.of(mix(rng, rows, cols))
        line = board.outline()
        wrong = self._open_faces(line)
        self.missed, idle = len(wrong), 0
        while wrong and idle < _PATIENCE:
            idle += 1
            before = list(board.colour)
            face = pick(rng, sorted(wrong))
            row, col = divmod(face, cols)
            for _ in range(1 + below(rng, _FLIPS)):
                near_row = min(max(row + below(rng, 5) - 2, 0), rows - 1)
                near_col = min(max(col + below(rng, 5) - 2, 0), cols - 1)
                cell = (near_row + 1) * board.step + near_col + 1
                if board.can_flip(cell):
                    board.flip(cell)
            if board.colour == before:
                continue
            changed = board.outline()
            found = self._open_faces(changed)
            worse = len(found) - len(wrong)
            warmth = _WARMTH * (1 - idle / _PATIENCE) + 1e-9
            if worse <= 0 or rng.random() < math.exp(-worse / warmth):
                line, wrong = changed, found
                if len(wrong) < self.missed:
                    self.missed, idle = len(wrong), 0
            else:
                board.colour[:] = before
        puzzle = showing(Slitherlink.from_solution(line), self._kept)
        made = Thinned(puzzle, False, self._questions, self._conflicts)
        return line, None if wrong else made

    def _open_faces(self, line: Solution) -> set[int]:
        """Faces at which other lines with the same clues differ, out of a sample of these."""
        self._deadline.check()
        loose = [faces for faces in local_alternatives(line) if self._kept.isdisjoint(faces)]
        if loose:
            return {face for faces in loose for face in faces}
        changed: set[int] = set()
        with Alternatives(self._blank, line) as alternatives:
            everything = set(range(len(alternatives.counts)))
            for _ in range(_ALTERNATIVES):
                # Each alternative shall differ at a face where none did so far.
                denied = sorted(everything - self._kept - changed) if changed else []
                alternative = alternatives.find_within(self._deadline, self._kept, denied)
                if alternative is None:
                    break
                # An alternative may have the same numbers everywhere; any face will do to tell.
                changed |= alternative.changed or everything
            self._questions += alternatives.questions
            self._conflicts += alternatives.conflicts
        return changed

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
from linkoracle.core.randomness import pick, seed_or_fresh, source
from linkoracle.generate.colouring import Ends, rim_dots
from linkoracle.generate.fewest import smallest
from linkoracle.generate.from_mask import Annealing
from linkoracle.generate.making import Failures, Made, Tally, different, single
from linkoracle.generate.request import SlitherlinkOptions, SlitherlinkRequest, asked
from linkoracle.generate.shapes import SHAPES, SLOW_SHAPES
from linkoracle.generate.thinning import Thinned, thinned
from linkoracle.kinds import Slitherlink
from linkoracle.solving import certify

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from linkoracle.board.solution import Solution

#: The solver for the certificates of boards up to so many cells: it takes a fifth less time than
#: the default one there. On larger ones it now and then goes astray for seconds.
QUICK_SOLVER, QUICK_CELLS = "minisat22", 100


@dataclass(frozen=True)
class MadeSlitherlink(Made):
    """A Slitherlink and its only solution; see `linkoracle.generate.Thinned`."""

    puzzle: Slitherlink
    minimal: bool = False
    questions: int = 0
    rounds: int = 0
    cuts: int = 0
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

    ``options`` are the other fields of `SlitherlinkRequest`; or one such request stands in place of
    all. The puzzle is a pure function of that, ``seed`` and ``index``, which tells the puzzles of
    one seed apart; with ``seed=None`` a fresh one is drawn, which the result tells. ``progress`` is
    called for each line that is tried. At last the puzzle is certified by `linkoracle.certify`.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds (but the strategy ``"fewest"``
    returns the smallest puzzle found until then, with a lower bound, also after Ctrl-C),
    `MemoryLimit` (the shape ``uniform``), ``ValueError`` for arguments that make no sense.

    >>> made = slitherlink(6, 6, seed=1)
    >>> made.minimal, len(list(made.puzzle.clue_cells()))
    (True, 12)
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
    make = partial(_make, asked(SlitherlinkRequest, rows, cols, options), seed_or_fresh(seed))
    return different(make, start, wanted, timeout, executor, progress)


def _make(
    request: SlitherlinkRequest, seed: int, index: int, tally: Tally, deadline: Deadline
) -> MadeSlitherlink:
    rng = source(seed, index)
    most = math.floor(request.max_clue_density * request.rows * request.cols + 1e-9)
    most = most if request.clues is None else min(most, request.clues)
    annealing = Annealing(request, deadline) if request.strategy == "mask" else None
    failures = tally.failures = Failures()
    for tried in range(1, request.most_tries + 1):
        deadline.check()
        tally.add()
        found: Thinned | None
        if annealing is not None:
            solution, found = annealing.attempt(rng)
            if found is None:
                failures.add("left cells that the mask does not decide", annealing.missed)
                continue
        else:
            ends = _random_ends(rng, request) if request.ends == "random" else request.ends
            solution = _line(request, ends, rng, deadline)
            try:
                if request.strategy == "fewest":
                    found = smallest(solution, ends, request.solver, deadline)
                else:
                    found = thinned(request, solution, ends, rng, deadline)
            except NothingFound as error:
                failures.add(str(error))
                continue
            if found.clues > most:
                failures.add(f"kept more than {most} clues", found.clues)
                continue
        solver = QUICK_SOLVER if request.rows * request.cols <= QUICK_CELLS else None
        if certify(found.puzzle, solver=solver).solutions != (solution,):
            raise AssertionError("a generated puzzle failed its independent check")
        return MadeSlitherlink(
            solution=solution, tried=tried, seed=seed, index=index, **vars(found)
        )
    default = "" if request.tries is not None else ", the default"
    raise NothingFound(
        f"none of {request.most_tries} lines{default} led to a puzzle as asked: {failures}; "
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

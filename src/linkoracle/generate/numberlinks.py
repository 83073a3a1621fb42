"""`numberlink` and `numberlinks`: boards made, repaired and proven."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Unpack

from linkoracle.core.errors import ConflictLimit, NothingFound
from linkoracle.core.limits import Deadline, Progress
from linkoracle.core.randomness import seed_or_fresh, source
from linkoracle.generate.links import links, repair
from linkoracle.generate.making import Failures, Made, Tally, different, single
from linkoracle.generate.path_system import PathSystem
from linkoracle.generate.request import (
    NUMBERLINK_TRIES,
    REPAIRS,
    NumberlinkOptions,
    NumberlinkRequest,
    asked,
)
from linkoracle.sat.oracle import Oracle

if TYPE_CHECKING:
    from concurrent.futures import Executor


def numberlink(
    rows: int | NumberlinkRequest,
    cols: int | None = None,
    *,
    seed: int | None = 0,
    index: int = 0,
    timeout: float | None = None,
    progress: Progress | None = None,
    **options: Unpack[NumberlinkOptions],
) -> Made:
    """Make a Numberlink of ``rows`` x ``cols`` cells that provably has one solution.

    That solution uses every cell, also under the rule ``"free"``. ``options`` are the other fields
    of `NumberlinkRequest`; or one such request stands in place of all. The puzzle is a pure
    function of that, ``seed`` and ``index``, which tells the puzzles of one seed apart; with
    ``seed=None`` a fresh one is drawn, which the result tells. ``progress`` is called for each
    board that is made, be it as requested or not.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds, ``ValueError`` for requests
    that no board can meet.

    >>> made = numberlink(6, 6, seed=1)
    >>> from linkoracle import is_unique
    >>> is_unique(made.puzzle), len(made.puzzle.pairs())
    (True, 6)
    """
    make = partial(_make, asked(NumberlinkRequest, rows, cols, options))
    return single(make, seed, index, timeout, progress)


def numberlinks(
    rows: int | NumberlinkRequest,
    cols: int | None = None,
    *,
    seed: int | None = 0,
    start: int = 0,
    wanted: int | None = None,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    **options: Unpack[NumberlinkOptions],
) -> Iterator[Made]:
    """Yield puzzles as `numberlink` makes them, no board twice, from index ``start`` on.

    For the other arguments see `puzzles`.

    >>> from itertools import islice
    >>> boards = {made.puzzle for made in islice(numberlinks(5, 5, seed=1), 4)}
    >>> len(boards)
    4
    """
    make = partial(_make, asked(NumberlinkRequest, rows, cols, options), seed_or_fresh(seed))
    return different(make, start, wanted, timeout, executor, progress)


def _make(
    request: NumberlinkRequest, seed: int, index: int, tally: Tally, deadline: Deadline
) -> Made:
    rng = source(seed, index)
    make: Callable[[NumberlinkRequest, Random, Deadline], PathSystem | None] = links
    repairs = REPAIRS if request.repairs is None else request.repairs
    if request.maker == "diagram":
        from linkoracle.generate.covers import covers

        make = covers
        if request.repairs is None:
            # A repaired board would not be a uniform draw.
            repairs = 0
    tried = repaired = unfit = 0
    failures = tally.failures = Failures()
    while tried < request.tries and unfit < request.tries:
        deadline.check()
        system = make(request, rng, deadline)
        if system is None:
            unfit += 1
            tally.unfit()
            continue
        for left in range(repairs, -1, -1):
            tally.add()
            tried += 1
            puzzle, solution = system.puzzle(request.rule), system.solution()
            # The clock has no say in what is dropped: the same seed must give the same puzzle.
            effort = deadline.with_conflicts(request.effort)
            try:
                with Oracle(puzzle.model) as oracle:
                    other = oracle.another_within(effort, solution)
            except ConflictLimit:
                failures.add(f"undecided after {request.effort} conflicts")
                break
            if other is None:
                return Made(puzzle, solution, tried, repaired, seed, index)
            failures.add("with a second solution")
            if not left or not repair(system, other, request, rng, deadline):
                break
            repaired += 1
    default = ", the default" if request.tries == NUMBERLINK_TRIES else ""
    why = f"{tried} boards as requested" + (f" ({failures})" if tried else "")
    raise NothingFound(
        f"found no puzzle with one solution in {request.tries} tries{default}: {why}, {unfit} that "
        "came out otherwise; try other numbers of pairs or lengths, another seed or more tries"
    )

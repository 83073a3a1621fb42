"""`puzzle` and `puzzles`: makers for every kind that says on its page how it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from linkoracle.board.solution import Solution
from linkoracle.core.errors import ConflictLimit, NothingFound
from linkoracle.core.limits import Deadline, Progress, checked_int
from linkoracle.core.randomness import seed_or_fresh, source
from linkoracle.generate.making import Failures, Made, Tally, different, single
from linkoracle.generate.request import EFFORT
from linkoracle.kinds import KINDS, Puzzle, kind_named
from linkoracle.kinds.registry import alternatives
from linkoracle.sat.oracle import Oracle

if TYPE_CHECKING:
    from concurrent.futures import Executor

#: Runs of a maker before a puzzle is given up, and the largest board that is taken on, in cells.
TRIES, MOST_CELLS = 100, 2_500


def makers() -> list[str]:
    """The kinds that `puzzle` makes. Slitherlink and Numberlink have makers of their own."""
    return [name for name, kind in KINDS.items() if kind.maker is not None]


def puzzle(
    kind: str,
    rows: int,
    cols: int,
    *,
    seed: int | None = 0,
    index: int = 0,
    tries: int = TRIES,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Made:
    """Make a puzzle of a kind, of ``rows`` x ``cols`` cells, that provably has one solution.

    It is a pure function of the size, ``seed`` and ``index``, which tells the puzzles of one seed
    apart; with ``seed=None`` a fresh one is drawn, which the result tells. ``tries`` is how often
    the maker of the kind is run. ``progress`` is called for each board that is put before the
    oracle.

    Raises `NothingFound`, `SearchTimeout` after ``timeout`` seconds, ``ValueError`` for a kind
    that is not in `makers`, and for sizes that it does not have.

    >>> made = puzzle("simpleloop", 6, 6, seed=1)
    >>> from linkoracle import is_unique
    >>> is_unique(made.puzzle), made.puzzle.number_of_clues
    (True, 6)
    """
    return single(_maker(kind, rows, cols, tries), seed, index, timeout, progress)


def puzzles(
    kind: str,
    rows: int,
    cols: int,
    *,
    seed: int | None = 0,
    start: int = 0,
    wanted: int | None = None,
    tries: int = TRIES,
    timeout: float | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Iterator[Made]:
    """Yield puzzles as `puzzle` makes them, no board twice, from index ``start`` on.

    Arguments are checked at once. Ends after ``wanted`` puzzles, if that is given; with
    `NothingFound` where small boards run out; with `SearchTimeout` when no new board has come up
    for ``timeout`` seconds. An ``executor`` makes several puzzles at a time; they and their order
    stay the same.

    >>> [made.puzzle.number_of_clues for made in puzzles("simpleloop", 4, 4, wanted=2)]
    [2, 2]
    """
    make = partial(_maker(kind, rows, cols, tries), seed_or_fresh(seed))
    return different(make, start, wanted, timeout, executor, progress)


def _maker(kind: str, rows: int, cols: int, tries: int) -> Callable[..., Made]:
    if kind not in makers():
        raise ValueError(f"expected a kind with a maker, {alternatives(makers())}, got {kind!r}")
    cells = checked_int(rows, "rows", 1) * checked_int(cols, "columns", 1)
    if cells > MOST_CELLS:
        raise ValueError(f"expected a board of at most {MOST_CELLS} cells, got {rows}x{cols}")
    return partial(_make, (kind, rows, cols, checked_int(tries, "a number of tries", 1)))


def _make(
    asked: tuple[str, int, int, int], seed: int, index: int, tally: Tally, deadline: Deadline
) -> Made:
    kind, rows, cols, tries = asked
    maker = kind_named(kind).maker
    assert maker is not None
    rng = source(seed, index)
    tried = 0
    failures = tally.failures = Failures()

    def another(made: Puzzle, solution: Solution) -> Solution | None:
        nonlocal tried
        deadline.check()
        tally.add()
        tried += 1
        # The clock has no say in what is dropped: the same seed must give the same puzzle.
        with Oracle(made.model) as oracle:
            return oracle.another_within(deadline.with_conflicts(EFFORT), solution)

    for _ in range(tries):
        try:
            found = maker(rows, cols, rng, another)
        except ConflictLimit:
            failures.add(f"undecided after {EFFORT} conflicts")
            continue
        if found is not None:
            return Made(*found, tried=tried, seed=seed, index=index)
        failures.add("with a second solution to the end")
    raise NothingFound(
        f"found no puzzle with one solution in {tries} tries"
        f"{', the default' if tries == TRIES else ''}: {failures}, {tried} boards in all; try "
        "another seed, a smaller board or more tries"
    )

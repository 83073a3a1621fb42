"""What a user asks of a puzzle: is there a solution, which, how many, is it the only one?

Every function takes any puzzle and these options:

* ``engine``: ``"auto"`` or ``"sat"``;
* ``timeout``: seconds after which `SearchTimeout` is raised; ``None`` is no limit;
* ``solver``: the name of a PySAT solver in place of the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from linkoracle.sat.oracle import Oracle, Verdict
from linkoracle.sat.search import Deadline

if TYPE_CHECKING:
    from linkoracle.model import Solution
    from linkoracle.puzzles import Puzzle

#: Values of ``engine``.
ENGINES = ("auto", "sat")


@dataclass(frozen=True)
class Tally:
    """How many solutions were counted, and whether that is all.

    ``exact`` is false when the count stopped at the limit and more solutions exist. ``solutions``
    holds the solutions counted, when they were asked for.
    """

    count: int
    exact: bool
    engine: str
    solutions: tuple[Solution, ...] = ()


def certify(
    puzzle: Puzzle, *, engine: str = "auto", timeout: float | None = None, solver: str | None = None
) -> Verdict:
    """Decide whether the puzzle has no solution, one, or more, and show up to two.

    >>> from linkoracle import Slitherlink
    >>> certify(Slitherlink([[3, 3], [None, None]])).status
    'unique'
    """
    _check(engine)
    with Oracle(puzzle.model, solver=solver) as oracle:
        return oracle.ask(timeout=timeout)


def is_unique(
    puzzle: Puzzle, *, engine: str = "auto", timeout: float | None = None, solver: str | None = None
) -> bool:
    """Whether the puzzle has exactly one solution.

    >>> from linkoracle import Numberlink
    >>> is_unique(Numberlink([[1, 2], [1, 2]]))
    True
    """
    return certify(puzzle, engine=engine, timeout=timeout, solver=solver).unique


def solve(
    puzzle: Puzzle, *, engine: str = "auto", timeout: float | None = None, solver: str | None = None
) -> Solution | None:
    """One solution, or ``None`` if there is none.

    >>> from linkoracle import Slitherlink
    >>> solution = solve(Slitherlink([[4, None]]))
    >>> len(solution)
    4
    """
    return next(solutions(puzzle, engine=engine, timeout=timeout, solver=solver), None)


def solutions(
    puzzle: Puzzle, *, engine: str = "auto", timeout: float | None = None, solver: str | None = None
) -> Iterator[Solution]:
    """Yield every solution once, lazily; `itertools.islice` takes as many as are wanted.

    >>> from linkoracle import Slitherlink
    >>> sum(1 for solution in solutions(Slitherlink.blank(2, 2)))
    13
    """
    _check(engine)
    return _enumerate(puzzle, timeout, solver)


def count(
    puzzle: Puzzle,
    limit: int | None = None,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    solver: str | None = None,
) -> int:
    """The number of solutions; with ``limit``, at most that.

    >>> from linkoracle import Slitherlink
    >>> count(Slitherlink.blank(3, 3)), count(Slitherlink.blank(3, 3), limit=5)
    (213, 5)
    """
    return tally(puzzle, limit, engine=engine, timeout=timeout, solver=solver).count


def tally(
    puzzle: Puzzle,
    limit: int | None = None,
    *,
    keep: bool = False,
    engine: str = "auto",
    timeout: float | None = None,
    solver: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Count solutions up to ``limit``, and say whether the count is exact.

    With ``keep`` the counted solutions are kept. ``progress`` is called with the number found so
    far, again and again. When the limit is reached, one more solution is
    looked for, so that ``exact`` is right. Raises ``ValueError`` for a limit below 1.

    >>> from linkoracle import Slitherlink
    >>> result = tally(Slitherlink.blank(1, 2), limit=3)
    >>> result.count, result.exact
    (3, True)
    """
    _check(engine)
    if limit is not None and limit < 1:
        raise ValueError(f"a limit must be at least 1, got {limit}")
    deadline = Deadline(timeout)
    with Oracle(puzzle.model, solver=solver) as oracle:
        # The two-solution question first: for Numberlink it is far cheaper than an enumeration.
        verdict = oracle.ask(timeout=deadline)
        if verdict.status != "many":
            few = verdict.solutions
            return Tally(len(few), True, "sat", few if keep else ())
        if limit == 1:
            return Tally(1, False, "sat", verdict.solutions[:1] if keep else ())
        found, kept = 0, []
        for solution in islice(oracle.solutions(timeout=deadline), limit and limit + 1):
            found += 1
            if progress:
                progress(found)
            if keep:
                kept.append(solution)
        exact = limit is None or found <= limit
        return Tally(found if exact else found - 1, exact, "sat", tuple(kept[:limit]))


def _enumerate(puzzle: Puzzle, timeout: float | None, solver: str | None) -> Iterator[Solution]:
    with Oracle(puzzle.model, solver=solver) as oracle:
        yield from oracle.solutions(timeout=timeout)


def _check(engine: str) -> None:
    if engine not in ENGINES:
        raise ValueError(f"expected one of the engines {', '.join(ENGINES)}, got {engine!r}")

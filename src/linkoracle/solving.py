"""What a user asks of a puzzle: is there a solution, which, how many, is it the only one?

Every function takes any puzzle and these options:

* ``engine``: ``"sat"``, ``"frontier"``, or ``"auto"``, which chooses (see `linkoracle.engines`);
* ``timeout``: seconds after which `SearchTimeout` is raised; ``None`` is no limit;
* ``memory``: bytes that the frontier engine may use; ``None`` is half of what is free;
* ``solver``: the name of a PySAT solver in place of the default.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from linkoracle.engines import ENGINES, Progress, Question, Tally
from linkoracle.sat.oracle import Verdict
from linkoracle.sat.search import Deadline

if TYPE_CHECKING:
    from linkoracle.frontier import Diagram
    from linkoracle.model import Solution
    from linkoracle.puzzles import Puzzle

__all__ = [
    "ENGINES",
    "Progress",
    "Tally",
    "certify",
    "count",
    "diagram",
    "is_unique",
    "solutions",
    "solve",
    "tally",
]


def certify(
    puzzle: Puzzle,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    memory: int | None = None,
    solver: str | None = None,
) -> Verdict:
    """Decide whether the puzzle has no solution, one, or more, and show up to two.

    >>> from linkoracle import Slitherlink
    >>> certify(Slitherlink([[3, 3], [None, None]])).status
    'unique'
    """
    return Question(puzzle, engine, Deadline(timeout), memory, solver).decide()[0]


def is_unique(
    puzzle: Puzzle,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    memory: int | None = None,
    solver: str | None = None,
) -> bool:
    """Whether the puzzle has exactly one solution.

    >>> from linkoracle import Numberlink
    >>> is_unique(Numberlink([[1, 2], [1, 2]]))
    True
    """
    found = tally(puzzle, 1, engine=engine, timeout=timeout, memory=memory, solver=solver)
    return found.count == 1 and found.exact


def solve(
    puzzle: Puzzle,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    memory: int | None = None,
    solver: str | None = None,
) -> Solution | None:
    """One solution, or ``None`` if there is none.

    >>> from linkoracle import Slitherlink
    >>> solution = solve(Slitherlink([[4, None]]))
    >>> len(solution)
    4
    """
    found = solutions(puzzle, engine=engine, timeout=timeout, memory=memory, solver=solver)
    return next(found, None)


def solutions(
    puzzle: Puzzle,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    memory: int | None = None,
    solver: str | None = None,
) -> Iterator[Solution]:
    """Yield every solution once, lazily; `itertools.islice` takes as many as are wanted.

    ``timeout`` counts from when the first is asked for.

    >>> from linkoracle import Slitherlink
    >>> sum(1 for solution in solutions(Slitherlink.blank(2, 2)))
    13
    """
    asked = Question(puzzle, engine, Deadline(None), memory, solver)

    def from_the_first_on() -> Iterator[Solution]:
        yield from replace(asked, deadline=Deadline(timeout)).solutions()

    return from_the_first_on()


def count(
    puzzle: Puzzle,
    limit: int | None = None,
    *,
    engine: str = "auto",
    timeout: float | None = None,
    memory: int | None = None,
    solver: str | None = None,
) -> int:
    """The number of solutions; with ``limit``, at most that.

    >>> from linkoracle import Slitherlink
    >>> count(Slitherlink.blank(3, 3)), count(Slitherlink.blank(3, 3), limit=5)
    (213, 5)
    >>> count(Slitherlink.blank(9, 9))
    27359264067916806101
    """
    return tally(puzzle, limit, engine=engine, timeout=timeout, memory=memory, solver=solver).count


def tally(
    puzzle: Puzzle,
    limit: int | None = None,
    *,
    keep: bool = False,
    engine: str = "auto",
    timeout: float | None = None,
    memory: int | None = None,
    solver: str | None = None,
    progress: Progress | None = None,
) -> Tally:
    """Count solutions up to ``limit``, and say whether the count is exact.

    With ``keep`` the counted solutions are kept. ``progress`` is called again and again. Raises
    ``ValueError`` for a limit below 1, `SearchTimeout`, `MemoryLimit`.

    >>> from linkoracle import Slitherlink
    >>> result = tally(Slitherlink.blank(1, 2), limit=3)
    >>> result.count, result.exact
    (3, True)
    """
    if limit is not None and limit < 1:
        raise ValueError(f"a limit must be at least 1, got {limit}")
    asked = Question(puzzle, engine, Deadline(timeout), memory, solver, progress)
    return asked.tally(limit, keep=keep)


def diagram(
    puzzle: Puzzle,
    *,
    timeout: float | Deadline | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Diagram:
    """Everything about the solutions of a puzzle at once: see `linkoracle.frontier.Diagram`.

    >>> from linkoracle import Slitherlink
    >>> loops = diagram(Slitherlink.blank(3, 3))
    >>> loops.count(), loops.by_length()[16], len(loops.sample(2, seed=1))
    (213, 6, 2)
    """
    deadline = Deadline.of(timeout)
    return Question(puzzle, "frontier", deadline, memory, progress=progress).diagram()

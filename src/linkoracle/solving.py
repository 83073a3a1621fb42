"""What a user asks: is there a solution, which, how many, is it the only one?

Every function takes a puzzle of any kind or a `LinkModel`, and the options of `Options`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypedDict, Unpack

from linkoracle.board.model import Modelled, model_of
from linkoracle.core.limits import Progress, checked_int
from linkoracle.engines import ENGINES, Engine, Question, Tally
from linkoracle.sat.oracle import Verdict

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.frontier import Diagram

__all__ = [
    "ENGINES",
    "Engine",
    "Options",
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


class Options(TypedDict, total=False):
    """How to search. What makes no sense raises ``ValueError``.

    * ``engine``: ``"sat"``, ``"frontier"``, or ``"auto"``, which lets both work in turns where that
      is better (see `linkoracle.engines`);
    * ``timeout``: seconds after which `SearchTimeout` is raised; ``None`` is no limit;
    * ``memory``: bytes that the frontier engine may use, or `MemoryLimit` is raised; ``None`` is
      half of what is free;
    * ``solver``: the name of a PySAT solver in place of the default.
    """

    engine: Engine
    timeout: float | None
    memory: int | None
    solver: str | None


def certify(asked: Modelled, *, core: bool = False, **options: Unpack[Options]) -> Verdict:
    """Decide whether there is no solution, one, or more, and show up to two.

    With ``core``, and if there are clues on faces as in a Slitherlink, the verdict has a core of
    them: see `Verdict`. Otherwise its ``core`` is ``None``. That takes the SAT engine, and about
    half as long again; ``ValueError`` for the other engine.

    >>> from linkoracle import Slitherlink
    >>> certify(Slitherlink([[3, 3], [None, None]])).status
    'unique'
    >>> certify(Slitherlink([[4, None], [3, None]]), core=True).core
    {(0, 0): 4, (1, 0): 3}
    """
    question = Question(model_of(asked), **options)
    return question.decide_with_core() if core else question.decide()


def is_unique(asked: Modelled, **options: Unpack[Options]) -> bool:
    """Whether there is exactly one solution.

    >>> from linkoracle import Numberlink
    >>> is_unique(Numberlink([[1, 2], [1, 2]]))
    True
    """
    found = tally(asked, 1, **options)
    return found.count == 1 and found.exact


def solve(asked: Modelled, **options: Unpack[Options]) -> Solution | None:
    """One solution, or ``None`` if there is none.

    >>> from linkoracle import Slitherlink
    >>> solution = solve(Slitherlink([[4, None]]))
    >>> len(solution)
    4
    """
    return next(solutions(asked, **options), None)


def solutions(asked: Modelled, **options: Unpack[Options]) -> Iterator[Solution]:
    """Yield every solution once, lazily; `itertools.islice` takes as many as are wanted.

    ``timeout`` counts from when the first is asked for.

    >>> from linkoracle import Slitherlink
    >>> sum(1 for solution in solutions(Slitherlink.blank(2, 2)))
    13
    """
    return Question(model_of(asked), **options).solutions()


def count(asked: Modelled, limit: int | None = None, **options: Unpack[Options]) -> int:
    """The number of solutions; with ``limit``, at most that.

    >>> from linkoracle import Slitherlink
    >>> count(Slitherlink.blank(3, 3)), count(Slitherlink.blank(3, 3), limit=5)
    (213, 5)
    >>> count(Slitherlink.blank(9, 9))
    27359264067916806101
    """
    return tally(asked, limit, **options).count


def tally(
    asked: Modelled,
    limit: int | None = None,
    *,
    keep: bool = False,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> Tally:
    """Count solutions up to ``limit``, at least 1, and say whether the count is exact.

    With ``keep`` the counted solutions are kept. ``progress`` is called again and again.

    >>> from linkoracle import Slitherlink
    >>> result = tally(Slitherlink.blank(1, 2), limit=3)
    >>> result.count, result.exact
    (3, True)
    """
    if limit is not None:
        limit = checked_int(limit, "a limit", 1)
    return Question(model_of(asked), progress=progress, **options).tally(limit, keep=keep)


def diagram(
    asked: Modelled,
    *,
    timeout: float | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Diagram:
    """Everything about the solutions at once: see `linkoracle.frontier.Diagram`.

    >>> from linkoracle import Slitherlink
    >>> loops = diagram(Slitherlink.blank(3, 3))
    >>> loops.count(), loops.by_length()[16], len(loops.sample(2, seed=1))
    (213, 6, 2)
    """
    return Question(model_of(asked), "frontier", timeout, memory, progress=progress).diagram()

"""What a user asks: is there a solution, which, how many, is it the only one?

Every function takes a puzzle of any kind or a `LinkModel`, and the options of `Options`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, TypedDict, Unpack

from linkoracle import engines
from linkoracle.board.model import Modelled, model_of
from linkoracle.core.errors import ConflictLimit, MemoryLimit
from linkoracle.core.limits import Deadline, Progress, Turns, checked_int
from linkoracle.engines import Question
from linkoracle.sat.answers import CONFLICT_BUDGET, ENGINES, Engine, Tally, Verdict

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
      is better (see `linkoracle.engines`); or ``"plain"``, which is slow, explains the others and
      shares no code with them (see `linkoracle.plain`). `NotSupported` is raised if the engine does
      not take the model;
    * ``timeout``: seconds after which `SearchTimeout` is raised; ``None`` is no limit;
    * ``memory``: bytes that the frontier engine may use, or `MemoryLimit` is raised; ``None`` is
      half of what is free;
    * ``solver``: the name of a PySAT solver in place of the default.
    """

    engine: Engine
    timeout: float | None
    memory: int | None
    solver: str | None


def _question(asked: Modelled, options: Options, progress: Progress | None = None) -> Question:
    """What is asked, with options; ``TypeError`` for an option that there is not."""
    for name in options.keys() - Options.__annotations__:
        known = ", ".join(Options.__annotations__)
        raise TypeError(f"unexpected option {name!r}: the options are {known}")
    return Question(model_of(asked), progress=progress, **options)


def certify(asked: Modelled, *, core: bool = False, **options: Unpack[Options]) -> Verdict:
    """Decide whether there is no solution, one, or more, and show up to two.

    With ``core``, and if there are clues on faces as in a Slitherlink, the verdict has a core of
    them: see `Verdict`. Otherwise its ``core`` is ``None``. That takes the SAT engine, and about
    half as long again; ``ValueError`` for another engine. Of clues that contradict each other the
    core is minimal if that is found out in time, as by `Oracle.core`.

    >>> from linkoracle import Slitherlink
    >>> certify(Slitherlink([[3, 3], [None, None]])).status
    'unique'
    >>> certify(Slitherlink([[4, None], [3, None]]), core=True).core
    {(0, 0): 4, (1, 0): 3}
    """
    question = _question(asked, options)
    if not core:
        return question.decide()
    if question.engine not in ("auto", "sat"):
        raise ValueError(f"expected the engine auto or sat for a core, got {question.engine!r}")
    model = question.model
    exact = {face: mask for face, mask in enumerate(model.faces) if mask.bit_count() == 1}
    if not exact:
        return question.decide()
    from linkoracle.sat.cores import core_within

    free, name = model.board.free_masks, model.board.face_name
    faces = [free[face] if face in exact else mask for face, mask in enumerate(model.faces)]
    clues = {name(face): mask.bit_length() - 1 for face, mask in exact.items()}
    with question.opened(replace(model, faces=faces)) as oracle:
        verdict = core_within(oracle, question.deadline, clues)
    return replace(verdict, core_edges=None)


def is_unique(asked: Modelled, **options: Unpack[Options]) -> bool:
    """Whether there is exactly one solution.

    >>> from linkoracle import Numberlink
    >>> is_unique(Numberlink([[1, 2], [1, 2]]))
    True
    """
    found = _question(asked, options).tally(1)
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
    return _listed(_question(asked, options))


def _listed(question: Question) -> Iterator[Solution]:
    # Anew, since the list may be asked for long after it was made.
    question.deadline = deadline = Deadline(question.timeout)
    if question.engine == "frontier":
        found: Iterable[Solution] = question.diagram()
    elif question.engine == "sat":
        found = _listed_by_sat(question)
    elif question.engine == "plain":
        found = question.plain_solutions()
    else:
        found = _listed_in_turns(question)
    for number, solution in enumerate(found):
        deadline.found = number
        deadline.check()
        yield solution


def _listed_by_sat(question: Question) -> Iterator[Solution]:
    with question.opened() as oracle:
        yield from oracle.solutions_within(question.deadline)


def _listed_in_turns(question: Question) -> Iterator[Solution]:
    """The first ones by SAT at once, and then both engines in turns."""
    model = question.model
    building = Turns(question.building())
    engine, effort = engines.schedule(model, "list")[0]
    # Out of memory at once, it is out of memory when it is its turn again.
    with suppress(MemoryLimit):
        if engine == "frontier":
            building.go_on(effort)
    if building.answer is not None:
        yield from building.answer
        return
    shown: set[Solution] = set()

    def new(found: Iterable[Solution]) -> Iterator[Solution]:
        for solution in found:
            if solution not in shown:
                shown.add(solution)
                yield solution

    if len(model.terminals) > 1:
        # SAT may take very long to find even one solution.
        verdict = question.decide()
        yield from new(verdict.solutions)
        if verdict.status != "many":
            return
    with question.opened() as oracle:
        few, number, lost = engines.few_of(model), 0, False
        try:
            for solution in islice(oracle.solutions_within(question.patient(CONFLICT_BUDGET)), few):
                number += 1
                yield from new([solution])
            if number < few:
                return
        except ConflictLimit:
            lost = True
        rest = new(oracle.solutions_within(question.deadline))
        while True:
            until = 0 if lost else round(effort / engines.listing_one(model))
            while len(shown) < until:
                another = next(rest, None)
                if another is None:
                    return
                yield another
            try:
                # Half of what SAT has spent: no list takes much longer than by SAT alone.
                ended = building.go_on(inf if lost else max(engines.SHORT, effort) / 2)
            except MemoryLimit:
                yield from rest
                return
            if ended:
                assert building.answer is not None
                yield from (one for one in building.answer if one not in shown)
                return
            effort *= 2


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
    return _question(asked, options, progress).tally(limit, keep=keep)


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

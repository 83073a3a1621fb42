"""Functions that solve: is there a solution, which, how many, is it the only one?

Every function takes a puzzle of any kind or a `LinkModel`, and the options of `Options`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from linkoracle.board import LinkModel, Modelled, Solution, model_of
from linkoracle.core import (
    CheckFailed,
    ConflictLimit,
    Deadline,
    MemoryLimit,
    Progress,
    check_names,
    checked_int,
)
from linkoracle.engines import CONFLICT_BUDGET, ENGINES, CountResult, Engine, Query, Turns, Verdict
from linkoracle.engines import schedule as scheduling
from linkoracle.engines.lanes import FILLING_CELLS, covering, coverings, has_lanes, takes_coverings
from linkoracle.engines.works import LANES, building, cycles, plain_solutions
from linkoracle.kinds import violations

if TYPE_CHECKING:
    from linkoracle.frontier import Diagram

__all__ = [
    "ENGINES",
    "CountResult",
    "Engine",
    "Options",
    "Progress",
    "count",
    "count_result",
    "decide",
    "diagram",
    "is_unique",
    "solutions",
    "solve",
]


class Options(TypedDict, total=False):
    """How to search. An invalid value raises ``ValueError``.

    * ``engine``: ``"sat"``, ``"frontier"``, or ``"auto"``, which lets both work in turns where that
      is faster (see `linkoracle.engines.schedule`); or ``"plain"``, which is slow, explains the
      others and shares no code with them (see `linkoracle.engines.plain`). An engine that does not
      support the model raises `NotSupported`;
    * ``timeout``: seconds after which `SearchTimeout` is raised; ``None`` means no limit;
    * ``memory``: bytes that the frontier engine may use before it raises `MemoryLimit`; ``None``
      means half of the free memory. A search along lanes remembers less if it has less;
    * ``solver``: the name of a PySAT solver to use instead of the default.
    """

    engine: Engine
    timeout: float | None
    memory: int | None
    solver: str | None


def _query(
    puzzle: Modelled, options: Options, *own: str, progress: Progress | None = None
) -> Query:
    """Return the query with these options; raise ``TypeError`` for an unknown option.

    ``own`` are the names that the asked function takes besides.
    """
    check_names(options, [*Options.__annotations__, *own])
    return Query(model_of(puzzle), progress=progress, **options)


def decide(puzzle: Modelled, *, core: bool = False, **options: Unpack[Options]) -> Verdict:
    """Decide whether there is no solution, one, or more, and return up to two of them.

    With ``core``, and if faces have clues as in a Slitherlink, the verdict has a core of clues:
    see `Verdict`. Otherwise its ``core`` is ``None``. A core needs the SAT engine and about half
    as much time again; another engine raises ``ValueError``. A core of contradictory clues is
    minimal if time permits, as with `Oracle.core`.

    >>> from linkoracle import Slitherlink
    >>> decide(Slitherlink([[3, 3], [None, None]])).status
    'unique'
    >>> decide(Slitherlink([[4, None], [3, None]]), core=True).core
    {(0, 0): 4, (1, 0): 3}
    """
    query = _query(puzzle, options, "core")
    if not core:
        return query.decide()
    engine = options.get("engine", "auto")
    if engine not in ("auto", "sat"):
        raise ValueError(f"expected the engine auto or sat for a core, got {engine!r}")
    model = query.model
    exact = {face: mask for face, mask in enumerate(model.faces) if mask.bit_count() == 1}
    if not exact:
        return query.decide()
    from linkoracle.engines import find_core

    free, name = model.board.free_masks, model.board.face_name
    faces = [free[face] if face in exact else mask for face, mask in enumerate(model.faces)]
    clues = {name(face): mask.bit_length() - 1 for face, mask in exact.items()}
    with query.opened(replace(model, faces=faces)) as oracle:
        verdict = find_core(oracle.ask, oracle.contradiction, clues, timeout=query.deadline)
    return replace(verdict, core_edges=None)


def is_unique(puzzle: Modelled, **options: Unpack[Options]) -> bool:
    """Return whether there is exactly one solution.

    >>> from linkoracle import Numberlink
    >>> is_unique(Numberlink([[1, 2], [1, 2]]))
    True
    """
    found = _query(puzzle, options).count_result(1)
    return found.count == 1 and found.exact


#: The last puzzles that `confirm` has confirmed, with their solutions and models.
_confirmed: deque[tuple[Any, Solution, LinkModel]] = deque(maxlen=16)


def confirm(
    puzzle: Any,
    solution: Solution,
    *,
    model: LinkModel | None = None,
    solver: str | None = None,
    deadline: Deadline | None = None,
    afresh: bool = True,
) -> None:
    """Raise `CheckFailed` unless ``solution`` is the only solution of a puzzle.

    All that makes puzzles hands them out through this check. A fresh engine decides from the clues
    alone, and the rules of the kind check the solution without any engine. ``puzzle`` may be a
    model. ``model`` is the model to decide in place of that of the puzzle. Unless ``afresh``, the
    last puzzles that passed need no second check.

    >>> from linkoracle import Slitherlink
    >>> puzzle = Slitherlink([[3, 3], [None, None]])
    >>> solution = solve(puzzle)
    >>> confirm(puzzle, solution)
    >>> confirm(puzzle.with_clues({(0, 1): None}), solution)
    Traceback (most recent call last):
    linkoracle.core.errors.CheckFailed: not handed out: the puzzle has other solutions ...
    """
    model = model_of(puzzle) if model is None else model
    if not afresh and (puzzle, solution, model) in _confirmed:
        return
    reason = ""
    if faults := violations(puzzle, solution):
        reason = f"its solution breaks a rule: {faults[0]}"
    else:
        query = Query(model, solver=solver)
        if deadline is not None:
            query.deadline = deadline
        found = query.decide().solutions
        if not found:
            reason = "the solver finds no solution, although the rules of its kind allow one"
        elif found != (solution,):
            other = next(one for one in found if one != solution)
            reason = "the puzzle has other solutions than its own"
            if faults := violations(puzzle, other):
                reason = f"the solver allows what the rules of its kind refuse: {faults[0]}"
    if reason:
        raise CheckFailed(f"not handed out: {reason} ({puzzle!r})")
    _confirmed.append((puzzle, solution, model))


def solve(puzzle: Modelled, **options: Unpack[Options]) -> Solution | None:
    """Return a solution, or ``None`` if there is none.

    >>> from linkoracle import Slitherlink
    >>> solution = solve(Slitherlink([[4, None]]))
    >>> len(solution)
    4
    """
    return next(solutions(puzzle, **options), None)


def solutions(puzzle: Modelled, **options: Unpack[Options]) -> Iterator[Solution]:
    """Yield every solution once, lazily; `itertools.islice` limits their number.

    ``timeout`` starts when the first solution is requested.

    >>> from linkoracle import Slitherlink
    >>> sum(1 for solution in solutions(Slitherlink.blank(2, 2)))
    13
    """
    return _listed(_query(puzzle, options))


def _listed(query: Query) -> Iterator[Solution]:
    # The list may be read long after it was made, so time starts now.
    query.deadline = deadline = Deadline(query.timeout)
    if query.engine == "frontier":
        found: Iterable[Solution] = _diagram(query)
    elif query.engine == "sat":
        found = _listed_by_sat(query)
    elif query.engine == "plain":
        found = plain_solutions(query)
    elif has_lanes(query.model):
        found = _listed_by_lanes(query)
    else:
        found = _listed_in_turns(query)
    for number, solution in enumerate(found):
        deadline.found = number
        deadline.check()
        yield solution


def _listed_by_sat(query: Query) -> Iterator[Solution]:
    with query.opened() as oracle:
        yield from oracle.solutions(timeout=query.deadline)


def _listed_by_lanes(query: Query) -> Iterator[Solution]:
    """Yield the solutions of a search along lanes; if it takes very long, the rest from SAT."""
    effort, shown = scheduling.VERY_LONG, set()
    with suppress(MemoryLimit):
        for solution in coverings(query.model, query.deadline, query.memory):
            if solution is not None:
                shown.add(found := solution())
                yield found
            elif (effort := effort - LANES) < 0:
                break
        else:
            return
    yield from (one for one in _listed_by_sat(query) if one not in shown)


def _listed_in_turns(query: Query) -> Iterator[Solution]:
    """Yield the first solutions from SAT at once; then let both engines work in turns.

    Those that need no engine come before.
    """
    model = query.model
    shown: set[Solution] = set()
    for solution in cycles(query):
        shown.add(solution)
        yield solution
    if takes_coverings(model):
        first = covering(model, FILLING_CELLS, query.deadline, query.memory)
        if first is not None:
            shown.add(first)
            yield first

    def new(found: Iterable[Solution]) -> Iterator[Solution]:
        for solution in found:
            if solution not in shown:
                shown.add(solution)
                yield solution

    built = Turns(building(query))
    engine, effort = scheduling.schedule(model, "list")[0]
    # If it runs out of memory now, it does so again at its next turn.
    with suppress(MemoryLimit):
        if engine == "frontier":
            built.go_on(effort)
    if built.answer is not None:
        yield from new(built.answer)
        return

    if len(model.terminals) > 1:
        # SAT may take very long to find a single solution.
        verdict = query.decide()
        yield from new(verdict.solutions)
        if verdict.status != "many":
            return
    with query.opened() as oracle:
        few, number, lost = scheduling.few_of(model), 0, False
        try:
            for solution in islice(
                oracle.solutions(timeout=query.turn_deadline(CONFLICT_BUDGET)), few
            ):
                number += 1
                yield from new([solution])
            if number < few:
                return
        except ConflictLimit:
            lost = True
        rest = new(oracle.solutions(timeout=query.deadline))
        while True:
            until = 0 if lost else round(effort / scheduling.listing_one(model))
            while len(shown) < until:
                another = next(rest, None)
                if another is None:
                    return
                yield another
            try:
                # Half of SAT's effort, so no list takes much longer than with SAT alone.
                ended = built.go_on(inf if lost else max(scheduling.SHORT, effort) / 2)
            except MemoryLimit:
                yield from rest
                return
            if ended:
                assert built.answer is not None
                yield from (one for one in built.answer if one not in shown)
                return
            effort *= 2


def count(puzzle: Modelled, limit: int | None = None, **options: Unpack[Options]) -> int:
    """Return the number of solutions, at most ``limit``.

    >>> from linkoracle import Slitherlink
    >>> count(Slitherlink.blank(3, 3)), count(Slitherlink.blank(3, 3), limit=5)
    (213, 5)
    >>> count(Slitherlink.blank(9, 9))
    27359264067916806101
    """
    return count_result(puzzle, limit, **options).count


def count_result(
    puzzle: Modelled,
    limit: int | None = None,
    *,
    keep: bool = False,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> CountResult:
    """Count solutions up to ``limit`` (at least 1) and report whether the count is exact.

    With ``keep`` the result also has the counted solutions. ``progress`` is called repeatedly.

    >>> from linkoracle import Slitherlink
    >>> result = count_result(Slitherlink.blank(1, 2), limit=3)
    >>> result.count, result.exact
    (3, True)
    """
    if limit is not None:
        limit = checked_int(limit, "a limit", 1)
    query = _query(puzzle, options, "limit", "keep", "progress", progress=progress)
    return query.count_result(limit, keep=keep)


def diagram(
    puzzle: Modelled,
    *,
    timeout: float | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Diagram:
    """Return all solutions as a decision diagram: see `linkoracle.frontier.Diagram`.

    >>> from linkoracle import Slitherlink
    >>> loops = diagram(Slitherlink.blank(3, 3))
    >>> loops.count(), loops.by_length()[16], len(loops.sample(2, seed=1))
    (213, 6, 2)
    """
    return _diagram(Query(model_of(puzzle), "frontier", timeout, memory, progress=progress))


def _diagram(query: Query) -> Diagram:
    work = Turns(building(query))
    work.go_on(inf)
    assert work.answer is not None
    return work.answer

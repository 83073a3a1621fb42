"""What a user asks of a puzzle: is there a solution, which, how many, is it the only one?

Every function takes any puzzle and these options:

* ``engine``: ``"sat"``, ``"frontier"``, or ``"auto"``, which chooses as follows.

  - *Is it unique? Is there a solution?* SAT: a question about one or two solutions is what it is
    best at. Only where two or more pairs have to be joined (Numberlink) it may get lost, so there
    it gets `PATIENCE` conflicts, after which the frontier engine has its try. When that runs out
    of memory, SAT goes on without a limit. Under the rule ``free`` SAT knows more (see
    `linkoracle.sat.taut`), and only on boards up to `NARROW` across the frontier engine
    can be expected to know better. Under ``fill``, a board on which SAT gets lost is first
    decided as if cells could stay empty, since its solutions are among those.
  - *How many? Which?* SAT first. It settles the usual puzzle, with no or one solution, at once.
    When there are more than `FEW`, the frontier engine counts or lists them all: its time does not
    depend on how many there are. It needs memory instead, and when that is not enough, `count` says
    so with `MemoryLimit`, while `solutions`, which can be stopped at any time, goes on with SAT.

* ``timeout``: seconds after which `SearchTimeout` is raised; ``None`` is no limit;
* ``memory``: bytes that the frontier engine may use; ``None`` is half of what is free;
* ``solver``: the name of a PySAT solver in place of the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from linkoracle.errors import ConflictLimit, MemoryLimit
from linkoracle.memory import default_limit
from linkoracle.sat.oracle import Oracle, Verdict
from linkoracle.sat.search import Deadline

if TYPE_CHECKING:
    from typing import Literal

    from linkoracle.frontier import Diagram
    from linkoracle.model import Solution
    from linkoracle.puzzles import Puzzle

#: Values of ``engine``.
ENGINES = ("auto", "sat", "frontier")

#: With ``engine="auto"``, the number of solutions that SAT lists before the frontier engine takes
#: over. Listing a hundred takes tens of milliseconds; loading the other engine takes longer.
FEW = 100

#: With ``engine="auto"``, the conflicts after which SAT gives a Numberlink to the frontier engine:
#: some tenths of a second.
PATIENCE = 10_000

#: The short side up to which the frontier engine has its try at a free Numberlink. Published boards
#: of 15 x 15 take SAT some seconds, and the frontier engine up to a minute.
NARROW = 12

#: With ``engine="auto"``, the conflicts after which SAT gives up to decide a board that must be
#: filled as if cells could stay empty: some seconds.
FREED_PATIENCE = 200_000

#: The line with which `Progress` is called when the frontier engine is used for the first time.
COMPILING = "compiling the frontier engine for this machine, once"

#: Called with a line about the work, and the share of it that is done where that is known.
Progress = Callable[[str, float | None], None]


@dataclass(frozen=True)
class Tally:
    """How many solutions were counted, and whether that is all.

    ``exact`` is false when the count stopped at the limit and more solutions exist. ``engine`` is
    the one that answered. ``solutions`` holds the solutions counted, when they were asked for.
    """

    count: int
    exact: bool
    engine: str
    solutions: tuple[Solution, ...] = ()


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
    _check(engine)
    return _decide(puzzle, engine, Deadline(timeout), memory, solver)[0]


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

    >>> from linkoracle import Slitherlink
    >>> sum(1 for solution in solutions(Slitherlink.blank(2, 2)))
    13
    """
    _check(engine)
    return _listed(puzzle, engine, timeout, memory, solver)


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
    _check(engine)
    if limit is not None and limit < 1:
        raise ValueError(f"a limit must be at least 1, got {limit}")
    deadline = Deadline(timeout)
    if limit == 1 and (puzzle.model.is_free or (engine == "auto" and puzzle.model.freed)):
        verdict, by = _decide(puzzle, engine, deadline, memory, solver, progress)
        kept = verdict.solutions[:1] if keep else ()
        return Tally(min(1, len(verdict.solutions)), verdict.status != "many", by, kept)
    if engine == "frontier":
        return _tally_by_frontier(puzzle, limit, keep, deadline, memory, progress)
    few = FEW if engine == "auto" else None
    lost = False
    try:
        patient = _patient(puzzle, engine, deadline)
        known = _tally_by_sat(puzzle, limit, few, keep, patient, solver, progress)
    except ConflictLimit:
        known, lost = None, True
    if known is not None:
        return known
    try:
        if lost:
            found, by = _at_most_one(puzzle, deadline, memory, solver, progress)
            if found is not None:
                return Tally(len(found), True, by, found if keep else ())
        return _tally_by_frontier(puzzle, limit, keep, deadline, memory, progress)
    except MemoryLimit:
        if lost:
            known = _tally_by_sat(puzzle, limit, few, keep, deadline, solver, progress)
        if known is None:
            raise
        return known


def _decide(
    puzzle: Puzzle,
    engine: str,
    deadline: Deadline,
    memory: int | None,
    solver: str | None,
    progress: Progress | None = None,
) -> tuple[Verdict, str]:
    """The verdict, and which engine reached it."""
    if engine != "frontier":
        with Oracle(puzzle.model, solver=solver) as oracle:
            try:
                return oracle.ask(timeout=_patient(puzzle, engine, deadline)), "sat"
            except ConflictLimit:
                pass
        one = _as_if_free(puzzle, deadline, solver)
        if one is not None:
            return Verdict(("none", "unique")[len(one)], one, None), "sat"
    try:
        found = _up_to_two(puzzle, deadline, memory, progress)
    except MemoryLimit:
        if engine == "frontier":
            raise
        with Oracle(puzzle.model, solver=solver) as oracle:
            return oracle.ask(timeout=deadline), "sat"
    return Verdict(("none", "unique", "many")[len(found)], found, None), "frontier"


def _at_most_one(
    puzzle: Puzzle,
    deadline: Deadline,
    memory: int | None,
    solver: str | None,
    progress: Progress | None,
) -> tuple[tuple[Solution, ...] | None, str]:
    """All solutions, if that can be said and there is one at most; and the engine that says it.

    For boards on which SAT got lost. Raises `MemoryLimit`.
    """
    if not puzzle.model.is_free:
        return _as_if_free(puzzle, deadline, solver), "sat"
    found = _up_to_two(puzzle, deadline, memory, progress)
    return found if len(found) < 2 else None, "frontier"


def _as_if_free(
    puzzle: Puzzle, deadline: Deadline, solver: str | None
) -> tuple[Solution, ...] | None:
    """All solutions of a board to be filled, if it has one at most even when cells may stay empty.

    Where cells may stay empty there are more solutions, but only taut ones have to be sought.
    """
    freed = puzzle.model.freed
    if freed is None:
        return None
    with Oracle(freed, solver=solver) as oracle:
        try:
            verdict = oracle.ask(timeout=deadline.with_conflicts(FREED_PATIENCE))
        except ConflictLimit:
            return None
    if verdict.status == "many":
        return None
    # Paths have one vertex more than edges.
    filled = freed.lattice.num_vertices - len(freed.terminals)
    return tuple(solution for solution in verdict.solutions if len(solution) == filled)


def _up_to_two(
    puzzle: Puzzle, deadline: Deadline, memory: int | None, progress: Progress | None
) -> tuple[Solution, ...]:
    """Up to two solutions, by the frontier engine."""
    if not puzzle.model.is_free:
        return tuple(islice(diagram(puzzle, timeout=deadline, memory=memory), 2))
    from linkoracle import frontier

    _announce("two_solutions", progress)
    step = _stepping(deadline, progress)
    return frontier.two_solutions(puzzle.model, memory=memory or default_limit(), progress=step)


def _tally_by_frontier(
    puzzle: Puzzle,
    limit: int | None,
    keep: bool,
    deadline: Deadline,
    memory: int | None,
    progress: Progress | None,
) -> Tally:
    kept: tuple[Solution, ...] = ()
    if keep:
        everything = diagram(puzzle, timeout=deadline, memory=memory, progress=progress)
        number = everything.count()
        kept = tuple(islice(everything, limit))
    else:
        from linkoracle import frontier

        _announce("count", progress)
        step = _stepping(deadline, progress)
        number = frontier.count(puzzle.model, memory=memory or default_limit(), progress=step)
    if limit is not None and number > limit:
        return Tally(limit, False, "frontier", kept)
    return Tally(number, True, "frontier", kept)


def _tally_by_sat(
    puzzle: Puzzle,
    limit: int | None,
    few: int | None,
    keep: bool,
    deadline: Deadline,
    solver: str | None,
    progress: Progress | None,
) -> Tally | None:
    """Count by listing; ``None`` when more than ``few`` exist and the limit is no lower."""
    with Oracle(puzzle.model, solver=solver) as oracle:
        # The two-solution question first: for Numberlink it is far cheaper than a list.
        verdict = oracle.ask(timeout=deadline)
        if verdict.status != "many":
            found = verdict.solutions
            return Tally(len(found), True, "sat", found if keep else ())
        if limit == 1:
            return Tally(1, False, "sat", verdict.solutions[:1] if keep else ())
        stop = min((bound for bound in (limit, few) if bound is not None), default=None)
        number = 0
        kept: list[Solution] = []
        for solution in oracle.solutions(timeout=deadline):
            number += 1
            if progress is not None:
                progress(f"{number} solutions so far", None)
            if stop is not None and number > stop:
                # One more than wanted exists, which is all that has to be known of it.
                return Tally(stop, False, "sat", tuple(kept)) if stop == limit else None
            if keep:
                kept.append(solution)
        return Tally(number, True, "sat", tuple(kept))


def _listed(
    puzzle: Puzzle, engine: str, timeout: float | None, memory: int | None, solver: str | None
) -> Iterator[Solution]:
    deadline = Deadline(timeout)
    first: set[Solution] = set()
    with Oracle(puzzle.model, solver=solver) as oracle:
        if engine == "sat":
            yield from oracle.solutions(timeout=deadline)
            return
        lost = False
        if engine == "auto":
            try:
                for solution in _first(puzzle, oracle, deadline):
                    first.add(solution)
                    yield solution
                if len(first) < FEW:
                    return
            except ConflictLimit:
                lost = True
        try:
            if lost and len(first) < 2:
                found, _ = _at_most_one(puzzle, deadline, memory, solver, None)
                if found is not None:
                    yield from (solution for solution in found if solution not in first)
                    return
            everything = diagram(puzzle, timeout=deadline, memory=memory)
        except MemoryLimit:
            if engine == "frontier":
                raise
            rest = oracle.solutions(timeout=deadline)
        else:
            rest = iter(everything)
        yield from (solution for solution in rest if solution not in first)


def _first(puzzle: Puzzle, oracle: Oracle, deadline: Deadline) -> Iterator[Solution]:
    """Up to `FEW` solutions by SAT; `ConflictLimit` where it gets lost in a Numberlink."""
    patient = _patient(puzzle, "auto", deadline)
    shown: tuple[Solution, ...] = ()
    if _may_get_lost(puzzle):
        # The two-solution question is far cheaper than a list, and often there is no more to list.
        verdict = oracle.ask(timeout=patient)
        shown = verdict.solutions
        yield from shown
        if verdict.status != "many":
            return
    others = (one for one in oracle.solutions(timeout=patient) if one not in shown)
    yield from islice(others, FEW - len(shown))


def _may_get_lost(puzzle: Puzzle) -> bool:
    return len(puzzle.model.terminals) > 1


def _patient(puzzle: Puzzle, engine: str, deadline: Deadline) -> Deadline:
    """The deadline for SAT's first try."""
    if engine != "auto" or not _may_get_lost(puzzle):
        return deadline
    lattice = puzzle.model.lattice
    if puzzle.model.is_free and min(lattice.rows, lattice.cols) > NARROW:
        return deadline
    return deadline.with_conflicts(PATIENCE)


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
    from linkoracle.frontier import Diagram

    _announce("diagram", progress)
    step = _stepping(Deadline.of(timeout), progress)
    return Diagram.build(puzzle.model, memory=memory or default_limit(), progress=step)


def _announce(
    work: Literal["count", "diagram", "two_solutions"], progress: Progress | None
) -> None:
    """Say that the frontier engine has to be compiled first, if it has."""
    from linkoracle.frontier import compiled

    if progress is not None and not compiled(work):
        progress(COMPILING, None)


def _stepping(
    deadline: Deadline, progress: Progress | None
) -> Callable[[int, int, int], None] | None:
    """What the frontier engine calls between its steps, if anything has to be done there."""
    if deadline.never and progress is None:
        return None

    def step(done: int, steps: int, states: int) -> None:
        deadline.check()
        if progress is not None:
            progress(f"step {done} of {steps}, {states} states", done / steps)

    return step


def _check(engine: str) -> None:
    if engine not in ENGINES:
        raise ValueError(f"expected one of the engines {', '.join(ENGINES)}, got {engine!r}")

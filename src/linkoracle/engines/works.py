"""The work of the other engines on a `Query`: passes, lanes, the relaxation, the plain engine.

Each yields the effort spent since it yielded last, and returns the answer. A `Query` loads this
module when an engine other than SAT has its turn.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import islice
from math import inf
from sys import maxsize
from typing import TYPE_CHECKING

from linkoracle.board import Solution
from linkoracle.core import default_limit
from linkoracle.engines.answers import DEFAULT_SOLVER, CountResult
from linkoracle.engines.lanes import CELL, CELLS, coverings
from linkoracle.engines.schedule import (
    CONFLICT,
    NARROW,
    STATE,
    VERTEX,
    VERY_LONG,
    Query,
    Result,
    Work,
    across,
    first_budget,
)

if TYPE_CHECKING:
    from linkoracle.frontier import Diagram, Step

#: The effort of a state and a vertex of a blank board, counted with ranks: compare `STATE`.
WORD = 1.5e-9


def cycles(query: Query) -> Iterator[Solution]:
    """Yield some solutions of a large board where any cycle is one; none for other models.

    O(1) for each on a board of small faces, whatever its size.
    """
    from linkoracle.board.topology import fundamental_cycles

    model = query.model
    if query.any_cycle:
        holes, forbidden = set(model.holes), set(model.forbidden)
        for edges in fundamental_cycles(model.board, holes, forbidden):
            yield Solution(model.board, edges)


def direct(query: Query, limit: int, keep: bool) -> CountResult | None:
    """Return the result if `cycles` are more than the limit; with ``keep``, it has them all."""
    kept: list[Solution] = []
    # No board has as many cycles that need no engine.
    if limit >= query.model.board.num_edges:
        return None
    for number, cycle in enumerate(cycles(query)):
        query.deadline.check()
        if keep:
            kept.append(cycle)
        if number == limit:
            return CountResult(limit, False, "direct", tuple(kept))
    return None


def by_frontier(query: Query, limit: int | None, keep: bool) -> Work[CountResult]:
    """Count by a pass over the board."""
    if keep:
        everything = yield from building(query)
        number = everything.count()
        most = maxsize if limit is None else min(max(limit, 2), maxsize)
        kept = tuple(islice(everything, most))
    else:
        from linkoracle.frontier import counting, ranked_board

        # Only turns, time limits and progress need the pass to return between its steps.
        watched = query.engine == "auto" or query.timeout is not None or query.progress is not None
        board, kept = ranked_board(query.model), ()
        room = query.memory or default_limit()
        steps = counting(query.model, board, room, query.deadline, by_step=watched)
        number = yield from _timed(query, steps, STATE if board is None else WORD * board.width)
    if limit is not None and number > limit:
        return CountResult(limit, False, "frontier", kept)
    return CountResult(number, True, "frontier", kept)


def building(query: Query) -> Work[Diagram]:
    """Return all solutions as a decision diagram, as work that can be interrupted and continued."""
    from linkoracle.frontier import building

    room = query.memory or default_limit()
    return (yield from _timed(query, building(query.model, room, query.deadline), STATE))


def _timed(query: Query, steps: Generator[Step, None, Result], state: float) -> Work[Result]:
    """Run a pass within the deadline; yield the effort of its steps, ``state`` for each state."""
    try:
        while True:
            done, total, states = next(steps)
            query.deadline.check()
            if query.progress is not None:
                query.progress(f"step {done} of {total}, {states} states", done / total)
            # A pass that is more than half done is worth finishing, so its steps count half.
            yield (VERTEX + state * states) / (1 if 2 * done < total else 2)
    except StopIteration as end:
        result: Result = end.value
        return result


def by_lanes(query: Query, limit: int | None, keep: bool) -> Work[CountResult]:
    """Count by a search along lanes."""
    number = 0
    kept: list[Solution] = []
    for solution in coverings(query.model, query.deadline):
        if solution is None:
            yield CELLS * CELL
            continue
        number += 1
        if keep:
            kept.append(solution())
        if limit is not None and number > limit:
            return CountResult(limit, False, "lanes", tuple(kept))
    return CountResult(number, True, "lanes", tuple(kept))


def by_plain(query: Query, limit: int | None, keep: bool) -> Work[CountResult]:
    """Count, and list, all solutions with a diagram; up to a limit by the solver."""
    yield 0
    if limit is not None:
        found = tuple(islice(plain_solutions(query), limit + 1))
        return CountResult.up_to(limit, found, "plain")
    from linkoracle.engines import plain_diagram

    model = query.model
    if not keep:
        return CountResult(plain_diagram.count(model, query.deadline), True, "plain")
    every = plain_diagram.solutions(model, query.deadline)
    kept = tuple(Solution(model.board, edges) for edges in every)
    return CountResult(len(kept), True, "plain", kept)


def plain_solutions(query: Query) -> Iterator[Solution]:
    """Yield all solutions, as the plain engine lists them."""
    from linkoracle.engines.plain import solutions

    for edges in solutions(query.model, query.deadline, solver=query.solver or DEFAULT_SOLVER):
        yield Solution(query.model.board, edges)


def by_relaxation(query: Query, limit: int | None, _keep: bool) -> Work[CountResult | None]:
    """Decide a board whose cells must all be used by the solutions of its relaxation."""
    model, relaxed = query.model, query.model.relaxed
    if relaxed is None:
        return None
    # Where its turn is very long, it has as much effort as four turns on the board itself.
    wide = across(model) > NARROW
    conflict_cost = VERY_LONG / first_budget(model) / 4 if wide else CONFLICT
    enough = inf if limit is None else limit + 1
    with query.opened(relaxed) as oracle:
        taut = yield from query.asking(oracle)
        # Most boards are decided without this module.
        from linkoracle.engines.relaxation import filling_solutions

        found = yield from filling_solutions(
            model, query.solver, oracle, taut, query.deadline, conflict_cost, enough
        )
    return None if found is None else CountResult.up_to(limit, found, "sat")


#: The work of each engine to count up to a limit: with ``keep``, the result has the solutions.
WORKS: dict[str, Callable[[Query, int | None, bool], Work[CountResult | None]]] = {
    "frontier": by_frontier,
    "lanes": by_lanes,
    "plain": by_plain,
    "relaxed": by_relaxation,
}

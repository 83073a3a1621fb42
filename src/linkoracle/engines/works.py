"""The work of the engines besides SAT on a query: passes of the frontier engine, lanes, plain.

Each yields the effort spent since it yielded last, and returns the answer. Engines are loaded when
their work begins.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import islice
from sys import maxsize
from typing import TYPE_CHECKING, Protocol, TypeVar

from linkoracle import frontier
from linkoracle.board import LinkModel, Solution
from linkoracle.core import Deadline, Progress, default_limit
from linkoracle.engines.answers import DEFAULT_SOLVER, CountResult, Engine
from linkoracle.engines.lanes import CELL, CELLS, coverings

if TYPE_CHECKING:
    from linkoracle.engines.oracle import Oracle
    from linkoracle.frontier import Diagram, Step

Result = TypeVar("Result")

#: Work that yields the effort spent since it yielded last. The result `None` means "no answer".
Work = Generator[float, None, Result]

#: Estimated costs in seconds of one processor. With estimates instead of the clock, the same query
#: is answered by the same engine on any machine.
CONFLICT, VERTEX, STATE = 40e-6, 8e-6, 0.2e-6
#: The same for one go of a search along lanes.
LANES = CELLS * CELL
#: The same for a state and a vertex of a blank board, counted with ranks.
WORD = 1.5e-9


class Asked(Protocol):
    """A query, as engines see it: a `linkoracle.engines.schedule.Query`."""

    model: LinkModel
    engine: Engine
    timeout: float | None
    memory: int | None
    solver: str | None
    progress: Progress | None
    deadline: Deadline

    @property
    def any_cycle(self) -> bool: ...
    def opened(self, model: LinkModel | None = None) -> Oracle: ...
    def asking(self, oracle: Oracle) -> Work[tuple[Solution, ...]]: ...
    def turn_deadline(self, conflicts: int, answered: Callable[[], bool] | None) -> Deadline: ...


def cycles(query: Asked) -> Iterator[Solution]:
    """Yield some solutions of a large board where any cycle is one; none for other models.

    O(1) for each on a board of small faces, whatever its size.
    """
    from linkoracle.board.topology import fundamental_cycles

    model = query.model
    if query.any_cycle:
        holes, forbidden = set(model.holes), set(model.forbidden)
        for edges in fundamental_cycles(model.board, holes, forbidden):
            yield Solution(model.board, edges)


def direct(query: Asked, limit: int, keep: bool) -> CountResult | None:
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


def by_frontier(query: Asked, limit: int | None, keep: bool) -> Work[CountResult]:
    """Count by a pass over the board."""
    if keep:
        everything = yield from building(query)
        number = everything.count()
        most = maxsize if limit is None else min(max(limit, 2), maxsize)
        kept = tuple(islice(everything, most))
    else:
        # Only turns, time limits and progress need the pass to return between its steps.
        watched = query.engine == "auto" or query.timeout is not None or query.progress is not None
        board, kept = frontier.ranked_board(query.model), ()
        room = query.memory or default_limit()
        steps = frontier.counting(query.model, board, room, query.deadline, by_step=watched)
        number = yield from _timed(query, steps, STATE if board is None else WORD * board.width)
    if limit is not None and number > limit:
        return CountResult(limit, False, "frontier", kept)
    return CountResult(number, True, "frontier", kept)


def building(query: Asked) -> Work[Diagram]:
    """Return all solutions as a decision diagram, as work that can be interrupted and continued."""
    room = query.memory or default_limit()
    return (yield from _timed(query, frontier.building(query.model, room, query.deadline), STATE))


def _timed(query: Asked, steps: Generator[Step, None, Result], state: float) -> Work[Result]:
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


def by_lanes(query: Asked, limit: int | None, keep: bool) -> Work[CountResult]:
    """Count by a search along lanes."""
    number = 0
    kept: list[Solution] = []
    for solution in coverings(query.model, query.deadline, query.memory):
        if solution is None:
            yield LANES
            continue
        number += 1
        if keep:
            kept.append(solution())
        if limit is not None and number > limit:
            return CountResult(limit, False, "lanes", tuple(kept))
    return CountResult(number, True, "lanes", tuple(kept))


def by_plain(query: Asked, limit: int | None, keep: bool) -> Work[CountResult]:
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


def plain_solutions(query: Asked) -> Iterator[Solution]:
    """Yield all solutions, as the plain engine lists them."""
    from linkoracle.engines.plain import solutions

    for edges in solutions(query.model, query.deadline, solver=query.solver or DEFAULT_SOLVER):
        yield Solution(query.model.board, edges)


#: The work of each engine to count up to a limit: with ``keep``, the result has the solutions.
WORKS: dict[str, Callable[[Asked, int | None, bool], Work[CountResult | None]]] = {
    "frontier": by_frontier,
    "lanes": by_lanes,
    "plain": by_plain,
}

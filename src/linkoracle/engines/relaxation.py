"""Solve a board to be filled by way of its relaxation, the board whose cells may stay empty.

The relaxation has more solutions, but only taut ones matter; solutions that use all cells are
often near them (`docs/explanation/taut.md`). `linkoracle.engines.schedule` loads this module when
it first needs it: most boards are decided without.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from linkoracle.board import LinkModel, Solution
from linkoracle.core import Closing, ConflictLimit, Deadline, source
from linkoracle.engines.answers import CountResult
from linkoracle.engines.clauses import on_path, other_than
from linkoracle.engines.search import LazySearch

if TYPE_CHECKING:
    from collections.abc import Generator
    from random import Random

    from linkoracle.engines.oracle import Oracle
    from linkoracle.engines.works import Asked, Work

#: Fractions of the vertices that are assumed to belong to the paths of a taut solution, one after
#: the other, and the conflict budget for each.
_FRACTIONS, _NEAR_CONFLICTS = (0.5, 0.3, 0.2, 0.15, 0.1), 2_000

#: First conflict budget for another taut solution, and the cost in conflicts of one found.
_FIRST_CONFLICTS, _FOUND_CONFLICTS = 10_000, 1_000


def by_relaxation(
    query: Asked, limit: int | None, conflict_cost: float
) -> Work[CountResult | None]:
    """Decide a board whose cells must all be used by the solutions of its relaxation."""
    relaxed = query.model.relaxed
    if relaxed is None:
        return None
    if not query.model.is_balanced:
        # Which is seen sooner than that the relaxation has solutions.
        return CountResult.up_to(limit, (), "sat")
    enough = inf if limit is None else limit + 1
    with query.opened(relaxed) as oracle:
        taut = yield from query.asking(oracle)
        found = yield from filling_solutions(
            query.model, query.solver, oracle, taut, query.deadline, conflict_cost, enough
        )
    return None if found is None else CountResult.up_to(limit, found, "sat")


def filling_solutions(
    model: LinkModel,
    solver: str | None,
    oracle: Oracle,
    taut: tuple[Solution, ...],
    deadline: Deadline,
    conflict_cost: float,
    enough: float,
) -> Generator[float, None, tuple[Solution, ...] | None]:
    """Return all solutions if there is at most one, or ``enough``; ``None`` if undecided.

    ``oracle`` is the oracle of the relaxation of ``model``, and ``taut`` are up to two solutions of
    that; fewer than two are all, and the answer is known. Otherwise it looks for solutions near
    those of the relaxation. It is unknown whether any exist, so each conflict then costs
    ``conflict_cost``, which gives the other engines their turns.
    """
    if len(taut) < 2:
        return tuple(one for one in taut if fills(model, one))
    if enough == inf:
        return None
    rng, budget = source(0, 0), _FIRST_CONFLICTS
    known, waiting = list(taut), list(taut)
    with Filling(model, solver, deadline) as filling:
        while len(filling.solutions) < enough:
            if not waiting:
                try:
                    another = oracle.another_taut(known, deadline.with_conflicts(budget))
                except ConflictLimit:
                    yield budget * conflict_cost
                    budget *= 2
                    continue
                yield _FOUND_CONFLICTS * conflict_cost
                if another is None:
                    return None
                known.append(another)
                waiting.append(another)
            one = waiting.pop(0)
            if fills(model, one):
                filling.add(one)
                continue
            for share in _FRACTIONS:
                try:
                    # Until solutions near this one become rare.
                    while len(filling.solutions) < enough and filling.near(
                        one, share, rng, deadline.with_conflicts(_NEAR_CONFLICTS)
                    ):
                        pass
                except ConflictLimit:
                    yield _NEAR_CONFLICTS * conflict_cost
    return tuple(filling.solutions)


def fills(model: LinkModel, solution: Solution) -> bool:
    """Return whether a solution of the relaxation uses all vertices."""
    return len(solution) == model.lattice.num_vertices - len(model.terminals)


class Filling(Closing):
    """Solutions of a ``model`` of paths between pairs that must use all vertices.

    Use as a context manager. Encoding a huge board may raise `SearchTimeout`.

    >>> from linkoracle.board import Lattice
    >>> from linkoracle.board import LinkModel
    >>> from linkoracle.core import Deadline
    >>> from linkoracle.core import source
    >>> model = LinkModel.blank_paths(Lattice(4, 4), [(0, 3), (12, 15)], cover=True)
    >>> straight = Solution(model.lattice, (0, 2, 4, 21, 22, 23))
    >>> with Filling(model, None, Deadline(None)) as filling:
    ...     fills(model, straight), filling.near(straight, 0.5, source(1, 0), Deadline(None))
    ...     [len(solution) for solution in filling.solutions]
    (False, True)
    [14]
    """

    def __init__(self, model: LinkModel, solver: str | None, deadline: Deadline) -> None:
        self.model = model
        self._search = LazySearch(model, solver, deadline=deadline)
        self._colours = self._search.colour(deadline)
        #: The number of the path that ends at a vertex.
        self._number = {end: path for path, pair in enumerate(model.terminals) for end in pair}
        #: The solutions found or given, each once.
        self.solutions: list[Solution] = []

    def close(self) -> None:
        """Free the solver."""
        self._search.close()

    def add(self, solution: Solution) -> None:
        """Add a solution unless it is known, and exclude it from the search."""
        if solution not in self.solutions:
            self._search.add([other_than(solution.edges)])
            self.solutions.append(solution)

    def near(self, other: Solution, share: float, rng: Random, deadline: Deadline) -> bool:
        """Add a solution similar to ``other``; return whether one was found.

        Each vertex that ``other`` uses is assumed to be on the same path, with probability
        ``share``. Raises `SearchTimeout` and `ConflictLimit`.
        """
        lattice = self.model.lattice
        assumed = []
        for path in other.paths():
            vertices = [lattice.vertex(*place) for place in path]
            number = self._number[vertices[0]]
            for vertex in vertices:
                if rng.random() < share:
                    assumed += on_path(self._colours.of(vertex), number)
        edges = self._search.next_solution(assumed, deadline)
        if edges is not None:
            self.add(Solution(lattice, edges))
        return edges is not None

"""`HomotopySearch`: decide a free Numberlink by the homotopy classes of its paths.

`linkoracle.engines.homotopy_clauses` describe the possible homotopy classes. There are few of them,
and a solver that knows nothing of cells refutes most. The search on cells tests each of the others,
under conditions that the class implies. If the conditions are satisfiable, there is a solution. The
refuted conditions, usually a handful, exclude this class and many others. See
`docs/explanation/homotopy.md`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linkoracle.core.errors import ConflictLimit
from linkoracle.core.limits import Deadline
from linkoracle.engines.answers import PIECE
from linkoracle.engines.clauses import PieceSolver, on_path
from linkoracle.engines.homotopy_clauses import Crossing, HomotopyClauses
from linkoracle.engines.search import LazySearch

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.engines.clauses import Colours

#: Options of CaDiCaL with which it takes a fifth less time for these clauses.
_OPTIONS = {"chrono": 0, "bumpreasondepth": 3, "shrink": 0}

#: Conflict budget to refute fewer conditions.
_LESS_CONFLICTS = 1_000


class HomotopySearch:
    """Solutions of the model of ``search``, found by ``find`` under assumptions.

    ``colours`` and ``used`` are the variables for the path of each vertex and for whether it has
    one, from the clauses of taut solutions. Raises `SearchTimeout` if the clauses are not complete
    at the deadline. `close` frees the solver.
    """

    def __init__(
        self,
        search: LazySearch,
        colours: Colours,
        used: range,
        find: Callable[[list[int], Deadline], Solution | None],
        deadline: Deadline,
    ) -> None:
        self._search, self._colours, self._used, self._find = search, colours, used, find
        self._clauses = HomotopyClauses(search.model, deadline)
        self._next = self._clauses.num_variables + 1
        self._solver = PieceSolver(search.solver_name, PIECE, _OPTIONS)
        self._clauses.state(self._solver.add, deadline)
        #: The literal of this solver for an assumption of the search on cells.
        self._guards: dict[int, int] = {}
        #: The literals of the search on cells for crossings, and for vertices on paths.
        self._conditions: dict[Crossing, int] = {}
        self._on_path: dict[tuple[int, int], int] = {}

    def cube(self, number: int, bits: int) -> list[int] | None:
        """Return the literals of one of ``2**bits`` cubes; ``None`` if there are fewer cubes."""
        splitting = self._clauses.splitting(bits)
        if number >> len(splitting):
            return None
        return [
            literal if number >> place & 1 else -literal for place, literal in enumerate(splitting)
        ]

    def close(self) -> None:
        """Free the solver; it cannot be used afterwards."""
        self._solver.close()

    def find(
        self, assumed: list[int], deadline: Deadline, cube: list[int] | None = None
    ) -> Solution | None:
        """Return a taut solution under assumptions, or ``None``.

        With a ``cube``, ``None`` means that there is none in the cube; a solution may be in
        another one. Raises `SearchTimeout` and `ConflictLimit`; the next query uses everything
        learned so far.
        """
        for literal in assumed:
            if literal not in self._guards:
                self._guards[literal] = self._next
                self._next += 1
        guards = [self._guards[literal] for literal in assumed]
        while self._solver.solve([*guards, *(cube or ())], deadline):
            crossings = {
                self._condition(crossing): crossing
                for crossing in self._clauses.crossings(self._solver.model())
            }
            found = self._find([*assumed, *crossings], deadline)
            if found is None:
                core, found = self._less(assumed, crossings, deadline)
            if found is not None:
                return found
            refuted = [-self._guards[literal] for literal in assumed if literal in core]
            for literal in core & crossings.keys():
                refuted += self._clauses.excluding(crossings[literal])
            if not refuted:
                return None
            self._solver.add(refuted)
        return None

    def _less(
        self, assumed: list[int], crossings: dict[int, Crossing], deadline: Deadline
    ) -> tuple[set[int], Solution | None]:
        """Return a smaller set of refuted assumptions; or a solution, if one is found.

        Fewer conditions exclude more classes. The literals ``assumed`` always hold: without them, a
        solution would not answer the query.
        """
        core = self._search.core
        for literal in sorted(core & crossings.keys()):
            if literal not in core:
                continue
            fewer = sorted(core & crossings.keys() - {literal})
            try:
                found = self._find([*assumed, *fewer], deadline.with_conflicts(_LESS_CONFLICTS))
            except ConflictLimit:
                continue
            if found is not None:
                return core, found
            core = self._search.core
        return core, None

    def _condition(self, crossing: Crossing) -> int:
        """Return the literal for "this path uses a cell where it can cross the edge"."""
        literal = self._conditions.get(crossing)
        if literal is None:
            literal = self._conditions[crossing] = self._search.new_variables(1)
            cells = self._clauses.board.cells[crossing.edge]
            there = cells[crossing.before : len(cells) - crossing.after]
            on_path = [self._vertex_on(vertex, crossing.number) for vertex in there]
            self._search.add([[-literal, *on_path]])
        return literal

    def _vertex_on(self, vertex: int, number: int) -> int:
        """Return the literal for "this path uses the vertex"."""
        literal = self._on_path.get((vertex, number))
        if literal is None:
            literal = self._on_path[vertex, number] = self._search.new_variables(1)
            own = [self._used[vertex], *on_path(self._colours.of(vertex), number)]
            self._search.add([[-literal, other] for other in own])
        return literal

"""Cycles or paths of a board one after the other, without a decision diagram.

`Backtracking` decides the edges in the order of a diagram, each first as unused, and goes on only
where a solution with these decisions exists: a *witness*. So it meets no dead end, and solutions
come in the order of `linkoracle.frontier.Diagram`.

The used edges are *fragments* of the solution. If one pair of their ends is left to join, a witness
is a shortest path; if two, two disjoint paths, for any two such paths will do
(`linkoracle.graphs.disjoint_paths`). With more pairs, or if the solution has all vertices, the SAT
engine finds the witness.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from linkoracle.board import END, HOLE, Count, LinkModel, Solution
from linkoracle.core import Deadline, Timeout
from linkoracle.engines import Oracle
from linkoracle.frontier import Steps
from linkoracle.graphs.disjoint_paths import OFF, ON, OPEN, Joining, Undecided

#: The effort of a query of the SAT engine, in visited vertices.
_SAT_EFFORT = 1_000
#: Visited vertices after which a search through more than two pairs is given up.
_MOST_EFFORT = 1_000_000


class Backtracking(Joining):
    """The solutions of a model with one loop, or one path, whose only rules are fixed edges.

    All vertices but holes must be visited, or none need be: see `takes`. ``length`` is the largest
    number of edges, and ``timeout`` the seconds from now on. ``visited`` counts the visited
    vertices, and `_SAT_EFFORT` for each query of the SAT engine.

    >>> from linkoracle.board import Lattice
    >>> search = Backtracking(LinkModel.blank_loop(Lattice(2, 3)))
    >>> search.shortest(), list(search.solutions([0, 1, 2, 3, 4, 5, 6]))
    (4, [[2, 3, 4, 6], [0, 1, 3, 5], [0, 1, 2, 4, 5, 6]])
    """

    def __init__(
        self, model: LinkModel, *, length: int | None = None, timeout: Timeout = None
    ) -> None:
        super().__init__(model)
        board, terminals = model.board, model.terminals
        self._model = model
        self._length = board.num_edges if length is None else length
        self._deadline = Deadline.of(timeout)
        self._source: int | None = None
        self._target: int | None = None
        if terminals:
            self._source, self._target = terminals[0]
        #: The edges of a solution through all vertices, if it must be one.
        self._needed = edges_needed(model)
        self._oracle: Oracle | None = None
        self._order: Sequence[int] = range(board.num_edges)
        #: The other end of the fragment of each end; a vertex without used edges is its own.
        self._mate = list(range(board.num_vertices))
        #: Ends of fragments, without the source and the target.
        self._tips: set[int] = set()
        self._fragments = self._used = 0
        self._closed = False
        self._trail: list[tuple[int, int, int, int, bool]] = []
        self._possible = all(map(self._use, model.given))

    # ---- decisions -------------------------------------------------------------------------------

    def _use(self, edge: int) -> bool:
        """Use an edge; return false if no solution has it with those used before."""
        one, other = self._ends(edge)
        degree, most = self._degree, self._most
        if self._closed or degree[one] == most[one] or degree[other] == most[other]:
            return False
        far, away = self._mate[one], self._mate[other]
        rest = self._fragments - (degree[one] > 0) - (degree[other] > 0)
        if far == other:
            closing, rest = True, rest + 1
            if self._source is not None:
                return False
        else:
            closing = self._source is not None and {far, away} == {self._source, self._target}
        if self._used >= self._length or (closing and (rest or self._used + 1 < self._needed)):
            return False
        self._trail.append((edge, far, away, self._fragments, closing))
        self._value[edge] = ON
        self._mate[far], self._mate[away] = away, far
        self._fragments, self._closed = rest + 1, closing
        self._used += 1
        for vertex in (one, other):
            degree[vertex] += 1
            self._mark(vertex)
        return True

    def _mark(self, vertex: int) -> None:
        if self._degree[vertex] == 1 and self._most[vertex] == 2:
            self._tips.add(vertex)
        else:
            self._tips.discard(vertex)

    def _omit(self, edge: int) -> None:
        self._trail.append((edge, -1, -1, 0, False))
        self._value[edge] = OFF

    def _undo(self, size: int) -> None:
        """Undo the decisions after the first ``size``."""
        while len(self._trail) > size:
            edge, far, away, fragments, _ = self._trail.pop()
            if self._value[edge] == ON:
                one, other = self._ends(edge)
                self._fragments, self._closed = fragments, False
                self._used -= 1
                self._mate[far], self._mate[away] = one, other
                self._mate[one], self._mate[other] = far, away
                for vertex in (one, other):
                    self._degree[vertex] -= 1
                    self._mark(vertex)
            self._value[edge] = OPEN

    def solutions(self, order: Sequence[int]) -> Iterator[list[int]]:
        """Yield the edges of each solution, in increasing order.

        Two solutions are compared at the first edge, in this order of all edges, on which they
        differ; the one without that edge comes first. Call it once.
        """
        self._order = order
        witness = self._witness() if self._possible else None
        # Of each edge that is not used and may be: its place, and the decisions before it.
        pending: list[tuple[int, int]] = []
        place = 0
        while witness is not None:
            while not self._closed:
                edge, size = order[place], len(self._trail)
                if self._value[edge] == OPEN:
                    self._omit(edge)
                    without = self._witness() if edge in witness else witness
                    if without is None:
                        self._undo(size)
                        self._use(edge)
                        witness = witness - {edge}
                    else:
                        witness = without
                        pending.append((place, size))
                place += 1
            yield [edge for edge, value in enumerate(self._value) if value == ON]
            self._deadline.check()
            witness = None
            while witness is None and pending:
                place, size = pending.pop()
                self._undo(size)
                self._visit(1)
                if self._use(order[place]):
                    witness = self._witness()
                    place += 1

    def exists(self) -> bool:
        """Return whether there is a solution."""
        return self._possible and self._witness() is not None

    def shortest(self) -> int | None:
        """Return the number of edges of a shortest solution; ``None`` if there is none.

        Raises `Undecided` if fixed edges make the search long.
        """
        if not self._possible:
            return None
        if self._needed or self._closed or len(pairs := self._pairs()) < 3:
            witness = self._witness(least=True)
            return None if witness is None else self._used + len(witness)
        most: float = 0
        until = self.visited + _MOST_EFFORT
        while self._used + most <= self._length:
            found, more = self._through(pairs, most, until)
            if found is not None:
                return self._used + len(found)
            most = more
        return None

    # ---- witnesses -------------------------------------------------------------------------------

    def _pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of ends of what is to be joined, as they lie on the used edges.

        Of a path, the first pair is where the parts of the source and of the target end.
        """
        pairs = []
        if self._source is not None and self._target is not None:
            pairs.append((self._mate[self._source], self._mate[self._target]))
        left = self._tips.difference(*pairs)
        while left:
            tip = min(left)
            pairs.append((tip, self._mate[tip]))
            left.difference_update(pairs[-1])
        return pairs

    def _witness(self, *, least: bool = False) -> set[int] | None:
        """Return open edges that complete the used ones to a solution; ``None`` if none do.

        They are as few as possible with one or two pairs, and for a cycle with ``least``.
        """
        if self._closed:
            return set()
        if self._needed or len(pairs := self._pairs()) > 2:
            return self._ask()
        found: Collection[int] | None
        if len(pairs) == 2:
            found = self._two_paths(*pairs)
        elif pairs:
            found = self._path(*pairs[0])
        else:
            longest = min(self._length, len(self._near))
            if least:
                found = self._shortest_cycle(longest)
            else:
                found = self._last_cycle(self._order, longest)
        if found is None or self._used + len(found) > self._length:
            return None
        return set(found)

    def _ask(self) -> set[int] | None:
        """Return a witness where there may be none although all pairs can be joined."""
        if any(all(self._value[edge] != OPEN for _, edge in self._near[tip]) for tip in self._tips):
            return None
        model, number = self._model, len(self._value)
        if not self._needed and self._length < min(number, len(self._near)):
            # Hard for a SAT solver if the bound is tight, and easy for a search.
            with suppress(Undecided):
                until = self.visited + _MOST_EFFORT // 100
                joined = self._through(self._pairs(), self._length - self._used, until)[0]
                return None if joined is None else set(joined)
        self._visit(_SAT_EFFORT)
        if self._oracle is None:
            if self._length < number:
                literals = tuple(range(1, number + 1))
                model = model.with_constraints(counts=[Count(literals, (2 << self._length) - 1)])
            self._oracle = Oracle(model, timeout=self._deadline)
        decided = {edge: bool(on) for edge, on in enumerate(self._value) if on != OPEN}
        found = next(self._oracle.solutions(edges=decided, timeout=self._deadline), None)
        return None if found is None else {e for e in found.edges if self._value[e] == OPEN}


def shortest_solution(model: LinkModel, timeout: float | None = None) -> Solution | None:
    """Return the first solution with the fewest edges, in the order of a `Diagram`.

    ``None`` if there is none. Raises `Undecided` as `Backtracking.shortest`.

    >>> from linkoracle.board import Lattice
    >>> len(shortest_solution(LinkModel.blank_loop(Lattice(31, 31))))
    4
    """
    deadline = Deadline(timeout)
    length = Backtracking(model, timeout=deadline).shortest()
    if length is None:
        return None
    search = Backtracking(model, length=length, timeout=deadline)
    edges = next(search.solutions(Steps(model).edge_order))
    return Solution(model.board, tuple(edges))


def takes(model: LinkModel) -> bool:
    """Return whether `Backtracking` takes a model."""
    only_degrees = model.only_masks and not model.has_face_rules
    one_line = model.loop or len(model.terminals) == 1
    return one_line and only_degrees and len({*model.degrees} - {END, HOLE}) < 2


def edges_needed(model: LinkModel) -> int:
    """Return the number of edges of each solution if all vertices must be visited, else 0."""
    if any(mask & HOLE and mask != HOLE for mask in model.degrees):
        return 0
    return len(model.degrees) - model.degrees.count(HOLE) - (not model.loop)

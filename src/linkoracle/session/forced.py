"""Forced facts: the edges, vertices and faces on which all solutions of a board agree.

Edges come first: the solver looks for solutions that differ at an edge on which those known so far
agree. Most other facts follow from forced edges. For the rest, clauses say on which side of the
loop each face lies, and the solver looks for a solution that differs there.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import NamedTuple

from linkoracle.board import HOLE, LinkModel, Solution
from linkoracle.core import Deadline, PuzzleError, SearchTimeout
from linkoracle.engines import StatementOracle, Verdict
from linkoracle.session.queries import Posed, Queries
from linkoracle.solving import solve

#: Number of edges for which one query decides whether all solutions agree.
_EDGES_PER_QUERY = 32


class Forced(NamedTuple):
    """What all solutions of a board have in common.

    ``lines`` are the edges of all solutions, ``crosses`` those of none. ``visited`` are the
    vertices that every solution visits, ``missed`` those that none does. ``inside`` and ``outside``
    are the faces that lie on this side of every solution, on a plane board with one loop. ``whole``
    says whether the lists are complete.
    """

    lines: list[int]
    crosses: list[int]
    whole: bool
    visited: list[int]
    missed: list[int]
    inside: list[int]
    outside: list[int]


def forced(
    queries: Queries,
    posed: Posed,
    model: LinkModel,
    edges: dict[int, bool],
    verdict: Verdict,
    deadline: Deadline,
) -> Forced:
    """Find the facts on which all solutions agree, from some of them: see `Session.forced`.

    ``model`` has all clues and ``edges``.
    """
    if verdict.status == "none":
        raise PuzzleError("there is no solution that could force an edge")
    solution, first = verdict.solutions[0], {*verdict.solutions[0].edges}
    known = [*verdict.solutions]
    differs = {edge for other in verdict.solutions for edge in first ^ {*other.edges}}
    # No solution differs at an edge that is on or off, or that ends at a hole.
    board = posed.model.board
    holes = {vertex for vertex, mask in enumerate(posed.model.degrees) if mask == HOLE}
    agreed = {*range(board.num_edges)} - differs
    unknown = [
        edge
        for edge in sorted(agreed - edges.keys())
        if not verdict.unique and holes.isdisjoint(board.ends(edge))
    ]
    agreed.difference_update(unknown)

    def differing(oracle: StatementOracle, until: Deadline) -> Solution | None:
        """Find a solution that differs from the known one at one of the first unknown edges."""
        return oracle.differing(
            solution, unknown, _EDGES_PER_QUERY, posed.stated, edges, timeout=until
        )

    whole, sides = True, Sides(model)
    try:
        while unknown:
            other = queries.find(posed, differing, deadline)
            if other is None:
                agreed.update(unknown[:_EDGES_PER_QUERY])
                unknown = unknown[_EDGES_PER_QUERY:]
            else:
                known.append(other)
                gone = first ^ {*other.edges}
                unknown = [edge for edge in unknown if edge not in gone]
    except SearchTimeout:
        whole = False
    facts = sides.known_from(first, agreed)
    # Each query finds a solution that excludes a fact, or proves all that are left.
    possible = frozenset.intersection(*map(sides.facts_of, known)) - facts
    try:
        while possible and whole:
            against = sides.model.with_constraints(clauses=[[-fact for fact in possible]])
            rest = solve(against, timeout=deadline.left, **queries.engines)
            if rest is None:
                facts |= possible
                break
            possible &= sides.facts_of(rest)
    except SearchTimeout:
        whole = False
    return Forced(sorted(agreed & first), sorted(agreed - first), whole, *sides.places(facts))


class Sides:
    """Facts about vertices and faces as literals, and the ``model`` that states what they mean.

    A vertex has the variable of its visit, a face inside the loop a fresh one. Only a plane board
    with one loop has an inside.
    """

    def __init__(self, model: LinkModel) -> None:
        self.board, self._first_face = model.board, model.first_fresh
        #: Of each face: another one, or the outside, and the edge between them.
        self._beside = [*self._walk()] if model.loop else []
        clauses: list[tuple[int, ...]] = []
        for face, other, edge in self._beside:
            one, line = self._inside(face), edge + 1
            if other is None:
                clauses += [(one, -line), (-one, line)]
            else:
                two = self._inside(other)
                clauses += [(one, two, -line), (-one, -two, -line)]
                clauses += [(one, -two, line), (-one, two, line)]
        # A literal of a visit needs a clause that names it.
        visits = map(self.board.visited, range(self.board.num_vertices))
        clauses += [(visit, -visit) for visit in visits]
        self.model = model.with_constraints(clauses=clauses)

    def _walk(self) -> Iterator[tuple[int, int | None, int]]:
        board, reached = self.board, set[int]()
        border = [edge for edge in range(board.num_edges) if len(board.faces_of(edge)) == 1]
        if (points := board.points) is not None:
            # The outer border begins farther to the left than the border of any hole.
            border.sort(key=lambda edge: min(points[end][0] for end in board.ends(edge)))
        for begun in border:
            (first,) = board.faces_of(begun)
            if first in reached:
                continue
            reached.add(first)
            yield first, None, begun
            waiting = [first]
            for face in waiting:
                for edge in board.edges_of(face):
                    for other in board.faces_of(edge):
                        if other not in reached:
                            reached.add(other)
                            waiting.append(other)
                            yield other, face, edge

    def _inside(self, face: int) -> int:
        return self._first_face + face

    def visit(self, vertex: int, *, on: bool) -> int:
        """Return the fact that a vertex is visited, or is not."""
        return self.board.visited(vertex) if on else -self.board.visited(vertex)

    def side(self, face: int, *, on: bool) -> int:
        """Return the fact that a face is inside, or outside."""
        return self._inside(face) if on else -self._inside(face)

    def facts_of(self, solution: Solution) -> frozenset[int]:
        """Return the facts of a solution."""
        board, edges = self.board, {*solution.edges}
        visited = {end for edge in edges for end in board.ends(edge)}
        signs = {board.visited(vertex): vertex in visited for vertex in range(board.num_vertices)}
        for face, other, edge in self._beside:
            beyond = other is not None and signs[self._inside(other)]
            signs[self._inside(face)] = beyond != (edge in edges)
        return frozenset(variable if sign else -variable for variable, sign in signs.items())

    def known_from(self, lines: Set[int], agreed: Set[int]) -> frozenset[int]:
        """Return the facts that follow from edges: those of ``agreed``, of which some are lines."""
        board, facts = self.board, set[int]()
        for vertex in range(board.num_vertices):
            around = {*board.edges_at(vertex)}
            if around & agreed & lines:
                facts.add(board.visited(vertex))
            elif around <= agreed:
                facts.add(-board.visited(vertex))
        signs: dict[int | None, bool] = {None: False}
        for face, other, edge in self._beside:
            if other in signs and edge in agreed:
                signs[face] = signs[other] != (edge in lines)
        facts |= {
            self._inside(face) if sign else -self._inside(face)
            for face, sign in signs.items()
            if face is not None
        }
        return frozenset(facts)

    def places(self, facts: Set[int]) -> tuple[list[int], list[int], list[int], list[int]]:
        """Return the vertices visited and missed, and the faces inside and outside."""
        first_visit, first_face = self.board.visited(0), self._first_face
        variables = [(abs(fact), fact > 0) for fact in sorted(facts, key=abs)]
        visited, missed = (
            [one - first_visit for one, sign in variables if one < first_face and sign is yes]
            for yes in (True, False)
        )
        inside, outside = (
            [one - first_face for one, sign in variables if one >= first_face and sign is yes]
            for yes in (True, False)
        )
        return visited, missed, inside, outside

"""Cuts: clauses that exclude a model whose edges obey the local rules but not the global one.

Every cut has the vertex-cut form. Let X be the vertex set of one component of the chosen edges,
with any unused vertices added, and D(X) the edges with one end in X. The model has chosen none of
D(X). Soundness, case by case, for *every* solution of the model:

* **Loop.** The solution is one cycle. If some edge inside X and some edge outside X are chosen, the
  cycle passes from X to its complement, so an edge of D(X) is chosen.
* **Paths, X a cycle.** X has no terminal. If some edge inside X is chosen, it lies on a path whose
  ends are outside X, so an edge of D(X) is chosen.
* **Paths, X a path that joins ends of different pairs.** X has one end of a pair and not the other,
  whose path must leave X: an edge of D(X) is chosen, unconditionally.

"Some edge inside X is chosen" needs a reason, the *witness*. The plain witness is an edge e of the
component itself, and the clause then begins with not-e. A better one is a rule of the model: a face
that demands at least two edges and has an edge e of the component. Of its four edges only the one
opposite e can miss X altogether, so at least one chosen edge lies inside X or in D(X): the clause
needs no not-e and is stronger. (The complement has the same witness, seen from another component.)
Where the demand comes from a clue that may be withdrawn, the clause carries the negated selector of
that clue, and so stays right for ever. A vertex of X that must be used, or is the end of a given
edge, is a witness, too: it has a chosen edge inside X or in D(X). Forbidden edges and holes only
take solutions away, so every cut that holds without them holds with them.

Unused vertices are added where that makes D(X) smaller. The clause then speaks for every component
that X has room for, where otherwise each of its many variants would need a cut of its own: on
boards of 40x40 cells with few clues, questions that took thousands of rounds take some tens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import PASS, LinkModel

#: In place of the sum of edges of a vertex that a walk has met.
_MET = -1


class Component(NamedTuple):
    """A connected part of the chosen edges: a path from its first to last vertex, or a cycle."""

    vertices: list[int]
    edges: list[int]
    closed: bool


class CutMaker:
    """Finds the components of chosen edges and writes the cuts that exclude them.

    One instance serves one model. Works on plain lists: it runs once per round of the search, on
    a few hundred edges, where that is several times faster than building a graph object.
    """

    def __init__(self, model: LinkModel) -> None:
        self._loop = model.loop
        self._board = board_lists(model.lattice)
        self._must_use = {vertex for vertex, mask in enumerate(model.degrees) if mask == PASS}
        self._must_use.update(v for edge in model.given for v in self._board.ends[edge])
        self._mate: dict[int, int] = {}
        for one, other in model.terminals:
            self._mate[one] = other
            self._mate[other] = one

    def judge(
        self, model: Sequence[int], demanding: dict[int, list[int]], *, thorough: bool
    ) -> tuple[tuple[int, ...], list[list[int]]]:
        """The chosen edges of a solver's model, and `cuts` where they break the global rule.

        ``model`` is what PySAT returns: the literal of variable *i* at place *i - 1*. ``thorough``
        as for `cuts`.
        """
        chosen = [literal - 1 for literal in model[: len(self._board.ends)] if literal > 0]
        components = self.components(chosen)
        good = self.is_solution(components)
        return tuple(chosen), [] if good else self.cuts(components, demanding, thorough=thorough)

    def components(self, chosen: Sequence[int]) -> list[Component]:
        """Split edges, two at a vertex, but one at a terminal, into paths and cycles. O(edges).

        Walks by differences: the edges at a vertex add up to a known sum, as do the ends of an
        edge, so taking away the one we came by leaves the one to go on with.
        """
        ends, sum_of_ends = self._board.ends, self._board.sum_of_ends
        # The sum of its edges for each vertex that is not met yet.
        sums: list[int] = [0] * len(self._board.around)
        for edge in chosen:
            u, v = ends[edge]
            sums[u] += edge
            sums[v] += edge
        found = []
        for terminal in self._mate:
            if sums[terminal] != _MET:
                edge = sums[terminal]
                here = sum_of_ends[edge] - terminal
                vertices, edges = [terminal], [edge]
                while here not in self._mate:
                    vertices.append(here)
                    edge = sums[here] - edge
                    sums[here] = _MET
                    edges.append(edge)
                    here = sum_of_ends[edge] - here
                vertices.append(here)
                sums[terminal] = sums[here] = _MET
                found.append(Component(vertices, edges, closed=False))
        for edge in chosen:
            start, here = ends[edge]
            if sums[start] != _MET:
                sums[start] = _MET
                vertices, edges = [start], [edge]
                while here != start:
                    vertices.append(here)
                    edge = sums[here] - edge
                    sums[here] = _MET
                    edges.append(edge)
                    here = sum_of_ends[edge] - here
                found.append(Component(vertices, edges, closed=True))
        return found

    def is_solution(self, components: Sequence[Component]) -> bool:
        """Whether the global rule holds. Every terminal is in a component, by its degree rule."""
        if self._loop:
            return len(components) == 1
        return not any(map(self._is_bad, components))

    def cuts(
        self,
        components: Sequence[Component],
        demanding: dict[int, list[int]],
        *,
        thorough: bool = True,
    ) -> list[list[int]]:
        """Clauses that exclude these components, one for each that breaks the global rule.

        ``demanding`` maps every face whose rule demands two edges or more to the literals that
        are false while that rule is in force (none, for a rule that cannot be withdrawn). Only if
        ``thorough``, unused vertices are added to the components: that takes as long as all the
        rest, and pays where questions are hard.
        """
        used: Callable[[int], bool] | None = None
        if thorough:
            used = {v for component in components for v in component.vertices}.__contains__
        if self._loop:
            witnesses = [self._witness(component, demanding) for component in components]
            return [
                self.boundary(component.vertices, used) + witnesses[i] + witnesses[i - 1]
                for i, component in enumerate(components)
            ]
        clauses = []
        for component in filter(self._is_bad, components):
            clause = self.boundary(component.vertices, used)
            if component.closed:
                clause += self._witness(component, demanding)
            clauses.append(clause)
        return clauses

    def _is_bad(self, component: Component) -> bool:
        vertices = component.vertices
        return component.closed or self._mate[vertices[0]] != vertices[-1]

    def boundary(
        self, vertices: Iterable[int], used: Callable[[int], bool] | None = None
    ) -> list[int]:
        """The literals of D(X), for these vertices and unused ones that make it smaller.

        ``used`` says which vertices the model uses; without it none is added. O(vertices), as each
        one added leaves fewer edges in D(X) than before.
        """
        inside = set(vertices)
        around = self._board.around
        beside = []
        if used is not None:
            beside = [beyond for vertex in inside for _, beyond in around[vertex]]
        while beside:
            vertex = beside.pop()
            if vertex in inside:
                continue
            near = around[vertex]
            joined = sum(beyond in inside for _, beyond in near)
            if 2 * joined > len(near) and used is not None and not used(vertex):
                inside.add(vertex)
                beside += [beyond for _, beyond in near]
        return [
            edge + 1 for vertex in inside for edge, beyond in around[vertex] if beyond not in inside
        ]

    def _witness(self, component: Component, demanding: dict[int, list[int]]) -> list[int]:
        if not self._must_use.isdisjoint(component.vertices):
            return []
        for edge in component.edges:
            for face in self._board.faces_of_edge[edge]:
                if face in demanding:
                    return demanding[face]
        return [-1 - component.edges[0]]


class BoardLists(NamedTuple):
    """The lattice as plain lists, for loops in Python."""

    ends: list[list[int]]
    sum_of_ends: list[int]
    around: list[list[tuple[int, int]]]
    faces_of_edge: list[list[int]]
    face_edges: list[list[int]]


@lru_cache(maxsize=8)
def board_lists(lattice: Lattice) -> BoardLists:
    """The lists of a lattice, kept for the last few: callers must not change them."""
    ends: list[list[int]] = lattice.edge_vertices.tolist()
    around: list[list[tuple[int, int]]] = [[] for _ in range(lattice.num_vertices)]
    for edge, (u, v) in enumerate(ends):
        around[u].append((edge, v))
        around[v].append((edge, u))
    faces_of_edge: list[list[int]] = [[] for _ in ends]
    face_edges: list[list[int]] = lattice.face_edges.tolist()
    for face, edges in enumerate(face_edges):
        for edge in edges:
            faces_of_edge[edge].append(face)
    return BoardLists(ends, [u + v for u, v in ends], around, faces_of_edge, face_edges)

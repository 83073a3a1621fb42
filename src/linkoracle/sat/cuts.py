"""Cuts: clauses that exclude a model whose edges obey the local rules but not the global one.

Every cut has the vertex-cut form. Let X be the vertex set of one component of the chosen edges and
D(X) the edges with one end in X. Soundness, case by case, for *every* solution of the model:

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
that clue, and so stays right for ever. A vertex of X that must be used is a witness, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from linkoracle.lattice import Lattice
from linkoracle.model import PASS, LinkModel


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
        lattice = model.lattice
        self._loop = model.loop
        self._ends: list[list[int]] = lattice.edge_vertices.tolist()
        self._around = _neighbours(lattice)
        self._faces_of_edge: list[list[int]] = [[] for _ in range(lattice.num_edges)]
        for face, edges in enumerate(lattice.face_edges.tolist()):
            for edge in edges:
                self._faces_of_edge[edge].append(face)
        self._must_use = {vertex for vertex, mask in enumerate(model.degrees) if mask == PASS}
        self._mate: dict[int, int] = {}
        for one, other in model.terminals:
            self._mate[one] = other
            self._mate[other] = one

    def components(self, chosen: Iterable[int]) -> list[Component]:
        """Split edges, at most two at a vertex, into paths and cycles. O(edges)."""
        ends = self._ends
        at: dict[int, tuple[int, ...]] = {}
        for edge in chosen:
            u, v = ends[edge]
            at[u] = (*at[u], edge, v) if u in at else (edge, v)
            at[v] = (*at[v], edge, u) if v in at else (edge, u)
        found = []
        for terminal in self._mate:
            if terminal in at:
                edge, here = at.pop(terminal)
                vertices, edges = [terminal], [edge]
                while here not in self._mate:
                    vertices.append(here)
                    edge, here = _onward(at.pop(here), edge)
                    edges.append(edge)
                del at[here]
                vertices.append(here)
                found.append(Component(vertices, edges, closed=False))
        while at:
            start, (edge, here, *_) = at.popitem()
            vertices, edges = [start], [edge]
            while here != start:
                vertices.append(here)
                edge, here = _onward(at.pop(here), edge)
                edges.append(edge)
            found.append(Component(vertices, edges, closed=True))
        return found

    def is_solution(self, components: Sequence[Component]) -> bool:
        """Whether the global rule holds. Every terminal is in a component, by its degree rule."""
        if self._loop:
            return len(components) == 1
        return not any(map(self._is_bad, components))

    def cuts(
        self, components: Sequence[Component], demanding: dict[int, list[int]]
    ) -> list[list[int]]:
        """Clauses that exclude these components, one for each that breaks the global rule.

        ``demanding`` maps every face whose rule demands two edges or more to the literals that
        are false while that rule is in force (none, for a rule that cannot be withdrawn).
        """
        if self._loop:
            witnesses = [self._witness(component, demanding) for component in components]
            return [
                self._boundary(component) + witnesses[i] + witnesses[i - 1]
                for i, component in enumerate(components)
            ]
        clauses = []
        for component in filter(self._is_bad, components):
            clause = self._boundary(component)
            if component.closed:
                clause += self._witness(component, demanding)
            clauses.append(clause)
        return clauses

    def _is_bad(self, component: Component) -> bool:
        vertices = component.vertices
        return component.closed or self._mate[vertices[0]] != vertices[-1]

    def _boundary(self, component: Component) -> list[int]:
        inside = set(component.vertices)
        around = self._around
        return [
            edge + 1
            for vertex in component.vertices
            for edge, beyond in around[vertex]
            if beyond not in inside
        ]

    def _witness(self, component: Component, demanding: dict[int, list[int]]) -> list[int]:
        if not self._must_use.isdisjoint(component.vertices):
            return []
        for edge in component.edges:
            for face in self._faces_of_edge[edge]:
                if face in demanding:
                    return demanding[face]
        return [-1 - component.edges[0]]


def _onward(steps: tuple[int, ...], came_by: int) -> tuple[int, int]:
    """Of the two (edge, vertex) steps at a vertex, the one that does not go back."""
    edge, vertex, other_edge, other_vertex = steps
    return (other_edge, other_vertex) if edge == came_by else (edge, vertex)


def _neighbours(lattice: Lattice) -> list[list[tuple[int, int]]]:
    """For each vertex its (edge, neighbour) pairs."""
    around: list[list[tuple[int, int]]] = [[] for _ in range(lattice.num_vertices)]
    for edge, (u, v) in enumerate(lattice.edge_vertices.tolist()):
        around[u].append((edge, v))
        around[v].append((edge, u))
    return around

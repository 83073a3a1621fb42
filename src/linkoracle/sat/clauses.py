"""Clauses of a `LinkModel`: local rules, path colours, and cuts for the global rule.

Edge *e* is Boolean variable ``e + 1``, in the DIMACS convention that PySAT uses; further variables
follow. Clauses are made by indexing whole arrays of edges with small templates, because for most
puzzles a loop over clauses in Python would cost more than the search.

Cuts exclude a model whose edges obey the local rules but not the global one.

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
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.lattice import IndexArray, Lattice
from linkoracle.board.model import ANY_COUNT, HOLE, PASS, PASS_OR_SKIP, LinkModel

Clauses = list[list[int]]
#: Reserves that many new variables and returns the first.
NewVariables = Callable[[int], int]

#: Column of a template that holds the negation of literal ``i``: ``i + NEGATED``.
_NEGATED = 4


@cache
def count_template(size: int, mask: int) -> tuple[NDArray[np.intp], ...]:
    """Clauses over ``size`` <= 4 literals that hold iff their true ones number a bit of ``mask``.

    ``mask`` must allow some count up to ``size``. Returns arrays of shape ``(clauses, literals)``,
    one per clause length, whose entries index the literals ``0..size-1`` or, plus 4, their
    negations. Counts above the greatest allowed one
    are excluded together by short clauses ("of these k, not all"), likewise counts below the
    least; a count between allowed ones is excluded pattern by pattern.
    """
    allowed = [k for k in range(size + 1) if mask >> k & 1]
    clauses: list[tuple[int, ...]] = []
    everything = range(size)
    if allowed[-1] < size:
        for subset in combinations(everything, allowed[-1] + 1):
            clauses.append(tuple(i + _NEGATED for i in subset))
    if allowed[0] > 0:
        clauses += combinations(everything, size - allowed[0] + 1)
    for k in set(range(allowed[0], allowed[-1])) - set(allowed):
        for subset in combinations(everything, k):
            clauses.append(tuple(i + _NEGATED if i in subset else i for i in everything))
    lengths = sorted({len(clause) for clause in clauses})
    return tuple(
        np.array([clause for clause in clauses if len(clause) == length], dtype=np.intp)
        for length in lengths
    )


def count_clauses(edges: IndexArray, mask: int, unless: NDArray[np.int64] | None = None) -> Clauses:
    """Clauses: in each row of ``edges`` (shape ``(n, size)``) the chosen edges number a bit of it.

    ``unless`` has a literal for each row, which frees it from the rule. O(n) clauses; edge ids go
    in, literals come out.
    """
    size = edges.shape[1]
    if not any(mask >> k & 1 for k in range(size + 1)):
        return [[] for _ in edges] if unless is None else unless[:, None].tolist()
    literals = np.zeros((len(edges), 2 * _NEGATED), dtype=np.int64)
    literals[:, :size] = edges + 1
    literals[:, _NEGATED : _NEGATED + size] = -1 - edges
    clauses: Clauses = []
    for template in count_template(size, mask):
        rows = literals[:, template]
        if unless is not None:
            literal = np.broadcast_to(unless[:, None, None], (*rows.shape[:2], 1))
            rows = np.concatenate([literal, rows], axis=2)
        clauses += rows.reshape(-1, rows.shape[2]).tolist()
    return clauses


def one_count(edges: Sequence[int], mask: int, unless: int) -> Clauses:
    """`count_clauses` of one row and its literal, without what arrays cost."""
    size = len(edges)
    if not mask & (2 << size) - 1:
        return [[unless]]
    literals = [edge + 1 for edge in edges] + [0] * (_NEGATED - size) + [-1 - e for e in edges]
    return [
        [unless, *(literals[place] for place in places)]
        for template in count_template(size, mask)
        for places in template.tolist()
    ]


@lru_cache(maxsize=8)
def degree_clauses(lattice: Lattice, degrees: bytes) -> Clauses:
    """The degree rule of every vertex. Kept for the last few boards: callers must not change it."""
    masks = np.frombuffer(degrees, dtype=np.uint8)
    around = lattice.vertex_edges
    size = (around >= 0).sum(axis=1)
    clauses: Clauses = []
    for mask in np.unique(masks):
        for count in range(5):
            rows = around[(masks == mask) & (size == count)]
            if len(rows):
                clauses += count_clauses(rows[rows >= 0].reshape(len(rows), count), int(mask))
    return clauses


def face_clauses(lattice: Lattice, faces: bytes) -> Clauses:
    """The count rule of every face that has one."""
    masks = np.frombuffer(faces, dtype=np.uint8)
    clauses: Clauses = []
    for mask in np.unique(masks):
        if mask != ANY_COUNT:
            clauses += count_clauses(lattice.face_edges[masks == mask], int(mask))
    return clauses


def is_balanced(model: LinkModel) -> bool:
    """Whether the vertices that must be used can be used, for all that a checkerboard tells.

    Lines alternate between its black and its white vertices. So those of a loop are as many black
    as white, and a path has one more of a colour if both of its ends have that colour. To the
    solver that is a pigeonhole problem, which it can state but hardly refute. True where a vertex
    may be left out. O(vertices).
    """
    if PASS_OR_SKIP in model.degrees:
        return True
    places = np.arange(model.lattice.num_vertices)
    black = (places // model.lattice.cols + places % model.lattice.cols) % 2 == 0
    used = np.frombuffer(model.degrees, dtype=np.uint8) != HOLE
    ends = black[[vertex for pair in model.terminals for vertex in pair]]
    more_black = 2 * int(np.sum(used & black)) - int(np.sum(used))
    return 2 * more_black == 2 * int(np.sum(ends)) - len(ends)


def colour_clauses(
    model: LinkModel, new_variables: NewVariables
) -> tuple[Clauses, NDArray[np.int64]]:
    """Give every vertex the number of its path in binary, equal along each chosen edge.

    Returns the clauses and the variables, of shape ``(num_vertices, bits)``. Terminals are fixed
    to their pair; the colour of an unused vertex means nothing. One variable per pair and vertex
    would need O(pairs) variables per vertex in place of O(log pairs), and on published boards
    decides no more puzzles.
    """
    lattice = model.lattice
    bits = max(1, (len(model.terminals) - 1).bit_length())
    first = new_variables(lattice.num_vertices * bits)
    colour = first + np.arange(lattice.num_vertices * bits).reshape(-1, bits)
    clauses: Clauses = []
    for number, pair in enumerate(model.terminals):
        for vertex in pair:
            for bit in range(bits):
                variable = int(colour[vertex, bit])
                clauses.append([variable if number >> bit & 1 else -variable])
    off = -1 - np.arange(lattice.num_edges)[:, None].repeat(bits, axis=1)
    one, other = colour[lattice.edge_vertices[:, 0]], colour[lattice.edge_vertices[:, 1]]
    clauses += np.stack([off, -one, other], axis=-1).reshape(-1, 3).tolist()
    clauses += np.stack([off, one, -other], axis=-1).reshape(-1, 3).tolist()
    return clauses, colour


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

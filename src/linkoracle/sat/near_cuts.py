"""Cuts for models that lie near a known solution, found from the difference alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import chain, compress, islice, pairwise
from operator import ne
from typing import NamedTuple

import numpy as np

from linkoracle.board.lattice import Solution
from linkoracle.board.model import LinkModel
from linkoracle.sat.clauses import CutMaker, board_lists

#: Edges of a cycle that are looked at for the best reason.
_SCANNED = 60

#: Consecutive vertices of the known solution: from this place in its order, so many. Plain tuples,
#: since a few dozen are made in every round.
Arc = tuple[int, int]


class Cycle(NamedTuple):
    """A component of a model: arcs of the known solution, vertices and edges beside them."""

    arcs: list[Arc]
    vertices: list[int]
    edges: list[int]
    size: int


class NearCuts(CutMaker):
    """Judges models near a known solution by their difference from it.

    The solution is a cycle of vertices; an open path becomes one by a step, which no model lacks,
    from its last vertex to its first. Edges that a model lacks cut the cycle into arcs, and the
    edges that it has in addition join arcs and vertices beside it into other cycles.
    """

    def __init__(self, model: LinkModel, solution: Solution) -> None:
        super().__init__(model)
        lattice = solution.lattice
        walks = solution.paths()
        if len(walks) != 1 or lattice != model.lattice:
            raise ValueError("the solution given does not solve this board: it is no single line")
        walk = [row * lattice.cols + col for row, col in walks[0]]
        closed = walk[0] == walk[-1]
        pairs = {frozenset(pair) for pair in model.terminals}
        if closed != model.loop or (not closed and {walk[0], walk[-1]} not in pairs):
            raise ValueError("the solution given does not solve this board")
        #: The vertices in the order of the line, twice; a place is an index into it.
        self._order = 2 * (walk[:-1] if closed else walk)
        self._length = len(self._order) // 2
        steps = [lattice.edge(one, other) for one, other in pairwise(walks[0])]
        self._step_at = {edge: place for place, edge in enumerate(steps)}
        #: The edge from each place to the next; a path has none from its last place to the first.
        self._steps = 2 * (steps if closed else [*steps, -1])
        self.literals = (-1 - np.arange(lattice.num_edges)).tolist()
        for edge in solution.edges:
            self.literals[edge] = edge + 1
        self._edges = range(lattice.num_edges)
        self._loop = model.loop
        self._board = board_lists(lattice)
        #: Which vertices the model at hand uses; between models, those that the solution uses.
        self._used = bytearray(lattice.num_vertices)
        for vertex in walk:
            self._used[vertex] = True
        #: For each face that demands two edges or more, the literal that is false meanwhile.
        self.demands: dict[int, int] = {}
        #: The faces whose clues are kept in the question at hand.
        self.in_force: Set[int] = frozenset()
        #: Those of them that are kept in all later questions, too.
        self.staying: Set[int] = frozenset()

    def changed_faces(self, changed: Sequence[int]) -> frozenset[int]:
        """The faces whose count differs when these edges do."""
        by: dict[int, int] = {}
        for edge in changed:
            step = -1 if self.literals[edge] > 0 else 1
            for face in self._board.faces_of_edge[edge]:
                by[face] = by.get(face, 0) + step
        return frozenset(face for face, difference in by.items() if difference)

    def judge(
        self,
        model: Sequence[int],
        demanding: dict[int, list[int]],  # noqa: ARG002 - `demands` and `in_force` say it here
        *,
        thorough: bool,  # noqa: ARG002 - the components are small here, so it always pays
    ) -> tuple[tuple[int, ...], list[list[int]]]:
        """The edges on which a model and the solution differ, and the cuts it deserves."""
        # The model has more variables than there are edges: `map` stops with the shorter one.
        changed = tuple(compress(self._edges, map(ne, self.literals, model)))
        cycles, main = self._cycles(changed)
        if len(cycles) == 1:
            return changed, []
        outside = self._reason(cycles[main]) if self._loop else []
        literals, around, others = self.literals, self._board.around, set(changed)
        touched = {vertex for edge in changed for vertex in self._board.ends[edge]}
        for vertex in touched:
            self._used[vertex] = any(
                (literals[edge] > 0) != (edge in others) for edge, _ in around[vertex]
            )
        cuts = [
            self.boundary(self._vertices_of(cycle), self._used) + self._reason(cycle) + outside
            for number, cycle in enumerate(cycles)
            if number != main
        ]
        for vertex in touched:
            self._used[vertex] = any(literals[edge] > 0 for edge, _ in around[vertex])
        return changed, cuts

    def _cycles(self, changed: Sequence[int]) -> tuple[list[Cycle], int]:
        """The components of a model, and which one needs no cut. O(changed edges).

        That is the path, where there is one, since it is right; or else the largest, since the
        cuts of the others exclude the model.
        """
        order, length = self._order, self._length
        places = sorted(self._step_at[edge] + 1 for edge in changed if self.literals[edge] > 0)
        ends = [*places[1:], *(place + length for place in places[:1])]
        across: dict[int, int] = {}
        arc_at: dict[int, Arc] = {}
        for place, end in zip(places, ends, strict=True):
            first, last = order[place], order[end - 1]
            across[first], across[last] = last, first
            arc_at[first] = arc_at[last] = place, end - place
        cycles = [] if places else [Cycle([(0, length)], [], [], length)]
        main = 0
        beside: dict[int, list[tuple[int, int]]] = {}
        for edge in changed:
            if self.literals[edge] < 0:
                u, v = self._board.ends[edge]
                beside.setdefault(u, []).append((edge, v))
                beside.setdefault(v, []).append((edge, u))
        seen: set[int] = set()
        for start in beside:
            if start in seen:
                continue
            cycle_arcs: list[Arc] = []
            vertices: list[int] = []
            edges: list[int] = []
            size = 0
            edge, here = beside[start][0]
            while True:
                edges.append(edge)
                seen.add(here)
                leave = across.get(here, here)
                if leave != here:
                    seen.add(leave)
                    place, arc_size = arc_at[here]
                    cycle_arcs.append((place, arc_size))
                    size += arc_size
                    if place + arc_size > length and not self._loop:
                        main = len(cycles)
                    if leave == start:
                        break
                    edge, here = beside[leave][0]
                else:
                    vertices.append(here)
                    size += 1
                    if here == start:
                        break
                    one, other = beside[here]
                    edge, here = other if one[0] == edge else one
            cycles.append(Cycle(cycle_arcs, vertices, edges, size))
        if self._loop:
            main = max(range(len(cycles)), key=lambda number: cycles[number].size)
        return cycles, main

    def _vertices_of(self, cycle: Cycle) -> list[int]:
        arcs = (self._order[place : place + size] for place, size in cycle.arcs)
        return [*cycle.vertices, *chain.from_iterable(arcs)]

    def _reason(self, cycle: Cycle) -> list[int]:
        """A clue that shows that some edge inside the cycle or around it is chosen, or an edge.

        A clue that stays for good is best: the cut needs no literal for it, and will not lapse.
        """
        demands, in_force, staying = self.demands, self.in_force, self.staying
        faces_of_edge = self._board.faces_of_edge
        found: list[int] | None = None
        for edge in islice(self._edges_of(cycle), _SCANNED):
            for face in faces_of_edge[edge]:
                if face in demands and face in in_force:
                    if face in staying:
                        return []
                    if found is None:
                        found = [demands[face]]
        return found or [-1 - next(self._edges_of(cycle))]

    def _edges_of(self, cycle: Cycle) -> Iterator[int]:
        yield from cycle.edges
        for first, size in cycle.arcs:
            for place in range(first, first + size - 1):
                if self._steps[place] >= 0:
                    yield self._steps[place]

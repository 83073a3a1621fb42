"""The steps of a frontier pass: the order of its vertices, and the frontier after each.

Edges that no solution has, as far as probing finds out, are omitted, and so are vertices without
other edges.

**A vertex with many edges to later vertices takes several steps.** Each decides some of these
edges. The vertex stays on the frontier until its last step: an earlier one may choose, as if it
were an edge, to *carry* the path that has reached the vertex to the next. So no degree is too
large, and no order is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise

from linkoracle.board import END, PASS, LinkModel, without_auxiliary
from linkoracle.core import Deadline, NotSupported
from linkoracle.frontier.order import clued_order, vertex_order
from linkoracle.lines.rules_kernel import Rules

#: A deadline for work without a time limit; Ctrl-C still stops it.
NEVER = Deadline(None)
#: No slot, edge or pair.
NONE = -1
#: The most edges that one step decides, including the one that carries a path. So decisions are at
#: most `linkoracle.frontier.pass_kernel.MAX_DECISIONS`, and have ten bits in a diagram.
MOST_OUTS = 10
#: The fewest free edges for which the order depends on the clues: choosing the order takes some
#: tenths of a millisecond, as much as a pass with fewer edges.
_LEAST_FREE_EDGES = 160


#: Decisions in lexicographic order, each the places of the chosen edges. Two decisions are compared
#: at the first edge in which they differ; the decision without that edge comes first.
Decisions = tuple[tuple[int, ...], ...]


# Most vertices of a board have the same few patterns of edges.
@lru_cache(maxsize=1 << 10)
def decisions_of(size: int, given: int, most: int) -> Decisions:
    """Return the sets of up to ``most`` of ``size`` edges that have those of the mask ``given``.

    >>> decisions_of(2, 0, 2), decisions_of(2, 0b10, 2)
    (((), (1,), (0,), (0, 1)), ((1,), (0, 1)))
    """
    required = {place for place in range(size) if given >> place & 1}
    sets = (
        chosen
        for number in range(most + 1)
        for chosen in combinations(range(size), number)
        if required.issubset(chosen)
    )
    return tuple(sorted(sets, key=lambda chosen: [place in chosen for place in range(size)]))


@lru_cache(maxsize=1 << 6)
def set_weights(size: int) -> list[int]:
    """Return weights of edges by which the sums of all sets of up to two edges differ.

    Each is the smallest that is possible after those before, so it is at most a cube: 1059 for 28
    edges. Powers of two, whose sums differ for all sets, would make sums too long.

    >>> set_weights(5)
    [1, 2, 4, 7, 12]
    """
    weights: list[int] = []
    sums, weight = {0}, 0
    while len(weights) < size:
        weight += 1
        more = {weight, *(weight + other for other in weights)}
        if sums.isdisjoint(more):
            sums |= more
            weights.append(weight)
    return weights


@dataclass(frozen=True, eq=False)
class Steps:
    """The steps of a pass over ``model``, at least one for each vertex. O(vertices) to build.

    The order of vertices is ``given_order``, or depends on the board alone, or with ``by_clues`` on
    the whole model. Raises ``ValueError`` for an order that does not have each vertex once. Raises
    `NotSupported` for a model with auxiliary variables. Raises `SearchTimeout` at the ``deadline``.

    With ``free_ends`` the connectivity constraint differs: the chosen edges form any number of
    paths, which may end at any vertex, and the model has no terminals. With ``named``, states
    record at which vertex a path began.

    >>> from linkoracle.board import Lattice
    >>> steps = Steps(LinkModel.blank_loop(Lattice(3, 8)))
    >>> steps.num_steps, steps.num_slots, steps.outs[0], steps.decisions[0]
    (24, 3, [1, 0], ((), (1,), (0,), (0, 1)))
    """

    model: LinkModel
    deadline: Deadline = NEVER
    by_clues: bool = False
    free_ends: bool = False
    named: bool = False
    given_order: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        without_auxiliary(self.model, "the frontier engine")
        if not self.model.board.num_vertices:
            raise NotSupported("the frontier engine does not support a board without vertices")
        order, number = self.given_order, self.model.board.num_vertices
        if order is not None and sorted(order) != list(range(number)):
            raise ValueError(f"expected an order of the vertices 0 to {number - 1}, got {order!r}")

    def __getstate__(self) -> dict[str, object]:
        # The rest is computed again when needed; a deadline was for the work until now.
        fields = {name: vars(self)[name] for name in self.__dataclass_fields__}
        return {**fields, "deadline": NEVER}

    @cached_property
    def solvable(self) -> bool:
        """Whether propagation of the local constraints leaves possible solutions."""
        return self.free_ends or self._rules.preprocess(self.deadline)

    @cached_property
    def degrees(self) -> bytes:
        """The degree mask of each vertex; with free ends, paths may end where they may pass."""
        masks = self.model.degrees
        return (
            bytes(mask | END if mask & PASS else mask for mask in masks)
            if self.free_ends
            else masks
        )

    @cached_property
    def _rules(self) -> Rules:
        return Rules(self.model)

    @cached_property
    def fixed(self) -> bytes:
        """For each edge 1 if every solution has it, 0 if none has, else 2."""
        if not self.free_ends:
            return self._rules.fixed() if self.solvable else bytes(self.model.board.num_edges)
        model = self.model
        return bytes(
            1 if edge in model.given else 0 if edge in model.forbidden else 2
            for edge in range(model.board.num_edges)
        )

    @cached_property
    def _at(self) -> list[list[int]]:
        """The edges of each vertex that some solution may have."""
        ends, fixed = self.model.board.layout.edge_ends, self.fixed
        found: list[list[int]] = [[] for _ in range(self.model.board.num_vertices)]
        for edge, value in enumerate(fixed):
            if value:
                found[ends[2 * edge]].append(edge)
                found[ends[2 * edge + 1]].append(edge)
        return found

    @cached_property
    def _vertices(self) -> tuple[int, ...]:
        if self.given_order is not None:
            return self.given_order
        if not self.by_clues or self.fixed.count(2) < _LEAST_FREE_EDGES:
            return vertex_order(self.model.board)
        free = {edge for edge, value in enumerate(self.fixed) if value > 1}
        rules = (
            free.intersection(abs(literal) - 1 for literal in literals)
            for _, literals, _ in self._constraints()
        )
        return clued_order(self.model, sorted(free), list(filter(None, rules)))

    def _constraints(self) -> Iterator[tuple[int, Sequence[int], Sequence[int]]]:
        """Yield every local constraint: a mask of totals, literals, and their weights."""
        model, board = self.model, self.model.board
        for face, (mask, free) in enumerate(zip(model.faces, board.free_masks, strict=True)):
            if mask != free:
                literals = [edge + 1 for edge in board.edges_of(face)]
                yield mask, literals, [1] * len(literals)
        for count in model.counts:
            yield count.allowed, count.literals, [1] * len(count.literals)
        for clause in model.clauses:
            yield (2 << len(clause)) - 2, clause, [1] * len(clause)
        for shape in model.shapes:
            literals = [edge + 1 for edge in board.edges_at(shape.vertex)]
            weights = set_weights(len(literals))
            yield shape.allowed_sums(weights), literals, weights

    @cached_property
    def _parts(self) -> list[tuple[int, list[tuple[int, int]]]]:
        """The vertex of each step, and the later vertices that it decides on, with the edges."""
        vertices, degrees = self._vertices, self.degrees
        kept = [vertex for vertex in vertices if self._at[vertex] or not degrees[vertex] & 1]
        # A pass has a step.
        kept = kept or [*vertices[:1]]
        ends = self.model.board.layout.edge_ends
        place = [NONE] * self.model.board.num_vertices
        for at, vertex in enumerate(kept):
            place[vertex] = at
        parts = []
        for at, vertex in enumerate(kept):
            later = []
            for edge in self._at[vertex]:
                far = ends[2 * edge] + ends[2 * edge + 1] - vertex
                if place[far] > at:
                    later.append((place[far], far, edge))
            outs = [(far, edge) for _, far, edge in sorted(later)]
            while len(outs) > MOST_OUTS:
                parts.append((vertex, outs[: MOST_OUTS - 1]))
                outs = outs[MOST_OUTS - 1 :]
            parts.append((vertex, outs))
        return parts

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The vertex of each step: those that a solution may visit, or must."""
        return tuple(vertex for vertex, _ in self._parts)

    @property
    def num_steps(self) -> int:
        return len(self.order)

    @cached_property
    def step_of(self) -> list[int]:
        """The last step of each vertex, -1 for a vertex without."""
        steps = [NONE] * self.model.board.num_vertices
        for step, vertex in enumerate(self.order):
            steps[vertex] = step
        return steps

    @cached_property
    def continues(self) -> list[bool]:
        """For each step whether the next is of the same vertex."""
        return [vertex == later for vertex, later in pairwise((*self.order, NONE))]

    @cached_property
    def carries(self) -> list[bool]:
        """For each step whether it may carry a path to the next, which a terminal may not."""
        return [
            further and self.degrees[vertex] != END
            for vertex, further in zip(self.order, self.continues, strict=True)
        ]

    @cached_property
    def ahead(self) -> list[list[tuple[int, int]]]:
        """For each step the first steps of later neighbours, and the edges to them, in order."""
        first = [NONE] * self.model.board.num_vertices
        for step in range(self.num_steps - 1, -1, -1):
            first[self.order[step]] = step
        return [[(first[far], edge) for far, edge in outs] for _, outs in self._parts]

    @cached_property
    def outs(self) -> list[list[int]]:
        """For each step the edges to later vertices, in the order of these."""
        return [[edge for _, edge in pairs] for pairs in self.ahead]

    @cached_property
    def decided_at(self) -> dict[int, int]:
        """The step that decides each edge that is not omitted."""
        return {edge: step for step, outs in enumerate(self.outs) for edge in outs}

    @cached_property
    def edges_from(self) -> list[list[int]]:
        """For each vertex, in the order of a pass over all, the edges to later vertices."""
        board = self.model.board
        place = {vertex: at for at, vertex in enumerate(self._vertices)}
        found: list[list[tuple[int, int]]] = [[] for _ in self._vertices]
        for edge in range(board.num_edges):
            one, other = sorted(map(place.__getitem__, board.ends(edge)))
            found[one].append((other, edge))
        return [[edge for _, edge in sorted(later)] for later in found]

    @cached_property
    def edge_order(self) -> tuple[int, ...]:
        """All edge ids, in the order in which a pass over the blank board decides them."""
        return tuple(edge for edges in self.edges_from for edge in edges)

    @cached_property
    def decision_bits(self) -> int:
        """The number of bits for a decision in a kept child."""
        return max(1, (max(map(len, self.decisions)) - 1).bit_length())

    @cached_property
    def decisions(self) -> list[Decisions]:
        """For each step the allowed sets of places in `outs`.

        The place behind these stands for carrying a path on.
        """
        fixed, degrees, found = self.fixed, self.degrees, []
        for vertex, outs, carries in zip(self.order, self.outs, self.carries, strict=True):
            given = 0
            for place, edge in enumerate(outs):
                given |= (fixed[edge] == 1) << place
            most = 1 if degrees[vertex] == END else 2
            found.append(decisions_of(len(outs) + carries, given, most))
        return found

    @cached_property
    def slots(self) -> tuple[list[int], int, list[list[int]]]:
        """The slot of the vertex of each step, the number of slots, and those used after each.

        A vertex of several steps has a slot from each to the next.
        """
        along = self._along
        slot_of = [NONE] * self.num_steps
        free: list[int] = []
        number = 0
        # The slots in use, with the place of their vertex along the frontier.
        used: dict[int, int] = {}
        behind = []
        for step, pairs in enumerate(self.ahead):
            if slot_of[step] != NONE:
                free.append(slot_of[step])
                del used[slot_of[step]]
            for far in (*(far for far, _ in pairs), *[step + 1] * self.continues[step]):
                if slot_of[far] == NONE:
                    if not free:
                        free.append(number)
                        number += 1
                    slot_of[far] = free.pop()
                    used[slot_of[far]] = along[self.order[far]]
            behind.append(sorted(used, key=used.__getitem__))
        return slot_of, number, behind

    @property
    def num_slots(self) -> int:
        """The largest number of vertices on the frontier."""
        return self.slots[1]

    @property
    def plane(self) -> bool:
        """Whether `slots` are in the order of the frontier, from one end to the other."""
        # The frontier of other boards has no such order: it is not a line across the board.
        return min(self.model.board.vertex_shape) > 0

    @cached_property
    def _along(self) -> list[int]:
        """Return for each vertex a number that increases along a frontier of rows or columns."""
        if not self.plane:
            return self.step_of
        board = self.model.board
        cols = board.vertex_shape[1]
        rowwise = len({vertex // cols for vertex in self._vertices[:2]}) == 1
        return [
            vertex % cols if rowwise else vertex // cols for vertex in range(board.num_vertices)
        ]

    @cached_property
    def pair_of(self) -> dict[int, int]:
        """The pair of each terminal."""
        return {vertex: pair for pair, ends in enumerate(self.model.terminals) for vertex in ends}

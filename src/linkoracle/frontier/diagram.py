"""`Diagram`: all solutions of a model at once, as a decision diagram.

Where `linkoracle.frontier.count` forgets each layer of states when it has the next, a diagram keeps
what every decision led to, as families of sets of edges (`linkoracle.zdd`). It then answers
exactly, and without solving again, what would need all solutions listed: how many have this edge,
which are the longest, a uniformly random one.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Generator, Iterable, Iterator
from fractions import Fraction
from typing import Self

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.model import LinkModel, Modelled, model_of
from linkoracle.board.solution import Solution
from linkoracle.core.limits import Deadline, Progress, checked_int
from linkoracle.frontier.family import Family
from linkoracle.frontier.plan import Plan
from linkoracle.frontier.running import Step, finished
from linkoracle.frontier.sweep import Sweep
from linkoracle.zdd.families import EMPTY, UNIT, Listed, Zdd

#: What a length may be: one number, ``(lowest, highest)``, or anything that says ``in``.
Length = int | tuple[int, int] | Container[int]


class Diagram(Listed[Solution]):
    """The set of all solutions of a model, or of a part of them that `filter` chose.

    Make one with `Diagram.build`. Nothing changes it afterwards; counts are computed when first
    asked for and kept. Below, *nodes* is their number (`num_nodes`), *edges* that of the board.

    **The order of solutions** is that of `edge_order`, the edges as the pass decides them:
    solutions are compared at the first edge on which they differ, and the one without it comes
    first. On a board at least as high as wide, that is the order of edge ids; on a wider one the
    board is turned, so edges go column by column, the edge down before the edge right.

    >>> from linkoracle.board.lattice import Lattice
    >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(3, 3)))
    >>> loops.count()
    13
    >>> [len(loop) for loop in loops]
    [4, 4, 6, 6, 4, 8, 6, 8, 4, 8, 8, 8, 6]
    >>> loops.by_length()
    {4: 4, 6: 4, 8: 5}
    >>> loops.edge_shares()[0]
    Fraction(7, 13)

    One by its place in the order, without those before it, and uniform draws:

    >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(12, 12)))
    >>> len(loops[10**15]), [len(loop) for loop in loops.sample(5, seed=1)]
    (58, [112, 108, 112, 120, 112])
    """

    _kind = "solution"

    def __init__(self, plan: Plan, sets: Zdd, node: int, memory: int | None) -> None:
        super().__init__(sets, node)
        self._plan, self._memory = plan, memory
        self._variables = plan.variables

    @classmethod
    def build(
        cls,
        asked: Modelled,
        *,
        timeout: float | None = None,
        memory: int | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Run a pass over a model, or over that of a puzzle, and keep its layers.

        ``memory`` bounds the bytes of the pass and of what later calls compute from it (None: no
        bound); `MemoryLimit` is raised before it is exceeded. ``timeout`` and ``progress`` as in
        `linkoracle.frontier.count`, and time, plus O(states) to keep them, 8 bytes for each.
        """
        deadline = Deadline(timeout)
        return finished(cls.building_within(model_of(asked), memory, deadline), deadline, progress)

    @classmethod
    def building_within(
        cls,
        model: LinkModel,
        memory: int | None,
        deadline: Deadline | None = None,
        *,
        free_ends: bool = False,
    ) -> Generator[Step, None, Self]:
        """`build`, a step at a time; with ``free_ends`` as in `linkoracle.frontier.steps.Steps`."""
        sweep = Sweep(model, keep=True, memory=memory, deadline=deadline, free_ends=free_ends)
        kept = yield from sweep.layers()
        plan = sweep.plan
        sets = _room(plan, memory)
        return cls(plan, sets, from_layers(plan, sets, kept, deadline), memory)

    @property
    def model(self) -> LinkModel:
        """The model it was built from (`filter` does not change it)."""
        return self._plan.model

    @property
    def edge_order(self) -> tuple[int, ...]:
        """Edge ids in the order of the pass, which orders the solutions."""
        return self._plan.edge_order

    @property
    def steps(self) -> list[list[int]]:
        """The edges that each step of the pass decides: `edge_order`, vertex by vertex."""
        return self._plan.edges_from

    def nodes(self) -> tuple[NDArray[np.int32], int]:
        """The diagram for whoever wants to convert it: rows of (edge, low, high), and its root.

        The edge is a place in `edge_order`. Low and high are the rows of the solutions without it
        and with it; these stand before. Row 0 is no solution, and row 1 is one that chooses
        nothing more.
        """
        return self._sets.array(), self._node

    def __repr__(self) -> str:
        return f"<Diagram of {self.count()} solutions on {self.model.board}>"

    def edge_shares(self) -> dict[int, Fraction]:
        """For every edge, in order of ids, the exact share of solutions that choose it.

        Raises ``ValueError`` when there are no solutions. O(nodes x limbs squared).
        """
        total = self.count()
        if not total:
            raise ValueError("no solutions, hence no shares")
        choosing = self._counts.by_variable(self._node)
        return {
            edge: Fraction(choosing[variable], total)
            for edge, variable in enumerate(self._variables.tolist())
        }

    def by_length(self) -> dict[int, int]:
        """How many solutions have each number of edges, by increasing number, without zeros.

        O(nodes x edges); the numbers of two layers are in memory at a time.
        """
        return self._counts.by_size(self._node)

    def longest(self) -> Solution | None:
        """The first solution, in order, of those with the most edges; None without solutions."""
        return self._extreme(1)

    def shortest(self) -> Solution | None:
        """The first solution, in order, of those with the fewest edges; None without solutions."""
        return self._extreme(-1)

    def _extreme(self, sign: int) -> Solution | None:
        if not self:
            return None
        best = self._sets.extents(self._node, sign)
        chosen, node = [], self._node
        while node != UNIT:
            variable, low, high = self._sets.node(node)
            if best[low] == best[node]:
                node = low
            else:
                chosen.append(variable)
                node = high
        return self._member(tuple(chosen))

    def _member(self, variables: tuple[int, ...]) -> Solution:
        edges = (self.edge_order[variable] for variable in variables)
        return Solution(self.model.board, tuple(edges))

    def masks(self, batch: int = 1024) -> Iterator[NDArray[np.bool_]]:
        """All solutions in order, as arrays of up to ``batch`` rows with a column for each edge."""
        checked_int(batch, "a number of rows", 1)
        for rows in self._sets.rows(self._node, batch):
            yield rows.take(self._variables, axis=1).view(np.bool_)

    def __iter__(self) -> Iterator[Solution]:
        # Faster than from sets of variables: the edges of a row come in order.
        for chosen in self.masks(256):
            for row in chosen:
                yield Solution(self.model.board, tuple(np.flatnonzero(row).tolist()))

    def __contains__(self, solution: object) -> bool:
        """Whether ``solution`` is one of them. O(edges)."""
        if not isinstance(solution, Solution) or solution.board != self.model.board:
            return False
        return self._sets.has(self._node, self._variables[list(solution.edges)].tolist())

    def filter(
        self,
        *,
        required: Iterable[int] = (),
        forbidden: Iterable[int] = (),
        length: Length | None = None,
        timeout: float | None = None,
    ) -> Self:
        """The solutions that have every ``required`` edge, no ``forbidden`` one, and a ``length``.

        Edges are ids. ``length`` is a number of edges, a tuple ``(lowest, highest)`` with both
        included, or a container of numbers (a range, a set). Raises ``ValueError`` for an id
        outside the board, and `SearchTimeout` after ``timeout`` seconds. O(nodes), times the number
        of lengths in reach if there is a length.

        >>> from linkoracle.board.lattice import Lattice
        >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(3, 3)))
        >>> loops.filter(required=[0], length=(4, 6)).by_length()
        {4: 1, 6: 2}
        """
        needs, avoids = (
            [self._variables[checked_int(edge, "the id of an edge", 0, last)] for edge in edges]
            for last in [self.model.board.num_edges - 1]
            for edges in (required, forbidden)
        )
        allowed = None
        if length is not None and self:
            allowed = _lengths(length, int(self._sets.extents(self._node, 1)[self._node]))
        into = _room(self._plan, self._memory)
        deadline = Deadline(timeout)
        node = self._sets.narrowed(self._node, needs, avoids, allowed, into, deadline)
        into.trim()
        return type(self)(self._plan, into, node, self._memory)

    def family(self) -> Family:
        """The solutions as a `Family`, for set algebra with others on the same board.

        O(nodes) calls of the decision diagram package, some microseconds each.
        """
        nodes, root = self.nodes()
        return Family.from_nodes(self.model.board, nodes.tolist(), root)


def _room(plan: Plan, memory: int | None) -> Zdd:
    """A diagram without nodes."""
    return Zdd(len(plan.edge_order), memory=memory or sys.maxsize)


def from_layers(
    plan: Plan, sets: Zdd, kept: list[NDArray[np.uint32]], deadline: Deadline | None = None
) -> int:
    """The family of all solutions, from the children of each layer.

    What leads nowhere is dropped and equal nodes are merged, from the last layer up. To save memory
    the list is emptied on the way.
    """
    targets = np.array([EMPTY, UNIT], dtype=np.int32)
    while kept:
        children = kept.pop()
        outs, decisions = plan.outs[len(kept)], plan.decisions[len(kept)]
        masks = [sum(1 << len(outs) - 1 - place for place in chosen) for chosen in decisions]
        targets = sets.add_layer(
            children,
            plan.decision_bits,
            np.array(masks, dtype=np.int32),
            plan.variables[outs],
            targets,
            deadline,
        )
    sets.trim()
    # There is one state at first.
    return int(targets[2]) if len(targets) > 2 else EMPTY


def _lengths(length: Length, longest: int) -> NDArray[np.bool_]:
    """Which of the numbers 0 ... ``longest`` are allowed."""
    if isinstance(length, tuple):
        lowest, highest = (checked_int(bound, "a bound of lengths") for bound in length)
        length = range(lowest, highest + 1)
    elif not isinstance(length, Container):
        length = (checked_int(length, "a length"),)
    return np.array([number in length for number in range(longest + 1)], dtype=np.bool_)

"""`Diagram`: all solutions of a model at once, as a decision diagram.

`linkoracle.frontier.count` drops each layer of states as soon as it has the next. A diagram keeps
the results of all decisions, as families of sets of edges (`linkoracle.zdd`). It gives exact
answers without listing all solutions: how many have an edge, which are the longest, a random one.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Generator, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from linkoracle import core
from linkoracle.board import Edge, LinkModel, Modelled, Solution, model_of
from linkoracle.core import Deadline, Progress, checked_int
from linkoracle.frontier import weights as weighing
from linkoracle.frontier.family import Family
from linkoracle.frontier.plan import Plan
from linkoracle.frontier.running import Step, finished
from linkoracle.frontier.sweep import Sweep
from linkoracle.zdd import EMPTY, UNIT, Listed, Zdd, nodes_of

#: A length: one number, ``(lowest, highest)``, or a container of numbers.
Length = int | tuple[int, int] | Container[int]


class Diagram(Listed[Solution]):
    """The set of all solutions of a model, or of those that a filter has chosen.

    Make one with `Diagram.build`. It is immutable; counts are computed on first use and kept.
    Below, *nodes* is their number (`num_nodes`), *edges* that of the board.

    **The order of solutions** is that of `edge_order`, the edges as the pass decides them:
    solutions are compared at the first edge on which they differ, and the one without it comes
    first. On a board at least as high as wide, that is the order of edge ids; on a wider one the
    board is turned, so edges go column by column, the edge down before the edge right.

    >>> from linkoracle.board import Lattice
    >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(3, 3)))
    >>> loops.count()
    13
    >>> [len(loop) for loop in loops]
    [4, 4, 6, 6, 4, 8, 6, 8, 4, 8, 8, 8, 6]
    >>> loops.by_length()
    {4: 4, 6: 4, 8: 5}
    >>> loops.edge_frequencies()[0]
    Fraction(7, 13)

    Index one in the order, without listing those before it, and draw uniformly:

    >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(12, 12)))
    >>> len(loops[10**15]), [len(loop) for loop in loops.sample(5, seed=1)]
    (58, [112, 108, 112, 120, 112])
    """

    _kind = "solution"

    def __init__(self, plan: Plan, sets: Zdd, node: int, memory: int | None) -> None:
        super().__init__(sets, node)
        self._plan, self._memory = plan, memory
        self._variables = plan.variables

    def _repr_svg_(self) -> str | None:
        # For notebooks: one of the solutions.
        drawn = self.sample(1, seed=0)
        return core.draw_svg(drawn[0]) if drawn else None

    @classmethod
    def build(
        cls,
        puzzle: Modelled,
        *,
        timeout: float | None = None,
        memory: int | None = None,
        progress: Progress | None = None,
        order: Sequence[int] | None = None,
    ) -> Self:
        """Run a pass over the model of a puzzle, and keep its layers.

        ``memory`` bounds the bytes of the pass and of later computations (None: no bound);
        `MemoryLimit` is raised before it is exceeded. ``timeout``, ``progress`` and the running
        time are those of `linkoracle.frontier.count`, plus O(states) to keep the states, 8 bytes
        for each. ``order`` is also as there.
        """
        deadline, model = Deadline(timeout), model_of(puzzle)
        built = finished(building(model, memory, deadline, order=order), deadline, progress)
        return cls(built._plan, built._sets, built._node, memory)

    @property
    def model(self) -> LinkModel:
        """The model of the puzzle; filters do not change it."""
        return self._plan.model

    @property
    def edge_order(self) -> tuple[int, ...]:
        """The edge ids in the order of the pass, which orders the solutions."""
        return self._plan.edge_order

    @property
    def steps(self) -> list[list[int]]:
        """The edges that each step of the pass decides: `edge_order`, vertex by vertex."""
        return self._plan.edges_from

    def nodes(self) -> tuple[NDArray[np.int32], int]:
        """Return the diagram as rows of (edge, low, high), and the row of its root.

        The edge is an index into `edge_order`. Low and high are earlier rows: the solutions without
        the edge and with it. Row 0 stands for no solution, and row 1 for no further edges.
        """
        return self._sets.array(), self._node

    def __repr__(self) -> str:
        return f"<Diagram of {self.count()} solutions on {self.model.board}>"

    def edge_frequencies(self) -> dict[int, Fraction]:
        """Return for every edge, in order of ids, the exact fraction of solutions that have it.

        Raises ``ValueError`` when there are no solutions. O(nodes x limbs squared).
        """
        total = self.count()
        if not total:
            raise ValueError("there are no solutions, so edges have no frequencies")
        choosing = self._counts.by_variable(self._node)
        return {
            edge: Fraction(choosing[variable], total)
            for edge, variable in enumerate(self._variables.tolist())
        }

    def by_length(self) -> dict[int, int]:
        """Return the number of solutions of each length, by increasing length, without zeros.

        O(nodes x edges); the numbers of two layers are in memory at a time.
        """
        return self._counts.by_size(self._node)

    def longest(self) -> Solution | None:
        """Return the first solution, in order, with the most edges; None without solutions."""
        return self._extreme(1)

    def shortest(self) -> Solution | None:
        """Return the first solution, in order, with the fewest edges; None without solutions."""
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
        """Yield all solutions in order, in arrays of up to ``batch`` rows, a column an edge."""
        checked_int(batch, "a number of rows", 1)
        for rows in self._sets.rows(self._node, batch):
            yield rows.take(self._variables, axis=1).view(np.bool_)

    def __iter__(self) -> Iterator[Solution]:
        # Faster than from sets of variables, as the edges of a row come in order.
        for chosen in self.masks(256):
            for row in chosen:
                yield Solution(self.model.board, tuple(np.flatnonzero(row).tolist()))

    def __contains__(self, solution: object) -> bool:
        """Return whether ``solution`` is one of them. O(edges)."""
        if not isinstance(solution, Solution) or solution.board != self.model.board:
            return False
        return self._sets.has(self._node, self._variables[list(solution.edges)].tolist())

    def filter(
        self,
        *,
        required: Iterable[Edge] = (),
        forbidden: Iterable[Edge] = (),
        length: Length | None = None,
        timeout: float | None = None,
    ) -> Self:
        """Return the solutions with all ``required`` and no ``forbidden`` edges, and a ``length``.

        An edge is its id or the pair of positions that it joins. ``length`` is a number of edges, a
        tuple ``(lowest, highest)`` that includes both, or a container of numbers (a range, a set).
        Raises ``ValueError`` for an edge that is not on the board, and `SearchTimeout` after
        ``timeout`` seconds. O(nodes), times the number of lengths in reach if there is a length.

        >>> from linkoracle.board import Lattice
        >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(3, 3)))
        >>> loops.filter(required=[0], length=(4, 6)).by_length()
        {4: 1, 6: 2}
        """
        needs, avoids = (
            [self._variables[self.model.board.edge_of(edge)] for edge in edges]
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

    def lightest(self, weights: Sequence[Any], *, sign: int = -1) -> Solution | None:
        """Return the first solution, in order, whose edges weigh least; ``None`` without solutions.

        ``weights`` has a number for each edge of the board, exact as it is written. With a ``sign``
        of 1, return the heaviest. Raises ``ValueError`` for other weights. O(nodes).

        >>> from linkoracle.board import Lattice
        >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(3, 3)))
        >>> loops.lightest([3] * 6 + [1] * 6).edges, loops.within([0.1] * 12, 0.6).count()
        ((7, 8, 9, 11), 8)
        """
        exact = self._weights(weights)
        if not self:
            return None
        return self._member(weighing.extreme(self._rows, self._node, exact, sign))

    def within(self, weights: Sequence[Any], budget: Any) -> Self:
        """Return the solutions whose edges weigh up to ``budget`` together.

        ``weights`` are those of `lightest`. O(nodes x intervals of budgets with the same part).
        """
        exact, limit = self._weights(weights), weighing.exact(budget)
        kept, root = weighing.within(self._rows, self._node, exact, limit)
        sets = Zdd(len(self.edge_order), memory=self._memory or sys.maxsize, kept=kept)
        return type(self)(self._plan, sets, root, self._memory)

    def chances(self, weights: Sequence[Any]) -> weighing.Chances:
        """Return what draws solutions in proportion to the product of the weights of their edges.

        ``weights`` are those of `lightest`, none below 0.
        """
        return weighing.Chances(self._rows, self._node, self._weights(weights))

    def drawn(self, chances: weighing.Chances, rng: Any) -> Solution:
        """Return a solution that ``chances`` draws."""
        return self._member(chances.draw(rng))

    @property
    def _rows(self) -> list[list[int]]:
        rows: list[list[int]] = self._sets.array().tolist()
        return rows

    def _weights(self, weights: Sequence[Any]) -> list[weighing.Weight]:
        """Return the weight of each variable."""
        if len(weights) != self.model.board.num_edges:
            number = self.model.board.num_edges
            raise ValueError(f"expected a weight for each of {number} edges, got {len(weights)}")
        exact = [*map(weighing.exact, weights)]
        return [exact[edge] for edge in self.edge_order]

    def including(self, edges: Iterable[Edge]) -> Self:
        """Return the solutions that have all of these edges."""
        return self.filter(required=edges)

    def excluding(self, edges: Iterable[Edge]) -> Self:
        """Return the solutions that have none of these edges."""
        return self.filter(forbidden=edges)

    def family(self) -> Family:
        """Return the solutions as a `Family`, for set algebra with others on the same board.

        O(nodes).
        """
        board, order = self.model.board, self._plan.given_order
        return Family.from_sets(board, self._sets, self._node, order)

    def to_dd(self, manager: Any = None) -> tuple[Any, Any]:
        """Return the solutions as a function of the package `dd`, and first its manager.

        Edge *e* is the variable ``"e<e>"``, true if a solution has the edge; the function is true
        for the solutions only. The manager is a new `dd.autoref.BDD` with the variables in the
        order of `edge_order`; or the one given, a ``BDD`` of `dd.autoref` or `dd.cudd` with
        variables in any order, to combine functions of several puzzles. A binary diagram also has
        nodes for edges that are not chosen. O(nodes x edges) calls of `dd`, some microseconds each.

        >>> from linkoracle.board import Lattice
        >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(3, 3)))
        >>> bdd, function = loops.to_dd()
        >>> function.count(nvars=loops.model.board.num_edges)
        13
        >>> (function & bdd.var("e0")).count(nvars=12) == loops.including([0]).count()
        True
        >>> all_values = bdd.pick_iter(function, care_vars=bdd.vars)
        >>> min(sorted(name for name in values if values[name]) for values in all_values)
        ['e0', 'e1', 'e10', 'e11', 'e2', 'e4', 'e6', 'e9']
        """
        return self._sets.to_dd(self._node, self.edge_order, manager)


def building(
    model: LinkModel,
    memory: int | None,
    deadline: Deadline | None = None,
    *,
    free_ends: bool = False,
    order: Sequence[int] | None = None,
) -> Generator[Step, None, Diagram]:
    """Build a `Diagram`, a step at a time.

    ``free_ends`` and ``order`` are as of `linkoracle.frontier.sweep.Sweep`.
    """
    sweep = Sweep(
        model, keep=True, memory=memory, deadline=deadline, free_ends=free_ends, order=order
    )
    kept = yield from sweep.layers()
    plan = sweep.plan
    sets = _room(plan, memory)
    return Diagram(plan, sets, from_layers(plan, sets, kept, deadline), memory)


def listed(
    model: LinkModel,
    solutions: Iterable[Sequence[int]],
    memory: int | None,
    order: Sequence[int] | None = None,
) -> Diagram:
    """Return the diagram of some solutions, each as its edges, without a pass."""
    plan = Plan(model, given_order=None if order is None else tuple(order))
    kept, root = nodes_of(sorted(plan.variables[list(edges)].tolist()) for edges in solutions)
    sets = Zdd(len(plan.edge_order), memory=memory or sys.maxsize, kept=kept)
    return Diagram(plan, sets, root, memory)


def _room(plan: Plan, memory: int | None) -> Zdd:
    """Return a diagram without nodes."""
    return Zdd(len(plan.edge_order), memory=memory or sys.maxsize)


def from_layers(
    plan: Plan, sets: Zdd, kept: list[NDArray[np.uint32]], deadline: Deadline | None = None
) -> int:
    """Return the family of all solutions, from the children of each layer.

    Works from the last layer up: drops dead nodes and merges equal ones. Empties the list ``kept``,
    to save memory.
    """
    targets = np.array([EMPTY, UNIT], dtype=np.int32)
    while kept:
        children = kept.pop()
        outs, decisions = plan.outs[len(kept)], plan.decisions[len(kept)]
        # The place behind all edges says that a path is carried on.
        masks = [
            sum(1 << len(outs) - 1 - place for place in chosen if place < len(outs))
            for chosen in decisions
        ]
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
    """Return which of the numbers 0 ... ``longest`` are allowed."""
    if isinstance(length, tuple):
        lowest, highest = (checked_int(bound, "a bound of lengths") for bound in length)
        length = range(lowest, highest + 1)
    elif not isinstance(length, Container):
        length = (checked_int(length, "a length"),)
    return np.array([number in length for number in range(longest + 1)], dtype=np.bool_)

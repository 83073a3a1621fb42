"""`Diagram`: all solutions of a model at once, as a decision diagram.

Where `linkoracle.frontier.count` forgets each layer of states when it has the next, a diagram keeps
what every decision led to. It then answers exactly, and without solving again, what would need all
solutions listed: how many have this edge, which are the longest, a uniformly random one.
"""

from __future__ import annotations

from collections.abc import Container, Generator, Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.model import LinkModel, Modelled, model_of
from linkoracle.board.solution import Solution
from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import Progress, checked_int
from linkoracle.core.randomness import big_below, seed_or_fresh, source
from linkoracle.frontier import layers as passes
from linkoracle.frontier.family import Family
from linkoracle.frontier.kernel import ACCEPT, DEAD
from linkoracle.frontier.plan import CHOSEN, Plan
from linkoracle.frontier.sweep import Step, Sweep, finished

#: Solutions that iteration unrolls at a time.
_BATCH = 1024

#: What a length may be: one number, ``(lowest, highest)``, or anything that says ``in``.
Length = int | tuple[int, int] | Container[int]


class Diagram:
    """The set of all solutions of a model, or of a part of them that `filter` chose.

    Make one with `Diagram.build`. Nothing changes it afterwards; counts are computed when first
    asked for and kept. Below, *nodes* is their number (`num_nodes`), *edges* that of the lattice.

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
    """

    def __init__(
        self,
        plan: Plan,
        nodes: NDArray[np.uint32],
        starts: NDArray[np.int64],
        memory: int | None = None,
    ) -> None:
        self._plan = plan
        self._nodes = nodes
        self._starts = starts
        self._memory = memory

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
        `linkoracle.frontier.count`.

        Time as for `count`, plus O(states) to keep them: eight bytes for each state.
        """
        return finished(cls.building(model_of(asked), memory), timeout, progress)

    @classmethod
    def building(cls, model: LinkModel, memory: int | None) -> Generator[Step, None, Self]:
        """`build`, a step at a time."""
        sweep = Sweep(model, keep=True, memory=memory)
        kept = yield from sweep.layers()
        return cls._reduced(sweep.plan, kept, memory)

    @classmethod
    def _reduced(cls, plan: Plan, kept: list[NDArray[np.uint32]], memory: int | None) -> Self:
        """Drop what leads nowhere and merge equal nodes, from the last layer up."""
        renamed = np.array([DEAD, ACCEPT], dtype=np.uint32)
        for layer in reversed(range(len(kept))):
            children = kept[layer]
            new_name = np.empty(len(children) + 2, dtype=np.uint32)
            table = np.empty(1 << (2 * len(children) + 1).bit_length(), dtype=np.int32)
            remaining = passes.reduce_layer(children, renamed, table, new_name)
            kept[layer] = children[:remaining].copy()
            renamed = new_name
        starts = np.zeros(len(kept) + 1, dtype=np.int64)
        np.cumsum([len(children) for children in kept], out=starts[1:])
        nodes = np.empty((int(starts[-1]), 2), dtype=np.uint32)
        for layer, children in enumerate(kept):
            nodes[starts[layer] : starts[layer + 1]] = children
            # Let go of each layer as its copy is made; a view would hold on to it.
            kept[layer] = nodes[:0]
        return cls(plan, nodes, starts, memory)

    # ---- what it is ----

    @property
    def model(self) -> LinkModel:
        """The model it was built from (`filter` does not change it)."""
        return self._plan.model

    @property
    def edge_order(self) -> tuple[int, ...]:
        """Edge ids in the order of the pass, which orders the solutions."""
        return self._plan.edge_order

    @property
    def num_nodes(self) -> int:
        """Nodes after reduction: eight bytes each, and 8 more for every 64 bits of a count."""
        return len(self._nodes)

    def __repr__(self) -> str:
        lattice = self.model.lattice
        return f"<Diagram of {self.count()} solutions on {lattice.rows}x{lattice.cols} vertices>"

    def _layer(self, layer: int) -> NDArray[np.uint32]:
        return self._nodes[self._starts[layer] : self._starts[layer + 1]]

    def steps_upward(self) -> Iterator[tuple[list[int], list[list[int]]]]:
        """The layers from the last to the first: the edges decided there, and all children.

        The edges are those to the right and down, -1 for none; a node has two children, encoded
        as in `linkoracle.frontier.layers`. This is the diagram for whoever wants to convert it.
        """
        edges = self._plan.edges.tolist()
        for layer in reversed(range(len(edges))):
            yield edges[layer], self._layer(layer).tolist()

    def _reserve(self, extra: int, what: str) -> None:
        held = self._nodes.nbytes + sum(rows.nbytes for rows in self.__dict__.get("_below", ()))
        if self._memory is not None and held + extra > self._memory:
            raise MemoryLimit(
                f"{what} of a diagram of {self.num_nodes} nodes needs about {extra >> 20} MB more, "
                f"over the limit of {self._memory >> 20} MB: allow more memory, or filter first"
            )

    # ---- counting ----

    @cached_property
    def _below(self) -> list[NDArray[np.uint64]]:
        """For each layer: row 0 is one solution, row k + 1 what node k leads to."""
        bits, used = 1, 0
        below = np.ones((1, 1), dtype=np.uint64)
        rows = [below]
        for layer in reversed(range(len(self._starts) - 1)):
            children = self._layer(layer)
            # Two children: at most twice the largest count.
            shape = (len(children) + 1, (bits + 1 + 63) // 64)
            used += 8 * shape[0] * shape[1]
            self._reserve(used, "counting below the nodes")
            counts = np.zeros(shape, dtype=np.uint64)
            passes.count_below(children, below, counts)
            counts[0, 0] = 1
            bits = int(passes.top_bits(counts))
            below = counts
            rows.append(below)
        return rows[::-1]

    def _solutions_below(self, layer: int, target: int) -> int:
        """How many solutions child ``target`` of a node in the layer before ``layer`` has."""
        return _integer(self._below[layer][target - 1])

    def count(self) -> int:
        """How many solutions. O(nodes) the first time."""
        return self._solutions_below(0, 2) if self._starts[1] else 0

    def __bool__(self) -> bool:
        return bool(self._starts[1])

    def edge_shares(self) -> dict[int, Fraction]:
        """For every edge, in order of ids, the exact share of solutions that choose it.

        Raises ``ValueError`` when there are no solutions. O(nodes x limbs squared).
        """
        total = self.count()
        if not total:
            raise ValueError("no solutions, hence no shares")
        digits = 2 * -(-total.bit_length() // 64)
        shares = dict.fromkeys(range(self.model.lattice.num_edges), Fraction(0))
        above, bits = np.ones((1, 1), dtype=np.uint64), 1
        for layer, edges in enumerate(self._plan.edges.tolist()):
            children = self._layer(layer)
            totals = np.zeros((4, digits), dtype=np.uint64)
            passes.share_layer(children, above, self._below[layer + 1], totals)
            by_decision = [
                sum(int(digit) << 32 * place for place, digit in enumerate(row)) for row in totals
            ]
            for edge, decisions in zip(edges, ((2, 3), (1, 3)), strict=True):
                if edge >= 0:
                    shares[edge] = Fraction(sum(by_decision[d] for d in decisions), total)
            # All ways into a layer together at most double.
            following = (
                int(self._starts[layer + 2] - self._starts[layer + 1])
                if (layer + 2 < len(self._starts))
                else 0
            )
            width = bits + len(children).bit_length() + 1
            counts = np.zeros((following, (width + 63) // 64), dtype=np.uint64)
            passes.count_above(children, above, counts)
            above, bits = counts, int(passes.top_bits(counts))
        return shares

    def by_length(self) -> dict[int, int]:
        """How many solutions have each number of edges, by increasing number, without zeros.

        O(nodes x edges); the polynomials of two layers are in memory at a time.
        """
        if not self:
            return {}
        below = np.ones((1, 1, 1), dtype=np.uint64)
        most = 0
        for layer in reversed(range(len(self._starts) - 1)):
            children = self._layer(layer)
            longest = self._longest_below[self._starts[layer] : self._starts[layer + 1]]
            most = max(0, int(longest.max(initial=0)))
            # No coefficient exceeds the count of its node.
            shape = (len(children) + 1, most + 1, self._below[layer].shape[1])
            self._reserve(below.nbytes + 8 * int(np.prod(shape)), "counting by length")
            lengths = np.zeros(shape, dtype=np.uint64)
            passes.lengths_below(children, below, lengths)
            lengths[0, 0, 0] = 1
            below = lengths
        totals = (_integer(row) for row in below[1])
        return {length: total for length, total in enumerate(totals) if total}

    # ---- choosing ----

    @cached_property
    def _longest_below(self) -> NDArray[np.int32]:
        return np.asarray(passes.extents(self._nodes, self._starts, 1))

    @cached_property
    def _shortest_below(self) -> NDArray[np.int32]:
        return -np.asarray(passes.extents(self._nodes, self._starts, -1))

    def longest(self) -> Solution | None:
        """The first solution, in order, of those with the most edges; None without solutions."""
        return self._extreme(self._longest_below)

    def shortest(self) -> Solution | None:
        """The first solution, in order, of those with the fewest edges; None without solutions."""
        return self._extreme(self._shortest_below)

    def _extreme(self, best: NDArray[np.int32]) -> Solution | None:
        if not self:
            return None
        decisions, target, layer = [], 2, 0
        while target != ACCEPT:
            node = int(self._starts[layer]) + target - 2
            for child in self._nodes[node].tolist():
                target, decision = child >> 2, child & 3
                value = CHOSEN[decision]
                if target > ACCEPT:
                    value += int(best[self._starts[layer + 1] + target - 2])
                if target != DEAD and value == best[node]:
                    break
            decisions.append(decision)
            layer += 1
        return self._solution(decisions)

    def _solution(self, decisions: list[int]) -> Solution:
        edges = self._plan.edges[: len(decisions)].tolist()
        chosen = [
            edge
            for (right, down), decision in zip(edges, decisions, strict=True)
            for edge, bit in ((right, 2), (down, 1))
            if decision & bit
        ]
        return Solution(self.model.lattice, tuple(chosen))

    def __getitem__(self, index: int) -> Solution:
        """The solution at ``index`` in order, without listing those before it.

        Negative indices count from the end; raises ``IndexError`` outside. O(steps).

        >>> from linkoracle.board.lattice import Lattice
        >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(9, 9)))
        >>> len(loops[10**15])
        60
        """
        total = self.count()
        rank = checked_int(index, "the index of a solution")
        rank += total if rank < 0 else 0
        if not 0 <= rank < total:
            raise IndexError(f"no solution {index} among {total}")
        decisions, target, layer = [], 2, 0
        while target != ACCEPT:
            first, second = self._nodes[int(self._starts[layer]) + target - 2].tolist()
            layer += 1
            child = first
            if second:
                before = self._solutions_below(layer, first >> 2)
                if rank >= before:
                    rank -= before
                    child = second
            target = child >> 2
            decisions.append(child & 3)
        return self._solution(decisions)

    def sample(self, k: int = 1, seed: int | None = None) -> list[Solution]:
        """Draw ``k`` solutions uniformly, independently and with replacement.

        Exactly uniform: an index is drawn from ``range(count())`` in whole-number arithmetic. The
        same ``seed`` gives the same solutions, on every machine and version of Python; None draws a
        fresh one. Raises ``ValueError`` when there is nothing to draw from. O(steps) for each.

        >>> from linkoracle.board.lattice import Lattice
        >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(12, 12)))
        >>> [len(loop) for loop in loops.sample(5, seed=1)]
        [112, 108, 112, 120, 112]
        """
        total = self.count()
        if checked_int(k, "a number of solutions", 0) and not total:
            raise ValueError("no solutions to draw from")
        rng = source(seed_or_fresh(seed), 0)
        return [self[big_below(rng, total)] for _ in range(k)]

    # ---- listing ----

    def masks(self, batch: int = _BATCH) -> Iterator[NDArray[np.bool_]]:
        """All solutions in order, as arrays of up to ``batch`` rows with a column for each edge."""
        checked_int(batch, "a number of rows", 1)
        if not self:
            return
        place = np.zeros(len(self._starts), dtype=np.int64)
        taken = np.zeros(len(self._starts), dtype=np.int64)
        decisions = np.empty((batch, self._plan.num_steps), dtype=np.uint8)
        right, down = self._plan.edges.T
        while found := int(passes.unroll(self._nodes, self._starts, place, taken, decisions)):
            chosen = np.zeros((found, self.model.lattice.num_edges), dtype=np.bool_)
            chosen[:, right[right >= 0]] = decisions[:found, right >= 0] >> 1 & 1
            chosen[:, down[down >= 0]] = decisions[:found, down >= 0] & 1
            yield chosen

    def __iter__(self) -> Iterator[Solution]:
        lattice = self.model.lattice
        for chosen in self.masks():
            for row in chosen:
                yield Solution(lattice, tuple(np.flatnonzero(row).tolist()))

    def __contains__(self, solution: object) -> bool:
        """Whether ``solution`` is one of them. O(steps)."""
        if not isinstance(solution, Solution) or solution.lattice != self.model.lattice:
            return False
        if not self:
            return False
        chosen = solution.mask()
        wanted = [
            (2 if right >= 0 and chosen[right] else 0) + (1 if down >= 0 and chosen[down] else 0)
            for right, down in self._plan.edges.tolist()
        ]
        target = 2
        for layer, decision in enumerate(wanted):
            node = int(self._starts[layer]) + target - 2
            for child in self._nodes[node].tolist():
                if child >> 2 != DEAD and child & 3 == decision:
                    target = child >> 2
                    break
            else:
                return False
            if target == ACCEPT:
                return not any(wanted[layer + 1 :])
        return False

    # ---- narrowing ----

    def filter(
        self,
        *,
        required: Iterable[int] = (),
        forbidden: Iterable[int] = (),
        length: Length | None = None,
    ) -> Self:
        """The solutions that have every ``required`` edge, no ``forbidden`` one, and a ``length``.

        Edges are ids. ``length`` is a number of edges, a tuple ``(lowest, highest)`` with both
        included, or a container of numbers (a range, a set). Raises ``ValueError`` for an id
        outside the lattice. O(nodes), times the number of lengths in reach if there is a length.

        >>> from linkoracle.board.lattice import Lattice
        >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(3, 3)))
        >>> loops.filter(required=[0], length=(4, 6)).by_length()
        {4: 1, 6: 2}
        """
        last = self.model.lattice.num_edges - 1
        wanted, unwanted = (
            frozenset(checked_int(edge, "the id of an edge", 0, last) for edge in edges)
            for edges in (required, forbidden)
        )
        if not self:
            return self
        steps = self._plan.edges.tolist()
        decisions = [_decisions(right, down, wanted, unwanted) for right, down in steps]
        # A solution may end at a step when no edge of a later one is required.
        needs = [bool(wanted & {right, down}) for right, down in steps]
        accepts = [not any(needs[step + 1 :]) for step in range(len(steps))]
        if length is None:
            weights, allowed = np.zeros(4, dtype=np.int64), np.ones(1, dtype=np.bool_)
            fewest = most = np.zeros(self.num_nodes, dtype=np.int32)
        else:
            weights = np.array(CHOSEN, dtype=np.int64)
            allowed = _lengths(length, int(self._longest_below[0]))
            fewest, most = self._shortest_below, self._longest_below
        kept = []
        used = 0
        pairs = np.zeros((1, 2), dtype=np.int64)
        ends = [*self._starts.tolist(), int(self._starts[-1])]
        for step in range(len(steps)):
            following = slice(ends[step + 1], ends[step + 2])
            size = following.stop - following.start
            reach = min(2 * len(pairs), size * len(allowed))
            used += 8 * len(pairs)
            self._reserve(used + 16 * reach + 4 * size * len(allowed), "filtering")
            out = np.empty((len(pairs), 2), dtype=np.uint32)
            reached = np.empty((reach, 2), dtype=np.int64)
            seen = np.full((size, len(allowed)), -1, dtype=np.int32)
            count = passes.restrict_layer(
                self._layer(step),
                pairs,
                decisions[step],
                accepts[step],
                weights,
                allowed,
                fewest[following],
                most[following],
                seen,
                out,
                reached,
            )
            kept.append(out)
            pairs = reached[:count].copy()
        return self._reduced(self._plan, kept, self._memory)

    def family(self) -> Family:
        """The solutions as a `Family`, for set algebra with others on the same lattice.

        O(nodes) calls of the decision diagram package, some microseconds each.
        """
        return Family.from_layers(self.model.lattice, self.steps_upward())


def _integer(limbs: NDArray[np.uint64]) -> int:
    return int.from_bytes(limbs.astype("<u8").tobytes(), "little")


def _decisions(right: int, down: int, wanted: frozenset[int], unwanted: frozenset[int]) -> int:
    """The decisions at a step that keep to the edges asked for, as a bitmask."""
    allowed = 0
    for decision in range(4):
        chosen = {edge for edge, bit in ((right, 2), (down, 1)) if decision & bit}
        left_out = {right, down} - chosen
        if not chosen & unwanted and not left_out & wanted:
            allowed |= 1 << decision
    return allowed


def _lengths(length: Length, longest: int) -> NDArray[np.bool_]:
    """Which of the numbers 0 ... ``longest`` are allowed."""
    allowed: Container[int]
    if isinstance(length, tuple):
        lowest, highest = (checked_int(bound, "a bound of lengths") for bound in length)
        allowed = range(lowest, highest + 1)
    elif isinstance(length, Container):
        allowed = length
    else:
        allowed = (checked_int(length, "a length"),)
    return np.array([number in allowed for number in range(longest + 1)], dtype=np.bool_)

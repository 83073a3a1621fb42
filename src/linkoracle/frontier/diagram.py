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
from linkoracle.core.limits import Deadline, Progress, checked_int
from linkoracle.core.randomness import Sample, big_below, seed_or_fresh, source
from linkoracle.frontier.counts_kernel import (
    count_above,
    count_below,
    lengths_below,
    share_layer,
)
from linkoracle.frontier.family import Family
from linkoracle.frontier.layers import NEVER, integer, reduced, unrolled
from linkoracle.frontier.layers_kernel import extents, restrict_layer
from linkoracle.frontier.pass_kernel import ACCEPT, DEAD
from linkoracle.frontier.plan import CHOSEN, Plan
from linkoracle.frontier.running import Step, finished
from linkoracle.frontier.sweep import Sweep

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
        self, plan: Plan, nodes: NDArray[np.uint32], starts: NDArray[np.int64], memory: int | None
    ) -> None:
        self._plan, self._nodes, self._starts, self._memory = plan, nodes, starts, memory

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
        cls, model: LinkModel, memory: int | None, deadline: Deadline | None = None
    ) -> Generator[Step, None, Self]:
        """`build`, a step at a time."""
        sweep = Sweep(model, keep=True, memory=memory, deadline=deadline)
        kept = yield from sweep.layers()
        return cls(sweep.plan, *reduced(kept, deadline or NEVER), memory)

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

    def _span(self, layer: int) -> slice:
        """Where the nodes of a layer are; an empty slice after the last layer."""
        return slice(*self._starts[layer : layer + 2]) if layer < self._plan.num_steps else slice(0)

    def _layer(self, layer: int) -> NDArray[np.uint32]:
        return self._nodes[self._span(layer)]

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

    @cached_property
    def _below(self) -> list[NDArray[np.uint64]]:
        """For each layer: row 0 is one solution, row k + 1 what node k leads to."""
        bits, used = 1, 0
        rows = [np.ones((1, 1), dtype=np.uint64)]
        for layer in reversed(range(len(self._starts) - 1)):
            children = self._layer(layer)
            # Two children: at most twice the largest count.
            shape = (len(children) + 1, (bits + 1 + 63) // 64)
            used += 8 * shape[0] * shape[1]
            self._reserve(used, "counting below the nodes")
            counts = np.zeros(shape, dtype=np.uint64)
            bits = max(1, count_below(children, rows[-1], counts, NEVER))
            counts[0, 0] = 1
            rows.append(counts)
        return rows[::-1]

    def _solutions_below(self, layer: int, target: int) -> int:
        """How many solutions child ``target`` of a node in the layer before ``layer`` has."""
        return integer(self._below[layer][target - 1])

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
        limbs = -(-total.bit_length() // 64)
        shares = dict.fromkeys(range(self.model.lattice.num_edges), Fraction(0))
        above, bits = np.ones((1, 1), dtype=np.uint64), 1
        for layer, (right, down) in enumerate(self._plan.edges.tolist()):
            children = self._layer(layer)
            totals = np.zeros((4, limbs), dtype=np.uint64)
            share_layer(children, above, self._below[layer + 1], totals, NEVER)
            _, below, beside, both = (integer(row) for row in totals)
            for edge, choosing in ((right, beside + both), (down, below + both)):
                if edge >= 0:
                    shares[edge] = Fraction(choosing, total)
            # All ways into a layer together at most double.
            width = bits + len(children).bit_length() + 1
            counts = np.zeros((len(self._layer(layer + 1)), (width + 63) // 64), dtype=np.uint64)
            bits = count_above(children, above, counts, NEVER)
            above = counts
        return shares

    def by_length(self) -> dict[int, int]:
        """How many solutions have each number of edges, by increasing number, without zeros.

        O(nodes x edges); the polynomials of two layers are in memory at a time.
        """
        if not self:
            return {}
        below = np.ones((1, 1, 1), dtype=np.uint64)
        for layer in reversed(range(len(self._starts) - 1)):
            children = self._layer(layer)
            most = int(self._longest_below[self._span(layer)].max(initial=0))
            # No coefficient exceeds the count of its node.
            shape = (len(children) + 1, most + 1, self._below[layer].shape[1])
            self._reserve(below.nbytes + 8 * int(np.prod(shape)), "counting by length")
            lengths = np.zeros(shape, dtype=np.uint64)
            lengths_below(children, below, lengths, NEVER)
            lengths[0, 0, 0] = 1
            below = lengths
        totals = enumerate(integer(row) for row in below[1])
        return {length: total for length, total in totals if total}

    @cached_property
    def _longest_below(self) -> NDArray[np.int32]:
        return extents(self._nodes, self._starts, 1, NEVER)

    @cached_property
    def _shortest_below(self) -> NDArray[np.int32]:
        return -extents(self._nodes, self._starts, -1, NEVER)

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
            layer += 1
            for child in self._nodes[node].tolist():
                target = child >> 2
                below = int(best[self._starts[layer] + target - 2]) if target > ACCEPT else 0
                if child and CHOSEN[child & 3] + below == best[node]:
                    break
            decisions.append(child & 3)
        return self._solution(decisions)

    def _solution(self, decisions: list[int]) -> Solution:
        chosen = np.array(decisions)[:, None] & (2, 1) > 0
        edges = self._plan.edges[: len(decisions)][chosen]
        return Solution(self.model.lattice, tuple(edges.tolist()))

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
            child, second = self._nodes[int(self._starts[layer]) + target - 2].tolist()
            layer += 1
            if second and rank >= (before := self._solutions_below(layer, child >> 2)):
                child, rank = second, rank - before
            target = child >> 2
            decisions.append(child & 3)
        return self._solution(decisions)

    def sample(self, k: int = 1, seed: int | None = None) -> Sample[Solution]:
        """Draw ``k`` solutions uniformly, independently and with replacement.

        Exactly uniform: an index is drawn from ``range(count())`` in whole-number arithmetic. The
        same ``seed`` gives the same solutions, on every machine and version of Python; ``None``
        draws a fresh one, and the list has it as ``seed``. Raises ``ValueError`` when there is
        nothing to draw from. O(steps) for each.

        >>> from linkoracle.board.lattice import Lattice
        >>> loops = Diagram.build(LinkModel.blank_loop(Lattice(12, 12)))
        >>> [len(loop) for loop in loops.sample(5, seed=1)]
        [112, 108, 112, 120, 112]
        """
        total = self.count()
        if checked_int(k, "a number of solutions", 0) and not total:
            raise ValueError("no solutions to draw from")
        seed = seed_or_fresh(seed)
        rng = source(seed, 0)
        return Sample((self[big_below(rng, total)] for _ in range(k)), seed)

    def masks(self, batch: int = 1024) -> Iterator[NDArray[np.bool_]]:
        """All solutions in order, as arrays of up to ``batch`` rows with a column for each edge."""
        checked_int(batch, "a number of rows", 1)
        if not self:
            return
        right, down = self._plan.edges.T
        for decisions in unrolled(self._nodes, self._starts, batch):
            chosen = np.zeros((len(decisions), self.model.lattice.num_edges), dtype=np.bool_)
            chosen[:, right[right >= 0]] = decisions[:, right >= 0] >> 1 & 1
            chosen[:, down[down >= 0]] = decisions[:, down >= 0] & 1
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
        wanted = self._decisions(solution)
        layer, target = 0, 2 if self else DEAD
        while target > ACCEPT:
            children = self._layer(layer)[target - 2].tolist()
            target = next((one >> 2 for one in children if one and one & 3 == wanted[layer]), DEAD)
            layer += 1
        return target == ACCEPT and not any(wanted[layer:])

    def _decisions(self, edges: Iterable[int]) -> list[int]:
        """At each step the decision that chooses those of ``edges`` that are decided there."""
        # An edge that is not there has the id -1: the last entry.
        chosen = np.zeros(self.model.lattice.num_edges + 1, dtype=np.int64)
        chosen[list(edges)] = 1
        decisions: list[int] = (chosen[self._plan.edges] @ (2, 1)).tolist()
        return decisions

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
        needs, avoids = (
            self._decisions(checked_int(edge, "the id of an edge", 0, last) for edge in edges)
            for edges in (required, forbidden)
        )
        if not self:
            return self
        if length is None:
            weights, allowed = np.zeros(4, dtype=np.int64), np.ones(1, dtype=np.bool_)
            fewest = most = np.zeros(self.num_nodes, dtype=np.int32)
        else:
            weights = np.array(CHOSEN, dtype=np.int64)
            allowed = _lengths(length, int(self._longest_below[0]))
            fewest, most = self._shortest_below, self._longest_below
        kept, used = [], 0
        pairs = np.zeros((1, 2), dtype=np.int64)
        for step, (need, avoid) in enumerate(zip(needs, avoids, strict=True)):
            decisions = sum(1 << d for d in range(4) if d & need == need and not d & avoid)
            # A solution may end at a step when no edge of a later one is required.
            rule = decisions, not any(needs[step + 1 :]), weights, allowed.view(np.uint8)
            bounds = fewest[self._span(step + 1)], most[self._span(step + 1)]
            size = len(bounds[0])
            reach = min(2 * len(pairs), size * len(allowed))
            used += 8 * len(pairs)
            self._reserve(used + 16 * reach + 4 * size * len(allowed), "filtering")
            out = np.empty((len(pairs), 2), dtype=np.uint32)
            reached = np.empty((reach, 2), dtype=np.int64)
            seen = np.full((size, len(allowed)), -1, dtype=np.int32)
            children = self._layer(step)
            count = restrict_layer(children, pairs, *rule, *bounds, seen, out, reached, NEVER)
            kept.append(out)
            pairs = reached[:count].copy()
        return type(self)(self._plan, *reduced(kept), self._memory)

    def family(self) -> Family:
        """The solutions as a `Family`, for set algebra with others on the same lattice.

        O(nodes) calls of the decision diagram package, some microseconds each.
        """
        return Family.from_layers(self.model.lattice, self.steps_upward())


def _lengths(length: Length, longest: int) -> NDArray[np.bool_]:
    """Which of the numbers 0 ... ``longest`` are allowed."""
    if isinstance(length, tuple):
        lowest, highest = (checked_int(bound, "a bound of lengths") for bound in length)
        length = range(lowest, highest + 1)
    elif not isinstance(length, Container):
        length = (checked_int(length, "a length"),)
    return np.array([number in length for number in range(longest + 1)], dtype=np.bool_)

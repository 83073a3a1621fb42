"""`SetFamily`: what a family of puzzles offers, whatever its puzzles are; `Zdd`: how it is kept.

A `Zdd` holds families of sets of small numbers as zero-suppressed decision diagrams; there a family
is a node number. These diagrams are of our own making because each is built by millions of small
operations inside compiled loops, where a call into another package would cost more than the
operation.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from linkoracle.census import zdd_kernel as kernel
from linkoracle.core.limits import check_memory, checked_int, default_limit
from linkoracle.core.randomness import big_below, seed_or_fresh, source
from linkoracle.kinds.puzzle import Cell

EMPTY, UNIT = 0, 1
#: The nodes of these two.
TERMINALS = np.array([(kernel.LAST, 0, 0)] * 2, dtype=np.int32)
#: Nodes at first. Bytes for each: three numbers, four hash entries, and four cached answers.
_NODES_AT_FIRST = 1 << 14
_BYTES_A_NODE = 12 + 4 * 4 + 4 * 16
#: Node numbers have 30 bits in the keys of the cache.
_MOST_NODES = 1 << 30


class Zdd:
    """The nodes of all families over the variables 0 to ``variables`` - 1.

    ``memory`` is a limit in bytes (default: half of what is free); `MemoryLimit` is raised when it
    does not suffice. Nodes ``kept`` from an earlier one have the same numbers here.

    >>> sets = Zdd(3)
    >>> one, other = sets.from_sets([[0, 1], [2]]), sets.from_sets([[2], [1, 2]])
    >>> list(sets.sets(sets.union(one, other)))
    [(2,), (1, 2), (0, 1)]
    """

    def __init__(
        self, variables: int, *, memory: int | None = None, kept: NDArray[np.int32] = TERMINALS
    ) -> None:
        self.variables = variables
        self._memory = memory or default_limit()
        self.nodes = kept
        self.used = np.array([len(self.nodes)], dtype=np.int64)
        self._allocate(max(_NODES_AT_FIRST, 1 << len(self.nodes).bit_length()))

    def _allocate(self, size: int) -> None:
        what = f"a diagram of {size >> 1} nodes is full, and twice as many need"
        most = min(self._memory, _MOST_NODES * _BYTES_A_NODE)
        check_memory(what, size * _BYTES_A_NODE, most)
        nodes = np.empty((size, 3), dtype=np.int32)
        nodes[: len(self.nodes)] = self.nodes
        self.nodes = nodes
        self.table = np.zeros(4 * size, dtype=np.int32)
        self.cache = np.zeros((4 * size, 2), dtype=np.int64)
        kernel.rehash(self.nodes, self.used, self.table)

    def grow(self) -> None:
        """Twice the room."""
        self._allocate(2 * len(self.nodes))

    @property
    def room(self) -> tuple[NDArray[Any], ...]:
        """The last arguments of the kernels: nodes, how many are in use, hashes and answers."""
        return self.nodes, self.used, self.table, self.cache

    def collect(self, roots: NDArray[np.int32]) -> NDArray[np.int32]:
        """Forget every node that no root needs, and return where the roots are now.

        All other node numbers become invalid.
        """
        marked = kernel.mark(self.nodes, np.append(roots, np.int32(UNIT)))
        places = np.zeros(len(marked), dtype=np.int32)
        self.used[0] = kernel.pack(self.nodes, marked, places)
        self.table[:] = 0
        self.cache[:] = 0
        kernel.rehash(self.nodes, self.used, self.table)
        return places[roots]

    def alone(self, family: int) -> int:
        """Forget every other family; the number that this one has then."""
        return int(self.collect(np.array([family], dtype=np.int32))[0])

    def apply(self, operation: np.int64, f: int, g: int = 0) -> int:
        """One of the operations of `zdd_kernel`."""
        while (found := kernel.apply(operation, f, g, self.variables, *self.room)) == kernel.FULL:
            self.grow()
        return int(found)

    def union(self, f: int, g: int) -> int:
        return self.apply(kernel.UNION, f, g)

    def from_sets(self, sets: Iterable[Iterable[int]]) -> int:
        """The family of these sets."""
        family = EMPTY
        for members in sets:
            node = UNIT
            for variable in sorted(set(members), reverse=True):
                if not 0 <= variable < self.variables:
                    raise ValueError(f"no variable {variable} among {self.variables}")
                node = self.apply(kernel.ATTACH, node, variable)
            family = self.union(family, node)
        return family

    def sets(self, family: int) -> Iterator[tuple[int, ...]]:
        """The sets, each in increasing order; those without the smallest variable first."""
        stack: list[tuple[int, tuple[int, ...]]] = [(family, ())]
        while stack:
            node, members = stack.pop()
            if node == UNIT:
                yield members
            elif node != EMPTY:
                variable, low, high = self.nodes[node].tolist()
                stack += [(high, (*members, variable)), (low, members)]

    def count(self, family: int) -> int:
        """How many sets the family has. They must be fewer than 2^63."""
        return int(self.counts(family)[family])

    def has(self, family: int, members: Iterable[int]) -> bool:
        """Whether the set of these variables is in the family. O(variables)."""
        wanted = set(members)
        node = family
        while node > UNIT:
            variable, low, high = self.nodes[node].tolist()
            node = high if variable in wanted else low
            wanted.discard(variable)
        return node == UNIT and not wanted

    def counts(self, family: int) -> NDArray[np.int64]:
        """How many sets each node below ``family`` has. They must be fewer than 2^63."""
        counts: NDArray[np.int64] = kernel.count_sets(self.nodes, self.below(family))
        return counts

    def by_size(self, family: int) -> dict[int, int]:
        """How many sets of each size, by increasing size, without zeros.

        They must be fewer than 2^63. O(nodes x sizes).
        """
        if family == EMPTY:
            return {}
        marked = self.below(family)
        ranges = kernel.size_ranges(self.nodes, marked)
        widths = np.maximum(ranges[:, 1] - ranges[:, 0] + 1, 0)
        widths[2 : len(marked)] *= marked[2:]
        starts = np.concatenate(([0], np.cumsum(widths)))
        check_memory("counting by size needs", 8 * int(starts[-1]), self._memory)
        counts = np.zeros(starts[-1], dtype=np.int64)
        kernel.count_sizes(self.nodes, marked, ranges, starts, counts)
        found = counts[starts[family] : starts[family + 1]].tolist()
        smallest = int(ranges[family, 0])
        return {smallest + place: number for place, number in enumerate(found) if number}

    def below(self, family: int) -> NDArray[np.bool_]:
        """Which nodes the family's diagram has, and the two terminals."""
        marked: NDArray[np.bool_] = kernel.mark(self.nodes, np.array([family, UNIT], np.int32))
        return marked


#: What the sets of a family stand for.
Puzzles = TypeVar("Puzzles")


def cell_number(cell: Cell, rows: int, cols: int) -> int:
    """The number of a cell, row by row; ``ValueError`` for one that the board does not have."""
    row, col = cell
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(f"the board has no cell {row},{col}")
    return row * cols + col


class SetFamily(ABC, Generic[Puzzles]):
    """Puzzles as sets of small numbers: counted, listed, sampled, filtered. Immutable.

    ``|``, ``&`` and ``-`` combine families that come from one call; ``ValueError`` for others.
    There must be fewer than 2^63 puzzles.
    """

    def __init__(self, sets: Zdd, node: int) -> None:
        self._sets, self._node = sets, node

    @abstractmethod
    def _like(self, node: int) -> Self:
        """The same kind of family with these sets."""

    @abstractmethod
    def _puzzle(self, members: tuple[int, ...]) -> Puzzles:
        """What a set stands for."""

    def count(self) -> int:
        """How many. O(nodes) the first time."""
        return int(self._counts[self._node])

    def __bool__(self) -> bool:
        return self._node != EMPTY

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return self._sets.counts(self._node)

    @property
    def num_nodes(self) -> int:
        """The nodes of the diagram behind this family."""
        return int(self._sets.below(self._node)[2:].sum())

    def __iter__(self) -> Iterator[Puzzles]:
        return (self._puzzle(members) for members in self._sets.sets(self._node))

    def __getitem__(self, index: int) -> Puzzles:
        """The one at ``index`` in the order of iteration, without listing those before it.

        Negative indices count from the end; raises ``IndexError`` outside. O(variables).
        """
        total = self.count()
        rank = checked_int(index, "the index of a puzzle")
        rank += total if rank < 0 else 0
        if not 0 <= rank < total:
            raise IndexError(f"no puzzle {index} among {total}")
        members = []
        node = self._node
        while node != UNIT:
            variable, low, high = self._sets.nodes[node].tolist()
            before = int(self._counts[low])
            if rank < before:
                node = low
            else:
                rank -= before
                members.append(variable)
                node = high
        return self._puzzle(tuple(members))

    def sample(self, k: int = 1, seed: int | None = None) -> list[Puzzles]:
        """Draw ``k`` uniformly, independently and with replacement.

        The same ``seed`` gives the same puzzles everywhere, None draws a fresh one. Raises
        ``ValueError`` when there are none.
        """
        total = self.count()
        if checked_int(k, "a number of puzzles", 0) and not total:
            raise ValueError("no puzzles to draw from")
        rng = source(seed_or_fresh(seed), 0)
        return [self[big_below(rng, total)] for _ in range(k)]

    def _combined(self, operation: np.int64, other: Self) -> Self:
        if other._sets is not self._sets:
            raise ValueError("the families do not come from one call")
        return self._like(self._sets.apply(operation, self._node, other._node))

    def __or__(self, other: Self) -> Self:
        return self._combined(kernel.UNION, other)

    def __and__(self, other: Self) -> Self:
        return self._combined(kernel.INTERSECTION, other)

    def __sub__(self, other: Self) -> Self:
        return self._combined(kernel.DIFFERENCE, other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SetFamily):
            return NotImplemented
        return other._sets is self._sets and other._node == self._node

    def __hash__(self) -> int:
        return hash((id(self._sets), self._node))

    def _narrowed(
        self,
        required: Iterable[int] = (),
        forbidden: Iterable[int] = (),
        sizes: tuple[int, int] | None = None,
    ) -> int:
        """The node of the sets with every required member, no forbidden one, and a size."""
        apply = self._sets.apply
        node = self._node
        for variable in forbidden:
            node = apply(kernel.WITHOUT, node, variable)
        for variable in required:
            node = apply(kernel.ATTACH, apply(kernel.WITH, node, variable), variable)
        if sizes is not None:
            fewest, most = sizes
            node = apply(kernel.AT_MOST, node, most) if most >= 0 else EMPTY
            if fewest > 0:
                node = apply(kernel.DIFFERENCE, node, apply(kernel.AT_MOST, node, fewest - 1))
        return node

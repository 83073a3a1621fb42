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
from typing import Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from linkoracle.census import zdd_kernel as kernel
from linkoracle.core.limits import checked_int
from linkoracle.core.randomness import Sample, big_below, seed_or_fresh, source
from linkoracle.kinds.puzzle import Cell

EMPTY, UNIT = 0, 1


class Zdd(kernel.Nodes):
    """The families over the variables 0 to ``variables`` - 1: see `zdd_kernel.Nodes`.

    >>> sets = Zdd(3)
    >>> one, other = sets.from_sets([[0, 1], [2]]), sets.from_sets([[2], [1, 2]])
    >>> list(sets.sets(sets.union(one, other)))
    [(2,), (1, 2), (0, 1)]
    """

    def alone(self, family: int) -> int:
        """Forget every other family; the number that this one has then."""
        return int(self.collect(np.array([family], dtype=np.int32))[0])

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
                variable, low, high = self.node(node)
                stack += [(high, (*members, variable)), (low, members)]

    def count(self, family: int) -> int:
        """How many sets the family has; ``OverflowError`` for 2^63 or more."""
        return int(self.counts(family)[family])

    def has(self, family: int, members: Iterable[int]) -> bool:
        """Whether the set of these variables is in the family. O(variables)."""
        wanted = set(members)
        node = family
        while node > UNIT:
            variable, low, high = self.node(node)
            node = high if variable in wanted else low
            wanted.discard(variable)
        return node == UNIT and not wanted


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
        return self._sets.num_nodes(self._node)

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
            variable, low, high = self._sets.node(node)
            before = int(self._counts[low])
            if rank < before:
                node = low
            else:
                rank -= before
                members.append(variable)
                node = high
        return self._puzzle(tuple(members))

    def sample(self, k: int = 1, seed: int | None = None) -> Sample[Puzzles]:
        """Draw ``k`` uniformly, independently and with replacement.

        The same ``seed`` gives the same puzzles everywhere, ``None`` draws a fresh one; the list
        has it as ``seed``. Raises ``ValueError`` when there are none.
        """
        total = self.count()
        if checked_int(k, "a number of puzzles", 0) and not total:
            raise ValueError("no puzzles to draw from")
        seed = seed_or_fresh(seed)
        rng = source(seed, 0)
        return Sample((self[big_below(rng, total)] for _ in range(k)), seed)

    def _combined(self, operation: int, other: Self) -> Self:
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

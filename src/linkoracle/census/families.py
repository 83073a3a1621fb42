"""`SetFamily`: what a family of puzzles offers, whatever its puzzles are."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from linkoracle.census import zdd_kernel as kernel
from linkoracle.census.zdd import EMPTY, UNIT, Zdd

#: What the sets of a family stand for.
Puzzles = TypeVar("Puzzles")


class SetFamily(ABC, Generic[Puzzles]):
    """Puzzles as sets of small numbers: counted, listed, sampled, filtered. Immutable.

    ``|``, ``&`` and ``-`` combine families that come from one call; ``ValueError`` for others.
    There must be fewer than 2^63 puzzles.
    """

    def __init__(self, sets: Zdd, node: int) -> None:
        self._sets = sets
        self._node = node

    @abstractmethod
    def _like(self, node: int) -> Self:
        """The same kind of family with these sets."""

    @abstractmethod
    def _puzzle(self, members: tuple[int, ...]) -> Puzzles:
        """What a set stands for."""

    # ---- counting ----

    def count(self) -> int:
        """How many. O(nodes) the first time."""
        return int(self._counts[self._node])

    def __bool__(self) -> bool:
        return self._node != EMPTY

    def _by_size(self) -> dict[int, int]:
        return self._sets.by_size(self._node)

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        return self._sets.counts(self._node)

    @property
    def num_nodes(self) -> int:
        """The nodes of the diagram behind this family."""
        return self._sets.size(self._node)

    # ---- choosing ----

    def __iter__(self) -> Iterator[Puzzles]:
        return (self._puzzle(members) for members in self._sets.sets(self._node))

    def __getitem__(self, index: int) -> Puzzles:
        """The one at ``index`` in the order of iteration, without listing those before it.

        Negative indices count from the end; raises ``IndexError`` outside. O(variables).
        """
        total = self.count()
        rank = index + total if index < 0 else index
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

        The same ``seed`` gives the same puzzles. Raises ``ValueError`` when there are none.
        """
        total = self.count()
        if k and not total:
            raise ValueError("no puzzles to draw from")
        source = random.Random(seed)
        return [self[source.randrange(total)] for _ in range(k)]

    # ---- algebra ----

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

    # ---- narrowing ----

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

"""`Zdd`: families of sets of small numbers; `Listed` and `SetFamily`: what their sets stand for.

In a `Zdd` a family is a node number. These diagrams have their own implementation: they are built
by millions of small operations in compiled loops, and a call of another package would cost more
than the operation. `Zdd.to_dd` hands a family to the package `dd`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from sys import maxsize
from typing import Any, Generic, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from linkoracle.core import Deadline, Sample, big_below, checked_int, seed_or_fresh, source
from linkoracle.zdd import zdd_kernel as kernel
from linkoracle.zdd.sets_kernel import Listing, SetCounts

EMPTY, UNIT = 0, 1
#: The number of sets listed at a time.
_BATCH_ROWS = 256


def nodes_of(sets: Iterable[Sequence[int]]) -> tuple[NDArray[np.int32], int]:
    """Return the nodes of a family of sets in increasing order, and its root: `Zdd` keeps them.

    O(members of all sets). Unlike operations, this takes any number of variables.

    >>> kept, root = nodes_of([(0, 2), (1, 2)])
    >>> list(Zdd(3, kept=kept).sets(root))
    [(1, 2), (0, 2)]
    """
    tree: dict[int, Any] = {}
    for members in sets:
        place = tree
        for variable in members:
            place = place.setdefault(variable, {})
        place[kernel.LAST] = {}
    # For each open place of the tree: the variables left, and the family of those done.
    stack: list[tuple[dict[int, Any], list[int]]] = [(tree, sorted(tree))]
    families = [EMPTY]
    numbers: dict[tuple[int, int, int], int] = {}
    while True:
        place, variables = stack[-1]
        if variables and variables[-1] == kernel.LAST:
            families[-1] = UNIT
            variables.pop()
        elif variables:
            below = place[variables[-1]]
            stack.append((below, sorted(below)))
            families.append(EMPTY)
        else:
            stack.pop()
            high = families.pop()
            if not stack:
                root = high
                break
            node = stack[-1][1].pop(), families[-1], high
            families[-1] = numbers.setdefault(node, len(numbers) + 2)
    rows = np.array([(kernel.LAST, 0, 0)] * 2 + list(numbers), dtype=np.int32)
    # The nodes of a variable together, after those of later variables.
    order = np.argsort(-rows[:, 0], kind="stable")
    places = np.argsort(order).astype(np.int32)
    rows = rows[order]
    rows[2:, 1:] = places[rows[2:, 1:]]
    return rows, int(places[root])


class Zdd(kernel.Nodes):
    """The families over the variables 0 to ``variables`` - 1: see `zdd_kernel.Nodes`.

    Pickled with all nodes.

    >>> sets = Zdd(3)
    >>> one, other = sets.from_sets([[0, 1], [2]]), sets.from_sets([[2], [1, 2]])
    >>> list(sets.sets(sets.union(one, other)))
    [(2,), (1, 2), (0, 1)]
    """

    def __init__(self, *_: int, memory: int | None = None, **__: Any) -> None:
        self._memory = memory

    def __reduce__(self) -> tuple[Any, ...]:
        return _kept, (type(self), self.variables, self._memory, self.array())

    def alone(self, family: int) -> int:
        """Drop every other family; return the new number of this one."""
        return int(self.collect(np.array([family], dtype=np.int32))[0])

    def union(self, f: int, g: int) -> int:
        return self.apply(kernel.UNION, f, g)

    def from_sets(self, sets: Iterable[Iterable[int]]) -> int:
        """Return the family of these sets."""
        family = EMPTY
        for members in sets:
            node = UNIT
            for variable in sorted(set(members), reverse=True):
                if not 0 <= variable < self.variables:
                    raise ValueError(f"no variable {variable} among {self.variables}")
                node = self.apply(kernel.ATTACH, node, variable)
            family = self.union(family, node)
        return family

    def rows(self, family: int, batch: int = _BATCH_ROWS) -> Iterator[NDArray[np.uint8]]:
        """Yield the sets in order, ``batch`` rows of 0 and 1 at a time, a column per variable.

        Each yield overwrites the rows of the one before.
        """
        listing = Listing(self, family)
        rows = np.empty((batch, self.variables), dtype=np.uint8)
        while number := listing.fill(rows):
            yield rows[:number]

    def sets(self, family: int) -> Iterator[tuple[int, ...]]:
        """Yield the sets, each in increasing order; those without the smallest variable first."""
        for rows in self.rows(family):
            for row in rows:
                yield tuple(np.flatnonzero(row).tolist())

    def count(self, family: int) -> int:
        """Return the number of sets of a family. O(nodes)."""
        return SetCounts(self, family)[family]

    def has(self, family: int, members: Iterable[int]) -> bool:
        """Return whether the set of these variables is in the family. O(variables)."""
        missing = set(members)
        node = family
        while node > UNIT:
            variable, low, high = self.node(node)
            node = high if variable in missing else low
            missing.discard(variable)
        return node == UNIT and not missing

    def to_dd(self, family: int, numbers: Sequence[int], manager: Any = None) -> tuple[Any, Any]:
        """Return a manager of the package `dd`, and the function that is true for the sets.

        The variables have these ``numbers``: see `linkoracle.frontier.Diagram.to_dd`.
        """
        if manager is None:
            from dd.autoref import BDD

            manager = BDD()
        names = [f"e{number}" for number in numbers]
        manager.declare(*names)
        variables = [manager.var(name) for name in names]
        alone = Zdd(self.variables)
        root = self.narrowed(family, into=alone)
        # For each node, its variable and the function of the variables from that one on.
        made = [(self.variables, manager.false), (self.variables, manager.true)]

        def lifted(node: int, to: int) -> Any:
            """Return the function of a node in which variables from ``to`` on are false, too."""
            variable, function = made[node]
            for skipped in reversed(variables[to:variable] if node else ()):
                function = manager.ite(skipped, manager.false, function)
            return function

        for variable, low, high in alone.array().tolist()[2:]:
            after = variable + 1
            function = manager.ite(variables[variable], lifted(high, after), lifted(low, after))
            made.append((variable, function))
        return manager, lifted(root, 0)

    def narrowed(
        self,
        family: int,
        required: Iterable[int] = (),
        forbidden: Iterable[int] = (),
        sizes: Iterable[bool] | None = None,
        into: Zdd | None = None,
        deadline: Deadline | None = None,
    ) -> int:
        """Return the sets with every required member, no forbidden one, and an allowed size.

        ``sizes`` says for each number of members, from 0 on, whether it is allowed. With ``into``
        the result is in that diagram. Raises `SearchTimeout` at the ``deadline``.

        >>> sets = Zdd(4)
        >>> family = sets.from_sets([[0], [0, 1], [0, 2], [0, 2, 3]])
        >>> list(sets.sets(sets.narrowed(family, [0], [3], [False, False, True])))
        [(0, 2), (0, 1)]
        """
        demands = np.zeros((2, self.variables), dtype=np.uint8)
        demands[0, list(required)] = 1
        demands[1, list(forbidden)] = 2
        if demands.all(axis=0).any():
            return EMPTY
        allowed = None if sizes is None else np.array(list(sizes), dtype=np.uint8)
        return self.part(family, demands.sum(axis=0, dtype=np.uint8), allowed, into, deadline)


def _kept(kind: type[Zdd], variables: int, memory: int | None, nodes: NDArray[np.int32]) -> Zdd:
    """Return a pickled diagram."""
    return kind(variables, memory=memory, kept=nodes)


def length_of(count: int, what: str) -> int:
    """Return a count as ``len`` takes it; raise ``OverflowError`` with what to call instead."""
    if count > maxsize:
        raise OverflowError(
            f"len() has no room for the number of {what}, 2^63 or more. Call count() instead."
        )
    return count


#: The objects that the sets of a family stand for.
Member = TypeVar("Member")


class Indexed(ABC, Generic[Member]):
    """Ordered objects, too many to list: they are counted, indexed and sampled."""

    #: The name of a member in messages.
    _kind = "puzzle"

    @abstractmethod
    def count(self) -> int:
        """Return the number of members, exactly."""

    @abstractmethod
    def _at(self, rank: int) -> Member:
        """Return the member of a rank from 0 to below `_total`."""

    def _total(self) -> int:
        """Return `count`, for work that needs the members after it."""
        return self.count()

    def __len__(self) -> int:
        """Return `count`; raises ``OverflowError`` from 2^63 on, where only `count` works."""
        return length_of(self.count(), f"{self._kind}s")

    @overload
    def __getitem__(self, index: int) -> Member: ...

    @overload
    def __getitem__(self, index: slice) -> list[Member]: ...

    def __getitem__(self, index: int | slice) -> Member | list[Member]:
        """Return the member at ``index`` in the order of iteration, without listing earlier ones.

        Negative indices count from the end; raises ``IndexError`` outside. A slice gives a list. It
        may begin and end anywhere, and have any step. O(variables) for each member.
        """
        total = self._total()
        if isinstance(index, slice):
            return [self._at(rank) for rank in range(total)[index]]
        rank = checked_int(index, f"the index of a {self._kind}")
        rank += total if rank < 0 else 0
        if not 0 <= rank < total:
            raise IndexError(f"no {self._kind} {index} among {total}")
        return self._at(rank)

    def sample(self, k: int = 1, seed: int | None = None) -> Sample[Member]:
        """Draw ``k`` uniformly, independently and with replacement.

        Exactly uniform: an index is drawn from ``range(count())`` in whole-number arithmetic. The
        same ``seed`` gives the same members, on every machine and version of Python. ``None`` draws
        a fresh seed; the list has it as ``seed``. Raises ``ValueError`` if there are no members.
        O(variables) for each.
        """
        total = self._total()
        if checked_int(k, f"a number of {self._kind}s", 0) and not total:
            raise ValueError(f"there are no {self._kind}s to draw from")
        seed = seed_or_fresh(seed)
        rng = source(seed, 0)
        return Sample((self._at(big_below(rng, total)) for _ in range(k)), seed)


class Listed(Indexed[Member]):
    """The objects that the sets of a family stand for: counted, listed, sampled.

    Immutable, so a copy is the object itself. Pickled with its nodes.
    """

    def __init__(self, sets: Zdd, node: int) -> None:
        self._sets, self._node = sets, node

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def __getstate__(self) -> dict[str, Any]:
        # Counts are computed again when needed.
        return {name: value for name, value in vars(self).items() if name != "_counts"}

    @abstractmethod
    def _member(self, variables: tuple[int, ...]) -> Member:
        """Return the object that a set stands for."""

    @cached_property
    def _counts(self) -> SetCounts:
        return SetCounts(self._sets, self._node)

    def count(self) -> int:
        """Return the number of members. O(nodes) the first time."""
        return self._counts[self._node]

    def __bool__(self) -> bool:
        return self._node != EMPTY

    @property
    def num_nodes(self) -> int:
        """The nodes of the diagram behind this family, twelve bytes each."""
        return self._sets.num_nodes(self._node)

    def __iter__(self) -> Iterator[Member]:
        return map(self._member, self._sets.sets(self._node))

    def _at(self, rank: int) -> Member:
        variables = []
        node = self._node
        while node != UNIT:
            variable, low, high = self._sets.node(node)
            if rank < (before := self._counts[low]):
                node = low
            else:
                rank -= before
                variables.append(variable)
                node = high
        return self._member(tuple(variables))


class SetFamily(Listed[Member]):
    """Puzzles as sets of small numbers, with filters and set algebra.

    ``|``, ``&`` and ``-`` combine families that come from one call; ``ValueError`` for others.
    """

    #: Why families cannot be combined, in messages.
    _origin = "do not come from one call"

    @abstractmethod
    def _like(self, node: int) -> Self:
        """Return a family of the same kind with these sets."""

    def _combined(self, operation: int, other: Self) -> Self:
        if not isinstance(other, SetFamily):
            raise TypeError(f"expected a family, got {type(other).__name__}")
        if other._sets is not self._sets:
            raise ValueError(f"the families {self._origin}")
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
        """Return the node of the sets with all required and no forbidden members, and a size."""
        allowed = None
        if sizes is not None:
            fewest, most = sizes
            allowed = [fewest <= size <= most for size in range(self._sets.variables + 1)]
        return self._sets.narrowed(self._node, required, forbidden, allowed)

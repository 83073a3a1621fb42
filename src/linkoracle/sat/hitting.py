"""`HittingSets`: minimum sets that hit all of some sets, which become known one by one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import partial
from typing import Generic, Self, TypeVar

from linkoracle.core.limits import Deadline, deferred_signals
from linkoracle.sat.clauses import PieceSolver

Member = TypeVar("Member", bound=Hashable)

#: Conflicts between two checks of the deadline.
_PIECE = 2_000


class HittingSets(Generic[Member]):
    """Minimum sets of ``members`` that have one of each `hit` set, and not all of a `spare` one.

    The MaxSAT search is PySAT's
    `Hitman <https://pysathq.github.io/docs/html/api/examples/hitman.html>`_. Use as a context
    manager, which frees it.

    >>> with HittingSets("abcd") as sets:
    ...     sets.hit("bc"), sets.hit("ad"), sets.spare("ab")
    ...     len(sets.smallest(Deadline(None))), sorted(sets.first(2, Deadline(None)))
    (None, None, None)
    (2, ['a', 'c'])
    """

    def __init__(self, members: Iterable[Member]) -> None:
        from pysat.examples.hitman import Hitman

        self._members = list(members)
        self._number = {member: number for number, member in enumerate(self._members, start=1)}
        #: The sets, as clauses over the numbers of members.
        self._clauses: list[list[int]] = []
        self._hitter = Hitman(solver="g4", htype="sorted")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # For the reasons given in `PieceSolver.close`.
        with deferred_signals():
            self._hitter.delete()

    def hit(self, some: Iterable[Member]) -> None:
        """Demand at least one of these."""
        numbers = sorted(self._number[member] for member in some)
        self._clauses.append(numbers)
        if numbers:
            self._hitter.hit(numbers)

    def spare(self, some: Iterable[Member]) -> None:
        """Demand that at least one of these is left out."""
        numbers = sorted(self._number[member] for member in some)
        self._clauses.append([-number for number in numbers])
        if numbers:
            self._hitter.block(numbers)

    def smallest(self, deadline: Deadline) -> set[Member] | None:
        """Return a minimum set; ``None`` if there is none. Raises `SearchTimeout`."""
        if [] in self._clauses:
            return None
        deadline.check()
        oracle = self._hitter.oracle
        # Like `Hitman.get`, but honours the deadline.
        model = deadline.run(partial(oracle.compute, expect_interrupt=True), oracle.interrupt)
        if model is None:
            return None
        chosen = (self._hitter.idpool.obj(variable) for variable in model if variable > 0)
        return {self._members[number - 1] for number in chosen}

    def first(self, size: int, deadline: Deadline) -> set[Member] | None:
        """Return the first set of at most ``size`` in the order of the members.

        It has the earliest member that any of them has, with that the earliest second one, and so
        on. ``None`` if there is none. Raises `SearchTimeout`.
        """
        from pysat.card import CardEnc, EncType

        numbers = [*range(1, len(self._members) + 1)]
        bound = CardEnc.atmost(numbers, size, encoding=EncType.totalizer)
        solver = PieceSolver("glucose4", _PIECE)
        try:
            for clause in [*bound.clauses, *self._clauses]:
                solver.add(clause)
            chosen: list[int] = []
            if not solver.solve([], deadline):
                return None
            found = {number for number in solver.model() if 0 < number <= len(numbers)}
            for number in numbers:
                if number not in found and solver.solve([*chosen, number], deadline):
                    found = {one for one in solver.model() if 0 < one <= len(numbers)}
                if number in found:
                    chosen.append(number)
                if len(chosen) == size:
                    break
        finally:
            solver.close()
        return {self._members[number - 1] for number in chosen}

"""Cores: clues and edges that contradict each other, none of them redundant, or as few as can be.

Which core is found depends on the clues and edges and their order alone, not on the queries that a
solver has answered before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from contextlib import closing, suppress
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from linkoracle.board import Edge
from linkoracle.core import COMPILED, Closing, Deadline, SearchTimeout, Timeout, deferred_signals
from linkoracle.engines.answers import Cell, Clue, Clues, Edges, Verdict
from linkoracle.engines.clauses import PieceSolver

Key = TypeVar("Key", bound=Hashable)


class Ask(Protocol):
    """`Oracle.ask`, or a function like it."""

    def __call__(self, clues: Clues, edges: Edges, *, core: bool, timeout: Timeout) -> Verdict: ...


class Contradict(Protocol):
    """`Oracle.contradiction`, or a function like it."""

    def __call__(
        self, clues: Clues, edges: Edges, *, core: bool, timeout: Timeout
    ) -> Verdict | None: ...


#: Clues by ``("clue", face)``, and by ``("edge", edge)`` whether the edge is chosen.
_Held = dict[tuple[str, Any], Clue | bool]

#: Seconds that making a core minimal, or the smallest, may take where no shorter limit is set.
CORE_SECONDS = 10.0

#: Conflicts between two checks of the deadline.
_PIECE = 2_000


class HittingSets(Closing, Generic[Key]):
    """Minimum sets of ``members`` that have one of each `hit` set, and not all of a `spare` one.

    The MaxSAT search is PySAT's
    `Hitman <https://pysathq.github.io/docs/html/api/examples/hitman.html>`_. A browser tab lacks
    what that needs: there, one size after another is tried. Use as a context manager, which frees
    the search.

    >>> with HittingSets("abcd") as sets:
    ...     sets.hit("bc"), sets.hit("ad"), sets.spare("ab")
    ...     len(sets.smallest(Deadline(None))), sorted(sets.first(2, Deadline(None)))
    (None, None, None)
    (2, ['a', 'c'])
    """

    def __init__(self, members: Iterable[Key]) -> None:
        self._members = list(members)
        self._number = {member: number for number, member in enumerate(self._members, start=1)}
        #: The sets, as clauses over the numbers of members.
        self._clauses: list[list[int]] = []
        self._hitter: Any = None
        #: No set is smaller than this, without a `Hitman`.
        self._least = 0
        if COMPILED:
            from pysat.examples.hitman import Hitman

            self._hitter = Hitman(solver="g4", htype="sorted")

    def close(self) -> None:
        """Free the search."""
        if self._hitter is None:
            return
        # For the reasons given in `PieceSolver.close`.
        with deferred_signals():
            self._hitter.delete()

    def hit(self, some: Iterable[Key]) -> None:
        """Demand at least one of these."""
        numbers = sorted(self._number[member] for member in some)
        self._clauses.append(numbers)
        if numbers and self._hitter is not None:
            self._hitter.hit(numbers)

    def spare(self, some: Iterable[Key]) -> None:
        """Demand that at least one of these is left out."""
        numbers = sorted(self._number[member] for member in some)
        self._clauses.append([-number for number in numbers])
        if numbers and self._hitter is not None:
            self._hitter.block(numbers)

    def smallest(self, deadline: Deadline) -> set[Key] | None:
        """Return a minimum set; ``None`` if there is none. Raises `SearchTimeout`."""
        if [] in self._clauses:
            return None
        deadline.check()
        if self._hitter is None:
            return self._by_size(deadline)
        oracle = self._hitter.oracle
        # Like `Hitman.get`, but honours the deadline.
        model = deadline.run(partial(oracle.compute, expect_interrupt=True), oracle.interrupt)
        if model is None:
            return None
        chosen = (self._hitter.idpool.obj(variable) for variable in model if variable > 0)
        return {self._members[number - 1] for number in chosen}

    def _by_size(self, deadline: Deadline) -> set[Key] | None:
        """Return what `smallest` does. More sets to hit never make a smaller one enough."""
        if self.first(len(self._members), deadline) is None:
            return None
        while (found := self.first(self._least, deadline)) is None:
            self._least += 1
        return found

    def first(self, size: int, deadline: Deadline) -> set[Key] | None:
        """Return the first set of at most ``size`` in the order of the members.

        It has the earliest member that any of them has, with that the earliest second one, and so
        on. ``None`` if there is none. Raises `SearchTimeout`.
        """
        from pysat.card import CardEnc, EncType

        numbers = [*range(1, len(self._members) + 1)]
        bound = CardEnc.atmost(numbers, size, encoding=EncType.totalizer)
        with closing(PieceSolver("glucose4", _PIECE)) as solver:
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
        return {self._members[number - 1] for number in chosen}


class Conflicts(Generic[Key]):
    """Which of some ``members`` contradict each other, as a function ``contradiction`` says.

    It returns the members of a part that contradict each other, or ``None`` if none do, and may
    raise `SearchTimeout`. ``known`` are members that contradict each other. A *core* is a set of
    members that do, all of which are needed for that. It has one of ``containing``, if there is
    such a core.

    >>> def contradiction(part):
    ...     return next((core for core in ("bd", "ace") if {*core} <= {*part}), None)
    >>> conflicts = Conflicts("abcde", contradiction, "abcde", containing="a")
    >>> conflicts.minimal(), conflicts.smallest(Deadline(None))
    (['a', 'c', 'e'], ['a', 'c', 'e'])
    """

    def __init__(
        self,
        members: Iterable[Key],
        contradiction: Callable[[list[Key]], Collection[Key] | None],
        known: Collection[Key],
        containing: Collection[Key] = (),
    ) -> None:
        self._members = list(members)
        self._bit = {member: 1 << place for place, member in enumerate(self._members)}
        self._every = (1 << len(self._members)) - 1
        self._contradiction = contradiction
        #: Sets of members, as bits: some that contradict each other, and some that do not.
        self._cores, self._fitting = [self._mask(known)], list[int]()
        self._must = self._mask(member for member in containing if member in self._bit)
        self._best = self._cores[0]
        #: The number of members of a core that is as requested.
        self._size = len(self._members) + 1

    @property
    def best(self) -> list[Key]:
        """The best set of contradictory members that is known."""
        return self._named(self._best)

    def minimal(self) -> list[Key]:
        """Return a core.

        Members go one after the other, the last first. (Deletion-based: Marques-Silva, *Minimal
        unsatisfiability: models, algorithms and applications*, ISMVL 2010.) It may have none of
        ``containing`` although some core has: `smallest` finds out. At most two queries for each
        member. After `SearchTimeout`, `best` is what was left.
        """
        left, sure = self._every, True
        if self._must and self._core(self._every & ~self._must) is not None:
            # All cores contain one of them among those that fit without.
            fitting = self._must
            for bit in self._bits(self._every & ~self._must):
                if self._core((fitting | bit) & ~self._must) is None:
                    fitting |= bit
            sure = self._core(fitting) is not None
            left = fitting if sure else left
        for bit in [*self._bits(left & ~self._must)][::-1] + [*self._bits(left & self._must)][::-1]:
            if (core := self._core(left & ~bit)) is not None:
                left &= ~bit
                self._best = core
        self._best = left
        if sure:
            self._size = left.bit_count()
        return self.best

    def smallest(self, deadline: Deadline) -> list[Key]:
        """Return the smallest core; of several the one whose members come first.

        By implicit hitting sets: a core has a member outside each set of members that fit, so none
        is smaller than a minimum hitting set of what such sets lack. (Ignatiev, Previti, Liffiton
        and Marques-Silva, *Smallest MUS extraction with minimal hitting set dualization*, CP 2015.)
        Exponential at worst. Raises `SearchTimeout`.
        """
        with HittingSets(self._members) as sets:
            if self._must:
                sets.hit(self._named(self._must))
            for fitting in self._fitting:
                sets.hit(self._named(self._every & ~self._grown(fitting)))
            while (chosen := sets.smallest(deadline)) is not None:
                if len(chosen) == self._size or self._is_core(sets, self._mask(chosen)):
                    break
            if chosen is None:
                # No core has one of them.
                self._must, self._size = 0, self._best.bit_count()
                return self.smallest(deadline)
            while (first := sets.first(len(chosen), deadline)) is not None:
                if self._is_core(sets, self._mask(first)):
                    self._best = self._mask(first)
                    break
        return self.best

    def _is_core(self, sets: HittingSets[Key], chosen: int) -> bool:
        """Whether these are a core as requested; else add sets that say why not."""
        if self._must and (core := self._core(chosen & ~self._must)) is not None:
            sets.spare(self._named(core))
            return False
        if self._core(chosen) is not None:
            return True
        while self._core(chosen) is None:
            missing = self._every & ~self._grown(chosen)
            sets.hit(self._named(missing))
            # The next set has no member of this one.
            chosen |= missing
        return False

    def _grown(self, fitting: int) -> int:
        """Return a maximal set of members that fit, with ``fitting`` among them."""
        left = self._every
        while (core := self._core(left)) is not None:
            left &= ~max(self._bits(core & ~fitting))
        for bit in self._bits(self._every & ~left):
            if self._core(left | bit) is None:
                left |= bit
        return left

    def _core(self, part: int) -> int | None:
        """Return some of these members that contradict each other; ``None`` if all fit."""
        for core in self._cores:
            if core & part == core:
                return core
        if any(part & fitting == part for fitting in self._fitting):
            return None
        found = self._contradiction(self._named(part))
        if found is None:
            self._fitting = [one for one in self._fitting if one & part != one]
            self._fitting.append(part)
            return None
        self._cores.append(self._mask(found))
        return self._cores[-1]

    def _mask(self, members: Iterable[Key]) -> int:
        return sum({self._bit[member] for member in members})

    def _named(self, mask: int) -> list[Key]:
        return [member for member in self._members if mask & self._bit[member]]

    def _bits(self, mask: int) -> list[int]:
        """Return the single members of a set, in order."""
        return [bit for bit in self._bit.values() if mask & bit]


def best_core(
    conflicts: Conflicts[Key],
    deadline: Deadline,
    preview: Callable[[list[Key]], object] | None = None,
    *,
    smallest: bool,
) -> tuple[list[Key], bool, bool]:
    """Return a core, whether it is proven to be minimal, and whether to be the smallest.

    ``preview`` gets a minimal one before the smallest is searched for.
    """
    done = [False, False]
    with suppress(SearchTimeout):
        found = conflicts.minimal()
        done[0] = True
        # A browser tab lacks what PySAT's hitting sets need.
        if smallest and COMPILED:
            if preview is not None:
                preview(found)
            conflicts.smallest(deadline)
            done[1] = True
    return conflicts.best, done[0], done[1]


def core_deadline(deadline: Deadline) -> Deadline:
    """Return the deadline of `best_core`, of a query with a ``deadline``."""
    left = deadline.left
    return Deadline(CORE_SECONDS if left is None else min(CORE_SECONDS, left / 2))


def find_core(
    ask: Ask,
    contradiction: Contradict,
    clues: Clues = (),
    edges: Edges = (),
    *,
    timeout: Timeout = None,
    order: Callable[[Any], Any] | None = None,
    containing: Collection[Any] | None = None,
    preview: Callable[[Verdict], object] | None = None,
) -> Verdict:
    """Return what `Oracle.core` returns, by the answers of these functions.

    With ``containing``, the smallest core, which has one of these clues and edges if any has.
    ``order`` is a sort key of clues and edges, as ``("clue", face)`` and ``("edge", edge)``: cores
    of what comes first are preferred. ``preview`` gets a minimal core as soon as it is known.
    """
    deadline = Deadline.of(timeout)
    # Iterators can be read only once.
    clues, edges = dict(clues), dict(edges or ())
    verdict = ask(clues, edges, core=True, timeout=deadline)
    if verdict.status != "none":
        return verdict
    limited = core_deadline(deadline)
    every = _held(clues, edges)

    def part(keys: Iterable[tuple[str, Any]]) -> Collection[tuple[str, Any]] | None:
        some = {key: every[key] for key in keys}
        found = contradiction(*_split(some), core=True, timeout=limited)
        return None if found is None else _held(found.core, found.core_edges).keys()

    def named(keys: Iterable[tuple[str, Any]], *proven: bool) -> Verdict:
        some = {*keys}
        core = {key: value for key, value in every.items() if key in some}
        return Verdict("none", (), *_split(core), *proven)

    members = sorted(every, key=order) if order else every
    known = _held(verdict.core, verdict.core_edges)
    conflicts = Conflicts(members, part, known, containing or ())
    core, minimal, smallest = best_core(
        conflicts,
        limited,
        None if preview is None else lambda found: preview(named(found, True)),
        smallest=containing is not None,
    )
    return named(core, minimal, smallest)


def _held(clues: Mapping[Cell, Any] | None, edges: Mapping[Any, Any] | None) -> _Held:
    """Return clues and edges as one mapping, without those that are ``None``."""
    both = {"clue": clues or {}, "edge": edges or {}}
    held = {(what, name): value for what, named in both.items() for name, value in named.items()}
    return {key: value for key, value in held.items() if value is not None}


def _split(held: _Held) -> tuple[dict[Cell, Clue], dict[Edge, bool]]:
    """Undo `_held`."""
    clues: dict[Cell, Clue] = {}
    edges: dict[Edge, bool] = {}
    for (what, name), value in held.items():
        if what == "clue":
            clues[name] = value
        else:
            edges[name] = bool(value)
    return clues, edges

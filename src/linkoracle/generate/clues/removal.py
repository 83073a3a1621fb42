"""`Removal`: remove clues while the puzzle stays unique; and the strategies, in which order.

`linkoracle.generate.clues.reducing` relates this to the literature.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from random import Random
from typing import Any, NamedTuple, Self

from linkoracle.board import Solution
from linkoracle.core import Deadline, NothingFound, shuffled
from linkoracle.generate.attempts import showing
from linkoracle.generate.clues import CluePlan
from linkoracle.generate.clues.layout import Evenness, Group, ZerosApart
from linkoracle.generate.evenness_kernel import Choice
from linkoracle.generate.loops.colouring import local_alternatives
from linkoracle.kinds import Slitherlink
from linkoracle.search import Alternatives, AlternativeSearch

#: Number of clues that `Course.crowded` decides before it updates the crowding: this number, or a
#: hundredth of the cells of larger boards.
_BATCH, _BATCHES = 8, 100
#: Number of queries for each cell after which the stack method gives up.
_QUERIES_PER_CELL = 40
#: Reduction may stop at the goal less this fraction of all cells, which leaves voids to fill. The
#: last few redundant clues would take half of the time.
_SLACK = 0.01


def near(full: Any, solution: Solution) -> list[tuple[int, ...]]:
    """Return the sets of faces whose counts near alternatives change.

    Given or forbidden lines, missing dots, and the rule to visit all dots may exclude near
    alternatives: then there are none.
    """
    fixed = full.given or full.forbidden or full.holes or full.fill
    return [] if fixed else local_alternatives(solution, full.ends)


class Witnesses:
    """Sets of faces that the clues must hit: those whose counts an alternative changes.

    Clues make the solution unique iff they hit the set of every alternative. If a set has a single
    clue, that clue is needed from then on. So every known alternative saves queries.

    >>> witnesses = Witnesses([{0, 1}, {1, 2}], clues=range(3))
    >>> sorted(witnesses.needed), witnesses.remove(0), witnesses.remove(2)
    ([], [1], [])
    """

    def __init__(self, alternatives: Iterable[Collection[int]], clues: Iterable[int]) -> None:
        #: For each clue, the remaining sets with it.
        self._with: dict[int, list[set[int]]] = {face: [] for face in clues}
        #: The clues that are needed.
        self.needed: set[int] = set()
        for alternative in alternatives:
            members = self._with.keys() & alternative
            for face in members:
                self._with[face].append(members)
            if len(members) == 1:
                self.needed |= members

    def remove(self, face: int) -> list[int]:
        """Remove a clue; return the clues that are newly needed. O(sets with it)."""
        now_needed: list[int] = []
        for members in self._with.pop(face, ()):
            members.discard(face)
            if len(members) == 1 and not members <= self.needed:
                self.needed |= members
                now_needed += members
        return now_needed


class Removal:
    """The clues left of the ``full`` ones of a solution.

    Removals are final; `could_remove` only tests one. ``accepts`` returns whether a set of clues
    with one solution is acceptable. ``order`` has all faces, the preferred ones of a core first.
    ``show`` is called with the clues left whenever they change. Use as a context manager.

    Raises `NothingFound` if even the full clues have another solution.
    """

    def __init__(
        self,
        full: Slitherlink,
        solution: Solution,
        accepts: Callable[[set[int]], bool],
        order: Sequence[int] | None,
        deadline: Deadline,
        show: Callable[[set[int]], object],
    ) -> None:
        self._full, self._solution, self._deadline = full, solution, deadline
        self._show = show
        self.accepts = accepts
        self.alternatives: AlternativeSearch = Alternatives(
            showing(full, ()), solution, order=order
        )
        #: The faces that have a clue.
        self.kept = set(range(len(self.alternatives.counts)))
        #: The alternatives found by queries, except in `decide`.
        self.met: list[frozenset[int]] = []
        self._witnesses: Witnesses | None = None
        if self.alternative(self.kept) is not None:
            self.alternatives.close()
            raise NothingFound("have another solution even with all clues")
        self._core = set(self.alternatives.core)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.alternatives.close()

    @property
    def queries(self) -> int:
        """The number of searches so far."""
        return self.alternatives.queries

    def core(self) -> set[int]:
        """Return a subset of the clues left that makes the solution unique."""
        if not self._core <= self.kept:
            self.alternative(self.kept)
            self._core = set(self.alternatives.core)
        return self._core

    def keep_core(self, groups: Sequence[Group], least: int | None) -> Sequence[Group]:
        """Remove clues that the proof of uniqueness does not use; return the groups left to try."""
        core = self.core()
        gone = [face for group in groups if core.isdisjoint(group) for face in group]
        left = self.kept.difference(gone)
        if len(left) < (least or 0) or (gone and not self.accepts(left)):
            return groups
        self.drop(gone)
        return [group for group in groups if not core.isdisjoint(group)]

    def alternative(self, kept: set[int], denied: Sequence[int] = ()) -> frozenset[int] | None:
        """Find an alternative that agrees on ``kept`` and differs on one of ``denied``."""
        alternative = self.alternatives.find(kept, denied, timeout=self._deadline)
        if alternative is None:
            return None
        self.met.append(alternative.changed)
        return alternative.changed

    def could_remove(self, faces: Sequence[int]) -> bool:
        """Return whether the puzzle stays acceptable without these clues."""
        if not self.needed.isdisjoint(faces):
            return False
        left = self.kept.difference(faces)
        if self.alternative(left, faces) is None:
            return self.accepts(left)
        if len(faces) == 1:
            self._keep(faces[0])
        return False

    def remove(self, faces: Sequence[int]) -> bool:
        """Remove these clues if the puzzle stays acceptable; return whether it does."""
        possible = self.could_remove(faces)
        if possible:
            self.drop(faces)
        return possible

    def drop(self, faces: Sequence[int]) -> None:
        """Remove these clues, which are known to be redundant."""
        self.alternatives.fix_clues(faces, keep=False)
        self._note(faces)

    def witnesses(self, shown: set[int], groups: Sequence[Group]) -> Witnesses:
        """Return known alternatives for the clues ``shown``, as sets of indices of groups.

        Alternatives that change any other clue are omitted.
        """
        place = {face: number for number, group in enumerate(groups) for face in group}
        needed = filter(None, map(self.alternatives.witness, shown))
        alternatives = chain(self._local, self.met, (one.changed for one in needed))
        changed = map(shown.intersection, alternatives)
        sets = ({place[face] for face in faces} for faces in changed if faces <= place.keys())
        return Witnesses(sets, range(len(groups)))

    def decide(self, faces: Sequence[int]) -> None:
        """Remove or fix each of these clues, in order. Only if every clue set is acceptable."""
        kept = self.alternatives.reduce(self.kept, faces, timeout=self._deadline)
        self._note(self.kept - kept)

    def _keep(self, face: int) -> None:
        self.needed.add(face)
        self.alternatives.fix_clues((face,), keep=True)

    def _note(self, gone: Iterable[int]) -> None:
        """Record removed clues, and those that are needed from then on."""
        self.kept.difference_update(gone)
        self._show(self.kept)
        if self._witnesses is not None:
            for face in gone:
                self.alternatives.fix_clues(self._witnesses.remove(face), keep=True)

    @cached_property
    def _local(self) -> list[tuple[int, ...]]:
        return near(self._full, self._solution)

    @property
    def needed(self) -> set[int]:
        """The clues known to be needed; computed first after many removals."""
        if self._witnesses is None:
            self._witnesses = Witnesses([*self._local, *self.met], self.kept)
            self.alternatives.fix_clues(sorted(self._witnesses.needed), keep=True)
        return self._witnesses.needed


class Removed(NamedTuple):
    """What a strategy has done: whether it has tried every clue, and how it chose clues.

    ``choice`` has the clues left to try, the most crowded first.
    """

    complete: bool
    evenness: Evenness | None = None
    choice: Choice | None = None


class Course(NamedTuple):
    """What a strategy works on; ``sweep`` are all faces, one diagonal after the other."""

    plan: CluePlan
    removal: Removal
    rng: Random
    sweep: list[int] | None

    def first_zeros(self, evenness: Evenness) -> Iterator[Group]:
        """Yield the groups of 0s that go first: those beside others.

        Where the loop is given, all 0s: where it does not run, a field of them would say little.
        """
        counts, kept = self.removal.alternatives.counts, self.removal.kept
        beside = ZerosApart(self.plan.board, counts).beside
        empty = [group for group in self.plan.groups if beside.keys() & group]
        for group in evenness.ordered(empty):
            if self.plan.is_given or any(kept & beside.get(face, set()) for face in group):
                yield group

    def fillable(self, shown: set[int]) -> list[Group]:
        """Return the groups that may follow: without a 0 beside another one.

        Where the loop is given, they have no 0.
        """
        counts, plan = self.removal.alternatives.counts, self.plan
        if plan.is_given:
            return [group for group in plan.groups if all(counts[face] for face in group)]
        apart = ZerosApart(plan.board, counts)
        for face in shown:
            apart.take((face,))
        there = [group for group in plan.groups if not shown.isdisjoint(group)]
        more = shuffled(self.rng, [group for group in plan.groups if shown.isdisjoint(group)])
        return [*there, *filter(apart.take, more)]

    def core(self) -> Sequence[Group]:
        """Remove the clues outside a core; return the groups left to try."""
        return self.removal.keep_core(self.plan.groups, self.plan.least)

    def in_order(self, groups: Sequence[Group]) -> Removed:
        """Try groups in random order, or those last that a sweep prefers."""
        undecided = shuffled(self.rng, groups)
        if self.sweep is not None:
            place = {face: number for number, face in enumerate(self.sweep)}
            undecided.sort(key=lambda group: -max(place[face] for face in group))
        if self.plan.alone:
            self.removal.decide([group[0] for group in undecided if len(group) == 1])
            undecided = [group for group in undecided if len(group) > 1]
        return Removed(self.one_by_one(undecided))

    def one_by_one(
        self,
        groups: Iterable[Group],
        stays: Callable[[Group], None] = lambda _: None,
        enough: int = 0,
    ) -> bool:
        """Try every group once, until ``enough`` clues are left; return whether all were tried.

        ``stays`` is called with groups that are needed.
        """
        removal, least = self.removal, self.plan.least
        failures = 0
        for group in groups:
            if len(removal.kept) <= enough:
                stays(group)
                return False
            if len(removal.kept) - len(group) < (least or 0):
                stays(group)
            elif removal.remove(group):
                failures = 0
            else:
                stays(group)
                failures += 1
                if failures == self.plan.max_failures:
                    return False
        return least is None or len(removal.kept) > least

    def crowded(self, choice: Choice, enough: int) -> bool:
        """Try groups, the most crowded first; return whether all were tried.

        Stops when ``enough`` clues are left, as the last ones are rarely redundant.

        Chooses a few groups at a time as if all were redundant, and restores the others before the
        next choice: a series of queries is faster than single ones.
        """
        plan, removal = self.plan, self.removal
        if not plan.alone or plan.is_symmetric:
            return self.one_by_one(choice, lambda group: choice.undo([group]), enough)
        size = max(_BATCH, plan.cells // _BATCHES)
        while batch := list(islice(choice, size)):
            if len(removal.kept) <= enough:
                choice.undo(batch)
                return False
            removal.decide([face for (face,) in batch])
            choice.undo([group for group in batch if group[0] in removal.kept])
        return True


def even(course: Course) -> Removed:
    """Remove clues outside a core, then redundant ones, the most crowded first.

    The core is the clues that the proof of uniqueness of the full board uses. Stops slightly below
    ``goal``, if there is one; clues in the largest voids come back up to there, as many as in
    published puzzles.
    """
    plan, removal = course.plan, course.removal
    evenness = Evenness(plan.board, removal.alternatives.counts, course.rng)
    if plan.is_given:
        course.one_by_one(course.first_zeros(evenness))
    undecided = course.core()
    if not (plan.is_given or plan.minimal):
        course.one_by_one(course.first_zeros(evenness))
        undecided = [group for group in undecided if not removal.kept.isdisjoint(group)]
    evenness.only(removal.kept)
    if course.sweep is not None:
        return course.in_order(undecided)._replace(evenness=evenness)
    choice = evenness.clusters(undecided)
    enough = 0 if plan.goal is None else max(0, plan.goal - round(_SLACK * plan.cells))
    return Removed(course.crowded(choice, enough), evenness, choice)


def from_core(course: Course) -> Removed:
    """Remove clues outside a core, then redundant ones, diagonal by diagonal: the fastest.

    In random order on small boards, and with options that stop early.
    """
    return course.in_order(course.core())


def at_random(course: Course) -> Removed:
    """Remove redundant clues in random order, so that every clue has an equal chance."""
    return course.in_order(course.plan.groups)


def by_prefix(course: Course) -> Removed:
    """Remove, by bisection, the longest redundant prefix of a random order; skip the next group.

    Continue after it.
    """
    removal, least = course.removal, course.plan.least
    groups = shuffled(course.rng, course.plan.groups)
    spare = len(removal.kept) - (least or 0)
    start = 0
    while start < len(groups):
        # The first `low` groups from `start` are redundant together; those up to `high` are not.
        low, high = 0, len(groups) - start + 1
        while high - low > 1:
            # Short prefixes first: about half of the groups are redundant.
            middle = min((low + high) // 2, 2 * low + 1)
            faces = [face for group in groups[start : start + middle] for face in group]
            if len(faces) <= spare and removal.could_remove(faces):
                low = middle
            else:
                high = middle
        faces = [face for group in groups[start : start + low] for face in group]
        removal.drop(faces)
        spare -= len(faces)
        start += low + 1
    return Removed(least is None or spare > 0)


def by_stack(course: Course) -> Removed:
    """Remove groups until exactly ``least`` clues are left.

    A depth-first search: if no group is redundant, restores the last one removed and tries others
    instead. After a while it restarts in another order, with twice the time. Known alternatives
    exclude most impossible removals. Raises `NothingFound` after a number of queries that grows
    with the board.
    """
    plan, removal = course.plan, course.removal
    clues, groups = plan.least, plan.groups
    assert clues is not None
    goal = len(removal.kept) - clues
    if goal < 0:
        raise NothingFound(f"have fewer than {clues} clues to choose from")
    limit = removal.queries + _QUERIES_PER_CELL * plan.cells
    #: Each removed group, with the groups left to try after it; the last one is the top.
    stack: list[tuple[Group, list[Group]]] = []
    gone: set[int] = set()
    untried = shuffled(course.rng, groups)
    backtracks, allowed = 0, len(groups)
    while len(gone) != goal:
        while untried:
            group = untried.pop()
            left = removal.kept - gone - set(group)
            if len(gone) + len(group) > goal or any(map(left.isdisjoint, removal.met)):
                continue
            alternative = removal.alternative(left, group)
            if removal.queries > limit:
                raise NothingFound(
                    f"were not reduced to {clues} clues within {_QUERIES_PER_CELL} queries per cell"
                )
            if alternative is None and removal.accepts(left):
                stack.append((group, list(untried)))
                gone.update(group)
                break
        else:
            if not stack:
                raise NothingFound(f"cannot be reduced to {clues} clues")
            group, untried = stack.pop()
            gone.difference_update(group)
            backtracks += 1
            if backtracks > allowed:
                untried = shuffled(course.rng, groups)
                stack, gone = [], set()
                backtracks, allowed = 0, 2 * allowed
    removal.drop(sorted(gone))
    return Removed(False)


#: The strategies that remove clues, and whether they begin with a core.
STRATEGIES: dict[str, tuple[Callable[[Course], Removed], bool]] = {
    "even": (even, True),
    "core": (from_core, True),
    "random": (at_random, False),
    "prefix": (by_prefix, False),
    "stack": (by_stack, False),
}

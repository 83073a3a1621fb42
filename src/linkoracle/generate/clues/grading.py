"""Puzzles of a requested grade: clues are restored to those that removal has left.

Removal does not grade: that takes longer than to decide whether a puzzle is unique. Afterwards,
clues come back where the deduction is stuck, and others may go. `linkoracle.deduce.Within` says
which puzzles have the grade.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from linkoracle.core import Deadline, NothingFound, shuffled
from linkoracle.deduce import Guessing, Reduction, Within
from linkoracle.generate.attempts import misfit, showing
from linkoracle.generate.clues.layout import Group
from linkoracle.generate.clues.removal import Course, Removal, Removed
from linkoracle.kinds import Slitherlink

#: Cells of the board for each additional batch of removals if a puzzle is too easy for a narrow
#: grade. Small boards mostly stay too easy, and another loop is faster.
_PER_BATCH = 100
#: Sorts groups, the most dispensable first.
Order = Callable[[Sequence[Group]], Sequence[Group]]
#: Adds clues to those shown, each only if the predicate still holds then, up to a number.
Fill = Callable[[set[int], Callable[[set[int]], bool], int], set[int]]
#: The largest ratio of clues to the goal if the grade needs more clues.
_DENSER = 1.08
#: How often, and by how many clues, voids are filled while the score is too high.
EASED, MORE = 3, 4
#: The fraction of the removed clues that may be restored in a puzzle of a narrow grade, and the
#: least number.
_NEAR, _NEAREST = 0.5, 40


def eased(course: Course, full: Slitherlink, removed: Removed, deadline: Deadline) -> set[int]:
    """`regraded` by counts, with as few more clues as the grade needs."""
    plan, removal, evenness = course.plan, course.removal, removed.evenness
    assert plan.grade is not None
    order: Order = partial(shuffled, course.rng)
    if evenness is not None:
        # Groups come back one after the other, each in the largest void that is left.
        evenness.only(removal.kept)
        order = evenness.filling
    regrading = Regrading(removal, full, plan.grade, plan.groups, order, deadline)
    return regrading.eased(removal.kept)


def regraded(course: Course, full: Slitherlink, removed: Removed, deadline: Deadline) -> set[int]:
    """Return the clues of a puzzle of the grade. Raises `NothingFound` if it fails."""
    plan, removal = course.plan, course.removal
    grade, groups, goal = plan.grade, plan.groups, plan.goal
    _, evenness, choice = removed
    assert grade is not None
    order = partial(shuffled, course.rng) if evenness is None else evenness.ordered
    regrading = Regrading(removal, full, grade, groups, order, deadline)
    if goal is None or evenness is None or choice is None:
        return regrading.minimal(plan.least or 0)

    def further(enough: int) -> bool:
        before = len(removal.kept)
        evenness.only(removal.kept)
        course.crowded(choice, enough)
        return len(removal.kept) < before

    def fill(shown: set[int], fits: Callable[[set[int]], bool], most: int) -> set[int]:
        return evenness.filled(shown, course.fillable(shown), most, fits)

    if grade.narrow:
        most = plan.cells // _PER_BATCH
        left = regrading.close_to(goal, lambda: further(len(removal.kept) - 1), most)
    else:
        left = regrading.as_left(goal, fill)
        if left is None:
            # With more clues than needed, it was too easy.
            further(0)
            left = regrading.as_left(goal, fill)
    if left is None:
        raise NothingFound("are not of this grade")
    return left


@dataclass
class Regrading:
    """Turns the clues left in a ``removal`` into a puzzle that ``keeps`` accepts.

    ``full`` is the board with all clues; groups are restored in an ``order``.
    """

    removal: Removal
    full: Slitherlink
    keeps: Within
    groups: Sequence[Group]
    order: Order
    deadline: Deadline

    @cached_property
    def _clues(self) -> Reduction | Guessing:
        """The predicate for subsets of clues. Made on first use: that takes several solves."""
        clues = self.keeps.clues(self.full, self.deadline)
        assert clues is not None
        return clues

    def _hidden(self, shown: set[int]) -> Sequence[Group]:
        """Return the groups without clues, in order."""
        return self.order([group for group in self.groups if shown.isdisjoint(group)])

    def _shown(self, shown: set[int]) -> Sequence[Group]:
        """Return the groups with a clue, in order."""
        return self.order([group for group in self.groups if not shown.isdisjoint(group)])

    def as_left(self, goal: int, fill: Fill) -> set[int] | None:
        """Return the clues left, with more if needed; ``None`` if the grade is not reached.

        If restored clues exceed the ``goal``, redundant ones are removed again. Voids are filled
        only if the puzzle keeps its grade.
        """
        shown = self.removal.kept
        filled = fill(shown, lambda _: True, goal)
        difference = self._compare(filled)
        if not difference:
            return filled
        if difference < 0 and len(filled) > len(shown):
            difference = self._compare(shown)
        if difference > 0:
            before = len(shown)
            shown, back = self._grown(shown)
            if len(shown) > _DENSER * max(goal, before):
                shown = self._reduced(shown, back, len(shown) - goal)
            difference = self._compare(shown)
        for _ in range(EASED):
            if difference <= 0:
                break
            shown = fill(shown, lambda _: True, len(shown) + MORE)
            difference = self._compare(shown)
        if difference:
            return None
        filled = fill(shown, lambda _: True, goal)
        if len(filled) == len(shown) or not self._compare(filled):
            return filled
        soft = self._easier
        if soft is None:
            return shown
        filled = fill(shown, lambda more: not soft.passes(more), goal)
        return shown if self._compare(filled) else filled

    def close_to(
        self, goal: int, further: Callable[[], bool], most_further: int
    ) -> set[int] | None:
        """Return clues that are slightly too few for an easier grade, or ``None``.

        While the puzzle is too easy, ``further`` removes more clues, up to ``most_further`` times;
        it returns whether it removed any. Then clues that help the deduction are restored, except
        those that would make the puzzle too easy. So it is slightly too hard for the easier grade,
        and rarely more than that. For the hardest grade, clues are restored only if the puzzle is
        too hard even for that.
        """
        for tried in range(most_further + 1):
            if tried and not further():
                break
            kept, most = set(self.removal.kept), round(_DENSER * goal)
            if len(kept) > most:
                continue
            shown = kept if self.keeps.hardest else self._approached(kept, most)
            difference = -1 if shown is None else self._compare(shown)
            if shown is kept and difference > 0:
                shown = self._approached(kept, most)
                difference = -1 if shown is None else self._compare(shown)
            if difference >= 0:
                return None if difference else shown
        return None

    def _approached(self, kept: set[int], most: int) -> set[int] | None:
        """Add up to ``most`` clues while the puzzle is not too easy; ``None`` if it already is."""
        spare, easier = self._near
        spare = [one for one in spare if kept.isdisjoint(one)]
        added = easier.approach(kept, spare, most - len(kept))
        return None if added is None else kept.union(*(spare[number] for number in added))

    @cached_property
    def _near(self) -> tuple[list[Group], Reduction]:
        """Return groups that may be restored, best first, and the predicate of an easier grade."""
        kept = self.removal.kept
        spare = list(self._hidden(kept))[::-1]
        # Placing the rules takes longer with more clues.
        near = spare[: max(_NEAREST, round(_NEAR * len(spare)))]
        easier = self.keeps.easier()
        assert easier is not None
        clues = easier.clues(showing(self.full, kept.union(*near)), self.deadline)
        assert isinstance(clues, Reduction)
        return near, clues

    @cached_property
    def _easier(self) -> Reduction | Guessing | None:
        easier = self.keeps.easier()
        return None if easier is None else easier.clues(self.full, self.deadline)

    def minimal(self, least: int) -> set[int]:
        """Restore clues where the deduction is stuck, and remove all redundant ones.

        Removes none below ``least`` clues. Raises `NothingFound` if the grade is not reached.
        """
        shown, back = self._grown(self.removal.kept)
        if len(shown) > least:
            reduced = self._reduced(shown, back, len(shown) - least)
            shown = shown if self._compare(reduced) > 0 else reduced
        if self._compare(shown) > 0:
            shown = self._less_hard(shown)
        removed = True
        while removed:
            # Some clues are redundant though techniques need them: the score allows harder ones.
            removed = False
            for group in self._shown(shown):
                fewer = shown.difference(group)
                if len(fewer) >= least and self._compare(fewer) < 1:
                    shown, removed = fewer, True
        if self._compare(shown):
            raise NothingFound("are not of this grade when solved otherwise")
        return shown

    def eased(self, shown: set[int]) -> set[int]:
        """Restore as few groups as the grade needs. Raises `NothingFound` if it is not reached."""
        found = self._less_hard(shown)
        if unfit := misfit(self.keeps, showing(self.full, found), self.deadline):
            raise NothingFound(unfit.reason)
        return found

    def _less_hard(self, shown: set[int]) -> set[int]:
        """Restore as few groups, in order, as make the puzzle easy enough.

        Raises `NothingFound` if all of them do not suffice.
        """
        spare = self._hidden(shown)[::-1]

        def is_easy(number: int) -> bool:
            return self._compare(shown.union(*spare[:number])) < 1

        # More clues rarely make a puzzle harder.
        number = bisect_left(range(len(spare) + 1), True, key=is_easy)
        if number > len(spare):
            raise NothingFound("are harder than requested with all clues")
        return shown.union(*spare[:number])

    def _reduced(self, shown: set[int], back: list[Group], most: int) -> set[int]:
        """Remove redundant clues, at most ``most``; ``back`` are groups that were restored.

        Tries all clues except those known to be needed: an alternative differs in no other clue.
        Restored groups come first, so that many are removed, which makes alternatives of other
        clues valid again.
        """
        removal, left = self.removal, len(shown) - most
        there = list(self.order(back))
        there += self._shown(removal.kept)
        shown = set(shown)
        for number in self._clues.reduce(shown, there, removal.witnesses(shown, there), most):
            if len(shown) - len(there[number]) >= left:
                shown.difference_update(there[number])
        return shown

    def _grown(self, kept: set[int]) -> tuple[set[int], list[Group]]:
        """Restore groups until the clues suffice; return all clues, and these groups."""
        spare = self._hidden(kept)[::-1]
        added = self._clues.grow(kept, spare)
        if added is None:
            raise NothingFound("are not of this grade even with all clues")
        back = [spare[number] for number in added]
        return kept.union(*back), back

    def _compare(self, shown: set[int]) -> int:
        """Compare the grade of a board with these clues: below 0 is too easy, above 0 too hard."""
        return self.keeps.check(showing(self.full, shown), self.deadline)

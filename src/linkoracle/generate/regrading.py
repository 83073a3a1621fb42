"""Choose clues so that a puzzle has a requested grade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline
from linkoracle.deduce.grading import Within
from linkoracle.deduce.reduction import Guessing, Reduction
from linkoracle.generate.easing import fewest
from linkoracle.generate.making import Group, showing
from linkoracle.generate.removal import Removal
from linkoracle.kinds import Slitherlink

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


class Regrading:
    """Turns the clues left in a ``removal`` into a puzzle that ``keeps`` accepts.

    ``full`` is the board with all clues; groups are restored in an ``order``.
    """

    def __init__(
        self,
        removal: Removal,
        full: Slitherlink,
        keeps: Within,
        groups: Sequence[Group],
        order: Order,
        deadline: Deadline,
    ) -> None:
        self._removal, self._full, self._keeps = removal, full, keeps
        self._groups, self._order, self._deadline = groups, order, deadline

    @cached_property
    def _clues(self) -> Reduction | Guessing:
        """The predicate for subsets of clues. Made on first use: that takes several solves."""
        clues = self._keeps.clues(self._full, self._deadline)
        assert clues is not None
        return clues

    def as_left(self, goal: int, fill: Fill) -> set[int] | None:
        """Return the clues left, with more if needed; ``None`` if the grade is not reached.

        If restored clues exceed the ``goal``, redundant ones are removed again. Voids are filled
        only if the puzzle keeps its grade.
        """
        shown = self._removal.kept
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
            kept, most = set(self._removal.kept), round(_DENSER * goal)
            if len(kept) > most:
                continue
            shown = kept if self._keeps.hardest else self._approached(kept, most)
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
        kept = self._removal.kept
        spare = list(self._order([one for one in self._groups if kept.isdisjoint(one)]))[::-1]
        # Placing the rules takes longer with more clues.
        near = spare[: max(_NEAREST, round(_NEAR * len(spare)))]
        easier = self._keeps.easier()
        assert easier is not None
        clues = easier.clues(showing(self._full, kept.union(*near)), self._deadline)
        assert isinstance(clues, Reduction)
        return near, clues

    @cached_property
    def _easier(self) -> Reduction | Guessing | None:
        easier = self._keeps.easier()
        return None if easier is None else easier.clues(self._full, self._deadline)

    def minimal(self, least: int) -> set[int]:
        """Restore clues where the deduction is stuck, and remove all redundant ones.

        Removes none below ``least`` clues. Raises `NothingFound` if the grade is not reached.
        """
        shown, back = self._grown(self._removal.kept)
        if len(shown) > least:
            reduced = self._reduced(shown, back, len(shown) - least)
            shown = shown if self._compare(reduced) > 0 else reduced
        if self._compare(shown) > 0:
            shown = self._less_hard(shown)
        removed = True
        while removed:
            # Some clues are redundant though techniques need them: the score allows harder ones.
            removed = False
            for group in self._order([one for one in self._groups if not shown.isdisjoint(one)]):
                fewer = shown.difference(group)
                if len(fewer) >= least and self._compare(fewer) < 1:
                    shown, removed = fewer, True
        if self._compare(shown):
            raise NothingFound("are not of this grade when solved otherwise")
        return shown

    def eased(self, shown: set[int]) -> set[int]:
        """Restore as few groups as the grade needs. Raises `NothingFound` if it is not reached."""
        if self._compare(found := self._less_hard(shown)):
            raise NothingFound("are not of this grade")
        return found

    def _less_hard(self, shown: set[int]) -> set[int]:
        """Restore as few groups, in order, as make the puzzle easy enough.

        Raises `NothingFound` if all of them do not suffice.
        """
        spare = self._order([one for one in self._groups if shown.isdisjoint(one)])[::-1]

        def is_easy(number: int) -> bool:
            return self._compare(shown.union(*spare[:number])) < 1

        return shown.union(*spare[: fewest(len(spare), is_easy)])

    def _reduced(self, shown: set[int], back: list[Group], most: int) -> set[int]:
        """Remove redundant clues, at most ``most``; ``back`` are groups that were restored.

        Tries all clues except those known to be needed: an alternative differs in no other clue.
        Restored groups come first, so that many are removed, which makes alternatives of other
        clues valid again.
        """
        removal, left = self._removal, len(shown) - most
        there = list(self._order(back))
        there += self._order([one for one in self._groups if not removal.kept.isdisjoint(one)])
        shown = set(shown)
        for number in self._clues.reduce(shown, there, removal.witnesses(shown, there), most):
            if len(shown) - len(there[number]) >= left:
                shown.difference_update(there[number])
        return shown

    def _grown(self, kept: set[int]) -> tuple[set[int], list[Group]]:
        """Restore groups until the clues suffice; return all clues, and these groups."""
        spare = self._order([one for one in self._groups if kept.isdisjoint(one)])[::-1]
        added = self._clues.grow(kept, spare)
        if added is None:
            raise NothingFound("are not of this grade even with all clues")
        back = [spare[number] for number in added]
        return kept.union(*back), back

    def _compare(self, shown: set[int]) -> int:
        """Compare the grade of a board with these clues: below 0 is too easy, above 0 too hard."""
        return self._keeps.check(showing(self._full, shown), self._deadline)

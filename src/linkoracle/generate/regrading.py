"""From the clues that make a line unique to clues that make it a puzzle of a grade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from linkoracle.core.errors import NothingFound
from linkoracle.core.limits import Deadline
from linkoracle.deduce.grading import Within
from linkoracle.deduce.guessing import Guessing
from linkoracle.deduce.thinning import Thinning
from linkoracle.generate.removal import Group, Removal, showing
from linkoracle.kinds import Slitherlink

#: Brings groups in an order, the most dispensable first.
Order = Callable[[Sequence[Group]], Sequence[Group]]
#: Adds clues to those shown, each only if what is shown then still fits.
Fill = Callable[[set[int], Callable[[set[int]], bool]], set[int]]

#: How many times the clues of the goal a puzzle may have whose grade needs more.
_DENSER = 1.08
#: The share of the clues that are gone of which some may come back to a puzzle of a narrow grade,
#: and at least how many.
_NEAR, _NEAREST = 0.5, 40


class Regrading:
    """The clues of ``full`` that are left in a ``removal`` become a puzzle that ``keeps`` wants.

    ``clues`` is what ``keeps`` says of parts of them; groups come back in an ``order``.
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
    def _clues(self) -> Thinning | Guessing:
        """Made when it is needed: that takes as long as to solve the puzzle several times."""
        clues = self._keeps.clues(self._full, self._deadline)
        assert clues is not None
        return clues

    def as_left(self, goal: int, fill: Fill) -> set[int] | None:
        """The clues that are left, with some more if need be; ``None`` if that is not as wanted.

        Of clues that come back as many go again as are too many for the ``goal``. Voids are filled
        only where the puzzle stays as wanted.
        """
        shown = self._removal.kept
        judged = self._judge(shown)
        if judged > 0:
            shown, back = self._grown(shown)
            if len(shown) > _DENSER * goal:
                shown = self._thinned(shown, back, len(shown) - goal)
            judged = self._judge(shown)
        if judged:
            return None
        filled = fill(shown, lambda _: True)
        if len(filled) == len(shown) or not self._judge(filled):
            return filled
        soft = self._easier
        if soft is None:
            return shown
        filled = fill(shown, lambda more: not soft.passes(more))
        return shown if self._judge(filled) else filled

    def close_to(
        self, goal: int, further: Callable[[], bool], most_further: int
    ) -> set[int] | None:
        """Clues that are a little too few for an easier grade; ``None`` if none are as wanted.

        While those that are left make the puzzle easier, ``further`` takes more away, up to
        ``most_further`` times; it says whether any could go. Then clues come back that lead
        deduction on, all but those that would make the puzzle easier: so it is a little too hard
        for an easier grade, and hardly ever more than that. For the hardest grade they only come
        back where the puzzle is too hard even for that.
        """
        for tried in range(most_further + 1):
            if tried and not further():
                break
            kept, most = set(self._removal.kept), round(_DENSER * goal)
            if len(kept) > most:
                continue
            shown = kept if self._keeps.hardest else self._approached(kept, most)
            judged = -1 if shown is None else self._judge(shown)
            if shown is kept and judged > 0:
                shown = self._approached(kept, most)
                judged = -1 if shown is None else self._judge(shown)
            if judged >= 0:
                return None if judged else shown
        return None

    def _approached(self, kept: set[int], most: int) -> set[int] | None:
        """With more clues, up to so many, while that is not easier; ``None``: it is without."""
        spare, easier = self._near
        spare = [one for one in spare if kept.isdisjoint(one)]
        added = easier.approach(kept, spare, most - len(kept))
        return None if added is None else kept.union(*(spare[number] for number in added))

    @cached_property
    def _near(self) -> tuple[list[Group], Thinning]:
        """Groups that may come back, the most wanted first, and what an easier grade says."""
        kept = self._removal.kept
        spare = list(self._order([one for one in self._groups if kept.isdisjoint(one)]))[::-1]
        # Rules take the longer to be laid the more clues there are.
        near = spare[: max(_NEAREST, round(_NEAR * len(spare)))]
        easier = self._keeps.easier()
        assert easier is not None
        clues = easier.clues(showing(self._full, kept.union(*near)), self._deadline)
        assert isinstance(clues, Thinning)
        return near, clues

    @cached_property
    def _easier(self) -> Thinning | Guessing | None:
        easier = self._keeps.easier()
        return None if easier is None else easier.clues(self._full, self._deadline)

    def minimal(self, least: int) -> set[int]:
        """Clues come back where the deduction stands still, and all others go that can.

        ``least`` is a number of clues below which none goes. Raises `NothingFound` when that is not
        as wanted.
        """
        shown, back = self._grown(self._removal.kept)
        if len(shown) > least:
            shown = self._thinned(shown, back, len(shown) - least)
        if self._judge(shown):
            raise NothingFound("are not of this grade when solved otherwise")
        return shown

    def _thinned(self, shown: set[int], back: list[Group], most: int) -> set[int]:
        """Without clues that can go, ``most`` of them; ``back`` are groups that came back.

        All are tried but those of which an alternative is known that no other clue excludes, for
        they stay needed. What came back comes first, so that much of it goes and the alternatives
        of others stand again.
        """
        removal, left = self._removal, len(shown) - most
        there = list(self._order(back))
        there += self._order([one for one in self._groups if not removal.kept.isdisjoint(one)])
        shown = set(shown)
        for number in self._clues.thin(shown, there, removal.witnesses(shown, there), most):
            if len(shown) - len(there[number]) >= left:
                shown.difference_update(there[number])
        return shown

    def _grown(self, kept: set[int]) -> tuple[set[int], list[Group]]:
        """The clues that are left, and what comes back until they are enough; these groups."""
        spare = self._order([one for one in self._groups if kept.isdisjoint(one)])[::-1]
        added = self._clues.grow(kept, spare)
        if added is None:
            raise NothingFound("are not of this grade even with all clues")
        back = [spare[number] for number in added]
        return kept.union(*back), back

    def _judge(self, shown: set[int]) -> int:
        """On a board made anew, which owes nothing to clues that came and went."""
        return self._keeps.judge(showing(self._full, shown), self._deadline)

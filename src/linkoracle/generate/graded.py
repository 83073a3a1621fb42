"""Puzzles of a grade: put clues back into a puzzle that is too hard, then take others away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from linkoracle.errors import NothingFound
from linkoracle.generate.hooks import Clues, Group
from linkoracle.generate.session import Session

#: Brings groups in an order, the most dispensable first.
Order = Callable[[Sequence[Group]], Sequence[Group]]


def regrade(
    session: Session, clues: Clues, groups: Sequence[Group], order: Order, least: int = 0
) -> set[int]:
    """From the clues that are left to some that pass; without any of their groups they do not.

    Clues are put back where the deduction stands still. Then all are tried again but those of which
    a rival is known that no other clue excludes, for they stay needed. ``least`` is a number of
    clues below which none goes. Raises `NothingFound` when no clues of these groups pass.
    """
    shown = set(session.kept)
    spare = order([group for group in groups if shown.isdisjoint(group)])[::-1]
    added = clues.grow(shown, spare)
    if added is None:
        raise NothingFound("even with all clues it is not of this grade")
    shown.update(face for number in added for face in spare[number])
    if len(shown) <= least:
        return shown
    # What was put back comes first, so that much of it goes and the rivals of others stand again.
    there = [
        *order([spare[number] for number in added]),
        *order([group for group in groups if not session.kept.isdisjoint(group)]),
    ]
    for number in clues.thin(shown, there, session.witnesses(shown, there)):
        if len(shown) - len(there[number]) >= least:
            shown.difference_update(there[number])
    return shown

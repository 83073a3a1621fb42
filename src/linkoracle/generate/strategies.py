"""Strategies: in which order clues are taken away from a `Removal`, and when that ends.

Each takes groups of faces whose clues come and go together. What they are called in the literature
stands in `linkoracle.generate.thinning`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING

from linkoracle.core.errors import NothingFound
from linkoracle.core.randomness import shuffled

if TYPE_CHECKING:
    from random import Random

    from linkoracle.generate.evenness import Choice
    from linkoracle.generate.removal import Group, Removal
    from linkoracle.generate.slitherlink_request import SlitherlinkRequest

#: Clues that `evenly` decides on before it looks again which is the most crowded: so many, and a
#: hundredth of the board on larger ones.
_BATCH, _BATCHES = 8, 100
#: Questions for each clue of the full board, after which the stack method gives up.
_PATIENCE = 40


def keep_core(removal: Removal, groups: list[Group], clues: int | None) -> list[Group]:
    """Remove what the proof of uniqueness does not need; the groups that are left to try."""
    core = removal.core()
    gone = [face for group in groups if core.isdisjoint(group) for face in group]
    left = removal.kept.difference(gone)
    if len(left) < (clues or 0) or (gone and not removal.wanted(left)):
        return groups
    removal.drop(gone)
    return [group for group in groups if not core.isdisjoint(group)]


def evenly(
    removal: Removal,
    choice: Choice,
    request: SlitherlinkRequest,
    alone: bool,
    enough: int,
) -> bool:
    """Try groups, the most crowded first; whether all were tried.

    No more are tried when ``enough`` clues are left: the last are those that seldom can go.

    A few are chosen at a time, as if all of them could go, and those that cannot are put back
    before the next are chosen: a series of questions is faster than its questions one by one.
    """
    if not alone or request.symmetry != "none":
        return one_by_one(removal, choice, request, lambda group: choice.undo([group]), enough)
    size = max(_BATCH, request.rows * request.cols // _BATCHES)
    while batch := list(islice(choice, size)):
        if len(removal.kept) <= enough:
            choice.undo(batch)
            return False
        removal.decide([face for (face,) in batch])
        choice.undo([group for group in batch if group[0] in removal.kept])
    return True


def one_by_one(
    removal: Removal,
    groups: Iterable[Group],
    request: SlitherlinkRequest,
    stays: Callable[[Group], None] = lambda _: None,
    enough: int = 0,
) -> bool:
    """Try every group once, until ``enough`` clues are left; whether that was done to the end.

    ``stays`` is told which groups cannot go.
    """
    failures = 0
    for group in groups:
        if len(removal.kept) <= enough:
            stays(group)
            return False
        if len(removal.kept) - len(group) < (request.clues or 0):
            stays(group)
        elif removal.remove(group):
            failures = 0
        else:
            stays(group)
            failures += 1
            if failures == request.max_failures:
                return False
    return request.clues is None or len(removal.kept) > request.clues


def by_prefix(removal: Removal, groups: list[Group], clues: int | None) -> bool:
    """Remove the longest prefix that can go, skip what comes next, and so on."""
    spare = len(removal.kept) - (clues or 0)
    start = 0
    while start < len(groups):
        # The first `low` groups from `start` can go together; those up to `high` cannot.
        low, high = 0, len(groups) - start + 1
        while high - low > 1:
            # Short prefixes first: about half of the groups can go, so most ends are near.
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
    return clues is None or spare > 0


def by_stack(removal: Removal, request: SlitherlinkRequest, rng: Random) -> None:
    """Take groups away until exactly ``request.clues`` clues are left.

    A depth-first search: where no group can go any more, the last one that went is put back and
    others are tried in its place. After a while of this it starts anew in another order, and allows
    itself twice as long. Most removals that are impossible are known by the alternatives met.
    Raises `NothingFound` after a number of questions that grows with the board.
    """
    clues, groups = request.clues, request.groups
    assert clues is not None
    goal = len(removal.kept) - clues
    if goal < 0:
        raise NothingFound(f"have fewer clues that may stand than {clues}")
    patience = removal.questions + _PATIENCE * request.rows * request.cols
    #: For each group that has gone, what can still be tried beside it; the last one is the top.
    stack: list[tuple[Group, list[Group]]] = []
    gone: set[int] = set()
    untried = shuffled(rng, groups)
    backtracks, allowed = 0, len(groups)
    while len(gone) != goal:
        while untried:
            group = untried.pop()
            left = removal.kept - gone - set(group)
            if len(gone) + len(group) > goal or any(map(left.isdisjoint, removal.met)):
                continue
            alternative = removal.alternative(left, group)
            if removal.questions > patience:
                raise NothingFound(f"have no way to {clues} clues that was found")
            if alternative is None and removal.wanted(left):
                stack.append((group, list(untried)))
                gone.update(group)
                break
        else:
            if not stack:
                raise NothingFound(f"have no way to {clues} clues")
            group, untried = stack.pop()
            gone.difference_update(group)
            backtracks += 1
            if backtracks > allowed:
                untried = shuffled(rng, groups)
                stack, gone = [], set()
                backtracks, allowed = 0, 2 * allowed
    removal.drop(sorted(gone))

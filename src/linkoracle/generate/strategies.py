"""Strategies: the order in which clues are removed from a `Removal`, and when to stop.

Each takes groups of faces whose clues are removed together. `linkoracle.generate.reducing` relates
them to the literature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING

from linkoracle.core.errors import NothingFound
from linkoracle.core.randomness import shuffled

if TYPE_CHECKING:
    from random import Random

    from linkoracle.generate.evenness_kernel import Choice
    from linkoracle.generate.making import Group
    from linkoracle.generate.removal import Removal
    from linkoracle.generate.slitherlink_request import SlitherlinkRequest

#: Number of clues that `evenly` decides before it updates the crowding: this number, or a hundredth
#: of the cells of larger boards.
_BATCH, _BATCHES = 8, 100
#: Number of queries for each cell after which the stack method gives up.
_QUERIES_PER_CELL = 40


def keep_core(removal: Removal, groups: list[Group], clues: int | None) -> list[Group]:
    """Remove clues that the proof of uniqueness does not use; return the groups left to try."""
    core = removal.core()
    gone = [face for group in groups if core.isdisjoint(group) for face in group]
    left = removal.kept.difference(gone)
    if len(left) < (clues or 0) or (gone and not removal.accepts(left)):
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
    """Try groups, the most crowded first; return whether all were tried.

    Stops when ``enough`` clues are left, as the last ones are rarely redundant.

    Chooses a few groups at a time as if all were redundant, and restores the others before the next
    choice: a series of queries is faster than single ones.
    """
    if not alone or request.is_symmetric:
        return one_by_one(removal, choice, request, lambda group: choice.undo([group]), enough)
    size = max(_BATCH, request.cells // _BATCHES)
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
    """Try every group once, until ``enough`` clues are left; return whether all were tried.

    ``stays`` is called with groups that are needed.
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
    """Remove the longest redundant prefix, skip the next group, and so on."""
    spare = len(removal.kept) - (clues or 0)
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
    return clues is None or spare > 0


def by_stack(removal: Removal, request: SlitherlinkRequest, rng: Random) -> None:
    """Remove groups until exactly ``request.clues`` clues are left.

    A depth-first search: if no group is redundant, restores the last one removed and tries others
    instead. After a while it restarts in another order, with twice the time. Known alternatives
    exclude most impossible removals. Raises `NothingFound` after a number of queries that grows
    with the board.
    """
    clues, groups = request.clues, request.groups
    assert clues is not None
    goal = len(removal.kept) - clues
    if goal < 0:
        raise NothingFound(f"have fewer than {clues} clues to choose from")
    limit = removal.queries + _QUERIES_PER_CELL * request.cells
    #: Each removed group, with the groups left to try after it; the last one is the top.
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
                untried = shuffled(rng, groups)
                stack, gone = [], set()
                backtracks, allowed = 0, 2 * allowed
    removal.drop(sorted(gone))

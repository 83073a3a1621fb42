"""The stack method: reach a given number of clues, going back where there is no way on."""

from __future__ import annotations

from random import Random

from linkoracle.errors import NothingFound
from linkoracle.generate.randomness import shuffled
from linkoracle.generate.session import Session

#: Questions for each clue of the full board, after which the method gives up.
_PATIENCE = 40


def by_stack(session: Session, groups: list[tuple[int, ...]], clues: int, rng: Random) -> None:
    """Take groups away until exactly ``clues`` clues are left.

    A depth-first search: where no group can go any more, the last one that went is put back and
    others are tried in its place. After a while of this it starts anew in another order, and allows
    itself twice as long. What every rival changes is kept in mind, and most removals that are
    impossible are recognised by it without a question.

    Raises `NothingFound` after a number of questions that grows with the board.
    """
    goal = len(session.kept) - clues
    if goal < 0:
        raise NothingFound(f"there are {len(session.kept)} clues, fewer than {clues}")
    patience = session.questions + _PATIENCE * len(session.rivals.counts)
    rivals: list[frozenset[int]] = []
    #: For each group that has gone, what can still be tried beside it; the last one is the top.
    stack: list[tuple[tuple[int, ...], list[tuple[int, ...]]]] = []
    gone: set[int] = set()
    untried = shuffled(rng, groups)
    backtracks, allowed = 0, len(groups)
    while len(gone) != goal:
        while untried:
            group = untried.pop()
            if len(gone) + len(group) > goal:
                continue
            left = session.kept - gone - set(group)
            if any(rival.isdisjoint(left) for rival in rivals):
                continue
            rival = session.rival(left, group)
            if session.questions > patience:
                raise NothingFound(f"no way to {clues} clues was found")
            if rival is not None:
                rivals.append(rival)
                continue
            if not session.wanted(left):
                continue
            stack.append((group, list(untried)))
            gone.update(group)
            break
        else:
            if not stack:
                raise NothingFound(f"there is no way to {clues} clues")
            group, untried = stack.pop()
            gone.difference_update(group)
            backtracks += 1
            if backtracks > allowed:
                untried = shuffled(rng, groups)
                stack, gone = [], set()
                backtracks, allowed = 0, 2 * allowed
    session.remove_at_once(sorted(gone), known_unique=True, known_kept=True)

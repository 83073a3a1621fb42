"""What SAT does for a `linkoracle.engines.Question` about a board to be filled, by way of the board
whose cells may stay empty.

That one has more solutions, but only taut ones have to be sought. Loaded when it is its turn: most
boards are decided without.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from linkoracle.core.errors import ConflictLimit
from linkoracle.core.randomness import source
from linkoracle.sat.filling import Filling, fills

if TYPE_CHECKING:
    from random import Random

    from linkoracle.board.solution import Solution
    from linkoracle.core.limits import Deadline
    from linkoracle.engines import Question, Work
    from linkoracle.sat.oracle import Oracle

#: Which shares of the vertices are assumed to belong to the paths of a taut solution, one after the
#: other, and for how many conflicts each.
_SHARES, _NEAR = (0.5, 0.3, 0.2, 0.15, 0.1), 2_000

#: Conflicts for which another taut solution is sought at first, and as which one counts that is
#: found.
_LISTED, _FOUND = 10_000, 1_000


def decided(asked: Question, dear: float, enough: float) -> Work[tuple[Solution, ...] | None]:
    """All solutions, if there is one at the most, or ``enough`` of them; ``None`` if not known.

    If the free board has one at the most, all is known. Otherwise they are sought near its own
    ones. Whether there are any nobody knows, so that conflicts are as ``dear`` from then on as lets
    all others have their turns.
    """
    freed = asked.model.freed
    if freed is None:
        return None
    with asked.opened(freed) as oracle:
        found = yield from asked.asking(oracle)
        if len(found) < 2:
            return tuple(one for one in found if fills(asked.model, one))
        if enough == inf:
            return None
        with Filling(asked.model, asked.solver, asked.deadline) as filling:
            yield from _fill(asked, filling, oracle, list(found), dear, enough)
        return tuple(filling.solutions) if len(filling.solutions) >= enough else None


def _fill(
    asked: Question,
    filling: Filling,
    oracle: Oracle,
    taut: list[Solution],
    dear: float,
    enough: float,
) -> Work[None]:
    """Have ``enough`` solutions, near ``taut`` ones and others, or no more of these."""
    deadline, rng, effort = asked.deadline, source(0, 0), _LISTED
    tried = 0
    while len(filling.solutions) < enough:
        if tried == len(taut):
            try:
                another = oracle.another_taut_within(taut, deadline.with_conflicts(effort))
            except ConflictLimit:
                yield effort * dear
                effort *= 2
                continue
            yield _FOUND * dear
            if another is None:
                return
            taut.append(another)
        one = taut[tried]
        tried += 1
        if fills(asked.model, one):
            filling.add(one)
            continue
        for share in _SHARES:
            yield from _near(filling, one, share, rng, deadline, dear, enough)


def _near(
    filling: Filling,
    taut: Solution,
    share: float,
    rng: Random,
    deadline: Deadline,
    dear: float,
    enough: float,
) -> Work[None]:
    """Add solutions near a taut one, up to ``enough`` in all, until they become rare."""
    try:
        while len(filling.solutions) < enough:
            if not filling.near(taut, share, rng, deadline.with_conflicts(_NEAR)):
                return
    except ConflictLimit:
        yield _NEAR * dear

"""Solve a board to be filled by way of its relaxation, the board whose cells may stay empty.

The relaxation has more solutions, but only taut ones have to be sought. `linkoracle.engines` loads
this module when it first needs it: most boards are decided without.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from linkoracle.core.errors import ConflictLimit
from linkoracle.core.randomness import source
from linkoracle.sat.filling import Filling, fills

if TYPE_CHECKING:
    from random import Random

    from linkoracle.board.model import LinkModel
    from linkoracle.board.solution import Solution
    from linkoracle.core.limits import Deadline, Work
    from linkoracle.sat.oracle import Oracle

#: Fractions of the vertices that are assumed to belong to the paths of a taut solution, one after
#: the other, and the conflict budget for each.
_SHARES, _NEAR = (0.5, 0.3, 0.2, 0.15, 0.1), 2_000

#: First conflict budget for another taut solution, and the cost in conflicts of one found.
_LISTED, _FOUND = 10_000, 1_000


def filling_solutions(
    model: LinkModel,
    solver: str | None,
    oracle: Oracle,
    taut: tuple[Solution, ...],
    deadline: Deadline,
    conflict_cost: float,
    enough: float,
) -> Work[tuple[Solution, ...] | None]:
    """Return all solutions if there is at most one, or ``enough``; ``None`` if undecided.

    ``oracle`` is the oracle of the relaxation of ``model``, and ``taut`` are up to two solutions of
    that; fewer than two are all, and the answer is known. Otherwise solutions are sought near those
    of the relaxation. It is unknown whether any exist, so each conflict then costs
    ``conflict_cost``, which gives the other engines their turns.
    """
    if len(taut) < 2:
        return tuple(one for one in taut if fills(model, one))
    if enough == inf:
        return None
    with Filling(model, solver, deadline) as filling:
        yield from _fill(filling, oracle, list(taut), deadline, conflict_cost, enough)
    return tuple(filling.solutions) if len(filling.solutions) >= enough else None


def _fill(
    filling: Filling,
    oracle: Oracle,
    taut: list[Solution],
    deadline: Deadline,
    conflict_cost: float,
    enough: float,
) -> Work[None]:
    """Find ``enough`` solutions near ``taut`` ones, or all that are near them."""
    rng, effort, tried = source(0, 0), _LISTED, 0
    while len(filling.solutions) < enough:
        if tried == len(taut):
            try:
                another = oracle.another_taut(taut, deadline.with_conflicts(effort))
            except ConflictLimit:
                yield effort * conflict_cost
                effort *= 2
                continue
            yield _FOUND * conflict_cost
            if another is None:
                return
            taut.append(another)
        one = taut[tried]
        tried += 1
        if fills(filling.model, one):
            filling.add(one)
            continue
        for share in _SHARES:
            yield from _near(filling, one, share, rng, deadline, conflict_cost, enough)


def _near(
    filling: Filling,
    taut: Solution,
    share: float,
    rng: Random,
    deadline: Deadline,
    conflict_cost: float,
    enough: float,
) -> Work[None]:
    """Add solutions near a taut one, up to a total of ``enough``, until they become rare."""
    try:
        while len(filling.solutions) < enough:
            if not filling.near(taut, share, rng, deadline.with_conflicts(_NEAR)):
                return
    except ConflictLimit:
        yield _NEAR * conflict_cost

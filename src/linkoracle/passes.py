"""What the frontier engine does for a `linkoracle.engines.Question`, in turns with the other one.

All of this is loaded when it is first its turn: small boards are decided without.
"""

from __future__ import annotations

from itertools import islice
from sys import maxsize
from typing import TYPE_CHECKING

from linkoracle.core.limits import default_limit
from linkoracle.frontier.counts import counting, ranked_board
from linkoracle.sat.answers import Tally

if TYPE_CHECKING:
    from linkoracle.board.lattice import Solution
    from linkoracle.engines import Question, Work
    from linkoracle.frontier import Diagram


def building(asked: Question) -> Work[Diagram]:
    """All solutions."""
    from linkoracle.frontier import Diagram

    room = asked.memory or default_limit()
    steps = Diagram.building_within(asked.model, room, asked.deadline)
    return (yield from asked.timed(steps))


def tallied(asked: Question, limit: int | None, *, keep: bool, word: float) -> Work[Tally]:
    """The number of solutions up to ``limit``; with ``keep`` they are kept.

    ``word`` is what a word costs at a vertex, where they are counted with ranks.
    """
    room = asked.memory or default_limit()
    kept: tuple[Solution, ...] = ()
    if keep:
        everything = yield from building(asked)
        number = everything.count()
        most = maxsize if limit is None else min(max(limit, 2), maxsize)
        kept = tuple(islice(everything, most))
    else:
        # Alone and without a limit, there is nobody to whom it has to come back.
        watched = asked.engine == "auto" or asked.timeout is not None or asked.progress is not None
        board = ranked_board(asked.model)
        passes = counting(asked.model, board, room, asked.deadline, by_step=watched)
        if board is None:
            number = yield from asked.timed(passes)
        else:
            number = yield from asked.timed(passes, word * board.width)
    if limit is not None and number > limit:
        return Tally(limit, False, "frontier", kept)
    return Tally(number, True, "frontier", kept)

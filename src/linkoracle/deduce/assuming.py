"""What grading takes for granted: that there is one solution, where nobody could tell without."""

from __future__ import annotations

from typing import NamedTuple

from linkoracle.board.model import LinkModel
from linkoracle.core.limits import Deadline
from linkoracle.engines import Query
from linkoracle.sat.answers import Verdict

#: Conflicts after which SAT, too, gives up a board: some tenths of a second, and some seconds where
#: the techniques stand still without its word.
PATIENCE, PATIENT = 10_000, 100_000


class Assumed(NamedTuple):
    """What a `linkoracle.deduce.board.DeductionState` takes for granted, as its arguments.

    ``freed`` is ``None`` where it was too hard to tell.
    """

    uniqueness: bool
    freed: bool | None


def assumed(
    model: LinkModel,
    uniqueness: bool | None,
    deadline: Deadline,
    conflicts: int = PATIENCE,
) -> Assumed:
    """What may be taken for granted when ``uniqueness`` is allowed, or not, or nothing is said.

    Where paths may leave cells empty hardly anything can be said without, so that it is allowed by
    default. Where they use all cells, arguments about empty cells are allowed if there is one
    solution even when cells may stay empty: SAT tells, and if it does not, they are not allowed.
    `SearchTimeout` at the deadline.

    >>> from linkoracle.board.lattice import Lattice
    >>> free = LinkModel.blank_paths(Lattice(2, 2), [(0, 1)])
    >>> assumed(free, None, Deadline(None))
    Assumed(uniqueness=True, freed=False)
    >>> full = LinkModel.blank_paths(Lattice(1, 3), [(0, 2)], cover=True)
    >>> assumed(full, None, Deadline(None)), assumed(full, False, Deadline(None))
    (Assumed(uniqueness=False, freed=True), Assumed(uniqueness=False, freed=False))
    """
    uniqueness, asked = (model.is_free, True) if uniqueness is None else (uniqueness, uniqueness)
    if not asked or model.freed is None:
        return Assumed(uniqueness, freed=False)
    verdict = decided(model.freed, deadline, conflicts)
    return Assumed(uniqueness, freed=None if verdict is None else verdict.unique)


def decided(model: LinkModel, deadline: Deadline, conflicts: int = PATIENCE) -> Verdict | None:
    """Whether there is one solution; ``None`` when so many conflicts do not tell."""
    question = Query(model)
    question.deadline = deadline
    return question.decide_briefly(conflicts)

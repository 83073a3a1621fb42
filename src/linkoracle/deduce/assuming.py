"""Assumptions of grading: that the solution is unique, if deduction needs this."""

from __future__ import annotations

from typing import NamedTuple

from linkoracle.board.model import LinkModel
from linkoracle.core.limits import Deadline
from linkoracle.engines.answers import Verdict
from linkoracle.engines.schedule import Query

#: Conflict budgets of the SAT check of a board: some tenths of a second, and some seconds if the
#: techniques get stuck without the check.
CONFLICT_BUDGET, LARGE_CONFLICT_BUDGET = 10_000, 100_000


class Assumed(NamedTuple):
    """The assumptions of a `linkoracle.deduce.board.DeductionState`, as its arguments.

    ``relaxed`` is ``None`` if the check was too hard.
    """

    uniqueness: bool
    relaxed: bool | None


def assumed(
    model: LinkModel,
    uniqueness: bool | None,
    deadline: Deadline,
    conflicts: int = CONFLICT_BUDGET,
) -> Assumed:
    """Return the assumptions allowed for ``uniqueness`` true, false or ``None`` (the default).

    If paths may leave cells empty, deduction gets nowhere without uniqueness, so this is the
    default. If paths use all cells, arguments about empty cells are allowed when the relaxation,
    whose cells may stay empty, has one solution by SAT; if undecided, they are not allowed. Raises
    `SearchTimeout` at the deadline.

    >>> from linkoracle.board.lattice import Lattice
    >>> free = LinkModel.blank_paths(Lattice(2, 2), [(0, 1)])
    >>> assumed(free, None, Deadline(None))
    Assumed(uniqueness=True, relaxed=False)
    >>> full = LinkModel.blank_paths(Lattice(1, 3), [(0, 2)], cover=True)
    >>> assumed(full, None, Deadline(None)), assumed(full, False, Deadline(None))
    (Assumed(uniqueness=False, relaxed=True), Assumed(uniqueness=False, relaxed=False))
    """
    allowed = uniqueness is None or uniqueness
    uniqueness = model.is_free if uniqueness is None else uniqueness
    if not allowed or model.relaxed is None:
        return Assumed(uniqueness, relaxed=False)
    verdict = decided(model.relaxed, deadline, conflicts)
    return Assumed(uniqueness, relaxed=None if verdict is None else verdict.unique)


def decided(
    model: LinkModel, deadline: Deadline, conflicts: int = CONFLICT_BUDGET
) -> Verdict | None:
    """Decide whether the solution is unique; ``None`` if the conflict budget is exhausted."""
    query = Query(model)
    query.deadline = deadline
    return query.decide_briefly(conflicts)

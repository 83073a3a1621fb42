"""Whether a part of a free or a covered Numberlink has a second solution.

Boards of hundreds of cells are seldom unique, and where they are not, the reason is nearly always a
small part. To ask about such a part alone takes a thousandth of the time. It is a model of its own:
what a path does outside of it stays, so a path that leaves it ends there, and a vertex whose path
has both of its edges outside is a hole.
"""

from __future__ import annotations

from collections.abc import Sequence

from linkoracle.board.model import PASS_OR_SKIP, LinkModel
from linkoracle.core.limits import Deadline
from linkoracle.sat.clauses import other_than
from linkoracle.sat.search import LazySearch


def another_in_part(
    model: LinkModel, chosen: Sequence[int], deadline: Deadline
) -> tuple[int, ...] | None:
    """The edges of another solution of ``model`` than ``chosen``, if it has one.

    The model is one of paths without face rules or fixed edges, maybe with holes. All of its other
    vertices may be left out, or none but the ends; ``chosen`` uses all of them, and where they may
    be left out, no path of it has a chord. Then ``None`` proves that there is no other: see
    ``docs/taut.md``.

    Raises `SearchTimeout` and `ConflictLimit` as the deadline says.

    >>> from linkoracle.board.lattice import Lattice
    >>> corner = LinkModel.blank_paths(Lattice(2, 2), [(0, 3)], cover=False).with_holes([2])
    >>> another_in_part(corner, (0, 3), Deadline(None)) is None
    True
    >>> straight = LinkModel.blank_paths(Lattice(3, 3), [(0, 2), (3, 5), (6, 8)])
    >>> another_in_part(straight, (0, 1, 2, 3, 4, 5), Deadline(None)) is None
    True
    """
    with LazySearch(model, deadline=deadline) as search:
        if search.only() is not None:
            return None
        free = PASS_OR_SKIP in model.degrees
        if free or len(model.terminals) > 1:
            colours = search.colour(deadline)
            if free:
                search.state_taut(colours, deadline)
        search.add([other_than(chosen)])
        return search.next_solution((), deadline)

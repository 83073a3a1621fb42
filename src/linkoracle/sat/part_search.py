"""Alternatives in a part of a free or covered Numberlink.

Boards of hundreds of cells are rarely unique, and the reason is nearly always in a small part.
Deciding such a part alone takes a thousandth of the time. It is a model: paths outside are fixed,
so a path that leaves the part ends there, and a vertex whose path has both edges outside is a hole.
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
    """Return the edges of a solution of ``model`` other than ``chosen``, or ``None``.

    The model has paths, no clues and no fixed edges, possibly holes. Either all other vertices may
    be unused, or none; ``chosen`` uses all of them, and if they may be unused, its paths have no
    chord. Then ``None`` proves that there is no other solution: see ``docs/explanation/taut.md``.

    Raises `SearchTimeout` and `ConflictLimit`.

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

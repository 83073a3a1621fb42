"""The *diagram* generator: draws uniformly from all covers of a small board by paths.

The covers are one `Diagram`, of a frontier pass over the cells in which paths may end anywhere. The
number of edges of a cover is the number of cells less the number of paths. So a filter by length is
a filter by the number of paths.

If cells may stay empty, a solution with a chord is never the only one. Chords around a single
square (three of its four edges) are excluded from the diagram. Draws with longer chords are
rejected, so the others stay uniform.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel
from linkoracle.core.limits import Deadline, default_limit
from linkoracle.core.randomness import big_below
from linkoracle.frontier.diagram import Diagram, building
from linkoracle.frontier.running import finished
from linkoracle.generate.numberlink_request import NumberlinkRequest
from linkoracle.generate.path_system import PathSystem

#: Face mask of a square without a chord: up to two of its edges.
_NO_CHORD = 0b00111


def covers(request: NumberlinkRequest, rng: Random, deadline: Deadline) -> PathSystem | None:
    """Draw a cover; ``None`` if it has a chord or a path of another length than requested.

    Draws are uniform over all boards as requested; in the variant ``"fill"`` these include boards
    on which the two ends of a path touch.
    """
    rows, cols = request.rows, request.cols
    chordless = request.variant != "fill"
    every = _covers_of(rows, cols, pairs_of_cells=request.shortest < 3, chordless=chordless)
    found = every.with_paths(*request.pair_range, deadline)
    if not found:
        return None
    drawn = found[big_below(rng, found.count())]
    system = PathSystem(Lattice(rows, cols), touching=not chordless)
    for x, y in sorted(map(drawn.board.ends, drawn.edges)):
        # A chord stays a chord. Ends that touch now may not be ends later.
        if chordless and not system.joinable(x, y):
            return None
        system.join(x, y)
    return None if request.misses(system) else system


class Covers:
    """All covers of ``rows`` x ``cols`` cells by paths of at least two cells.

    Without ``pairs_of_cells``, of at least three. With ``chordless``, no unit square has three of
    its edges chosen. Time and memory are exponential in the short side.

    >>> every = Covers(2, 2, pairs_of_cells=True)
    >>> [every.with_paths(number, number, Deadline(None)).count() for number in (1, 2)]
    [4, 2]
    """

    def __init__(
        self, rows: int, cols: int, *, pairs_of_cells: bool = False, chordless: bool = False
    ) -> None:
        board = Lattice(rows, cols)
        model = LinkModel.blank_paths(board, (), cover=True)
        if chordless:
            model = replace(model, faces=[_NO_CHORD] * board.num_faces)
        if not pairs_of_cells:
            model = model.with_constraints(clauses=_longer_paths(board))
        self._model = model
        self._every: Diagram | None = None
        self._parts: dict[tuple[int, int], Diagram] = {}

    def with_paths(self, least: int, most: int, deadline: Deadline) -> Diagram:
        """Return the covers with ``least`` to ``most`` paths.

        Raises `SearchTimeout` at the deadline, and `MemoryLimit`.
        """
        if self._every is None:
            work = building(self._model, default_limit(), deadline, free_ends=True)
            self._every = finished(work, deadline)
        if (least, most) not in self._parts:
            cells = self._model.board.num_vertices
            lengths = range(cells - most, cells - least + 1)
            self._parts[least, most] = self._every.filter(length=lengths, timeout=deadline.left)
        return self._parts[least, most]


_covers_of = lru_cache(maxsize=4)(Covers)


def _longer_paths(board: Board) -> Iterator[tuple[int, ...]]:
    """Yield clauses: if an edge is chosen, so is another edge at one of its ends."""
    for edge in range(board.num_edges):
        beside = {other for end in board.ends(edge) for other in board.edges_at(end)} - {edge}
        yield (-1 - edge, *(1 + other for other in sorted(beside)))

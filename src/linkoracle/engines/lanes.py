"""Coverings by paths that do not touch themselves: see `linkoracle.engines.lanes_kernel`.

Such a covering is the solution of a Numberlink of variant ``"fill-apart"``. It is also a taut
solution of the ``"free"`` one, and nearly all boards that people make have it
(``docs/explanation/taut.md``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from linkoracle.board import HOLE, PASS_OR_SKIP, Apart, Lattice, LinkModel, Solution
from linkoracle.core import COMPILED, Deadline, MemoryLimit

if TYPE_CHECKING:
    from linkoracle.engines.lanes_kernel import Lanes

#: The most cells that a search for one covering passes, which others do not need. Published boards
#: of up to 30x30 cells take less.
FILLING_CELLS = 1_000_000

#: Cells that the search passes in one go, and the cost of each in seconds.
CELLS, CELL = 100_000, 0.2e-6

#: Conflicts of the SAT engine that take as long as one go.
GO_CONFLICTS = 500

#: Bytes that a search may use unless it is told otherwise: some 600,000 refuted rows of 20 cells.
ROOM = 1 << 26


def takes_coverings(model: LinkModel) -> bool:
    """Whether all coverings that join the terminals of a model are solutions of it."""
    if not (model.terminals and COMPILED and isinstance(model.board, Lattice)):
        return False
    others = model.has_face_rules or model.shapes or model.counts
    return not (others or HOLE in model.degrees) and (
        model.clauses == () or isinstance(model.clauses, Apart)
    )


def has_lanes(model: LinkModel) -> bool:
    """Whether all solutions of a model are such coverings."""
    filled = isinstance(model.clauses, Apart) and PASS_OR_SKIP not in model.degrees
    return filled and takes_coverings(model)


def coverings(
    model: LinkModel, deadline: Deadline, memory: int | None = None
) -> Iterator[Callable[[], Solution] | None]:
    """Yield for each covering that joins the terminals of a model a function that returns it.

    Call it before the next covering is searched; who counts need not. ``None`` comes after each
    `CELLS` cells. Coverings have the given edges, and not the forbidden ones; other constraints are
    ignored. At most ``memory`` bytes are used, and `ROOM`; `MemoryLimit` is raised if the board
    needs more.
    """
    lanes, solution = _opened(model, ROOM if memory is None else min(memory, ROOM))
    while (found := lanes.search(CELLS)) is not False:
        deadline.check()
        yield solution if found else None


def covering(
    model: LinkModel, cells: int, deadline: Deadline, memory: int | None = None
) -> Solution | None:
    """Return the first of the `coverings`, if it is found within so many cells."""
    try:
        for solution in coverings(model, deadline, memory):
            if solution is not None:
                return solution()
            cells -= CELLS
            if cells <= 0:
                return None
    except MemoryLimit:
        pass
    return None


def another_covering(model: LinkModel, edges: Sequence[int], deadline: Deadline) -> Solution | None:
    """Return one of the `coverings` with other edges than these, or ``None`` if there is none.

    Raises `SearchTimeout`, and `ConflictLimit`: each go counts as `GO_CONFLICTS`.

    >>> from linkoracle.board import Lattice, LinkModel
    >>> across = LinkModel.blank_paths(Lattice(2, 3), [(0, 2), (3, 5)])
    >>> another_covering(across, (0, 2, 5, 6), Deadline(None)) is None
    True
    """
    for solution in coverings(model, deadline):
        if solution is None:
            deadline.spend(GO_CONFLICTS)
        elif (found := solution()).edges != tuple(edges):
            return found
    return None


def _opened(model: LinkModel, memory: int) -> tuple[Lanes, Callable[[], Solution]]:
    """Return the search along lanes for the solutions of a model, and what reads one from it."""
    # Compiled, and most puzzles leave cells empty.
    from linkoracle.engines.lanes_kernel import Lanes

    board = model.lattice
    rows, cols = board.rows, board.cols
    # Short rows are refuted sooner: a wide board is turned over along its diagonal.
    turned = cols > rows
    at = [v // cols + v % cols * rows if turned else v for v in range(rows * cols)]

    def cells_of(edge: int) -> tuple[int, int]:
        one, other = sorted(at[vertex] for vertex in board.ends(edge))
        return one, other

    lanes = Lanes(
        max(rows, cols),
        min(rows, cols),
        [(at[one], at[other]) for one, other in model.terminals],
        map(cells_of, model.given),
        map(cells_of, model.forbidden),
        memory,
    )

    def solution() -> Solution:
        chosen = set(lanes.edges())
        edges = (edge for edge in range(board.num_edges) if cells_of(edge) in chosen)
        return Solution(board, tuple(edges))

    return lanes, solution

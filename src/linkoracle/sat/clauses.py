"""Clauses of a `LinkModel`: local constraints, path colours, connectivity cuts.

Edge *e* is Boolean variable ``e + 1``, in the DIMACS convention of PySAT; further variables follow.
`linkoracle.lines.rules_kernel` makes the clauses of the local constraints,
`linkoracle.sat.paths_kernel` those of paths, and `linkoracle.sat.cuts_kernel` the cuts, with a
proof that they are sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from linkoracle.core.limits import Deadline
from linkoracle.lines.rules_kernel import count_clauses
from linkoracle.sat.answers import DEFAULT_SOLVER, PIECE, Add, Clauses
from linkoracle.sat.cuts_kernel import Component, CutMaker

if TYPE_CHECKING:
    from linkoracle.board.model import LinkModel

__all__ = [
    "Add",
    "Clauses",
    "Colours",
    "Component",
    "CutMaker",
    "completed",
    "count_clauses",
    "on_path",
]


def completed(model: LinkModel, edges: Iterable[int], deadline: Deadline) -> list[int] | None:
    """Return the true variables for these edges: edges, visited vertices, auxiliary ones.

    The auxiliary variables satisfy all clauses; ``None`` if that is impossible. Raises
    `SearchTimeout`.

    >>> from linkoracle.board.lattice import Lattice
    >>> from linkoracle.board.model import LinkModel
    >>> path = LinkModel.blank_paths(Lattice(1, 2), [(0, 1)])
    >>> completed(path.with_constraints(clauses=[(4, -5), (-4,)]), (0,), Deadline(None))
    [1, 2, 3]
    """
    board = model.board
    true = {edge + 1 for edge in edges}
    true |= {board.visited(vertex) for edge in edges for vertex in board.ends(edge)}
    known = board.num_edges + board.num_vertices
    if model.num_variables <= known:
        return sorted(true)
    from linkoracle.sat.pieces import PieceSolver

    with closing(PieceSolver(DEFAULT_SOLVER, PIECE)) as solver:
        for variable in range(1, known + 1):
            solver.add([variable if variable in true else -variable])
        for clause in model.clauses:
            solver.add(list(clause))
        if not solver.solve([], deadline):
            return None
        return [literal for literal in solver.model() if literal > 0]


class Colours(NamedTuple):
    """The variables for the path of each vertex: its number in binary.

    >>> Colours(10, 3).of(2)
    range(16, 19)
    """

    #: The first variable.
    first: int
    #: The number of variables of a vertex.
    bits: int

    def of(self, vertex: int) -> range:
        """Return the variables of a vertex, the lowest bit first."""
        start = self.first + vertex * self.bits
        return range(start, start + self.bits)


def on_path(colour: Sequence[int], number: int) -> list[int]:
    """Return the literals for "the vertex with these variables is on path ``number``".

    >>> on_path([7, 8, 9], 5)
    [7, -8, 9]
    """
    return [variable if number >> bit & 1 else -variable for bit, variable in enumerate(colour)]

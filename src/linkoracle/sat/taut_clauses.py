"""Clauses that restrict the solutions of free Numberlink to the taut ones.

A solution is *taut* when no path can be straightened and no corner pushed down; `docs/taut.md`
defines this, and proves that questions of uniqueness need no other solutions. Any side of the board
may be the one that is down. The clauses state what follows from the definition, which is more than
the definition:

* **Chord.** Neighbours on one path are joined. So no face has three of its edges.
* **Corner.** A corner at v with an edge down has a fourth cell d, diagonally below it. Were d
  unused, v could be pushed down to d. So d is used, by another path, since anything else would be
  a chord. As the arms of v are in the way, d is a terminal or a corner that turns like v, and then
  the same holds of d. So the diagonal from v comes to a terminal; where it does not, a clause of
  two literals forbids the corner.
* **Cup.** A straight run with both ends going up. Were all cells above it, between its arms,
  unused, the arms would see each other. So one of them is used, by another path. That path
  cannot cross the run, so it ends there, or makes a narrower cup there. By induction there is a
  terminal in the triangle that stands on the run, one cell narrower at both ends in each row.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel
from linkoracle.sat.clauses import Clauses, NewVariables

if TYPE_CHECKING:
    from linkoracle.sat.taut_search import Side

#: The longest cup that is forbidden in advance, in edges. Longer ones are rare, and their clauses
#: long.
_WIDEST = 8

#: Rows of numbers, one for each vertex.
Table = list[list[int]]


def taut_clauses(
    model: LinkModel,
    colour: NDArray[np.int64],
    new_variables: NewVariables,
    side: Side = "bottom",
) -> tuple[Clauses, list[int]]:
    """The clauses for a free ``model``, and the variables that say which vertices are used.

    It may have holes: what hangs on terminals may hang on them as well. ``colour``, of shape
    ``(num_vertices, bits)``, are the variables of the vertices, as `clauses.colour_clauses` makes
    them. ``side`` is where down is. O(vertices) clauses.
    """
    lattice = model.lattice
    used = new_variables(lattice.num_vertices) + np.arange(lattice.num_vertices)
    clauses = _chord_clauses(lattice, colour, used, new_variables)
    for face in (lattice.face_edges + 1).tolist():
        clauses += [[-edge for edge in three] for three in combinations(face, 3)]
    ends = [vertex for pair in model.terminals for vertex in pair]
    supports = {lattice.position(vertex) for vertex in (*ends, *model.holes)}
    right, down, supports = _seen_from(lattice, supports, side)
    clauses += _corner_clauses(right, down, supports)
    clauses += _cup_clauses(right, down, supports)
    return clauses, used.tolist()


def _seen_from(
    lattice: Lattice, terminals: set[tuple[int, int]], side: Side
) -> tuple[Table, Table, set[tuple[int, int]]]:
    """For each vertex the edges to the right and down, and the terminals, with ``side`` down.

    Edges are variables, 0 for none. The board is mirrored at a diagonal, or top to bottom, or both.
    """
    right, down = (lattice.right + 1).tolist(), (lattice.down + 1).tolist()
    if side in ("right", "left"):
        right, down = (
            [list(column) for column in zip(*rows, strict=True)] for rows in (down, right)
        )
        terminals = {(col, row) for row, col in terminals}
    if side in ("top", "left"):
        right, down = right[::-1], [*down[-2::-1], down[-1]]
        terminals = {(len(right) - 1 - row, col) for row, col in terminals}
    return right, down, terminals


def _chord_clauses(
    lattice: Lattice,
    colour: NDArray[np.int64],
    used: NDArray[np.int64],
    new_variables: NewVariables,
) -> Clauses:
    """Used neighbours of equal colour are joined."""
    bits = colour.shape[1]
    differ = np.arange(lattice.num_edges * bits).reshape(-1, bits)
    differ += new_variables(differ.size)
    clauses: Clauses = []
    ends = lattice.edge_vertices
    edge = 1 + np.arange(lattice.num_edges)
    for side in (0, 1):
        clauses += np.stack([-edge, used[ends[:, side]]], axis=-1).tolist()
    around = [[e + 1 for e in row if e >= 0] for row in lattice.vertex_edges.tolist()]
    clauses += [[-variable, *edges] for variable, edges in zip(used.tolist(), around, strict=True)]
    one, other = colour[ends[:, 0]], colour[ends[:, 1]]
    for sign in (1, -1):
        clauses += np.stack([-differ, sign * one, sign * other], axis=-1).reshape(-1, 3).tolist()
    both = -used[ends]
    clauses += np.concatenate([edge[:, None], both, differ], axis=1).tolist()
    return clauses


def _corner_clauses(right: Table, down: Table, terminals: set[tuple[int, int]]) -> Clauses:
    """``right`` and ``down`` are the variables of the edges that leave each vertex, 0 for none."""
    rows, cols = len(right), len(right[0])
    clauses: Clauses = []
    for side in (-1, 1):
        #: Vertices where the diagonal comes to a terminal.
        supported: set[tuple[int, int]] = set()
        for row in reversed(range(rows - 1)):
            for col in range(max(0, -side), min(cols, cols - side)):
                if (row, col) in terminals:
                    continue
                opposite = row + 1, col + side
                corner = [-down[row][col], -_beside(right, row, col, side)]
                if opposite in terminals:
                    clauses.append([*corner, -down[row][col + side]])
                    clauses.append([*corner, -_beside(right, row + 1, col + side, -side)])
                    supported.add((row, col))
                elif opposite in supported:
                    clauses.append([*corner, down[row + 1][col + side]])
                    clauses.append([*corner, _beside(right, row + 1, col + side, side)])
                    supported.add((row, col))
                else:
                    clauses.append(corner)
    return clauses


def _beside(right: Table, row: int, col: int, side: int) -> int:
    """The edge from a vertex to the right (``side`` 1) or to the left (-1)."""
    return right[row][col if side > 0 else col - 1]


def _cup_clauses(right: Table, down: Table, terminals: set[tuple[int, int]]) -> Clauses:
    rows, cols = len(right), len(right[0])
    clauses: Clauses = []
    for row in range(1, rows):
        for first in range(cols):
            for last in range(first + 2, min(cols, first + _WIDEST + 1)):
                if not _terminal_above(row, first, last, terminals):
                    run = [-edge for edge in right[row][first:last]]
                    clauses.append([-down[row - 1][first], *run, -down[row - 1][last]])
    return clauses


def _terminal_above(row: int, first: int, last: int, terminals: set[tuple[int, int]]) -> bool:
    """Whether the triangle on the cells between ``first`` and ``last`` has a terminal."""
    return any(
        (row - height, col) in terminals
        for height in range(1, min(row, (last - first) // 2) + 1)
        for col in range(first + height, last - height + 1)
    )

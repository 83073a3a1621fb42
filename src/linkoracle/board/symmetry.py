"""The symmetries of a board: its turns and mirror images, by one set of names.

A board has eight isometries if it is square, and four if not. A pattern *has a symmetry* when each
isometry of a group takes it to itself; the groups have names:

===============  ==================================================================
``none``         the identity alone
``half-turn``    turned by 180 degrees
``quarter-turn`` turned by 90, 180 and 270 degrees
``left-right``   mirrored left to right
``top-bottom``   mirrored top to bottom
``both``         mirrored left to right and top to bottom, and so turned by half
``diagonal``     mirrored along the diagonal from the top left, so that rows are columns
``antidiagonal`` mirrored along the other diagonal
===============  ==================================================================
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from linkoracle.core.limits import checked_word

if TYPE_CHECKING:
    from linkoracle.board.lattice import IndexArray, Lattice

Symmetry = Literal[
    "none",
    "half-turn",
    "quarter-turn",
    "left-right",
    "top-bottom",
    "both",
    "diagonal",
    "antidiagonal",
]
#: The names, of which those from ``diagonal`` on and ``quarter-turn`` need a square board.
SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)


class Isometry(NamedTuple):
    """A turn or mirror image: rows and columns change places, then each may run backwards."""

    transposed: bool
    rows_backwards: bool
    cols_backwards: bool

    def cells(self, rows: int, cols: int) -> list[int]:
        """Return where each cell of a board goes: entry ``i`` is the new number of cell ``i``.

        Cells (of any board, the vertices of a lattice too) are numbered row by row.

        >>> HALF_TURN.cells(1, 3)
        [2, 1, 0]
        """
        down, right = (cols, rows) if self.transposed else (rows, cols)
        found = []
        for cell in range(rows * cols):
            row, col = divmod(cell, cols)
            if self.transposed:
                row, col = col, row
            row = down - 1 - row if self.rows_backwards else row
            col = right - 1 - col if self.cols_backwards else col
            found.append(row * right + col)
        return found

    def place(self, point: complex) -> complex:
        """Return where a point goes, as columns + rows * 1j from the centre of a board.

        >>> LEFT_RIGHT.place(2 + 1j)
        (-2+1j)
        """
        if self.transposed:
            point = complex(point.imag, point.real)
        return complex(
            -point.real if self.cols_backwards else point.real,
            -point.imag if self.rows_backwards else point.imag,
        )

    def edges(self, lattice: Lattice, edges: IndexArray) -> tuple[Lattice, IndexArray]:
        """Return the moved lattice, and where on it these edges are."""
        import numpy as np

        turned = lattice.transposed if self.transposed else lattice
        vertices = np.array(self.cells(lattice.rows, lattice.cols))
        ends = vertices[lattice.edge_vertices[edges]]
        row, col = np.divmod(ends, turned.cols)
        top, left = row.min(axis=-1), col.min(axis=-1)
        upright = row[..., 0] != row[..., 1]
        return turned, np.where(upright, turned.down[top, left], turned.right[top, left])


IDENTITY = Isometry(False, False, False)
TOP_BOTTOM = Isometry(False, True, False)
LEFT_RIGHT = Isometry(False, False, True)
HALF_TURN = Isometry(False, True, True)
DIAGONAL = Isometry(True, False, False)
#: Clockwise.
QUARTER_TURN = Isometry(True, False, True)
COUNTER_TURN = Isometry(True, True, False)
ANTIDIAGONAL = Isometry(True, True, True)

_GROUPS: dict[str, tuple[Isometry, ...]] = {
    "none": (IDENTITY,),
    "half-turn": (IDENTITY, HALF_TURN),
    "quarter-turn": (IDENTITY, HALF_TURN, QUARTER_TURN, COUNTER_TURN),
    "left-right": (IDENTITY, LEFT_RIGHT),
    "top-bottom": (IDENTITY, TOP_BOTTOM),
    "both": (IDENTITY, HALF_TURN, LEFT_RIGHT, TOP_BOTTOM),
    "diagonal": (IDENTITY, DIAGONAL),
    "antidiagonal": (IDENTITY, ANTIDIAGONAL),
}


def isometries(rows: int, cols: int) -> tuple[Isometry, ...]:
    """Return all isometries of a board, the identity first: 8 of a square, 4 of any other.

    >>> len(isometries(2, 2)), len(isometries(2, 3))
    (8, 4)
    """
    upright = (IDENTITY, TOP_BOTTOM, LEFT_RIGHT, HALF_TURN)
    turned = (DIAGONAL, QUARTER_TURN, COUNTER_TURN, ANTIDIAGONAL)
    return upright + turned if rows == cols else upright


def group(rows: int, cols: int, symmetry: str) -> tuple[Isometry, ...]:
    """Return the isometries of a named symmetry, the identity first.

    Raises ``ValueError`` for a name that is not one of `SYMMETRIES`, and for a symmetry that boards
    of this size cannot have.
    """
    found = _GROUPS[checked_word(symmetry, "a symmetry", SYMMETRIES)]
    if rows != cols and any(isometry.transposed for isometry in found):
        raise ValueError(f"the symmetry {symmetry} needs a square board, got {rows}x{cols}")
    return found


@lru_cache(maxsize=8)
def orbits(rows: int, cols: int, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """Return the sets of cells that a symmetry maps to each other, by their smallest members.

    A pattern of cells has the symmetry iff it is a union of these. Kept for the last few boards.
    Raises ``ValueError`` as `group` does.

    >>> orbits(2, 2, "half-turn")
    ((0, 3), (1, 2))
    >>> orbits(1, 3, "left-right")
    ((0, 2), (1,))
    """
    images = (one.cells(rows, cols) for one in group(rows, cols, symmetry))
    orbits_of_cells = (tuple(sorted({*cells})) for cells in zip(*images, strict=True))
    return tuple(dict.fromkeys(orbits_of_cells))

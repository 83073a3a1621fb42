"""The symmetries of a board: turns and mirror images, as permutations of its cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cell_permutations(rows: int, cols: int) -> list[NDArray[np.int64]]:
    """Where each symmetry takes each cell: 8 of them on a square board, 4 on any other.

    Entry ``i`` of a permutation is the cell to which cell ``i`` goes, cells being numbered row by
    row. The first is the identity. Each symmetry stands once, also where two of them move the cells
    alike (as on boards of one row): the list is a group that acts on cells.

    >>> [len(cell_permutations(*board)) for board in ((2, 2), (2, 3))]
    [8, 4]
    """
    cells = np.arange(rows * cols).reshape(rows, cols)
    views = [cells, cells[::-1], cells[:, ::-1], cells[::-1, ::-1]]
    if rows == cols:
        views += [view.T for view in views]
    # A view lists, for each place, the cell that comes to stand there: the inverse permutation.
    return [np.argsort(view.ravel()) for view in views]


#: Symmetries by name, in the order of `cell_permutations`. Those from the fifth on exist on square
#: boards only.
NAMES = (
    "identity",
    "top-bottom",
    "left-right",
    "half-turn",
    "diagonal",
    "quarter-turn",
    "counter-turn",
    "antidiagonal",
)


def named_symmetry(rows: int, cols: int, name: str) -> NDArray[np.int64]:
    """The permutation of cells with this name.

    Raises ``ValueError`` for a name not in `NAMES`, or of a symmetry that this board lacks.

    >>> named_symmetry(1, 3, "half-turn").tolist()
    [2, 1, 0]
    """
    if name not in NAMES:
        raise ValueError(f"expected one of the symmetries {', '.join(NAMES)}, got {name!r}")
    permutations = cell_permutations(rows, cols)
    if NAMES.index(name) >= len(permutations):
        raise ValueError(f"the symmetry {name} needs a square board")
    return permutations[NAMES.index(name)]


def orbit_masks(permutation: NDArray[np.int64]) -> NDArray[np.int64]:
    """The cycles of a permutation of cells, as bitmasks: its fixed sets are their unions."""
    masks = []
    seen = 0
    for start in range(len(permutation)):
        if seen >> start & 1:
            continue
        mask, cell = 0, start
        while not mask >> cell & 1:
            mask |= 1 << cell
            cell = int(permutation[cell])
        seen |= mask
        masks.append(mask)
    return np.array(masks, dtype=np.int64)

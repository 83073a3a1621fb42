"""`LoopTable`: all loops of a small board, by the clues that they give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel
from linkoracle.board.solution import Solution
from linkoracle.board.symmetry import isometries
from linkoracle.core.limits import check_memory, default_limit
from linkoracle.frontier import Diagram

#: The most cells of a board whose clue sets are bits of one 32-bit word.
MOST_CELLS = 30

#: Bytes for each loop while a table is built: the sorted columns, their order, and temporaries.
_BYTES_A_LOOP = 80


@dataclass(frozen=True)
class LoopTable:
    """All loops of a board of ``rows`` x ``cols`` cells, in a fixed order.

    A set of cells is a bitmask: bit ``r * cols + c`` for cell (r, c). ``planes`` has shape
    (3, loops): row *k* holds, for each loop, the cells whose clue has bit *k* set. ``interiors``
    are the cells inside each loop, which tell the loop. The loops stand in the order of their
    clues, the last cell being the most significant, so that loops with much the same clues at
    the end of the board are neighbours.

    ``classes`` are the loops that stand for their symmetry class, ``stabilisers`` which of the
    board's symmetries (bits, as in `isometries`) leave each of these as it is.
    """

    rows: int
    cols: int
    planes: NDArray[np.uint32]
    interiors: NDArray[np.uint32]
    classes: NDArray[np.int64]
    stabilisers: NDArray[np.uint8]

    @classmethod
    def build(cls, rows: int, cols: int, *, memory: int | None = None) -> LoopTable:
        """List the loops. O(loops x cells) time, some 80 bytes a loop.

        Raises ``ValueError`` for a board of more than `MOST_CELLS` cells, `MemoryLimit` when
        ``memory`` bytes (default: half of what is free) are not enough.

        >>> table = LoopTable.build(3, 3)
        >>> len(table), len(table.classes)
        (213, 43)
        """
        cells = rows * cols
        if min(rows, cols) < 1 or cells > MOST_CELLS:
            raise ValueError(f"expected a board of 1 to {MOST_CELLS} cells, got {rows}x{cols}")
        memory = memory or default_limit()
        lattice = Lattice(rows + 1, cols + 1)
        diagram = Diagram.build(LinkModel.blank_loop(lattice), memory=memory)
        number = diagram.count()
        check_memory(f"a table of {number} loops needs about", number * _BYTES_A_LOOP, memory)
        planes = np.empty((3, number), dtype=np.uint32)
        interiors = np.empty(number, dtype=np.uint32)
        done = 0
        for block in diagram.masks():
            part = slice(done, done + len(block))
            done += len(block)
            clues = block[:, lattice.face_edges].sum(axis=2)
            for bit in range(3):
                planes[bit, part] = _packed(clues >> bit & 1)
            # A cell is inside when an odd number of lines is to its left.
            crossed = block[:, lattice.down[:-1, :-1].ravel()].reshape(-1, rows, cols)
            interiors[part] = _packed((np.cumsum(crossed, axis=2) & 1).reshape(-1, cells))
        order = np.lexsort([interiors.astype(np.uint64), *_significance(planes, cells)])
        planes, interiors = np.ascontiguousarray(planes[:, order]), interiors[order]
        classes, stabilisers = _classes(interiors, rows, cols)
        return cls(rows, cols, planes, interiors, classes, stabilisers)

    def __len__(self) -> int:
        return len(self.interiors)

    @property
    def cells(self) -> int:
        return self.rows * self.cols

    def solution(self, loop: int) -> Solution:
        """The loop at this place as edges."""
        lattice = Lattice(self.rows + 1, self.cols + 1)
        inside = [cell for cell in range(self.cells) if self.interiors[loop] >> cell & 1]
        sides = np.bincount(lattice.face_edges[inside].ravel(), minlength=lattice.num_edges)
        return Solution(lattice, tuple(np.flatnonzero(sides & 1).tolist()))

    def clue_four(self, loop: int) -> int:
        """The cell whose clue is 4, as a bitmask: 0 but for loops around a single cell."""
        return int(self.planes[2, loop])


def _packed(bits: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Rows of 0 and 1, a column for each cell, as bitmasks."""
    weights = np.left_shift(np.int64(1), np.arange(bits.shape[1], dtype=np.int64))
    return (bits @ weights).astype(np.uint32)


def _significance(planes: NDArray[np.uint32], cells: int) -> list[NDArray[np.uint64]]:
    """Sort keys, the weightiest last: the clues as digits of a number, two bits each."""
    key = np.zeros(planes.shape[1], dtype=np.uint64)
    for cell in range(cells):
        for bit in range(2):
            digit = (planes[bit] >> np.uint32(cell) & np.uint32(1)).astype(np.uint64)
            key |= digit << np.uint64(2 * cell + bit)
    return [planes[2].astype(np.uint64), key]


def _classes(
    interiors: NDArray[np.uint32], rows: int, cols: int
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """The loops that come first in their symmetry class, and what leaves each as it is."""
    first = np.ones(len(interiors), dtype=np.bool_)
    stabilisers = np.zeros(len(interiors), dtype=np.uint8)
    for symmetry, isometry in enumerate(isometries(rows, cols)):
        images = np.zeros_like(interiors)
        for cell, target in enumerate(isometry.cells(rows, cols).tolist()):
            images |= (interiors >> np.uint32(cell) & np.uint32(1)) << np.uint32(target)
        first &= interiors <= images
        stabilisers |= (images == interiors).astype(np.uint8) << np.uint8(symmetry)
    classes = np.flatnonzero(first)
    return classes, stabilisers[classes]

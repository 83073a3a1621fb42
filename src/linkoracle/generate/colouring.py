"""Two colours on a board, and the line between them.

A loop is the border of a region: colour its cells, and the line runs wherever the colours of two
neighbouring cells differ. An open path from rim to rim divides the board in the same way. The line
is a single one exactly when both colours are connected by sides, the ring of cells around the board
included. Shapes keep that true while they flip one cell at a time, by looking only at the eight
cells around it.
"""

from __future__ import annotations

from collections import deque
from functools import cache, lru_cache
from typing import Self

import numpy as np

from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution

#: A dot as ``(row, column)``, counted from 0.
Dot = tuple[int, int]
#: The two dots on the rim that an open path joins; ``None`` for a loop.
Ends = tuple[Dot, Dot] | None


class Colouring:
    """A colour, 0 or 1, for each cell of a board of ``rows`` x ``cols`` cells and its ring.

    ``colour`` is a flat list in row-major order with ``step`` cells in a row, ring included;
    ``cells`` are the places of the board's own cells in it. The ring has colour 0 for a loop; for
    an open path it has colour 1 clockwise from the first end to the second, and every cell starts
    with the colour of the nearest part of the ring.

    Raises ``ValueError`` for a board without cells, or ends that are equal or off the rim.

    >>> board = Colouring(2, 2)
    >>> board.flip(board.cells[0])
    >>> board.outline().paths()
    [[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]]
    """

    def __init__(self, rows: int, cols: int, ends: Ends = None) -> None:
        if rows < 1 or cols < 1:
            raise ValueError(f"expected a board of at least 1x1 cells, got {rows}x{cols}")
        self.rows, self.cols, self.ends = rows, cols, ends
        self.step = step = cols + 2
        self.cells = [row * step + col for row in range(1, rows + 1) for col in range(1, step - 1)]
        self.on_board = bytearray((rows + 2) * step)
        for cell in self.cells:
            self.on_board[cell] = 1
        #: Offsets of the eight cells around one, clockwise from above; even ones share a side.
        self.around = (-step, 1 - step, 1, 1 + step, step, step - 1, -1, -1 - step)
        self.sides = self.around[::2]
        self.colour = [0] * len(self.on_board)
        if ends is not None:
            self._divide(ends)

    @classmethod
    def of(cls, solution: Solution, ends: Ends = None) -> Self:
        """The colouring whose `outline` is this loop, or this path between ``ends``."""
        lattice = solution.lattice
        board = cls(lattice.rows - 1, lattice.cols - 1, ends)
        upright = solution.mask()[lattice.down[:-1, :]]
        cells = np.array(board.colour).reshape(board.rows + 2, board.step)
        left = cells[1:-1, :1]
        cells[1:-1, 1:-1] = (left + np.cumsum(upright, axis=1)[:, :-1]) % 2
        board.colour = cells.ravel().tolist()
        return board

    def outline(self) -> Solution:
        """The line between the two colours, on ``(rows + 1) x (cols + 1)`` dots. O(cells)."""
        lattice = Lattice(self.rows + 1, self.cols + 1)
        cells = np.array(self.colour, dtype=np.int8).reshape(self.rows + 2, self.step)
        level = cells[:-1, 1:-1] != cells[1:, 1:-1]
        upright = cells[1:-1, :-1] != cells[1:-1, 1:]
        edges = np.concatenate([lattice.right[:, :-1][level], lattice.down[:-1, :][upright]])
        return Solution(lattice, tuple(edges.tolist()))

    def alike(self, cell: int) -> int:
        """Which of the eight cells around a cell have its colour: bit *i* for offset *i*."""
        colour = self.colour
        pattern = 0
        for bit, offset in enumerate(self.around):
            pattern |= colour[cell + offset] << bit
        return pattern if colour[cell] else pattern ^ 255

    def can_flip(self, cell: int) -> bool:
        """Whether the line stays a single one when this cell of the board changes its colour."""
        return SIMPLE[self.alike(cell)]

    def added(self, cell: int) -> int:
        """By how much the line grows when this cell changes its colour."""
        return SIDES_ALIKE[self.alike(cell)] * 2 - 4

    def flip(self, cell: int) -> None:
        """Change the colour of a cell."""
        self.colour[cell] ^= 1

    def is_single_line(self) -> bool:
        """Whether both colours are connected, by looking at all cells. O(cells)."""
        left = set(range(len(self.colour)))
        for _ in range(2):
            if not left:
                break
            queue = [left.pop()]
            while queue:
                cell = queue.pop()
                for side in self.sides:
                    beside = cell + side
                    alike = beside in left and self.colour[beside] == self.colour[cell]
                    if alike and self._touch(cell, beside):
                        left.discard(beside)
                        queue.append(beside)
        return not left and any(self.colour)

    def _touch(self, cell: int, beside: int) -> bool:
        """Whether two places with neighbouring numbers are neighbours: rows do not wrap."""
        return cell // self.step == beside // self.step or cell % self.step == beside % self.step

    def _divide(self, ends: tuple[Dot, Dot]) -> None:
        gaps = _gaps(self.rows, self.cols)
        if any(dot not in gaps for dot in ends) or ends[0] == ends[1]:
            raise ValueError(f"expected two dots on the rim, got {ends[0]} and {ends[1]}")
        first, second = sorted(gaps[dot] for dot in ends)
        ring = _ring(self.rows, self.cols)
        self.colour = [-1] * len(self.colour)
        for place, cell in enumerate(ring):
            self.colour[cell] = int(first < place <= second)
        queue = deque(ring)
        while queue:
            cell = queue.popleft()
            for side in self.sides:
                beside = cell + side
                if 0 <= beside < len(self.colour) and self.colour[beside] < 0:
                    self.colour[beside] = self.colour[cell]
                    queue.append(beside)


def _patterns() -> tuple[tuple[bool, ...], tuple[int, ...], tuple[int, ...]]:
    sides = tuple((pattern & 0b01010101).bit_count() for pattern in range(256))
    corners = tuple((pattern & 0b10101010).bit_count() for pattern in range(256))
    # Where the ring has a change of colour: the pattern beside itself turned by one place.
    changes = (
        (pattern ^ (pattern >> 1 | (pattern & 1) << 7)).bit_count() for pattern in range(256)
    )
    simple = tuple(
        number == 2 and 0 < side < 4 for number, side in zip(changes, sides, strict=True)
    )
    return simple, sides, corners


#: For each value of `Colouring.alike`: whether a flip leaves both colours connected (each is then
#: one run of the ring, and has a side of the cell in it), and how many sides and corners are alike.
SIMPLE, SIDES_ALIKE, CORNERS_ALIKE = _patterns()


def rim_dots(rows: int, cols: int) -> list[Dot]:
    """The dots on the rim, clockwise from the top left corner.

    >>> rim_dots(1, 2)
    [(0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0)]
    """
    top = [(0, col) for col in range(cols + 1)]
    right = [(row, cols) for row in range(1, rows + 1)]
    bottom = [(rows, col) for col in range(cols - 1, -1, -1)]
    left = [(row, 0) for row in range(rows - 1, 0, -1)]
    return top + right + bottom + left


@cache
def _ring(rows: int, cols: int) -> tuple[int, ...]:
    """The places of the ring, clockwise from the top left corner."""
    # The dots on the rim of a board that is one row and one column larger lie as its cells do.
    return tuple(row * (cols + 2) + col for row, col in rim_dots(rows + 1, cols + 1))


@lru_cache(maxsize=8)
def _gaps(rows: int, cols: int) -> dict[Dot, int]:
    """For each dot on the rim, the place in the ring after which the colour changes there.

    A dot in a corner touches three cells of the ring; any of the two places would do.
    """
    corners_passed = 0
    gaps = {}
    for place, (row, col) in enumerate(rim_dots(rows, cols)):
        gaps[row, col] = place + corners_passed
        corners_passed += (row, col) in ((0, cols), (rows, cols), (rows, 0))
    return gaps

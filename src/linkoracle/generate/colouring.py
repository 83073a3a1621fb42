"""Two colours on a board, and the line between them.

A loop is the border of a region: colour its cells, and the line runs wherever the colours of two
neighbouring cells differ. An open path from rim to rim divides the board in the same way. The line
is a single one exactly when both colours are connected by sides, the ring of cells around the board
included. Shapes keep that true while they flip one cell at a time, by looking only at the eight
cells around it.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, compress, product
from operator import xor
from typing import Self

from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution

#: A dot as ``(row, column)``, counted from 0.
Dot = tuple[int, int]
#: The two dots on the rim that an open path joins; ``None`` for a loop.
Ends = tuple[Dot, Dot] | None

#: Local alternatives that change more faces are not worth keeping: they rarely decide anything.
_MOST_CHANGED = 8
#: While a board is divided, a cell that has no colour yet.
_UNKNOWN = 2

#: For each value of `Colouring.alike`: how many sides and corners are alike, and whether a flip
#: leaves both colours connected; each is then one run of the ring, with a side of the cell in it.
SIDES_ALIKE = tuple((pattern & 0b01010101).bit_count() for pattern in range(256))
CORNERS_ALIKE = tuple((pattern & 0b10101010).bit_count() for pattern in range(256))
SIMPLE = tuple(
    # The ring changes colour where the pattern differs from itself turned by one place.
    (pattern ^ (pattern >> 1 | (pattern & 1) << 7)).bit_count() == 2 and 0 < sides < 4
    for pattern, sides in enumerate(SIDES_ALIKE)
)


class Colouring:
    """A colour, 0 or 1, for each cell of a board of ``rows`` x ``cols`` cells and its ring.

    ``colour`` has a byte for each, in row-major order with ``step`` cells in a row, ring included;
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
        self.colour = bytearray(len(self.on_board))
        if ends is not None:
            self._divide(ends)

    @classmethod
    def of(cls, solution: Solution, ends: Ends = None) -> Self:
        """The colouring whose `outline` is this loop, or this path between ``ends``."""
        lattice = solution.lattice
        board = cls(lattice.rows - 1, lattice.cols - 1, ends)
        _, downs = lattice.edge_rows(solution.marks())
        for row, upright in enumerate(downs, start=1):
            at = row * board.step
            colours = accumulate(upright[:-1], xor, initial=board.colour[at])
            board.colour[at : at + board.step - 1] = bytes(colours)
        return board

    def outline(self) -> Solution:
        """The line between the two colours, on ``(rows + 1) x (cols + 1)`` dots. O(cells)."""
        lattice = Lattice(self.rows + 1, self.cols + 1)
        step, size = self.step, len(self.colour)
        # As numbers of many bytes, all cells are compared with those beside them at once.
        cells = int.from_bytes(self.colour, "little")
        level = (cells ^ cells >> 8 * step).to_bytes(size, "little")
        upright = (cells ^ cells >> 8).to_bytes(size, "little")
        rights = [level[at + 1 : at + step - 1] for at in range(0, size - step, step)]
        downs = [upright[at : at + step - 1] for at in range(step, size - step, step)]
        marks = lattice.from_edge_rows(rights, downs)
        return Solution(lattice, tuple(compress(range(len(marks)), marks)))

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
            queue = [left.pop()] if left else []
            while queue:
                cell = queue.pop()
                for side in self.sides:
                    beside = cell + side
                    if beside not in left or self.colour[beside] != self.colour[cell]:
                        continue
                    # Rows do not wrap.
                    if abs(side) > 1 or cell // self.step == beside // self.step:
                        left.discard(beside)
                        queue.append(beside)
        return not left and any(self.colour)

    def _divide(self, ends: tuple[Dot, Dot]) -> None:
        dots = rim_dots(self.rows, self.cols)
        if any(dot not in dots for dot in ends) or ends[0] == ends[1]:
            raise ValueError(f"expected two dots on the rim, got {ends[0]} and {ends[1]}")
        # The colour changes behind these places of the ring, which has more cells than the rim has
        # dots: a corner touches three of them, and either of the two places would do.
        corners = [self.cols, self.cols + self.rows, 2 * self.cols + self.rows]
        places = [dots.index(dot) for dot in ends]
        first, second = sorted(place + bisect_left(corners, place) for place in places)
        # The dots on the rim of a board that is one row and one column larger lie as the ring does.
        outer = rim_dots(self.rows + 1, self.cols + 1)
        reached = [row * self.step + col for row, col in outer]
        self.colour = bytearray([_UNKNOWN]) * len(self.colour)
        for place, cell in enumerate(reached):
            self.colour[cell] = int(first < place <= second)
        for cell in reached:
            for side in self.sides:
                beside = cell + side
                if 0 <= beside < len(self.colour) and self.colour[beside] == _UNKNOWN:
                    self.colour[beside] = self.colour[cell]
                    reached.append(beside)


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


def local_alternatives(solution: Solution, ends: Ends = None) -> list[tuple[int, ...]]:
    """The faces whose counts change when one cell, or two near each other, change sides. O(cells).

    Each is another solution (an *alternative*). One flip changes the counts of up to five cells.

    >>> square = Solution(Lattice(3, 3), (0, 1, 3, 5))
    >>> sorted(local_alternatives(square))[0]
    (0, 1, 2, 3)
    """
    board = Colouring.of(solution, ends)
    colour, on_board, sides, step = board.colour, board.on_board, board.sides, board.step
    apart = product(range(-2, 3), repeat=2)
    near = [row * step + col for row, col in apart if 0 < abs(row) + abs(col) <= 2]

    def changes(cell: int) -> list[tuple[int, int]]:
        mine = colour[cell]
        around = [(cell + side, 1 if colour[cell + side] == mine else -1) for side in sides]
        return [(cell, sum(by for _, by in around)), *around]

    simple = bytearray(on_board)
    for cell in board.cells:
        simple[cell] = board.can_flip(cell)
    found: dict[tuple[int, ...], None] = {}
    for cell in board.cells:
        if not simple[cell]:
            continue
        first = changes(cell)
        found[_faces(board, dict(first))] = None
        board.flip(cell)
        for offset in near:
            other = cell + offset
            if not 0 <= other < len(on_board) or not on_board[other]:
                continue
            # Two cells that can each flip first are met twice; the second time is enough.
            if (other < cell or not simple[other]) and board.can_flip(other):
                total = dict(first)
                for place, by in changes(other):
                    total[place] = total.get(place, 0) + by
                faces = _faces(board, total)
                if len(faces) <= _MOST_CHANGED:
                    found[faces] = None
        board.flip(cell)
    return [faces for faces in found if faces]


def _faces(board: Colouring, changes: dict[int, int]) -> tuple[int, ...]:
    places = [place for place, by in changes.items() if by and board.on_board[place]]
    step, cols = board.step, board.cols
    return tuple(sorted((place // step - 1) * cols + place % step - 1 for place in places))

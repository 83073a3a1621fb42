"""Flips of single cells that mend a line where few flips would make another with the same clues.

A line is the border between two colours of cells (`linkoracle.generate.colouring`). A *loose* pair
of cells, or single cell, is one whose flips leave a single line, and all clues that are shown as
they were: so that line is another solution. A *wrong* cell has not the number that it must have.
Cells are flipped beside loose or wrong ones, and flipped back where that makes more of them, but
for now and then (simulated annealing). O(1) a flip, whatever the size of the board.
"""

from libc.math cimport exp
from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from linkoracle.core.arena cimport Arena, arena_close, arena_error, arena_open, arena_take
from linkoracle.core.watch cimport Watch, watch_raise, watch_start, watch_stops
from linkoracle.generate.mending_board cimport (
    MARGIN, NO_NUMBER, Board, below, can_flip, count, dull, error_at, flip, is_single, is_zero,
    judge, lay_out, next_random
)


cdef inline int cell_near(Board *b, int cell) noexcept nogil:
    """A random cell up to two rows and columns away; not always one of the board."""
    cdef int row = below(b, 5) - 2, col = below(b, 5) - 2
    return cell + row * b.step + col


cdef int bad_cell(Board *b) noexcept nogil:
    """A cell that is loose or wrong, found by going on from a random one; -1 if there is none."""
    cdef int k, cell, start = below(b, b.rows * b.cols)
    for k in range(b.rows * b.cols):
        cell = b.origin + start // b.cols * b.step + start % b.cols
        if b.loose[cell] or error_at(b, cell):
            return cell
        start += 1
        if start == b.rows * b.cols:
            start = 0
    return -1


cdef void settle(Board *b, int steps, double warmth, Watch *watch) noexcept nogil:
    cdef int step, k, cell, target
    cdef int64_t cost, stray, zeros, before
    cdef int64_t worse
    cdef bint flipped
    for step in range(steps):
        if watch_stops(watch):
            return
        target = bad_cell(b)
        if target < 0:
            return
        cost = b.cost
        stray = b.stray
        zeros = b.zeros
        before = cost + dull(b)
        memcpy(b.old_colour, b.colour, b.size)
        memcpy(b.old_loose, b.loose, b.size)
        flipped = False
        for k in range(1 + below(b, 2)):
            cell = cell_near(b, target)
            if b.free[cell] and can_flip(b, cell):
                flip(b, cell)
                flipped = True
        worse = b.cost + dull(b) - before
        if flipped and worse > 0:
            if (next_random(b) >> 11) * 2.0**-53 >= exp(-worse / warmth):
                memcpy(b.colour, b.old_colour, b.size)
                memcpy(b.loose, b.old_loose, b.size)
                b.cost = cost
                b.stray = stray
                b.zeros = zeros


cdef class Mending:
    """A colouring of ``rows`` x ``cols`` cells whose loose and wrong cells are mended by flips.

    ``shown`` says of each cell whether its clue is shown, ``wanted`` which number it must have, -1
    for any, ``free`` whether it may be flipped. Raises ``ValueError`` for arrays of another size.
    """

    cdef Arena arena
    cdef Board board

    def __cinit__(self, *_, **__):
        arena_open(&self.arena, <size_t>-1)

    def __init__(
        self,
        int rows,
        int cols,
        const uint8_t[::1] simple not None,
        const uint8_t[::1] shown not None,
        const int8_t[::1] wanted not None,
        const uint8_t[::1] free not None,
        uint64_t seed,
    ):
        cdef Board *b = &self.board
        cdef int row, col, cell
        if b.colour != NULL:
            raise RuntimeError("a board is set up once")
        lay_out(b, rows, cols, MARGIN, simple)
        if not shown.shape[0] == wanted.shape[0] == free.shape[0] == rows * cols:
            raise ValueError("expected a value for each cell")
        b.random = seed
        b.weight = 4
        b.near[:] = [1, 2, b.step - 1, b.step, b.step + 1, 2 * b.step]
        b.free = <uint8_t *>arena_take(&self.arena, b.size, 1)
        b.shown = <uint8_t *>arena_take(&self.arena, b.size, 1)
        b.wanted = <int8_t *>arena_take(&self.arena, b.size, 1)
        b.loose = <uint8_t *>arena_take(&self.arena, b.size, 1)
        b.old_colour = <uint8_t *>arena_take(&self.arena, b.size, 1)
        b.old_loose = <uint8_t *>arena_take(&self.arena, b.size, 1)
        b.waiting = <int *>arena_take(&self.arena, b.size, sizeof(int))
        b.colour = <uint8_t *>arena_take(&self.arena, b.size, 1)
        if self.arena.refused:
            arena_error(&self.arena, "mending a line")
        for cell in range(b.size):
            b.wanted[cell] = NO_NUMBER
        for row in range(rows):
            for col in range(cols):
                cell = b.origin + row * b.step + col
                b.free[cell] = free[row * cols + col] != 0
                b.shown[cell] = shown[row * cols + col] != 0
                b.wanted[cell] = wanted[row * cols + col]
                b.most_zeros += b.shown[cell] and b.wanted[cell] == NO_NUMBER
        b.most_zeros = (b.most_zeros + 1) // 2

    def __dealloc__(self):
        arena_close(&self.arena)

    def load(self, const uint8_t[::1] colours not None):
        """Take a colouring: of the board and the ring around it, row by row."""
        cdef Board *b = &self.board
        cdef int row, col, cell
        if b.colour == NULL or colours.shape[0] != (b.rows + 2) * (b.cols + 2):
            raise ValueError("expected a colour for each cell of the board and of its ring")
        for row in range(-1, b.rows + 1):
            for col in range(-1, b.cols + 1):
                cell = b.origin + row * b.step + col
                b.colour[cell] = colours[(row + 1) * (b.cols + 2) + col + 1] & 1
        b.cost = b.stray = b.zeros = 0
        for cell in range(b.size):
            b.loose[cell] = 0
        # Edges between two cells of the board count for both, so only those above and to the left.
        for row in range(b.rows + 1):
            for col in range(b.cols + 1):
                cell = b.origin + row * b.step + col
                if not b.shown[cell] and col < b.cols and not b.shown[cell - b.step]:
                    b.stray += b.colour[cell] ^ b.colour[cell - b.step]
                if not b.shown[cell] and row < b.rows and not b.shown[cell - 1]:
                    b.stray += b.colour[cell] ^ b.colour[cell - 1]
        for cell in range(b.size):
            if b.free[cell]:
                judge(b, cell)
            b.cost += b.weight * error_at(b, cell)
            b.zeros += is_zero(b, cell)

    def colours(self):
        """The colouring as `load` takes it."""
        cdef Board *b = &self.board
        cdef int row
        cdef list rows = []
        if b.colour == NULL:
            raise ValueError("expected a board that is set up")
        for row in range(-1, b.rows + 1):
            rows.append(b.colour[b.origin + row * b.step - 1 : b.origin + row * b.step + b.cols + 1])
        return b"".join(rows)

    def is_loose(self, const int64_t[::1] faces not None):
        """Whether flips of these faces together leave a single line and all clues shown."""
        cdef Board *b = &self.board
        cdef int k, face
        cdef bint same = True
        if b.colour == NULL:
            raise ValueError("expected a board that is set up")
        for k in range(faces.shape[0]):
            if not 0 <= faces[k] < b.rows * b.cols:
                raise ValueError(f"expected faces of the board, got {faces[k]}")
        # The numbers before are kept where the colours before a flip usually are.
        for face in range(b.rows * b.cols):
            k = b.origin + face // b.cols * b.step + face % b.cols
            b.old_colour[k] = count(b, k)
        for k in range(faces.shape[0]):
            face = faces[k]
            b.colour[b.origin + face // b.cols * b.step + face % b.cols] ^= 1
        for face in range(b.rows * b.cols):
            k = b.origin + face // b.cols * b.step + face % b.cols
            if b.shown[k] and b.old_colour[k] != count(b, k):
                same = False
                break
        same = same and is_single(b)
        for k in range(faces.shape[0]):
            face = faces[k]
            b.colour[b.origin + face // b.cols * b.step + face % b.cols] ^= 1
        return same

    @property
    def cost(self):
        """How many flips are loose, and four for each by which a number is wrong."""
        return self.board.cost

    @property
    def dull(self):
        """How many edges are beside no clue that is shown, and clues 0 beyond half of all."""
        return dull(&self.board)

    @property
    def is_unfit(self):
        """Whether a flip is loose, a number wrong, or more than half of the clues 0."""
        return self.board.cost > 0 or self.board.zeros > self.board.most_zeros

    def shake(self, int face, int flips):
        """Flip up to so many random cells near a face, numbered ``row * cols + col``."""
        cdef Board *b = &self.board
        cdef int k, cell
        if b.colour == NULL or not 0 <= face < b.rows * b.cols:
            raise ValueError(f"expected a face of the board, got {face}")
        for k in range(flips):
            cell = cell_near(b, b.origin + face // b.cols * b.step + face % b.cols)
            if b.free[cell] and can_flip(b, cell):
                flip(b, cell)

    def settle(self, int steps, double warmth, deadline):
        """Flip cells beside bad ones until there are none, up to so many times.

        A flip that costs ``warmth`` more is kept once in e times. Raises `SearchTimeout`.
        """
        cdef Board *b = &self.board
        cdef Watch watch
        cdef double seconds = deadline.seconds
        if b.colour == NULL or not warmth > 0:
            raise ValueError("expected a warmth above 0")
        watch_start(&watch, seconds, 20)
        with nogil:
            settle(b, steps, warmth, &watch)
        watch_raise(&watch, deadline)

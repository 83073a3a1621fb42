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

cdef enum:
    MARGIN = 3  # rows and columns around the board, so that no window leaves the memory
    NEAR = 6  # offsets of a pair, one of each two opposite ones
    REACH = 3  # how far from a flip looseness can change
    NO_NUMBER = -1


cdef struct Board:
    int rows
    int cols
    int step  # cells in a row, margins included
    int size  # cells with all margins
    int origin  # the first cell of the board
    uint8_t *colour  # by cell, 0 or 1
    uint8_t *on_board  # by cell
    uint8_t *shown  # by cell: whether its clue is shown
    int8_t *wanted  # by cell: the number that it must have, or NO_NUMBER
    uint8_t *loose  # by cell: loose flips with it, of pairs the first cell
    uint8_t *old_colour  # while a flip is tried, the colours before
    uint8_t *old_loose
    int *waiting  # cells that a search for connected ones has yet to leave
    int around[8]  # clockwise from above; even ones share a side
    int near[NEAR]
    uint8_t simple[256]  # by pattern of the eight around: whether a flip leaves a single line
    int64_t cost  # loose flips, and wrong numbers by their weight
    int64_t stray  # edges of the line between two cells without a clue that is shown
    int64_t zeros  # clues that are shown, and 0, though they may be any number
    int64_t most_zeros  # so many do no harm
    int64_t weight  # of a number that is wrong by one
    uint64_t random  # state of the generator


cdef inline uint64_t next_random(Board *b) noexcept nogil:
    """SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    cdef uint64_t z
    b.random += <uint64_t>0x9E3779B97F4A7C15
    z = b.random
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline int below(Board *b, int bound) noexcept nogil:
    return <int>((next_random(b) >> 32) * <uint64_t>bound >> 32)


cdef inline bint can_flip(Board *b, int cell) noexcept nogil:
    """Whether the line stays a single one when this cell changes its colour."""
    cdef int bit, pattern = 0
    for bit in range(8):
        pattern |= b.colour[cell + b.around[bit]] << bit
    if not b.colour[cell]:
        pattern ^= 255
    return b.simple[pattern]


cdef inline int count(Board *b, int cell) noexcept nogil:
    """How many edges of the line are around a cell."""
    cdef int side, edges = 0
    for side in range(0, 8, 2):
        edges += b.colour[cell] ^ b.colour[cell + b.around[side]]
    return edges


cdef inline bint touches(Board *b, int cell, int other) noexcept nogil:
    """Whether two cells share a side."""
    cdef int apart = other - cell
    return apart == 1 or apart == -1 or apart == b.step or apart == -b.step


cdef bint alone_is_loose(Board *b, int cell) noexcept nogil:
    cdef int side
    for side in range(0, 8, 2):
        if b.shown[cell + b.around[side]]:
            return False
    # Its own number stays only if half of its sides have a line.
    return (not b.shown[cell] or count(b, cell) == 2) and can_flip(b, cell)


cdef bint pair_is_loose(Board *b, int cell, int other) noexcept nogil:
    cdef int side, beside, k, changed = 0
    cdef int cells[10]
    cdef int before[10]
    cdef bint single, same = True
    # Where only one of the two is beside, the number changes.
    for side in range(0, 8, 2):
        beside = cell + b.around[side]
        if b.shown[beside] and beside != other and not touches(b, beside, other):
            return False
        beside = other + b.around[side]
        if b.shown[beside] and beside != cell and not touches(b, beside, cell):
            return False
    for side in range(0, 8, 2):
        beside = cell + b.around[side]
        if b.shown[beside] and beside != other:
            cells[changed] = beside
            changed += 1
    if b.shown[cell]:
        cells[changed] = cell
        changed += 1
    if b.shown[other]:
        cells[changed] = other
        changed += 1
    for k in range(changed):
        before[k] = count(b, cells[k])
    single = can_flip(b, cell)
    b.colour[cell] ^= 1
    single = single and can_flip(b, other)
    b.colour[cell] ^= 1
    if not single:
        single = can_flip(b, other)
        b.colour[other] ^= 1
        single = single and can_flip(b, cell)
        b.colour[other] ^= 1
    if not single:
        return False
    b.colour[cell] ^= 1
    b.colour[other] ^= 1
    for k in range(changed):
        same = same and count(b, cells[k]) == before[k]
    b.colour[cell] ^= 1
    b.colour[other] ^= 1
    return same


cdef inline int error_at(Board *b, int cell) noexcept nogil:
    """By how much the number of a cell is wrong."""
    cdef int error
    if b.wanted[cell] == NO_NUMBER:
        return 0
    error = count(b, cell) - b.wanted[cell]
    return error if error > 0 else -error


cdef inline int stray_at(Board *b, int cell) noexcept nogil:
    """How many edges of the line around a cell are beside no clue that is shown."""
    cdef int side, edges = 0
    if b.shown[cell]:
        return 0
    for side in range(0, 8, 2):
        if not b.shown[cell + b.around[side]]:
            edges += b.colour[cell] ^ b.colour[cell + b.around[side]]
    return edges


cdef inline bint is_zero(Board *b, int cell) noexcept nogil:
    return b.shown[cell] and b.wanted[cell] == NO_NUMBER and count(b, cell) == 0


cdef inline int64_t dull(Board *b) noexcept nogil:
    """What is no mistake, but not wanted: stray edges, and zeros above what does no harm."""
    return b.stray + (b.zeros - b.most_zeros if b.zeros > b.most_zeros else 0)


cdef void judge(Board *b, int cell) noexcept nogil:
    """Count anew the loose flips that begin with a cell."""
    cdef int k, found = alone_is_loose(b, cell)
    for k in range(NEAR):
        if b.on_board[cell + b.near[k]]:
            found += pair_is_loose(b, cell, cell + b.near[k])
    b.cost += found - b.loose[cell]
    b.loose[cell] = found


cdef void flip(Board *b, int cell) noexcept nogil:
    """Change the colour of a cell, and what depends on it."""
    cdef int row, col, here, side
    for side in range(0, 8, 2):
        b.cost -= b.weight * error_at(b, cell + b.around[side])
        b.zeros -= is_zero(b, cell + b.around[side])
    b.cost -= b.weight * error_at(b, cell)
    b.zeros -= is_zero(b, cell)
    b.stray -= stray_at(b, cell)
    b.colour[cell] ^= 1
    b.stray += stray_at(b, cell)
    b.zeros += is_zero(b, cell)
    for side in range(0, 8, 2):
        b.cost += b.weight * error_at(b, cell + b.around[side])
        b.zeros += is_zero(b, cell + b.around[side])
    b.cost += b.weight * error_at(b, cell)
    for row in range(-REACH, REACH + 1):
        for col in range(-REACH, REACH + 1):
            here = cell + row * b.step + col
            if b.on_board[here]:
                judge(b, here)


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
            if b.on_board[cell] and can_flip(b, cell):
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


cdef void reach(Board *b, int start, uint8_t *reached) noexcept nogil:
    """Mark the cells of one colour that are connected with a cell by sides, the ring included."""
    cdef int size = 1, side, cell, beside
    b.waiting[0] = start
    reached[start] = True
    while size:
        size -= 1
        cell = b.waiting[size]
        for side in range(0, 8, 2):
            beside = cell + b.around[side]
            if not reached[beside] and b.colour[beside] == b.colour[start]:
                reached[beside] = True
                b.waiting[size] = beside
                size += 1


cdef bint is_single(Board *b) noexcept nogil:
    """Whether each colour is connected, the ring around the board included."""
    cdef uint8_t *reached = b.old_loose
    cdef int row, col, cell, parts = 0
    cdef bint seen[2]
    seen[0] = seen[1] = False
    for cell in range(b.size):
        reached[cell] = True
    for row in range(-1, b.rows + 1):
        for col in range(-1, b.cols + 1):
            reached[b.origin + row * b.step + col] = False
    for row in range(-1, b.rows + 1):
        for col in range(-1, b.cols + 1):
            cell = b.origin + row * b.step + col
            if not reached[cell]:
                if seen[b.colour[cell]]:
                    return False
                seen[b.colour[cell]] = True
                reach(b, cell, reached)
    return seen[0] and seen[1]


cdef class Mending:
    """A colouring of ``rows`` x ``cols`` cells whose loose and wrong cells are mended by flips.

    ``shown`` says of each cell whether its clue is shown, ``wanted`` which number it must have, -1
    for any. Raises ``ValueError`` for arrays of another size.
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
        uint64_t seed,
    ):
        cdef Board *b = &self.board
        cdef int k, row, col, cell
        if b.colour != NULL:
            raise RuntimeError("a board is set up once")
        if not (0 < rows < 1 << 14 and 0 < cols < 1 << 14 and simple.shape[0] == 256):
            raise ValueError("expected a board, and 256 patterns")
        if shown.shape[0] != rows * cols or wanted.shape[0] != rows * cols:
            raise ValueError("expected a value for each cell")
        b.rows, b.cols, b.step, b.random = rows, cols, cols + 2 * MARGIN, seed
        b.size = (rows + 2 * MARGIN) * b.step
        b.origin = MARGIN * b.step + MARGIN
        b.weight = 4
        for k in range(256):
            b.simple[k] = simple[k]
        b.around[:] = [
            -b.step, 1 - b.step, 1, 1 + b.step, b.step, b.step - 1, -1, -1 - b.step
        ]
        b.near[:] = [1, 2, b.step - 1, b.step, b.step + 1, 2 * b.step]
        b.on_board = <uint8_t *>arena_take(&self.arena, b.size, 1)
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
                b.on_board[cell] = True
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
            if b.on_board[cell]:
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
            if b.on_board[cell] and can_flip(b, cell):
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

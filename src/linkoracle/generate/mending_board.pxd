"""A board of two colours whose cells are flipped: what flips change, and whether they are loose.

`linkoracle.generate.mending_kernel` says what is loose, wrong and stray. All but `is_single` takes
O(1), whatever the size of the board.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t

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
    uint8_t *free  # by cell: whether it is one of the board, and may flip
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


cdef inline int lay_out(
    Board *b, int rows, int cols, int margin, const uint8_t[::1] simple
) except -1:
    """Set the size of a board with so wide a margin, the patterns and what is around a cell."""
    cdef int k
    if not (0 < rows < 1 << 14 and 0 < cols < 1 << 14 and simple.shape[0] == 256):
        raise ValueError("expected a board, and 256 patterns")
    b.rows, b.cols, b.step = rows, cols, cols + 2 * margin
    b.size = (rows + 2 * margin) * b.step
    b.origin = margin * b.step + margin
    for k in range(256):
        b.simple[k] = simple[k]
    b.around[:] = [-b.step, 1 - b.step, 1, 1 + b.step, b.step, b.step - 1, -1, -1 - b.step]
    return 0


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


cdef inline bint alone_is_loose(Board *b, int cell) noexcept nogil:
    cdef int side
    for side in range(0, 8, 2):
        if b.shown[cell + b.around[side]]:
            return False
    # Its own number stays only if half of its sides have a line.
    return (not b.shown[cell] or count(b, cell) == 2) and can_flip(b, cell)


cdef inline bint pair_is_loose(Board *b, int cell, int other) noexcept nogil:
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


cdef inline void judge(Board *b, int cell) noexcept nogil:
    """Count anew the loose flips that begin with a cell."""
    cdef int k, found = alone_is_loose(b, cell)
    for k in range(NEAR):
        if b.free[cell + b.near[k]]:
            found += pair_is_loose(b, cell, cell + b.near[k])
    b.cost += found - b.loose[cell]
    b.loose[cell] = found


cdef inline void flip(Board *b, int cell) noexcept nogil:
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
            if b.free[here]:
                judge(b, here)


cdef inline void reach(Board *b, int start, uint8_t *reached) noexcept nogil:
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


cdef inline bint is_single(Board *b) noexcept nogil:
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

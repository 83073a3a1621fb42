"""Cover a square board by paths that do not touch themselves: all solutions, cell by cell.

The theory stands in ``docs/explanation/taut.md``: in such a covering the cell inside a corner is a
corner that turns the same way, or a terminal. So every corner lies on a diagonal *lane* of like
corners, which ends at a terminal, and hardly ever is there a choice.

The search goes through the cells in reading order, along the shorter side. A cell then knows whether
a line enters from above and from the left. Of the corners that it can be, those that turn up need a
lane that stands already; those that turn down mark all cells of their lane.

Contents
    The board   cells with a margin, what each must and must not be, the state of the search
    Joining     the far ends of the pieces of path
    Lanes       the corners that a corner forces
    Choices     the ways through a cell
    Rows        a memory of those that were refuted
    Search      cell by cell
    For Python  `Lanes`
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcmp, memcpy

from linkoracle.core.kernels cimport Arena, arena_close, arena_error, arena_open, arena_take


# ---- The board -----------------------------------------------------------------------------------

cdef enum Way:
    #: Directions of the edges of a cell, as bits.
    UP = 1
    RIGHT = 2
    DOWN = 4
    LEFT = 8

cdef enum Mark:
    #: On a lane of corners from above left: no line from above and from the left.
    FROM_LEFT = 1
    #: On a lane of corners from above right: no line from above, and one from the left.
    FROM_RIGHT = 2

cdef enum Kind:
    #: Of a place: outside the board, a cell without a number, or one of pair ``PAIR + i``.
    OUTSIDE = 0
    PLAIN = 1
    PAIR = 2

cdef enum:
    #: No edges to choose: not even none.
    NOTHING = 0xFF
    #: Bytes that a column takes in the state of a row.
    COLUMN = 3
    #: Refuted rows in one block of memory, and the most blocks.
    BLOCK_ROWS = 256
    MOST_BLOCKS = 4_096
    #: The most lists of refuted rows.
    MOST_LISTS = 1 << 20
    #: The most pairs and columns: a row state has two bytes for a place or a pair.
    MOST_PAIRS = 60_000
    MOST_COLUMNS = 4_000

cdef struct Step:
    #: What the search has done in a cell.
    uint8_t first, second  # edges to choose next, and after that; `NOTHING` if all was tried
    uint8_t taken          # the edges that are chosen now
    uint8_t mark           # the sort of lane that was marked
    int32_t marked         # how many of its cells
    int32_t joined         # how many pieces of path were joined, and their ends before
    int32_t ends[4]
    int32_t far[4]

cdef struct Refuted:
    #: A row that led to no covering; its state follows.
    Refuted *following  # the next one of the same list, or NULL
    uint32_t hashed
    int32_t row


cdef struct Memory:
    #: The refuted rows, in lists by their hashes.
    Refuted **lists         # as many as a power of two, or NULL
    uint32_t number         # of lists
    char *blocks[MOST_BLOCKS]
    int64_t rows            # remembered
    bint full               # whether there is no room for more
    size_t size             # of the state of a row
    uint8_t *states         # for each row its state now
    uint32_t *hashes        # and its hash
    uint8_t *noted          # and whether it has one


cdef struct Search:
    int32_t rows, cols, pitch, number
    int32_t *cell        # the place of each step
    int32_t *kind
    int32_t *far         # for an end of a piece of path: its other end
    uint8_t *lines       # the edges that are chosen, as bits of `Way`
    uint8_t *needed      # edges to the right and down that every solution has
    uint8_t *barred      # those that none has
    int32_t *marks[2]    # how many lanes of either sort pass a place
    int32_t at           # the cell that the search is in
    bint fresh           # whether it came there from the cell before
    int64_t leaves       # coverings that have been found, even if they touch themselves
    int64_t *before      # for each row, the leaves when it was entered
    int32_t *path        # room for `touches_itself`
    Step *steps
    Memory memory
    Arena arena


cdef inline bint is_terminal(Search *s, int32_t p) noexcept nogil:
    return s.kind[p] >= PAIR


# ---- Joining -------------------------------------------------------------------------------------

cdef inline bint may_join(Search *s, int32_t p, int32_t q) noexcept nogil:
    """Whether an edge from an end ``p`` to an end ``q`` closes no cycle and joins no two pairs."""
    cdef int32_t a = s.far[p], b = s.far[q]
    if a == q:
        return False
    return s.kind[a] == PLAIN or s.kind[b] == PLAIN or s.kind[a] == s.kind[b]


cdef inline void join(Search *s, Step *step, int32_t p, int32_t q) noexcept nogil:
    cdef int32_t a = s.far[p], b = s.far[q], at = 2 * step.joined
    step.ends[at], step.far[at] = a, s.far[a]
    step.ends[at + 1], step.far[at + 1] = b, s.far[b]
    s.far[a], s.far[b] = b, a
    step.joined += 1


cdef inline void take_apart(Search *s, Step *step) noexcept nogil:
    cdef int32_t at
    while step.joined:
        step.joined -= 1
        for at in range(2 * step.joined + 1, 2 * step.joined - 1, -1):
            s.far[step.ends[at]] = step.far[at]


# ---- Lanes ---------------------------------------------------------------------------------------

cdef inline int32_t stride(Search *s, uint8_t mark) noexcept nogil:
    return s.pitch + 1 if mark == FROM_LEFT else s.pitch - 1


cdef bint mark_lane(Search *s, Step *step, int32_t p, uint8_t mark) noexcept nogil:
    """Mark the cells of the lane that a corner at ``p`` needs; false if there can be none.

    What has been marked is in the step in either case.
    """
    cdef int32_t *marks = s.marks[mark - 1]
    cdef int32_t *others = s.marks[2 - mark]
    step.mark, step.marked = mark, 0
    while True:
        p += stride(s, mark)
        if s.kind[p] == OUTSIDE:
            return False
        if s.kind[p] == PLAIN:
            if others[p]:
                return False
            if marks[p]:
                # The rest of the lane is marked already.
                return True
        marks[p] += 1
        step.marked += 1
        if s.kind[p] != PLAIN:
            return True


cdef inline void unmark_lane(Search *s, Step *step, int32_t p) noexcept nogil:
    while step.marked:
        p += stride(s, step.mark)
        s.marks[step.mark - 1][p] -= 1
        step.marked -= 1


cdef inline bint holds(Search *s, int32_t d, uint8_t ways) noexcept nogil:
    """Whether a corner that turns up may hang on ``d``: a like corner, or a terminal."""
    return s.lines[d] == ways if s.kind[d] == PLAIN else (s.lines[d] & ways) != 0


# ---- Choices -------------------------------------------------------------------------------------

cdef inline void offer(Search *s, Step *step, int32_t p, uint8_t ways) noexcept nogil:
    """Let a cell have these edges to the right and down, if the model allows them."""
    if ways & s.barred[p] or s.needed[p] & ~ways:
        return
    if step.first == NOTHING:
        step.first = ways
    else:
        step.second = ways


cdef void list_choices(Search *s, Step *step, int32_t p) noexcept nogil:
    """List the ways to leave ``p`` to the right and down; none if the position is refuted."""
    cdef uint8_t entered = s.lines[p] & (UP | LEFT)
    cdef bint from_left = s.marks[0][p] > 0, from_right = s.marks[1][p] > 0
    step.first = step.second = NOTHING
    if is_terminal(s, p):
        if entered == UP | LEFT:
            return
        if entered:
            if not (entered == UP and (from_left or from_right) or entered == LEFT and from_left):
                offer(s, step, p, 0)
            return
        if not from_right:
            offer(s, step, p, RIGHT)
        offer(s, step, p, DOWN)
    elif from_left:
        if not entered:
            offer(s, step, p, RIGHT | DOWN)
    elif from_right:
        if entered == LEFT:
            offer(s, step, p, DOWN)
    elif entered == UP | LEFT:
        if holds(s, p - s.pitch - 1, UP | LEFT):
            offer(s, step, p, 0)
    elif entered == UP:
        if holds(s, p - s.pitch + 1, UP | RIGHT):
            offer(s, step, p, RIGHT)
        offer(s, step, p, DOWN)
    elif entered == LEFT:
        offer(s, step, p, DOWN)
        offer(s, step, p, RIGHT)
    else:
        offer(s, step, p, RIGHT | DOWN)


cdef bint take(Search *s, Step *step, int32_t p, uint8_t ways) noexcept nogil:
    """Choose these edges; false if that is impossible. `take_back` undoes it in either case."""
    cdef int32_t q
    cdef bint corner = s.kind[p] == PLAIN and not s.marks[0][p] and not s.marks[1][p]
    if ways & RIGHT:
        q = p + 1
        if s.kind[q] == OUTSIDE or s.marks[0][q] or not may_join(s, p, q):
            return False
        # A number that a line has reached from above is an end.
        if is_terminal(s, q) and s.lines[q]:
            return False
        join(s, step, p, q)
        step.taken |= RIGHT
        s.lines[p] |= RIGHT
        s.lines[q] |= LEFT
    if ways & DOWN:
        q = p + s.pitch
        if s.kind[q] == OUTSIDE or s.marks[0][q] or s.marks[1][q] or not may_join(s, p, q):
            return False
        join(s, step, p, q)
        step.taken |= DOWN
        s.lines[p] |= DOWN
        s.lines[q] |= UP
        if corner and s.lines[p] == RIGHT | DOWN:
            return mark_lane(s, step, p, FROM_LEFT)
        if corner and s.lines[p] == LEFT | DOWN:
            return mark_lane(s, step, p, FROM_RIGHT)
    return True


cdef void take_back(Search *s, Step *step, int32_t p) noexcept nogil:
    unmark_lane(s, step, p)
    if step.taken & DOWN:
        s.lines[p] &= ~DOWN
        s.lines[p + s.pitch] &= ~UP
    if step.taken & RIGHT:
        s.lines[p] &= ~RIGHT
        s.lines[p + 1] &= ~LEFT
    take_apart(s, step)
    step.taken = 0


# ---- Rows ----------------------------------------------------------------------------------------

cdef void write_state(Search *s, int32_t p, uint8_t *out) noexcept nogil:
    """Write all that matters to the cells from ``p``, the first of its row.

    That is, for each column, where the line that comes down leads, which lanes pass, and which
    corners that turn up may hang on the cell above.
    """
    cdef int32_t c, far
    cdef uint16_t leads
    for c in range(s.cols):
        leads = 0
        if s.lines[p] & UP:
            # Ends of pieces are terminals, or cells of this row.
            far = s.far[p]
            leads = <uint16_t>(s.pitch + s.kind[far] if is_terminal(s, far) else far % s.pitch)
        out[COLUMN * c] = leads & 0xFF
        out[COLUMN * c + 1] = leads >> 8
        out[COLUMN * c + 2] = (
            (FROM_LEFT if s.marks[0][p] else 0) | (FROM_RIGHT if s.marks[1][p] else 0)
            | (4 if holds(s, p - s.pitch, UP | RIGHT) else 0)
            | (8 if holds(s, p - s.pitch, UP | LEFT) else 0)
        )
        p += 1


cdef inline uint32_t hash_of(const uint8_t *state, size_t size, int32_t row) noexcept nogil:
    """The FNV-1a hash of a state."""
    cdef uint32_t hashed = <uint32_t>2166136261u ^ <uint32_t>row
    cdef size_t k
    for k in range(size):
        hashed = (hashed ^ state[k]) * <uint32_t>16777619
    return hashed ^ hashed >> 15


cdef bint is_refuted(Search *s, int32_t row, int32_t p) noexcept nogil:
    """Whether this row has led to no covering before; note its state if not."""
    cdef Memory *m = &s.memory
    cdef uint8_t *state = m.states + row * m.size
    cdef uint32_t hashed
    cdef Refuted *known
    s.before[row] = s.leaves
    write_state(s, p, state)
    m.hashes[row] = hashed = hash_of(state, m.size, row)
    m.noted[row] = False
    known = m.lists[hashed & (m.number - 1)]
    while known != NULL:
        if known.hashed == hashed and known.row == row and not memcmp(known + 1, state, m.size):
            return True
        known = known.following
    m.noted[row] = True
    return False


cdef void leave(Search *s, int32_t row) noexcept nogil:
    """Remember a row that led to no covering, however often lines touch themselves."""
    cdef Memory *m = &s.memory
    cdef size_t each = (sizeof(Refuted) + m.size + 15) // 16 * 16
    cdef int64_t block = m.rows // BLOCK_ROWS
    cdef Refuted *made
    cdef uint32_t at
    if not m.noted[row] or m.full or s.before[row] != s.leaves:
        return
    if m.rows % BLOCK_ROWS == 0:
        if block < MOST_BLOCKS:
            m.blocks[block] = <char *>arena_take(&s.arena, BLOCK_ROWS, each)
        if block == MOST_BLOCKS or m.blocks[block] == NULL:
            # The search takes longer without, and is right.
            m.full = True
            return
    made = <Refuted *>(m.blocks[block] + m.rows % BLOCK_ROWS * each)
    m.rows += 1
    at = m.hashes[row] & (m.number - 1)
    made.following, made.hashed, made.row = m.lists[at], m.hashes[row], row
    memcpy(made + 1, m.states + row * m.size, m.size)
    m.lists[at] = made


# ---- Search --------------------------------------------------------------------------------------

cdef bint touches_itself(Search *s) noexcept nogil:
    """Whether two neighbours of one path are not joined. O(cells)."""
    cdef int32_t *path = s.path
    cdef int32_t k, p, q, number = 0
    cdef uint8_t came, way
    for k in range(s.number):
        path[s.cell[k]] = -1
    for k in range(s.number):
        p = s.cell[k]
        if not is_terminal(s, p) or path[p] >= 0:
            continue
        number += 1
        came = 0
        while True:
            path[p] = number
            way = s.lines[p] & ~came
            if way == 0:
                break
            if way == UP:
                p, came = p - s.pitch, DOWN
            elif way == DOWN:
                p, came = p + s.pitch, UP
            elif way == LEFT:
                p, came = p - 1, RIGHT
            else:
                p, came = p + 1, LEFT
    for k in range(s.number):
        p = s.cell[k]
        q = p + 1
        if s.kind[q] and path[q] == path[p] and not s.lines[p] & RIGHT:
            return True
        q = p + s.pitch
        if s.kind[q] and path[q] == path[p] and not s.lines[p] & DOWN:
            return True
    return False


# ---- For Python ----------------------------------------------------------------------------------

cdef class Lanes:
    """The coverings of ``rows`` x ``cols`` cells by paths that join pairs and do not touch themselves.

    ``pairs`` are pairs of cells, numbered by rows. ``needed`` and ``barred`` are pairs of
    neighbouring cells, the smaller first, whose edge every solution has, or lacks. The board has at
    most as many columns as rows, which is faster.

    All of ``memory`` bytes may be used. With less, fewer rows are remembered, and the search may
    take longer. Raises ``ValueError`` for inconsistent arguments, and `MemoryLimit` if the memory
    is not enough for the board.

    >>> lanes = Lanes(3, 2, [(0, 5)], [], [], 100_000)
    >>> lanes.search(1000)
    False
    >>> lanes = Lanes(3, 2, [(0, 4), (1, 5)], [], [], 100_000)
    >>> lanes.search(1000), lanes.edges()
    (True, [(0, 2), (1, 3), (2, 4), (3, 5)])
    >>> lanes.search(1000)
    False
    """

    cdef Search s

    def __dealloc__(self):
        arena_close(&self.s.arena)

    def __init__(
        self,
        int32_t rows,
        int32_t cols,
        pairs: Sequence[tuple[int, int]],
        needed: Iterable[tuple[int, int]],
        barred: Iterable[tuple[int, int]],
        size_t memory,
    ):
        cdef Search *s = &self.s
        cdef Memory *m = &self.s.memory
        cdef int32_t places, k, pair
        if not (1 <= cols <= MOST_COLUMNS and 1 <= rows < 1 << 15 and 0 < len(pairs) <= MOST_PAIRS):
            raise ValueError("expected a board, and pairs to join")
        arena_close(&s.arena)
        arena_open(&s.arena, memory)
        s.rows, s.cols, s.pitch, s.number = rows, cols, cols + 2, rows * cols
        places = (rows + 2) * s.pitch
        s.cell = <int32_t *>arena_take(&s.arena, s.number, sizeof(int32_t))
        s.path = <int32_t *>arena_take(&s.arena, places, sizeof(int32_t))
        s.far = <int32_t *>arena_take(&s.arena, places, sizeof(int32_t))
        s.kind = <int32_t *>arena_take(&s.arena, places, sizeof(int32_t))
        s.marks[0] = <int32_t *>arena_take(&s.arena, places, sizeof(int32_t))
        s.marks[1] = <int32_t *>arena_take(&s.arena, places, sizeof(int32_t))
        s.lines = <uint8_t *>arena_take(&s.arena, places, 1)
        s.needed = <uint8_t *>arena_take(&s.arena, places, 1)
        s.barred = <uint8_t *>arena_take(&s.arena, places, 1)
        s.before = <int64_t *>arena_take(&s.arena, rows, sizeof(int64_t))
        s.steps = <Step *>arena_take(&s.arena, s.number, sizeof(Step))
        m.rows, m.full, m.size = 0, False, COLUMN * <size_t>cols
        m.states = <uint8_t *>arena_take(&s.arena, rows, m.size)
        m.hashes = <uint32_t *>arena_take(&s.arena, rows, sizeof(uint32_t))
        m.noted = <uint8_t *>arena_take(&s.arena, rows, 1)
        m.number = 1
        while m.number < memory // (16 * m.size) and m.number < MOST_LISTS:
            m.number *= 2
        m.lists = <Refuted **>arena_take(&s.arena, m.number, sizeof(Refuted *))
        if s.arena.refused:
            arena_error(&s.arena, "a search along lanes")
        for k in range(places):
            s.far[k] = k
        for k in range(s.number):
            s.cell[k] = (1 + k // cols) * s.pitch + 1 + k % cols
            s.kind[s.cell[k]] = PLAIN
        for pair, ends in enumerate(pairs):
            for end in ends:
                k = self.place(end)
                if s.kind[k] != PLAIN:
                    raise ValueError(f"expected each cell in one pair, got {end} twice")
                s.kind[k] = PAIR + pair
        for edges, bits in ((needed, 0), (barred, 1)):
            for first, second in edges:
                k = self.place(first)
                way = {self.place(first) + 1: RIGHT, k + s.pitch: DOWN}.get(self.place(second))
                if way is None:
                    raise ValueError(f"expected neighbours, got {first} and {second}")
                if bits:
                    s.barred[k] |= <uint8_t>way
                else:
                    s.needed[k] |= <uint8_t>way
        s.at, s.fresh, s.leaves = 0, True, 0

    cdef int32_t place(self, int64_t cell) except -1:
        if not 0 <= cell < self.s.number:
            raise ValueError(f"expected a cell of the board, got {cell}")
        return self.s.cell[cell]

    def search(self, int64_t cells) -> bool | None:
        """Search the next solution, for so many cells at most.

        Return whether there is one, and ``None`` if it is not known yet: then call it again. After
        a last solution or none, the result stays false.
        """
        cdef Search *s = &self.s
        cdef Step *step
        cdef int32_t p
        cdef uint8_t ways
        while s.at >= 0:
            if s.at == s.number:
                s.at -= 1
                s.fresh = False
                s.leaves += 1
                if not touches_itself(s):
                    return True
                continue
            step = &s.steps[s.at]
            p = s.cell[s.at]
            if s.fresh:
                if cells <= 0:
                    return None
                cells -= 1
                s.fresh = False
                step.first = NOTHING
                if s.at % s.cols or not is_refuted(s, s.at // s.cols, p):
                    list_choices(s, step, p)
            else:
                take_back(s, step, p)
            ways = step.first
            if ways == NOTHING:
                if s.at % s.cols == 0:
                    leave(s, s.at // s.cols)
                s.at -= 1
                continue
            step.first, step.second = step.second, NOTHING
            if take(s, step, p, ways):
                s.at += 1
                s.fresh = True
        return False

    @property
    def remembered(self) -> int:
        """How many refuted rows are remembered."""
        return self.s.memory.rows

    @property
    def used(self) -> int:
        """Bytes of memory that are used."""
        return self.s.arena.used

    def edges(self) -> list[tuple[int, int]]:
        """Return the edges of the solution that `search` has found, as pairs of cells in order."""
        cdef Search *s = &self.s
        cdef int32_t k
        chosen = []
        for k in range(s.number):
            if s.lines[s.cell[k]] & RIGHT:
                chosen.append((k, k + 1))
            if s.lines[s.cell[k]] & DOWN:
                chosen.append((k, k + s.cols))
        return chosen

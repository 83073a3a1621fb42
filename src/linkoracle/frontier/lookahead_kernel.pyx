"""Unit propagation over windows of edges: the kernel of `linkoracle.frontier.lookahead`."""

from libc.stdint cimport int8_t, int64_t, uint8_t

from linkoracle.core.arena cimport Arena, arena_close, arena_error, arena_open, arena_take
from linkoracle.core.watch cimport Watch, watch_raise, watch_start, watch_stops

cdef enum:
    WINDOW = 8  # edges of a window; the highest bit of a pattern is assumed first
    NO_EDGE = -1
    UNKNOWN = -1
    CONFLICT = -1


cdef struct Board:
    int height  # rows of vertices
    int width  # vertices a row
    int steps  # vertices
    const int64_t *degrees  # mask of allowed degrees, by vertex
    const int64_t *faces  # mask of allowed counts, by face
    int8_t *values  # of each edge: 0 off, 1 on, or UNKNOWN
    int *trail  # edges that are known, in the order in which they became so
    int known  # how many that are


cdef struct Rule:
    int edges[4]  # the edges it counts
    int size  # how many these are
    int64_t allowed  # mask of allowed counts


cdef inline Rule vertex_rule(Board *b, int vertex) noexcept nogil:
    cdef Rule rule
    rule.edges[0], rule.edges[1] = 2 * vertex, 2 * vertex + 1
    rule.size = 2
    if vertex % b.width:
        rule.edges[rule.size] = 2 * (vertex - 1)
        rule.size += 1
    if vertex >= b.width:
        rule.edges[rule.size] = 2 * (vertex - b.width) + 1
        rule.size += 1
    rule.allowed = b.degrees[vertex]
    return rule


cdef inline bint has_face(Board *b, int vertex) noexcept nogil:
    """Whether there is a face to the lower right of a vertex."""
    return vertex < b.steps - b.width and (vertex + 1) % b.width != 0


cdef inline Rule face_rule(Board *b, int vertex) noexcept nogil:
    """The rule of the face to the lower right of a vertex."""
    cdef Rule rule
    rule.edges[0], rule.edges[1] = 2 * vertex, 2 * vertex + 1
    rule.edges[2], rule.edges[3] = 2 * (vertex + 1) + 1, 2 * (vertex + b.width)
    rule.size = 4
    rule.allowed = b.faces[vertex // b.width * (b.width - 1) + vertex % b.width]
    return rule


cdef inline void learn(Board *b, int edge, int value) noexcept nogil:
    b.values[edge] = value
    b.trail[b.known] = edge
    b.known += 1


cdef bint apply_rule(Board *b, Rule *rule) noexcept nogil:
    """Draw the conclusions of one rule; False at a conflict."""
    cdef int k, value, on = 0, unknown = 0
    for k in range(rule.size):
        value = b.values[rule.edges[k]]
        if value == UNKNOWN:
            unknown += 1
        else:
            on += value
    if unknown == 0:
        return rule.allowed >> on & 1
    cdef int64_t window = (1 << unknown) - 1
    cdef bint may_be_off = (rule.allowed >> on & window) != 0
    cdef bint may_be_on = (rule.allowed >> (on + 1) & window) != 0
    if may_be_off and may_be_on:
        return True
    if not may_be_off and not may_be_on:
        return False
    for k in range(rule.size):
        if b.values[rule.edges[k]] == UNKNOWN:
            learn(b, rule.edges[k], may_be_on)
    return True


cdef bint propagate(Board *b, int done) noexcept nogil:
    """Draw all unit conclusions from the trail behind ``done``; False at a conflict."""
    cdef int edge, vertex, end, beside
    cdef Rule rule
    while done < b.known:
        edge = b.trail[done]
        done += 1
        vertex = edge // 2
        # Its two ends, and the faces on its two sides.
        if edge & 1:
            end, beside = vertex + b.width, (vertex - 1 if vertex % b.width else -1)
        else:
            end, beside = vertex + 1, vertex - b.width
        rule = vertex_rule(b, vertex)
        if not apply_rule(b, &rule):
            return False
        if end < b.steps:
            rule = vertex_rule(b, end)
            if not apply_rule(b, &rule):
                return False
        if has_face(b, vertex):
            rule = face_rule(b, vertex)
            if not apply_rule(b, &rule):
                return False
        if beside >= 0 and has_face(b, beside):
            rule = face_rule(b, beside)
            if not apply_rule(b, &rule):
                return False
    return True


cdef bint assume(Board *b, int edge, int value) noexcept nogil:
    """Assume one edge and propagate; False at a conflict."""
    if b.values[edge] != UNKNOWN:
        return b.values[edge] == value
    learn(b, edge, value)
    return propagate(b, b.known - 1)


cdef void forget(Board *b, int known) noexcept nogil:
    """Shorten the trail to what was ``known``."""
    while b.known > known:
        b.known -= 1
        b.values[b.trail[b.known]] = UNKNOWN


cdef bint begin(Board *b, const int8_t[::1] fixed) noexcept nogil:
    """Learn what holds without assumptions; False if the board has no solution.

    That is what is fixed, what follows, and every edge that cannot have one value.
    """
    cdef int edge, value, known, again
    cdef bint fits
    for edge in range(2 * b.steps):
        if fixed[edge] != UNKNOWN:
            learn(b, edge, fixed[edge])
    if not propagate(b, 0):
        return False
    for again in range(2):
        for edge in range(2 * b.steps):
            for value in range(2):
                if b.values[edge] != UNKNOWN:
                    continue
                known = b.known
                fits = assume(b, edge, value)
                forget(b, known)
                if not fits and not assume(b, edge, 1 - value):
                    return False
    return True


cdef void fill(Board *b, const int64_t[::1] window, uint8_t[::1] row) noexcept nogil:
    """Say for each pattern of one window whether it may have a future.

    Patterns in increasing order, the highest bit assumed first: one pattern keeps what the one
    before it has concluded from the bits that they share.
    """
    cdef int ends[WINDOW + 1]  # the trail before the bits from here up were assumed
    cdef int pattern = 0, first = WINDOW - 1, bit, value, skipped, changed
    cdef int64_t edge
    cdef bint fits
    ends[WINDOW] = b.known
    while pattern < 1 << WINDOW:
        forget(b, ends[first + 1])
        skipped, fits = 1, True
        for bit in range(first, -1, -1):
            edge, value = window[bit], pattern >> bit & 1
            if edge == NO_EDGE:
                fits = value == 0
            else:
                fits = assume(b, edge, value)
            if not fits:
                # So is every pattern with the same higher bits.
                skipped = 1 << bit
                break
            ends[bit] = b.known
        row[pattern] = fits
        changed = (pattern + skipped) ^ pattern
        pattern += skipped
        first = 0
        while changed > 1:
            changed >>= 1
            first += 1
        if first >= WINDOW:
            break
    forget(b, ends[WINDOW])


def tabulate(
    const int64_t[:, ::1] degrees,
    const int64_t[:, ::1] faces,
    const int8_t[::1] fixed,
    const int64_t[:, ::1] windows,
    uint8_t[:, ::1] table,
    object deadline,
):
    """Fill ``table``, zeros before, with what `linkoracle.frontier.lookahead.lookahead` returns.

    Raises ``ValueError`` for arrays that do not belong together, and `SearchTimeout`.
    """
    cdef Py_ssize_t height = degrees.shape[0], width = degrees.shape[1]
    cdef Py_ssize_t steps = height * width, step, bit
    if not 0 < steps < 1 << 28:
        raise ValueError("expected rows of degrees")
    if height > 1 and width > 1 and (faces.shape[0] != height - 1 or faces.shape[1] != width - 1):
        raise ValueError("expected a mask for each face")
    if fixed.shape[0] != 2 * steps or windows.shape[0] != steps or windows.shape[1] != WINDOW:
        raise ValueError("expected two edges and a window for each vertex")
    if table.shape[0] != steps or table.shape[1] != 1 << WINDOW:
        raise ValueError("expected a row of the table for each vertex")
    for step in range(2 * steps):
        if not -1 <= fixed[step] <= 1:
            raise ValueError("expected edges fixed to 0 or 1, or -1")
    for step in range(steps):
        for bit in range(WINDOW):
            if not NO_EDGE <= windows[step, bit] < 2 * steps:
                raise ValueError("expected edges of the board in windows")
    cdef Arena arena
    cdef Watch watch
    cdef Board b
    cdef bint has_any = height > 1 and width > 1
    arena_open(&arena, <size_t>-1)
    b.height, b.width, b.steps = height, width, steps
    b.degrees, b.faces = &degrees[0, 0], &faces[0, 0] if has_any else NULL
    b.values = <int8_t *>arena_take(&arena, 2 * steps, sizeof(int8_t))
    b.trail = <int *>arena_take(&arena, 2 * steps, sizeof(int))
    b.known = 0
    try:
        if arena.refused:
            arena_error(&arena, "looking ahead")
        watch_start(&watch, deadline.seconds, 4)
        with nogil:
            for step in range(2 * steps):
                b.values[step] = UNKNOWN
            if begin(&b, fixed):
                for step in range(steps):
                    if watch_stops(&watch):
                        break
                    fill(&b, windows[step], table[step])
        watch_raise(&watch, deadline)
    finally:
        arena_close(&arena)

"""The local rules of a board: what follows from them alone, and clauses for the rest.

Most edges of a usual puzzle follow by unit propagation (see `linkoracle.sat.propagation`) and by
*failed literals*: an edge that cannot have one value, because propagation then ends in a conflict,
has the other. What both values of an edge imply holds, too. Such an edge is one clause, and what
the rules around it leave open is little.
"""

from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF
from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

from linkoracle.core.arena cimport Arena, arena_close, arena_error, arena_open, arena_release, arena_take
from linkoracle.core.watch cimport GOES_ON, watch_raise, watch_start, watch_stops
from linkoracle.sat.propagation cimport (
    ANY_COUNT, NO_MATE, UNKNOWN, Board, Edge, Rule, apply_rule, board_open, learn, propagate
)

cdef enum:
    RATE = 2048  # edges that are propagated between two looks at the clock
    STATED = 20_000  # clauses between two of them: some hundredths of a second
    PASS_OR_SKIP = 0b101
    NONE = -1
    EFFORT = 6  # edges that probing may propagate, for each edge of the board
    GAIN = 100  # and as many more for each edge that it has found


cdef struct Probing:
    uint8_t *marked  # whether an edge is worth to be tried
    int8_t *implied  # of each edge, what it is if the edge at hand is off, or UNKNOWN
    int32_t *trail  # the edges of which that is known
    int num_implied  # how many these are
    int32_t *common  # those of them that are the same if the edge at hand is on
    int num_common  # how many these are
    int64_t effort  # edges that were propagated
    int32_t *tried  # of each edge, the one whose two values both implied what it is, or NONE


cdef inline int bits(int mask) noexcept nogil:
    """How many of five bits are set."""
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1) + (mask >> 4 & 1)


cdef int add_count(object add, int size, list literals, int allowed, list unless) except -1:
    """Call ``add`` with clauses that hold iff of ``size`` <= 4 literals the true ones number a bit
    of ``allowed``, or a literal of ``unless`` is true; how many clauses that were.

    ``literals`` has them, and then their negations. Counts above the greatest allowed one are
    excluded together by short clauses ("of these k, not all"), likewise counts below the least; a
    count between allowed ones is excluded pattern by pattern.
    """
    cdef int some, number, k, place, clauses = 0, least = 0, most = size
    cdef bint above, below
    cdef list clause
    cdef object literal
    allowed &= (2 << size) - 1
    if allowed == 0:
        add(unless[:])
        return 1
    while not allowed >> least & 1:
        least += 1
    while not allowed >> most & 1:
        most -= 1
    for some in range(1 << size):
        number = bits(some)
        above, below = number > least, number < most
        if above and below:
            if allowed >> number & 1:
                continue
        elif number == most + 1:
            below = False
        elif number == least - 1:
            above = False
        else:
            continue
        # The pattern, but for the literals that tell nothing: off above, and on below.
        clause = PyList_New(above * number + below * (size - number))
        place = 0
        for k in range(size):
            if (above if some >> k & 1 else below):
                literal = literals[size + k if some >> k & 1 else k]
                Py_INCREF(literal)
                PyList_SET_ITEM(clause, place, literal)
                place += 1
        add(unless + clause if unless else clause)
        clauses += 1
    return clauses


cdef list with_negations(list literals):
    cdef int64_t literal
    return literals + [-literal for literal in literals]


def count_clauses(const int32_t[:, :] edges, int mask, const int64_t[:] unless=None):
    """Clauses: in each row of ``edges`` (shape ``(n, size)``) the chosen edges number a bit of it.

    ``unless`` has a literal for each row, which frees it from the rule. O(n) clauses; edge ids go
    in, literals come out. Raises ``ValueError`` for rows of more than four edges.
    """
    cdef Py_ssize_t row, k
    if edges.shape[1] > 4:
        raise ValueError("expected rows of up to four edges")
    if unless is not None and unless.shape[0] != edges.shape[0]:
        raise ValueError("expected a literal for each row")
    cdef list clauses = []
    for row in range(edges.shape[0]):
        literals = with_negations([<int64_t>edges[row, k] + 1 for k in range(edges.shape[1])])
        free = [] if unless is None else [unless[row]]
        add_count(clauses.append, edges.shape[1], literals, mask, free)
    return clauses


def one_count(list edges, int mask, int unless):
    """`count_clauses` of one row and its literal."""
    if len(edges) > 4:
        raise ValueError("expected up to four edges")
    cdef int edge
    cdef list clauses = []
    literals = with_negations([edge + 1 for edge in edges])
    add_count(clauses.append, len(edges), literals, mask, [unless])
    return clauses


cdef void forget(Board *b, int known, int chosen) noexcept nogil:
    """Take back what was assumed and learned after so many edges were known."""
    while b.known > known:
        b.known -= 1
        b.values[b.trail[b.known]] = UNKNOWN
    b.done = known
    b.chosen = chosen
    while b.changed:
        b.changed -= 1
        b.paths[b.changes[b.changed].vertex] = b.changes[b.changed].before
    b.closed = False


cdef bint may_be(Board *b, Probing *p, int edge, int value) noexcept nogil:
    """Whether propagation tells nothing against this value of an edge."""
    cdef int known = b.known, chosen = b.chosen, i, other
    cdef bint fits
    b.assuming = True
    learn(b, edge, value)
    fits = propagate(b)
    p.effort += b.known - known
    if fits:
        for i in range(known, b.known):
            other = b.trail[i]
            if value == 0:
                p.implied[other] = b.values[other]
                p.trail[p.num_implied] = other
                p.num_implied += 1
            elif p.implied[other] == b.values[other]:
                p.common[p.num_common] = other
                p.num_common += 1
    forget(b, known, chosen)
    b.assuming = False
    return fits


cdef bint probe_edge(Board *b, Probing *p, int edge) noexcept nogil:
    """Learn what follows from any value of an edge; False at a conflict, or when it is stopped."""
    cdef int i, known = b.known
    p.num_implied = p.num_common = 0
    if not may_be(b, p, edge, 0):
        learn(b, edge, 1)
    elif not may_be(b, p, edge, 1):
        learn(b, edge, 0)
    else:
        for i in range(p.num_common):
            p.tried[p.common[i]] = edge
            learn(b, p.common[i], p.implied[p.common[i]])
    for i in range(p.num_implied):
        p.implied[p.trail[i]] = UNKNOWN
    if b.watch.why != GOES_ON:
        # What looks like a conflict may be none.
        forget(b, known, b.chosen)
        return False
    return propagate(b)


cdef void mark_around(Board *b, Probing *p, int known) noexcept nogil:
    """Mark the edges beside those that became known after so many."""
    cdef Edge *edge
    cdef Rule *rule
    cdef int k, i
    while known < b.known:
        edge = &b.edges[b.trail[known]]
        for k in range(edge.size):
            rule = &b.rules[edge.rules[k]]
            for i in range(rule.size):
                p.marked[rule.edges[i]] = True
        known += 1


cdef bint probe(Board *b, Probing *p) noexcept nogil:
    """Try marked edges until little comes of it; False at a conflict, or when it is stopped."""
    cdef int edge = 0, idle = 0, known
    cdef int64_t most = <int64_t>EFFORT * b.num_edges
    # Where there are few clues nothing comes of it, but it would take as long as the search.
    while idle < b.num_edges and p.effort < most:
        idle += 1
        if p.marked[edge] and b.values[edge] == UNKNOWN:
            known = b.known
            if not probe_edge(b, p, edge):
                return False
            if b.known > known:
                mark_around(b, p, known)
                most += GAIN * <int64_t>(b.known - known)
                idle = 0
        edge = edge + 1 if edge + 1 < b.num_edges else 0
    return True


cdef bint begin(Board *b, Probing *p) noexcept nogil:
    """Draw the conclusions of all rules, and mark where probing may help; False at a conflict."""
    cdef int rule, edge, k
    for edge in range(b.num_edges):
        p.implied[edge] = UNKNOWN
        p.tried[edge] = NONE
    for rule in range(b.num_rules):
        if watch_stops(&b.watch) or not apply_rule(b, &b.rules[rule]):
            return False
    if not propagate(b):
        return False
    mark_around(b, p, 0)
    for rule in range(b.num_rules):
        # A dot that a line may pass through or leave out tells nothing by itself.
        if rule >= b.num_vertices or b.rules[rule].allowed != PASS_OR_SKIP:
            for k in range(b.rules[rule].size):
                p.marked[b.rules[rule].edges[k]] = True
    # A loop has an edge.
    return b.num_edges > 0 or not b.loop


cdef class Rules:
    """The rules of a `LinkModel`, and what is known of its edges.

    That is at first what the model gives and forbids; `settle` finds more. O(edges) memory. Raises
    `MemoryLimit` where there is not so much.
    """

    cdef Arena arena
    cdef Board board
    cdef int32_t *tried  # as in `Probing`; NULL before `settle`
    cdef bint busy  # whether another thread, or a call that calls back, is at work

    def __cinit__(self, model):
        lattice = model.lattice
        cdef bytes degrees = model.degrees, faces = model.faces
        cdef int64_t rows = lattice.rows, cols = lattice.cols
        cdef int64_t edge, one, other
        arena_open(&self.arena, <size_t>-1)
        cdef int64_t most = len(degrees)
        if not (0 < rows <= most and 0 < cols <= most and most < 1 << 30 and rows * cols == most):
            raise ValueError("expected a degree mask for each vertex")
        if len(faces) != (rows - 1) * (cols - 1):
            raise ValueError("expected a count mask for each face")
        if degrees.translate(None, b"\1\2\4\5") or max(faces, default=0) > ANY_COUNT:
            raise ValueError("expected masks of vertices and faces")
        if not board_open(&self.board, &self.arena, rows, cols, degrees, faces):
            arena_error(&self.arena, "stating the rules")
        self.board.loop = model.loop
        for one, other in model.terminals:
            if not (0 <= one < most and 0 <= other < most and one != other):
                raise ValueError("expected pairs of vertices of the board")
            if self.board.mates[one] != NO_MATE or self.board.mates[other] != NO_MATE:
                raise ValueError("expected different terminals")
            self.board.mates[one], self.board.mates[other] = other, one
        for value, edges in enumerate((model.forbidden, model.given)):
            for edge in edges:
                if not 0 <= edge < self.board.num_edges or self.board.values[edge] != UNKNOWN:
                    raise ValueError("expected different edges of the board")
                learn(&self.board, edge, value)

    def __dealloc__(self):
        arena_close(&self.arena)

    def settle(self, deadline):
        """Find edges that all solutions have, or none has; False if there is no solution.

        Not all of them. O(edges), times a constant that is large only where much is found. Raises
        `SearchTimeout`; what was found before is kept.
        """
        cdef bint fits
        cdef int size = self.board.num_edges
        cdef Probing p
        self._enter()
        try:
            p.marked = <uint8_t *>arena_take(&self.arena, size, sizeof(uint8_t))
            p.implied = <int8_t *>arena_take(&self.arena, size, sizeof(int8_t))
            p.trail = <int32_t *>arena_take(&self.arena, size, sizeof(int32_t))
            p.common = <int32_t *>arena_take(&self.arena, size, sizeof(int32_t))
            p.effort = 0
            if self.tried == NULL:
                self.tried = <int32_t *>arena_take(&self.arena, size, sizeof(int32_t))
            if self.arena.refused:
                arena_error(&self.arena, "probing")
            p.tried = self.tried
            watch_start(&self.board.watch, deadline.seconds, RATE)
            with nogil:
                fits = begin(&self.board, &p) and probe(&self.board, &p)
            watch_raise(&self.board.watch, deadline)
        finally:
            arena_release(&self.arena, p.marked)
            arena_release(&self.arena, p.implied)
            arena_release(&self.arena, p.trail)
            arena_release(&self.arena, p.common)
            self.busy = False
        return fits

    def fixed(self):
        """For each edge 1 if it is known to be on, 0 if off, 2 if neither, as ``bytes``."""
        cdef int edge
        cdef bytearray values = bytearray(self.board.num_edges)
        for edge in range(self.board.num_edges):
            values[edge] = 2 if self.board.values[edge] == UNKNOWN else self.board.values[edge]
        return bytes(values)

    def steps(self):
        """The edges that are known, in the order in which they became so, after `settle`.

        Each comes with -1, or with an edge both values of which imply what it is.
        """
        cdef Board *b = &self.board
        cdef int place
        if self.tried == NULL:
            raise ValueError("expected rules that are settled")
        return [(b.trail[place], self.tried[b.trail[place]]) for place in range(b.known)]

    def state(self, add, deadline):
        """Call ``add`` with each clause that the rules leave to be stated, a list of literals.

        Edge *e* is variable ``e + 1``. Raises `SearchTimeout`, before all of them are stated.
        """
        cdef Board *b = &self.board
        cdef Rule *rule
        cdef int edge, k, on, size, number, clauses = 0
        cdef list literals
        self._enter()
        try:
            for number in range(b.known):
                edge = b.trail[number]
                add([edge + 1 if b.values[edge] else -1 - edge])
            for number in range(b.num_rules):
                rule = &b.rules[number]
                literals = []
                on = 0
                for k in range(rule.size):
                    edge = rule.edges[k]
                    if b.values[edge] == UNKNOWN:
                        literals.append(edge + 1)
                    else:
                        on += b.values[edge]
                size = <int>len(literals)
                if rule.allowed >> on & (2 << size) - 1 != (2 << size) - 1:
                    clauses += add_count(add, size, with_negations(literals), rule.allowed >> on, [])
                    if clauses >= STATED:
                        clauses = 0
                        deadline.check()
            if b.loop and b.chosen == 0:
                add(list(range(1, b.num_edges + 1)))
        finally:
            self.busy = False

    cdef int _enter(self) except -1:
        if self.busy:
            raise RuntimeError("the rules of a board serve one thread at a time")
        self.busy = True
        return 0

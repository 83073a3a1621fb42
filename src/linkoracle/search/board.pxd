"""A board, and the solution of it that is known, as the search sees them."""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

from linkoracle.board.plane cimport NO_FACE, Plane
from linkoracle.core.arena cimport arena_take
from linkoracle.search.questions cimport is_one_line, would_be
from linkoracle.search.state cimport (
    ALL_OFF,
    ALL_ON,
    AN_OFF,
    AN_ON,
    FREE,
    MATCHES,
    NO_MATCH,
    NONE,
    REST,
    TALLIES,
    WRONG,
    Clause,
    Edge,
    Face,
    State,
    Variable,
    Vertex,
)

cdef enum:
    MASKS = 32  # masks of counts from 0 to 4
    SIZES = 5  # edges that are counted: up to four
    ROWS = MASKS * SIZES + 5  # of demands: for each size and mask, then for each count
    ANY_COUNT = MASKS - 1
    FIRST_CLAUSES = 200  # that there is room for at first


cdef inline const int8_t *row_of_mask(const int8_t *demands, int size, int mask) noexcept nogil:
    """What is demanded, by tally, of so many edges of which these numbers may be on."""
    return demands + TALLIES * (MASKS * size + mask)


cdef inline const int8_t *row_of_count(const int8_t *demands, int count) noexcept nogil:
    """The same for a face of which it is open whether it matches."""
    return demands + TALLIES * (MASKS * SIZES + count)


cdef inline int demand_of_mask(int mask, int on, int free) noexcept nogil:
    cdef int fits = mask >> on & ((2 << free) - 1)
    if fits == 0:
        return WRONG
    if free and fits == 1:
        return ALL_OFF
    return ALL_ON if free and fits == 1 << free else REST


cdef inline int demand_of_count(int count, int on, int off) noexcept nogil:
    if on > count or off > 4 - count:
        return NO_MATCH
    return MATCHES if on + off == 4 else REST


cdef inline void fill_demands(int8_t *demands) noexcept nogil:
    """Fill a table of `ROWS` rows, which all boards share."""
    cdef int on, off, size, mask, count, tally
    cdef int8_t *row
    for on in range(5):
        for off in range(5 - on):
            tally = on * AN_ON + off * AN_OFF
            for size in range(on + off, SIZES):
                for mask in range(MASKS):
                    row = demands + TALLIES * (MASKS * size + mask)
                    row[tally] = demand_of_mask(mask, on, size - on - off)
            for count in range(5):
                row = demands + TALLIES * (MASKS * SIZES + count)
                row[tally] = demand_of_count(count, on, off)


cdef inline void take_memory(State *s) noexcept nogil:
    """Take what a board of this size needs; `arena.refused` says if there is not so much."""
    cdef size_t one = sizeof(int)
    cdef size_t levels = s.variables + 4  # three at most without a variable of their own
    cdef size_t noted = 4 * <size_t>s.variables + 8  # see `linkoracle.search.cycles.note`
    s.edge = <Edge *>arena_take(&s.arena, s.edges, sizeof(Edge))
    s.vertex = <Vertex *>arena_take(&s.arena, s.vertices, sizeof(Vertex))
    s.face = <Face *>arena_take(&s.arena, s.faces, sizeof(Face))
    s.variable = <Variable *>arena_take(&s.arena, s.variables, sizeof(Variable))
    s.value = <int8_t *>arena_take(&s.arena, s.variables, sizeof(int8_t))
    s.level_mark = <int64_t *>arena_take(&s.arena, levels, sizeof(int64_t))
    s.starts = <int *>arena_take(&s.arena, levels, one)
    s.buffer = <int *>arena_take(&s.arena, noted, one)
    s.trail = <int *>arena_take(&s.arena, s.variables, one)
    s.touched = <int *>arena_take(&s.arena, s.variables, one)
    s.learnt = <int *>arena_take(&s.arena, s.variables, one)
    s.chosen = <int *>arena_take(&s.arena, s.edges + 1, one)
    s.differing = <int *>arena_take(&s.arena, s.edges, one)
    s.path = <int *>arena_take(&s.arena, s.vertices + 1, one)
    s.steps = <int *>arena_take(&s.arena, s.vertices + 1, one)
    s.region = <int *>arena_take(&s.arena, s.vertices + 1, one)
    s.rank = <int *>arena_take(&s.arena, s.faces, one)
    s.asked = <int *>arena_take(&s.arena, s.faces + 2, one)
    s.core = <int *>arena_take(&s.arena, s.faces + 1, one)
    s.order = <int *>arena_take(&s.arena, s.faces, one)
    s.units = <int *>arena_take(&s.arena, s.edges + s.faces + 2, one)
    s.glues = <int *>arena_take(&s.arena, 256, one)
    s.most_clauses, s.most_literals = FIRST_CLAUSES, 3 * s.variables
    s.clause = <Clause *>arena_take(&s.arena, s.most_clauses, sizeof(Clause))
    s.literals = <int *>arena_take(&s.arena, s.most_literals, one)


cdef inline void lay_out(State *s, const Plane *p) noexcept nogil:
    """Say what is beside each edge, vertex and face: up, left, right and down, as of squares."""
    cdef int vertex, edge, side, face, k
    cdef Edge *now
    for vertex in range(s.vertices):
        for side in range(4):
            s.vertex[vertex].edges[side] = NONE
    for edge in range(s.edges):
        now = &s.edge[edge]
        now.ends[0], now.ends[1] = p.ends[2 * edge], p.ends[2 * edge + 1]
        side = now.ends[1] - now.ends[0] == s.columns  # whether it goes down
        s.vertex[now.ends[0]].edges[3 if side else 2] = edge
        s.vertex[now.ends[1]].edges[0 if side else 1] = edge
        # The face after it, below or to the right, and the one before it.
        now.faces[0] = now.faces[1] = NONE
        for k in range(1, -1, -1):
            face = p.faces[2 * edge + k]
            if face == NO_FACE:
                continue
            now.faces[1 if now.faces[0] >= 0 else 0] = face
            if face == now.ends[0] - now.ends[0] // s.columns:
                s.face[face].edges[1 if side else 0] = edge
            else:
                s.face[face].edges[2 if side else 3] = edge


cdef inline bint on_rim(State *s, int vertex) noexcept nogil:
    cdef int row = vertex // s.columns, col = vertex % s.columns
    return row == 0 or col == 0 or row == s.vertices // s.columns - 1 or col == s.columns - 1


cdef inline void find_sides(State *s) noexcept nogil:
    """Say which side is beyond each edge of the rim, if a line has two sides here.

    It has if there are faces, and no end is inside. Then the part of the rim clockwise from the
    first end to the second is beyond another side than the rest.
    """
    cdef int vertex = 0, beyond = -1, side = 2, edge
    s.sided = s.faces > 0 and (s.ends[0] < 0 or (on_rim(s, s.ends[0]) and on_rim(s, s.ends[1])))
    if not s.sided:
        return
    # Clockwise: right along the top, then down, left and up again.
    while True:
        if vertex == s.ends[0] or vertex == s.ends[1]:
            beyond = -beyond
        edge = s.vertex[vertex].edges[side]
        if edge < 0:
            side = 3 if side == 2 else 1 if side == 3 else 0
            edge = s.vertex[vertex].edges[side]
        s.edge[edge].beyond = beyond
        vertex = s.edge[edge].ends[0] + s.edge[edge].ends[1] - vertex
        if vertex == 0:
            return


cdef inline void know_sides(State *s) noexcept nogil:
    """The side of each face in the known solution: it changes where a row crosses the line."""
    cdef int face, edge, side = -1
    for face in range(s.faces):
        edge = s.face[face].edges[1]
        if face % (s.columns - 1) == 0:
            side = s.edge[edge].beyond
        if s.variable[edge].known > 0:
            side = -side
        s.variable[s.edges + s.faces + face].known = side


cdef inline void open_queue(State *s) noexcept nogil:
    """Decisions start at the end of the queue: with edges, then sides."""
    cdef int number, k, last = NONE
    for number in range(s.variables):
        s.variable[number].stamp = NONE
        s.variable[number].before = s.variable[number].after = NONE
        s.variable[number].watches[0] = s.variable[number].watches[1] = NONE
    for k in range(s.edges + (s.faces if s.sided else 0)):
        number = k
        if s.sided:
            number = s.edges + s.faces + k if k < s.faces else k - s.faces
        s.variable[number].before = last
        if last >= 0:
            s.variable[last].after = number
        s.variable[number].stamp = k
        last = number
    s.first = s.last = last
    s.stamp = s.edges + (s.faces if s.sided else 0)


cdef inline bint know_line(State *s, const int32_t *chosen, int size) noexcept nogil:
    """Note the known solution; false if that is no line that the vertices allow."""
    cdef int number, k
    for number in range(s.variables):
        s.variable[number].known = -1
    for k in range(size):
        if s.variable[chosen[k]].known > 0:
            return False
        s.variable[chosen[k]].known = 1
    s.known_size = size
    for number in range(s.vertices):
        if not s.vertex[number].allowed >> would_be(s, s.vertex[number].edges) & 1:
            return False
    number = s.ends[0] if s.ends[0] >= 0 else s.edge[chosen[0]].ends[0]
    return is_one_line(s, number, size)


cdef inline void open_nodes(
    State *s, const int8_t *demands, const uint8_t *degrees
) noexcept nogil:
    cdef int number, size, k
    cdef Vertex *vertex
    for number in range(s.vertices):
        vertex = &s.vertex[number]
        size = 0
        for k in range(4):
            size += vertex.edges[k] >= 0
        vertex.allowed = degrees[number]
        vertex.most = 2 if degrees[number] & 4 else degrees[number] >> 1
        vertex.demands = row_of_mask(demands, size, degrees[number])
        vertex.mate = number
    if s.ends[0] >= 0:
        for k in range(2):
            s.vertex[s.ends[k]].mate = s.ends[1 - k]
            s.vertex[s.ends[k]].length = 1
        # The virtual edge between the two counts as one that is on.
        s.on_board = 1


cdef inline void open_faces(State *s, const int8_t *demands) noexcept nogil:
    """Once the solution is known."""
    cdef int number
    cdef Face *face
    for number in range(s.faces):
        face = &s.face[number]
        face.count = would_be(s, face.edges)
        face.kept, face.witness = FREE, NONE
        face.demands[0] = row_of_mask(demands, 4, ANY_COUNT ^ 1 << face.count)
        face.demands[1] = row_of_count(demands, face.count)
        face.demands[2] = row_of_mask(demands, 4, 1 << face.count)
        s.variable[s.edges + number].known = 1

"""A board, and the solution of it that is known, as the search sees them."""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t
from libc.string cimport memset

from linkoracle.board.plane cimport NO_FACE, Plane
from linkoracle.core.arena cimport arena_error, arena_release, arena_take
from linkoracle.lines.clauses cimport open_clauses
from linkoracle.lines.paths cimport close_ends
from linkoracle.lines.rules cimport open_lines, open_rule
from linkoracle.lines.trail cimport NONE, UNKNOWN
from linkoracle.search.query cimport would_be_solution, would_hold
from linkoracle.search.state cimport FREE, Face, State, Variable

cdef enum:
    FIRST_CLAUSES = 200  # that there is room for at first


cdef inline int take_memory(State *s) except -1:
    """Take what a board of this size needs."""
    cdef Plane *p = &s.lines.plane
    cdef size_t one = sizeof(int), vertices = p.num_vertices, edges = p.num_edges
    cdef size_t faces = p.num_faces, variables = s.lines.num_variables
    cdef size_t levels = variables + 4  # three at most without a variable of their own
    cdef size_t noted = 4 * variables + 8  # see `linkoracle.search.reasons.note`
    cdef int k
    for k in range(s.lines.num_rules):
        noted = max(noted, <size_t>s.lines.rules[k].size + 1)
    # What is on the trail beyond conclusions is not counted yet.
    s.lines.counted = <int8_t *>arena_take(&s.arena, 2 * variables, sizeof(int8_t))
    s.face = <Face *>arena_take(&s.arena, faces, sizeof(Face))
    s.variable = <Variable *>arena_take(&s.arena, variables, sizeof(Variable))
    s.walked = <int64_t *>arena_take(&s.arena, vertices, sizeof(int64_t))
    s.level_mark = <int64_t *>arena_take(&s.arena, levels, sizeof(int64_t))
    s.ends = <int32_t *>arena_take(&s.arena, 2 * <size_t>s.pairs, sizeof(int32_t))
    s.starts = <int *>arena_take(&s.arena, levels, one)
    s.buffer = <int *>arena_take(&s.arena, noted, one)
    s.touched = <int *>arena_take(&s.arena, variables, one)
    s.learnt = <int32_t *>arena_take(&s.arena, variables, sizeof(int32_t))
    s.differing = <int *>arena_take(&s.arena, variables, one)
    s.flipped = <int *>arena_take(&s.arena, edges, one)
    s.path = <int *>arena_take(&s.arena, vertices + 1, one)
    s.steps = <int *>arena_take(&s.arena, vertices + 1, one)
    s.region = <int *>arena_take(&s.arena, vertices + 1, one)
    s.leaving = <int *>arena_take(&s.arena, vertices, one)
    s.rank = <int *>arena_take(&s.arena, faces, one)
    s.denied_faces = <int *>arena_take(&s.arena, faces + 2, one)
    s.core = <int *>arena_take(&s.arena, faces + 1, one)
    s.order = <int *>arena_take(&s.arena, faces, one)
    s.units = <int *>arena_take(&s.arena, edges + faces + 2, one)
    s.glues = <int *>arena_take(&s.arena, 256, one)
    open_clauses(
        &s.clauses, &s.arena, s.lines.num_variables, FIRST_CLAUSES, 3 * s.lines.num_variables, False
    )
    if s.arena.refused:
        arena_error(&s.arena, "this board")
    return 0


cdef inline int open_board(State *s, object model) except -1:
    """State the rules of a model, whose plane is there."""
    cdef int faces = s.lines.plane.num_faces, k
    open_lines(&s.lines, &s.arena, model, 2 * faces + 1)
    s.matches = s.lines.num_variables - 2 * faces - 1
    s.sides, s.query = s.matches + faces, s.lines.num_variables - 1
    s.pairs = <int>len(model.terminals)
    take_memory(s)
    s.clauses.spared = 2 * s.query
    memset(s.lines.counted, UNKNOWN, 2 * <size_t>s.lines.num_variables)
    for k, pair in enumerate(model.terminals):
        s.ends[2 * k], s.ends[2 * k + 1] = pair
    if s.pairs == 1:
        close_ends(&s.lines, s.ends[0], s.ends[1])
    s.sided = model.board.has_sides
    find_ways(s)
    return 0


cdef inline void find_ways(State *s) noexcept nogil:
    """Find a short way off the board from each face that has one, over edges."""
    cdef Plane *p = &s.lines.plane
    cdef int face, edge, k, side, beside, done = 0, found = 0
    cdef int *waiting = s.core
    for face in range(p.num_faces):
        s.face[face].outwards = NONE
    for edge in range(p.num_edges):
        face = p.faces[2 * edge]
        if face != NO_FACE and p.faces[2 * edge + 1] == NO_FACE and s.face[face].outwards == NONE:
            s.face[face].outwards = edge
            waiting[found] = face
            found += 1
    while done < found:
        for k in range(p.face_starts[waiting[done]], p.face_starts[waiting[done] + 1]):
            for side in range(2):
                beside = p.faces[2 * p.face_edges[k] + side]
                if beside != NO_FACE and s.face[beside].outwards == NONE:
                    s.face[beside].outwards = p.face_edges[k]
                    waiting[found] = beside
                    found += 1
        done += 1


cdef inline void open_queue(State *s) noexcept nogil:
    """Decisions start at the end of the queue: with edges, then sides, then other variables."""
    cdef int number, edges = s.lines.plane.num_edges
    s.first = s.last = NONE
    for number in range(s.lines.num_variables):
        s.variable[number].stamp = NONE
        s.variable[number].before = s.variable[number].after = NONE
    for number in range(edges, s.matches):
        if s.lines.starts[number] < s.lines.starts[number + 1]:
            queue_up(s, number)
    if s.sided:
        for number in range(s.sides, s.query):
            queue_up(s, number)
    for number in range(edges):
        queue_up(s, number)
    s.first = s.last


cdef inline void queue_up(State *s, int number) noexcept nogil:
    cdef Variable *variable = &s.variable[number]
    variable.before = s.last
    if s.last >= 0:
        s.variable[s.last].after = number
    variable.stamp = s.stamp
    s.stamp += 1
    s.last = number


cdef inline bint know_solution(State *s, const int32_t *true_ones, int size) noexcept nogil:
    """Note the variables that are true in the known solution; false if it does not solve the board."""
    cdef int k, first = NONE, edges = s.lines.plane.num_edges
    s.known_size = 0
    for k in range(size):
        if s.variable[true_ones[k]].known:
            return False
        s.variable[true_ones[k]].known = 1
        if true_ones[k] < edges:
            s.known_size += 1
            first = s.lines.plane.ends[2 * true_ones[k]]
    for k in range(s.lines.num_rules):
        if not would_hold(s, &s.lines.rules[k]):
            return False
    return first >= 0 and would_be_solution(s, first, s.known_size)


cdef inline int open_faces(State *s) except -1:
    """Once the solution is known: no face is flipped, and all match."""
    cdef Plane *p = &s.lines.plane
    cdef int number, k, size
    cdef int32_t *edges
    cdef int32_t *literals = <int32_t *>arena_take(
        &s.arena, p.face_starts[p.num_faces], sizeof(int32_t)
    )
    cdef Face *face
    if literals == NULL:
        arena_error(&s.arena, "this board")
    for k in range(p.face_starts[p.num_faces]):
        literals[k] = 2 * p.face_edges[k]
    for number in range(p.num_faces):
        face = &s.face[number]
        face.kept, face.witness = FREE, NONE
        edges = literals + p.face_starts[number]
        size = p.face_starts[number + 1] - p.face_starts[number]
        for k in range(size):
            face.count += s.variable[edges[k] >> 1].known
        mask = 1 << <object>face.count
        open_rule(&face.rules[0], &s.arena, edges, size, ((2 << <object>size) - 1) ^ mask)
        open_rule(&face.rules[1], &s.arena, edges, size, mask)
        s.variable[s.matches + number].known = 1
    return 0

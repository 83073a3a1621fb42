"""Why a rule concluded what it did: found again when a conflict asks for it."""

from linkoracle.search.cycles cimport explain_cycle, explain_whole, note
from linkoracle.search.state cimport (
    CLAUSE,
    CYCLE,
    KINDS,
    SIDE,
    VERTEX,
    WHOLE,
    Clause,
    Face,
    State,
    Vertex,
)


cdef inline int count_edges(
    State *s, int *edges, int forced, int limit, int wanted
) noexcept nogil:
    """How many edges but the forced one were set to ``wanted`` before ``limit``."""
    cdef int k, found = 0
    for k in range(4):
        if edges[k] >= 0 and edges[k] != forced and s.value[edges[k]] == wanted:
            found += s.variable[edges[k]].place < limit
    return found


cdef inline int note_edges(
    State *s, int *edges, int forced, int limit, int wanted, int most, int count
) noexcept nogil:
    """Note up to ``most`` edges set to ``wanted`` (0: at all) before ``limit``, but the forced."""
    cdef int k, value
    for k in range(4):
        if edges[k] < 0 or edges[k] == forced or most == 0:
            continue
        value = s.value[edges[k]]
        if value == 0 or (wanted != 0 and value != wanted):
            continue
        if s.variable[edges[k]].place < limit:
            count = note(s, count, 2 * edges[k] + (value < 0))
            most -= 1
    return count


cdef inline int explain_clause(State *s, int number, int forced) noexcept nogil:
    cdef Clause *clause = &s.clause[number]
    cdef int k, count = 0
    for k in range(clause.start, clause.start + clause.width):
        if s.literals[k] >> 1 != forced:
            count = note(s, count, s.literals[k] ^ 1)
    return count


cdef inline int explain_side(State *s, int number, int forced) noexcept nogil:
    cdef int k, face, variable, count = 0
    for k in range(3):
        variable = number
        if k < 2:
            face = s.edge[number].faces[k]
            if face < 0:
                continue
            variable = s.edges + s.faces + face
        if variable != forced:
            count = note(s, count, 2 * variable + (s.value[variable] < 0))
    return count


cdef inline int explain_vertex(State *s, int number, int forced, int limit) noexcept nogil:
    """With as many on as there may be, the others do not matter."""
    cdef Vertex *vertex = &s.vertex[number]
    cdef int value = 0 if forced < 0 else s.value[forced], wanted = 0, enough = 4
    cdef int more = vertex.most + (value == 0)
    if value <= 0 and count_edges(s, vertex.edges, forced, limit, 1) >= more:
        wanted, enough = 1, more
    return note_edges(s, vertex.edges, forced, limit, wanted, enough, 0)


cdef inline int explain_face(State *s, int number, int forced, int limit) noexcept nogil:
    """With as many on as there may be, or as many off, the others do not matter."""
    cdef Face *face = &s.face[number]
    cdef int match = s.edges + number, sign = s.value[match], count = 0
    cdef int value, wanted = 0, enough = 4, more
    if forced != match:
        count = note(s, 0, 2 * match + (sign < 0))
    if sign > 0 or forced == match:
        value = 0 if forced < 0 or forced == match else s.value[forced]
        more = value == 0
        if value <= 0 and count_edges(s, face.edges, forced, limit, 1) >= face.count + more:
            wanted, enough = 1, face.count + more
        elif value >= 0:
            if count_edges(s, face.edges, forced, limit, -1) >= 4 - face.count + more:
                wanted, enough = -1, 4 - face.count + more
    return note_edges(s, face.edges, forced, limit, wanted, enough, count)


cdef inline int explain(State *s, int reason, int forced) noexcept nogil:
    """Write to `buffer` true literals that forced a variable, or (`NONE`) a conflict; how many.

    Only what was on the trail before the variable counts. Edges that suffice stand for the rest.
    """
    cdef int kind = reason & (KINDS - 1), index = reason // KINDS
    cdef int limit = s.variable[forced].place if forced >= 0 else s.on_trail
    if kind == CLAUSE:
        return explain_clause(s, index, forced)
    if kind == SIDE:
        return explain_side(s, index, forced)
    if kind == CYCLE:
        return explain_cycle(s, index, forced, limit)
    if kind == WHOLE:
        return explain_whole(s, index, forced)
    if kind == VERTEX:
        return explain_vertex(s, index, forced, limit)
    return explain_face(s, index, forced, limit)

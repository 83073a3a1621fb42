"""Failed literals: what follows for an edge from propagating each of its values.

An edge that cannot have one value, because propagation then ends in a conflict, has the other. What
both values imply holds, too. Probing stops when it finds little for its effort.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

from linkoracle.core.watch cimport GOES_ON, watch_stops
from linkoracle.lines.paths cimport forget, is_line, join, take_next
from linkoracle.lines.rules cimport Lines, Rule, apply_rules
from linkoracle.lines.trail cimport NONE, UNKNOWN, learn

cdef enum:
    EFFORT = 6  # edges that probing may propagate, for each edge of the board
    GAIN = 100  # and as many more for each edge that it has found


cdef struct Probing:
    uint8_t *marked  # whether a variable is worth probing, if it is an edge
    int32_t *implied  # of each variable, its true literal if the edge at hand is off, or NONE
    int32_t *trail  # the variables of which that is known
    int num_implied  # how many these are
    int32_t *common  # literals of them that are the same if the edge at hand is on
    int num_common  # how many these are
    int64_t effort  # edges that were propagated
    int32_t *tried  # of each variable, the edge whose two values both imply what it is, or NONE


cdef inline bint propagate(Lines *b) noexcept nogil:
    """Draw all conclusions from the trail; False at a conflict, or when it is stopped."""
    cdef int literal
    while b.trail.done < b.trail.known:
        if watch_stops(&b.watch):
            return False
        literal = take_next(b)
        if is_line(b, literal) and join(b, literal >> 1) != NONE:
            return False
        if apply_rules(b, literal >> 1) != NONE:
            return False
    return True


cdef inline bint may_be(Lines *b, Probing *p, int literal) noexcept nogil:
    """Whether propagation does not refute the literal of an edge."""
    cdef int known = b.trail.known, i, other
    cdef bint fits
    learn(&b.trail, literal, NONE)
    fits = propagate(b)
    p.effort += b.trail.known - known
    if fits:
        for i in range(known, b.trail.known):
            other = b.trail.literals[i]
            if literal & 1:
                p.implied[other >> 1] = other
                p.trail[p.num_implied] = other >> 1
                p.num_implied += 1
            elif p.implied[other >> 1] == other:
                p.common[p.num_common] = other
                p.num_common += 1
    forget(b, known)
    return fits


cdef inline bint probe_edge(Lines *b, Probing *p, int edge) noexcept nogil:
    """Learn what follows from any value of an edge; False at a conflict, or when it is stopped."""
    cdef int i, known = b.trail.known
    p.num_implied = p.num_common = 0
    if not may_be(b, p, 2 * edge + 1):
        learn(&b.trail, 2 * edge, NONE)
    elif not may_be(b, p, 2 * edge):
        learn(&b.trail, 2 * edge + 1, NONE)
    else:
        for i in range(p.num_common):
            p.tried[p.common[i] >> 1] = edge
            learn(&b.trail, p.common[i], NONE)
    for i in range(p.num_implied):
        p.implied[p.trail[i]] = NONE
    if b.watch.why != GOES_ON:
        # What looks like a conflict may be none.
        forget(b, known)
        return False
    return propagate(b)


cdef inline void mark_around(Lines *b, Probing *p, int known) noexcept nogil:
    """Mark the neighbours of edges that became known after the given number."""
    cdef Rule *rule
    cdef int k, i, variable
    while known < b.trail.known:
        variable = b.trail.literals[known] >> 1
        for k in range(b.starts[variable], b.starts[variable + 1]):
            rule = &b.rules[b.ruled[k]]
            for i in range(rule.size):
                p.marked[rule.literals[i] >> 1] = True
        known += 1


cdef inline bint probe(Lines *b, Probing *p) noexcept nogil:
    """Probe marked edges until little comes of it; False at a conflict, or when it is stopped."""
    cdef int edge = 0, idle = 0, known, edges = b.plane.num_edges
    cdef int64_t most = <int64_t>EFFORT * edges
    # Where there are few clues nothing comes of it, but it would take as long as the search.
    while idle < edges and p.effort < most:
        idle += 1
        if p.marked[edge] and b.trail.values[2 * edge] == UNKNOWN:
            known = b.trail.known
            if not probe_edge(b, p, edge):
                return False
            if b.trail.known > known:
                mark_around(b, p, known)
                most += GAIN * <int64_t>(b.trail.known - known)
                idle = 0
        edge = edge + 1 if edge + 1 < edges else 0
    return True

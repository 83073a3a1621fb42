"""Pockets: parts of the board that paths can reach only through a gap."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from linkoracle.board.plane cimport far_end
from linkoracle.core.watch cimport watch_stops
from linkoracle.deduce.kernel.drawing cimport fail, put
from linkoracle.deduce.kernel.state cimport POCKET, Frame, State, Visit, is_cross, is_open, step_to


cdef inline bint pockets(Frame *f, State *s) noexcept nogil:
    """Decide the edges through which alone a part of the board can be reached.

    Depth first over the edges that are not crosses. Behind a bridge, and behind a vertex that all
    ways lead through, lies a pocket: as many paths must come out of it as labels have one end in
    it. One path can pass through an edge or a vertex. Tarjan, SIAM J. Comput. 1(2), 1972.
    """
    cdef int vertex, label, clock = 0
    cdef Visit *v
    memset(s.inside, 0, <size_t>f.vertices * s.label_words * sizeof(uint64_t))
    for vertex in range(f.vertices):
        v = &s.visit[vertex]
        label = f.terminal[vertex]
        v.seen = v.low = v.turn = 0
        v.entry = -1
        v.ends = label > 0
        if label:
            labels_below(s, vertex)[label // 64] = <uint64_t>1 << (label % 64)
    for vertex in range(f.vertices):
        if not s.visit[vertex].seen and not explore(f, s, vertex, &clock):
            return False
    return True


cdef inline uint64_t *labels_below(State *s, int vertex) noexcept nogil:
    return s.inside + <Py_ssize_t>vertex * s.label_words


cdef inline bint explore(Frame *f, State *s, int start, int *clock) noexcept nogil:
    """Visit all that can be reached from a vertex, and check the pockets there."""
    cdef int height = 1, vertex, edge, beside, above, word
    cdef Visit *v
    s.stack[0] = start
    while height:
        if watch_stops(&s.watch):
            return False
        vertex = s.stack[height - 1]
        v = &s.visit[vertex]
        if not v.seen:
            clock[0] += 1
            v.seen = v.low = clock[0]
            v.needed = s.lines[vertex] > 0 or not f.degrees[vertex] & 1
        if v.turn < 4:
            edge = f.ring[vertex].edges[v.turn]
            v.turn += 1
            if edge < 0 or edge == v.entry or is_cross(s, edge):
                continue
            beside = far_end(&f.plane, edge, vertex)
            height = step_to(s, v, beside, edge, height)
            continue
        height -= 1
        if height == 0:
            return close_part(f, s, vertex)
        above = s.stack[height - 1]
        if not leave(f, s, vertex, above):
            return False
        s.visit[above].low = min(s.visit[above].low, v.low)
        s.visit[above].needed = s.visit[above].needed or v.needed
        s.visit[above].ends += v.ends
        for word in range(s.label_words):
            labels_below(s, above)[word] ^= labels_below(s, vertex)[word]
    return True


cdef inline bint close_part(Frame *f, State *s, int start) noexcept nogil:
    """Check all that can be reached from ``start``: labels come in pairs, or nothing is there."""
    cdef int word, vertex, k, edge
    for word in range(s.label_words):
        if labels_below(s, start)[word]:
            return fail(s, POCKET, start)
    if s.visit[start].ends:
        return True
    if s.visit[start].needed:
        return fail(s, POCKET, start)
    for vertex in range(f.vertices):
        if s.visit[vertex].seen < s.visit[start].seen:
            continue
        for k in range(4):
            edge = f.ring[vertex].edges[k]
            if edge >= 0 and not put(f, s, 2 * edge + 1, POCKET, start):
                return False
    return True


cdef inline bint leave(Frame *f, State *s, int vertex, int above) noexcept nogil:
    """Check the pocket below ``vertex`` if all ways out of it lead through ``above``."""
    cdef Visit *v = &s.visit[vertex]
    cdef int through = 0, word, k, edge, beside
    cdef uint64_t labels
    if v.low < s.visit[above].seen:
        return True
    for word in range(s.label_words):
        labels = labels_below(s, vertex)[word]
        while labels:
            labels &= labels - 1
            through += 1
    if through > 1:
        return fail(s, POCKET, above)
    edge = v.entry
    if v.low > s.visit[above].seen:
        return not is_open(s, edge) or put(f, s, 2 * edge + 1 - through, POCKET, above)
    if v.ends:
        return True
    # A path that enters here could leave only by the same vertex.
    for k in range(4):
        edge = f.ring[above].edges[k]
        if edge < 0 or not is_open(s, edge):
            continue
        beside = far_end(&f.plane, edge, above)
        # What was first seen since `vertex` was, and is not finished elsewhere, is below it.
        if s.visit[beside].seen >= v.seen and not put(f, s, 2 * edge + 1, POCKET, above):
            return False
    return True

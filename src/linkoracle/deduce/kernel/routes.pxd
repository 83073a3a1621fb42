"""Techniques for several paths: which ways are left to join two equal numbers.

They return as soon as an edge is decided, as the techniques of ``links.pxd`` do.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from linkoracle.board.plane cimport far_end
from linkoracle.core.watch cimport watch_stops
from linkoracle.deduce.kernel.drawing cimport fail, put
from linkoracle.deduce.kernel.links cimport inside_of
from linkoracle.deduce.kernel.notes cimport (
    SHAPES, UNUSED, exclude, exclude_at, keep_shapes, labels_on, may_carry, reserve, share_label
)
from linkoracle.deduce.kernel.state cimport (
    ACCESS, CORNER, PASSAGE, Frame, State, Visit, is_open, step_to
)


cdef inline int next_label(State *s, uint64_t *changed) noexcept nogil:
    """Take the first label whose notes have changed; 0 for none."""
    cdef int word, label
    for word in range(s.label_words):
        if changed[word]:
            label = 64 * word
            while not changed[word] >> (label % 64) & 1:
                label += 1
            changed[word] &= changed[word] - 1
            return label
    return 0


cdef inline bint passages(Frame *f, State *s) noexcept nogil:
    """Find what all ways from one end of a label to the other have in common."""
    cdef int label, trail = s.trail.known
    while s.trail.known == trail:
        label = next_label(s, s.changed)
        if label == 0:
            break
        if watch_stops(&s.watch) or not passage(f, s, label):
            return False
    return True


cdef inline bint passage(Frame *f, State *s, int label) noexcept nogil:
    """Find the `passages` of one label.

    Search depth first from one end, over edges that may carry the label. Cut vertices and bridges
    between the two ends are on every way; anything behind other cut vertices is on none. Tarjan,
    SIAM J. Comput. 1(2), 1972.
    """
    cdef int start = f.ends_of[2 * label - 2], goal = f.ends_of[2 * label - 1]
    cdef int vertex, above, count, at, k, edge
    cdef Visit *v
    count = search(f, s, label, start)
    if not s.visit[goal].seen:
        return fail(s, PASSAGE, start)
    # In the order of the search, vertices above others come first. ``side`` 1: on some way.
    for at in range(count):
        s.visit[s.queue[at]].side = 0
    vertex = goal
    while vertex != start:
        s.visit[vertex].side = 1
        vertex = far_end(&f.plane, s.visit[vertex].entry, vertex)
    s.visit[start].side = 1
    for at in range(1, count):
        vertex = s.queue[at]
        v = &s.visit[vertex]
        above = far_end(&f.plane, v.entry, vertex)
        if not v.side and above != start and s.visit[above].side:
            v.side = v.low < s.visit[above].seen
    for vertex in range(f.vertices):
        if not s.visit[vertex].seen or not s.visit[vertex].side:
            if not exclude_at(f, s, vertex, label, PASSAGE):
                return False
    vertex = goal
    while vertex != start:
        v = &s.visit[vertex]
        edge = v.entry
        above = far_end(&f.plane, edge, vertex)
        if v.low > s.visit[above].seen and is_open(s, edge):
            if not put(f, s, 2 * edge, PASSAGE, f.vertices + edge):
                return False
        if above != start and v.low >= s.visit[above].seen:
            if not keep_shapes(f, s, above, ~UNUSED, PASSAGE):
                return False
            for k in range(4):
                if f.ring[above].edges[k] >= 0:
                    if not reserve(f, s, f.ring[above].edges[k], label, PASSAGE):
                        return False
        vertex = above
    return True


cdef inline int search(Frame *f, State *s, int label, int start) noexcept nogil:
    """Visit all that a label can reach, depth first; return how many are in `State.queue`."""
    cdef int height = 1, count = 0, vertex, edge, beside
    cdef Visit *v
    for vertex in range(f.vertices):
        s.visit[vertex].seen = 0
    s.stack[0] = start
    s.visit[start].entry = -1
    while height:
        vertex = s.stack[height - 1]
        v = &s.visit[vertex]
        if not v.seen:
            s.queue[count] = vertex
            count += 1
            v.seen = v.low = count
            v.turn = 0
        if v.turn < 4:
            edge = f.ring[vertex].edges[v.turn]
            v.turn += 1
            if edge < 0 or edge == v.entry or not may_carry(s, edge, label):
                continue
            beside = far_end(&f.plane, edge, vertex)
            height = step_to(s, v, beside, edge, height)
            continue
        height -= 1
        if height:
            beside = s.stack[height - 1]
            s.visit[beside].low = min(s.visit[beside].low, v.low)
    return count


cdef inline bint accesses(Frame *f, State *s) noexcept nogil:
    """Find where labels can get to; rule out the shapes for which no label is left."""
    cdef int label, vertex = 0, trail = s.trail.known
    while s.trail.known == trail:
        label = next_label(s, s.changed + s.label_words)
        if label == 0:
            break
        if watch_stops(&s.watch) or not access(f, s, label):
            return False
    while s.trail.known == trail and vertex < f.vertices:
        if not check_shapes(f, s, vertex):
            return False
        vertex += 1
    return True


cdef inline bint check_shapes(Frame *f, State *s, int vertex) noexcept nogil:
    """Keep the shapes whose edges some path may use together."""
    cdef int shape, k, kept = UNUSED, one, other
    for shape in range(1, SHAPES):
        if not s.shapes[vertex] >> shape & 1:
            continue
        one = other = -1
        for k in range(4):
            if shape >> k & 1:
                other = one
                one = f.ring[vertex].edges[k]
        if share_label(s, one, one if other < 0 else other):
            kept |= 1 << shape
    return keep_shapes(f, s, vertex, kept, ACCESS)


cdef inline bint access(Frame *f, State *s, int label) noexcept nogil:
    """Walk from both ends of a label in the possible shapes, and exclude the label from the edges
    that are on no walk from one end to the other."""
    cdef int start = f.ends_of[2 * label - 2], goal = f.ends_of[2 * label - 1]
    cdef int vertex, beside, k, edge
    cdef uint8_t *here
    cdef uint8_t *there
    memset(s.walked, 0, 4 * <size_t>f.vertices)
    walk(f, s, label, start, goal, 1)
    walk(f, s, label, goal, start, 2)
    for vertex in range(f.vertices):
        for k in range(2, 4):
            edge = f.ring[vertex].edges[k]
            if edge < 0 or not may_carry(s, edge, label):
                continue
            beside = far_end(&f.plane, edge, vertex)
            here = s.walked + 4 * <Py_ssize_t>vertex + k
            there = s.walked + 4 * <Py_ssize_t>beside + 3 - k
            if not (here[0] & 1 and there[0] & 2) and not (here[0] & 2 and there[0] & 1):
                if not exclude(f, s, edge, label, ACCESS):
                    return False
    return True


cdef inline bint may_turn(Frame *f, State *s, int label, int vertex, int shape) noexcept nogil:
    """Return whether another path can turn inside a turn of this label, if one must."""
    cdef int inside = inside_of(f, vertex, shape), one, other, word
    cdef uint64_t labels
    if not f.enabled[0][CORNER]:
        return True
    if f.terminal[inside]:
        return f.terminal[inside] != label
    one = f.ring[inside].edges[0 if shape & 1 else 3]
    other = f.ring[inside].edges[1 if shape & 2 else 2]
    if one < 0 or other < 0:
        return False
    for word in range(s.label_words):
        labels = labels_on(s, one)[word] & labels_on(s, other)[word]
        if word == label // 64:
            labels &= ~(<uint64_t>1 << (label % 64))
        if labels:
            return True
    return False


cdef inline void walk(
    Frame *f, State *s, int label, int start, int goal, int mark
) noexcept nogil:
    """Mark the ways out of vertices that the path of a label may take, coming from ``start``."""
    cdef int first = 0, last = 0, vertex, k, m, edge
    for k in range(4):
        edge = f.ring[start].edges[k]
        if edge >= 0 and may_carry(s, edge, label) and s.shapes[start] >> (1 << k) & 1:
            s.walked[4 * <Py_ssize_t>start + k] |= <uint8_t>mark
            s.queue[last] = 4 * start + k
            last += 1
    while first < last:
        k = s.queue[first] % 4
        vertex = far_end(&f.plane, f.ring[s.queue[first] // 4].edges[k], s.queue[first] // 4)
        first += 1
        if f.terminal[vertex]:
            continue
        for m in range(4):
            edge = f.ring[vertex].edges[m]
            if m == 3 - k or edge < 0 or s.walked[4 * <Py_ssize_t>vertex + m] & mark:
                continue
            if not may_carry(s, edge, label):
                continue
            if not s.shapes[vertex] >> (1 << (3 - k) | 1 << m) & 1:
                continue
            if m != k and not may_turn(f, s, label, vertex, 1 << (3 - k) | 1 << m):
                continue
            s.walked[4 * <Py_ssize_t>vertex + m] |= <uint8_t>mark
            s.queue[last] = 4 * vertex + m
            last += 1

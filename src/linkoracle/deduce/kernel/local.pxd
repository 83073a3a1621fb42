"""Techniques for a single place: arithmetic, early loops, patterns, straight cuts; and clues that
are shown or hidden."""

from libc.stdint cimport int32_t, uint8_t

from linkoracle.deduce.kernel.drawing cimport allowed, fail, put, wait
from linkoracle.deduce.kernel.state cimport (
    ANY_COUNT, CLUE, CONCLUSIONS, DOT, LOOP, NOWHERE, PARITY, PREMISES, SHADE, SITES, WINDOW, Frame,
    State, instance_of, is_open, label_of, row_of
)


cdef inline bint apply_count(
    Frame *f, State *s, int item, int mask, int technique, int place
) noexcept nogil:
    """Apply an allowed count of lines to the edges around a vertex or face."""
    cdef int lines = s.lines[item], open = 4 - lines - s.crosses[item], k, edge
    # Bit k: k more lines would be an allowed count.
    cdef int fitting = mask >> lines & ((2 << open) - 1)
    if fitting == 0:
        return fail(s, technique, place)
    if open == 0 or (fitting != 1 and fitting != 1 << open):
        return True
    for k in range(4):
        edge = f.ring[item].edges[k]
        if edge >= 0 and is_open(s, edge):
            if not put(f, s, 2 * edge + (fitting == 1), technique, place):
                return False
    return True


cdef inline bint clue(Frame *f, State *s, int face) noexcept nogil:
    return apply_count(f, s, f.vertices + face, s.counts[face], CLUE, face)


cdef inline bint dot(Frame *f, State *s, int vertex) noexcept nogil:
    return apply_count(f, s, vertex, f.degrees[vertex], DOT, vertex)


cdef inline bint may_join(Frame *f, State *s, int edge) noexcept nogil:
    """Return whether a line on an open edge breaks no rule about loops and labels at once."""
    cdef int u = f.plane.ends[2 * edge], v = f.plane.ends[2 * edge + 1]
    cdef int one, other, unmet, k, item, lines
    if s.ends.paths[u].end == v and s.lines[u] > 0 and s.lines[v] > 0:
        if not f.is_loop or s.n.segments != 1:
            return False
    else:
        one, other = label_of(f, s, u), label_of(f, s, v)
        if one == 0 or other == 0:
            return True
        if one != other:
            return False
        if s.n.left > 1:
            return True
        if s.n.segments + 1 - (s.lines[u] > 0) - (s.lines[v] > 0) != f.pairs:
            return False
    # It would be the last line.
    unmet = s.n.unmet
    for k in range(2):
        item = f.plane.ends[2 * edge + k]
        lines = s.lines[item]
        unmet += allowed(f.degrees[item], lines) - allowed(f.degrees[item], lines + 1)
        item = f.edge[edge].sides[k]
        if item < f.faces:
            lines = s.lines[f.vertices + item]
            unmet += allowed(s.counts[item], lines) - allowed(s.counts[item], lines + 1)
    return unmet == 0


cdef inline bint check_end(Frame *f, State *s, int vertex) noexcept nogil:
    """Check a vertex if a path ends there, or a terminal waits for its line."""
    cdef int k, edge
    if s.lines[vertex] != 1 - (f.terminal[vertex] > 0):
        return True
    for k in range(4):
        edge = f.ring[vertex].edges[k]
        if edge < 0 or not is_open(s, edge) or may_join(f, s, edge):
            continue
        if not put(f, s, 2 * edge + 1, LOOP, edge):
            return False
    return True


cdef inline bint check_ends(Frame *f, State *s) noexcept nogil:
    cdef int vertex
    for vertex in range(f.vertices):
        if not check_end(f, s, vertex):
            return False
    return True


cdef inline bint cross_out(Frame *f, State *s) noexcept nogil:
    """Put a cross on all open edges, when no line is missing."""
    cdef int edge
    for edge in range(f.edges):
        if is_open(s, edge) and not put(f, s, 2 * edge + 1, LOOP, NOWHERE):
            return False
    return True


cdef inline bint loop(Frame *f, State *s, int at) noexcept nogil:
    """Check both ends of the path that a literal on the trail lengthened."""
    cdef int literal = s.trail.literals[at], k, vertex
    cdef int32_t *ends = f.plane.ends + (literal & ~1)
    if s.n.left == 0:
        return cross_out(f, s)
    if literal & 1:
        return True
    for k in range(2):
        vertex = ends[k]
        if not check_end(f, s, s.ends.paths[vertex].end) or not check_end(f, s, vertex):
            return False
    # The first line beside a path: closing that path may have been right until now.
    if s.lines[ends[0]] == 1 and s.lines[ends[1]] == 1 and s.n.segments == 2:
        return check_ends(f, s)
    return True


cdef inline bint premises_hold(Frame *f, State *s, int instance) noexcept nogil:
    cdef int32_t *literal = row_of(&f.layout, PREMISES, instance)
    while literal[0] >= 0:
        if s.trail.values[literal[0]] != 1:
            return False
        literal += 1
    return True


cdef inline bint conclude(Frame *f, State *s, int instance, int technique) noexcept nogil:
    cdef int32_t *literal = row_of(&f.layout, CONCLUSIONS, instance)
    while literal[0] >= 0:
        if not put(f, s, literal[0], technique, instance):
            return False
        literal += 1
    return True


cdef inline bint patterns(Frame *f, State *s, int technique, int kind, int at) noexcept nogil:
    """Apply the patterns that have a literal of the trail among their premises."""
    cdef int key = 2 * kind * f.edges + s.trail.literals[at], index, instance
    for index in range(f.layout.watchers.start[key], f.layout.watchers.start[key + 1]):
        instance = f.layout.watchers.found[index]
        if s.missing[instance] or not premises_hold(f, s, instance):
            continue
        if not conclude(f, s, instance, technique):
            return False
    return True


cdef inline bint parity(Frame *f, State *s, int cut) noexcept nogil:
    cdef int odd = (s.cut_lines[cut] + f.cut_odd[cut]) & 1, index, edge
    if s.cut_open[cut] == 0:
        return not odd or fail(s, PARITY, cut)
    if s.cut_open[cut] > 1:
        return True
    for index in range(f.crossing.start[cut], f.crossing.start[cut + 1]):
        edge = f.crossing.found[index]
        if is_open(s, edge):
            return put(f, s, 2 * edge + 1 - odd, PARITY, cut)
    return True


cdef inline bint lies_in(Frame *f, int at, int side, int face) noexcept nogil:
    """Return whether a face lies in a window, and not beside it."""
    cdef int row, col
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            if f.window[at].faces[row * (side + 2) + col] == face:
                return True
    return False


cdef inline void turn(Frame *f, State *s, int face, bint shown) noexcept nogil:
    """Show a clue, for `look` once all clues of the call are shown; or hide a clue, once all later
    decisions are undone."""
    cdef int item = f.vertices + face, step = 1 if shown else -1
    cdef int kind, index, at
    s.shown[face] = shown
    s.counts[face] = f.clues[face] if shown else <uint8_t>ANY_COUNT
    s.site_mask[item] = f.clues[face] if shown else 0
    s.n.unmet += step * (1 - allowed(f.clues[face], s.lines[item]))
    for kind in range(2):
        for index in range(f.windows[kind].start[face], f.windows[kind].start[face + 1]):
            at = f.window_first[kind] + f.windows[kind].found[index]
            s.window_clues[at] += step * lies_in(f, at, 2 + kind, face)
            if shown and s.window_clues[at] > 0 and f.enabled[0][WINDOW + kind]:
                wait(s, kind, f.windows[kind].found[index])
    if shown and f.enabled[0][SHADE]:
        wait(s, SITES, item)
    for index in range(f.layout.needing.start[face], f.layout.needing.start[face + 1]):
        s.missing[f.layout.needing.found[index]] -= step


cdef inline bint look(Frame *f, State *s, int face) noexcept nogil:
    """Deduce what follows from a new clue at once; False: no solution."""
    cdef int index, instance, technique
    if f.enabled[0][CLUE] and not clue(f, s, face):
        return False
    for index in range(f.layout.needing.start[face], f.layout.needing.start[face + 1]):
        instance = f.layout.needing.found[index]
        technique = instance_of(&f.layout, instance).technique
        if s.missing[instance] or not f.enabled[0][technique]:
            continue
        if premises_hold(f, s, instance) and not conclude(f, s, instance, technique):
            return False
    # Closing the only path, or joining the only two, may have been right until now.
    return not f.enabled[0][LOOP] or s.n.segments > 2 or check_ends(f, s)

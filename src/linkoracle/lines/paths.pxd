"""The chosen edges form paths, and each path knows its two ends.

So edges that would close a path, or join terminals of different pairs, are found before a rule
finds them:

* A cycle is a solution of a loop, and then nothing else is chosen. So an edge that closes a path
  while another edge is chosen beside it is off; one that closes a path of all chosen edges makes
  every other edge be off. With terminals no cycle is part of a solution.
* A path between two terminals joins a pair.

One path between two terminals becomes a loop by a virtual edge between them that is always chosen:
see `close_ends`.
"""

from linkoracle.board.plane cimport far_end
from linkoracle.lines.ends cimport merge_paths, part_paths
from linkoracle.lines.rules cimport APART, CYCLE, KINDS, WHOLE, Lines
from linkoracle.lines.trail cimport NONE, UNKNOWN, learn, unlearn


cdef inline int take_next(Lines *b) noexcept nogil:
    """The next literal of the trail from which conclusions are to be drawn."""
    cdef int literal = b.trail.literals[b.trail.done]
    b.trail.done += 1
    b.counted[literal], b.counted[literal ^ 1] = 1, 0
    if is_line(b, literal):
        b.chosen[b.num_chosen] = literal >> 1
        b.num_chosen += 1
    return literal


cdef inline bint is_line(const Lines *b, int literal) noexcept nogil:
    """Whether a literal says that an edge is on."""
    return literal < 2 * b.plane.num_edges and literal & 1 == 0


cdef inline void forget(Lines *b, int known) noexcept nogil:
    """Undo all literals after the given number of first ones, and their conclusions."""
    cdef int place, literal
    for place in range(known, b.trail.done):
        literal = b.trail.literals[place]
        b.counted[literal] = b.counted[literal ^ 1] = UNKNOWN
    part_paths(&b.ends, known)
    while b.num_chosen and place_of(b, b.chosen[b.num_chosen - 1]) >= known:
        b.num_chosen -= 1
    if place_of(b, b.closed) >= known:
        b.closed = NONE
    unlearn(&b.trail, known)


cdef inline int place_of(const Lines *b, int edge) noexcept nogil:
    """Where an edge that is known is on the trail; NONE for the edge between two ends, or none."""
    return NONE if edge == NONE else b.trail.causes[edge].place


cdef inline void close_ends(Lines *b, int one, int other) noexcept nogil:
    """Make a path between two ends a loop, before anything is known."""
    b.loop = True
    b.mates[one], b.mates[other] = NONE, NONE
    b.ends.paths[one].end, b.ends.paths[other].end = other, one
    b.ends.paths[one].length = b.ends.paths[other].length = 1
    b.chosen[0] = NONE
    b.num_chosen = 1


cdef inline int close_path(Lines *b, int edge, int length) noexcept nogil:
    """Draw the conclusions of a cycle with a number of chosen edges; NONE or a conflict."""
    cdef int other
    if not b.loop or b.num_chosen != length:
        return CYCLE + KINDS * b.trail.done
    b.closed = edge
    for other in range(b.plane.num_edges):
        if b.trail.values[2 * other] == UNKNOWN:
            learn(&b.trail, 2 * other + 1, WHOLE)
    return NONE


cdef inline void part_ends(Lines *b, int here, int terminal) noexcept nogil:
    """Exclude edges from here that join the path of a terminal to that of another pair."""
    cdef int k, edge, far
    for k in range(b.plane.starts[here], b.plane.starts[here + 1]):
        edge = b.plane.edges[k]
        if b.trail.values[2 * edge] == UNKNOWN:
            far = b.ends.paths[far_end(&b.plane, edge, here)].end
            if b.mates[far] != NONE and b.mates[far] != terminal:
                learn(&b.trail, 2 * edge + 1, APART + KINDS * b.trail.done)


cdef inline int join(Lines *b, int edge) noexcept nogil:
    """Draw the conclusions of the paths from an edge that is on; NONE, or the reason of a conflict.

    The edge is the one taken last from the trail.
    """
    cdef int one = b.plane.ends[2 * edge], other = b.plane.ends[2 * edge + 1]
    cdef int start = b.ends.paths[one].end, end = b.ends.paths[other].end, length, k, between
    if b.closed != NONE:
        return WHOLE
    if start == other:
        return close_path(b, edge, b.ends.paths[one].length + 1)
    if b.mates[start] != NONE and b.mates[end] != NONE and b.mates[start] != end:
        return APART + KINDS * b.trail.done
    length = merge_paths(&b.ends, b.trail.done - 1, one, other)
    if not b.loop or b.num_chosen > length:
        for k in range(b.plane.starts[start], b.plane.starts[start + 1]):
            between = b.plane.edges[k]
            if b.trail.values[2 * between] == UNKNOWN and far_end(&b.plane, between, start) == end:
                learn(&b.trail, 2 * between + 1, CYCLE + KINDS * b.trail.done)
    if b.mates[start] != NONE:
        part_ends(b, end, start)
    if b.mates[end] != NONE:
        part_ends(b, start, end)
    return NONE

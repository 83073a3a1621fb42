"""Find the words that become a given word when two paths meet at a vertex.

The two places of the vertex are empty in the *target*. In a *source* both are chosen, and their
paths are joined. In the target, the ends of the joined path border the same region as the vertex.
So each source belongs to one path, or label, that can be seen from the vertex:

* a path around the vertex: ``)(``,
* a path to the left of it: ``))``, and its right end was a left one; to the right of it: ``((``,
  and its left end was a right one,
* a label to the left: ``|)`` or ``)|``, and it was a left end; to the right: ``|(`` or ``(|``, and
  it was a right end.

A half word does not show all of these. The *level* of a side is the number of path ends between the
vertex and that border of the half word whose paths go on beyond it. At that depth, the other half
has more sources.
"""

from libc.stdint cimport uint64_t

from linkoracle.frontier.blank.words cimport CLOSE, LABEL, MOST_PLACES, OPEN, put, symbol_at

cdef enum:
    MOST_SOURCES = 2 * MOST_PLACES
    UNSEEN = -1  # level of a side on which the vertex is closed off


cdef struct Joins:
    int count  # sources within the half word
    uint64_t sources[MOST_SOURCES]
    int left_level  # where the half word to the left is seen, or UNSEEN
    int right_level  # where the one to the right is seen, or UNSEEN


cdef inline uint64_t paired(uint64_t code, int place, int first, int second) noexcept nogil:
    """Return the word with these symbols at a place and the next one."""
    return put(put(code, place, first), place + 1, second)


cdef inline int side_of(
    Joins *joins, uint64_t target, int length, int place, int step, int far, int near
) noexcept nogil:
    """Find the sources on one side; return its level.

    A path on this side has its ``near`` end next to the vertex and its ``far`` end beyond.
    """
    cdef int here = place - 1 if step < 0 else place + 2, depth = 0, symbol
    while 0 <= here < length:
        symbol = symbol_at(target, here)
        if depth:
            depth += (symbol == near) - (symbol == far)
        elif symbol == far:
            # The end of a path that goes around the vertex.
            return UNSEEN
        elif symbol == near:
            joins.sources[joins.count] = put(paired(target, place, near, near), here, far)
            joins.count += 1
            depth = 1
        elif symbol == LABEL:
            joins.sources[joins.count] = put(paired(target, place, LABEL, near), here, far)
            joins.sources[joins.count + 1] = put(paired(target, place, near, LABEL), here, far)
            joins.count += 2
        here += step
    return depth


cdef inline void find_joins(
    Joins *joins, uint64_t target, int length, int place, bint enclosed
) noexcept nogil:
    """Find the sources of a target whose vertex is at ``place`` and the next place.

    ``enclosed`` says whether any path goes around the vertex. Some sources may be invalid words.
    """
    joins.count = 0
    joins.left_level = side_of(joins, target, length, place, -1, OPEN, CLOSE)
    joins.right_level = side_of(joins, target, length, place, 1, CLOSE, OPEN)
    if enclosed:
        joins.sources[joins.count] = paired(target, place, CLOSE, OPEN)
        joins.count += 1

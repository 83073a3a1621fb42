"""Counting over kept layers; a count is a row of 64-bit limbs. See `linkoracle.frontier.layers`.

Every child is looked at before it is followed; one that leads out of its layer is a ``ValueError``.
Until then other rows may have been filled.
"""

from libc.stdint cimport uint32_t, uint64_t

from linkoracle.core.watch cimport Watch, watch_start, watch_stops
from linkoracle.frontier.children cimport RATE, check_children, edges_of, fits_or_raise
from linkoracle.frontier.limbs cimport limbs_add, limbs_bits
from linkoracle.frontier.state cimport TO_ACCEPT as ACCEPT
from linkoracle.frontier.state cimport TO_NOTHING as DEAD

cdef extern from * nogil:
    """
    /* The lower half of a * b + c + d, which is always less than 2^128; the upper one in high. */
    #if defined(__SIZEOF_INT128__)
    static inline uint64_t linkoracle_multiply(
        uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *high
    ) {
        unsigned __int128 found = (unsigned __int128)a * b + c + d;
        *high = (uint64_t)(found >> 64);
        return (uint64_t)found;
    }
    #else
    static inline uint64_t linkoracle_multiply(
        uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *high
    ) {
        uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
        uint64_t low = a0 * b0, left = a1 * b0 + (low >> 32);
        uint64_t right = a0 * b1 + (uint32_t)left;
        uint64_t lower = right << 32 | (uint32_t)low, upper = a1 * b1 + (left >> 32) + (right >> 32);
        lower += c;
        upper += lower < c;
        lower += d;
        upper += lower < d;
        *high = upper;
        return lower;
    }
    #endif
    """
    uint64_t linkoracle_multiply(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *high)


cdef inline void add_row(
    uint64_t *to, Py_ssize_t width, const uint64_t *row, Py_ssize_t narrow
) noexcept nogil:
    """Add a row of limbs to one that is wide enough."""
    cdef Py_ssize_t k
    cdef uint64_t carry
    if width == 1:
        to[0] += row[0]
        return
    k = min(width, narrow)
    carry = limbs_add(to, row, <int>k)
    while carry and k < width:
        to[k] += carry
        carry = to[k] == 0
        k += 1


def count_below(
    const uint32_t[:, ::1] children not None,
    const uint64_t[:, ::1] below not None,
    uint64_t[:, ::1] counts not None,
    object deadline,
):
    """Solutions below each node: the sum over its children; row 0 of ``below`` counts `ACCEPT`.

    Row k + 1 of ``below`` is node k of the next layer. ``counts`` starts as zeros, and row 0
    is left alone. Returns the bits of the largest number in ``counts``.
    """
    cdef Py_ssize_t size = children.shape[0], node, width = counts.shape[1]
    cdef Py_ssize_t narrow = below.shape[1], targets = below.shape[0] + 1
    cdef uint32_t target
    cdef int which, bits = 0
    cdef bint fits = True
    cdef Watch watch
    check_children(children)
    if counts.shape[0] != size + 1 or width < 1 or narrow < 1:
        raise ValueError("expected a row of counts for each node, and one more")
    watch_start(&watch, deadline.seconds, RATE)
    with nogil:
        for node in range(size):
            if not fits or watch_stops(&watch):
                break
            for which in range(2):
                target = children[node, which] >> 2
                if target >= targets:
                    fits = False
                elif target != DEAD:
                    add_row(&counts[node + 1, 0], width, &below[target - 1, 0], narrow)
        bits = top_bits(counts)
    fits_or_raise(fits, &watch, deadline)
    return bits


def count_above(
    const uint32_t[:, ::1] children not None,
    const uint64_t[:, ::1] above not None,
    uint64_t[:, ::1] counts not None,
    object deadline,
):
    """Ways to each node of the next layer (row k for node k), from those to each node here.

    ``counts`` starts as zeros. Returns the bits of its largest number.
    """
    cdef Py_ssize_t size = children.shape[0], node, width = counts.shape[1]
    cdef Py_ssize_t narrow = above.shape[1], targets = counts.shape[0] + 2
    cdef uint32_t target
    cdef int which, bits = 0
    cdef bint fits = True
    cdef Watch watch
    check_children(children)
    if above.shape[0] != size or width < 1 or narrow < 1:
        raise ValueError("expected a row of counts for each node")
    watch_start(&watch, deadline.seconds, RATE)
    with nogil:
        for node in range(size):
            if not fits or watch_stops(&watch):
                break
            for which in range(2):
                target = children[node, which] >> 2
                if target >= targets:
                    fits = False
                elif target > ACCEPT:
                    add_row(&counts[target - 2, 0], width, &above[node, 0], narrow)
        bits = top_bits(counts)
    fits_or_raise(fits, &watch, deadline)
    return bits


cdef int top_bits(uint64_t[:, ::1] rows) noexcept nogil:
    """Bits of the largest number among rows of limbs."""
    cdef Py_ssize_t k, index
    cdef uint64_t all_bits
    for k in range(rows.shape[1] - 1, -1, -1):
        all_bits = 0
        for index in range(rows.shape[0]):
            all_bits |= rows[index, k]
        if all_bits:
            return <int>(64 * k) + limbs_bits(&all_bits, 1)
    return 0


cdef inline void add_product(
    uint64_t *total,
    Py_ssize_t width,
    const uint64_t *one,
    Py_ssize_t ones,
    const uint64_t *other,
    Py_ssize_t others,
) noexcept nogil:
    """Add a product to a total. Beyond the last limb everything is zero: the total is a count."""
    cdef Py_ssize_t i, j
    cdef uint64_t carry
    for i in range(min(ones, width)):
        if one[i] == 0:
            continue
        carry = 0
        for j in range(min(others, width - i)):
            total[i + j] = linkoracle_multiply(one[i], other[j], total[i + j], carry, &carry)
        j = i + others
        while carry and j < width:
            total[j] += carry
            carry = total[j] < carry
            j += 1


def share_layer(
    const uint32_t[:, ::1] children not None,
    const uint64_t[:, ::1] above not None,
    const uint64_t[:, ::1] below not None,
    uint64_t[:, ::1] totals not None,
    object deadline,
):
    """Add to row *d* of ``totals`` the solutions that take decision *d* at this layer.

    That is the sum of (ways to the node) x (solutions below the child).
    """
    cdef Py_ssize_t size = children.shape[0], node, width = totals.shape[1]
    cdef Py_ssize_t ones = above.shape[1], others = below.shape[1], targets = below.shape[0] + 1
    cdef uint32_t child
    cdef int which
    cdef bint fits = True
    cdef Watch watch
    check_children(children)
    if above.shape[0] != size or totals.shape[0] != 4 or min(width, ones, others) < 1:
        raise ValueError("expected a row of counts for each node, and one for each decision")
    watch_start(&watch, deadline.seconds, RATE)
    with nogil:
        for node in range(size):
            if not fits or watch_stops(&watch):
                break
            for which in range(2):
                child = children[node, which]
                if child >> 2 >= targets:
                    fits = False
                elif child >> 2 != DEAD:
                    add_product(
                        &totals[child & 3, 0],
                        width,
                        &above[node, 0],
                        ones,
                        &below[(child >> 2) - 1, 0],
                        others,
                    )
    fits_or_raise(fits, &watch, deadline)


def lengths_below(
    const uint32_t[:, ::1] children not None,
    const uint64_t[:, :, ::1] below not None,
    uint64_t[:, :, ::1] lengths not None,
    object deadline,
):
    """Solutions below each node by their number of edges: ``lengths[node + 1, edges, limb]``."""
    cdef Py_ssize_t size = children.shape[0], node, length
    cdef Py_ssize_t width = lengths.shape[2], narrow = below.shape[2], targets = below.shape[0] + 1
    cdef uint32_t child
    cdef int which, chosen
    cdef bint fits = True
    cdef Watch watch
    check_children(children)
    if lengths.shape[0] != size + 1 or width < 1 or narrow < 1:
        raise ValueError("expected numbers for each node, and one more")
    watch_start(&watch, deadline.seconds, RATE // 16)
    with nogil:
        for node in range(size):
            if not fits or watch_stops(&watch):
                break
            for which in range(2):
                child = children[node, which]
                if child >> 2 >= targets:
                    fits = False
                elif child >> 2 != DEAD:
                    chosen = edges_of(child)
                    for length in range(min(below.shape[1], lengths.shape[1] - chosen)):
                        add_row(
                            &lengths[node + 1, length + chosen, 0],
                            width,
                            &below[(child >> 2) - 1, length, 0],
                            narrow,
                        )
    fits_or_raise(fits, &watch, deadline)

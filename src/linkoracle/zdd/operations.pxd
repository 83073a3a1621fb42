"""Operations on families of sets, the recursions of Knuth, *The Art of Computer Programming* 4A, 7.1.4.

Variables grow from parent to child, and every nested call is for greater variables. So calls are
nested at most as deep as there are variables, and `MOST_VARIABLES` bounds the stack.
"""

from libc.stdint cimport int32_t, uint64_t

from linkoracle.zdd.nodes cimport NO_NODE, Node, Zdd, find_or_add, key_of, recall, remember
from linkoracle.zdd.zdd_kernel cimport (
    ATTACH, DIFFERENCE, HITTING, INTERSECTION, MAXIMAL, MINIMAL, MINIMAL_UNION, UNION, WITHOUT_SUBSETS,
    WITHOUT_SUPERSETS
)

cdef enum:
    MOST_VARIABLES = 1 << 12  # some 120 bytes of the stack for each


# ---- operations on two families ------------------------------------------------------------------


cdef struct Pair:
    int32_t variable  # the smaller one of the two nodes
    int32_t f_low  # the sets of f without it
    int32_t f_high  # those with it
    int32_t g_low  # the same of g
    int32_t g_high


cdef inline Pair split(Zdd *z, int32_t f, int32_t g) noexcept nogil:
    cdef Node one = z.nodes[f], other = z.nodes[g]
    cdef Pair pair
    if other.variable < one.variable:
        pair.variable, pair.f_low, pair.f_high = other.variable, f, 0
    else:
        pair.variable, pair.f_low, pair.f_high = one.variable, one.low, one.high
    if one.variable < other.variable:
        pair.g_low, pair.g_high = g, 0
    else:
        pair.g_low, pair.g_high = other.low, other.high
    return pair


cdef inline int32_t combine(Zdd *z, int operation, int32_t f, int32_t g) noexcept nogil:
    """Apply an operation up to `WITHOUT_SUBSETS`; `NO_NODE` also if ``f`` or ``g`` is."""
    cdef uint64_t key
    cdef Pair pair
    cdef int32_t low, high
    if f == NO_NODE or g == NO_NODE:
        return NO_NODE
    if operation in (DIFFERENCE, WITHOUT_SUPERSETS, WITHOUT_SUBSETS):
        if g == 0 or f == 0:
            return f
        if f == g:
            return 0
        # The empty set is a subset of every set.
        if (g == 1 and operation == WITHOUT_SUPERSETS) or (f == 1 and operation == WITHOUT_SUBSETS):
            return 0
    else:
        if f == g:
            return f
        if f > g:
            f, g = g, f
        if f == 0:
            return 0 if operation == INTERSECTION else g
        if f == 1 and operation == MINIMAL_UNION:
            return 1
    key = key_of(operation, f, g)
    if recall(z, key, &low):
        return low
    pair = split(z, f, g)
    low = combine(z, operation, pair.f_low, pair.g_low)
    if operation == WITHOUT_SUBSETS:
        low = combine(z, WITHOUT_SUBSETS, low, pair.g_high)
    if low == NO_NODE:
        return NO_NODE
    high = pair.f_high
    if operation == WITHOUT_SUPERSETS:
        high = combine(z, WITHOUT_SUPERSETS, high, pair.g_low)
    high = combine(z, operation, high, pair.g_high)
    if operation == MINIMAL_UNION:
        high = combine(z, WITHOUT_SUPERSETS, high, low)
    return remember(z, key, pair.variable, low, high)


# ---- operations on one family --------------------------------------------------------------------


cdef inline int32_t extreme(Zdd *z, int operation, int32_t f) noexcept nogil:
    """Apply `MINIMAL`, `MINIMAL_OF_UPSET` or `MAXIMAL`."""
    cdef uint64_t key
    cdef Node node
    cdef int32_t low, high
    if f <= 1:
        return f
    key = key_of(operation, f, 0)
    if recall(z, key, &low):
        return low
    node = z.nodes[f]
    low = extreme(z, operation, node.low)
    if low == NO_NODE:
        return NO_NODE
    high = extreme(z, operation, node.high)
    if operation == MINIMAL:
        high = combine(z, WITHOUT_SUPERSETS, high, low)
    elif operation == MAXIMAL:
        low = combine(z, WITHOUT_SUBSETS, low, high)
    else:
        # A set with the variable is minimal if the set less the variable is not in the family.
        high = combine(z, DIFFERENCE, high, node.low)
    return remember(z, key, node.variable, low, high)


cdef inline int32_t hitting(Zdd *z, int32_t f, int32_t first) noexcept nogil:
    """Apply `HITTING`, with variables from ``first`` on."""
    cdef uint64_t key
    cdef Node node
    cdef int32_t low, high
    if f == NO_NODE:
        return NO_NODE
    if f == 1:
        return 0
    if first == z.variables:
        return 1
    key = key_of(HITTING, f, first)
    if recall(z, key, &low):
        return low
    node = z.nodes[f]
    if node.variable > first:
        # No condition on this variable: with or without it.
        low = high = hitting(z, f, first + 1)
    else:
        low = hitting(z, combine(z, MINIMAL_UNION, node.low, node.high), first + 1)
        if low == NO_NODE:
            return NO_NODE
        high = hitting(z, node.low, first + 1)
    return remember(z, key, first, low, high)


cdef inline int32_t attach(Zdd *z, int32_t f, int32_t variable) noexcept nogil:
    """Apply `ATTACH`. If no set of f has a smaller variable, this makes one node."""
    cdef uint64_t key
    cdef Node node
    cdef int32_t low, high
    if f <= 0:
        return f
    node = z.nodes[f]
    if node.variable > variable:
        return find_or_add(z, variable, 0, f)
    key = key_of(ATTACH, f, variable)
    if recall(z, key, &low):
        return low
    if node.variable == variable:
        return remember(z, key, variable, 0, combine(z, UNION, node.low, node.high))
    low = attach(z, node.low, variable)
    if low == NO_NODE:
        return NO_NODE
    high = attach(z, node.high, variable)
    return remember(z, key, node.variable, low, high)

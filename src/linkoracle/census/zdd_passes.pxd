"""Passes over all nodes of some families: which there are, packing them, counting their sets."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from linkoracle.census.zdd_nodes cimport Answer, Node, Zdd, enter_nodes
from linkoracle.census.zdd_operations cimport MOST_VARIABLES
from linkoracle.core.arena cimport arena_release, arena_take
from linkoracle.core.watch cimport watch_stops


cdef inline unsigned char *mark(Zdd *z, const int32_t *roots, int64_t size) noexcept nogil:
    """Which nodes are below any of the roots: a block of the arena, or NULL."""
    cdef unsigned char *marked = <unsigned char *>arena_take(&z.arena, z.used, 1)
    cdef int64_t node
    if marked == NULL:
        return NULL
    marked[0] = marked[1] = True
    for node in range(size):
        marked[roots[node]] = True
    for node in range(z.used - 1, 1, -1):
        if watch_stops(&z.watch):
            arena_release(&z.arena, marked)
            return NULL
        if marked[node]:
            marked[z.nodes[node].low] = True
            marked[z.nodes[node].high] = True
    return marked


cdef inline bint pack(Zdd *z, unsigned char *marked, int32_t *places) noexcept nogil:
    """Move marked nodes together, in order; ``places`` receives where each went.

    False if that was stopped: then the nodes are of no use any more.
    """
    cdef int64_t node, kept = 2
    cdef Node moved
    places[0], places[1] = 0, 1
    for node in range(2, z.used):
        if watch_stops(&z.watch):
            return False
        if marked[node]:
            moved = z.nodes[node]
            moved.low, moved.high = places[moved.low], places[moved.high]
            z.nodes[kept] = moved
            places[node] = <int32_t>kept
            kept += 1
    z.used = kept
    memset(z.table, 0, (z.table_mask + 1) * sizeof(int32_t))
    memset(z.cache, 0, (z.cache_mask + 1) * sizeof(Answer))
    return enter_nodes(z, z.table, z.table_mask)


cdef inline bint count_sets(
    Zdd *z, unsigned char *marked, uint64_t *counts, int64_t size, bint *is_much
) noexcept nogil:
    """How many sets each marked node below ``size`` has; False if stopped, or if it is too much."""
    cdef int64_t node
    counts[0], counts[1] = 0, 1
    for node in range(2, size):
        if watch_stops(&z.watch):
            return False
        if marked[node]:
            counts[node] = counts[z.nodes[node].low] + counts[z.nodes[node].high]
            # Neither has this bit, so the sum is right.
            if counts[node] >> 63:
                is_much[0] = True
                return False
    return True


cdef struct Sizes:
    int64_t least  # members of the smallest set
    int64_t most  # of the largest one
    int64_t start  # where the counts of its sizes begin, the smallest first


cdef inline int64_t measure(Zdd *z, unsigned char *marked, Sizes *sizes, int64_t size) noexcept nogil:
    """The sizes of the sets of each marked node; how many counts these take, -1 if stopped."""
    cdef int64_t node, total = 1
    cdef Sizes low, high
    # Nothing is below the least of the empty family, or above its most.
    sizes[0].least, sizes[0].most = MOST_VARIABLES, -1 - MOST_VARIABLES
    for node in range(2, size):
        if watch_stops(&z.watch):
            return -1
        if marked[node]:
            low, high = sizes[z.nodes[node].low], sizes[z.nodes[node].high]
            sizes[node].least = min(low.least, high.least + 1)
            sizes[node].most = max(low.most, high.most + 1)
            sizes[node].start = total
            total += sizes[node].most - sizes[node].least + 1
    return total


cdef inline bint count_sizes(
    Zdd *z, unsigned char *marked, Sizes *sizes, uint64_t *counts, int64_t size
) noexcept nogil:
    """How many sets of each size; False if that was stopped. Their sum is less than 2^63."""
    cdef int64_t node, child, length, k
    cdef uint64_t *to
    cdef int more
    counts[0] = 1
    for node in range(2, size):
        if not marked[node]:
            continue
        for more in range(2):
            if watch_stops(&z.watch):
                return False
            child = z.nodes[node].high if more else z.nodes[node].low
            length = sizes[child].most - sizes[child].least + 1
            if length > 0:
                to = counts + sizes[node].start + sizes[child].least + more - sizes[node].least
                for k in range(length):
                    to[k] += counts[sizes[child].start + k]
    return True

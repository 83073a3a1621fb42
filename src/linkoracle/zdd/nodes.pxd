"""The nodes of zero-suppressed decision diagrams, and the cache of answers.

A node is (variable, low, high): the sets of ``low`` without and those of ``high`` with the
variable, which is smaller than every variable below. Node 0 is the empty family, node 1 the family
of the empty set alone. No two nodes are the same, so equal families are one node.

Every function that makes nodes returns `NO_NODE` when it is stopped or when there is no memory for
another node. The nodes and answers found so far stay valid.

The *index* is the hash table of nodes and the cache of answers. A diagram that is only read
has none. A diagram that is built layer by layer, from the last variable up, has a table of one layer
(`start_layer`): lookups never need a node of another layer.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from linkoracle.core.arena cimport Arena, arena_release, arena_resize, arena_take
from linkoracle.core.watch cimport StopToken, watch_stops

cdef extern from * nogil:
    """
    /* Load an address that is read soon, far from those read before. */
    #if defined(__GNUC__)
    #define linkoracle_prefetch(place) __builtin_prefetch(place)
    #else
    #define linkoracle_prefetch(place) ((void)(place))
    #endif
    """
    void linkoracle_prefetch(const void *place)


cdef enum:
    AHEAD = 32  # distance in nodes at which a pass loads children in advance
    MOST_NODES = 1 << 30  # their numbers have 30 bits in the keys of the cache
    ENTRIES_A_NODE = 4  # of the table and of the cache, for each node of the capacity
    NO_NODE = -1  # the work was stopped, or there is no memory for another node


cdef struct Node:
    int32_t variable  # smaller than those of its children
    int32_t low  # the node of the sets without the variable
    int32_t high  # the node of the sets with the variable, less the variable; never 0


cdef struct Answer:
    uint64_t key  # the operation and its operands, 0 for none
    int64_t found  # the node


cdef struct Zdd:
    Arena arena  # owns all arrays below
    StopToken watch  # of the current work
    Node *nodes  # children stand before their parents
    int64_t used  # number of nodes
    int64_t capacity  # in nodes
    int64_t first  # nodes from this one on are in the table
    int32_t *table  # numbers of nodes, by their hashes; 0 for none. NULL without an index
    uint64_t table_mask  # one less than its size, a power of two
    uint64_t table_capacity  # largest size within its memory
    Answer *cache  # answers found before, by the hashes of their keys; or NULL
    uint64_t cache_mask  # one less than its size, a power of two
    int32_t variables  # all are smaller than this number


cdef inline void load_children(Zdd *z, int64_t node) noexcept nogil:
    """Load the children of a node that a pass reads soon."""
    linkoracle_prefetch(&z.nodes[z.nodes[node].low])
    linkoracle_prefetch(&z.nodes[z.nodes[node].high])


cdef inline uint64_t hash_of(uint64_t key) noexcept nogil:
    """Return a hash with 44 good lower bits."""
    key *= <uint64_t>0x9E3779B97F4A7C15
    key ^= key >> 32
    key *= <uint64_t>0xC2B2AE3D27D4EB4F
    return key >> 20


cdef inline uint64_t hash_node(Node node) noexcept nogil:
    # Two numbers of 30 bits, and the variable, of at least 10 bits, above and across them.
    cdef uint64_t variable = node.variable
    return hash_of((variable << 54) ^ (variable << 27) ^ (<uint64_t>node.low << 30 | node.high))


cdef inline bint insert_nodes(Zdd *z, int32_t *table, uint64_t mask) noexcept nogil:
    """Insert the nodes from ``first`` on into an empty table; return False if stopped."""
    cdef int64_t node
    cdef uint64_t place
    for node in range(z.first, z.used):
        if watch_stops(&z.watch):
            return False
        place = hash_node(z.nodes[node]) & mask
        while table[place]:
            place = (place + 1) & mask
        table[place] = <int32_t>node
    return True


cdef inline bint make_table(Zdd *z, uint64_t size) noexcept nogil:
    """Replace the table by one of this size; return False if stopped or without memory."""
    cdef int32_t *table = <int32_t *>arena_take(&z.arena, size, sizeof(int32_t))
    if table == NULL:
        return False
    if not insert_nodes(z, table, size - 1):
        arena_release(&z.arena, table)
        return False
    arena_release(&z.arena, z.table)
    z.table, z.table_mask, z.table_capacity = table, size - 1, size
    return True


cdef inline void make_cache(Zdd *z, int64_t size) noexcept nogil:
    """Make a larger cache with the same answers. Without memory for it, keep the old one."""
    cdef Answer *cache = <Answer *>arena_take(&z.arena, size, sizeof(Answer))
    cdef uint64_t mask = size - 1, place
    if cache == NULL:
        z.arena.refused = False
        return
    for place in range(z.cache_mask + 1):
        # Missing answers do no harm.
        if watch_stops(&z.watch):
            break
        if z.cache[place].key:
            cache[hash_of(z.cache[place].key) & mask] = z.cache[place]
    arena_release(&z.arena, z.cache)
    z.cache, z.cache_mask = cache, mask


cdef inline void drop_index(Zdd *z) noexcept nogil:
    arena_release(&z.arena, z.table)
    arena_release(&z.arena, z.cache)
    z.table, z.cache = NULL, NULL


cdef inline bint make_index(Zdd *z) noexcept nogil:
    """Insert all nodes, for operations; return False if stopped or without memory."""
    cdef uint64_t size = ENTRIES_A_NODE
    if z.cache != NULL:
        return True
    while size < <uint64_t>(ENTRIES_A_NODE * z.capacity):
        size *= 2
    z.first = 2
    if not make_table(z, size):
        return False
    z.cache = <Answer *>arena_take(&z.arena, size, sizeof(Answer))
    z.cache_mask = size - 1
    return z.cache != NULL


cdef inline bint start_layer(Zdd *z) noexcept nogil:
    """Begin a layer: the table finds only later nodes. Return False without memory.

    A layer is about as large as the one before, so only that part of the table is cleared.
    """
    cdef uint64_t size = ENTRIES_A_NODE, needed = ENTRIES_A_NODE * (z.used - z.first + 1)
    while size < needed:
        size *= 2
    arena_release(&z.arena, z.cache)
    z.cache, z.first = NULL, z.used
    if z.table == NULL or size > z.table_capacity:
        return make_table(z, size)
    z.table_mask = size - 1
    memset(z.table, 0, size * sizeof(int32_t))
    return True


cdef inline bint grow_nodes(Zdd *z) noexcept nogil:
    """Make room for another node; return False if stopped or without memory."""
    cdef uint64_t size = z.table_mask + 1
    cdef Node *nodes
    if z.used == z.capacity:
        if 2 * z.capacity > MOST_NODES:
            z.arena.refused = True
            return False
        nodes = <Node *>arena_resize(&z.arena, z.nodes, 2 * z.capacity, sizeof(Node))
        if nodes == NULL:
            return False
        z.nodes, z.capacity = nodes, 2 * z.capacity
    if size <= <uint64_t>(ENTRIES_A_NODE * (z.used + 1 - z.first)):
        if not make_table(z, 2 * size):
            return False
        if z.cache != NULL:
            make_cache(z, 2 * size)
    return True


cdef inline int32_t find_or_add(Zdd *z, int32_t variable, int32_t low, int32_t high) noexcept nogil:
    """Return the node (variable, low, high); make it if it is new."""
    cdef Node target
    cdef Node *there
    cdef uint64_t place
    cdef int32_t node
    if high == 0:
        return low
    target.variable, target.low, target.high = variable, low, high
    place = hash_node(target) & z.table_mask
    while z.table[place]:
        there = &z.nodes[z.table[place]]
        if there.variable == variable and there.low == low and there.high == high:
            return z.table[place]
        place = (place + 1) & z.table_mask
    if z.used == z.capacity or z.table_mask < <uint64_t>(ENTRIES_A_NODE * (z.used + 1 - z.first)):
        if not grow_nodes(z):
            return NO_NODE
        place = hash_node(target) & z.table_mask
        while z.table[place]:
            place = (place + 1) & z.table_mask
    node = <int32_t>z.used
    z.nodes[node] = target
    z.table[place] = node
    z.used += 1
    return node


cdef inline uint64_t key_of(int operation, int32_t f, int32_t g) noexcept nogil:
    """Return the cache key of an operation, which is never 0. Operands have 30 bits."""
    return <uint64_t>operation << 60 | <uint64_t>f << 30 | <uint64_t>g


cdef inline bint recall(Zdd *z, uint64_t key, int32_t *found) noexcept nogil:
    """Return whether the answer is in the cache, or the work is stopped (``found`` `NO_NODE`)."""
    cdef Answer *answer = &z.cache[hash_of(key) & z.cache_mask]
    if answer.key == key:
        found[0] = <int32_t>answer.found
        return True
    found[0] = NO_NODE
    return watch_stops(&z.watch)


cdef inline int32_t remember(
    Zdd *z, uint64_t key, int32_t variable, int32_t low, int32_t high
) noexcept nogil:
    """Return the node (variable, low, high), cached as an answer; `NO_NODE` if a child is."""
    cdef int32_t found
    cdef Answer *answer
    if low == NO_NODE or high == NO_NODE:
        return NO_NODE
    found = find_or_add(z, variable, low, high)
    if found != NO_NODE:
        answer = &z.cache[hash_of(key) & z.cache_mask]
        answer.key, answer.found = key, found
    return found

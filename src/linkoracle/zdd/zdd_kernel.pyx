"""`Nodes`: families of sets as zero-suppressed decision diagrams.

`zdd_kernel.pxd` has the structs.

Contents
    Nodes       the table in which nodes are found again, and the cache of answers
    Operations  on one family and on two: union, minimal sets, hitting sets
    Passes      over all nodes: used nodes, sizes of sets, parts of a family
    Layers      the nodes of a layer of states
    For Python  `Nodes`
"""

from threading import RLock

import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from linkoracle.core.limits import checked_limit

from linkoracle.core.kernels cimport (
    Arena, arena_close, arena_error, arena_open, arena_release, arena_resize, arena_take,
    watch_raise, watch_start, watch_stops
)


# ---- Nodes ---------------------------------------------------------------------------------------
#
# `zdd_kernel.pxd` says what a node is. Every function that makes nodes returns `NO_NODE` when it is
# stopped or when there is no memory for another node. The nodes and answers found so far stay
# valid.
#
# The *index* is the hash table of nodes and the cache of answers. A diagram that is only read has
# none. A diagram that is built layer by layer, from the last variable up, has a table of one layer
# (`start_layer`): lookups never need a node of another layer.

cdef enum:
    MOST_NODES = 1 << 30  # their numbers have 30 bits in the keys of the cache
    ENTRIES_A_NODE = 4  # of the table and of the cache, for each node of the capacity


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


# ---- Operations ----------------------------------------------------------------------------------
#
# Operations on families of sets, the recursions of Knuth, *The Art of Computer Programming* 4A,
# 7.1.4.
#
# Variables grow from parent to child, and every nested call is for greater variables. So calls are
# nested at most as deep as there are variables, and `MOST_VARIABLES` bounds the stack.

cdef enum:
    MOST_VARIABLES = 1 << 12  # some 120 bytes of the stack for each


# -- operations on two families --


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


# -- operations on one family --


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


# ---- Passes --------------------------------------------------------------------------------------
#
# Passes over all nodes of families: find, pack, measure and restrict them.

cdef enum:
    FAR = 1 << 30  # more than any number of members


# -- used nodes --


cdef int32_t *users_of(
    Zdd *z, Arena *arena, const int32_t *roots, int64_t size
) noexcept nogil:
    """Return for each node its last parent: itself for a root, 0 if no root needs the node.

    A block of the ``arena``, or NULL. A pass from the terminals up can free the data of a node
    after its last parent.
    """
    cdef int32_t *users = <int32_t *>arena_take(arena, z.used, sizeof(int32_t))
    cdef int64_t node
    if users == NULL:
        return NULL
    for node in range(size):
        users[roots[node]] = roots[node]
    for node in range(z.used - 1, 1, -1):
        if watch_stops(&z.watch):
            arena_release(arena, users)
            return NULL
        if users[node]:
            if not users[z.nodes[node].low]:
                users[z.nodes[node].low] = <int32_t>node
            if not users[z.nodes[node].high]:
                users[z.nodes[node].high] = <int32_t>node
    return users


cdef inline bint pack(Zdd *z, const int32_t *users, int32_t *places) noexcept nogil:
    """Move used nodes together, in order; write the new number of each to ``places``.

    Return False if stopped: then the nodes are unusable.
    """
    cdef int64_t node, kept = 2
    cdef Node moved
    places[0], places[1] = 0, 1
    for node in range(2, z.used):
        if watch_stops(&z.watch):
            return False
        if users[node]:
            moved = z.nodes[node]
            moved.low, moved.high = places[moved.low], places[moved.high]
            z.nodes[kept] = moved
            places[node] = <int32_t>kept
            kept += 1
    z.used = kept
    if z.cache == NULL:
        drop_index(z)
        return True
    memset(z.table, 0, (z.table_mask + 1) * sizeof(int32_t))
    memset(z.cache, 0, (z.cache_mask + 1) * sizeof(Answer))
    return insert_nodes(z, z.table, z.table_mask)


# -- the sizes of the sets --


cdef bint measure(Zdd *z, int32_t *best, int64_t size, int sign) noexcept nogil:
    """Find the most (``sign`` 1) or fewest (-1) members of a set of each node; False if stopped.

    The empty family has minus or plus `FAR` members.
    """
    cdef int64_t node
    cdef int32_t low, high
    best[0], best[1] = -sign * FAR, 0
    for node in range(2, size):
        if watch_stops(&z.watch):
            return False
        low, high = best[z.nodes[node].low], best[z.nodes[node].high] + 1
        best[node] = low if (low > high) == (sign > 0) else high
    return True


# -- parts of a family --


cdef enum Demand:
    FREE
    REQUIRED
    FORBIDDEN


# The possible numbers of members above a node, and the index of the first of their results.
cdef struct Span:
    int32_t first
    int32_t last  # less than ``first`` if nothing leads to the node
    int64_t start


# The constraints on the sets of a part. A *state* is a node and the number of members above it. The
# number is always 0 if sets may have any size.
cdef struct Rule:
    const uint8_t *demands  # the constraint on each variable: see `Demand`
    const int32_t *following  # the first required variable from each one on, or `LAST`
    const uint8_t *sizes  # by size, whether a set may have it; NULL if all sizes may
    int64_t low  # smallest allowed size; unset, like all up to ``spans``, if all sizes may
    int64_t high  # largest allowed size
    int32_t *fewest  # members of a set of each node, at least
    int32_t *most  # at most
    Span *spans
    int32_t *results  # 1 for a state, later its restriction; 0 for no state
    int32_t *ends  # the last node of each variable


cdef inline Node obedient(Zdd *z, const Rule *r, int64_t node) noexcept nogil:
    """Return a node without the children that the constraints exclude."""
    cdef Node found = z.nodes[node]
    cdef int32_t until = r.following[found.variable + 1]
    cdef uint8_t demand = r.demands[found.variable]
    if demand == REQUIRED or (until != LAST and z.nodes[found.low].variable > until):
        found.low = 0
    if demand == FORBIDDEN or (until != LAST and z.nodes[found.high].variable > until):
        found.high = 0
    return found


cdef inline Span span_of(const Rule *r, int64_t node) noexcept nogil:
    cdef Span span
    if r.sizes != NULL:
        return r.spans[node]
    span.first, span.last, span.start = 0, 0, node
    return span


cdef inline int32_t *result_of(const Rule *r, Span span, int64_t members) noexcept nogil:
    """Return a pointer to the result of a state, or NULL if there is no such state."""
    if span.first <= members <= span.last:
        return r.results + span.start + members - span.first
    return NULL


cdef inline void bound(Rule *r, int32_t child, int64_t first, int64_t last) noexcept nogil:
    """Record the number of members above a node, if it can lead to an allowed size."""
    first, last = max(first, r.low - r.most[child]), min(last, r.high - r.fewest[child])
    if first <= last:
        r.spans[child].first = <int32_t>min(first, r.spans[child].first)
        r.spans[child].last = <int32_t>max(last, r.spans[child].last)


cdef inline bint find_spans(Zdd *z, Rule *r, Arena *arena, int32_t root) noexcept nogil:
    """Find the spans of all nodes; return False if stopped or without memory."""
    cdef int64_t node, states
    cdef Span span
    cdef Node found
    r.fewest = <int32_t *>arena_take(arena, root + 2, sizeof(int32_t))
    r.most = <int32_t *>arena_take(arena, root + 2, sizeof(int32_t))
    r.spans = <Span *>arena_take(arena, root + 2, sizeof(Span))
    if arena.refused:
        return False
    if not measure(z, r.fewest, root + 1, -1) or not measure(z, r.most, root + 1, 1):
        return False
    for node in range(root + 1):
        r.spans[node].first, r.spans[node].last = FAR, -1
    bound(r, root, 0, 0)
    for node in range(root, 1, -1):
        if watch_stops(&z.watch):
            return False
        span, found = r.spans[node], obedient(z, r, node)
        if span.first <= span.last:
            bound(r, found.low, span.first, span.last)
            bound(r, found.high, span.first + 1, span.last + 1)
    for node in range(root + 1):
        states = max(0, r.spans[node].last - r.spans[node].first + 1)
        r.spans[node + 1].start = r.spans[node].start + states
    return True


cdef inline void mark(const Rule *r, Span span, int64_t members) noexcept nogil:
    """Mark a reached state, unless ``result`` is NULL."""
    cdef int32_t *result = result_of(r, span, members)
    if result != NULL:
        result[0] = 1


cdef inline bint mark_states(Zdd *z, const Rule *r, int32_t root) noexcept nogil:
    """Mark all states from the root down; return False if stopped."""
    cdef int64_t node, members
    cdef int more = r.sizes != NULL
    cdef Span span, low, high
    cdef Node found
    mark(r, span_of(r, root), 0)
    for node in range(root, 1, -1):
        if node > AHEAD:
            load_children(z, node - AHEAD)
        if r.ends[z.nodes[node].variable] == 0:
            r.ends[z.nodes[node].variable] = <int32_t>node
        span, found = span_of(r, node), obedient(z, r, node)
        low, high = span_of(r, found.low), span_of(r, found.high)
        for members in range(span.first, span.last + 1):
            if watch_stops(&z.watch):
                return False
            if result_of(r, span, members)[0]:
                mark(r, low, members)
                mark(r, high, members + more)
    return True


cdef inline int32_t left_of(const Rule *r, Span span, int64_t members) noexcept nogil:
    """Return the restriction of a node, for a number of members above it."""
    cdef int32_t *result = result_of(r, span, members)
    return result[0] if result != NULL else 0


cdef inline bint find_left(Zdd *z, const Rule *r, int32_t root, Zdd *into) noexcept nogil:
    """Make the restriction of each state, the terminals first; return False if stopped.

    In a diagram without an index, a layer starts after the last node of each variable.
    """
    cdef int64_t node, members, end = 0
    cdef int more = r.sizes != NULL
    cdef int32_t *result
    cdef Span span = span_of(r, 1), low, high
    cdef Node found
    if r.sizes == NULL:
        r.results[0], r.results[1] = 0, 1
    else:
        for members in range(span.first, span.last + 1):
            result_of(r, span, members)[0] = r.sizes[members]
    for node in range(2, root + 1):
        if node + AHEAD <= root:
            load_children(z, node + AHEAD)
        span, found = span_of(r, node), obedient(z, r, node)
        low, high = span_of(r, found.low), span_of(r, found.high)
        for members in range(span.first, span.last + 1):
            if watch_stops(&z.watch):
                return False
            result = result_of(r, span, members)
            if result[0] == 0:
                continue
            if into.cache == NULL and node > end and not start_layer(into):
                return False
            end = max(end, r.ends[found.variable])
            result[0] = find_or_add(
                into, found.variable, left_of(r, low, members), left_of(r, high, members + more)
            )
            if result[0] == NO_NODE:
                return False
    return True


cdef inline int32_t part_of(
    Zdd *z, Rule *r, Arena *arena, int32_t root, Zdd *into
) noexcept nogil:
    """Return the restriction of a family, in another diagram or the same.

    Return `NO_NODE` if stopped, or if the ``arena`` has no memory for temporary data.
    """
    cdef int64_t states = root + 2
    cdef size_t held
    cdef bint done
    if root == 0 or z.nodes[root].variable > r.following[0]:
        return 0
    if r.sizes != NULL:
        if not find_spans(z, r, arena, root):
            return NO_NODE
        states = r.spans[root + 1].start
    r.ends = <int32_t *>arena_take(arena, z.variables, sizeof(int32_t))
    r.results = <int32_t *>arena_take(arena, states, sizeof(int32_t))
    if arena.refused or not mark_states(z, r, root):
        return NO_NODE
    held = min(arena.used, into.arena.limit - into.arena.used)
    into.arena.limit -= held
    done = find_left(z, r, root, into)
    into.arena.limit += held
    return left_of(r, span_of(r, root), 0) if done else NO_NODE


# ---- Layers --------------------------------------------------------------------------------------


cdef enum:
    MOST_BITS = 10  # variables of a layer


# The decisions of the states of a layer, and their targets: see `Nodes.add_layer`.
cdef struct Layer:
    int bits
    int decision_bits
    int num_decisions
    const int32_t *variables
    const int32_t *decisions
    const int32_t *targets
    Py_ssize_t goals
    int32_t *members  # for each state, and each mask of variables, the next family
    bint fits  # whether all children lead to the next layer, by different decisions


cdef inline bint place_children(
    Zdd *z, Layer *layer, const uint32_t *children, int64_t states, int width
) noexcept nogil:
    """Write the children of each state to the places of their decisions.

    Return False if stopped, or if the layer does not fit, as a child leads elsewhere.
    """
    cdef int32_t *members = layer.members
    cdef int64_t state, target
    cdef int decision, k
    for state in range(states):
        if watch_stops(&z.watch):
            return False
        for k in range(width):
            target = children[k] >> layer.decision_bits
            if target == 0:
                continue
            decision = <int>(children[k] & ((1 << layer.decision_bits) - 1))
            layer.fits = decision < layer.num_decisions and target < layer.goals
            if layer.fits:
                decision = layer.decisions[decision]
                layer.fits = members[decision] == 0
            if not layer.fits:
                return False
            members[decision] = layer.targets[target]
        children += width
        members += 1 << layer.bits
    return True


cdef inline bint fold(Zdd *z, const Layer *layer, int64_t states) noexcept nogil:
    """Make one node for each state, at the front of ``members``; return False if stopped.

    All nodes of a variable are adjacent, after the nodes of later variables.
    """
    cdef int64_t size = states << layer.bits, k
    cdef int32_t *members = layer.members
    cdef int bit
    for bit in range(layer.bits - 1, -1, -1):
        size >>= 1
        if not start_layer(z):
            return False
        for k in range(size):
            members[k] = find_or_add(z, layer.variables[bit], members[2 * k], members[2 * k + 1])
            if members[k] == NO_NODE or watch_stops(&z.watch):
                return False
    return True


# ---- For Python ----------------------------------------------------------------------------------

cdef enum:
    NODES_AT_FIRST = 1 << 14
    RATE = 2048  # steps of some 50 ns between two looks at the clock

#: The nodes of the empty family and of the empty set alone.
TERMINALS: NDArray[np.int32] = np.array([(LAST, 0, 0)] * 2, dtype=np.int32)


cdef int32_t apply(Zdd *z, int operation, int32_t f, int32_t g) noexcept nogil:
    """Return the result of an operation; `NO_NODE` also if ``f`` or ``g`` is."""
    if operation <= WITHOUT_SUBSETS:
        return combine(z, operation, f, g)
    if operation == HITTING:
        return hitting(z, f, g)
    if operation == ATTACH:
        return attach(z, f, g)
    return extreme(z, operation, f)


cdef class Nodes:
    """The nodes of all families over the variables 0 to ``variables`` - 1.

    ``memory`` is a limit in bytes (default: half of what is free); `MemoryLimit` is raised when it
    does not suffice. Nodes ``kept`` from an earlier one, as `array` returned them, have the same
    numbers here; ``ValueError`` if they are not a diagram. There is memory for ``capacity`` nodes
    at first. `apply` takes at most 4096 variables.

    Threads wait for each other. Ctrl-C stops every call within some milliseconds. The families stay
    valid, except if `collect` was interrupted: then every further call raises ``ValueError``.
    """

    def __cinit__(
        self,
        int variables,
        *,
        object memory: int | None = None,
        const int32_t[:, ::1] kept not None=TERMINALS,
        int64_t capacity=NODES_AT_FIRST,
    ):
        cdef Zdd *z = &self.z
        cdef int64_t size = kept.shape[0]
        arena_open(&z.arena, checked_limit(memory))
        if not 0 <= variables < LAST:
            raise ValueError(f"expected less than {LAST} variables, got {variables}")
        check_kept(kept, variables)
        self.lock, self.busy, self.broken = RLock(), False, False
        z.variables, z.used, z.capacity = variables, size, 2
        while z.capacity < min(max(size, capacity), MOST_NODES):
            z.capacity *= 2
        z.nodes = <Node *>arena_take(&z.arena, z.capacity, sizeof(Node))
        if z.arena.refused or z.used > z.capacity:
            arena_error(&z.arena, f"a diagram of {size} nodes")
        memcpy(z.nodes, &kept[0, 0], size * sizeof(Node))

    def __dealloc__(self):
        arena_close(&self.z.arena)

    cdef int begin(self, object deadline=None) except -1:
        """Begin work on the nodes; call `end` after it in any case."""
        self.lock.acquire()
        if self.busy or self.broken:
            self.lock.release()
            if self.busy:
                raise RuntimeError("a signal handler used a diagram that it interrupts")
            raise ValueError("the diagram is unusable: packing its nodes was interrupted")
        self.busy = True
        self.z.arena.refused = False
        watch_start(&self.z.watch, INFINITY if deadline is None else deadline.seconds, RATE)
        return 0

    cdef int begin_operations(self, object deadline=None) except -1:
        """Like `begin`, with all nodes in the index."""
        self.begin(deadline)
        if self.z.cache == NULL:
            try:
                with nogil:
                    make_index(&self.z)
                self.check(deadline)
            except BaseException:
                self.end()
                raise
        return 0

    cdef int check(self, object deadline=None) except -1:
        """Raise the error that stopped the work, if any; call directly after the work."""
        watch_raise(&self.z.watch, deadline)
        if self.z.arena.refused:
            arena_error(&self.z.arena, f"a diagram of more than {self.z.used} nodes")
        return 0

    cdef int end(self) except -1:
        self.busy = False
        self.lock.release()
        return 0

    cdef int check_node(self, int64_t node) except -1:
        if not 0 <= node < self.z.used:
            raise ValueError(f"no node {node} among {self.z.used}")
        return 0

    cdef int check_nodes(self, const int32_t[::1] families) except -1:
        cdef Py_ssize_t k
        for k in range(families.shape[0]):
            self.check_node(families[k])
        return 0

    @property
    def variables(self) -> int:
        return self.z.variables

    def __len__(self) -> int:
        """Return the number of nodes, including the two terminals."""
        return self.z.used

    def node(self, int64_t node) -> tuple[int, int, int]:
        """Return ``(variable, low, high)`` of one node."""
        cdef Node found
        with self.lock:
            self.check_node(node)
            found = self.z.nodes[node]
            return found.variable, found.low, found.high

    def array(self) -> NDArray[np.int32]:
        """Return a copy of all nodes: rows of variable, low and high, of shape (nodes, 3)."""
        cdef int32_t[:, ::1] rows
        with self.lock:
            rows = found = np.empty((self.z.used, 3), dtype=np.int32)
            memcpy(&rows[0, 0], self.z.nodes, self.z.used * sizeof(Node))
        return found

    def apply(self, int operation, int64_t f, int64_t g=0) -> int:
        """Return the node of the result of an operation.

        Raises ``ValueError`` for an operation, a node or a variable that does not exist,
        `MemoryLimit`, ``KeyboardInterrupt``.
        """
        cdef Zdd *z = &self.z
        cdef int32_t found
        if not 0 <= operation < OPERATIONS:
            raise ValueError(f"no operation {operation}")
        if operation in (ATTACH, HITTING) and not 0 <= g < z.variables + (operation == HITTING):
            raise ValueError(f"no variable {g} among {z.variables}")
        if z.variables > MOST_VARIABLES:
            raise ValueError(
                f"expected at most {MOST_VARIABLES} variables for operations, got {z.variables}"
            )
        self.begin_operations()
        try:
            self.check_node(f)
            if operation <= WITHOUT_SUBSETS:
                self.check_node(g)
            with nogil:
                found = apply(z, operation, <int32_t>f, <int32_t>g)
            self.check()
        finally:
            self.end()
        return found

    def part(
        self,
        int64_t family,
        const uint8_t[::1] demands not None,
        const uint8_t[::1] sizes=None,
        Nodes into=None,
        object deadline: Deadline | None = None,
    ) -> int:
        """Return the sets that satisfy the ``demands`` and have an allowed size.

        ``demands`` says of each variable whether it is free (0), required (1) or forbidden (2);
        ``sizes`` says for each number of members whether a set may have it. With ``into`` the part
        is made in that diagram. O(nodes), times the number of sizes. Raises `MemoryLimit`, and
        `SearchTimeout` at the ``deadline``.
        """
        cdef Zdd *z = &self.z
        cdef Nodes there = self if into is None else into
        cdef Rule rule
        cdef Arena arena  # temporary data
        cdef int k
        cdef int32_t found = 0
        # The first required variable from each one on.
        cdef int32_t[::1] following = np.full(z.variables + 1, LAST, dtype=np.int32)
        if demands.shape[0] != z.variables or there.z.variables != z.variables:
            raise ValueError("expected a demand for each variable")
        for k in range(z.variables - 1, -1, -1):
            following[k] = k if demands[k] == REQUIRED else following[k + 1]
        memset(&rule, 0, sizeof(rule))
        rule.demands, rule.following = &demands[0] if z.variables else NULL, &following[0]
        if sizes is not None:
            allowed = np.flatnonzero(sizes)
            if not len(allowed):
                return 0
            rule.sizes, rule.low, rule.high = &sizes[0], allowed.min(), allowed.max()
        self.begin(deadline)
        arena_open(&arena, z.arena.limit - z.arena.used)
        try:
            self.check_node(family)
            if into is not None:
                into.begin(deadline)
            try:
                with nogil:
                    # A diagram without nodes gets them in layers, which need no index.
                    if there.z.used == 2 or make_index(&there.z):
                        found = part_of(z, &rule, &arena, <int32_t>family, &there.z)
                self.check(deadline)
                there.check(deadline)
            finally:
                if into is not None:
                    into.end()
            if arena.refused:
                arena_error(&arena, f"a part of a diagram of {z.used} nodes")
        finally:
            arena_close(&arena)
            self.end()
        return found

    def add_layer(
        self,
        const uint32_t[:, ::1] children not None,
        int decision_bits,
        const int32_t[::1] decisions not None,
        const int32_t[::1] variables not None,
        const int32_t[::1] targets not None,
        object deadline: Deadline | None = None,
    ) -> NDArray[np.int32]:
        """Add the families of a layer of states, each of which decides ``variables``.

        Layers come from the last to the first, so variables decrease from call to call; within a
        layer they grow. A row of ``children`` is a state. Each child is
        ``target << decision_bits | decision``. A decision is a place in ``decisions``, masks with a
        bit for each of the variables, the highest for the first. ``target`` is a place in
        ``targets``: 0 for no child, 1 where nothing more is chosen, k + 2 for state k of the layer
        that follows. Returns the targets of this layer.

        Raises ``ValueError`` for children that lead elsewhere or have equal decisions,
        `MemoryLimit`, and `SearchTimeout` at the ``deadline``.
        """
        cdef Zdd *z = &self.z
        cdef int bits = variables.shape[0], width = children.shape[1], last = -1, k
        cdef Py_ssize_t state, size = children.shape[0], goals = targets.shape[0]
        cdef int32_t[::1] layer = (found := np.zeros(size + 2, dtype=np.int32))
        cdef const uint32_t *rows = &children[0, 0] if size and width else NULL
        cdef Layer made
        if bits > MOST_BITS or not 1 <= decision_bits <= MOST_BITS:
            raise ValueError(f"expected decisions on up to {MOST_BITS} variables of a layer")
        made.members, made.fits = NULL, True
        for k in range(bits):
            made.fits = made.fits and last < variables[k] < z.variables
            last = variables[k]
        made.bits, made.decision_bits, made.num_decisions = bits, decision_bits, <int>decisions.shape[0]
        made.variables = &variables[0] if bits else NULL
        made.decisions = &decisions[0] if made.num_decisions else NULL
        made.targets, made.goals = &targets[0], goals
        for k in range(made.num_decisions):
            made.fits = made.fits and 0 <= decisions[k] < 1 << bits
        layer[1] = 1
        self.begin(deadline)
        try:
            self.check_nodes(targets)
            if goals < 2 or targets[0] != 0 or targets[1] != 1:
                raise ValueError("expected the two terminals among the targets")
            for state in range(goals):
                made.fits = made.fits and z.nodes[targets[state]].variable > last
            if not made.fits:
                raise ValueError("expected variables before those of the targets, and decisions")
            with nogil:
                made.members = <int32_t *>arena_take(&z.arena, size << bits, sizeof(int32_t))
                if made.members != NULL and place_children(z, &made, rows, size, width):
                    if fold(z, &made, size):
                        memcpy(&layer[0] + 2, made.members, size * sizeof(int32_t))
            self.check(deadline)
            if not made.fits:
                raise ValueError("expected children within the next layer")
        finally:
            arena_release(&z.arena, made.members)
            self.end()
        return found

    def trim(self) -> None:
        """Free the memory kept for further nodes."""
        cdef Node *nodes
        self.begin()
        drop_index(&self.z)
        nodes = <Node *>arena_resize(&self.z.arena, self.z.nodes, self.z.used, sizeof(Node))
        if nodes != NULL:
            self.z.nodes, self.z.capacity = nodes, self.z.used
        self.end()

    def collect(self, const int32_t[::1] roots not None) -> NDArray[np.int32]:
        """Forget every node that no root needs, and return where the roots are now.

        All other node numbers become invalid.
        """
        cdef Zdd *z = &self.z
        cdef Py_ssize_t k, size = roots.shape[0]
        cdef int32_t *users = NULL
        cdef int32_t *places = NULL
        cdef bint done = False
        cdef int32_t[::1] moved = (found := np.empty(size, dtype=np.int32))
        self.begin()
        try:
            self.check_nodes(roots)
            with nogil:
                users = users_of(z, &z.arena, &roots[0] if size else NULL, size)
                if users != NULL:
                    places = <int32_t *>arena_take(&z.arena, z.used, sizeof(int32_t))
                if places != NULL:
                    done = pack(z, users, places)
            if done:
                for k in range(size):
                    moved[k] = places[roots[k]]
            self.broken = places != NULL and not done
            arena_release(&z.arena, places)
            arena_release(&z.arena, users)
            self.check()
        finally:
            self.end()
        return found

    def num_nodes(self, int64_t family) -> int:
        """Return the number of nodes of a family, without the two terminals."""
        cdef int32_t *users
        cdef int64_t node, number = 0
        cdef int32_t root = <int32_t>family
        self.begin()
        try:
            self.check_node(family)
            with nogil:
                users = users_of(&self.z, &self.z.arena, &root, 1)
                if users != NULL:
                    for node in range(2, family + 1):
                        number += users[node] != 0
                    arena_release(&self.z.arena, users)
            self.check()
        finally:
            self.end()
        return number

    def extents(self, int64_t family, int sign) -> NDArray[np.int32]:
        """Return the most (``sign`` 1) or fewest (-1) members of a set, by node to ``family``."""
        cdef int64_t size = max(2, family + 1)
        cdef int32_t[::1] best
        self.begin()
        try:
            self.check_node(family)
            best = found = np.empty(size, dtype=np.int32)
            with nogil:
                measure(&self.z, &best[0], size, sign)
            self.check()
        finally:
            self.end()
        return found


cdef int check_kept(const int32_t[:, ::1] kept, int variables) except -1:
    """Raise ``ValueError`` unless these are nodes of a diagram, in order."""
    cdef Py_ssize_t node, child, k
    if kept.shape[1] != 3 or not 2 <= kept.shape[0]:
        raise ValueError("expected rows of variable, low and high, and two terminals")
    for node in range(2):
        if kept[node, 0] != LAST:
            raise ValueError("expected the two terminals first")
    for node in range(2, kept.shape[0]):
        if not 0 <= kept[node, 0] < variables:
            raise ValueError(f"node {node} has a variable that does not exist")
        for k in range(1, 3):
            child = kept[node, k]
            if not k - 1 <= child < node or kept[child, 0] <= kept[node, 0]:
                raise ValueError(f"node {node} has a child that does not stand below it")

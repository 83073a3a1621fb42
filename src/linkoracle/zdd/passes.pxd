"""Passes over all nodes of families: find, pack, measure and restrict them.

Moreover, make the nodes of a layer of states, variable by variable.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memset

from linkoracle.core.arena cimport Arena, arena_release, arena_take
from linkoracle.core.watch cimport watch_stops
from linkoracle.zdd.nodes cimport (
    AHEAD, NO_NODE, Answer, Node, Zdd, drop_index, find_or_add, insert_nodes, load_children,
    start_layer
)
from linkoracle.zdd.zdd_kernel cimport LAST

cdef enum:
    FAR = 1 << 30  # more than any number of members


# ---- used nodes ----------------------------------------------------------------------------------


cdef inline int32_t *users_of(
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


# ---- the sizes of the sets -----------------------------------------------------------------------


cdef inline bint measure(Zdd *z, int32_t *best, int64_t size, int sign) noexcept nogil:
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


# ---- parts of a family ---------------------------------------------------------------------------


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


# ---- layers of states ------------------------------------------------------------------------------


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

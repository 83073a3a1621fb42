"""Passes over all nodes of some families: which there are, packing, what some rule leaves of them."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

from linkoracle.core.arena cimport Arena, arena_release, arena_take
from linkoracle.core.watch cimport watch_stops
from linkoracle.zdd.nodes cimport (
    NO_NODE, Answer, Node, Zdd, drop_index, enter_nodes, find_or_add, start_layer
)

cdef enum:
    FAR = 1 << 30  # more than any number of members


# ---- which nodes there are -----------------------------------------------------------------------


cdef inline int32_t *users_of(
    Zdd *z, Arena *arena, const int32_t *roots, int64_t size
) noexcept nogil:
    """For each node the last one that leads to it, itself for a root, 0 for what is below no root.

    A block of the ``arena``, or NULL. What a pass from the terminals up knows of a node can be
    forgotten after its last user.
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
    """Move used nodes together, in order; ``places`` receives where each went.

    False if that was stopped: then the nodes are of no use any more.
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
    return enter_nodes(z, z.table, z.table_mask)


# ---- the sizes of the sets -----------------------------------------------------------------------


cdef inline bint measure(Zdd *z, int32_t *best, int64_t size, int sign) noexcept nogil:
    """The most (``sign`` 1) or fewest (-1) members of a set of each node; False if stopped.

    The empty family, which has none, has less than nothing, or more than anything.
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


# What the sets of a part must obey. A *state* is a node and the number of members above it.
cdef struct Rule:
    const uint8_t *demands  # what is demanded of each variable: see `Demand`
    const int32_t *required  # how many variables before each are required; one more for all
    bint sized  # whether members are counted; if not, all states have none
    const uint8_t *sizes  # whether a set may have so many
    int64_t low  # the smallest size that is allowed
    int64_t high  # the largest one
    int32_t *fewest  # members that each node adds, at least; NULL if none are counted
    int32_t *most  # at most
    int32_t *first  # the fewest members above each node in a state
    int32_t *last  # the most; less than ``first`` if there is no state
    int64_t *starts  # where the results of each node begin: one for each number of members
    int32_t *results  # 1 for a state, then the node that is left of it; 0 for no state
    int32_t *order  # the nodes by their variables, the last first
    int32_t *ends  # for each variable where its nodes end in that order


cdef inline int32_t child_of(Zdd *z, Rule *r, int64_t node, bint high) noexcept nogil:
    """The child on one side, 0 if a demand forbids to go there."""
    cdef int32_t child = z.nodes[node].high if high else z.nodes[node].low
    cdef int32_t variable = z.nodes[node].variable, until = z.variables
    if r.demands[variable] == (FORBIDDEN if high else REQUIRED):
        return 0
    if child > 1:
        until = z.nodes[child].variable
    return child if r.required[until] == r.required[variable + 1] else 0


cdef inline void bound(Rule *r, int32_t child, int64_t first, int64_t last) noexcept nogil:
    """Let a node have so many members above it, as far as an allowed size may come of them."""
    if r.sized:
        first, last = max(first, r.low - r.most[child]), min(last, r.high - r.fewest[child])
    if first <= last:
        r.first[child] = <int32_t>min(first, r.first[child])
        r.last[child] = <int32_t>max(last, r.last[child])


cdef inline bint bound_all(Zdd *z, Rule *r, int32_t root) noexcept nogil:
    """Find bounds of the members above all nodes; False if that was stopped."""
    cdef int64_t node
    cdef int32_t child
    cdef bint high
    for node in range(root + 1):
        r.first[node], r.last[node] = FAR, -1
    bound(r, root, 0, 0)
    for node in range(root, 1, -1):
        if watch_stops(&z.watch):
            return False
        if r.first[node] > r.last[node]:
            continue
        for high in range(2):
            child = child_of(z, r, node, high)
            if child > 1:
                bound(r, child, r.first[node] + (high and r.sized), r.last[node] + (high and r.sized))
    return True


cdef inline int32_t *result_of(Rule *r, int32_t node, int64_t members) noexcept nogil:
    """Where the result of a state is, NULL if there is no such state."""
    if r.first[node] <= members <= r.last[node]:
        return r.results + r.starts[node] + members - r.first[node]
    return NULL


cdef inline bint mark_states(Zdd *z, Rule *r, int32_t root) noexcept nogil:
    """Mark all states from the root down; False if that was stopped."""
    cdef int64_t node, members
    cdef int32_t child
    cdef int32_t *result
    cdef bint high
    for node in range(root, 1, -1):
        for high in range(2):
            child = child_of(z, r, node, high) if r.first[node] <= r.last[node] else 0
            if child < 2:
                continue
            for members in range(r.first[node], r.last[node] + 1):
                if watch_stops(&z.watch):
                    return False
                result = result_of(r, child, members + (high and r.sized))
                if result != NULL and result_of(r, node, members)[0]:
                    result[0] = 1
    return True


cdef inline int32_t left_of(Rule *r, int32_t child, int64_t members) noexcept nogil:
    """What is left of a child, for so many members above it."""
    cdef int32_t *result
    if child == 1:
        return members <= r.high and r.sizes[members]
    result = result_of(r, child, members) if child else NULL
    return result[0] if result != NULL else 0


cdef inline void sort_nodes(Zdd *z, Rule *r, int32_t root) noexcept nogil:
    """Put the nodes that are in states in order: by variable, so by counting."""
    cdef int64_t node
    cdef int32_t variable
    for node in range(2, root + 1):
        r.ends[z.nodes[node].variable] += r.first[node] <= r.last[node]
    for variable in range(z.variables - 2, -1, -1):
        r.ends[variable] += r.ends[variable + 1]
    for node in range(root, 1, -1):
        if r.first[node] <= r.last[node]:
            r.ends[z.nodes[node].variable] -= 1
            r.order[r.ends[z.nodes[node].variable]] = <int32_t>node


cdef inline bint find_left(Zdd *z, Rule *r, int32_t root, Zdd *into) noexcept nogil:
    """Make the node that is left of each state, the terminals first; False if that was stopped."""
    cdef int64_t place = 0, members
    cdef int32_t node, low, high, variable = z.variables
    cdef int32_t *result
    sort_nodes(z, r, root)
    while True:
        node = r.order[place]
        if into != z and z.nodes[node].variable != variable and not start_layer(into):
            return False
        variable = z.nodes[node].variable
        low, high = child_of(z, r, node, False), child_of(z, r, node, True)
        for members in range(r.first[node], r.last[node] + 1):
            if watch_stops(&z.watch):
                return False
            result = result_of(r, node, members)
            if result[0]:
                result[0] = find_or_add(
                    into, variable, left_of(r, low, members), left_of(r, high, members + r.sized)
                )
                if result[0] == NO_NODE:
                    return False
        if node == root:
            return True
        place += 1


cdef inline bint rule_open(Zdd *z, Rule *r, Arena *arena, int32_t root) noexcept nogil:
    """Take memory for a part of a family; False if there is none, or it was stopped."""
    r.first = <int32_t *>arena_take(arena, root + 1, sizeof(int32_t))
    r.last = <int32_t *>arena_take(arena, root + 1, sizeof(int32_t))
    r.starts = <int64_t *>arena_take(arena, root + 1, sizeof(int64_t))
    r.order = <int32_t *>arena_take(arena, root + 1, sizeof(int32_t))
    r.ends = <int32_t *>arena_take(arena, z.variables, sizeof(int32_t))
    if r.sized:
        r.fewest = <int32_t *>arena_take(arena, root + 1, sizeof(int32_t))
        r.most = <int32_t *>arena_take(arena, root + 1, sizeof(int32_t))
    if arena.refused:
        return False
    return not r.sized or (measure(z, r.fewest, root + 1, -1) and measure(z, r.most, root + 1, 1))


cdef inline int32_t part_of(
    Zdd *z, Rule *r, Arena *arena, int32_t root, Zdd *into
) noexcept nogil:
    """What is left of a family, in another diagram or the same.

    `NO_NODE` if that was stopped, or the ``arena`` has no memory for what is needed meanwhile.
    """
    cdef int64_t node, states = 0
    cdef int32_t until = z.variables
    cdef size_t held
    cdef bint done
    if root > 1:
        until = z.nodes[root].variable
    if root == 0 or r.required[until]:
        return 0
    if root == 1:
        return r.sizes[0]
    if not rule_open(z, r, arena, root) or not bound_all(z, r, root):
        return NO_NODE
    for node in range(2, root + 1):
        r.starts[node] = states
        states += max(0, r.last[node] - r.first[node] + 1)
    r.results = <int32_t *>arena_take(arena, states + 1, sizeof(int32_t))
    if r.results == NULL:
        return NO_NODE
    if result_of(r, root, 0) == NULL:
        return 0
    if r.sized:
        result_of(r, root, 0)[0] = 1
    else:
        # Where members are not counted, a node is a state if it has bounds.
        for node in range(states):
            r.results[node] = 1
    if r.sized and not mark_states(z, r, root):
        return NO_NODE
    held = min(arena.used, into.arena.limit - into.arena.used)
    into.arena.limit -= held
    done = find_left(z, r, root, into)
    into.arena.limit += held
    return left_of(r, root, 0) if done else NO_NODE

"""Families of sets as zero-suppressed decision diagrams: the operations.

A node is (variable, low, high): the sets of ``low`` without and those of ``high`` with the
variable, which is smaller than every variable below. Node 0 is the empty family, node 1 the family
of the empty set alone. The operations are the recursions of Knuth, *The Art of Computer
Programming* 4A, 7.1.4, on families of sets, with a cache of earlier answers.

Every function returns `FULL` when there is no room for another node. What was found so far is kept,
so whoever called makes room and calls again.
"""

from __future__ import annotations

import numpy as np
from numba import njit

#: The variable of the two terminal nodes: greater than any other.
LAST = np.int32(1 << 30)
#: No room for another node.
FULL = -1

#: Operations of `apply`, with two families f and g. Bare integers would be a type each to Numba, so
#: that it would compile `apply` anew for each, and could not load these from its cache.
UNION, INTERSECTION, DIFFERENCE = np.int64(0), np.int64(1), np.int64(2)
#: The sets of f that contain no set of g.
WITHOUT_SUPERSETS = np.int64(3)
#: The minimal sets of the union, where f and g are antichains.
MINIMAL_UNION = np.int64(4)
#: The minimal sets of f, where every superset of a set of f is in f; g is 0.
MINIMAL_OF_UPSET = np.int64(5)
#: The minimal sets of f; g is 0.
MINIMAL = np.int64(6)
#: The sets of variables from g on that meet every set of f, an antichain of sets of them. Needs the
#: number of variables as ``extra``.
HITTING = np.int64(7)
#: The sets of f, to each of which the variable g is added.
ATTACH = np.int64(8)
#: The sets of f that have the variable g, without it; and those that do not have it.
WITH, WITHOUT = np.int64(9), np.int64(10)
#: The sets of f with at most g members.
AT_MOST = np.int64(11)


@njit(cache=True)
def hash_of(a, b, c):  # type: ignore[no-untyped-def]
    """A hash of three whole numbers, not negative."""
    mixed = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= (np.uint64(b) + np.uint64(0x632BE59BD9B4E019)) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= (np.uint64(c) + np.uint64(0x165667B19E3779F9)) * np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(20))


@njit(cache=True)
def find_or_add(nodes, used, table, variable, low, high):  # type: ignore[no-untyped-def]
    """The node (variable, low, high). ``used[0]`` nodes are in use; ``table`` hashes them."""
    if high == 0:
        return low
    mask = len(table) - 1
    place = hash_of(variable, low, high) & mask
    while table[place]:
        node = table[place]
        if nodes[node, 0] == variable and nodes[node, 1] == low and nodes[node, 2] == high:
            return np.int64(node)
        place = (place + 1) & mask
    node = used[0]
    if node == len(nodes):
        return np.int64(FULL)
    nodes[node, 0] = variable
    nodes[node, 1] = low
    nodes[node, 2] = high
    table[place] = node
    used[0] = node + 1
    return np.int64(node)


@njit(cache=True)
def rehash(nodes, used, table):  # type: ignore[no-untyped-def]
    """Enter every node in an empty table."""
    mask = len(table) - 1
    for node in range(2, used[0]):
        place = hash_of(nodes[node, 0], nodes[node, 1], nodes[node, 2]) & mask
        while table[place]:
            place = (place + 1) & mask
        table[place] = node


@njit(
    "int64(int64, int64, int64, int64, int32[:, ::1], int64[::1], int32[::1], int64[:, ::1])",
    cache=True,
)
def apply(operation, f, g, extra, nodes, used, table, cache):  # type: ignore[no-untyped-def]
    """The result of an operation on two nodes, or `FULL`."""
    # What needs no recursion.
    if operation <= MINIMAL_UNION:
        if operation in (UNION, MINIMAL_UNION):
            if f == g or g == 0:
                return f
            if f == 0:
                return g
            if operation == MINIMAL_UNION and (f == 1 or g == 1):
                return np.int64(1)
            if f > g:
                f, g = g, f
        elif operation == INTERSECTION:
            if f == g or f == 0:
                return f
            if g == 0:
                return g
            if f > g:
                f, g = g, f
        else:
            if g == 0 or f == 0:
                return f
            if f == g or (operation == WITHOUT_SUPERSETS and g == 1):
                return np.int64(0)
    elif operation == HITTING:
        if f == 1:
            return np.int64(0)
        if g == extra:
            return np.int64(1)
    elif operation == ATTACH:
        if f == 0:
            return np.int64(0)
        if nodes[f, 0] > g:
            return find_or_add(nodes, used, table, g, 0, f)
    elif operation in (WITH, WITHOUT):
        if nodes[f, 0] > g:
            return np.int64(0) if operation == WITH else f
        if nodes[f, 0] == g:
            return np.int64(nodes[f, 2] if operation == WITH else nodes[f, 1])
    elif f <= 1:
        return f

    key = np.int64(operation) << 60 | f << 30 | g
    place = hash_of(operation, f, g) & (len(cache) - 1)
    if cache[place, 0] == key:
        return cache[place, 1]

    variable = nodes[f, 0]
    f_low, f_high = np.int64(nodes[f, 1]), np.int64(nodes[f, 2])
    if operation <= MINIMAL_UNION:
        other = nodes[g, 0]
        g_low, g_high = np.int64(nodes[g, 1]), np.int64(nodes[g, 2])
        if other < variable:
            variable, f_low, f_high = other, f, np.int64(0)
        elif variable < other:
            g_low, g_high = g, np.int64(0)
        if operation == WITHOUT_SUPERSETS:
            low = apply(WITHOUT_SUPERSETS, f_low, g_low, extra, nodes, used, table, cache)
            if low == FULL:
                return low
            high = apply(WITHOUT_SUPERSETS, f_high, g_low, extra, nodes, used, table, cache)
            if high == FULL:
                return high
            high = apply(WITHOUT_SUPERSETS, high, g_high, extra, nodes, used, table, cache)
        else:
            low = apply(operation, f_low, g_low, extra, nodes, used, table, cache)
            if low == FULL:
                return low
            high = apply(operation, f_high, g_high, extra, nodes, used, table, cache)
            if operation == MINIMAL_UNION and high != FULL:
                high = apply(WITHOUT_SUPERSETS, high, low, extra, nodes, used, table, cache)
    elif operation == HITTING:
        if f == 0 or variable > g:
            # Nothing asks for this variable: with or without it.
            low = high = apply(HITTING, f, g + 1, extra, nodes, used, table, cache)
        else:
            low = apply(MINIMAL_UNION, f_low, f_high, extra, nodes, used, table, cache)
            if low == FULL:
                return low
            low = apply(HITTING, low, g + 1, extra, nodes, used, table, cache)
            if low == FULL:
                return low
            high = apply(HITTING, f_low, g + 1, extra, nodes, used, table, cache)
        variable = np.int32(g)
    elif operation == AT_MOST:
        low = apply(AT_MOST, f_low, g, extra, nodes, used, table, cache)
        if low == FULL:
            return low
        high = np.int64(0)
        if g > 0:
            high = apply(AT_MOST, f_high, g - 1, extra, nodes, used, table, cache)
    else:
        # One family; ``g`` is a variable, or nothing.
        low = apply(operation, f_low, g, extra, nodes, used, table, cache)
        if low == FULL:
            return low
        high = apply(operation, f_high, g, extra, nodes, used, table, cache)
        if high != FULL and operation == MINIMAL_OF_UPSET:
            # A set with the variable is minimal when it is without it in no set of the family.
            high = apply(DIFFERENCE, high, f_low, extra, nodes, used, table, cache)
        elif high != FULL and operation == MINIMAL:
            high = apply(WITHOUT_SUPERSETS, high, low, extra, nodes, used, table, cache)
    if high == FULL:
        return high
    found = find_or_add(nodes, used, table, variable, low, high)
    if found != FULL:
        cache[place, 0] = key
        cache[place, 1] = found
    return found


@njit(inline="always")
def go_on(operation, f, g, extra, room):  # type: ignore[no-untyped-def]
    """As `apply`, but `FULL` when one of the nodes is that already; ``room`` has the arrays."""
    if f == FULL or g == FULL:
        return np.int64(FULL)
    nodes, used, table, cache = room
    return apply(operation, f, g, extra, nodes, used, table, cache)


@njit(cache=True)
def mark(nodes, roots):  # type: ignore[no-untyped-def]
    """Which nodes are below any of ``roots``, as a mask; children have smaller numbers."""
    marked = np.zeros(roots.max() + 1, dtype=np.bool_)
    marked[roots] = True
    for node in range(len(marked) - 1, 1, -1):
        if marked[node]:
            marked[nodes[node, 1]] = True
            marked[nodes[node, 2]] = True
    return marked


@njit(cache=True)
def pack(nodes, marked, places):  # type: ignore[no-untyped-def]
    """Move marked nodes together, in order; ``places`` receives where each went."""
    places[0], places[1] = 0, 1
    kept = 2
    for node in range(2, len(marked)):
        if marked[node]:
            nodes[kept, 0] = nodes[node, 0]
            nodes[kept, 1] = places[nodes[node, 1]]
            nodes[kept, 2] = places[nodes[node, 2]]
            places[node] = kept
            kept += 1
    return kept


@njit(cache=True)
def count_sets(nodes, marked):  # type: ignore[no-untyped-def]
    """How many sets each marked node has."""
    counts = np.zeros(max(2, len(marked)), dtype=np.int64)
    counts[1] = 1
    for node in range(2, len(marked)):
        if marked[node]:
            counts[node] = counts[nodes[node, 1]] + counts[nodes[node, 2]]
    return counts


@njit(cache=True)
def size_ranges(nodes, marked):  # type: ignore[no-untyped-def]
    """The fewest and the most members of a set of each marked node: shape (nodes, 2)."""
    ranges = np.zeros((max(2, len(marked)), 2), dtype=np.int64)
    ranges[0] = (1 << 30, -(1 << 30))
    for node in range(2, len(marked)):
        if marked[node]:
            low, high = ranges[nodes[node, 1]], ranges[nodes[node, 2]]
            ranges[node, 0] = min(low[0], high[0] + 1)
            ranges[node, 1] = max(low[1], high[1] + 1)
    return ranges


@njit(cache=True)
def count_sizes(nodes, marked, ranges, starts, counts):  # type: ignore[no-untyped-def]
    """How many sets of each size: a node's begin at ``starts``, with its smallest size."""
    counts[starts[1]] = 1
    for node in range(2, len(marked)):
        if marked[node]:
            for more in range(2):
                child = nodes[node, 1 + more]
                place = starts[node] + ranges[child, 0] + more - ranges[node, 0]
                for size in range(ranges[child, 1] - ranges[child, 0] + 1):
                    counts[place + size] += counts[starts[child] + size]

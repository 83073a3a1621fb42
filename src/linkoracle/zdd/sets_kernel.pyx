"""Count and list the sets of a family.

Contents
    Numbers     how many sets each node has, of which sizes, with which members
    For Python  `SetCounts` holds these numbers, `Listing` lists the sets
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from linkoracle.core.kernels cimport (
    Arena, arena_close, arena_error, arena_open, arena_release, arena_take, limbs_add, watch_raise,
    watch_stops
)
from linkoracle.zdd.zdd_kernel cimport AHEAD, Nodes, Zdd, linkoracle_prefetch, measure, users_of


# ---- Numbers -------------------------------------------------------------------------------------
#
# Count the sets of the families of a diagram, as whole numbers of several limbs.
#
# The numbers grow from the terminals up. The numbers of some thousand nodes are a *block*: all have
# as many limbs as the largest needs. No block has fewer limbs than the one before.

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


cdef enum:
    BLOCK_BITS = 12
    BLOCK = 1 << BLOCK_BITS  # nodes


cdef struct Counts:
    int64_t size  # of nodes with a number
    uint64_t **blocks
    int *limbs  # of each number in a block
    int64_t mask  # 2^k - 1, at least the largest distance of a node from a child


cdef inline int limbs_of(const Counts *c, int64_t node) noexcept nogil:
    return c.limbs[node >> BLOCK_BITS]


cdef inline uint64_t *number_of(const Counts *c, int64_t node) noexcept nogil:
    return c.blocks[node >> BLOCK_BITS] + (node & (BLOCK - 1)) * limbs_of(c, node)


cdef inline uint64_t add_row(
    uint64_t *to, int width, const uint64_t *row, int narrow
) noexcept nogil:
    """Add a number to one of as many limbs or more; return the carry out of the last limb."""
    cdef int k = narrow
    cdef uint64_t carry
    if width == 1:
        to[0] += row[0]
        return to[0] < row[0]
    carry = limbs_add(to, row, narrow)
    while carry and k < width:
        to[k] += carry
        carry = to[k] == 0
        k += 1
    return carry


cdef inline bint take_block(Counts *c, Arena *arena, int64_t node, int limbs) noexcept nogil:
    """Resize the block of a node in limbs and keep its contents; false without memory."""
    cdef int64_t block = node >> BLOCK_BITS, row
    cdef uint64_t *before = c.blocks[block]
    cdef uint64_t *numbers = <uint64_t *>arena_take(
        arena, min(<int64_t>BLOCK, c.size - (block << BLOCK_BITS)) * limbs, sizeof(uint64_t)
    )
    if numbers == NULL:
        return False
    if before != NULL:
        for row in range((node & (BLOCK - 1)) + 1):
            memcpy(
                numbers + row * limbs, before + row * c.limbs[block], c.limbs[block] * sizeof(uint64_t)
            )
        arena_release(arena, before)
    c.blocks[block], c.limbs[block] = numbers, limbs
    return True


cdef inline bint count_sets(Zdd *z, Counts *c, Arena *arena, int64_t size) noexcept nogil:
    """Count the sets of the nodes below ``size``; return False if stopped or without memory."""
    cdef int64_t node, blocks = (size - 1 >> BLOCK_BITS) + 1
    cdef int32_t low, high
    cdef uint64_t *number
    cdef int limbs = 1
    c.size, c.mask = size, 1
    c.blocks = <uint64_t **>arena_take(arena, blocks, sizeof(uint64_t *))
    c.limbs = <int *>arena_take(arena, blocks, sizeof(int))
    if c.blocks == NULL or c.limbs == NULL or not take_block(c, arena, 0, 1):
        return False
    c.blocks[0][1] = 1
    for node in range(2, size):
        if watch_stops(&z.watch):
            return False
        if not node & (BLOCK - 1) and not take_block(c, arena, node, limbs):
            return False
        low, high = z.nodes[node].low, z.nodes[node].high
        while (low > 1 and node - low > c.mask) or (high > 1 and node - high > c.mask):
            c.mask = 2 * c.mask + 1
        number = number_of(c, node)
        add_row(number, limbs, number_of(c, low), limbs_of(c, low))
        if add_row(number, limbs, number_of(c, high), limbs_of(c, high)):
            if not take_block(c, arena, node, limbs + 1):
                return False
            number_of(c, node)[limbs] = 1
            limbs += 1
    return True


# -- by the number of members --


cdef struct Sizes:
    int32_t *users  # see `users_of`
    int32_t *fewest  # members of a set of each node, at least
    int32_t *most  # at most
    uint64_t **rows  # numbers of sets of each size, from the fewest on; released after use


cdef inline void add_sizes(
    const Counts *c, Sizes *s, int64_t node, int32_t child, int more
) noexcept nogil:
    """Add the sets of a child, each with ``more`` additional members."""
    cdef int wide = limbs_of(c, node), narrow = limbs_of(c, child)
    cdef uint64_t *to
    cdef int64_t k
    if child == 0:
        return
    to = s.rows[node] + (s.fewest[child] + more - s.fewest[node]) * wide
    for k in range(s.most[child] - s.fewest[child] + 1):
        add_row(to + k * wide, wide, s.rows[child] + k * narrow, narrow)


cdef inline void forget(Zdd *z, Sizes *s, Arena *rows, int64_t user) noexcept nogil:
    """Free the rows of the children of a node, if it was their last user."""
    cdef int32_t child
    cdef bint high
    for high in range(2):
        child = z.nodes[user].high if high else z.nodes[user].low
        if child > 1 and s.users[child] == user:
            arena_release(rows, s.rows[child])
            s.rows[child] = NULL


cdef inline bint count_sizes(
    Zdd *z, const Counts *c, Arena *rows, Sizes *s, int32_t root
) noexcept nogil:
    """Count the sets of each size; return False if stopped, or if ``rows`` has no memory."""
    cdef int64_t node, length
    cdef int32_t low, high
    s.rows[1] = <uint64_t *>arena_take(rows, limbs_of(c, 1), sizeof(uint64_t))
    if s.rows[1] == NULL:
        return False
    s.rows[1][0] = 1
    for node in range(2, root + 1):
        if not s.users[node]:
            continue
        low, high = z.nodes[node].low, z.nodes[node].high
        # No number exceeds the number of all sets.
        length = (s.most[node] - s.fewest[node] + 1) * limbs_of(c, node)
        s.rows[node] = <uint64_t *>arena_take(rows, length, sizeof(uint64_t))
        if s.rows[node] == NULL or watch_stops(&z.watch):
            return False
        add_sizes(c, s, node, low, 0)
        add_sizes(c, s, node, high, 1)
        forget(z, s, rows, node)
    return True


# -- by variable --


cdef inline void add_product(
    uint64_t *total, int width, const uint64_t *one, int ones, const uint64_t *other, int others
) noexcept nogil:
    """Add a product to a total. Beyond the last limb everything is zero: the total is a count."""
    cdef int i, j
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


cdef inline uint64_t *ways_to(
    const Counts *c, uint64_t *ways, int limbs, int64_t node
) noexcept nogil:
    """Return the row of a node. Nodes without a common parent use the same row in turn.

    The terminals have the last row, which is never read.
    """
    return ways + limbs * (node & c.mask if node > 1 else c.mask + 1)


cdef inline bint count_members(
    Zdd *z, const Counts *c, uint64_t *ways, int32_t root, uint64_t *totals
) noexcept nogil:
    """Count for each variable the sets of a family that have it; return False if stopped.

    A count is the sum, over the nodes of the variable, of the ``ways`` to the node times the sets
    of its high child. ``ways`` and ``totals`` are zeros at first. No node has more ways than there
    are sets, so all counts have as many limbs as that of all sets.
    """
    cdef int64_t node
    cdef int32_t high
    cdef int limbs = limbs_of(c, root)
    cdef uint64_t *row
    ways_to(c, ways, limbs, root)[0] = 1
    for node in range(root, 1, -1):
        if watch_stops(&z.watch):
            return False
        if node > AHEAD:
            linkoracle_prefetch(number_of(c, z.nodes[node - AHEAD].high))
        row, high = ways_to(c, ways, limbs, node), z.nodes[node].high
        add_product(
            totals + z.nodes[node].variable * limbs,
            limbs, row, limbs, number_of(c, high), limbs_of(c, high),
        )
        add_row(ways_to(c, ways, limbs, high), limbs, row, limbs)
        add_row(ways_to(c, ways, limbs, z.nodes[node].low), limbs, row, limbs)
        memset(row, 0, limbs * sizeof(uint64_t))
    return True


# ---- For Python ----------------------------------------------------------------------------------

cdef class SetCounts:
    """The number of sets of each node of a diagram up to ``family``. O(nodes).

    Invalid after `Nodes.collect`, which renumbers the nodes. Raises `MemoryLimit` when the memory
    of the `Nodes` does not suffice.
    """

    cdef Arena arena
    cdef Counts counts
    cdef Nodes nodes

    def __cinit__(self, Nodes nodes not None, int64_t family):
        cdef Zdd *z = &nodes.z
        self.nodes = nodes
        arena_open(&self.arena, z.arena.limit - z.arena.used)
        nodes.begin()
        try:
            nodes.check_node(family)
            with nogil:
                count_sets(z, &self.counts, &self.arena, max(2, family + 1))
            if self.arena.refused:
                arena_error(&self.arena, f"counting below {family} nodes")
            nodes.check()
        finally:
            nodes.end()

    def __dealloc__(self):
        arena_close(&self.arena)

    cdef int begin(self, int64_t family, Arena *arena) except -1:
        """Begin work on the nodes that needs these counts; call `end` after it in any case.

        The ``arena`` holds temporary data.
        """
        cdef Arena *nodes = &self.nodes.z.arena
        self.nodes.begin()
        if not 0 <= family < min(self.counts.size, self.nodes.z.used):
            self.nodes.end()
            raise ValueError(f"no node {family} among those that were counted")
        arena_open(arena, nodes.limit - min(nodes.limit, nodes.used + self.arena.used))
        return 0

    cdef int check(self, Arena *arena, str what) except -1:
        watch_raise(&self.nodes.z.watch, None)
        if arena.refused:
            arena_error(arena, f"{what} of a diagram of {self.nodes.z.used} nodes")
        return 0

    cdef int end(self, Arena *arena) except -1:
        arena_close(arena)
        return self.nodes.end()

    def __getitem__(self, int64_t family) -> int:
        """Return the number of sets of a family."""
        if not 0 <= family < self.counts.size:
            raise IndexError(f"no node {family} among those that were counted")
        return integer(number_of(&self.counts, family), limbs_of(&self.counts, family))

    def by_size(self, int64_t family) -> dict[int, int]:
        """Return the number of sets of each size, ascending, without zeros. O(nodes x sizes)."""
        cdef Zdd *z = &self.nodes.z
        cdef Arena arena
        cdef Sizes s
        cdef int32_t root = <int32_t>family
        cdef int64_t size = max(2, family + 1)
        cdef int limbs, k
        self.begin(family, &arena)
        found = {}
        try:
            limbs = limbs_of(&self.counts, family)
            with nogil:
                s.fewest = <int32_t *>arena_take(&arena, size, sizeof(int32_t))
                s.most = <int32_t *>arena_take(&arena, size, sizeof(int32_t))
                s.rows = <uint64_t **>arena_take(&arena, size, sizeof(uint64_t *))
                s.users = users_of(z, &arena, &root, 1)
                if s.users != NULL and not arena.refused:
                    if measure(z, s.fewest, size, -1) and measure(z, s.most, size, 1):
                        count_sizes(z, &self.counts, &arena, &s, root)
            self.check(&arena, "counting the sizes")
            for k in range(s.most[root] - s.fewest[root] + 1 if root else 0):
                number = integer(s.rows[root] + k * limbs, limbs)
                if number:
                    found[s.fewest[root] + k] = number
        finally:
            self.end(&arena)
        return found

    def by_variable(self, int64_t family) -> list[int]:
        """Return the number of sets with each variable. O(nodes x limbs squared)."""
        cdef Zdd *z = &self.nodes.z
        cdef Arena arena
        cdef uint64_t *ways
        cdef uint64_t *totals
        cdef int limbs, variable
        self.begin(family, &arena)
        try:
            limbs = limbs_of(&self.counts, family)
            with nogil:
                totals = <uint64_t *>arena_take(&arena, z.variables * limbs, sizeof(uint64_t))
                ways = <uint64_t *>arena_take(&arena, (self.counts.mask + 2) * limbs, sizeof(uint64_t))
                if not arena.refused:
                    count_members(z, &self.counts, ways, <int32_t>family, totals)
            self.check(&arena, "counting the members")
            found = [integer(totals + variable * limbs, limbs) for variable in range(z.variables)]
        finally:
            self.end(&arena)
        return found


cdef object integer(const uint64_t *number, int limbs):
    cdef int limb
    found = number[limbs - 1]
    for limb in range(limbs - 2, -1, -1):
        found = int(found) << 64 | number[limb]
    return found


cdef class Listing:
    """A list of the sets of a family: those without the smallest variable come first."""

    cdef Nodes nodes
    cdef int32_t family  # before the first set, then -1
    cdef int64_t depth  # nodes on the path to the set that was listed last
    cdef int32_t[::1] path
    cdef uint8_t[::1] row  # its members; of a node on the path, which child is taken

    def __init__(self, Nodes nodes not None, int64_t family):
        nodes.check_node(family)
        self.nodes, self.family, self.depth = nodes, <int32_t>family, 0
        self.path = np.zeros(nodes.z.variables, dtype=np.int32)
        self.row = np.zeros(nodes.z.variables, dtype=np.uint8)

    def fill(self, uint8_t[:, ::1] rows not None) -> int:
        """Write the next sets into rows, 1 for each member; return the number of sets written.

        ``KeyboardInterrupt`` comes between two sets; then the rows are invalid.
        """
        cdef Zdd *z = &self.nodes.z
        cdef Py_ssize_t count = 0, variable
        cdef int64_t depth
        if rows.shape[1] != z.variables:
            raise ValueError("expected a column for each variable")
        self.nodes.begin()
        try:
            for depth in range(self.depth):
                self.nodes.check_node(self.path[depth])
            self.nodes.check_node(max(self.family, 0))
            with nogil:
                while count < rows.shape[0] and not watch_stops(&z.watch) and self.advance(z):
                    for variable in range(z.variables):
                        rows[count, variable] = self.row[variable]
                    count += 1
            self.nodes.check()
        finally:
            self.nodes.end()
        return count

    cdef bint advance(self, Zdd *z) noexcept nogil:
        """Go to the next set; return false at the end."""
        cdef int32_t node = self.family, variable
        if node < 0:
            # Back to the last node whose second child is still to come.
            while self.depth:
                node = self.path[self.depth - 1]
                variable = z.nodes[node].variable
                if not self.row[variable]:
                    self.row[variable] = 1
                    node = z.nodes[node].high
                    break
                self.row[variable] = 0
                self.depth -= 1
            else:
                return False
        self.family = -1
        while node > 1 and self.depth < z.variables:
            self.path[self.depth] = node
            self.depth += 1
            if z.nodes[node].low:
                node = z.nodes[node].low
            else:
                self.row[z.nodes[node].variable] = 1
                node = z.nodes[node].high
        return node == 1

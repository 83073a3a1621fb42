"""Count and list the sets of a family."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from linkoracle.core.arena cimport Arena, arena_close, arena_error, arena_open, arena_take
from linkoracle.core.watch cimport watch_raise, watch_stops
from linkoracle.zdd.counting cimport (
    Counts, Sizes, count_members, count_sets, count_sizes, limbs_of, number_of
)
from linkoracle.zdd.nodes cimport Zdd
from linkoracle.zdd.passes cimport measure, users_of
from linkoracle.zdd.zdd_kernel cimport Nodes


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

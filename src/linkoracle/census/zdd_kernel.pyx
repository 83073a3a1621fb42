"""Families of sets as zero-suppressed decision diagrams: the object that has the nodes.

What a node is stands in `zdd_nodes.pxd`, the operations in `zdd_operations.pxd`.
"""

from threading import RLock

import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint64_t

from linkoracle.core.limits import default_limit

from linkoracle.census.zdd_nodes cimport (
    ENTRIES_A_NODE,
    MOST_NODES,
    NO_NODE,
    Answer,
    Node,
    Zdd,
    enter_nodes,
)
from linkoracle.census.zdd_operations cimport (
    MOST_VARIABLES,
    at_most,
    attach,
    combine,
    hitting,
    minimal,
    select,
    without_supersets,
)
from linkoracle.census.zdd_passes cimport Sizes, count_sets, count_sizes, mark, measure, pack
from linkoracle.core.arena cimport arena_close, arena_error, arena_open, arena_release, arena_take
from linkoracle.core.watch cimport watch_raise, watch_start

cdef enum:
    NODES_AT_FIRST = 1 << 14
    RATE = 2048  # steps of some 50 ns from one look at the clock to the next

#: The nodes of the empty family and of the empty set alone.
TERMINALS = np.array([(LAST, 0, 0)] * 2, dtype=np.int32)


cdef int32_t apply(Zdd *z, int operation, int32_t f, int32_t g) noexcept nogil:
    """The result of an operation, or `NO_NODE`, also if ``f`` or ``g`` is that already."""
    if f == NO_NODE or g == NO_NODE:
        return NO_NODE
    if operation <= MINIMAL_UNION:
        return combine(z, operation, f, g)
    if operation == WITHOUT_SUPERSETS:
        return without_supersets(z, f, g)
    if operation == HITTING:
        return hitting(z, f, g)
    if operation == ATTACH:
        return attach(z, f, g)
    if operation == WITH or operation == WITHOUT:
        return select(z, operation, f, g)
    if operation == AT_MOST:
        return at_most(z, f, g)
    return minimal(z, operation, f)


cdef class Nodes:
    """The nodes of all families over the variables 0 to ``variables`` - 1.

    ``memory`` is a limit in bytes (default: half of what is free); `MemoryLimit` is raised when it
    does not suffice. Nodes ``kept`` from an earlier one, as `array` returned them, have the same
    numbers here; ``ValueError`` if they are no diagram. There is memory for ``room`` nodes at
    first.

    Threads wait for each other. Ctrl-C stops every call within some milliseconds; the families are
    as good as before, but after `collect`: then every further call raises ``ValueError``.
    """

    def __cinit__(
        self,
        int variables,
        *,
        object memory=None,
        const int32_t[:, ::1] kept not None=TERMINALS,
        int64_t room=NODES_AT_FIRST,
    ):
        cdef Zdd *z = &self.z
        cdef int64_t size = kept.shape[0], node
        arena_open(&z.arena, memory or default_limit())
        if not 0 <= variables <= MOST_VARIABLES:
            raise ValueError(f"expected at most {MOST_VARIABLES} variables, got {variables}")
        check_kept(kept, variables)
        self.lock, self.busy, self.broken = RLock(), False, False
        z.variables, z.used, z.room = variables, size, 2
        while z.room < min(max(size, room), MOST_NODES):
            z.room *= 2
        z.table_mask = z.cache_mask = ENTRIES_A_NODE * z.room - 1
        z.nodes = <Node *>arena_take(&z.arena, z.room, sizeof(Node))
        z.table = <int32_t *>arena_take(&z.arena, z.table_mask + 1, sizeof(int32_t))
        z.cache = <Answer *>arena_take(&z.arena, z.cache_mask + 1, sizeof(Answer))
        if z.arena.refused or z.used > z.room:
            arena_error(&z.arena, f"a diagram of {size} nodes")
        watch_start(&z.watch, INFINITY, RATE)
        with nogil:
            for node in range(size):
                z.nodes[node].variable = kept[node, 0]
                z.nodes[node].low, z.nodes[node].high = kept[node, 1], kept[node, 2]
            enter_nodes(z, z.table, z.table_mask)
        watch_raise(&z.watch, None)

    def __dealloc__(self):
        arena_close(&self.z.arena)

    cdef int begin(self) except -1:
        """Before work on the nodes, with `end` after it in any case."""
        self.lock.acquire()
        if self.busy or self.broken:
            self.lock.release()
            if self.busy:
                raise RuntimeError("a diagram is asked by a signal handler that interrupts it")
            raise ValueError("the diagram is of no use: packing its nodes was interrupted")
        self.busy = True
        self.z.arena.refused = False
        watch_start(&self.z.watch, INFINITY, RATE)
        return 0

    cdef int check(self) except -1:
        """At once after the work: raise what stopped it, if anything did."""
        watch_raise(&self.z.watch, None)
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
    def variables(self):
        return self.z.variables

    def __len__(self):
        """How many nodes there are, the two terminals among them."""
        return self.z.used

    def node(self, int64_t node):
        """``(variable, low, high)`` of one node."""
        cdef Node found
        self.lock.acquire()
        try:
            self.check_node(node)
            found = self.z.nodes[node]
            return found.variable, found.low, found.high
        finally:
            self.lock.release()

    def array(self):
        """A copy of all nodes: rows of variable, low and high, of shape (nodes, 3)."""
        cdef int32_t[:, ::1] rows
        cdef int64_t node
        with self.lock:
            found = np.empty((self.z.used, 3), dtype=np.int32)
            rows = found
            for node in range(self.z.used):
                rows[node, 0] = self.z.nodes[node].variable
                rows[node, 1] = self.z.nodes[node].low
                rows[node, 2] = self.z.nodes[node].high
        return found

    def apply(self, int operation, int64_t f, int64_t g=0):
        """The node of the result of an operation.

        Raises ``ValueError`` for an operation, a node or a variable that does not exist,
        `MemoryLimit`, ``KeyboardInterrupt``.
        """
        cdef Zdd *z = &self.z
        cdef int32_t found
        if not 0 <= operation < OPERATIONS:
            raise ValueError(f"no operation {operation}")
        if operation in (ATTACH, WITH, WITHOUT) and not 0 <= g < z.variables:
            raise ValueError(f"no variable {g} among {z.variables}")
        if operation == HITTING and not 0 <= g <= z.variables:
            raise ValueError(f"no variable {g} among {z.variables}")
        if operation == AT_MOST:
            if g < 0:
                return 0
            g = min(g, z.variables)
        self.begin()
        try:
            self.check_node(f)
            if operation <= WITHOUT_SUPERSETS:
                self.check_node(g)
            with nogil:
                found = apply(z, operation, <int32_t>f, <int32_t>g)
            self.check()
        finally:
            self.end()
        return found

    def collect(self, const int32_t[::1] roots not None):
        """Forget every node that no root needs, and return where the roots are now.

        All other node numbers become invalid.
        """
        cdef Zdd *z = &self.z
        cdef Py_ssize_t k, size = roots.shape[0]
        cdef unsigned char *marked = NULL
        cdef int32_t *places = NULL
        cdef bint done = False
        cdef int32_t[::1] moved = (found := np.empty(size, dtype=np.int32))
        self.begin()
        try:
            self.check_nodes(roots)
            with nogil:
                marked = mark(z, &roots[0] if size else NULL, size)
                if marked != NULL:
                    places = <int32_t *>arena_take(&z.arena, z.used, sizeof(int32_t))
                if places != NULL:
                    done = pack(z, marked, places)
            if done:
                for k in range(size):
                    moved[k] = places[roots[k]]
            self.broken = places != NULL and not done
            arena_release(&z.arena, places)
            arena_release(&z.arena, marked)
            self.check()
        finally:
            self.end()
        return found

    def num_nodes(self, int64_t family):
        """How many nodes the family's diagram has, without the two terminals."""
        cdef unsigned char *marked
        cdef int64_t node, number = 0
        cdef int32_t root = <int32_t>family
        self.begin()
        try:
            self.check_node(family)
            with nogil:
                marked = mark(&self.z, &root, 1)
                if marked != NULL:
                    for node in range(2, family + 1):
                        number += marked[node]
                    arena_release(&self.z.arena, marked)
            self.check()
        finally:
            self.end()
        return number

    def counts(self, int64_t family):
        """How many sets each node below ``family`` has, as an array by node; others count 0.

        Raises ``OverflowError`` if they are 2^63 or more.
        """
        cdef unsigned char *marked
        cdef int64_t size = max(2, family + 1)
        cdef bint is_much = False
        cdef int32_t root = <int32_t>family
        cdef uint64_t[::1] counts
        self.begin()
        try:
            self.check_node(family)
            found = np.zeros(size, dtype=np.int64)
            counts = found.view(np.uint64)
            with nogil:
                marked = mark(&self.z, &root, 1)
                if marked != NULL:
                    count_sets(&self.z, marked, &counts[0], size, &is_much)
                    arena_release(&self.z.arena, marked)
            self.check()
        finally:
            self.end()
        if is_much:
            raise OverflowError("the family has 2^63 sets or more")
        return found

    def by_size(self, int64_t family):
        """How many sets of each size, by increasing size, without zeros.

        Raises ``OverflowError`` if they are 2^63 or more. O(nodes x sizes).
        """
        cdef Zdd *z = &self.z
        cdef unsigned char *marked = NULL
        cdef Sizes *sizes = NULL
        cdef uint64_t *counts = NULL
        cdef int64_t size = max(2, family + 1), total = 0, k
        cdef int32_t root = <int32_t>family
        found = {}
        # None of the numbers below is more than their sum.
        if self.counts(family)[family] == 0:
            return found
        self.begin()
        try:
            with nogil:
                marked = mark(z, &root, 1)
                if marked != NULL:
                    sizes = <Sizes *>arena_take(&z.arena, size, sizeof(Sizes))
                if sizes != NULL:
                    total = measure(z, marked, sizes, size)
                if total > 0:
                    counts = <uint64_t *>arena_take(&z.arena, total, sizeof(uint64_t))
                if counts != NULL:
                    count_sizes(z, marked, sizes, counts, size)
            self.check()
            for k in range(sizes[root].most - sizes[root].least + 1):
                if counts[sizes[root].start + k]:
                    found[sizes[root].least + k] = counts[sizes[root].start + k]
        finally:
            arena_release(&z.arena, counts)
            arena_release(&z.arena, sizes)
            arena_release(&z.arena, marked)
            self.end()
        return found


cdef int check_kept(const int32_t[:, ::1] kept, int variables) except -1:
    """Whether these are nodes of a diagram: everything relies on their order."""
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
    return 0

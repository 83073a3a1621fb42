"""`Nodes`: families of sets as zero-suppressed decision diagrams.

`nodes.pxd` defines nodes, `operations.pxd` has the operations, and `passes.pxd` the passes over all
nodes and the layers of states.
"""

from threading import RLock

import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from linkoracle.core.machine import checked_limit

from linkoracle.core.arena cimport (
    Arena, arena_close, arena_error, arena_open, arena_release, arena_resize, arena_take
)
from linkoracle.core.watch cimport watch_raise, watch_start
from linkoracle.zdd.nodes cimport MOST_NODES, NO_NODE, Node, Zdd, drop_index, make_index
from linkoracle.zdd.operations cimport MOST_VARIABLES, attach, combine, extreme, hitting
from linkoracle.zdd.passes cimport (
    MOST_BITS, REQUIRED, Layer, Rule, fold, measure, pack, part_of, place_children, users_of
)

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

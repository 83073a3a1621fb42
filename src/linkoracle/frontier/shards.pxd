"""A layer in shards: several threads take one step of a pass.

A wide layer is divided among `SHARDS` stores; a narrow one is in a single store. Some bits of a
state, its *key*, determine its shard. Steps should leave these bits unchanged for a while.
Most children are then in the shard of their parent, and similar states stay neighbours. This keeps
caches and branch prediction effective.

The layer before is cut into *lanes* of equal length, each some shards long. A step proceeds in
*rounds*. In each round, the next states of all lanes are partitioned into *slices*:

* First, the states of each slice are *expanded*: their children wait in batches, each for one
  shard. A slice writes only to its batches.
* Then, the children that wait for a shard are *inserted* there, slice by slice. Nothing else writes
  to its store.

So slices can be expanded in parallel, and then shards filled in parallel. As lanes are in different
shards, the shards get about equally many children. Rounds do not depend on the number of threads,
and neither does the order of the states in a shard.

How a pass uses it::

    shards_open(...); shards_first(...)          # the first layer
    shards_begin(...)                            # before each step
    while shards_partition(...) and shards.num_slices:
        for each slice:                          # at the same time
            while slice.states.left: run = slice_run(...)
                payload = slice_add(...)         # for each child
        for each shard below shards.after:       # at the same time
            while (batch := shards_waiting(...)) != NULL:
                shards_ready(...)
                shards_reserve(...); batch_fetch(...)
                for each child: store_insert(...) # join with what the child carries
                shards_inserted(...)
    shards_swap(...)                             # after each step

A stopped step continues where it was. Allocations lock the arena. `waiting` has the functions of a
round.
"""

from cpython.pythread cimport PyThread_type_lock
from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from linkoracle.core.arena cimport Arena, arena_release, arena_take
from linkoracle.frontier.store cimport (
    APART, Store, store_insert, store_open, store_payload, store_place, store_shrink, store_swap,
    store_widen
)

cdef enum:
    SHARDS = 16  # of a wide layer
    SHARD_SHIFT = 60  # bits of a key's hash below those of the shard
    LANES = 2  # of a wide layer
    SLICES = 8  # of a round, at most; equally many for each lane
    NARROW_SLICE = 256  # states of a slice whose children go to a single store
    LEAST_SLICE = 32  # states of a slice where memory is scarce
    WIDE_SLICE = 1 << 10  # states of any other, at most
    BATCH = 64  # children of a batch


cdef struct Batch:
    Batch *following  # the next one of the same slice and shard, or NULL
    uint64_t *records  # of the children: states, and the words they carry
    uint64_t *end  # of the records
    int waiting  # children in it
    uint32_t hashes[BATCH]  # of their states


cdef struct Lane:
    int shard  # of the next state
    size_t index  # of the next state in the layer before of that shard
    size_t left  # states still to be taken


cdef struct Slice:
    Lane states  # still to be expanded
    char *batches  # memory for all children of its states
    size_t capacity  # bytes of the memory
    size_t used  # bytes in use
    Batch *first[SHARDS]  # children that wait for each shard, or NULL
    Batch *last[SHARDS]
    char apart[APART]


cdef struct Run:
    int states  # adjacent ones
    const uint64_t *record  # of the first
    int stride  # words from one to the next
    size_t row  # number of the first in the layer before
    int rows  # from one to the next


cdef struct Inserting:
    Batch *batch  # to be inserted next, NULL before the first of a slice
    int slice  # the slice after that of the batch
    bint ready  # whether the store is ready
    char apart[APART]


cdef struct Shards:
    Arena *arena  # owns all memory
    PyThread_type_lock lock  # of the arena, while several threads are in a round
    Store stores[SHARDS]
    size_t wide  # least states of a layer for which the next layer is divided among shards
    uint64_t *key  # bits of a state that determine its shard; the pass sets them for each step
    int before  # stores of the layer before
    int after  # stores of the layer after
    int words  # of a state
    int carried  # words of a child besides its state: its payload, or one word of other use
    size_t states  # of the layer before
    int lanes  # of these states
    Lane lane[LANES]
    int num_slices  # of this round
    Slice slices[SLICES]
    Inserting inserting[SHARDS]


cdef inline bint shards_open(
    Shards *s,
    Arena *arena,
    PyThread_type_lock lock,
    size_t wide,
    int words,
    int payload,
    size_t records,
) noexcept nogil:
    """Allocate a number of records in each of two layers. Needs ``words`` > 0."""
    cdef int k
    memset(s, 0, sizeof(Shards))
    s.arena, s.lock, s.wide, s.before, s.after = arena, lock, wide, 1, 1
    s.words, s.carried = words, max(payload, 1)
    s.key = <uint64_t *>arena_take(arena, words, sizeof(uint64_t))
    if s.key == NULL:
        return False
    for k in range(SHARDS):
        if not store_open(&s.stores[k], arena, words, payload, records if k == 0 else 0):
            return False
    return True


cdef inline uint64_t *shards_first(Shards *s, const uint64_t *state) noexcept nogil:
    """Make a layer of one state, before the first step; return its payload."""
    cdef bint fresh
    cdef Store *store = &s.stores[0]
    store_insert(store, state, store.words, store_place(store, state), &fresh)
    store_swap(store)
    s.states = 1
    return store_payload(store, &store.before, 0)


cdef inline size_t shards_row(int shards, int shard, size_t index) noexcept nogil:
    """Return the number of a record in its layer. If shards differ in size, some are unused."""
    return index * shards + shard


cdef inline size_t shards_rows(Shards *s) noexcept nogil:
    """Return one more than the largest number of a record of the layer before."""
    cdef size_t most = 0
    cdef int k
    for k in range(SHARDS):
        most = max(most, s.stores[k].before.count)
    return most * s.before


# ---- steps and rounds ----------------------------------------------------------------------------


cdef inline Lane lane_take(Shards *s, Lane *lane, size_t size) noexcept nogil:
    """Take the next states of a lane; return them as a lane of their own."""
    cdef Lane taken
    while lane.left and lane.index >= s.stores[lane.shard].before.count:
        lane.index -= s.stores[lane.shard].before.count
        lane.shard += 1
    taken = lane[0]
    taken.left = size
    lane.left -= size
    lane.index += size
    return taken


cdef inline void lanes_begin(Shards *s) noexcept nogil:
    """Cut the layer before into lanes of the same length."""
    cdef int k
    cdef Lane every
    every.shard, every.index, every.left = 0, 0, s.states
    s.lanes = LANES if s.after > 1 else 1
    for k in range(s.lanes):
        s.lane[k] = lane_take(s, &every, every.left // (s.lanes - k))


cdef inline void shards_begin(Shards *s) noexcept nogil:
    """Begin a step."""
    cdef int k
    s.after = SHARDS if s.states >= s.wide else 1
    for k in range(SHARDS):
        s.stores[k].after.count = 0
        s.inserting[k].ready = False
        # A store that held a whole layer is too large for one shard.
        if s.after > 1:
            store_shrink(&s.stores[k], 8 * (s.states // s.after + BATCH))
    lanes_begin(s)
    s.num_slices = 0


cdef inline size_t batch_bytes(Shards *s) noexcept nogil:
    return sizeof(Batch) + BATCH * (s.words + s.carried) * sizeof(uint64_t)


cdef inline size_t slice_bytes(Shards *s, size_t size, int children) noexcept nogil:
    """Return the bytes for ``size`` states with ``children`` each, and an open batch per shard."""
    return (size * children // BATCH + 1 + s.after) * batch_bytes(s)


cdef inline bint slice_open(Shards *s, Slice *slice, size_t bytes) noexcept nogil:
    """Allocate ``bytes`` for a slice; return False without memory."""
    if bytes <= slice.capacity:
        return True
    arena_release(s.arena, slice.batches)
    slice.capacity = 0
    slice.batches = <char *>arena_take(s.arena, bytes, 1)
    if slice.batches == NULL:
        return False
    slice.capacity = bytes
    return True


cdef inline bint shards_partition(Shards *s, int children) noexcept nogil:
    """Partition states into slices; each state has at most ``children`` children.

    Return False without memory. If there are no slices after True, no states are left.
    """
    cdef size_t size = NARROW_SLICE if s.after == 1 else WIDE_SLICE
    cdef int number = 1 if s.after == 1 else SLICES, k, lane, shard
    cdef Slice *slice
    # Memory is for states. Where it is scarce, slices are small. Their size must not depend on the
    # memory left: that differs between runs, and the order of records depends on the slices.
    while size > LEAST_SLICE and number * slice_bytes(s, size, children) > s.arena.limit // 16:
        size //= 2
    s.num_slices = 0
    for lane in range(s.lanes):
        for k in range(number // s.lanes):
            if not s.lane[lane].left:
                break
            slice = &s.slices[s.num_slices]
            if not slice_open(s, slice, slice_bytes(s, size, children)):
                return False
            slice.states, slice.used = lane_take(s, &s.lane[lane], min(size, s.lane[lane].left)), 0
            for shard in range(s.after):
                slice.first[shard] = slice.last[shard] = NULL
            s.num_slices += 1
    for k in range(s.after):
        s.inserting[k].batch, s.inserting[k].slice = NULL, 0
    return True


cdef inline bint shards_widen(Shards *s) noexcept nogil:
    """Add a word 0 to each payload, between two steps. May be called again after False."""
    cdef int k
    for k in range(SHARDS):
        if s.stores[k].payload == s.carried and not store_widen(&s.stores[k]):
            return False
    s.carried += 1
    return True


cdef inline void shards_swap(Shards *s) noexcept nogil:
    """End a step."""
    cdef int k
    s.before, s.states = s.after, 0
    for k in range(SHARDS):
        store_swap(&s.stores[k])
        s.states += s.stores[k].before.count

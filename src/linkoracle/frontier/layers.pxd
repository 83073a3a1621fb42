"""The layers of a pass: its states and what it knows of each, for one thread or for several.

A layer maps states to *payloads*, some words each; a step makes a layer from the one before. What a
state means, and what a payload is, only the pass knows: it has one function to expand states and
one to insert their children, and gives both to `Rounds`. A pass in one thread may do with a `Store`
alone.

Contents
    Stores   two layers of records, and a table that finds states again
    Shards   a wide layer divided among several stores, and the slices of a round
    Batches  how children get from the slice of their parents to their shard
    Teams    threads that do tasks together, and wait for each other
    Rounds   the order of the calls, when they stop, and where threads share them

What a pass calls
    `shards_open`, `shards_first`  allocate the layers; make the first one, of one state
    `rounds_begin`, `shards_swap`  begin and end a step
    `rounds_step`                  take the step, or return where threads can share it
    `rounds_share`                 prepare that; each thread then calls `rounds_together`
    `slice_add`, `store_insert`    from its two functions: add a child; insert it
    `shards_widen`                 add a word to each payload, between two steps
"""

from cpython.pythread cimport (
    NOWAIT_LOCK, WAIT_LOCK, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock,
    PyThread_release_lock, PyThread_type_lock
)
from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from linkoracle.core.kernels cimport (
    GOES_ON, Arena, StopToken, arena_release, arena_resize, arena_take, linkoracle_seconds,
    watch_stops
)


# ---- Stores --------------------------------------------------------------------------------------
#
# The states of a frontier pass: two layers of records, and a table that finds states again.
#
# A *record* is a state, ``words`` words of 64 bits, followed by its *payload*, ``payload`` words
# with the data of the state: limbs of a count, or two families. A layer has its records in the
# order of insertion. A step reads the layer ``before`` and inserts states into the layer ``after``;
# then the two layers are swapped.
#
# How a pass uses it::
#
#     store_open(...)                              # two layers and a table; nothing in them
#     store_insert(...); store_swap(...)            # the first layer
#     store_begin(...)                             # before each step
#     for each record of store.before:             # store_record(store, &store.before, index)
#         store_reserve(store, children, &watch)   # room for its children
#         place = store_place(store, state)
#         index = store_insert(store, state, words, place, &fresh)
#         payload = store_payload(store, &store.after, index)
#         ...                                      # fill it if fresh, else join with it
#     store_swap(...)                              # after each step
#
# A function that returns False has set ``arena.refused`` and left the store as it was.
# `store_reserve` also returns False if its watch stops it. In both cases it may be called again.
#
# A lookup costs two random accesses to memory, to the table and to a record. In a large layer both
# miss every cache. So `Shards` insert states in batches, into several stores for several threads.

cdef enum:
    LISTED_AT_ONCE = 1 << 12  # states added to a new table between two looks at the watch
    APART = 128  # bytes between data of different threads, which must not share a cache line


cdef struct Layer:
    uint64_t *records  # one after another
    size_t count  # records in it
    size_t capacity  # words that there is memory for


cdef struct Store:
    Arena *arena  # owns its memory
    int words  # of a state
    int payload  # words after the state
    int stride  # words of a record
    Layer before  # read by the step
    Layer after  # written by the step
    uint32_t *table  # finds the states of `after`: number of a record plus one, or 0 for none
    size_t places  # of the table that are in use, a power of two
    size_t table_capacity  # places that there is memory for
    size_t listed  # states of `after` that are in the table: all, except while it is rebuilt
    size_t most  # records that `after` can have before it needs more room
    char apart[APART]


cdef inline uint64_t *store_record(Store *store, Layer *layer, size_t index) noexcept nogil:
    return layer.records + index * store.stride


cdef inline uint64_t *store_payload(Store *store, Layer *layer, size_t index) noexcept nogil:
    return layer.records + index * store.stride + store.words


cdef inline uint32_t store_hash(const uint64_t *state, int words) noexcept nogil:
    cdef uint64_t mixed = 0
    cdef int k
    for k in range(words):
        mixed = (mixed ^ state[k]) * <uint64_t>0x9E3779B97F4A7C15
        mixed ^= mixed >> 32
    mixed *= <uint64_t>0xD6E8FEB86659FD93
    return <uint32_t>(mixed >> 32)


cdef inline size_t store_place(Store *store, const uint64_t *state) noexcept nogil:
    """Return the first place of a state in the table; valid until the table grows."""
    return store_hash(state, store.words) & (store.places - 1)


cdef inline void store_limit(Store *store) noexcept nogil:
    """Set ``most``. A lookup in a table that is five eighths full takes about two probes."""
    store.most = min(store.after.capacity // store.stride, store.places // 8 * 5)
    if store.listed < store.after.count:
        store.most = 0


cdef inline bint store_open(
    Store *store, Arena *arena, int words, int payload, size_t records
) noexcept nogil:
    """Make two empty layers with room for ``records`` each. Needs ``words`` > 0."""
    memset(store, 0, sizeof(Store))
    store.arena = arena
    store.words, store.payload, store.stride = words, payload, words + payload
    store.before.capacity = store.after.capacity = records * store.stride
    store.table_capacity = store.places = 64
    while store.table_capacity // 8 * 5 < records:
        store.table_capacity *= 2
    store.before.records = <uint64_t *>arena_take(arena, store.before.capacity, sizeof(uint64_t))
    store.after.records = <uint64_t *>arena_take(arena, store.after.capacity, sizeof(uint64_t))
    store.table = <uint32_t *>arena_take(arena, store.table_capacity, sizeof(uint32_t))
    store_limit(store)
    return not arena.refused


cdef inline bint store_table(Store *store, size_t places) noexcept nogil:
    """Make an empty table of ``places`` for `after`; its states are then not listed."""
    cdef uint32_t *table
    if places > store.table_capacity:
        # Entries have 32 bits.
        if <uint64_t>places > <uint64_t>1 << 32:
            store.arena.refused = True
            return False
        table = <uint32_t *>arena_take(store.arena, places, sizeof(uint32_t))
        if table == NULL:
            return False
        arena_release(store.arena, store.table)
        store.table, store.table_capacity = table, places
    else:
        memset(store.table, 0, places * sizeof(uint32_t))
    store.places, store.listed = places, 0
    store_limit(store)
    return True


cdef inline bint store_list(Store *store, StopToken *watch) noexcept nogil:
    """Insert the states that are not listed into the table; return False if stopped."""
    cdef size_t place, end, mask = store.places - 1
    while store.listed < store.after.count:
        end = min(store.listed + LISTED_AT_ONCE, store.after.count)
        while store.listed < end:
            place = store_place(store, store_record(store, &store.after, store.listed))
            while store.table[place]:
                place = (place + 1) & mask
            store.listed += 1
            store.table[place] = <uint32_t>store.listed
        if watch_stops(watch):
            break
    store_limit(store)
    return store.listed == store.after.count


cdef inline size_t store_places(size_t expected) noexcept nogil:
    """Return the number of slots of a table for a number of states."""
    cdef size_t places = 64
    while places < 2 * expected + 2:
        places *= 2
    return places


cdef inline bint store_begin(Store *store, size_t expected) noexcept nogil:
    """Begin a step: `after` is empty, and the table fits a number of states."""
    store.after.count = 0
    return store_table(store, store_places(expected))


cdef inline void store_swap(Store *store) noexcept nogil:
    """End a step: swap the layers. The table is invalid until `store_begin`."""
    store.before, store.after = store.after, store.before


cdef inline void store_shrink(Store *store, size_t most) noexcept nogil:
    """Free the memory of `after`, between two steps, if it has room for more than ``most``."""
    if store.after.capacity > most * store.stride:
        arena_release(store.arena, store.after.records)
        store.after.records, store.after.count, store.after.capacity = NULL, 0, 0
    if store.table_capacity > 4 * most:
        arena_release(store.arena, store.table)
        store.table, store.table_capacity, store.places = NULL, 0, 0
    store_limit(store)


cdef inline bint store_enlarge(Store *store, Layer *layer, size_t least) noexcept nogil:
    """Allocate ``least`` words, and twice as many as now if the limit allows it."""
    cdef bint refused = store.arena.refused
    cdef size_t capacity = max(2 * layer.capacity, least)
    cdef void *records = arena_resize(store.arena, layer.records, capacity, sizeof(uint64_t))
    if records == NULL:
        store.arena.refused = refused
        capacity = max(layer.capacity // 4 * 5, least)
        records = arena_resize(store.arena, layer.records, capacity, sizeof(uint64_t))
        if records == NULL:
            return False
    layer.records, layer.capacity = <uint64_t *>records, capacity
    return True


cdef inline bint store_grow(Store *store, size_t extra) noexcept nogil:
    """Allocate room for ``extra`` more states in `after`. Its states may then be unlisted."""
    cdef size_t least = store.after.count + extra, places = store.places
    if least > store.after.capacity // store.stride:
        if not store_enlarge(store, &store.after, least * store.stride):
            return False
        store_limit(store)
    while places // 8 * 5 < least:
        places *= 2
    return places == store.places or store_table(store, places)


cdef inline bint store_reserve(Store *store, size_t extra, StopToken *watch) noexcept nogil:
    """Make room for ``extra`` more states in `after`; return False also if the watch stops it."""
    if store.after.count + extra <= store.most:
        return True
    return store_grow(store, extra) and store_list(store, watch)


cdef inline bint store_widen(Store *store) noexcept nogil:
    """Add a word 0 to each payload, between two steps."""
    cdef size_t stride = store.stride, index, k
    cdef Layer *layer = &store.before
    if (stride + 1) * layer.count > layer.capacity:
        if not store_enlarge(store, layer, (stride + 1) * layer.count):
            return False
    cdef uint64_t *narrow
    cdef uint64_t *wide
    # From the last to the first, because each moves up.
    for index in range(layer.count, 0, -1):
        narrow = layer.records + (index - 1) * stride
        wide = layer.records + (index - 1) * (stride + 1)
        wide[stride] = 0
        for k in range(stride, 0, -1):
            wide[k - 1] = narrow[k - 1]
    store.payload += 1
    store.stride += 1
    store_limit(store)
    return True


cdef inline size_t store_insert(
    Store *store, const uint64_t *state, int words, size_t place, bint *fresh
) noexcept nogil:
    """Return the record of a state in `after`. Insert it if it is ``fresh``; then fill its payload.

    ``place`` is from `store_place`. ``words`` equals `Store.words`: loops over a constant number
    are unrolled. There must be room: see `store_reserve`.
    """
    cdef int k
    cdef size_t mask = store.places - 1, index
    cdef uint64_t *record
    while True:
        index = store.table[place]
        if index == 0:
            index = store.after.count
            store.after.count = store.listed = index + 1
            store.table[place] = <uint32_t>(index + 1)
            record = store_record(store, &store.after, index)
            for k in range(words):
                record[k] = state[k]
            fresh[0] = True
            return index
        record = store_record(store, &store.after, index - 1)
        k = 0
        while k < words and record[k] == state[k]:
            k += 1
        if k == words:
            fresh[0] = False
            return index - 1
        place = (place + 1) & mask


# ---- Shards --------------------------------------------------------------------------------------
#
# A layer in shards: several threads take one step of a pass.
#
# A wide layer is divided among `SHARDS` stores; a narrow one is in a single store. Some bits of a
# state, its *key*, determine its shard. Steps should leave these bits unchanged for a while. Most
# children are then in the shard of their parent, and similar states stay neighbours. This keeps
# caches and branch prediction effective.
#
# The layer before is cut into *lanes* of equal length, each some shards long. A step proceeds in
# *rounds*. In each round, the next states of all lanes are partitioned into *slices*:
#
# * First, the states of each slice are *expanded*: their children wait in batches, each for one
#   shard. A slice writes only to its batches.
# * Then, the children that wait for a shard are *inserted* there, slice by slice. Nothing else
#   writes to its store.
#
# So slices can be expanded in parallel, and then shards filled in parallel. As lanes are in
# different shards, the shards get about equally many children. Rounds do not depend on the number
# of threads, and neither does the order of the states in a shard.
#
# How a pass uses it::
#
#     shards_open(...); shards_first(...)          # the first layer
#     shards_begin(...)                            # before each step
#     while shards_partition(...) and shards.num_slices:
#         for each slice:                          # at the same time
#             while slice.states.left: run = slice_run(...)
#                 payload = slice_add(...)         # for each child
#         for each shard below shards.after:       # at the same time
#             while (batch := shards_waiting(...)) != NULL:
#                 shards_ready(...)
#                 shards_reserve(...); batch_fetch(...)
#                 for each child: store_insert(...) # join with what the child carries
#                 shards_inserted(...)
#     shards_swap(...)                             # after each step
#
# A stopped step continues where it was. Allocations lock the arena.

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


# -- steps and rounds --


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


# ---- Batches -------------------------------------------------------------------------------------
#
# Move children from the slice of their parents to their shard.
#
# A slice adds its children to batches, each for one shard. The shard inserts them later, from the
# first slice to the last, and those of a slice in the order in which it added them.

cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define linkoracle_fetch(address) __builtin_prefetch(address, 1)
    #else
    #define linkoracle_fetch(address) ((void)(address))
    #endif
    """
    void linkoracle_fetch(const void *address)

# -- expanding --


cdef inline Run slice_run(Shards *s, Slice *slice, int states) noexcept nogil:
    """Take one to ``states`` of the next states of a slice, which must not be empty."""
    cdef Run run
    cdef Lane taken = lane_take(s, &slice.states, 0)
    cdef Store *store = &s.stores[taken.shard]
    run.states = <int>min(<size_t>states, min(slice.states.left, store.before.count - taken.index))
    lane_take(s, &slice.states, run.states)
    run.record = store_record(store, &store.before, taken.index)
    run.stride = store.stride
    run.row = shards_row(s.before, taken.shard, taken.index)
    run.rows = s.before
    return run


cdef inline Batch *slice_batch(Shards *s, Slice *slice, int shard) noexcept nogil:
    """Return a new batch, in the memory of `slice_open`."""
    cdef Batch *batch = <Batch *>(slice.batches + slice.used)
    slice.used += batch_bytes(s)
    batch.following, batch.waiting = NULL, 0
    batch.records = <uint64_t *>(batch + 1)
    batch.end = batch.records
    if slice.last[shard] == NULL:
        slice.first[shard] = batch
    else:
        slice.last[shard].following = batch
    slice.last[shard] = batch
    return batch


cdef inline uint64_t *slice_add(
    Shards *s, Slice *slice, const uint64_t *state, int words
) noexcept nogil:
    """Queue a child for its shard; return where to write its words."""
    cdef int shard = 0, k
    cdef uint64_t key = 0
    cdef Batch *batch
    cdef uint64_t *record
    if s.after > 1:
        for k in range(words):
            key = (key ^ (state[k] & s.key[k])) * <uint64_t>0x9E3779B97F4A7C15
        shard = <int>(key >> SHARD_SHIFT)
    batch = slice.last[shard]
    if batch == NULL or batch.waiting == BATCH:
        batch = slice_batch(s, slice, shard)
    record = batch.end
    batch.end = record + words + s.carried
    for k in range(words):
        record[k] = state[k]
    batch.hashes[batch.waiting] = store_hash(state, words)
    batch.waiting += 1
    return record + words


# -- inserting --


cdef inline Batch *shards_waiting(Shards *s, int shard) noexcept nogil:
    """Return the next batch of a shard, NULL if none is left."""
    cdef Inserting *at = &s.inserting[shard]
    while at.batch == NULL and at.slice < s.num_slices:
        at.batch = s.slices[at.slice].first[shard]
        at.slice += 1
    return at.batch


cdef inline void shards_inserted(Shards *s, int shard) noexcept nogil:
    """Go to the next batch, after that of `shards_waiting` has been inserted."""
    s.inserting[shard].batch = s.inserting[shard].batch.following


cdef inline bint shards_ready(Shards *s, int shard) noexcept nogil:
    """Prepare the store of a shard for the step; return False without memory."""
    cdef Store *store = &s.stores[shard]
    cdef Inserting *at = &s.inserting[shard]
    cdef size_t expected = s.states // s.after
    if not at.ready:
        if store_places(expected) <= store.table_capacity:
            at.ready = store_begin(store, expected)
        else:
            PyThread_acquire_lock(s.lock, WAIT_LOCK)
            at.ready = store_begin(store, expected)
            PyThread_release_lock(s.lock)
    return at.ready


cdef inline bint shards_reserve(
    Shards *s, int shard, size_t extra, StopToken *watch
) noexcept nogil:
    """Make room for ``extra`` more states; return False if stopped or without memory."""
    cdef Store *store = &s.stores[shard]
    cdef bint granted
    if store.after.count + extra <= store.most:
        return True
    PyThread_acquire_lock(s.lock, WAIT_LOCK)
    granted = store_grow(store, extra)
    PyThread_release_lock(s.lock)
    return granted and store_list(store, watch)


cdef inline void batch_fetch_table(Store *store, Batch *batch) noexcept nogil:
    """Prefetch the first places of the children in the table."""
    cdef size_t mask = store.places - 1
    cdef int k
    for k in range(batch.waiting):
        linkoracle_fetch(&store.table[batch.hashes[k] & mask])


cdef inline void batch_fetch(Store *store, Batch *batch) noexcept nogil:
    """Prefetch the records found at these places, some time later."""
    cdef size_t mask = store.places - 1
    cdef uint32_t found
    cdef int k
    for k in range(batch.waiting):
        found = store.table[batch.hashes[k] & mask]
        if found:
            linkoracle_fetch(store_record(store, &store.after, found - 1))


# ---- Teams ---------------------------------------------------------------------------------------
#
# A team of threads that do the tasks of a pass together, and wait for each other.
#
# A *member* takes tasks until none is left, then waits. The last member does not wait: it begins
# the next tasks and wakes the others. No member waits for a thread that has not joined yet.
#
# Each member waits at a *gate* of its own, a lock that is free only while the member may go on. The
# member spins for some microseconds before it sleeps, as waking up takes longer than most waits.

cdef enum:
    MEMBERS = 16  # of a team, at most
    TRIES = 64  # at a gate between two looks at the clock
    AWAKE = 50  # microseconds after which a member sleeps


cdef struct Team:
    PyThread_type_lock lock  # of all fields below, and of the shared data of tasks
    PyThread_type_lock gates[MEMBERS]
    int members
    uint32_t waiting  # mask of the waiting members
    bint over  # whether no tasks are left for the team


cdef inline bint team_open(Team *team) noexcept:
    """Allocate the locks; return False without memory."""
    cdef int k
    team.lock = PyThread_allocate_lock()
    for k in range(MEMBERS):
        team.gates[k] = PyThread_allocate_lock()
        if team.gates[k] == NULL:
            return False
        PyThread_acquire_lock(team.gates[k], WAIT_LOCK)
    return team.lock != NULL


cdef inline void team_close(Team *team) noexcept:
    cdef int k
    if team.lock != NULL:
        PyThread_free_lock(team.lock)
    for k in range(MEMBERS):
        if team.gates[k] != NULL:
            PyThread_release_lock(team.gates[k])
            PyThread_free_lock(team.gates[k])


cdef inline void team_lock(Team *team) noexcept nogil:
    """Take the lock."""
    PyThread_acquire_lock(team.lock, WAIT_LOCK)


cdef inline void team_unlock(Team *team) noexcept nogil:
    """Release the lock."""
    PyThread_release_lock(team.lock)


cdef inline void team_begin(Team *team) noexcept nogil:
    """Reset the team before the first member joins."""
    team.members, team.waiting, team.over = 0, 0, False


cdef inline int team_join(Team *team) noexcept nogil:
    """Return the number of a new member, or -1 if it is not needed."""
    cdef int member = -1
    team_lock(team)
    if not team.over and team.members < MEMBERS:
        member = team.members
        team.members += 1
    team_unlock(team)
    return member


cdef inline bint team_last(Team *team, int member) noexcept nogil:
    """Return whether all other members wait. Needs the lock."""
    return (team.waiting | <uint32_t>1 << member) == (<uint32_t>1 << team.members) - 1


cdef inline void team_wake(Team *team) noexcept nogil:
    """Wake all waiting members. Needs the lock."""
    cdef int k
    for k in range(team.members):
        if team.waiting >> k & 1:
            PyThread_release_lock(team.gates[k])
    team.waiting = 0


cdef inline void team_wait(Team *team, int member) noexcept nogil:
    """Wait for `team_wake`. Needs the lock, and releases it."""
    cdef int k
    cdef double until
    team.waiting |= <uint32_t>1 << member
    team_unlock(team)
    until = linkoracle_seconds() + 1e-6 * AWAKE
    while linkoracle_seconds() < until:
        for k in range(TRIES):
            if PyThread_acquire_lock(team.gates[member], NOWAIT_LOCK):
                return
    PyThread_acquire_lock(team.gates[member], WAIT_LOCK)


# ---- Rounds --------------------------------------------------------------------------------------
#
# The rounds of a step: process the states of a pass in one thread or in several.
#
# A pass has one function to expand states and one to insert their children. Here is the order of
# the calls, when they stop, and where several threads share the work.

cdef enum:
    CHUNK = 64  # states between two looks at the watch
    RATE = 16  # of a watch

cdef enum Reason:
    """The reason why a function returned."""
    TAKEN  # all work is done
    SHARE  # several threads may do the next tasks
    OUTGROWN  # a layer exceeds the initial capacity, for the first time
    STOPPED  # the watch stopped it, or another thread
    NO_MEMORY  # the arena has refused memory

cdef enum Phase:
    """The phase of a step."""
    OUTSIDE  # between two steps
    PARTITIONING  # between two rounds
    EXPANDING  # slices are expanded
    INSERTING  # their children are inserted

# Add the children of some states to their slice.
ctypedef void (*Expand)(void *owner, int slice, Run states) noexcept nogil
# Insert the children of a batch in a shard, which has room for them.
ctypedef void (*Insert)(void *owner, int shard, Batch *batch) noexcept nogil
# End a step and begin the next one; TAKEN if no step continues at once.
ctypedef Reason (*NextStep)(void *owner) noexcept nogil

cdef struct Rounds:
    Shards shards  # the states
    Expand expand
    Insert insert
    NextStep next_step
    void *owner  # the first argument of all three
    int children  # of a state, at most
    Phase phase  # of the step
    Team *team  # of threads that share the tasks
    uint32_t claimed  # mask of the tasks taken by a thread
    bint stopped  # whether all threads must stop
    bint foreseeable  # whether to return at the first growth of a layer


# -- by any thread --


cdef inline Reason expand_slice(Rounds *r, int number, StopToken *watch) noexcept nogil:
    """Expand the rest of a slice."""
    cdef Slice *slice = &r.shards.slices[number]
    while slice.states.left:
        if r.stopped or watch_stops(watch):
            return STOPPED
        r.expand(r.owner, number, slice_run(&r.shards, slice, CHUNK))
    return TAKEN


cdef inline Reason fill_shard(Rounds *r, int shard, StopToken *watch) noexcept nogil:
    """Insert all that waits for a shard."""
    cdef Store *store = &r.shards.stores[shard]
    cdef Batch *batch = shards_waiting(&r.shards, shard)
    while batch != NULL:
        if r.stopped or watch_stops(watch):
            return STOPPED
        if not shards_ready(&r.shards, shard):
            return NO_MEMORY
        if r.foreseeable and r.shards.after == 1 and (
            store.after.count + batch.waiting > store.after.capacity // store.stride
        ):
            r.foreseeable = False
            return OUTGROWN
        if not shards_reserve(&r.shards, shard, batch.waiting, watch):
            return NO_MEMORY if watch.why == GOES_ON else STOPPED
        batch_fetch(store, batch)
        if batch.following != NULL:
            batch_fetch_table(store, batch.following)
        r.insert(r.owner, shard, batch)
        shards_inserted(&r.shards, shard)
        batch = shards_waiting(&r.shards, shard)
    return TAKEN


cdef inline int rounds_tasks(Rounds *r) noexcept nogil:
    """Return the number of tasks that threads may do now."""
    return r.shards.num_slices if r.phase == EXPANDING else r.shards.after


cdef inline Reason rounds_do(Rounds *r, int task, StopToken *watch) noexcept nogil:
    return expand_slice(r, task, watch) if r.phase == EXPANDING else fill_shard(r, task, watch)


# -- by one thread --


cdef inline void rounds_begin(Rounds *r) noexcept nogil:
    """Begin a step."""
    shards_begin(&r.shards)
    r.phase = PARTITIONING


cdef inline bint rounds_left(Rounds *r) noexcept nogil:
    """Return whether a task is left."""
    cdef int k
    for k in range(rounds_tasks(r)):
        if r.phase == EXPANDING:
            if r.shards.slices[k].states.left:
                return True
        elif shards_waiting(&r.shards, k) != NULL:
            return True
    return False


cdef inline Reason rounds_step(Rounds *r, bint shared, StopToken *watch) noexcept nogil:
    """Do the rest of a step, between `rounds_begin` and `shards_swap`.

    With ``shared``, return where the layer is wide, so that threads can share the `rounds_tasks`.
    The next call continues after these tasks.
    """
    cdef Reason reason
    cdef int k
    while True:
        if r.phase == PARTITIONING:
            if not shards_partition(&r.shards, r.children):
                return NO_MEMORY
            if r.shards.num_slices == 0:
                r.phase = OUTSIDE
                return TAKEN
            r.phase = EXPANDING
        if shared and r.shards.after > 1 and rounds_left(r):
            return SHARE
        for k in range(rounds_tasks(r)):
            reason = rounds_do(r, k, watch)
            if reason != TAKEN:
                return reason
        r.phase = INSERTING if r.phase == EXPANDING else PARTITIONING


# -- by several threads --


cdef inline void rounds_share(Rounds *r) noexcept nogil:
    """Prepare for threads that call `rounds_together`."""
    r.claimed = 0
    team_begin(r.team)


cdef inline int rounds_claim(Rounds *r, int member) noexcept nogil:
    """Return a task for a member of the team, or -1 if none is left.

    Each member always begins at the same task: the children of a shard are mostly in the cache of
    the member that inserted them.
    """
    cdef int tasks, first, k, task, found = -1
    team_lock(r.team)
    tasks = 0 if r.team.over else rounds_tasks(r)
    first = tasks * member // r.team.members
    for k in range(tasks):
        task = (first + k) % tasks
        if not r.claimed >> task & 1:
            r.claimed |= <uint32_t>1 << task
            found = task
            break
    team_unlock(r.team)
    return found


cdef inline Reason rounds_next(Rounds *r) noexcept nogil:
    """Begin the next tasks when all are done. Return `SHARE` if there are any."""
    cdef Reason reason = SHARE
    r.claimed = 0
    if r.phase == EXPANDING:
        r.phase = INSERTING
        return SHARE
    r.phase = PARTITIONING
    while reason == SHARE and r.shards.after > 1:
        if not shards_partition(&r.shards, r.children):
            return NO_MEMORY
        if r.shards.num_slices:
            r.phase = EXPANDING
            return SHARE
        reason = r.next_step(r.owner)
    return TAKEN if reason == SHARE else reason


cdef inline Reason rounds_together(Rounds *r, StopToken *watch) noexcept nogil:
    """Do tasks together with all other threads that call this, until the team is done."""
    cdef Reason reason = TAKEN  # why this member ends, or SHARE if it goes on
    cdef int task, member = team_join(r.team)
    if member < 0:
        return TAKEN
    while True:
        task = rounds_claim(r, member)
        if task >= 0:
            reason = rounds_do(r, task, watch)
            if reason == TAKEN:
                continue
        team_lock(r.team)
        if reason != TAKEN:
            r.stopped = True
        elif not r.team.over and not r.stopped:
            if not team_last(r.team, member):
                team_wait(r.team, member)
                continue
            reason = rounds_next(r)
            r.team.over = reason != SHARE
        team_wake(r.team)
        team_unlock(r.team)
        if reason != SHARE:
            return reason
        reason = TAKEN

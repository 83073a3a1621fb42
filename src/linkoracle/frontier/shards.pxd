"""A layer in shards: several threads take one step of a pass.

A wide layer is dealt out in `SHARDS` stores; a narrow one is in a single store. Some bits of a state,
its *key*, say which shard it is in. They should be bits that steps leave alone for a while: most
states then stay in the shard of the state that they come from, and states that resemble each other
stay neighbours, on which the speed of caches and of predicted branches rests. A step goes in *rounds*. In each, the next states of the layer before are dealt out in
*slices*, and

* first, the states of each slice are *expanded*: what they lead to waits in batches, of one shard
  each. A slice writes to nothing but these;
* then, what waits for a shard is *entered* there, slice by slice. Nothing else writes to its store.

So slices can be expanded at the same time, and then shards filled at the same time. A shard gets
its states in the order of the states that they come from, whatever the slices were: the order of
records does not depend on how many threads there are.

How a pass uses it::

    shards_open(...); shards_first(...)          # the first layer
    shards_begin(...)                            # before each step
    while shards_deal(...) and shards.num_slices:
        for each slice:                          # at the same time
            while slice.left: record = slice_next(...)
                payload = slice_add(...)         # for each state that it leads to
        for each shard below shards.after:       # at the same time
            while (batch := shards_waiting(...)) != NULL:
                shards_reserve(...); batch_fetch(...)
                for each child: store_enter(...) # join with what the child carries
                shards_entered(...)
    shards_turn(...)                             # after each step

Whatever stops in between goes on where it was. What needs memory locks the arena.
"""

from cpython.pythread cimport (
    WAIT_LOCK, PyThread_acquire_lock, PyThread_release_lock, PyThread_type_lock
)
from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from linkoracle.core.arena cimport Arena, arena_release, arena_take
from linkoracle.core.watch cimport Watch
from linkoracle.frontier.store cimport (
    Store, store_begin, store_enter, store_hash, store_list, store_open, store_payload,
    store_record, store_room, store_shrink, store_trim, store_turn, store_widen
)

cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define linkoracle_fetch(address) __builtin_prefetch(address, 1)
    #else
    #define linkoracle_fetch(address) ((void)(address))
    #endif
    """
    void linkoracle_fetch(const void *address)

cdef enum:
    SHARDS = 16  # of a wide layer
    SHARD_SHIFT = 60  # bits of a key's hash below those that say which shard
    SLICES = 16  # of a round, at most
    NARROW_SLICE = 256  # states of a slice whose children go to a single store
    WIDE_SLICE = 1 << 12  # states of any other, at most
    BATCH = 64  # children of a batch


cdef struct Batch:
    Batch *following  # the next one of the same slice and shard, or NULL
    uint64_t *records  # of the children: states, and what they carry
    uint64_t *end  # of these
    int waiting  # children in it
    uint32_t hashes[BATCH]  # of their states


cdef struct Slice:
    int shard  # where the state that comes next is,
    size_t index  # and which record of the layer before it is there
    size_t left  # states that are still to be expanded
    char *batches  # memory for all that its states can lead to
    size_t room  # bytes of it
    size_t used  # of these
    Batch *first[SHARDS]  # what waits for each shard, or NULL
    Batch *last[SHARDS]


cdef struct Run:
    int states  # one behind the other
    const uint64_t *record  # of the first
    int stride  # words from one to the next
    size_t row  # number of the first in the layer before
    int rows  # from one to the next


cdef struct Entering:
    Batch *batch  # what is to be entered next, NULL before the first of a slice
    int slice  # the slice that comes after that


cdef struct Shards:
    Arena *arena  # where all memory comes from
    PyThread_type_lock lock  # of the arena, while several threads are in a round
    Store stores[SHARDS]
    size_t wide  # states before a step from which on the layer after it is dealt out
    uint64_t *key  # the bits of a state that say which shard it is in; a pass sets them for a step
    int before  # stores that the layer before is in
    int after  # stores that the layer after is in
    int words  # of a state
    int carried  # words that a child brings besides its state: its payload, or one of other use
    size_t states  # of the layer before
    size_t dealt  # of these, in this round and those before
    int shard  # where the next of them is,
    size_t index  # and which record it is there
    int num_slices  # of this round
    Slice slices[SLICES]
    Entering entering[SHARDS]


cdef inline bint shards_open(
    Shards *s,
    Arena *arena,
    PyThread_type_lock lock,
    size_t wide,
    int words,
    int payload,
    size_t records,
) noexcept nogil:
    """Begin with room for so many records in each of two layers. Needs ``words`` > 0."""
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
    store_enter(store, state, store_hash(state, store.words) & (store.places - 1), &fresh)
    store_turn(store)
    s.states = 1
    return store_payload(store, &store.before, 0)


cdef inline size_t shards_row(int shards, int shard, size_t index) noexcept nogil:
    """The number of a record within its layer; where shards differ in size, some are left out."""
    return index * shards + shard


cdef inline size_t shards_rows(Shards *s, bint after) noexcept nogil:
    """One more than the largest number of a record of the layer before, or ``after``."""
    cdef size_t most = 0
    cdef int k
    for k in range(SHARDS):
        most = max(most, s.stores[k].after.count if after else s.stores[k].before.count)
    return most * (s.after if after else s.before)


# ---- steps and rounds ----------------------------------------------------------------------------


cdef inline bint shards_begin(Shards *s) noexcept nogil:
    """Begin a step; False if there is no memory."""
    cdef size_t expected
    cdef int k
    s.after = SHARDS if s.states >= s.wide else 1
    expected = s.states // s.after
    for k in range(SHARDS):
        s.stores[k].after.count = 0
    for k in range(s.after):
        # What held a whole layer is too large for a shard of one.
        if s.after > 1:
            store_shrink(&s.stores[k], 8 * (expected + BATCH))
        if not store_begin(&s.stores[k], expected):
            return False
    s.dealt = s.index = 0
    s.shard = s.num_slices = 0
    return True


cdef inline size_t batch_bytes(Shards *s) noexcept nogil:
    return sizeof(Batch) + BATCH * (s.words + s.carried) * sizeof(uint64_t)


cdef inline bint slice_open(
    Shards *s, Slice *slice, size_t size, int children, size_t most
) noexcept nogil:
    """Room for what ``size`` states lead to, ``children`` each; False if it is above ``most``."""
    cdef size_t bytes = (size * children // BATCH + 1 + s.after) * batch_bytes(s)
    if bytes <= slice.room:
        return True
    if bytes > most:
        return False
    arena_release(s.arena, slice.batches)
    slice.room = 0
    slice.batches = <char *>arena_take(s.arena, bytes, 1)
    if slice.batches == NULL:
        return False
    slice.room = bytes
    return True


cdef inline void slice_fill(Shards *s, Slice *slice, size_t size) noexcept nogil:
    """Give a slice the states that come next."""
    cdef int k
    cdef size_t here
    slice.shard, slice.index, slice.left, slice.used = s.shard, s.index, size, 0
    for k in range(s.after):
        slice.first[k] = slice.last[k] = NULL
    s.dealt += size
    while size:
        here = min(size, s.stores[s.shard].before.count - s.index)
        s.index += here
        size -= here
        if size:
            s.shard += 1
            s.index = 0


cdef inline bint shards_deal(Shards *s, int slices, int children) noexcept nogil:
    """Deal out states in at most so many slices; each has at most so many ``children``.

    False if there is no memory. None are left when there are no slices then.
    """
    cdef size_t size = NARROW_SLICE, spare = (s.arena.limit - s.arena.used) // 16
    cdef bint refused = s.arena.refused
    cdef int k
    if s.after == 1:
        slices = 1
    else:
        size = max(NARROW_SLICE, min(<size_t>WIDE_SLICE, (s.states - s.dealt) // slices + 1))
    # Memory is for states. Where it is scarce, slices are small and few.
    while size > NARROW_SLICE and not slice_open(s, &s.slices[0], size, children, spare):
        size //= 2
    s.arena.refused = refused
    if not slice_open(s, &s.slices[0], size, children, s.arena.limit):
        return False
    s.num_slices = 0
    while s.num_slices < slices and s.dealt < s.states:
        if not slice_open(s, &s.slices[s.num_slices], size, children, spare // slices):
            s.arena.refused = refused
            break
        slice_fill(s, &s.slices[s.num_slices], min(size, s.states - s.dealt))
        s.num_slices += 1
    for k in range(s.after):
        s.entering[k].batch, s.entering[k].slice = NULL, 0
    return True


cdef inline bint shards_widen(Shards *s) noexcept nogil:
    """Between two steps: one word more, 0, behind each payload. After False, to be called again."""
    cdef int k
    for k in range(SHARDS):
        if s.stores[k].payload == s.carried and not store_widen(&s.stores[k]):
            return False
    s.carried += 1
    return True


cdef inline void shards_turn(Shards *s) noexcept nogil:
    """End a step."""
    cdef int k
    s.before, s.states = s.after, 0
    for k in range(SHARDS):
        store_turn(&s.stores[k])
        s.states += s.stores[k].before.count


cdef inline void shards_trim(Shards *s) noexcept nogil:
    """Between two steps: give back all memory of states but that of `before`. It is taken again."""
    cdef int k
    for k in range(SHARDS):
        store_trim(&s.stores[k])


# ---- expanding -----------------------------------------------------------------------------------


cdef inline Run slice_run(Shards *s, Slice *slice, int states) noexcept nogil:
    """Take the next states of a slice, ``states`` at most and at least one. Some must be left."""
    cdef Run run
    cdef Store *store = &s.stores[slice.shard]
    while slice.index == store.before.count:
        slice.shard += 1
        slice.index = 0
        store = &s.stores[slice.shard]
    run.states = <int>min(<size_t>states, min(slice.left, store.before.count - slice.index))
    run.record = store_record(store, &store.before, slice.index)
    run.stride = store.stride
    run.row = shards_row(s.before, slice.shard, slice.index)
    run.rows = s.before
    slice.index += run.states
    slice.left -= run.states
    return run


cdef inline Batch *slice_batch(Shards *s, Slice *slice, int shard) noexcept nogil:
    """A new batch. There is memory for it: see `slice_open`."""
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


cdef inline uint64_t *slice_add(Shards *s, Slice *slice, const uint64_t *state) noexcept nogil:
    """Let a child wait for its shard; return where to write what it carries."""
    cdef int words = s.words, shard = 0, k
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


# ---- entering ------------------------------------------------------------------------------------


cdef inline Batch *shards_waiting(Shards *s, int shard) noexcept nogil:
    """What is to be entered next in a shard, NULL if nothing is left."""
    cdef Entering *at = &s.entering[shard]
    while at.batch == NULL and at.slice < s.num_slices:
        at.batch = s.slices[at.slice].first[shard]
        at.slice += 1
    return at.batch


cdef inline void shards_entered(Shards *s, int shard) noexcept nogil:
    """What `shards_waiting` gave has been entered."""
    s.entering[shard].batch = s.entering[shard].batch.following


cdef inline bint shards_reserve(
    Shards *s, int shard, size_t extra, Watch *watch
) noexcept nogil:
    """Make room for ``extra`` more states; False if there is no memory or the watch stops it."""
    cdef Store *store = &s.stores[shard]
    cdef bint granted
    if store.after.count + extra <= store.most:
        return True
    PyThread_acquire_lock(s.lock, WAIT_LOCK)
    granted = store_room(store, extra)
    PyThread_release_lock(s.lock)
    return granted and store_list(store, watch)


cdef inline void batch_fetch_table(Store *store, Batch *batch) noexcept nogil:
    """Ask for the places of the table where the children are looked for first."""
    cdef size_t mask = store.places - 1
    cdef int k
    for k in range(batch.waiting):
        linkoracle_fetch(&store.table[batch.hashes[k] & mask])


cdef inline void batch_fetch(Store *store, Batch *batch) noexcept nogil:
    """Then, some time later, for the records that are found there."""
    cdef size_t mask = store.places - 1
    cdef uint32_t found
    cdef int k
    for k in range(batch.waiting):
        found = store.table[batch.hashes[k] & mask]
        if found:
            linkoracle_fetch(store_record(store, &store.after, found - 1))

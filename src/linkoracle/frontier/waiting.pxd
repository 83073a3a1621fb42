"""Move children from the slice of their parents to their shard.

A slice adds its children to batches, each for one shard. The shard inserts them later, from the
first slice to the last, and those of a slice in the order in which it added them.
"""

from cpython.pythread cimport WAIT_LOCK, PyThread_acquire_lock, PyThread_release_lock
from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from linkoracle.core.watch cimport StopToken
from linkoracle.frontier.shards cimport (
    BATCH, SHARD_SHIFT, Batch, Inserting, Lane, Run, Shards, Slice, batch_bytes, lane_take,
    shards_row
)
from linkoracle.frontier.store cimport (
    Store, store_begin, store_grow, store_hash, store_list, store_places, store_record
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

# ---- expanding -----------------------------------------------------------------------------------


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


# ---- inserting -----------------------------------------------------------------------------------


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

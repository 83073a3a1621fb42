"""Children between the slice that they come from and the shard that they are for.

A slice adds its children to batches, of one shard each. They wait there until the shard gets them:
from the first slice to the last, and of each slice in the order in which it added them.
"""

from cpython.pythread cimport WAIT_LOCK, PyThread_acquire_lock, PyThread_release_lock
from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

from linkoracle.core.watch cimport StopToken
from linkoracle.frontier.shards cimport (
    BATCH, SHARD_SHIFT, Batch, Entering, Lane, Run, Shards, Slice, batch_bytes, lane_take, shards_row
)
from linkoracle.frontier.store cimport (
    Store, store_begin, store_hash, store_list, store_places, store_record, store_room
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
    """Take the next states of a slice, ``states`` at most and at least one. Some must be left."""
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


cdef inline bint shards_ready(Shards *s, int shard) noexcept nogil:
    """Before a shard is entered: make its store ready for the step; False if there is no memory."""
    cdef Store *store = &s.stores[shard]
    cdef Entering *at = &s.entering[shard]
    cdef size_t expected = s.states // s.after
    if not at.ready:
        if store_places(expected) <= store.table_room:
            at.ready = store_begin(store, expected)
        else:
            PyThread_acquire_lock(s.lock, WAIT_LOCK)
            at.ready = store_begin(store, expected)
            PyThread_release_lock(s.lock)
    return at.ready


cdef inline bint shards_reserve(
    Shards *s, int shard, size_t extra, StopToken *watch
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

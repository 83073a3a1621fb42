"""The states of a frontier pass: two layers of records, and a table that finds states again.

A *record* is a state, ``words`` words of 64 bits, followed by its *payload*, ``payload`` words with
the data of the state: limbs of a count, or two families. A layer has its records in the order of
insertion. A step reads the layer ``before`` and inserts states into the layer ``after``; then the
two layers are swapped.

How a pass uses it::

    store_open(...)                              # two layers and a table; nothing in them
    store_insert(...); store_swap(...)            # the first layer
    store_begin(...)                             # before each step
    for each record of store.before:             # store_record(store, &store.before, index)
        store_reserve(store, children, &watch)   # room for its children
        place = store_place(store, state)
        index = store_insert(store, state, words, place, &fresh)
        payload = store_payload(store, &store.after, index)
        ...                                      # fill it if fresh, else join with it
    store_swap(...)                              # after each step

A function that returns False has set ``arena.refused`` and left the store as it was.
`store_reserve` also returns False if its watch stops it. In both cases it may be called again.

A lookup costs two random accesses to memory, to the table and to a record. In a large layer both
miss every cache. So `shards` inserts states in batches, into several stores for several threads.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from linkoracle.core.arena cimport Arena, arena_release, arena_resize, arena_take
from linkoracle.core.watch cimport StopToken, watch_stops

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

"""Lists by key, one behind the other: which items belong to each key.

`Index.start` is zeros at first, two more than there are keys. Call `count_item` for each pair of a
key and an item that belongs to it, `place_items` once, and `add_item` for each such pair again. Then
the items of a key are ``found[start[key]]`` up to ``found[start[key + 1]]``, in the order in which
they were added.
"""

from libc.stdint cimport int32_t, int64_t


cdef struct Index:
    int32_t *start
    int32_t *found


cdef inline void count_item(Index *index, int64_t key) noexcept nogil:
    index.start[key + 2] += 1


cdef inline int32_t place_items(Index *index, int64_t keys) noexcept nogil:
    """Find where the items of each key begin; how many items there are."""
    cdef int64_t key
    for key in range(keys):
        index.start[key + 2] += index.start[key + 1]
    return index.start[keys + 1]


cdef inline void add_item(Index *index, int64_t key, int32_t item) noexcept nogil:
    # Until all are added, a list begins where `start` has the next one.
    index.found[index.start[key + 1]] = item
    index.start[key + 1] += 1

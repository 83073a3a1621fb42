"""Lists by key, one behind the other: which items belong to each key.

Where a key's items begin is an array of zeros at first, two longer than there are keys. Call
`count_item` for each pair of a key and an item that belongs to it, `place_items` once, and
`add_item` for each such pair again. Then the items of a key are ``found[start[key]]`` up to
``found[start[key + 1]]``, in the order in which they were added.
"""

from libc.stdint cimport int32_t, int64_t


cdef inline void count_item(int32_t *start, int64_t key) noexcept nogil:
    start[key + 2] += 1


cdef inline int32_t place_items(int32_t *start, int64_t keys) noexcept nogil:
    """Find where the items of each key begin; how many items there are."""
    cdef int64_t key
    for key in range(keys):
        start[key + 2] += start[key + 1]
    return start[keys + 1]


cdef inline void add_item(int32_t *start, int32_t *found, int64_t key, int32_t item) noexcept nogil:
    # Until all are added, a list begins where `start` has the next one.
    found[start[key + 1]] = item
    start[key + 1] += 1

"""Arrays from Python, checked and copied: no index is followed that is not in range."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t

from linkoracle.core.arena cimport Arena, arena_error, arena_take
from linkoracle.deduce.kernel.state cimport Index


cdef inline void *room(Arena *arena, Py_ssize_t count, size_t size) except NULL:
    """Zeros for so many items; raises `MemoryLimit` if that is too much."""
    cdef void *taken = arena_take(arena, <size_t>count, size)
    if taken == NULL:
        arena_error(arena, "the deduction")
    return taken


cdef inline int load(
    int32_t *into,
    Py_ssize_t stride,
    object array,
    Py_ssize_t rows,
    Py_ssize_t width,
    int64_t low,
    int64_t below,
    str name,
) except -1:
    """Copy rows of numbers to every ``stride``-th place.

    Raises ``ValueError`` for another shape, or a number that is not from ``low`` to below ``below``.
    """
    cdef const int64_t[::1] numbers = array.reshape(-1)
    cdef Py_ssize_t row, column
    cdef int64_t number
    if numbers.shape[0] != rows * width:
        raise ValueError(f"expected {rows} rows of {width} {name}, got {numbers.shape[0]} numbers")
    for row in range(rows):
        for column in range(width):
            number = numbers[row * width + column]
            if not low <= number < below:
                raise ValueError(f"expected {name} from {low} to {below - 1}, got {number}")
            into[row * stride + column] = <int32_t>number
    return 0


cdef inline int32_t *loaded(
    Arena *arena, object array, Py_ssize_t count, int64_t low, int64_t below, str name
) except NULL:
    """A copy of so many numbers; raises as `load` does."""
    cdef int32_t *into = <int32_t *>room(arena, count, sizeof(int32_t))
    load(into, 1, array, count, 1, low, below, name)
    return into


cdef inline uint8_t *loaded_small(
    Arena *arena, const uint8_t[::1] numbers, Py_ssize_t count, int below, str name
) except NULL:
    """A copy of so many small numbers; raises as `load` does."""
    cdef uint8_t *into = <uint8_t *>room(arena, count, sizeof(uint8_t))
    cdef Py_ssize_t at
    if numbers.shape[0] != count:
        raise ValueError(f"expected {count} {name}, got {numbers.shape[0]}")
    for at in range(count):
        if numbers[at] >= below:
            raise ValueError(f"expected {name} below {below}, got {numbers[at]}")
        into[at] = numbers[at]
    return into


cdef inline int load_index(
    Index *index, Arena *arena, object start, object found, Py_ssize_t keys, int64_t below, str name
) except -1:
    """Copy an index of items below ``below``; raises as `load` does."""
    cdef Py_ssize_t size = found.size, key
    if size > <Py_ssize_t>0x7FFFFFFF:
        raise ValueError(f"expected fewer {name}, got {size}")
    index.start = loaded(arena, start, keys + 1, 0, size + 1, f"places of {name}")
    index.found = loaded(arena, found, size, 0, below, name)
    for key in range(keys):
        if index.start[key] > index.start[key + 1]:
            raise ValueError(f"expected {name} in order")
    return 0

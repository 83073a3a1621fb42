"""What is loaded into a board's memory: room, numbers from Python, indexes."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy

from cpython.number cimport PyNumber_Index

from linkoracle.core.arena cimport Arena, arena_error, arena_take
from linkoracle.core.index cimport Index, add_item, count_item, place_items


cdef inline void *room(Arena *arena, Py_ssize_t count, size_t size) except NULL:
    """Allocate zeros; raise `MemoryLimit` if that is too much."""
    cdef void *taken = arena_take(arena, <size_t>count, size)
    if taken == NULL:
        arena_error(arena, "the deduction")
    return taken


cdef inline uint8_t *loaded(
    Arena *arena, bytes numbers, Py_ssize_t count, int below, str name
) except NULL:
    """Copy small numbers; raise ``ValueError`` for a wrong length or a number that is too large."""
    cdef uint8_t *into = <uint8_t *>room(arena, count, sizeof(uint8_t))
    cdef const uint8_t *given = numbers
    cdef Py_ssize_t at
    if len(numbers) != count:
        raise ValueError(f"expected {count} {name}, got {len(numbers)}")
    for at in range(count):
        if given[at] >= below:
            raise ValueError(f"expected {name} below {below}, got {given[at]}")
    memcpy(into, given, count)
    return into


cdef inline int begin_index(Index *index, Arena *arena, Py_ssize_t keys) except -1:
    """An index of items by key: see `linkoracle.core.index`, and `take_items`."""
    index.start = <int32_t *>room(arena, keys + 2, sizeof(int32_t))
    return 0


cdef inline int take_items(Index *index, Arena *arena, Py_ssize_t keys) except -1:
    """Make room for the items that were counted, and place them."""
    cdef int32_t items = place_items(index, keys)
    index.found = <int32_t *>room(arena, items, sizeof(int32_t))
    return 0


cdef inline int index_rows(
    Index *index, Arena *arena, Py_ssize_t keys, const int32_t *key, Py_ssize_t rows,
    Py_ssize_t stride, int width
) except -1:
    """By key, the rows that have it among their first ``width`` numbers; below 0 is none."""
    cdef Py_ssize_t row
    cdef int k
    begin_index(index, arena, keys)
    for row in range(rows):
        for k in range(width):
            if key[row * stride + k] >= 0:
                count_item(index, key[row * stride + k])
    take_items(index, arena, keys)
    for row in range(rows):
        for k in range(width):
            if key[row * stride + k] >= 0:
                add_item(index, key[row * stride + k], <int32_t>row)
    return 0


cdef inline list numbers(object given, int64_t below, str what):
    """Whole numbers as a list; ``ValueError`` for one that is not from 0 to below ``below``."""
    cdef list found = []
    cdef int64_t number
    for one in given:
        try:
            number = PyNumber_Index(one)
        except (TypeError, OverflowError):
            number = -1
        if not 0 <= number < below:
            raise ValueError(f"expected {what} from 0 to {below - 1}, got {one!r}")
        found.append(number)
    return found


cdef inline list listed(const int32_t *number):
    """Numbers up to the one below 0 that ends them."""
    cdef inline list found = []
    while number[0] >= 0:
        found.append(number[0])
        number += 1
    return found

"""Load data into the memory of a board: arrays, numbers from Python, indexes."""

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
    """Begin an index of items by key: see `linkoracle.core.index`, and `take_items`."""
    index.start = <int32_t *>room(arena, keys + 2, sizeof(int32_t))
    return 0


cdef inline int take_items(Index *index, Arena *arena, Py_ssize_t keys) except -1:
    """Allocate memory for the items that were counted, and place them."""
    cdef int32_t items = place_items(index, keys)
    index.found = <int32_t *>room(arena, items, sizeof(int32_t))
    return 0


cdef inline int index_rows(
    Index *index, Arena *arena, Py_ssize_t keys, const int32_t *key, Py_ssize_t rows,
    Py_ssize_t stride, int width
) except -1:
    """Index rows by each of their first ``width`` numbers; numbers below 0 are not keys."""
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
    """Return whole numbers as a list; ``ValueError`` for one outside 0 to ``below - 1``."""
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
    """Return the numbers before the first negative one."""
    cdef inline list found = []
    while number[0] >= 0:
        found.append(number[0])
        number += 1
    return found

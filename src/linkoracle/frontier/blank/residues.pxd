"""Whole numbers modulo a prime below 2^62, added and multiplied by a fixed weight."""

from libc.stddef cimport size_t
from libc.stdint cimport uint32_t, uint64_t

cdef extern from * nogil:
    """
    #include <stdint.h>
    #ifdef _MSC_VER
    #include <intrin.h>
    #define linkoracle_high(a, b) __umulh((a), (b))
    #else
    #define linkoracle_high(a, b) ((uint64_t)(((unsigned __int128)(a) * (b)) >> 64))
    #endif
    static inline uint64_t linkoracle_plus(uint64_t a, uint64_t b, uint64_t prime) {
        /* Without the prime, the total is below 2^63: the highest bit shows that it is negative. */
        uint64_t total = a + b - prime;
        return total + (prime & (0 - (total >> 63)));
    }
    /* V. Shoup's way: ratio is weight * 2^64 / prime, rounded down. */
    static inline uint64_t linkoracle_times(
        uint64_t a, uint64_t weight, uint64_t ratio, uint64_t prime
    ) {
        uint64_t product = a * weight - linkoracle_high(a, ratio) * prime;
        return product >= prime ? product - prime : product;
    }
    """
    uint64_t linkoracle_plus(uint64_t a, uint64_t b, uint64_t prime)
    uint64_t linkoracle_times(uint64_t a, uint64_t weight, uint64_t ratio, uint64_t prime)


cdef struct Field:
    uint64_t prime
    uint64_t weight  # of a vertex that is left out
    uint64_t ratio  # ``weight * 2**64 // prime``


cdef inline uint64_t plus(const Field *field, uint64_t a, uint64_t b) noexcept nogil:
    return linkoracle_plus(a, b, field.prime)


cdef inline uint64_t weighed(const Field *field, uint64_t a) noexcept nogil:
    """Multiply a number by the weight."""
    if field.weight == 1:
        return a
    return linkoracle_times(a, field.weight, field.ratio, field.prime)


cdef inline void add_to(
    uint64_t prime, uint64_t *totals, const uint64_t *numbers, size_t count
) noexcept nogil:
    cdef size_t k
    for k in range(count):
        totals[k] = linkoracle_plus(totals[k], numbers[k], prime)


cdef inline void add_moved(
    uint64_t prime, uint64_t *totals, const uint32_t *places, const uint64_t *numbers, size_t count
) noexcept nogil:
    """Add each number to the total at its place."""
    cdef size_t k
    for k in range(count):
        totals[places[k]] = linkoracle_plus(totals[places[k]], numbers[k], prime)

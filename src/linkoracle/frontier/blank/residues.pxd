"""Whole numbers modulo a prime below 2^62, added and multiplied by a fixed weight."""

from libc.stdint cimport uint64_t

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


cdef inline uint64_t weighed_often(const Field *field, uint64_t a, int vertices) noexcept nogil:
    """Multiply a number by the weights of some vertices."""
    cdef int k
    for k in range(vertices):
        a = weighed(field, a)
    return a


cdef inline int field_open(Field *field, object prime, object weight) except -1:
    """Raise ``ValueError`` for an invalid prime or weight."""
    if not 2 <= prime < 1 << 62 or not 0 <= weight < prime:
        raise ValueError("expected a prime below 2**62, and a weight below that")
    field.prime, field.weight = prime, weight
    field.ratio = (int(weight) << 64) // int(prime)
    return 0

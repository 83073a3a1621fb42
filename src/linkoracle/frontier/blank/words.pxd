"""Words of a frontier, and their numbers modulo a prime: what the passes of blank boards share.

A word has a symbol at each place, two bits each, the first place lowest. Symbols of the left and
the right end of a path nest like parentheses. The numbers are residues modulo a prime below 2^62,
added and multiplied by a fixed weight.

Contents
    Words    symbols, the other end of a path, and ends whose paths go on in the other half
    Numbers  residues, their sums, and their products with a weight
"""

from libc.stdint cimport uint64_t


# ---- Words ---------------------------------------------------------------------------------------

cdef enum:
    OPEN = 1  # symbols: the left and the right end of a path
    CLOSE = 2


cdef inline int symbol_at(uint64_t code, int place) noexcept nogil:
    return <int>(code >> (2 * place) & 3)


cdef inline uint64_t put(uint64_t code, int place, int symbol) noexcept nogil:
    """Return the word with this symbol at a place."""
    return code & ~(<uint64_t>3 << (2 * place)) | <uint64_t>symbol << (2 * place)


cdef inline int partner_of(uint64_t code, int place, int length) noexcept nogil:
    """Return the place of the other end of the path with an end here, or -1 - its depth if beyond.

    The depth is the number of ends on the way whose paths go on beyond, too.
    """
    cdef int near = symbol_at(code, place), step = 1 if near == OPEN else -1, depth = 0, symbol
    place += step
    while 0 <= place < length:
        symbol = symbol_at(code, place)
        if symbol == near:
            depth += 1
        elif symbol == OPEN + CLOSE - near:
            if depth == 0:
                return place
            depth -= 1
        place += step
    return -1 - depth


cdef inline int end_beyond(uint64_t code, int length, bint right, int depth) noexcept nogil:
    """Return the place of the end, of a path that goes on in the other half, at this depth, or -1.

    The half is the ``right`` one or the left one; depths count from the other half.
    """
    cdef int at, place, inside = 0, symbol
    cdef int outer = CLOSE if right else OPEN
    for at in range(length):
        place = at if right else length - 1 - at
        symbol = symbol_at(code, place)
        if symbol == OPEN + CLOSE - outer:
            inside += 1
        elif symbol == outer and inside:
            inside -= 1
        elif symbol == outer:
            if depth == 0:
                return place
            depth -= 1
    return -1


# ---- Numbers -------------------------------------------------------------------------------------

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

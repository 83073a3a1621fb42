"""The bits of a word, and whole numbers of several 64-bit words, *limbs*, the lowest first."""

from libc.stdint cimport uint64_t


cdef inline int bits_set(uint64_t word) noexcept nogil:
    """How many bits of a word are 1."""
    cdef int number = 0
    while word:
        word &= word - 1
        number += 1
    return number


cdef inline uint64_t limbs_add(uint64_t *total, const uint64_t *number, int limbs) noexcept nogil:
    """Add ``number`` to ``total``; return the carry, 0 or 1, out of the last limb."""
    cdef uint64_t carry = 0, part, summed
    cdef int k
    for k in range(limbs):
        part = number[k] + carry
        # At most one of the two additions overflows: the first only if it gives 0.
        summed = total[k] + part
        carry = (part < carry) | (summed < part)
        total[k] = summed
    return carry


cdef inline int limbs_bits(const uint64_t *number, int limbs) noexcept nogil:
    """Bits of ``number``: the least b with ``number < 2**b``."""
    cdef int bits = 64 * limbs
    while bits > 0 and not number[(bits - 1) >> 6] >> ((bits - 1) & 63) & 1:
        bits -= 1
    return bits

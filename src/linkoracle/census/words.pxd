"""Loops over the words of a bitset, which the compiler makes vector instructions of."""

from libc.stdint cimport uint64_t


cdef inline int ones(uint64_t word) noexcept nogil:
    """How many bits are set, without an instruction that not every processor has."""
    word -= word >> 1 & <uint64_t>0x5555555555555555
    word = (word & <uint64_t>0x3333333333333333) + (word >> 2 & <uint64_t>0x3333333333333333)
    word = (word + (word >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return word * <uint64_t>0x0101010101010101 >> 56


cdef inline void unite(uint64_t *low, const uint64_t *high, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t t
    for t in range(size):
        low[t] |= high[t]


cdef inline void close_words(uint64_t *words, Py_ssize_t size, Py_ssize_t least) noexcept nogil:
    """The passes for cells whose words lie ``least`` or more apart."""
    cdef Py_ssize_t step = size >> 1, start
    while step >= least:
        start = 0
        while start < size:
            unite(words + start, words + start + step, step)
            start += 2 * step
        step >>= 1


cdef inline void close_inside(uint64_t *words, Py_ssize_t size) noexcept nogil:
    """The passes for the cells of a word."""
    cdef Py_ssize_t t
    cdef uint64_t word
    for t in range(size):
        word = words[t]
        word |= (word & <uint64_t>0xFFFFFFFF00000000) >> 32
        word |= (word & <uint64_t>0xFFFF0000FFFF0000) >> 16
        word |= (word & <uint64_t>0xFF00FF00FF00FF00) >> 8
        word |= (word & <uint64_t>0xF0F0F0F0F0F0F0F0) >> 4
        word |= (word & <uint64_t>0xCCCCCCCCCCCCCCCC) >> 2
        word |= (word & <uint64_t>0xAAAAAAAAAAAAAAAA) >> 1
        words[t] = word

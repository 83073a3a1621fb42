"""Chunks of a bitset, and loops over words that the compiler vectorises."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

cdef enum:
    CHUNK = 64  # words


cdef struct Chunk:
    uint64_t[CHUNK] puzzles  # sets that are not bad
    uint64_t[CHUNK] minimal  # the puzzles from which no cell can be removed


cdef inline bint find_puzzles(
    const uint64_t *bad, Py_ssize_t start, Py_ssize_t words, int cells, Chunk *chunk
) noexcept nogil:
    """Copy one chunk of the complement; return whether it has a set."""
    cdef uint64_t some = 0, valid = ~<uint64_t>0
    cdef int t
    if cells < 6:
        valid = (<uint64_t>1 << (1 << cells)) - 1
    if words < CHUNK:
        memset(chunk.puzzles, 0, sizeof(chunk.puzzles))
        for t in range(words):
            chunk.puzzles[t] = ~bad[t] & valid
            some |= chunk.puzzles[t]
    else:
        for t in range(CHUNK):
            chunk.puzzles[t] = ~bad[start + t]
            some |= chunk.puzzles[t]
    return some != 0


cdef inline void remove(Chunk *chunk, int step) noexcept nogil:
    """Remove sets that are puzzles without a cell, whose words lie ``step`` apart."""
    cdef int first, t
    for first in range(CHUNK // 2 // step):
        for t in range(step):
            chunk.minimal[(2 * first + 1) * step + t] &= ~chunk.puzzles[2 * first * step + t]


cdef inline bint keep_minimal(const uint64_t *bad, Py_ssize_t start, Chunk *chunk) noexcept nogil:
    """Keep the puzzles of a chunk from which no cell can be removed; return whether any is left.

    Adding clues to a puzzle leaves it a puzzle, so it is enough to try all sets one cell smaller.
    """
    cdef uint64_t word, more, some = 0
    cdef Py_ssize_t step = CHUNK, t
    for t in range(CHUNK):
        word = chunk.puzzles[t]
        more = (word << 1) & <uint64_t>0xAAAAAAAAAAAAAAAA
        more |= (word << 2) & <uint64_t>0xCCCCCCCCCCCCCCCC
        more |= (word << 4) & <uint64_t>0xF0F0F0F0F0F0F0F0
        more |= (word << 8) & <uint64_t>0xFF00FF00FF00FF00
        more |= (word << 16) & <uint64_t>0xFFFF0000FFFF0000
        more |= (word << 32) & <uint64_t>0xFFFFFFFF00000000
        chunk.minimal[t] = word & ~more
        some |= chunk.minimal[t]
    if not some:
        return False
    remove(chunk, 1)
    remove(chunk, 2)
    remove(chunk, 4)
    remove(chunk, 8)
    remove(chunk, 16)
    remove(chunk, 32)
    while step <= start:
        if start & step:
            some = 0
            for t in range(CHUNK):
                # Only a set that is bad without this cell can be minimal.
                chunk.minimal[t] &= bad[(start ^ step) + t]
                some |= chunk.minimal[t]
            if not some:
                return False
        step <<= 1
    return True


# ---- words -----------------------------------------------------------------------------------------


cdef inline int ones(uint64_t word) noexcept nogil:
    """Count the set bits, without an instruction that some processors lack."""
    word -= word >> 1 & <uint64_t>0x5555555555555555
    word = (word & <uint64_t>0x3333333333333333) + (word >> 2 & <uint64_t>0x3333333333333333)
    word = (word + (word >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return word * <uint64_t>0x0101010101010101 >> 56


cdef inline void unite(uint64_t *low, const uint64_t *high, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t t
    for t in range(size):
        low[t] |= high[t]


cdef inline void close_words(uint64_t *words, Py_ssize_t size, Py_ssize_t least) noexcept nogil:
    """Do the passes for cells whose words lie ``least`` or more apart."""
    cdef Py_ssize_t step = size >> 1, start
    while step >= least:
        start = 0
        while start < size:
            unite(words + start, words + start + step, step)
            start += 2 * step
        step >>= 1


cdef inline void close_inside(uint64_t *words, Py_ssize_t size) noexcept nogil:
    """Do the passes for the cells of a word."""
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

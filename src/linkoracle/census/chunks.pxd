"""Chunks of a bitset: the puzzles in one, and those of them from which no cell can be taken."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

cdef enum:
    CHUNK = 64  # words


cdef struct Chunk:
    uint64_t[CHUNK] puzzles  # sets that are not bad
    uint64_t[CHUNK] minimal  # those of them from which no cell can be taken


cdef inline bint find_puzzles(
    const uint64_t *bad, Py_ssize_t start, Py_ssize_t words, int cells, Chunk *chunk
) noexcept nogil:
    """Copy one chunk of the complement; whether anything is in it."""
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
    """Of a chunk of puzzles, those from which no cell can be taken; whether there are any.

    A puzzle stays one when clues are added, so it is enough to try all that are one cell smaller.
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
                # What is bad without this cell may be minimal with it.
                chunk.minimal[t] &= bad[(start ^ step) + t]
                some |= chunk.minimal[t]
            if not some:
                return False
        step <<= 1
    return True

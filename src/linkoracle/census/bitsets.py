"""Bitsets over all sets of cells: which clue sets are puzzles of one loop.

A bitset has a bit for each of the 2^n sets of n cells; set S is bit ``S % 64`` of word ``S // 64``.
A clue set is *bad* for a loop L when some other loop has the same clues on it. Where another loop
agrees with L on the cells E, exactly the subsets of E are bad. So the bad sets are the downward
closure of these E, and that takes one pass over the bitset for each cell, a word at a time.

The board is small enough for its bitset to be in a cache: passes for the last cells, whose words
lie far apart, are done together (`_close_far`), the others within blocks.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

#: Words in which the six lowest cells live: bit S is set where cell ``k`` is in S.
_WITH = tuple(np.uint64(sum(1 << s for s in range(64) if s >> k & 1)) for k in range(6))
#: Row k: the bits S of a word whose set has k of the six lowest cells.
_OF_SIZE = np.array(
    [sum(1 << s for s in range(64) if s.bit_count() == k) for k in range(7)], dtype=np.uint64
)
#: Words that are handled together, so that loops over them become vector instructions.
_CHUNK = 64
#: Words of a block that stays in the second-level cache.
_BLOCK = 1 << 15


def _population(typing_context, word):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


#: The number of set bits of a 64-bit word: one instruction, for which Numba has no function.
_ones: Any = intrinsic(_population)


def new_bitset(cells: int) -> NDArray[np.uint64]:
    """Room for the sets of ``cells`` cells; what is in it is undefined."""
    return np.empty(max(1, 1 << cells >> 6), dtype=np.uint64)


@njit(cache=True)
def mark_agreements(planes, loop, full, bad):  # type: ignore[no-untyped-def]
    """Clear ``bad`` and mark in it, for every other loop, the cells where it agrees with ``loop``.

    ``planes`` as in `LoopTable`, ``full`` the mask of all cells.
    """
    bad[:] = 0
    first, second, third = planes[0], planes[1], planes[2]
    mine0, mine1, mine2 = first[loop], second[loop], third[loop]
    for start, stop in ((0, loop), (loop + 1, len(first))):
        for other in range(start, stop):
            differing = (first[other] ^ mine0) | (second[other] ^ mine1) | (third[other] ^ mine2)
            agreeing = np.uint64(full & ~differing)
            bad[agreeing >> np.uint64(6)] |= np.uint64(1) << (agreeing & np.uint64(63))


@njit(cache=True)
def close_downward(bad):  # type: ignore[no-untyped-def]
    """Mark every subset of a marked set, in place. O(words x cells) word operations."""
    words = len(bad)
    block = min(words, _BLOCK)
    _close_far(bad, block)
    for start in range(0, words, block):
        _close_block(bad[start : start + block])


@njit(cache=True)
def _close_far(bad, block):  # type: ignore[no-untyped-def]
    """The passes for cells whose words lie a block or more apart: one sweep over the memory."""
    blocks = len(bad) // block
    if blocks == 1:
        return
    near = np.empty(blocks * _CHUNK, dtype=np.uint64)
    for offset in range(0, block, _CHUNK):
        for k in range(blocks):
            start = k * block + offset
            near[k * _CHUNK : (k + 1) * _CHUNK] = bad[start : start + _CHUNK]
        _close_words(near, _CHUNK)
        for k in range(blocks):
            start = k * block + offset
            bad[start : start + _CHUNK] = near[k * _CHUNK : (k + 1) * _CHUNK]


@njit(cache=True)
def _close_block(bad):  # type: ignore[no-untyped-def]
    near = 1 << 11
    _close_words(bad, near)
    for start in range(0, len(bad), min(len(bad), near)):
        part = bad[start : start + near]
        for t in range(len(part)):
            word = part[t]
            word |= (word & _WITH[5]) >> np.uint64(32)
            word |= (word & _WITH[4]) >> np.uint64(16)
            word |= (word & _WITH[3]) >> np.uint64(8)
            word |= (word & _WITH[2]) >> np.uint64(4)
            word |= (word & _WITH[1]) >> np.uint64(2)
            word |= (word & _WITH[0]) >> np.uint64(1)
            part[t] = word
        _close_words(part, 1)


@njit(cache=True)
def _close_words(bad, least):  # type: ignore[no-untyped-def]
    """The passes for cells whose words lie ``least`` or more apart."""
    step = len(bad) >> 1
    while step >= least:
        for start in range(0, len(bad), 2 * step):
            low, high = bad[start : start + step], bad[start + step : start + 2 * step]
            for t in range(step):
                low[t] |= high[t]
        step >>= 1


@njit(cache=True)
def _puzzles(bad, start, cells, puzzles):  # type: ignore[no-untyped-def]
    """Copy one chunk of the complement; whether anything is in it."""
    valid = np.uint64(0xFFFFFFFFFFFFFFFF)
    if cells < 6:
        valid = (np.uint64(1) << np.uint64(1 << cells)) - np.uint64(1)
    some = np.uint64(0)
    for t in range(len(puzzles)):
        puzzles[t] = ~bad[start + t] & valid
        some |= puzzles[t]
    return some != 0


@njit(cache=True)
def _keep_minimal(bad, start, puzzles, minimal):  # type: ignore[no-untyped-def]
    """Of a chunk of puzzles, those from which no cell can be taken; whether there are any.

    A puzzle stays one when clues are added, so it is enough to try all that are one cell smaller.
    """
    chunk = len(puzzles)
    some = np.uint64(0)
    for t in range(chunk):
        word = puzzles[t]
        more = (word << np.uint64(1)) & _WITH[0]
        more |= (word << np.uint64(2)) & _WITH[1]
        more |= (word << np.uint64(4)) & _WITH[2]
        more |= (word << np.uint64(8)) & _WITH[3]
        more |= (word << np.uint64(16)) & _WITH[4]
        more |= (word << np.uint64(32)) & _WITH[5]
        minimal[t] = word & ~more
        some |= minimal[t]
    if not some:
        return False
    step = 1
    while step < chunk:
        for t in range(chunk):
            if t & step:
                minimal[t] &= ~puzzles[t ^ step]
        step <<= 1
    while step <= start:
        if start & step:
            some = np.uint64(0)
            below = start ^ step
            for t in range(chunk):
                # What is bad without this cell may be minimal with it.
                minimal[t] &= bad[below + t]
                some |= minimal[t]
            if not some:
                return False
        step <<= 1
    return True


@njit(inline="always")
def _count_by_size(sizes, words):  # type: ignore[no-untyped-def]
    """Add to ``sizes[size, t]`` the sets in word ``t`` with so many of the six lowest cells."""
    for size in range(7):
        row, of_size = sizes[size], _OF_SIZE[size]
        for t in range(len(words)):
            row[t] += _ones(words[t] & of_size)


@njit(cache=True)
def count_sizes(bad, cells):  # type: ignore[no-untyped-def]
    """How many sets are not bad, and how many of these are minimal, by size.

    ``bad`` is closed downward. Returns an array of shape (2, cells + 1).
    """
    chunk = min(len(bad), _CHUNK)
    # By words in the chunk, so that all words of a chunk are counted at once.
    far: Any = np.zeros((2, cells + 1, 7, chunk), dtype=np.uint64)
    puzzles, minimal = np.empty(chunk, dtype=np.uint64), np.empty(chunk, dtype=np.uint64)
    for start in range(0, len(bad), chunk):
        if _puzzles(bad, start, cells, puzzles):
            outer = _ones(np.uint64(start))
            _count_by_size(far[0, outer], puzzles)
            if _keep_minimal(bad, start, puzzles, minimal):
                _count_by_size(far[1, outer], minimal)
    sizes = np.zeros((2, cells + 1), dtype=np.int64)
    for kind in range(2):
        for outer in range(cells + 1):
            for size in range(7):
                for t in range(chunk):
                    number = far[kind, outer, size, t]
                    if number:
                        sizes[kind, outer + size + _ones(np.uint64(t))] += np.int64(number)
    return sizes


@njit(cache=True)
def first_minimal(bad, cells, wanted):  # type: ignore[no-untyped-def]
    """The first minimal set of ``wanted`` cells among those not bad, or -1."""
    chunk = min(len(bad), _CHUNK)
    puzzles, minimal = np.empty(chunk, dtype=np.uint64), np.empty(chunk, dtype=np.uint64)
    for start in range(0, len(bad), chunk):
        some = _puzzles(bad, start, cells, puzzles)
        if not some or not _keep_minimal(bad, start, puzzles, minimal):
            continue
        for t in range(chunk):
            inner = np.int64(wanted) - np.int64(_ones(np.uint64(start + t)))
            if 0 <= inner <= 6 and minimal[t] & _OF_SIZE[inner]:
                found = minimal[t] & _OF_SIZE[inner]
                for bit in range(64):
                    if found >> np.uint64(bit) & np.uint64(1):
                        return np.int64(start + t) * 64 + bit
    return np.int64(-1)


@njit(cache=True)
def is_bad(bad, mask):  # type: ignore[no-untyped-def]
    """Whether the set ``mask`` is marked."""
    return bad[mask >> 6] >> np.uint64(mask & 63) & np.uint64(1) != 0


@njit(cache=True)
def count_fixed(bad, cells, orbits):  # type: ignore[no-untyped-def]
    """As `count_sizes`, but only of the sets that are unions of ``orbits`` (masks)."""
    sizes = np.zeros((2, cells + 1), dtype=np.int64)
    mask = np.int64(0)
    for step in range(1 << len(orbits)):
        if step:
            # In Gray code order each set differs from the one before by one orbit.
            orbit = 0
            while not step >> orbit & 1:
                orbit += 1
            mask ^= orbits[orbit]
        if is_bad(bad, mask):
            continue
        size = _ones(np.uint64(mask))
        sizes[0, size] += 1
        minimal = True
        for cell in range(cells):
            if mask >> cell & 1 and not is_bad(bad, mask ^ (1 << cell)):
                minimal = False
                break
        if minimal:
            sizes[1, size] += 1
    return sizes


@njit(cache=True)
def forbid(bad, mask):  # type: ignore[no-untyped-def]
    """Mark every set that has a cell in common with ``mask``."""
    near = np.uint64(0)
    for cell in range(6):
        if mask >> cell & 1:
            near |= _WITH[cell]
    for word in range(len(bad)):
        bad[word] |= ~np.uint64(0) if (np.int64(word) << 6) & mask else near

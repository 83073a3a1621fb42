"""The index of the number of each word: words have three parts, and their numbers one array.

A frontier of ``width`` places is a left half of ``cut`` places, one place in the *middle*, and a
right half. Numbers are in order of the left half, then the middle, then the right half::

    base[left] + part[state after left, middle] + rank of right

The middle belongs to either half in turn. A step at a place of the left half, or at the middle,
moves whole rows of right halves. A step further right moves the same entries in each row. A second
array has the numbers of *corners*: words of one place less, a left and a right half.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint64_t
from linkoracle.core.arena cimport Arena, arena_take
from linkoracle.core.limbs cimport bits_set
from linkoracle.frontier.blank.words cimport (
    SYMBOLS, Words, count_words, follow, rank_of, symbol_at, tails_of, unrank, words_from
)


cdef struct Left:
    uint64_t code
    int64_t base  # of its words
    int64_t corner  # of its words without a middle
    int state  # after it
    int depth  # most ends that are open at once


cdef struct Ranking:
    int width
    int cut  # places of a left half
    int labels  # of each word
    int states
    Words left  # left halves, all from state 0
    Words right
    int64_t *rights  # right halves from a state
    int64_t *part  # where words with a middle symbol begin in a row: by state, then symbol
    int64_t *rows  # length of a row by state: middles with right halves
    Left *lefts  # by rank
    int64_t num_lefts
    int64_t num_words
    int64_t num_corners


cdef inline bint ranking_open(
    Ranking *r, Arena *arena, int width, int cut, int labels, bint outside
) noexcept nogil:
    """Fill all tables; return False without memory."""
    cdef int state, symbol, next_state
    r.width, r.cut, r.labels = width, cut, labels
    r.states = 3 * (width + 2)
    cdef size_t states = r.states
    words_open(&r.right, arena, width - cut - 1, labels, outside, r.states, r.states)
    words_open(&r.left, arena, cut, labels, outside, r.states, 1)
    r.rights = <int64_t *>arena_take(arena, states, sizeof(int64_t))
    r.rows = <int64_t *>arena_take(arena, states, sizeof(int64_t))
    r.part = <int64_t *>arena_take(arena, SYMBOLS * states, sizeof(int64_t))
    if arena.refused:
        return False
    r.right.tails[labels] = 1
    count_words(&r.right, r.states)
    for state in range(r.states):
        r.rights[state] = words_from(&r.right, state)
    for state in range(r.states):
        for symbol in range(SYMBOLS):
            r.part[SYMBOLS * state + symbol] = r.rows[state]
            next_state = follow(&r.right, state, symbol)
            if next_state >= 0:
                r.rows[state] += r.rights[next_state]
        r.left.tails[state] = r.rows[state] > 0
    count_words(&r.left, 1)
    r.num_lefts = words_from(&r.left, 0)
    r.lefts = <Left *>arena_take(arena, r.num_lefts, sizeof(Left))
    if r.lefts == NULL:
        return False
    list_lefts(r)
    return True


cdef inline void words_open(
    Words *words, Arena *arena, int length, int labels, bint outside, int states, int beginnings
) noexcept nogil:
    words.length, words.labels, words.outside, words.states = length, labels, outside, states
    cdef size_t supports = <size_t>1 << length
    words.tails = <int64_t *>arena_take(arena, (length + 1) * states, sizeof(int64_t))
    words.starts = <int64_t *>arena_take(arena, beginnings * supports, sizeof(int64_t))


cdef inline void list_lefts(Ranking *r) noexcept nogil:
    """Unrank all left halves, and assign their places."""
    cdef int64_t number = 0, index, here
    cdef uint64_t support
    cdef int place, symbol
    cdef Left *left
    for support in range(<uint64_t>1 << r.cut):
        here = tails_of(&r.left, bits_set(support), 0)
        for index in range(here):
            left = &r.lefts[number]
            left.code = unrank(&r.left, 0, support, index)
            left.state = left.depth = 0
            for place in range(r.cut):
                left.state = follow(&r.left, left.state, symbol_at(left.code, place))
                left.depth = max(left.depth, left.state // 3)
            left.base, left.corner = r.num_words, r.num_corners
            r.num_words += r.rows[left.state]
            r.num_corners += r.rights[left.state]
            number += 1


# ---- left halves with their middle: four times the rank of the left half, plus the symbol -------


cdef inline int64_t rank_of_start(Ranking *r, uint64_t code) noexcept nogil:
    """Return the number of a left half with its middle, or -1 if it is invalid."""
    cdef int64_t left = rank_of(&r.left, 0, code & ((<uint64_t>1 << (2 * r.cut)) - 1))
    cdef int symbol = <int>(code >> (2 * r.cut)), state
    if left < 0:
        return -1
    state = follow(&r.right, r.lefts[left].state, symbol)
    return SYMBOLS * left + symbol if state >= 0 and r.rights[state] else -1


cdef inline int state_of_start(const Ranking *r, int64_t start) noexcept nogil:
    return follow(&r.right, r.lefts[start // SYMBOLS].state, <int>(start % SYMBOLS))


cdef inline int64_t base_of_start(const Ranking *r, int64_t start) noexcept nogil:
    """Return the index of the first word that begins with a start."""
    cdef const Left *left = &r.lefts[start // SYMBOLS]
    return left.base + r.part[SYMBOLS * left.state + start % SYMBOLS]


# ---- right halves with their middle: entries of a row -------------------------------------------


cdef inline int64_t rank_of_end(Ranking *r, int state, uint64_t code) noexcept nogil:
    """Return the place in a row of a middle with its right half, or -1 if it is invalid."""
    cdef int symbol = symbol_at(code, 0), next_state = follow(&r.right, state, symbol)
    cdef int64_t rank = rank_of(&r.right, next_state, code >> 2) if next_state >= 0 else -1
    return r.part[SYMBOLS * state + symbol] + rank if rank >= 0 else -1

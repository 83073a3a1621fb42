"""Rank half words of plugs: number them from 0, without gaps or a table of words.

Each place of a *word* is empty or holds the left or right end of an unfinished path, or a *label*,
the end of the path that has begun at a terminal. Ends nest like parentheses. Read from the left, a
word is in a *state* after each place: the numbers of open ends and of labels so far. A half word is
a part of a word between two states.

**Ranks.** Half words of one length, from one state, are ordered by their *support* first, the set
of places that are not empty, then by their symbols, as in a dictionary. The rank is the number of
half words before. A table has the number for each support. The rest follows from the numbers of
strings of m ends and labels from a state to a possible end of a half word. The support comes first
because joining two paths changes the support only at the vertex. So the steps of a row stay within
small blocks.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint64_t

from linkoracle.core.limbs cimport bits_set

cdef enum:
    NONE = 0  # symbols, two bits a place, the first place lowest
    OPEN = 1
    CLOSE = 2
    LABEL = 3
    MOST_LABELS = 2
    MOST_PLACES = 31
    SYMBOLS = 4


cdef struct Words:
    int length  # places
    int labels  # labels of a whole word
    bint outside  # whether no label may stand between the two ends of a path
    int states  # numbers of states: ``3 * open ends + labels``, below this
    int64_t *tails  # strings of m ends and labels from a state to an end: by m, then state
    int64_t *starts  # rank of the first word of a support: by state, then support


cdef inline int symbol_at(uint64_t code, int place) noexcept nogil:
    return <int>(code >> (2 * place) & 3)


cdef inline uint64_t put(uint64_t code, int place, int symbol) noexcept nogil:
    """Return the word with this symbol at a place."""
    return code & ~(<uint64_t>3 << (2 * place)) | <uint64_t>symbol << (2 * place)


cdef inline uint64_t without(uint64_t code, int place) noexcept nogil:
    """Return the word without a place."""
    cdef uint64_t before = code & ((<uint64_t>1 << (2 * place)) - 1)
    return before | code >> (2 * place + 2) << (2 * place)


cdef inline int follow(const Words *words, int state, int symbol) noexcept nogil:
    """Return the state after a symbol, or -1 if the symbol is invalid there."""
    if symbol == NONE:
        return state
    if symbol == OPEN:
        return state + 3 if state + 3 < words.states else -1
    if symbol == CLOSE:
        return state - 3 if state >= 3 else -1
    if state % 3 >= words.labels or words.outside and state >= 3:
        return -1
    return state + 1


cdef inline int state_after(
    const Words *words, int state, uint64_t code, int places
) noexcept nogil:
    """Return the state after the first places of a word, or -1 if they are invalid."""
    cdef int place
    for place in range(places):
        state = follow(words, state, symbol_at(code, place))
        if state < 0:
            return -1
    return state


cdef inline uint64_t support_of(uint64_t code, int length) noexcept nogil:
    """Return the places that are not empty, one bit each."""
    cdef uint64_t support = 0
    cdef int place
    for place in range(length):
        support |= <uint64_t>(symbol_at(code, place) != NONE) << place
    return support


cdef inline int64_t tails_of(const Words *words, int left, int state) noexcept nogil:
    """Return the number of strings from a state to a possible end of a half word."""
    return words.tails[left * words.states + state]


cdef inline int64_t rank_of(const Words *words, int state, uint64_t code) noexcept nogil:
    """Return the rank of a half word that begins in a state, or -1 if it is invalid. O(length)."""
    cdef uint64_t support = support_of(code, words.length)
    cdef int left = bits_set(support), place, symbol, other, next_state
    cdef int64_t rank = words.starts[(<size_t>state << words.length) + support]
    for place in range(words.length):
        symbol = symbol_at(code, place)
        if symbol == NONE:
            continue
        left -= 1
        for other in range(OPEN, symbol):
            next_state = follow(words, state, other)
            if next_state >= 0:
                rank += tails_of(words, left, next_state)
        state = follow(words, state, symbol)
        if state < 0:
            return -1
    return rank if tails_of(words, 0, state) else -1


cdef inline uint64_t unrank(
    const Words *words, int state, uint64_t support, int64_t index
) noexcept nogil:
    """Return word ``index`` of those of a support that begin in a state. O(length)."""
    cdef int left = bits_set(support), place, symbol, next_state
    cdef int64_t here
    cdef uint64_t code = 0
    for place in range(words.length):
        if not support >> place & 1:
            continue
        left -= 1
        for symbol in range(OPEN, LABEL + 1):
            next_state = follow(words, state, symbol)
            here = tails_of(words, left, next_state) if next_state >= 0 else 0
            if index < here:
                code = put(code, place, symbol)
                state = next_state
                break
            index -= here
    return code


cdef inline void count_words(Words *words, int beginnings) noexcept nogil:
    """Fill the tables. ``tails`` of no symbols must already say where a half word may end.

    Half words begin in the first ``beginnings`` states.
    """
    cdef int left, state, symbol, next_state
    cdef uint64_t support
    cdef int64_t total
    for left in range(1, words.length + 1):
        for state in range(words.states):
            total = 0
            for symbol in range(OPEN, LABEL + 1):
                next_state = follow(words, state, symbol)
                if next_state >= 0:
                    total += tails_of(words, left - 1, next_state)
            words.tails[left * words.states + state] = total
    for state in range(beginnings):
        total = 0
        for support in range(<uint64_t>1 << words.length):
            words.starts[(<size_t>state << words.length) + support] = total
            total += tails_of(words, bits_set(support), state)


cdef inline int64_t words_from(const Words *words, int state) noexcept nogil:
    """Return the number of half words that begin in a state."""
    cdef uint64_t last = (<uint64_t>1 << words.length) - 1
    cdef int64_t before = words.starts[(<size_t>state << words.length) + last]
    return before + tails_of(words, words.length, state)

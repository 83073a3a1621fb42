"""Decide the vertex of a terminal: each word gets one label more.

Exactly one edge ends there. If no path comes in, the path leaves to the right or down. Both are the
same place before the next vertex, which gets a label. If a path comes in, it ends there, and its
other end becomes a label. If a label comes in, its path joins the two terminals.
"""

from libc.stdint cimport int64_t, uint64_t

from linkoracle.core.limbs cimport bits_set
from linkoracle.core.watch cimport StopToken, watch_stops
from linkoracle.frontier.blank.ranking cimport (
    Left, Ranking, base_of_start, rank_of_start, state_of_start
)
from linkoracle.frontier.blank.residues cimport plus
from linkoracle.frontier.blank.steps cimport RowPass
from linkoracle.frontier.blank.words cimport (
    CLOSE, LABEL, NONE, OPEN, SYMBOLS, follow, put, rank_of, symbol_at, tails_of, unrank
)


cdef inline int64_t rank_of_word(Ranking *r, uint64_t code) noexcept nogil:
    """Return the index of the number of a word, or -1 if it is invalid."""
    cdef int places = 2 * r.cut + 2
    cdef int64_t start = rank_of_start(r, code & ((<uint64_t>1 << places) - 1)), rank
    if start < 0:
        return -1
    rank = rank_of(&r.right, state_of_start(r, start), code >> places)
    return base_of_start(r, start) + rank if rank >= 0 else -1


cdef inline void give(
    Ranking *after, RowPass *w, uint64_t *targets, uint64_t code, uint64_t number
) noexcept nogil:
    """Add a number to that of a word."""
    cdef int64_t place = rank_of_word(after, code)
    if place >= 0:
        targets[place] = plus(&w.field, targets[place], number)


cdef inline uint64_t ended(uint64_t code, int places, int at) noexcept nogil:
    """Return the word after a path ends at a place: its other end becomes a label."""
    cdef int near = symbol_at(code, at), far = OPEN + CLOSE - near, depth = 0, symbol, place = at
    code = put(code, at, NONE)
    while True:
        place += 1 if near == OPEN else -1
        if not 0 <= place < places:
            return code
        symbol = symbol_at(code, place)
        if symbol == far and depth == 0:
            return put(code, place, LABEL)
        depth += (symbol == near) - (symbol == far)


cdef inline void meet_word(
    Ranking *r, Ranking *after, RowPass *w, uint64_t *targets, uint64_t code, uint64_t number
) noexcept nogil:
    """Apply the terminal in column ``w.first`` to one word."""
    cdef int column = w.first, above = symbol_at(code, column)
    cdef int beside = symbol_at(code, column - 1) if column else NONE
    if above:
        if above != LABEL:
            give(after, w, targets, ended(code, r.width, column), number)
        return
    give(after, w, targets, put(code, column, LABEL), number)
    if beside and beside != LABEL:
        give(after, w, targets, ended(code, r.width, column - 1), number)


cdef inline void meet_corner(
    Ranking *after, RowPass *w, uint64_t *targets, uint64_t code, uint64_t number
) noexcept nogil:
    """Apply the terminal to a corner: the path that has begun to the left ends here."""
    cdef int place = w.first - 1
    cdef uint64_t before = code & ((<uint64_t>1 << (2 * place)) - 1)
    if symbol_at(code, place) == NONE:
        code = before | <uint64_t>LABEL << (2 * place) | code >> (2 * place) << (2 * place + 2)
        give(after, w, targets, code, number)


cdef inline bint meet_all(
    Ranking *r, Ranking *after, RowPass *w, uint64_t *targets, StopToken *watch
) noexcept nogil:
    """Fill ``targets``, zeros at first, with numbers of words of ``after``; False if stopped."""
    cdef int64_t number, index
    cdef int symbol, state
    cdef uint64_t support, right, found
    cdef uint64_t *words = w.words
    cdef uint64_t *corners = w.corners
    cdef Left *left
    for number in range(r.num_lefts):
        left = &r.lefts[number]
        for symbol in range(SYMBOLS):
            state = follow(&r.right, left.state, symbol)
            if state < 0:
                continue
            for support in range(<uint64_t>1 << r.right.length):
                if watch_stops(watch):
                    return False
                for index in range(tails_of(&r.right, bits_set(support), state)):
                    found = words[0]
                    words += 1
                    if found:
                        right = unrank(&r.right, state, support, index)
                        meet_word(
                            r,
                            after,
                            w,
                            targets,
                            put(left.code, r.cut, symbol) | right << (2 * r.cut + 2),
                            found,
                        )
        if w.first == 0:
            continue
        for support in range(<uint64_t>1 << r.right.length):
            for index in range(tails_of(&r.right, bits_set(support), left.state)):
                found = corners[0]
                corners += 1
                if found:
                    right = unrank(&r.right, left.state, support, index)
                    meet_corner(after, w, targets, left.code | right << (2 * r.cut), found)
    return True


cdef inline void accept_label(Ranking *r, RowPass *w) noexcept nogil:
    """Count the word with only a label that comes in here: it is a solution."""
    cdef int column
    cdef int64_t place
    for column in range(max(w.first - 1, 0), w.first + 1):
        place = rank_of_word(r, <uint64_t>LABEL << (2 * column))
        if place >= 0:
            w.answer[0] = plus(&w.field, w.answer[0], w.words[place])

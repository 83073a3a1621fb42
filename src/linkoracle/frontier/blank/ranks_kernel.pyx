"""`Ranks`: the steps of a pass over a blank board, for arrays that Python holds.

The frontier of a blank board is a *word* of plugs. The numbers of ways to all words are one array,
whose index is the rank of a word, and a step changes the array in place.

Contents
    Words       half words of plugs, and their ranks
    Ranking     the index of the number of a whole word, by its three parts
    Joins       the words that become a given word when two paths meet
    Moves       of each step, computed once for all rows of a board
    Steps       of a row, in place, on squares, honeycombs and cylinders
    Turns       the first vertex of a row around a cylinder
    Terminals   a vertex that gives each word one label more
    For Python  `Ranks`
"""

from math import comb
from typing import NamedTuple

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset

from linkoracle.core.kernels cimport (
    Arena, StopToken, arena_close, arena_error, arena_open, arena_resize, arena_take, bits_set,
    watch_raise, watch_start, watch_stops
)
from linkoracle.frontier.blank.words cimport (
    CLOSE, OPEN, Field, end_beyond, field_open, linkoracle_plus, plus, put, symbol_at, weighed,
    weighed_often
)


# ---- Words ---------------------------------------------------------------------------------------
#
# Rank half words of plugs: number them from 0, without gaps or a table of words.
#
# Each place of a *word* is empty or holds the left or right end of an unfinished path, or a
# *label*, the end of the path that has begun at a terminal. Ends nest like parentheses. Read from
# the left, a word is in a *state* after each place: the numbers of open ends and of labels so far.
# A half word is a part of a word between two states.
#
# **Ranks.** Half words of one length, from one state, are ordered by their *support* first, the set
# of places that are not empty, then by their symbols, as in a dictionary. The rank is the number of
# half words before. A table has the number for each support. The rest follows from the numbers of
# strings of m ends and labels from a state to a possible end of a half word. The support comes
# first because joining two paths changes the support only at the vertex. So the steps of a row stay
# within small blocks.

cdef enum:
    NONE = 0  # symbols beside those of ends
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


# ---- Ranking -------------------------------------------------------------------------------------
#
# The index of the number of each word: words have three parts, and their numbers one array.
#
# A frontier of ``width`` places is a left half of ``cut`` places, one place in the *middle*, and a
# right half. NumberList are in order of the left half, then the middle, then the right half::
#
#     base[left] + part[state after left, middle] + rank of right
#
# The middle belongs to either half in turn. A step at a place of the left half, or at the middle,
# moves whole rows of right halves. A step further right moves the same entries in each row. A
# second array has the numbers of *corners*: words of one place less, a left and a right half.

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


# -- left halves with their middle: four times the rank of the left half, plus the symbol --


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


# -- right halves with their middle: entries of a row --


cdef inline int64_t rank_of_end(Ranking *r, int state, uint64_t code) noexcept nogil:
    """Return the place in a row of a middle with its right half, or -1 if it is invalid."""
    cdef int symbol = symbol_at(code, 0), next_state = follow(&r.right, state, symbol)
    cdef int64_t rank = rank_of(&r.right, next_state, code >> 2) if next_state >= 0 else -1
    return r.part[SYMBOLS * state + symbol] + rank if rank >= 0 else -1


cdef inline int64_t rank_of_word(Ranking *r, uint64_t code) noexcept nogil:
    """Return the index of the number of a word, or -1 if it is invalid."""
    cdef int places = 2 * r.cut + 2
    cdef int64_t start = rank_of_start(r, code & ((<uint64_t>1 << places) - 1)), rank
    if start < 0:
        return -1
    rank = rank_of(&r.right, state_of_start(r, start), code >> places)
    return base_of_start(r, start) + rank if rank >= 0 else -1


# ---- Joins ---------------------------------------------------------------------------------------
#
# Find the words that become a given word when two paths meet at a vertex.
#
# The two places of the vertex are empty in the *target*. In a *source* both are chosen, and their
# paths are joined. In the target, the ends of the joined path border the same region as the vertex.
# So each source belongs to one path, or label, that can be seen from the vertex:
#
# * a path around the vertex: ``)(``,
# * a path to the left of it: ``))``, and its right end was a left one; to the right of it: ``((``,
#   and its left end was a right one,
# * a label to the left: ``|)`` or ``)|``, and it was a left end; to the right: ``|(`` or ``(|``,
#   and it was a right end.
#
# A half word does not show all of these. The *level* of a side is the number of path ends between
# the vertex and that border of the half word whose paths go on beyond it. At that depth, the other
# half has more sources.

cdef enum:
    MOST_SOURCES = 2 * MOST_PLACES
    UNSEEN = -1  # level of a side on which the vertex is closed off


cdef struct Joins:
    int count  # sources within the half word
    uint64_t sources[MOST_SOURCES]
    int left_level  # where the half word to the left is seen, or UNSEEN
    int right_level  # where the one to the right is seen, or UNSEEN


cdef inline uint64_t paired(uint64_t code, int place, int first, int second) noexcept nogil:
    """Return the word with these symbols at a place and the next one."""
    return put(put(code, place, first), place + 1, second)


cdef inline int side_of(
    Joins *joins, uint64_t target, int length, int place, int step, int far, int near
) noexcept nogil:
    """Find the sources on one side; return its level.

    A path on this side has its ``near`` end next to the vertex and its ``far`` end beyond.
    """
    cdef int here = place - 1 if step < 0 else place + 2, depth = 0, symbol
    while 0 <= here < length:
        symbol = symbol_at(target, here)
        if depth:
            depth += (symbol == near) - (symbol == far)
        elif symbol == far:
            # The end of a path that goes around the vertex.
            return UNSEEN
        elif symbol == near:
            joins.sources[joins.count] = put(paired(target, place, near, near), here, far)
            joins.count += 1
            depth = 1
        elif symbol == LABEL:
            joins.sources[joins.count] = put(paired(target, place, LABEL, near), here, far)
            joins.sources[joins.count + 1] = put(paired(target, place, near, LABEL), here, far)
            joins.count += 2
        here += step
    return depth


cdef inline void find_joins(
    Joins *joins, uint64_t target, int length, int place, bint enclosed
) noexcept nogil:
    """Find the sources of a target whose vertex is at ``place`` and the next place.

    ``enclosed`` says whether any path goes around the vertex. Some sources may be invalid words.
    """
    joins.count = 0
    joins.left_level = side_of(joins, target, length, place, -1, OPEN, CLOSE)
    joins.right_level = side_of(joins, target, length, place, 1, CLOSE, OPEN)
    if enclosed:
        joins.sources[joins.count] = paired(target, place, CLOSE, OPEN)
        joins.count += 1


# ---- Moves ---------------------------------------------------------------------------------------
#
# The moves of each step, computed once for all rows of a board.
#
# The vertex in column c, right of the first, acts on places c - 1 and c. For c up to ``cut``, a
# list has its moves of left halves with their middle. For columns beyond, a list for each state in
# which a row begins has its moves of the entries of the row. A step applies them.
#
# A join may change an end on the other side of the cut. Then a whole row is added to another row,
# entry by entry, by a table.

cdef enum Kind:
    PATH  # a path is joined to the left or right of the vertex
    TERMINAL  # a label is handed on


cdef enum:
    EMPTY  # nothing reaches the vertex, where a path may begin
    JOINED  # two paths end at the vertex and become one
    PASSING  # one path reaches the vertex
    CHANGES  # the number of changes


cdef struct NumberList:
    uint32_t *items
    size_t count
    size_t capacity


cdef struct Moves:
    int levels  # more than any level
    size_t same  # the number of no flip: right halves stay as they are
    # By change and column up to ``cut``, of left halves with their middle, *starts*. EMPTY: start,
    # its ``()``, corner. JOINED: start, source, flip. PASSING: start with the place above chosen,
    # with the one to the left, corner.
    NumberList *starts[CHANGES]
    uint32_t **flips  # by kind, level, state of the source: places of its right halves, or NULL
    # The same of entries by change and column beyond ``cut``, then state before the row; without
    # flips.
    NumberList *ends[CHANGES]
    NumberList *shared_ends  # by column, kind, level, state: entry, source in another row
    # By left half:
    NumberList others  # left half of a source, ``kind * levels + level``
    size_t *other_starts  # where these begin; one more at the end


cdef inline void append(
    Arena *arena, NumberList *numbers, int64_t first, int64_t second, int64_t third=-1
) noexcept nogil:
    """Append two numbers or three; without memory none, and set ``arena.refused``."""
    cdef size_t capacity = 2 * numbers.capacity + 16
    cdef uint32_t *grown
    if numbers.count + 3 > numbers.capacity:
        grown = <uint32_t *>arena_resize(arena, numbers.items, capacity, sizeof(uint32_t))
        if grown == NULL:
            return
        numbers.items, numbers.capacity = grown, capacity
    numbers.items[numbers.count] = <uint32_t>first
    numbers.items[numbers.count + 1] = <uint32_t>second
    numbers.count += 2
    if third >= 0:
        numbers.items[numbers.count] = <uint32_t>third
        numbers.count += 1


cdef inline NumberList *lists(Arena *arena, size_t count) noexcept nogil:
    """Return empty lists of numbers."""
    return <NumberList *>arena_take(arena, count, sizeof(NumberList))


cdef inline bint moves_open(
    Moves *m, Arena *arena, Ranking *r, StopToken *watch
) noexcept nogil:
    """Compute all moves; return False if stopped or without memory.

    Functions that append only set ``arena.refused``; their callers check it.
    """
    m.levels = r.width + 2
    m.same = 2 * m.levels * r.states
    cdef size_t beyond = r.width - r.cut
    cdef int column, k
    for k in range(CHANGES):
        m.starts[k] = lists(arena, r.cut + 1)
        m.ends[k] = lists(arena, beyond * r.states)
    m.flips = <uint32_t **>arena_take(arena, m.same + 1, sizeof(uint32_t *))
    m.shared_ends = lists(arena, beyond * m.same)
    m.other_starts = <size_t *>arena_take(arena, r.num_lefts + 1, sizeof(size_t))
    if arena.refused or not (find_flips(m, arena, r, watch) and find_others(m, arena, r, watch)):
        return False
    for column in range(r.width):
        if not (
            find_starts(m, arena, r, watch, column) if column <= r.cut
            else find_ends(m, arena, r, watch, column)
        ):
            return False
    return not arena.refused


cdef inline uint64_t beyond(uint64_t code, int place, int near, int k) noexcept nogil:
    """Return source 0 to 2 with an end beyond the half word: two ends, or a label and an end."""
    return paired(code, place, LABEL if k == 1 else near, LABEL if k == 2 else near)


# -- steps up to the middle: rows of right halves --


cdef inline size_t flip_of(
    const Moves *m, const Ranking *r, int kind, int level, int state
) noexcept nogil:
    """Return the number of a table."""
    return (<size_t>kind * m.levels + level) * r.states + state


cdef inline uint64_t flipped(const Ranking *r, uint64_t code, int level, int symbol) noexcept nogil:
    """Replace the right end, at depth ``level``, of a path from the left by a symbol."""
    cdef int place = end_beyond(code, r.right.length, True, level)
    return code if place < 0 else put(code, place, symbol)


cdef inline bint find_flips(Moves *m, Arena *arena, Ranking *r, StopToken *watch) noexcept nogil:
    """Find the targets of the right halves of each source state and level."""
    cdef int kind, level, state, target, symbol
    cdef uint64_t support
    cdef int64_t index, number
    cdef uint32_t *places
    for state in range(r.states):
        for kind in range(2):
            # Two open ends are joined; or a label and an open end, and the label moves on.
            target = state - (6 if kind == PATH else 4)
            symbol = OPEN if kind == PATH else LABEL
            if r.rights[state] == 0 or target < 0 or kind == TERMINAL and state % 3 == 0:
                continue
            for level in range(target // 3 + 1):
                if kind == TERMINAL and r.right.outside and level < target // 3:
                    continue
                places = <uint32_t *>arena_take(arena, r.rights[state], sizeof(uint32_t))
                if places == NULL:
                    return False
                m.flips[flip_of(m, r, kind, level, state)] = places
                number = 0
                for support in range(<uint64_t>1 << r.right.length):
                    if watch_stops(watch):
                        return False
                    for index in range(tails_of(&r.right, bits_set(support), state)):
                        places[number] = <uint32_t>rank_of(
                            &r.right,
                            target,
                            flipped(r, unrank(&r.right, state, support, index), level, symbol),
                        )
                        number += 1
    return True


cdef inline bint find_starts(
    Moves *m, Arena *arena, Ranking *r, StopToken *watch, int column
) noexcept nogil:
    """Find the moves of starts by the vertex in a column up to the middle."""
    cdef int64_t left
    cdef int symbol, state
    for left in range(r.num_lefts):
        if arena.refused or watch_stops(watch):
            return False
        for symbol in range(SYMBOLS):
            state = follow(&r.right, r.lefts[left].state, symbol)
            if state >= 0 and r.rights[state]:
                find_start(
                    m, arena, r, column, SYMBOLS * left + symbol,
                    put(r.lefts[left].code, r.cut, symbol),
                )
    return True


cdef inline void find_start(
    Moves *m, Arena *arena, Ranking *r, int column, int64_t start, uint64_t code
) noexcept nogil:
    """Find the moves of one start, if nothing comes to the vertex from the left."""
    cdef int place = max(column - 1, 0), above = symbol_at(code, column), k, kind
    cdef int64_t corner, source
    cdef size_t flip
    cdef Joins joins
    if symbol_at(code, place) != NONE:
        return
    corner = rank_of(&r.left, 0, without(code, place))
    if column == 0:
        append(arena, &m.starts[EMPTY][0], start, start, corner)
        return
    if above:
        source = rank_of_start(r, paired(code, place, above, NONE))
        append(arena, &m.starts[PASSING][column], start, source, corner)
        return
    source = rank_of_start(r, paired(code, place, OPEN, CLOSE))
    append(arena, &m.starts[EMPTY][column], start, source, corner)
    find_joins(&joins, code, r.cut + 1, place, state_after(&r.left, 0, code, place) >= 3)
    for k in range(joins.count):
        source = rank_of_start(r, joins.sources[k])
        if source >= 0:
            append(arena, &m.starts[JOINED][column], start, source, m.same)
    for k in range(3 if joins.right_level != UNSEEN else 0):
        source = rank_of_start(r, beyond(code, place, OPEN, k))
        if source >= 0:
            kind = PATH if k == 0 else TERMINAL
            flip = flip_of(m, r, kind, joins.right_level, state_of_start(r, source))
            if m.flips[flip] != NULL:
                append(arena, &m.starts[JOINED][column], start, source, flip)


# -- steps beyond the middle: entries of a row --


cdef inline bint find_others(Moves *m, Arena *arena, Ranking *r, StopToken *watch) noexcept nogil:
    """Find the left halves of sources with a path or label that is seen from the right."""
    cdef int64_t left, source
    cdef int place, depth, level, symbol
    cdef uint64_t code
    for left in range(r.num_lefts):
        if arena.refused or watch_stops(watch):
            return False
        m.other_starts[left] = m.others.count
        code = r.lefts[left].code
        depth = level = 0
        for place in range(r.cut - 1, -1, -1):
            symbol = symbol_at(code, place)
            if symbol == NONE:
                continue
            if depth == 0 and symbol != OPEN:
                source = rank_of(&r.left, 0, put(code, place, OPEN))
                if source >= 0:
                    append(
                        arena, &m.others, source,
                        (PATH if symbol == CLOSE else TERMINAL) * m.levels + level,
                    )
            if symbol == CLOSE:
                depth += 1
            elif symbol == OPEN and depth:
                depth -= 1
            elif symbol == OPEN:
                level += 1
    m.other_starts[r.num_lefts] = m.others.count
    return True


cdef inline bint find_ends(
    Moves *m, Arena *arena, Ranking *r, StopToken *watch, int column
) noexcept nogil:
    """Find the moves of rows by the vertex in a column beyond the middle, by state before."""
    cdef int state, symbol, next_state
    cdef uint64_t support
    cdef int64_t index
    for state in range(r.states):
        if r.left.tails[state] == 0 or state > 3 * r.cut + r.labels:
            continue
        for symbol in range(SYMBOLS):
            next_state = follow(&r.right, state, symbol)
            if next_state < 0 or r.rights[next_state] == 0:
                continue
            for support in range(<uint64_t>1 << r.right.length):
                if arena.refused or watch_stops(watch):
                    return False
                for index in range(tails_of(&r.right, bits_set(support), next_state)):
                    find_end(
                        m, arena, r, column, state,
                        symbol | unrank(&r.right, next_state, support, index) << 2,
                    )
    return True


cdef inline void find_end(
    Moves *m, Arena *arena, Ranking *r, int column, int state, uint64_t code
) noexcept nogil:
    """Find the moves of one entry of a row, if nothing comes to the vertex from the left."""
    cdef int place = column - r.cut - 1, above = symbol_at(code, place + 1), k
    cdef size_t where = <size_t>(column - r.cut) * r.states + state
    cdef int64_t entry = rank_of_end(r, state, code), corner, source
    cdef Joins joins
    if symbol_at(code, place) != NONE:
        return
    corner = rank_of(&r.right, state, without(code, place))
    if above:
        source = rank_of_end(r, state, paired(code, place, above, NONE))
        append(arena, &m.ends[PASSING][where], entry, source, corner)
        return
    source = rank_of_end(r, state, paired(code, place, OPEN, CLOSE))
    append(arena, &m.ends[EMPTY][where], entry, source, corner)
    find_joins(
        &joins, code, r.right.length + 1, place, state_after(&r.right, state, code, place) >= 3
    )
    for k in range(joins.count):
        source = rank_of_end(r, state, joins.sources[k])
        if source >= 0:
            append(arena, &m.ends[JOINED][where], entry, source)
    for k in range(3 if joins.left_level != UNSEEN else 0):
        where = (PATH if k == 0 else TERMINAL) * m.levels + joins.left_level
        find_shared(m, arena, r, column, where, state, entry, beyond(code, place, CLOSE, k))


cdef inline NumberList *shared_by(
    const Moves *m, const Ranking *r, int column, int kind_and_level, int state
) noexcept nogil:
    """Return the list of a state for a kind and level as in ``others``."""
    cdef size_t where = <size_t>(column - r.cut) * 2 * m.levels + kind_and_level
    return &m.shared_ends[where * r.states + state]


cdef inline void find_shared(
    Moves *m, Arena *arena, Ranking *r, int column, int kind_and_level, int state, int64_t entry,
    uint64_t code,
) noexcept nogil:
    """Append a source in another row, if it is a valid word."""
    cdef int kind = kind_and_level // m.levels
    cdef int other = state + (6 if kind == PATH else 2)
    cdef int64_t source
    if kind == TERMINAL and state % 3 == 0 or other >= r.states:
        return
    source = rank_of_end(r, other, code)
    if source >= 0:
        append(arena, shared_by(m, r, column, kind_and_level, state), entry, source)


cdef inline void add_to(
    uint64_t prime, uint64_t *totals, const uint64_t *numbers, size_t count
) noexcept nogil:
    cdef size_t k
    for k in range(count):
        totals[k] = linkoracle_plus(totals[k], numbers[k], prime)


cdef inline void add_moved(
    uint64_t prime, uint64_t *totals, const uint32_t *places, const uint64_t *numbers, size_t count
) noexcept nogil:
    """Add each number to the total at its place."""
    cdef size_t k
    for k in range(count):
        totals[places[k]] = linkoracle_plus(totals[places[k]], numbers[k], prime)


# ---- Steps ---------------------------------------------------------------------------------------
#
# The steps of a row: numbers of words, changed in place.
#
# Before the vertex in column c, place c - 1 of a word says what its left neighbour has, a plug down
# *or* one to the right: the two words have the same number, so one place stands for both. Place c
# is the plug above. Only a left neighbour with both, the two ends of a new path, is a word of its
# own: a *corner*, without that place. Let ``p`` be the places before, ``s`` those behind, and x an
# end or a label. After the vertex, the number of
#
# * ``p..s`` is the old one, times the weight of an unused vertex, plus those of all joins here,
# * ``p()s`` is the old one plus that of the corner ``p.s``, which takes the old one of ``p..s``,
# * ``p.xs`` is the old one plus that of ``px.s``,
# * ``px.s`` is the old one, times the weight, plus that of the corner ``pxs``, which takes the old
#   one.
#
# Nothing else changes, and sources of joins are only read. So the order of words does not matter,
# and a step needs no second array. In the first column, the corner ``s`` takes the old number of
# ``.s``.
#
# **Honeycombs** are lines of vertices from one side to the other, with a *link* between neighbours
# at every second vertex. A place is the edge of a line that is reached. The link of lines c - 1 and
# c has a vertex at each end, and a path that comes in on one line leaves on it, or by the link on
# the other one. There are no corners: the number of
#
# * ``p..s`` is the old one, times the weights of both vertices, plus those of all joins,
# * ``p()s`` is the old one plus the old one of ``p..s``,
# * ``p.xs`` is the old one, times the weight of the other vertex, plus the old one of ``px.s``,
# * ``px.s`` is the old one, times that weight, plus the old one of ``p.xs``.
#
# Both outer lines have one more vertex between two links: its weight counts if the line is empty.
#
# **Cylinders** have one more place, at the end: the edge from the last vertex of a row around to the
# first. The last vertex is decided by a usual step and by one that *closes* the row, where its path
# to the right joins the one of this edge: the number of
#
# * ``p..s`` is the old one plus those of all joins,
# * ``px.s`` is the old one plus that of the corner ``pxs``.
#
# All words with the last place chosen then are as if they had the number 0.

cdef enum Way:
    SQUARES  # a vertex for each column
    LINKS  # a link of two lines of a honeycomb for every second column
    CLOSING  # the end of a row around a cylinder


cdef struct RowPass:
    Field field
    uint64_t *words  # a number for each
    uint64_t *corners
    uint64_t *answer  # solutions so far
    bint loop  # whether a cycle is a solution
    Way way
    int outer  # for LINKS: vertices of an outer line since its last link
    int depth  # most open ends at once so far: deeper words have the number 0
    int first  # the first column of the steps
    int last  # one more than the last column
    const bint *stopped  # set when all threads must stop


cdef struct Range:
    size_t first
    size_t count


cdef inline Range rights_of(
    const Ranking *r, int state, uint64_t first, uint64_t last
) noexcept nogil:
    """Return the right halves from a state whose support is in a range."""
    cdef Range found
    cdef const int64_t *starts = &r.right.starts[<size_t>state << r.right.length]
    found.first = starts[first]
    found.count = (r.rights[state] if last >> r.right.length else starts[last]) - starts[first]
    return found


cdef inline int64_t accepted_at(Ranking *r, const RowPass *w, int column) noexcept nogil:
    """Return the index of the word that is a solution if its two ends meet here, or -1."""
    cdef int ends
    cdef int64_t start, entry
    cdef uint64_t code
    if column == 0 or not (w.loop if r.labels == 0 else r.labels == 2):
        return -1
    ends = LABEL << 2 | LABEL if r.labels else CLOSE << 2 | OPEN
    code = <uint64_t>ends << (2 * (column - 1))
    if column <= r.cut:
        start = rank_of_start(r, code)
        return base_of_start(r, start) if start >= 0 else -1
    entry = rank_of_end(r, 0, code >> (2 * r.cut))
    return r.lefts[0].base + entry if entry >= 0 else -1


cdef inline int since_left(const RowPass *w, int column) noexcept nogil:
    """Return the vertices of the line to the left of a link since its last link."""
    return w.outer if column == 1 else 0


cdef inline int since_right(const Ranking *r, const RowPass *w, int column) noexcept nogil:
    """Return the vertices of the line to the right of a link since its last link."""
    return w.outer if column == r.width - 1 else 0


cdef inline void accept(Ranking *r, RowPass *w, int column) noexcept nogil:
    """Weigh the solutions so far, which leave out this vertex; add those that end here."""
    cdef int64_t place = accepted_at(r, w, column)
    cdef int vertices = 1 if w.way == SQUARES else 0
    if w.way == LINKS:
        vertices = 2 + since_left(w, column) + since_right(r, w, column)
    w.answer[0] = weighed_often(&w.field, w.answer[0], vertices)
    if place >= 0:
        w.answer[0] = plus(&w.field, w.answer[0], w.words[place])


cdef inline void begin_path(
    const Field *field, uint64_t *empty, uint64_t *begun, uint64_t *corner
) noexcept nogil:
    """Update ``p..s``, ``p()s`` and ``p.s``, except for joins."""
    cdef uint64_t before = empty[0]
    begun[0] = plus(field, begun[0], corner[0])
    corner[0] = before
    empty[0] = weighed(field, before)


cdef inline void enter_vertex(
    const Field *field, uint64_t *above, uint64_t *beside, uint64_t *corner
) noexcept nogil:
    """Update ``p.xs``, ``px.s`` and ``pxs``."""
    cdef uint64_t before = beside[0]
    above[0] = plus(field, above[0], before)
    beside[0] = plus(field, weighed(field, before), corner[0])
    corner[0] = before


cdef inline void begin_at_link(
    const Field *field, uint64_t *empty, uint64_t *begun, int since
) noexcept nogil:
    """Update ``p..s`` and ``p()s``, except for joins."""
    cdef uint64_t before = weighed_often(field, empty[0], since)
    begun[0] = plus(field, begun[0], before)
    empty[0] = weighed_often(field, before, 2)


cdef inline void enter_link(
    const Field *field, uint64_t *above, uint64_t *beside, int since_beside, int since_above
) noexcept nogil:
    """Update ``p.xs`` and ``px.s``."""
    cdef uint64_t right = weighed_often(field, above[0], since_beside)
    cdef uint64_t left = weighed_often(field, beside[0], since_above)
    above[0] = plus(field, weighed(field, right), left)
    beside[0] = plus(field, weighed(field, left), right)


cdef inline bint has_step(const RowPass *w, int column) noexcept nogil:
    """Return whether there is a step in a column."""
    return w.way != LINKS or (column - w.first) % 2 == 0


# -- up to the middle --


cdef inline bint step_starts(
    Ranking *r, Moves *m, RowPass *w, uint64_t first, uint64_t last, StopToken *watch
) noexcept nogil:
    """Take steps up to the middle, for right halves with supports in a range; False if stopped."""
    cdef int column, change
    cdef const NumberList *moves
    cdef const uint32_t *item
    cdef size_t k
    for column in range(w.first, min(w.last, r.cut + 1)):
        if not has_step(w, column):
            continue
        if first == 0:
            accept(r, w, column)
        for change in range(CHANGES):
            moves = &m.starts[change][column]
            item = moves.items
            for k in range(moves.count // 3):
                if watch_stops(watch) or w.stopped[0]:
                    return False
                if r.lefts[item[0] // SYMBOLS].depth <= w.depth:
                    step_start(r, m, w, column, change, item, first, last)
                item += 3
    return True


cdef inline void step_links(
    const Field *field, uint64_t *words, uint64_t *other, size_t count, int change, int beside,
    int above,
) noexcept nogil:
    """Take the step of a link for rows of right halves."""
    cdef size_t k
    if change == PASSING:
        for k in range(count):
            enter_link(field, words + k, other + k, beside, above)
    else:
        for k in range(count):
            begin_at_link(field, words + k, other + k, beside + above)


cdef inline void step_start(
    Ranking *r, Moves *m, RowPass *w, int column, int change, const uint32_t *item, uint64_t first,
    uint64_t last,
) noexcept nogil:
    """Take one step for all words that begin with a start."""
    # On the stack, so that the compiler sees that no store changes it.
    cdef Field field = w.field
    cdef Range rights = rights_of(r, state_of_start(r, item[0]), first, last), others
    cdef uint64_t *words = w.words + base_of_start(r, item[0])
    cdef uint64_t *other = w.words + base_of_start(r, item[1])
    cdef uint64_t *corners
    cdef size_t k
    if change == JOINED:
        others = rights_of(r, state_of_start(r, item[1]), first, last)
        other += others.first
        if m.flips[item[2]] == NULL:
            add_to(field.prime, words + rights.first, other, rights.count)
        else:
            add_moved(field.prime, words, m.flips[item[2]] + others.first, other, others.count)
        return
    words += rights.first
    other += rights.first
    if w.way == LINKS:
        step_links(
            &field, words, other, rights.count, change, since_left(w, column),
            since_right(r, w, column),
        )
        return
    corners = w.corners + r.lefts[item[2]].corner + rights.first
    if change == PASSING:
        for k in range(rights.count):
            enter_vertex(&field, words + k, other + k, corners + k)
    elif item[0] != item[1]:
        for k in range(rights.count):
            begin_path(&field, words + k, other + k, corners + k)
    else:
        # In the first column, nothing comes from the left.
        for k in range(rights.count):
            corners[k] = words[k]
            words[k] = weighed(&field, words[k])


# -- beyond the middle --


cdef inline bint step_ends(
    Ranking *r, Moves *m, RowPass *w, uint64_t first, uint64_t last, StopToken *watch
) noexcept nogil:
    """Take steps beyond the middle, for left halves with supports in a range; False if stopped."""
    cdef int64_t begin = r.left.starts[first], left, end = r.num_lefts
    cdef int column
    if not last >> r.cut:
        end = r.left.starts[last]
    for column in range(max(w.first, r.cut + 1), w.last):
        if not has_step(w, column):
            continue
        if first == 0:
            accept(r, w, column)
        for left in range(begin, end):
            if watch_stops(watch) or w.stopped[0]:
                return False
            if r.lefts[left].depth <= w.depth:
                step_row(r, m, w, column, left)
    return True


cdef inline void step_row(
    Ranking *r, Moves *m, RowPass *w, int column, int64_t number
) noexcept nogil:
    """Take one step for all words that begin with a left half."""
    cdef Field field = w.field
    cdef Left *left = &r.lefts[number]
    cdef uint64_t *row = w.words + left.base
    cdef uint64_t *other
    cdef uint64_t *corners = w.corners + left.corner
    cdef size_t where = <size_t>(column - r.cut) * r.states + left.state, k, source
    cdef int beside = since_left(w, column), above = since_right(r, w, column)
    cdef const NumberList *moves = &m.ends[EMPTY][where]
    cdef const uint32_t *item = moves.items
    if w.way == SQUARES:
        for k in range(moves.count // 3):
            begin_path(&field, row + item[0], row + item[1], corners + item[2])
            item += 3
    elif w.way == LINKS:
        for k in range(moves.count // 3):
            begin_at_link(&field, row + item[0], row + item[1], beside + above)
            item += 3
    moves = &m.ends[JOINED][where]
    item = moves.items
    for k in range(moves.count // 2):
        row[item[0]] = plus(&field, row[item[0]], row[item[1]])
        item += 2
    moves = &m.ends[PASSING][where]
    item = moves.items
    if w.way == SQUARES:
        for k in range(moves.count // 3):
            enter_vertex(&field, row + item[0], row + item[1], corners + item[2])
            item += 3
    elif w.way == LINKS:
        for k in range(moves.count // 3):
            enter_link(&field, row + item[0], row + item[1], beside, above)
            item += 3
    else:
        for k in range(moves.count // 3):
            row[item[1]] = plus(&field, row[item[1]], corners[item[2]])
            item += 3
    for source in range(m.other_starts[number], m.other_starts[number + 1], 2):
        other = w.words + r.lefts[m.others.items[source]].base
        moves = shared_by(m, r, column, m.others.items[source + 1], left.state)
        item = moves.items
        for k in range(moves.count // 2):
            row[item[0]] = plus(&field, row[item[0]], other[item[1]])
            item += 2


# ---- Turns ---------------------------------------------------------------------------------------
#
# Decide whether the first vertex of a row around a cylinder has its edge to the last one.
#
# That edge is the last place. A path from above may take it, and leaves the first place empty; a
# path may begin with it, and goes on down or to the right. So each word with a last place comes
# from one without, or from none. The other cases are a usual step of these.

cdef enum:
    NOWHERE = 0xFFFFFFFF  # the source of a word that has none


cdef struct Turns:
    uint32_t *pairs  # target, source
    size_t count


cdef inline uint64_t before_turn(uint64_t code, int last) noexcept nogil:
    """Return the source of a word whose last place is a right end; ``code`` itself if none."""
    cdef int depth = 0, place = last, symbol
    while True:
        place -= 1
        symbol = symbol_at(code, place)
        if symbol == OPEN and depth == 0:
            break
        depth += (symbol == CLOSE) - (symbol == OPEN)
    if place == 0:
        return put(put(code, 0, NONE), last, NONE)
    if symbol_at(code, 0) != NONE:
        return code
    return put(put(put(code, 0, OPEN), place, CLOSE), last, NONE)


cdef inline bint turns_open(Turns *t, Arena *arena, Ranking *r, StopToken *watch) noexcept nogil:
    """List all words with a last place; False if stopped or without memory."""
    cdef int64_t number, index, place = 0, source
    cdef int symbol, state, last = r.width - 1
    cdef uint64_t support, code, before
    t.pairs = <uint32_t *>arena_take(arena, 2 * r.num_words, sizeof(uint32_t))
    if t.pairs == NULL:
        return False
    for number in range(r.num_lefts):
        for symbol in range(SYMBOLS):
            state = follow(&r.right, r.lefts[number].state, symbol)
            if state < 0:
                continue
            for support in range(<uint64_t>1 << r.right.length):
                if watch_stops(watch):
                    return False
                for index in range(tails_of(&r.right, bits_set(support), state)):
                    if support >> (r.right.length - 1):
                        code = put(r.lefts[number].code, r.cut, symbol)
                        code |= unrank(&r.right, state, support, index) << (2 * r.cut + 2)
                        before = before_turn(code, last)
                        source = NOWHERE if before == code else rank_of_word(r, before)
                        t.pairs[2 * t.count] = <uint32_t>place
                        t.pairs[2 * t.count + 1] = <uint32_t>source
                        t.count += 1
                    place += 1
    return True


cdef inline void turn_words(const Turns *t, uint64_t *words) noexcept nogil:
    cdef size_t k
    cdef const uint32_t *pair = t.pairs
    for k in range(t.count):
        words[pair[0]] = words[pair[1]] if pair[1] != NOWHERE else 0
        pair += 2


# ---- Terminals -----------------------------------------------------------------------------------
#
# Decide the vertex of a terminal: each word gets one label more.
#
# Exactly one edge ends there. If no path comes in, the path leaves to the right or down. Both are
# the same place before the next vertex, which gets a label. If a path comes in, it ends there, and
# its other end becomes a label. If a label comes in, its path joins the two terminals.

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


# ---- For Python ----------------------------------------------------------------------------------

#: Most places of a word; more do not fit into its code.
PLACES: int = MOST_PLACES

#: The ways to take steps: see `Ranks.step`.
AT_VERTICES: int = SQUARES
AT_LINKS: int = LINKS
AROUND: int = CLOSING


#: Whole numbers below 2^64, in one dimension.
Numbers: TypeAlias = "memoryview[int]"


class PassNumbers(NamedTuple):
    """The numbers of a pass, which steps change: of words, of corners, and the answer.

    They are modulo ``prime``; a vertex that is left out has the ``weight``.
    """

    words: Numbers
    corners: Numbers
    answer: Numbers
    prime: int
    weight: int


cdef class Ranks:
    """All words with ``width`` places and ``labels`` labels, and the steps on their numbers.

    ``cut`` places are a left half. With ``outside`` no label stands between two ends of a path.
    ``memory`` bounds the bytes of the tables; the numbers themselves are the caller's. Raises
    ``ValueError`` for an invalid frontier, `MemoryLimit`, and `SearchTimeout` at the ``deadline``.
    """

    cdef Arena arena
    cdef Ranking ranking
    cdef Moves moves
    cdef Turns turns
    cdef bint stopped

    def __cinit__(self):
        arena_open(&self.arena, 0)

    def __init__(
        self,
        int width,
        int cut,
        int labels,
        bint outside,
        size_t memory,
        object deadline: Deadline,
    ):
        cdef bint fits
        cdef StopToken watch
        if self.arena.last != NULL:
            raise ValueError("expected new ranks")
        if not 3 <= width <= MOST_PLACES or not 1 <= cut <= width - 2:
            raise ValueError("expected two halves and a middle of a frontier that fits")
        if not 0 <= labels <= MOST_LABELS:
            raise ValueError("expected at most two labels")
        self.arena.limit = memory
        watch_start(&watch, deadline.seconds, 64)
        with nogil:
            fits = ranking_open(
                &self.ranking, &self.arena, width, cut, labels, outside
            ) and moves_open(&self.moves, &self.arena, &self.ranking, &watch)
        watch_raise(&watch, deadline)
        if not fits:
            arena_error(&self.arena, "the tables of a pass")

    def __dealloc__(self):
        arena_close(&self.arena)

    @property
    def words(self) -> int:
        """The number of words."""
        return self.ranking.num_words

    @property
    def corners(self) -> int:
        """The number of words of one place less."""
        return self.ranking.num_corners

    @property
    def without_last(self) -> int:
        """The support of the first right half whose last place is not empty."""
        return 1 << self.ranking.right.length - 1

    def sizes(self, bint ends) -> list[int]:
        """Return the number of words by the support of the right half, or of the left (``ends``)."""
        cdef Ranking *r = &self.ranking
        cdef int length = r.cut if ends else r.right.length, weight, symbol, state
        cdef int64_t left
        by_weight = [0] * (length + 1)
        for left in range(r.num_lefts):
            if ends:
                by_weight[bits_set(support_of(r.lefts[left].code, length))] += r.rows[
                    r.lefts[left].state
                ]
                continue
            for symbol in range(SYMBOLS):
                state = follow(&r.right, r.lefts[left].state, symbol)
                for weight in range(length + 1 if state >= 0 else 0):
                    by_weight[weight] += tails_of(&r.right, weight, state)
        if ends:
            # These are of all left halves of that weight; each support has as many.
            by_weight = [total // comb(length, weight) for weight, total in enumerate(by_weight)]
        return [by_weight[bits_set(support)] for support in range(1 << length)]

    def stop(self, bint stopped) -> None:
        """Ask every call in another thread to end; with False, withdraw that request."""
        self.stopped = stopped

    def rank(self, codes: Sequence[int]) -> int:
        """Return the index of a word, given by ``codes`` 0 to 3 for each place; -1 if it is invalid."""
        cdef uint64_t code = 0
        cdef int place
        if len(codes) != self.ranking.width or not all(0 <= symbol < SYMBOLS for symbol in codes):
            raise ValueError("expected 0 to 3 for each place")
        for place in range(self.ranking.width):
            code |= <uint64_t>codes[place] << (2 * place)
        return rank_of_word(&self.ranking, code)

    def step(
        self,
        object numbers: PassNumbers,
        *,
        bint ends,
        uint64_t first,
        uint64_t last,
        int column,
        int until,
        bint loop,
        int depth,
        object deadline: Deadline,
        int way = SQUARES,
        int outer = 0,
    ) -> None:
        """Take the steps in columns from ``column`` to before ``until`` that belong here.

        Without ``ends``, take those up to the middle, for right halves with a support in
        ``range(first, last)``; with ``ends`` those beyond, for left halves. With ``loop`` a cycle
        is a solution. ``depth`` bounds the open ends in words whose number is not 0. ``way`` is
        `AT_VERTICES`, `AT_LINKS`, with every second column from ``column`` on and ``outer``
        vertices since the last link of an outer line, or `AROUND`, of the last column only. Raises
        `SearchTimeout` or the error of a signal handler; then the numbers are invalid. Ends early
        after `stop`.
        """
        cdef RowPass w
        cdef StopToken watch
        cdef int length = self.ranking.cut if ends else self.ranking.right.length
        if not first < last <= <uint64_t>1 << length:
            raise ValueError("expected a range of supports")
        if not 0 <= column <= until <= self.ranking.width:
            raise ValueError("expected columns of the frontier")
        if not SQUARES <= way <= CLOSING or way == LINKS and column == 0:
            raise ValueError("expected a way to take steps")
        if way == CLOSING and column + 1 < self.ranking.width:
            raise ValueError("expected the last column")
        self.begin(&w, numbers)
        w.loop, w.depth, w.first, w.last = loop, depth, column, until
        w.way, w.outer = <Way>way, outer
        watch_start(&watch, deadline.seconds, 16)
        with nogil:
            if ends:
                step_ends(&self.ranking, &self.moves, &w, first, last, &watch)
            else:
                step_starts(&self.ranking, &self.moves, &w, first, last, &watch)
        watch_raise(&watch, deadline)

    def turn(self, object numbers: PassNumbers, *, object deadline: Deadline) -> None:
        """Begin a row around a cylinder: give each word with a last place the number of its source.

        Corners get the number 0. Then take the step in the first column only for right halves
        before `without_last`. Raises like `step`.
        """
        cdef RowPass w
        cdef StopToken watch
        cdef bint fits = True
        if self.ranking.labels or self.ranking.num_words >= NOWHERE:
            raise ValueError("expected words without labels, fewer than 2**32")
        self.begin(&w, numbers)
        watch_start(&watch, deadline.seconds, 64)
        with nogil:
            if self.turns.pairs == NULL:
                fits = turns_open(&self.turns, &self.arena, &self.ranking, &watch)
            if fits:
                memset(w.corners, 0, self.ranking.num_corners * sizeof(uint64_t))
                turn_words(&self.turns, w.words)
        if not fits:
            self.turns.pairs, self.turns.count = NULL, 0
        watch_raise(&watch, deadline)
        if not fits:
            arena_error(&self.arena, "the tables of a pass")

    def meet(
        self,
        object numbers: PassNumbers,
        Ranks after: Ranks | None,
        uint64_t[::1] targets: Numbers | None,
        *,
        int column,
        object deadline: Deadline,
    ) -> None:
        """Decide a terminal in a column: fill ``targets``, zeros at first, the words of ``after``.

        The words of ``after`` have one label more; their corners have no numbers yet. Solutions
        that end here are added to the answer. Without ``after``, only these count. Raises like `step`.
        """
        cdef RowPass w
        cdef StopToken watch
        cdef Ranking *r = &self.ranking
        if not 0 <= column < r.width:
            raise ValueError("expected a column of the frontier")
        if after is not None and (
            after.ranking.width != r.width or after.ranking.labels != r.labels + 1
        ):
            raise ValueError("expected words of the same frontier with one more label")
        if after is not None and targets.shape[0] != after.ranking.num_words:
            raise ValueError("expected a number for each word")
        self.begin(&w, numbers)
        w.first = column
        if r.labels == 1:
            accept_label(r, &w)
        if after is None:
            return
        watch_start(&watch, deadline.seconds, 16)
        with nogil:
            meet_all(r, &after.ranking, &w, &targets[0], &watch)
        watch_raise(&watch, deadline)

    cdef int begin(self, RowPass *w, object numbers) except -1:
        """Check the arrays, and write them to a `RowPass`."""
        cdef uint64_t[::1] words = numbers.words, corners = numbers.corners, answer = numbers.answer
        cdef uint64_t prime = numbers.prime, weight = numbers.weight
        cdef Ranking *r = &self.ranking
        if words.shape[0] != r.num_words or corners.shape[0] != r.num_corners:
            raise ValueError("expected a number for each word, and for each corner")
        if answer.shape[0] != 1:
            raise ValueError("expected one number for the answer")
        w.way, w.outer = SQUARES, 0
        field_open(&w.field, prime, weight)
        w.words, w.corners, w.answer = &words[0], &corners[0], &answer[0]
        w.stopped = &self.stopped
        return 0

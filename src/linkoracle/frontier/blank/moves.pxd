"""The moves of each step, computed once for all rows of a board.

The vertex in column c, right of the first, acts on places c - 1 and c. For c up to ``cut``, a list
has its moves of left halves with their middle. For columns beyond, a list for each state in which a
row begins has its moves of the entries of the row. `steps` applies the lists.

A join may change an end on the other side of the cut. Then a whole row is added to another row,
entry by entry, by a table.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint32_t, uint64_t

from linkoracle.core.arena cimport Arena, arena_resize, arena_take
from linkoracle.core.limbs cimport bits_set
from linkoracle.core.watch cimport StopToken, watch_stops
from linkoracle.frontier.blank.joins cimport UNSEEN, Joins, find_joins, paired
from linkoracle.frontier.blank.ranking cimport Ranking, rank_of_end, rank_of_start, state_of_start
from linkoracle.frontier.blank.words cimport (
    CLOSE, LABEL, NONE, OPEN, SYMBOLS, follow, put, rank_of, state_after, symbol_at, tails_of,
    unrank, without
)

cdef enum Kind:
    PATH  # a path is joined to the left or right of the vertex
    TERMINAL  # a label is handed on


cdef enum:
    EMPTY  # nothing reaches the vertex, where a path may begin
    JOINED  # two paths end at the vertex and become one
    PASSING  # one path reaches the vertex
    CHANGES  # the number of changes


cdef struct Numbers:
    uint32_t *items
    size_t count
    size_t capacity


cdef struct Moves:
    int levels  # more than any level
    size_t same  # the number of no flip: right halves stay as they are
    # By change and column up to ``cut``, of left halves with their middle, *starts*. EMPTY: start,
    # its ``()``, corner. JOINED: start, source, flip. PASSING: start with the place above chosen,
    # with the one to the left, corner.
    Numbers *starts[CHANGES]
    uint32_t **flips  # by kind, level, state of the source: places of its right halves, or NULL
    # The same of entries by change and column beyond ``cut``, then state before the row; without
    # flips.
    Numbers *ends[CHANGES]
    Numbers *shared_ends  # by column, kind, level, state: entry, source in another row
    # By left half:
    Numbers others  # left half of a source, ``kind * levels + level``
    size_t *other_starts  # where these begin; one more at the end


cdef inline void append(
    Arena *arena, Numbers *numbers, int64_t first, int64_t second, int64_t third=-1
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


cdef inline Numbers *lists(Arena *arena, size_t count) noexcept nogil:
    """Return empty lists of numbers."""
    return <Numbers *>arena_take(arena, count, sizeof(Numbers))


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


# ---- steps up to the middle: rows of right halves -----------------------------------------------


cdef inline size_t flip_of(
    const Moves *m, const Ranking *r, int kind, int level, int state
) noexcept nogil:
    """Return the number of a table."""
    return (<size_t>kind * m.levels + level) * r.states + state


cdef inline uint64_t flipped(const Ranking *r, uint64_t code, int level, int symbol) noexcept nogil:
    """Replace the right end, at depth ``level``, of a path from the left by a symbol."""
    cdef int place, depth = 0, found
    for place in range(r.right.length):
        found = symbol_at(code, place)
        if found == OPEN:
            depth += 1
        elif found == CLOSE and depth:
            depth -= 1
        elif found == CLOSE:
            if level == 0:
                return put(code, place, symbol)
            level -= 1
    return code


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


# ---- steps beyond the middle: entries of a row --------------------------------------------------


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
        find_shared(
            m, arena, r, column, PATH if k == 0 else TERMINAL, joins.left_level, state, entry,
            beyond(code, place, CLOSE, k),
        )


cdef inline Numbers *shared_by(
    const Moves *m, const Ranking *r, int column, int kind_and_level, int state
) noexcept nogil:
    """Return the list of a state for a kind and level as in ``others``."""
    cdef size_t where = <size_t>(column - r.cut) * 2 * m.levels + kind_and_level
    return &m.shared_ends[where * r.states + state]


cdef inline void find_shared(
    Moves *m, Arena *arena, Ranking *r, int column, int kind, int level, int state, int64_t entry,
    uint64_t code,
) noexcept nogil:
    """Append a source in another row, if it is a valid word."""
    cdef int other = state + (6 if kind == PATH else 2)
    cdef int64_t source
    if kind == TERMINAL and state % 3 == 0 or other >= r.states:
        return
    source = rank_of_end(r, other, code)
    if source >= 0:
        append(arena, shared_by(m, r, column, kind * m.levels + level, state), entry, source)

"""What a step moves where, worked out once for all rows of a board.

The vertex in column c, right of the first, acts on places c - 1 and c. What it does to left halves
with their middle is written down for c up to ``cut``; what it does to the entries of a row, for
each state in which a row begins, for the columns beyond. `steps` says what is done with it.

A join changes ends, and some of them on the other side of the cut: then a whole row is added to
another one, entry by entry, as a table says.
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


cdef struct Numbers:
    uint32_t *items
    size_t count
    size_t room


cdef struct Moves:
    int levels  # more than any level
    # By column up to ``cut``, of left halves with their middle, *starts*:
    # start, its ``()``, corner; number of sources, these; number of tables, these with starts
    Numbers *empty
    Numbers *passing  # start with the place above chosen, with the one to the left, corner
    uint32_t **flips  # by kind, level, state of the source: places of its right halves, or NULL
    # By column beyond ``cut``, then state before the row:
    Numbers *empty_ends  # entry, its ``()``, corner
    Numbers *joined_ends  # entry, source in the same row
    Numbers *passing_ends  # entry with the place above chosen, with the one to the left, corner
    Numbers *shared_ends  # by kind, level, too: entry, source in another row
    # By left half:
    Numbers others  # left half of a source, ``kind * levels + level``
    size_t *other_starts  # where these begin; one more at the end


cdef inline bint append(Arena *arena, Numbers *numbers, int64_t number) noexcept nogil:
    cdef uint32_t *grown
    if numbers.count == numbers.room:
        grown = <uint32_t *>arena_resize(
            arena, numbers.items, 2 * numbers.room + 16, sizeof(uint32_t)
        )
        if grown == NULL:
            return False
        numbers.items, numbers.room = grown, 2 * numbers.room + 16
    numbers.items[numbers.count] = <uint32_t>number
    numbers.count += 1
    return True


cdef inline bint moves_open(
    Moves *m, Arena *arena, Ranking *r, StopToken *watch
) noexcept nogil:
    """Compute everything; false if it does not fit into memory, or is stopped."""
    m.levels = r.width + 2
    cdef size_t by_level = 2 * m.levels * r.states, beyond = r.width - r.cut
    cdef int column
    m.empty = <Numbers *>arena_take(arena, r.cut + 1, sizeof(Numbers))
    m.passing = <Numbers *>arena_take(arena, r.cut + 1, sizeof(Numbers))
    m.flips = <uint32_t **>arena_take(arena, by_level, sizeof(uint32_t *))
    m.empty_ends = <Numbers *>arena_take(arena, beyond * r.states, sizeof(Numbers))
    m.joined_ends = <Numbers *>arena_take(arena, beyond * r.states, sizeof(Numbers))
    m.passing_ends = <Numbers *>arena_take(arena, beyond * r.states, sizeof(Numbers))
    m.shared_ends = <Numbers *>arena_take(arena, beyond * by_level, sizeof(Numbers))
    m.other_starts = <size_t *>arena_take(arena, r.num_lefts + 1, sizeof(size_t))
    if (
        m.empty == NULL
        or m.passing == NULL
        or m.flips == NULL
        or m.empty_ends == NULL
        or m.joined_ends == NULL
        or m.passing_ends == NULL
        or m.shared_ends == NULL
        or m.other_starts == NULL
        or not find_flips(m, arena, r, watch)
        or not find_others(m, arena, r, watch)
    ):
        return False
    for column in range(r.cut + 1):
        if not find_starts(m, arena, r, watch, column):
            return False
    for column in range(r.cut + 1, r.width):
        if not find_ends(m, arena, r, watch, column):
            return False
    return True


# ---- steps up to the middle: rows of right halves -----------------------------------------------


cdef inline size_t flip_of(
    const Moves *m, const Ranking *r, int kind, int level, int state
) noexcept nogil:
    """The number of a table."""
    return (<size_t>kind * m.levels + level) * r.states + state


cdef inline uint64_t flipped(const Ranking *r, uint64_t code, int level, int symbol) noexcept nogil:
    """The right half with this symbol for the right end of a path from the left, at depth ``level``."""
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
    """For each state of a source and each level, where its right halves go."""
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
    """What the vertex in a column up to the middle does to starts."""
    cdef int64_t left
    cdef int symbol, state
    cdef uint64_t code
    for left in range(r.num_lefts):
        if watch_stops(watch):
            return False
        for symbol in range(SYMBOLS):
            state = follow(&r.right, r.lefts[left].state, symbol)
            if state < 0 or r.rights[state] == 0:
                continue
            code = put(r.lefts[left].code, r.cut, symbol)
            if column == 0:
                if symbol_at(code, 0) == NONE and not (
                    append(arena, &m.empty[0], SYMBOLS * left + symbol)
                    and append(arena, &m.empty[0], rank_of(&r.left, 0, without(code, 0)))
                ):
                    return False
            elif symbol_at(code, column - 1) == NONE:
                if symbol_at(code, column) == NONE:
                    if not find_empty_start(m, arena, r, column, code):
                        return False
                elif not (
                    append(arena, &m.passing[column], SYMBOLS * left + symbol)
                    and append(
                        arena,
                        &m.passing[column],
                        rank_of_start(
                            r, paired(code, column - 1, symbol_at(code, column), NONE)
                        ),
                    )
                    and append(
                        arena, &m.passing[column], rank_of(&r.left, 0, without(code, column - 1))
                    )
                ):
                    return False
    return True


cdef inline bint find_empty_start(
    Moves *m, Arena *arena, Ranking *r, int column, uint64_t code
) noexcept nogil:
    """A start with nothing at the vertex: what is begun there, and what is joined there."""
    cdef Numbers *numbers = &m.empty[column]
    cdef Joins joins
    cdef int64_t source
    cdef size_t counted
    cdef int k
    if not (
        append(arena, numbers, rank_of_start(r, code))
        and append(arena, numbers, rank_of_start(r, paired(code, column - 1, OPEN, CLOSE)))
        and append(arena, numbers, rank_of(&r.left, 0, without(code, column)))
        and append(arena, numbers, 0)
    ):
        return False
    counted = numbers.count - 1
    find_joins(
        &joins, code, r.cut + 1, column - 1, state_after(&r.left, 0, code, column - 1) >= 3
    )
    for k in range(joins.count):
        source = rank_of_start(r, joins.sources[k])
        if source >= 0:
            if not append(arena, numbers, source):
                return False
            numbers.items[counted] += 1
    if not append(arena, numbers, 0):
        return False
    counted = numbers.count - 1
    if joins.right_level == UNSEEN:
        return True
    return (
        find_flip(m, arena, r, numbers, counted, PATH, joins.right_level,
                  paired(code, column - 1, OPEN, OPEN))
        and find_flip(m, arena, r, numbers, counted, TERMINAL, joins.right_level,
                      paired(code, column - 1, LABEL, OPEN))
        and find_flip(m, arena, r, numbers, counted, TERMINAL, joins.right_level,
                      paired(code, column - 1, OPEN, LABEL))
    )


cdef inline bint find_flip(
    Moves *m, Arena *arena, Ranking *r, Numbers *numbers, size_t counted, int kind, int level,
    uint64_t code,
) noexcept nogil:
    """Write down a source whose right half changes, too, if there is such a word."""
    cdef int64_t source = rank_of_start(r, code)
    cdef size_t flip
    if source < 0:
        return True
    flip = flip_of(m, r, kind, level, state_of_start(r, source))
    if m.flips[flip] == NULL:
        return True
    numbers.items[counted] += 1
    return append(arena, numbers, flip) and append(arena, numbers, source)


# ---- steps beyond the middle: entries of a row --------------------------------------------------


cdef inline bint find_others(Moves *m, Arena *arena, Ranking *r, StopToken *watch) noexcept nogil:
    """For each left half, the ones of sources of which a path or label is seen from the right."""
    cdef int64_t left, source
    cdef int place, depth, level, symbol
    cdef uint64_t code
    for left in range(r.num_lefts):
        if watch_stops(watch):
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
                if source >= 0 and not (
                    append(arena, &m.others, source)
                    and append(
                        arena,
                        &m.others,
                        (PATH if symbol == CLOSE else TERMINAL) * m.levels + level,
                    )
                ):
                    return False
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
    """What the vertex in a column beyond the middle does to rows, by the state before them."""
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
                if watch_stops(watch):
                    return False
                for index in range(tails_of(&r.right, bits_set(support), next_state)):
                    if not find_end(
                        m, arena, r, column, state,
                        symbol | unrank(&r.right, next_state, support, index) << 2,
                    ):
                        return False
    return True


cdef inline bint find_end(
    Moves *m, Arena *arena, Ranking *r, int column, int state, uint64_t code
) noexcept nogil:
    """What the vertex does to one entry of a row, if nothing comes to the vertex from the left."""
    cdef int place = column - r.cut - 1, above = symbol_at(code, place + 1), k
    cdef size_t where = <size_t>(column - r.cut) * r.states + state
    cdef Numbers *numbers
    cdef Joins joins
    cdef int64_t entry = rank_of_end(r, state, code), source
    if symbol_at(code, place) != NONE:
        return True
    numbers = &m.passing_ends[where] if above else &m.empty_ends[where]
    if not (
        append(arena, numbers, entry)
        and append(
            arena,
            numbers,
            rank_of_end(
                r,
                state,
                paired(code, place, above, NONE) if above else paired(code, place, OPEN, CLOSE),
            ),
        )
        and append(arena, numbers, rank_of(&r.right, state, without(code, place)))
    ):
        return False
    if above:
        return True
    find_joins(
        &joins, code, r.right.length + 1, place, state_after(&r.right, state, code, place) >= 3
    )
    for k in range(joins.count):
        source = rank_of_end(r, state, joins.sources[k])
        if source >= 0 and not (
            append(arena, &m.joined_ends[where], entry)
            and append(arena, &m.joined_ends[where], source)
        ):
            return False
    if joins.left_level == UNSEEN:
        return True
    return (
        find_shared(m, arena, r, column, PATH, joins.left_level, state, entry,
                    paired(code, place, CLOSE, CLOSE))
        and find_shared(m, arena, r, column, TERMINAL, joins.left_level, state, entry,
                        paired(code, place, LABEL, CLOSE))
        and find_shared(m, arena, r, column, TERMINAL, joins.left_level, state, entry,
                        paired(code, place, CLOSE, LABEL))
    )


cdef inline Numbers *shared_by(
    const Moves *m, const Ranking *r, int column, int kind_and_level, int state
) noexcept nogil:
    """What rows that begin in a state gain from others, by a kind and level as in ``others``."""
    cdef size_t where = <size_t>(column - r.cut) * 2 * m.levels + kind_and_level
    return &m.shared_ends[where * r.states + state]


cdef inline bint find_shared(
    Moves *m, Arena *arena, Ranking *r, int column, int kind, int level, int state, int64_t entry,
    uint64_t code,
) noexcept nogil:
    """Write down a source in another row, if there is such a word."""
    cdef Numbers *numbers = shared_by(m, r, column, kind * m.levels + level, state)
    cdef int other = state + (6 if kind == PATH else 2)
    cdef int64_t source
    if kind == TERMINAL and state % 3 == 0 or other >= r.states:
        return True
    source = rank_of_end(r, other, code)
    if source < 0:
        return True
    return append(arena, numbers, entry) and append(arena, numbers, source)

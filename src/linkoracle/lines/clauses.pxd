"""Clauses that each watch two of their literals, and are visited when one of these becomes false.

So a clause whose literals are all false but one is found without visiting other clauses (Moskewicz
et al., Chaff, DAC 2001). The watches of a literal are a list; a watch is twice its clause, and one
more for the second literal.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t

from linkoracle.core.arena cimport Arena, arena_grow, arena_take
from linkoracle.lines.rules cimport CLAUSE, KINDS, MOST
from linkoracle.lines.trail cimport NONE, UNKNOWN, Trail, learn

cdef enum:
    MOST_ITEMS = 1 << 30  # of an array that grows


cdef struct Clause:
    int start  # where its literals begin
    int width  # how many these are; 0 if it was removed
    int glue  # levels in it when it was learned; 0 if it was not
    int32_t next[2]  # the next watch after that of its first literal, of its second
    int saved  # where a literal that is not false was found last


cdef struct Clauses:
    Clause *items
    int number  # how many
    int room  # how many there is room for
    int32_t *literals  # of all clauses
    int num_literals
    int most_literals  # how many there is room for
    int32_t *first  # by literal: its first watch, or NONE
    int32_t *last  # its last one, if new watches come last; NULL if they come first
    int spared  # a literal that is not learned, or NONE
    int refuted  # 1 + a clause of which all but that literal are false, or 0


cdef inline void *grown(
    Arena *arena, void *items, int *room, int64_t needed, size_t size
) noexcept nogil:
    """Allocate items of a size with half as many spare ones; NULL without memory."""
    cdef int64_t more = min(room[0] + room[0] // 2, <int64_t>MOST_ITEMS)
    cdef void *moved
    if needed <= room[0]:
        return items
    if needed > MOST_ITEMS:
        return NULL
    if more > needed:
        moved = arena_grow(arena, items, more, size)
        if moved != NULL:
            room[0] = <int>more
            return moved
    moved = arena_grow(arena, items, needed, size)
    if moved != NULL:
        room[0] = <int>needed
    return moved


cdef inline void open_clauses(
    Clauses *c, Arena *arena, int variables, int room, int literals, bint in_order
) noexcept nogil:
    """Allocate for a number of variables; sets ``arena.refused`` without memory.

    ``in_order``, the older of two clauses is looked at first, and the first of two literals.
    """
    cdef int literal
    c.room, c.most_literals = room, literals
    c.items = <Clause *>arena_take(arena, room, sizeof(Clause))
    c.literals = <int32_t *>arena_take(arena, literals, sizeof(int32_t))
    c.first = <int32_t *>arena_take(arena, 2 * <size_t>variables, sizeof(int32_t))
    if in_order:
        c.last = <int32_t *>arena_take(arena, 2 * <size_t>variables, sizeof(int32_t))
    c.spared = NONE
    if not arena.refused:
        for literal in range(2 * variables):
            c.first[literal] = NONE


cdef inline bint has_room(Clauses *c, Arena *arena, int number, int literals) noexcept nogil:
    """Reserve memory for more clauses and literals; false without memory."""
    cdef int64_t needed = <int64_t>c.number + number
    cdef Clause *items = NULL
    cdef int32_t *moved
    if needed <= MOST:
        items = <Clause *>grown(arena, c.items, &c.room, needed, sizeof(Clause))
    if items == NULL:
        return False
    c.items = items
    moved = <int32_t *>grown(
        arena, c.literals, &c.most_literals, <int64_t>c.num_literals + literals, sizeof(int32_t)
    )
    if moved == NULL:
        return False
    c.literals = moved
    return True


cdef inline int store_clause(Clauses *c, const int32_t *literals, int width) noexcept nogil:
    """Store a clause, for which there must be room, and which is not watched yet; its number.

    The literals may be some that were stored before, further behind.
    """
    cdef Clause *clause = &c.items[c.number]
    cdef int k
    clause.start, clause.width, clause.glue, clause.saved = c.num_literals, width, 0, 2
    for k in range(width):
        c.literals[c.num_literals + k] = literals[k]
    c.num_literals += width
    c.number += 1
    return c.number - 1


cdef inline void add_watch(Clauses *c, int node) noexcept nogil:
    cdef Clause *clause = &c.items[node >> 1]
    cdef int literal = c.literals[clause.start + (node & 1)]
    if c.last == NULL:
        clause.next[node & 1] = c.first[literal]
        c.first[literal] = node
        return
    clause.next[node & 1] = NONE
    if c.first[literal] == NONE:
        c.first[literal] = node
    else:
        c.items[c.last[literal] >> 1].next[c.last[literal] & 1] = node
    c.last[literal] = node


cdef inline void watch_clause(Clauses *c, int number) noexcept nogil:
    """Watch the first two literals of a clause, if it has two."""
    add_watch(c, 2 * number)
    add_watch(c, 2 * number + 1)


cdef inline bint find_watch(Clauses *c, const Trail *t, Clause *clause, int mine) noexcept nogil:
    """Put a literal that is not false in the place of a watched one; whether there is any."""
    cdef int32_t *literals = c.literals + clause.start
    cdef int k, place = clause.saved if c.last == NULL else 2
    for k in range(clause.width - 2):
        if place >= clause.width:
            place -= clause.width - 2
        if t.values[literals[place]] != 0:
            literals[mine], literals[place] = literals[place], literals[mine]
            clause.saved = place
            return True
        place += 1
    return False


cdef inline int visit_clauses(Clauses *c, Trail *t, int literal) noexcept nogil:
    """Learn from the clauses that watch a literal which has become false; NONE, or a broken one."""
    cdef int32_t *slot = &c.first[literal]
    cdef int node = slot[0], before = NONE, mine, other, value, following
    cdef Clause *clause
    while node >= 0:
        clause, mine = &c.items[node >> 1], node & 1
        following = clause.next[mine]
        if clause.width:
            other = c.literals[clause.start + 1 - mine]
            value = t.values[other]
            if value == 1 or not find_watch(c, t, clause, mine):
                if value == 0:
                    return node >> 1
                if value == UNKNOWN and other == c.spared:
                    c.refuted = (node >> 1) + 1
                elif value == UNKNOWN:
                    learn(t, other, CLAUSE + KINDS * (node >> 1))
                before = node
                slot = &clause.next[mine]
                node = following
                continue
        # It leaves the list.
        slot[0] = following
        if c.last != NULL and following == NONE:
            c.last[literal] = before
        if clause.width:
            add_watch(c, node)
        node = following
    return NONE

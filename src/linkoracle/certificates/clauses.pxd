"""Clauses that are watched, found again, and propagated: what `Refutation` works on.

Literals are numbers from 0: variable v is 2v, its negation 2v + 1. A clause of two or more watches
its first two literals: it stands in the list of each of them. When a literal becomes false,
`propagate` looks at the clauses in its list, for another literal that they can watch. So a clause
with all literals but one false is found without looking at the others.
"""

from libc.stdint cimport int8_t, int32_t, uint64_t

from linkoracle.core.arena cimport Arena, arena_grow
from linkoracle.core.watch cimport Watch, watch_stops

cdef enum:
    NONE = -1
    # Clauses and literals are numbered in 31 bits.
    MOST = 0x7FFFFFC0
    # What is answered besides the numbers of clauses.
    REFUSED = -2  # the arena has no more room
    STOPPED = -3  # the watch says so
    UNFOUNDED = -4  # a clause does not follow by unit propagation


cdef struct Ints:
    int32_t *at  # the numbers
    int size  # how many there are
    int room  # how many there may be


cdef struct Clause:
    int start  # where its literals begin
    int size  # how many it has
    int chain  # where its chain begins; NONE for an axiom
    int links  # clauses in its chain
    int following  # the next clause with a hash like its own, or NONE
    uint64_t hash  # of the literals as the solver wrote them; 0 once deleted, or if not by it


cdef struct State:
    Arena arena
    Watch watch
    int variables
    Clause *clauses
    int number  # clauses in use
    int room  # clauses that there is room for
    int axioms  # the first so many are axioms
    Ints literals  # of all clauses
    Ints chains  # clause numbers, of all chains
    Ints *watches  # by literal: clauses in which it is watched
    int8_t *values  # by literal: 1 true, -1 false, 0 open
    int32_t *reason  # by variable: the clause that made it true or false, NONE for an assumption
    int8_t *seen  # by variable: met by `resolve`
    int32_t *trail  # literals, in the order in which they became true
    int known  # how many that are
    int settled  # how many of them hold for good: each has a clause of one literal as reason
    int done  # how many of them have been propagated
    int32_t *table  # the first clause of each hash
    int table_size  # a power of two
    int32_t *scratch  # literals of a clause in work; room for all
    int empty  # the empty clause, or NONE


cdef inline int negated(int literal) noexcept nogil:
    return literal ^ 1


cdef inline bint push(State *s, Ints *list, int number) noexcept nogil:
    """Add a number to a list; False if there is no room."""
    cdef int32_t *moved
    cdef int room
    if list.size == list.room:
        if list.room > MOST // 2:
            return False
        room = 2 * list.room if list.room else 8
        moved = <int32_t *>arena_grow(&s.arena, list.at, room, sizeof(int32_t))
        if moved == NULL:
            return False
        list.at, list.room = moved, room
    list.at[list.size] = number
    list.size += 1
    return True


cdef inline void become_true(State *s, int literal, int reason) noexcept nogil:
    s.values[literal], s.values[negated(literal)] = 1, -1
    s.reason[literal >> 1] = reason
    s.trail[s.known] = literal
    s.known += 1


cdef inline uint64_t hash_of(const int32_t *literals, int size) noexcept nogil:
    """A hash that does not depend on the order; never 0."""
    cdef uint64_t total = 0, mixed, one = 1
    cdef int k
    for k in range(size):
        mixed = (<uint64_t>literals[k] + 1) * <uint64_t>0x9E3779B97F4A7C15
        mixed ^= mixed >> 29
        mixed *= <uint64_t>0xBF58476D1CE4E5B9
        total += mixed ^ (mixed >> 32)
    return total | one


cdef inline int new_clause(
    State *s, const int32_t *literals, int size, uint64_t hash
) noexcept nogil:
    """A clause that is not watched yet; its number, or `REFUSED`."""
    cdef Clause *clause
    cdef Clause *moved
    cdef int k, place
    if s.number == s.room:
        if s.room > MOST // 2:
            return REFUSED
        moved = <Clause *>arena_grow(&s.arena, s.clauses, 2 * s.room, sizeof(Clause))
        if moved == NULL:
            return REFUSED
        s.clauses, s.room = moved, 2 * s.room
    clause = &s.clauses[s.number]
    clause.start, clause.size, clause.hash = s.literals.size, size, hash
    clause.chain, clause.links, clause.following = NONE, 0, NONE
    for k in range(size):
        if not push(s, &s.literals, literals[k]):
            return REFUSED
    if hash:
        place = <int>(hash >> 20 & <uint64_t>(s.table_size - 1))
        clause.following = s.table[place]
        s.table[place] = s.number
    s.number += 1
    return s.number - 1


cdef inline void delete_clause(State *s, const int32_t *literals, int size) noexcept nogil:
    """Watch a clause no longer, if it is known; clauses of one literal stay.

    Its watches are dropped when propagation comes upon them.
    """
    cdef uint64_t hash = hash_of(literals, size)
    cdef int index = s.table[<int>(hash >> 20 & <uint64_t>(s.table_size - 1))]
    while index != NONE:
        if s.clauses[index].hash == hash and s.clauses[index].size > 1:
            s.clauses[index].hash = 0
            # A size that is negative says that it is deleted. Its chain stays, and whatever it is
            # the reason for has by now a clause of its own.
            s.clauses[index].size = -s.clauses[index].size
            return
        index = s.clauses[index].following


cdef inline bint watch_clause(State *s, int index) noexcept nogil:
    cdef int32_t *at = &s.literals.at[s.clauses[index].start]
    return push(s, &s.watches[at[0]], index) and push(s, &s.watches[at[1]], index)


cdef inline int propagate(State *s) noexcept nogil:
    """Propagate units; the clause that is violated, NONE, or what is wrong.

    The watch is asked for each literal. Whoever is stopped leaves the rest undone for good.
    """
    cdef int literal, false_one, index, kept, place, k, other, size
    cdef int32_t *at
    cdef Ints *watches
    cdef Clause *clause
    while s.done < s.known:
        if watch_stops(&s.watch):
            return STOPPED
        false_one = negated(s.trail[s.done])
        s.done += 1
        watches = &s.watches[false_one]
        kept = 0
        for place in range(watches.size):
            index = watches.at[place]
            clause = &s.clauses[index]
            if clause.size < 0:
                continue
            at = &s.literals.at[clause.start]
            if at[0] == false_one:
                at[0], at[1] = at[1], false_one
            watches.at[kept] = index
            kept += 1
            other = at[0]
            if s.values[other] > 0:
                continue
            size = clause.size
            for k in range(2, size):
                literal = at[k]
                if s.values[literal] >= 0:
                    at[1], at[k] = literal, false_one
                    kept -= 1
                    if not push(s, &s.watches[literal], index):
                        return REFUSED
                    break
            else:
                if s.values[other] < 0:
                    # The rest of the watches stay as they are.
                    for k in range(place + 1, watches.size):
                        watches.at[kept] = watches.at[k]
                        kept += 1
                    watches.size = kept
                    return index
                become_true(s, other, index)
        watches.size = kept
    return NONE


cdef inline void forget_assumptions(State *s) noexcept nogil:
    cdef int literal
    while s.known > s.settled:
        s.known -= 1
        literal = s.trail[s.known]
        s.values[literal] = s.values[negated(literal)] = 0
    s.done = s.settled

"""Clauses with their hashes and derivations, for `Refutation`.

A conflict of unit propagation is resolved back to the assumptions. `linkoracle.lines.clauses`
watches clauses. Literals are numbers from 0, as everywhere in `lines`.
"""

from libc.stdint cimport int8_t, int32_t, uint64_t

from linkoracle.core.arena cimport Arena
from linkoracle.core.watch cimport StopToken, watch_stops
from linkoracle.lines.clauses cimport (
    Clause, Clauses, grown, has_room, store_clause, visit_clauses, watch_clause
)
from linkoracle.lines.rules cimport CLAUSE, KINDS
from linkoracle.lines.trail cimport NONE, UNKNOWN, Trail, learn, unlearn

cdef enum:
    # Results other than the numbers of clauses.
    REFUSED = -2  # the arena is full
    STOPPED = -3  # by the stop token
    UNFOUNDED = -4  # a clause does not follow by unit propagation


cdef struct Origin:
    int chain  # where the chain of a clause begins; NONE for an axiom
    int links  # clauses in its chain
    int following  # the next clause with a hash like its own, or NONE
    uint64_t hash  # of the literals that the solver wrote; 0 for deleted clauses, and for others


cdef struct State:
    Arena arena
    StopToken watch
    int variables
    Clauses clauses
    Origin *origins  # of the clauses
    int most_origins  # their capacity
    int axioms  # number of axioms, which are the first clauses
    int32_t *chains  # clause numbers, of all chains
    int num_links
    int most_links  # their capacity
    Trail trail  # reasons are clauses, NONE for an assumption
    int8_t *seen  # by variable: met by `resolve`
    int num_root  # number of root literals: the reason of each is a clause of one literal
    int32_t *table  # the first clause of each hash
    int table_size  # a power of two
    int32_t *scratch  # literals of the current clause
    int empty  # the empty clause, or NONE


cdef inline int reason_of(const State *s, int literal) noexcept nogil:
    """Return the clause that made a literal true or false, NONE for an assumption."""
    cdef int reason = s.trail.causes[literal >> 1].reason
    return NONE if reason == NONE else reason // KINDS


cdef inline bint add_link(State *s, int clause) noexcept nogil:
    """Add a clause to the current chain; return False if memory is full."""
    cdef int32_t *chains = <int32_t *>grown(
        &s.arena, s.chains, &s.most_links, s.num_links + 1, sizeof(int32_t)
    )
    if chains == NULL:
        return False
    s.chains = chains
    s.chains[s.num_links] = clause
    s.num_links += 1
    return True


cdef inline uint64_t hash_of(const int32_t *literals, int size) noexcept nogil:
    """Return a hash that does not depend on the order; never 0."""
    cdef uint64_t total = 0, mixed, one = 1
    cdef int k
    for k in range(size):
        mixed = (<uint64_t>literals[k] + 1) * <uint64_t>0x9E3779B97F4A7C15
        mixed ^= mixed >> 29
        mixed *= <uint64_t>0xBF58476D1CE4E5B9
        total += mixed ^ (mixed >> 32)
    return total | one


cdef inline int new_clause(
    State *s, const int32_t *literals, int size, int chain, uint64_t hash
) noexcept nogil:
    """Store a clause, not watched yet, with its chain; return its number, or `REFUSED`."""
    cdef Origin *origins = <Origin *>grown(
        &s.arena, s.origins, &s.most_origins, s.clauses.number + 1, sizeof(Origin)
    )
    cdef int made, place
    if origins == NULL:
        return REFUSED
    s.origins = origins
    if not has_room(&s.clauses, &s.arena, 1, size):
        return REFUSED
    made = store_clause(&s.clauses, literals, size)
    origins[made].chain, origins[made].links = chain, 0 if chain == NONE else s.num_links - chain
    origins[made].hash, origins[made].following = hash, NONE
    if hash:
        place = <int>(hash >> 20 & <uint64_t>(s.table_size - 1))
        origins[made].following = s.table[place]
        s.table[place] = made
    return made


cdef inline void delete_clause(State *s, const int32_t *literals, int size) noexcept nogil:
    """Stop watching a clause, if it is known; clauses of one literal stay.

    Its chain stays. Each root literal that it implied has a clause of its own by now.
    """
    cdef uint64_t hash = hash_of(literals, size)
    cdef int index = s.table[<int>(hash >> 20 & <uint64_t>(s.table_size - 1))]
    while index != NONE:
        if s.origins[index].hash == hash and s.clauses.items[index].width > 1:
            s.origins[index].hash = 0
            s.clauses.items[index].width = 0
            return
        index = s.origins[index].following


cdef inline int propagate(State *s) noexcept nogil:
    """Propagate units; return the violated clause, NONE, or an error.

    Checks the stop token for each literal. A stopped propagation is never continued.
    """
    cdef int literal, broken = NONE
    while broken == NONE and s.trail.done < s.trail.known:
        if watch_stops(&s.watch):
            return STOPPED
        literal = s.trail.literals[s.trail.done]
        s.trail.done += 1
        broken = visit_clauses(&s.clauses, &s.trail, literal ^ 1)
    return broken


cdef inline void forget_assumptions(State *s) noexcept nogil:
    unlearn(&s.trail, s.num_root)


cdef inline int resolve(State *s, int conflict, uint64_t hash) noexcept nogil:
    """Resolve a violated clause back to assumptions: a new clause of their negations.

    Returns its number, or `REFUSED`. The reason of a root literal is a clause of one literal, so
    root literals are resolved away, too. The chain goes down the trail: each clause meets the
    resolvent so far in one variable, since all other literals of both are false.
    """
    cdef int place, literal, index = conflict, k, size = 0, chain = s.num_links
    mark_others(s, conflict, NONE)
    if not add_link(s, conflict):
        return REFUSED
    for place in range(s.trail.known - 1, -1, -1):
        literal = s.trail.literals[place]
        if not s.seen[literal >> 1]:
            continue
        s.seen[literal >> 1] = 0
        index = reason_of(s, literal)
        if index == NONE:
            s.scratch[size] = literal ^ 1
            size += 1
            continue
        if not add_link(s, index):
            return REFUSED
        mark_others(s, index, literal)
    return new_clause(s, s.scratch, size, chain, hash)


cdef inline void mark_others(State *s, int index, int literal) noexcept nogil:
    """Mark the variables of a clause, except that of one literal, if any."""
    cdef Clause *clause = &s.clauses.items[index]
    cdef int k, other
    for k in range(clause.width):
        other = s.clauses.literals[clause.start + k]
        if other != literal:
            s.seen[other >> 1] = 1


cdef inline int propagate_root(State *s) noexcept nogil:
    """Propagate root literals, and give each a clause of its own as reason.

    Returns NONE, the number of the empty clause if there is a conflict, or `REFUSED`.
    """
    cdef int conflict = propagate(s), reason, made, chain, k, other
    cdef int32_t literal
    cdef Clause *clause
    if conflict >= 0:
        return resolve(s, conflict, 0)
    if conflict != NONE:
        return conflict
    while s.num_root < s.trail.known:
        literal = s.trail.literals[s.num_root]
        reason = reason_of(s, literal)
        clause = &s.clauses.items[reason]
        if clause.width > 1:
            chain = s.num_links
            if not add_link(s, reason):
                return REFUSED
            for k in range(clause.width):
                other = s.clauses.literals[clause.start + k]
                if other != literal and not add_link(s, reason_of(s, other)):
                    return REFUSED
            made = new_clause(s, &literal, 1, chain, 0)
            if made < 0:
                return made
            s.trail.causes[literal >> 1].reason = CLAUSE + KINDS * made
        s.num_root += 1
    return NONE


cdef inline int enter(State *s, int index) noexcept nogil:
    """Watch or propagate a new clause; return NONE, the number of the empty clause, or an error."""
    cdef Clause *clause = &s.clauses.items[index]
    cdef int32_t *at = &s.clauses.literals[clause.start]
    cdef int k, unknown = 0
    if clause.width == 0:
        return index
    for k in range(clause.width):
        if s.trail.values[at[k]] == 1:
            return NONE
        if s.trail.values[at[k]] == UNKNOWN:
            at[unknown], at[k] = at[k], at[unknown]
            unknown += 1
    if unknown > 1:
        watch_clause(&s.clauses, index)
        return NONE
    if unknown == 0:
        return resolve(s, index, 0)
    learn(&s.trail, at[0], CLAUSE + KINDS * index)
    return propagate_root(s)


cdef inline int enter_axioms(State *s) noexcept nogil:
    """Enter all axioms; return NONE, the number of the empty clause, or an error."""
    cdef int index, answer = NONE
    # Clauses with two open literals can be watched before any literal is decided.
    for index in range(s.axioms):
        if s.clauses.items[index].width != 1 and answer == NONE:
            answer = enter(s, index)
    for index in range(s.axioms):
        if s.clauses.items[index].width == 1 and answer == NONE:
            answer = enter(s, index)
    return answer


cdef inline int test_clause(State *s, const int32_t *literals, int size) noexcept nogil:
    """Derive a clause, or a part of it; return NONE, the empty clause, or an error.

    Assume that all its literals are false; propagation must end in a conflict. If it does not
    (`UNFOUNDED`), the assumptions and their consequences stay until `forget_assumptions`.
    """
    cdef int k, conflict, made
    for k in range(size):
        if s.trail.values[literals[k]] == 1:
            # It is true at the root, or has a variable and its negation.
            forget_assumptions(s)
            return NONE
        if s.trail.values[literals[k]] == UNKNOWN:
            learn(&s.trail, literals[k] ^ 1, NONE)
    conflict = propagate(s)
    if conflict == NONE:
        return UNFOUNDED
    made = resolve(s, conflict, hash_of(literals, size)) if conflict >= 0 else conflict
    forget_assumptions(s)
    return enter(s, made) if made >= 0 else made

"""How clauses are derived: a conflict of unit propagation is resolved back to what was assumed."""

from libc.stdint cimport int32_t, uint64_t

from linkoracle.certificates.clauses cimport (
    REFUSED, UNFOUNDED, State, add_link, forget_assumptions, hash_of, new_clause, propagate,
    reason_of
)
from linkoracle.lines.clauses cimport Clause, watch_clause
from linkoracle.lines.rules cimport CLAUSE, KINDS
from linkoracle.lines.trail cimport NONE, UNKNOWN, learn


cdef inline int resolve(State *s, int conflict, uint64_t hash) noexcept nogil:
    """Resolve a violated clause back to assumptions: a new clause of their negations.

    Returns its number, or `REFUSED`. What holds for good has a clause of one literal as reason, so
    it is resolved away, too. The chain goes down the trail: each clause meets the resolvent so far
    in one variable, since all other literals of both are false.
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
    """Mark the variables of a clause, but that of one literal, if any."""
    cdef Clause *clause = &s.clauses.items[index]
    cdef int k, other
    for k in range(clause.width):
        other = s.clauses.literals[clause.start + k]
        if other != literal:
            s.seen[other >> 1] = 1


cdef inline int propagate_root(State *s) noexcept nogil:
    """Propagate what holds for good, and give each literal a clause of its own as reason.

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
    """Put a new clause to use; NONE, the number of the empty clause, or what is wrong."""
    cdef Clause *clause = &s.clauses.items[index]
    cdef int literal
    if clause.width == 0:
        return index
    if clause.width > 1:
        watch_clause(&s.clauses, index)
        return NONE
    literal = s.clauses.literals[clause.start]
    if s.trail.values[literal] == UNKNOWN:
        learn(&s.trail, literal, CLAUSE + KINDS * index)
        return propagate_root(s)
    return NONE if s.trail.values[literal] else resolve(s, index, 0)


cdef inline int enter_axioms(State *s) noexcept nogil:
    """Put all axioms to use; NONE, the number of the empty clause, or what is wrong."""
    cdef int index, answer = NONE
    # Clauses with two literals that are open can be watched before any is settled.
    for index in range(s.axioms):
        if s.clauses.items[index].width != 1 and answer == NONE:
            answer = enter(s, index)
    for index in range(s.axioms):
        if s.clauses.items[index].width == 1 and answer == NONE:
            answer = enter(s, index)
    return answer


cdef inline int enter_late(State *s, int index) noexcept nogil:
    """Put an axiom to use of which some literals are settled, as `enter` does."""
    cdef Clause *clause = &s.clauses.items[index]
    cdef int32_t *at = &s.clauses.literals[clause.start]
    cdef int k, unknown = 0
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


cdef inline int test_clause(State *s, const int32_t *literals, int size) noexcept nogil:
    """Derive a clause, or a part of it; NONE, the empty clause, or what is wrong.

    Assume that all its literals are false; propagation must end in a conflict. If it does not
    (`UNFOUNDED`), what was assumed stays, and what follows from it.
    """
    cdef int k, conflict, made
    for k in range(size):
        if s.trail.values[literals[k]] == 1:
            # It holds for good, or has a variable and its negation.
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


cdef inline int follow_clause(State *s, const int32_t *literals, int size) noexcept nogil:
    """`test_clause`, after which nothing is assumed."""
    cdef int answer = test_clause(s, literals, size)
    if answer == UNFOUNDED:
        forget_assumptions(s)
    return answer

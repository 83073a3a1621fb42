"""How clauses are derived: a conflict of unit propagation is resolved back to what was assumed."""

from libc.stdint cimport int32_t, uint64_t

from linkoracle.certificates.clauses cimport (
    NONE, REFUSED, UNFOUNDED, Clause, State, become_true, forget_assumptions, hash_of, negated,
    new_clause, propagate, push, watch_clause
)


cdef inline int resolve(State *s, int conflict, uint64_t hash) noexcept nogil:
    """Resolve a violated clause back to assumptions: a new clause of their negations.

    Returns its number, or `REFUSED`. What holds for good has a clause of one literal as reason, so
    it is resolved away, too. The chain goes down the trail: each clause meets the resolvent so far
    in one variable, since all other literals of both are false.
    """
    cdef int place, literal, index = conflict, k, size = 0, chain = s.chains.size, links, made
    cdef Clause *clause = &s.clauses[conflict]
    for k in range(clause.size):
        s.seen[s.literals.at[clause.start + k] >> 1] = 1
    if not push(s, &s.chains, conflict):
        return REFUSED
    for place in range(s.known - 1, -1, -1):
        literal = s.trail[place]
        if not s.seen[literal >> 1]:
            continue
        s.seen[literal >> 1] = 0
        index = s.reason[literal >> 1]
        if index == NONE:
            s.scratch[size] = negated(literal)
            size += 1
            continue
        if not push(s, &s.chains, index):
            return REFUSED
        clause = &s.clauses[index]
        for k in range(clause.size):
            if s.literals.at[clause.start + k] != literal:
                s.seen[s.literals.at[clause.start + k] >> 1] = 1
    links = s.chains.size - chain
    made = new_clause(s, s.scratch, size, hash)
    if made >= 0:
        s.clauses[made].chain, s.clauses[made].links = chain, links
    return made


cdef inline int settle(State *s) noexcept nogil:
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
    while s.settled < s.known:
        literal = s.trail[s.settled]
        reason = s.reason[literal >> 1]
        if s.clauses[reason].size > 1:
            chain = s.chains.size
            if not push(s, &s.chains, reason):
                return REFUSED
            clause = &s.clauses[reason]
            for k in range(clause.size):
                other = s.literals.at[clause.start + k]
                if other != literal and not push(s, &s.chains, s.reason[other >> 1]):
                    return REFUSED
            made = new_clause(s, &literal, 1, 0)
            if made < 0:
                return made
            s.clauses[made].chain, s.clauses[made].links = chain, s.chains.size - chain
            s.reason[literal >> 1] = made
        s.settled += 1
    return NONE


cdef inline int enter(State *s, int index) noexcept nogil:
    """Put a new clause to use; NONE, the number of the empty clause, or `REFUSED`."""
    cdef Clause *clause = &s.clauses[index]
    cdef int literal
    if clause.size == 0:
        return index
    if clause.size > 1:
        return NONE if watch_clause(s, index) else REFUSED
    literal = s.literals.at[clause.start]
    if s.values[literal] == 0:
        become_true(s, literal, index)
        return settle(s)
    return resolve(s, index, 0) if s.values[literal] < 0 else NONE


cdef inline int enter_axioms(State *s) noexcept nogil:
    """Put all axioms to use; NONE, the number of the empty clause, or what is wrong."""
    cdef int index, answer = NONE
    # Clauses with two literals that are open can be watched before any is settled.
    for index in range(s.axioms):
        if s.clauses[index].size != 1 and answer == NONE:
            answer = enter(s, index)
    for index in range(s.axioms):
        if s.clauses[index].size == 1 and answer == NONE:
            answer = enter(s, index)
    return answer


cdef inline int enter_late(State *s, int index) noexcept nogil:
    """Put an axiom to use of which some literals are settled, as `enter` does."""
    cdef Clause *clause = &s.clauses[index]
    cdef int32_t *at = &s.literals.at[clause.start]
    cdef int k, unknown = 0
    for k in range(clause.size):
        if s.values[at[k]] > 0:
            return NONE
        if s.values[at[k]] == 0:
            at[unknown], at[k] = at[k], at[unknown]
            unknown += 1
    if unknown > 1:
        return NONE if watch_clause(s, index) else REFUSED
    if unknown == 0:
        return resolve(s, index, 0)
    become_true(s, at[0], index)
    return settle(s)


cdef inline int test_clause(State *s, const int32_t *literals, int size) noexcept nogil:
    """Derive a clause, or a part of it; NONE, the empty clause, or what is wrong.

    Assume that all its literals are false; propagation must end in a conflict. If it does not
    (`UNFOUNDED`), what was assumed stays, and what follows from it.
    """
    cdef int k, conflict, made
    for k in range(size):
        if s.values[literals[k]] > 0:
            # It holds for good, or has a variable and its negation.
            forget_assumptions(s)
            return NONE
        if s.values[literals[k]] == 0:
            become_true(s, negated(literals[k]), NONE)
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

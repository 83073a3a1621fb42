"""From a solver's list of learned clauses to chains of resolution: see `Refutation`."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from linkoracle.certificates.clauses cimport (
    MOST, NONE, REFUSED, STOPPED, UNFOUNDED, Clause, Ints, State, become_true, delete_clause,
    forget_assumptions, hash_of, negated, new_clause, propagate, push, watch_clause
)
from linkoracle.core.arena cimport (
    arena_close, arena_error, arena_open, arena_release, arena_take
)
from linkoracle.core.watch cimport watch_raise, watch_start, watch_stops


cdef int resolve(State *s, int conflict, uint64_t hash) noexcept nogil:
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


cdef int settle(State *s) noexcept nogil:
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


cdef int enter(State *s, int index) noexcept nogil:
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


cdef int follow_clause(State *s, const int32_t *literals, int size) noexcept nogil:
    """Derive a clause of the solver's, or a part of it; NONE, the empty clause, or what is wrong.

    Assume that all its literals are false; propagation must end in a conflict.
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
    if conflict < 0:
        forget_assumptions(s)
        return UNFOUNDED if conflict == NONE else conflict
    made = resolve(s, conflict, hash_of(literals, size))
    forget_assumptions(s)
    return enter(s, made) if made >= 0 else made


cdef int read_literal(const uint8_t[::1] proof, Py_ssize_t *at) noexcept nogil:
    """A literal of a binary proof, 0 for the end of a clause; -1 if there is none, or no such."""
    cdef int64_t number = 0
    cdef int shift = 0
    while at[0] < proof.shape[0] and shift < 35:
        number |= <int64_t>(proof[at[0]] & 127) << shift
        shift += 7
        at[0] += 1
        if proof[at[0] - 1] < 128:
            return <int>number if number < MOST else -1
    return -1


cdef int follow_proof(State *s, const uint8_t[::1] proof, bint deleting) noexcept nogil:
    """Go through a binary DRAT proof; NONE at its end, the empty clause, or what is wrong."""
    cdef Py_ssize_t at = 0
    cdef int kind, literal, size, answer
    while at < proof.shape[0]:
        if watch_stops(&s.watch):
            return STOPPED
        kind = proof[at]
        at += 1
        size = 0
        while True:
            literal = read_literal(proof, &at)
            if literal == 0:
                break
            # Variables are numbered from 1 there, and from 0 here.
            if literal < 2 or literal >= 2 * s.variables + 2 or size >= 2 * s.variables:
                return UNFOUNDED
            s.scratch[size + 2 * s.variables] = literal - 2
            size += 1
        if kind == b"a":
            answer = follow_clause(s, s.scratch + 2 * s.variables, size)
            if answer != NONE:
                return answer
        elif kind != b"d":
            return UNFOUNDED
        elif deleting:
            delete_clause(s, s.scratch + 2 * s.variables, size)
    return NONE


cdef void put_number(uint8_t *out, Py_ssize_t *at, unsigned int number) noexcept nogil:
    while number >= 128:
        out[at[0]] = number & 127 | 128
        number >>= 7
        at[0] += 1
    out[at[0]] = number
    at[0] += 1


cdef int variables_of(list axioms) except -1:
    """The largest variable of clauses, at least 1; ``ValueError`` if they are none."""
    cdef int number, most = 1
    try:
        for axiom in axioms:
            if type(axiom) is not tuple:
                raise TypeError
            for literal in axiom:
                if type(literal) is not int or not -MOST // 8 < literal < MOST // 8:
                    raise TypeError
                number = literal
                most = max(most, number, -number)
    except TypeError:
        raise ValueError("expected tuples of literals") from None
    return most


cdef class Refutation:
    """A refutation of clauses, from what a solver learned, as chains of resolution.

    ``axioms`` are clauses as in DIMACS: tuples of whole numbers other than 0, negative for "not",
    no variable twice. `follow` takes the solver's binary DRAT proof; `chains` says which axioms
    the refutation needs, and how. O(literals) memory.

    Every learned clause must follow by unit propagation (RUP), as those of solvers do that only
    learn, resolve and delete; steps that keep no more than satisfiability (RAT) are refused. Where
    only a part of a clause follows, the part is kept.

    Raises ``ValueError`` for axioms that are none, `MemoryLimit` beyond ``memory`` bytes.
    """

    cdef State s
    cdef bint opened, followed, busy

    def __cinit__(self):
        arena_open(&self.s.arena, 0)

    def __dealloc__(self):
        arena_close(&self.s.arena)

    def __init__(self, list axioms, size_t memory):
        cdef State *s = &self.s
        cdef int variables
        if self.opened:
            raise ValueError("expected a new object")
        self.opened = True
        variables = variables_of(axioms)
        arena_open(&s.arena, memory)
        s.variables, s.axioms, s.room = variables, len(axioms), 2 * len(axioms) + 1024
        s.table_size = 1024
        while s.table_size < s.room:
            s.table_size *= 2
        s.clauses = <Clause *>arena_take(&s.arena, s.room, sizeof(Clause))
        s.watches = <Ints *>arena_take(&s.arena, 2 * variables, sizeof(Ints))
        s.values = <int8_t *>arena_take(&s.arena, 2 * variables, sizeof(int8_t))
        s.reason = <int32_t *>arena_take(&s.arena, variables, sizeof(int32_t))
        s.seen = <int8_t *>arena_take(&s.arena, variables, sizeof(int8_t))
        s.trail = <int32_t *>arena_take(&s.arena, variables, sizeof(int32_t))
        s.scratch = <int32_t *>arena_take(&s.arena, 4 * variables, sizeof(int32_t))
        s.table = <int32_t *>arena_take(&s.arena, s.table_size, sizeof(int32_t))
        s.empty = NONE
        if s.arena.refused:
            arena_error(&s.arena, "the refutation")
        cdef int index
        for index in range(s.table_size):
            s.table[index] = NONE
        for axiom in axioms:
            self._add(axiom)

    cdef int _add(self, tuple axiom) except -1:
        """Store an axiom. Every number is checked, again, before it is followed."""
        cdef State *s = &self.s
        cdef int number, size = 0, k
        for number in axiom:
            if number == 0 or not -s.variables <= number <= s.variables:
                raise ValueError("expected literals")
            if s.seen[abs(number) - 1]:
                raise ValueError("expected clauses with no variable twice")
            s.seen[abs(number) - 1] = 1
            s.scratch[size] = 2 * number - 2 if number > 0 else -2 * number - 1
            size += 1
        for k in range(size):
            s.seen[s.scratch[k] >> 1] = 0
        if new_clause(s, s.scratch, size, hash_of(s.scratch, size)) < 0:
            arena_error(&s.arena, "the refutation")
        return 0

    def follow(self, const uint8_t[::1] proof, bint deleting, object deadline):
        """Derive what a solver learned, in order, until the empty clause; whether it was reached.

        Ask once. ``deleting`` says whether to forget what the solver forgets, which is faster.
        False also for a proof that does not follow. Raises `MemoryLimit` and `SearchTimeout`.
        """
        cdef State *s = &self.s
        cdef int answer = NONE, index = 0
        if self.followed or not self.opened:
            raise ValueError("expected a refutation that has followed no proof")
        self.followed = self.busy = True
        watch_start(&s.watch, deadline.seconds, 64)
        with nogil:
            while index < s.axioms and answer == NONE:
                # Clauses with two literals that are open can be watched before any is settled.
                if s.clauses[index].size != 1:
                    answer = enter(s, index)
                index += 1
            index = 0
            while index < s.axioms and answer == NONE:
                if s.clauses[index].size == 1:
                    answer = enter(s, index)
                index += 1
            if answer == NONE:
                answer = follow_proof(s, proof, deleting)
        self.busy = False
        watch_raise(&s.watch, deadline)
        if answer == REFUSED:
            arena_error(&s.arena, "the refutation")
        if answer >= 0:
            s.empty = answer
        return answer >= 0

    def chains(self):
        """The axioms that the refutation needs, in order, and its lemmas in bytes.

        The bytes are numbers in base 128: how many lemmas there are; for each, how many clauses
        are resolved, and how far back each is from the last one before the lemma. Clauses are
        numbered with the axioms first. Raises ``ValueError`` if there is no refutation.
        """
        cdef State *s = &self.s
        cdef Clause *clause
        cdef int index, k, number = 0, lemmas = 0
        cdef Py_ssize_t at = 0, links = 0
        if self.busy or not self.followed or s.empty == NONE:
            raise ValueError("expected a refutation")
        cdef int32_t *names = <int32_t *>arena_take(&s.arena, s.number, sizeof(int32_t))
        if names == NULL:
            arena_error(&s.arena, "the refutation")
        names[s.empty] = 1
        for index in range(s.empty, s.axioms - 1, -1):
            if names[index]:
                clause = &s.clauses[index]
                lemmas += 1
                links += clause.links
                for k in range(clause.links):
                    names[s.chains.at[clause.chain + k]] = 1
        used = [index for index in range(s.axioms) if names[index]]
        cdef uint8_t *out = <uint8_t *>arena_take(&s.arena, 5 * (links + lemmas + 1), 1)
        if out == NULL:
            arena_release(&s.arena, names)
            arena_error(&s.arena, "the refutation")
        for index in range(s.axioms):
            if names[index]:
                names[index] = number
                number += 1
        put_number(out, &at, lemmas)
        for index in range(s.axioms, s.empty + 1):
            if not names[index]:
                continue
            clause = &s.clauses[index]
            put_number(out, &at, clause.links)
            for k in range(clause.links):
                put_number(out, &at, number - 1 - names[s.chains.at[clause.chain + k]])
            names[index] = number
            number += 1
        encoded = (<char *>out)[:at]
        arena_release(&s.arena, out)
        arena_release(&s.arena, names)
        return used, encoded

"""From a solver's list of learned clauses to chains of resolution: see `Refutation`.

Contents
    Clauses     their hashes and derivations, and resolution
    Proofs      as a solver writes them
    For Python  `Refutation`
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from linkoracle.core.kernels cimport (
    Arena, StopToken, arena_close, arena_error, arena_open, arena_release, arena_take, watch_raise,
    watch_start, watch_stops
)
from linkoracle.lines.lines cimport (
    CLAUSE, MOST, NONE, UNKNOWN, Clause, Clauses, Trail, Why, grown, has_room, learn, open_clauses,
    signed, store_clause, suppose, trail_open, unlearn, visit_clauses, watch_clause
)


# ---- Clauses -------------------------------------------------------------------------------------
#
# Clauses with their hashes and derivations, for `Refutation`.
#
# A conflict of unit propagation is resolved back to the assumptions. `linkoracle.lines.lines`
# watches clauses. Literals are numbers from 0, as everywhere in `lines`.

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
    cdef Why why = s.trail.causes[literal >> 1].why
    return why.index if why.kind == CLAUSE else NONE


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
            s.trail.causes[literal >> 1].why = Why(CLAUSE, made)
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
    learn(&s.trail, at[0], Why(CLAUSE, index))
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
            suppose(&s.trail, literals[k] ^ 1)
    conflict = propagate(s)
    if conflict == NONE:
        return UNFOUNDED
    made = resolve(s, conflict, hash_of(literals, size)) if conflict >= 0 else conflict
    forget_assumptions(s)
    return enter(s, made) if made >= 0 else made


# ---- Proofs --------------------------------------------------------------------------------------

cdef int read_literal(const uint8_t[::1] proof, Py_ssize_t *at) noexcept nogil:
    """Read a literal of a binary proof, 0 for the end of a clause, -1 if it is missing or invalid."""
    cdef int64_t number = 0
    cdef int shift = 0
    while at[0] < proof.shape[0] and shift < 35:
        number |= <int64_t>(proof[at[0]] & 127) << shift
        shift += 7
        at[0] += 1
        if proof[at[0] - 1] < 128:
            return <int>number if number < 4 * MOST else -1
    return -1


cdef int follow_proof(State *s, const uint8_t[::1] proof, bint deleting) noexcept nogil:
    """Follow a binary DRAT proof; return NONE at its end, the empty clause, or an error."""
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
            answer = test_clause(s, s.scratch + 2 * s.variables, size)
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
    """Return the largest variable of clauses, at least 1; ``ValueError`` for other objects."""
    cdef int number, most = 1
    try:
        for axiom in axioms:
            if type(axiom) is not tuple:
                raise TypeError
            for literal in axiom:
                if type(literal) is not int or not -MOST < literal < MOST:
                    raise TypeError
                number = literal
                most = max(most, number, -number)
    except TypeError:
        raise ValueError("expected tuples of literals") from None
    return most


# ---- For Python ----------------------------------------------------------------------------------


cdef class Refutation:
    """A refutation of clauses, from what a solver learned, as chains of resolution.

    ``axioms`` are clauses as in DIMACS: tuples of whole numbers other than 0, negative for "not",
    no variable twice. `follow` takes the solver's binary DRAT proof; or, after `begin`, `derive`
    takes one clause after the other, and `add` more axioms. `chains` says which axioms the
    refutation needs, and how. O(literals) memory.

    Every learned clause must follow by unit propagation (RUP). Solvers that only learn, resolve and
    delete learn such clauses; steps that preserve only satisfiability (RAT) are refused. If only a
    part of a clause follows, the part is kept.

    Raises ``ValueError`` for invalid axioms, `MemoryLimit` beyond ``memory`` bytes.
    """

    cdef State s
    cdef bint begun, busy, followed

    def __cinit__(self, list axioms: list[tuple[int, ...]], size_t memory):
        cdef State *s = &self.s
        cdef int index
        s.variables, s.axioms = variables_of(axioms), <int>len(axioms)
        arena_open(&s.arena, memory)
        s.most_origins = 2 * s.axioms + 1024
        s.table_size = 1024
        while s.table_size < s.most_origins:
            s.table_size *= 2
        s.origins = <Origin *>arena_take(&s.arena, s.most_origins, sizeof(Origin))
        open_clauses(&s.clauses, &s.arena, s.variables, s.most_origins, s.most_origins, True)
        trail_open(&s.trail, &s.arena, s.variables)
        s.seen = <int8_t *>arena_take(&s.arena, s.variables, sizeof(int8_t))
        s.scratch = <int32_t *>arena_take(&s.arena, 4 * <size_t>s.variables, sizeof(int32_t))
        s.table = <int32_t *>arena_take(&s.arena, s.table_size, sizeof(int32_t))
        s.empty = NONE
        if s.arena.refused:
            arena_error(&s.arena, "the refutation")
        for index in range(s.table_size):
            s.table[index] = NONE
        for axiom in axioms:
            self._add(axiom)

    def __dealloc__(self):
        arena_close(&self.s.arena)

    cdef int _add(self, tuple axiom) except -1:
        """Store an axiom, and return its number."""
        cdef State *s = &self.s
        cdef int size = self._read(axiom, s.scratch)
        cdef int made = new_clause(s, s.scratch, size, NONE, hash_of(s.scratch, size))
        if made < 0:
            arena_error(&s.arena, "the refutation")
        return made

    cdef int _read(self, tuple clause, int32_t *out) except -1:
        """Read the literals of a clause, and check every number before it is used."""
        cdef State *s = &self.s
        cdef int number, size = 0, k
        cdef bint fits = True
        for number in clause:
            fits = 0 < abs(number) <= s.variables and not s.seen[abs(number) - 1]
            if not fits:
                break
            s.seen[abs(number) - 1] = 1
            out[size] = 2 * number - 2 if number > 0 else -2 * number - 1
            size += 1
        for k in range(size):
            s.seen[out[k] >> 1] = 0
        if not fits:
            raise ValueError("expected literals, with no variable twice")
        return size

    cdef int _check(self, bint begun) except -1:
        """Check that no call is at work or was stopped, and whether `begin` was called."""
        if self.busy or self.begun != begun:
            what = "has begun" if begun else "has followed no proof"
            raise ValueError(f"expected a refutation that {what}")
        return 0

    cdef int _start(self, object deadline) except -1:
        self.begun = self.busy = True
        watch_start(&self.s.watch, deadline.seconds, 64)
        return 0

    cdef bint _end(self, int answer, object deadline) except -1:
        """Keep the empty clause; return whether there is one. After an error it stays busy."""
        watch_raise(&self.s.watch, deadline)
        if answer == REFUSED:
            arena_error(&self.s.arena, "the refutation")
        if answer >= 0:
            self.s.empty = answer
        forget_assumptions(&self.s)
        self.busy = False
        return self.s.empty != NONE

    def begin(self, object deadline: Deadline) -> bool:
        """Propagate the axioms; return whether this alone refutes them. Call once.

        Raises `MemoryLimit` and `SearchTimeout`; then the object is unusable.
        """
        cdef int answer
        self._check(False)
        self._start(deadline)
        with nogil:
            answer = enter_axioms(&self.s)
        return self._end(answer, deadline)

    def derive(self, tuple clause: tuple[int, ...], object deadline: Deadline) -> list[int] | None:
        """Learn a clause that follows by unit propagation, after `begin`, and return ``None``.

        If it does not follow, return the literals that hold when all its literals are false, in
        the order of propagation, except root literals. Raises as `begin`.
        """
        cdef State *s = &self.s
        cdef int32_t *literals = s.scratch + 2 * s.variables
        cdef int answer, size
        self._check(True)
        size = self._read(clause, literals)
        if s.empty != NONE:
            return None
        self._start(deadline)
        with nogil:
            answer = test_clause(s, literals, size)
        found = self._trail(s.num_root, s.trail.known) if answer == UNFOUNDED else None
        self._end(answer, deadline)
        return found

    def root_literals(self, int start) -> list[int]:
        """Return the root literals, after `begin`, in order from number ``start``."""
        self._check(True)
        return self._trail(max(start, 0), self.s.num_root)

    cdef list _trail(self, int start, int end):
        cdef int place
        return [signed(self.s.trail.literals[place]) for place in range(start, end)]

    @property
    def is_done(self) -> bool:
        """Whether the empty clause was reached."""
        return self.s.empty != NONE

    def open_clauses(self) -> list[list[int]]:
        """Return the root literals as clauses, and what they leave of all other clauses.

        Call after `begin`. Clauses that have a true literal are left out.
        """
        cdef State *s = &self.s
        cdef Clause *clause
        cdef int index, k, literal
        cdef bint is_open
        self._check(True)
        cdef list left, found = [[literal] for literal in self._trail(0, s.num_root)]
        for index in range(s.clauses.number):
            clause = &s.clauses.items[index]
            is_open = clause.width > 1
            for k in range(clause.width):
                if s.trail.values[s.clauses.literals[clause.start + k]] == 1:
                    is_open = False
                    break
            if not is_open:
                continue
            left = []
            for k in range(clause.width):
                literal = s.clauses.literals[clause.start + k]
                if s.trail.values[literal] == UNKNOWN:
                    left.append(signed(literal))
            found.append(left)
        return found

    def add(self, tuple axiom: tuple[int, ...], object deadline: Deadline) -> bool:
        """Add one more axiom, after `begin`; return whether there is a refutation now.

        Its number follows the earlier axioms. Raises as `begin`.
        """
        cdef int index, answer = NONE
        self._check(True)
        index = self._add(axiom)
        self._start(deadline)
        if self.s.empty == NONE:
            with nogil:
                answer = enter(&self.s, index)
        return self._end(answer, deadline)

    def follow(
        self, const uint8_t[::1] proof: bytes, bint deleting, object deadline: Deadline
    ) -> bool:
        """Derive the clauses a solver learned, in order; return whether the empty clause follows.

        Call once; it begins if `begin` was not called. ``deleting`` is whether to delete the clauses that the solver deletes, which is
        faster. Returns False, too, for a proof that does not follow. Raises `MemoryLimit` and
        `SearchTimeout`.
        """
        cdef int answer
        if self.followed:
            raise ValueError("expected a refutation that has followed no proof")
        if not self.begun:
            self.begin(deadline)
        self._check(True)
        self.followed = True
        if self.s.empty != NONE:
            return True
        self._start(deadline)
        with nogil:
            answer = follow_proof(&self.s, proof, deleting)
        return self._end(answer, deadline)

    def chains(self) -> tuple[list[int], bytes]:
        """Return the axioms that the refutation needs, in order, and its lemmas in bytes.

        The bytes are numbers in base 128: how many lemmas there are; for each, how many clauses
        are resolved, and how far back each is from the last one before the lemma. Clauses are
        numbered with the axioms first. Raises ``ValueError`` if there is no refutation.
        """
        cdef State *s = &self.s
        cdef Origin *origin
        cdef int index, k, number = 0, lemmas = 0, axiom = 0
        cdef Py_ssize_t at = 0, links = 0
        if self.busy or s.empty == NONE:
            raise ValueError("expected a refutation")
        cdef int32_t *names = <int32_t *>arena_take(&s.arena, s.clauses.number, sizeof(int32_t))
        if names == NULL:
            arena_error(&s.arena, "the refutation")
        names[s.empty] = 1
        for index in range(s.empty, -1, -1):
            origin = &s.origins[index]
            if names[index] and origin.chain != NONE:
                lemmas += 1
                links += origin.links
                for k in range(origin.links):
                    names[s.chains[origin.chain + k]] = 1
        cdef uint8_t *out = <uint8_t *>arena_take(&s.arena, 5 * (links + lemmas + 1), 1)
        if out == NULL:
            arena_release(&s.arena, names)
            arena_error(&s.arena, "the refutation")
        cdef list used = []
        for index in range(s.empty + 1):
            if s.origins[index].chain == NONE:
                if names[index]:
                    names[index] = number
                    number += 1
                    used.append(axiom)
                axiom += 1
        put_number(out, &at, lemmas)
        for index in range(s.empty + 1):
            origin = &s.origins[index]
            if origin.chain == NONE or not names[index]:
                continue
            put_number(out, &at, origin.links)
            for k in range(origin.links):
                put_number(out, &at, number - 1 - names[s.chains[origin.chain + k]])
            names[index] = number
            number += 1
        encoded = (<char *>out)[:at]
        arena_release(&s.arena, out)
        arena_release(&s.arena, names)
        return used, encoded

"""From a solver's list of learned clauses to chains of resolution: see `Refutation`."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

from linkoracle.certificates.clauses cimport (
    REFUSED, STOPPED, UNFOUNDED, Origin, State, delete_clause, enter, enter_axioms,
    forget_assumptions, hash_of, new_clause, test_clause
)
from linkoracle.core.arena cimport (
    arena_close, arena_error, arena_open, arena_release, arena_take
)
from linkoracle.core.watch cimport watch_raise, watch_start, watch_stops
from linkoracle.lines.clauses cimport open_clauses
from linkoracle.lines.rules cimport MOST
from linkoracle.lines.trail cimport NONE, signed, trail_open


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
    cdef bint begun, busy

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

        Call once. ``deleting`` is whether to delete the clauses that the solver deletes, which is
        faster. Returns False, too, for a proof that does not follow. Raises `MemoryLimit` and
        `SearchTimeout`.
        """
        cdef int answer
        if self.begin(deadline):
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

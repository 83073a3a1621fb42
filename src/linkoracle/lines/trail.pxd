"""Literals that are true, in the order in which they became so, and why.

A literal is twice its variable, and one more for "not".
"""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t
from libc.string cimport memset

from linkoracle.core.arena cimport Arena, arena_take

cdef enum:
    NONE = -1  # no vertex, edge, face, variable, clause, reason
    UNKNOWN = 64  # more than a rule with one word counts, so a sum shows how many are unknown


cdef struct Cause:
    int32_t level  # on which a variable became known
    int32_t place  # where it is on the trail
    int32_t reason  # what its user says of it; NONE for an assumption


cdef struct Trail:
    int8_t *values  # of each literal: 0, 1, or UNKNOWN
    int32_t *literals  # that are true, in order
    Cause *causes  # by variable
    int known  # how many are true
    int done  # from how many of them conclusions are drawn
    int level


cdef inline int signed(int literal) noexcept nogil:
    """A literal as in DIMACS: variables are numbered from 1, and negative for "not"."""
    return -1 - (literal >> 1) if literal & 1 else 1 + (literal >> 1)


cdef inline void trail_open(Trail *t, Arena *arena, size_t variables) noexcept nogil:
    """Allocate for a number of variables; sets ``arena.refused`` without memory."""
    t.values = <int8_t *>arena_take(arena, 2 * variables, sizeof(int8_t))
    t.literals = <int32_t *>arena_take(arena, variables, sizeof(int32_t))
    t.causes = <Cause *>arena_take(arena, variables, sizeof(Cause))
    if not arena.refused:
        memset(t.values, UNKNOWN, 2 * variables)


cdef inline void learn(Trail *t, int literal, int reason) noexcept nogil:
    """Note that an unknown literal is true."""
    cdef Cause *cause = &t.causes[literal >> 1]
    t.values[literal], t.values[literal ^ 1] = 1, 0
    cause.level, cause.place, cause.reason = t.level, t.known, reason
    t.literals[t.known] = literal
    t.known += 1


cdef inline void unlearn(Trail *t, int known) noexcept nogil:
    """Undo all literals after the given number of first ones."""
    cdef int literal
    while t.known > known:
        t.known -= 1
        literal = t.literals[t.known]
        t.values[literal] = t.values[literal ^ 1] = UNKNOWN
    t.done = min(t.done, known)

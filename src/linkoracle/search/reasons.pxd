"""The reasons of conclusions by rules, computed again when conflict analysis needs them."""

from libc.stdint cimport int32_t

from linkoracle.board.plane cimport NO_FACE
from linkoracle.lines.clauses cimport Clause
from linkoracle.lines.rules cimport APART, CLAUSE, CYCLE, KINDS, RULE, SIDE, WHOLE, explain_rule
from linkoracle.lines.trail cimport NONE
from linkoracle.search.cycles cimport explain_apart, explain_cycle, explain_whole, note
from linkoracle.search.propagation cimport place_of, value_of
from linkoracle.search.state cimport State


cdef inline int explain_clause(State *s, int number, int forced) noexcept nogil:
    cdef Clause *clause = &s.clauses.items[number]
    cdef const int32_t *literals = s.clauses.literals + clause.start
    cdef int k, count = 0
    for k in range(clause.width):
        if literals[k] >> 1 != forced:
            count = note(s, count, literals[k] ^ 1)
    return count


cdef inline int note_value(State *s, int count, int variable) noexcept nogil:
    """Note the literal of a variable that is true."""
    return note(s, count, 2 * variable + 1 - value_of(s, 2 * variable))


cdef inline int explain_side(State *s, int number, int forced) noexcept nogil:
    cdef int k, face, count = 0
    for k in range(1, -1, -1):
        face = s.lines.plane.faces[2 * number + k]
        if face != NO_FACE and s.sides + face != forced:
            count = note_value(s, count, s.sides + face)
    return count if forced == number else note_value(s, count, number)


cdef inline int explain_face(State *s, int number, int forced, int limit) noexcept nogil:
    """That it matches, or does not, is a reason, or follows from the other rule being broken."""
    cdef int match = s.matches + number, value = value_of(s, 2 * match)
    if forced == match:
        return explain_rule(&s.lines, &s.face[number].rules[1 - value], NONE, limit, s.buffer)
    note_value(s, 0, match)
    return 1 + explain_rule(&s.lines, &s.face[number].rules[value], forced, limit, s.buffer + 1)


cdef inline int explain(State *s, int reason, int forced) noexcept nogil:
    """Write to `buffer` true literals that forced a variable, or (`NONE`) a conflict; how many.

    Only what was on the trail before the variable counts. Literals that suffice stand for the rest.
    """
    cdef int kind = reason & (KINDS - 1), index = reason // KINDS
    cdef int limit = place_of(s, forced) if forced >= 0 else s.lines.trail.known
    if kind == CLAUSE:
        return explain_clause(s, index, forced)
    if kind == SIDE:
        return explain_side(s, index, forced)
    if kind == CYCLE:
        return explain_cycle(s, index, forced, limit)
    if kind == APART:
        return explain_apart(s, index, forced)
    if kind == WHOLE:
        return explain_whole(s, forced)
    if kind == RULE:
        return explain_rule(&s.lines, &s.lines.rules[index], forced, limit, s.buffer)
    return explain_face(s, index, forced, limit)

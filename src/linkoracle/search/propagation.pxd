"""The trail of literals, and what follows from it for open variables.

`linkoracle.lines` has the rules of the board and the ends of paths; this file has the counts of
faces, the sides of the line, the clauses and the queue. Functions that draw conclusions return the
reason of a conflict, or `NONE`.
"""

from libc.stdint cimport int32_t, int64_t

from linkoracle.board.plane cimport NO_FACE, Plane
from linkoracle.lines.clauses cimport store_clause, visit_clauses, watch_clause
from linkoracle.lines.paths cimport forget, join, take_next
from linkoracle.lines.rules cimport CLAUSE, FACE, KINDS, SIDE, apply_rule, apply_rules, count_literals
from linkoracle.lines.trail cimport NONE, UNKNOWN, learn
from linkoracle.search.state cimport FREE, Face, State, Variable


cdef inline int value_of(const State *s, int literal) noexcept nogil:
    """1 for a true literal, 0 for a false one, `UNKNOWN` for an open one."""
    return s.lines.trail.values[literal]


cdef inline int level_of(const State *s, int variable) noexcept nogil:
    return s.lines.trail.causes[variable].level


cdef inline int place_of(const State *s, int variable) noexcept nogil:
    return s.lines.trail.causes[variable].place


cdef inline void open_level(State *s) noexcept nogil:
    s.lines.trail.level += 1
    s.starts[s.lines.trail.level] = s.lines.trail.known


cdef inline void backtrack(State *s, int level) noexcept nogil:
    """Undo all levels above this one."""
    if s.lines.trail.level <= level:
        return
    cdef int start = s.starts[level + 1], place, number, first = s.first
    cdef int64_t latest = s.variable[first].stamp
    for place in range(s.lines.trail.known - 1, start - 1, -1):
        number = s.lines.trail.literals[place] >> 1
        if s.variable[number].stamp > latest:
            latest, first = s.variable[number].stamp, number
    while s.different and place_of(s, s.differing[s.different - 1]) >= start:
        s.different -= 1
    forget(&s.lines, start)
    s.first = first
    s.visited = min(s.visited, start)
    if level < 2:
        # All of level 1 was assumed before level 2 was opened.
        s.assumed = s.lines.plane.num_faces + 1
    s.lines.trail.level = level


cdef inline void bump(State *s, int number) noexcept nogil:
    """Move a variable to the end of the queue, from which decisions are taken."""
    cdef Variable *variable = &s.variable[number]
    if variable.stamp < 0 or s.last == number:
        return
    if s.first == number:
        s.first = variable.before if variable.before >= 0 else variable.after
    if variable.before >= 0:
        s.variable[variable.before].after = variable.after
    s.variable[variable.after].before = variable.before
    variable.before, variable.after = s.last, NONE
    s.variable[s.last].after = number
    s.last = number
    s.stamp += 1
    variable.stamp = s.stamp
    if value_of(s, 2 * number) == UNKNOWN:
        s.first = number


cdef inline int check_face(State *s, int number) noexcept nogil:
    """Draw the conclusions of the number of a face, and of whether it is to be kept."""
    cdef Face *face = &s.face[number]
    cdef int match = 2 * (s.matches + number), value = value_of(s, match), on = 0, unknown = 0
    if value != UNKNOWN:
        return apply_rule(&s.lines, &face.rules[value], FACE + KINDS * number)
    if face.kept == FREE:
        return NONE
    count_literals(&s.lines, &face.rules[1], &on, &unknown)
    if on > face.count or on + unknown < face.count:
        learn(&s.lines.trail, match + 1, FACE + KINDS * number)
    elif unknown == 0:
        learn(&s.lines.trail, match, FACE + KINDS * number)
    return NONE


cdef inline int flip_of(const State *s, int face) noexcept nogil:
    """Whether a face is flipped, or `UNKNOWN`; what is off the board never is."""
    return 0 if face == NO_FACE else value_of(s, 2 * (s.sides + face))


cdef inline int check_side(State *s, int number) noexcept nogil:
    """An edge is as in the known solution iff both faces beside it are flipped, or none is.

    Two solutions differ by cycles: at each vertex by none of its edges, two, or four. So where
    `State.sided` they differ by the border of the faces that are flipped.
    """
    cdef const Plane *p = &s.lines.plane
    cdef int one = p.faces[2 * number], other = p.faces[2 * number + 1]
    cdef int known = s.variable[number].known, mine = value_of(s, 2 * number)
    cdef int left = flip_of(s, other), right = flip_of(s, one), total, odd, literal
    total = left + right + (mine if mine == UNKNOWN else mine ^ known)
    odd = total & 1
    if total >= 2 * UNKNOWN:
        return NONE
    if total < UNKNOWN:
        return SIDE + KINDS * number if odd else NONE
    # The only unknown one makes the number of true ones even.
    if left == UNKNOWN:
        literal = 2 * (s.sides + other) + (1 - odd)
    elif right == UNKNOWN:
        literal = 2 * (s.sides + one) + (1 - odd)
    else:
        literal = 2 * number + (1 - (odd ^ known))
    learn(&s.lines.trail, literal, SIDE + KINDS * number)
    return NONE


cdef inline int check_sides(State *s, int number) noexcept nogil:
    """Check all edges of which a variable is a part, or the side of a face beside them."""
    cdef const Plane *p = &s.lines.plane
    cdef int face = number - s.sides, k, wrong
    if number < p.num_edges:
        return check_side(s, number)
    if 0 <= face < p.num_faces:
        for k in range(p.face_starts[face], p.face_starts[face + 1]):
            wrong = check_side(s, p.face_edges[k])
            if wrong != NONE:
                return wrong
    return NONE


cdef inline int add_clause(State *s, const int32_t *literals, int width, int glue) noexcept nogil:
    """Store a clause of two literals or more, for which there must be room; its number."""
    cdef int number = store_clause(&s.clauses, literals, width)
    s.clauses.items[number].glue = glue
    watch_clause(&s.clauses, number)
    return number


cdef inline int apply_next(State *s) noexcept nogil:
    """Do what the next literal on the trail demands of vertices, paths and faces."""
    cdef int literal = take_next(&s.lines), number = literal >> 1, k, face, wrong
    if number >= s.matches:
        # Sides and the query come later.
        return check_face(s, number - s.matches) if number < s.sides else NONE
    if literal & 1 == s.variable[number].known:
        s.differing[s.different] = number
        s.different += 1
    wrong = apply_rules(&s.lines, number)
    if wrong != NONE or number >= s.lines.plane.num_edges:
        return wrong
    if literal & 1 == 0:
        wrong = join(&s.lines, number)
    for k in range(1, -1, -1):
        face = s.lines.plane.faces[2 * number + k]
        if face != NO_FACE and wrong == NONE:
            wrong = check_face(s, face)
    return wrong


cdef inline int propagate(State *s) noexcept nogil:
    """Draw all conclusions.

    Those of vertices and faces first: they cost the least, and most conflicts are theirs.
    """
    cdef int literal, clause, wrong = NONE
    while True:
        while wrong == NONE and s.lines.trail.done < s.lines.trail.known:
            wrong = apply_next(s)
        if wrong != NONE or s.visited == s.lines.trail.known:
            return wrong
        literal = s.lines.trail.literals[s.visited]
        s.visited += 1
        if s.sided:
            wrong = check_sides(s, literal >> 1)
        if wrong == NONE:
            clause = visit_clauses(&s.clauses, &s.lines.trail, literal ^ 1)
            wrong = NONE if clause == NONE else CLAUSE + KINDS * clause

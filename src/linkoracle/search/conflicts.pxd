"""What a conflict teaches: clauses, and which clues are to blame."""

from linkoracle.lines.clauses cimport Clause, Clauses
from linkoracle.lines.trail cimport NONE
from linkoracle.search.propagation cimport add_clause, bump, level_of, value_of
from linkoracle.search.reasons cimport explain
from linkoracle.search.state cimport State

cdef enum:
    MORE_CLAUSES = 300  # learned clauses until the next reduction
    BEST_GLUE = 2  # clauses of so few levels are kept
    MOST_GLUE = 255  # larger values are treated alike


cdef inline void sort_by_stamp(State *s, int touched) noexcept nogil:
    """Bring `touched` in the order of the queue, which bumping keeps (Biere and Fröhlich)."""
    cdef int k, place, number
    for k in range(1, touched):
        number = s.touched[k]
        place = k
        while place > 0 and s.variable[s.touched[place - 1]].stamp > s.variable[number].stamp:
            s.touched[place] = s.touched[place - 1]
            place -= 1
        s.touched[place] = number


cdef inline int analyze(State *s, int count) noexcept nogil:
    """Resolve a conflict, ``count`` literals in `buffer`, back to one literal of its level.

    The clause is in `learnt`; returns its length. It is not made smaller, where literals follow
    from others: one in twenty does, and to look for them takes more time than it saves.

    The literal to be flipped stands first, one of the highest remaining level second.
    """
    cdef int touched = 0, length = 1, here = 0, place = s.lines.trail.known, k, number, level, literal
    while True:
        for k in range(count):
            number = s.buffer[k] >> 1
            level = level_of(s, number)
            if s.variable[number].seen or level == 0:
                continue
            s.variable[number].seen = 1
            s.touched[touched] = number
            touched += 1
            if level == s.lines.trail.level:
                here += 1
            else:
                s.learnt[length] = s.buffer[k] ^ 1
                length += 1
        place -= 1
        while not s.variable[s.lines.trail.literals[place] >> 1].seen:
            place -= 1
        literal = s.lines.trail.literals[place]
        here -= 1
        if here == 0:
            break
        count = explain(s, s.lines.trail.causes[literal >> 1].reason, literal >> 1)
    s.learnt[0] = literal ^ 1
    sort_by_stamp(s, touched)
    for k in range(touched):
        s.variable[s.touched[k]].seen = 0
        bump(s, s.touched[k])
    cdef int highest = 1
    for k in range(2, length):
        if level_of(s, s.learnt[k] >> 1) > level_of(s, s.learnt[highest] >> 1):
            highest = k
    if length > 1:
        s.learnt[1], s.learnt[highest] = s.learnt[highest], s.learnt[1]
    return length


cdef inline int levels_in(State *s, int length) noexcept nogil:
    """How many levels are met in the clause in `learnt`."""
    cdef int glue = 0, k, level
    s.marks += 1
    for k in range(length):
        level = level_of(s, s.learnt[k] >> 1)
        if s.level_mark[level] != s.marks:
            s.level_mark[level] = s.marks
            glue += 1
    return glue


cdef inline bint is_true(State *s, Clause *clause) noexcept nogil:
    cdef int k
    for k in range(clause.start, clause.start + clause.width):
        if value_of(s, s.clauses.literals[k]) == 1:
            return True
    return False


cdef inline void reduce_clauses(State *s) noexcept nogil:
    """On level 0: forget clauses that are satisfied, and about half of the less useful ones."""
    cdef int glue, living = 0, number, clauses = s.clauses.number
    cdef Clauses *c = &s.clauses
    cdef Clause clause
    s.learned = 0
    s.limit += MORE_CLAUSES
    for glue in range(MOST_GLUE + 1):
        s.glues[glue] = 0
    for number in range(clauses):
        glue = min(c.items[number].glue, MOST_GLUE)
        if c.items[number].width and glue > BEST_GLUE:
            s.glues[glue] += 1
            living += 1
    # All of a greater glue than `worst` go, and `spare` of that glue.
    cdef int worst = MOST_GLUE, spare = living // 2
    while worst > BEST_GLUE and s.glues[worst] <= spare:
        spare -= s.glues[worst]
        worst -= 1
    for number in range(2 * s.lines.num_variables):
        c.first[number] = NONE
    # What is kept moves to the front, over clauses that were looked at before.
    c.number = c.num_literals = 0
    for number in range(clauses):
        clause = c.items[number]
        if clause.width == 0 or clause.glue >= MOST_GLUE or clause.glue > worst:
            continue
        if BEST_GLUE < clause.glue == worst and spare > 0:
            spare -= 1
            continue
        if clause.glue > 0 and is_true(s, &clause):
            continue
        add_clause(s, c.literals + clause.start, clause.width, clause.glue)


cdef inline void blame_face(State *s, int face) noexcept nogil:
    s.core[s.core_size] = face
    s.core_size += 1


cdef inline void blame(State *s, int count) noexcept nogil:
    """Write to `core` the assumed matches from which the literals in `buffer` follow."""
    cdef int touched = 0, place, k, number, reason
    s.core_size = 0
    for place in range(s.lines.trail.known - 1, -1, -1):
        for k in range(count):
            number = s.buffer[k] >> 1
            if level_of(s, number) > 0 and not s.variable[number].seen:
                s.variable[number].seen = 1
                s.touched[touched] = number
                touched += 1
        count = 0
        number = s.lines.trail.literals[place] >> 1
        if not s.variable[number].seen:
            continue
        reason = s.lines.trail.causes[number].reason
        if reason != NONE:
            count = explain(s, reason, number)
        elif s.matches <= number < s.sides and value_of(s, 2 * number) == 1:
            blame_face(s, number - s.matches)
    for k in range(touched):
        s.variable[s.touched[k]].seen = 0

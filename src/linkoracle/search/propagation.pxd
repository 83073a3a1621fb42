"""The trail of literals, and what it demands of what is still open.

Counts, paths and the queue are kept up to date along the trail; the rules of the board and the
clauses draw their conclusions from it. What draws them returns the reason of a conflict, or `NONE`.
"""

from libc.stdint cimport int64_t

from linkoracle.search.state cimport (
    ALL_OFF,
    AN_OFF,
    AN_ON,
    CLAUSE,
    CYCLE,
    FACE,
    FREE,
    KINDS,
    MATCHES,
    NO_MATCH,
    NONE,
    REST,
    SIDE,
    VERTEX,
    WHOLE,
    WRONG,
    Clause,
    Edge,
    Face,
    State,
    Variable,
    Vertex,
)


cdef inline int holds(State *s, int literal) noexcept nogil:
    """1 for a true literal, -1 for a false one, 0 for an open one."""
    cdef int value = s.value[literal >> 1]
    return -value if literal & 1 else value


cdef inline int level_of(State *s, int literal) noexcept nogil:
    return s.variable[literal >> 1].level


cdef inline int across(State *s, int edge, int vertex) noexcept nogil:
    """The other end of an edge."""
    return s.edge[edge].ends[0] + s.edge[edge].ends[1] - vertex


cdef inline void enqueue(State *s, int literal, int reason) noexcept nogil:
    cdef Variable *variable = &s.variable[literal >> 1]
    s.value[literal >> 1] = 1 - 2 * (literal & 1)
    variable.level = s.level
    variable.place = s.on_trail
    variable.reason = reason
    s.trail[s.on_trail] = literal
    s.on_trail += 1


cdef inline void open_level(State *s) noexcept nogil:
    s.level += 1
    s.starts[s.level] = s.on_trail


cdef inline void count_edge(State *s, Edge *edge, int change) noexcept nogil:
    """Count an edge at its vertices and faces, or no longer."""
    cdef int k
    for k in range(2):
        s.vertex[edge.ends[k]].tally += change
        if edge.faces[k] >= 0:
            s.face[edge.faces[k]].tally += change


cdef inline bint link(State *s, int number) noexcept nogil:
    """Join the paths at both ends of an edge that is on; whether it closes a cycle."""
    cdef Edge *edge = &s.edge[number]
    cdef Vertex *one = &s.vertex[edge.ends[0]]
    cdef Vertex *other = &s.vertex[edge.ends[1]]
    if one.mate == edge.ends[1]:
        return True
    cdef int first = one.mate, last = other.mate, k, chord
    cdef int total = one.length + other.length + 1
    edge.joined[0], edge.joined[1], edge.before = first, last, one.length
    s.vertex[first].mate, s.vertex[last].mate = last, first
    s.vertex[first].length = total
    s.vertex[last].length = total
    if s.on_board > total:
        # More is on than this path: it must not close.
        for k in range(4):
            chord = s.vertex[first].edges[k]
            if chord >= 0 and s.value[chord] == 0 and across(s, chord, first) == last:
                s.variable[chord].walked = s.head
                enqueue(s, 2 * chord + 1, CYCLE + KINDS * chord)
    return False


cdef inline void unlink(State *s, int number) noexcept nogil:
    cdef Edge *edge = &s.edge[number]
    cdef int first = edge.joined[0], last = edge.joined[1]
    if first < 0:
        if s.closed == number:
            s.closed = NONE
        return
    cdef int one = edge.ends[0], other = edge.ends[1]
    cdef int after = s.vertex[first].length - edge.before - 1
    s.vertex[first].mate, s.vertex[one].mate = one, first
    s.vertex[last].mate, s.vertex[other].mate = other, last
    s.vertex[first].length = edge.before
    s.vertex[one].length = edge.before
    s.vertex[last].length = after
    s.vertex[other].length = after


cdef inline void backtrack(State *s, int level) noexcept nogil:
    """Undo all levels above this one."""
    if s.level <= level:
        return
    cdef int start = s.starts[level + 1], place, literal, number, first = s.first
    cdef int64_t latest = s.variable[first].stamp
    cdef bint is_on
    for place in range(s.on_trail - 1, start - 1, -1):
        literal = s.trail[place]
        number = literal >> 1
        s.value[number] = 0
        if s.variable[number].stamp > latest:
            latest, first = s.variable[number].stamp, number
        if place < s.head and number < s.edges:
            is_on = literal & 1 == 0
            count_edge(s, &s.edge[number], -AN_ON if is_on else -AN_OFF)
            if is_on != (s.variable[number].known > 0):
                s.different -= 1
            if is_on:
                s.on_board -= 1
                unlink(s, number)
    s.first = first
    s.on_trail = start
    s.head = min(s.head, start)
    s.visited = min(s.visited, start)
    if level < 2:
        # All of level 1 was assumed before level 2 was opened.
        s.assumed = s.faces + 1
    s.level = level


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
    if s.value[number] == 0:
        s.first = number


cdef inline int fulfil(State *s, int *edges, int demanded, int reason) noexcept nogil:
    """Do what is demanded of the open edges of a vertex or face."""
    cdef int k
    if demanded == WRONG:
        return reason
    for k in range(4):
        if edges[k] >= 0 and s.value[edges[k]] == 0:
            enqueue(s, 2 * edges[k] + (demanded == ALL_OFF), reason)
    return NONE


cdef inline int check_vertex(State *s, int number) noexcept nogil:
    cdef Vertex *vertex = &s.vertex[number]
    cdef int demanded = vertex.demands[vertex.tally]
    if demanded == REST:
        return NONE
    return fulfil(s, vertex.edges, demanded, VERTEX + KINDS * number)


cdef inline int check_face(State *s, int number) noexcept nogil:
    cdef Face *face = &s.face[number]
    cdef int matches = s.value[s.edges + number]
    if matches == 0 and face.kept == FREE:
        return NONE
    cdef int demanded = face.demands[1 + matches][face.tally]
    if demanded == REST:
        return NONE
    cdef int reason = FACE + KINDS * number
    if demanded < MATCHES:
        return fulfil(s, face.edges, demanded, reason)
    enqueue(s, 2 * (s.edges + number) + (demanded == NO_MATCH), reason)
    return NONE


cdef inline int check_side(State *s, int number) noexcept nogil:
    """An edge is on iff the faces beside it are on different sides."""
    cdef Edge *edge = &s.edge[number]
    cdef int one = s.edges + s.faces + edge.faces[0], other = s.edges + s.faces + edge.faces[1]
    cdef int left = s.value[one], mine = s.value[number]
    cdef int right = s.value[other] if edge.faces[1] >= 0 else edge.beyond
    cdef int reason = SIDE + KINDS * number
    if left * right * mine > 0:
        return reason
    if left == 0:
        if right * mine != 0:
            enqueue(s, 2 * one + (right * mine > 0), reason)
    elif right == 0:
        if mine != 0:
            enqueue(s, 2 * other + (left * mine > 0), reason)
    elif mine == 0:
        enqueue(s, 2 * number + (left * right > 0), reason)
    return NONE


cdef inline int enter(State *s, int width, int glue) noexcept nogil:
    """Make the literals behind the last clause, two or more, the next one; its number."""
    cdef int number = s.clauses, k, literal
    cdef Clause *clause = &s.clause[number]
    clause.start, clause.width, clause.glue, clause.saved = s.room, width, glue, 2
    s.clauses += 1
    s.room += width
    for k in range(2):
        literal = s.literals[clause.start + k]
        clause.next[k] = s.variable[literal >> 1].watches[literal & 1]
        s.variable[literal >> 1].watches[literal & 1] = 2 * number + k
    return number


cdef inline int add_clause(State *s, int *literals, int width, int glue) noexcept nogil:
    """Store a clause, for which there must be room; its number."""
    cdef int k
    for k in range(width):
        s.literals[s.room + k] = literals[k]
    return enter(s, width, glue)


cdef inline bint find_watch(State *s, Clause *clause, int mine, int literal) noexcept nogil:
    """Put a literal that is not false in the place of a watched one; whether there is any."""
    cdef int *literals = s.literals + clause.start
    cdef int k, place = clause.saved
    for k in range(clause.width - 2):
        if place >= clause.width:
            place -= clause.width - 2
        if holds(s, literals[place]) >= 0:
            literals[mine], literals[place] = literals[place], literal
            clause.saved = place
            return True
        place += 1
    return False


cdef inline int visit_clauses(State *s, int literal) noexcept nogil:
    """Look at the clauses that watch a literal which has become false."""
    cdef int *slot = &s.variable[literal >> 1].watches[literal & 1]
    cdef int node = slot[0], mine, other, held, better
    cdef Clause *clause
    while node >= 0:
        clause, mine = &s.clause[node >> 1], node & 1
        if clause.width == 0:
            # Struck out: it leaves the list.
            slot[0] = clause.next[mine]
            node = slot[0]
            continue
        other = s.literals[clause.start + 1 - mine]
        held = holds(s, other)
        if held <= 0:
            if find_watch(s, clause, mine, literal):
                better = s.literals[clause.start + mine]
                slot[0] = clause.next[mine]
                clause.next[mine] = s.variable[better >> 1].watches[better & 1]
                s.variable[better >> 1].watches[better & 1] = node
                node = slot[0]
                continue
            if held < 0:
                return CLAUSE + KINDS * (node >> 1)
            if other == 2 * s.question:
                # Not put on the trail, where it would outlive the question.
                s.refuted = (node >> 1) + 1
            else:
                enqueue(s, other, CLAUSE + KINDS * (node >> 1))
        slot = &clause.next[mine]
        node = slot[0]
    return NONE


cdef inline int apply_edge(State *s, int number, bint is_on) noexcept nogil:
    """Do what an edge that is next on the trail demands of vertices, faces and paths."""
    cdef Edge *edge = &s.edge[number]
    cdef int k, wrong, open_edge
    count_edge(s, edge, AN_ON if is_on else AN_OFF)
    if is_on != (s.variable[number].known > 0):
        s.differing[s.different] = number
        s.different += 1
    if is_on:
        s.chosen[s.on_board] = 2 * number
        s.on_board += 1
        edge.joined[0] = NONE
    for k in range(2):
        wrong = check_vertex(s, edge.ends[k])
        if wrong != NONE:
            return wrong
    if is_on:
        if link(s, number):
            if s.on_board > s.vertex[edge.ends[0]].length + 1:
                s.variable[number].walked = s.head
                return CYCLE + KINDS * number
            s.closed = number
            for open_edge in range(s.edges):
                if s.value[open_edge] == 0:
                    enqueue(s, 2 * open_edge + 1, WHOLE + KINDS * open_edge)
        elif s.closed >= 0:
            return WHOLE + KINDS * number
    for k in range(2):
        if edge.faces[k] >= 0:
            wrong = check_face(s, edge.faces[k])
            if wrong != NONE:
                return wrong
    return NONE


cdef inline int apply_rules(State *s) noexcept nogil:
    """Do what edges on the trail demand, and clues of their faces."""
    cdef int literal, number, wrong
    while s.head < s.on_trail:
        literal = s.trail[s.head]
        s.head += 1
        number = literal >> 1
        if number < s.edges:
            wrong = apply_edge(s, number, literal & 1 == 0)
        elif number < s.edges + s.faces:
            wrong = check_face(s, number - s.edges)
        else:
            continue
        if wrong != NONE:
            return wrong
    return NONE


cdef inline int check_sides(State *s, int number) noexcept nogil:
    """Check all edges of which a variable is a part, or the side of a face beside them."""
    if number < s.edges:
        return check_side(s, number)
    cdef int face = number - s.edges - s.faces, k, wrong
    if 0 <= face < s.faces:
        for k in range(4):
            wrong = check_side(s, s.face[face].edges[k])
            if wrong != NONE:
                return wrong
    return NONE


cdef inline int propagate(State *s) noexcept nogil:
    """Draw all conclusions.

    Those of vertices and faces first: they cost the least, and most conflicts are theirs.
    """
    cdef int literal, wrong
    while True:
        wrong = apply_rules(s)
        if wrong != NONE or s.visited == s.on_trail:
            return wrong
        literal = s.trail[s.visited]
        s.visited += 1
        if s.sided:
            wrong = check_sides(s, literal >> 1)
            if wrong != NONE:
                return wrong
        wrong = visit_clauses(s, literal ^ 1)
        if wrong != NONE:
            return wrong

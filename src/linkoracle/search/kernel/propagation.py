"""The trail of literals, and what it demands of what is still open.

Counts, paths and the queue are kept up to date along the trail; the rules of the board and the
clauses draw their conclusions from it.
"""

from __future__ import annotations

from linkoracle.search.kernel import state as st


@st.inlined
def holds(s, literal):  # type: ignore[no-untyped-def]
    """1 for a true literal, -1 for a false one, 0 for an open one."""
    value = s.value[literal >> 1]
    return -value if literal & 1 else value


@st.inlined
def level_of(s, literal):  # type: ignore[no-untyped-def]
    return s.variables[st.V * (literal >> 1) + st.LEVEL_OF]


@st.inlined
def watch_of(literal):  # type: ignore[no-untyped-def]
    """Where in `variables` the first of the clauses stands that watch a literal."""
    return st.V * (literal >> 1) + st.WATCH + (literal & 1)


@st.inlined
def across(s, edge, vertex):  # type: ignore[no-untyped-def]
    """The other end of an edge."""
    return s.edges[st.E * edge + st.FROM] + s.edges[st.E * edge + st.TO] - vertex


@st.inlined
def enqueue(s, literal, reason):  # type: ignore[no-untyped-def]
    variable = literal >> 1
    place = s.numbers[st.TRAIL]
    s.value[variable] = 1 - 2 * (literal & 1)
    s.variables[st.V * variable + st.LEVEL_OF] = s.numbers[st.LEVEL]
    s.variables[st.V * variable + st.PLACE] = place
    s.variables[st.V * variable + st.REASON] = reason
    s.lists[st.ON_TRAIL * s.width + place] = literal
    s.numbers[st.TRAIL] = place + 1


@st.inlined
def count_edge(s, edge, change):  # type: ignore[no-untyped-def]
    """Count an edge at its vertices and faces, or no longer."""
    vertices, right = s.numbers[st.VERTICES], s.edges[st.E * edge + st.RIGHT]
    s.nodes[st.N * s.edges[st.E * edge + st.FROM] + st.TALLY] += change
    s.nodes[st.N * s.edges[st.E * edge + st.TO] + st.TALLY] += change
    s.nodes[st.N * (vertices + s.edges[st.E * edge + st.LEFT]) + st.TALLY] += change
    if right >= 0:
        s.nodes[st.N * (vertices + right) + st.TALLY] += change


@st.inlined
def link(s, edge):  # type: ignore[no-untyped-def]
    """Join the paths at both ends of an edge that is on; whether it closes a cycle."""
    one, other = s.edges[st.E * edge + st.FROM], s.edges[st.E * edge + st.TO]
    if s.nodes[st.N * one + st.MATE] == other:
        return True
    first, last = s.nodes[st.N * one + st.MATE], s.nodes[st.N * other + st.MATE]
    before = s.nodes[st.N * one + st.LENGTH]
    total = before + s.nodes[st.N * other + st.LENGTH] + 1
    s.edges[st.E * edge + st.JOINED], s.edges[st.E * edge + st.JOINED_TO] = first, last
    s.edges[st.E * edge + st.JOINED_LENGTH] = before
    s.nodes[st.N * first + st.MATE], s.nodes[st.N * last + st.MATE] = last, first
    s.nodes[st.N * first + st.LENGTH] = s.nodes[st.N * last + st.LENGTH] = total
    if s.numbers[st.ON_BOARD] > total:
        # More is on than this path: it must not close.
        for k in range(4):
            chord = s.nodes[st.N * first + st.AT + k]
            if chord < 0 or s.value[chord] != 0:
                continue
            if across(s, chord, first) == last:
                s.variables[st.V * chord + st.SEEN_AT] = s.numbers[st.HEAD]
                enqueue(s, 2 * chord + 1, st.CYCLE + st.KINDS * chord)
    return False


@st.inlined
def unlink(s, edge):  # type: ignore[no-untyped-def]
    first, last = s.edges[st.E * edge + st.JOINED], s.edges[st.E * edge + st.JOINED_TO]
    if first < 0:
        if s.numbers[st.CLOSED] == edge:
            s.numbers[st.CLOSED] = -1
        return
    one, other = s.edges[st.E * edge + st.FROM], s.edges[st.E * edge + st.TO]
    before = s.edges[st.E * edge + st.JOINED_LENGTH]
    after = s.nodes[st.N * first + st.LENGTH] - before - 1
    s.nodes[st.N * first + st.MATE], s.nodes[st.N * one + st.MATE] = one, first
    s.nodes[st.N * last + st.MATE], s.nodes[st.N * other + st.MATE] = other, last
    s.nodes[st.N * first + st.LENGTH] = s.nodes[st.N * one + st.LENGTH] = before
    s.nodes[st.N * last + st.LENGTH] = s.nodes[st.N * other + st.LENGTH] = after


@st.internal
def backtrack(s, level):  # type: ignore[no-untyped-def]
    """Undo all levels above this one."""
    if s.numbers[st.LEVEL] <= level:
        return
    start = s.lists[st.STARTS * s.width + level + 1]
    num_edges, head = s.numbers[st.EDGES], s.numbers[st.HEAD]
    first = s.numbers[st.FIRST]
    latest = s.variables[st.V * first + st.BUMPED]
    for place in range(s.numbers[st.TRAIL] - 1, start - 1, -1):
        literal = s.lists[st.ON_TRAIL * s.width + place]
        variable = literal >> 1
        s.value[variable] = 0
        stamp = s.variables[st.V * variable + st.BUMPED]
        if stamp > latest:
            latest, first = stamp, variable
        if place < head and variable < num_edges:
            is_on = literal & 1 == 0
            count_edge(s, variable, -st.AN_ON if is_on else -st.AN_OFF)
            if is_on != (s.variables[st.V * variable + st.KNOWN] > 0):
                s.numbers[st.DIFFERENT] -= 1
            if is_on:
                s.numbers[st.ON_BOARD] -= 1
                unlink(s, variable)
    s.numbers[st.FIRST] = first
    s.numbers[st.TRAIL] = start
    s.numbers[st.HEAD] = min(head, start)
    s.numbers[st.VISITED] = min(s.numbers[st.VISITED], start)
    if level < 2:
        # All of level 1 was assumed before level 2 was opened.
        s.numbers[st.ASSUMED] = s.numbers[st.FACES] + 1
    s.numbers[st.LEVEL] = level


@st.inlined
def bump(s, variable):  # type: ignore[no-untyped-def]
    """Move a variable to the end of the queue, from which decisions are taken."""
    last = s.numbers[st.LAST]
    if s.variables[st.V * variable + st.BUMPED] < 0 or last == variable:
        return
    before = s.variables[st.V * variable + st.BEFORE]
    after = s.variables[st.V * variable + st.AFTER]
    if s.numbers[st.FIRST] == variable:
        s.numbers[st.FIRST] = before if before >= 0 else after
    if before >= 0:
        s.variables[st.V * before + st.AFTER] = after
    s.variables[st.V * after + st.BEFORE] = before
    s.variables[st.V * variable + st.BEFORE], s.variables[st.V * variable + st.AFTER] = last, -1
    s.variables[st.V * last + st.AFTER] = variable
    s.numbers[st.LAST] = variable
    s.numbers[st.STAMP] += 1
    s.variables[st.V * variable + st.BUMPED] = s.numbers[st.STAMP]
    if s.value[variable] == 0:
        s.numbers[st.FIRST] = variable


@st.inlined
def fulfil(s, node, demanded, reason):  # type: ignore[no-untyped-def]
    """Do what is demanded of the open edges of a vertex or face."""
    if demanded == st.WRONG:
        return reason
    for k in range(4):
        edge = s.nodes[st.N * node + st.AT + k]
        if edge >= 0 and s.value[edge] == 0:
            enqueue(s, 2 * edge + (demanded == st.ALL_OFF), reason)
    return st.NOTHING


@st.inlined
def check_vertex(s, vertex):  # type: ignore[no-untyped-def]
    demanded = st.TABLE[s.nodes[st.N * vertex + st.DEMANDS] + s.nodes[st.N * vertex + st.TALLY]]
    if demanded == st.REST:
        return st.NOTHING
    return fulfil(s, vertex, demanded, st.VERTEX + st.KINDS * vertex)


@st.inlined
def check_face(s, face):  # type: ignore[no-untyped-def]
    at = st.N * (s.numbers[st.VERTICES] + face)
    matches = s.value[s.numbers[st.EDGES] + face]
    if matches == 0 and s.nodes[at + st.KEPT] == 0:
        return st.NOTHING
    demanded = st.TABLE[s.nodes[at + st.DEMANDS + matches] + s.nodes[at + st.TALLY]]
    if demanded == st.REST:
        return st.NOTHING
    reason = st.FACE + st.KINDS * face
    if demanded < st.MATCHES:
        return fulfil(s, s.numbers[st.VERTICES] + face, demanded, reason)
    enqueue(s, 2 * (s.numbers[st.EDGES] + face) + (demanded == st.NO_MATCH), reason)
    return st.NOTHING


@st.inlined
def check_side(s, edge):  # type: ignore[no-untyped-def]
    """An edge is on iff the faces beside it are on different sides."""
    first = s.numbers[st.EDGES] + s.numbers[st.FACES]
    face = s.edges[st.E * edge + st.RIGHT]
    left, mine = s.value[first + s.edges[st.E * edge + st.LEFT]], s.value[edge]
    right = s.value[first + face] if face >= 0 else 2 * s.edges[st.E * edge + st.BEYOND] - 1
    reason = st.SIDE + st.KINDS * edge
    if left * right * mine > 0:
        return reason
    if left == 0:
        if right * mine != 0:
            enqueue(s, 2 * (first + s.edges[st.E * edge + st.LEFT]) + (right * mine > 0), reason)
    elif right == 0:
        if mine != 0:
            enqueue(s, 2 * (first + face) + (left * mine > 0), reason)
    elif mine == 0:
        enqueue(s, 2 * edge + (left * right > 0), reason)
    return st.NOTHING


@st.internal
def add_clause(s, length, glue):  # type: ignore[no-untyped-def]
    """Store a clause of two literals or more; its number."""
    start = s.numbers[st.ROOM]
    for k in range(length):
        s.arena[start + k] = s.lists[st.LEARNT * s.width + k]
    return enter(s, length, glue)


@st.internal
def enter(s, length, glue):  # type: ignore[no-untyped-def]
    """Make the literals behind the last clause the next one; its number."""
    clause, start = s.numbers[st.CLAUSES], s.numbers[st.ROOM]
    s.clauses[st.C * clause + st.START] = start
    s.clauses[st.C * clause + st.WIDTH] = length
    s.clauses[st.C * clause + st.GLUE] = glue
    s.clauses[st.C * clause + st.SAVED] = 2
    s.numbers[st.CLAUSES] += 1
    s.numbers[st.ROOM] += length
    for k in range(2):
        watch = watch_of(s.arena[start + k])
        s.clauses[st.C * clause + st.FOLLOW + k] = s.variables[watch]
        s.variables[watch] = 2 * clause + k
    return clause


@st.inlined
def visit_clauses(s, literal):  # type: ignore[no-untyped-def]
    """Look at the clauses that watch a literal which has become false."""
    node = s.variables[watch_of(literal)]
    last = -1
    while node >= 0:
        clause, mine = node >> 1, node & 1
        following = s.clauses[st.C * clause + st.FOLLOW + mine]
        width, start = s.clauses[st.C * clause + st.WIDTH], s.clauses[st.C * clause + st.START]
        keep = False
        if width:
            other = s.arena[start + 1 - mine]
            held = holds(s, other)
            keep = held > 0
            if not keep:
                better = -1
                saved = s.clauses[st.C * clause + st.SAVED]
                for k in range(width - 2):
                    place = saved + k
                    if place >= width:
                        place -= width - 2
                    if holds(s, s.arena[start + place]) >= 0:
                        better = s.arena[start + place]
                        s.arena[start + place] = literal
                        s.arena[start + mine] = better
                        s.clauses[st.C * clause + st.SAVED] = place
                        break
                if better >= 0:
                    watch = watch_of(better)
                    s.clauses[st.C * clause + st.FOLLOW + mine] = s.variables[watch]
                    s.variables[watch] = node
                elif held < 0:
                    return st.CLAUSE + st.KINDS * clause
                elif other == 2 * (s.numbers[st.VARIABLES] - 1):
                    # Not put on the trail, where it would outlive the question.
                    s.numbers[st.REFUTED] = clause + 1
                    keep = True
                else:
                    enqueue(s, other, st.CLAUSE + st.KINDS * clause)
                    keep = True
        if keep:
            last = node
        elif last < 0:
            s.variables[watch_of(literal)] = following
        else:
            s.clauses[st.C * (last >> 1) + st.FOLLOW + (last & 1)] = following
        node = following
    return st.NOTHING


@st.inlined
def apply_rules(s):  # type: ignore[no-untyped-def]
    """Do what edges on the trail demand of vertices, faces and paths, and clues of their faces."""
    num_edges, faces = s.numbers[st.EDGES], s.numbers[st.FACES]
    while s.numbers[st.HEAD] < s.numbers[st.TRAIL]:
        literal = s.lists[st.ON_TRAIL * s.width + s.numbers[st.HEAD]]
        s.numbers[st.HEAD] += 1
        variable = literal >> 1
        if variable < num_edges:
            one, other = s.edges[st.E * variable + st.FROM], s.edges[st.E * variable + st.TO]
            is_on = literal & 1 == 0
            count_edge(s, variable, st.AN_ON if is_on else st.AN_OFF)
            if is_on != (s.variables[st.V * variable + st.KNOWN] > 0):
                s.lists[st.DIFFERS * s.width + s.numbers[st.DIFFERENT]] = variable
                s.numbers[st.DIFFERENT] += 1
            if is_on:
                s.lists[st.CHOSEN * s.width + s.numbers[st.ON_BOARD]] = literal
                s.numbers[st.ON_BOARD] += 1
                s.edges[st.E * variable + st.JOINED] = -1
            for vertex in (one, other):
                wrong = check_vertex(s, vertex)
                if wrong != st.NOTHING:
                    return wrong
            if is_on:
                if link(s, variable):
                    if s.numbers[st.ON_BOARD] > s.nodes[st.N * one + st.LENGTH] + 1:
                        s.variables[st.V * variable + st.SEEN_AT] = s.numbers[st.HEAD]
                        return st.CYCLE + st.KINDS * variable
                    s.numbers[st.CLOSED] = variable
                    for edge in range(num_edges):
                        if s.value[edge] == 0:
                            enqueue(s, 2 * edge + 1, st.WHOLE + st.KINDS * edge)
                elif s.numbers[st.CLOSED] >= 0:
                    return st.WHOLE + st.KINDS * variable
            for side in (st.LEFT, st.RIGHT):
                face = s.edges[st.E * variable + side]
                wrong = check_face(s, face) if face >= 0 else st.NOTHING
                if wrong != st.NOTHING:
                    return wrong
        elif variable < num_edges + faces:
            wrong = check_face(s, variable - num_edges)
            if wrong != st.NOTHING:
                return wrong
    return st.NOTHING


@st.inlined
def check_sides(s, variable):  # type: ignore[no-untyped-def]
    """Check all edges of which a variable is a part, or the side of a face beside them."""
    num_edges, faces = s.numbers[st.EDGES], s.numbers[st.FACES]
    if variable < num_edges:
        return check_side(s, variable)
    face = variable - num_edges - faces
    if 0 <= face < faces:
        for k in range(4):
            wrong = check_side(s, s.nodes[st.N * (s.numbers[st.VERTICES] + face) + st.AT + k])
            if wrong != st.NOTHING:
                return wrong
    return st.NOTHING


@st.internal
def propagate(s):  # type: ignore[no-untyped-def]
    """Draw all conclusions; the reason of a conflict, or `NOTHING`.

    Those of vertices and faces first: they cost the least, and most conflicts are theirs.
    """
    while True:
        wrong = apply_rules(s)
        if wrong != st.NOTHING or s.numbers[st.VISITED] == s.numbers[st.TRAIL]:
            return wrong
        literal = s.lists[st.ON_TRAIL * s.width + s.numbers[st.VISITED]]
        s.numbers[st.VISITED] += 1
        if s.numbers[st.SIDED]:
            wrong = check_sides(s, literal >> 1)
            if wrong != st.NOTHING:
                return wrong
        wrong = visit_clauses(s, literal ^ 1)
        if wrong != st.NOTHING:
            return wrong

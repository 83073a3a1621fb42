"""The reasons of conclusions, computed again when conflict analysis needs them.

Most of this file explains why an edge must not close a path: many edges together imply that.
"""

from libc.stdint cimport int32_t, int64_t

from linkoracle.board.plane cimport NO_FACE, Plane, far_end
from linkoracle.lines.clauses cimport Clause
from linkoracle.lines.rules cimport APART, CLAUSE, CYCLE, KINDS, RULE, SIDE, WHOLE, explain_rule
from linkoracle.lines.trail cimport NONE
from linkoracle.search.propagation cimport level_of, place_of, value_of
from linkoracle.search.state cimport State


cdef inline int note(State *s, int count, int literal) noexcept nogil:
    """Write a literal behind the ``count`` that are in `buffer`; how many there are then.

    There is room for two reasons, each with two literals for each edge, and four more; and for all
    literals of a rule.
    """
    s.buffer[count] = literal
    return count + 1


cdef inline int price(State *s, int variable) noexcept nogil:
    """Return the cost of a variable in a reason: known for good, by assumptions, by decisions."""
    cdef int level = level_of(s, variable)
    return 0 if level == 0 else 1 if level == 1 else 1000


cdef inline bint was_on(State *s, int edge, int limit) noexcept nogil:
    return value_of(s, 2 * edge) == 1 and place_of(s, edge) < limit


cdef inline int next_edge(State *s, int vertex, int came, int limit) noexcept nogil:
    """An edge of a path of edges set before ``limit``, from a vertex on; NONE at its end."""
    cdef const Plane *p = &s.lines.plane
    cdef int k
    for k in range(p.starts[vertex], p.starts[vertex + 1]):
        if p.edges[k] != came and was_on(s, p.edges[k], limit):
            return p.edges[k]
    return NONE


cdef inline int walk(State *s, int edge, int limit) noexcept nogil:
    """Find the path that joins the ends of an edge, of edges set before ``limit``.

    Its vertices are in `path`, each with the edge to the next in `steps`, `NONE` for the virtual one
    between two ends; all are marked. Returns how many vertices these are.
    """
    cdef int vertex = s.lines.plane.ends[2 * edge], goal = s.lines.plane.ends[2 * edge + 1]
    cdef int walked = 0, step = edge
    s.marks += 1
    s.variable[edge].mark = s.marks
    while True:
        s.walked[vertex] = s.marks
        s.path[walked] = vertex
        if vertex == goal:
            return walked + 1
        step = next_edge(s, vertex, step, limit)
        s.steps[walked] = step
        walked += 1
        if step == NONE:
            vertex = s.ends[0] + s.ends[1] - vertex
        else:
            s.variable[step].mark = s.marks
            vertex = far_end(&s.lines.plane, step, vertex)


cdef inline int elsewhere(State *s) noexcept nogil:
    """The first edge that is on and was not walked, or `NONE`."""
    cdef int k, edge
    for k in range(s.lines.num_chosen):
        edge = s.lines.chosen[k]
        if edge != NONE and s.variable[edge].mark != s.marks:
            return edge
    return NONE


cdef inline int past(State *s, int face) noexcept nogil:
    """The next face on a way off the board."""
    cdef const int32_t *beside = &s.lines.plane.faces[2 * s.face[face].outwards]
    return beside[1] if beside[0] == face else beside[0]


cdef inline bint is_inside(State *s, int face) noexcept nogil:
    """Whether a face is inside the cycle whose edges are marked: a way off the board crosses it.

    What is met on the way is kept until the next walk. O(faces that are met for the first time).
    """
    cdef int here = face
    cdef bint inside = False, crossed
    while here != NO_FACE and s.face[here].checked != s.marks:
        inside ^= s.variable[s.face[here].outwards].mark == s.marks
        here = past(s, here)
    if here != NO_FACE:
        inside ^= s.face[here].inside
    here = face
    crossed = inside
    while here != NO_FACE and s.face[here].checked != s.marks:
        s.face[here].checked, s.face[here].inside = s.marks, crossed
        crossed ^= s.variable[s.face[here].outwards].mark == s.marks
        here = past(s, here)
    return inside


cdef struct Cut:
    int limit  # what was set from here on does not count
    bint sided  # whether only edges on one side of the cycle count
    bint inside  # which side that is


cdef inline bint is_off(State *s, int edge, int limit) noexcept nogil:
    return value_of(s, 2 * edge) == 0 and place_of(s, edge) < limit


cdef inline int find_leaving(State *s, Cut *cut, int vertex) noexcept nogil:
    """Find the edges that leave the path at a vertex of it, but at its ends; how many.

    -1 if one of them is not off.
    """
    cdef const Plane *p = &s.lines.plane
    cdef int k, edge, found = 0
    for k in range(p.starts[vertex], p.starts[vertex + 1]):
        edge = p.edges[k]
        if s.variable[edge].mark == s.marks or s.walked[far_end(p, edge, vertex)] == s.marks:
            continue
        if cut.sided and is_inside(s, p.faces[2 * edge]) != cut.inside:
            continue
        if not is_off(s, edge, cut.limit):
            return -1
        s.leaving[found] = edge
        found += 1
    return found


cdef inline int note_path(State *s, Cut *cut, int walked, int count) noexcept nogil:
    """Note why nothing joins a path, whose ends an edge joins, to what is on elsewhere.

    At each vertex between its ends either the edges are off that leave the path there, or the edges
    of the path are on, so that others must be off: what rests on fewer decisions. At its ends there
    is the edge that joins them, and one of the path.
    """
    cdef int k, j, found, cost, alone
    cdef bint noted = s.steps[0] >= 0  # the edge of the path before the present vertex
    if noted:
        count = note(s, count, 2 * s.steps[0])
    for k in range(1, walked - 1):
        found = find_leaving(s, cut, s.path[k])
        alone = 0 if noted or s.steps[k - 1] < 0 else price(s, s.steps[k - 1])
        alone += price(s, s.steps[k]) if 0 <= s.steps[k] and k < walked - 2 else 0
        cost = 0
        for j in range(found):
            cost += price(s, s.leaving[j])
        if found == 0 or (found > 0 and cost < alone):
            for j in range(found):
                count = note(s, count, 2 * s.leaving[j] + 1)
            noted = False
            continue
        if not noted and s.steps[k - 1] >= 0:
            count = note(s, count, 2 * s.steps[k - 1])
        noted = s.steps[k] >= 0
        if noted:
            count = note(s, count, 2 * s.steps[k])
    if walked > 2 and not noted and s.steps[walked - 2] >= 0:
        count = note(s, count, 2 * s.steps[walked - 2])
    return count


cdef inline int find_region(State *s, int other, int limit, int64_t path, int most) noexcept nogil:
    """Find what an edge may be joined to, as things stand, without a path that has this mark.

    Its vertices are in `region`, and marked. Returns how many; -1 for more than ``most``,
    or where the edge touches the path.
    """
    cdef const Plane *p = &s.lines.plane
    cdef int k, here, far, done = 0, found = 2
    s.marks += 1
    for k in range(2):
        s.region[k] = p.ends[2 * other + k]
        if s.walked[s.region[k]] == path:
            return -1
        s.walked[s.region[k]] = s.marks
    while done < found:
        here = s.region[done]
        for k in range(p.starts[here], p.starts[here + 1]):
            if is_off(s, p.edges[k], limit):
                continue
            far = far_end(p, p.edges[k], here)
            if s.walked[far] == s.marks or s.walked[far] == path:
                continue
            if found >= most:
                return -1
            s.walked[far] = s.marks
            s.region[found] = far
            found += 1
        done += 1
    return found


cdef inline int note_region(
    State *s, int closing, int limit, int64_t path, int size, int count
) noexcept nogil:
    """Note why nothing joins a region to a path that an edge closes: what leaves it is off.

    Or else ends where the path is, whose edges are on.
    """
    cdef const Plane *p = &s.lines.plane
    cdef int place, here, k, j, edge, far, step
    for place in range(size):
        here = s.region[place]
        for k in range(p.starts[here], p.starts[here + 1]):
            edge = p.edges[k]
            far = far_end(p, edge, here)
            if s.walked[far] == s.marks:
                continue
            if is_off(s, edge, limit):
                count = note(s, count, 2 * edge + 1)
                continue
            for j in range(p.starts[far], p.starts[far + 1]):
                step = p.edges[j]
                if step != closing and s.variable[step].mark == path:
                    # Once is enough.
                    s.variable[step].mark = 0
                    count = note(s, count, 2 * step)
    return count


cdef inline int cheaper(State *s, int first, int middle, int last) noexcept nogil:
    """Keep the cheaper of two reasons in `buffer`, up to ``middle`` and behind it."""
    cdef int k, difference = 0
    for k in range(first, middle):
        difference += price(s, s.buffer[k] >> 1)
    for k in range(middle, last):
        difference -= price(s, s.buffer[k] >> 1)
    if difference <= 0:
        return middle
    for k in range(last - middle):
        s.buffer[first + k] = s.buffer[middle + k]
    return first + last - middle


cdef inline int explain_cycle(State *s, int propagated, int forced, int limit) noexcept nogil:
    """With the edge on, its ends and the path that joins them are apart from what is on elsewhere.

    The edge is the forced one, or in a conflict the one that was taken last. Where the other is
    known to be on one side of the cycle, only edges on this side count (Jordan). Nothing need be on
    elsewhere in a model of paths, and the cycle leaves out the virtual edge between two ends, or
    there are several pairs: ends are elsewhere. Or seen from the other, with all that it may still
    be joined to: that is the better reason where the path is most of the line, and without it such
    boards can take hours.
    """
    cdef int edge = forced if forced >= 0 else s.lines.trail.literals[propagated - 1] >> 1
    cdef int count = note(s, 0, 2 * edge) if forced < 0 else 0, other = NONE
    cdef int walked = walk(s, edge, propagated)
    cdef Cut cut
    if s.pairs == 0 or s.pairs == 1 and s.walked[s.ends[0]] == s.marks:
        other = elsewhere(s)
        if other >= 0:
            count = note(s, count, 2 * other)
    cut.limit = limit
    cut.sided = other >= 0 and s.pairs == 0 and s.sided
    cut.inside = cut.sided and is_inside(s, s.lines.plane.faces[2 * other])
    cdef int64_t path = s.marks
    cdef int middle = note_path(s, &cut, walked, count), size
    if other < 0:
        return middle
    size = find_region(s, other, limit, path, walked)
    if size < 0:
        return middle
    return cheaper(s, count, middle, note_region(s, edge, limit, path, size, middle))


cdef inline int explain_apart(State *s, int propagated, int forced) noexcept nogil:
    """The edge would join the paths from two terminals that are no pair: these paths are on.

    A path that comes from a terminal can go on in one way only, so it would be one with both ends.
    """
    cdef int edge = forced if forced >= 0 else s.lines.trail.literals[propagated - 1] >> 1
    cdef int count = note(s, 0, 2 * edge) if forced < 0 else 0, k, vertex, step
    for k in range(2):
        vertex, step = s.lines.plane.ends[2 * edge + k], edge
        while True:
            step = next_edge(s, vertex, step, propagated)
            if step == NONE:
                break
            count = note(s, count, 2 * step)
            vertex = far_end(&s.lines.plane, step, vertex)
    return count


cdef inline int explain_whole(State *s, int forced) noexcept nogil:
    """The line was closed: nothing else can be on."""
    cdef int closed = s.lines.closed, count = note(s, 0, 2 * closed), k, walked
    if forced < 0:
        count = note(s, count, 2 * (s.lines.trail.literals[s.lines.trail.done - 1] >> 1))
    walked = walk(s, closed, place_of(s, closed))
    for k in range(walked - 1):
        if s.steps[k] >= 0:
            count = note(s, count, 2 * s.steps[k])
    return count


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

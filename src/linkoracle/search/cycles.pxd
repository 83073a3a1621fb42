"""Why an edge must not close a path: the reasons that rest on more than one place."""

from libc.stdint cimport int64_t

from linkoracle.search.propagation cimport across
from linkoracle.search.state cimport NONE, State


cdef inline int note(State *s, int count, int literal) noexcept nogil:
    """Write a literal behind the ``count`` that are in `buffer`; how many there are then.

    There is room for two reasons, each with two literals for each edge, and four more.
    """
    s.buffer[count] = literal
    return count + 1


cdef inline int price(State *s, int variable) noexcept nogil:
    """How bad a variable is in a reason: it may rest on nothing, on assumptions, on decisions."""
    cdef int level = s.variable[variable].level
    return 0 if level == 0 else 1 if level == 1 else 1000


cdef inline int walk(State *s, int edge, int limit) noexcept nogil:
    """Find the path that joins the ends of an edge, of edges set before ``limit``.

    Its vertices are in `path`, each with the edge to the next in `steps`, `NONE` for the virtual one
    between two ends; all are marked. Returns how many vertices these are.
    """
    cdef int vertex = s.edge[edge].ends[0], goal = s.edge[edge].ends[1], came = edge, step, on, k
    cdef int walked = 0
    s.marks += 1
    s.variable[edge].mark = s.marks
    while True:
        s.vertex[vertex].walked = s.marks
        s.path[walked] = vertex
        if vertex == goal:
            return walked + 1
        step = NONE
        for k in range(4):
            on = s.vertex[vertex].edges[k]
            if on < 0 or on == came or s.value[on] <= 0:
                continue
            if s.variable[on].place < limit:
                step = on
                break
        s.steps[walked] = came = step
        walked += 1
        if step < 0:
            vertex = s.ends[0] + s.ends[1] - vertex
        else:
            s.variable[step].mark = s.marks
            vertex = across(s, step, vertex)


cdef inline int elsewhere(State *s) noexcept nogil:
    """The first edge that is on and was not walked, or `NONE`."""
    cdef int k
    for k in range(1 if s.ends[0] >= 0 else 0, s.on_board):
        if s.variable[s.chosen[k] >> 1].mark != s.marks:
            return s.chosen[k] >> 1
    return NONE


cdef inline int towards(State *s, int vertex, int other) noexcept nogil:
    """In which direction a neighbour lies: up, right, down, left."""
    if other < vertex:
        return 0 if other == vertex - s.columns else 3
    return 2 if other == vertex + s.columns else 1


cdef inline bint is_left(State *s, int walked, int edge) noexcept nogil:
    """Whether an edge lies to the left of the cycle whose vertices are in `path`."""
    cdef int k, here, came, goes, turns = 0, crossed = 0, wall
    for k in range(walked):
        here = s.path[k]
        came = towards(s, here, s.path[k - 1 if k else walked - 1])
        goes = towards(s, here, s.path[k + 1 if k + 1 < walked else 0])
        turns += 2 - ((goes - came) & 3)
    cdef int face = s.edge[edge].faces[0], beside
    for beside in range(face - face % (s.columns - 1), face + 1):
        wall = s.face[beside].edges[1]
        crossed += s.variable[wall].mark == s.marks
    return (turns > 0) == (crossed & 1)


cdef struct Cut:
    int limit  # what was set from here on does not count
    bint sided  # whether only edges on one side of the cycle count
    bint left  # which side that is


cdef inline int leaving(State *s, Cut *cut, int k, int *off) noexcept nogil:
    """Find the edges that leave the path at vertex ``k`` of it, but at its ends; how many.

    -1 if one of them is not off.
    """
    cdef int vertex = s.path[k], side, edge, far, came = 0, goes = 0, found = 0
    if cut.sided:
        came = towards(s, vertex, s.path[k - 1])
        goes = (towards(s, vertex, s.path[k + 1]) - came) & 3
    for side in range(4):
        edge = s.vertex[vertex].edges[side]
        if edge < 0 or s.variable[edge].mark == s.marks:
            continue
        far = across(s, edge, vertex)
        if s.vertex[far].walked == s.marks:
            continue
        # Clockwise from where the path comes to where it goes is its left.
        if cut.sided and cut.left != (((towards(s, vertex, far) - came) & 3) < goes):
            continue
        if s.value[edge] >= 0 or s.variable[edge].place >= cut.limit:
            return -1
        off[found] = edge
        found += 1
    return found


cdef inline int note_path(State *s, Cut *cut, int walked, int count) noexcept nogil:
    """Note why nothing joins a path, whose ends an edge joins, to what is on elsewhere.

    At each vertex between its ends either the edges are off that leave the path there, or the edges
    of the path are on, so that others must be off: what rests on fewer decisions. At its ends there
    is the edge that joins them, and one of the path.
    """
    cdef int off[4]
    cdef int k, j, found, cost, alone
    cdef bint noted = s.steps[0] >= 0  # the edge of the path before the present vertex
    if noted:
        count = note(s, count, 2 * s.steps[0])
    for k in range(1, walked - 1):
        found = leaving(s, cut, k, off)
        alone = 0 if noted or s.steps[k - 1] < 0 else price(s, s.steps[k - 1])
        alone += price(s, s.steps[k]) if 0 <= s.steps[k] and k < walked - 2 else 0
        cost = 0
        for j in range(found):
            cost += price(s, off[j])
        if found == 0 or (found > 0 and cost < alone):
            for j in range(found):
                count = note(s, count, 2 * off[j] + 1)
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


cdef inline bint is_off(State *s, int edge, int limit) noexcept nogil:
    return s.value[edge] < 0 and s.variable[edge].place < limit


cdef inline int find_region(State *s, int other, int limit, int64_t path, int most) noexcept nogil:
    """Find what an edge may be joined to, as things stand, without a path that has this mark.

    Its vertices are in `region`, and marked. Returns how many; -1 for more than ``most``,
    or where the edge touches the path.
    """
    cdef int k, side, edge, far, done = 0, found = 2
    s.marks += 1
    for k in range(2):
        s.region[k] = s.edge[other].ends[k]
        if s.vertex[s.region[k]].walked == path:
            return -1
        s.vertex[s.region[k]].walked = s.marks
    while done < found:
        for side in range(4):
            edge = s.vertex[s.region[done]].edges[side]
            if edge < 0 or is_off(s, edge, limit):
                continue
            far = across(s, edge, s.region[done])
            if s.vertex[far].walked == s.marks or s.vertex[far].walked == path:
                continue
            if found >= most:
                return -1
            s.vertex[far].walked = s.marks
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
    cdef int k, side, j, edge, far, step
    for k in range(size):
        for side in range(4):
            edge = s.vertex[s.region[k]].edges[side]
            if edge < 0:
                continue
            far = across(s, edge, s.region[k])
            if s.vertex[far].walked == s.marks:
                continue
            if is_off(s, edge, limit):
                count = note(s, count, 2 * edge + 1)
                continue
            for j in range(4):
                step = s.vertex[far].edges[j]
                if step >= 0 and step != closing and s.variable[step].mark == path:
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


cdef inline int explain_cycle(State *s, int edge, int forced, int limit) noexcept nogil:
    """With the edge on, its ends and the path that joins them are apart from what is on elsewhere.

    Seen from the path: where the other is known to be to its left, only edges on this side count
    (Jordan). Nothing need be on elsewhere where the path leaves out the virtual edge between two
    ends: they are elsewhere. Or seen from the other, with all that it may still be joined to: that
    is the better reason where the path is most of the line, and without it such boards can take
    hours.
    """
    cdef int count = note(s, 0, 2 * edge) if forced < 0 else 0, other = NONE
    cdef int walked = walk(s, edge, s.variable[edge].walked)
    cdef bint whole = s.ends[0] < 0 or s.vertex[s.ends[0]].walked == s.marks
    cdef Cut cut
    if whole:
        other = elsewhere(s)
        if other >= 0:
            count = note(s, count, 2 * other)
    cut.limit = limit
    cut.sided = other >= 0 and s.ends[0] < 0
    cut.left = cut.sided and is_left(s, walked, other)
    cdef int64_t path = s.marks
    cdef int middle = note_path(s, &cut, walked, count), size
    if other < 0:
        return middle
    size = find_region(s, other, limit, path, walked)
    if size < 0:
        return middle
    return cheaper(s, count, middle, note_region(s, edge, limit, path, size, middle))


cdef inline int explain_whole(State *s, int edge, int forced) noexcept nogil:
    """The line was closed: nothing else can be on."""
    cdef int count = note(s, 0, 2 * s.closed), k, walked
    if forced < 0:
        count = note(s, count, 2 * edge)
    walked = walk(s, s.closed, s.variable[s.closed].place)
    for k in range(walked - 1):
        if s.steps[k] >= 0:
            count = note(s, count, 2 * s.steps[k])
    return count

"""Techniques on the sides of cells: colours, shades around a dot or clue, whole regions."""

from libc.stdint cimport int32_t, uint8_t

from linkoracle.core.watch cimport watch_stops
from linkoracle.deduce.kernel.drawing cimport beyond, fail, find_root, put, unite, wait
from linkoracle.deduce.kernel.state cimport (
    COLOUR, REGION, SHADE, SITES, WINDOW, Frame, State, Visit, is_line, is_open, step_to
)


cdef inline bint decide(Frame *f, State *s, int edge, int technique, int place) noexcept nogil:
    """Decide an open edge if its two sides are related."""
    cdef int odd_a, odd_b
    cdef int a = find_root(s, f.edge[edge].sides[0], &odd_a)
    cdef int b = find_root(s, f.edge[edge].sides[1], &odd_b)
    return a != b or put(f, s, 2 * edge + 1 - (odd_a ^ odd_b), technique, place)


cdef inline void note_face(Frame *f, State *s, int face) noexcept nogil:
    """Let the windows and the clue at a face wait, whose relations have changed."""
    cdef uint8_t *enabled = f.enabled[s.n.in_guess > 0]
    cdef int kind, index, window
    for kind in range(2):
        if enabled[WINDOW + kind]:
            for index in range(f.windows[kind].start[face], f.windows[kind].start[face + 1]):
                window = f.windows[kind].found[index]
                if s.window_clues[f.window_first[kind] + window] > 0:
                    wait(s, kind, window)
    if enabled[SHADE] and s.site_mask[f.vertices + face]:
        wait(s, SITES, f.vertices + face)


cdef inline void note_edge(Frame *f, State *s, int face, int edge) noexcept nogil:
    """Let the clue and dots at an edge of a face wait, whose relations have changed."""
    cdef int beside = beyond(&f.edge[edge], face), end
    if beside < f.faces and s.site_mask[f.vertices + beside]:
        wait(s, SITES, f.vertices + beside)
    for end in range(2):
        if s.site_mask[f.plane.ends[2 * edge + end]]:
            wait(s, SITES, f.plane.ends[2 * edge + end])


cdef inline bint relate(
    Frame *f, State *s, int one, int other, int differ, int technique, int place
) noexcept nogil:
    """Record that two faces are on the same side of the loop, or not; decide edges by that."""
    cdef int small = unite(s, one, other, differ, technique, place)
    cdef int face, k, edge, left
    cdef bint shades = f.enabled[s.n.in_guess > 0][SHADE]
    if small < 0:
        return small == -1
    # The small class is now a part of a longer ring; its members are below `small`.
    face = s.node[s.node[small].parent].following
    for left in range(s.node[small].size):
        if face < f.faces:
            note_face(f, s, face)
            for k in range(4):
                edge = f.ring[f.vertices + face].edges[k]
                if shades:
                    note_edge(f, s, face, edge)
                if is_open(s, edge) and not decide(f, s, edge, technique, place):
                    return False
        else:
            for edge in range(f.edges):
                if f.edge[edge].sides[1] != face or not is_open(s, edge):
                    continue
                if not decide(f, s, edge, technique, place):
                    return False
        face = s.node[face].following
    return True


cdef inline bint colour(Frame *f, State *s, int at) noexcept nogil:
    cdef int literal = s.trail.literals[at], edge = literal >> 1
    cdef int32_t *sides = f.edge[edge].sides
    return relate(f, s, sides[0], sides[1], 1 - (literal & 1), COLOUR, edge)


cdef inline bint shade(Frame *f, State *s, int site) noexcept nogil:
    """Try all sides of the faces around a dot, or of a clue and its neighbours."""
    cdef int faces[5]  # around the dot; or the face and its neighbours
    cdef int roots[5]
    cdef int odds[5]
    cdef int pairs[4][2]  # by edge: the indices of the two faces that it divides
    # Bit 5 * i + j: in some way, faces i and j are alike, or different.
    cdef int alike = 0, differ = 0, same, other, bit
    cdef int size = 0, edges = 0, way, sides, lines, face, i, j, k, different
    cdef bint fits, fitting = False
    for k in range(4):
        if f.ring[site].edges[k] < 0:
            continue
        for j in range(2):
            face, i = f.edge[f.ring[site].edges[k]].sides[j], 0
            while i < size and faces[i] != face:
                i += 1
            if i == size:
                faces[size], roots[size] = face, find_root(s, face, &odds[size])
                size += 1
            pairs[edges][j] = i
        edges += 1
    for way in range(1 << (size - 1)):
        sides = way << 1
        lines = 0
        for k in range(edges):
            lines += (sides >> pairs[k][0] ^ sides >> pairs[k][1]) & 1
        if not s.site_mask[site] >> lines & 1:
            continue
        same, other, fits = 0, 0, True
        for i in range(size):
            for j in range(i + 1, size):
                different = (sides >> i ^ sides >> j) & 1
                if roots[i] == roots[j] and different != odds[i] ^ odds[j]:
                    fits = False
                if different:
                    other |= 1 << (5 * i + j)
                else:
                    same |= 1 << (5 * i + j)
        if fits:
            alike |= same
            differ |= other
            fitting = True
    if not fitting:
        return fail(s, SHADE, site)
    for i in range(size):
        for j in range(i + 1, size):
            bit = 1 << (5 * i + j)
            if roots[i] == roots[j] or (alike & bit != 0) == (differ & bit != 0):
                continue
            if not relate(f, s, faces[i], faces[j], differ & bit != 0, SHADE, site):
                return False
    return True


cdef inline bint regions(Frame *f, State *s) noexcept nogil:
    """Keep the cells inside connected with each other, and so the cells outside.

    Search depth first from a cell known to be on one side, over cells that may be, through edges
    that are no lines. A cell that is the only way to others on that side is on that side, too; a
    cell that is not reached is not. Tarjan, SIAM J. Comput. 1(2), 1972.
    """
    cdef int nodes = f.faces + 2 - f.is_loop, node, root, odd, flip
    cdef int outside = find_root(s, f.faces, &flip)
    for node in range(nodes):
        root = find_root(s, node, &odd)
        s.visit[node].side = odd ^ flip if root == outside else 2
    return connect(f, s, nodes, 0) and connect(f, s, nodes, 1)


cdef inline bint connect(Frame *f, State *s, int nodes, int inside) noexcept nogil:
    """Do one half of `regions`: the cells whose side is ``inside``, 0 or 1."""
    cdef int start = nodes - 1, node
    cdef Visit *v
    while start >= 0 and s.visit[start].side != inside:
        start -= 1
    if start < 0:
        return True
    for node in range(nodes):
        v = &s.visit[node]
        v.seen = v.low = v.turn = v.known = 0
        v.needed = False
    if not visit_cells(f, s, start, inside):
        return False
    for node in range(nodes):
        v = &s.visit[node]
        if not v.seen and v.side == inside:
            return fail(s, REGION, node)
        if v.side == 2 and (not v.seen or v.needed):
            if not relate(f, s, node, f.faces, inside if v.needed else 1 - inside, REGION, node):
                return False
    return True


cdef inline bint visit_cells(Frame *f, State *s, int start, int inside) noexcept nogil:
    """Visit all that can be reached from a cell on one side; False at the deadline."""
    cdef int height = 1, clock = 0, node, edge, beside
    cdef bint is_face
    cdef Visit *v
    cdef Visit *above
    s.stack[0] = start
    while height:
        if watch_stops(&s.watch):
            return False
        node = s.stack[height - 1]
        v = &s.visit[node]
        is_face = node < f.faces
        if not v.seen:
            clock += 1
            v.seen = v.low = clock
            v.known = v.side == inside
        if v.turn < (4 if is_face else f.border_edges):
            edge = f.ring[f.vertices + node].edges[v.turn] if is_face else f.border[v.turn]
            v.turn += 1
            if is_line(s, edge):
                continue
            if f.edge[edge].sides[0] != node and f.edge[edge].sides[1] != node:
                continue
            beside = beyond(&f.edge[edge], node)
            if s.visit[beside].side == 1 - inside:
                continue
            height = step_to(s, v, beside, edge, height)
            continue
        height -= 1
        if height:
            above = &s.visit[s.stack[height - 1]]
            above.low = min(above.low, v.low)
            above.known += v.known
            if v.low >= above.seen and v.known:
                above.needed = True
    return True

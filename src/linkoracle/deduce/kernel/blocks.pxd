"""Techniques that try all ways to fill a block of cells."""

from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memset

from linkoracle.board.plane cimport far_end
from linkoracle.core.watch cimport watch_stops
from linkoracle.deduce.kernel.drawing cimport allowed, fail, find_root, put_agreed, wait
from linkoracle.deduce.kernel.sides cimport relate
from linkoracle.deduce.kernel.state cimport (
    CELL_EDGES, CROSSES_NONE_OR_TWO, MOST_GROUPS, UNIQUE, WINDOW, WINDOW_EDGES, WINDOW_FACES, Frame,
    State, Window, is_cross, is_line, is_open
)
from linkoracle.lines.ends cimport merge_paths, part_paths


cdef struct Between:  # an open edge at a dot of a window
    int ends[2]  # vertices
    int one  # the faces that it divides, numbered as in `Window.faces`
    int other


cdef struct Survey:  # of one window
    Window *window
    int side  # cells a row: 2 or 3
    int wide  # faces a row: in the window and around it
    int cells  # faces
    int groups  # classes of related faces
    int first[WINDOW_FACES]  # by group: its first face
    int group[WINDOW_FACES]  # by face
    int odd[WINDOW_FACES]  # by face: whether it differs from its group
    int colour[WINDOW_FACES]  # by face: its side, 0 or 1, in the way that is tried
    bint joins[WINDOW_FACES]  # by face: whether at most two lines meet at the dot up to its left
    int allowed[WINDOW_FACES]  # by face: the counts of lines that the face above it allows, or 0
    int chosen[WINDOW_FACES]  # by group: the side of its even faces in that way
    uint32_t differ[MOST_GROUPS]  # by group: the groups on another side in some way
    uint32_t alike[MOST_GROUPS]  # by group: the groups on the same side in some way
    Between edges[WINDOW_EDGES]
    int size  # how many open edges there are
    bint unmet  # whether lines are missing somewhere that no line at these dots can reach


cdef inline bint free_cell(Frame *f, State *s, int free) noexcept nogil:
    """Keep what is common to all completions of a cell that fit and cannot be flipped."""
    cdef int32_t *edges = f.cell[free].edges
    cdef int lines = 0, crosses = 0, everything = (1 << CELL_EDGES) - 1
    cdef int always = everything, ever = 0, k, edge, way
    for k in range(CELL_EDGES):
        edge = edges[k]
        if edge < 0 or is_cross(s, edge):
            crosses |= 1 << k
        elif is_line(s, edge):
            lines |= 1 << k
    for k in range(f.fills):
        way = f.free_fills[k]
        if way & lines == lines and way & crosses == 0:
            always &= way
            ever |= way
            if always == lines and ever | crosses == everything:
                return True
    if ever == 0 and always == everything:
        return fail(s, UNIQUE, free)
    return put_agreed(f, s, edges, CELL_EDGES, always, ever, UNIQUE, free)


cdef inline void note_windows(Frame *f, State *s, int kind, int at) noexcept nogil:
    """Let windows wait whose lines might close a path that a literal on the trail lengthened.

    Their dots are at both ends of the path, or one step away.
    """
    cdef int literal = s.trail.literals[at], columns = f.columns, side = 2 + kind
    cdef int a, b, top, bottom, left, right, high, wide, row, col
    if literal & 1:
        return
    # If the path grew further, these ends are out of date, but a later literal follows.
    a, b = f.plane.ends[literal], f.plane.ends[literal + 1]
    if s.lines[a] > 1:
        a = s.ends.paths[a].end
    if s.lines[b] > 1:
        b = s.ends.paths[b].end
    top, bottom = min(a // columns, b // columns), max(a // columns, b // columns)
    left, right = min(a % columns, b % columns), max(a % columns, b % columns)
    high, wide = f.vertices // columns - side, columns - side
    for row in range(max(bottom - side - 1, 0), min(top + 2, high)):
        for col in range(max(right - side - 1, 0), min(left + 2, wide)):
            if s.window_clues[f.window_first[kind] + row * wide + col] > 0:
                wait(s, kind, row * wide + col)


cdef inline bint sort_faces(State *s, Survey *v) noexcept nogil:
    """Put the faces into groups; False if there are too many groups, or only one."""
    cdef int roots[WINDOW_FACES]
    cdef int k, root, group
    v.groups = 0
    for k in range(v.cells):
        root = find_root(s, v.window.faces[k], &v.odd[k])
        group = 0
        while group < v.groups and roots[group] != root:
            group += 1
        if group == v.groups:
            roots[group] = root
            v.first[group] = k
            v.groups += 1
        v.group[k] = group
    return 1 < v.groups <= MOST_GROUPS


cdef inline void find_open_edges(Frame *f, State *s, Survey *v) noexcept nogil:
    """List the open edges at the dots: both ends, and the faces that they divide."""
    cdef int row, col, k, edge, vertex, corner
    cdef Between *found
    v.size = 0
    for row in range(v.side + 1):
        for col in range(v.side + 1):
            vertex = v.window.dots[row * (v.side + 1) + col]
            corner = row * v.wide + col
            for k in range(4):
                edge = f.ring[vertex].edges[k]
                # Each edge once: up and left only from the first row and column.
                if edge < 0 or not is_open(s, edge) or (k == 0 and row) or (k == 1 and col):
                    continue
                found = &v.edges[v.size]
                v.size += 1
                found.ends[0], found.ends[1] = f.plane.ends[2 * edge], f.plane.ends[2 * edge + 1]
                found.one = corner + (0 if k < 2 else 1 if k == 2 else v.wide)
                found.other = corner + (1 if k == 0 else v.wide + 1 if k > 1 else v.wide)


cdef inline bint unmet_elsewhere(Frame *f, State *s, Survey *v) noexcept nogil:
    """Return whether lines are missing somewhere that no line at these dots can reach."""
    cdef int unmet = s.n.unmet, k, m, edge, vertex, beside, face
    for k in range((v.side + 1) * (v.side + 1)):
        vertex = v.window.dots[k]
        unmet -= 1 - allowed(f.degrees[vertex], s.lines[vertex])
        # The ends of the edges that leave the window.
        for m in range(4):
            edge = f.ring[vertex].edges[m]
            if edge >= 0:
                beside = far_end(&f.plane, edge, vertex)
                unmet -= 1 - allowed(f.degrees[beside], s.lines[beside])
    for k in range(v.cells):
        face = v.window.faces[k]
        if face < f.faces:
            unmet -= 1 - allowed(s.counts[face], s.lines[f.vertices + face])
    return unmet > 0


cdef inline bint closes(State *s, Survey *v) noexcept nogil:
    """Return whether the lines between different colours close a loop too early."""
    cdef int k, u, w, tips = 0
    cdef bint closed = False
    cdef Between *edge
    for k in range(v.size):
        edge = &v.edges[k]
        if v.colour[edge.one] == v.colour[edge.other]:
            continue
        u, w = edge.ends[0], edge.ends[1]
        tips += (s.lines[u] == 1) + (s.lines[w] == 1)
        if s.ends.paths[u].end == w:
            closed = True
        else:
            merge_paths(&s.ends, s.trail.known, u, w)
    part_paths(&s.ends, s.trail.known)
    return closed and (v.unmet or s.n.segments > tips // 2)


cdef inline void note_rules(Frame *f, State *s, Survey *v) noexcept nogil:
    """Note for each face what its colour can break, once those before it have theirs."""
    cdef int row, col, k
    memset(v.joins, 0, sizeof(v.joins))
    memset(v.allowed, 0, sizeof(v.allowed))
    for row in range(1, v.wide):
        for col in range(1, v.wide):
            k = v.window.dots[(row - 1) * (v.side + 1) + col - 1]
            v.joins[row * v.wide + col] = f.degrees[k] == CROSSES_NONE_OR_TWO
    for row in range(1, v.side + 1):
        for col in range(1, v.side + 1):
            k = row * v.wide + col
            v.allowed[k + v.wide] = s.site_mask[f.vertices + v.window.faces[k]]


cdef inline bint contradicts(Survey *v, int k) noexcept nogil:
    """Return whether a face puts four lines at the dot up to its left, or a wrong count above."""
    cdef int *colour = v.colour + k
    cdef int wide = v.wide, above = colour[-wide], lines
    if v.joins[k] and colour[0] != colour[-1] and colour[-1] == above:
        if colour[0] == colour[-wide - 1]:
            return True
    if v.allowed[k] == 0:
        return False
    lines = (above ^ colour[0]) + (above ^ colour[-2 * wide])
    lines += (above ^ colour[-wide - 1]) + (above ^ colour[-wide + 1])
    return not v.allowed[k] >> lines & 1


cdef inline int note_way(Survey *v) noexcept nogil:
    """Note how a way relates the groups; return 0 for nothing new, 1 for new, 2 if none is left."""
    cdef uint32_t everything = (<uint32_t>1 << v.groups) - 1, ones = 0, others, same
    cdef uint32_t new = 0, left = 0
    cdef int group
    for group in range(v.groups):
        ones |= <uint32_t>v.chosen[group] << group
    for group in range(v.groups):
        others = everything & ~ones if v.chosen[group] else ones
        same = everything & ~others
        new |= (others & ~v.differ[group]) | (same & ~v.alike[group])
        v.differ[group] |= others
        v.alike[group] |= same
        left |= everything & ~(v.differ[group] & v.alike[group]) & ~(<uint32_t>1 << group)
    return 2 if left == 0 else 1 if new else 0


cdef inline int ones_of(uint32_t groups) noexcept nogil:
    """Return how many of up to 16 groups are in a set."""
    groups = groups - (groups >> 1 & 0x5555)
    groups = (groups & 0x3333) + (groups >> 2 & 0x3333)
    groups = (groups + (groups >> 4)) & 0x0F0F
    return (groups + (groups >> 8)) & 0x1F


cdef inline int leaning(Survey *v, int group, uint32_t *by_side) noexcept nogil:
    """Return the side of a group, 0 or 1, that gives more new relations."""
    cdef uint32_t differ = v.differ[group], alike = v.alike[group]
    cdef int for_one = ones_of((by_side[1] & ~alike) | (by_side[0] & ~differ))
    return for_one > ones_of((by_side[0] & ~alike) | (by_side[1] & ~differ))


cdef inline bint could_show_more(Survey *v, uint32_t *by_side) noexcept nogil:
    """Return whether the sides so far leave two groups a relation that no way has shown."""
    cdef uint32_t everything = (<uint32_t>1 << v.groups) - 1, alike, differ
    cdef uint32_t undecided = everything & ~(by_side[0] | by_side[1])
    cdef int group
    for group in range(v.groups):
        alike = differ = everything & ~(<uint32_t>1 << group)
        if not undecided >> group & 1:
            alike &= undecided | by_side[v.chosen[group]]
            differ &= undecided | by_side[1 - v.chosen[group]]
        if (alike & ~v.alike[group]) | (differ & ~v.differ[group]):
            return True
    return False


cdef inline int try_all(State *s, Survey *v) noexcept nogil:
    """Try the ways to fill a window; return their number, -1 if they have nothing in common.

    Returns -1 at the deadline, too. At first, each way differs as much as possible from those
    before; then only ways that show new relations are tried.
    """
    cdef int tried[WINDOW_FACES]  # by face: how many sides
    cdef int leans[WINDOW_FACES]  # by face: the side that was tried first
    cdef uint32_t by_side[2]  # the groups with side 0 and 1
    cdef int ways = 0, k = 0, group, added
    cdef bint leaping = True
    memset(tried, 0, sizeof(tried))
    by_side[0] = by_side[1] = 0
    while k >= 0:
        group = v.group[k]
        if v.first[group] == k:
            if tried[k] == 0:
                leans[k] = leaning(v, group, by_side) if k else v.odd[k]
            else:
                by_side[v.chosen[group]] &= ~(<uint32_t>1 << group)
            # The first face may be taken to be on side 0: only differences matter.
            if tried[k] == (1 if k == 0 else 2):
                tried[k] = 0
                k -= 1
                continue
            v.chosen[group] = tried[k] ^ leans[k]
            by_side[v.chosen[group]] |= <uint32_t>1 << group
        elif tried[k]:
            tried[k] = 0
            k -= 1
            continue
        tried[k] += 1
        v.colour[k] = v.chosen[group] ^ v.odd[k]
        if contradicts(v, k):
            continue
        if not leaping and v.first[group] == k and not could_show_more(v, by_side):
            continue
        if k < v.cells - 1:
            k += 1
            continue
        if watch_stops(&s.watch):
            return -1
        if closes(s, v):
            continue
        ways += 1
        added = note_way(v)
        if added == 2:
            return -1
        if leaping:
            # Begin again while this leads to quite different ways; then try all in turn.
            leaping = added > 0
            memset(tried, 0, sizeof(tried))
            by_side[0] = by_side[1] = 0
            k = 0
    return ways


cdef inline bint survey(Frame *f, State *s, int kind, int number) noexcept nogil:
    """Try all sides of the faces in and around a window, and keep the relations common to all.

    Edges are not examined: every decided edge has related its two sides. Faces known to be related
    change sides together, as a group; with too many groups, the window is left for later.
    """
    cdef Survey v
    cdef int technique = WINDOW + kind, ways, group, beside, one, other, different
    v.window = &f.window[f.window_first[kind] + number]
    v.side, v.wide, v.cells = 2 + kind, 4 + kind, (4 + kind) * (4 + kind)
    if not sort_faces(s, &v):
        return True
    find_open_edges(f, s, &v)
    v.unmet = unmet_elsewhere(f, s, &v)
    note_rules(f, s, &v)
    memset(v.differ, 0, sizeof(v.differ))
    memset(v.alike, 0, sizeof(v.alike))
    ways = try_all(s, &v)
    if ways < 0:
        return True
    if ways == 0:
        return fail(s, technique, number)
    for group in range(v.groups):
        for beside in range(group + 1, v.groups):
            different = v.differ[group] >> beside & 1
            if different == <int>(v.alike[group] >> beside & 1):
                continue
            one, other = v.first[group], v.first[beside]
            different ^= v.odd[one] ^ v.odd[other]
            one, other = v.window.faces[one], v.window.faces[other]
            if not relate(f, s, one, other, different, technique, number):
                return False
    return True

"""The techniques: what follows at a single place, from the sides of a loop, for several paths.

All work on the structs of `state.pxd`, and return False for a contradiction, or when they are
stopped. Those that try all ways to fill a block of cells are in `deduction_engine.pyx`.

Contents
    Propagation  counts, early loops, patterns, straight cuts
    Sides        colours, shades around a dot or clue, whole regions
    Notes        of several paths: shapes of vertices, labels of edges, as the trail gives them
    Pockets      parts of the board that paths can reach only through a gap
    Links        paths without alternatives: no chord, no detour
    Routes       what all ways between two equal numbers have in common

What the engine calls
    `clue`, `dot`, `loop`, `patterns`, `parity`, `colour`, `shade`, `regions`, `pockets`  techniques
    `beside`, `corner`, `empty`, `passages`, `accesses`  techniques on notes
    `catch_up`               bring the notes up to date with the trail
    `follow`                 process one literal for `BESIDE`
    `look`                   what follows at once from a new clue
    `check_ends`, `cross_out`, `conclude`, `relate`  parts of techniques

Techniques on notes return as soon as they have decided an edge, since earlier techniques may then
find a step. They are called again later.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from linkoracle.board.plane_kernel cimport far_end
from linkoracle.core.kernels cimport watch_stops
from linkoracle.deduce.state cimport (
    ACCESS, BESIDE, CLUE, COLOUR, CONCLUSIONS, CORNER, DOT, EMPTY, LOOP, NOWHERE, PARITY, PASSAGE,
    POCKET, PREMISES, REGION, SHADE, SITES, TECHNIQUES, WINDOW, Frame, State, Visit, Ways, allowed,
    beyond, fail, find_root, instance_of, is_cross, is_line, is_open, label_of, put,
    put_agreed, row_of, step_to, unite, wait
)
from linkoracle.lines.lines cimport Why


# ---- Propagation ----------------------------------------------------------------------------------
#
# Techniques for a single place: arithmetic, early loops, patterns, straight cuts.

cdef inline bint apply_count(Frame *f, State *s, int item, int mask, Why why) noexcept nogil:
    """Apply an allowed count of lines to the edges around a vertex or face."""
    cdef int lines = s.lines[item], open = 4 - lines - s.crosses[item], k, edge
    # Bit k: k more lines would be an allowed count.
    cdef int fitting = mask >> lines & ((2 << open) - 1)
    if fitting == 0:
        return fail(s, why)
    if open == 0 or (fitting != 1 and fitting != 1 << open):
        return True
    for k in range(4):
        edge = f.ring[item].edges[k]
        if edge >= 0 and is_open(s, edge):
            if not put(f, s, 2 * edge + (fitting == 1), why):
                return False
    return True


cdef inline bint clue(Frame *f, State *s, int face) noexcept nogil:
    return apply_count(f, s, f.vertices + face, s.counts[face], Why(CLUE, face))


cdef inline bint dot(Frame *f, State *s, int vertex) noexcept nogil:
    return apply_count(f, s, vertex, f.degrees[vertex], Why(DOT, vertex))


cdef inline bint may_join(Frame *f, State *s, int edge) noexcept nogil:
    """Return whether a line on an open edge breaks no rule about loops and labels at once."""
    cdef int u = f.plane.ends[2 * edge], v = f.plane.ends[2 * edge + 1]
    cdef int one, other, unmet, k, item, lines
    if s.ends.paths[u].end == v and s.lines[u] > 0 and s.lines[v] > 0:
        if not f.is_loop or s.n.segments != 1:
            return False
    else:
        one, other = label_of(f, s, u), label_of(f, s, v)
        if one == 0 or other == 0:
            return True
        if one != other:
            return False
        if s.n.left > 1:
            return True
        if s.n.segments + 1 - (s.lines[u] > 0) - (s.lines[v] > 0) != f.pairs:
            return False
    # It would be the last line.
    unmet = s.n.unmet
    for k in range(2):
        item = f.plane.ends[2 * edge + k]
        lines = s.lines[item]
        unmet += allowed(f.degrees[item], lines) - allowed(f.degrees[item], lines + 1)
        item = f.edge[edge].sides[k]
        if item < f.faces:
            lines = s.lines[f.vertices + item]
            unmet += allowed(s.counts[item], lines) - allowed(s.counts[item], lines + 1)
    return unmet == 0


cdef inline bint check_end(Frame *f, State *s, int vertex) noexcept nogil:
    """Check a vertex if a path ends there, or a terminal waits for its line."""
    cdef int k, edge
    if s.lines[vertex] != 1 - (f.terminal[vertex] > 0):
        return True
    for k in range(4):
        edge = f.ring[vertex].edges[k]
        if edge < 0 or not is_open(s, edge) or may_join(f, s, edge):
            continue
        if not put(f, s, 2 * edge + 1, Why(LOOP, edge)):
            return False
    return True


cdef inline bint check_ends(Frame *f, State *s) noexcept nogil:
    cdef int vertex
    for vertex in range(f.vertices):
        if not check_end(f, s, vertex):
            return False
    return True


cdef inline bint cross_out(Frame *f, State *s) noexcept nogil:
    """Put a cross on all open edges, when no line is missing."""
    cdef int edge
    for edge in range(f.edges):
        if is_open(s, edge) and not put(f, s, 2 * edge + 1, Why(LOOP, NOWHERE)):
            return False
    return True


cdef inline bint loop(Frame *f, State *s, int at) noexcept nogil:
    """Check both ends of the path that a literal on the trail lengthened."""
    cdef int literal = s.trail.literals[at], k, vertex
    cdef int32_t *ends = f.plane.ends + (literal & ~1)
    if s.n.left == 0:
        return cross_out(f, s)
    if literal & 1:
        return True
    for k in range(2):
        vertex = ends[k]
        if not check_end(f, s, s.ends.paths[vertex].end) or not check_end(f, s, vertex):
            return False
    # The first line beside a path: closing that path may have been right until now.
    if s.lines[ends[0]] == 1 and s.lines[ends[1]] == 1 and s.n.segments == 2:
        return check_ends(f, s)
    return True


cdef inline bint premises_hold(Frame *f, State *s, int instance) noexcept nogil:
    cdef int32_t *literal = row_of(&f.layout, PREMISES, instance)
    while literal[0] >= 0:
        if s.trail.values[literal[0]] != 1:
            return False
        literal += 1
    return True


cdef inline bint conclude(Frame *f, State *s, int instance, int technique) noexcept nogil:
    cdef int32_t *literal = row_of(&f.layout, CONCLUSIONS, instance)
    while literal[0] >= 0:
        if not put(f, s, literal[0], Why(technique, instance)):
            return False
        literal += 1
    return True


cdef inline bint patterns(Frame *f, State *s, int technique, int kind, int at) noexcept nogil:
    """Apply the patterns that have a literal of the trail among their premises."""
    cdef int key = 2 * kind * f.edges + s.trail.literals[at], index, instance
    for index in range(f.layout.watchers.start[key], f.layout.watchers.start[key + 1]):
        instance = f.layout.watchers.found[index]
        if s.missing[instance] or not premises_hold(f, s, instance):
            continue
        if not conclude(f, s, instance, technique):
            return False
    return True


cdef inline bint parity(Frame *f, State *s, int cut) noexcept nogil:
    cdef int odd = (s.cut_lines[cut] + f.cut_odd[cut]) & 1, index, edge
    if s.cut_open[cut] == 0:
        return not odd or fail(s, Why(PARITY, cut))
    if s.cut_open[cut] > 1:
        return True
    for index in range(f.crossing.start[cut], f.crossing.start[cut + 1]):
        edge = f.crossing.found[index]
        if is_open(s, edge):
            return put(f, s, 2 * edge + 1 - odd, Why(PARITY, cut))
    return True


cdef inline bint look(Frame *f, State *s, int face) noexcept nogil:
    """Deduce what follows from a new clue at once; False: no solution."""
    cdef int index, instance, technique
    if f.enabled[0][CLUE] and not clue(f, s, face):
        return False
    for index in range(f.layout.needing.start[face], f.layout.needing.start[face + 1]):
        instance = f.layout.needing.found[index]
        technique = instance_of(&f.layout, instance).technique
        if s.missing[instance] or not f.enabled[0][technique]:
            continue
        if premises_hold(f, s, instance) and not conclude(f, s, instance, technique):
            return False
    # Closing the only path, or joining the only two, may have been right until now.
    return not f.enabled[0][LOOP] or s.n.segments > 2 or check_ends(f, s)


# ---- Sides ----------------------------------------------------------------------------------------
#
# Techniques on the sides of cells: colours, shades around a dot or clue, whole regions.

cdef inline bint decide(Frame *f, State *s, int edge, Why why) noexcept nogil:
    """Decide an open edge if its two sides are related."""
    cdef int odd_a, odd_b
    cdef int a = find_root(s, f.edge[edge].sides[0], &odd_a)
    cdef int b = find_root(s, f.edge[edge].sides[1], &odd_b)
    return a != b or put(f, s, 2 * edge + 1 - (odd_a ^ odd_b), why)


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


cdef inline bint relate(Frame *f, State *s, int one, int other, int differ, Why why) noexcept nogil:
    """Record that two faces are on the same side of the loop, or not; decide edges by that."""
    cdef int small = unite(s, one, other, differ, why)
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
                if is_open(s, edge) and not decide(f, s, edge, why):
                    return False
        else:
            for edge in range(f.edges):
                if f.edge[edge].sides[1] != face or not is_open(s, edge):
                    continue
                if not decide(f, s, edge, why):
                    return False
        face = s.node[face].following
    return True


cdef inline bint colour(Frame *f, State *s, int at) noexcept nogil:
    cdef int literal = s.trail.literals[at], edge = literal >> 1
    cdef int32_t *sides = f.edge[edge].sides
    return relate(f, s, sides[0], sides[1], 1 - (literal & 1), Why(COLOUR, edge))


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
        return fail(s, Why(SHADE, site))
    for i in range(size):
        for j in range(i + 1, size):
            bit = 1 << (5 * i + j)
            if roots[i] == roots[j] or (alike & bit != 0) == (differ & bit != 0):
                continue
            if not relate(f, s, faces[i], faces[j], differ & bit != 0, Why(SHADE, site)):
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
    cdef int start = nodes - 1, node, side
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
            return fail(s, Why(REGION, node))
        if v.side == 2 and (not v.seen or v.needed):
            side = inside if v.needed else 1 - inside
            if not relate(f, s, node, f.faces, side, Why(REGION, node)):
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


# ---- Notes ----------------------------------------------------------------------------------------
#
# Notes on cells and edges: knowledge beyond lines and crosses on a board of several paths.
#
# A *shape* of a vertex is the set of its lines as a mask of ways out: 1 up, 2 left, 4 right, 8 down,
# 0 where no path comes. The shapes that are still possible are noted for each vertex; for each edge,
# the labels of the paths that may use it. Notes follow from the trail, up to `Numbers.noted`. When a
# guess is undone they are rebuilt.
#
# What a note rules out decides edges at once, for the technique that made the note. The place of such
# a step is a vertex, or an edge counted after the vertices.

cdef enum:
    SHAPES = 13  # masks of up to two ways out are below this
    UNUSED = 1  # the shape without lines, as a bit among shapes
    UP_LEFT = 1 | 2
    UP_RIGHT = 1 | 4
    LEFT_DOWN = 2 | 8
    RIGHT_DOWN = 4 | 8


cdef inline int shapes_with(int way) noexcept nogil:
    """Return all shapes with a line that way."""
    cdef int found = 0, shape
    for shape in range(SHAPES):
        found |= (shape >> way & 1) << shape
    return found


cdef inline bint is_used(State *s, int vertex) noexcept nogil:
    """Return whether a path certainly comes to a vertex."""
    return not s.shapes[vertex] & UNUSED


cdef inline uint64_t *labels_on(State *s, int edge) noexcept nogil:
    return s.carried + <Py_ssize_t>edge * s.label_words


cdef inline bint may_carry(State *s, int edge, int label) noexcept nogil:
    return s.carried[<Py_ssize_t>edge * s.label_words + label // 64] >> (label % 64) & 1


cdef inline bint share_label(State *s, int edge, int other) noexcept nogil:
    """Return whether a path may use both edges."""
    cdef int word
    for word in range(s.label_words):
        if labels_on(s, edge)[word] & labels_on(s, other)[word]:
            return True
    return False


cdef inline int only_label(Frame *f, State *s, int vertex) noexcept nogil:
    """Return the label of the path that comes to a vertex, if one does; 0: unknown."""
    cdef int word, k, edge, found = 0
    cdef uint64_t here
    if f.terminal[vertex]:
        return f.terminal[vertex]
    for word in range(s.label_words):
        here = 0
        for k in range(4):
            edge = f.ring[vertex].edges[k]
            if edge >= 0:
                here |= labels_on(s, edge)[word]
        if here == 0:
            continue
        if found or here & (here - 1):
            return 0
        found = 64 * word
        while here > 1:
            here >>= 1
            found += 1
    return found


cdef inline int label_at(Frame *f, State *s, int vertex) noexcept nogil:
    """Return the label of the path that surely comes to a vertex; 0: unknown, or perhaps none."""
    return only_label(f, s, vertex) if is_used(s, vertex) else 0


cdef inline void mark_changed(State *s, uint64_t *labels) noexcept nogil:
    """Let the techniques for paths process these labels again."""
    cdef int word
    s.n.notes += 1
    for word in range(s.label_words):
        s.changed[word] |= labels[word]
        s.changed[s.label_words + word] |= labels[word]


cdef inline bint apply_shapes(Frame *f, State *s, int vertex) noexcept nogil:
    """Decide the edges around a vertex on which all its shapes agree."""
    cdef int shape, technique = s.shaped_by[vertex]
    cdef Ways ways = Ways(15, 0)
    if s.shapes[vertex] == 0:
        return fail(s, Why(technique, vertex))
    for shape in range(SHAPES):
        if s.shapes[vertex] >> shape & 1:
            ways.always &= shape
            ways.ever |= shape
    return put_agreed(f, s, f.ring[vertex].edges, 4, ways, Why(technique, vertex))


cdef inline bint keep_shapes(
    Frame *f, State *s, int vertex, int shapes, int technique
) noexcept nogil:
    """Rule out all other shapes of a vertex."""
    cdef int k, edge
    if s.shapes[vertex] & ~shapes == 0:
        return True
    s.shapes[vertex] &= <uint16_t>shapes
    s.shaped_by[vertex] = <uint8_t>technique
    for k in range(4):
        edge = f.ring[vertex].edges[k]
        if edge >= 0:
            mark_changed(s, labels_on(s, edge))
    return apply_shapes(f, s, vertex)


cdef inline bint exclude(Frame *f, State *s, int edge, int label, int technique) noexcept nogil:
    """Record that the path of a label does not use an edge."""
    cdef uint64_t *labels = labels_on(s, edge)
    cdef int word
    if not may_carry(s, edge, label):
        return True
    mark_changed(s, labels)
    labels[label // 64] &= ~(<uint64_t>1 << (label % 64))
    for word in range(s.label_words):
        if labels[word]:
            return True
    return put(f, s, 2 * edge + 1, Why(technique, f.vertices + edge))


cdef inline bint exclude_at(
    Frame *f, State *s, int vertex, int label, int technique
) noexcept nogil:
    """Record that the path of a label does not come to a vertex."""
    cdef int k, edge
    for k in range(4):
        edge = f.ring[vertex].edges[k]
        if edge >= 0 and not exclude(f, s, edge, label, technique):
            return False
    return True


cdef inline bint keep_label(State *s, int edge, int label, bint mark) noexcept nogil:
    """Rule out all other labels of an edge; return whether this one is left."""
    cdef uint64_t *labels = labels_on(s, edge)
    cdef uint64_t kept
    cdef int word
    for word in range(s.label_words):
        kept = labels[word] & (<uint64_t>(word == label // 64) << (label % 64))
        if kept != labels[word]:
            if mark:
                mark_changed(s, labels)
            labels[word] = kept
    return may_carry(s, edge, label)


cdef inline bint reserve(Frame *f, State *s, int edge, int label, int technique) noexcept nogil:
    """Record that no path but that of a label uses an edge."""
    if keep_label(s, edge, label, True):
        return True
    return put(f, s, 2 * edge + 1, Why(technique, f.vertices + edge))


cdef inline void forget_notes(Frame *f, State *s) noexcept nogil:
    """Keep only notes that hold before any edge is decided; all techniques must run again."""
    cdef int vertex, k, edge, shape, ways, word, label, technique
    s.n.noted = 0
    s.n.notes = 1
    for technique in range(TECHNIQUES):
        s.n.notes_seen[technique] = 0
    memset(s.carried, 0, <size_t>f.edges * s.label_words * sizeof(uint64_t))
    for label in range(1, f.pairs + 1):
        for edge in range(f.edges):
            labels_on(s, edge)[label // 64] |= <uint64_t>1 << (label % 64)
        for word in range(2):
            s.changed[word * s.label_words + label // 64] |= <uint64_t>1 << (label % 64)
    for vertex in range(f.vertices):
        ways = 0
        for k in range(4):
            edge = f.ring[vertex].edges[k]
            ways |= (edge >= 0) << k
            if edge >= 0 and f.terminal[vertex]:
                keep_label(s, edge, f.terminal[vertex], False)
        s.shapes[vertex] = 0
        s.shaped_by[vertex] = DOT
        for shape in range(SHAPES):
            k = (shape & 1) + (shape >> 1 & 1) + (shape >> 2 & 1) + (shape >> 3)
            if shape & ~ways == 0 and f.degrees[vertex] >> k & 1:
                s.shapes[vertex] |= <uint16_t>(1 << shape)


cdef inline bint note(Frame *f, State *s, int literal) noexcept nogil:
    """Bring the notes up to date with a literal of the trail."""
    cdef int edge = literal >> 1, k, end, vertex, kept
    cdef uint64_t *labels = labels_on(s, edge)
    for end in range(2):
        vertex = f.plane.ends[2 * edge + end]
        k = 0
        while f.ring[vertex].edges[k] != edge:
            k += 1
        kept = ~shapes_with(k) if literal & 1 else shapes_with(k)
        # A line or a cross alone gives no new reason: keep that of the earlier note.
        if not keep_shapes(f, s, vertex, kept, s.shaped_by[vertex]):
            return False
    if literal & 1:
        mark_changed(s, labels)
        memset(labels, 0, s.label_words * sizeof(uint64_t))
    return True


cdef inline bint catch_up(Frame *f, State *s) noexcept nogil:
    """Bring the notes up to date with the trail; what follows at once goes onto it as well."""
    if s.n.noted < 0:
        forget_notes(f, s)
    while s.n.noted < s.trail.known:
        s.n.noted += 1
        if not note(f, s, s.trail.literals[s.n.noted - 1]):
            return False
    return True


# ---- Pockets --------------------------------------------------------------------------------------
#
# Parts of the board that paths can reach only through a gap.

cdef inline bint pockets(Frame *f, State *s) noexcept nogil:
    """Decide the edges through which alone a part of the board can be reached.

    Depth first over the edges that are not crosses. Behind a bridge, and behind a vertex that all
    ways lead through, lies a pocket: as many paths must come out of it as labels have one end in
    it. One path can pass through an edge or a vertex. Tarjan, SIAM J. Comput. 1(2), 1972.
    """
    cdef int vertex, label, clock = 0
    cdef Visit *v
    memset(s.inside, 0, <size_t>f.vertices * s.label_words * sizeof(uint64_t))
    for vertex in range(f.vertices):
        v = &s.visit[vertex]
        label = f.terminal[vertex]
        v.seen = v.low = v.turn = 0
        v.entry = -1
        v.ends = label > 0
        if label:
            labels_below(s, vertex)[label // 64] = <uint64_t>1 << (label % 64)
    for vertex in range(f.vertices):
        if not s.visit[vertex].seen and not explore(f, s, vertex, &clock):
            return False
    return True


cdef inline uint64_t *labels_below(State *s, int vertex) noexcept nogil:
    return s.inside + <Py_ssize_t>vertex * s.label_words


cdef inline bint explore(Frame *f, State *s, int start, int *clock) noexcept nogil:
    """Visit all that can be reached from a vertex, and check the pockets there."""
    cdef int height = 1, vertex, edge, beside, above, word
    cdef Visit *v
    s.stack[0] = start
    while height:
        if watch_stops(&s.watch):
            return False
        vertex = s.stack[height - 1]
        v = &s.visit[vertex]
        if not v.seen:
            clock[0] += 1
            v.seen = v.low = clock[0]
            v.needed = s.lines[vertex] > 0 or not f.degrees[vertex] & 1
        if v.turn < 4:
            edge = f.ring[vertex].edges[v.turn]
            v.turn += 1
            if edge < 0 or edge == v.entry or is_cross(s, edge):
                continue
            beside = far_end(&f.plane, edge, vertex)
            height = step_to(s, v, beside, edge, height)
            continue
        height -= 1
        if height == 0:
            return close_part(f, s, vertex)
        above = s.stack[height - 1]
        if not leave(f, s, vertex, above):
            return False
        s.visit[above].low = min(s.visit[above].low, v.low)
        s.visit[above].needed = s.visit[above].needed or v.needed
        s.visit[above].ends += v.ends
        for word in range(s.label_words):
            labels_below(s, above)[word] ^= labels_below(s, vertex)[word]
    return True


cdef inline bint close_part(Frame *f, State *s, int start) noexcept nogil:
    """Check all that can be reached from ``start``: labels come in pairs, or nothing is there."""
    cdef int word, vertex, k, edge
    for word in range(s.label_words):
        if labels_below(s, start)[word]:
            return fail(s, Why(POCKET, start))
    if s.visit[start].ends:
        return True
    if s.visit[start].needed:
        return fail(s, Why(POCKET, start))
    for vertex in range(f.vertices):
        if s.visit[vertex].seen < s.visit[start].seen:
            continue
        for k in range(4):
            edge = f.ring[vertex].edges[k]
            if edge >= 0 and not put(f, s, 2 * edge + 1, Why(POCKET, start)):
                return False
    return True


cdef inline bint leave(Frame *f, State *s, int vertex, int above) noexcept nogil:
    """Check the pocket below ``vertex`` if all ways out of it lead through ``above``."""
    cdef Visit *v = &s.visit[vertex]
    cdef int through = 0, word, k, edge, beside
    cdef uint64_t labels
    if v.low < s.visit[above].seen:
        return True
    for word in range(s.label_words):
        labels = labels_below(s, vertex)[word]
        while labels:
            labels &= labels - 1
            through += 1
    if through > 1:
        return fail(s, Why(POCKET, above))
    edge = v.entry
    if v.low > s.visit[above].seen:
        return not is_open(s, edge) or put(f, s, 2 * edge + 1 - through, Why(POCKET, above))
    if v.ends:
        return True
    # A path that enters here could leave only by the same vertex.
    for k in range(4):
        edge = f.ring[above].edges[k]
        if edge < 0 or not is_open(s, edge):
            continue
        beside = far_end(&f.plane, edge, above)
        # What was first seen since `vertex` was, and is not finished elsewhere, is below it.
        if s.visit[beside].seen >= v.seen and not put(f, s, 2 * edge + 1, Why(POCKET, above)):
            return False
    return True


# ---- Links ----------------------------------------------------------------------------------------
#
# Techniques for paths that may leave cells empty, on boards with one solution.
#
# The only solution allows no alternative (`docs/explanation/taut.md`): no path runs beside itself
# without the edge between (a chord), and no connected set of unused vertices lies beside a path
# twice (a detour).

cdef inline bint same_path(State *s, int u, int v) noexcept nogil:
    cdef int odd
    return find_root(s, u, &odd) == find_root(s, v, &odd)


cdef inline bint no_chord(Frame *f, State *s, int vertex) noexcept nogil:
    """Forbid chords at a ``vertex`` of a path, which could take the short cut.

    No end of the path may grow into a vertex ``w`` beside ``vertex``, unless ``w`` can follow
    ``vertex`` on the path.
    """
    cdef int k, m, edge, other, w
    for k in range(4):
        edge = f.ring[vertex].edges[k]
        if edge < 0 or not is_cross(s, edge):
            continue
        w = far_end(&f.plane, edge, vertex)
        if same_path(s, vertex, w):
            return fail(s, Why(BESIDE, f.vertices + edge))
        for m in range(4):
            other = f.ring[w].edges[m]
            if other < 0 or other == edge or not is_open(s, other):
                continue
            if not same_path(s, vertex, far_end(&f.plane, other, w)):
                continue
            if not put(f, s, 2 * other + 1, Why(BESIDE, f.vertices + edge)):
                return False
    return True


cdef inline bint follow(Frame *f, State *s, int at) noexcept nogil:
    """Join the vertices of a new line, and forbid chords beside what a literal changed."""
    cdef int literal = s.trail.literals[at], number = literal >> 1, vertex, k
    cdef int32_t *ends = f.plane.ends + 2 * number
    if not literal & 1:
        if unite(s, ends[0], ends[1], 0, Why(BESIDE, f.vertices + number)) == -2:
            return False
        vertex = ends[0]
        while True:
            if not no_chord(f, s, vertex):
                return False
            vertex = s.node[vertex].following
            if vertex == ends[0]:
                break
    for k in range(2):
        if not no_chord(f, s, ends[k]):
            return False
    return True


cdef inline bint beside(Frame *f, State *s) noexcept nogil:
    """Join neighbours on the path of one label; where no edge joins them, only one is on it."""
    cdef int number, one, other, trail = s.trail.known
    cdef int32_t *ends
    for number in range(f.edges):
        if s.trail.known > trail:
            return True
        ends = f.plane.ends + 2 * number
        one, other = label_at(f, s, ends[0]), label_at(f, s, ends[1])
        if is_open(s, number):
            if one and one == other and not put(f, s, 2 * number, Why(BESIDE, f.vertices + number)):
                return False
        elif is_cross(s, number):
            if one and not exclude_at(f, s, ends[1], one, BESIDE):
                return False
            if other and not exclude_at(f, s, ends[0], other, BESIDE):
                return False
    return True


cdef inline int inside_of(Frame *f, int vertex, int shape) noexcept nogil:
    """Return the vertex inside a turn: the fourth of the square of its arms."""
    cdef int down = -f.columns if shape & 1 else f.columns
    return vertex + down + (-1 if shape & 2 else 1)


cdef inline int shapes_inside(Frame *f, int inside, int shape) noexcept nogil:
    """Return the shapes that the vertex inside a turn may have.

    An unused vertex could take the place of the turn. The path of the turn does not come there:
    with one edge to an arm, the missing edge to the other would be a chord. So another path turns
    there in the same way, or ends there and leaves in one of these directions.
    """
    if not f.terminal[inside]:
        return 1 << shape
    return 1 << (shape & 9) | 1 << (shape & 6)


cdef inline bint turn_stands(Frame *f, State *s, int vertex, int shape) noexcept nogil:
    cdef int inside = inside_of(f, vertex, shape), label = only_label(f, s, vertex)
    if not s.shapes[inside] & shapes_inside(f, inside, shape):
        return False
    # If the path turns, both vertices are used.
    return label == 0 or label != only_label(f, s, inside)


cdef inline bint corner(Frame *f, State *s) noexcept nogil:
    """Rule out turns around nothing: a number lies inside a turn, or another turn."""
    cdef int turns[4]
    cdef int vertex, k, shape, inside, label, trail = s.trail.known
    turns[0], turns[1], turns[2], turns[3] = UP_LEFT, UP_RIGHT, LEFT_DOWN, RIGHT_DOWN
    for vertex in range(f.vertices):
        if s.trail.known > trail:
            return True
        for k in range(4):
            shape = turns[k]
            if not s.shapes[vertex] >> shape & 1:
                continue
            if not turn_stands(f, s, vertex, shape):
                if not keep_shapes(f, s, vertex, ~(1 << shape), CORNER):
                    return False
            elif s.shapes[vertex] == 1 << shape:
                inside = inside_of(f, vertex, shape)
                if not keep_shapes(f, s, inside, shapes_inside(f, inside, shape), CORNER):
                    return False
                label = label_at(f, s, vertex)
                if label and not exclude_at(f, s, inside, label, CORNER):
                    return False
                label = label_at(f, s, inside)
                if label and not exclude_at(f, s, vertex, label, CORNER):
                    return False
    return True


cdef enum:
    # Choices of a neighbour of an unused vertex, clockwise around that vertex. Bit 0: it has an
    # edge to the diagonal vertex after it; bit 1: to the diagonal vertex before it.
    ALONE = 1  # neither, as a bit among choices
    OUT = 4  # unused as well: the choice that reaches both diagonal vertices


cdef inline bint clash(int first, int second) noexcept nogil:
    """Return whether one path would be beside the unused region at two neighbours, the second
    clockwise after the first: through the diagonal vertex between them."""
    cdef bint after = first == OUT or first & 1, before = second == OUT or second & 2
    return after and before and not (first == OUT and second == OUT)


cdef inline bint may_be_empty(Frame *f, State *s, int vertex) noexcept nogil:
    """Return whether a vertex may be unused: then its neighbours lie on different paths."""
    cdef int clockwise[4]
    cdef int choices[4]
    cdef int beside[4]
    cdef int k, m, edge, shape, way, a, b, c, d, label
    clockwise[0], clockwise[1], clockwise[2], clockwise[3] = 0, 2, 3, 1
    for k in range(4):
        way = clockwise[k]
        edge = f.ring[vertex].edges[way]
        beside[k] = -1
        choices[k] = ALONE
        if edge < 0:
            continue
        beside[k] = far_end(&f.plane, edge, vertex)
        choices[k] = 0
        for shape in range(SHAPES):
            if not s.shapes[beside[k]] >> shape & 1 or shape >> (3 - way) & 1:
                continue
            if shape == 0:
                choices[k] |= 1 << OUT
            else:
                a = shape >> clockwise[(k + 1) % 4] & 1
                b = shape >> clockwise[(k + 3) % 4] & 1
                choices[k] |= 1 << (a + 2 * b)
    for k in range(4):
        if beside[k] < 0 or not is_used(s, beside[k]):
            continue
        label = label_at(f, s, beside[k])
        for m in range(k):
            if beside[m] < 0 or not is_used(s, beside[m]):
                continue
            if same_path(s, beside[k], beside[m]):
                return False
            if label and label == label_at(f, s, beside[m]):
                return False
    for a in range(5):
        if not choices[0] >> a & 1:
            continue
        for b in range(5):
            if not choices[1] >> b & 1 or clash(a, b):
                continue
            for c in range(5):
                if not choices[2] >> c & 1 or clash(b, c):
                    continue
                for d in range(5):
                    if choices[3] >> d & 1 and not clash(c, d) and not clash(d, a):
                        return True
    return False


cdef inline bint empty(Frame *f, State *s) noexcept nogil:
    """Note the vertices that must be used, since a path could make a detour through them."""
    cdef int vertex, trail = s.trail.known
    for vertex in range(f.vertices):
        if s.trail.known > trail:
            return True
        if is_used(s, vertex) or s.shapes[vertex] == UNUSED:
            continue
        if not may_be_empty(f, s, vertex):
            if not keep_shapes(f, s, vertex, ~UNUSED, EMPTY):
                return False
    return True


# ---- Routes ---------------------------------------------------------------------------------------
#
# Which ways are left to join two equal numbers.

cdef inline int next_label(State *s, uint64_t *changed) noexcept nogil:
    """Take the first label whose notes have changed; 0 for none."""
    cdef int word, label
    for word in range(s.label_words):
        if changed[word]:
            label = 64 * word
            while not changed[word] >> (label % 64) & 1:
                label += 1
            changed[word] &= changed[word] - 1
            return label
    return 0


cdef inline bint passages(Frame *f, State *s) noexcept nogil:
    """Find what all ways from one end of a label to the other have in common."""
    cdef int label, trail = s.trail.known
    while s.trail.known == trail:
        label = next_label(s, s.changed)
        if label == 0:
            break
        if watch_stops(&s.watch) or not passage(f, s, label):
            return False
    return True


cdef inline bint passage(Frame *f, State *s, int label) noexcept nogil:
    """Find the `passages` of one label.

    Search depth first from one end, over edges that may carry the label. Cut vertices and bridges
    between the two ends are on every way; anything behind other cut vertices is on none. Tarjan,
    SIAM J. Comput. 1(2), 1972.
    """
    cdef int start = f.ends_of[2 * label - 2], goal = f.ends_of[2 * label - 1]
    cdef int vertex, above, count, at, k, edge
    cdef Visit *v
    count = search(f, s, label, start)
    if not s.visit[goal].seen:
        return fail(s, Why(PASSAGE, start))
    # In the order of the search, vertices above others come first. ``side`` 1: on some way.
    for at in range(count):
        s.visit[s.queue[at]].side = 0
    vertex = goal
    while vertex != start:
        s.visit[vertex].side = 1
        vertex = far_end(&f.plane, s.visit[vertex].entry, vertex)
    s.visit[start].side = 1
    for at in range(1, count):
        vertex = s.queue[at]
        v = &s.visit[vertex]
        above = far_end(&f.plane, v.entry, vertex)
        if not v.side and above != start and s.visit[above].side:
            v.side = v.low < s.visit[above].seen
    for vertex in range(f.vertices):
        if not s.visit[vertex].seen or not s.visit[vertex].side:
            if not exclude_at(f, s, vertex, label, PASSAGE):
                return False
    vertex = goal
    while vertex != start:
        v = &s.visit[vertex]
        edge = v.entry
        above = far_end(&f.plane, edge, vertex)
        if v.low > s.visit[above].seen and is_open(s, edge):
            if not put(f, s, 2 * edge, Why(PASSAGE, f.vertices + edge)):
                return False
        if above != start and v.low >= s.visit[above].seen:
            if not keep_shapes(f, s, above, ~UNUSED, PASSAGE):
                return False
            for k in range(4):
                if f.ring[above].edges[k] >= 0:
                    if not reserve(f, s, f.ring[above].edges[k], label, PASSAGE):
                        return False
        vertex = above
    return True


cdef inline int search(Frame *f, State *s, int label, int start) noexcept nogil:
    """Visit all that a label can reach, depth first; return how many are in `State.queue`."""
    cdef int height = 1, count = 0, vertex, edge, beside
    cdef Visit *v
    for vertex in range(f.vertices):
        s.visit[vertex].seen = 0
    s.stack[0] = start
    s.visit[start].entry = -1
    while height:
        vertex = s.stack[height - 1]
        v = &s.visit[vertex]
        if not v.seen:
            s.queue[count] = vertex
            count += 1
            v.seen = v.low = count
            v.turn = 0
        if v.turn < 4:
            edge = f.ring[vertex].edges[v.turn]
            v.turn += 1
            if edge < 0 or edge == v.entry or not may_carry(s, edge, label):
                continue
            beside = far_end(&f.plane, edge, vertex)
            height = step_to(s, v, beside, edge, height)
            continue
        height -= 1
        if height:
            beside = s.stack[height - 1]
            s.visit[beside].low = min(s.visit[beside].low, v.low)
    return count


cdef inline bint accesses(Frame *f, State *s) noexcept nogil:
    """Find where labels can get to; rule out the shapes for which no label is left."""
    cdef int label, vertex = 0, trail = s.trail.known
    while s.trail.known == trail:
        label = next_label(s, s.changed + s.label_words)
        if label == 0:
            break
        if watch_stops(&s.watch) or not access(f, s, label):
            return False
    while s.trail.known == trail and vertex < f.vertices:
        if not check_shapes(f, s, vertex):
            return False
        vertex += 1
    return True


cdef inline bint check_shapes(Frame *f, State *s, int vertex) noexcept nogil:
    """Keep the shapes whose edges some path may use together."""
    cdef int shape, k, kept = UNUSED, one, other
    for shape in range(1, SHAPES):
        if not s.shapes[vertex] >> shape & 1:
            continue
        one = other = -1
        for k in range(4):
            if shape >> k & 1:
                other = one
                one = f.ring[vertex].edges[k]
        if share_label(s, one, one if other < 0 else other):
            kept |= 1 << shape
    return keep_shapes(f, s, vertex, kept, ACCESS)


cdef inline bint access(Frame *f, State *s, int label) noexcept nogil:
    """Walk from both ends of a label in the possible shapes, and exclude the label from the edges
    that are on no walk from one end to the other."""
    cdef int start = f.ends_of[2 * label - 2], goal = f.ends_of[2 * label - 1]
    cdef int vertex, beside, k, edge
    cdef uint8_t *here
    cdef uint8_t *there
    memset(s.walked, 0, 4 * <size_t>f.vertices)
    walk(f, s, label, start, goal, 1)
    walk(f, s, label, goal, start, 2)
    for vertex in range(f.vertices):
        for k in range(2, 4):
            edge = f.ring[vertex].edges[k]
            if edge < 0 or not may_carry(s, edge, label):
                continue
            beside = far_end(&f.plane, edge, vertex)
            here = s.walked + 4 * <Py_ssize_t>vertex + k
            there = s.walked + 4 * <Py_ssize_t>beside + 3 - k
            if not (here[0] & 1 and there[0] & 2) and not (here[0] & 2 and there[0] & 1):
                if not exclude(f, s, edge, label, ACCESS):
                    return False
    return True


cdef inline bint may_turn(Frame *f, State *s, int label, int vertex, int shape) noexcept nogil:
    """Return whether another path can turn inside a turn of this label, if one must."""
    cdef int inside = inside_of(f, vertex, shape), one, other, word
    cdef uint64_t labels
    if not f.enabled[0][CORNER]:
        return True
    if f.terminal[inside]:
        return f.terminal[inside] != label
    one = f.ring[inside].edges[0 if shape & 1 else 3]
    other = f.ring[inside].edges[1 if shape & 2 else 2]
    if one < 0 or other < 0:
        return False
    for word in range(s.label_words):
        labels = labels_on(s, one)[word] & labels_on(s, other)[word]
        if word == label // 64:
            labels &= ~(<uint64_t>1 << (label % 64))
        if labels:
            return True
    return False


cdef inline void walk(Frame *f, State *s, int label, int start, int goal, int mark) noexcept nogil:
    """Mark the ways out of vertices that the path of a label may take, coming from ``start``."""
    cdef int first = 0, last = 0, vertex, k, m, edge
    for k in range(4):
        edge = f.ring[start].edges[k]
        if edge >= 0 and may_carry(s, edge, label) and s.shapes[start] >> (1 << k) & 1:
            s.walked[4 * <Py_ssize_t>start + k] |= <uint8_t>mark
            s.queue[last] = 4 * start + k
            last += 1
    while first < last:
        k = s.queue[first] % 4
        vertex = far_end(&f.plane, f.ring[s.queue[first] // 4].edges[k], s.queue[first] // 4)
        first += 1
        if f.terminal[vertex]:
            continue
        for m in range(4):
            edge = f.ring[vertex].edges[m]
            if m == 3 - k or edge < 0 or s.walked[4 * <Py_ssize_t>vertex + m] & mark:
                continue
            if not may_carry(s, edge, label):
                continue
            if not s.shapes[vertex] >> (1 << (3 - k) | 1 << m) & 1:
                continue
            if m != k and not may_turn(f, s, label, vertex, 1 << (3 - k) | 1 << m):
                continue
            s.walked[4 * <Py_ssize_t>vertex + m] |= <uint8_t>mark
            s.queue[last] = 4 * vertex + m
            last += 1

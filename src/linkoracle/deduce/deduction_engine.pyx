"""The deduction engine: one board, the trail of what was deduced, the techniques and guesses.

**Trail.** Every decided edge is a *literal*, ``2 * edge`` for a line and ``2 * edge + 1`` for a
cross, on a trail, with the technique and the place that decided it. Each technique has a head, an
index into the trail: it has processed all literals before its head. `deduce` advances the head of
the first technique that is behind. So techniques process only changes, the simplest technique
first. Undoing a guess removes its literals from the trail.

**Contours.** ``mate`` is the other end of the path that ends at a vertex, kept up to date as lines
are drawn, so that a closed path is detected in constant time; ``label`` is the terminal that a path
has reached, if any.

**Colours.** Cells, and the world outside, are joined in a union-find structure with parity: two
cells are on the same side of the loop, or on different ones. Trees are merged by size and not
compressed, so that a merge can be undone. On a model of several paths, which have no sides, the
same structure records which vertices lie on the same path.

**Notes.** On a board of several paths, each vertex has the shapes that a path may still have there,
and each edge the numbers whose paths may use it. The notes follow from the trail, so they are not
undone: they are rebuilt when a guess is undone.

`state.pxd` has the structs: `Frame` holds what a puzzle fixes, `State` what changes. The techniques
are functions on them, in `techniques.pxd` and here. Python sees two classes: `Positions`, the rules,
and `Engine`, a board with the rules placed on it.

Contents
    Blocks      techniques that try all ways to fill a window, or a cell that might be flipped
    Deduction   the first technique that is behind, again and again; guesses
    Contents    a board as Python objects, for tests
    For Python  `Positions`, `Engine`
"""

from libc.math cimport INFINITY
from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from cpython.bytes cimport PyBytes_FromStringAndSize

from linkoracle.board.plane_kernel cimport PlaneArrays, far_end
from linkoracle.core.kernels cimport (
    GOES_ON, Arena, Index, arena_close, arena_open, watch_raise, watch_start, watch_stops
)
from linkoracle.deduce.state cimport (
    ACCESS, BESIDE, BLOCK, BLOCKS, CELLS, CELL_EDGES, CLUE, COLOUR, CONCLUSIONS, CONDITIONS, CORNER,
    CROSSES_NONE_OR_TWO, DOT, EITHER, EMPTY, GIVEN, KINDS, LOOP, MASKS, MAX_DEPTH, MOST_GROUPS,
    NOWHERE, PARITY, PARTS, PASSAGE, PATTERN_KINDS, POCKET, PREMISES, REACH, REASONS, REFUTED,
    REGION, SHADE, SITES, SQUARE, SQUARES, STATIC, TECHNIQUES, UNIQUE, WIDE, WINDOW, WINDOW_EDGES,
    WINDOW_FACES, Edge, Frame, Merge, Node, Numbers, PatternLiteral, Patterns, Position, Rows, State, Ways,
    Window, allowed, fail, find_fills, find_flips, find_odd_cuts, find_root, index_rows,
    instance_of, is_cross, is_line, is_open, listed, load_enabled, load_pairs, loaded, make_state,
    next_waiting, numbers, place_board, place_patterns, put, put_agreed, relate_ends, room,
    row_of, turn, undo, wait
)
from linkoracle.deduce.techniques cimport (
    accesses, beside, catch_up, check_ends, clue, colour, conclude, corner, cross_out, dot, empty,
    follow, look, loop, parity, passages, patterns, pockets, regions, relate, shade
)
from linkoracle.lines.lines cimport Path, Why, merge_paths, part_paths

from linkoracle.board.lattice import Lattice
from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import Deadline, Timeout


# ---- Blocks ---------------------------------------------------------------------------------------
#
# Techniques that try all ways to fill a block of cells.

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
    cdef Ways ways = Ways(everything, 0)
    cdef int k, edge, way
    for k in range(CELL_EDGES):
        edge = edges[k]
        if edge < 0 or is_cross(s, edge):
            crosses |= 1 << k
        elif is_line(s, edge):
            lines |= 1 << k
    for k in range(f.fills):
        way = f.free_fills[k]
        if way & lines == lines and way & crosses == 0:
            ways.always &= way
            ways.ever |= way
            if ways.always == lines and ways.ever | crosses == everything:
                return True
    if ways.ever == 0 and ways.always == everything:
        return fail(s, Why(UNIQUE, free))
    return put_agreed(f, s, edges, CELL_EDGES, ways, Why(UNIQUE, free))


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
        return fail(s, Why(technique, number))
    for group in range(v.groups):
        for beside in range(group + 1, v.groups):
            different = v.differ[group] >> beside & 1
            if different == <int>(v.alike[group] >> beside & 1):
                continue
            one, other = v.first[group], v.first[beside]
            different ^= v.odd[one] ^ v.odd[other]
            one, other = v.window.faces[one], v.window.faces[other]
            if not relate(f, s, one, other, different, Why(technique, number)):
                return False
    return True


# ---- Deduction ------------------------------------------------------------------------------------
#
# All techniques together, and guesses.
#
# A function that returns False has met a contradiction, or was stopped: then `State.watch` says so,
# and the board must be undone, because a stopped guess looks like one that failed.

cdef inline bint uses_notes(int technique) noexcept nogil:
    """Return whether a technique works on notes."""
    return technique in (BESIDE, CORNER, EMPTY, PASSAGE, ACCESS)


cdef inline bint is_behind(Frame *f, State *s, int technique) noexcept nogil:
    """Return whether something has changed that a technique has not processed."""
    if technique == STATIC:
        return s.n.statics_seen < f.layout.statics
    if s.n.heads[technique] < s.trail.known:
        return True
    if technique == REGION:
        return s.n.merges_seen < s.n.merges
    if uses_notes(technique):
        return s.n.notes_seen[technique] < s.n.notes
    if technique == SHADE:
        return s.n.waiting[SITES] > 0
    if technique == WINDOW:
        return s.n.waiting[SQUARES] > 0
    if technique == WIDE:
        return s.n.waiting[BLOCKS] > 0
    return technique == UNIQUE and s.n.waiting[CELLS] > 0


cdef inline int first_behind(Frame *f, State *s) noexcept nogil:
    """Return the first technique that is behind, -1 for none."""
    cdef uint8_t *enabled = f.enabled[s.n.in_guess > 0]
    cdef int technique
    for technique in range(TECHNIQUES):
        if enabled[technique] and is_behind(f, s, technique):
            return technique
    return -1


cdef inline bint apply_clues(Frame *f, State *s, Edge *edge) noexcept nogil:
    cdef int k
    for k in range(2):
        if edge.sides[k] < f.faces and not clue(f, s, edge.sides[k]):
            return False
    return True


cdef inline void note_cells(Frame *f, State *s, int edge) noexcept nogil:
    """Let the cells of an edge wait that might be flipped."""
    cdef int index
    for index in range(f.cells.start[edge], f.cells.start[edge + 1]):
        if f.flips[f.cells.found[index]]:
            wait(s, CELLS, f.cells.found[index])


cdef inline bint apply_notes(Frame *f, State *s, int technique) noexcept nogil:
    """Let a technique process the notes, once these are up to date."""
    cdef int trail = s.trail.known
    if not catch_up(f, s):
        return False
    if s.trail.known > trail:
        # Earlier techniques may find a step.
        return True
    s.n.heads[technique] = s.trail.known
    s.n.notes_seen[technique] = s.n.notes
    if technique == BESIDE:
        return beside(f, s)
    if technique == CORNER:
        return corner(f, s)
    if technique == EMPTY:
        return empty(f, s)
    return passages(f, s) if technique == PASSAGE else accesses(f, s)


cdef inline bint apply_technique(Frame *f, State *s, int technique) noexcept nogil:
    """Let a technique process the next change."""
    cdef int at = s.n.heads[technique], instance
    cdef Edge *edge
    cdef int32_t *ends
    if technique == STATIC:
        instance = f.layout.static[s.n.statics_seen]
        s.n.statics_seen += 1
        return s.missing[instance] > 0 or conclude(f, s, instance, STATIC)
    if technique == POCKET or technique == REGION:
        # These process the whole board.
        s.n.heads[technique] = s.trail.known
        s.n.merges_seen = s.n.merges
        return pockets(f, s) if technique == POCKET else regions(f, s)
    if technique == BESIDE and at < s.trail.known:
        s.n.heads[BESIDE] = at + 1
        return follow(f, s, at)
    if uses_notes(technique):
        return apply_notes(f, s, technique)
    if technique == SHADE:
        s.n.heads[SHADE] = s.trail.known
        return s.n.waiting[SITES] == 0 or shade(f, s, next_waiting(s, SITES))
    if at >= s.trail.known:
        # Only the waiting items are left.
        if technique == UNIQUE:
            return free_cell(f, s, next_waiting(s, CELLS))
        return survey(f, s, technique - WINDOW, next_waiting(s, technique - WINDOW))
    s.n.heads[technique] = at + 1
    edge = &f.edge[s.trail.literals[at] >> 1]
    ends = f.plane.ends + (s.trail.literals[at] & ~1)
    if technique == CLUE:
        return apply_clues(f, s, edge)
    if technique == DOT:
        return dot(f, s, ends[0]) and dot(f, s, ends[1])
    if technique == LOOP:
        return loop(f, s, at)
    if REACH <= technique <= SQUARE:
        return patterns(f, s, technique, technique - REACH, at)
    if technique == BLOCK:
        return patterns(f, s, technique, PATTERN_KINDS - 1, at)
    if technique == PARITY:
        return parity(f, s, edge.cut)
    if technique == COLOUR:
        return colour(f, s, at)
    if technique == UNIQUE:
        note_cells(f, s, s.trail.literals[at] >> 1)
    else:
        note_windows(f, s, technique - WINDOW, at)
    return True


cdef inline bint deduce(Frame *f, State *s) noexcept nogil:
    """Apply the techniques, always the first that is behind, until none is; False: no solution.

    They process only what is new on the trail; `begin` is for the first time.
    """
    cdef int technique = first_behind(f, s)
    while technique >= 0:
        if watch_stops(&s.watch) or not apply_technique(f, s, technique):
            return False
        technique = first_behind(f, s)
    if watch_stops(&s.watch):
        return False
    return s.n.undecided > 0 or s.n.left == 0 or fail(s, Why(LOOP, NOWHERE))


cdef inline bint begin(Frame *f, State *s) noexcept nogil:
    """Apply every clue, dot and window once, then `deduce`; False: no solution."""
    cdef int item, kind
    if s.n.left == 0 and not cross_out(f, s):
        return False
    if f.enabled[0][CLUE]:
        for item in range(f.faces):
            if not clue(f, s, item):
                return False
    if f.enabled[0][DOT]:
        for item in range(f.vertices):
            if not dot(f, s, item):
                return False
    if f.enabled[0][LOOP] and not check_ends(f, s):
        return False
    if f.enabled[0][SHADE]:
        for item in range(f.vertices + f.faces):
            if s.site_mask[item]:
                wait(s, SITES, item)
    for kind in range(2):
        if f.enabled[0][WINDOW + kind]:
            for item in range(f.window_first[kind + 1] - f.window_first[kind]):
                if s.window_clues[f.window_first[kind] + item] > 0:
                    wait(s, kind, item)
    if f.enabled[0][UNIQUE]:
        for item in range(f.faces):
            if f.flips[item]:
                wait(s, CELLS, item)
    return deduce(f, s)


cdef inline bint show(Frame *f, State *s, int32_t *faces, int size) noexcept nogil:
    """Show the clues of these faces and deduce; False: no solution."""
    cdef int index
    for index in range(size):
        turn(f, s, faces[index], True)
    for index in range(size):
        if watch_stops(&s.watch) or not look(f, s, faces[index]):
            return False
    return deduce(f, s)


cdef inline bint assume(Frame *f, State *s, int literal, int depth) noexcept nogil:
    """Put a guess on the trail, deduce and guess further; False: a contradiction.

    ``depth`` is that of the further guesses, so recursion ends within `MAX_DEPTH`.
    """
    cdef bint fits
    s.n.guesses += 1
    s.n.in_guess += 1
    fits = put(f, s, literal, Why(REFUTED, literal >> 1)) and deduce(f, s)
    fits = fits and (depth == 0 or guess(f, s, depth))
    s.n.in_guess -= 1
    return fits


cdef inline int agree(State *s, int level, int trail) noexcept nogil:
    """Collect the literals since ``trail`` that the snapshot has, too; return how many."""
    cdef int found = 0, at, literal
    for at in range(trail, s.trail.known):
        literal = s.trail.literals[at]
        if s.snapshot[level][literal] == 1:
            s.agreed[level][found] = literal
            found += 1
    return found


cdef struct Guesses:  # about one edge
    bint line_fits  # a line does not lead to a contradiction
    bint cross_fits
    int agreed  # how many literals both lead to


cdef inline int learn(Frame *f, State *s, int level, int edge, Guesses made) noexcept nogil:
    """Decide what both guesses about an edge show; 1: an edge, 0: nothing, -1: no solution."""
    cdef int index
    cdef bint fits = True
    if made.line_fits and made.cross_fits and made.agreed == 0:
        return 0
    if s.n.in_guess == 0:
        s.n.depth = max(s.n.depth, level)
    if made.line_fits and made.cross_fits:
        for index in range(made.agreed):
            fits = fits and put(f, s, s.agreed[level][index], Why(EITHER, edge))
    else:
        fits = put(f, s, 2 * edge + (not made.line_fits), Why(REFUTED, edge))
    return 1 if fits and deduce(f, s) else -1


cdef inline int guess_edge(Frame *f, State *s, int level, int edge) noexcept nogil:
    """Assume a line, undo it, assume a cross; return what `learn` does."""
    cdef int trail = s.trail.known, merges = s.n.merges
    cdef Guesses made = Guesses(assume(f, s, 2 * edge, level - 1), True, 0)
    if made.line_fits:
        memcpy(s.snapshot[level], s.trail.values, 2 * <size_t>f.edges)
    undo(f, s, trail, merges)
    if made.line_fits:
        made.cross_fits = assume(f, s, 2 * edge + 1, level - 1)
        if made.cross_fits:
            made.agreed = agree(s, level, trail)
        undo(f, s, trail, merges)
    return learn(f, s, level, edge, made)


cdef inline bint guess(Frame *f, State *s, int depth) noexcept nogil:
    """Guess up to ``depth`` deep until that decides nothing more; False: no solution.

    Assume a line and deduce, then a cross and deduce: a contradiction decides the edge, else the
    literals of both are kept. Deeper guesses wait until shallow ones decide nothing.
    """
    cdef int level = 1, decided, idle, edge, found
    while level <= depth and s.n.undecided > 0:
        decided = idle = 0
        while idle < f.edges and s.n.undecided > 0 and (level == 1 or not decided):
            edge = s.n.cursors[level]
            # With a new budget, this edge is the next guess.
            if s.n.budget == 0 and is_open(s, edge):
                return True
            s.n.cursors[level] = (edge + 1) % f.edges
            idle += 1
            if not is_open(s, edge):
                continue
            s.n.budget -= 1
            found = guess_edge(f, s, level, edge)
            if found < 0:
                return False
            if found > 0:
                decided, idle = 1, 0
        level = 1 if decided and level > 1 else level + 1
    return True


# ---- Contents -------------------------------------------------------------------------------------
#
# The contents of a board as Python objects, for tests.

cdef inline bytes copied(const void *memory, Py_ssize_t size):
    return PyBytes_FromStringAndSize(<const char *>memory, size)


cdef inline tuple entry_of(State *s, int at):
    """A literal on the trail, its technique and place."""
    cdef int literal = s.trail.literals[at]
    cdef Why why = s.trail.causes[literal >> 1].why
    return literal, why.kind, why.index


cdef inline list by_key(Index *index, Py_ssize_t keys):
    """Return the items of each key."""
    cdef Py_ssize_t key, at
    return [
        [index.found[at] for at in range(index.start[key], index.start[key + 1])]
        for key in range(keys)
    ]


cdef inline dict tables_of(Frame *f):
    """Return the tables that boards of this size share, as `Engine.tables` does."""
    cdef Py_ssize_t at
    cdef int kind
    found = {
        "edges": [
            ([f.plane.ends[2 * at], f.plane.ends[2 * at + 1]], f.edge[at].sides, f.edge[at].cut)
            for at in range(f.edges)
        ],
        "rings": [f.ring[at].edges for at in range(f.vertices + f.faces)],
        "border": [f.border[at] for at in range(f.border_edges)],
        "crossing": by_key(&f.crossing, f.cuts),
        "cells": [f.cell[at].edges for at in range(f.faces)],
        "cells at": by_key(&f.cells, f.edges),
        "fills": [f.free_fills[at] for at in range(f.fills)],
    }
    for kind in range(2):
        found[f"windows {kind + 2}"] = [
            (f.window[at].faces, f.window[at].dots)
            for at in range(f.window_first[kind], f.window_first[kind + 1])
        ]
        found[f"windows {kind + 2} at"] = by_key(&f.windows[kind], f.faces + 2)
    return found


cdef inline dict memory_of(Frame *f, State *s):
    """Return all that determines the next steps, as `Engine.memory` does."""
    cdef int items = f.vertices + f.faces, kind, nodes = max(f.vertices, f.faces + 2)
    found = {
        "numbers": (
            s.trail.known, s.n.undecided, s.n.segments, s.n.unmet, s.n.left, s.n.merges,
            s.n.statics_seen, s.n.in_guess,
        ),
        "merges seen": s.n.merges_seen,
        "heads": s.n.heads,
        "value": copied(s.trail.values, 2 * <Py_ssize_t>f.edges),
        "trail": [entry_of(s, at) for at in range(s.trail.known)],
        "counts": copied(s.counts, f.faces),
        "shown": copied(s.shown, f.faces),
        "missing": copied(s.missing, f.layout.size),
        "window clues": copied(s.window_clues, f.window_first[2] * sizeof(int32_t)),
        "site mask": copied(s.site_mask, items),
        "lines": copied(s.lines, items),
        "crosses": copied(s.crosses, items),
        "cut open": copied(s.cut_open, f.cuts * sizeof(int32_t)),
        "cut lines": copied(s.cut_lines, f.cuts * sizeof(int32_t)),
        "ends": copied(s.ends.paths, f.vertices * sizeof(Path)),
        "nodes": copied(s.node, nodes * sizeof(Node)),
        "merged": copied(s.merged, s.n.merges * sizeof(Merge)),
    }
    for kind in range(KINDS):
        size = s.n.waiting[kind] * sizeof(int32_t)
        found[f"waiting {kind}"] = copied(s.waiting[kind], size)
        found[f"is waiting {kind}"] = copied(s.is_waiting[kind], items)
    return found


# ---- For Python -----------------------------------------------------------------------------------

#: Of a clue or literal: whether the edge goes down, row and column, the clue or whether it crosses.
Parts: TypeAlias = "list[tuple[int, int, int, int]]"
#: A position of a rule: see `Positions`.
Given: TypeAlias = "tuple[int, int, int, tuple[int, int, int, int], Parts, Parts, Parts]"

cdef enum:
    MOST_CLUE = 4
    FARTHEST = 8  # rows or columns from the anchor of a rule to its clues and edges
    LONGEST = 64  # clues or literals of a rule


cdef class Positions:
    """Rules in all their positions, ready to be placed on boards.

    ``given`` has a tuple for each: the number of its rule, from 0 on without gaps; its kind of
    pattern; the clue at its *anchor*; the first and the last vertex of its window, by row and
    column, four numbers counted from the place of the anchor, as all others that follow; its other
    clues, ``(0, row, col, value)``; its premises and its conclusions, ``(down, row, col, cross)``.
    Raises ``ValueError`` for anything else.
    """

    cdef Arena arena
    cdef Patterns *patterns

    def __cinit__(self, list given: list[Given]):
        cdef Patterns *p
        cdef Position *position
        cdef Rows rows
        cdef Py_ssize_t at
        cdef int k
        cdef int32_t size = 0
        arena_open(&self.arena, <size_t>-1)
        p = self.patterns = <Patterns *>room(&self.arena, 1, sizeof(Patterns))
        p.size = <int32_t>len(given)
        p.position = <Position *>room(&self.arena, p.size, sizeof(Position))
        p.part = <PatternLiteral *>room(
            &self.arena, sum(len(row) for one in given for row in one[4:]), sizeof(PatternLiteral)
        )
        for at in range(p.size):
            rule, kind, value, window, *parts = given[at]
            position = &p.position[at]
            # A rule has the number of the one before, or the next one.
            position.rule = checked(rule, max(0, p.rules - 1), min(p.rules, at), "the next rule")
            p.rules = position.rule + 1
            position.kind = checked(kind, 0, PATTERN_KINDS - 1, "a kind of pattern")
            position.key = MASKS * position.rule + (1 << checked(value, 0, MOST_CLUE, "a clue"))
            if len(window) != 4:
                raise ValueError(f"expected four numbers for a window, got {len(window)}")
            for k in range(4):
                position.window[k] = checked(window[k], -FARTHEST, FARTHEST, "a vertex of a window")
            for k in range(PARTS):
                position.parts[k] = size
                size = add_parts(p.part, size, parts[k], MOST_CLUE if k == CONDITIONS else 1)
                # The anchor stands before the clues.
                p.width[k] = max(p.width[k], <int32_t>len(parts[k]) + 1 + (k == CONDITIONS))
            position.parts[PARTS] = size
        rows = Rows(&p.position[0].key, p.size, sizeof(Position) // sizeof(int32_t), 1)
        index_rows(&p.by_key, &self.arena, MASKS * p.rules, rows)

    def __dealloc__(self):
        arena_close(&self.arena)


cdef int add_parts(PatternLiteral *part, int32_t at, object given, int most) except -1:
    """Add clues up to ``most``, or literals, from a place on; return where the next ones begin."""
    if len(given) >= LONGEST:
        raise ValueError(f"expected less than {LONGEST} clues or edges of a rule")
    for down, row, col, value in given:
        part[at].down = checked(down, 0, 1, "whether an edge goes down")
        part[at].row = checked(row, -FARTHEST, FARTHEST, "a row")
        part[at].col = checked(col, -FARTHEST, FARTHEST, "a column")
        part[at].value = checked(value, 0, most, "a clue, or whether an edge is a cross")
        at += 1
    return at


cdef int checked(object number, int least, int most, str what) except? -1:
    if not isinstance(number, int) or not least <= number <= most:
        raise ValueError(f"expected {what} from {least} to {most}, got {number!r}")
    return number


cdef enum:
    # Sums over all edges are numbered with 32 bits, ten literals for each.
    MOST_EDGES = 1 << 27
    # Calls of `watch_stops` between two reads of the clock. A call takes 10 ns to 20 us.
    RATE = 250


cdef class Engine:
    """One board on a ``lattice``. The outside is face ``num_faces``, and ``num_faces + 1`` beyond
    the edges of ``border``.

    ``positions`` are the rules, placed wherever their clues match: *instances*, in the order of the
    rules. No instance covers an endpoint, whose degree differs. ``degrees`` and ``faces`` are
    masks of allowed counts, ``pairs`` the terminals, none for a loop. ``coloured``: the faces lie
    on two sides; ``is_free``: the rules count only the paths; ``local``: vertices except
    endpoints have no lines or two. ``enabled`` has a 1 for each technique in use, then the same
    within guesses. With ``hidden`` no clue is shown at first.

    A call raises `SearchTimeout` after ``timeout`` seconds, and ``KeyboardInterrupt`` after Ctrl-C,
    within some milliseconds. Then the board is as before the call, which can be made again. (After
    a contradiction that was not undone, the items that waited for a technique are forgotten.)

    Raises ``ValueError`` for arguments out of range, before anything is changed; ``RuntimeError``
    for a call while another thread is in one; and `MemoryLimit` if more than ``limit`` bytes are
    needed.
    """

    cdef PlaneArrays board  # whose arrays the frame points to
    cdef Arena arena
    cdef Frame frame
    cdef State state
    cdef Numbers before  # the numbers before this call, restored when it is stopped
    cdef int known  # the length of the trail before this call
    cdef int32_t *chosen  # faces whose clues this call shows or hides
    cdef int first_merges  # merges that come before every mark
    cdef bint busy
    cdef object deadline  # of this call

    def __cinit__(
        self, object lattice: Lattice, tuple border: tuple[int, ...], Positions positions not None, *,
        bytes degrees not None, bytes faces not None, list pairs not None: list[tuple[int, int]],
        bint is_loop, bint coloured, bint is_free, bint local, bytes enabled not None, bint hidden,
        size_t limit,
    ):
        cdef Frame *f = &self.frame
        arena_open(&self.arena, limit)
        if not isinstance(lattice, Lattice):
            raise ValueError(f"expected a lattice, got {lattice!r}")
        if 2 * lattice.num_vertices > MOST_EDGES:
            raise MemoryLimit(f"the deduction takes boards of up to {MOST_EDGES} edges")
        self.board = lattice.plane
        f.plane, f.rows, f.columns = self.board.plane, lattice.rows, lattice.cols
        place_board(f, &self.arena, border)
        f.is_loop, f.coloured, f.is_free, f.local = is_loop, coloured, is_free, local
        f.degrees = loaded(&self.arena, degrees, f.vertices, 32, "masks of degrees")
        f.clues = loaded(&self.arena, faces, f.faces, 32, "masks of counts")
        load_pairs(f, &self.arena, pairs)
        load_enabled(f, &self.arena, enabled)
        watch_start(&self.state.watch, INFINITY, RATE)
        place_patterns(positions.patterns, f, &self.arena, &self.state.watch)
        if f.enabled[0][UNIQUE] or f.enabled[1][UNIQUE]:
            find_fills(f, &self.arena)
        find_odd_cuts(f, &self.arena)
        find_flips(f, &self.arena)
        make_state(f, &self.state, &self.arena, hidden)
        self.chosen = <int32_t *>room(&self.arena, f.faces, sizeof(int32_t))
        relate_ends(f, &self.state)
        self.first_merges = self.state.n.merges

    def __dealloc__(self):
        arena_close(&self.arena)

    cdef int check_free(self) except -1:
        """Raise ``RuntimeError`` if a call is running. The interpreter is locked meanwhile."""
        if self.busy:
            raise RuntimeError("another call is at work on this board")
        return 0

    cdef int start(self, object timeout) except -1:
        """Begin a call that may be stopped."""
        cdef double seconds
        self.check_free()
        self.deadline = Deadline.of(timeout)
        seconds = self.deadline.seconds
        self.busy = True
        self.before, self.known = self.state.n, self.state.trail.known
        watch_start(&self.state.watch, seconds, RATE)
        return 0

    cdef bint finish(self, bint fits) except -1:
        """End a call: return its result, or restore the board and raise what stopped it."""
        cdef int kind
        if self.state.watch.why != GOES_ON:
            undo(&self.frame, &self.state, self.known, self.before.merges)
            self.state.n = self.before
            self.state.n.noted = -1
            for kind in range(KINDS):
                self.state.n.waiting[kind] = 0
        self.busy = False
        if self.state.watch.why != GOES_ON:
            watch_raise(&self.state.watch, self.deadline)
        return fits

    def put(self, literals: Iterable[int], technique: int = GIVEN) -> bool:
        """Decide edges: literal ``2 * edge`` is a line, ``2 * edge + 1`` a cross.

        Returns false at the first literal that contradicts the state, and ignores the later ones.
        """
        cdef list given = numbers(literals, 2 * <int64_t>self.frame.edges, "literals")
        cdef Why why = Why(numbers((technique,), REASONS, "a technique")[0], NOWHERE)
        cdef int literal
        self.check_free()
        for literal in given:
            if not put(&self.frame, &self.state, literal, why):
                return False
        return True

    def begin(self, literals: Iterable[int] = (), *, timeout: Timeout = None) -> bool:
        """Put literals and deduce for the first time; return false if there is no solution."""
        cdef list given = numbers(literals, 2 * <int64_t>self.frame.edges, "literals")
        cdef bint fits = True
        cdef int literal
        self.start(timeout)
        for literal in given:
            fits = fits and put(&self.frame, &self.state, literal, Why(GIVEN, NOWHERE))
        if fits:
            with nogil:
                fits = begin(&self.frame, &self.state)
        return self.finish(fits)

    def deduce(self, *, timeout: Timeout = None) -> bool:
        """Deduce from the literals put since the last call; false if there is no solution."""
        cdef bint fits
        self.start(timeout)
        with nogil:
            fits = deduce(&self.frame, &self.state)
        return self.finish(fits)

    def assume(self, literal: int, *, timeout: Timeout = None) -> bool:
        """Follow one guess, as `guess` does, and keep it; return false for a contradiction."""
        cdef int guessed = numbers((literal,), 2 * <int64_t>self.frame.edges, "a literal")[0]
        cdef bint fits
        self.start(timeout)
        with nogil:
            fits = assume(&self.frame, &self.state, guessed, 0)
        return self.finish(fits)

    def guess(self, depth: int, budget: int = -1, *, timeout: Timeout = None) -> bool:
        """Make guesses up to ``depth`` deep, at most ``budget``; false if there is no solution.

        Without a limit if ``budget`` is negative. Raises ``ValueError`` for a depth outside 0 to 6.
        """
        cdef int deepest = numbers((depth,), MAX_DEPTH + 1, "a depth of guesses")[0]
        cdef int64_t most = budget
        cdef bint fits
        cdef int level
        cdef State *s = &self.state
        self.check_free()
        for level in range(1, deepest + 1):
            if s.snapshot[level] == NULL:
                s.snapshot[level] = <int8_t *>room(&self.arena, 2 * self.frame.edges, 1)
            if s.agreed[level] == NULL:
                s.agreed[level] = <int32_t *>room(&self.arena, self.frame.edges, sizeof(int32_t))
        self.start(timeout)
        s.n.budget = most
        with nogil:
            fits = guess(&self.frame, s, deepest)
        return self.finish(fits)

    cdef int choose(self, object faces, bint shown) except -1:
        """Note the faces of a call, and that their clues are shown or not; return how many.

        Raises ``ValueError``, and notes nothing, if a face is given twice or is so already.
        """
        cdef list named = numbers(faces, self.frame.faces, "faces")
        cdef int size = 0, face
        self.check_free()
        for face in named:
            if self.state.shown[face] == shown:
                for at in range(size):
                    self.state.shown[self.chosen[at]] = not shown
                raise ValueError(f"the clue of face {face} is {'' if shown else 'not '}shown")
            self.state.shown[face] = shown
            self.chosen[size] = face
            size += 1
        return size

    def show(self, faces: Iterable[int], *, timeout: Timeout = None) -> bool:
        """Show the clues of these faces and deduce; false if there is no solution.

        Raises ``ValueError`` for a face whose clue is shown already.
        """
        # Checked before anything is changed.
        deadline = Deadline.of(timeout)
        cdef int size = self.choose(faces, True), at
        cdef bint fits
        self.start(deadline)
        with nogil:
            fits = show(&self.frame, &self.state, self.chosen, size)
        if self.state.watch.why != GOES_ON:
            undo(&self.frame, &self.state, self.known, self.before.merges)
            for at in range(size):
                turn(&self.frame, &self.state, self.chosen[at], False)
        return self.finish(fits)

    def hide(self, faces: Iterable[int], mark: tuple[int, int]) -> None:
        """Return to a mark that was made before these clues were shown."""
        cdef int length, related, size, at
        length, related = self.checked(mark)
        size = self.choose(faces, False)
        undo(&self.frame, &self.state, length, related)
        for at in range(size):
            turn(&self.frame, &self.state, self.chosen[at], False)

    cdef (int, int) checked(self, object mark) except *:
        cdef int length = numbers(mark[:1], self.state.trail.known + 1, "lengths of the trail")[0]
        cdef int related = numbers(mark[1:], self.state.n.merges + 1, "numbers of relations")[0]
        self.check_free()
        if related < self.first_merges:
            raise ValueError(f"expected a mark of this board, got {related} relations")
        return length, related

    def undo(self, mark: tuple[int, int]) -> None:
        """Undo all decisions since the mark was made."""
        cdef int length, related
        length, related = self.checked(mark)
        undo(&self.frame, &self.state, length, related)

    def mark(self) -> tuple[int, int]:
        """Return a mark for `undo`: how many literals, and how many relations, are known."""
        self.check_free()
        return self.state.trail.known, self.state.n.merges

    def trail(self) -> list[tuple[int, int, int]]:
        """Return the decided literals in order, each with its technique and place."""
        cdef State *s = &self.state
        cdef int at
        self.check_free()
        return [entry_of(s, at) for at in range(s.trail.known)]

    def pattern(self, place: int) -> tuple[int, list[int], list[int], list[int]]:
        """Return the instance at a place: the number of its rule, the faces of its clues with the
        anchor first, the literals that must hold, and those that follow."""
        cdef Frame *f = &self.frame
        cdef int at = numbers((place,), f.layout.size, "places of patterns")[0], part
        rows = [listed(row_of(&f.layout, part, at)) for part in (CONDITIONS, PREMISES, CONCLUSIONS)]
        return instance_of(&f.layout, at).rule, *rows

    def sides(self, edge: int) -> tuple[int, int]:
        """Return the faces on both sides of an edge; ``num_faces`` and the next are outside."""
        cdef int at = numbers((edge,), self.frame.edges, "edges")[0]
        return self.frame.edge[at].sides[0], self.frame.edge[at].sides[1]

    def relations(self) -> list[tuple[int, int, bool, int, int, int]]:
        """Return which faces were found to be on one side of the loop, or on different ones.

        In order: two faces, whether they are on different sides, how many literals were known
        before, and the technique and the place that show it. Empty for several paths.
        """
        cdef Merge *made
        cdef int at
        cdef list found = []
        self.check_free()
        for at in range(self.state.n.merges if self.frame.coloured else 0):
            made = &self.state.merged[at]
            found.append(
                (made.one, made.other, made.differ != 0, made.known, made.why.kind, made.why.index)
            )
        return found

    def edges(self) -> bytes:
        """Return the value of each edge, by id: ``OPEN``, ``LINE`` or ``CROSS``."""
        cdef int edge
        cdef bytearray found = bytearray(self.frame.edges)
        self.check_free()
        for edge in range(self.frame.edges):
            found[edge] = 0 if is_open(&self.state, edge) else 1 + is_cross(&self.state, edge)
        return bytes(found)

    def face_counts(self) -> tuple[bytes, bytes]:
        """Return the number of lines around each face, and that of crosses."""
        cdef Frame *f = &self.frame
        self.check_free()
        return (
            copied(self.state.lines + f.vertices, f.faces),
            copied(self.state.crosses + f.vertices, f.faces),
        )

    def next_edge(self) -> int:
        """Return an open edge where a path ends, else the first open one, else edge 0."""
        cdef int edge, found = -1
        cdef int32_t *ends
        self.check_free()
        for edge in range(self.frame.edges):
            if not is_open(&self.state, edge):
                continue
            ends = self.frame.plane.ends + 2 * edge
            if self.state.lines[ends[0]] == 1 or self.state.lines[ends[1]] == 1:
                return edge
            if found < 0:
                found = edge
        return max(found, 0)

    @property
    def fault(self) -> tuple[int, int]:
        """The technique and the place of the last contradiction."""
        self.check_free()
        return self.state.n.fault.kind, self.state.n.fault.index

    @property
    def open_edges(self) -> int:
        """The number of edges that are neither lines nor crosses."""
        self.check_free()
        return self.state.n.undecided

    @property
    def solved(self) -> bool:
        """Whether every edge is decided, and the lines are a solution."""
        self.check_free()
        return self.state.n.undecided == 0 and self.state.n.left == 0

    @property
    def depth(self) -> int:
        """The greatest depth of a guess that decided something."""
        self.check_free()
        return self.state.n.depth

    @property
    def guesses(self) -> int:
        """The number of guesses made."""
        self.check_free()
        return self.state.n.guesses

    def memory(self) -> dict[str, object]:
        """Return a copy of everything that determines the next steps, by name, for tests.

        Equal for boards in the same state. Stacks are copied as far as they are filled, without
        scratch memory and the records of earlier contradictions and guesses."""
        self.check_free()
        return memory_of(&self.frame, &self.state)

    def tables(self) -> dict[str, list[Any]]:
        """Return a copy of the tables that boards of this size share, for tests.

        Rows are lists; an index has a list for each key.
        """
        return tables_of(&self.frame)

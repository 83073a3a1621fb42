"""Set up a board: the facts its puzzle fixes, and the state before anything is known."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from linkoracle.core.arena cimport Arena, arena_error, arena_release
from linkoracle.deduce.kernel.drawing cimport forget_waiting, unite
from linkoracle.deduce.kernel.loading cimport loaded, room
from linkoracle.deduce.kernel.local cimport turn
from linkoracle.deduce.kernel.state cimport (
    ACCESS, ANY_COUNT, BESIDE, COLOUR, CORNER, EMPTY, KINDS, NOWHERE, ONE_LINE, PASSAGE, POCKET,
    TECHNIQUES, Entry, Frame, Node, State, Visit, instance_of
)
from linkoracle.lines.ends cimport ends_open
from linkoracle.lines.trail cimport trail_open


cdef inline int load_pairs(Frame *f, Arena *arena, list pairs) except -1:
    """Load terminals, the first pair with label 1; ``ValueError`` unless all are pairs of vertices.

    A loop has no pairs, and counts as one pair that must still be completed.
    """
    cdef int at
    cdef Py_ssize_t vertex
    if len(pairs) > f.vertices or f.is_loop and pairs:
        raise ValueError(f"expected fewer pairs, got {len(pairs)}")
    if f.is_loop and not f.coloured:
        raise ValueError("expected a loop to have two sides")
    f.pairs = 1 if f.is_loop else <int32_t>len(pairs)
    f.terminal = <int32_t *>room(arena, f.vertices, sizeof(int32_t))
    f.ends_of = <int32_t *>room(arena, 2 * <Py_ssize_t>f.pairs, sizeof(int32_t))
    for at in range(2 * f.pairs):
        f.ends_of[at] = NOWHERE
    for at in range(2 * len(pairs)):
        one, other = pairs[at // 2]
        vertex = other if at % 2 else one
        if not 0 <= vertex < f.vertices or f.terminal[vertex]:
            raise ValueError(f"expected two vertices that no other pair has, got {pairs[at // 2]}")
        f.terminal[vertex] = at // 2 + 1
        f.ends_of[at] = <int32_t>vertex
    return 0


cdef inline int load_enabled(Frame *f, Arena *arena, bytes enabled) except -1:
    """Load which techniques are used: outside of guesses, then within them."""
    cdef uint8_t *bits = loaded(arena, enabled, 2 * TECHNIQUES, 2, "bits of techniques")
    cdef int at
    for at in range(TECHNIQUES):
        f.enabled[0][at], f.enabled[1][at] = bits[at], bits[TECHNIQUES + at]
    arena_release(arena, bits)
    for at in (BESIDE, CORNER, EMPTY, PASSAGE, ACCESS):
        f.notes = f.notes or f.enabled[0][at]
    if f.notes and f.is_loop:
        raise ValueError("expected paths for techniques that follow ways between ends")
    return 0


cdef inline int find_odd_cuts(Frame *f, Arena *arena) except -1:
    """Find the straight cuts with an odd number of ends before them: their lines are odd."""
    cdef int vertex, cut, row, col
    f.cut_odd = <uint8_t *>room(arena, f.cuts, 1)
    for vertex in range(f.vertices):
        if not f.terminal[vertex]:
            continue
        row, col = vertex // f.columns, vertex % f.columns
        for cut in range(row, f.rows - 1):
            f.cut_odd[cut] ^= 1
        for cut in range(f.rows - 1 + col, f.cuts):
            f.cut_odd[cut] ^= 1
    return 0


cdef inline int find_flips(Frame *f, Arena *arena) except -1:
    """Find the cells without a clue, without clues beside them, and without ends at their dots."""
    cdef int face, row, col, k, beside
    cdef int32_t *edges
    cdef int32_t *ends
    f.flips = <uint8_t *>room(arena, f.faces, 1)
    if not (f.coloured and f.local):
        return 0
    for face in range(f.faces):
        f.flips[face] = f.clues[face] == ANY_COUNT
        edges = f.ring[f.vertices + face].edges
        for k in range(4):
            ends = f.plane.ends + 2 * edges[k]
            beside = f.edge[edges[k]].sides[0] + f.edge[edges[k]].sides[1] - face
            if beside < f.faces and f.clues[beside] != ANY_COUNT:
                f.flips[face] = 0
            if f.terminal[ends[0]] or f.terminal[ends[1]]:
                f.flips[face] = 0
    return 0


cdef inline int make_state(Frame *f, State *s, Arena *arena, bint hidden) except -1:
    """Allocate the state of a board, and set it up as it is before anything is known."""
    cdef int items = f.vertices + f.faces, nodes = max(f.vertices, f.faces + 2), item, kind
    trail_open(&s.trail, arena, f.edges)
    ends_open(&s.ends, arena, f.vertices, f.edges)
    if arena.refused:
        arena_error(arena, "the deduction")
    s.entries = <Entry *>room(arena, f.edges, sizeof(Entry))
    s.counts = <uint8_t *>room(arena, f.faces, 1)
    s.shown = <uint8_t *>room(arena, f.faces, 1)
    s.missing = <uint8_t *>room(arena, f.layout.size, 1)
    s.window_clues = <int32_t *>room(arena, f.window_first[2], sizeof(int32_t))
    s.site_mask = <uint8_t *>room(arena, items, 1)
    s.lines = <uint8_t *>room(arena, items, 1)
    s.crosses = <uint8_t *>room(arena, items, 1)
    s.cut_open = <int32_t *>room(arena, f.cuts, sizeof(int32_t))
    s.cut_lines = <int32_t *>room(arena, f.cuts, sizeof(int32_t))
    s.node = <Node *>room(arena, nodes, sizeof(Node))
    s.merged = <int32_t *>room(arena, nodes, sizeof(int32_t))
    for kind in range(KINDS):
        s.waiting[kind] = <int32_t *>room(arena, items, sizeof(int32_t))
        s.is_waiting[kind] = <uint8_t *>room(arena, items, 1)
    s.visit = <Visit *>room(arena, nodes, sizeof(Visit))
    s.stack = <int32_t *>room(arena, nodes, sizeof(int32_t))
    s.label_words = f.pairs // 64 + 1
    # Notes hold something new even before an edge is decided.
    s.n.noted, s.n.notes = -1, 1
    if f.notes:
        make_notes(f, s, arena)
    if f.enabled[0][POCKET]:
        s.inside = <uint64_t *>room(arena, <Py_ssize_t>f.vertices * s.label_words, sizeof(uint64_t))
    for item in range(nodes):
        s.node[item].parent = s.node[item].following = item
        # The outside is never the smaller part of a merge: it has no ring of edges.
        s.node[item].size = nodes if f.coloured and item >= f.faces else 1
    for item in range(f.cuts):
        s.cut_open[item] = f.crossing.start[item + 1] - f.crossing.start[item]
    s.n.undecided = f.edges
    s.n.left = f.pairs
    s.n.budget = -1
    set_counts(f, s, hidden)
    return 0


cdef inline int make_notes(Frame *f, State *s, Arena *arena) except -1:
    """Make room for what is noted of vertices, edges and labels."""
    s.shapes = <uint16_t *>room(arena, f.vertices, sizeof(uint16_t))
    s.shaped_by = <uint8_t *>room(arena, f.vertices, 1)
    s.carried = <uint64_t *>room(arena, <Py_ssize_t>f.edges * s.label_words, sizeof(uint64_t))
    s.changed = <uint64_t *>room(arena, 2 * <Py_ssize_t>s.label_words, sizeof(uint64_t))
    s.walked = <uint8_t *>room(arena, 4 * <Py_ssize_t>f.vertices, 1)
    s.queue = <int32_t *>room(arena, 4 * <Py_ssize_t>f.vertices, sizeof(int32_t))
    return 0


cdef inline void set_counts(Frame *f, State *s, bint hidden) noexcept:
    """Set what depends on which clues are shown: all or none."""
    cdef int vertex, face, k, at
    for vertex in range(f.vertices):
        # The sides around endpoints, and of faces without a clue, are not examined.
        s.site_mask[vertex] = 0 if f.degrees[vertex] == ONE_LINE else f.degrees[vertex]
        s.n.unmet += not f.degrees[vertex] & 1
        for k in range(4):
            s.crosses[vertex] += f.ring[vertex].edges[k] < 0
    for at in range(f.layout.size):
        s.missing[at] = <uint8_t>instance_of(&f.layout, at).conditions
    for at in range(f.window_first[2]):
        # Windows that show nothing never get above 0, however many clues are shown.
        s.window_clues[at] = 0 if f.coloured and f.local else -f.faces
    for face in range(f.faces):
        s.counts[face] = <uint8_t>ANY_COUNT
        s.shown[face] = not hidden
        if not hidden and f.clues[face] != ANY_COUNT:
            turn(f, s, face, True)
    forget_waiting(s)


cdef inline void relate_ends(Frame *f, State *s) noexcept:
    """Relate what is related before any line is drawn."""
    cdef int label
    if f.coloured:
        if not f.is_loop:
            # The path divides the outside in two.
            unite(s, f.faces, f.faces + 1, 1, COLOUR, NOWHERE)
        return
    for label in range(f.pairs):
        unite(s, f.ends_of[2 * label], f.ends_of[2 * label + 1], 0, BESIDE, NOWHERE)

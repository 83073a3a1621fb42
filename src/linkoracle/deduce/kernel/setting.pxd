"""Setting up a board: what its puzzle fixes, and how it is before anything is known."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from linkoracle.core.arena cimport Arena, arena_release
from linkoracle.deduce.kernel.drawing cimport unite
from linkoracle.deduce.kernel.loading cimport load_index, loaded, loaded_small, room
from linkoracle.deduce.kernel.state cimport (
    ACCESS,
    ANY_COUNT,
    BESIDE,
    CELL_EDGES,
    COLOUR,
    CORNER,
    EMPTY,
    KINDS,
    NOWHERE,
    ONE_LINE,
    PASSAGE,
    PATTERN_KINDS,
    POCKET,
    TECHNIQUES,
    WAYS,
    WIDE,
    WINDOW,
    End,
    Entry,
    Frame,
    Node,
    State,
    Visit,
)


cdef inline int load_puzzle(Frame *f, Arena *arena, dict puzzle) except -1:
    """Load what one puzzle adds to the geometry of its board; raises as `load` does.

    ``is_loop``, ``coloured``, ``is_free`` and ``local`` are as in `Frame`, ``pairs`` too.
    ``degrees`` and ``clues``, masks of allowed counts by vertex and by face, and ``cut_odd``,
    ``flips`` and ``enabled``, of shape (2, techniques), are bytes; ``terminal`` and ``free_fills``
    are arrays of int64. The others are those of `linkoracle.deduce.instances.Laid`.
    """
    cdef int32_t *fills
    cdef int at
    f.is_loop, f.coloured = puzzle["is_loop"], puzzle["coloured"]
    f.is_free, f.local = puzzle["is_free"], puzzle["local"]
    if not 0 <= puzzle["pairs"] <= f.vertices:
        raise ValueError(f"expected a number of pairs, got {puzzle['pairs']}")
    f.pairs = puzzle["pairs"]
    f.degrees = loaded_small(arena, puzzle["degrees"], f.vertices, 32, "masks of degrees")
    f.clues = loaded_small(arena, puzzle["clues"], f.faces, 32, "masks of counts")
    f.cut_odd = loaded_small(arena, puzzle["cut_odd"], f.cuts, 2, "bits of cuts")
    f.flips = loaded_small(arena, puzzle["flips"], f.faces, 2, "bits of faces")
    f.terminal = loaded(arena, puzzle["terminal"], f.vertices, 0, f.pairs + 1, "labels")
    load_ends(f, arena)
    f.fills = puzzle["free_fills"].size
    fills = loaded(arena, puzzle["free_fills"], f.fills, 0, 1 << CELL_EDGES, "completions")
    f.free_fills = <int16_t *>room(arena, f.fills, sizeof(int16_t))
    for at in range(f.fills):
        f.free_fills[at] = <int16_t>fills[at]
    arena_release(arena, fills)
    cdef uint8_t *enabled = loaded_small(arena, puzzle["enabled"], 2 * TECHNIQUES, 2, "bits")
    for at in range(TECHNIQUES):
        f.enabled[0][at], f.enabled[1][at] = enabled[at], enabled[TECHNIQUES + at]
    arena_release(arena, enabled)
    for at in (BESIDE, CORNER, EMPTY, PASSAGE, ACCESS):
        f.notes = f.notes or f.enabled[0][at]
    if f.notes and f.is_loop:
        raise ValueError("expected paths where ways between ends are looked at")
    return load_rules(f, arena, puzzle)


cdef inline int load_ends(Frame *f, Arena *arena) except -1:
    """List the terminals by label; ``ValueError`` where a label has not two of them."""
    cdef int vertex, label, k, found = 0
    f.ends_of = <int32_t *>room(arena, 2 * <Py_ssize_t>f.pairs, sizeof(int32_t))
    for k in range(2 * f.pairs):
        f.ends_of[k] = NOWHERE
    for vertex in range(f.vertices):
        label = f.terminal[vertex]
        if not label:
            continue
        k = 2 * label - 2 + (f.ends_of[2 * label - 2] >= 0)
        if f.ends_of[k] >= 0:
            raise ValueError(f"expected two terminals with label {label}, got more")
        f.ends_of[k] = vertex
        found += 1
    if not f.is_loop and found != 2 * f.pairs:
        raise ValueError(f"expected {2 * f.pairs} terminals, got {found}")
    return 0


cdef inline int load_rules(Frame *f, Arena *arena, dict puzzle) except -1:
    """Load the rules that are laid on the board."""
    cdef int64_t literals = 2 * <int64_t>f.edges
    cdef Py_ssize_t instances = puzzle["techniques"].size
    if instances > 0x7FFFFFFF:
        raise ValueError(f"expected fewer rules, got {instances}")
    f.instances = <int32_t>instances
    f.technique = loaded_bytes(arena, puzzle["techniques"], instances, TECHNIQUES, "techniques")
    f.asks = loaded_bytes(arena, puzzle["asks"], instances, 256, "numbers of clues")
    f.premises = loaded_rows(arena, puzzle["premises"], instances, literals, &f.width_if)
    f.conclusions = loaded_rows(arena, puzzle["conclusions"], instances, literals, &f.width_then)
    f.statics = puzzle["statics"].size
    f.static = loaded(arena, puzzle["statics"], f.statics, 0, instances, "rules")
    load_index(
        &f.watchers, arena, puzzle["watch_start"], puzzle["watchers"], PATTERN_KINDS * literals,
        instances, "rules that watch",
    )
    return load_index(
        &f.asking, arena, puzzle["asked_start"], puzzle["asked_by"], f.faces, instances,
        "rules that ask",
    )


cdef inline uint8_t *loaded_bytes(
    Arena *arena, object array, Py_ssize_t count, int below, str name
) except NULL:
    """A copy of so many numbers that fit into a byte."""
    cdef int32_t *wide = loaded(arena, array, count, 0, below, name)
    cdef uint8_t *into = <uint8_t *>room(arena, count, 1)
    cdef Py_ssize_t at
    for at in range(count):
        into[at] = <uint8_t>wide[at]
    arena_release(arena, wide)
    return into


cdef inline int32_t *loaded_rows(
    Arena *arena, const int32_t[:, ::1] rows, Py_ssize_t count, int64_t below, int32_t *width
) except NULL:
    """A copy of rows of literals, each up to its first negative number, which it must have."""
    cdef Py_ssize_t row, k
    cdef int32_t *into
    cdef int32_t literal
    if rows.shape[0] != count or not 0 < rows.shape[1] < 1 << 15:
        raise ValueError(f"expected {count} rows of literals, got {rows.shape[0]}")
    width[0] = <int32_t>rows.shape[1]
    into = <int32_t *>room(arena, count * rows.shape[1], sizeof(int32_t))
    for row in range(count):
        for k in range(rows.shape[1]):
            literal = rows[row, k]
            if literal >= below:
                raise ValueError(f"expected literals below {below}, got {literal}")
            into[row * rows.shape[1] + k] = max(literal, -1)
            if literal < 0:
                break
        else:
            raise ValueError(f"expected a row of literals to end, got {rows.shape[1]} literals")
    return into


cdef inline int make_state(Frame *f, State *s, Arena *arena, bint hidden) except -1:
    """Make room for a board, and set it up as it is before anything is known."""
    cdef int items = f.vertices + f.faces, nodes = max(f.vertices, f.faces + 2), item, kind
    s.value = <uint8_t *>room(arena, f.edges, 1)
    s.trail = <Entry *>room(arena, f.edges, sizeof(Entry))
    s.counts = <uint8_t *>room(arena, f.faces, 1)
    s.shown = <uint8_t *>room(arena, f.faces, 1)
    s.missing = <uint8_t *>room(arena, f.instances, 1)
    s.window_clues = <int32_t *>room(arena, f.window_first[2], sizeof(int32_t))
    s.site_mask = <uint8_t *>room(arena, items, 1)
    s.lines = <uint8_t *>room(arena, items, 1)
    s.crosses = <uint8_t *>room(arena, items, 1)
    s.cut_open = <int32_t *>room(arena, f.cuts, sizeof(int32_t))
    s.cut_lines = <int32_t *>room(arena, f.cuts, sizeof(int32_t))
    s.end = <End *>room(arena, f.vertices, sizeof(End))
    s.node = <Node *>room(arena, nodes, sizeof(Node))
    s.merged = <int32_t *>room(arena, nodes, sizeof(int32_t))
    for kind in range(KINDS):
        s.waiting[kind] = <int32_t *>room(arena, items, sizeof(int32_t))
        s.is_waiting[kind] = <uint8_t *>room(arena, items, 1)
    if f.enabled[0][WINDOW] or f.enabled[0][WIDE]:
        s.ways = <uint32_t *>room(arena, <Py_ssize_t>f.window_first[2] * WAYS, sizeof(uint32_t))
        s.ways_known = <int64_t *>room(arena, f.window_first[2], sizeof(int64_t))
    s.visit = <Visit *>room(arena, nodes, sizeof(Visit))
    s.stack = <int32_t *>room(arena, nodes, sizeof(int32_t))
    s.label_words = f.pairs // 64 + 1
    # There is something to look at even if no edge is decided.
    s.n.noted, s.n.notes = -1, 1
    if f.notes:
        make_notes(f, s, arena)
    if f.enabled[0][POCKET]:
        s.inside = <uint64_t *>room(arena, <Py_ssize_t>f.vertices * s.label_words, sizeof(uint64_t))
    for item in range(f.vertices):
        s.end[item].mate, s.end[item].label = item, f.terminal[item]
    for item in range(nodes):
        s.node[item].parent = s.node[item].following = item
        # The outside is never the smaller part of a merge: it has no ring of edges to look along.
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
    s.unsought = <uint64_t *>room(arena, 2 * <Py_ssize_t>s.label_words, sizeof(uint64_t))
    s.walked = <uint8_t *>room(arena, 4 * <Py_ssize_t>f.vertices, 1)
    s.queue = <int32_t *>room(arena, 4 * <Py_ssize_t>f.vertices, sizeof(int32_t))
    return 0


cdef inline void set_counts(Frame *f, State *s, bint hidden) noexcept:
    """Set what depends on which clues are shown: all or none."""
    cdef int vertex, face, k, at, side, row, col
    for vertex in range(f.vertices):
        # An end asks for no look at its sides, nor does a face without a clue.
        s.site_mask[vertex] = 0 if f.degrees[vertex] == ONE_LINE else f.degrees[vertex]
        s.n.unmet += not f.degrees[vertex] & 1
        for k in range(4):
            s.crosses[vertex] += f.ring[vertex].edges[k] < 0
    for face in range(f.faces):
        s.shown[face] = not hidden
        s.counts[face] = <uint8_t>ANY_COUNT if hidden else f.clues[face]
        s.site_mask[f.vertices + face] = 0 if s.counts[face] == ANY_COUNT else s.counts[face]
        s.n.unmet += not s.counts[face] & 1
    for at in range(f.instances):
        s.missing[at] = f.asks[at] if hidden else 0
    for at in range(f.window_first[2]):
        if not (f.coloured and f.local):
            # Never above 0, however many clues come.
            s.window_clues[at] = -f.faces
        side = 2 if at < f.window_first[1] else 3
        for row in range(1, side + 1):
            for col in range(1, side + 1):
                face = f.window[at].faces[row * (side + 2) + col]
                s.window_clues[at] += s.counts[face] != ANY_COUNT


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

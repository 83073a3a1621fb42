"""Notes on cells and edges: knowledge beyond lines and crosses on a board of several paths.

A *shape* of a vertex is the set of its lines as a mask of ways out: 1 up, 2 left, 4 right, 8 down,
0 where no path comes. The shapes that are still possible are noted for each vertex; for each edge,
the labels of the paths that may use it. Notes follow from the trail, up to `Numbers.noted`. When a
guess is undone they are rebuilt.

What a note rules out decides edges at once, for the technique that made the note. The place of such
a step is a vertex, or an edge counted after the vertices.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from linkoracle.deduce.kernel.drawing cimport fail, put, put_agreed
from linkoracle.deduce.kernel.state cimport DOT, TECHNIQUES, Frame, State

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
    cdef int always = 15, ever = 0, shape, why = s.shaped_by[vertex]
    if s.shapes[vertex] == 0:
        return fail(s, why, vertex)
    for shape in range(SHAPES):
        if s.shapes[vertex] >> shape & 1:
            always &= shape
            ever |= shape
    return put_agreed(f, s, f.ring[vertex].edges, 4, always, ever, why, vertex)


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
    return put(f, s, 2 * edge + 1, technique, f.vertices + edge)


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
    return put(f, s, 2 * edge + 1, technique, f.vertices + edge)


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

"""Techniques for paths that may leave cells empty, on boards with one solution.

The only solution allows no alternative (`docs/explanation/taut.md`): no path runs beside itself
without the edge between (a chord), and no connected set of unused vertices lies beside a path
twice (a detour).

A technique returns as soon as it has decided an edge, since earlier techniques may then find a
step. It is called again later.
"""

from libc.stdint cimport int32_t

from linkoracle.board.plane cimport far_end
from linkoracle.deduce.kernel.drawing cimport fail, find_root, put, unite
from linkoracle.deduce.kernel.notes cimport (
    LEFT_DOWN, RIGHT_DOWN, SHAPES, UNUSED, UP_LEFT, UP_RIGHT, exclude_at, is_used, keep_shapes,
    label_at, only_label
)
from linkoracle.deduce.kernel.state cimport BESIDE, CORNER, EMPTY, Frame, State, is_cross, is_open


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
            return fail(s, BESIDE, f.vertices + edge)
        for m in range(4):
            other = f.ring[w].edges[m]
            if other < 0 or other == edge or not is_open(s, other):
                continue
            if not same_path(s, vertex, far_end(&f.plane, other, w)):
                continue
            if not put(f, s, 2 * other + 1, BESIDE, f.vertices + edge):
                return False
    return True


cdef inline bint follow(Frame *f, State *s, int at) noexcept nogil:
    """Join the vertices of a new line, and forbid chords beside what a literal changed."""
    cdef int literal = s.trail.literals[at], number = literal >> 1, vertex, k
    cdef int32_t *ends = f.plane.ends + 2 * number
    if not literal & 1:
        if unite(s, ends[0], ends[1], 0, BESIDE, f.vertices + number) == -2:
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
            if one and one == other and not put(f, s, 2 * number, BESIDE, f.vertices + number):
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

"""Faces of a board in two colours, and the line between them, which flips of faces change.

A flip of a face removes its edges on the line from the line and adds its other edges. The line
stays a single one iff these edges on the line are one piece, and the rest of the boundary of the
face meets the line only at the two ends of this piece. The flip then replaces the piece by another
way between the same ends. The edges and vertices of the face alone decide this, on every board.
"""

from libc.stdint cimport int32_t, uint8_t

from linkoracle.board.plane cimport Plane, far_end


cdef struct Faces:
    Plane plane
    uint8_t *line  # by edge: whether the line runs there
    int32_t *passed  # by vertex: how many edges of the line it has
    int32_t *count  # by face: how many edges of the line are around it
    uint8_t *colour  # by face, 0 or 1
    uint8_t *outside  # by edge of the border: the colour beyond it
    uint8_t *simple  # by face: whether one cycle bounds it; no other face is ever flipped
    int32_t *walk  # of each face the edges in the order of its boundary, as `face_starts` has them
    int32_t *corner  # the vertex before each of these edges
    int32_t *around_starts  # of each face, where what is around it begins in `around`
    # The faces around a face in the order of its boundary: across an edge, then those that it meets
    # at the next vertex only. The outside beyond an edge of the border is the edge's complement.
    int32_t *around
    uint8_t *is_side  # whether that is across an edge


cdef inline int across(const Plane *p, int edge, int face) noexcept nogil:
    """The face on the other side of an edge, or `NO_FACE`."""
    return p.faces[2 * edge] + p.faces[2 * edge + 1] - face


cdef inline int length_of(const Faces *f, int face) noexcept nogil:
    """How many edges are around a face."""
    return f.plane.face_starts[face + 1] - f.plane.face_starts[face]


cdef inline bint can_flip(const Faces *f, int face) noexcept nogil:
    """Whether the line stays a single one when this face changes its colour."""
    cdef int k, end = f.plane.face_starts[face + 1], pieces = 0
    cdef uint8_t here, before = f.line[f.walk[end - 1]]
    if not f.simple[face]:
        return False
    for k in range(f.plane.face_starts[face], end):
        here = f.line[f.walk[k]]
        if here:
            pieces += not before
        elif not before and f.passed[f.corner[k]]:
            return False
        before = here
    return pieces == 1


cdef inline void toggle(Faces *f, int edge) noexcept nogil:
    """Put an edge on the line, or take it off."""
    cdef int side, face, by = -1 if f.line[edge] else 1
    f.line[edge] ^= 1
    for side in range(2):
        f.passed[f.plane.ends[2 * edge + side]] += by
        face = f.plane.faces[2 * edge + side]
        if face >= 0:
            f.count[face] += by


cdef inline void flip(Faces *f, int face) noexcept nogil:
    """Change the colour of a face; a second time undoes it."""
    cdef int k
    for k in range(f.plane.face_starts[face], f.plane.face_starts[face + 1]):
        toggle(f, f.walk[k])
    f.colour[face] ^= 1


cdef inline bint is_alike(const Faces *f, int face, int place) noexcept nogil:
    """Whether what is around a face at a place has its colour."""
    cdef int other = f.around[place]
    return f.colour[face] == (f.colour[other] if other >= 0 else f.outside[~other])


cdef inline bint winds(const Faces *f, int face, bint ties) noexcept nogil:
    """Whether a flip makes the line longer, or as long and more crooked."""
    cdef int added = length_of(f, face) - 2 * f.count[face], k, gain = 0
    if added or not ties:
        return added > 0
    for k in range(f.around_starts[face], f.around_starts[face + 1]):
        if not f.is_side[k]:
            gain += 1 if is_alike(f, face, k) else -1
    return gain > 0


cdef inline bint is_single(const Faces *f) noexcept nogil:
    """Whether the line is one loop, or one path. O(size of the board)."""
    cdef const Plane *p = &f.plane
    cdef int vertex, edge, k, onward, start = -1, before = -1, left = 0
    for vertex in range(p.num_vertices):
        if f.passed[vertex] > 2:
            return False
        if f.passed[vertex] == 1 or (start < 0 and f.passed[vertex]):
            start = vertex
    if start < 0:
        return False
    for edge in range(p.num_edges):
        left += f.line[edge]
    vertex = start
    while True:
        onward = -1
        for k in range(p.starts[vertex], p.starts[vertex + 1]):
            if f.line[p.edges[k]] and p.edges[k] != before:
                onward = p.edges[k]
        if onward < 0:
            break
        left -= 1
        before, vertex = onward, far_end(p, onward, vertex)
        if vertex == start:
            break
    return left == 0

"""A board as kernels see it: the arrays of `linkoracle.board.board.Layout`, copied and checked.

No kernel computes what is beside what in any other way, so each works on every board.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from linkoracle.core.arena cimport Arena, arena_error, arena_take

cdef enum:
    NO_FACE = -1
    MAX_ITEMS = 1 << 30  # vertices, edges, or faces of a board


cdef struct Plane:
    int num_vertices
    int num_edges
    int num_faces
    int32_t *ends  # two of each edge, the smaller first
    int32_t *faces  # two of each edge, NO_FACE where there is none
    int32_t *starts  # where the edges of each vertex begin in `edges`, and their end
    int32_t *edges  # of each vertex, in increasing order
    int32_t *face_starts  # the same for the edges around each face
    int32_t *face_edges


cdef inline int far_end(const Plane *p, int edge, int here) noexcept nogil:
    """The end of an edge that is not ``here``."""
    return p.ends[2 * edge] + p.ends[2 * edge + 1] - here


cdef inline int edge_between(const Plane *p, int one, int other) noexcept nogil:
    """The edge that joins two vertices, or -1. O(edges of the first)."""
    cdef int k
    for k in range(p.starts[one], p.starts[one + 1]):
        if far_end(p, p.edges[k], one) == other:
            return p.edges[k]
    return -1


cdef inline int32_t *copied(
    Arena *arena, const int32_t[::1] items, int64_t least, int64_t end
) except? NULL:
    """A copy of ids from ``least`` to below ``end``; ``ValueError`` for others."""
    cdef Py_ssize_t k
    cdef int32_t *made = <int32_t *>arena_take(arena, items.shape[0], sizeof(int32_t))
    if made == NULL:
        arena_error(arena, "laying out the board")
    for k in range(items.shape[0]):
        if not least <= items[k] < end:
            raise ValueError("expected ids of the board")
    if items.shape[0]:
        memcpy(made, &items[0], items.shape[0] * sizeof(int32_t))
    return made


cdef inline int plane_open(Plane *p, Arena *arena, object board) except -1:
    """Lay out a `linkoracle.board.board.Board`. Raises `MemoryLimit`; O(size)."""
    cdef int64_t vertices = board.num_vertices, edges = board.num_edges, faces = board.num_faces
    cdef int edge, k, vertex
    layout = board.layout
    if not (0 <= vertices < MAX_ITEMS and 0 <= edges < MAX_ITEMS and 0 <= faces < MAX_ITEMS):
        raise ValueError("expected a smaller board")
    if len(layout.edge_ends) != 2 * edges or len(layout.edge_faces) != 2 * edges:
        raise ValueError("expected two ends and two faces for each edge")
    if len(layout.face_starts) != faces + 1 or layout.face_starts[faces] != len(layout.face_edges):
        raise ValueError("expected the edges around each face")
    p.num_vertices, p.num_edges, p.num_faces = <int>vertices, <int>edges, <int>faces
    p.ends = copied(arena, layout.edge_ends, 0, vertices)
    p.faces = copied(arena, layout.edge_faces, NO_FACE, faces)
    p.face_starts = copied(arena, layout.face_starts, 0, len(layout.face_edges) + 1)
    p.face_edges = copied(arena, layout.face_edges, 0, edges)
    p.starts = <int32_t *>arena_take(arena, vertices + 1, sizeof(int32_t))
    p.edges = <int32_t *>arena_take(arena, 2 * edges, sizeof(int32_t))
    if arena.refused:
        arena_error(arena, "laying out the board")
    # Counting sort: in increasing order, whatever angles the layout has.
    for k in range(2 * p.num_edges):
        p.starts[p.ends[k] + 1] += 1
    for vertex in range(p.num_vertices):
        p.starts[vertex + 1] += p.starts[vertex]
    for edge in range(p.num_edges - 1, -1, -1):
        for k in range(2):
            vertex = p.ends[2 * edge + k]
            p.starts[vertex + 1] -= 1
            p.edges[p.starts[vertex + 1]] = edge
    # The last loop has moved every end to its start.
    for vertex in range(p.num_vertices):
        p.starts[vertex] = p.starts[vertex + 1]
    p.starts[p.num_vertices] = 2 * p.num_edges
    return 0

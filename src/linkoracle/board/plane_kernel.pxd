"""A board as kernels see it: the arrays of `linkoracle.board.board.Layout`, copied and checked.

No kernel computes what is beside what in any other way, so each works on every board.
`Board.plane` has the `PlaneArrays` in which they stand.
"""

from libc.stdint cimport int32_t

from linkoracle.core.kernels cimport Arena


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


cdef class PlaneArrays:
    cdef Arena arena
    cdef Plane plane  # valid as long as this object is

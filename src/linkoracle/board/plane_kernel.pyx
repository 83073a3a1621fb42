"""The flat arrays of a board: written for a square one, copied and checked for kernels.

A board is laid out for its kernels once (`Board.plane`). They keep the object and read its arrays.
"""

from array import array

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t

from linkoracle.core.kernels cimport (
    Arena, Index, add_item, arena_close, arena_copy, arena_error, arena_open, arena_take,
    count_item, place_items
)


cdef object zeros(int64_t count):
    return array("i", bytes(4 * count))


def square_layout(int64_t rows, int64_t cols) -> tuple[
    array[int], array[int], array[int], array[int], array[int], array[int]
]:
    """Return the six arrays of the `Layout` of ``rows`` x ``cols`` vertices.

    Raises ``ValueError`` unless there are vertices, and fewer than 2**30 edges. O(rows * cols).

    >>> [items.tolist() for items in square_layout(1, 2)]
    [[0, 1], [-1, -1], [0, 1, 2], [0, 0], [0], []]
    """
    if not (0 < rows < MAX_ITEMS and 0 < cols < MAX_ITEMS and 2 * rows * cols < MAX_ITEMS):
        raise ValueError("expected a smaller board")
    cdef int64_t edges = 2 * rows * cols - rows - cols, faces = (rows - 1) * (cols - 1)
    cdef int64_t row, col, vertex, here, edge, place = 0
    found = (
        zeros(2 * edges), zeros(2 * edges), zeros(rows * cols + 1), zeros(2 * edges),
        zeros(faces + 1), zeros(4 * faces),
    )
    cdef int32_t[::1] ends = found[0], beside = found[1], starts = found[2], around = found[3]
    cdef int32_t[::1] face_starts = found[4], face_edges = found[5]
    for vertex in range(rows * cols):
        row, col = vertex // cols, vertex % cols
        here = vertex - row if row < rows - 1 and col < cols - 1 else NO_FACE
        # Clockwise from the right.
        if col < cols - 1:
            edge = right_of(rows, cols, vertex)
            ends[2 * edge], ends[2 * edge + 1] = vertex, vertex + 1
            set_sides(beside, edge, vertex - row - cols + 1 if row else NO_FACE, here)
            around[place] = edge
            place += 1
        if row < rows - 1:
            edge = down_of(cols, vertex)
            ends[2 * edge], ends[2 * edge + 1] = vertex, vertex + cols
            set_sides(beside, edge, vertex - row - 1 if col else NO_FACE, here)
            around[place] = edge
            place += 1
        if col:
            around[place] = right_of(rows, cols, vertex - 1)
            place += 1
        if row:
            around[place] = down_of(cols, vertex - cols)
            place += 1
        starts[vertex + 1] = place
        if here != NO_FACE:
            face_starts[here + 1] = 4 * here + 4
            face_edges[4 * here] = right_of(rows, cols, vertex)
            face_edges[4 * here + 1] = down_of(cols, vertex)
            face_edges[4 * here + 2] = down_of(cols, vertex + 1)
            face_edges[4 * here + 3] = right_of(rows, cols, vertex + cols)
    return found


cdef int64_t right_of(int64_t rows, int64_t cols, int64_t vertex) noexcept:
    """The edge to the right of a vertex: each row has one to the right, then one down, by turns."""
    cdef int64_t row = vertex // cols, col = vertex % cols
    return row * (2 * cols - 1) + (2 * col if row < rows - 1 else col)


cdef int64_t down_of(int64_t cols, int64_t vertex) noexcept:
    cdef int64_t row = vertex // cols, col = vertex % cols
    return row * (2 * cols - 1) + min(2 * col + 1, 2 * cols - 2)


cdef void set_sides(int32_t[::1] beside, int64_t edge, int64_t before, int64_t after) noexcept:
    """Note the faces beside an edge, the first one first and `NO_FACE` last."""
    beside[2 * edge] = after if before == NO_FACE else before
    beside[2 * edge + 1] = NO_FACE if before == NO_FACE else after


cdef int32_t *copied(
    Arena *arena, const int32_t[::1] items, int64_t least, int64_t end
) except? NULL:
    """A copy of ids from ``least`` to below ``end``; ``ValueError`` for others."""
    cdef Py_ssize_t k, size = items.shape[0]
    for k in range(size):
        if not least <= items[k] < end:
            raise ValueError("expected ids of the board")
    cdef void *made = arena_copy(arena, &items[0] if size else NULL, size, sizeof(int32_t))
    if made == NULL:
        arena_error(arena, "laying out the board")
    return <int32_t *>made


cdef class PlaneArrays:
    """The layout of a `Board`, for kernels. Immutable.

    Raises ``ValueError`` for an invalid layout, and `MemoryLimit`. O(size).
    """

    def __cinit__(self, board: Any):
        arena_open(&self.arena, <size_t>-1)
        cdef Plane *p = &self.plane
        cdef int64_t vertices = board.num_vertices, edges = board.num_edges, faces = board.num_faces
        cdef Index index
        cdef int k
        layout = board.layout
        if not (0 <= vertices < MAX_ITEMS and 0 <= edges < MAX_ITEMS and 0 <= faces < MAX_ITEMS):
            raise ValueError("expected a smaller board")
        if len(layout.edge_ends) != 2 * edges or len(layout.edge_faces) != 2 * edges:
            raise ValueError("expected two ends and two faces for each edge")
        if len(layout.face_starts) != faces + 1:
            raise ValueError("expected the edges around each face")
        p.num_vertices, p.num_edges, p.num_faces = <int>vertices, <int>edges, <int>faces
        p.ends = copied(&self.arena, layout.edge_ends, 0, vertices)
        p.faces = copied(&self.arena, layout.edge_faces, NO_FACE, faces)
        p.face_starts = copied(&self.arena, layout.face_starts, 0, len(layout.face_edges) + 1)
        p.face_edges = copied(&self.arena, layout.face_edges, 0, edges)
        if p.face_starts[0] != 0 or p.face_starts[p.num_faces] != len(layout.face_edges):
            raise ValueError("expected the edges around each face")
        for k in range(p.num_faces):
            if p.face_starts[k] > p.face_starts[k + 1]:
                raise ValueError("expected the edges of each face after those of the one before")
        p.starts = <int32_t *>arena_take(&self.arena, vertices + 2, sizeof(int32_t))
        p.edges = <int32_t *>arena_take(&self.arena, 2 * edges, sizeof(int32_t))
        if self.arena.refused:
            arena_error(&self.arena, "laying out the board")
        # In increasing order, whatever angles the layout has.
        index.start, index.found = p.starts, p.edges
        for k in range(2 * p.num_edges):
            count_item(&index, p.ends[k])
        place_items(&index, vertices)
        for k in range(2 * p.num_edges):
            add_item(&index, p.ends[k], k // 2)

    def __dealloc__(self):
        arena_close(&self.arena)

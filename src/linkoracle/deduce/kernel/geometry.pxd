"""Where the edges, faces, windows and cells of a lattice are, and which are beside which.

Numbers are those of `linkoracle.board.lattice.Lattice`. What is off the board is `NOWHERE`, but
faces: the outside is face ``faces``, and beyond some edges of the rim ``faces + 1``.
"""

from libc.stdint cimport int16_t, int32_t
from libc.string cimport memcpy

from linkoracle.core.arena cimport Arena
from linkoracle.deduce.kernel.loading cimport index_rows, room
from linkoracle.deduce.kernel.state cimport (
    CELL_EDGES, DOWN_WAY, LEFT_WAY, NOWHERE, RIGHT_WAY, UP_WAY, Cell, Edge, Frame, Ring, Window
)


cdef inline int edge_from(const Frame *f, int row, int col, int way) noexcept nogil:
    """The edge that leaves a vertex that way; `NOWHERE` for one that is not there."""
    if not (0 <= row < f.rows and 0 <= col < f.columns):
        return NOWHERE
    return f.ring[row * f.columns + col].edges[way]


cdef inline int place_board(Frame *f, Arena *arena, tuple rim) except -1:
    """Find all that follows from the size of a board, and from its rim; see `place_rim`."""
    f.vertices, f.edges, f.faces = f.plane.num_vertices, f.plane.num_edges, f.plane.num_faces
    f.cuts = f.rows - 1 + f.columns - 1
    place_edges(f, arena)
    place_rim(f, arena, rim)
    place_cuts(f, arena)
    place_windows(f, arena)
    return place_cells(f, arena)


cdef inline int place_edges(Frame *f, Arena *arena) except -1:
    """Edges, what they lie between, and the edges around vertices and faces, from the plane."""
    cdef int vertex, face, edge, k, one, other
    cdef bint level
    cdef Edge *laid
    f.edge = <Edge *>room(arena, f.edges, sizeof(Edge))
    f.ring = <Ring *>room(arena, f.vertices + f.faces, sizeof(Ring))
    for vertex in range(f.vertices):
        for k in range(4):
            f.ring[vertex].edges[k] = NOWHERE
    for edge in range(f.edges):
        laid = &f.edge[edge]
        one, other = f.plane.ends[2 * edge], f.plane.ends[2 * edge + 1]
        level = f.columns > 1 and other == one + 1
        laid.cut = one % f.columns + f.rows - 1 if level else one // f.columns
        f.ring[one].edges[RIGHT_WAY if level else DOWN_WAY] = edge
        f.ring[other].edges[LEFT_WAY if level else UP_WAY] = edge
        one, other = f.plane.faces[2 * edge], f.plane.faces[2 * edge + 1]
        laid.sides[0] = f.faces if one < 0 else one if other < 0 else other
        laid.sides[1] = f.faces if other < 0 else one
    for face in range(f.faces):
        memcpy(f.ring[f.vertices + face].edges, f.plane.face_edges + 4 * face, sizeof(Ring))
    return 0


cdef inline int place_rim(Frame *f, Arena *arena, tuple rim) except -1:
    """The edges with the outside on one side; those given have the other outside there."""
    cdef int edge
    f.rim = <int32_t *>room(arena, f.edges, sizeof(int32_t))
    for edge in range(f.edges):
        if f.edge[edge].sides[1] == f.faces:
            f.rim[f.rims] = edge
            f.rims += 1
    for edge in rim:
        if not (0 <= edge < f.edges and f.edge[edge].sides[1] == f.faces):
            raise ValueError(f"expected edges of the rim, got {edge}")
        f.edge[edge].sides[1] = f.faces + 1
    return 0


cdef inline int place_cuts(Frame *f, Arena *arena) except -1:
    """The edges that each straight cut crosses: between rows, then between columns."""
    cdef Py_ssize_t width = sizeof(Edge) // sizeof(int32_t)
    return index_rows(&f.crossing, arena, f.cuts, &f.edge[0].cut, f.edges, width, 1)


cdef inline int face_near(const Frame *f, int row, int col) noexcept nogil:
    """A face, or the outside beside the rim.

    Beyond a corner vertex is the same outside as beside it; where a path ends there, all the same,
    for nothing is asked of that vertex.
    """
    cdef int last_row = f.rows - 2, last_col = f.columns - 2, edge
    if 0 <= row <= last_row and 0 <= col <= last_col:
        return row * (f.columns - 1) + col
    if 0 <= row <= last_row:
        edge = edge_from(f, row, 0 if col < 0 else f.columns - 1, DOWN_WAY)
    else:
        col = max(0, min(col, last_col))
        edge = edge_from(f, 0 if row < 0 else f.rows - 1, col, RIGHT_WAY)
    return f.edge[edge].sides[1]


cdef inline int place_windows(Frame *f, Arena *arena) except -1:
    """Windows of 2x2, then of 3x3 cells, row by row."""
    cdef int side, row, col, at
    cdef Window *window
    for side in range(2, 4):
        f.window_first[side - 1] = f.window_first[side - 2]
        if f.rows > side and f.columns > side:
            f.window_first[side - 1] += (f.rows - side) * (f.columns - side)
    f.window = <Window *>room(arena, f.window_first[2], sizeof(Window))
    for side in range(2, 4):
        window = f.window + f.window_first[side - 2]
        for row in range(f.rows - side):
            for col in range(f.columns - side):
                for at in range((side + 2) * (side + 2)):
                    window.faces[at] = face_near(
                        f, row + at // (side + 2) - 1, col + at % (side + 2) - 1
                    )
                for at in range((side + 1) * (side + 1)):
                    window.dots[at] = (row + at // (side + 1)) * f.columns + col + at % (side + 1)
                window += 1
        window = f.window + f.window_first[side - 2]
        index_rows(
            &f.windows[side - 2], arena, f.faces + 2, window.faces,
            f.window_first[side - 1] - f.window_first[side - 2],
            sizeof(Window) // sizeof(int32_t), (side + 2) * (side + 2),
        )
    return 0


cdef inline int place_cells(Frame *f, Arena *arena) except -1:
    """The edges of each cell and those that leave it, vertex by vertex; which cells have an edge.

    At each vertex those that are new: the edges up, to the left, to the right, down.
    """
    cdef int face, corner, way, vertex, k
    f.cell = <Cell *>room(arena, f.faces, sizeof(Cell))
    for face in range(f.faces):
        k = 0
        for corner in range(4):
            vertex = face + face // (f.columns - 1) + corner // 2 * f.columns + corner % 2
            for way in range(4):
                if not (way == UP_WAY and corner > 1 or way == LEFT_WAY and corner % 2):
                    f.cell[face].edges[k] = f.ring[vertex].edges[way]
                    k += 1
    return index_rows(&f.cells, arena, f.edges, f.cell.edges, f.faces, CELL_EDGES, CELL_EDGES)


cdef enum:
    # The edges of a cell in its own numbers: those around it; and, below, around its vertices.
    TOP = 2
    LEFT = 3
    RIGHT = 6
    BOTTOM = 8


cdef inline int find_fills(Frame *f, Arena *arena) except -1:
    """The completions of a cell without a clue that cannot be flipped.

    Flipping takes the other edges around the cell, where these hold one piece of a line, and where
    the vertices that this adds to the line are unused: the result is as good a loop, and the counts
    of the four neighbours change. So where those have no clues either, there are two solutions.
    """
    cdef int *around = [0, 1, 2, 3, 4, 2, 5, 6, 3, 7, 8, 9, 6, 8, 10, 11]
    cdef int way, flipped, lines
    cdef bint one_piece
    f.free_fills = <int16_t *>room(arena, 1 << CELL_EDGES, sizeof(int16_t))
    for way in range(1 << CELL_EDGES):
        if not no_ends(way, around):
            continue
        lines = (way >> TOP & 1) + (way >> LEFT & 1) + (way >> RIGHT & 1) + (way >> BOTTOM & 1)
        one_piece = lines == 1 or lines == 3 or (
            lines == 2 and way >> TOP & 1 != way >> BOTTOM & 1 and way >> LEFT & 1 != way >> RIGHT & 1
        )
        flipped = way ^ (1 << TOP | 1 << LEFT | 1 << RIGHT | 1 << BOTTOM)
        if not one_piece or not no_ends(flipped, around):
            f.free_fills[f.fills] = <int16_t>way
            f.fills += 1
    return 0


cdef inline bint no_ends(int way, const int *around) noexcept nogil:
    """Whether each of the four vertices of a cell has none or two of these edges."""
    cdef int vertex, k, lines
    for vertex in range(4):
        lines = 0
        for k in range(4):
            lines += way >> around[4 * vertex + k] & 1
        if lines != 0 and lines != 2:
            return False
    return True

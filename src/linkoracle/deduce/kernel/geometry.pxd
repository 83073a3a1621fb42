"""Where the edges, faces, windows and cells of a lattice are, and which are beside which.

Numbers are those of `linkoracle.board.lattice.Lattice`. What is off the board is `NOWHERE`, but
faces: the outside is face ``faces``, and beyond some edges of the rim ``faces + 1``.
"""

from libc.stdint cimport int8_t, int16_t, int32_t

from linkoracle.board.plane cimport edge_between
from linkoracle.core.arena cimport Arena
from linkoracle.deduce.kernel.loading cimport (
    add_item, begin_index, count_item, place_items, room
)
from linkoracle.deduce.kernel.state cimport (
    CELL_EDGES, NOWHERE, Cell, Edge, Frame, Index, Ring, Site, Window
)


cdef inline int right_of(const Frame *f, int row, int col) noexcept nogil:
    """The edge to the right of a vertex."""
    if not (0 <= row < f.rows and 0 <= col < f.columns - 1):
        return NOWHERE
    return edge_between(&f.plane, row * f.columns + col, row * f.columns + col + 1)


cdef inline int down_of(const Frame *f, int row, int col) noexcept nogil:
    """The edge down from a vertex."""
    if not (0 <= row < f.rows - 1 and 0 <= col < f.columns):
        return NOWHERE
    return edge_between(&f.plane, row * f.columns + col, row * f.columns + col + f.columns)


cdef inline int face_of(const Frame *f, int row, int col) noexcept nogil:
    """The face below and to the right of a vertex; the outside where there is none."""
    if not (0 <= row < f.rows - 1 and 0 <= col < f.columns - 1):
        return f.faces
    return row * (f.columns - 1) + col


cdef inline int lay_edges(Frame *f, Arena *arena) except -1:
    """Edges, what they lie between, and the edges around vertices and faces."""
    cdef int vertex, row, col, face
    cdef int32_t *edges
    f.edge = <Edge *>room(arena, f.edges, sizeof(Edge))
    f.ring = <Ring *>room(arena, f.vertices + f.faces, sizeof(Ring))
    for vertex in range(f.vertices):
        row, col = vertex // f.columns, vertex % f.columns
        edges = f.ring[vertex].edges
        edges[0], edges[1] = down_of(f, row - 1, col), right_of(f, row, col - 1)
        edges[2], edges[3] = right_of(f, row, col), down_of(f, row, col)
        face = face_of(f, row, col)
        if edges[2] >= 0:
            lay_edge(f, edges[2], vertex, vertex + 1, face, face_of(f, row - 1, col), col + f.rows - 1)
        if edges[3] >= 0:
            lay_edge(f, edges[3], vertex, vertex + f.columns, face, face_of(f, row, col - 1), row)
        if face < f.faces:
            edges = f.ring[f.vertices + face].edges
            edges[0], edges[1] = right_of(f, row, col), down_of(f, row, col)
            edges[2], edges[3] = down_of(f, row, col + 1), right_of(f, row + 1, col)
    return 0


cdef inline void lay_edge(
    Frame *f, int edge, int one, int other, int after, int before, int cut
) noexcept nogil:
    """An edge between two vertices, with faces after and before it."""
    cdef Edge *laid = &f.edge[edge]
    laid.ends[0], laid.ends[1], laid.cut = one, other, cut
    laid.sides[0], laid.sides[1] = after, before
    if after == f.faces:
        laid.sides[0], laid.sides[1] = before, after


cdef inline int lay_rim(Frame *f, Arena *arena, tuple rim) except -1:
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


cdef inline int lay_cuts(Frame *f, Arena *arena) except -1:
    """The edges that each straight cut crosses: between rows, then between columns."""
    cdef int edge
    begin_index(&f.crossing, arena, f.cuts)
    for edge in range(f.edges):
        count_item(&f.crossing, f.edge[edge].cut)
    place_items(&f.crossing, arena, f.cuts)
    for edge in range(f.edges):
        add_item(&f.crossing, f.edge[edge].cut, edge)
    return 0


cdef inline int face_near(const Frame *f, int row, int col) noexcept nogil:
    """A face, or the outside beside the rim.

    Beyond a corner vertex is the same outside as beside it; where a path ends there, all the same,
    for nothing is asked of that vertex.
    """
    cdef int last_row = f.rows - 2, last_col = f.columns - 2, edge
    if 0 <= row <= last_row and 0 <= col <= last_col:
        return face_of(f, row, col)
    if 0 <= row <= last_row:
        edge = down_of(f, row, 0 if col < 0 else f.columns - 1)
    else:
        edge = right_of(f, 0 if row < 0 else f.rows - 1, max(0, min(col, last_col)))
    return f.edge[edge].sides[1]


cdef inline int lay_windows(Frame *f, Arena *arena) except -1:
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
        lay_window_index(f, arena, side)
    return 0


cdef inline int lay_window_index(Frame *f, Arena *arena, int side) except -1:
    """Which windows of a size a face is in, or beside."""
    cdef Index *index = &f.windows[side - 2]
    cdef Window *window = f.window + f.window_first[side - 2]
    cdef int size = f.window_first[side - 1] - f.window_first[side - 2], at, k
    begin_index(index, arena, f.faces + 2)
    for at in range(size):
        for k in range((side + 2) * (side + 2)):
            count_item(index, window[at].faces[k])
    place_items(index, arena, f.faces + 2)
    for at in range(size):
        for k in range((side + 2) * (side + 2)):
            add_item(index, window[at].faces[k], at)
    return 0


cdef inline int lay_cells(Frame *f, Arena *arena) except -1:
    """The edges of each cell and those that leave it, vertex by vertex.

    At each vertex those that are new: the edges up, to the left, to the right, down.
    """
    cdef int face, row, col, k
    cdef int32_t *edges
    f.cell = <Cell *>room(arena, f.faces, sizeof(Cell))
    begin_index(&f.cells, arena, f.edges)
    for face in range(f.faces):
        row, col = face // (f.columns - 1), face % (f.columns - 1)
        edges = f.cell[face].edges
        edges[0], edges[1] = down_of(f, row - 1, col), right_of(f, row, col - 1)
        edges[2], edges[3] = right_of(f, row, col), down_of(f, row, col)
        edges[4], edges[5] = down_of(f, row - 1, col + 1), right_of(f, row, col + 1)
        edges[6], edges[7] = down_of(f, row, col + 1), right_of(f, row + 1, col - 1)
        edges[8], edges[9] = right_of(f, row + 1, col), down_of(f, row + 1, col)
        edges[10], edges[11] = right_of(f, row + 1, col + 1), down_of(f, row + 1, col + 1)
        for k in range(CELL_EDGES):
            if edges[k] >= 0:
                count_item(&f.cells, edges[k])
    place_items(&f.cells, arena, f.edges)
    for face in range(f.faces):
        for k in range(CELL_EDGES):
            if f.cell[face].edges[k] >= 0:
                add_item(&f.cells, f.cell[face].edges[k], face)
    return 0


cdef inline int lay_sites(Frame *f, Arena *arena) except -1:
    """The faces around each vertex, then each face and its neighbours; and what divides them."""
    cdef int site, k, place, side, face, at
    cdef Site *laid
    f.site = <Site *>room(arena, f.vertices + f.faces, sizeof(Site))
    for site in range(f.vertices + f.faces):
        laid = &f.site[site]
        for k in range(5):
            laid.faces[k] = NOWHERE
        place = 0
        for k in range(4):
            laid.pairs[k][0] = laid.pairs[k][1] = NOWHERE
        for k in range(4):
            if f.ring[site].edges[k] < 0:
                continue
            for side in range(2):
                face, at = f.edge[f.ring[site].edges[k]].sides[side], 0
                while laid.faces[at] >= 0 and laid.faces[at] != face:
                    at += 1
                laid.faces[at] = face
                laid.pairs[place][side] = <int8_t>at
            place += 1
    return 0


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

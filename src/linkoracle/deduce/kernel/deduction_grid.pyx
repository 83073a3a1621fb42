"""What boards of one size share, checked once: see `linkoracle.deduce.geometry.geometry`."""

from libc.stddef cimport size_t
from libc.stdint cimport int8_t, int32_t, uint8_t

from linkoracle.core.arena cimport Arena, arena_close, arena_open, arena_release
from linkoracle.deduce.kernel.loading cimport load, load_index, loaded, room
from linkoracle.deduce.kernel.state cimport (
    ALL_CROSSES,
    ALL_LINES,
    CELL_EDGES,
    IMPOSSIBLE,
    NOTHING,
    WINDOW_DOTS,
    WINDOW_FACES,
    Cell,
    Edge,
    Frame,
    Ring,
    Site,
    Window,
)

from linkoracle.core.errors import MemoryLimit

cdef enum:
    # Sums over all edges are numbered with 32 bits, ten literals for each.
    MOST_EDGES = 1 << 27
    STRIDE = sizeof(int32_t)


cdef class Grid:
    """The geometry of lattices with ``rows`` x ``cols`` vertices, in memory of its own.

    ``arrays`` are those of `linkoracle.deduce.geometry.geometry`, which are copied. Raises
    ``ValueError`` for arrays that are not of such a lattice, and `MemoryLimit` when more than
    ``limit`` bytes are needed. O(rows * cols).
    """

    def __cinit__(self, Py_ssize_t rows, Py_ssize_t cols, dict arrays, size_t limit):
        arena_open(&self.arena, limit)
        if not (0 < rows <= MOST_EDGES and 0 < cols <= MOST_EDGES):
            raise ValueError(f"expected a lattice, got {rows} rows and {cols} columns")
        if rows > MOST_EDGES // (2 * cols):
            raise MemoryLimit(f"the deduction takes boards of up to {MOST_EDGES} edges")
        self.frame.vertices = rows * cols
        self.frame.columns = cols
        self.frame.edges = rows * (cols - 1) + (rows - 1) * cols
        self.frame.faces = (rows - 1) * (cols - 1)
        self.frame.cuts = rows - 1 + cols - 1
        load_edges(&self.frame, &self.arena, arrays)
        check_lattice(&self.frame)
        load_windows(&self.frame, &self.arena, arrays)
        load_sites(&self.frame, &self.arena, arrays)
        self.frame.implied = what_is_implied(&self.arena)

    def __dealloc__(self):
        arena_close(&self.arena)


cdef int load_edges(Frame *f, Arena *arena, dict arrays) except -1:
    """Load edges, what they are around of, and the straight cuts through them."""
    cdef Py_ssize_t size = sizeof(Edge) // STRIDE
    cdef int32_t *rings
    f.edge = <Edge *>room(arena, f.edges, sizeof(Edge))
    load(f.edge[0].ends, size, arrays["ends"], f.edges, 2, 0, f.vertices, "ends of edges")
    load(f.edge[0].sides, size, arrays["sides"], f.edges, 2, 0, f.faces + 2, "sides of edges")
    load(&f.edge[0].cut, size, arrays["cut_of"], f.edges, 1, 0, f.cuts, "cuts of edges")
    f.ring = <Ring *>room(arena, f.vertices + f.faces, sizeof(Ring))
    rings = f.ring[0].edges
    load(rings, 4, arrays["around"], f.vertices, 4, -1, f.edges, "edges around vertices")
    rings = f.ring[f.vertices].edges
    load(rings, 4, arrays["ring"], f.faces, 4, 0, f.edges, "edges around faces")
    f.rims = arrays["rim"].size
    f.rim = loaded(arena, arrays["rim"], f.rims, 0, f.edges, "edges of the rim")
    load_index(
        &f.crossing, arena, arrays["cut_start"], arrays["cut_edges"], f.cuts, f.edges, "cut edges"
    )
    f.cell = <Cell *>room(arena, f.faces, sizeof(Cell))
    load(
        f.cell[0].edges, CELL_EDGES, arrays["cell_edges"], f.faces, CELL_EDGES, -1, f.edges,
        "edges at cells",
    )
    load_index(
        &f.cells, arena, arrays["cell_start"], arrays["cells_of"], f.edges, f.faces, "cells at edges"
    )
    return 0


cdef bint joins(Frame *f, int edge, int u, int v) noexcept:
    cdef int32_t *ends = f.edge[edge].ends
    return (ends[0] == u and ends[1] == v) or (ends[0] == v and ends[1] == u)


cdef int check_lattice(Frame *f) except -1:
    """Check what the techniques take for granted when they go from an edge to its other end, or to
    its other side: every sum of neighbours that they form is then a vertex or a face."""
    cdef int vertex, face, k, edge, row, col
    cdef int rows = f.vertices // f.columns
    cdef int steps[4]
    cdef bint there[4]
    steps[0], steps[1], steps[2], steps[3] = -f.columns, -1, 1, f.columns
    for vertex in range(f.vertices):
        row, col = vertex // f.columns, vertex % f.columns
        there[0], there[1], there[2] = row > 0, col > 0, col < f.columns - 1
        there[3] = row < rows - 1
        for k in range(4):
            edge = f.ring[vertex].edges[k]
            if (edge >= 0) != there[k]:
                raise ValueError(f"expected the edges of a lattice around vertex {vertex}")
            if edge >= 0 and not joins(f, edge, vertex, vertex + steps[k]):
                raise ValueError(f"expected edge {edge} between neighbours of a lattice")
    for face in range(f.faces):
        for k in range(4):
            edge = f.ring[f.vertices + face].edges[k]
            if f.edge[edge].sides[0] != face and f.edge[edge].sides[1] != face:
                raise ValueError(f"expected edge {edge} beside face {face}")
    return 0


cdef int load_windows(Frame *f, Arena *arena, dict arrays) except -1:
    """Load windows, and which of them are beside a face."""
    cdef int rows = f.vertices // f.columns, side, wide, at, k, row, col
    cdef Py_ssize_t size = sizeof(Window) // STRIDE
    for side in range(2, 4):
        f.window_first[side - 1] = f.window_first[side - 2]
        if rows > side and f.columns > side:
            f.window_first[side - 1] += (rows - side) * (f.columns - side)
    cdef int windows = f.window_first[2]
    f.window = <Window *>room(arena, windows, sizeof(Window))
    load(
        f.window[0].faces, size, arrays["window_faces"], windows, WINDOW_FACES, 0, f.faces + 2,
        "faces of windows",
    )
    load(
        f.window[0].dots, size, arrays["window_dots"], windows, WINDOW_DOTS, 0, f.vertices,
        "dots of windows",
    )
    for at in range(windows):
        side = 2 if at < f.window_first[1] else 3
        wide = side + 2
        for row in range(1, side + 1):
            for col in range(1, side + 1):
                if f.window[at].faces[row * wide + col] >= f.faces:
                    raise ValueError(f"expected faces of the board within window {at}")
    for k, name in enumerate(("square", "block")):
        start, found = arrays[f"{name}_start"], arrays[f"{name}s_at"]
        at = f.window_first[k + 1] - f.window_first[k]
        load_index(&f.windows[k], arena, start, found, f.faces + 2, at, "windows beside faces")
    return 0


cdef int load_sites(Frame *f, Arena *arena, dict arrays) except -1:
    """Load the faces around vertices and faces, and what divides them."""
    cdef Py_ssize_t sites = f.vertices + f.faces, site
    cdef int k, m, size, one, other
    cdef int32_t *pairs = loaded(arena, arrays["site_pairs"], 8 * sites, -1, 5, "pairs of faces")
    cdef Site *at
    f.site = <Site *>room(arena, sites, sizeof(Site))
    load(
        f.site[0].faces, sizeof(Site) // STRIDE, arrays["site_faces"], sites, 5, -1, f.faces + 2,
        "faces of sites",
    )
    for site in range(sites):
        at = &f.site[site]
        size = 0
        while size < 5 and at.faces[size] >= 0:
            size += 1
        for k in range(4):
            one, other = pairs[8 * site + 2 * k], pairs[8 * site + 2 * k + 1]
            if max(one, other) >= size or (one < 0) != (other < 0):
                raise ValueError(f"expected pairs of the faces of site {site}")
            at.pairs[k][0], at.pairs[k][1] = <int8_t>one, <int8_t>other
    arena_release(arena, pairs)
    return 0


cdef uint8_t *what_is_implied(Arena *arena) except NULL:
    """What lines and crosses around a vertex or face imply, by mask of allowed counts, lines and
    crosses: entry ``25 * mask + 5 * lines + crosses``. `IMPOSSIBLE` for more than four."""
    cdef uint8_t *table = <uint8_t *>room(arena, 32 * 25, 1)
    cdef int mask, lines, crosses, count, least, most, at
    for mask in range(32):
        for lines in range(5):
            for crosses in range(5):
                least, most, at = -1, -1, 25 * mask + 5 * lines + crosses
                for count in range(lines, 5 - crosses):
                    if mask >> count & 1:
                        least, most = count if least < 0 else least, count
                table[at] = NOTHING
                if least < 0:
                    table[at] = IMPOSSIBLE
                elif lines + crosses < 4 and most == lines:
                    table[at] = ALL_CROSSES
                elif lines + crosses < 4 and least == 4 - crosses:
                    table[at] = ALL_LINES
    return table

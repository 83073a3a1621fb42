"""What follows from the rules of a board and some edges: unit propagation, and lines that join.

Each vertex and each face with a rule counts up to four edges. Where the chosen ones and the
unknown ones leave but one value for an unknown edge, that edge gets it. Besides, the chosen edges
form paths, and each path knows its two ends. That tells the edges that would close a path, or join
the ends of two pairs of terminals, before a rule of a vertex or face does:

* A cycle is a solution of a loop, and then nothing else is chosen. So an edge that closes a path
  while another edge is chosen beside it is off; one that closes a path of all chosen edges makes
  every other edge be off. With terminals no cycle is part of a solution.
* A path between two terminals joins a pair.

All that is learned holds in every solution that has the edges assumed.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t
from libc.string cimport memset

from linkoracle.core.arena cimport Arena, arena_take
from linkoracle.core.watch cimport Watch, watch_stops

cdef enum:
    UNKNOWN = -1
    NO_MATE = -1
    ANY_COUNT = 0b11111  # the mask of a face without a rule


cdef struct Rule:
    int32_t edges[4]  # the edges it counts; of a vertex, all its edges
    int32_t size  # how many these are
    int32_t allowed  # mask of allowed counts


cdef struct Edge:
    int32_t ends[2]  # its vertices, the smaller one first
    int32_t rules[4]  # the rules that count it: those of its vertices, then of its faces
    int32_t size  # how many rules


cdef struct Path:
    int32_t end  # the other end of the path of chosen edges that ends in this vertex, or itself
    int32_t length  # its edges


cdef struct Change:
    int32_t vertex  # whose path was changed
    Path before  # what it was


cdef struct Board:
    int rows  # of vertices
    int cols
    int num_vertices
    int num_edges
    bint loop  # whether a solution is one cycle, rather than paths between mates
    Rule *rules  # of the vertices, in their order, and then of the faces that have one
    int num_rules
    Edge *edges
    int32_t *mates  # the terminal to be joined to a vertex, or NO_MATE
    int8_t *values  # of each edge: 0 off, 1 on, or UNKNOWN
    int32_t *trail  # edges that are known, in the order in which they became so
    int known  # how many these are
    int done  # from how many of them conclusions are drawn
    Path *paths  # by vertex; of use for ends of paths only
    Change *changes  # of paths, while something is assumed
    int changed  # how many these are
    int chosen  # edges that are part of paths or of the cycle
    bint assuming  # whether an edge is assumed
    bint closed  # whether the chosen edges are a cycle
    Watch watch


cdef inline void count_edge(Board *b, int rule, int edge) noexcept nogil:
    cdef Rule *counts = &b.rules[rule]
    counts.edges[counts.size] = edge
    counts.size += 1
    cdef Edge *counted = &b.edges[edge]
    counted.rules[counted.size] = rule
    counted.size += 1


cdef inline bint board_open(
    Board *b, Arena *arena, int rows, int cols, const uint8_t *degrees, const uint8_t *faces
) noexcept nogil:
    """A board of which nothing is known; False if there is no memory for it.

    ``rows * cols`` and the number of edges are below 2**31, so every id fits an ``int``.
    """
    cdef int vertex, row, col, face, rule, edge = 0, right, down
    cdef int num_faces = (rows - 1) * (cols - 1)
    b.rows, b.cols, b.num_vertices = rows, cols, rows * cols
    b.num_edges = rows * (cols - 1) + (rows - 1) * cols
    b.num_rules = b.num_vertices
    for face in range(num_faces):
        b.num_rules += faces[face] != ANY_COUNT
    b.rules = <Rule *>arena_take(arena, b.num_rules, sizeof(Rule))
    b.edges = <Edge *>arena_take(arena, b.num_edges, sizeof(Edge))
    b.mates = <int32_t *>arena_take(arena, b.num_vertices, sizeof(int32_t))
    b.values = <int8_t *>arena_take(arena, b.num_edges, sizeof(int8_t))
    b.trail = <int32_t *>arena_take(arena, b.num_edges, sizeof(int32_t))
    b.paths = <Path *>arena_take(arena, b.num_vertices, sizeof(Path))
    # A chosen edge changes the paths of two vertices.
    b.changes = <Change *>arena_take(arena, 2 * <size_t>b.num_edges, sizeof(Change))
    if arena.refused:
        return False
    memset(b.values, UNKNOWN, <size_t>b.num_edges)
    b.known = b.done = b.changed = b.chosen = 0
    b.assuming = b.closed = False
    for vertex in range(b.num_vertices):
        b.mates[vertex] = NO_MATE
        b.paths[vertex].end = vertex
        b.rules[vertex].allowed = degrees[vertex]
    rule = b.num_vertices
    for row in range(rows):
        for col in range(cols):
            vertex = row * cols + col
            if col < cols - 1:
                b.edges[edge].ends[0], b.edges[edge].ends[1] = vertex, vertex + 1
                count_edge(b, vertex, edge)
                count_edge(b, vertex + 1, edge)
                edge += 1
            if row < rows - 1:
                b.edges[edge].ends[0], b.edges[edge].ends[1] = vertex, vertex + cols
                count_edge(b, vertex, edge)
                count_edge(b, vertex + cols, edge)
                edge += 1
    for row in range(rows - 1):
        for col in range(cols - 1):
            face = row * (cols - 1) + col
            if faces[face] == ANY_COUNT:
                continue
            b.rules[rule].allowed = faces[face]
            # The edges to the right and down of a vertex follow each other.
            edge = row * (2 * cols - 1) + 2 * col
            right = edge + 3 if col < cols - 2 else edge + 2
            down = (row + 1) * (2 * cols - 1) + (2 * col if row < rows - 2 else col)
            count_edge(b, rule, edge)
            count_edge(b, rule, edge + 1)
            count_edge(b, rule, right)
            count_edge(b, rule, down)
            rule += 1
    return True


cdef inline void learn(Board *b, int edge, int value) noexcept nogil:
    b.values[edge] = value
    b.trail[b.known] = edge
    b.known += 1


cdef inline bint apply_rule(Board *b, Rule *rule) noexcept nogil:
    """Draw the conclusions of one rule; False at a conflict."""
    cdef int k, value, on = 0, unknown = 0
    for k in range(rule.size):
        value = b.values[rule.edges[k]]
        if value == UNKNOWN:
            unknown += 1
        else:
            on += value
    cdef int allowed = rule.allowed >> on
    if unknown == 0:
        return allowed & 1
    cdef int window = (1 << unknown) - 1
    cdef bint may_be_off = (allowed & window) != 0
    cdef bint may_be_on = (allowed >> 1 & window) != 0
    if may_be_off and may_be_on:
        return True
    if not may_be_off and not may_be_on:
        return False
    for k in range(rule.size):
        if b.values[rule.edges[k]] == UNKNOWN:
            learn(b, rule.edges[k], may_be_on)
    return True


cdef inline void set_path(Board *b, int vertex, int end, int length) noexcept nogil:
    if b.assuming:
        b.changes[b.changed].vertex = vertex
        b.changes[b.changed].before = b.paths[vertex]
        b.changed += 1
    b.paths[vertex].end = end
    b.paths[vertex].length = length


cdef inline bint close_path(Board *b, int length) noexcept nogil:
    """Draw the conclusions of a cycle of so many chosen edges; False at a conflict."""
    cdef int edge
    if not b.loop or b.chosen != length:
        return False
    b.closed = True
    for edge in range(b.num_edges):
        if b.values[edge] == UNKNOWN:
            learn(b, edge, 0)
    return True


cdef inline void part_ends(Board *b, int here, int terminal) noexcept nogil:
    """No edge from here joins a path from a terminal to one from a terminal that is no mate."""
    cdef Rule *around = &b.rules[here]
    cdef int k, edge, far
    for k in range(around.size):
        edge = around.edges[k]
        if b.values[edge] == UNKNOWN:
            far = b.paths[b.edges[edge].ends[0] + b.edges[edge].ends[1] - here].end
            if b.mates[far] != NO_MATE and b.mates[far] != terminal:
                learn(b, edge, 0)


cdef inline bint join(Board *b, int edge) noexcept nogil:
    """Draw the conclusions of the lines from an edge that is on; False at a conflict."""
    cdef int one = b.edges[edge].ends[0], other = b.edges[edge].ends[1]
    cdef int start = b.paths[one].end, end = b.paths[other].end
    cdef int length = b.paths[one].length + b.paths[other].length + 1
    cdef int k, between
    if b.closed:
        return False
    b.chosen += 1
    if start == other:
        return close_path(b, b.paths[one].length + 1)
    if b.mates[start] != NO_MATE and b.mates[end] != NO_MATE and b.mates[start] != end:
        return False
    set_path(b, start, end, length)
    set_path(b, end, start, length)
    if not b.loop or b.chosen > length:
        for k in range(b.rules[start].size):
            between = b.rules[start].edges[k]
            if b.values[between] == UNKNOWN:
                if b.edges[between].ends[0] + b.edges[between].ends[1] - start == end:
                    learn(b, between, 0)
    if b.mates[start] != NO_MATE:
        part_ends(b, end, start)
    if b.mates[end] != NO_MATE:
        part_ends(b, start, end)
    return True


cdef inline bint propagate(Board *b) noexcept nogil:
    """Draw all conclusions from the trail; False at a conflict, or when it is stopped."""
    cdef Edge *edge
    cdef int known, k
    while b.done < b.known:
        if watch_stops(&b.watch):
            return False
        known = b.trail[b.done]
        edge = &b.edges[known]
        if b.values[known] == 1 and not join(b, known):
            return False
        for k in range(edge.size):
            if not apply_rule(b, &b.rules[edge.rules[k]]):
                return False
        b.done += 1
    return True

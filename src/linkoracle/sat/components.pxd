"""Chosen edges as components, and the vertices that a cut speaks of.

The edges at a vertex are two, or one at an end: at a terminal, or anywhere if ends are free. So a
component is a path between ends or a cycle, and is found by walking.
"""

from libc.stdint cimport int32_t, uint8_t

from linkoracle.board.plane cimport Plane, far_end
from linkoracle.lines.trail cimport NONE

cdef enum:
    PASS = 0b100  # degree mask of a vertex that must be used


cdef struct Vertex:
    int32_t chosen[2]  # its chosen edges
    int32_t degree  # how many these are
    bint used_always  # whether every solution uses it
    bint inside  # whether it is in X


cdef struct ComponentData:
    int vertices  # where its vertices begin among those in the order of the walks
    int edges  # where its edges do
    int size  # how many edges; a path has one vertex more
    bint closed  # whether it is a cycle


cdef struct Components:
    Plane plane
    bint single  # whether a solution is one component, rather than paths between mates
    bint free  # whether it is a path that may end anywhere
    Vertex *vertices
    int32_t *mates  # the terminal to be joined to a vertex, or NONE
    uint8_t *demands  # whether the clue of a face makes each of its edges a witness
    int32_t *chosen  # the edges to check
    int num_chosen
    int32_t *terminals  # in the order of the pairs
    int num_terminals
    int32_t *walked_vertices  # in the order of the walks
    int32_t *walked_edges
    int num_walked  # vertices that have been walked over
    ComponentData *parts
    int num_parts
    int32_t *inside  # the vertices of X
    int num_inside
    int32_t *beside  # vertices that may be added to X; each of X brings its neighbours


cdef inline bint meet_edges(Components *b) noexcept nogil:
    """Note the chosen edges at their vertices; False where there are too many, or too few."""
    cdef int i, k, edge, here
    cdef Vertex *vertex
    for i in range(b.num_chosen):
        edge = b.chosen[i]
        for k in range(2):
            here = b.plane.ends[2 * edge + k]
            vertex = &b.vertices[here]
            if vertex.degree == 2 or vertex.degree == 1 and b.mates[here] != NONE:
                return False
            vertex.chosen[vertex.degree] = edge
            vertex.degree += 1
    if b.free:
        return True
    for i in range(b.num_chosen):
        for k in range(2):
            here = b.plane.ends[2 * b.chosen[i] + k]
            if b.vertices[here].degree == 1 and b.mates[here] == NONE:
                return False
    return True


cdef inline void leave_edges(Components *b) noexcept nogil:
    """Forget what `meet_edges` noted."""
    cdef int i, k
    for i in range(b.num_chosen):
        for k in range(2):
            b.vertices[b.plane.ends[2 * b.chosen[i] + k]].degree = 0


cdef inline void walk(Components *b, int start, int edge) noexcept nogil:
    """Walk along a component that was not met yet; its vertices lose their degree."""
    cdef ComponentData *part = &b.parts[b.num_parts]
    cdef int here = start, walked = b.num_walked
    cdef bint ends
    cdef Vertex *vertex
    part.vertices = walked
    part.edges = b.parts[b.num_parts - 1].edges + b.parts[b.num_parts - 1].size if b.num_parts else 0
    part.size = 0
    while True:
        b.walked_vertices[walked] = here
        walked += 1
        vertex = &b.vertices[here]
        ends, vertex.degree = vertex.degree == 1, 0
        if part.size:
            if ends:
                part.closed = False
                break
            edge = vertex.chosen[1] if vertex.chosen[0] == edge else vertex.chosen[0]
        b.walked_edges[part.edges + part.size] = edge
        part.size += 1
        here = far_end(&b.plane, edge, here)
        if here == start:
            part.closed = True
            break
    b.num_walked = walked
    b.num_parts += 1


cdef inline bint find_parts(Components *b) noexcept nogil:
    """Split the chosen edges into components; False if a vertex has a number that is not allowed.

    Paths come first: those of terminals, in their order, or those with free ends. Cycles follow, in
    the order of the edges.
    """
    cdef int i, vertex, place
    b.num_parts = b.num_walked = 0
    if not meet_edges(b):
        leave_edges(b)
        return False
    for i in range(b.num_terminals):
        vertex = b.terminals[i]
        if b.vertices[vertex].degree:
            walk(b, vertex, b.vertices[vertex].chosen[0])
    for place in range(2 * b.num_chosen if b.free else 0):
        vertex = b.plane.ends[2 * b.chosen[place // 2] + place % 2]
        if b.vertices[vertex].degree == 1:
            walk(b, vertex, b.vertices[vertex].chosen[0])
    for i in range(b.num_chosen):
        vertex = b.plane.ends[2 * b.chosen[i]]
        if b.vertices[vertex].degree:
            walk(b, vertex, b.chosen[i])
    return True


cdef inline int extent(ComponentData *part) noexcept nogil:
    """How many vertices a component has."""
    return part.size if part.closed else part.size + 1


cdef inline bint is_bad(Components *b, ComponentData *part) noexcept nogil:
    """Whether a component is part of no solution: it is neither a path of a pair nor a loop."""
    cdef int32_t *vertices = &b.walked_vertices[part.vertices]
    return part.closed or b.mates[vertices[0]] != vertices[part.size]


cdef inline bint breaks_rule(Components *b) noexcept nogil:
    """Whether the components break the connectivity constraint."""
    cdef int i
    if b.single:
        return b.num_parts != 1
    for i in range(b.num_parts):
        if is_bad(b, &b.parts[i]):
            return True
    return False


cdef inline void enter(Components *b, int vertex) noexcept nogil:
    if not b.vertices[vertex].inside:
        b.vertices[vertex].inside = True
        b.inside[b.num_inside] = vertex
        b.num_inside += 1


cdef inline void grow(Components *b, const uint8_t *used) noexcept nogil:
    """Add unused vertices to X where that makes D(X) smaller.

    O(vertices of X), as each one added leaves fewer edges in D(X) than before.
    """
    cdef Plane *p = &b.plane
    cdef int i, k, waiting = 0, joined, here
    for i in range(b.num_inside):
        here = b.inside[i]
        for k in range(p.starts[here], p.starts[here + 1]):
            b.beside[waiting] = far_end(p, p.edges[k], here)
            waiting += 1
    while waiting:
        waiting -= 1
        here = b.beside[waiting]
        if b.vertices[here].inside or used[here]:
            continue
        joined = 0
        for k in range(p.starts[here], p.starts[here + 1]):
            joined += b.vertices[far_end(p, p.edges[k], here)].inside
        if 2 * joined > p.starts[here + 1] - p.starts[here]:
            enter(b, here)
            for k in range(p.starts[here], p.starts[here + 1]):
                b.beside[waiting] = far_end(p, p.edges[k], here)
                waiting += 1


cdef inline void leave(Components *b) noexcept nogil:
    """Empty X."""
    cdef int i
    for i in range(b.num_inside):
        b.vertices[b.inside[i]].inside = False
    b.num_inside = 0

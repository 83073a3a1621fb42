"""Chosen edges form paths; each path is known by its two ends.

Only the entries of ends are up to date: a vertex within a path keeps its entry from when it was an
end.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t

from linkoracle.core.arena cimport Arena, arena_take


cdef struct Path:
    int32_t end  # the other end of the path of chosen edges that ends in this vertex, or itself
    int32_t length  # its edges


cdef struct Change:
    int32_t place  # of the edge that joined paths, on the trail
    int32_t vertex  # whose path was changed
    Path before  # what it was


cdef struct Ends:
    Path *paths  # by vertex
    Change *changes  # of paths
    int changed  # how many these are


cdef inline void ends_open(Ends *e, Arena *arena, int vertices, int edges) noexcept nogil:
    """Allocate for a board; sets ``arena.refused`` without memory."""
    cdef int vertex
    e.paths = <Path *>arena_take(arena, vertices, sizeof(Path))
    # A chosen edge changes the paths of two vertices.
    e.changes = <Change *>arena_take(arena, 2 * <size_t>edges, sizeof(Change))
    if not arena.refused:
        for vertex in range(vertices):
            e.paths[vertex].end = vertex


cdef inline void set_path(Ends *e, int place, int vertex, int end, int length) noexcept nogil:
    cdef Change *change = &e.changes[e.changed]
    change.place, change.vertex, change.before = place, vertex, e.paths[vertex]
    e.changed += 1
    e.paths[vertex].end, e.paths[vertex].length = end, length


cdef inline int merge_paths(Ends *e, int place, int one, int other) noexcept nogil:
    """Make one path of two that an edge joins, at its place on the trail; return its length."""
    cdef Path here = e.paths[one], there = e.paths[other]
    cdef int length = here.length + there.length + 1
    set_path(e, place, here.end, there.end, length)
    set_path(e, place, there.end, here.end, length)
    return length


cdef inline void part_paths(Ends *e, int known) noexcept nogil:
    """Undo the effects of edges after the given number of first ones on the trail."""
    while e.changed and e.changes[e.changed - 1].place >= known:
        e.changed -= 1
        e.paths[e.changes[e.changed].vertex] = e.changes[e.changed].before

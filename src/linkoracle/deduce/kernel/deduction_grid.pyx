"""`Grid`: what boards of one size share."""

from libc.stddef cimport size_t

from linkoracle.core.arena cimport arena_close, arena_open
from linkoracle.core.index cimport Index
from linkoracle.deduce.kernel.geometry cimport (
    find_fills, place_cells, place_cuts, place_edges, place_rim, place_windows
)
from linkoracle.deduce.kernel.state cimport Frame

from linkoracle.board.lattice import Lattice
from linkoracle.core.errors import MemoryLimit

cdef enum:
    # Sums over all edges are numbered with 32 bits, ten literals for each.
    MOST_EDGES = 1 << 27


cdef class Grid:
    """The geometry of lattices with ``rows`` x ``cols`` vertices, in memory of its own.

    The outside is face ``num_faces``, beyond the edges of ``rim`` one more. Raises ``ValueError``
    for what is no lattice, or no edge of its rim, and `MemoryLimit` when more than ``limit`` bytes
    are needed. O(rows * cols).
    """

    def __cinit__(self, Py_ssize_t rows, Py_ssize_t cols, tuple rim: tuple[int, ...], size_t limit):
        cdef Frame *f = &self.frame
        arena_open(&self.arena, limit)
        if not (0 < rows <= MOST_EDGES and 0 < cols <= MOST_EDGES):
            raise ValueError(f"expected a lattice, got {rows} rows and {cols} columns")
        if rows > MOST_EDGES // (2 * cols):
            raise MemoryLimit(f"the deduction takes boards of up to {MOST_EDGES} edges")
        f.rows, f.columns = <int>rows, <int>cols
        self.board = Lattice(rows, cols).plane
        f.plane = self.board.plane
        f.vertices, f.edges, f.faces = f.plane.num_vertices, f.plane.num_edges, f.plane.num_faces
        f.cuts = f.rows - 1 + f.columns - 1
        place_edges(f, &self.arena)
        place_rim(f, &self.arena, rim)
        place_cuts(f, &self.arena)
        place_windows(f, &self.arena)
        place_cells(f, &self.arena)
        find_fills(f, &self.arena)

    def __dealloc__(self):
        arena_close(&self.arena)

    def sides(self, Py_ssize_t edge) -> tuple[int, int]:
        """The faces on both sides of an edge; ``num_faces`` and the next are outside."""
        if not 0 <= edge < self.frame.edges:
            raise ValueError(f"expected an edge from 0 to {self.frame.edges - 1}, got {edge}")
        return self.frame.edge[edge].sides[0], self.frame.edge[edge].sides[1]

    def tables(self) -> dict[str, list[Any]]:
        """A copy of all that boards of this size share, by name, for tests and debugging.

        Rows as lists; what belongs to a key as a list for each.
        """
        cdef Frame *f = &self.frame
        cdef Py_ssize_t at
        cdef int kind
        found = {
            "edges": [
                ([f.plane.ends[2 * at], f.plane.ends[2 * at + 1]], f.edge[at].sides, f.edge[at].cut)
                for at in range(f.edges)
            ],
            "rings": [f.ring[at].edges for at in range(f.vertices + f.faces)],
            "rim": [f.rim[at] for at in range(f.rims)],
            "crossing": items(&f.crossing, f.cuts),
            "cells": [f.cell[at].edges for at in range(f.faces)],
            "cells at": items(&f.cells, f.edges),
            "fills": [f.free_fills[at] for at in range(f.fills)],
        }
        for kind in range(2):
            found[f"windows {kind + 2}"] = [
                (f.window[at].faces, f.window[at].dots)
                for at in range(f.window_first[kind], f.window_first[kind + 1])
            ]
            found[f"windows {kind + 2} at"] = items(&f.windows[kind], f.faces + 2)
        return found


cdef list items(Index *index, Py_ssize_t keys):
    """The items of each key."""
    cdef Py_ssize_t key, at
    return [
        [index.found[at] for at in range(index.start[key], index.start[key + 1])]
        for key in range(keys)
    ]

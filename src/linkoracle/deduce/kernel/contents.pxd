"""The contents of a board as Python objects, for tests."""

from libc.stdint cimport int32_t

from cpython.bytes cimport PyBytes_FromStringAndSize

from linkoracle.core.index cimport Index
from linkoracle.deduce.kernel.state cimport KINDS, Frame, Node, State
from linkoracle.lines.ends cimport Path


cdef inline bytes copied(const void *memory, Py_ssize_t size):
    return PyBytes_FromStringAndSize(<const char *>memory, size)


cdef inline list by_key(Index *index, Py_ssize_t keys):
    """Return the items of each key."""
    cdef Py_ssize_t key, at
    return [
        [index.found[at] for at in range(index.start[key], index.start[key + 1])]
        for key in range(keys)
    ]


cdef inline dict tables_of(Frame *f):
    """Return the tables that boards of this size share, as `Engine.tables` does."""
    cdef Py_ssize_t at
    cdef int kind
    found = {
        "edges": [
            ([f.plane.ends[2 * at], f.plane.ends[2 * at + 1]], f.edge[at].sides, f.edge[at].cut)
            for at in range(f.edges)
        ],
        "rings": [f.ring[at].edges for at in range(f.vertices + f.faces)],
        "border": [f.border[at] for at in range(f.border_edges)],
        "crossing": by_key(&f.crossing, f.cuts),
        "cells": [f.cell[at].edges for at in range(f.faces)],
        "cells at": by_key(&f.cells, f.edges),
        "fills": [f.free_fills[at] for at in range(f.fills)],
    }
    for kind in range(2):
        found[f"windows {kind + 2}"] = [
            (f.window[at].faces, f.window[at].dots)
            for at in range(f.window_first[kind], f.window_first[kind + 1])
        ]
        found[f"windows {kind + 2} at"] = by_key(&f.windows[kind], f.faces + 2)
    return found


cdef inline dict memory_of(Frame *f, State *s):
    """Return all that determines the next steps, as `Engine.memory` does."""
    cdef int items = f.vertices + f.faces, kind, nodes = max(f.vertices, f.faces + 2)
    found = {
        "numbers": (
            s.trail.known, s.n.undecided, s.n.segments, s.n.unmet, s.n.left, s.n.merges,
            s.n.statics_seen, s.n.in_guess,
        ),
        "merges seen": s.n.merges_seen,
        "heads": s.n.heads,
        "value": copied(s.trail.values, 2 * <Py_ssize_t>f.edges),
        "trail": [
            (s.trail.literals[at], s.trail.causes[s.trail.literals[at] >> 1].reason, s.entries[at].where)
            for at in range(s.trail.known)
        ],
        "counts": copied(s.counts, f.faces),
        "shown": copied(s.shown, f.faces),
        "missing": copied(s.missing, f.layout.size),
        "window clues": copied(s.window_clues, f.window_first[2] * sizeof(int32_t)),
        "site mask": copied(s.site_mask, items),
        "lines": copied(s.lines, items),
        "crosses": copied(s.crosses, items),
        "cut open": copied(s.cut_open, f.cuts * sizeof(int32_t)),
        "cut lines": copied(s.cut_lines, f.cuts * sizeof(int32_t)),
        "ends": copied(s.ends.paths, f.vertices * sizeof(Path)),
        "nodes": copied(s.node, nodes * sizeof(Node)),
        "merged": copied(s.merged, s.n.merges * sizeof(int32_t)),
    }
    for kind in range(KINDS):
        size = s.n.waiting[kind] * sizeof(int32_t)
        found[f"waiting {kind}"] = copied(s.waiting[kind], size)
        found[f"is waiting {kind}"] = copied(s.is_waiting[kind], items)
    return found

"""What the compiled functions work on, and the numbers that they share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit, types
from numba.experimental import structref
from numpy.typing import NDArray

Ints = NDArray[np.int64]

#: States of an edge.
OPEN, LINE, CROSS = range(3)

#: Entries of `State.n`: literals on the trail; open edges; paths of at least one line; faces and
#: vertices whose count of lines is not an allowed one yet; loops or pairs still to be completed;
#: merges of colours.
TRAIL, UNDECIDED, SEGMENTS, UNMET, LEFT, MERGES = range(6)
#: The technique that met a contradiction, and where; merges that regions have been looked at with;
#: static patterns looked at; how many windows of each size, cells and sites wait.
FAULT, FAULT_AT, MERGES_SEEN, STATICS = range(6, 10)
SQUARES_WAITING, BLOCKS_WAITING, CELLS_WAITING, SITES_WAITING = range(10, 14)
#: The depth of guesses being followed; the greatest of one that decided something; guesses tried;
#: guesses that may still be tried, negative for no limit.
IN_TRIAL, DEPTH, TRIALS, BUDGET = range(14, 18)
NUMBERS = 18

#: Entries of `Frame.rules`.
IS_LOOP, PAIRS, HAS_COLOURS, IS_FREE, COLUMNS = range(5)

#: What lines and open edges around a vertex or face imply: nothing, all open edges are crosses, all
#: are lines, or a contradiction. Indexed by the mask of allowed counts, lines, open edges.
NOTHING, ALL_CROSSES, ALL_LINES, IMPOSSIBLE = range(4)

#: What waits to be looked at: rows of `State.waiting`.
SQUARES, BLOCKS, CELLS, SITES = map(np.int64, range(4))
#: Windows of which more groups of faces are not known to be related are left for later.
MOST_GROUPS = 16
#: Ways to fill a window that are kept in mind.
WAYS = 40
#: The kinds of patterns with premises, as `Frame.watch_start` has them.
KINDS = tuple(map(np.int64, range(5)))
NOWHERE = np.int64(-1)
SAME, OTHER = ZERO, ONE = tuple(map(np.int64, range(2)))

#: What `run` does: put a literal, undo to a trail and merges, relate terminals, deduce for the
#: first time, deduce, assume a literal and deduce, guess up to a depth, show the clues of the first
#: faces in `State.chosen` and deduce, hide them.
PUT, UNDO, RELATE, BEGIN, DEDUCE, ASSUME, GUESS, SHOW, HIDE = range(9)


class Frame(NamedTuple):
    """What a puzzle fixes. -1 in an index array says: no such thing."""

    ends: Ints  # (edges, 2): vertices
    around: Ints  # (vertices, 4): edges
    sides: Ints  # (edges, 2): faces on both sides, the outside as further faces
    ring: Ints  # (faces, 4): edges
    degrees: Ints  # (vertices,): mask of allowed degrees
    clues: Ints  # (faces,): mask of allowed counts where the clue is shown
    terminal: Ints  # (vertices,): label of a terminal, 0 for none
    cut_of: Ints  # (edges,): the straight cut that crosses it
    cut_start: Ints  # (cuts + 1,)
    cut_edges: Ints
    cut_odd: Ints  # (cuts,): whether an odd number of lines crosses it
    premises: Ints  # (instances, P): literals
    conclusions: Ints  # (instances, C): literals
    watch_start: Ints  # (5 * literals + 1,): by kind of pattern, then literal
    watchers: Ints  # instances
    statics: Ints  # instances without premises
    asked_start: Ints  # (faces + 1,): the instances that ask for the clue of a face
    asked_by: Ints
    techniques: Ints  # (instances,): the technique that an instance belongs to
    window_first: Ints  # (3,): where the windows of 2x2, then of 3x3 cells begin
    window_faces: Ints  # (windows, 25): the faces in and around it, row by row
    window_dots: Ints  # (windows, 16): its dots, row by row
    face_start: Ints  # (2, faces + 1): the windows, by size, that a face is in or beside
    windows_at: Ints
    cell_edges: Ints  # (faces, 12): the edges of a cell, and those that leave it
    cell_start: Ints  # (edges + 1,)
    cells_of: Ints
    cell_on: Ints  # (faces,): 0 for a cell that may be flipped, else -1
    free_fills: Ints  # completions of a free cell that cannot be flipped, masks of 12 edges
    rim: Ints  # edges with the outside on one side
    site_faces: Ints  # (vertices + faces, 5): faces around a vertex, or a face and its neighbours
    site_pairs: Ints  # (vertices + faces, 4, 2): pairs of those that an edge divides
    arithmetic: Ints  # (32, 5, 5)
    enabled: Ints  # (2, techniques): outside and inside of guesses
    rules: Ints


class State(NamedTuple):
    """What changes while a board is solved."""

    edge: NDArray[np.int64]
    trail: Ints
    why: NDArray[np.int64]
    where: Ints
    counts: Ints  # (faces,): mask of allowed counts, by the clues that are shown
    missing: Ints  # (instances,): how many of the clues it asks for are not shown
    window_clues: Ints  # (windows,): how many clues it shows; without any, dots tell as much
    site_mask: Ints  # (vertices + faces,): allowed counts; 0: not looked at
    joined: NDArray[np.int64]  # what a line on the trail did: 1 merged two paths, 2 closed one
    labels_before: Ints  # (edges, 2): the labels of the two paths it merged
    lines: Ints  # (vertices + faces,)
    crosses: Ints  # (vertices + faces,); edges that are not there count
    cut_open: Ints
    cut_lines: Ints
    mate: Ints
    label: Ints
    heads: Ints  # (techniques,): how far along the trail each technique is
    parent: Ints
    odd: Ints
    size: Ints
    following: Ints  # the members of a class as a ring
    merged: Ints  # (merges,): the root that was put below another
    waiting: Ints  # (4, ...): windows of 2x2, of 3x3, cells to flip, sites to look at
    is_waiting: Ints
    ways: Ints  # (windows, W): ways to fill it that were found last, masks of sides of faces
    ways_known: Ints  # (windows,): how many were found, overwritten ones included
    snapshots: NDArray[np.int64]  # (depths, edges): the edges after the first guess of a depth
    agreed: Ints  # (depths, edges): literals that both guesses led to
    cursors: Ints  # (depths,): where the round over the open edges goes on
    chosen: Ints  # (faces,): those whose clues to show or to hide
    n: NDArray[np.int64]


# Within compiled code frame and state are passed by reference: as tuples of some sixty arrays they
# would take Numba minutes. Only `run` is called from Python, so nothing else needs a wrapper.
internal = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)  # type: ignore[call-overload]


@structref.register
class FrameType(types.StructRef):
    pass


@structref.register
class StateType(types.StructRef):
    pass


class FrameRef(structref.StructRefProxy):
    pass


class StateRef(structref.StructRefProxy):
    pass


structref.define_proxy(FrameRef, FrameType, Frame._fields)  # type: ignore[no-untyped-call]
structref.define_proxy(StateRef, StateType, State._fields)  # type: ignore[no-untyped-call]

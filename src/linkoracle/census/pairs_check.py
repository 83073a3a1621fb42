"""Checks of the arrays in a checkpoint of `instances`, before compiled code reads them.

The compiled code does not check the bounds of the numbers in these arrays. So everything it relies
on is checked here: types, shapes, the bounds of node numbers, the order of the diagram, and the
consistency of the fields of a state. Moreover, a cell must not be in two pairs of a set, which
would not be a puzzle.

Arrays that pass are the state of some pass. Whether it is the state of this board is not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkoracle.frontier.plan import FIRST_SLOT, Plan
from linkoracle.zdd.zdd_kernel import TERMINALS

#: The arrays of a pass: type, dimensions, and shape without the first length, which is arbitrary.
_LAYOUT: dict[str, tuple[type[np.generic], int, tuple[int, ...]]] = {
    "states": (np.uint64, 1, ()),
    "families": (np.int32, 2, (2,)),
    "nodes": (np.int32, 2, (3,)),
    "cells": (np.int64, 0, ()),
}


def fault(arrays: Mapping[str, NDArray[Any]], plan: Plan) -> str | None:
    """Return the first fault in the arrays of a pass over a board, or ``None``.

    O(n log n) for n nodes and states, in compiled steps.

    >>> arrays = {
    ...     "states": np.zeros(1, np.uint64), "families": np.array([[0, 2]], np.int32),
    ...     "nodes": TERMINALS, "cells": np.array(2),
    ... }
    >>> from linkoracle import Lattice, LinkModel
    >>> blank = LinkModel.blank_paths(Lattice(2, 1), ())
    >>> fault(arrays, Plan(blank, free_ends=True, named=True))
    "a number in 'families' is not a node"
    """
    return next(_faults(arrays, plan), None)


def _faults(arrays: Mapping[str, NDArray[Any]], plan: Plan) -> Iterator[str]:
    """Yield faults. Use only the first: later checks rely on its absence."""
    if arrays.keys() != _LAYOUT.keys():
        yield f"its arrays are not {', '.join(_LAYOUT)}"
    for name, (dtype, dimensions, shape) in _LAYOUT.items():
        array = arrays[name]
        if array.dtype != dtype or array.ndim != dimensions or array.shape[1:] != shape:
            yield f"the array {name!r} has a wrong type or shape"
    states, families, nodes = (arrays[name] for name in ("states", "families", "nodes"))
    done = int(arrays["cells"])
    cells = plan.num_steps
    if not 1 <= done <= cells:
        yield "its number of cells is out of range"
    yield from _faults_of_states(states, plan, done)
    yield from _faults_of_nodes(nodes, cells, done)
    if len(families) != len(states):
        yield "it does not have two families for each state"
    if ((families < 0) | (families >= len(nodes))).any():
        yield "a number in 'families' is not a node"
    pairs = _pairs(nodes[:, 0], cells)
    used, twice = _cells_used(nodes, pairs)
    if twice or (used[families] & _open_ends(states, plan)[:, None]).any():
        yield "a cell is in two pairs"


def _held(states: NDArray[np.uint64], plan: Plan) -> NDArray[np.int64]:
    """Return the fields of each state, of shape (states, slots). See `spec.pxd` for the codes."""
    places = np.array(plan.layout.fields, dtype=np.uint64)
    mask = np.uint64((1 << plan.layout.field_bits) - 1)
    return (states[:, None] >> places & mask).astype(np.int64)


def _open_ends(states: NDArray[np.uint64], plan: Plan) -> NDArray[np.int64]:
    """Return for each state the cells at which unfinished paths begin, as a bitmask."""
    ends = _held(states, plan) - (FIRST_SLOT + 2 * plan.num_slots)
    masks: NDArray[np.int64] = np.where(ends >= 0, np.int64(1) << np.maximum(ends, 0), 0).sum(
        axis=1
    )
    return masks


def _faults_of_states(states: NDArray[np.uint64], plan: Plan, done: int) -> Iterator[str]:
    slots, bits = plan.num_slots, plan.layout.field_bits
    if slots * bits < 64 and (states >> np.uint64(slots * bits)).any():
        yield "a state has more fields than the board"
    if len(np.unique(states)) < len(states):
        yield "a state is there twice"
    held = _held(states, plan)
    if np.delete(held, plan.slots[2][done - 1], axis=1).any():
        yield "a path of a state leads off the board"
    own = np.arange(slots)
    ends = held - (FIRST_SLOT + 2 * slots)
    if (ends >= done).any():
        yield "a path of a state begins at an undecided cell"
    joined = (held >= FIRST_SLOT) & (ends < 0)
    other = np.where(joined, held - FIRST_SLOT, own)
    back = np.take_along_axis(held, np.minimum(other, slots - 1), axis=1) - FIRST_SLOT
    if (joined & ((other == own) | (other >= slots) | (back != own))).any():
        yield "a path of a state has no other end"
    ends = np.sort(np.where(ends >= 0, ends, -1 - own), axis=1)
    if (ends[:, 1:] == ends[:, :-1]).any():
        yield "two paths of a state begin at one cell"


def _faults_of_nodes(nodes: NDArray[np.int32], cells: int, done: int) -> Iterator[str]:
    if len(nodes) < 2 or (nodes[:2] != TERMINALS).any():
        yield "the first two nodes are not the terminals"
    variables, children = nodes[2:, 0], nodes[2:, 1:]
    numbers = np.arange(2, len(nodes))
    if (children < [0, 1]).any() or (children >= numbers[:, None]).any():
        yield "a node leads to a later one"
    late, early = cells - 1 - variables // cells, variables % cells
    if ((variables < 0) | (late >= done) | (early >= late)).any():
        yield "a node has an invalid pair of cells"
    if (variables[:, None] >= nodes[children, 0]).any():
        yield "a node leads to one that is not below it"
    ordered = nodes[2:][np.lexsort(nodes[2:].T)]
    if (ordered[1:] == ordered[:-1]).all(axis=1).any():
        yield "a node is there twice"


def _pairs(variables: NDArray[np.int32], cells: int) -> NDArray[np.int64]:
    """Return the two cells of each variable as a bitmask; 0 for those of the two terminals."""
    late, early = cells - 1 - variables.astype(np.int64) // cells, variables % cells
    masks: NDArray[np.int64] = np.int64(1) << np.maximum(late, 0) | np.int64(1) << early
    return np.where(late >= 0, masks, 0)


def _cells_used(
    nodes: NDArray[np.int32], pairs: NDArray[np.int64]
) -> tuple[NDArray[np.int64], bool]:
    """Return the cells in the sets of each node as bitmasks, and if a set has one in two pairs.

    Only the first node is empty, so a cell below the branch with a pair is in some set with it.
    """
    used = np.zeros(len(nodes), dtype=np.int64)
    order = 2 + np.argsort(-nodes[2:, 0], kind="stable")
    # From the greatest variable, whose nodes lead only to the terminals.
    starts = np.flatnonzero(np.diff(nodes[order, 0], prepend=-1, append=-1))
    for start, stop in pairwise(starts):
        part = order[start:stop]
        below = used[nodes[part, 2]]
        if (below & pairs[part]).any():
            return used, True
        used[part] = used[nodes[part, 1]] | below | pairs[part]
    return used, False

"""Whether arrays can be what `instances` keeps of a pass: asked before compiled code reads them.

The compiled code follows every number in these arrays without a look at its bounds. So all that it
relies on is checked here: types, shapes, the bounds of all node numbers, the order of a diagram,
and how the plugs of a state fit together. Moreover no cell may stand in two pairs of a set, as that
would be no puzzle.

What passes is the state of some pass. Whether it is the one that the board leads to cannot be seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkoracle.zdd.zdd_kernel import TERMINALS

#: The arrays of a pass; shapes without the first length, which is free, where there is one.
_LAYOUT: dict[str, tuple[type[np.generic], int, tuple[int, ...]]] = {
    "states": (np.int64, 1, ()),
    "families": (np.int32, 2, (2,)),
    "nodes": (np.int32, 2, (3,)),
    "cells": (np.int64, 0, ()),
}


def fault(arrays: Mapping[str, NDArray[Any]], rows: int, cols: int) -> str | None:
    """What is wrong with the arrays of a pass over a board, or ``None``.

    The board has ``cols`` columns, as the pass counts them: its short side. O(n log n) for n nodes
    and states, in compiled steps.

    >>> arrays = {
    ...     "states": np.zeros(1, np.int64), "families": np.array([[0, 2]], np.int32),
    ...     "nodes": TERMINALS, "cells": np.array(2),
    ... }
    >>> fault(arrays, 2, 1)
    "a number in 'families' is not that of a node"
    """
    return next(_faults(arrays, rows, cols), None)


def _faults(arrays: Mapping[str, NDArray[Any]], rows: int, cols: int) -> Iterator[str]:
    """What is wrong. Only the first is to be asked for: what follows relies on its absence."""
    if arrays.keys() != _LAYOUT.keys():
        yield f"its arrays are not {', '.join(_LAYOUT)}"
    for name, (dtype, dimensions, shape) in _LAYOUT.items():
        array = arrays[name]
        if array.dtype != dtype or array.ndim != dimensions or array.shape[1:] != shape:
            yield f"the array {name!r} has another type or shape"
    states, families, nodes = (arrays[name] for name in ("states", "families", "nodes"))
    done = int(arrays["cells"])
    if not 1 <= done <= rows * cols:
        yield "its number of cells is none of this board"
    yield from _faults_of_states(states, rows, cols, done)
    yield from _faults_of_nodes(nodes, rows * cols, done)
    if len(families) != len(states):
        yield "it has not two families for each state"
    if ((families < 0) | (families >= len(nodes))).any():
        yield "a number in 'families' is not that of a node"
    pairs = _pairs(nodes[:, 0], rows * cols)
    used, twice = _cells_used(nodes, pairs)
    if twice or (used[families] & _open_ends(states, cols)[:, None]).any():
        yield "a cell is in two pairs"


def _plugs(states: NDArray[np.int64], cols: int) -> NDArray[np.int64]:
    """What each plug of each state holds: shape (states, plugs)."""
    held: NDArray[np.int64] = states[:, None] >> 6 * np.arange(cols + 1) & 63
    return held


def _open_ends(states: NDArray[np.int64], cols: int) -> NDArray[np.int64]:
    """For each state the cells at which unfinished paths begin, as a bitmask."""
    held = _plugs(states, cols)
    ends = np.where(held > cols + 1, np.int64(1) << np.maximum(held - cols - 2, 0), 0)
    masks: NDArray[np.int64] = ends.sum(axis=1)
    return masks


def _faults_of_states(states: NDArray[np.int64], rows: int, cols: int, done: int) -> Iterator[str]:
    plugs = cols + 1
    if (states < 0).any() or (states >> 6 * plugs).any():
        yield "a state has more plugs than the board"
    if len(np.unique(states)) < len(states):
        yield "a state is there twice"
    row, col = divmod(done - 1, cols)
    held = _plugs(states, cols)
    # The last cell that was decided in each column; and, for the edge to the right, of all.
    lowest = np.where(np.arange(cols) <= col, row, row - 1)
    leads = np.append((lowest >= 0) & (lowest < rows - 1), col < cols - 1)
    if held[:, ~leads].any():
        yield "a path of a state leads off the board"
    if (held > plugs + done).any():
        yield "a path of a state begins at a cell that is not decided"
    own = np.arange(plugs)
    joined = (held > 0) & (held <= plugs)
    other = np.where(joined, held - 1, own)
    back = np.take_along_axis(held, other, axis=1) - 1
    if (joined & ((other == own) | (back != own))).any():
        yield "a path of a state has no other end"
    ends = np.sort(np.where(held > plugs, held, -own), axis=1)
    if (ends[:, 1:] == ends[:, :-1]).any():
        yield "two paths of a state begin at one cell"


def _faults_of_nodes(nodes: NDArray[np.int32], cells: int, done: int) -> Iterator[str]:
    if len(nodes) < 2 or (nodes[:2] != TERMINALS).any():
        yield "the first two nodes are not those of every diagram"
    variables, children = nodes[2:, 0], nodes[2:, 1:]
    numbers = np.arange(2, len(nodes))
    if (children < [0, 1]).any() or (children >= numbers[:, None]).any():
        yield "a node leads to one that does not stand before it"
    late, early = cells - 1 - variables // cells, variables % cells
    if ((variables < 0) | (late >= done) | (early >= late)).any():
        yield "a node is of no pair of decided cells"
    if (variables[:, None] >= nodes[children, 0]).any():
        yield "a node leads to one that does not stand below it"
    ordered = nodes[2:][np.lexsort(nodes[2:].T)]
    if (ordered[1:] == ordered[:-1]).all(axis=1).any():
        yield "a node is there twice"


def _pairs(variables: NDArray[np.int32], cells: int) -> NDArray[np.int64]:
    """The two cells of each variable as a bitmask; nothing for those of the two terminals."""
    late, early = cells - 1 - variables.astype(np.int64) // cells, variables % cells
    masks: NDArray[np.int64] = np.int64(1) << np.maximum(late, 0) | np.int64(1) << early
    return np.where(late >= 0, masks, 0)


def _cells_used(
    nodes: NDArray[np.int32], pairs: NDArray[np.int64]
) -> tuple[NDArray[np.int64], bool]:
    """The cells in the sets of each node, as bitmasks; whether a set has one in two pairs.

    No node but the first is empty, so a cell below the branch with a pair is in some set with it.
    """
    used = np.zeros(len(nodes), dtype=np.int64)
    order = 2 + np.argsort(-nodes[2:, 0], kind="stable")
    # From the greatest variable on, whose nodes lead to the terminals alone.
    starts = np.flatnonzero(np.diff(nodes[order, 0], prepend=-1, append=-1))
    for start, stop in pairwise(starts):
        part = order[start:stop]
        below = used[nodes[part, 2]]
        if (below & pairs[part]).any():
            return used, True
        used[part] = used[nodes[part, 1]] | below | pairs[part]
    return used, False

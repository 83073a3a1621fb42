"""Passes over the kept layers of a finished frontier pass.

A diagram is one flat array of *nodes*, layer after layer (layer *t* is ``nodes[starts[t] :
starts[t + 1]]``), two children each. A child is ``target << 2 | decision``: target 0 is no child,
1 is "accept, nothing more is chosen", k + 2 is node k of the next layer. After `reduce_layer`
every node leads to a solution and no two nodes of a layer have the same children.

Counts are rows of 64-bit limbs, lowest first; whoever calls makes the rows wide enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from linkoracle.core.limits import Deadline
from linkoracle.frontier.layers_kernel import reduce_layer, unroll
from linkoracle.frontier.pass_kernel import ACCEPT, DEAD

#: For what has no time limit; Ctrl-C stops it all the same.
NEVER = Deadline(None)


def reduced(
    kept: list[NDArray[np.uint32]], deadline: Deadline = NEVER
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Drop what leads nowhere and merge equal nodes, from the last layer up: nodes and starts.

    Takes the children of each layer; to save memory the list is emptied on the way.
    """
    renamed = np.array([DEAD, ACCEPT], dtype=np.uint32)
    layers = []
    while kept:
        children = kept.pop()
        new_name = np.empty(len(children) + 2, dtype=np.uint32)
        table = np.empty(1 << (2 * len(children) + 1).bit_length(), dtype=np.int32)
        number = reduce_layer(children, renamed, table, new_name, deadline)
        layers.append(children[:number].copy())
        renamed = new_name
    starts = np.cumsum([0, *map(len, reversed(layers))], dtype=np.int64)
    nodes = np.empty((int(starts[-1]), 2), dtype=np.uint32)
    for start, stop in pairwise(starts.tolist()):
        nodes[start:stop] = layers.pop()
    return nodes, starts


def integer(limbs: NDArray[np.uint64]) -> int:
    """The number with these digits in base 2^64, the lowest first."""
    return int.from_bytes(limbs.astype("<u8").tobytes(), "little")


def unrolled(
    nodes: NDArray[np.uint32], starts: NDArray[np.int64], batch: int
) -> Iterator[NDArray[np.uint8]]:
    """The decisions of all solutions in order, up to ``batch`` rows at a time."""
    place, taken = (np.zeros(len(starts), dtype=np.int64) for _ in range(2))
    decisions = np.empty((batch, len(starts) - 1), dtype=np.uint8)
    while found := unroll(nodes, starts, place, taken, decisions, NEVER):
        yield decisions[:found]

"""Passes over the kept layers of a finished frontier pass, compiled.

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
from numba import njit
from numpy.typing import NDArray

from linkoracle.frontier.pass_kernel import ACCEPT, DEAD

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_DIGIT, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_HASH = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True)
def reduce_layer(children, renamed, table, new_name):  # type: ignore[no-untyped-def]
    """Rename targets, drop nodes without children, merge equal ones; in place.

    ``renamed[target]`` is the new target of a target of the next layer. ``new_name`` (nodes + 2
    entries) receives the same for this layer. ``table``'s length is a power of two above the
    number of nodes. Returns how many nodes remain, at the front of ``children``.
    """
    table[:] = -1
    mask = np.int64(len(table) - 1)
    new_name[DEAD], new_name[ACCEPT] = DEAD, ACCEPT
    kept = 0
    for node in range(len(children)):
        first = second = np.uint32(0)
        for child in children[node]:
            target = renamed[child >> 2]
            if target != DEAD:
                entry = np.uint32(target << 2 | (child & 3))
                if first == 0:
                    first = entry
                else:
                    second = entry
        if first == 0:
            new_name[node + 2] = DEAD
            continue
        key = (np.uint64(first) << _HALF | np.uint64(second)) * _HASH
        place = np.int64(key >> _HALF) & mask
        while True:
            found = np.int64(table[place])
            if found < 0:
                table[place] = kept
                new_name[node + 2] = kept + 2
                children[kept, 0], children[kept, 1] = first, second
                kept += 1
                break
            if children[found, 0] == first and children[found, 1] == second:
                new_name[node + 2] = found + 2
                break
            place = (place + 1) & mask
    return kept


def reduced(kept: list[NDArray[np.uint32]]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Drop what leads nowhere and merge equal nodes, from the last layer up: nodes and starts.

    Takes the children of each layer; to save memory the list is emptied on the way.
    """
    renamed = np.array([DEAD, ACCEPT], dtype=np.uint32)
    layers = []
    while kept:
        children = kept.pop()
        new_name = np.empty(len(children) + 2, dtype=np.uint32)
        table = np.empty(1 << (2 * len(children) + 1).bit_length(), dtype=np.int32)
        layers.append(children[: reduce_layer(children, renamed, table, new_name)].copy())
        renamed = new_name
    starts = np.cumsum([0, *map(len, reversed(layers))], dtype=np.int64)
    nodes = np.empty((int(starts[-1]), 2), dtype=np.uint32)
    for start, stop in pairwise(starts.tolist()):
        nodes[start:stop] = layers.pop()
    return nodes, starts


def integer(digits: NDArray[np.uint64], size: int = 8) -> int:
    """The number with these digits, the lowest first, of so many bytes each."""
    return int.from_bytes(digits.astype(f"<u{size}").tobytes(), "little")


@njit(inline="always")
def _add_row(rows, to, source, index):  # type: ignore[no-untyped-def]
    """Add row ``index`` of ``source`` to row ``to`` of ``rows``, which is wide enough."""
    carry = _ZERO
    width = source.shape[1]
    for k in range(rows.shape[1]):
        part = carry
        carry = _ZERO
        if k < width:
            part += source[index, k]
            if part < source[index, k]:
                carry = _ONE
        total = rows[to, k] + part
        if total < part:
            carry = _ONE
        rows[to, k] = total


@njit(cache=True)
def count_below(children, below, counts):  # type: ignore[no-untyped-def]
    """Solutions below each node: the sum over its children; row 0 of ``below`` counts `ACCEPT`.

    Row k + 1 of ``below`` is node k of the next layer. ``counts`` starts as zeros, and row 0
    is left alone.
    """
    for node in range(len(children)):
        for child in children[node]:
            target = np.int64(child >> 2)
            if target != DEAD:
                _add_row(counts, node + 1, below, target - 1)


@njit(cache=True)
def count_above(children, above, counts):  # type: ignore[no-untyped-def]
    """Ways to each node of the next layer (row k for node k), from those to each node here."""
    for node in range(len(children)):
        for child in children[node]:
            target = np.int64(child >> 2)
            if target > ACCEPT:
                _add_row(counts, target - 2, above, node)


@njit(cache=True)
def top_bits(rows):  # type: ignore[no-untyped-def]
    """Bits of the largest number among rows of limbs."""
    for k in range(rows.shape[1] - 1, -1, -1):
        union = _ZERO
        for index in range(rows.shape[0]):
            union |= rows[index, k]
        if union:
            bits = 0
            while union:
                union >>= _ONE
                bits += 1
            return 64 * k + bits
    return 0


@njit(cache=True)
def share_layer(children, above, below, totals):  # type: ignore[no-untyped-def]
    """Add to row *d* of ``totals`` the solutions that take decision *d* at this layer.

    That is the sum of (ways to the node) x (solutions below the child), multiplied in digits of 32
    bits: a product, a digit and a carry together just fit in 64. ``totals`` holds such digits.
    """
    digits = totals.shape[1]
    for node in range(len(children)):
        for child in children[node]:
            target = np.int64(child >> 2)
            if target == DEAD:
                continue
            decision = np.int64(child & 3)
            for i in range(2 * above.shape[1]):
                factor = (above[node, i >> 1] >> np.uint64(32 * (i & 1))) & _DIGIT
                if not factor:
                    continue
                carry = _ZERO
                for j in range(2 * below.shape[1]):
                    digit = (below[target - 1, j >> 1] >> np.uint64(32 * (j & 1))) & _DIGIT
                    # Beyond the last digit everything is zero: the total is a count of solutions.
                    if i + j >= digits:
                        break
                    part = factor * digit + totals[decision, i + j] + carry
                    totals[decision, i + j] = part & _DIGIT
                    carry = part >> _HALF
                place = i + 2 * below.shape[1]
                while carry and place < digits:
                    part = totals[decision, place] + carry
                    totals[decision, place] = part & _DIGIT
                    carry = part >> _HALF
                    place += 1


@njit(cache=True)
def lengths_below(children, below, lengths):  # type: ignore[no-untyped-def]
    """Solutions below each node by their number of edges: ``lengths[node + 1, edges, limb]``."""
    for node in range(len(children)):
        for child in children[node]:
            target = np.int64(child >> 2)
            if target == DEAD:
                continue
            chosen = np.int64((child >> 1 & 1) + (child & 1))
            source, to = below[target - 1], lengths[node + 1]
            for length in range(len(source)):
                if length + chosen < len(to):
                    _add_row(to, length + chosen, source, length)


@njit(cache=True)
def extents(nodes, starts, sign):  # type: ignore[no-untyped-def]
    """Most (``sign`` 1) or fewest (-1) edges below each node, times ``sign``."""
    best = np.empty(len(nodes), dtype=np.int32)
    for layer in range(len(starts) - 2, -1, -1):
        for node in range(starts[layer], starts[layer + 1]):
            top = np.int64(-(1 << 30))
            for child in nodes[node]:
                target = np.int64(child >> 2)
                if target == DEAD:
                    continue
                value = sign * np.int64((child >> 1 & 1) + (child & 1))
                if target > ACCEPT:
                    value += best[starts[layer + 1] + target - 2]
                top = max(top, value)
            best[node] = top
    return best


@njit(cache=True)
def restrict_layer(  # type: ignore[no-untyped-def]
    children, pairs, decisions, accepts, weights, lengths, fewest, most, seen, out, reached
):
    """One layer of the product of a diagram with a rule on edges and length.

    A state is a node and the edges used so far, counted by ``weights`` (a row of ``pairs``).
    ``decisions`` is the set of allowed decisions, ``accepts`` whether a solution may end here,
    ``lengths[n]`` whether it may have n edges. ``fewest`` and ``most`` bound what the nodes of the
    next layer add. ``seen`` (next nodes x lengths, all -1) numbers the states of the next layer
    and is left all -1. Fills ``out`` (children) and ``reached``; returns how many were reached.
    """
    low = high = -1
    for n in range(len(lengths)):
        if lengths[n]:
            if low < 0:
                low = n
            high = n
    count = 0
    for index in range(len(pairs)):
        born = 0
        out[index, 0] = out[index, 1] = 0
        for child in children[pairs[index, 0]]:
            target, decision = np.int64(child >> 2), np.int64(child & 3)
            if target == DEAD or not decisions >> decision & 1:
                continue
            used = pairs[index, 1] + weights[decision]
            if target == ACCEPT:
                if not accepts or used >= len(lengths) or not lengths[used]:
                    continue
                name = np.int64(ACCEPT)
            else:
                node = target - 2
                if used + fewest[node] > high or used + most[node] < low:
                    continue
                if seen[node, used] < 0:
                    seen[node, used] = count
                    reached[count, 0], reached[count, 1] = node, used
                    count += 1
                name = np.int64(seen[node, used]) + 2
            out[index, born] = np.uint32(name << 2 | decision)
            born += 1
    for index in range(count):
        seen[reached[index, 0], reached[index, 1]] = -1
    return count


def unrolled(
    nodes: NDArray[np.uint32], starts: NDArray[np.int64], batch: int
) -> Iterator[NDArray[np.uint8]]:
    """The decisions of all solutions in order, up to ``batch`` rows at a time."""
    place, taken = (np.zeros(len(starts), dtype=np.int64) for _ in range(2))
    decisions = np.empty((batch, len(starts) - 1), dtype=np.uint8)
    while found := int(unroll(nodes, starts, place, taken, decisions)):
        yield decisions[:found]


@njit(cache=True)
def unroll(nodes, starts, place, taken, decisions):  # type: ignore[no-untyped-def]
    """Fill rows of ``decisions`` with the next solutions, in order; return how many.

    ``place[t]`` is the node at layer t on the current walk and ``taken[t]`` which child comes
    next there; both are zero before the first call and carry the walk from call to call.
    ``place[-1]`` is the depth of the walk, -1 when there are no more.
    """
    layers = len(starts) - 1
    row = np.zeros(layers, dtype=np.uint8)
    depth = place[layers]
    for layer in range(depth):
        row[layer] = nodes[starts[layer] + place[layer], taken[layer] - 1] & np.uint32(3)
    count = 0
    while depth >= 0 and count < len(decisions):
        if taken[depth] == 2 or nodes[starts[depth] + place[depth], taken[depth]] == 0:
            taken[depth] = 0
            row[depth] = 0
            depth -= 1
            continue
        child = nodes[starts[depth] + place[depth], taken[depth]]
        taken[depth] += 1
        row[depth] = child & np.uint32(3)
        target = np.int64(child >> 2)
        if target == ACCEPT:
            decisions[count, :] = row
            count += 1
        else:
            depth += 1
            place[depth] = target - 2
    place[layers] = depth
    return count

"""Upper bounds of the states and the memory of a count, before it begins.

After each step, a state says of every vertex of the frontier whether it has no chosen edge, two, or
one; with one, to which other end it is joined. The bound counts these states. On a plane board the
rest, the vertices to come, often is connected. Contracted to a point, it has the decided edges
around it in a fixed order, in *runs* that begin and end at an edge of the rest. Paths do not cross,
so they join the chosen runs as parentheses do.

The bound of memory adds what arrays grow to at most for so many states (`frontier/layers.pxd`)
to the bytes that a pass over the same model takes before its first step.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, comb, factorial, log2
from typing import Any, NamedTuple

from linkoracle.board import LinkModel, neighbours
from linkoracle.frontier import FIRST_STATES, SHARED_STATES, Windows, allowed_by, ranked_board
from linkoracle.frontier import Plan as Pass

#: Stores of a wide layer, and slices of its states: see `layers.pxd`.
_SHARDS, _SLICES = 16, 8
#: States of a slice of a wide layer, of a narrow one, and where memory is scarce.
_WIDE_SLICE, _NARROW_SLICE, _LEAST_SLICE = 1 << 10, 256, 32
#: Children of a batch, and bytes of a batch beside its words.
_BATCH, _BATCH_BYTES = 64, 320
#: The bits by which a step may lengthen counts: see `pass_kernel.pxd`.
_MOST_GROWTH = 8

#: The neighbours of each vertex.
_Near = Sequence[Sequence[int]]


class Plan(NamedTuple):
    """The requirements of a pass over a graph: see `Subgraphs.plan`."""

    #: The nodes in the order of the pass.
    order: tuple[Any, ...]
    #: The most nodes on the frontier at a time.
    width: int
    #: An upper bound of the states between two nodes.
    states: int
    #: An upper bound of the memory in bytes.
    memory: int


class Needs(NamedTuple):
    """Upper bounds for one pass."""

    width: int
    states: int
    memory: int


def needs_of(
    model: LinkModel, faster: LinkModel, order: Sequence[int] | None
) -> tuple[tuple[int, ...], Needs]:
    """Return the order of a pass over ``faster``, which counts ``model``, and what it needs.

    For a lattice in place of the board of ``model``, the order is that of a pass over ``model``.

    >>> from linkoracle.board import Lattice
    >>> needs_of(square := LinkModel.blank_loop(Lattice(3, 3)), square, None)[1][:2]
    (3, 8)
    """
    steps = Pass(model, by_clues=True, given_order=None if order is None else tuple(order))
    board = ranked_board(faster) if order is None else None
    if board is not None:
        return steps.order, Needs(board.width, board.words, board.memory)
    going = steps
    if faster is not model:
        going = Pass(faster, by_clues=True)
    width, states = 0, 1
    for across, bound in _bounds(going):
        width, states = max(width, across), max(states, bound)
    return steps.order, Needs(width, states, _memory(going, states))


def _bounds(steps: Pass) -> Iterator[tuple[int, int]]:
    """Yield the width of the frontier after each step, and an upper bound of its states."""
    near = neighbours(steps.model.board)
    around = _rotations(near)
    terminals = {end for pair in steps.model.terminals for end in pair}
    # Along a path whose edges have a direction, arcs lead one way or the other.
    ways = 1 + bool(steps.model.counts)
    done = [False] * len(near)
    frontier: dict[int, None] = {}
    ended, bound = 0, 1
    for vertex, children in zip(steps.order, _children(steps), strict=True):
        done[vertex] = True
        ended += vertex in terminals
        frontier.pop(vertex, None)
        frontier.update((other, None) for other in near[vertex] if not done[other])
        fits = around is not None and _is_connected(near, done, frontier)
        bounds = [bound * children]
        for crossing in (True, *[False] * fits):
            # The number of states by the number of chosen runs.
            found = [1]
            for one in frontier:
                twice = one not in terminals and sum(done[other] for other in near[one]) > 1
                runs = 1 if crossing or not around else _runs([done[far] for far in around[one]])
                found = _times(found, [1 + twice, runs, comb(runs, 2) * twice])
            # A terminal that is done is joined to the frontier. Else the loop is closed, or the
            # path finished.
            more = (
                number
                * comb(chosen, ended)
                * factorial(ended)
                * _ways(chosen - ended, crossing)
                * ways ** ((chosen - ended) // 2)
                for chosen, number in enumerate(found)
                if chosen >= ended and (chosen - ended) % 2 == 0
            )
            bounds.append(found[0] + sum(more))
        bound = min(bounds)
        yield len(frontier), bound


def _rotations(near: _Near) -> _Near | None:
    """Return the neighbours of each vertex in cyclic order; ``None`` if the board is not plane."""
    import networkx as nx

    graph: nx.Graph[Any] = nx.Graph()
    graph.add_nodes_from(range(len(near)))
    graph.add_edges_from((one, other) for one, others in enumerate(near) for other in others)
    embedding: Any  # its stub names another type
    plane, embedding = nx.check_planarity(graph)
    if not plane:
        return None
    return [list(embedding.neighbors_cw_order(one)) if near[one] else [] for one in graph]


def _runs(flags: Sequence[bool]) -> int:
    """Return the number of runs of true values in a cycle, at least one."""
    pieces = [flag for flag, _ in groupby(flags)]
    return max(1, sum(pieces) - (len(pieces) > 1 and pieces[0] and pieces[-1]))


def _times(one: list[int], other: list[int]) -> list[int]:
    """Return the product of two polynomials."""
    found = [0] * (len(one) + len(other) - 1)
    for place, value in enumerate(one):
        for more, factor in enumerate(other):
            found[place + more] += value * factor
    while found[-1] == 0:
        found.pop()
    return found


def _ways(ends: int, crossing: bool) -> int:
    """Return the ways to join ends in pairs, if paths may cross or not."""
    pairs = ends // 2
    ways = factorial(ends) // factorial(pairs)
    return ways // (2**pairs if crossing else factorial(pairs + 1))


def _is_connected(near: _Near, done: Sequence[bool], frontier: dict[int, None]) -> bool:
    """Return whether the vertices of the frontier are connected by vertices that are not done."""
    if not frontier:
        return True
    waiting = [next(iter(frontier))]
    seen = {waiting[0]}
    left = len(frontier) - 1
    for one in waiting:
        for other in near[one]:
            if not done[other] and other not in seen:
                seen.add(other)
                waiting.append(other)
                left -= other in frontier
                if not left:
                    return True
    return not left


def _children(steps: Pass) -> list[int]:
    """Return the most children of a state at each step."""
    return [
        max(1, *map(int.bit_count, allowed_by(decisions, steps.degrees[vertex])))
        for vertex, decisions in zip(steps.order, steps.decisions, strict=True)
    ]


def _memory(steps: Pass, states: int) -> int:
    """Return an upper bound of the bytes of a pass with at most so many states in a layer."""
    begun = steps.begin(counted=True, records=FIRST_STATES, memory=sys.maxsize)
    taken = int(begun.used)
    if states > FIRST_STATES:
        # Looking ahead, in all threads.
        begun.foresee(Windows(steps).prospects())
        taken += _SLICES * (int(begun.used) - taken)
    children = _children(steps)
    bits = ceil(min(sum(map(log2, children)), steps.model.board.num_edges))
    limbs = (bits + 3 + _MOST_GROWTH) // 64 + 1
    stride = 8 * (steps.words + limbs)
    wide = states >= SHARED_STATES
    # Arrays double, and a moved array is held twice. A shard keeps what it had for eight layers.
    full = states + _SHARDS * _BATCH
    layer = (10 if wide else 2) * full * stride
    moved = full * stride
    table = (36 if wide else 8) * full * 4
    if states + _BATCH <= FIRST_STATES:
        # The first arrays suffice, unless counts take more words.
        layer = moved = (2 * FIRST_STATES * stride) if limbs > 1 else 0
        table = 0
    threads = _SLICES * (512 + 32 * steps.num_slots + 16 * steps.words + 16 * limbs)
    threads += 4 * _SLICES * max(map(len, steps.layout.touches), default=0)
    rest = taken + 2 * layer + moved + table + threads
    batch = _BATCH_BYTES + _BATCH * stride

    def slices(size: int) -> int:
        number, shards = (_SLICES, _SHARDS) if wide else (1, 1)
        return number * ((size * max(children) // _BATCH + 1 + shards) * batch + 32)

    # Slices of the usual size, or as much as the kernel allows them where memory is scarce.
    full = slices(_WIDE_SLICE if wide else _NARROW_SLICE)
    return rest + min(full, max(rest // 15 + 1, slices(_LEAST_SLICE)))

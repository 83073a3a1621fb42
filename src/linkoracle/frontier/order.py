"""The order of the vertices in a frontier pass.

The cost of a pass grows exponentially with the *frontier*: the vertices to come that have an edge
to one that is done. On a square board it is shortest if the pass goes along the short side. Clues
reduce the number of states, so the side on which the pass begins matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import accumulate
from math import inf, isqrt

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.board import Board, flat
from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel
from linkoracle.core.limits import deferred_signals

#: Approximate growth of the number of states with each vertex on the frontier.
_GROWTH = 3.0
#: The contribution to the logarithm of the number of states of a free edge across the frontier, a
#: recently decided edge, a recently completed constraint, and a pair of terminals to come. Fitted
#: to Slitherlinks with some clues removed, and to Numberlinks.
_ACROSS, _DECIDED, _COMPLETED, _TO_COME = 0.3, 0.1, -0.35, 0.2

#: How many vertices greedy orders may have together, some hundredths of a second.
_GREEDY = 8192
#: Estimated states for each vertex and each end of an edge of the candidates: the search for an
#: order then takes about a quarter of the time of the pass.
_SEARCHED = 300

_Numbers = NDArray[np.integer]


@lru_cache(maxsize=16)
def vertex_order(board: Board) -> tuple[int, ...]:
    """Return all vertices in the order of the pass: on squares along the short side.

    For any other board, the best of some orders by the widths of their frontiers: along the
    coordinates; that of Cuthill and McKee (*Reducing the bandwidth of sparse symmetric matrices*,
    1969), as networkx has it; and greedy ones, which go on where the fewest new vertices come. The
    search ends once it has taken a fair part of the time that a pass is expected to take.
    O(vertices x candidates x log vertices).

    >>> vertex_order(Lattice(2, 3)), vertex_order(Lattice(3, 2))
    ((0, 3, 1, 4, 2, 5), (0, 1, 2, 3, 4, 5))
    """
    if isinstance(board, Lattice):
        return _lines(board, rowwise=board.cols <= board.rows)
    best: tuple[int, ...] = ()
    least, searched = inf, 0
    for order in _candidates(board):
        cost = _cost(board, order)
        if cost < least:
            best, least = order, cost
        searched += board.num_vertices + 2 * board.num_edges
        if least < _SEARCHED * searched:
            break
    return best


@lru_cache(maxsize=16)
def frontier_width(board: Board) -> int:
    """Return the largest size of the frontier in vertices, in the order of `vertex_order`.

    >>> frontier_width(Lattice(3, 8))
    3
    """
    return max(frontier_widths(board, vertex_order(board)))


def clued_order(
    model: LinkModel, free: Sequence[int], rules: Sequence[Iterable[int]]
) -> tuple[int, ...]:
    """Return all vertices in an order that suits the clues: `vertex_order` or its reverse.

    On irregular boards the reverse may have far wider frontiers, and is then left out. On nearly
    square boards, tries rows and columns in both directions. ``free`` are the edges that are not
    decided before the pass, and ``rules`` has the edges of each constraint, at least one.
    O(edges x candidates).

    >>> model = LinkModel.blank_paths(Lattice(4, 3), [(8, 9), (10, 11)])
    >>> clued_order(model, range(17), [])
    (11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
    """
    board = model.board
    orders = [vertex_order(board)]
    if isinstance(board, Lattice):
        across, down = sorted((board.rows, board.cols))
        if 5 * down <= 6 * across:
            orders.append(_lines(board, rowwise=board.cols > board.rows))
    orders += [
        back
        for back in (order[::-1] for order in orders)
        if isinstance(board, Lattice) or _cost(board, back) <= 2 * _cost(board, orders[0])
    ]
    place_of = np.zeros(board.num_edges, dtype=np.intp)
    place_of[free] = np.arange(len(free))
    starts, edges = map(np.asarray, flat(rules))
    ends = np.asarray(board.layout.edge_ends).reshape(-1, 2)[free]
    pairs = np.array(model.terminals, dtype=np.intp).reshape(-1, 2)
    events = ends.T, starts[:-1], place_of[edges], pairs.T
    return min(orders, key=lambda order: _expected(np.argsort(order), *events))


def _expected(
    places: _Numbers, ends: _Numbers, starts: _Numbers, edges: _Numbers, pairs: _Numbers
) -> float:
    """Return the expected logarithm of the number of states, up to a constant.

    ``places`` has the step of each vertex, ``ends`` two rows with those of free edges and ``pairs``
    two with terminals; ``edges`` has the places of those that rules count, from ``starts`` on.
    """
    number = len(places)
    line = isqrt(number)
    at = places[ends]
    decided = at.min(axis=0)
    chosen = _happened(decided, number)
    across = chosen - _happened(at.max(axis=0), number)
    completed = _happened(np.maximum.reduceat(decided[edges], starts), number)
    states = (
        _ACROSS * across
        + _DECIDED * _lately(chosen, 2 * line)
        + _COMPLETED * _lately(completed, line)
        - _TO_COME * _happened(places[pairs].min(axis=0), number)
    )
    return float(np.logaddexp.reduce(states))


def _happened(steps: _Numbers, number: int) -> _Numbers:
    """Return the cumulative number of events after each step."""
    return np.cumsum(np.bincount(steps, minlength=number))


def _lately(happened: _Numbers, steps: int) -> _Numbers:
    """Return the number of events in the last ``steps`` steps."""
    before = np.zeros_like(happened)
    before[steps:] = happened[:-steps]
    return happened - before


def _lines(board: Lattice, *, rowwise: bool) -> tuple[int, ...]:
    """Return the vertices row by row, or column by column."""
    lines = np.arange(board.num_vertices).reshape(board.rows, board.cols)
    return tuple((lines if rowwise else lines.T).ravel().tolist())


def _candidates(board: Board) -> Iterator[tuple[int, ...]]:
    # An import that is interrupted would leave networkx in pieces, for all that comes later.
    with deferred_signals():
        from networkx import Graph
        from networkx.utils import reverse_cuthill_mckee_ordering

    vertices = range(board.num_vertices)
    yield tuple(vertices)
    if (points := board.points) is not None:
        for across, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
            keys = [
                (round(across * x + down * y, 6), round(down * x - across * y, 6))
                for x, y in points
            ]
            yield tuple(sorted(vertices, key=keys.__getitem__))
    graph: Graph[int] = Graph()
    graph.add_nodes_from(vertices)
    graph.add_edges_from(map(board.ends, range(board.num_edges)))
    around = tuple(reverse_cuthill_mckee_ordering(graph))
    yield around
    near = [list(graph[vertex]) for vertex in vertices]
    for start in around[:: 1 + board.num_vertices**2 // _GREEDY]:
        yield _greedy(near, start)


def _greedy(near: Sequence[Sequence[int]], start: int) -> tuple[int, ...]:
    """Return an order from ``start`` that goes on at the vertex with the fewest unseen neighbours.

    It takes vertices of the frontier, the oldest among equals; where there is none, any other.
    """
    unseen = [len(others) for others in near]
    age: dict[int, int] = {}
    waiting: list[tuple[int, int, int]] = []

    def see(vertex: int) -> None:
        age[vertex] = len(age)
        for other in near[vertex]:
            unseen[other] -= 1
            if other in age:
                heappush(waiting, (unseen[other], age[other], other))
        heappush(waiting, (unseen[vertex], age[vertex], vertex))

    order: dict[int, None] = {}
    see(start)
    for other in range(len(near)):
        while waiting:
            vertex = heappop(waiting)[-1]
            if vertex not in order:
                order[vertex] = None
                for further in near[vertex]:
                    if further not in age:
                        see(further)
        if other not in age:
            see(other)
    while waiting:
        order.setdefault(heappop(waiting)[-1])
    return tuple(order)


def _cost(board: Board, order: Sequence[int]) -> float:
    """Estimate the number of states of a pass, up to a factor."""
    return sum(_GROWTH ** min(width, 600) for width in frontier_widths(board, order))


def frontier_widths(board: Board, order: Sequence[int]) -> Iterator[int]:
    """Yield the size of the frontier before each step, and after the last one."""
    place = [0] * len(order)
    for at, vertex in enumerate(order):
        place[vertex] = at
    # The step at which each vertex comes on the frontier, by the step that takes it.
    first = list(range(len(order)))
    ends = board.layout.edge_ends
    for one, other in zip(ends[::2], ends[1::2], strict=True):
        early, late = place[one], place[other]
        if early > late:
            early, late = late, early
        first[late] = min(first[late], early)
    change = [0] * (len(order) + 1)
    for late, early in enumerate(first):
        if early < late:
            change[early] += 1
            change[late] -= 1
    yield from accumulate(change)

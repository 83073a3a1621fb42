"""The order of the vertices in a frontier pass.

The cost of a pass grows exponentially with the *frontier*: the vertices to come that have an edge
to one that is done. On a square board it is shortest if the pass goes along the short side. Clues
reduce the number of states, so the side on which the pass begins matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from math import exp, inf, isqrt, log

import numpy as np
from numpy.typing import NDArray

from linkoracle.board import Board, LinkModel, Point, flat, neighbours

#: The contribution of a vertex to the logarithm of the number of states when its first neighbour is
#: done, and when its second is: see `_cost`. Then both in thousandths, and 0 for later neighbours.
_FIRST_LOG, _SECOND_LOG = log(3), log(4 / 3)
_REACHED = (round(1000 * _FIRST_LOG), round(1000 * _SECOND_LOG), 0)
#: The upper limit of logarithms of numbers of states, so that no sum overflows.
_MOST_LOG = 660
#: The contributions to the logarithm of the number of states: of a free edge across the frontier, a
#: recently decided edge, a recently completed constraint, and a pair of terminals to come. Fitted
#: to Slitherlinks with some clues removed, and to Numberlinks.
_ACROSS, _DECIDED, _COMPLETED, _TO_COME = 0.3, 0.1, -0.35, 0.2

#: The total number of vertices of greedy orders, which take some hundredths of a second.
_GREEDY_VERTICES = 8192
#: Estimated states for each vertex and each end of an edge of the candidates: the search for an
#: order then takes about a quarter of the time of the pass.
_STATES_PER_VISIT = 80

_Numbers = NDArray[np.integer]
#: The neighbours of each vertex.
_Near = list[list[int]]


def vertex_order(board: Board) -> tuple[int, ...]:
    """Return all vertices in the order of the pass: on squares along the short side.

    For any other board, estimate the states of several orders and return the best: by vertex id,
    along the coordinates, and greedy ones. The search takes at most a fair part of the expected
    time of a pass. O(vertices x candidates x log vertices).

    >>> from linkoracle.board import Lattice
    >>> vertex_order(Lattice(2, 3)), vertex_order(Lattice(3, 2))
    ((0, 3, 1, 4, 2, 5), (0, 1, 2, 3, 4, 5))
    """
    return _orders(board)[0]


@lru_cache(maxsize=16)
def _orders(board: Board) -> list[tuple[int, ...]]:
    """Return the orders among which clues decide, that of blank boards first."""
    rows, cols = board.vertex_shape
    # Of rows and columns it is known which order is good; of other boards it is searched.
    return _along_lines(rows, cols) if rows else _searched(board)


def _along_lines(rows: int, cols: int) -> list[tuple[int, ...]]:
    """Return orders by rows or columns: the short side, on nearly square boards both."""
    orders = [_lines(rows, cols, rowwise=cols <= rows)]
    across, down = sorted((rows, cols))
    if 5 * down <= 6 * across:
        orders.append(_lines(rows, cols, rowwise=cols > rows))
    return orders + [order[::-1] for order in orders]


def _searched(board: Board) -> list[tuple[int, ...]]:
    """Return the best order found, and its reverse unless that has far more states."""
    near = neighbours(board)
    best: tuple[int, ...] = ()
    least, searched = inf, 0
    for order in _candidates(near, board.points):
        cost = _cost(near, order)
        if cost < least:
            best, least = order, cost
        searched += board.num_vertices + 2 * board.num_edges
        if least <= _STATES_PER_VISIT * searched:
            break
    return [best, best[::-1]] if _cost(near, best[::-1]) <= 2 * least else [best]


@lru_cache(maxsize=16)
def frontier_width(board: Board) -> int:
    """Return the largest size of the frontier in vertices, in the order of `vertex_order`.

    >>> from linkoracle.board import Lattice
    >>> frontier_width(Lattice(3, 8))
    3
    """
    return max(frontier_widths(board, vertex_order(board)), default=0)


def clued_order(
    model: LinkModel, free: Sequence[int], rules: Sequence[Iterable[int]]
) -> tuple[int, ...]:
    """Return all vertices in an order that suits the clues: `vertex_order` or its reverse.

    On irregular boards, omit the reverse if it has far more states. On nearly square boards, try
    rows and columns in both directions. ``free`` are the edges that are not decided before the
    pass, and ``rules`` has the edges of each constraint, at least one.
    O(edges x candidates).

    >>> from linkoracle.board import Lattice
    >>> model = LinkModel.blank_paths(Lattice(4, 3), [(8, 9), (10, 11)])
    >>> clued_order(model, range(17), [])
    (11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
    """
    board = model.board
    place_of = np.zeros(board.num_edges, dtype=np.intp)
    place_of[free] = np.arange(len(free))
    starts, edges = map(np.asarray, flat(rules))
    ends = np.asarray(board.layout.edge_ends).reshape(-1, 2)[free]
    pairs = np.array(model.terminals, dtype=np.intp).reshape(-1, 2)
    events = ends.T, starts[:-1], place_of[edges], pairs.T
    return min(_orders(board), key=lambda order: _expected(np.argsort(order), *events))


def _expected(
    places: _Numbers, ends: _Numbers, starts: _Numbers, edges: _Numbers, pairs: _Numbers
) -> float:
    """Return the expected logarithm of the number of states, up to a constant.

    ``places`` has the step of each vertex, ``ends`` two rows with those of free edges and ``pairs``
    two with terminals. ``edges`` has the indices of free edges by rule, from ``starts`` on.
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


def _lines(rows: int, cols: int, *, rowwise: bool) -> tuple[int, ...]:
    """Return the vertices row by row, or column by column."""
    lines = np.arange(rows * cols).reshape(rows, cols)
    return tuple((lines if rowwise else lines.T).ravel().tolist())


def _candidates(near: _Near, points: Sequence[Point] | None) -> Iterator[tuple[int, ...]]:
    vertices = range(len(near))
    yield tuple(vertices)
    if points is not None:
        places = [(round(x, 6), round(y, 6)) for x, y in points]
        yield tuple(sorted(vertices, key=places.__getitem__))
        yield tuple(sorted(vertices, key=lambda vertex: places[vertex][::-1]))
    # A greedy order ends on the border.
    for start in _greedy(near, 0)[:: -1 - 2 * len(near) ** 2 // _GREEDY_VERTICES]:
        yield _greedy(near, start)
        yield _greedy(near, start, beyond=True)


def _greedy(near: _Near, start: int, *, beyond: bool = False) -> tuple[int, ...]:
    """Return an order from ``start`` that continues where the number of states grows least.

    The order takes vertices of the frontier, the oldest among equals, or ``beyond`` it any that
    have an edge to these: the neighbours of a vertex with many edges before the vertex itself.
    Without a frontier, it takes any other vertex. O(edges x log edges).
    """
    reached = [0] * len(near)
    growth = [_REACHED[0] * len(others) for others in near]
    age: dict[int, int] = {}
    waiting: list[tuple[int, int, int]] = []
    order: dict[int, None] = {}

    def take(vertex: int) -> None:
        order[vertex] = None
        for other in near[vertex]:
            if other in order:
                continue
            was = _REACHED[reached[other]]
            growth[other] -= was + _REACHED[reached[vertex]]
            heappush(waiting, (growth[other], age.setdefault(other, len(age)), other))
            if was:
                reached[other] += 1
                for further in near[other]:
                    growth[further] += _REACHED[reached[other]] - was
                    if reached[further] or (beyond and further not in order):
                        since = age.setdefault(further, len(age))
                        heappush(waiting, (growth[further], since, further))

    for first in (start, *range(len(near))):
        if first not in order:
            take(first)
        while waiting:
            grows, _, vertex = heappop(waiting)
            if vertex not in order and grows == growth[vertex]:
                take(vertex)
    return tuple(order)


def _cost(near: _Near, order: Sequence[int]) -> float:
    """Estimate the number of states of a pass.

    On a plane board, most states are Motzkin words: each vertex of the frontier has no chosen edge,
    or the left or right end of a path. There are some ``3**width / width**1.5`` of these. Vertices
    with two edges to vertices that are done may have both, so they have four cases, not three.
    """
    return sum(
        exp(
            min(
                width * _FIRST_LOG + twice * _SECOND_LOG - 1.5 * log(width + 1),
                _MOST_LOG,
            )
        )
        for width, twice in _frontiers(near, order)
    )


def frontier_widths(board: Board, order: Sequence[int]) -> Iterator[int]:
    """Yield the size of the frontier after each step."""
    for width, _ in _frontiers(neighbours(board), order):
        yield width


def _frontiers(near: _Near, order: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the size of the frontier after each step, and its vertices with two edges behind."""
    behind = [0] * len(near)
    width = twice = 0
    for vertex in order:
        width -= behind[vertex] > 0
        twice -= behind[vertex] > 1
        behind[vertex] = -len(near)
        for other in near[vertex]:
            behind[other] += 1
            width += behind[other] == 1
            twice += behind[other] == 2
        yield width, twice

"""Count the paths of a board that each of its symmetries maps to themselves, on graphs of orbits.

Paths have at least one edge and end anywhere. A symmetry maps a path to itself in one of two ways.

* It leaves each vertex where it is: then the path is straight and lies on the axis of a mirror
  between two opposite sides.
* It reverses the path. Then the middle of the path, a vertex or an edge, stays, and all else is
  mapped from one half of the path to the other. For a mirror, one half begins at the axis and stays
  on one side. For a turn by 180 degrees, the middle is the centre of the board. One half has a
  vertex of each orbit at most: it is a path on the graph of orbits, which begins at the centre.

A turn by 90 degrees reverses no path: twice that turn would leave each vertex where it is.

The graph of orbits also has the loops that a turn maps to themselves, as in `folded_loops`: the
cycles that wind once around the centre. Each edge has a parity, so that a cycle winds once if the
sum of its parities is odd. Divide each edge into two parts, or into three if it is odd: now these
are the cycles of odd length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import comb
from typing import Any

import networkx as nx

from graph_sequences import HUB, Graph, hubbed
from linkoracle.graphs import count, simple_cycles

#: The row and column of a vertex.
Place = tuple[int, int]
#: The name of the node that is joined to all starts of walks.
_START = "start"


def turn_of(rows: int, cols: int, turns: int) -> Callable[[Place], Place]:
    """Return the turn by 180 degrees (two ``turns`` are a full one) or by 90 degrees (four)."""
    if turns == 2:
        return lambda place: (rows - 1 - place[0], cols - 1 - place[1])
    return lambda place: (place[1], rows - 1 - place[0])


def orbit_edges(rows: int, cols: int, turns: int) -> Iterator[tuple[Place, Place, int]]:
    """Yield the edges of the graph of orbits: the first vertices of both orbits, and the parity.

    The parity says whether an odd number of turns leads from the second of these vertices to a
    neighbour of the first. An edge through the centre, which a turn maps to itself, is left out.

    >>> list(orbit_edges(2, 3, 2))
    [((0, 0), (0, 2), 1), ((0, 0), (0, 1), 0), ((0, 1), (0, 2), 0)]
    """
    turn = turn_of(rows, cols, turns)

    def orbit(place: Place) -> list[Place]:
        places = [place]
        for _ in range(turns - 1):
            places.append(turn(places[-1]))
        return places

    seen: set[frozenset[Place]] = set()
    for one, other in nx.grid_2d_graph(rows, cols).edges:
        images = [frozenset(pair) for pair in zip(orbit(one), orbit(other), strict=True)]
        if images[0] in seen or len(set(images)) < turns:
            continue
        seen.update(images)
        first, second = min(orbit(one)), min(orbit(other))
        steps = orbit(first).index(one), orbit(second).index(other)
        yield first, second, (steps[1] - steps[0]) % 2


def orbits_of_loops(rows: int, cols: int, turns: int) -> int:
    """Count the loops that a turn by 180 or 90 degrees (2 or 4 ``turns``) maps to themselves.

    >>> orbits_of_loops(5, 6, 2), orbits_of_loops(4, 4, 4)
    (206, 3)
    """
    graph: Graph = nx.Graph()
    centre = ((rows - 1) // 2, (cols - 1) // 2) if rows * cols % 2 else None
    for number, (one, other, parity) in enumerate(orbit_edges(rows, cols, turns)):
        if centre not in (one, other):
            between = [("part", number, part) for part in range(1 + parity)]
            nx.add_path(graph, [one, *between, other])
    lengths = simple_cycles(graph).by_length()
    return sum(number for length, number in lengths.items() if length % 2)


# ---- paths --------------------------------------------------------------------------------------


def walks(graph: Graph, starts: Iterable[Any], *, by_ends: bool = False) -> int:
    """Count the paths from each of some nodes to any node, itself included.

    With ``by_ends``, count them for each pair of ends.

    >>> walks(nx.path_graph(3), [0, 1]), walks(nx.path_graph(3), [0, 1], by_ends=True)
    (6, 6)
    """
    starts = list(starts)
    if by_ends:
        pairs = ((start, end) for start in starts for end in graph)
        return sum(1 if start == end else count(graph, start, end) for start, end in pairs)
    found = hubbed(graph)
    found.add_edges_from((_START, start) for start in starts)
    return count(found, _START, HUB)


def in_a_straight_mirror(rows: int, cols: int, *, by_ends: bool = False) -> int:
    """Count the paths fixed by a mirror that exchanges the left and right side.

    >>> in_a_straight_mirror(2, 2), in_a_straight_mirror(3, 1)
    (4, 3)
    """
    half = cols // 2
    straight = comb(rows, 2) if cols % 2 else 0
    if min(rows, half) < 1:
        return straight
    starts = [(row, half - 1) for row in range(rows)]
    return straight + walks(nx.grid_2d_graph(rows, half), starts, by_ends=by_ends)


def in_a_diagonal_mirror(side: int, *, by_ends: bool = False) -> int:
    """Count the paths fixed by a mirror between two opposite corners.

    Each vertex beside the diagonal has two neighbours on it.

    >>> [in_a_diagonal_mirror(side) for side in (1, 2, 3)]
    [0, 2, 12]
    """
    if side < 2:
        return 0
    beside = [(row, row - 1) for row in range(1, side)]
    below = [place for place in nx.grid_2d_graph(side, side) if place[0] > place[1]]
    graph = nx.grid_2d_graph(side, side).subgraph(below)
    return 2 * walks(nx.Graph(graph), beside, by_ends=by_ends)


def by_half_turns(rows: int, cols: int, *, by_ends: bool = False) -> int:
    """Count the paths fixed by a turn by 180 degrees.

    >>> by_half_turns(1, 2), by_half_turns(2, 2), by_half_turns(3, 3)
    (1, 0, 14)
    """
    if rows % 2 == cols % 2 == 0 or rows < 1 or cols < 1:
        return 0
    graph: Graph = nx.Graph()
    centre = (rows - 1) // 2, (cols - 1) // 2
    graph.add_node(centre)
    edges = [edge[:2] for edge in orbit_edges(rows, cols, 2)]
    graph.add_edges_from(edges)
    if graph.number_of_edges() != len(edges):
        raise AssertionError("two edges between the same orbits")
    # Both sides are odd if a vertex is the centre: then one vertex alone is no path.
    return walks(graph, [centre], by_ends=by_ends) - rows * cols % 2

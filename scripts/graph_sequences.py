"""Count cycles and paths of kings', triangular and square boards by passes over graphs.

A path may end anywhere. Join a new node, the *hub*, to all others: the cycles through it are the
paths of at least one edge. So their number is the number of cycles with the hub, less those
without.

Each term is counted twice. The second time an edge is *cut*: the cycles are those without this
edge, and one for each path between its ends in the rest. These are passes over another graph with
other solutions, the second also with other rules at the ends. Cycles of large triangular grids are
counted with ranks, the second time modulo other primes and with the rows in the other order.

Walks that end where all neighbours were visited are counted with these neighbours required, the
second time by inclusion and exclusion of those that are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import networkx as nx

from linkoracle.board import HOLE, PASS, Lattice, LinkModel
from linkoracle.frontier import blank_board
from linkoracle.frontier import count as number_of
from linkoracle.frontier.blank import tracks
from linkoracle.frontier.blank.counting import solutions
from linkoracle.graphs import Subgraphs, count
from term_checks import agree, kept_answer, modulo_others

#: Nodes of the largest graphs on which paths are also counted for each pair of ends.
_PAIRED = 25
#: Nodes a side of the largest triangular grids that are counted with an edge cut, in a minute.
CUT_SIDE = 16
#: Nodes a side of the largest squares whose exits are also counted as paths to one more node.
EXITS_SIDE = 12
#: The name of the node that is joined to all others.
HUB = "hub"

Graph = Any  # a networkx graph of any nodes


def king(rows: int, cols: int) -> Graph:
    """Return the graph of the moves of a king.

    >>> king(3, 3).number_of_edges()
    20
    """
    return nx.strong_product(nx.path_graph(rows), nx.path_graph(cols))


def triangle(side: int) -> Graph:
    """Return the triangular grid with ``side`` nodes on each side.

    >>> triangle(4).number_of_nodes(), triangle(4).number_of_edges()
    (10, 18)
    """
    graph: Graph = nx.Graph()
    graph.add_nodes_from((row, place) for row in range(side) for place in range(row + 1))
    for row in range(side - 1):
        for place in range(row + 1):
            corners = (row, place), (row + 1, place), (row + 1, place + 1)
            graph.add_edges_from(combinations(corners, 2))
    return graph


def hubbed(graph: Graph) -> Graph:
    """Return a copy with one more node that is joined to all others."""
    found = graph.copy()
    found.add_edges_from((HUB, node) for node in graph)
    return found


def cycles(graph: Graph, hamiltonian: bool = False) -> int:
    """Count cycles, or those through all nodes."""
    return count(graph, hamiltonian=hamiltonian)


def cycles_by_cut(graph: Graph, hamiltonian: bool = False) -> int:
    """Count cycles, or those through all nodes: those without an edge, and those with it.

    >>> cycles_by_cut(king(3, 3)), cycles_by_cut(nx.path_graph(3))
    (348, 0)
    """
    order = Subgraphs(graph, hamiltonian=hamiltonian).plan().order
    if len(order) < len(graph):
        return cycles(graph, hamiltonian)  # a few nodes, or a line
    # An edge at the end of the order: its ends are not on the frontier for long.
    last = [node for node in order if node != HUB][-1]
    edge = last, next(node for node in reversed(order) if node != HUB and node in graph[last])
    less = graph.copy()
    less.remove_edge(*edge)
    without = count(less, hamiltonian=hamiltonian, order=order)
    return without + count(less, *edge, hamiltonian=hamiltonian, order=order)


def checked_cycles(what: str, graph: Graph, hamiltonian: bool = False) -> tuple[int, str]:
    """Count cycles, or those through all nodes, and again with an edge cut."""
    number = cycles(graph, hamiltonian)
    return number, agree(what, number, cycles_by_cut(graph, hamiltonian), "cut")


def paths(graph: Graph) -> int:
    """Count paths of at least one edge, which end anywhere.

    >>> paths(nx.path_graph(4)), paths(king(2, 2))
    (6, 30)
    """
    return cycles(hubbed(graph)) - cycles(graph)


def paths_by_cut(graph: Graph) -> int:
    """Count paths of at least one edge by cycles without an edge, and with it."""
    return cycles_by_cut(hubbed(graph)) - cycles_by_cut(graph)


def paths_by_ends(graph: Graph, hamiltonian: bool = False) -> int:
    """Count paths of at least one edge, or those through all nodes, for each pair of ends."""
    ends = combinations(graph, 2)
    return sum(count(graph, *pair, hamiltonian=hamiltonian) for pair in ends)


def checked_paths(what: str, graph: Graph) -> tuple[int, str]:
    """Count paths of at least one edge, and again with an edge cut, or for each pair of ends."""
    number = paths(graph)
    check = agree(what, number, paths_by_cut(graph), "cut")
    return number, _with_ends(what, graph, number, check)


def checked_full_paths(what: str, graph: Graph) -> tuple[int, str]:
    """Count paths through all nodes, and again with an edge cut, or for each pair of ends."""
    number, check = checked_cycles(what, hubbed(graph), hamiltonian=True)
    return number, _with_ends(what, graph, number, check, hamiltonian=True)


def _with_ends(what: str, graph: Graph, number: int, check: str, hamiltonian: bool = False) -> str:
    """Return the checks passed: on small graphs also a count for each pair of ends."""
    if len(graph) > _PAIRED:
        return check
    return f"{check}, {agree(what, number, paths_by_ends(graph, hamiltonian), 'ends')}"


# ---- terms --------------------------------------------------------------------------------------


def king_cycles(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count cycles of a king on n x n cells."""
    number, passed = checked_cycles(f"king's cycles {side}", king(side, side))
    return [number], passed


def king_cycles_table(line: int, _: Path | None) -> tuple[list[int], str]:
    """Count cycles of a king on n x k cells, n and k from 2 on, by antidiagonals."""
    found = [
        checked_cycles(f"king's cycles {rows}x{line + 3 - rows}", king(rows, line + 3 - rows))
        for rows in range(2, line + 2)
    ]
    return [number for number, _ in found], found[0][1]


def king_paths(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count paths of a king on n x n cells, of at least one move, in one direction."""
    number, passed = checked_paths(f"king's paths {side}", king(side, side))
    return [number], passed


def king_paths_table(rows: int, _: Path | None) -> tuple[list[int], str]:
    """Count paths of a king on n x k cells, k from 1 to n, row after row."""
    found = [
        checked_paths(f"king's paths {rows}x{cols}", king(rows, cols))
        for cols in range(1, rows + 1)
    ]
    return [number for number, _ in found], found[-1][1]


def king_full_paths(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count directed paths of a king through all of n x n cells."""
    if side == 1:
        return [1], "one node"
    number, passed = checked_full_paths(f"king's full paths {side}", king(side, side))
    return [2 * number], passed


def king_corner_paths(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count paths of a king from corner to corner of n x n cells."""
    if side == 1:
        return [1], "one node"
    graph, ends = king(side, side), ((0, 0), (side - 1, side - 1))
    what, number = f"king's corner paths {side}", count(graph, *ends)
    if side == 2:
        # The corners are joined: their edge is one of the paths.
        return [number], agree(what, number, paths_by_ends(graph) // 6, "ends")
    joined = graph.copy()
    joined.add_edge(*ends)
    return [number], agree(what, number, cycles(joined) - cycles(graph), "joined")


def triangle_cycles(side: int, store: Path | None) -> tuple[list[int], str]:
    """Count cycles of the triangular grid with n nodes on each side."""
    what = f"triangular cycles {side}"
    if side <= CUT_SIDE:
        number, passed = checked_cycles(what, triangle(side))
        return [number], passed
    board = tracks.triangle(side)
    number = kept_answer(solutions(board), store)
    turned = replace(board, rows=board.rows[::-1])
    return [number], agree(what, number, modulo_others(turned, store), "turned rows")


def triangle_paths(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count paths of the triangular grid with n + 1 nodes on each side, of at least one edge."""
    number, passed = checked_paths(f"triangular paths {side}", triangle(side + 1))
    return [number], passed


def triangle_full_paths(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count directed paths through all nodes of the triangular grid with n on each side."""
    if side == 1:
        return [1], "one node"
    number, passed = checked_full_paths(f"triangular full paths {side}", triangle(side))
    return [2 * number], passed


def grid_paths(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count paths of n x n vertices, of at least one edge."""
    number, passed = checked_paths(f"paths {side}", nx.grid_2d_graph(side, side))
    return [number], passed


def corner_model(rows: int, cols: int, end: tuple[int, int]) -> LinkModel:
    """Return the model of the paths from the first corner of a grid to another vertex."""
    return LinkModel.blank_paths(Lattice(rows, cols), [(0, end[0] * cols + end[1])])


def ruled(model: LinkModel, rule: int, vertices: Iterable[int]) -> LinkModel:
    """Return a model with this rule at some vertices."""
    degrees = bytearray(model.degrees)
    for vertex in vertices:
        degrees[vertex] = rule
    return replace(model, degrees=bytes(degrees))


def triangle_half(side: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield vertices of a square but the first corner, and how many a mirror makes of each."""
    for row, col in combinations_with_replacement(range(side), 2):
        if (row, col) != (0, 0):
            yield (row, col), 1 + (row != col)


def blocked_walks(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count walks from a corner of n x n vertices that stop where all neighbours were visited."""
    grid = nx.grid_2d_graph(side, side)
    number, other = int(side == 1), int(side == 1)
    for end, times in triangle_half(side):
        near = [row * side + col for row, col in grid[end] if (row, col) != (0, 0)]
        model = corner_model(side, side, end)
        number += times * number_of(ruled(model, PASS, near))
        left_out = (some for size in range(len(near) + 1) for some in combinations(near, size))
        other += times * sum(
            (-1) ** len(some) * number_of(ruled(model, HOLE, some)) for some in left_out
        )
    return [number], agree(f"blocked walks {side}", number, other, "exclusion")


def escapes(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count walks from a corner of n x n vertices that end with a step over the border."""

    def exits(place: tuple[int, int]) -> int:
        rim = (0, side - 1)
        return 4 if side == 1 else sum(at in rim for at in place)

    models = [
        (corner_model(side, side, end), times * exits(end))
        for end, times in triangle_half(side)
        if exits(end)
    ]
    start = exits((0, 0))
    number = start + sum(times * number_of(model) for model, times in models)
    what = f"escapes {side}"
    if side <= EXITS_SIDE:
        graph = nx.grid_2d_graph(side, side)
        for place in list(graph):
            for way in range(exits(place)):
                nx.add_path(graph, [place, (HUB, *place, way), HUB])
        return [number], agree(what, number, count(graph, (0, 0), HUB), "hub")
    boards = [(blank_board(model), times) for model, times in models]
    other = sum(times * modulo_others(board, None) for board, times in boards if board)
    return [number], agree(what, number, start + other, "primes")


def centre_paths(line: int, _: Path | None) -> tuple[list[int], str]:
    """Count corner paths of (2n + 1) x (2k + 1) vertices through the centre, k from 0 to n."""
    found = []
    for half in range(line + 1):
        rows, cols = 2 * line + 1, 2 * half + 1
        if cols == 1:
            found.append(1)
            continue
        model = corner_model(rows, cols, (rows - 1, cols - 1))
        without = ruled(model, HOLE, [rows * cols // 2])
        number = number_of(model) - number_of(without)
        through = number_of(ruled(model, PASS, [rows * cols // 2]))
        agree(f"centre paths {rows}x{cols}", number, through, "required")
        found.append(number)
    return found, "required"


def one_way_torus(side: int) -> Graph:
    """Return the torus of n x n vertices with arcs to the right and down.

    >>> one_way_torus(3).number_of_edges()
    18
    """
    ring = nx.cycle_graph(side, nx.DiGraph)
    return nx.cartesian_product(ring, ring)


def torus_walks(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count loops through one vertex of an n x n torus with steps to the right and down."""
    if side < 3:
        return [2 * side], "by hand"
    graph = one_way_torus(side)
    lengths = Subgraphs(graph).by_length()
    number, rest = divmod(sum(length * loops for length, loops in lengths.items()), side * side)
    other = 2 * count(graph, (0, 1), (0, 0)) + rest
    return [number], agree(f"torus walks {side}", number, other, "steps")

"""Count cycles and paths of kings', triangular and square boards by passes over graphs.

A path may end anywhere. Join a new node, the *hub*, to all others: the cycles through it are the
paths of at least one edge. So their number is the number of cycles with the hub, less those
without.

Each term is counted twice. The second time an edge is *cut*: the cycles are those without this
edge, and one for each path between its ends in the rest. These are passes over another graph with
other solutions, the second also with other rules at the ends. Cycles of large triangular grids are
counted with ranks, the second time modulo other primes and with the rows in the other order.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx

from linkoracle.frontier.blank import tracks
from linkoracle.frontier.blank.counting import solutions
from linkoracle.graphs import Subgraphs, count
from term_checks import agree, kept_answer, modulo_others

#: Nodes of the largest graphs on which paths are also counted for each pair of ends.
_PAIRED = 25
#: Nodes a side of the largest triangular grids that are counted with an edge cut, in a minute.
CUT_SIDE = 16
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

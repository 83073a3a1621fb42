"""Numbers that others have published."""

from __future__ import annotations

import networkx as nx
import pytest

from linkoracle import graphs


def triangle(side):
    """A triangular grid with so many nodes on each side."""
    nodes = [(row, col) for row in range(side) for col in range(row + 1)]
    graph = nx.empty_graph(nodes)
    for row, col in nodes[: side * (side - 1) // 2]:
        below, beside = (row + 1, col), (row + 1, col + 1)
        graph.add_edges_from([((row, col), below), ((row, col), beside), (below, beside)])
    return graph


def king(rows, cols):
    return nx.strong_product(nx.path_graph(rows), nx.path_graph(cols))


def test_hamiltonian_cycles_of_triangular_grids():
    """OEIS A112676, from 3 nodes on each side on."""
    known = [1, 3, 26, 474, 17214, 1371454, 231924780, 82367152914, 61718801166402]
    found = [graphs.count(triangle(side), hamiltonian=True) for side in range(3, 12)]
    assert found == known


@pytest.mark.parametrize(
    ("cols", "known"),
    [
        (2, [7, 30, 85, 204, 451, 954]),  # OEIS A339196
        (3, [30, 348, 3459, 33145, 316164, 3013590, 28722567]),  # OEIS A339197
    ],
)
def test_cycles_of_king_graphs(cols, known):
    found = [graphs.count(king(rows, cols)) for rows in range(2, 2 + len(known))]
    assert found == known


def test_self_avoiding_walks_between_corners():
    """OEIS A007764."""
    known = [2, 12, 184, 8512, 1262816, 575780564, 789360053252]
    boards = [nx.grid_2d_graph(size, size) for size in range(2, 9)]
    found = [
        graphs.count(board, (0, 0), (size, size)) for size, board in enumerate(boards, start=1)
    ]
    assert found == known


def test_hamiltonian_cycles_of_the_five_solids():
    """The dodecahedron's 30 are those of Hamilton's Icosian game."""
    solids = [nx.tetrahedral_graph, nx.cubical_graph, nx.octahedral_graph]
    solids += [nx.dodecahedral_graph, nx.icosahedral_graph]
    assert [graphs.count(solid(), hamiltonian=True) for solid in solids] == [3, 6, 16, 30, 1280]

"""Numbers that others have published."""

from __future__ import annotations

import networkx as nx
import pytest

from linkoracle import Slitherlink, boards, diagram, graphs


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


def rhombus(rows, cols):
    """A triangular grid of so many rows and columns of nodes."""
    graph = nx.grid_2d_graph(rows, cols)
    graph.add_edges_from(
        ((row, col), (row + 1, col + 1)) for row in range(rows - 1) for col in range(cols - 1)
    )
    return graph


def per_place(by_length, size, lengths):
    """The polygons of each length up to shifts, from the numbers on boards of almost equal size.

    A board of r x c places has a x r x c - b x r - d x c + e polygons of a length that is short
    beside it, if there are ``a`` of them up to shifts.
    """
    found = {
        (rows, cols): by_length(rows, cols)
        for rows in (size, size + 1)
        for cols in (size, size + 1)
    }
    signs = {key: 1 if key[0] == key[1] else -1 for key in found}
    return [
        sum(sign * found[key].get(length, 0) for key, sign in signs.items()) for length in lengths
    ]


def test_polygons_of_the_honeycomb_lattice():
    """Enting and Guttmann, Polygons on the honeycomb lattice, J. Phys. A 22 (1989), 1371-1384."""
    known = [1, 0, 3, 2, 12, 18, 65, 138, 432, 1074, 3231, 8718, 25999]

    def by_length(rows, cols):
        return diagram(Slitherlink.on(boards.honeycomb(rows, cols))).by_length()

    assert per_place(by_length, 7, range(6, 31, 2)) == known


def test_polygons_of_the_triangular_lattice():
    """OEIS A036418."""
    known = [2, 3, 6, 15, 42, 123, 380, 1212]

    def by_length(rows, cols):
        return graphs.simple_cycles(rhombus(rows, cols)).by_length()

    assert per_place(by_length, 6, range(3, 11)) == known


def test_cycles_of_triangular_grids():
    """OEIS A266513."""
    known = [1, 11, 110, 2402, 128967, 16767653, 5436906668, 4406952731948, 8819634719356421]
    assert [graphs.count(triangle(side)) for side in range(2, 11)] == known


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

"""Grids are found in graphs whatever their nodes are called, and counted as lattices."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from linkoracle import graphs
from linkoracle.board import Board
from linkoracle.graphs import blocks
from linkoracle.graphs.blocks import grid_of


def shuffled(graph: nx.Graph, seed: int) -> nx.Graph:
    """The graph with its nodes numbered in any order."""
    numbers = random.Random(seed).sample(range(len(graph)), len(graph))
    return nx.relabel_nodes(graph, dict(zip(graph, numbers, strict=True)))


def board_of(graph: nx.Graph) -> Board:
    return Board(len(graph), list(graph.edges))


@pytest.mark.parametrize("size", [(2, 2), (2, 7), (3, 3), (3, 8), (5, 4), (9, 6)])
def test_a_grid_is_found_with_the_place_of_each_node(size):
    for seed in range(5):
        board = board_of(shuffled(nx.grid_2d_graph(*size), seed))
        lattice, place = grid_of(board)
        assert sorted([lattice.rows, lattice.cols]) == sorted(size)
        assert sorted(place) == list(range(board.num_vertices))
        moved = {frozenset(place[end] for end in board.ends(e)) for e in range(board.num_edges)}
        assert moved == {frozenset(lattice.ends(edge)) for edge in range(lattice.num_edges)}


def rewired(rows: int, cols: int, rng: random.Random) -> nx.Graph:
    """A graph with as many nodes and edges as a grid, which has one edge elsewhere."""
    graph = nx.grid_2d_graph(rows, cols)
    graph.remove_edge(*rng.choice(list(graph.edges)))
    graph.add_edge(*rng.choice(list(nx.non_edges(graph))))
    return graph


def test_what_has_the_size_of_a_grid_only_is_no_grid():
    rng = random.Random(1)
    found = 0
    for _ in range(300):
        rows, cols = rng.randrange(2, 5), rng.randrange(2, 6)
        graph = shuffled(rewired(rows, cols, rng), rng.randrange(100))
        same = nx.is_isomorphic(graph, nx.grid_2d_graph(rows, cols))
        assert (grid_of(board_of(graph)) is not None) == same
        found += same
    assert 0 < found < 300
    ladder = nx.circular_ladder_graph(6)
    ladder.remove_edges_from([(0, 1), (6, 7)])
    assert grid_of(board_of(ladder)) is not None
    for other in (nx.path_graph(4), nx.cycle_graph(6), nx.complete_graph(4), nx.empty_graph(5)):
        assert grid_of(board_of(other)) is None


@pytest.mark.parametrize("hamiltonian", [False, True])
@pytest.mark.parametrize("ends", [False, True])
def test_grids_have_the_counts_of_any_order(ends, hamiltonian, monkeypatch):
    """With an order that is given, a graph is counted as any other, and so are small grids."""
    monkeypatch.setattr(blocks, "_LEAST_LATTICE_NODES", 4)
    rng = random.Random(2)
    for rows, cols in [(2, 2), (3, 4), (4, 4), (5, 3), (4, 6)]:
        graph = shuffled(nx.grid_2d_graph(rows, cols), rows)
        chosen = rng.sample(sorted(graph), 2) if ends else ()
        found = graphs.count(graph, *chosen, hamiltonian=hamiltonian)
        usual = graphs.count(graph, *chosen, hamiltonian=hamiltonian, order=list(graph))
        assert found == usual


def test_a_wide_grid_is_counted_whatever_its_nodes_are_called():
    """OEIS A140517, the term for 11x11 cells."""
    graph = shuffled(nx.grid_2d_graph(12, 12), 3)
    assert graphs.count(graph) == 109331355810135629946698361371

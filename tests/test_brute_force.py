"""The brute force itself: against every set of edges without exception."""

from __future__ import annotations

from itertools import combinations, product

import networkx as nx
import pytest

from linkoracle import Lattice, LinkModel
from tests import brute_force

LATTICES = [(1, 1), (1, 4), (2, 2), (2, 4), (3, 3)]


def every_set_of_lines(rows, cols):
    every = brute_force.lattice_edges(rows, cols)
    for chosen in product((False, True), repeat=len(every)):
        edges = frozenset(edge for edge, take in zip(every, chosen, strict=True) if take)
        lines = brute_force.lines_of(edges)
        graph = nx.Graph([tuple(edge) for edge in edges])
        assert (lines is None) == any(degree > 2 for _, degree in graph.degree)
        if lines is not None:
            parts = [graph.subgraph(part) for part in nx.connected_components(graph)]
            paths = [[v for v, degree in part.degree if degree == 1] for part in parts]
            assert lines.mate.items() == {(a, b) for p in paths if p for a, b in (p, p[::-1])}
            assert lines.cycles == paths.count([])
            yield lines


@pytest.mark.parametrize("size", LATTICES, ids=str)
def test_no_set_of_lines_is_missed(size):
    expected = {lines.edges: lines for lines in every_set_of_lines(*size)}
    cells = list(product(*map(range, size)))
    found = [
        lines
        for number in range(0, len(cells) + 1, 2)
        for ends in combinations(cells, number)
        for lines in brute_force.line_sets(*size, frozenset(ends))
    ]
    assert len(found) == len(expected)
    assert all(expected[lines.edges] == lines for lines in found)
    systems = brute_force.path_systems(*size)
    assert {edges for edges, _, _ in systems} == {
        e for e, one in expected.items() if not one.cycles
    }
    assert all(expected[edges].mate == mate for edges, mate, _ in systems)
    assert all(used == {cell for edge in edges for cell in edge} for edges, _, used in systems)


def test_edges_have_the_ids_of_the_lattice():
    lattice = Lattice(3, 4)
    edges = brute_force.lattice_edges(3, 4)
    assert [lattice.edge(*sorted(edge)) for edge in edges] == list(range(lattice.num_edges))


def test_every_rule_of_a_model_is_looked_at():
    """The loops of a small board, of which each rule leaves those that keep it."""
    blank = LinkModel.blank_loop(Lattice(3, 3))
    loops = brute_force.model_solutions(blank)
    assert len(loops) == 13
    assert brute_force.model_solutions(blank.with_edges([5])) == {s for s in loops if 5 in s}
    assert brute_force.model_solutions(blank.with_edges([], [5])) == {
        s for s in loops if 5 not in s
    }
    # Edges 3, 5, 7 and 8 meet in the middle.
    middle = {3, 5, 7, 8}
    assert brute_force.model_solutions(blank.with_holes([4])) == {
        s for s in loops if not s & middle
    }
    top_left = {0, 1, 3, 5}
    even = LinkModel(blank.lattice, blank.degrees, bytes([0b10101, 31, 31, 31]), loop=True)
    assert brute_force.model_solutions(even) == {s for s in loops if len(s & top_left) % 2 == 0}

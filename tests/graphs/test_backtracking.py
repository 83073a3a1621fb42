"""Cycles and paths found one by one, against diagrams and against networkx."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import islice

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import SearchTimeout, graphs
from linkoracle.board import PASS, Board, LinkModel
from linkoracle.engines import Turns
from linkoracle.frontier import Diagram
from linkoracle.graphs import Undecided, takes
from linkoracle.graphs.backtracking import Backtracking
from linkoracle.graphs.bounded import bounded


@st.composite
def fixed_models(draw):
    """A loop or a path of a random graph, with edges that are given or forbidden, and a bound."""
    nodes = draw(st.integers(2, 8))
    pairs = [(one, other) for other in range(nodes) for one in range(other)]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=16, unique=True))
    board, cover = Board(nodes, edges), draw(st.booleans())
    if draw(st.booleans()):
        model = LinkModel.blank_loop(board)
        if cover:
            model = replace(model, degrees=bytes([PASS]) * nodes)
    else:
        model = LinkModel.blank_paths(board, [draw(st.sampled_from(pairs))], cover=cover)
    holes = draw(st.lists(st.integers(0, nodes - 1), max_size=2))
    model = model.with_holes({*holes}.difference(*model.terminals))
    ids = draw(st.permutations([e for e in range(len(edges)) if not {*holes} & {*board.ends(e)}]))
    number, more = draw(st.integers(0, min(4, len(ids)))), draw(st.integers(0, 3))
    length = draw(st.none() | st.integers(0, 9))
    return model, ids[:number], ids[number : number + more], length


def compare(model, required, forbidden, length):
    """Compare all answers with those of a diagram."""
    diagram = Diagram.build(model)
    most = model.board.num_edges if length is None else length
    part = diagram.filter(required=required, forbidden=forbidden, length=(0, most))
    expected = [list(solution.edges) for solution in part]
    fixed = model.with_edges(required, forbidden)
    assert takes(fixed)

    def search():
        return Backtracking(fixed, length=length)

    assert list(search().solutions(diagram.edge_order)) == expected
    assert search().exists() == bool(expected)
    assert search().shortest() == min(map(len, expected), default=None)
    listing = Turns(bounded(fixed, most))
    assert listing.go_on(float("inf"))
    assert sorted(map(sorted, listing.answer)) == sorted(expected)


@given(fixed_models())
@settings(max_examples=75, deadline=None)
def test_random_models(drawn):
    compare(*drawn)


@pytest.mark.heavy
@given(fixed_models())
@settings(max_examples=20_000, deadline=None)
def test_very_many_random_models(drawn):
    compare(*drawn)


def pieces(number):
    """A grid, a graph that is not plane, a cycle and a tree, joined by bridges; a node apart."""
    parts = [
        nx.grid_2d_graph(3, number),
        nx.petersen_graph(),
        nx.cycle_graph(5),
        nx.balanced_tree(2, 2),
        nx.empty_graph(1),
    ]
    graph = nx.disjoint_union_all(parts)
    graph.add_edge(0, 3 * number)
    graph.add_edge(3 * number + 9, 3 * number + 10)
    return graph


GRAPHS = {
    "grid": nx.grid_2d_graph(4, 4),
    "not plane": nx.petersen_graph(),
    "pieces": pieces(3),
    "king": nx.strong_product(nx.path_graph(3), nx.path_graph(4)),
    "tree": nx.balanced_tree(2, 3),
}


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("bound", [0, 3, 4, 6, 9, 30])
def test_bounded_lists(name, bound):
    graph = GRAPHS[name]
    nodes = list(graph)
    cycles = graphs.simple_cycles(graph, length_bound=bound)
    expected = [*map(len, nx.simple_cycles(graph, length_bound=bound))]
    assert [cycles.count(), len(list(cycles))] == [len(expected)] * 2
    assert sorted(map(len, cycles)) == sorted(expected)
    assert all(cycle in cycles for cycle in cycles)
    paths = graphs.all_simple_paths(graph, nodes[0], nodes[-1], cutoff=bound)
    found = [*nx.all_simple_paths(graph, nodes[0], nodes[-1], cutoff=bound)]
    assert sorted(paths) == sorted(found)
    assert paths.count() == len(found)
    assert bool(paths) == bool(found)
    assert sum(paths.by_length().values()) == len(found)
    edge = next(iter(graph.edges))
    both = graphs.simple_cycles(graph).including([edge]).by_length()
    part = cycles.including([edge]).by_length()
    assert part == {length: number for length, number in both.items() if length <= bound}


def test_a_bound_is_a_length():
    for bound in (-1, 2.5, True):
        with pytest.raises(ValueError, match="expected a bound of lengths from 0"):
            graphs.simple_cycles(nx.cycle_graph(3), length_bound=bound)


def visited(monkeypatch):
    """Return a list that gets each search; diagrams are refused."""
    searches = []
    begin = Backtracking.__init__

    def noted(search, *arguments, **options):
        searches.append(search)
        begin(search, *arguments, **options)

    def refused(*_, **__):
        raise AssertionError("a diagram was built")

    monkeypatch.setattr(Backtracking, "__init__", noted)
    monkeypatch.setattr("linkoracle.frontier.Diagram.build", refused)
    monkeypatch.setattr("linkoracle.graphs.bounded.building", refused)
    for bound in (None, 40):
        with pytest.raises(AssertionError, match="a diagram was built"):
            graphs.simple_cycles(nx.grid_2d_graph(9, 9), length_bound=bound).sample(1, seed=1)
    searches.clear()
    return searches


@pytest.mark.parametrize("size", [14, 20, 40])
def test_first_members_need_no_diagram(size, monkeypatch):
    """Work grows with the graph and with the number of members, not with the number of all."""
    searches = visited(monkeypatch)
    graph, end = nx.grid_2d_graph(size, size), (size - 1, size - 1)
    paths = graphs.all_simple_paths(graph, (0, 0), end)
    assert paths
    assert len(paths.shortest()) == 2 * size - 1
    first = next(iter(paths))
    assert first == paths[0] == paths[:1][0]
    assert first in paths
    assert first[:-1] not in paths
    assert first not in paths.excluding([first[:2]])
    cycles = graphs.simple_cycles(graph)
    assert cycles
    assert len(cycles.shortest()) == len(next(iter(cycles))) == 4
    assert sum(search.visited for search in searches) < 200 * size * size
    assert len({*map(tuple, islice(paths, 50))}) == 50


def test_fixed_edges_need_no_diagram(monkeypatch):
    searches = visited(monkeypatch)
    graph = nx.grid_2d_graph(20, 20)
    far = [((7, 12), (8, 12)), ((15, 2), (15, 3)), ((3, 17), (3, 18))]
    for number, length in ((1, 39), (2, 63), (3, 85)):
        part = graphs.all_simple_paths(graph, (0, 0), (19, 19)).including(far[:number])
        shortest = part.shortest()
        assert part
        assert shortest in part
        assert next(iter(part)) in part
        assert len(shortest) <= length
    cycle = graphs.simple_cycles(graph).including(far[:2]).shortest()
    # Around both edges: twice 8 by 11 steps, and a detour for neither.
    assert len(cycle) == 2 * (8 + 10)
    assert sum(search.visited for search in searches) < 2_000_000


def test_other_graphs_need_no_diagram(monkeypatch):
    visited(monkeypatch)
    graph = nx.random_regular_graph(4, 300, seed=1)
    assert len(graphs.simple_cycles(graph).shortest()) == nx.girth(graph)
    one, other = list(graph)[:2]
    path = graphs.all_simple_paths(graph, one, other).shortest()
    assert len(path) == len(nx.shortest_path(graph, one, other))
    assert graphs.hamiltonian_cycles(nx.grid_2d_graph(16, 16))
    assert not graphs.hamiltonian_cycles(nx.grid_2d_graph(15, 15))
    assert graphs.hamiltonian_paths(nx.complete_graph(12), 0, 1).shortest()[0] == 0
    assert len(graphs.simple_cycles(nx.complete_graph(40)).shortest()) == 3
    assert not graphs.simple_cycles(nx.balanced_tree(2, 6))
    assert graphs.all_simple_paths(nx.disjoint_union(*[nx.cycle_graph(5)] * 2), 0, 5)[:3] == []


def test_a_small_bound_needs_no_pass(monkeypatch):
    """As `networkx.simple_cycles(graph, length_bound=8)`, which takes four seconds."""
    visited(monkeypatch)
    cycles = graphs.simple_cycles(nx.grid_2d_graph(30, 30), length_bound=8)
    assert cycles.by_length() == {4: 841, 6: 1624, 8: 5486}
    assert len(cycles) == len([*cycles]) == 7951
    assert [len(cycles[-1]), len(cycles.sample(3, seed=1))] == [len([*cycles][-1]), 3]


def test_the_order_is_the_same_with_and_without_diagrams():
    graph = nx.disjoint_union(nx.grid_2d_graph(4, 4), nx.petersen_graph())
    for every in (graphs.simple_cycles(graph), graphs.simple_cycles(graph, length_bound=8)):
        before, shortest = list(islice(every, 5000)), every.shortest()
        assert every.count() == len(before)
        assert every.sample(1)
        assert (list(every), every.shortest()) == (before, shortest)
        for index in (slice(10, 20), slice(20, 10, -1), slice(-3, None), slice(None, None, 50)):
            assert every[index] == before[index]
    fresh = graphs.simple_cycles(graph)
    assert fresh[10:20] == before[:0] + list(islice(graphs.simple_cycles(graph), 10, 20))
    with pytest.raises(IndexError, match="no cycle 5 among 1"):
        graphs.simple_cycles(nx.cycle_graph(4))[5]
    with pytest.raises(ValueError, match="expected the index of a cycle"):
        fresh["first"]


def test_a_long_list_is_continued_by_diagrams(monkeypatch):
    monkeypatch.setattr("linkoracle.graphs.bounded.FIRST_EFFORT", 2_000)
    graph = nx.grid_2d_graph(6, 6)
    paths = graphs.all_simple_paths(graph, (0, 0), (5, 5))
    listed = list(islice(paths, 2000))
    assert paths._members.is_built
    assert listed == list(islice(paths, 2000))
    assert listed[1999] == paths[1999]


def test_a_search_that_takes_long_is_given_up():
    graph = nx.grid_2d_graph(20, 20)
    spots = [(2, 3), (17, 4), (9, 9), (4, 16), (14, 13)]
    edges = [((row, col), (row + 1, col)) for row, col in spots]
    (model,) = graphs.simple_cycles(graph)._members.blocks.models
    fixed = model.with_edges(map(model.board.edge_of, edges))
    search = Backtracking(fixed)
    with pytest.raises(Undecided):
        search._through(search._pairs(), 130, search.visited + 1000)


def test_a_list_ends_in_time():
    """The time is that of the whole list, as long as there is no diagram."""
    every = graphs.all_simple_paths(nx.grid_2d_graph(25, 25), (0, 0), (24, 24), timeout=0.05)
    with pytest.raises(SearchTimeout):
        deque(every, maxlen=0)

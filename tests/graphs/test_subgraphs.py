"""Cycles and paths of graphs against networkx, which lists them one by one."""

from __future__ import annotations

import cProfile
from collections import Counter
from itertools import pairwise, permutations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import graphs

#: Graphs of all sorts: plane or not, with blocks, bridges, single nodes, several components.
GRAPHS = {
    "petersen": nx.petersen_graph(),
    "king": nx.strong_product(nx.path_graph(3), nx.path_graph(4)),
    "triangular": nx.triangular_lattice_graph(3, 4),
    "hexagonal": nx.hexagonal_lattice_graph(2, 3),
    "complete": nx.complete_graph(6),
    "barbell": nx.barbell_graph(4, 2),
    "lollipop": nx.lollipop_graph(4, 3),
    "two": nx.disjoint_union(nx.cycle_graph(4), nx.complete_graph(4)),
    "windmill": nx.windmill_graph(3, 4),
    "tree": nx.balanced_tree(2, 3),
    "edge": nx.path_graph(2),
    "node": nx.empty_graph(1),
}


@st.composite
def random_graphs(draw):
    nodes = draw(st.integers(2, 8))
    pairs = [(one, other) for other in range(nodes) for one in range(other)]
    graph = nx.empty_graph(nodes)
    graph.add_edges_from(draw(st.lists(st.sampled_from(pairs), max_size=18)))
    return nx.relabel_nodes(graph, {node: f"n{node}" for node in graph})


def edges_of(walk):
    return frozenset(map(frozenset, pairwise(walk)))


def cycles_of(graph):
    return {edges_of([*cycle, cycle[0]]) for cycle in nx.simple_cycles(graph)}


def compare(graph, one, other):
    """Compare everything with lists of networkx."""
    number = len(graph)
    cycles = [len(cycle) for cycle in nx.simple_cycles(graph)]
    paths = list(nx.all_simple_paths(graph, one, other)) if one != other else []
    everything = graphs.simple_cycles(graph)
    assert graphs.count(graph) == len(cycles)
    assert everything.by_length() == dict(sorted(Counter(cycles).items()))
    assert {edges_of([*cycle, cycle[0]]) for cycle in everything} == cycles_of(graph)
    assert graphs.count(graph, hamiltonian=True) == (cycles.count(number) if number > 2 else 0)
    if one == other:
        return
    found = list(graphs.all_simple_paths(graph, one, other))
    assert sorted(found) == sorted(map(list, paths))
    assert graphs.count(graph, one, other) == len(paths)
    through_all = [path for path in paths if len(path) == number]
    assert sorted(graphs.hamiltonian_paths(graph, one, other)) == sorted(through_all)


@pytest.mark.parametrize("name", GRAPHS)
def test_known_graphs(name):
    graph = GRAPHS[name]
    nodes = list(graph)
    compare(graph, nodes[0], nodes[-1])


@given(random_graphs())
@settings(max_examples=150, deadline=None)
def test_random_graphs(graph):
    nodes = list(graph)
    compare(graph, nodes[0], nodes[-1])


@given(random_graphs(), st.data())
@settings(max_examples=60, deadline=None)
def test_filters_and_families(graph, data):
    cycles = graphs.simple_cycles(graph)
    if not graph.number_of_edges():
        assert list(cycles) == []
        return
    chosen = data.draw(st.lists(st.sampled_from(sorted(graph.edges)), max_size=3, unique=True))
    required = {frozenset(edge) for edge in chosen}
    everything = cycles_of(graph)
    with_all, with_none = cycles.including(chosen), cycles.excluding(chosen)
    assert with_all.count() == sum(required <= cycle for cycle in everything)
    assert with_none.count() == sum(not required & cycle for cycle in everything)
    families = [one.family() for one in (cycles, with_all, with_none)]
    assert [family.count() for family in families] == [
        one.count() for one in (cycles, with_all, with_none)
    ]
    rest = families[0] - families[1]
    assert {edges_of(solution.paths()[0]) for solution in rest} == {
        cycle for cycle in everything if not required <= cycle
    }


@given(random_graphs(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_any_order_of_nodes_gives_the_same(graph, random):
    order = list(graph)
    random.shuffle(order)
    ordered = graphs.simple_cycles(graph, order=order)
    assert {edges_of([*cycle, cycle[0]]) for cycle in ordered} == cycles_of(graph)
    assert graphs.count(graph, order=order) == len(cycles_of(graph))
    assert ordered.family().count() == len(cycles_of(graph))
    one, other = order[0], order[-1]
    paths = graphs.all_simple_paths(graph, one, other, order=order)
    assert sorted(paths) == sorted(nx.all_simple_paths(graph, one, other))


def test_a_collection_is_indexed_as_it_is_listed():
    cycles = graphs.simple_cycles(nx.windmill_graph(3, 4))
    listed = list(cycles)
    assert len(listed) == len(cycles) == 21
    assert [cycles[index] for index in range(21)] == listed
    assert cycles[-1] == listed[-1]
    for index in (21, -22):
        with pytest.raises(IndexError, match="among 21"):
            cycles[index]


def test_dense_graphs():
    assert graphs.count(nx.complete_graph(11)) == 5_488_059
    assert graphs.count(nx.complete_graph(12)) == 59_740_609
    assert graphs.count(nx.wheel_graph(20)) == 19 * 18 + 1


def test_membership():
    graph = nx.barbell_graph(4, 2)
    cycles = graphs.simple_cycles(graph)
    assert all(cycle in cycles and cycle[1:] + cycle[:1] in cycles for cycle in cycles)
    assert [0, 1] not in cycles
    assert [0, 1, 0, 2] not in cycles
    assert [0, 1, 9] not in cycles
    paths = graphs.all_simple_paths(graph, 0, 9)
    assert all(path in paths and path[::-1] in paths for path in paths)
    assert [0, 3, 4] not in paths
    assert 3 not in paths
    assert len(paths) == 25


def test_samples_are_uniform_over_blocks():
    """Two blocks of 1 and 3 cycles: a quarter of all draws comes from the first."""
    graph = nx.Graph([*nx.cycle_graph("abc").edges, *nx.complete_graph("cdef").edges])
    cycles = graphs.simple_cycles(graph.subgraph(set("abcdef") - {"x"}))
    draws = cycles.sample(4000, seed=5)
    assert cycles.sample(4000, seed=draws.seed) == draws
    found = Counter(map(edges_of, ([*cycle, cycle[0]] for cycle in draws)))
    assert len(found) == len(cycles) == 8
    assert all(400 < number < 600 for number in found.values())


def test_the_order_that_is_found_is_narrow():
    """A ladder has a frontier of two nodes, however its nodes are numbered."""
    ladder = nx.ladder_graph(60)
    nodes = sorted(ladder, key=lambda node: node * 37 % 121)
    shuffled = nx.Graph()
    shuffled.add_nodes_from(nodes)
    shuffled.add_edges_from(ladder.edges)
    plan = graphs.simple_cycles(shuffled).plan()
    assert plan.width == 2
    assert sorted(plan.order) == sorted(ladder)
    assert graphs.count(shuffled) == 59 * 60 // 2
    assert graphs.simple_cycles(shuffled, order=nodes).plan().width > 2


@pytest.mark.parametrize("graph", [nx.grid_2d_graph(6, 6), GRAPHS["king"], nx.petersen_graph()])
@pytest.mark.parametrize("ends", [False, True])
def test_a_plan_bounds_the_states(graph, ends):
    nodes = list(graph)
    chosen = (nodes[0], nodes[-1]) if ends else ()
    reached = []
    every = graphs.Subgraphs(graph, *chosen, progress=lambda text, _: reached.append(text))
    plan = every.plan()
    assert every.count() > 0
    most = max(int(text.split(", ")[1].split()[0]) for text in reached)
    assert 0 < most <= plan.states
    assert plan.memory > 8 * plan.states


def test_a_node_joined_to_itself_is_refused():
    with pytest.raises(ValueError, match="the node 1 is joined to itself"):
        graphs.count(nx.Graph([(0, 1), (1, 2), (2, 0), (1, 1)]))


def test_wrong_ends_and_orders_are_refused():
    graph = nx.path_graph(4)
    with pytest.raises(ValueError, match="the node 9 is not in the graph"):
        graphs.count(graph, 0, 9)
    for search in (graphs.count, graphs.all_simple_paths, graphs.hamiltonian_paths):
        for ends in ((0, None), (None, 0)):
            with pytest.raises(ValueError, match="expected both ends of the paths, got one"):
                search(graph, *ends)
    for search in (graphs.all_simple_paths, graphs.hamiltonian_paths):
        with pytest.raises(ValueError, match="expected both ends of the paths, got none"):
            search(graph, None, None)
    with pytest.raises(TypeError, match="unexpected keyword argument 'tiemout'"):
        graphs.simple_cycles(graph, tiemout=1)
    with pytest.raises(ValueError, match="expected paths between two nodes, got 2 twice"):
        graphs.count(graph, 2, 2)
    with pytest.raises(ValueError, match="expected an order of the 4 nodes"):
        graphs.count(graph, order=[0, 1, 2, 2])
    with pytest.raises(ValueError, match="the graph has no edge between 0 and 2"):
        graphs.simple_cycles(graph).including([(0, 2)])
    with pytest.raises(ValueError, match="there are no cycles to draw from"):
        graphs.simple_cycles(graph).sample()


@pytest.mark.parametrize("place", [(0,), None, ("a", "b"), 5, (0.5, 1, 2)], ids=str)
def test_places_that_are_not_coordinates_do_not_matter(place):
    graph = nx.complete_graph(4)
    nx.set_node_attributes(graph, dict.fromkeys(graph, place), "pos")
    assert graphs.count(graph) == 7


def test_hamiltonian_paths_of_a_complete_graph():
    graph = nx.complete_graph(5)
    found = {tuple(path) for path in graphs.hamiltonian_paths(graph, 0, 4)}
    assert found == {(0, *middle, 4) for middle in permutations((1, 2, 3))}


def chained(number, block, first, last):
    """Copies of a block in a row, each joined to the next in one node."""
    graph = nx.Graph()
    for k in range(number):
        names = {node: (k, node) for node in block} | {last: (k + 1, first)}
        graph.add_edges_from((names[one], names[other]) for one, other in block.edges)
    return graph


def calls_in(work):
    """The number of calls of functions, compiled ones included: a measure that no load changes."""
    profile = cProfile.Profile()
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


MANY_BLOCKS = {
    "triangles": lambda number: nx.disjoint_union_all([nx.cycle_graph(3)] * number),
    "windmill": lambda number: nx.windmill_graph(number, 3),
    "chain": lambda number: chained(number, nx.complete_graph(4), 0, 3),
    "hexagons": lambda number: chained(number, nx.cycle_graph(6), 0, 3),
}
QUERIES = {
    "count": lambda graph: graphs.count(graph),
    "list": lambda graph: list(graphs.simple_cycles(graph)),
    "lengths": lambda graph: graphs.simple_cycles(graph).by_length(),
    "shortest": lambda graph: graphs.simple_cycles(graph).shortest(),
    "order": lambda graph: graphs.count(graph, order=reversed(list(graph))),
    "index": lambda graph: [*map(graphs.simple_cycles(graph).__getitem__, range(40))],
    "members": lambda graph: [[0, 1, 2] in every for every in [graphs.simple_cycles(graph)] * 40],
    "plan": lambda graph: graphs.simple_cycles(graph).plan(),
}


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("kind", MANY_BLOCKS)
def test_the_work_is_linear_in_the_number_of_blocks(kind, query):
    few, many = (MANY_BLOCKS[kind](number) for number in (50, 200))
    QUERIES[query](few)  # what is computed once
    assert calls_in(lambda: QUERIES[query](many)) < 5 * calls_in(lambda: QUERIES[query](few))


@pytest.mark.parametrize(("query", "growth"), [("count", 5), ("shortest", 17), ("list", 17)])
def test_the_work_in_a_chain_grows_with_its_length(query, growth):
    """A count is linear; a search for a path decides each edge after a search of all others."""

    def ask(number):
        graph = chained(number, nx.cycle_graph(6), 0, 3)
        paths = graphs.all_simple_paths(graph, (0, 0), (number, 0))
        if query == "list":
            return next(iter(paths))
        return getattr(paths, query)()

    ask(50)
    assert calls_in(lambda: ask(200)) < growth * calls_in(lambda: ask(50))
    assert ask(50) == 2**50 if query == "count" else len(ask(50)) == 151


@pytest.mark.parametrize(
    "number", [100, pytest.param(10_000, marks=pytest.mark.heavy)], ids=["few", "many"]
)
def test_graphs_of_many_blocks(number):
    triangles, windmill = (MANY_BLOCKS[kind](number) for kind in ("triangles", "windmill"))
    for graph in (triangles, windmill):
        every = graphs.simple_cycles(graph)
        assert every.count() == len(list(every)) == number
        assert every.by_length() == {3: number}
        assert all(every[at] in every for at in range(0, number, number // 100))
    blocks = chained(number, nx.complete_graph(4), 0, 3)
    assert graphs.count(blocks) == 7 * number
    # Five paths through each block: one edge, two by one node, two by both.
    assert graphs.count(blocks, (0, 0), (number, 0)) == 5**number
    assert graphs.count(blocks, (0, 0), (number, 0), hamiltonian=True) == 2**number
    assert graphs.count(blocks, (1, 1), (number, 0)) == 5 ** (number - 1)

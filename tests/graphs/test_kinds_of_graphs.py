"""Directed graphs and multigraphs, sets of ends and required nodes, against brute force."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import graphs


@st.composite
def any_graphs(draw, *, directed=None, parallel=None):
    directed = draw(st.booleans()) if directed is None else directed
    parallel = draw(st.booleans()) if parallel is None else parallel
    number = draw(st.integers(2, 6))
    pairs = [(a, b) for a in range(number) for b in range(number) if a != b]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=13))
    kinds = {
        (False, False): nx.Graph,
        (True, False): nx.DiGraph,
        (False, True): nx.MultiGraph,
        (True, True): nx.MultiDiGraph,
    }
    graph = kinds[directed, parallel]()
    graph.add_nodes_from(draw(st.permutations(range(number))))
    graph.add_edges_from(edges)
    return graph


def keyed(graph, walk):
    """Each way to walk these nodes, as edges with keys, as a set."""
    steps = []
    for one, other in walk:
        data = graph.get_edge_data(one, other)
        steps.append([(one, other, key) for key in (data if graph.is_multigraph() else [0])])
    return product(*steps)


def named(graph, steps):
    """What tells a set of edges from others."""
    if graph.is_directed():
        return frozenset(steps)
    return frozenset((frozenset(step[:2]), step[2]) for step in steps)


def paths_of(graph, sources, targets):
    """All paths, by depth-first search."""
    found = []

    def go_on(path):
        if path[-1] in targets:
            found.append(path)
        for far in graph[path[-1]]:
            if far not in path:
                go_on([*path, far])

    for source in sources:
        go_on([source])
    return found


def expected_paths(graph, sources, targets):
    found = Counter()
    for path in paths_of(graph, sources, targets):
        for steps in keyed(graph, pairwise(path)):
            found[named(graph, steps)] += 1
    return found


def expected_cycles(graph):
    found = set()
    for start in graph:
        for path in paths_of(graph, [start], set(graph)):
            if len(path) > 1 and graph.has_edge(path[-1], start):
                around = list(zip(path, [*path[1:], start], strict=True))
                for steps in keyed(graph, around):
                    used = named(graph, steps)
                    if len(used) == len(path):
                        found.add(used)
    return found


def steps_of(graph, member, *, cycle):
    if graph.is_multigraph():
        return member
    walk = [*member, member[0]] if cycle else member
    return [(one, other, 0) for one, other in pairwise(walk)]


def check(graph, every, expected, *, cycle):
    members = list(every)
    found = [named(graph, steps_of(graph, member, cycle=cycle)) for member in members]
    assert len(found) == len(set(found))
    assert set(found) == set(expected)
    assert every.count() == len(found) == sum(every.by_length().values())
    assert bool(every) == bool(found)
    for member in members:
        assert member in every
        assert every[members.index(member)] == member
        steps = steps_of(graph, member, cycle=cycle)
        assert all(graph.has_edge(*step[:2]) for step in steps)
        assert all(one[1] == two[0] for one, two in pairwise(steps))
    assert Counter(map(len, found)) == every.by_length()
    lengths = [*map(len, found)]
    for one, chosen in ((every.shortest(), min), (every.longest(), max)):
        if not found:
            assert one is None
        else:
            assert len(steps_of(graph, one, cycle=cycle)) == chosen(lengths)
    if found:
        assert all(member in every for member in every.sample(2, seed=1))


@given(any_graphs())
def test_cycles_of_all_kinds_of_graphs(graph):
    check(graph, graphs.simple_cycles(graph), expected_cycles(graph), cycle=True)
    if not graph.is_multigraph():
        assert graphs.count(graph) == sum(1 for _ in nx.simple_cycles(graph))


@given(any_graphs(), st.data())
def test_paths_of_all_kinds_of_graphs(graph, data):
    """Between nodes, and between sets of nodes, which may have others of the sets inside."""
    nodes = data.draw(st.permutations(list(graph)))
    sources = nodes[: data.draw(st.integers(1, len(nodes) - 1))]
    targets = nodes[len(sources) :][: data.draw(st.integers(1, len(nodes) - len(sources)))]
    expected = expected_paths(graph, sources, targets)
    ends = [ends[0] if len(ends) == 1 else ends for ends in (sources, targets)]
    every = graphs.all_simple_paths(graph, *ends)
    check(graph, every, expected, cycle=False)
    assert all(steps_of(graph, path, cycle=False)[0][0] in sources for path in every)
    if len(sources) == 1 and not graph.is_multigraph():
        listed = list(nx.all_simple_paths(graph, sources[0], targets))
        assert sorted(every) == sorted(listed)


@given(any_graphs(), st.data())
def test_filters_of_all_kinds_of_graphs(graph, data):
    nodes = list(graph)
    ends = data.draw(st.permutations(nodes))[:2] if data.draw(st.booleans()) else ()
    every = graphs.Subgraphs(graph, *ends)
    members = [steps_of(graph, one, cycle=not ends) for one in every]
    visited = data.draw(st.lists(st.sampled_from(nodes), max_size=2))
    avoided = data.draw(st.lists(st.sampled_from(nodes), max_size=1))
    bound = data.draw(st.none() | st.integers(0, 6))
    edges = list(graph.edges(keys=True) if graph.is_multigraph() else graph.edges)
    chosen = [data.draw(st.lists(st.sampled_from(edges), max_size=1) if edges else st.just([]))]
    hamiltonian = data.draw(st.booleans())
    part = graphs.Subgraphs(graph, *ends, length_bound=bound, hamiltonian=hamiltonian)
    part = part.including(chosen[0], nodes=visited).excluding(nodes=avoided)

    def fits(steps):
        there = {node for step in steps for node in step[:2]}
        used = named(graph, steps)
        needed = named(graph, [(*edge, 0)[:3] for edge in chosen[0]])
        return (
            there >= set(visited)
            and there.isdisjoint(avoided)
            and used >= needed
            and (bound is None or len(steps) <= bound)
            and (not hamiltonian or len(there) == len(nodes))
        )

    kept = [named(graph, steps) for steps in members if fits(steps)]
    assert len(part) == len(kept)
    check(graph, part, kept, cycle=not ends)


WEIGHTS = st.integers(-4, 9) | st.sampled_from([0.1, 0.2, 0.3, 2.5, -0.7])


@given(any_graphs(), st.data())
def test_weights_of_all_kinds_of_graphs(graph, data):
    """Sums are exact: 0.1 and 0.2 are within a budget of 0.3."""
    edges = list(graph.edges(keys=True) if graph.is_multigraph() else graph.edges)
    for edge in edges:
        graph.edges[edge]["cost"] = data.draw(WEIGHTS)
    ends = data.draw(st.permutations(list(graph)))[:3] if data.draw(st.booleans()) else ()
    every = graphs.Subgraphs(graph, *([ends[0], ends[1:]] if len(ends) > 1 else ()))
    cycle = len(ends) < 2

    def weigh(member):
        steps = [
            step if graph.is_multigraph() else step[:2]
            for step in steps_of(graph, member, cycle=cycle)
        ]
        return sum(Fraction(str(graph.edges[step]["cost"])) for step in steps)

    weights = [weigh(member) for member in every]
    budget = data.draw(st.sampled_from([-1, 0, 0.3, 3, 8.5, "7.25"]))
    for one, chosen in ((every.lightest("cost"), min), (every.heaviest("cost"), max)):
        assert one is None if not weights else weigh(one) == chosen(weights)
    part = every.within(budget, "cost")
    members = list(every)
    kept = [
        one
        for one, weight in zip(members, weights, strict=True)
        if weight <= Fraction(budget if isinstance(budget, str) else str(budget))
    ]
    assert list(part) == kept
    assert part.count() == len(kept)
    assert [one in part for one in members] == [one in kept for one in members]
    short = part.including(nodes=[next(iter(graph))])
    assert len(short) <= len(part)


def test_samples_by_weight_have_the_products_as_chances():
    """Two blocks, and a chance of 0."""
    graph = nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5), (5, 2)])
    for at, edge in enumerate(graph.edges):
        graph.edges[edge]["odds"] = [1, 2, 0.5, 3, 1, 0, 1.5, 2][at]
    every = graphs.simple_cycles(graph)
    number = 4000
    drawn = Counter(map(tuple, every.sample(number, seed=5, weight="odds")))
    chances = {}
    for cycle in every:
        around = pairwise([*cycle, cycle[0]])
        chances[tuple(cycle)] = prod(graph.edges[edge]["odds"] for edge in around)
    total = sum(chances.values())
    assert 0 in chances.values()
    for cycle, chance in chances.items():
        expected = number * chance / total
        assert abs(drawn[cycle] - expected) <= 5 * expected**0.5
    assert every.sample(3, seed=2, weight="odds") == every.sample(3, seed=2, weight="odds")


def test_wrong_weights():
    graph = nx.Graph([(0, 1), (1, 2), (2, 0)])
    every = graphs.simple_cycles(graph)
    with pytest.raises(ValueError, match="edge between 0 and 1 has no weight"):
        every.lightest()
    nx.set_edge_attributes(graph, {(0, 1): "x", (1, 2): 1, (0, 2): 1}, "weight")
    every = graphs.simple_cycles(graph)
    with pytest.raises(ValueError, match="has the weight 'x'"):
        every.within(3).count()
    with pytest.raises(ValueError, match="expected a number as a weight, got nan"):
        every.within(float("nan"))
    graph.edges[0, 1]["weight"] = -1
    with pytest.raises(ValueError, match="expected weights of 0 or more"):
        every.sample(weight="weight")


@pytest.mark.parametrize("number", [3, 6, 8])
def test_complete_digraphs(number):
    """A cycle of k nodes is one of (k - 1)! orders: OEIS A002807, A005165 tell of graphs."""
    from math import comb, factorial

    graph = nx.complete_graph(number, nx.DiGraph)
    cycles = sum(comb(number, k) * factorial(k - 1) for k in range(2, number + 1))
    assert graphs.count(graph) == cycles
    assert graphs.count(graph, hamiltonian=True) == factorial(number - 1)
    paths = sum(factorial(number - 2) // factorial(k) for k in range(number - 1))
    assert graphs.count(graph, 0, 1) == paths


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda g: graphs.count(g, [0, 1], [1, 2]), "got 1 twice"),
        (lambda g: graphs.count(g, [], [1, 2]), "got none"),
        (lambda g: graphs.count(g, 0, [1, "x"]), "'x' is not in the graph"),
        (lambda g: graphs.simple_cycles(g).including([(0, 1)]), "one of the 2 edges between 0"),
        (lambda g: graphs.simple_cycles(g).including([(0, 1, 7)]), "no edge between 0 and 1"),
        (lambda g: graphs.simple_cycles(g).including([(0, 1, 2, 3)]), "a pair of nodes"),
        (lambda g: graphs.simple_cycles(g).excluding(nodes=[9]), "9 is not in the graph"),
        (lambda g: graphs.all_simple_paths(g, 0, [1, 2]).family(), "one source and one target"),
    ],
)
def test_wrong_requests(make, reason):
    graph = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 0)])
    with pytest.raises(ValueError, match=reason):
        make(graph)


def test_an_order_and_a_plan_of_a_digraph():
    graph = nx.gnp_random_graph(12, 0.3, seed=4, directed=True)
    every = graphs.simple_cycles(graph)
    assert every.count() == sum(1 for _ in nx.simple_cycles(graph))
    assert graphs.count(graph, order=reversed(list(graph))) == every.count()
    plan = every.plan()
    assert graphs.count(graph, memory=plan.memory) == every.count()
    paths = graphs.all_simple_paths(graph, [0, 1], [2, 3])
    assert set(paths.plan().order) <= set(graph)

"""Vertices with many edges, and faces with many sides: no degree and no order is refused."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from math import comb, cos, factorial, pi, sin

import networkx as nx
import pytest

from linkoracle import Board, LinkModel, Shape, count, decide, graphs
from linkoracle.frontier import Diagram, frontier_width, steps
from linkoracle.graphs import Subgraphs
from tests.parts import parts


def cycles_between(one, other):
    """The number of cycles of a complete bipartite graph."""
    return sum(
        comb(one, k) * comb(other, k) * factorial(k) * factorial(k - 1) // 2
        for k in range(2, min(one, other) + 1)
    )


def theta(arms, length):
    """The ends "s" and "t", and paths between them."""
    graph = nx.Graph()
    for arm in range(arms):
        nx.add_path(graph, ["s", *((arm, place) for place in range(length)), "t"])
    return graph


@pytest.mark.parametrize(
    ("sizes", "first"),
    [
        *((sizes, None) for sizes in [(2, 11), (2, 12), (2, 30), (3, 30), (4, 30), (5, 12)]),
        *((sizes, "hubs") for sizes in [(2, 10), (2, 11), (2, 12), (2, 30), (3, 12)]),
        *((sizes, "leaves") for sizes in [(2, 12), (4, 30), (5, 12)]),
    ],
)
def test_complete_bipartite_graphs(sizes, first):
    graph = nx.complete_bipartite_graph(*sizes)
    order = None if first is None else list(graph)[:: 1 if first == "hubs" else -1]
    assert graphs.count(graph, order=order) == cycles_between(*sizes)
    if sizes[0] == 2:
        every = Subgraphs(graph, order=order)
        assert every.by_length() == {4: cycles_between(*sizes)}
        assert {frozenset(cycle) for cycle in every} == {
            frozenset({0, 1, one, other}) for one in range(2, sum(sizes)) for other in range(2, one)
        }


def test_orders_with_few_states_are_found():
    """The neighbours of a vertex with many edges come before it."""
    for sizes in ((3, 30), (6, 30), (8, 60)):
        graph = nx.complete_bipartite_graph(*sizes)
        assert frontier_width(Board(len(graph), list(graph.edges))) <= sizes[0] + 1
    # Hubs first, all other nodes are on the frontier.
    assert graphs.count(nx.complete_bipartite_graph(8, 60)) == cycles_between(8, 60)


def test_complete_graphs():
    # A002807.
    cycles = [1, 7, 37, 197, 1172, 8018, 62814, 556014, 5488059, 59740609, 710771275]
    for size, number in enumerate(cycles, start=3):
        assert graphs.count(nx.complete_graph(size)) == number
    # Of a path, any of the other nodes are inside, in any order.
    inside = sum(comb(11, k) * factorial(k) for k in range(12))
    assert graphs.count(nx.complete_graph(13), 0, 12) == inside
    assert graphs.count(nx.complete_graph(13), 4, 7, hamiltonian=True) == factorial(11)


@pytest.mark.parametrize("arms", [10, 11, 12, 19, 20, 64])
def test_theta_graphs(arms):
    graph = theta(arms, 3)
    assert graphs.count(graph) == comb(arms, 2)
    assert len(list(graphs.simple_cycles(graph))) == comb(arms, 2)
    for order in (None, ["s", "t", *(node for node in graph if node not in ("s", "t"))]):
        paths = graphs.all_simple_paths(graph, "s", "t", order=order)
        assert paths.count() == arms
        assert sorted(path[1] for path in paths) == [(arm, 0) for arm in range(arms)]
        # One goes round by any of the other arms.
        assert graphs.count(graph, (0, 1), "t", order=order) == 1 + arms - 1


@pytest.mark.parametrize("rim", [10, 11, 12, 62, 63, 64, 65])
def test_wheels(rim):
    graph = nx.star_graph(rim)
    nx.add_cycle(graph, range(1, rim + 1))
    assert graphs.count(graph) == rim * (rim - 1) + 1
    hub_first = Subgraphs(graph, order=range(rim + 1))
    every = {frozenset(pairwise([*cycle, cycle[0]])) for cycle in hub_first}
    assert len(every) == rim * (rim - 1) + 1
    assert hub_first.by_length()[rim] == rim + 1
    # From the hub to the rim at once, or by any other spoke and one way round.
    assert graphs.count(graph, 0, 1) == 1 + 2 * (rim - 1)
    assert graphs.count(graph, 0, 1, order=range(rim + 1), hamiltonian=True) == 2


def check_hubs(seed):
    """Compare all cycles and paths of a sparse graph with hubs with those of networkx."""
    rng = random.Random(seed)
    size = rng.randrange(12, 18)
    graph = nx.gnp_random_graph(size, 0.1, seed=seed)
    for hub in range(rng.randrange(1, 3)):
        graph.add_edges_from((hub, node) for node in graph if node != hub and rng.random() < 0.8)
    cycles = Counter(len(cycle) for cycle in nx.simple_cycles(graph))
    if cycles.total() > 3000:
        return 0
    shuffled = rng.sample(range(size), size)
    source, target = rng.sample(range(size), 2)
    paths = sorted(nx.all_simple_paths(graph, source, target))
    for order in (None, shuffled, range(size)):
        assert graphs.count(graph, order=order) == cycles.total(), seed
        every = Subgraphs(graph, order=order)
        assert Counter(map(len, every)) == cycles == every.by_length(), seed
        assert len({frozenset(pairwise([*one, one[0]])) for one in every}) == cycles.total(), seed
        for hamiltonian in (False, True):
            expected = [path for path in paths if len(path) == size or not hamiltonian]
            found = Subgraphs(graph, source, target, order=order, hamiltonian=hamiltonian)
            assert found.count() == len(expected), seed
            assert sorted(found) == expected, seed
    return max(len(graph[node]) for node in graph)


def test_random_graphs_with_hubs():
    assert max(check_hubs(seed) for seed in range(6)) > 10


@parts(range(20))
def test_very_many_random_graphs_with_hubs(part):
    for seed in range(100 * part, 100 * (part + 1)):
        check_hubs(seed)


def round_table(sides):
    """A face with many sides, and a triangle outside each of these."""
    corners = {k: (cos(2 * pi * k / sides), sin(2 * pi * k / sides)) for k in range(sides)}
    tips = {
        sides + k: (2 * cos(2 * pi * (k + 0.5) / sides), 2 * sin(2 * pi * (k + 0.5) / sides))
        for k in range(sides)
    }
    graph = nx.cycle_graph(sides)
    for k in range(sides):
        nx.add_path(graph, [k, sides + k, (k + 1) % sides])
    return Board.from_graph(graph, corners | tips)


@pytest.mark.parametrize("sides", [15, 16, 17, 31, 32, 33, 61, 62, 63, 64, 65, 130])
def test_faces_with_many_sides(sides):
    """Numbers of edges that are bits of a word, and numbers that are not."""
    board = round_table(sides)
    (face,) = (face for face in range(board.num_faces) if len(board.edges_of(face)) == sides)
    # A loop goes round the face, by any sides of it and two sides of each other triangle; or it is
    # one of the triangles.
    for clue, number in ((sides, 1), (sides - 1, sides), ({1, sides - 1}, 3 * sides)):
        model = LinkModel.blank_loop(board).with_faces({board.face_name(face): clue})
        for engine in ("frontier", "sat"):
            assert count(model, engine=engine) == number
        assert Diagram.build(model).count() == number
        assert decide(model).status == ("unique" if number == 1 else "many")


@pytest.mark.parametrize("degree", [10, 11, 16, 17, 24])
def test_shapes_at_vertices_with_many_edges(degree):
    graph = nx.star_graph(degree)
    nx.add_cycle(graph, range(1, degree + 1))
    board = Board(degree + 1, list(graph.edges))
    first, last, second = (board.edge(0, spoke) for spoke in (1, degree, 2))
    shape = Shape.of(board, 0, [(first, last), (second, last)])
    model = LinkModel.blank_loop(board).with_constraints(shapes=[shape])
    for engine in ("sat", "frontier"):
        assert count(model, engine=engine) == 4


def test_a_shape_has_a_bit_for_each_set_of_edges():
    board = Board(41, list(nx.wheel_graph(41).edges))
    with pytest.raises(ValueError, match="vertex 0 has 40 edges, expected at most 28 for a shape"):
        Shape.of(board, 0, [(0, 1)])


def test_every_vertex_may_take_several_steps(monkeypatch):
    monkeypatch.setattr(steps, "MOST_OUTS", 2)
    plan = steps.Steps(LinkModel.blank_loop(Board(5, list(nx.complete_graph(5).edges))))
    assert plan.order == (0, 0, 0, 1, 1, 2, 3, 4)
    assert plan.outs[:3] == [[0], [1], [2, 3]]

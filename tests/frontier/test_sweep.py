"""The pass on any board: random models, in any order of their vertices, against brute force."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from linkoracle import Board, LinkModel, NotSupported
from linkoracle.frontier import Diagram, Windows, count, finished, steps
from linkoracle.frontier.sweep import Sweep
from tests import boards, constrained
from tests.parts import parts


def check(seed: int) -> int:
    """Count a random model in several ways; return how many solutions it has."""
    rng = random.Random(seed)
    model = constrained.random_model(rng, boards.random_board(rng))
    expected = constrained.solutions(model)
    order = rng.sample(range(model.board.num_vertices), model.board.num_vertices)
    # Without probing, nothing is left out before the pass.
    probing = rng.random() < 0.5
    with pytest.MonkeyPatch.context() as patch:
        # Two edges make a vertex one with many; with ten, boards as small as these have none.
        patch.setattr(steps, "MOST_OUTS", rng.choice([2, 3, 4, 10]))
        if rng.random() < 0.7:
            patch.setattr(steps, "vertex_order", lambda _: tuple(order))
            # The frontier of another order is no line across the board.
            patch.setattr(steps.Steps, "plane", False)
        # By the clues, or by the board.
        patch.setattr(steps, "_LEAST_FREE_EDGES", rng.choice([0, 1 << 30]))
        if not probing:
            patch.setattr(steps.Steps, "solvable", True)
        try:
            one = Sweep(model, threads=rng.choice([1, 2]), wide=rng.choice([1, 1 << 20]))
        except NotSupported:
            return 0
        if rng.random() < 0.5:
            one._pass.foresee(Windows(one.plan).prospects())
        assert finished(one.count()) == len(expected), seed
        diagram = Diagram.build(model)
        assert {solution.edges for solution in diagram} == expected, seed
        assert diagram.count() == len(expected), seed
    return len(expected)


@pytest.mark.parametrize("part", range(5))
def test_random_models_in_any_order(part):
    found = [check(seed) for seed in range(100 * part, 100 * (part + 1))]
    assert len(set(found)) > 3


@parts(range(200))
def test_very_many_random_models(part):
    for seed in range(1000 * (part + 1), 1000 * (part + 2)):
        check(seed)


def triangular(size: int) -> Board:
    graph = nx.grid_2d_graph(size, size)
    last = size - 1
    graph.add_edges_from(((i, j), (i + 1, j + 1)) for i in range(last) for j in range(last))
    return Board.from_graph(graph, {(i, j): (j, i) for i, j in graph})


def kings(size: int) -> Board:
    graph = nx.grid_2d_graph(size, size)
    for i in range(size - 1):
        for j in range(size - 1):
            graph.add_edge((i, j), (i + 1, j + 1))
            graph.add_edge((i + 1, j), (i, j + 1))
    return Board.from_graph(graph)


@pytest.mark.parametrize(
    ("board", "number"),
    [
        # Graphillion 2.1: GraphSet.cycles().len() of the same graphs.
        (triangular(6), 9875198891),
        (kings(4), 136597),
        (kings(5), 545217435),
        (boards.honeycomb(5, 5), 4847255),
        (Board.from_graph(nx.petersen_graph()), 57),
    ],
)
def test_cycles_of_other_boards(board, number):
    assert count(LinkModel.blank_loop(board)) == number

"""Passes over paths that may end anywhere, against subsets of the edges by definition."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import networkx as nx
import pytest

from linkoracle.board import HOLE, PASS, PASS_OR_SKIP
from linkoracle.frontier import Windows, building, finished, steps
from linkoracle.frontier.sweep import Sweep
from tests import boards, constrained


def random_model(rng):
    """A model whose terminals and loop do not matter: its degrees, and all other constraints."""
    while (board := boards.random_board(rng)).num_edges > 12:
        pass
    model = constrained.random_model(rng, board)
    fixed = {vertex for edge in model.given for vertex in board.ends(edge)}
    masks = [PASS, PASS_OR_SKIP, PASS_OR_SKIP, PASS_OR_SKIP, HOLE]
    degrees = bytes(
        PASS_OR_SKIP if vertex in fixed else rng.choice(masks)
        for vertex in range(board.num_vertices)
    )
    return replace(model, degrees=degrees, terminals=(), loop=False, clauses=())


def fits(model, chosen):
    """Whether edges are paths, and obey all local constraints."""
    board = model.board
    graph = nx.Graph()
    graph.add_nodes_from(range(board.num_vertices))
    graph.add_edges_from(map(board.ends, chosen))
    if not nx.is_forest(graph):
        return False
    allowed = {PASS: {1, 2}, PASS_OR_SKIP: {0, 1, 2}, HOLE: {0}}
    return all(
        degree in allowed[mask]
        for (_, degree), mask in zip(graph.degree, model.degrees, strict=True)
    ) and constrained.fits(AnyDegrees(model), chosen)


class AnyDegrees:
    """A model with masks that allow every degree."""

    def __init__(self, model):
        self._model, self.degrees = model, [-1] * len(model.degrees)

    def __getattr__(self, name):
        return getattr(self._model, name)


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.heavy) for part in range(1, 6))]
)
def test_paths_with_free_ends_on_random_boards(part):
    seen = set()
    for seed in range(25 * part, 25 * part + 25):
        rng = random.Random(seed)
        model = random_model(rng)
        edges = range(model.board.num_edges)
        expected = {
            frozenset(chosen)
            for size in range(len(edges) + 1)
            for chosen in combinations(edges, size)
            if fits(model, frozenset(chosen))
        }
        seen.add(min(len(expected), 2))
        order = rng.sample(range(model.board.num_vertices), model.board.num_vertices)
        with pytest.MonkeyPatch.context() as patch:
            if rng.random() < 0.5:
                patch.setattr(steps, "vertex_order", lambda _, order=order: tuple(order))
            patch.setattr(steps, "MOST_OUTS", rng.choice([2, 3, 10]))
            one = Sweep(model, free_ends=True)
            if rng.random() < 0.7:
                one._pass.foresee(Windows(one.plan).prospects())
            assert finished(one.count()) == len(expected), seed
            work = building(model, None, free_ends=True)
            found = [frozenset(one.edges) for one in finished(work)]
        assert len(found) == len(expected), seed
        assert set(found) == expected, seed
    assert seen == {0, 1, 2}

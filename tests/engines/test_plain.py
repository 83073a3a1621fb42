"""The plain engine's components with and without networkx, and its diagrams."""

from __future__ import annotations

from random import Random

import pytest

from linkoracle import LinkModel, count
from linkoracle.board import PASS_OR_END, Lattice
from linkoracle.engines import plain, plain_diagram
from tests.boards import FAMILIES, small_board


@pytest.mark.parametrize("family", FAMILIES)
def test_what_stands_in_for_networkx_finds_the_same_components(family, monkeypatch):
    rng = Random(3)
    for _ in range(20):
        board = small_board(rng, family)
        edges = [edge for edge in range(board.num_edges) if rng.random() < 0.4]
        found = plain.components(board, edges)
        with monkeypatch.context() as patch:
            patch.setattr(plain, "COMPILED", False)
            assert plain.components(board, edges) == found
        ends = [{*board.ends(edge)} for edge in edges]
        assert sorted(vertex for part in found for vertex in part) == sorted(set().union(*ends))
        for part in found:
            # No edge leaves it, and no part of it is left by no edge.
            assert all(one <= part or one.isdisjoint(part) for one in ends)
            reached = {min(part)}
            while more := {v for one in ends if one & reached for v in one} - reached:
                reached |= more
            assert reached == part


def model_with_free_ends(side: int) -> LinkModel:
    board = Lattice(side, side)
    return LinkModel(board, bytes([PASS_OR_END] * board.num_vertices), board.free_masks, (), False)


@pytest.mark.parametrize(("side", "paths"), [(1, 0), (2, 4), (3, 20), (4, 276), (5, 4324)])
def test_paths_with_free_ends_through_all_vertices(side, paths):
    """Half of A096969."""
    model = model_with_free_ends(side)
    assert plain_diagram.count(model) == count(model, engine="plain") == paths
    if side < 5:
        listed = list(plain_diagram.solutions(model))
        assert sorted(listed) == sorted(plain.solutions(model))
        assert len(listed) == paths


@pytest.mark.parametrize("cols", [7, pytest.param(12, marks=pytest.mark.heavy)])
def test_a_large_board_has_no_diagram(cols, monkeypatch):
    """Nor has any board in a browser tab, which has no dd."""
    model = LinkModel.blank_loop(Lattice(3, cols)).with_edges([0])
    expected = sorted(plain_diagram.solutions(model))
    monkeypatch.setattr(plain_diagram, "diagram", None)
    with pytest.raises(TypeError):
        plain_diagram.count(model)
    for name, value in (("MAX_EDGES", model.board.num_edges - 1), ("COMPILED", False)):
        with monkeypatch.context() as patch:
            patch.setattr(plain_diagram, name, value)
            assert plain_diagram.count(model) == len(expected)
            assert sorted(plain_diagram.solutions(model)) == expected


def test_the_variables_of_a_diagram_are_edges():
    model = LinkModel.blank_loop(Lattice(3, 4))
    bdd, function = plain_diagram.diagram(model)
    expected = list(plain.solutions(model))
    for edge in range(model.board.num_edges):
        number = (function & bdd.var(f"e{edge}")).count(nvars=model.board.num_edges)
        assert number == sum(edge in one for one in expected)

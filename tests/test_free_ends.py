"""Models of one path whose ends are free, against paths by definition."""

from __future__ import annotations

import pytest

from linkoracle import Lattice, LinkModel, Oracle, count, solutions, solve
from linkoracle.board import PASS, PASS_OR_END, PASS_OR_SKIP, violations
from tests import constrained


def test_what_is_no_path_is_refused():
    """Sets of edges that obey all masks, or are too few."""
    board = Lattice(2, 3)
    model = LinkModel(board, bytes([PASS_OR_END]) * 6, board.free_masks)
    paths = constrained.solutions(model)
    # A loop, two paths, a path that leaves out a vertex.
    for edges in ((0, 1, 3, 5), (0, 2, 4), (0, 5, 6), (0, 1, 4)):
        assert edges not in paths
        assert violations(model, edges)
    assert count(model) == len(paths) == 8


def test_a_longer_path_through_an_oracle():
    """Without constraints the empty path of one vertex is none, and clues of faces may come."""
    board = Lattice(4, 4)
    model = LinkModel(board, bytes([PASS_OR_END]) * 16, board.free_masks)
    assert count(model) == 276
    solution = solve(model)
    clues = dict(zip([(r, c) for r in range(3) for c in range(3)], solution.counts(), strict=True))
    with Oracle(model) as oracle:
        with_clues = [one.edges for one in oracle.solutions(clues)]
        assert solution.edges in with_clues
        assert oracle.ask({**clues, (0, 0): 4}).status == "none"
    assert sorted(with_clues) == sorted(
        one.edges for one in solutions(model.with_faces(clues), engine="plain")
    )


@pytest.mark.parametrize("mask", [PASS_OR_SKIP, 0b111, 0b011])
def test_every_vertex_is_used(mask):
    board = Lattice(2, 2)
    with pytest.raises(ValueError, match="is not supported"):
        LinkModel(board, bytes([PASS_OR_END, mask, PASS, PASS]), board.free_masks)

"""Models of one path whose ends are free, against paths by definition."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from linkoracle import Lattice, LinkModel, NotSupported, Oracle, count, is_unique, solutions, solve
from linkoracle.board import checking
from linkoracle.board.model import END, HOLE, PASS, PASS_OR_END, PASS_OR_SKIP
from linkoracle.certificates import certificate
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.writing import record_of
from linkoracle.core.errors import NoCertificate
from tests import boards


def random_model(rng):
    """Through all vertices of a board but the holes, under constraints that fit some path."""
    board = boards.random_board(rng)
    model = boards.random_model(rng, board)
    edges = [edge for edge in range(board.num_edges) if rng.random() < 0.05]
    holes = {
        vertex
        for vertex in range(board.num_vertices)
        if rng.random() < 0.15 and not any(vertex in board.ends(edge) for edge in edges)
    }
    degrees = bytearray(
        HOLE if vertex in holes else rng.choice([PASS_OR_END] * 8 + [PASS, END])
        for vertex in range(board.num_vertices)
    )
    if not any(mask & END for mask in degrees):
        degrees[0] = PASS_OR_END
    return LinkModel(
        board,
        bytes(degrees),
        model.faces if rng.random() < 0.5 else board.free_masks,
        given=tuple(edges),
        counts=model.counts if rng.random() < 0.3 else (),
        clauses=model.clauses if rng.random() < 0.3 else (),
    )


@pytest.mark.parametrize("part", range(4))
def test_engines_and_certificates_agree_with_definitions(part):
    rng = random.Random(part)
    seen, refused = set(), []
    for _ in range(25):
        model = random_model(rng)
        expected = boards.solutions(model)
        seen.add(min(len(expected), 3))
        for engine in ("auto", "sat", "plain"):
            found = list(solutions(model, engine=engine))
            assert len(found) == len(expected), (engine, model)
            assert {one.edges for one in found} == expected
            assert count(model, engine=engine) == len(expected)
            assert is_unique(model, engine=engine) == (len(expected) == 1)
        assert not any(checking.violations(model, edges) for edges in expected)
        with pytest.raises(NotSupported, match="ends are free"):
            count(replace(model, clauses=()), engine="frontier")
        if len(expected) < 6:
            try:
                made = certificate(model, limit=6)
            except NoCertificate as reason:
                # For a loop that obeys all other rules, or counts of many literals.
                refused.append(str(reason))
                continue
            assert checker.verify(made.data, checker.Puzzle(record_of(model)))[1] == len(expected)
    assert seen > {0, 1}
    assert len(refused) < 10


def test_what_is_no_path_is_refused():
    """Sets of edges that obey all masks, or are too few."""
    board = Lattice(2, 3)
    model = LinkModel(board, bytes([PASS_OR_END]) * 6, board.free_masks)
    paths = boards.solutions(model)
    # A loop, two paths, a path that leaves out a vertex.
    for edges in ((0, 1, 3, 5), (0, 2, 4), (0, 5, 6), (0, 1, 4)):
        assert edges not in paths
        assert checking.violations(model, edges)
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

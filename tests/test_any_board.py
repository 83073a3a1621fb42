"""Engines on plane boards of all sorts, and on graphs that are not plane, against brute force."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import linkoracle
from linkoracle import (
    Count,
    Lattice,
    LinkModel,
    NotSupported,
    Oracle,
    SearchTimeout,
    Solution,
)
from linkoracle.board import PASS_OR_SKIP
from linkoracle.search import Alternatives
from tests import boards, constrained
from tests.parts import parts


def without_clues(model: LinkModel) -> LinkModel:
    """The same model, with counts in place of the masks of faces."""
    board = model.board
    counts = [
        Count(tuple(edge + 1 for edge in board.edges_of(face)), mask)
        for face, (mask, free) in enumerate(zip(model.faces, board.free_masks, strict=True))
        if mask != free
    ]
    return replace(model, faces=board.free_masks).with_constraints(counts=counts)


def ask_for_alternatives(seed: int) -> tuple[int, int]:
    """The makers' search on a random model, question by question; how many it had no answer to."""
    rng = random.Random(seed)
    model = without_clues(constrained.random_model(rng, boards.random_board(rng)))
    expected = sorted(constrained.solutions(model))
    if not expected or not expected[0]:
        return 0, 0
    board, known = model.board, Solution(model.board, rng.choice(expected))
    if model.free_ends:
        with pytest.raises(NotSupported, match="free ends"):
            Alternatives(model, known)
        return 0, 0
    counts = {edges: board.face_counts(Solution(board, edges).marks()) for edges in expected}
    mine = counts[known.edges]
    changed = {
        edges: {face for face in range(board.num_faces) if count[face] != mine[face]}
        for edges, count in counts.items()
        if edges != known.edges
    }
    faces = range(board.num_faces)
    answers = [0, 0]
    with Alternatives(model, known) as alternatives:
        for _ in range(8):
            share = rng.choice([0.0, 0.2, 0.6])
            kept = {face for face in faces if rng.random() < share}
            changing = rng.sample(faces, min(len(faces), rng.choice([0, 0, 1, 3])))

            def others(shown: set[int], changing: list[int] = changing) -> set[tuple[int, ...]]:
                return {
                    edges
                    for edges, other in changed.items()
                    if other.isdisjoint(shown) and (not changing or other & set(changing))
                }

            found = alternatives.find(kept, changing)
            answers[found is None] += 1
            if found is None:
                assert not others(kept), seed
                assert alternatives.core <= kept | set(changing), seed
                assert not others(alternatives.core), seed
            else:
                assert found.solution.edges in others(kept), seed
                assert found.changed == changed[found.solution.edges], seed
        if not others(set(faces), []):
            left = alternatives.reduce()
            assert not others(left, []), seed
            for face in left:
                assert others(left - {face}, []), seed
                assert alternatives.witness(face).changed & left == {face}, seed
    return answers[0], answers[1]


@pytest.mark.parametrize("part", range(8))
def test_alternatives_on_random_boards(part):
    found = [ask_for_alternatives(1000 * part + k) for k in range(100)]
    assert min(map(sum, zip(*found, strict=True))) > 40


@parts(range(50))
def test_very_many_alternatives(part):
    for k in range(800):
        ask_for_alternatives(10**6 * (part + 1) + k)


def clued(rng: random.Random, connectivity: str) -> tuple[LinkModel, dict[Any, int]]:
    """A model without clues, and some clues of one of its solutions, some of them wrong."""
    board = rng.choice([boards.honeycomb(2, 2), boards.triangular(2, 3), boards.scattered(rng, 11)])
    if constrained.USUAL[connectivity] != PASS_OR_SKIP:
        board = boards.small_board(rng, rng.choice(boards.FAMILIES))
    some = rng.sample([name for name in constrained.CONSTRAINTS if name != "faces"], 2)
    model = constrained.random_model(rng, board, connectivity, some)
    every = sorted(constrained.solutions(model))
    chosen = set(rng.choice(every)) if every else set()
    clues = {}
    for face in range(board.num_faces):
        if rng.random() < 0.7:
            count = len(chosen.intersection(board.edges_of(face)))
            if rng.random() < 0.1:
                count = rng.randrange(len(board.edges_of(face)) + 1)
            clues[board.face_name(face)] = count
    return model, clues


def right(model: LinkModel, clues: dict[Any, int], edges: dict[int, bool]) -> set[tuple[int, ...]]:
    """The solutions with these clues, and these edges on or off."""
    return {
        solution
        for solution in constrained.solutions(model.with_faces(clues))
        if all((edge in solution) == on for edge, on in edges.items())
    }


@pytest.mark.parametrize("connectivity", constrained.CONNECTIVITIES)
def test_clues_come_and_go_on_any_board(connectivity):
    """One oracle, asked again and again: verdicts, cores, implications."""
    seen = set()
    for seed in range(25):
        rng = random.Random(f"{connectivity} {seed}")
        model, clues = clued(rng, connectivity)
        with Oracle(model) as oracle:
            for _ in range(4):
                seen.add(ask_about(oracle, rng, clues))
    assert seen == {"none", "unique", "many"}


def ask_about(oracle: Oracle, rng: random.Random, clues: dict[Any, int]) -> str:
    """Ask about some of the clues, and sometimes edges; return the status."""
    model = oracle.model
    asked = {face: clue for face, clue in clues.items() if rng.random() < 0.8}
    edges = {rng.randrange(model.board.num_edges): rng.random() < 0.5 for _ in range(2)}
    edges = {} if rng.random() < 0.5 else edges
    expected = right(model, asked, edges)
    verdict = oracle.ask(asked, edges=edges, core=rng.random() < 0.5)
    assert verdict.status == ("none", "unique", "many")[min(2, len(expected))]
    assert {one.edges for one in verdict.solutions} <= expected
    if verdict.core is not None:
        assert right(model, verdict.core, verdict.core_edges) == expected
    if not expected:
        core = oracle.core(asked, edges=edges)
        assert core.core_minimal
        for face in core.core:
            less = {key: clue for key, clue in core.core.items() if key != face}
            assert right(model, less, core.core_edges)
    if asked and not set(asked) & set(edges):
        face = rng.choice(list(asked))
        others = {key: clue for key, clue in asked.items() if key != face}
        every = right(model, others, edges)
        implied = bool(every) and every == expected
        assert oracle.implies(asked, face, edges=edges) == implied
    return verdict.status


def test_a_face_and_an_edge_of_one_number_are_told_apart():
    with Oracle(LinkModel.blank_loop(boards.honeycomb(1, 2))) as oracle:
        with pytest.raises(ValueError, match="0 is a face with a clue and an edge"):
            oracle.implies({0: 3}, 0, edges={0: True})
        with pytest.raises(ValueError, match="a clue from 0 to 6, got 7"):
            oracle.ask({0: 7})
        with pytest.raises(ValueError, match="a face from 0 to 1, got 2"):
            oracle.ask({2: 1})
        # One edge around face 1: the loop runs around face 0, and not along edge 6.
        contradiction = oracle.core({1: 1}, edges={1: True, 6: True})
        assert (contradiction.core, contradiction.core_edges) == ({1: 1}, {6: True})


@pytest.mark.parametrize("engine", ["auto", "sat", "plain"])
def test_every_question_is_answered_on_any_board(engine):
    board = boards.honeycomb(2, 2)
    model = LinkModel.blank_loop(board).with_faces({0: {4, 5}})
    assert linkoracle.count(model, engine=engine) == len(constrained.solutions(model))
    assert linkoracle.count_result(model, 2, keep=True, engine=engine).count == 2
    every = linkoracle.count_result(model, keep=True, engine=engine).solutions
    assert sorted(one.edges for one in every) == sorted(constrained.solutions(model))
    assert linkoracle.decide(model, engine=engine).status == "many"
    assert linkoracle.solve(model, engine=engine).edges in constrained.solutions(model)
    listed = {one.edges for one in linkoracle.solutions(model, engine=engine)}
    assert listed == constrained.solutions(model)
    for solution in [Solution(board, edges) for edges in listed]:
        assert linkoracle.check_solution(model, solution)
    assert not linkoracle.check_solution(model, Solution(board, ()))
    assert not linkoracle.is_unique(model, engine=engine)


def test_the_plain_engine_keeps_to_its_limits():
    model = LinkModel.blank_loop(Lattice(9, 9))
    with pytest.raises(SearchTimeout):
        linkoracle.count(model, engine="plain", timeout=0.2)
    small = LinkModel.blank_loop(Lattice(6, 6))
    with pytest.raises(SearchTimeout):
        linkoracle.count(small, engine="plain", timeout=1e-6)
    with pytest.raises(SearchTimeout):
        linkoracle.count_result(small, keep=True, engine="plain", timeout=0.5)
    assert linkoracle.count(small, engine="plain") == 1222363
    with pytest.raises(ValueError, match="auto or sat for a core, got 'plain'"):
        linkoracle.decide(small, core=True, engine="plain")

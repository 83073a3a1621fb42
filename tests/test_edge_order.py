"""Boards keep the order of the edges that they are given: clauses and answers are about that."""

from __future__ import annotations

import io
import random
from contextlib import redirect_stdout
from dataclasses import replace

import pytest

from linkoracle import (
    Board,
    Count,
    LinkModel,
    NotSupported,
    Session,
    Shape,
    Slitherlink,
    boards,
    certificate,
    count,
    read,
    solutions,
    solve,
    write,
)
from linkoracle.catalogue import Catalogue
from linkoracle.certificates import verify_certificate as checker
from linkoracle.deduce import grade
from tests import constrained


def shuffled(rng: random.Random, board: Board) -> tuple[Board, list[int]]:
    """Return the board with its edges in another order, and the new number of each edge."""
    old = rng.sample(range(board.num_edges), board.num_edges)
    edges = [board.ends(edge)[:: rng.choice([1, -1])] for edge in old]
    walks = [board.walk(face) for face in range(board.num_faces)]
    number = {edge: new for new, edge in enumerate(old)}
    again = Board(board.num_vertices, edges, walks, points=board.points)
    return again, [number[edge] for edge in range(board.num_edges)]


def renumbered(model: LinkModel, board: Board, number: list[int]) -> LinkModel:
    """Return the model on a board with these new numbers of edges."""

    def literal(old: int) -> int:
        if abs(old) > len(number):
            return old
        return (number[abs(old) - 1] + 1) * (1 if old > 0 else -1)

    def named(pair_set):
        ends = [model.board.ends(edge) for edge in pair_set]
        return [board.edge_of(pair) for pair in ends]

    return replace(
        model,
        board=board,
        given=frozenset(number[edge] for edge in model.given),
        forbidden=frozenset(number[edge] for edge in model.forbidden),
        counts=tuple(Count([*map(literal, c.literals)], c.allowed) for c in model.counts),
        clauses=tuple(tuple(map(literal, clause)) for clause in model.clauses),
        shapes=tuple(
            Shape.of(board, shape.vertex, [tuple(named(some)) for some in sets_of(model, shape)])
            for shape in model.shapes
        ),
    )


def sets_of(model: LinkModel, shape: Shape) -> list[list[int]]:
    """Return the sets of edges that a shape allows."""
    edges = model.board.edges_at(shape.vertex)
    return [
        [edge for at, edge in enumerate(edges) if code >> at & 1]
        for code in range(1 << len(edges))
        if shape.allowed >> code & 1
    ]


def check_models(seeds) -> None:
    asked = 0
    for seed in seeds:
        rng = random.Random(seed)
        plain = constrained.random_model(rng, rng.choice(BOARDS))
        board, number = shuffled(rng, plain.board)
        try:
            model = renumbered(plain, board, number)
        except ValueError:  # a shape may need what this random model cannot say again
            continue
        expected = {
            tuple(sorted(number[edge] for edge in found)) for found in constrained.solutions(plain)
        }
        for engine in ("auto", "sat", "plain", "frontier"):
            try:
                found = list(solutions(model, engine=engine))
            except NotSupported:
                continue
            assert {tuple(sorted(one.edges)) for one in found} == expected, (seed, engine)
            asked += 1
        if 0 < len(expected) <= 3:
            proof = certificate(model, limit=len(expected) + 1)
            found = {tuple(sorted(one.edges)) for one in proof.solutions}
            assert found == expected, seed
    assert asked > len(seeds)


BOARDS = [
    boards.named("honeycomb 2 2"),
    boards.named("triangular 2 2"),
    boards.named("square 2 3"),
    Board(5, [(a, b) for b in range(5) for a in range(b)]),
]


def test_models_on_any_numbering_have_the_same_solutions():
    check_models(range(60))


@pytest.mark.heavy
def test_many_models_on_any_numbering():
    check_models(range(1000, 6000))


def test_clauses_are_about_the_edges_as_given():
    """Edge 0 is the first that the author wrote, not the least."""
    edges = [(2, 3), (0, 1), (1, 2), (0, 3), (0, 2)]
    board = Board(4, edges)
    assert [board.ends(edge) for edge in range(5)] == edges
    model = replace(LinkModel.blank_loop(board), clauses=((1,), (-5,)))
    assert [sorted(one.edges) for one in solutions(model)] == [[0, 1, 2, 3]]


@pytest.mark.parametrize("seed", range(6))
def test_puzzles_on_any_numbering(seed, tmp_path):
    rng = random.Random(seed)
    plain = rng.choice(BOARDS[:3])
    blank = Slitherlink.on(plain)
    known = next(iter(solutions(blank)))
    board, number = shuffled(rng, plain)
    clues = [len({*known.edges} & {*plain.edges_of(face)}) for face in range(plain.num_faces)]
    puzzle = Slitherlink.on(board, clues)
    expected = sorted(number[edge] for edge in known.edges)
    assert expected in [sorted(one.edges) for one in solutions(puzzle)]
    for form in ("text", "json"):
        again = read(write(puzzle, form))
        assert again == puzzle
        assert [again.board.ends(edge) for edge in range(3)] == [
            board.ends(edge) for edge in range(3)
        ]
    assert grade(puzzle).status == grade(Slitherlink.on(plain, clues)).status
    with Session(puzzle) as session:
        assert session.ask(limit=None).status in ("unique", "many")
    if count(puzzle) == 1:
        proof = tmp_path / "proof"
        certificate(puzzle).save(proof)
        (tmp_path / "puzzle").write_text(write(puzzle))
        with redirect_stdout(io.StringIO()) as shown:
            assert checker.main([str(proof)]) in (0, None)
        assert "verified" in shown.getvalue()
        with Catalogue(None) as catalogue:
            assert catalogue.add(puzzle)
            assert list(catalogue.faults()) == []
            (record,) = catalogue.find()
            assert record.solution == solve(puzzle)


def test_files_that_list_an_edge_twice_are_refused():
    board = '{"vertices": 3, "faces": [[0, 1, 2]], "edges": [[0, 1], [1, 0]]}'
    with pytest.raises(ValueError, match=r"every edge once in 'edges', found \[0, 1\] twice"):
        read(f'{{"kind": "slitherlink", "board": {board}}}')

"""Models whose vertices know their pair have the solutions of the models that do not."""

from __future__ import annotations

from random import Random

from hypothesis import given

from linkoracle import LinkModel, Numberlink, Session, read_file
from linkoracle.board import Lattice
from linkoracle.engines import plain, with_pair_labels
from linkoracle.engines.search import PlainSearch
from tests import brute_force, strategies
from tests.boards import random_board
from tests.constrained import random_model, solutions


@given(strategies.numberlinks(fixed=True))
def test_numberlinks_have_the_same_solutions(puzzle):
    labelled = with_pair_labels(puzzle.model)
    found = [*plain.solutions(labelled)]
    assert {frozenset(one) for one in found} == brute_force.model_solutions(puzzle.model)
    assert len({*found}) == len(found)


def test_random_models_on_random_boards_have_the_same_solutions():
    rng, several = Random(5), 0
    for _ in range(60):
        model = random_model(rng, random_board(rng))
        several += len(model.terminals) > 1
        assert {*plain.solutions(with_pair_labels(model))} == solutions(model)
    assert several > 5


def test_only_pairs_are_labelled():
    loop = LinkModel.blank_loop(Lattice(3, 3))
    path = LinkModel.blank_paths(Lattice(3, 3), [(0, 8)])
    assert with_pair_labels(loop) is loop
    assert with_pair_labels(path) is path


def test_far_less_is_searched():
    """Without labels, each wrong path of 8x8 cells is a round of its own."""
    model = read_file("instances/numberlink-8x8.txt").model
    rounds = []
    for one in (model, with_pair_labels(model)):
        search = PlainSearch(one)
        edges = search.next_solution()
        assert edges is not None
        search.add([[-1 - edge for edge in edges]])
        assert search.next_solution() is None
        rounds.append(search.rounds)
        search.close()
    assert rounds[1] < rounds[0] / 3


def test_a_plain_session_of_pairs_takes_changes():
    puzzle = Numberlink([[1, None, 2], [None, None, None], [1, None, 2]])
    with Session(puzzle, engine="plain") as session, Session(puzzle) as fast:
        for edges in ({}, {0: True}, {0: False, 1: True}):
            assert session.ask(edges).status == fast.ask(edges).status
            if session.ask(edges).status != "none":
                assert session.forced(edges) == fast.forced(edges)

"""Forced facts: what a session says of all solutions, against all of them, one by one."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import assume, given, settings

from linkoracle import Session, count, solutions, solve
from linkoracle.core import PuzzleError
from linkoracle.generate import slitherlink as slitherlink_maker
from linkoracle.kinds import KINDS
from linkoracle.render import inner_faces
from tests.boards import named
from tests.strategies import puzzles

#: Most solutions of the puzzles here.
MANY = 40


def check_forced_places(puzzle):
    """Compare forced vertices and faces with all solutions of a puzzle, one by one."""
    board, loops = puzzle.board, puzzle.model.loop
    every = [*solutions(puzzle)]
    visits = [{end for edge in one.edges for end in board.ends(edge)} for one in every]
    insides = [{*inner_faces(one)} if loops else set() for one in every]
    with Session(puzzle) as session:
        found = session.forced()
    vertices, faces = {*range(board.num_vertices)}, {*range(board.num_faces if loops else 0)}
    assert found.whole
    assert {*found.visited} == vertices.intersection(*visits), puzzle
    assert {*found.missed} == vertices.difference(*visits), puzzle
    assert {*found.inside} == faces.intersection(*insides), puzzle
    assert {*found.outside} == faces.difference(*insides), puzzle


@given(puzzle=puzzles())
@settings(max_examples=20)
def test_forced_places_are_those_on_which_all_solutions_agree(puzzle):
    assume(solve(puzzle) is not None)
    check_forced_places(puzzle)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_forced_places_of_every_kind(kind):
    """The clues of a small puzzle are removed until it has several solutions."""
    puzzle = next(iter(KINDS[kind].examples.values())).of(KINDS[kind])[0]
    for cell, _ in puzzle.clue_cells():
        check_forced_places(puzzle)
        with contextlib.suppress(PuzzleError):
            fewer = puzzle.with_clues({cell: None})
            puzzle = fewer if 0 < count(fewer, MANY) < MANY else puzzle
    check_forced_places(puzzle)


@pytest.mark.parametrize("words", ["honeycomb 3 3", "cairo 2 2", "octagonal 2 2"])
def test_forced_places_on_tilings(words):
    made = slitherlink_maker(named(words), seed=1).puzzle
    for cell, _ in [*made.clue_cells()][::2]:
        check_forced_places(made)
        fewer = made.with_clues({cell: None})
        made = fewer if count(fewer, MANY) < MANY else made

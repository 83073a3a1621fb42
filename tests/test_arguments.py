"""Wrong arguments end in one clear error, never in that of something inside."""

from __future__ import annotations

import re

import pytest

import linkoracle
from linkoracle import LinkModel, PuzzleError, Slitherlink
from linkoracle.render import picture

BOARD = Slitherlink([[4, None]])
SOLUTION = linkoracle.solve(BOARD)


class OnlyAModel:
    model = BOARD.model


@pytest.mark.parametrize(
    "puzzle", [BOARD, BOARD.model, OnlyAModel()], ids=["puzzle", "model", "has"]
)
@pytest.mark.parametrize(
    "form", [lambda one: one, list, set, iter], ids=["", "list", "set", "iter"]
)
def test_solutions_are_checked_against_puzzles_and_models(puzzle, form):
    assert linkoracle.check_solution(puzzle, form(SOLUTION))
    assert linkoracle.violations(puzzle, form(SOLUTION)) == []
    assert not linkoracle.check_solution(puzzle, form([*SOLUTION][1:]))
    assert len(linkoracle.violations(puzzle, form([*SOLUTION][1:]))) >= 2


def test_solutions_of_other_boards_are_wrong():
    other = linkoracle.solve(Slitherlink.blank(3, 3))
    for puzzle in (BOARD, BOARD.model):
        (said,) = linkoracle.violations(puzzle, other)
        assert said in (
            "the solution is not drawn on 2x3 dots",
            "the solution belongs to another board",
        )


@pytest.mark.parametrize(
    "check", [linkoracle.check_solution, linkoracle.violations, linkoracle.draw, picture]
)
@pytest.mark.parametrize(
    ("solution", "said"),
    [
        (3, "expected a Solution or edges, got 3"),
        ("ab", "expected the id of an edge from 0 to 6, got 'a'"),
        ([((0, 0), (1, 1))], "are not neighbours"),
        ([((0, 0), (0, 9))], "are not both on the lattice"),
        ([(0, 1)], r"expected two positions that an edge joins, got \(0, 1\)"),
        ([7], "expected the id of an edge from 0 to 6, got 7"),
    ],
)
def test_what_is_no_solution(check, solution, said):
    with pytest.raises(ValueError, match=said):
        check(BOARD, solution)


@pytest.mark.parametrize("check", [linkoracle.check_solution, linkoracle.violations])
def test_what_is_neither_puzzle_nor_model(check):
    with pytest.raises(
        ValueError, match=r"expected a LinkModel or something with a \.model, got 'x'"
    ):
        check("x", SOLUTION)


@pytest.mark.parametrize("show", [linkoracle.draw, picture])
def test_models_are_not_drawn(show):
    for solution in (None, SOLUTION):
        with pytest.raises(ValueError, match="expected a puzzle to draw, got a LinkModel"):
            show(BOARD.model, solution)
    assert show(BOARD, list(SOLUTION)) == show(BOARD, SOLUTION)


@pytest.mark.parametrize(
    "make",
    [
        LinkModel.blank_loop,
        lambda lattice: LinkModel.blank_paths(lattice, [(0, 1)]),
        lambda lattice: LinkModel(lattice, b"", b""),
    ],
)
def test_boards_of_models(make):
    with pytest.raises(ValueError, match=r"expected a board, .*got 'graph'"):
        make("graph")
    with pytest.raises(ValueError, match=r"expected a board, .*got \(3, 3\)"):
        make((3, 3))


def test_clues_are_a_mapping_or_pairs():
    expected = Slitherlink([[None, 3]])
    changes = {(0, 0): None, (0, 1): 3}
    for clues in (
        changes,
        list(changes.items()),
        iter(changes.items()),
        [[[0, 0], None], ((0, 1), 3)],
    ):
        assert BOARD.with_clues(clues) == expected
    assert expected.with_clues([]) == expected.with_clues(expected.clue_cells()) == expected
    for clues in (3, [3], [(0, 0)], [((0, 0), 1, 2)], "ab", None):
        with pytest.raises(PuzzleError, match=r"expected (a cell|pairs of a cell and a clue)"):
            BOARD.with_clues(clues)
    with pytest.raises(PuzzleError, match=r"a cell \(row, column\) of 1 x 2 cells, got \(5, 0\)"):
        BOARD.with_clues([((5, 0), 3)])
    with pytest.raises(PuzzleError, match=r"expected a clue from 0 to 4 or '\?', found 7"):
        BOARD.with_clues([((0, 0), 7)])


@pytest.mark.parametrize(
    "ask",
    [
        linkoracle.is_unique,
        linkoracle.solve,
        linkoracle.decide,
        linkoracle.count,
        linkoracle.count_result,
    ],
)
def test_options_that_there_are_not(ask):
    # Only what counts has a limit.
    counts = ask in (linkoracle.count, linkoracle.count_result)
    hint = " Did you mean 'limit'?" if counts else ""
    with pytest.raises(
        TypeError,
        match=re.escape(f"unexpected option 'limt'.{hint} The options are engine, timeout"),
    ):
        ask(BOARD, limt=2)
    with pytest.raises(TypeError, match=r"'timeot'\. Did you mean 'timeout'\? The options are"):
        ask(BOARD, timeot=2)


def test_uniqueness_has_no_limit():
    with pytest.raises(
        TypeError, match=r"unexpected option 'limit'\. The options are engine, timeout"
    ):
        linkoracle.is_unique(BOARD, limit=2)
    assert linkoracle.is_unique(BOARD, engine="frontier", timeout=60)

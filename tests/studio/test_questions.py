"""Every stage of an answer against brute force on small boards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings

from linkoracle import Puzzle, Slitherlink
from linkoracle.studio import questions
from linkoracle.studio.boards import board_of
from linkoracle.studio.limits import Limits
from linkoracle.studio.questions import Questions
from tests import brute_force
from tests.strategies import puzzles, slitherlinks
from tests.studio.asking import answered, slitherlink


def solutions(puzzle: Puzzle) -> list[frozenset[int]]:
    """The solutions as numbers of edges."""
    lattice = puzzle.lattice
    return [
        frozenset(lattice.edge(*edge) for edge in lines) for lines in brute_force.solutions(puzzle)
    ]


def status(found: list) -> str:
    return ("none", "unique", "many")[min(len(found), 2)]


@given(puzzle=puzzles())
def test_how_many_which_are_forced_and_shares(puzzle):
    expected = solutions(puzzle)
    told = answered(board_of(puzzle))
    assert told["status"]["status"] == status(expected)
    assert told["late"] == {}
    assert "done" in told
    if not expected:
        assert "forced" not in told
        return
    uses = Counter(edge for solution in expected for edge in solution)
    total, edges = len(expected), range(puzzle.lattice.num_edges)
    assert told["forced"]["lines"] == [edge for edge in edges if uses[edge] == total]
    assert told["forced"]["crosses"] == [edge for edge in edges if not uses[edge]]
    assert (told["count"]["count"], told["count"]["exact"]) == (str(total), True)
    if total == 1:
        assert told["status"]["lines"] == sorted(expected[0])
        assert "shares" not in told
    else:
        open_edges = [[edge, str(uses[edge])] for edge in edges if 0 < uses[edge] < total]
        assert told["shares"]["uses"] == open_edges
        assert told["shares"]["total"] == str(total)


def without(puzzle: Slitherlink, cells: list[int]) -> Slitherlink:
    return puzzle.with_clues({divmod(cell, puzzle.cols): None for cell in cells})


@given(puzzle=slitherlinks())
@settings(max_examples=60)
def test_what_clues_leave_which_could_go_and_which_contradict(puzzle):
    found = solutions(puzzle)
    told = answered(board_of(puzzle))
    assert told["status"]["status"] == status(found)
    cells = {row * puzzle.cols + col: clue for (row, col), clue in puzzle.clue_cells()}
    if len(found) > 1:
        around = [
            brute_force.face_counts(lines, puzzle.rows, puzzle.cols)
            for lines in brute_force.solutions(puzzle)
        ]
        blank = [cell for cell in range(puzzle.rows * puzzle.cols) if cell not in cells]
        expected = [
            [cell, [str(sum(counts[cell] == clue for counts in around)) for clue in range(5)]]
            for cell in blank
        ]
        assert told["values"]["values"] == expected
    elif found and cells:
        spare = [cell for cell in cells if len(solutions(without(puzzle, [cell]))) == 1]
        assert told["redundant"]["cells"] == spare
    elif not found:
        marked = told["conflict"]["cells"]
        assert told["conflict"]["minimal"]
        others = [cell for cell in cells if cell not in marked]
        assert not solutions(without(puzzle, others))
        assert all(solutions(without(puzzle, [*others, cell])) for cell in marked)


@given(puzzle=slitherlinks())
@settings(max_examples=30)
def test_the_ways_for_many_solutions_tell_the_same(puzzle):
    """With thresholds of 1, each way is taken that is for very many solutions."""
    expected = answered(board_of(puzzle))
    listed, unrolled = questions._LISTED, questions._UNROLLED
    try:
        questions._LISTED = 1
        by_diagram = answered(board_of(puzzle))
        questions._UNROLLED = 1
        one_by_one = answered(board_of(puzzle))
    finally:
        questions._LISTED, questions._UNROLLED = listed, unrolled
    for told in (by_diagram, one_by_one):
        for stage in ("status", "forced", "count", "shares", "values"):
            assert told.get(stage) == expected.get(stage)


def test_one_solver_for_many_questions_about_a_board():
    """What was asked before, of this board or another, changes no answer."""
    asked = Questions()
    boards = [slitherlink(3, 3, {4: clue, 0: other}) for clue in range(5) for other in range(4)]
    boards[7:7] = [slitherlink(2, 4, {0: 3}), slitherlink(3, 3, {0: 9})]
    for board in boards:
        assert answered(board, questions=asked) == answered(board)


def test_an_open_path_and_its_ends():
    board = slitherlink(2, 2, {0: 2}) | {"rule": "path", "points": {"ends": [[0, 0], [2, 2]]}}
    expected = solutions(Slitherlink([[2, None], [None, None]], [(0, 0), (2, 2)]))
    assert answered(board)["count"]["count"] == str(len(expected)) != "0"


def test_a_number_that_stands_alone_is_no_puzzle_yet():
    board = {"kind": "numberlink", "rule": "free", "rows": 1, "cols": 3, "cells": [1, None, None]}
    told = answered(board)
    assert told["wrong"]["reason"].startswith("expected the number 1 to stand exactly twice")
    assert told["wrong"]["cell"] == (0, 0)
    assert "status" not in told


def test_blank_boards_of_another_kind():
    board = {"kind": "simpleloop", "rule": "loop", "rows": 4, "cols": 4, "cells": [None] * 16}
    told = answered(board)
    assert told["count"]["count"] == "6"
    assert "redundant" not in told
    assert "values" not in told


def test_what_takes_too_long_is_told_and_the_rest_is_there():
    late = answered(
        slitherlink(20, 20, {0: 3}), replace(Limits(), forced=1e-9, count=0.2, values=0.2)
    )
    assert late["status"]["status"] == "many"
    assert not late["forced"]["whole"]
    assert not late["count"]["exact"]
    assert int(late["count"]["count"]) >= 2
    late = answered(slitherlink(7, 7, {0: 3}), replace(Limits(), shares=1e-9, values=1e-9))
    assert late["count"]["exact"]
    assert set(late["late"]) == {"shares"}
    assert answered(slitherlink(7, 7), replace(Limits(), status=1e-9))["late"].keys() == {"status"}


def test_what_takes_too_much_memory_is_told():
    told = answered(slitherlink(9, 9, {0: 3}), replace(Limits(), memory=1 << 20, values=0.5))
    assert told["count"]["exact"]
    assert "memory" in told["late"]["shares"]
    assert "done" in told

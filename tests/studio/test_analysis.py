"""Every stage of an answer against brute force on small boards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings

from linkoracle import Puzzle, Slitherlink
from linkoracle.studio import analysis
from linkoracle.studio.analysis import BoardAnalysis
from linkoracle.studio.boards import board_of
from linkoracle.studio.tasks import Limits
from tests import brute_force
from tests.strategies import puzzles, slitherlinks
from tests.studio.asking import answered, slitherlink


def solutions(puzzle: Puzzle) -> list[frozenset[int]]:
    """Return the solutions as numbers of edges."""
    lattice = puzzle.lattice
    return [
        frozenset(lattice.edge(*edge) for edge in lines) for lines in brute_force.solutions(puzzle)
    ]


def status(found: list) -> str:
    return ("none", "unique", "many")[min(len(found), 2)]


@given(puzzle=puzzles())
def test_status_forced_edges_count_and_edge_frequencies(puzzle):
    expected = solutions(puzzle)
    stages = answered(board_of(puzzle))
    assert stages["status"]["status"] == status(expected)
    assert stages["late"] == {}
    assert "done" in stages
    if not expected:
        assert "forced" not in stages
        return
    uses = Counter(edge for solution in expected for edge in solution)
    total, edges = len(expected), range(puzzle.lattice.num_edges)
    assert stages["forced"]["lines"] == [edge for edge in edges if uses[edge] == total]
    assert stages["forced"]["crosses"] == [edge for edge in edges if not uses[edge]]
    assert (stages["count"]["count"], stages["count"]["exact"]) == (str(total), True)
    if total == 1:
        assert stages["status"]["lines"] == sorted(expected[0])
        assert "shares" not in stages
    else:
        open_edges = [[edge, str(uses[edge])] for edge in edges if 0 < uses[edge] < total]
        assert stages["shares"]["uses"] == open_edges
        assert stages["shares"]["total"] == str(total)


def without(puzzle: Slitherlink, cells: list[int]) -> Slitherlink:
    return puzzle.with_clues({divmod(cell, puzzle.cols): None for cell in cells})


@given(puzzle=slitherlinks())
@settings(max_examples=60)
def test_what_clues_leave_which_are_redundant_and_which_contradict(puzzle):
    found = solutions(puzzle)
    stages = answered(board_of(puzzle))
    assert stages["status"]["status"] == status(found)
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
        assert stages["values"]["values"] == expected
    elif found and cells:
        spare = [cell for cell in cells if len(solutions(without(puzzle, [cell]))) == 1]
        assert stages["redundant"]["cells"] == spare
    elif not found:
        marked = stages["conflict"]["cells"]
        assert stages["conflict"]["minimal"]
        others = [cell for cell in cells if cell not in marked]
        assert not solutions(without(puzzle, others))
        assert all(solutions(without(puzzle, [*others, cell])) for cell in marked)


@given(puzzle=slitherlinks())
@settings(max_examples=30)
def test_the_ways_for_many_solutions_agree(puzzle):
    """Thresholds of 1 select the ways for very many solutions."""
    expected = answered(board_of(puzzle))
    listed, unrolled = analysis._MAX_LISTED, analysis._MAX_UNROLLED
    try:
        analysis._MAX_LISTED = 1
        by_diagram = answered(board_of(puzzle))
        analysis._MAX_UNROLLED = 1
        one_by_one = answered(board_of(puzzle))
    finally:
        analysis._MAX_LISTED, analysis._MAX_UNROLLED = listed, unrolled
    for found in (by_diagram, one_by_one):
        for stage in ("status", "forced", "count", "shares", "values"):
            assert found.get(stage) == expected.get(stage)


def test_one_solver_for_many_queries_about_a_board():
    """Earlier queries, about this board or another, change no answer."""
    kept = BoardAnalysis()
    boards = [slitherlink(3, 3, {4: clue, 0: other}) for clue in range(5) for other in range(4)]
    boards[7:7] = [slitherlink(2, 4, {0: 3}), slitherlink(3, 3, {0: 9})]
    for board in boards:
        assert answered(board, analysis=kept) == answered(board)


def test_an_open_path_and_its_ends():
    board = slitherlink(2, 2, {0: 2}) | {"variant": "path", "points": {"ends": [[0, 0], [2, 2]]}}
    expected = solutions(Slitherlink([[2, None], [None, None]], [(0, 0), (2, 2)]))
    assert answered(board)["count"]["count"] == str(len(expected)) != "0"


def test_a_number_that_occurs_once_is_not_valid_yet():
    board = {
        "kind": "numberlink",
        "variant": "free",
        "rows": 1,
        "cols": 3,
        "cells": [1, None, None],
    }
    stages = answered(board)
    assert stages["wrong"]["reason"].startswith("expected the number 1 to stand exactly twice")
    assert stages["wrong"]["cell"] == (0, 0)
    assert "status" not in stages


def test_blank_boards_of_another_kind():
    board = {"kind": "simpleloop", "variant": "loop", "rows": 4, "cols": 4, "cells": [None] * 16}
    stages = answered(board)
    assert stages["count"]["count"] == "6"
    assert "redundant" not in stages
    assert "values" not in stages


def test_stages_that_take_too_long_are_reported_and_the_rest_is_there():
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


@pytest.mark.parametrize("cell", [1.0, True, [1], "1", -1, 4])
def test_what_is_not_the_number_of_a_cell_is_no_selection(cell):
    plain, chosen = (answered(slitherlink(2, 2) | more) for more in ({}, {"cell": cell}))
    assert chosen == plain


def test_stages_that_take_too_much_memory_are_reported():
    stages = answered(slitherlink(9, 9, {0: 3}), replace(Limits(), memory=1 << 20, values=0.5))
    assert stages["count"]["exact"]
    assert "memory" in stages["late"]["shares"]
    assert "done" in stages

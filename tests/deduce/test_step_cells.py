from __future__ import annotations

import re
from pathlib import Path

import pytest

import linkoracle
from linkoracle.deduce import Board, walk

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
#: Techniques whose reasons name dots, lines across the board, or guesses, but no cell.
WITHOUT = {"dot", "loop", "parity", "pocket", "unique", "refuted", "either"}


@pytest.mark.parametrize("name", ["slitherlink-7x7", "slitherlink-10x10", "path-12x12"])
def test_the_cells_of_a_step_are_those_that_its_reason_names(name):
    puzzle = linkoracle.read(INSTANCES / f"{name}.txt")
    board = Board(puzzle.model)
    assert board.begin()
    board.guess(1)
    steps = walk(puzzle, board)
    assert {step.technique for step in steps if step.cells} >= {"clue"}
    for step in steps:
        inside = [(row, col) for row, col in step.cells]
        assert all(0 <= row < puzzle.rows and 0 <= col < puzzle.cols for row, col in inside)
        if step.technique in WITHOUT:
            assert not inside
            continue
        reason = step.reason.split(", given")[0]
        named = [(int(r) - 1, int(c) - 1) for r, c in re.findall(r"\br(\d+)c(\d+)", reason)]
        if step.technique in ("window", "wide"):
            assert [min(inside), max(inside)] == named
        else:
            assert inside == named

from __future__ import annotations

import re
from pathlib import Path

import pytest

import linkoracle
from linkoracle.deduce import DeductionState, solve_path

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
#: Techniques whose reasons name no cell.
WITHOUT = {"loop", "unique", "refuted"}


@pytest.mark.parametrize("name", ["slitherlink-7x7", "slitherlink-10x10", "path-12x12"])
def test_the_cells_of_a_step_are_those_that_its_reason_names(name):
    puzzle = linkoracle.read(INSTANCES / f"{name}.txt")
    board = DeductionState(puzzle.model)
    assert board.begin()
    board.guess(1)
    steps = solve_path(puzzle, board)
    assert {step.technique for step in steps if step.cells} >= {"clue"}
    for step in steps:
        inside = [(row, col) for row, col in step.cells]
        assert all(0 <= row < puzzle.rows and 0 <= col < puzzle.cols for row, col in inside)
        if step.technique in WITHOUT and "without the" not in step.reason:
            assert not inside
            continue
        assert inside, step
        reason = step.reason.split(", given")[0]
        named = [(int(r) - 1, int(c) - 1) for r, c in re.findall(r"\br(\d+)c(\d+)", reason)]
        if step.technique in ("dot", "pocket"):
            row, col = map(int, re.search(r"[dD]ot (\d+),(\d+)", step.reason).groups())
            around = [(row - up, col - left) for up in (1, 0) for left in (1, 0)]
            board_cells = [(r, c) for r in range(puzzle.rows) for c in range(puzzle.cols)]
            assert inside == [cell for cell in around if cell in board_cells]
            continue
        if step.technique == "parity":
            what, number = re.search(r"across (row|column) (\d+)", step.reason).groups()
            assert {cell[what == "column"] for cell in inside} == {int(number) - 1}
            assert len(inside) == (puzzle.cols if what == "row" else puzzle.rows)
            continue
        if step.technique == "either":
            assert set(inside) <= set(named)
            continue
        if step.rule is not None:
            # The cells with the clues, of which the reason names the first.
            (anchor,) = named
            assert inside[0] == anchor
            digits = re.findall(r"\d", step.rule)
            clues = dict(puzzle.clue_cells())
            assert {str(clues[cell]) for cell in inside} == {*digits}
            continue
        if step.technique in ("colour", "shade", "region"):
            # The reason names dots, too, and faces that follow from the cells of the argument.
            assert inside[0] in named or "dot" in reason
            continue
        if step.technique in ("window", "wide"):
            assert [min(inside), max(inside)] == named
        else:
            assert inside == named

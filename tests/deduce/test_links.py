"""Deduction for several paths: shapes of cells, and who can get where."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import linkoracle
from linkoracle import Lattice, Numberlink, decide
from linkoracle.core import Deadline
from linkoracle.deduce import CATALOGUE, DeductionState, grade, solve_path, within
from linkoracle.deduce.board import LARGE_CONFLICT_BUDGET, Assumed, assumed
from linkoracle.deduce.rules import (
    ACCESS,
    BESIDE,
    CORNER,
    DOT,
    EMPTY,
    JOINING,
    LOOP,
    PASSAGE,
    REROUTING,
    TECHNIQUES,
)
from linkoracle.generate import numberlink
from tests import brute_force
from tests.deduce.boards import memory

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
heavy = pytest.mark.heavy


def excluded(board: DeductionState, solution: set[int]) -> list[int]:
    """The edges that were decided against a solution."""
    return [
        literal >> 1
        for literal, _, _ in board.trail()
        if (literal >> 1 in solution) == (literal & 1)
    ]


def only(*techniques: int) -> list[int]:
    """All other techniques, which are to be left out."""
    return [other for other in range(TECHNIQUES) if other not in (DOT, LOOP, *techniques)]


@pytest.mark.parametrize(
    ("rows", "cols"),
    [
        (2, 2),
        (1, 5),
        (2, 5),
        (3, 3),
        pytest.param(3, 4, marks=heavy),
        pytest.param(4, 4, marks=[heavy, pytest.mark.lengthy]),
    ],
)
def test_no_solution_of_a_small_board_is_excluded(rows, cols):
    """All boards of a size: every solution stays, and with `uniqueness` the only one."""
    lattice = Lattice(rows, cols)
    alone = 0
    for ends, systems in brute_force.systems_by_ends(rows, cols).items():
        model = Numberlink.from_pairs(rows, cols, ends).model
        board = DeductionState(model)
        assert board.begin()
        assert not any(excluded(board, set(edges)) for edges in systems)
        if len(systems) > 1:
            continue
        alone += 1
        board = DeductionState(model, uniqueness=True)
        assert board.begin(), ends
        assert not excluded(board, set(systems[0])), ends
    assert alone, lattice


@pytest.mark.parametrize(("rows", "cols"), [(1, 5), (2, 4), (2, 5), (3, 3)])
def test_a_full_board_is_taken_for_a_free_one_only_where_that_has_one_solution(rows, cols):
    granted = several = 0
    for ends, systems in brute_force.systems_by_ends(rows, cols).items():
        model = Numberlink.from_pairs(rows, cols, ends, variant="fill").model
        full = [set(edges) for edges in systems if len(edges) + len(ends) == rows * cols]
        assumptions = assumed(model, None, Deadline(None))
        assert assumptions == (model.is_free, len(systems) == 1), ends
        board = DeductionState(model, **assumptions._asdict())
        # A free board with one solution has none here that uses all cells, if that does not.
        assert not board.begin() or board.guess(1) or not full, ends
        assert not any(excluded(board, edges) for edges in full), ends
        granted += board.relaxed and bool(full)
        several += len(full) > 1
        found = grade(model, max_depth=0).status
        assert found in ("gave up", ["no solution", "solved", "not unique"][min(2, len(full))])
    assert granted
    assert several or rows < 3


def test_full_boards_that_are_unique_as_free_ones_need_no_guess():
    helped = 0
    for seed in range(12):
        full = Numberlink(numberlink(8, 8, seed=seed).puzzle.grid, variant="fill")
        without = grade(full, uniqueness=False, max_depth=0)
        assert not {"beside", "corner", "empty"} & without.steps.keys()
        found = grade(full, max_depth=0)
        assert found.status in ("solved", without.status)
        if found.status == without.status:
            continue
        helped += 1
        assert without.status == "gave up"
        assert {"beside", "corner"} & found.steps.keys()
        assert within()(full)
        assert not within(uniqueness=False)(full)
    assert helped > 5


def test_sat_is_given_longer_where_the_techniques_stand_still(monkeypatch):
    budgets = []

    def in_a_hurry(model, uniqueness, deadline, conflicts=0):
        budgets.append(conflicts)
        if not conflicts:
            return Assumed(model.is_free, None)
        return assumed(model, uniqueness, deadline, conflicts)

    boards = [Numberlink(numberlink(8, 8, seed=s).puzzle.grid, variant="fill") for s in range(12)]
    expected = [grade(board, max_depth=0) for board in boards]
    monkeypatch.setattr("linkoracle.deduce.grading.assumed", in_a_hurry)
    assert [grade(board, max_depth=0) for board in boards] == expected
    assert budgets.count(0) == len(boards)
    assert LARGE_CONFLICT_BUDGET in budgets


def trimmed(seed: int) -> Numberlink:
    """A made board with some links cut short, so that cells stay empty."""
    rng = random.Random(seed)
    rows, cols = rng.choice([(5, 5), (5, 6), (6, 6), (4, 8)])
    made = numberlink(rows, cols, seed=seed, pairs=(4, 9), min_length=3)
    links = []
    for path in made.solution.paths():
        first, last = (rng.choice([0, 0, 1]) for _ in range(2))
        kept = path[first : len(path) - last] if len(path) > 3 else path
        links.append((kept[0], kept[-1]))
    return Numberlink.from_pairs(rows, cols, links)


def test_the_only_solution_of_larger_boards_is_kept():
    """Boards with empty cells are those to fear, since few of these have one solution."""
    unique = with_gaps = 0
    for seed in range(100):
        puzzle = trimmed(seed)
        verdict = decide(puzzle)
        solutions = [set(solution.edges) for solution in verdict.solutions]
        board = DeductionState(puzzle.model)
        assert board.begin(), seed
        assert not any(excluded(board, solution) for solution in solutions), seed
        if not verdict.unique:
            continue
        for techniques in (range(TECHNIQUES), REROUTING, JOINING, *((one,) for one in REROUTING)):
            board = DeductionState(puzzle.model, uniqueness=True, without=only(*techniques))
            assert board.begin(), seed
            assert board.guess(1), seed
            assert not excluded(board, solutions[0]), (seed, techniques)
        unique += 1
        used = {cell for path in verdict.solutions[0].paths() for cell in path}
        with_gaps += len(used) < puzzle.rows * puzzle.cols
    assert unique > 20
    assert with_gaps > 5


@pytest.mark.parametrize("variant", ["free", "fill"])
def test_made_boards_are_solved_as_they_were_made(variant):
    for seed in range(8):
        made = numberlink(7, 7, seed=seed, variant=variant)
        board = DeductionState(made.puzzle.model, uniqueness=True)
        assert board.begin()
        assert not excluded(board, set(made.solution.edges))
        if variant == "free":
            assert board.guess(2)
            assert board.solved


def numberlink_with(technique: int) -> tuple[Numberlink, DeductionState]:
    """A made board that a technique says something about, solved with it."""
    for seed in range(60):
        puzzle = numberlink(8, 8, seed=seed).puzzle
        board = DeductionState(puzzle.model, uniqueness=True)
        assert board.begin()
        if technique in {why for _, why, _ in board.trail()}:
            return puzzle, board
    raise AssertionError(f"{CATALOGUE[technique].name} has nothing to say")


@pytest.mark.parametrize("technique", [*REROUTING, *JOINING], ids=lambda t: CATALOGUE[t].name)
def test_a_step_names_its_cells(technique):
    puzzle, board = numberlink_with(technique)
    steps = [
        step for step in solve_path(puzzle, board) if step.technique == CATALOGUE[technique].name
    ]
    assert steps
    for step in steps:
        named = [(int(r) - 1, int(c) - 1) for r, c in re.findall(r"\br(\d+)c(\d+)", step.reason)]
        assert list(step.cells) == named
        assert step.cells


def test_a_turn_needs_something_inside():
    # Nothing stands on the diagonals of the middle, so whatever comes there goes straight on.
    puzzle = Numberlink([[None, 1, None], [2, None, 2], [None, 1, None]])
    assert grade(puzzle).status == "no solution"
    puzzle = Numberlink([[1, None, None], [None, None, None], [None, None, 1]])
    board = DeductionState(puzzle.model, uniqueness=True, without=only(CORNER))
    # The path would have to turn in two ways.
    assert not board.begin() or not board.solved
    assert grade(puzzle).status == "not unique"


def test_every_way_leads_through_a_gap():
    puzzle = Numberlink([[1, None, None, None, None], [2, 2, None, 3, 3], [None] * 4 + [1]])
    board = DeductionState(puzzle.model, without=only(PASSAGE))
    assert board.begin()
    steps = [step for step in solve_path(puzzle, board) if step.technique == "passage"]
    through = {edge for step in steps for edge in step.lines}
    assert through == {puzzle.lattice.edge((row, 2), (row + 1, 2)) for row in (0, 1)}
    assert "Every way for the 1 leads between r2c3 and r3c3" in {step.reason for step in steps}


@pytest.mark.parametrize("seed", range(6))
def test_undoing_a_guess_leaves_no_trace(seed):
    """What is noted of cells is forgotten as well, and found again."""
    puzzle = trimmed(seed)
    board = DeductionState(puzzle.model, uniqueness=True)
    if not board.begin() or board.solved:
        board = DeductionState(puzzle.model)
        assert board.begin()
    before, mark, open_edges = memory(board), board.mark(), board.edges()
    for literal in range(2 * puzzle.lattice.num_edges):
        if open_edges[literal >> 1] == 0:
            first = board.put([literal]) and board.deduce(), board.trail()
            board.undo(mark)
            assert memory(board) == before
            again = board.put([literal]) and board.deduce(), board.trail()
            assert again == first
            board.undo(mark)
    assert board.deduce()
    assert memory(board) == before


def test_a_free_board_is_graded_as_if_it_had_one_solution():
    puzzle = linkoracle.read(INSTANCES / "numberlink-10x10.txt")
    found = grade(puzzle)
    assert (found.status, found.depth) == ("solved", 0)
    assert found == grade(puzzle, uniqueness=True)
    assert grade(puzzle, uniqueness=False, max_depth=0).status == "gave up"
    assert within()(puzzle)
    assert not within(uniqueness=False)(puzzle)


def test_several_solutions_are_found_out():
    """Arguments from there being one solution lead anywhere on a board with several."""
    for grid in ([[1, None, 2], [None] * 3, [2, None, 1]], [[1, None], [None, None], [None, 1]]):
        puzzle = Numberlink(grid)
        status = "not unique" if linkoracle.count(puzzle) > 1 else "no solution"
        for uniqueness in (None, False):
            assert grade(puzzle, uniqueness=uniqueness, max_depth=0).status == status


def test_more_labels_than_a_machine_word_has_bits():
    made = numberlink(22, 26, pairs=66, seed=1)
    board = DeductionState(made.puzzle.model, uniqueness=True)
    assert board.begin()
    assert not excluded(board, set(made.solution.edges))
    assert board.solved
    assert {BESIDE, CORNER, EMPTY, PASSAGE, ACCESS} & {why for _, why, _ in board.trail()}

"""No deduction excludes a solution, on boards small enough to list them all."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, product

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import linkoracle
from linkoracle import Lattice, LinkModel, Numberlink, SimpleLoop, Slitherlink
from linkoracle.deduce import CATALOGUE, LABELS, DeductionState, backtrack, grade, within
from linkoracle.deduce.rules import POCKET, TECHNIQUES
from tests import brute_force
from tests.deduce.boards import memory
from tests.strategies import models, numberlinks, puzzles, slitherlinks


def all_solutions(puzzle):
    """The solutions as sets of edge ids."""
    lattice = puzzle.lattice
    return [{lattice.edge(*edge) for edge in edges} for edges in brute_force.solutions(puzzle)]


def agrees(board, solution):
    """Whether every decided edge is as in the solution."""
    decided = board.trail()
    return all((literal >> 1 in solution) != (literal & 1) for literal, _, _ in decided)


@given(puzzles(), st.integers(0, 2))
@settings(max_examples=150, deadline=None)
def test_no_solution_is_excluded(puzzle, depth):
    solutions = all_solutions(puzzle)
    board = DeductionState(puzzle.model)
    fits = board.begin() and board.guess(depth)
    assert fits or not solutions
    if fits:
        assert all(agrees(board, solution) for solution in solutions)
        if board.solved:
            assert [set(board.lines().edges)] == solutions


@given(models(), st.integers(0, 1), st.booleans())
@settings(max_examples=200, deadline=None)
def test_no_solution_of_any_model_is_excluded(model, depth, uniqueness):
    """Holes, vertices that must be used, sets of values, edges that are given or forbidden."""
    solutions = brute_force.model_solutions(model)
    assume(len(solutions) == 1 or not uniqueness)
    board = DeductionState(model, uniqueness=uniqueness)
    fits = board.begin() and board.guess(depth)
    assert fits or not solutions
    if fits:
        assert all(agrees(board, solution) for solution in solutions)
        if board.solved:
            assert {frozenset(board.lines().edges)} == solutions


def test_pairs_with_face_rules_are_not_rerouted():
    """A path may take a short cut only where no face counts its edges."""
    model = LinkModel(
        Lattice(2, 6),
        bytes([5, 2, 2, 5, 2, 5, 2, 5, 2, 2, 2, 2]),
        bytes([4, 21, 31, 2, 2]),
        ((11, 10), (2, 4), (1, 6), (9, 8)),
        loop=False,
    )
    (solution,) = brute_force.model_solutions(model)
    board = DeductionState(model, uniqueness=True)
    assert board.begin()
    assert agrees(board, solution)


@given(st.one_of(slitherlinks(fixed=True), numberlinks(fixed=True)), st.integers(0, 1))
@settings(max_examples=120, deadline=None)
def test_uniqueness_keeps_the_only_solution(puzzle, depth):
    solutions = all_solutions(puzzle)
    assume(len(solutions) == 1)
    board = DeductionState(puzzle.model, uniqueness=True)
    assert board.begin()
    assert board.guess(depth)
    assert agrees(board, solutions[0])


@pytest.mark.parametrize("technique", range(TECHNIQUES), ids=lambda t: CATALOGUE[t].name)
@given(slitherlinks(fixed=True))
@settings(max_examples=12, deadline=None)
def test_each_technique_alone_is_sound(technique, puzzle):
    others = [other for other in range(TECHNIQUES) if other not in (0, 1, technique)]
    board = DeductionState(puzzle.model, without=others)
    solutions = all_solutions(puzzle)
    fits = board.begin()
    assert fits or not solutions
    if fits:
        assert all(agrees(board, solution) for solution in solutions)


@given(puzzles(), st.integers(0, 1))
@settings(max_examples=40, deadline=None)
def test_backtracking_lists_every_solution_once(puzzle, depth):
    found = backtrack(DeductionState(puzzle.model), guess_depth=depth)
    listed = [set(solution.edges) for solution in found.solutions]
    expected = all_solutions(puzzle)
    assert found.exact
    assert len(listed) == len(expected)
    assert all(solution in expected for solution in listed)


@given(puzzles(), st.data())
@settings(max_examples=60, deadline=None)
def test_undoing_a_guess_leaves_no_trace(puzzle, data):
    board = DeductionState(puzzle.model)
    assume(board.begin() and not board.solved)
    before = memory(board)
    mark = board.mark()
    literal = data.draw(st.integers(0, 2 * puzzle.lattice.num_edges - 1))
    if board.put([literal]) and board.deduce():
        board.guess(data.draw(st.integers(0, 1)))
    board.undo(mark)
    assert memory(board) == before
    assert board.deduce()
    assert memory(board) == before


@given(slitherlinks(fixed=True))
@settings(max_examples=200, deadline=None)
def test_missing_dots_exclude_no_solution(puzzle):
    """Patterns and windows are used beside them."""
    found = brute_force.closed_curves(puzzle.rows, puzzle.cols, puzzle.ends)
    used = set(chain.from_iterable(found[0])) if found else set()
    dots = product(range(puzzle.rows + 1), range(puzzle.cols + 1))
    holes = [dot for dot in dots if dot not in used and dot not in (puzzle.ends or ())]
    puzzle = replace(puzzle, given=(), holes=holes)
    board = DeductionState(puzzle.model)
    fits = board.begin() and board.guess(1)
    solutions = all_solutions(puzzle)
    assert fits or not solutions
    if fits:
        assert all(agrees(board, solution) for solution in solutions)


def test_patterns_are_used_beside_missing_dots():
    """Two threes side by side: the line between them and the outer ones, by a rule."""
    puzzle = Slitherlink.blank(5, 6).with_clues({(2, 2): 3, (2, 3): 3})
    beside = replace(puzzle, holes=[(0, 0)])
    plain, missing = (DeductionState(one.model) for one in (puzzle, beside))
    assert plain.begin()
    assert missing.begin()
    assert {*plain.lines().edges} == {*missing.lines().edges} != set()


def test_labels_rise_with_the_order_of_the_techniques():
    """Or a puzzle would be called harder than what solves it; `unique` is used on request only."""
    labels = [one.label for one in CATALOGUE if one.name not in ("unique", "given")]
    assert labels == sorted(labels, key=LABELS.index)


@example(Slitherlink([[3, 0, None], [2, 2, None], [None, 2, 1]], ends=((0, 1), (3, 2))))
@given(slitherlinks(fixed=True))
@settings(max_examples=40, deadline=None)
def test_a_grade_proves_a_single_solution(puzzle):
    found = grade(puzzle, max_depth=1)
    count = len(brute_force.solutions(puzzle))
    assert count == {"solved": 1, "no solution": 0}.get(found.status, count)
    fitting = [label for label in LABELS if within(label)(puzzle)]
    assert found.label is not None or not fitting
    assert all(LABELS.index(found.label) <= LABELS.index(label) for label in fitting)


def test_a_board_without_edges_has_no_loop():
    for holes in ([], [(0, 0)]):
        assert not DeductionState(SimpleLoop.from_holes(1, 1, holes).model).begin()
        assert grade(SimpleLoop.from_holes(1, 1, holes)).status == "no solution"


def test_empty_boards_are_counted():
    # 213 loops on 3x3 cells: OEIS A140517.
    assert len(backtrack(DeductionState(Slitherlink.blank(3, 3).model)).solutions) == 213
    assert (
        len(backtrack(DeductionState(Slitherlink.blank(3, 3).model), guess_depth=1).solutions)
        == 213
    )


def test_limit_stops_early():
    found = backtrack(DeductionState(Slitherlink.blank(3, 3).model), limit=5)
    assert (len(found.solutions), found.exact) == (5, False)
    for limit in (0, -1, 1.5):
        with pytest.raises(ValueError, match="expected a limit of solutions from 1"):
            backtrack(DeductionState(Slitherlink.blank(3, 3).model), limit=limit)


def test_nothing_enters_a_pocket_that_holds_no_number():
    # What enters the cells below the 2s must come back through the same gap.
    puzzle = Numberlink([[None, 1, 3, None], [2, 1, 3, None], [None, None, 2, None], [None] * 4])
    board = DeductionState(puzzle.model)
    assert board.begin()
    assert POCKET in {technique for _, technique, _ in board.trail()}
    solutions = list(linkoracle.solutions(puzzle))
    assert len(solutions) == 12
    assert all(agrees(board, set(solution.edges)) for solution in solutions)


def test_too_deep_a_guess_is_refused():
    with pytest.raises(ValueError, match="from 0 to 6"):
        DeductionState(Slitherlink.blank(2, 2).model).guess(7)

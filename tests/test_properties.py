"""What must hold of any puzzle, checked without knowing the answer."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import linkoracle
from linkoracle import Slitherlink
from tests import strategies


@settings(max_examples=100, deadline=None)
@given(strategies.puzzles(), st.integers(1, 3), st.booleans())
def test_turning_and_mirroring_keep_the_count(puzzle, turns, mirrored):
    other = puzzle.rotate(turns)
    if mirrored:
        other = other.reflect()
    found = {
        (solution.rotate(turns).reflect() if mirrored else solution.rotate(turns))
        for solution in linkoracle.solutions(puzzle)
    }
    assert found == set(linkoracle.solutions(other))


@settings(max_examples=100, deadline=None)
@given(strategies.slitherlinks(), st.data())
def test_a_clue_from_a_solution_never_adds_solutions(puzzle, data):
    before = list(linkoracle.solutions(puzzle))
    assume(before)
    kept = data.draw(st.sampled_from(before))
    row = data.draw(st.integers(0, puzzle.rows - 1))
    col = data.draw(st.integers(0, puzzle.cols - 1))
    clue = int(kept.face_counts()[row, col])
    after = set(linkoracle.solutions(puzzle.with_clues({(row, col): clue})))
    assert kept in after
    assert after <= set(before)


@settings(max_examples=100, deadline=None)
@given(strategies.puzzles())
def test_every_listed_solution_passes_the_checker(puzzle):
    for solution in linkoracle.solutions(puzzle):
        assert linkoracle.violations(puzzle, solution) == []


@settings(max_examples=100, deadline=None)
@given(strategies.puzzles())
def test_walks_rebuild_a_solution(puzzle):
    solution = linkoracle.solve(puzzle)
    assume(solution is not None)
    assert type(solution).from_paths(solution.lattice, solution.paths()) == solution


@settings(max_examples=100, deadline=None)
@given(strategies.slitherlinks())
def test_a_solution_fits_the_board_of_all_its_clues(puzzle):
    solution = linkoracle.solve(puzzle)
    assume(solution is not None)
    assert linkoracle.check_solution(Slitherlink.from_solution(solution, puzzle.ends), solution)

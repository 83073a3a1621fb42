"""Why no clue can go: every witness, by the rules of the puzzle alone."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Lattice, SearchTimeout, Slitherlink, Solution, check_solution, solve
from linkoracle.core import NothingFound
from linkoracle.generate import reduce_clues, slitherlink, witnesses
from linkoracle.generate.loops.shapes import two_colour
from tests import brute_force
from tests.boards import rim_dots


def assert_witnesses(puzzle, solution, cells):
    """For these cells there are witnesses, for no others, and each is one."""
    found = witnesses(puzzle, solution)
    assert set(found) == set(cells)
    for cell, other in found.items():
        assert other != solution
        assert check_solution(puzzle.with_clues({cell: None}), other)
        assert not check_solution(puzzle, other)


@pytest.mark.parametrize("strategy", ["core", "random", "prefix"])
@given(rows=st.integers(1, 8), cols=st.integers(1, 8), seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_a_minimal_puzzle_has_a_witness_for_each_clue(strategy, rows, cols, seed):
    rng = Random(seed)
    ends = tuple(sorted(rng.sample(rim_dots(rows, cols), 2))) if seed % 2 else None
    line = two_colour(rng, rows, cols, ends=ends)
    try:
        reduced = reduce_clues(line, rng, ends=ends, strategy=strategy)
    except NothingFound:
        with pytest.raises(ValueError, match="another solution"):
            witnesses(Slitherlink.from_solution(line, ends), line)
        return
    assert reduced.minimal
    assert_witnesses(reduced.puzzle, line, dict(reduced.puzzle.clue_cells()))


@pytest.mark.parametrize(("size", "options"), [(20, {"strategy": "core"}), (12, {"minimal": True})])
def test_made_puzzles_have_witnesses(size, options):
    for seed in range(2):
        made = slitherlink(size, size, seed=seed, **options)
        assert made.minimal
        assert_witnesses(made.puzzle, made.solution, dict(made.puzzle.clue_cells()))


def test_the_fewest_clues_have_witnesses():
    made = slitherlink(6, 6, seed=2, strategy="fewest")
    assert made.minimal
    assert_witnesses(made.puzzle, made.solution, dict(made.puzzle.clue_cells()))


def test_a_clue_without_a_number_excludes_nothing():
    square = Solution(Lattice(3, 3), (0, 1, 3, 5))
    with pytest.raises(ValueError, match="another solution"):
        witnesses(Slitherlink(["??", "?."]), square)
    assert_witnesses(Slitherlink(["4?", ".."]), square, [(0, 0)])


def test_clues_that_can_go_have_none():
    for seed in range(5):
        line = two_colour(Random(seed), 3, 4)
        full = Slitherlink.from_solution(line)
        if solve(full) is None or len(list(brute_force.solutions(full))) != 1:
            continue
        cells = dict(full.clue_cells())
        needed = [
            cell
            for cell in cells
            if len(list(brute_force.solutions(full.with_clues({cell: None})))) > 1
        ]
        assert len(needed) < len(cells)
        assert_witnesses(full, line, needed)


def test_what_it_refuses():
    made = slitherlink(8, 8, seed=1)
    with pytest.raises(ValueError, match="does not solve this puzzle"):
        witnesses(made.puzzle, two_colour(Random(7), 8, 8))
    cell, _ = next(made.puzzle.clue_cells())
    with pytest.raises(ValueError, match="another solution"):
        witnesses(made.puzzle.with_clues({cell: None}), made.solution)
    with pytest.raises(SearchTimeout):
        witnesses(made.puzzle, made.solution, timeout=1e-9)

"""Smallest puzzles against brute force, and what a stopped search still proves."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Slitherlink, is_unique, solve
from linkoracle.core import Deadline, NothingFound
from linkoracle.generate import fewest
from linkoracle.generate.clues.reducing import smallest as smallest_with
from linkoracle.generate.loops.shapes import two_colour
from tests import brute_force
from tests.boards import rim_dots


def smallest(line, ends):
    """The size of a smallest clue set, by trying all of them; ``None`` if even all do not do."""
    rows, cols = line.lattice.rows - 1, line.lattice.cols - 1
    mine = line.face_counts().ravel().tolist()
    differing = []
    for curve in brute_force.closed_curves(rows, cols, ends):
        theirs = brute_force.face_counts(curve, rows, cols)
        differing.append({face for face in range(rows * cols) if mine[face] != theirs[face]})
    differing.remove(set())
    if set() in differing:
        return None
    for size in range(rows * cols + 1):
        for clues in combinations(range(rows * cols), size):
            if all(not changed.isdisjoint(clues) for changed in differing):
                return size
    return None


@given(
    st.sampled_from([(1, 1), (2, 2), (2, 3), (3, 3), (3, 4), (1, 5)]),
    st.integers(0, 10**6),
    st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_against_brute_force(size, seed, path):
    rng = Random(seed)
    ends = tuple(sorted(rng.sample(rim_dots(*size), 2))) if path else None
    line = two_colour(rng, *size, ends=ends)
    least = smallest(line, ends)
    if least is None:
        with pytest.raises(NothingFound):
            fewest(line, ends=ends)
        return
    best = fewest(line, ends=ends)
    assert best.proven
    assert best.lower_bound == len(list(best.puzzle.clue_cells())) == least
    assert is_unique(best.puzzle)
    assert solve(best.puzzle) == line


def test_bounds_rise_and_a_larger_board_finishes():
    bounds = []
    line = two_colour(Random(1), 6, 6)
    best = fewest(line, progress=lambda message, _: bounds.append(int(message.split()[2])))
    assert bounds == sorted(bounds)
    assert bounds[-1] == best.lower_bound
    assert best.proven
    assert is_unique(best.puzzle)


def test_a_stopped_search_keeps_what_it_has(clock):
    line = two_colour(Random(1), 12, 12)

    def press_ctrl_c():
        raise KeyboardInterrupt

    for stop in (clock.run_out, press_ctrl_c):

        def progress(message, _, stop=stop):
            if int(message.split()[2]) >= 12:
                stop()

        best = fewest(line, timeout=600, progress=progress)
        assert not best.proven
        assert 0 < best.lower_bound < len(list(best.puzzle.clue_cells()))
        assert is_unique(best.puzzle)


def test_the_solution_may_be_a_given_one():
    line = solve(Slitherlink([[3, None, None], [None, None, 1], [None, None, None]]))
    assert line is not None
    assert fewest(line).lower_bound <= 4


def test_the_fewest_with_clues_given():
    line = two_colour(Random(3), 4, 4)
    given_cells = [(0, 0), (3, 1), (2, 2)]
    full = Slitherlink.from_solution(line)
    best = smallest_with(full, line, Deadline(None), None, given_cells)
    shown = {cell for cell, _ in best.puzzle.clue_cells()}
    assert shown.issuperset(given_cells)
    assert best.proven
    free = [(row, col) for row in range(4) for col in range(4) if (row, col) not in given_cells]
    full = Slitherlink.from_solution(line)
    for cells in combinations(free, len(shown) - len(given_cells) - 1):
        kept = {*cells, *given_cells}
        fewer = full.with_clues({cell: None for cell, _ in full.clue_cells() if cell not in kept})
        assert not is_unique(fewer)

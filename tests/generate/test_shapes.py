"""Every shape is one line, on every board, and the same for the same seed."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Lattice, Slitherlink, Solution, check_solution
from linkoracle.board.colouring_kernel import Colouring
from linkoracle.core import NothingFound
from linkoracle.generate import SHAPES
from linkoracle.generate.loops.colouring import coloured
from linkoracle.generate.loops.shapes import OPEN_SHAPES, mix, two_colour, uniform
from tests import brute_force
from tests.boards import rim_dots

QUICK = sorted(set(SHAPES) - {"uniform"})


@pytest.mark.parametrize("shape", QUICK)
@given(rows=st.integers(1, 14), cols=st.integers(1, 14), seed=st.integers(0, 10**6))
@settings(max_examples=80)
def test_a_shape_is_one_loop(shape, rows, cols, seed):
    loop = SHAPES[shape](Random(seed), rows, cols)
    assert check_solution(Slitherlink.blank(rows, cols), loop)
    assert SHAPES[shape](Random(seed), rows, cols) == loop


@pytest.mark.parametrize("shape", [name for name in QUICK if name in OPEN_SHAPES])
@given(rows=st.integers(1, 12), cols=st.integers(1, 12), seed=st.integers(0, 10**6))
@settings(max_examples=80)
def test_an_open_path_joins_its_ends(shape, rows, cols, seed):
    rng = Random(seed)
    ends = tuple(sorted(rng.sample(rim_dots(rows, cols), 2)))
    path = SHAPES[shape](rng, rows, cols, ends=ends)
    assert check_solution(Slitherlink.blank(rows, cols, ends), path)


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 10**6), st.booleans(), st.booleans())
@settings(max_examples=60)
def test_two_colour_variants(rows, cols, seed, ties, recursive):
    loop = two_colour(Random(seed), rows, cols, diagonal_ties=ties, recursive=recursive)
    assert check_solution(Slitherlink.blank(rows, cols), loop)


def test_two_colour_stops_when_no_cell_may_flip():
    """The rule of the article, cell by cell, written anew."""
    colours = np.pad(
        np.array(list(coloured(two_colour(Random(3), 15, 15)).colours)).reshape(15, 15), 1
    )
    ring = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]
    for row, col in product(range(1, 16), repeat=2):
        around = [colours[row + down, col + right] == colours[row, col] for down, right in ring]
        changes = sum(around[place] != around[place - 1] for place in range(8))
        sides, corners = sum(around[::2]), sum(around[1::2])
        wiggly = sides > 4 - sides or (sides == 2 and corners > 4 - corners)
        assert not (wiggly and changes < 2 * 4 - 4 and 0 < sides < 4)


def test_two_colour_covers_the_board():
    """No grain and no gaps, in numbers: most dots visited, border included, in every quarter."""
    for seed in range(20):
        loop = two_colour(Random(seed), 20, 20)
        visited = {dot for walk in loop.paths() for dot in walk}
        assert len(visited) >= 0.9 * 441
        for top in (0, 10):
            for left in (0, 10):
                quarter = [dot for dot in visited if top <= dot[0] <= top + 10]
                assert len([dot for dot in quarter if left <= dot[1] <= left + 10]) >= 0.85 * 121
        edges = loop.mask()
        level = edges[loop.lattice.right[:, :-1].ravel()].mean()
        upright = edges[loop.lattice.down[:-1, :].ravel()].mean()
        assert abs(level - upright) < 0.12


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 10**6))
def test_colouring_and_outline_are_inverse(rows, cols, seed):
    rng = Random(seed)
    ends = tuple(sorted(rng.sample(rim_dots(rows, cols), 2)))
    for line, its_ends in (
        (two_colour(rng, rows, cols), None),
        (two_colour(rng, rows, cols, ends=ends), ends),
    ):
        assert coloured(line, its_ends).outline() == line


def test_uniform_reaches_every_loop():
    rng = Random(5)
    drawn = {uniform(rng, 2, 2) for _ in range(300)}
    assert len(drawn) == len(brute_force.closed_curves(2, 2, None)) == 13


def test_uniform_with_a_length_or_a_share_of_dots():
    rng = Random(5)
    assert {len(uniform(rng, 4, 4, length=(10, 12))) for _ in range(30)} == {10, 12}
    for _ in range(10):
        assert 20 <= len(uniform(rng, 4, 4, share=(0.8, 0.9))) <= 22
    ends = ((0, 0), (3, 3))
    path = uniform(rng, 3, 3, ends=ends, share=(0.9, 1))
    assert len(path) + 1 >= 0.9 * 16
    assert check_solution(Slitherlink.blank(3, 3, ends), path)
    with pytest.raises(NothingFound, match="no loop or path on 3x3 cells"):
        uniform(rng, 3, 3, length=7)


def shares(**options):
    """How many of the cells of 30 lines of `mix` have each number."""
    counts = [mix(Random(seed), 12, 12, **options).face_counts().ravel() for seed in range(30)]
    return [float(np.mean([found == number for found in counts])) for number in range(4)]


def test_a_mix_has_the_numbers_of_published_lines():
    assert np.allclose(shares(), [0.09, 0.28, 0.40, 0.22], atol=0.03)
    most = [mix(Random(seed), 12, 12).face_counts().ravel().tolist().count(2) for seed in range(30)]
    assert max(most) > 1.8 * min(most)


def test_a_mix_can_be_told_what_cells_are_worth():
    usual = shares()
    assert shares(zeros=1)[0] > 1.8 * usual[0]
    assert shares(threes=1)[3] > 1.25 * usual[3]
    assert shares(threes=-1)[3] < 0.7 * usual[3]


def test_long_visits_more_dots_than_it_started_from():
    for seed in range(5):
        assert len(SHAPES["long"](Random(seed), 20, 20)) >= 0.98 * 441


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: two_colour(Random(1), 0, 3), "at least 1x1"),
        (lambda: two_colour(Random(1), 3, 3, ends=((1, 1), (0, 0))), "on the border"),
        (lambda: SHAPES["crumple"](Random(1), 3, 3, ratio=5), "ratio"),
        (lambda: SHAPES["expand"](Random(1), 3, 3, thickness=2), "thickness"),
        (lambda: mix(Random(1), 3, 3, zeros=5), "zeros between -4 and 4, got 5"),
        (lambda: mix(Random(1), 3, 3, variety=-1), "variety between 0 and 2, got -1"),
    ],
)
def test_bad_requests(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_single_line_is_recognised():
    board = Colouring(Lattice(4, 4))
    board.flip(0)
    board.flip(8)
    assert not board.is_single_line()
    assert Solution(Lattice(4, 4), ()) == Colouring(Lattice(4, 4)).outline()
    assert not Colouring(Lattice(4, 4)).is_single_line()

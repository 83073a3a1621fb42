"""Even boards: as in puzzles that were made by hand, in every figure."""

from __future__ import annotations

from array import array
from math import exp
from random import Random
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import boards
from linkoracle.board import Lattice
from linkoracle.generate import slitherlink
from linkoracle.generate.clues import layout
from linkoracle.generate.clues.layout import Evenness
from linkoracle.generate.evenness_kernel import Choice, Crowding
from linkoracle.generate.looks import clue_statistics


def crowding(rows, cols, shown, face):
    """By the definition: the weight of clues near a cell, as a share of what could be there."""
    here, full, most = divmod(face, cols), 0, 0
    for other in range(rows * cols):
        down, right = (abs(a - b) for a, b in zip(here, divmod(other, cols), strict=True))
        weight = layout._WEIGHTS.get((min(down, right), max(down, right)), 0)
        most += weight
        full += weight * (other in shown)
    table = layout._WEIGHTS
    whole = sum(by * (4 if 0 in at or at[0] == at[1] else 8) for at, by in table.items())
    return full / ((4 * most + whole) / 5)


def test_weights_are_a_gaussian_but_along_lines():
    for (near, far), weight in layout._WEIGHTS.items():
        gauss = 1000 * exp(-(near * near + far * far) / 2.88)
        assert weight > gauss if near == 0 and far > 1 else weight == round(gauss)


@given(st.integers(1, 9), st.integers(1, 9), st.randoms(use_true_random=False))
def test_crowding_is_what_it_says(rows, cols, rng):
    faces = range(rows * cols)
    even = Evenness(Lattice(rows + 1, cols + 1), [1] * len(faces), Random(0))
    shown = set(faces)
    for _ in range(10):
        some = {rng.choice(faces) for _ in range(3)}
        even.change(some & shown, -1)
        even.change(some - shown, 1)
        shown ^= some
    for face in faces:
        # Chance adds up to a twentieth.
        assert 0 <= even.of((face,)) - crowding(rows, cols, shown, face) < 0.05 + 1e-9


def lists(*numbers):
    return array("i", numbers)


def test_crowding_is_asked_of_faces_of_the_board():
    near, bias = (lists(0, 1, 2), lists(1, 0), lists(2, 2)), array("d", [0.5, 0.25])
    most = array("d", [2.4, 2.4])
    crowding = Crowding(*near, most, bias)
    assert crowding.of((0,)) == 0.5 + 2 / 2.4
    assert crowding.of((0, 1)) == pytest.approx(0.375 + 2 / 2.4)
    crowding.change([1], -1)
    assert (crowding.of((0,)), crowding.of((1,))) == (0.5, 0.25 + 2 / 2.4)
    for face in (-1, 2):
        with pytest.raises(ValueError, match=f"a face of the board, got {face}"):
            crowding.of((face,))
        with pytest.raises(ValueError, match=f"a face of the board, got {face}"):
            crowding.change([face], 1)
    with pytest.raises(ValueError, match="a group of faces"):
        crowding.of(())
    with pytest.raises(ValueError, match="groups of faces"):
        Choice(crowding, [(0,), ()], 1)
    with pytest.raises(ValueError, match="a face of the board, got 2"):
        Choice(crowding, [(0, 2)], 1)
    assert [*Choice(crowding, [], 1)] == []
    for wrong in ((lists(0, 1), most, bias), (lists(0, 1, 2), most[:1], bias)):
        with pytest.raises(ValueError, match="a bias for each face"):
            Crowding(wrong[0], *near[1:], *wrong[1:])
    with pytest.raises(ValueError, match="a weight for each face that is near"):
        Crowding(*near[:2], lists(2), most, bias)
    with pytest.raises(ValueError, match="the most that it can weigh"):
        Crowding(*near, array("d", [2.4, 0.0]), bias)
    with pytest.raises(ValueError, match="a face of the board, got 2"):
        Crowding(lists(0, 1, 2), lists(1, 2), lists(2, 2), most, bias)


def test_a_clue_weighs_as_much_on_both_sides_on_other_boards():
    for board in (boards.honeycomb(3, 4), boards.snub_square(2, 3)):
        near, _ = layout._near_faces(board)
        assert all(
            near[other][face] == by for face, all_ in enumerate(near) for other, by in all_.items()
        )
        even = Evenness(board, [2] * board.num_faces, Random(0))
        before = even.of((4,))
        even.only({0, 1, 2, 3, 4})
        assert even.of((4,)) < before < 1.06


@given(st.integers(1, 8), st.integers(1, 8), st.randoms(use_true_random=False))
def test_choices_are_the_best_there_are(rows, cols, rng):
    """Also after some were undone, which makes others better."""
    counts = [rng.randrange(4) for _ in range(rows * cols)]
    for voids in (False, True):
        even = Evenness(Lattice(rows + 1, cols + 1), counts, Random(1))
        left = {(face,) for face in range(rows * cols)}
        if voids:
            even.only(set())
        choice = even.voids(left) if voids else even.clusters(left)
        best = min if voids else max
        while left:
            expected = best(map(even.of, left))
            before = {group: even.of(group) for group in left}
            group = next(choice)
            assert before[group] == expected
            left.remove(group)
            if rng.random() < 0.3:
                choice.undo([group])
        assert next(choice, None) is None


#: The means of 206 published boards of 10x10 cells, and what each may differ from them.
PUBLISHED = {"density": 0.42, "clue_run": 3.8, "blank_run": 6.1, "empty_rectangle": 6.9}


def test_boards_look_as_if_made_by_hand():
    boards = [clue_statistics(slitherlink(10, 10, seed=seed).puzzle.grid) for seed in range(60)]
    for name, expected in PUBLISHED.items():
        assert mean(getattr(one, name) for one in boards) == pytest.approx(expected, rel=0.16)
    assert mean(one.block_deviation for one in boards) < 0.04
    for number, share in enumerate((0.11, 0.26, 0.33, 0.31)):
        assert mean(one.shares[number] for one in boards) == pytest.approx(share, abs=0.04)


@pytest.mark.parametrize("options", [{"symmetry": "half-turn"}, {"ends": "random"}, {"cols": 17}])
def test_other_boards_are_even_too(options):
    request = {"rows": 13, "cols": 13, **options}
    boards = [clue_statistics(slitherlink(seed=seed, **request).puzzle.grid) for seed in range(6)]
    assert 0.37 < mean(one.density for one in boards) < 0.5
    assert mean(one.block_deviation for one in boards) < 0.085
    assert mean(one.blank_run for one in boards) < 8


def test_minimal_boards_have_fewer_clues():
    full = slitherlink(12, 12, seed=5, symmetry="none", clue_density=0.5).puzzle
    minimal = slitherlink(12, 12, seed=5, minimal=True).puzzle
    assert minimal.number_of_clues < full.number_of_clues == round(0.5 * 144)

"""What a request leaves open is drawn as in published puzzles; and layouts."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from linkoracle import is_unique
from linkoracle.board import Lattice, orbits
from linkoracle.core import LABELS
from linkoracle.deduce import grade
from linkoracle.formats import read_loop
from linkoracle.generate import (
    NumberlinkRequest,
    SlitherlinkRequest,
    loop,
    numberlink,
    slitherlink,
)
from linkoracle.generate.clues import as_published, plan_of
from linkoracle.generate.clues.layout import LAYOUTS, places


def cells_of(puzzle):
    return {row * puzzle.cols + col for (row, col), _ in puzzle.clue_cells()}


def is_symmetric(puzzle, name="half-turn"):
    cells = cells_of(puzzle)
    groups = orbits(puzzle.board, name)
    return all(cells.issuperset(one) or cells.isdisjoint(one) for one in groups)


def test_a_run_is_as_mixed_as_a_magazine():
    """Of 206 published boards of 10x10 cells, 63 % are symmetric by a half-turn, 22 to 64 clues."""
    boards = [slitherlink(10, 10, seed=seed).puzzle for seed in range(60)]
    assert 0.5 < sum(map(is_symmetric, boards)) / 60 < 0.78
    numbers = [board.number_of_clues for board in boards]
    assert min(numbers) <= 38
    assert max(numbers) >= 55
    labels = [grade(board).label for board in boards]
    # No board needs a guess, 10 % are easy and 26 % normal.
    assert set(labels) <= set(LABELS[:5])
    assert 0.25 < sum(label in ("easy", "normal") for label in labels) / 60 < 0.55
    assert labels.count("hard") >= 10
    assert all(map(is_unique, boards))


def test_of_large_boards_only_the_symmetry_is_drawn():
    line, large = loop(31, 30, seed=1), SlitherlinkRequest(31, 30)
    plan = plan_of(large).clues
    drawn = [as_published(plan, line, Random(seed))[0] for seed in range(20)]
    assert len({one.symmetry for one in drawn}) > 1
    assert {(one.layout, one.density, one.keeps) for one in drawn} == {(None, None, None)}


@pytest.mark.parametrize("options", [{}, {"fill": True}, {"ends": "random"}, {"shape": "expand"}])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_keep_what_is_asked_for(layout, options):
    made = slitherlink(7, 8, seed=2, layout=layout, symmetry="half-turn", **options)
    assert is_symmetric(made.puzzle)
    assert is_unique(made.puzzle)
    assert made.puzzle.fill == options.get("fill", False)
    assert made == slitherlink(7, 8, seed=2, layout=layout, symmetry="half-turn", **options)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("symmetry", ["none", "quarter-turn", "diagonal"])
def test_places(layout, symmetry):
    groups = orbits(Lattice(10, 10), symmetry)
    for seed in range(5):
        shown, free, goal = places(layout, 9, 9, groups, 0.4, Random(seed))
        assert goal == round(0.4 * 81)
        assert 0.3 * 81 - 4 <= len(shown) <= 0.3 * 81
        assert shown.isdisjoint(free)
        assert all(shown.issuperset(one) or shown.isdisjoint(one) for one in groups)


def test_what_is_said_stays():
    line = loop(9, 9, seed=1)
    for options in (
        {"minimal": True},
        {"must": [(0, 0)]},
        {"must_not": [(4, 4)], "loop": line},
        {"clues": 40},
        {"strategy": "core"},
        {"keeps": lambda _: True},
    ):
        request = SlitherlinkRequest(9, 9, **options)
        plan = plan_of(request).clues
        assert as_published(plan, line, Random(1))[0] is plan
        with pytest.raises(ValueError, match="no clue density beside options"):
            SlitherlinkRequest(9, 9, clue_density=0.4, **options)
    request = SlitherlinkRequest(9, 9, symmetry="none", clue_density=0.5, difficulty="easy")
    drawn, hardest = as_published(plan_of(request).clues, line, Random(1))
    assert (drawn.symmetry, drawn.density, drawn.layout) == ("none", 0.5, "scattered")
    assert (drawn.keeps, hardest) == (request.keeps, "easy")


def test_puzzles_that_need_a_guess_are_not_made_as_published_ones():
    line = loop(9, 9, seed=1)
    for options in (
        {"difficulty": "fiendish"},
        {"difficulty": "fiendish..brutal", "layout": "even"},
        {"score": (500, 620), "symmetry": "half-turn", "clue_density": 0.45},
    ):
        request = SlitherlinkRequest(9, 9, **options)
        plan = plan_of(request).clues
        assert as_published(plan, line, Random(1))[0] is plan


def test_as_many_clues_are_drawn_as_the_hardest_label_asked_for_has():
    line = loop(10, 10, seed=1)

    def drawn(**options):
        plan = plan_of(SlitherlinkRequest(10, 10, **options)).clues
        return [as_published(plan, line, Random(seed))[0].density for seed in range(20)]

    by_label = {label: drawn(difficulty=label) for label in LABELS[:5]}
    assert len(set(map(tuple, by_label.values()))) == 5
    assert drawn(score=(250, 380)) == drawn(difficulty="normal..hard") == by_label["hard"]
    # Harder ones than any published puzzle may come of these, or not.
    assert drawn(score=(400, 550)) == drawn(difficulty="easy..brutal") == by_label["extreme"]


def test_a_given_loop_stays():
    line = loop(9, 9, seed=1)
    assert slitherlink(9, 9, loop=line, layout="lines", seed=4).solution == line


def adjacent_zeros(puzzle):
    """The number of pairs of 0s side by side."""
    zeros = {cell for cell, clue in puzzle.clue_cells() if clue == 0}
    return sum(((row, col + 1) in zeros) + ((row + 1, col) in zeros) for row, col in zeros)


@pytest.mark.parametrize(
    ("side", "number"), [(10, 60), pytest.param(15, 100, marks=pytest.mark.heavy)]
)
def test_0s_are_side_by_side_as_seldom_as_in_published_puzzles(side, number):
    """Of 206 published puzzles of 10x10 cells 5 % have two, of 106 larger ones none."""
    made = (slitherlink(side, side, seed=seed).puzzle for seed in range(number))
    assert sum(adjacent_zeros(puzzle) > 0 for puzzle in made) <= 0.06 * number


def test_a_large_board_has_hardly_any_0s_side_by_side():
    assert adjacent_zeros(slitherlink(31, 31, seed=1).puzzle) <= 1


HEART = """
..##....##..
.####..####.
############
############
############
.##########.
.##########.
..########..
...######...
....####....
.....##.....
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_a_drawn_heart_has_no_field_of_0s(seed):
    heart = read_loop(HEART)
    made = slitherlink(None, loop=heart, seed=seed)
    clues = [clue for _, clue in made.puzzle.clue_cells()]
    assert made.solution == heart
    # Of the cells, 82 of 132 have a 0.
    assert clues.count(0) <= 0.5 * len(clues)
    zeros = {cell for cell, clue in made.puzzle.clue_cells() if clue == 0}
    blocks = ({(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)} for r, c in zeros)
    assert not any(block <= zeros for block in blocks)
    assert grade(made.puzzle).guesses == 0
    fewer = slitherlink(None, loop=heart, seed=seed, minimal=True)
    clues = [clue for _, clue in fewer.puzzle.clue_cells()]
    assert fewer.minimal
    assert clues.count(0) <= 0.3 * len(clues)
    assert not any(
        is_unique(fewer.puzzle.with_clues({cell: None})) for cell, _ in fewer.puzzle.clue_cells()
    )


def test_numberlinks_are_symmetric_as_often_as_published_ones():
    request = NumberlinkRequest(10, 10)
    drawn = Counter(request.with_symmetry(7, index).symmetry for index in range(1000))
    assert 80 <= 1000 - drawn["none"] <= 160
    index = next(k for k in range(100) if request.with_symmetry(7, k).symmetry == "half-turn")
    puzzle = numberlink(10, 10, seed=7, index=index).puzzle
    shown = {cell for cell, _ in puzzle.clue_cells()}
    assert shown == {(9 - row, 9 - col) for row, col in shown}
    plain = numberlink(10, 10, seed=7, index=index, symmetry="none").puzzle
    assert plain != puzzle
    # What says where numbers are, or how many, leaves the symmetry at none.
    for options in ({"pairs": 8}, {"must": [(0, 0)]}, {"variant": "fill"}):
        asked = NumberlinkRequest(10, 10, **options)
        assert {asked.with_symmetry(7, k).symmetry for k in range(60)} == {"none"}

"""Puzzles of a grade: right, minimal within the grade, and with other options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest

from linkoracle import Slitherlink, is_unique
from linkoracle.core import NothingFound, SearchTimeout
from linkoracle.deduce import LABELS, Within, grade, within
from linkoracle.generate import reduce_clues, slitherlink
from linkoracle.generate.loops.shapes import two_colour

WAYS = [*({"label": label} for label in LABELS), {"subset": "easy"}, {"subset": "hard"}]


def clues_of(puzzle):
    return {cell for cell, _ in puzzle.clue_cells()}


@pytest.mark.parametrize("options", [*WAYS, {"label": "easy", "max_depth": 1}], ids=str)
def test_no_clue_can_go(options):
    keeps = within(**options)
    for seed in range(3):
        made = slitherlink(7, 7, seed=seed, keeps=keeps, minimal=True)
        assert is_unique(made.puzzle)
        less = [made.puzzle.with_clues({cell: None}) for cell in clues_of(made.puzzle)]
        assert made.minimal == (not any(map(is_unique, less)))
        assert keeps(made.puzzle)
        for cell in clues_of(made.puzzle):
            assert not keeps(made.puzzle.with_clues({cell: None}))


def test_no_clue_can_go_of_a_board_on_which_all_of_a_half_is_known_to_be_needed():
    keeps = within("normal")
    way = {"shape": "two_colour", "strategy": "core"}
    puzzle = slitherlink(8, 8, seed=1056, keeps=keeps, **way).puzzle
    assert keeps(puzzle)
    assert not any(keeps(puzzle.with_clues({cell: None})) for cell in clues_of(puzzle))


@pytest.mark.parametrize("label", LABELS)
def test_all_are_of_the_very_label(label):
    keeps = within(label, least=label)
    for seed in range(5):
        made = slitherlink(8, 8, seed=seed, keeps=keeps)
        assert grade(made.puzzle).label == label
        assert is_unique(made.puzzle)
    small = slitherlink(7, 7, seed=2, keeps=keeps, strategy="random", minimal=True)
    assert grade(small.puzzle).label == label


@pytest.mark.parametrize(
    "seeds", [[1], pytest.param([0, *range(2, 8)], marks=pytest.mark.heavy)], ids=["one", "more"]
)
@pytest.mark.parametrize("label", LABELS[-3:])
@pytest.mark.parametrize("symmetry", ["none", "half-turn"])
def test_few_puzzles_have_the_hardest_labels_but_as_many_clues(label, symmetry, seeds):
    keeps = within(label, least=label)
    for seed in seeds:
        made = slitherlink(
            10, 10, seed=seed, keeps=keeps, symmetry=symmetry, clue_density=0.42, layout="even"
        )
        assert grade(made.puzzle).label == label
        assert 30 <= made.puzzle.number_of_clues <= 48
        cells = clues_of(made.puzzle)
        assert symmetry == "none" or cells == {(9 - row, 9 - col) for row, col in cells}


@pytest.mark.parametrize("label", LABELS)
def test_a_label_alone_is_a_bound(label):
    found = [grade(slitherlink(7, 7, seed=s, keeps=within(label)).puzzle).label for s in range(6)]
    assert all(LABELS.index(one) <= LABELS.index(label) for one in found)


def test_ranges_of_labels_and_scores():
    keeps = within("hard", least="normal", score=(150, 260))
    labels = set()
    for seed in range(6):
        found = grade(slitherlink(8, 8, seed=seed, keeps=keeps).puzzle)
        assert 150 <= found.score <= 260
        labels.add(found.label)
    assert labels <= {"normal", "tricky", "hard"}


def test_too_easy_and_too_hard_puzzles_are_distinguished():
    puzzle = slitherlink(8, 8, seed=1, keeps=within("tricky", least="tricky")).puzzle
    score = grade(puzzle).score
    for options, difference in (
        ({"label": "normal"}, 1),
        ({"label": "tricky", "least": "tricky"}, 0),
        ({"label": "hard", "least": "hard"}, -1),
        ({"label": "hard", "score": (score, score)}, 0),
        ({"label": "hard", "score": (score + 1, 9999)}, -1),
        ({"label": "hard", "score": (0, score - 1)}, 1),
        ({"label": "brutal", "least": "hard"}, -1),
    ):
        assert within(**options).check(puzzle) == difference
    with pytest.raises(ValueError, match="expected the easier label first, got hard and easy"):
        within("easy", least="hard")
    with pytest.raises(ValueError, match="the range 9-2 is empty"):
        within(score=(9, 2))
    with pytest.raises(ValueError, match=r"scores of these labels, 300 to 399, got \(0, 299\)"):
        within("hard", least="hard", score=(0, 299))


def test_a_label_that_no_board_of_the_size_has():
    with pytest.raises(NothingFound, match="grade"):
        slitherlink(3, 3, seed=1, keeps=within("brutal", least="brutal"), tries=20, minimal=True)


def test_the_same_seed_gives_the_same_puzzle():
    keeps = within("hard")
    first = slitherlink(8, 8, seed=4, keeps=keeps).puzzle
    slitherlink(8, 8, seed=5, keeps=keeps)
    assert slitherlink(8, 8, seed=4, keeps=within("hard")).puzzle == first


@pytest.mark.parametrize("symmetry", ["half-turn", "quarter-turn"])
def test_symmetric_clues_of_a_grade(symmetry):
    keeps = within("normal")
    puzzle = slitherlink(8, 8, seed=2, keeps=keeps, symmetry=symmetry, minimal=True).puzzle
    cells = clues_of(puzzle)
    assert keeps(puzzle)
    turned = {(7 - r, 7 - c) if symmetry == "half-turn" else (c, 7 - r) for r, c in cells}
    assert turned == cells
    for r, c in cells:
        together = {(r, c), (7 - r, 7 - c)}
        if symmetry == "quarter-turn":
            together |= {(c, 7 - r), (7 - c, r)}
        assert not keeps(puzzle.with_clues(dict.fromkeys(together)))


def test_masks_of_a_grade():
    keeps = within("tricky")
    must, must_not = {(0, 0), (3, 3)}, {(1, 1), (5, 2), (6, 6)}
    puzzle = slitherlink(
        7, 7, seed=1, keeps=keeps, must=must, must_not=must_not, minimal=True
    ).puzzle
    cells = clues_of(puzzle)
    assert must <= cells
    assert not must_not & cells
    assert keeps(puzzle)
    for cell in cells - must:
        assert not keeps(puzzle.with_clues({cell: None}))


def test_a_grade_out_of_reach():
    # Without these clues the line is the only one, but not by the easiest techniques.
    line = two_colour(Random(1), 7, 7)
    full = clues_of(Slitherlink.from_solution(line))
    left = clues_of(reduce_clues(line, Random(1)).puzzle)
    with pytest.raises(NothingFound, match="grade"):
        reduce_clues(line, Random(1), must_not=full - left, keeps=within("easy"))


@pytest.mark.parametrize("strategy", ["random", "prefix", "stack"])
def test_other_strategies_keep_to_the_grade(strategy):
    keeps = within("easy")
    clues = 24 if strategy == "stack" else None
    made = slitherlink(6, 6, seed=3, keeps=keeps, strategy=strategy, clues=clues)
    assert keeps(made.puzzle)
    assert is_unique(made.puzzle)


@pytest.mark.parametrize("clues", [18, 24])
def test_a_number_of_clues_and_a_grade(clues):
    keeps = within("normal")
    made = slitherlink(6, 6, seed=3, keeps=keeps, clues=clues)
    assert keeps(made.puzzle)
    assert len(clues_of(made.puzzle)) <= clues
    if clues == 24:
        assert len(clues_of(made.puzzle)) == 24


def test_voids_are_filled_within_a_grade():
    keeps = within("hard", least="hard")
    numbers = []
    for seed in range(4):
        full = slitherlink(9, 9, seed=seed, keeps=keeps, symmetry="none", clue_density=0.42)
        minimal = slitherlink(9, 9, seed=seed, keeps=keeps, minimal=True)
        assert len(clues_of(minimal.puzzle)) < len(clues_of(full.puzzle))
        numbers.append(len(clues_of(full.puzzle)))
        assert grade(full.puzzle).label == grade(minimal.puzzle).label == "hard"
    # 42 % of the cells, and some more where the score would be too high.
    assert 33 <= min(numbers) <= 36
    assert max(numbers) <= 34 + 3 * 4


def test_uniqueness_is_asked_about_puzzle_by_puzzle():
    keeps = within("tricky", uniqueness=True)
    puzzle = slitherlink(6, 6, seed=3, keeps=keeps).puzzle
    assert keeps(puzzle)
    assert is_unique(puzzle)


@dataclass(frozen=True)
class Late(Within):
    """A grade that does something before it puts clues back."""

    before: Callable[[], object] = list

    def easier(self):
        return None

    def clues(self, full, deadline):
        made = super().clues(full, deadline)
        grow = made.grow

        def late(*arguments):
            self.before()
            return grow(*arguments)

        made.grow = late
        return made


def test_a_time_limit_holds_while_clues_are_put_back(clock):
    # A board that needs some back.
    line = two_colour(Random(1), 8, 8)
    assert reduce_clues(line, Random(1), keeps=Late("easy"), timeout=600).puzzle
    with pytest.raises(SearchTimeout):
        reduce_clues(line, Random(1), keeps=Late("easy", before=clock.run_out), timeout=600)

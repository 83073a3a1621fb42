from __future__ import annotations

from fractions import Fraction
from itertools import islice, pairwise
from random import Random
from statistics import mean

import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

import linkoracle
from linkoracle.core import NothingFound
from linkoracle.deduce import grade, within
from linkoracle.generate import NumberlinkRequest, numberlink, numberlinks
from linkoracle.generate.looks import path_statistics
from linkoracle.generate.paths import MOST_CUTS
from linkoracle.kinds import Numberlink
from tests import brute_force

RULES = tuple(Numberlink.variants)


def lengths(made) -> list[int]:
    return [len(path) for path in made.solution.paths()]


def check(made, variant="free"):
    """What every puzzle must be: one solution by both engines, which covers, without chords."""
    puzzle = made.puzzle
    assert puzzle.variant == variant
    assert linkoracle.violations(puzzle, made.solution) == []
    assert sum(lengths(made)) == puzzle.rows * puzzle.cols
    verdict = linkoracle.decide(puzzle, engine="sat")
    assert (verdict.status, verdict.solutions) == ("unique", (made.solution,))
    if not variant.endswith("apart"):
        assert linkoracle.is_unique(puzzle, engine="frontier")


@pytest.mark.parametrize("variant", RULES)
@pytest.mark.parametrize("size", [(5, 5), (6, 8), (8, 8), (10, 7)])
@pytest.mark.parametrize("seed", range(2))
def test_every_puzzle_is_unique_for_both_engines(size, variant, seed):
    made = numberlink(*size, seed=seed, variant=variant)
    check(made, variant)
    assert min(lengths(made)) >= 3
    cells = size[0] * size[1]
    low, high = 0.85 * cells**0.5, 1.15 * cells**0.5
    if not variant.startswith("fill") and cells > 48:
        low, high = 0.34 * cells**0.643, 0.43 * cells**0.643
    assert low <= len(made.puzzle.pairs()) <= high


def test_larger_boards():
    for seed in range(2):
        made = numberlink(12, 12, seed=seed, symmetry="none")
        assert linkoracle.decide(made.puzzle).unique
        assert len(set(lengths(made))) > 5  # long and short links, not one length


@settings(max_examples=25, deadline=None)
@given(
    rows=st.integers(2, 4),
    cols=st.integers(2, 3),
    variant=st.sampled_from(RULES),
    maker=st.sampled_from(["links", "diagram"]),
    seed=st.integers(-(10**20), 10**20),
)
def test_small_boards_have_one_solution_by_brute_force(rows, cols, variant, maker, seed):
    try:
        made = numberlink(
            rows,
            cols,
            variant=variant,
            maker=maker,
            seed=seed,
            min_length=2,
            pairs=(1, 4),
            tries=50,
        )
    except NothingFound:
        reject()
    (edges,) = brute_force.numberlink(made.puzzle)
    ours = {frozenset(step) for path in made.solution.paths() for step in pairwise(path)}
    assert edges == ours


def test_the_smallest_board():
    (made,) = numberlinks(1, 2, seed=1, limit=1)
    assert made.puzzle == Numberlink([[1, 1]])


def test_a_puzzle_depends_on_seed_and_index_alone():
    run = list(islice(numberlinks(7, 7, seed=5), 6))
    assert [made.puzzle for made in islice(numberlinks(7, 7, seed=5), 3)] == [
        made.puzzle for made in run[:3]
    ]
    assert numberlink(7, 7, seed=5, index=4) == run[4]
    assert numberlink(7, 7, seed=6) != run[0]
    assert len({made.puzzle for made in run}) == len(run)


def test_the_first_puzzle_of_a_seed_stays_the_same():
    """A puzzle that was printed can be made again: changed makers must change this on purpose."""
    assert linkoracle.write(numberlink(6, 6, seed=1).puzzle, "pzpr") == PINNED


PINNED = "https://puzz.link/p?numlin/6/6/g12i13l45i6l53g24j6"


def test_no_board_twice():
    """2x2 cells hold two puzzles with links of two cells, and then nothing more is found."""
    run = numberlinks(2, 2, min_length=2, seed=3)
    boards = [next(run).puzzle, next(run).puzzle]
    assert boards[0] != boards[1]
    with pytest.raises(NothingFound, match="only 2 different boards"):
        next(run)


@pytest.mark.parametrize("maker", ["links", "diagram"])
def test_all_puzzles_of_a_small_board_are_found(maker):
    """Those of 2x3 with links of 2 or more that cover: 10, by the census of the 2012 paper."""
    run = numberlinks(2, 3, min_length=2, pairs=(1, 3), maker=maker, seed=1)
    found = [next(run).puzzle for _ in range(10)]
    with pytest.raises(NothingFound):
        next(run)
    assert len(found) == len(set(found)) == 10


def test_lengths_and_pairs_are_as_asked():
    for seed in range(4):
        made = numberlink(8, 8, seed=seed, pairs=9, min_length=5, max_length=10)
        assert len(made.puzzle.pairs()) == 9
        assert min(lengths(made)) >= 5
        assert max(lengths(made)) <= 10
        made = numberlink(8, 8, seed=seed, pairs=(6, 7))
        assert len(made.puzzle.pairs()) in (6, 7)


def test_shares_are_as_asked():
    for seed in range(4):
        made = numberlink(9, 9, seed=seed, pairs=9, short_share=(0.3, 0.5), long_share=(0.2, 1))
        sizes = lengths(made)
        assert 2 <= sum(size <= 4.5 for size in sizes) <= 5
        assert sum(size >= 13.5 for size in sizes) >= 1
        plain = numberlink(9, 9, seed=seed, pairs=9, short_share=(0, 0))
        assert min(lengths(plain)) > 4.5


def test_links_look_like_published_ones():
    """7.3 links of 10x10 cells, one in twenty straight, hardly any of three cells, 3.2 turns."""
    found = [path_statistics(numberlink(10, 10, seed=seed).solution) for seed in range(6)]
    assert all(7 <= one.links <= 8 and one.short == 0 for one in found)
    assert all(one.straight <= 0.15 for one in found)
    assert 2.6 < mean(one.turns for one in found) < 4


def test_straight_links_and_turns_are_as_asked():
    for seed in range(3):
        options = {"pairs": 8, "straight_share": (0.25, 0.5), "min_turns": 2}
        seen = path_statistics(numberlink(8, 8, seed=seed, **options).solution)
        assert 0.25 <= seen.straight <= 0.5
        assert seen.turns >= 2


def test_numbers_stand_where_a_mask_wants_them():
    must = {(0, 0), (3, 3), (6, 2)}
    must_not = {(row, 5) for row in range(7)}
    for seed in range(3):
        made = numberlink(7, 7, seed=seed, must=must, must_not=must_not)
        cells = {cell for pair in made.puzzle.pairs().values() for cell in pair}
        assert must <= cells
        assert not must_not & cells
        assert linkoracle.decide(made.puzzle).unique


def test_a_mask_sets_the_number_of_pairs():
    """Published puzzles of 8x8 cells have about five pairs; a mask may need more or fewer."""
    cells = {(row, col) for row in range(8) for col in range(8)}
    for must, pairs in ((cells - {(0, col) for col in range(8)}, 28), ({(0, 0), (7, 7)}, 1)):
        request = NumberlinkRequest(8, 8, must=must, must_not=cells - must, min_length=2)
        assert request.pair_range == (pairs, pairs)
        assert request.paths.drawn(Random(1)).pairs == (pairs, pairs)


def test_puzzles_of_a_grade():
    keeps = within("normal")
    for seed in range(3):
        made = numberlink(8, 8, seed=seed, keeps=keeps)
        assert grade(made.puzzle).label in ("easy", "normal")
    with pytest.raises(NothingFound, match="not as requested"):
        numberlink(7, 7, keeps=lambda _: False, tries=20, seed=0)


@pytest.mark.parametrize("label", ["normal", "tricky", "hard"])
def test_puzzles_of_just_this_grade(label):
    for seed in range(2):
        made = numberlink(8, 8, seed=seed, keeps=within(label, least=label))
        assert grade(made.puzzle).label == label


def test_puzzles_with_a_score_in_a_range():
    for low, high in ((100, 200), (250, 330)):
        made = numberlink(8, 8, seed=1, keeps=within(score=(low, high)))
        assert low <= grade(made.puzzle).score <= high


def test_what_a_grade_keeps_out_is_said():
    with pytest.raises(NothingFound, match="harder than"):
        numberlink(8, 8, seed=1, keeps=within(score=(0, 1)), tries=20)
    with pytest.raises(NothingFound, match="easier than"):
        numberlink(7, 7, seed=1, keeps=within("extreme", least="extreme"), tries=20)


ranges = st.lists(st.sampled_from([0, 0.1, 0.25, 0.3, 1 / 3, 0.5, 1]), min_size=2, max_size=2)
shares = st.one_of(st.just((0, 1)), ranges.map(sorted).map(tuple))


def share_of(sizes, counts):
    return sum(map(counts, sizes)) / len(sizes)


@settings(max_examples=75, deadline=None)
@given(
    size=st.tuples(st.integers(2, 6), st.integers(2, 6)),
    pairs=st.none() | st.lists(st.integers(1, 8), min_size=2, max_size=2).map(sorted),
    shortest=st.integers(2, 5),
    longest=st.none() | st.integers(4, 14),
    short=shares,
    long=shares,
    variant=st.sampled_from(["free", "fill"]),
    how=st.sampled_from([("links", "none"), ("links", "half-turn"), ("diagram", "none")]),
    repairs=st.none() | st.integers(0, 2),
    seed=st.integers(0, 10**6),
)
@example((6, 6), [6, 6], 3, None, (0, 1), (0.3, 1), "free", ("links", "none"), None, 0)
@example((6, 6), [6, 6], 3, None, (0.4, 1), (0, 0.2), "free", ("links", "none"), None, 0)
def test_what_is_asked_of_links_holds_for_every_board(
    size, pairs, shortest, longest, short, long, variant, how, repairs, seed
):
    maker, symmetry = how
    try:
        request = NumberlinkRequest(
            *size,
            maker=maker,
            variant=variant,
            pairs=pairs,
            min_length=shortest,
            max_length=longest,
            short_share=short,
            long_share=long,
            symmetry=symmetry,
            repairs=repairs,
            tries=10,
        )
        made = numberlink(request, seed=seed)
    except (ValueError, NothingFound):
        reject()
    sizes, average = lengths(made), Fraction(size[0] * size[1], len(lengths(made)))
    assert request.pair_range[0] <= len(sizes) <= request.pair_range[1]
    assert pairs is None or request.pair_range == tuple(pairs)
    assert shortest <= min(sizes) <= max(sizes) <= (longest or sum(sizes))
    assert short[0] <= share_of(sizes, lambda cells: 2 * cells <= average) <= short[1]
    assert long[0] <= share_of(sizes, lambda cells: 2 * cells >= 3 * average) <= long[1]
    places = {cell for pair in made.puzzle.pairs().values() for cell in pair}
    assert symmetry == "none" or turned(places, symmetry, *size) == [places]
    assert made.puzzle.variant == variant
    assert linkoracle.is_unique(made.puzzle)


def turned(places, symmetry, rows, cols):
    turns = {
        "half-turn": lambda r, c: (rows - 1 - r, cols - 1 - c),
        "quarter-turn": lambda r, c: (c, rows - 1 - r),
        "left-right": lambda r, c: (r, cols - 1 - c),
        "top-bottom": lambda r, c: (rows - 1 - r, c),
    }
    parts = ("left-right", "top-bottom") if symmetry == "both" else (symmetry,)
    return [{turns[part](*place) for place in places} for part in parts]


@pytest.mark.parametrize(
    ("symmetry", "rows", "cols"),
    [
        *((name, 7, 8) for name in ("half-turn", "left-right", "top-bottom", "both")),
        *((name, 7, 7) for name in ("half-turn", "left-right", "top-bottom", "both")),
        ("quarter-turn", 6, 6),
        ("quarter-turn", 8, 8),
    ],
)
def test_symmetry_of_the_numbers(symmetry, rows, cols):
    made = numberlink(rows, cols, seed=2, symmetry=symmetry)
    places = {cell for pair in made.puzzle.pairs().values() for cell in pair}
    for image in turned(places, symmetry, rows, cols):
        assert image == places
    check(made)


def test_none_found_is_said():
    with pytest.raises(
        NothingFound, match=r"in 3 attempts: 0 boards as requested, 3 not as requested"
    ):
        numberlink(4, 4, pairs=1, tries=3, seed=0)
    with pytest.raises(
        NothingFound, match=r"in 2 attempts: 2 boards as requested \(2 with a second solution\)"
    ):
        # One path through 3x3 cells: every pair of ends has two (see the census of 3x3).
        numberlink(3, 3, variant="fill", pairs=1, tries=2, seed=0)


@pytest.mark.parametrize(("side", "boards"), [(6, 11), (20, 4)])
def test_large_boards_are_repaired_more_often(monkeypatch, side, boards):
    """Of 44 boards with a second solution so many are new, and all others repaired ones."""
    made = []
    maker = "linkoracle.generate.paths.maker"
    laid = linkoracle.generate.paths.maker.links
    monkeypatch.setattr(f"{maker}.links", lambda *given: made.append(given) or laid(*given))
    monkeypatch.setattr(f"{maker}.LinkRepair.calm", lambda _: True)
    monkeypatch.setattr(f"{maker}.LinkRepair.refute", lambda *_: True)
    monkeypatch.setattr(f"{maker}.Attempts.another", lambda *given: given[2])
    with pytest.raises(NothingFound, match="44 boards as requested"):
        numberlink(side, side, tries=44, min_turns=0.0, straight_share=(0.0, 1.0), seed=0)
    assert len(made) == boards


def test_larger_boards_have_more_effort_and_more_links():
    requests = [NumberlinkRequest(side, side) for side in (10, 15, 20, 30, 40)]
    assert [one.plan.conflicts for one in requests] == [20_000, 20_000, 35_555, 80_000, 142_222]
    assert [one.pair_range for one in requests] == [
        (7, 8),
        (12, 13),
        (17, 20),
        (55, 65),
        (109, 129),
    ]
    assert NumberlinkRequest(30, 30, effort=7).plan.conflicts == 7
    assert NumberlinkRequest(40, 40, variant="fill").pair_range == (110, 132)


def test_paths_are_cut_where_a_board_is_too_hard():
    """Unless the number of pairs is requested; the cut ones are as long as others, too."""
    request = NumberlinkRequest(10, 10, difficulty="normal")
    low, high = request.pair_range
    numbers = []
    for made in islice(numberlinks(request, seed=1), 4):
        check(made)
        assert grade(made.puzzle).label == "normal"
        assert min(lengths(made)) >= request.paths.shortest
        numbers.append(len(made.puzzle.pairs()))
    assert low <= min(numbers)
    assert high < max(numbers) <= high + MOST_CUTS
    for made in islice(numberlinks(8, 8, seed=1, pairs=7, difficulty="normal..tricky"), 3):
        assert len(made.puzzle.pairs()) == 7


def test_cut_paths_keep_the_turns_that_were_requested():
    usual = NumberlinkRequest(10, 10).plan
    said = NumberlinkRequest(10, 10, min_turns=usual.paths.min_turns).plan
    assert usual.cut.min_turns == 0
    assert said.cut.min_turns == said.paths.min_turns > 0


def test_the_diagram_maker_cuts_no_paths():
    """Else puzzles with more pairs would be more likely than others."""
    request = NumberlinkRequest(7, 9, maker="diagram", difficulty="normal")
    low, high = request.pair_range
    for made in islice(numberlinks(request, seed=1), 8):
        assert low <= len(made.puzzle.pairs()) <= high


def test_numbers_of_pairs_that_cannot_have_the_shares_are_drawn_again():
    """One of seven paths may be short, but no number of eight is from 14 to 15 %."""
    request = NumberlinkRequest(10, 10, short_share=(0.14, 0.15))
    assert request.pair_range == (7, 8)
    for seed in range(2):
        assert len(numberlink(request, seed=seed).puzzle.pairs()) == 7

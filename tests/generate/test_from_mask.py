"""Masks: clues on some cells only, clues with digits, and lines that are given."""

from __future__ import annotations

import pickle
from collections import Counter
from random import Random

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from linkoracle import Slitherlink, is_unique, solutions, solve
from linkoracle.board import Lattice, Solution
from linkoracle.core import NothingFound, SearchTimeout
from linkoracle.generate import SlitherlinkRequest, letters, slitherlink, slitherlinks
from linkoracle.generate.clues.loop_search import LoopSearch
from linkoracle.generate.loops.shapes import two_colour


def cells(picture, marks="#"):
    rows = picture.split()
    return [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark in marks]


RING = cells("##### #...# #...# #...# #####")
HEART = """
    .##.##.
    #..#..#
    #.....#
    #.....#
    .#...#.
    ..#.#..
    ...#...
"""
#: Outlines of one heart: clues meet at corners only, or are joined.
THIN = """
    ...##....##...
    .##..####..##.
    .#..........#.
    #............#
    #............#
    #............#
    .#..........#.
    .#..........#.
    ..#........#..
    ..#........#..
    ...##....##...
    .....#..#.....
    ......##......
    ..............
"""
JOINED = """
    ...##....##...
    .############.
    .#..........#.
    ##..........##
    #............#
    ##..........##
    .#..........#.
    .##........##.
    ..#........#..
    ..##......##..
    ...###..###...
    .....####.....
    ......##......
    ..............
"""
LETTER = """
    .......
    .####..
    .#...#.
    .#...#.
    .####..
    .#...#.
    .#...#.
    .####..
    .......
"""


def from_mask(rows, cols, mask, **options):
    return slitherlink(rows, cols, strategy="mask", must=mask, **{"seed": 0, **options})


def test_a_large_outline_is_filled_where_its_clues_are_joined():
    mask = cells(JOINED)
    made = from_mask(14, 14, mask)
    assert [cell for cell, _ in made.puzzle.clue_cells()] == mask
    assert is_unique(made.puzzle)
    with pytest.raises(
        NothingFound, match=r"\(in [0-9]+ places, two clues meet only at a corner, where"
    ):
        from_mask(14, 14, cells(THIN), tries=1)


def test_an_exact_mask_says_how_near_it_comes():
    mask: list[tuple[int, int]] = []
    with pytest.raises(
        NothingFound, match=r"nearest puzzle found has \d+ more clues?, at r"
    ) as caught:
        from_mask(6, 6, mask, tries=2)
    near = caught.value.nearest
    shown = {cell for cell, _ in near.puzzle.clue_cells()}
    assert shown == {*mask, *near.extra}
    assert solve(near.puzzle) == near.solution
    assert is_unique(near.puzzle)
    assert not any(is_unique(near.puzzle.with_clues({cell: None})) for cell in near.extra)
    number = len(near.extra)
    assert pickle.loads(pickle.dumps(caught.value)).nearest == near
    assert from_mask(6, 6, mask, tries=2, extra_clues=number) == near
    with pytest.raises(NothingFound):
        from_mask(6, 6, mask, tries=2, extra_clues=number - 1)


def test_the_time_limit_leaves_a_nearest_puzzle_of_the_first_attempt(monkeypatch):
    def late(*_):
        raise SearchTimeout(1)

    monkeypatch.setattr("linkoracle.generate.clues.loop_search.pick", late)
    thin = {*cells(THIN)}
    bare = [divmod(cell, 14) for cell in range(1, 14 * 14)]
    with pytest.raises(SearchTimeout, match=r"The nearest puzzle found has .*: set ext") as caught:
        slitherlink(14, 14, must=thin, must_not={*bare} - thin, seed=0)
    near = caught.value.nearest
    shown = {cell for cell, _ in near.puzzle.clue_cells()}
    assert near.extra
    assert thin | {*near.extra} <= shown <= thin | {*near.extra, (0, 0)}
    assert is_unique(near.puzzle)
    assert solve(near.puzzle) == near.solution


@pytest.mark.heavy
def test_clues_that_meet_at_corners_are_joined_if_that_is_nearest():
    thin = cells(THIN)
    with pytest.raises(NothingFound) as caught:
        from_mask(14, 14, thin, tries=8)
    near = caught.value.nearest
    assert {cell for cell, _ in near.puzzle.clue_cells()} == {*thin, *near.extra}
    assert is_unique(near.puzzle)


def test_what_a_mask_does_not_mark():
    rows = ["#####", "#___#", "#_?_#", "#___#", "#####"]
    made = slitherlink(5, 5, mask=rows, seed=1)
    assert {cell for cell, _ in made.puzzle.clue_cells()} - {(2, 2)} == set(RING)
    free = SlitherlinkRequest(mask=rows, unmarked="either")
    assert not free.must_not
    exact = SlitherlinkRequest(mask=[row.replace("?", "_") for row in rows])
    assert exact.strategy == "mask"
    with pytest.raises(ValueError, match="unmarked"):
        SlitherlinkRequest(mask=rows, unmarked="some")


def test_letters_stand_in_an_empty_surround():
    made = slitherlink(7, 17, letters="2026", seed=1)
    mask = letters("2026", 7, 17)
    assert {cell for cell, _ in made.puzzle.clue_cells()} == {*cells("\n".join(mask)), *made.extra}
    assert is_unique(made.puzzle)
    assert len(made.extra) <= 3


def test_who_runs_out_of_time_is_told_why_the_tries_failed(monkeypatch):
    tries = []

    def late(self, *arguments):
        tries.append(arguments)
        if len(tries) > 2:
            raise SearchTimeout(7)
        raise NothingFound("left cells")

    monkeypatch.setattr(LoopSearch, "improved", late)
    with pytest.raises(SearchTimeout, match=r"within 7 s \(reached: 2 left cells\)"):
        from_mask(6, 6, cells("#....# ...... ...... ...... ...... #....#"))


@pytest.mark.parametrize(
    ("mask", "rows", "cols"), [(RING, 5, 5), (cells(HEART), 7, 7), (cells(LETTER), 9, 7)]
)
def test_the_clues_are_the_mask(mask, rows, cols):
    for seed in range(2):
        made = from_mask(rows, cols, mask, seed=seed)
        assert [cell for cell, _ in made.puzzle.clue_cells()] == mask
        assert is_unique(made.puzzle)
        assert solve(made.puzzle) == made.solution
        assert from_mask(rows, cols, mask, seed=seed) == made


def test_a_checkerboard_is_filled_by_any_seed():
    mask = [(row, col) for row in range(10) for col in range(10) if (row + col) % 2]
    for seed in range(5):
        assert from_mask(10, 10, mask, seed=seed, tries=3).puzzle.number_of_clues == 50


def test_a_run_makes_different_puzzles_of_a_mask():
    request = SlitherlinkRequest(5, 5, strategy="mask", must=RING)
    made = [one.puzzle for one in slitherlinks(request, seed=3, limit=3)]
    assert len(set(made)) == 3


def test_it_says_when_nothing_is_found(monkeypatch):
    with pytest.raises(NothingFound, match=r"in 1 attempt: 1 left cells .* \(\d+ at best\)"):
        from_mask(6, 6, [], tries=1)
    with pytest.raises(SearchTimeout):
        from_mask(8, 8, [], timeout=0.2, tries=10**9)
    with pytest.raises(ValueError, match="no cell 9,0"):
        from_mask(6, 6, [(9, 0)])

    def failing(*_):
        raise NothingFound("left cells")

    monkeypatch.setattr(LoopSearch, "improved", failing)
    with pytest.raises(NothingFound, match="in 20 attempts, the default"):
        from_mask(6, 6, [])


@settings(max_examples=20)
@given(size=st.tuples(st.integers(1, 3), st.integers(1, 4)), data=st.data())
def test_small_boards_are_decided(size, data):
    """There is a puzzle iff some loop has clues of its own there, not too many of them 0."""
    rows, cols = size
    board = [(row, col) for row in range(rows) for col in range(cols)]
    mask = sorted(data.draw(st.sets(st.sampled_from(board))))
    digits = data.draw(st.dictionaries(st.sampled_from(board), st.integers(0, 3), max_size=1))
    digits = {cell: digit for cell, digit in digits.items() if cell in mask}
    loops = [loop.face_counts() for loop in solutions(Slitherlink.blank(rows, cols))]
    numbers = Counter(tuple(int(counts[cell]) for cell in mask) for counts in loops)
    alone = {clues for clues, times in numbers.items() if times == 1}
    alone = {one for one in alone if digits.items() <= dict(zip(mask, one, strict=True)).items()}
    free = [number for number, cell in enumerate(mask) if cell not in digits]
    alone = {one for one in alone if 2 * sum(one[k] == 0 for k in free) <= len(free) + 1}
    if alone:
        made = from_mask(rows, cols, mask, digits=digits)
        assert tuple(clue for _, clue in made.puzzle.clue_cells()) in alone
    else:
        with pytest.raises(NothingFound, match=f"none of the {len(loops)} loops|no loop has the"):
            from_mask(rows, cols, mask, digits=digits)


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), share=st.floats(0.05, 0.9), data=st.data())
def test_digits_of_any_line_are_completed(seed, share, data):
    """Some clues of a line stand, some cells must not have one: there is a line, and it is kept."""
    rows, cols = data.draw(st.tuples(st.integers(3, 7), st.integers(3, 7)))
    rng = Random(seed)
    counts = two_colour(rng, rows, cols).face_counts()
    board = [(row, col) for row in range(rows) for col in range(cols)]
    digits = {cell: int(counts[cell]) for cell in board if rng.random() < share}
    must_not = [cell for cell in board if cell not in digits and rng.random() < 0.1]
    try:
        made = slitherlink(rows, cols, digits=digits, must_not=must_not, seed=seed)
    except NothingFound:
        # Without cells that must not have a clue, the full clues of some line are always enough.
        assert must_not
        reject()
    found = dict(made.puzzle.clue_cells())
    assert digits.items() <= found.items()
    assert not found.keys() & set(must_not)
    assert is_unique(made.puzzle)


def test_digits_that_contradict_each_other():
    with pytest.raises(NothingFound, match="no loop has the digits given"):
        slitherlink(4, 4, digits={(0, 0): 4, (2, 2): 4}, seed=0)
    with pytest.raises(ValueError, match=r"expected a digit from 0 to 4 at \(0, 0\), got 5"):
        SlitherlinkRequest(4, 4, digits={(0, 0): 5})
    with pytest.raises(ValueError, match="no cell 4,0"):
        SlitherlinkRequest(4, 4, digits={(4, 0): 1})
    with pytest.raises(ValueError, match="cannot both have to carry a clue"):
        SlitherlinkRequest(4, 4, digits={(0, 0): 1}, must_not=[(0, 0)])


def test_digits_in_an_exact_mask():
    mask = cells(HEART)
    made = from_mask(7, 7, mask, seed=2, digits={mask[0]: 3})
    assert made.puzzle.grid[0][1] == 3
    assert [cell for cell, _ in made.puzzle.clue_cells()] == mask


LOOP = two_colour(Random(5), 6, 6)


def test_a_loop_that_is_given_is_clued():
    made = slitherlink(6, 6, loop=LOOP, seed=1, minimal=True)
    assert made.solution == LOOP
    assert made.minimal
    assert slitherlink(6, 6, loop=LOOP, seed=1, minimal=True) == made
    puzzles = {one.puzzle for one in slitherlinks(6, 6, loop=LOOP, limit=4, seed=0)}
    assert len(puzzles) == 4
    hidden = [cell for cell, _ in made.puzzle.clue_cells()][:2]
    other = slitherlink(6, 6, loop=LOOP, must_not=hidden, strategy="random", seed=0)
    assert other.solution == LOOP
    assert not set(hidden) & {cell for cell, _ in other.puzzle.clue_cells()}


def test_an_open_path_that_is_given_is_clued():
    path = slitherlink(6, 6, seed=3, ends="random")
    first, last = path.puzzle.ends
    made = slitherlink(6, 6, loop=path.solution, ends=(last, first), seed=1, minimal=True)
    assert made.solution == path.solution
    assert made.puzzle.ends == (first, last)
    assert made.minimal
    assert is_unique(made.puzzle)
    with pytest.raises(ValueError, match="a single loop"):
        SlitherlinkRequest(6, 6, loop=path.solution)


def test_a_loop_that_is_given_and_leads_to_nothing():
    everywhere = [(row, col) for row in range(6) for col in range(6)]
    with pytest.raises(NothingFound, match=r"the given loop led to no puzzle .* without the clues"):
        slitherlink(6, 6, loop=LOOP, must_not=everywhere, seed=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"loop": two_colour(Random(1), 5, 6)}, "say 6 rows of 6 cells, the loop has 5 rows of 6"),
        ({"loop": Solution(Lattice(7, 7), (0, 1))}, "a single loop that does not touch itself"),
        ({"loop": LOOP, "shape": "expand"}, "a given loop takes no shape"),
        ({"loop": LOOP, "ends": "random"}, "expected the ends of the given loop"),
        ({"loop": LOOP, "ends": ((0, 0), (6, 6))}, r"path between its ends \(0, 0\) and \(6, 6\)"),
        ({"loop": LOOP, "strategy": "mask"}, "takes no loop"),
        ({"loop": LOOP, "digits": {(0, 0): 4}}, r"edges around \(0, 0\), not 4"),
        ({"digits": {(0, 0): 3}, "strategy": "fewest"}, "takes no"),
    ],
)
def test_requests_that_make_no_sense(options, message):
    with pytest.raises(ValueError, match=message):
        SlitherlinkRequest(6, 6, **options)

"""Boards on pages: all of them, in order, apart, within the page, and none too small."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle.render.layout import PUZZLES, SOLUTIONS, Room

A4, LETTER = Room(505.0, 740.0), Room(522.0, 690.0)
TURNED = Room(740.0, 505.0)
SIDES = st.integers(1, 60)
SIZES = st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=14)
SPREADS = st.one_of(st.sampled_from([PUZZLES, SOLUTIONS]), st.integers(1, 12).map(PUZZLES.at_most))


def boxes(page, sizes, words):
    """Left, top, right and bottom of each board with what is above it."""
    for place in page.places:
        rows, cols = sizes[place.board]
        assert cols * place.cell <= place.width + 1e-6
        yield place.x, place.y, place.x + place.width, place.y + words + rows * place.cell


@given(SIZES, SPREADS, st.sampled_from([A4, LETTER]), st.floats(0, 200))
def test_boards_stand_in_order_apart_and_within_the_page(sizes, spread, room, taken):
    first = Room(room.width, room.height - taken)
    pages = spread.pages(sizes, first, room, TURNED)
    assert [one.board for page in pages for one in page.places] == list(range(len(sizes)))
    for number, page in enumerate(pages):
        here = TURNED if page.turned else room if number else first
        found = list(boxes(page, sizes, spread.words))
        assert 1 <= len(found) <= spread.most
        for left, top, right, bottom in found:
            assert left > -1e-6
            assert top > -1e-6
            assert right < here.width + 1e-6
            assert bottom < here.height + 1e-6
        for one, (left, top, right, bottom) in enumerate(found):
            for left2, top2, right2, bottom2 in found[:one]:
                beside = left >= right2 + spread.gap - 1e-6 or left2 >= right + spread.gap - 1e-6
                below = top >= bottom2 + spread.gap - 1e-6 or top2 >= bottom + spread.gap - 1e-6
                assert beside or below


@given(SIZES, SPREADS)
def test_cells_have_their_size_where_the_page_allows(sizes, spread):
    for page in spread.pages(sizes, A4, A4):
        for place in page.places:
            rows, cols = sizes[place.board]
            alone = min(A4.width / cols, (A4.height - spread.words) / rows)
            least = spread.least if spread.exact else min(spread.wanted)
            assert place.cell >= 0.998 * min(least, alone)
            if len(page.places) == 1:
                # Nothing is tiny on a page of its own.
                assert place.cell >= min(spread.alone * min(spread.wanted), alone) - 1e-6
        cells = {}
        for place in page.places:
            cells.setdefault(sizes[place.board], set()).add(round(place.cell, 6))
        assert all(len(found) == 1 for found in cells.values())


@pytest.mark.parametrize(
    ("side", "many", "expected"),
    [(5, 12, [12]), (10, 6, [6]), (10, 8, [4, 4]), (15, 4, [2, 2]), (20, 2, [1, 1])],
)
def test_usual_boards_fill_pages(side, many, expected):
    pages = PUZZLES.pages([(side, side)] * many, A4, A4)
    assert [len(page.places) for page in pages] == expected


def test_a_small_board_has_a_place_below_a_large_one():
    (page,) = PUZZLES.pages([(30, 30), (5, 5)], A4, A4)
    large, small = page.places
    assert large.cell == pytest.approx(A4.width / 30)
    assert small.cell > large.cell


def test_wide_boards_have_turned_pages():
    wide, high = PUZZLES.pages([(40, 60), (60, 40)], A4, A4, TURNED)
    assert (wide.turned, high.turned) == (True, False)
    assert wide.places[0].cell > 1.3 * A4.width / 60
    assert not PUZZLES.pages([(10, 12)], A4, A4, TURNED)[0].turned
    assert not PUZZLES.pages([(40, 60)], A4, A4)[0].turned


def test_rows_that_are_not_full_stand_below_the_columns_above():
    (page,) = PUZZLES.pages([(5, 5)] * 8, A4, A4)
    columns = [place.x for place in page.places]
    assert columns[:3] == columns[3:6]
    assert columns[6:] == columns[:2]


def test_boards_of_dots_can_be_told_apart():
    (page,) = PUZZLES.pages([(10, 10)] * 2 + [(5, 5)] * 3, A4, A4)
    for one, other in pairwise(page.places):
        if one.y == other.y:
            end = one.x + sizes_of(one) * one.cell
            assert other.x - end >= 1.6 * one.cell - 1e-6


def sizes_of(place):
    return 10 if place.board < 2 else 5


def test_the_last_page_looks_much_like_the_one_before():
    *_, before, last = PUZZLES.at_most(9).pages([(10, 10)] * 12, A4, A4)
    assert (len(before.places), len(last.places)) == (9, 3)
    assert last.places[0].cell <= 1.25 * before.places[0].cell + 1e-6

"""Boards on pages: all of them, in order, apart, within the page, and none too small."""

from __future__ import annotations

from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle.booklets.layout import PUZZLES, SOLUTIONS, Room

A4, LETTER = Room(505.0, 740.0), Room(522.0, 690.0)
TURNED = Room(740.0, 505.0)
SIDES = st.integers(1, 60)
SIZES = st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=14)
SPREADS = st.one_of(st.sampled_from([PUZZLES, SOLUTIONS]), st.integers(1, 12).map(PUZZLES.at_most))


def boxes(page, sizes, words):
    """Return left, top, right and bottom of each board with the words above it."""
    for place in page.places:
        rows, cols = sizes[place.board]
        assert cols * place.cell <= place.width + 1e-6
        yield place.x, place.y, place.x + place.width, place.y + words + rows * place.cell


def rows_of(page):
    """Return the places of each row, from left to right."""
    return [list(row) for _, row in groupby(page.places, key=lambda place: place.y)]


@given(SIZES, SPREADS, st.sampled_from([A4, LETTER]), st.data())
def test_boards_stand_in_order_apart_and_within_the_page(sizes, spread, room, data):
    kinds = data.draw(st.lists(st.sampled_from("ab"), min_size=len(sizes), max_size=len(sizes)))
    pages = spread.pages(sizes, room, TURNED, kinds)
    assert [one.board for page in pages for one in page.places] == list(range(len(sizes)))
    for page in pages:
        here = TURNED if page.turned else room
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
def test_boards_side_by_side_stand_in_columns(sizes, spread):
    """A board alone in its row is in the middle."""
    for page in spread.pages(sizes, A4):
        rows = rows_of(page)
        columns = max(rows, key=len)
        for row in rows:
            if len(row) == 1:
                assert row[0].x + row[0].width / 2 == pytest.approx(A4.width / 2)
            else:
                same = zip(row, columns, strict=False)
                assert all(one.x == pytest.approx(other.x) for one, other in same)


@given(SIZES, SPREADS)
def test_cells_have_one_size_in_the_whole_booklet(sizes, spread):
    cells = {}
    for page in spread.pages(sizes, A4):
        for place in page.places:
            assert place.cell <= spread.alone * max(spread.target) + 1e-6
            cells.setdefault(sizes[place.board], set()).add(place.cell)
    assert all(len(found) == 1 for found in cells.values())


@given(st.tuples(SIDES, SIDES), st.integers(1, 14), SPREADS)
def test_cells_are_large_enough_where_the_page_allows(size, many, spread):
    rows, cols = size
    alone = min(A4.width / cols, (A4.height - spread.words) / rows)
    least = spread.least if spread.exact else min(spread.target)
    for page in spread.pages([size] * many, A4):
        assert all(place.cell >= 0.998 * min(least, alone) for place in page.places)
        if many == 1:
            assert page.places[0].cell >= min(spread.alone * min(spread.target), alone) - 1e-6


def test_kinds_and_classes_have_cells_of_their_own():
    pages = PUZZLES.pages([(9, 9), (10, 10), (10, 10), (25, 25)], A4, None, "aabb")
    first, second, third, fourth = (place.cell for page in pages for place in page.places)
    assert first == second
    assert fourth < third


@pytest.mark.parametrize(
    ("side", "many", "expected"),
    [
        (5, 12, [12]),
        (10, 5, [5]),
        (10, 6, [6]),
        (10, 7, [4, 3]),
        (10, 8, [4, 4]),
        (15, 4, [2, 2]),
        (20, 2, [1, 1]),
    ],
)
def test_usual_boards_fill_pages(side, many, expected):
    pages = PUZZLES.pages([(side, side)] * many, A4)
    assert sorted((len(page.places) for page in pages), reverse=True) == expected


@pytest.mark.parametrize("many", range(2, 40))
@pytest.mark.parametrize("side", [5, 8, 10, 12])
def test_no_puzzle_is_alone_on_a_page_of_several(side, many):
    pages = PUZZLES.pages([(side, side)] * many, A4)
    assert min(len(page.places) for page in pages) >= 2


def test_a_small_board_has_a_place_below_a_large_one():
    (page,) = PUZZLES.pages([(30, 30), (5, 5)], A4)
    large, small = page.places
    assert large.cell == pytest.approx(A4.width / 30)
    assert small.cell > large.cell
    assert small.x + small.width / 2 == pytest.approx(A4.width / 2)


def test_kinds_begin_pages_where_they_follow_each_other():
    def many(kinds):
        return [len(page.places) for page in PUZZLES.pages([(10, 10)] * 9, A4, None, kinds)]

    assert many("aaabbbccc") == [3, 3, 3]
    assert len(many("abcabcabc")) == 2


def test_wide_boards_have_turned_pages():
    wide, high = PUZZLES.pages([(40, 60), (60, 40)], A4, TURNED)
    assert (wide.turned, high.turned) == (True, False)
    assert wide.places[0].cell > 1.3 * A4.width / 60
    assert not PUZZLES.pages([(10, 12)], A4, TURNED)[0].turned
    assert not PUZZLES.pages([(40, 60)], A4)[0].turned


def test_rows_that_are_not_full_stand_below_the_columns_above():
    (page,) = PUZZLES.pages([(5, 5)] * 8, A4)
    widths = {len(row) for row in rows_of(page)}
    assert widths in ({3, 2}, {2})


def test_boards_of_dots_can_be_told_apart():
    for page in PUZZLES.pages([(10, 10)] * 2 + [(5, 5)] * 3, A4):
        for one, other in pairwise(page.places):
            if one.y == other.y:
                end = one.x + (10 if one.board < 2 else 5) * one.cell
                assert other.x - end >= 1.6 * one.cell - 1e-6


def test_so_many_a_page_as_are_asked_for():
    pages = PUZZLES.at_most(9).pages([(10, 10)] * 12, A4, TURNED)
    assert [len(page.places) for page in pages] in ([6, 6], [9, 3])
    assert PUZZLES.least <= pages[0].places[0].cell < PUZZLES.target[1]
    # No board is too small to solve.
    assert len(PUZZLES.at_most(9).pages([(20, 20)] * 9, A4)) == 5

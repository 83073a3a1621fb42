"""Editing several cells at once, in a real browser."""

from __future__ import annotations

import pytest

from linkoracle import Numberlink, Slitherlink, write

pytestmark = pytest.mark.browser


def drag(page, one: int, other: int) -> None:
    page.page.hover(f"[data-cell='{one}']")
    page.page.mouse.down()
    page.page.hover(f"[data-cell='{other}']")
    page.page.mouse.up()


def test_what_is_selected_is_turned_and_mirrored(page):
    page.open(write(Slitherlink([[0, 1, 2], [3, None, 1], [2, 2, 2]]), "text"))
    drag(page, 0, 4)
    page.page.click("#rotate")
    assert page.shown == [3, 0, 2, None, 1, 1, 2, 2, 2]
    page.page.click("#reflect")
    assert page.shown == [0, 3, 2, 1, None, 1, 2, 2, 2]
    # The cells stay selected, so their clues can be removed.
    page.keys("Delete")
    assert page.shown == [None, None, 2, None, None, 1, 2, 2, 2]
    page.keys(*["Control+z"] * 3)
    assert page.shown == [0, 1, 2, 3, None, 1, 2, 2, 2]


def test_a_row_becomes_a_column_where_it_fits(page):
    page.open(write(Slitherlink([[0, 1, 2], [None, None, None]]), "text"))
    page.keys("Shift+ArrowRight")
    page.page.click("#rotate")
    assert page.shown == [0, None, 2, 1, None, None]
    page.keys("Control+z", "Escape", "ArrowLeft", "ArrowLeft", *["Shift+ArrowRight"] * 2)
    page.page.click("#rotate")
    assert page.shown == [0, 1, 2, None, None, None]
    assert "does not fit" in page.text("#message")
    page.keys("Escape")
    page.page.click("#rotate")
    assert page.shown == [None, 0, None, 1, None, 2]


def test_a_drag_makes_a_pair_and_moves_a_number(page):
    page.open(write(Numberlink.blank(3, 3), "text"))
    drag(page, 0, 2)
    assert page.shown == [1, None, 1, *[None] * 6]
    drag(page, 6, 8)
    assert page.shown == [1, None, 1, None, None, None, 2, None, 2]
    drag(page, 2, 5)
    assert page.shown == [1, None, None, None, None, 1, 2, None, 2]
    page.click(8)
    page.keys("Backspace")
    drag(page, 7, 6)
    assert page.shown == [1, None, None, None, None, 1, 2, 2, None]
    # A drag does not join two numbers, and selects with Shift.
    drag(page, 0, 6)
    assert page.shown == [1, None, None, None, None, 1, 2, 2, None]
    page.page.keyboard.down("Shift")
    drag(page, 6, 7)
    page.page.keyboard.up("Shift")
    page.keys("Delete")
    assert page.shown == [1, None, None, None, None, 1, None, None, None]
    assert page.status == "Multiple solutions"

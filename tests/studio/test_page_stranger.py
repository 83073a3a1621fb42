"""The clicks of docs/how-to/studio.md that create and share a puzzle, by the labels of the page."""

from __future__ import annotations

import time

import pytest

from linkoracle import is_unique, read
from linkoracle.generate import slitherlink
from tests.studio.page import Page

pytestmark = pytest.mark.browser
#: The puzzle to enter, and the seconds allowed for it.
TARGET = slitherlink(7, 7, seed=4, minimal=True).puzzle
SECONDS = 120
#: Seconds between keys of a user who looks for the next cell.
PAUSE = 0.5


def sized(page: Page) -> None:
    for label in ("Rows", "Columns"):
        page.page.get_by_role("spinbutton", name=label).fill("7")
    page.page.keyboard.press("Tab")


def entered(page: Page, by: str, lacking: int) -> dict[tuple[int, int], int]:
    """Enter all but ``lacking`` clues, by clicks on cells or by clicks and digits."""
    clues = list(TARGET.clue_cells())[:-lacking]
    for (row, col), clue in clues:
        cell = 7 * row + col
        page.click(cell)
        if by == "mouse":
            while page.shown[cell] != clue:
                page.click(cell)
        else:
            page.page.keyboard.press(str(clue))
        time.sleep(PAUSE if by == "keyboard" else PAUSE / 2)
    return dict(clues)


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_unique_puzzle_is_made_and_shared_in_two_minutes(page, by):
    begun = time.monotonic()
    sized(page)
    own = entered(page, by, 4)
    page.wait_for_answer()
    assert page.status == "Multiple solutions"
    page.page.get_by_role("button", name="Add the fewest clues").click()
    page.until(lambda: page.text("#going").startswith("Made"))
    assert page.status == "One solution"
    page.page.get_by_role("button", name="Copy link").click()
    page.until(lambda: page.text("#message") == "Copied.")
    url = page.page.evaluate("navigator.clipboard.readText()")
    assert time.monotonic() - begun < SECONDS
    puzzle = read(url)
    assert (puzzle.rows, puzzle.cols) == (7, 7)
    assert is_unique(puzzle)
    assert own.items() < dict(puzzle.clue_cells()).items()


def test_the_number_in_green_makes_it_unique(page):
    sized(page)
    own = entered(page, "keyboard", 1)
    page.wait_for_answer()
    page.page.keyboard.press("m")
    assert page.status == "Multiple solutions"
    hints = page.page.eval_on_selector_all(".clues .hint", "all => all.map(e => e.textContent)")
    cell, hint = next((cell, hint) for cell, hint in enumerate(hints) if hint)
    page.click(cell)
    page.page.keyboard.press(hint[0])
    assert page.status == "One solution"
    assert dict(page.puzzle.clue_cells()) == {**own, divmod(cell, 7): int(hint[0])}

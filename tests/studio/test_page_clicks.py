"""The number of clicks that common tasks take on the page, as in the table of benchmarks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from linkoracle import Slitherlink, write
from tests.studio.page import made

pytestmark = pytest.mark.browser

DOCS = Path(__file__).parents[2] / "docs" / "explanation" / "benchmarks.md"


def said() -> dict[str, int]:
    """Return the clicks of the table, by the beginnings of its rows; keys count as none."""
    text = DOCS.read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| ([^|]+) \| (\d|one key)[^|]*\| [^|]+ \|$", text.split("Clicks for")[1], re.M
    )
    return {task: 0 if clicks == "one key" else int(clicks) for task, clicks in rows}


def test_common_tasks_take_as_many_clicks_as_the_table_says(page):
    clicks: dict[str, int] = {}
    browser = page.page

    def does(task: str, *selectors: str) -> None:
        for selector in selectors:
            browser.click(selector)
        clicks[task] = len(selectors)

    clicks["another size"] = 2
    for selector in ("#rows", "#cols"):
        browser.click(selector)
        browser.keyboard.type("10")
    browser.keyboard.press("Enter")
    blank = Slitherlink.blank(10, 10)
    page.until(lambda: page.puzzle == blank)
    does("enter a clue 3 by mouse", "[data-cell='12']", "#keypad button:has(b:text-is('3'))")
    board = blank.with_clues({(1, 2): 3})
    assert page.puzzle == board
    clicks["know how many solutions there are"] = 0
    assert page.status == "Multiple solutions"
    does("rotate", "#rotate")
    assert page.puzzle == board.rotate()
    does("undo", "#undo")
    assert page.puzzle == board
    does("see the clues only", "label:has(#marks-clues)")
    assert page.classes("lines") == []
    does("copy the link", "#copy-pzpr")
    page.until(lambda: page.text("#message") == "Copied.")
    link = browser.evaluate("navigator.clipboard.readText()")
    assert link == write(board, "pzpr")
    with browser.expect_download() as saved:
        does("save a picture (SVG)", "#save-svg")
    assert Path(saved.value.path()).read_text(encoding="utf-8").startswith("<svg")
    does("a new puzzle of this size", "#make-new")
    assert made(page).startswith("Made")
    assert page.status == "One solution"
    assert (page.puzzle.rows, page.puzzle.cols) == (10, 10)
    does("open a link")
    page.keys("Control+v")
    page.until(lambda: page.puzzle == board)
    assert clicks == said()

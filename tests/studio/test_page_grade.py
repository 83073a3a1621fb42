"""Grade, steps and reasons in a real browser: ``make test-studio``."""

from __future__ import annotations

import pytest

from linkoracle import Slitherlink, grade, solve, write
from linkoracle.generate import slitherlink

pytestmark = pytest.mark.browser


def marked(page, name: str) -> int:
    return page.page.locator(f".overlay .{name}").count()


def test_the_grade_and_the_looks_follow_the_board(page):
    puzzle = slitherlink(5, 5, seed=1).puzzle
    page.open(write(puzzle, "pzpr"))
    page.wait_for_answer()
    found = grade(puzzle)
    words = f"{found.label.capitalize()}, score {found.score}, {found.total} steps"
    assert page.text("#grade").startswith(words)
    density = puzzle.number_of_clues / 25
    assert page.text("#looks").startswith(f"Density {density:g}, ")
    page.page.click("#clear")
    page.wait_for_answer()
    assert page.text("#grade") == "Only puzzles with one solution are graded."
    assert not page.page.is_visible("#looks")


def test_steps_by_mouse_and_by_keyboard_to_the_end(page):
    puzzle = Slitherlink([[3, 3], [None, None]])
    page.open(write(puzzle, "pzpr"))
    page.wait_for_answer()
    assert page.page.is_disabled("#step-back")
    page.page.click("#step-next")
    page.until(lambda: page.text("#step").startswith("Step 1 of "))
    assert marked(page, "new") > 0
    assert page.classes("lines") == []
    first = page.text("#step")
    page.page.focus("#step-next")
    page.page.keyboard.press("Enter")
    assert page.text("#step").startswith("Step 2 of ")
    assert marked(page, "before") > 0
    page.page.click("#step-back")
    assert page.text("#step") == first
    while page.text("#step") != "These steps solve the puzzle.":
        page.page.click("#step-next")
    lines = page.page.locator(".overlay polyline").count()
    assert lines == len(solve(puzzle).edges)
    page.page.click("#step-none")
    assert page.text("#step") == ""
    assert marked(page, "new") == 0
    assert page.classes("lines") == list(solve(puzzle).edges)


def test_steps_are_those_of_the_board_that_is_there(page):
    page.open(write(slitherlink(5, 5, seed=1).puzzle, "pzpr"))
    page.page.click("#step-next")
    page.until(lambda: page.text("#step").startswith("Step 1 of "))
    page.page.click("#clear")
    assert page.text("#step") == ""
    assert marked(page, "new") == 0
    page.page.click("#step-next")
    page.until(lambda: page.text("#step") == "No further step found.")


def test_reasons_where_lines_run_through_cells(page):
    page.open("simpleloop\n*..\n...\n")
    page.until(lambda: "3 cells are black on a chessboard and 2 white" in page.text("#detail"))
    page.open("numberlink\n12.\n21.\n...\n")
    page.until(lambda: "4 conflicting clues:" in page.text("#detail"))
    assert page.page.locator(".marks .conflict").count() == 4

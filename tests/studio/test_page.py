"""The page in a real browser, by mouse and by keyboard: ``make test-studio``."""

from __future__ import annotations

import pytest

from linkoracle import Numberlink, SimpleLoop, Slitherlink, count, read, write
from tests.studio.page import Page

pytestmark = pytest.mark.browser
UNIQUE = Slitherlink([[3, 3], [1, 1]])


def test_a_unique_puzzle_by_keyboard_alone(page):
    page.size(2, 2)
    page.page.check("#marks-all")
    page.keys("3", "ArrowRight", "3", "ArrowDown", "1", "ArrowLeft", "1")
    page.wait_for_answer()
    assert page.puzzle == UNIQUE
    assert page.status == "One solution"
    spare = [cell for cell, _ in UNIQUE.clue_cells() if count(UNIQUE.with_clues({cell: None})) == 1]
    assert page.text("#detail") == f"{len(spare)} redundant clues: each follows from the others."
    assert page.classes("lines") == [0, 1, 2, 4, 5, 7]
    assert page.classes("crosses") == [3, 6, 8, 9, 10, 11]
    page.keys("Backspace")
    assert page.puzzle == UNIQUE.with_clues({(1, 0): None})
    page.keys("Control+z", "Control+z")
    assert page.puzzle.number_of_clues == 3
    page.keys("Control+y", "Control+Shift+z")
    assert page.puzzle.number_of_clues == 3
    page.keys("Control+z", "Control+z", "Control+z", "Control+z", "Control+z")
    assert page.puzzle.number_of_clues == 0


def test_clicks_go_through_the_clues(page):
    page.size(3, 3)
    page.click(4)
    assert page.puzzle.number_of_clues == 0
    for clue in (0, 1, 2, 3, 4, -1, None, 0):
        page.click(4)
        assert page.puzzle.grid[1][1] == clue
    for clue in (None, -1, 4):
        page.click(4, button="right")
        assert page.puzzle.grid[1][1] == clue
    page.page.click("#keypad button:has(b:text-is('2'))")
    assert page.puzzle.grid[1][1] == 2
    page.page.click("#undo")
    assert page.puzzle.grid[1][1] == 4
    page.page.click("#redo")
    page.page.click("#clear")
    assert page.puzzle.number_of_clues == 0


def test_exact_numbers_shares_and_clues_that_make_it_unique(page):
    puzzle = Slitherlink([[3, None, None], [None, None, 2]])
    page.open(write(puzzle, "text"))
    page.page.check("#marks-all")
    page.wait_for_answer()
    assert page.status == "Multiple solutions"
    assert page.text("#count") == f"Exactly {count(puzzle)}"
    page.keys("Escape")
    for (row, col), hint in zip(
        ((row, col) for row in range(2) for col in range(3)),
        page.page.evaluate("[...document.querySelectorAll('.hint')].map(e => e.textContent)"),
        strict=True,
    ):
        if puzzle.grid[row][col] is None:
            left = [count(puzzle.with_clues({(row, col): clue})) for clue in range(4)]
            assert hint == "".join(str(clue) for clue in range(4) if left[clue] == 1)
        else:
            assert hint == ""
    page.click(1)
    shown = page.page.evaluate(
        "[...document.querySelectorAll('#keypad small')].map(e => e.textContent)"
    )
    left = [count(puzzle.with_clues({(0, 1): clue})) for clue in range(5)]
    words = ["none" if one == 0 else "unique" if one == 1 else str(one) for one in left]
    # A clue without a number and an empty cell have no note.
    assert shown == [*words, "", ""]
    assert "top: a line in" in page.text("#sides")


def test_clues_that_contradict_are_marked(page):
    page.open("slitherlink\n0..\n.3.\n..2\n")
    page.keys("ArrowRight", "4")
    page.wait_for_answer()
    assert page.status == "No solution"
    marks = page.page.evaluate(
        "[...document.querySelectorAll('.marks polygon')].map(e => e.getAttribute('class'))"
    )
    assert [cell for cell, name in enumerate(marks) if name == "conflict"] == [0, 1]
    assert "r1c1; r1c2" in page.text("#detail")


def test_select_move_rotate_reflect(page):
    page.open("slitherlink\n1..\n2.3\n")
    page.keys("Shift+ArrowDown", "Alt+ArrowRight")
    assert page.puzzle.grid == ((None, 1, None), (None, 2, 3))
    page.keys("Alt+ArrowUp")
    assert page.puzzle.grid == ((None, 1, None), (None, 2, 3))
    page.keys("Delete")
    assert page.puzzle.grid == ((None, None, None), (None, None, 3))
    page.page.click("#undo")
    # With a selection, only its clues would turn.
    page.keys("Escape")
    page.page.click("#rotate")
    puzzle = Slitherlink([[None, 1, None], [None, 2, 3]])
    assert page.puzzle == puzzle.rotate()
    page.page.click("#reflect")
    assert page.puzzle == puzzle.rotate().reflect()
    page.page.hover("[data-cell='0']")
    page.page.mouse.down()
    page.page.hover("[data-cell='3']")
    page.page.mouse.up()
    page.keys("Delete")
    expected = puzzle.rotate().reflect()
    assert page.puzzle == expected.with_clues(dict.fromkeys([(0, 0), (0, 1), (1, 0), (1, 1)]))


def test_symmetry_shows_empty_partners_and_removes_clues_together(page):
    page.size(3, 3)
    page.page.select_option("#symmetry", "half-turn")
    page.click(0)
    page.keys("3")
    partners = page.page.evaluate(
        "[...document.querySelectorAll('.cells .partner')].map(e => e.dataset.cell)"
    )
    assert partners == ["8"]
    page.click(8)
    page.keys("2")
    assert page.page.locator(".cells .partner").count() == 0
    page.keys("Backspace")
    assert page.puzzle.number_of_clues == 0


def test_an_open_path_whose_ends_move(page):
    page.size(3, 3)
    page.page.select_option("#variant", "path")
    assert page.puzzle == Slitherlink.blank(3, 3, ((0, 0), (3, 3)))
    page.page.check("#mode-ends")
    page.keys("ArrowRight", "Enter")
    assert page.puzzle.ends == ((0, 1), (3, 3))
    page.page.click("[data-dot='3,1']")
    assert page.puzzle.ends == ((0, 1), (3, 1))
    page.keys("Escape")
    assert page.page.is_checked("#mode-clues")
    page.wait_for_answer()
    assert page.text("#count").replace("\u202f", "") == f"Exactly {count(page.puzzle)}"
    page.page.click("#rotate")
    assert page.puzzle == Slitherlink.blank(3, 3, ((0, 1), (3, 1))).rotate()
    page.size(4, 5)
    assert page.status == "Multiple solutions"


def test_numberlink_and_simple_loop(page):
    page.page.select_option("#kind", "numberlink")
    page.size(3, 3)
    page.click(0)
    page.keys("1")
    assert page.status == "Not a puzzle yet"
    assert "exactly twice" in page.text("#detail")
    page.click(8)
    page.click(8)
    assert page.puzzle == Numberlink([[1, None, None], [None] * 3, [None, None, 1]])
    page.wait_for_answer()
    assert page.text("#count") == f"Exactly {count(page.puzzle)}"
    page.page.select_option("#variant", "fill")
    page.wait_for_answer()
    assert page.text("#count") == f"Exactly {count(page.puzzle)}"
    page.page.select_option("#kind", "simpleloop")
    page.size(3, 3)
    page.click(4)
    assert page.puzzle == SimpleLoop.from_holes(3, 3, [(1, 1)])
    assert page.status == "One solution"
    page.click(4)
    assert page.puzzle.holes == ()


def test_puzzles_in_and_out(page):
    url = write(UNIQUE, "pzpr")
    page.open(url)
    assert page.puzzle == UNIQUE
    for name, button in (("pzpr", "#copy-pzpr"), ("json", "#copy-json"), ("text", "#copy-text")):
        page.page.click(button)
        page.until(lambda: page.text("#message") == "Copied.")
        text = page.page.evaluate("navigator.clipboard.readText()")
        assert text == write(UNIQUE, name)
        assert page.page.input_value("#text") == text
        page.page.evaluate("document.getElementById('message').textContent = ''")
    for button, before in (("#copy-page", "#lo:"), ("#copy-play", "#play=lo:")):
        page.page.click(button)
        page.until(lambda: page.text("#message") == "Copied.")
        text = page.page.evaluate("navigator.clipboard.readText()")
        assert before in text
        assert read(text) == UNIQUE
        page.page.evaluate("document.getElementById('message').textContent = ''")
    with page.page.expect_download() as saved:
        page.page.click("#save-svg")
    assert "<svg" in saved.value.path().read_text()
    page.page.evaluate("navigator.clipboard.writeText('slitherlink\\n3.\\n.2\\n')")
    page.keys("Control+v")
    page.until(lambda: page.text("#message") == "Opened.")
    assert page.puzzle == read("slitherlink\n3.\n.2\n")


def test_what_is_no_puzzle_is_said(page):
    before = page.puzzle
    page.page.fill("#text", "slitherlink\n39\n")
    page.page.click("#open")
    page.until(lambda: "expected a clue" in page.text("#message"))
    assert page.puzzle == before
    # The browser reports the answer 400.
    assert [error for error in page.errors if "400" not in error] == []
    page.errors.clear()


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (800, "dark"), (1280, "light")])
def test_at_every_width_nothing_sticks_out(browser, address, width, scheme):
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, has_touch=width < 500
    )
    page = Page(context.new_page(), address)
    page.open(write(Slitherlink.blank(30, 30), "pzpr"))
    reach = page.page.evaluate("document.documentElement.scrollWidth")
    assert reach <= width
    if width < 500:
        page.page.tap("[data-cell='31']")
        page.page.tap("[data-cell='31']")
        assert page.puzzle.grid[1][1] == 0
    assert page.errors == []
    context.close()


def test_everything_has_a_name_and_is_reached_by_tab_in_order(page):
    page.page.select_option("#variant", "path")
    page.wait_for_answer()
    # In a group of buttons Tab reaches the pressed one.
    inputs = "input:not([type='radio']:not(:checked))"
    focusable = f"button:enabled, select, {inputs}, textarea, summary, [tabindex='0']"
    shown = page.page.evaluate(
        f'[...document.querySelectorAll("{focusable}")]'
        ".filter(e => e.offsetParent && e.checkVisibility() || e.id === 'board')"
        ".map(e => e.id || e.textContent.trim())"
    )
    unnamed = page.page.evaluate(
        f'[...document.querySelectorAll("{focusable}")].filter(e => !(e.labels?.length || '
        "e.textContent.trim() || e.getAttribute('aria-label'))).map(e => e.outerHTML)"
    )
    assert unnamed == []
    page.page.evaluate("document.activeElement.blur()")
    reached = []
    for _ in shown:
        page.page.keyboard.press("Tab")
        reached.append(
            page.page.evaluate(
                "document.activeElement.id || document.activeElement.textContent.trim()"
            )
        )
    assert reached == shown


def test_random_edits_leave_the_page_whole(page):
    """After many edits at any speed, the answer belongs to the current board."""
    import random

    rng = random.Random(8)
    page.size(4, 4)
    keys = [*"00123", *["Backspace"] * 2, "Control+z", "Control+y", "Alt+ArrowLeft"]
    arrows = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Shift+ArrowRight"]
    for _ in range(200):
        page.keys(rng.choice(arrows), rng.choice(keys))
    page.wait_for_answer()
    found = count(page.puzzle)
    words = {0: "No solution", 1: "One solution"}.get(found, "Multiple solutions")
    assert page.status == words
    if found > 1:
        assert page.text("#count").replace("\u202f", "") == f"Exactly {found}"

"""The layout of the page: the board stays in view, with its tools beside it."""

from __future__ import annotations

import pytest

from linkoracle import Numberlink, Slitherlink, write
from linkoracle.kinds import KINDS
from tests.studio.page import Page

pytestmark = pytest.mark.browser
BLANK = Slitherlink.blank(10, 10)
UNIQUE = Slitherlink([[3, 3], [1, 1]])
ACTIONS = ("make-new", "make-add", "make-thin", "mode-mask", "copy-pzpr", "save-svg")


@pytest.fixture
def at(browser, address):
    """Open the page at a width and a height; narrow pages have a touch screen."""
    contexts = []

    def opened(width: int, height: int, scheme: str = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=width < 900
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append((context, page := Page(context.new_page(), address)))
        page.open(write(BLANK, "pzpr"))
        page.page.evaluate("scrollTo(0, 0)")
        return page

    yield opened
    for context, page in contexts:
        assert page.errors == []
        context.close()


def box(page: Page, selector: str) -> dict[str, float]:
    return page.page.evaluate(
        "(selector) => document.querySelector(selector).getBoundingClientRect().toJSON()", selector
    )


def is_in_view(page: Page, selector: str) -> bool:
    found, size = box(page, selector), page.page.viewport_size
    across = 0 <= found["left"] < found["right"] <= size["width"]
    return across and 0 <= found["top"] < found["bottom"] <= size["height"]


def scrolled(page: Page) -> None:
    """Scroll the page and its panels to their ends."""
    page.page.evaluate(
        "for (const one of [document.scrollingElement, document.querySelector('aside')]) "
        "one.scrollTo(0, one.scrollHeight)"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_laptop_board_answer_and_actions_are_in_view_together(at, scheme):
    page = at(1280, 800, scheme)
    seen = ["#board", "#status", "#keypad", "#shape", *(f"#{one}" for one in ACTIONS)]
    assert [one for one in seen if not is_in_view(page, one)] == []
    board = box(page, "#board")
    assert board["width"] > 700
    # The panels scroll; the page does not.
    scrolled(page)
    assert page.page.evaluate("scrollY") == 0
    assert page.page.evaluate("document.querySelector('aside').scrollTop") > 0
    assert box(page, "#board") == board


@pytest.mark.parametrize(("width", "height"), [(390, 844), (820, 1180), (844, 390), (1280, 800)])
def test_the_board_stays_in_view_when_all_else_scrolls(at, width, height):
    page = at(width, height)
    scrolled(page)
    assert is_in_view(page, "#board")


def test_on_a_phone_a_digit_is_two_taps(at):
    page = at(390, 844)
    for one in ("#board", "#status", "#keypad", "#undo", "#make-new", "#copy-pzpr"):
        assert is_in_view(page, one), one
    page.page.tap("[data-cell='34']")
    page.page.tap("#keypad button:has(b:text-is('3'))")
    assert page.puzzle == BLANK.with_clues({(3, 4): 3})
    assert page.page.evaluate("scrollY") == 0


def test_beside_a_small_board_panels_stand_side_by_side(at):
    page = at(1280, 800)
    page.open(write(Slitherlink.blank(5, 5), "pzpr"))
    lefts = "[...document.querySelectorAll('#panels > :not(.play)')].map((e) => e.offsetLeft)"
    assert len({*page.page.evaluate(lefts)}) == 2


def test_one_key_switches_between_clues_lines_and_all_marks(page):
    page.open("slitherlink\n333\n...\n...\n")
    page.page.evaluate("scrollTo(0, 0)")
    page.open(write(UNIQUE, "text"))
    page.wait_for_answer()
    boxes = (
        "[...document.querySelectorAll('.marks polygon')].filter((e) => e.classList.length).length"
    )

    def shown() -> tuple[int, int, int]:
        return len(page.classes("lines")), len(page.classes("crosses")), page.page.evaluate(boxes)

    spare = int(page.text("#detail").split()[0])
    assert shown() == (6, 0, 0)
    page.keys("m")
    assert shown() == (6, 6, spare)
    page.keys("m")
    assert shown() == (0, 0, 0)
    page.reload()
    page.wait_for_answer()
    assert page.page.is_checked("#marks-clues")
    page.keys("M")
    assert shown() == (6, 0, 0)


def test_icons_have_names_and_their_keys_press_them(page):
    for view in ("design", "play"):
        page.page.click(f"#{view}")
        named = page.page.evaluate(
            "[...document.querySelectorAll('[data-key]')].filter((e) => e.checkVisibility()).map("
            "(e) => [e.dataset.key, e.ariaLabel ?? e.textContent, e.closest('[title]')?.title])"
        )
        assert named
        assert all(name for _, name, _ in named)
        assert all(title in (None, f"{name} ({key})") for key, name, title in named)
    page.page.click("#design")
    page.open("slitherlink\n1..\n2.3\n")
    puzzle = page.puzzle
    page.keys("r")
    assert page.puzzle == puzzle.rotate()
    page.keys("f")
    assert page.puzzle == puzzle.rotate().reflect()
    # Keys work wherever the focus is, except in a field.
    page.page.focus("#make-new")
    page.page.keyboard.press("Control+z")
    assert page.puzzle == puzzle.rotate()
    page.page.focus("#text")
    page.page.keyboard.type("k")
    assert page.page.is_checked("#mode-clues")
    page.keys("k")
    assert page.page.is_checked("#mode-mask")
    page.keys("c", "Control+Delete")
    assert page.puzzle == Slitherlink.blank(3, 2)
    page.keys("Control+c")
    page.until(lambda: page.text("#message") == "Copied.")
    assert page.page.evaluate("navigator.clipboard.readText()") == write(page.puzzle, "pzpr")


def test_what_cannot_be_is_not_offered(page):
    def hidden(*names: str) -> list[bool]:
        return [not page.page.is_visible(f"#{name}") for name in names]

    page.open(write(BLANK, "pzpr"))
    assert (
        hidden("make-add", "make-thin", "variant", "make-complete", "more-clues")
        == [False] * 3 + [True] * 2
    )
    page.page.select_option("#symmetry", "half-turn")
    assert hidden("make-complete", "more-clues") == [False, False]
    page.open(write(Numberlink([[1, 1]]), "json"))
    assert hidden("make-add", "make-thin", "mode-borders") == [True] * 3
    page.page.select_option("#kind", "yajilin")
    assert hidden("variant", "tiling", "mode-mask", "make-add", "make-thin") == [True] * 4 + [False]
    page.page.select_option("#kind", "grandtour")
    assert hidden("mode-clues", "clear", "cell") == [True] * 3


@pytest.mark.parametrize("kind", KINDS)
def test_no_word_of_the_command_line_is_on_the_page(page, kind):
    page.page.select_option("#kind", kind)
    titles = page.page.evaluate(
        "[...document.querySelectorAll('[title]')].map((e) => e.title).join()"
    )
    assert "--" not in page.page.text_content("main") + titles


def test_it_is_said_how_long_work_takes(page):
    page.size(40, 40)
    work = "new,slitherlink,loop,40,40,any"
    page.page.evaluate(
        "(work) => localStorage.setItem('linkoracle-times', JSON.stringify({[work]: 77}))", work
    )
    page.page.check("#option-minimal")
    page.page.click("#make-new")
    page.until(lambda: "usually 77 s" in page.text("#going"))
    page.page.click("#stop")
    page.page.evaluate("localStorage.removeItem('linkoracle-times')")
    page.page.click("#make-new")
    page.until(lambda: "s of at most 60 s" in page.text("#going"))
    page.page.click("#stop")

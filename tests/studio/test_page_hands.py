"""The same work, by mouse alone and by keyboard alone, leads to the same board."""

from __future__ import annotations

from itertools import pairwise

import pytest

from linkoracle import Numberlink, SimpleLoop, Slitherlink, grade, is_unique, solve, write
from tests.studio.page import Page, Player

pytestmark = pytest.mark.browser


class Mouse:
    """A user with clicks and drags only."""

    def __init__(self, page: Page) -> None:
        self.page, self.on = page, page.page

    def press(self, selector: str) -> None:
        self.on.click(selector)

    def choose(self, selector: str, value: str) -> None:
        # The open list belongs to the browser.
        self.on.select_option(selector, value)

    def select(self, cell: int, last: int | None = None) -> None:
        self.on.hover(f"[data-cell='{cell}']")
        self.on.mouse.down()
        if last is not None:
            self.on.hover(f"[data-cell='{last}']")
        self.on.mouse.up()

    def clue(self, cell: int, clue: int) -> None:
        while self.page.shown[cell] != clue:
            self.page.click(cell)

    def empty(self) -> None:
        self.on.click("#keypad button:last-child")

    def mark(self, cell: int, mark: str) -> None:
        self.page.click(cell, button="left" if mark == "must" else "right")

    def fill(self, cell: int) -> None:
        self.page.click(cell)

    def pair(self, one: int, other: int, _: int) -> None:
        self.select(one, other)

    def hole(self, cell: int) -> None:
        self.page.click(cell)

    def end(self, row: int, col: int) -> None:
        self.on.click(f"[data-dot='{row},{col}']")

    def line(self, edge: int) -> None:
        Player(self.page).click_edge(edge)


class Keyboard:
    """A user without a pointer."""

    def __init__(self, page: Page) -> None:
        self.page, self.on = page, page.page

    def press(self, selector: str) -> None:
        self.on.focus(selector)
        self.on.keyboard.press("Space")

    def choose(self, selector: str, value: str) -> None:
        title = self.on.locator(f"{selector} option[value='{value}']").inner_text()
        self.on.focus(selector)
        self.on.keyboard.type(title)
        self.on.keyboard.press("Tab")
        assert self.on.input_value(selector) == value

    def go(self, cell: int) -> None:
        rows, cols = self.page.kept("rows"), self.page.kept("cols")
        row, col = divmod(cell, cols)
        self.page.keys(*["ArrowUp"] * rows, *["ArrowLeft"] * cols)
        self.page.keys(*["ArrowDown"] * row, *["ArrowRight"] * col)

    def select(self, cell: int, last: int | None = None) -> None:
        self.go(cell)
        if last is not None:
            (row, col), (row2, col2) = (divmod(at, self.page.puzzle.cols) for at in (cell, last))
            assert row <= row2
            assert col <= col2
            down, right = ["Shift+ArrowDown"] * (row2 - row), ["Shift+ArrowRight"] * (col2 - col)
            self.page.keys(*down, *right)

    def clue(self, cell: int, clue: int) -> None:
        self.go(cell)
        self.page.keys(str(clue))

    def empty(self) -> None:
        self.page.keys("Delete")

    def mark(self, cell: int, mark: str) -> None:
        self.go(cell)
        self.page.keys("#" if mark == "must" else ".")

    def fill(self, cell: int) -> None:
        self.go(cell)
        self.page.keys("Space")

    def pair(self, one: int, other: int, number: int) -> None:
        for cell in (one, other):
            self.go(cell)
            self.page.keys(str(number))

    def hole(self, cell: int) -> None:
        self.go(cell)
        self.page.keys("Enter")

    def end(self, row: int, col: int) -> None:
        size = self.page.puzzle
        self.page.keys(*["ArrowUp"] * size.rows, *["ArrowLeft"] * size.cols)
        self.page.keys(*["ArrowDown"] * row, *["ArrowRight"] * col, "Enter")

    def line(self, edge: int) -> None:
        lattice, cols = self.page.puzzle.lattice, self.page.puzzle.cols
        ends = [lattice.position(int(end)) for end in lattice.edge_vertices[edge]]
        (row, col), (row2, _) = sorted(ends)
        across = row == row2
        # The cell below the edge or to its right, except at the last row or column.
        last = row == self.page.puzzle.rows if across else col == cols
        cell = (row - last) * cols + col if across else row * cols + col - last
        arrow = ("Down" if last else "Up") if across else ("Right" if last else "Left")
        self.go(cell)
        self.page.keys(f"Shift+Arrow{arrow}")


@pytest.fixture(params=[Mouse, Keyboard], ids=["mouse", "keyboard"])
def hand(request, page):
    return request.param(page)


def made(page: Page) -> str:
    page.until(lambda: page.text("#going").startswith(("Made", "Not made")))
    return page.text("#going")


def test_clues_symmetry_and_what_was_undone(hand):
    page = hand.page
    page.size(3, 3)
    hand.clue(0, 3)
    hand.clue(5, 2)
    puzzle = Slitherlink([[3, None, None], [None, None, 2], [None, None, None]])
    assert page.puzzle == puzzle
    hand.choose("#symmetry", "half-turn")
    assert page.page.locator(".cells .partner").count() == 2
    hand.select(0)
    hand.empty()
    assert page.puzzle == puzzle.with_clues({(0, 0): None})
    hand.press("#undo")
    assert page.puzzle == puzzle
    hand.press("#redo")
    hand.press("#undo")
    hand.choose("#symmetry", "none")
    hand.select(0, 4)
    hand.empty()
    assert page.puzzle == Slitherlink([[None] * 3, [None, None, 2], [None] * 3])
    hand.press("#clear")
    assert page.puzzle.number_of_clues == 0


def test_turned_and_mirrored_whole_and_in_part(hand):
    page = hand.page
    puzzle = Slitherlink([[1, None, None], [2, None, 3], [None, None, None]])
    page.open(write(puzzle, "pzpr"))
    hand.press("#rotate")
    hand.press("#reflect")
    assert page.puzzle == puzzle.rotate().reflect()
    hand.press("#undo")
    hand.press("#undo")
    hand.select(0, 4)
    hand.press("#reflect")
    assert page.puzzle == Slitherlink([[None, 1, None], [None, 2, 3], [None, None, None]])


def test_kinds_pairs_holes_and_ends(hand):
    page = hand.page
    page.size(3, 3)
    hand.choose("#kind", "numberlink")
    hand.pair(0, 2, 1)
    hand.pair(3, 8, 2)
    assert page.puzzle == Numberlink([[1, None, 1], [2, None, None], [None, None, 2]])
    hand.choose("#kind", "simpleloop")
    hand.hole(4)
    assert page.puzzle == SimpleLoop.from_holes(3, 3, [(1, 1)])
    assert page.status == "One solution"
    hand.choose("#kind", "slitherlink")
    hand.choose("#variant", "path")
    hand.press("#mode-ends")
    hand.end(0, 2)
    assert page.puzzle.ends == ((0, 2), (3, 3))


def test_what_is_shown_and_explained(hand):
    page = hand.page
    page.open("slitherlink\n33\n1.\n")
    page.wait_for_answer()
    assert page.classes("lines") == list(solve(page.puzzle).edges)
    hand.press("#marks-clues")
    assert page.classes("lines") == []
    hand.press("#marks-lines")
    assert page.classes("lines") == list(solve(page.puzzle).edges)
    hand.press("#step-next")
    page.until(lambda: page.text("#step").startswith("Step 1"))
    hand.press("#step-none")
    page.until(lambda: not page.page.is_visible("#step"))


def test_a_mask_and_a_grade(hand):
    page = hand.page
    page.size(5, 5)
    hand.press("#mode-mask")
    hand.choose("#unmarked", "either")
    hand.mark(6, "must")
    hand.mark(8, "none")
    assert [page.kept("marks")[cell] for cell in (6, 7, 8)] == ["must", None, "none"]
    hand.choose("#option-difficulty", "normal")
    hand.press("#make-mask")
    assert made(page).startswith("Made: ")
    puzzle = page.puzzle
    assert puzzle.grid[1][1] is not None
    assert puzzle.grid[1][3] is None
    assert grade(puzzle).label == "normal"
    hand.press("#clear-marks")
    assert page.kept("marks") is None
    hand.press("#make-new")
    page.until(lambda: page.puzzle != puzzle)
    assert is_unique(page.puzzle)


def test_a_loop_and_a_path_are_drawn(hand):
    page = hand.page
    page.size(3, 3)
    hand.press("#mode-loop")
    for cell in (0, 1, 4):
        hand.fill(cell)
    assert page.page.locator(".overlay .inside").count() == 3
    hand.press("#make-line")
    assert made(page).startswith("Made: ")
    assert [solve(page.puzzle).face_counts()[divmod(cell, 3)] for cell in (0, 1, 4)] == [3, 2, 3]
    hand.choose("#variant", "path")
    lattice = page.puzzle.lattice
    walk = [(0, 1), (1, 1), (1, 2), (1, 3)]
    edges = [lattice.edge(one, other) for one, other in pairwise(walk)]
    for edge in edges:
        hand.line(edge)
    assert page.puzzle.ends == ((0, 1), (1, 3))
    assert page.kept("sketch") == sorted(edges)
    hand.press("#make-line")
    page.until(lambda: page.puzzle.number_of_clues and page.text("#going").startswith("Made: "))
    assert list(solve(page.puzzle).edges) == sorted(edges)


def test_a_puzzle_is_played_to_its_end(hand):
    page, player = hand.page, Player(hand.page)
    puzzle = Slitherlink([[3, 3], [1, 1]])
    page.open(write(puzzle, "json"))
    hand.press("#play")
    player.wait_for_answer()
    wrong = next(edge for edge in range(12) if edge not in solve(puzzle).edges)
    hand.line(wrong)
    hand.press("#play-check")
    player.wait_for_answer()
    assert player.wrong("lines") == [wrong]
    hand.press("#play-undo")
    hand.press("#play-hint")
    player.wait_for_answer()
    hand.press("#hint-take")
    for edge in solve(puzzle).edges:
        if edge not in player.lines():
            hand.line(edge)
    page.until(lambda: "ended" in page.page.get_attribute("#board", "class"))
    hand.press("#design")
    assert page.puzzle == puzzle


def test_texts_in_and_out(hand):
    page = hand.page
    page.page.fill("#text", "slitherlink\n3..\n.1.\n...\n")
    hand.press("#open")
    page.until(lambda: page.text("#message") == "Opened.")
    assert page.puzzle == Slitherlink([[3, None, None], [None, 1, None], [None] * 3])
    for form in ("pzpr", "json", "text", "loopy"):
        hand.press(f"#copy-{form}")
        page.until(lambda form=form: page.page.input_value("#text") == write(page.puzzle, form))
    with page.page.expect_download() as saved:
        hand.press("#save-svg")
    assert saved.value.suggested_filename == "slitherlink.svg"

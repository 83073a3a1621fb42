"""Generating puzzles in a real browser, by mouse and by keyboard: ``make test-studio``."""

from __future__ import annotations

import pytest

from linkoracle import Numberlink, SimpleLoop, Slitherlink, Solution, grade, is_unique, solve, write
from linkoracle.board import Lattice, orbits
from linkoracle.generate import made_kinds, made_on_boards, slitherlink
from linkoracle.kinds import KINDS
from linkoracle.studio.texts import tilings
from tests.studio.page import Player, make

pytestmark = pytest.mark.browser


def shown_cells(puzzle):
    return {row * puzzle.cols + col for (row, col), _ in puzzle.clue_cells()}


def test_a_new_puzzle_of_a_grade_and_a_symmetry_that_can_be_undone(page):
    page.size(6, 6)
    page.page.select_option("#symmetry", "half-turn")
    page.page.select_option("#option-difficulty", "tricky")
    assert make(page, "new").startswith("Made: ")
    assert page.status == "One solution"
    puzzle = page.puzzle
    assert grade(puzzle).label == "tricky"
    cells = shown_cells(puzzle)
    assert all(
        len(cells.intersection(orbit)) in (0, 2) for orbit in orbits(Lattice(7, 7), "half-turn")
    )
    page.page.click("#undo")
    assert page.puzzle == Slitherlink.blank(6, 6)
    page.page.click("#redo")
    assert page.puzzle == puzzle


@pytest.mark.parametrize("kind", ["numberlink", "simpleloop"])
def test_wishes_are_those_that_a_kind_has(page, kind):
    page.page.select_option("#kind", kind)
    page.size(5, 5)
    names = page.page.evaluate("[...document.querySelectorAll('#options [name]')].map(e => e.name)")
    assert names == (["difficulty", "pairs"] if kind == "numberlink" else ["difficulty"])
    assert not page.page.is_visible("#make-thin")
    assert page.page.is_visible("#mode-mask") == (kind == "numberlink")
    if kind == "numberlink":
        page.page.fill("#option-pairs", "4")
    assert make(page, "new").startswith("Made: ")
    assert page.puzzle.kind == kind
    assert is_unique(page.puzzle)
    assert kind != "numberlink" or page.puzzle.number_of_clues == 4


def made_by_the_form(page) -> None:
    """Generate with the form as it stands, then with each difficulty that it offers."""
    options = page.page.locator("#option-difficulty option")
    labels = options.evaluate_all("all => all.map(({value}) => value)")
    assert labels[0] == "any"
    assert len(labels) > 1
    for label in labels:
        page.page.select_option("#option-difficulty", label)
        assert make(page, "new").startswith("Made: "), label
        assert page.status == "One solution"


@pytest.mark.parametrize("kind", made_kinds())
def test_the_form_makes_what_it_offers(page, kind):
    page.page.select_option("#kind", kind)
    made_by_the_form(page)
    assert page.puzzle.kind == kind


@pytest.mark.parametrize("tiling", tilings())
@pytest.mark.parametrize("kind", [kind for kind in KINDS if made_on_boards(kind)])
def test_the_form_makes_what_it_offers_on_tilings(page, kind, tiling):
    page.page.select_option("#kind", kind)
    page.page.select_option("#tiling", tiling)
    page.until(lambda: page.puzzle.tiling is not None)
    made_by_the_form(page)
    assert page.puzzle.tiling is not None


def test_the_form_offers_difficulties_of_the_size(page):
    def offered() -> list[str]:
        return page.page.locator("#option-difficulty option").all_text_contents()

    page.page.select_option("#kind", "numberlink")
    assert offered() == ["any", "normal", "tricky", "hard"]
    page.page.select_option("#option-difficulty", "hard")
    page.size(4, 4)
    assert offered() == ["any", "easy", "normal"]
    assert page.page.input_value("#option-difficulty") == "any"
    page.size(11, 11)
    assert offered() == ["any", "normal", "tricky", "hard", "extreme"]


@pytest.mark.parametrize(("kind", "rows"), [("detour", 7), ("grandtour", 8)])
def test_a_kind_whose_loop_visits_all_gets_a_board_that_has_one(page, kind, rows):
    page.size(rows, rows)
    page.page.select_option("#kind", kind)
    assert (page.puzzle.rows, page.puzzle.cols) == (rows, rows + 1)
    # A size that was entered stays.
    page.size(rows, rows)
    assert page.puzzle.cols == rows
    assert make(page, "new").startswith("Not made: no loop visits every ")


def test_what_is_made_is_stopped_at_once_by_button_and_by_a_change(page):
    page.page.select_option("#kind", "numberlink")
    page.size(30, 30)
    page.page.fill("#option-pairs", "3")
    page.page.click("#make-new")
    page.until(lambda: "tried" in page.text("#going"))
    assert page.page.is_disabled("#make-new")
    page.page.click("#stop")
    assert page.text("#going") == "Stopped."
    assert not page.page.is_visible("#stop")
    page.page.click("#make-new")
    page.until(lambda: "tried" in page.text("#going"))
    page.click(0)
    page.keys("1")
    page.until(lambda: page.text("#going") == "Stopped: the board was changed.")
    page.page.click("#undo")
    page.page.fill("#seconds", "1")
    message = make(page, "new")
    assert message == "Not made: nothing was found in 1 s. Raise the time limit, or request less."
    assert page.puzzle == Numberlink.blank(30, 30)


def test_a_board_is_shown_grey_while_it_is_made_and_stop_leaves_the_old_one(page):
    page.size(40, 40)
    page.click(0)
    page.keys("3")
    before = page.puzzle
    page.page.check("#option-minimal")
    page.page.click("#make-new")
    drawn = page.page.locator("#board.making .lines .forced")
    page.until(lambda: drawn.count() > 100)
    numbers = [1600 - page.shown.count(None)]
    page.until(lambda: 1600 - page.shown.count(None) < numbers[0])
    assert page.puzzle == before
    seen = "document.getElementById('stop').getBoundingClientRect().bottom <= innerHeight"
    assert page.page.evaluate(seen)
    page.page.focus("#stop")
    page.page.keyboard.press("Enter")
    assert page.text("#going") == "Stopped."
    assert drawn.count() == 0
    assert page.shown == [3] + [None] * 1599
    assert page.puzzle == before
    page.page.click("#make-new")
    page.until(lambda: drawn.count() > 100)
    page.keys("2")
    page.until(lambda: drawn.count() == 0)
    assert page.shown == [2] + [None] * 1599


def test_the_fewest_clues_are_added_and_clues_are_thinned(page):
    whole = slitherlink(6, 6, seed=1, minimal=True).puzzle
    lacking = whole.with_clues({next(cell for cell, _ in whole.clue_cells()): None})
    page.open(write(lacking, "pzpr"))
    assert make(page, "add") == "Made: 1 clue added, and fewer do not do."
    assert page.status == "One solution"
    assert page.puzzle.number_of_clues == whole.number_of_clues
    full = Slitherlink.from_solution(solve(whole))
    page.open(write(full, "pzpr"))
    assert make(page, "thin").endswith("none is redundant.")
    assert page.status == "One solution"
    page.until(lambda: "No clue is redundant" in page.text("#detail"))


def test_a_mask_by_mouse_and_by_keyboard(page):
    page.size(5, 5)
    page.page.check("#mode-mask")
    page.page.select_option("#unmarked", "either")
    page.click(6)
    page.click(8, button="right")
    page.keys("ArrowDown", "#", "ArrowDown", ".", "ArrowUp")
    assert {cell: mark for cell, mark in enumerate(page.kept("marks")) if mark} == {
        6: "must", 8: "none", 13: "must", 18: "none",
    }  # fmt: skip
    assert page.page.locator(".overlay .must").count() == 2
    page.keys("3")
    assert make(page, "mask").startswith("Made: ")
    puzzle = page.puzzle
    assert puzzle.grid[2][3] == 3
    assert is_unique(puzzle)
    assert shown_cells(puzzle) >= {6, 13}
    assert shown_cells(puzzle).isdisjoint({8, 18})
    page.keys("Escape")
    assert page.page.is_checked("#mode-clues")


def test_a_ready_mask_is_filled_and_marks_turn_with_the_board(page):
    page.size(4, 5)
    page.page.check("#mode-mask")
    page.page.select_option("#pattern", "letters")
    page.page.fill("#letters", "I")
    page.page.click("#draw-marks")
    page.until(lambda: "Not made" in page.text("#going"))
    page.page.select_option("#pattern", "rings")
    page.page.click("#draw-marks")
    page.until(lambda: page.page.locator(".overlay .must").count() == 14)
    page.page.click("#rotate")
    assert page.page.locator(".overlay .must").count() == 14
    assert make(page, "mask").startswith("Made: ")
    assert page.puzzle.number_of_clues == 14
    assert is_unique(page.puzzle)
    page.page.click("#clear-marks")
    assert page.page.locator(".overlay .must").count() == 0


def test_a_half_is_completed(page):
    whole = slitherlink(5, 5, seed=2, symmetry="half-turn").puzzle
    half = whole.with_clues({cell: None for cell, _ in whole.clue_cells() if cell > (2, 2)})
    page.open(write(half, "pzpr"))
    assert page.page.is_disabled("#make-complete")
    page.page.select_option("#symmetry", "half-turn")
    assert make(page, "complete").startswith("Made: ")
    assert shown_cells(page.puzzle) == shown_cells(whole)
    assert dict(page.puzzle.clue_cells()).items() >= dict(half.clue_cells()).items()
    assert page.status == "One solution"


def test_holes_are_completed(page):
    page.open("simpleloop\n*...\n....\n....\n....\n")
    page.page.select_option("#symmetry", "both")
    page.page.click("#make-complete")
    assert shown_cells(page.puzzle) == {0, 3, 12, 15}


def test_a_loop_is_filled_and_gets_clues(page):
    page.size(4, 4)
    page.page.check("#mode-loop")
    page.click(5)
    page.page.hover("[data-cell='6']")
    page.page.mouse.down()
    page.page.hover("[data-cell='10']")
    page.page.mouse.up()
    page.keys("ArrowDown", "Space", "ArrowLeft", "Enter", "Enter")
    assert page.page.locator(".overlay .inside").count() == 4
    assert make(page, "line").startswith("Made: ")
    assert page.status == "One solution"
    cells = {0: 5, 1: 6, 2: 10, 3: 14}
    counts = solve(page.puzzle).face_counts()
    assert [int(counts[divmod(cell, 4)]) for cell in cells.values()] == [3, 2, 2, 3]
    page.page.click("#clear-loop")
    assert page.page.locator(".overlay .inside").count() == 0
    page.click(0)
    page.click(15)
    assert make(page, "line") == ("Not made: expected a single loop that does not touch itself.")


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_an_open_path_is_drawn_and_gets_clues(page, by):
    player = Player(page)
    page.size(3, 3)
    page.page.select_option("#variant", "path")
    page.page.check("#mode-loop")
    if by == "mouse":
        player.drag([(0, 1), (1, 1), (2, 1), (2, 2), (2, 3), (1, 3), (1, 2)])
        # A drag back over two dots, then a click.
        player.drag([(1, 2), (1, 3), (2, 3)])
        player.click_at(2.5, 3)
    else:
        page.click(1)
        page.keys("Shift+ArrowLeft", "ArrowDown", "Shift+ArrowLeft", "Shift+ArrowDown")
        page.keys("Shift+ArrowUp", "Shift+ArrowUp")
        page.keys("ArrowRight", "Shift+ArrowDown", "ArrowDown", "Shift+ArrowRight")
    assert page.page.locator(".overlay .inside").count() == 0
    assert page.page.locator(".overlay .sketch").count() == 5
    walk = [(0, 1), (1, 1), (2, 1), (2, 2), (2, 3), (3, 3)]
    line = Solution.from_paths(page.puzzle.lattice, [walk])
    assert page.puzzle.ends == ((0, 1), (3, 3))
    assert make(page, "line").startswith("Made: ")
    assert page.status == "One solution"
    assert solve(page.puzzle) == line
    page.page.click("#undo")
    page.page.click("#undo")
    player.click_at(3, 0.5)
    assert page.page.locator(".overlay .sketch").count() == 5
    assert make(page, "line").startswith("Not made: expected a single path between its ends")
    page.page.select_option("#variant", "loop")
    assert page.page.locator(".overlay .sketch").count() == 0


def test_links_are_drawn_through_cells(page):
    page.page.select_option("#kind", "numberlink")
    page.size(2, 3)
    page.page.check("#mode-loop")
    page.page.hover("[data-cell='0']")
    page.page.mouse.down()
    for cell in (1, 2):
        page.page.hover(f"[data-cell='{cell}']")
    page.page.mouse.up()
    page.click(3)
    page.keys("Shift+ArrowRight", "Shift+ArrowRight")
    assert page.page.locator(".overlay .sketch").count() == 4
    assert make(page, "line") == "Made: 2 pairs."
    assert page.puzzle == Numberlink([[1, None, 1], [2, None, 2]])
    page.page.select_option("#kind", "simpleloop")
    page.page.check("#mode-loop")
    page.click(0)
    page.keys(*(f"Shift+Arrow{way}" for way in ("Right", "Down", "Left", "Up")))
    assert make(page, "line") == "Made: 2 holes."
    assert page.puzzle == SimpleLoop.from_holes(2, 3, [(0, 2), (1, 2)])
    page.page.click("#reflect")
    assert page.page.locator(".overlay .sketch").count() == 4
    page.page.click("#rotate")
    assert make(page, "line") == "Made: 2 holes."
    assert page.puzzle == SimpleLoop.from_holes(3, 2, [(0, 0), (0, 1)])

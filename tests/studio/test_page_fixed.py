"""Given lines, crosses and missing dots in a real browser: drawn, and played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from linkoracle import Numberlink, SimpleLoop, Slitherlink, count, read, solve, write
from tests.studio.page import Page, Player, make

pytestmark = pytest.mark.browser

BOARD = Slitherlink([[3, None, None], [None, 2, None], [None, None, 1]])
TOP, LEFT, CROSSED = ((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 2), (2, 2))


@pytest.fixture
def fixing(page) -> Page:
    """Return the page with a board, in the mode that gives lines."""
    page.open(write(BOARD, "text"))
    page.page.check("#mode-fixed")
    return page


def edge(board, ends) -> int:
    return board.lattice.edge(*ends)


def classes(page: Page, name: str) -> int:
    return page.page.locator(f".fixed .{name}").count()


def test_by_mouse(fixing):
    hand = Player(fixing)
    hand.drag([(1, 0), (0, 0), (0, 1)])
    assert fixing.puzzle.given == (TOP, LEFT)
    hand.click_edge(edge(BOARD, CROSSED), button="right")
    assert fixing.puzzle.forbidden == (CROSSED,)
    fixing.page.check("#fix-hole")
    hand.click_at(3, 3)
    hand.click_at(3, 0)
    hand.click_at(3, 0)
    assert fixing.puzzle == Slitherlink(
        BOARD.grid, given=[TOP, LEFT], forbidden=[CROSSED], holes=[(3, 3)]
    )
    assert (classes(fixing, "given"), classes(fixing, "forbidden")) == (2, 1)
    assert fixing.page.locator(".dots .missing").count() == 1
    fixing.page.check("#fix-cross")
    hand.click_edge(edge(BOARD, CROSSED))
    fixing.page.check("#fix-line")
    hand.click_edge(edge(BOARD, TOP))
    assert fixing.puzzle == Slitherlink(BOARD.grid, given=[LEFT], holes=[(3, 3)])


def test_by_keyboard(fixing):
    fixing.keys("Shift+ArrowUp", "Shift+ArrowLeft")
    assert fixing.text("#here") == "r1c1: 3, top line, left line"
    fixing.keys("ArrowDown", "ArrowRight", "Alt+ArrowRight")
    assert fixing.puzzle == Slitherlink(BOARD.grid, given=[TOP, LEFT], forbidden=[CROSSED])
    # The same key removes a mark, and Backspace removes all marks of a cell.
    fixing.keys("Alt+ArrowRight", "ArrowUp", "ArrowLeft", "Backspace")
    assert fixing.puzzle == BOARD
    fixing.keys(*["Control+z"] * 2)
    assert fixing.puzzle == Slitherlink(BOARD.grid, given=[TOP, LEFT], forbidden=[CROSSED])
    fixing.page.focus("#fix-cross")
    fixing.page.keyboard.press("ArrowRight")
    fixing.keys("ArrowRight", "ArrowDown", "Enter")
    assert fixing.text("#here") == "Dot 1,1: missing"
    assert fixing.puzzle.holes == ((1, 1),)
    fixing.keys("ArrowDown", "ArrowDown", "ArrowDown", "Space", "Escape")
    assert fixing.puzzle.holes == ((1, 1), (3, 1))
    assert fixing.page.is_checked("#mode-clues")
    fixing.keys("ArrowRight", "3")
    assert fixing.puzzle.grid[0][1] == 3


def test_a_line_goes_when_its_dot_does(fixing):
    hand = Player(fixing)
    hand.drag([(1, 0), (0, 0), (0, 1)])
    fixing.page.check("#fix-hole")
    hand.click_at(0, 1)
    assert (fixing.puzzle.given, fixing.puzzle.holes) == ((LEFT,), ((0, 1),))
    fixing.page.check("#fix-line")
    hand.click_edge(edge(BOARD, TOP))
    assert fixing.puzzle.given == (LEFT,)
    fixing.page.click("#clear-fixed")
    assert fixing.puzzle == BOARD
    assert fixing.page.is_disabled("#clear-fixed")


def test_they_go_with_the_board_and_live_answers_follow(fixing):
    board = Slitherlink(BOARD.grid, given=[TOP, LEFT], forbidden=[CROSSED], holes=[(3, 3)])
    fixing.open(write(board, "json"))
    fixing.wait_for_answer()
    assert fixing.text("#count") == f"Exactly {count(board)}"
    forced = fixing.classes("lines")
    assert {edge(board, TOP), edge(board, LEFT)} <= set(forced)
    assert edge(board, CROSSED) in fixing.classes("crosses")
    fixing.page.click("#rotate")
    assert fixing.puzzle == board.rotate()
    fixing.page.click("#reflect")
    assert fixing.puzzle == board.rotate().reflect()
    fixing.page.click("#undo")
    fixing.page.click("#undo")
    assert fixing.puzzle == board
    fixing.reload()
    assert fixing.puzzle == board
    assert (classes(fixing, "given"), classes(fixing, "forbidden")) == (2, 1)


def test_what_is_cut_off_is_gone(fixing):
    board = Slitherlink(
        BOARD.grid,
        given=[TOP, ((2, 3), (3, 3))],
        forbidden=[((1, 2), (1, 3))],
        holes=[(3, 0), (2, 2)],
    )
    fixing.open(write(board, "json"))
    fixing.size(2, 2)
    grid = [row[:2] for row in BOARD.grid[:2]]
    assert fixing.puzzle == Slitherlink(grid, given=[TOP], holes=[(2, 2)])
    fixing.page.select_option("#variant", "path")
    # The dot of an endpoint cannot be missing.
    assert fixing.puzzle == Slitherlink(grid, ((0, 0), (2, 2)), given=[TOP])


def test_files_hold_them_or_say_that_they_cannot(fixing):
    board = Slitherlink(BOARD.grid, given=[TOP], holes=[(3, 3)])
    fixing.open(write(board, "text"))
    for format_name in ("json", "text"):
        fixing.page.evaluate("document.getElementById('message').textContent = ''")
        fixing.page.click(f"#copy-{format_name}")
        fixing.until(lambda: fixing.text("#message") != "")
        assert read(fixing.page.input_value("#text") + "\n") == board
    for format_name, what in (("pzpr", "a pzpr URL"), ("loopy", "a Loopy game ID")):
        fixing.page.click(f"#copy-{format_name}")
        reason = f"{what} has no place for given lines"
        fixing.until(lambda reason=reason: reason in fixing.text("#message"))
    # The browser reports each refusal of the server.
    assert all("400" in error for error in fixing.errors)
    fixing.errors.clear()


@pytest.mark.parametrize("kind", [Numberlink, SimpleLoop])
def test_lines_between_cells(page, kind):
    board = kind([[None] * 3] * 3)
    page.open(write(board, "json"))
    page.page.check("#mode-fixed")
    assert page.page.is_hidden("#fix-hole")
    hand = Player(page)
    hand.click_edge(edge(board, ((1, 1), (1, 2))))
    hand.click_edge(edge(board, ((1, 1), (2, 1))), button="right")
    page.keys(*["ArrowUp"] * 3, *["ArrowLeft"] * 3, "Shift+ArrowRight", "Shift+ArrowDown")
    page.keys("Alt+ArrowDown")
    lines = [((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 1), (1, 2))]
    # The last key finds the cross there and removes it.
    assert page.puzzle == kind(board.grid, given=lines)
    page.page.select_option("#kind", "slitherlink")
    assert page.puzzle == Slitherlink([[None] * 3] * 3)


def test_given_lines_are_there_when_it_is_played_and_stay(page):
    plain = Slitherlink([[2, 2, None], [2, 2, 1], [3, None, None]])
    solution = solve(plain)
    first, second, third, *_ = solution.paths()[0]
    crossed = next(edge for edge in range(plain.lattice.num_edges) if edge not in solution)
    ends = tuple(map(plain.lattice.position, plain.lattice.ends(crossed)))
    board = Slitherlink(plain.grid, given=[(first, second)], forbidden=[ends])
    player = Player(page)
    player.play(board)
    top, cross = edge(board, (first, second)), edge(board, ends)
    assert player.edges() == {top: "line", cross: "cross"}
    assert page.page.is_disabled("#play-restart")
    player.click_edge(top)
    player.click_edge(cross)
    player.click_edge(top, button="right")
    page.keys("Backspace")
    assert player.edges() == {top: "line", cross: "cross"}
    # A drag along a given line draws the lines after it.
    player.drag([first, second, third])
    assert player.lines() == {top, edge(board, (second, third))}
    page.page.click("#play-restart")
    assert player.edges() == {top: "line", cross: "cross"}
    page.page.click("#play-hint")
    player.wait_for_answer()
    assert player.text("#hint-message")
    for one in solution:
        if one != top:
            player.click_edge(one)
    page.until(lambda: "Solved in" in player.text("#play-message"))


def test_masks_halves_and_lines_keep_what_is_given(page):
    board = replace(Slitherlink.blank(4, 4), given=[TOP], forbidden=[((3, 2), (3, 3))])
    board = replace(board, holes=[(2, 2)]).with_clues({(0, 0): 2})
    page.open(write(board, "json"))
    page.page.check("#mode-mask")
    page.page.select_option("#unmarked", "either")
    page.click(5)
    page.click(15, button="right")
    assert make(page, "mask").startswith("Made: ")
    assert page.status == "One solution"
    assert replace(page.puzzle, clues=board.clues) == board
    assert page.puzzle.grid[0][0] == 2
    assert page.puzzle.grid[1][1] is not None
    page.page.click("#undo")
    page.page.select_option("#symmetry", "half-turn")
    page.page.check("#more-clues")
    assert make(page, "complete").startswith("Made: ")
    assert page.puzzle.grid[3][3] is not None
    assert replace(page.puzzle, clues=board.clues) == board
    page.page.click("#undo")
    page.page.select_option("#symmetry", "none")
    page.page.check("#mode-loop")
    page.click(0)
    page.keys("ArrowDown", "Space", "ArrowDown", "Enter")
    assert make(page, "line").startswith("Made: ")
    assert page.status == "One solution"
    assert replace(page.puzzle, clues=board.clues) == board
    page.keys("ArrowRight", "Space")
    assert make(page, "line").startswith("Not made: expected a loop that fits the board: a line ")


def test_rules_tell_of_what_is_given(page):
    player = Player(page)
    plain = Slitherlink([[3, 3], [1, 1]])
    player.play(replace(plain, given=[TOP]))
    assert player.text("#instructions").endswith("Lines that are drawn already stay.")
    page.page.click("#design")
    player.play(plain)
    assert player.text("#instructions") == plain.instructions["loop"]

"""The player's view in a real browser."""

from __future__ import annotations

import re
from itertools import pairwise
from urllib.parse import quote

import pytest
from scripts.studio_browser import served

from linkoracle import Numberlink, SimpleLoop, Slitherlink, read_file, solutions, write
from linkoracle.render import inner_faces
from tests.studio.page import Page, Player

pytestmark = pytest.mark.browser
UNIQUE = Slitherlink([[3, 3], [1, 1]])
LOOP = SimpleLoop.from_holes(3, 4, [(1, 1), (1, 2)])
PAIRS = Numberlink([[1, None, 2], [None, None, None], [1, None, 2]])


@pytest.fixture
def player(page):
    return Player(page)


def solved(puzzle):
    return next(solutions(puzzle))


def edges_of(puzzle, walk) -> set[int]:
    return {puzzle.lattice.edge(*pair) for pair in pairwise(walk)}


def test_lines_and_crosses_by_clicks(player):
    player.play(UNIQUE)
    player.page.page.uncheck("#auto-crosses")
    player.click_edge(0)
    assert player.edges() == {0: "line"}
    player.click_edge(3, button="right")
    assert player.edges() == {0: "line", 3: "cross"}
    player.click_edge(0)
    player.click_edge(3, button="right")
    assert player.edges() == {}
    player.page.page.check("#tool-cross")
    player.click_edge(5)
    assert player.edges() == {5: "cross"}
    player.page.keys("Control+z")
    assert player.edges() == {}
    player.page.keys("Control+y")
    assert player.edges() == {5: "cross"}
    player.page.page.click("#play-undo")
    player.page.page.click("#play-redo")
    assert player.edges() == {5: "cross"}
    player.page.page.click("#play-restart")
    assert player.edges() == {}


@pytest.mark.parametrize("puzzle", [UNIQUE, LOOP], ids=lambda puzzle: puzzle.kind)
def test_a_drag_draws_the_loop_and_the_end_is_recognised(player, puzzle):
    player.play(puzzle)
    walk = solved(puzzle).paths()[0]
    player.drag(walk[:-2])
    assert player.lines() == edges_of(puzzle, walk[:-2])
    assert player.text("#play-message") == ""
    player.drag(walk[-3:])
    assert player.lines() == {*solved(puzzle).edges}
    assert re.match(r"Solved in \d+:", player.text("#play-message"))
    time = player.text("#timer")
    player.page.page.wait_for_timeout(1200)
    assert player.text("#timer") == time
    player.page.keys("Control+z")
    assert player.text("#play-message") == ""
    # A drag is one step, and a drag along lines removes them.
    player.drag(walk[:3])
    assert player.lines() == edges_of(puzzle, walk[2:-2])


def test_paths_by_dragging_from_cell_to_cell(player):
    player.play(PAIRS)
    player.drag([(0, 0), (1, 0), (1, 1), (1, 0), (2, 0)])
    assert player.lines() == {
        PAIRS.lattice.edge((0, 0), (1, 0)),
        PAIRS.lattice.edge((1, 0), (2, 0)),
    }
    assert player.page.page.locator(".clues .done").count() == 2
    player.drag([(0, 2), (1, 2), (2, 2)])
    assert player.text("#play-message").startswith("Solved")
    # There are no areas to colour.
    assert player.page.page.locator("#colour-tool").is_hidden()


def test_all_by_keyboard(player):
    player.play(UNIQUE)
    edges = {*solved(UNIQUE).edges}
    lattice = UNIQUE.lattice
    player.page.keys("Shift+ArrowUp", "Shift+ArrowLeft", "Alt+ArrowRight")
    assert player.edges()[lattice.edge((0, 0), (0, 1))] == "line"
    assert player.edges()[lattice.edge((0, 0), (1, 0))] == "line"
    assert player.edges()[lattice.edge((0, 1), (1, 1))] == "cross"
    assert player.text("#here") == "r1c1: 3, top line, right cross, left line"
    player.page.keys("Backspace")
    assert player.edges() == {}
    player.page.keys("Space")
    assert player.faces() == {0: "inside"}
    player.page.keys("Space", "ArrowRight", "Enter")
    assert player.faces() == {0: "outside", 1: "inside"}
    player.page.page.focus("#play-restart")
    player.page.page.keyboard.press("Enter")
    assert player.faces() == {}
    for _ in range(30):
        player.hint()
        if not player.page.page.locator("#hint-take").is_visible():
            break
        player.page.page.focus("#hint-take")
        player.page.page.keyboard.press("Enter")
        if player.lines() == edges:
            break
    assert player.lines() == edges
    assert player.text("#play-message").startswith("Solved")


def test_a_path_by_keyboard(player):
    player.play(PAIRS)
    player.page.keys("Shift+ArrowDown", "Shift+ArrowDown", "ArrowRight", "ArrowRight")
    player.page.keys("Shift+ArrowUp", "Shift+ArrowUp")
    assert player.lines() == {*solved(PAIRS).edges}
    assert player.text("#play-message").startswith("Solved")


def test_colours_of_cells_by_mouse(player):
    player.play(UNIQUE)
    player.page.page.check("#tool-colour")
    player.click_at(0.5, 0.5)
    player.click_at(0.5, 1.5, button="right")
    assert player.faces() == {0: "inside", 1: "outside"}
    player.drag([(1.5, 0.5), (1.5, 1.5)])
    assert player.faces() == {0: "inside", 1: "outside", 2: "inside", 3: "inside"}
    player.page.keys("c")
    player.wait_for_answer()
    within = inner_faces(solved(UNIQUE))
    coloured = enumerate([True, False, True, True])
    wrong = [face for face, is_inside in coloured if is_inside != (face in within)]
    assert player.wrong("faces") == wrong
    # The other tools also colour the middle of a cell.
    player.page.page.check("#tool-line")
    player.click_at(0.5, 0.5)
    assert player.faces()[0] == "outside"


def test_automatic_crosses_come_and_go_with_lines(player):
    puzzle = Slitherlink([[0, None], [None, None]])
    player.play(puzzle)
    around = set(puzzle.lattice.face_edges[0].tolist())
    assert player.automatic() == around
    player.page.page.uncheck("#auto-crosses")
    assert player.automatic() == set()
    player.page.page.check("#auto-crosses")
    down, right = puzzle.lattice.edge((1, 2), (2, 2)), puzzle.lattice.edge((1, 1), (1, 2))
    player.click_edge(down)
    assert player.automatic() == around
    player.click_edge(puzzle.lattice.edge((0, 2), (1, 2)))
    assert player.automatic() == around | {right}
    player.click_edge(down)
    assert player.automatic() == around


def test_what_everybody_sees_of_holes_is_no_cross_and_no_hint(player):
    player.play(LOOP)
    holes = {
        edge
        for edge, ends in enumerate(LOOP.lattice.edge_vertices.tolist())
        if {*ends} & {*LOOP.model.holes}
    }
    assert player.automatic() == set()
    for automatic in (True, False):
        player.page.page.set_checked("#auto-crosses", automatic)
        player.hint()
        hinted = {edge for edge, name in enumerate(player.classes("crosses")) if name == "hinted"}
        assert not hinted & holes
        assert player.page.page.is_visible("#hint-take")


def test_check_says_what_is_wrong_and_what_is_right(player):
    player.play(UNIQUE)
    only = solved(UNIQUE)
    right = only.edges[0]
    wrong = next(edge for edge in range(12) if edge not in only.edges)
    player.click_edge(right)
    player.page.page.click("#play-check")
    player.wait_for_answer()
    assert player.text("#play-message") == "No mistakes so far."
    player.click_edge(wrong)
    assert player.text("#play-message") == ""
    player.page.page.click("#play-check")
    player.wait_for_answer()
    assert player.text("#play-message") == "1 mark is wrong (highlighted)."
    assert player.wrong("lines") == [wrong]
    player.page.page.click("#play-hint")
    player.wait_for_answer()
    assert player.wrong("lines") == [wrong]
    player.page.keys("Escape")
    assert player.wrong("lines") == []


def test_hints_come_with_a_sentence_and_are_shown(player):
    player.play(UNIQUE)
    player.page.page.click("#play-hint")
    player.wait_for_answer()
    assert player.text("#hint-message").startswith("Look at r")
    assert player.page.page.locator(".lines .hinted, .crosses .hinted").count() == 0
    assert not player.page.page.is_visible("#hint-take")
    player.page.page.click("#hint-more")
    assert player.text("#hint-message").count(". ") == 1
    player.page.page.click("#hint-more")
    assert player.text("#hint-message").endswith(".")
    assert not player.page.page.is_visible("#hint-more")
    hinted = player.page.page.locator(".lines .hinted, .crosses .hinted").count()
    assert hinted > 0
    player.page.page.click("#hint-take")
    assert len(player.edges()) == hinted
    assert player.text("#hint-message") == ""


def test_a_puzzle_with_several_solutions_may_be_solved_in_any_way(player):
    puzzle = Slitherlink([[3, None], [None, None]])
    player.play(puzzle)
    player.drag([(0, 0), (0, 1), (1, 1), (1, 0)])
    player.page.page.click("#play-check")
    player.wait_for_answer()
    assert player.text("#play-message") == "No solution contains all these marks."
    player.page.keys("Control+z")
    player.drag(solved(puzzle).paths()[0])
    assert player.text("#play-message").startswith("Solved")


def test_what_cannot_be_solved_is_said(player):
    player.play(Slitherlink([[0, 3], [3, 0]]))
    player.page.until(lambda: player.text("#play-message") == "This puzzle has no solution.")
    player.page.page.click("#design")
    player.page.page.select_option("#kind", "numberlink")
    player.page.click(0)
    player.page.keys("1")
    player.page.page.click("#play")
    player.page.until(lambda: "exactly twice" in player.text("#play-message"))
    assert player.page.page.is_disabled("#play-hint")


def test_the_next_puzzle_is_made_meanwhile(player):
    player.play(UNIQUE)
    player.page.until(lambda: "easy, as this one" in player.text("#next-grade"))
    player.page.page.wait_for_selector("#play-next.ready")
    assert player.text("#next-message") == "The next puzzle is ready."
    player.page.page.click("#play-next")
    puzzle = player.page.puzzle
    assert (puzzle.kind, puzzle.rows, puzzle.cols) == ("slitherlink", 2, 2)
    assert player.edges() == {}
    player.page.page.click("#design")
    assert player.page.status == "One solution"
    player.page.page.click("#undo")
    assert player.page.puzzle == UNIQUE


def test_progress_is_kept_by_puzzle_and_over_a_reload(player):
    player.play(UNIQUE)
    player.click_edge(0)
    player.click_edge(2)
    player.page.page.wait_for_timeout(1100)
    player.page.reload()
    assert player.page.data()["view"] == "play"
    assert player.lines() == {0, 2}
    assert player.text("#timer") != "0:00"
    player.page.keys("Control+z")
    assert player.lines() == {0}
    player.page.keys("Control+y")
    player.page.open(write(PAIRS, "text"))
    assert player.lines() == set()
    player.page.open(write(UNIQUE, "text"))
    assert player.lines() == {0, 2}


def test_the_time_stands_still_while_the_page_is_hidden_and_in_design(player):
    player.play(UNIQUE)
    hide = (
        "value => { Object.defineProperty(document, 'hidden', {value, configurable: true});"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    player.page.page.evaluate(hide, True)
    before = player.text("#timer")
    player.page.page.wait_for_timeout(1300)
    assert player.text("#timer") == before
    player.page.page.evaluate(hide, False)
    player.page.until(lambda: player.text("#timer") != before)
    player.page.page.click("#design")
    player.page.page.wait_for_timeout(1300)
    player.page.page.click("#play")
    assert player.text("#timer") in ("0:01", "0:02")


def test_a_link_opens_a_puzzle_to_be_played(browser):
    with served() as (_, address):
        context = browser.new_context()
        page = Page(context.new_page(), address.at(f"play={quote(write(UNIQUE, 'pzpr'))}"))
        player = Player(page)
        assert page.data()["view"] == "play"
        assert page.puzzle == UNIQUE
        player.wait_for_answer()
        player.click_edge(0)
        assert player.lines() == {0}
        page.page.evaluate("location.hash = '#play'")
        assert page.data()["view"] == "play"
        assert page.errors == []
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_by_touch(browser, address, scheme):
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, color_scheme=scheme
    )
    page = Page(context.new_page(), address)
    player = Player(page)
    player.play(read_file("instances/slitherlink-7x7.txt"))
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 360
    page.page.touchscreen.tap(*player.edge_at(5))
    assert player.lines() == {5}
    page.page.tap("#tool-cross")
    page.page.touchscreen.tap(*player.edge_at(20))
    assert player.edges()[20] == "cross"
    page.page.tap("#tool-colour")
    page.page.touchscreen.tap(*player.at(3.5, 3.5))
    assert player.faces() == {24: "inside"}
    page.page.tap("#play-hint")
    player.wait_for_answer()
    assert page.errors == []
    context.close()

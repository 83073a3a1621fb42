"""Every kind on the page in a real browser: clues typed, regions divided, puzzles played."""

from __future__ import annotations

import pytest

from linkoracle import solve, write
from linkoracle.kinds import KINDS
from linkoracle.kinds.closed_cells import CastleWall
from linkoracle.kinds.masyu import Masyu
from linkoracle.kinds.region_loops import CountryRoad
from linkoracle.kinds.shading import Yajilin
from linkoracle.studio.boards import shades
from tests.studio.page import Player

pytestmark = pytest.mark.browser

MASYU = Masyu(["....b", ".w...", "w....", "....b", "b...."])


def draw(player: Player, solution) -> None:
    """Draw a solution, each line by a click."""
    for edge in solution.edges:
        if edge not in player.lines():
            player.click_edge(edge)


@pytest.fixture
def blank(page):
    """Return a function that shows a blank board of a kind and a size."""

    def made(kind: str, rows: int, cols: int):
        page.page.select_option("#kind", kind)
        page.size(rows, cols)
        return page

    return made


def test_a_masyu_is_typed_by_keyboard_and_solved_by_mouse(blank):
    page = blank("masyu", 5, 5)
    for row in MASYU.grid:
        for clue in row:
            page.keys(*([clue] if clue else []), "ArrowRight")
        page.keys(*["ArrowLeft"] * 5, "ArrowDown")
    assert page.puzzle == MASYU
    assert page.status == "One solution"
    assert page.text("#here") == "r5c1: b"
    # Only pearls can be typed; a pearl of another colour replaces the previous one.
    page.keys("3", "x", "w")
    assert page.puzzle.grid[4][0] == "w"
    page.keys("Control+z")
    page.page.click("#play")
    player = Player(page)
    player.wait_for_answer()
    solution = solve(MASYU)
    player.drag([*solution.paths()[0][:-1]])
    assert len(player.lines()) == len(solution.edges) - 1
    draw(player, solution)
    page.until(lambda: player.text("#play-message").startswith("Solved in"))


def test_a_masyu_is_drawn_and_solved_by_touch(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    from tests.studio.page import Page

    page = Page(context.new_page(), address)
    page.page.select_option("#kind", "masyu")
    page.size(5, 5)
    for cell, clue in MASYU.clue_cells():
        page.page.tap(f"[data-cell='{cell[0] * 5 + cell[1]}']")
        page.page.tap(f"#keypad [aria-label='{'White' if clue == 'w' else 'Black'}']")
    assert page.puzzle == MASYU
    assert page.status == "One solution"
    page.page.tap("#play")
    player = Player(page)
    player.wait_for_answer()
    for edge in solve(MASYU).edges:
        page.page.touchscreen.tap(*player.edge_at(edge))
    page.until(lambda: player.text("#play-message").startswith("Solved in"))
    assert page.errors == []
    context.close()


def test_arrows_of_a_yajilin_by_keys(blank):
    page = blank("yajilin", 4, 5)
    page.keys("2")
    # A number without an arrow is not a clue yet.
    assert page.page.locator(".clue.draft").text_content() == "2"
    assert page.puzzle.grid[0][0] is None
    page.keys("ArrowRight")
    assert page.puzzle.grid[0][0] == "2e"
    # The next arrow moves; a letter turns the arrow; another digit leaves its direction.
    page.keys("ArrowRight", "ArrowLeft", "s", "3")
    assert page.puzzle.grid[0][0] == "3s"
    page.keys("ArrowDown")
    assert page.puzzle.grid[0][0] == "3s"
    page.keys("ArrowDown", "ArrowRight", "1", "0", "ArrowUp", "ArrowUp", "x")
    assert page.puzzle.grid[:2] == (("3s", "x", None, None, None), (None, "10n", None, None, None))
    # A click on the selected cell turns its arrow.
    page.click(0)
    page.click(0)
    assert page.puzzle.grid[0][0] == "3w"
    # A number without an arrow is dropped when the cursor leaves.
    page.click(12)
    page.keys("4", "Escape", "ArrowRight")
    assert page.puzzle.grid[2][2] is None
    assert page.page.locator(".clue.draft").count() == 0
    page.page.click("#rotate")
    assert page.puzzle.grid[0][3] == "3n"
    page.page.click("#reflect")
    assert page.puzzle.grid[0][0] == "3n"


def test_arrows_and_colours_by_the_keypad(blank):
    page = blank("castlewall", 3, 3)
    page.click(4)

    def press(name):
        page.page.click(f"#keypad button:has(b:text-is('{name}'))")

    press("1")
    press("↓")
    assert page.puzzle.grid[1][1] == "1s"
    page.page.click("#keypad button:has([aria-label='Black'])")
    assert page.puzzle.grid[1][1] == "1sx"
    press("0")
    assert page.puzzle == CastleWall.blank(3, 3).with_clues({(1, 1): "0sx"})
    press("Empty")
    assert page.puzzle == CastleWall.blank(3, 3)


ROAD = CountryRoad(["3..", "...", "..."], regions=["abb", "aab", "ccc"])


def test_borders_of_a_country_road_are_dragged(blank):
    page = blank("countryroad", 3, 3)
    page.page.check("#mode-borders")
    hand = Player(page)
    # Corners of cells, as places of the lattice of cells.
    hand.drag([(-0.5, 0.5), (0.5, 0.5), (0.5, 1.5), (1.4, 1.5)])
    page.until(lambda: page.text("#status") == "Not a puzzle yet")
    assert "close no region" in page.text("#detail")
    assert page.page.locator(".fixed .border.open").count() == 3
    hand.drag([(1.5, -0.5), (1.5, 2.5)])
    assert page.puzzle.regions == ROAD.regions
    page.wait_for_answer()
    assert page.page.locator(".fixed .border").count() == 6
    # Drawing again erases; a click draws one border.
    hand.drag([(1.5, -0.5), (1.5, 2.5)])
    page.until(lambda: page.text("#status") == "Not a puzzle yet")
    page.keys("Control+z")
    hand.click_at(0.5, 1)
    page.until(lambda: page.text("#status") == "Not a puzzle yet")
    hand.click_at(0.5, 1)
    assert page.puzzle.regions == ROAD.regions
    page.page.check("#mode-clues")
    page.click(0)
    page.keys("3")
    assert page.puzzle == ROAD
    page.page.click("#rotate")
    assert page.puzzle == ROAD.rotate()
    page.page.click("#undo")
    page.size(4, 4)
    # The new row and the new column are separate regions.
    assert len(page.puzzle.cells_by_region()) == 5
    page.size(3, 3)
    assert page.puzzle == ROAD
    page.reload()
    assert page.puzzle == ROAD
    page.page.check("#mode-borders")
    page.page.click("#clear-borders")
    assert page.puzzle.regions == ()


def test_borders_by_keyboard(blank):
    page = blank("entryexit", 2, 2)
    # A kind without clues begins in its first mode.
    assert page.page.is_checked("#mode-borders")
    page.keys("Shift+ArrowRight", "ArrowDown", "Shift+ArrowRight")
    assert page.puzzle.regions == ((0, 1), (0, 1))
    page.keys("Shift+ArrowRight")
    assert page.status == "Not a puzzle yet"


def test_shaded_cells_are_marked_and_checked(page):
    puzzle, solution = Yajilin.examples["loop"].of(Yajilin)
    shaded = [cell for _, cell, *_ in puzzle.solution_figures(solution)]
    player = Player(page)
    player.play(puzzle)
    player.click_at(*shaded[0])
    assert player.faces() == {shaded[0][0] * puzzle.cols + shaded[0][1]: "shaded"}
    assert player.automatic()
    page.keys("c")
    player.wait_for_answer()
    assert player.text("#play-message") == "No mistakes so far."
    visited = next(
        cell for cell in puzzle.cells() if cell not in shaded and cell not in puzzle.avoided
    )
    player.click_at(*visited)
    page.keys("c")
    player.wait_for_answer()
    assert player.text("#play-message") == "1 mark is wrong (highlighted)."
    # The right button marks a cell as not shaded.
    player.click_at(*visited, button="right")
    page.keys("c")
    player.wait_for_answer()
    assert player.text("#play-message") == "No mistakes so far."


def test_a_loop_that_breaks_a_rule_is_told_so(page):
    player = Player(page)
    player.play(Masyu([".w..", "....", "...."]))
    player.drag([(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)])
    fault = "Not yet: the line is wrong at or beside the white pearl at r1c2."
    page.until(lambda: player.text("#play-message") == fault)
    player.drag([(0, 1), (1, 1)])
    page.until(lambda: player.text("#play-message") != fault)


@pytest.mark.parametrize("kind", list(KINDS))
def test_an_example_is_opened_hinted_and_solved(page, kind):
    found = KINDS[kind]
    for variant, example in found.examples.items():
        puzzle, solution = example.of(found, variant)
        page.open(write(puzzle, "json"))
        page.wait_for_answer()
        assert page.text("#status") == "One solution"
        assert page.puzzle == puzzle
        assert set(page.classes("lines")) == set(solution.edges)
        shaded = page.page.locator(".shades .shaded").count()
        assert shaded == len(list(puzzle.solution_figures(solution)))
        page.page.click("#play")
        player = Player(page)
        player.wait_for_answer()
        page.keys("h")
        player.wait_for_answer()
        assert player.text("#hint-message")
        assert page.page.is_visible("#colour-tool") == (
            puzzle.model.loop or not puzzle.through_cells
        )
        assert (page.text("#colour-name") == "Shaded cells") == shades(found)
        draw(player, solution)
        page.until(lambda: page.text("#play-message").startswith("Solved in"))
        page.page.click("#design")

"""Boards that are not square on the page in a real browser: chosen, edited, played."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from linkoracle import Numberlink, SimpleLoop, Slitherlink, boards, decide, solve, write
from linkoracle.generate import SlitherlinkRequest, make
from linkoracle.studio.boards import board_of
from tests.studio.page import Page, Player

pytestmark = pytest.mark.browser

HONEYCOMB = "honeycomb 3 3"
PUZZLE = make(SlitherlinkRequest(board=boards.named(HONEYCOMB)), seed=1).puzzle


#: The path of the modules, seen from the page; and arrows along alternating axes, because a run
#: along one axis keeps to a line.
STATIC = "/${location.pathname.split('/')[1]}/static/"
ARROWS = '["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"]'


class Tiled(Player):
    """The actions of a user on a board that is not square."""

    def place(self, selector: str, number: int) -> tuple[float, float]:
        """Return the middle of an edge, or of a cell by its hint, on the page."""
        found = self.page.page.evaluate(
            """([selector, number]) => {
              const svg = document.getElementById("board");
              svg.scrollIntoView({block: "center"});
              const found = document.querySelectorAll(selector)[number];
              const at = found.getPointAtLength ? found.getPointAtLength(found.getTotalLength() / 2)
                : new DOMPoint(found.getAttribute("x"), found.getAttribute("y"));
              const {x, y} = new DOMPoint(at.x, at.y).matrixTransform(svg.getScreenCTM());
              return [x, y];
            }""",
            [selector, number],
        )
        return tuple(found)

    def edge_at(self, edge: int) -> tuple[float, float]:
        return self.place(".lines > *", edge)

    def cell_at(self, cell: int) -> tuple[float, float]:
        return self.place(".hint", cell)

    def dot_at(self, dot: int) -> tuple[float, float]:
        found = self.page.page.locator(".dots circle").nth(dot).bounding_box()
        return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2

    def go(self, cell: int) -> None:
        """Move to a cell by arrows, along a shortest way."""
        for _ in range(PUZZLE.tiling.num_faces):
            key = self.page.page.evaluate(
                f"""async ([tiling, through, cell]) => {{
                  const {{latticeOf}} = await import(`{STATIC}lattice.js`);
                  const lattice = latticeOf({{tiling}}, {{throughCells: through}});
                  const here = document.getElementById("here").textContent;
                  const from = Number(here.match(/^face (\\d+)/)?.[1] ?? 0);
                  const ways = new Map([[from, null]]);
                  for (const [one, first] of ways) {{
                    for (const key of {ARROWS}) {{
                      const there = lattice.step(one, key);
                      if (!ways.has(there)) ways.set(there, first ?? key);
                    }}
                  }}
                  return ways.get(cell);
                }}""",
                [self.page.puzzle.tiling.words, self.page.puzzle.through_cells, cell],
            )
            if key is None:
                return
            self.page.keys(key)
        raise AssertionError(f"no way to face {cell}")


def chosen(page: Page, tiling: str) -> None:
    """Choose a tiling of a size."""
    name, rows, cols = tiling.split()
    page.page.select_option("#tiling", name)
    page.until(lambda: name in str(page.kept("tiling")))
    for key, number in (("rows", rows), ("cols", cols)):
        page.page.fill(f"#{key}", number)
        page.page.keyboard.press("Tab")
        place = 1 if key == "rows" else 2
        page.until(lambda: page.kept("tiling").split()[place] == number)  # noqa: B023


@pytest.mark.parametrize(
    "puzzle", [PUZZLE, Numberlink.on(boards.named(HONEYCOMB), "1....2.12")], ids=["dots", "cells"]
)
def test_lines_are_given_by_mouse_and_by_keys_and_stay_in_play(page, puzzle):
    page.open(write(puzzle, "json"))
    page.page.check("#mode-fixed")
    assert page.page.locator("#fix-hole").is_hidden()
    hand, mouse, ends = Tiled(page), page.page.mouse, puzzle.board.ends
    mouse.click(*hand.edge_at(3))
    mouse.click(*hand.edge_at(9), button="right")
    assert page.puzzle == replace(puzzle, given=[ends(3)], forbidden=[ends(9)])
    shown = page.page.locator(".fixed > *")
    assert [one.get_attribute("class") for one in shown.all()] == ["given", "forbidden"]
    page.page.click("#clear-fixed")
    assert page.puzzle == puzzle
    # Keys choose a side of the cell, and draw on it.
    hand.go(4)
    page.keys("Shift+ArrowRight")
    assert page.page.locator(".cursor.side:not(.off)").count() == 1
    page.keys("Shift+ArrowUp", "Shift+ArrowRight", "Alt+ArrowDown")
    (given,), (crossed,) = page.puzzle.given, page.puzzle.forbidden
    line, cross = puzzle.board.edge(*given), puzzle.board.edge(*crossed)
    assert line != cross
    if puzzle.through_cells:
        # The line takes the cursor along.
        assert 4 in given
        assert set(crossed) & set(given)
    else:
        assert {line, cross} <= set(puzzle.board.edges_of(4))
    page.page.click("#play")
    hand.wait_for_answer()
    assert hand.lines() == {line}
    assert hand.edges()[cross] == "cross"
    hand.click_edge(line)
    assert hand.lines() == {line}


def test_a_honeycomb_is_edited_and_solved_by_mouse(page):
    chosen(page, HONEYCOMB)
    board = Tiled(page)
    assert page.puzzle == Slitherlink.on(boards.named(HONEYCOMB))
    for hidden in ("#rotate", "#reflect", "#symmetry-tool", "#mode-mask", "#make-complete"):
        assert page.page.locator(hidden).is_hidden(), hidden
    for face, clue in PUZZLE.clue_cells():
        page.page.mouse.click(*board.cell_at(face))
        page.page.click(f"#keypad button:has(b:text-is('{clue}'))")
    assert page.puzzle == PUZZLE
    assert page.status == "One solution"
    page.wait_for_answer()
    solution = solve(PUZZLE)
    assert page.classes("lines") == [*solution.edges]
    # Clicks on the selected cell go through its clues.
    (face, clue), *_ = PUZZLE.clue_cells()
    page.page.mouse.click(*board.cell_at(face))
    page.page.mouse.click(*board.cell_at(face))
    after = dict(page.puzzle.clue_cells()).get(face)
    assert after == (clue + 1 if clue < len(PUZZLE.tiling.edges_of(face)) else None)
    page.page.click("#undo")
    assert page.puzzle == PUZZLE
    page.page.click("#play")
    board.wait_for_answer()
    # A drag from dot to dot, and the rest by clicks; a cross with the right button.
    walk = solution.walks()[0]
    mouse = page.page.mouse
    mouse.move(*board.dot_at(walk[0]))
    mouse.down()
    for dot in walk[1:4]:
        mouse.move(*board.dot_at(dot), steps=4)
    mouse.up()
    drawn = {PUZZLE.board.edge(*ends) for ends in pairwise(walk[:4])}
    assert board.lines() == drawn
    off = next(edge for edge in range(PUZZLE.board.num_edges) if edge not in solution.edges)
    mouse.click(*board.edge_at(off), button="right")
    assert board.edges()[off] == "cross"
    page.page.click("#play-check")
    page.until(lambda: board.text("#play-message") == "No mistakes so far.")
    for edge in solution.edges:
        if edge not in board.lines():
            board.click_edge(edge)
    page.until(lambda: board.text("#play-message").startswith("Solved in"))
    # The board is kept over a reload, and can be undone.
    page.reload()
    assert board.lines() == {*solution.edges}


def test_a_honeycomb_is_edited_and_solved_by_touch(browser, address):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = Page(context.new_page(), address)
    chosen(page, HONEYCOMB)
    board = Tiled(page)
    for face, clue in PUZZLE.clue_cells():
        page.page.touchscreen.tap(*board.cell_at(face))
        page.page.tap(f"#keypad button:has(b:text-is('{clue}'))")
    assert page.puzzle == PUZZLE
    assert page.status == "One solution"
    page.page.tap("#play")
    board.wait_for_answer()
    for edge in solve(PUZZLE).edges:
        page.page.touchscreen.tap(*board.edge_at(edge))
    page.until(lambda: board.text("#play-message").startswith("Solved in"))
    assert page.errors == []
    context.close()


def test_a_honeycomb_is_edited_and_solved_by_keyboard(page):
    page.page.focus("#tiling")
    page.page.keyboard.type("honeycomb")
    page.page.keyboard.press("Enter")
    page.until(lambda: page.kept("tiling") == "honeycomb 7 7")
    chosen(page, HONEYCOMB)
    board = Tiled(page)
    for face, clue in PUZZLE.clue_cells():
        board.go(face)
        page.keys(str(clue))
    # The cell has fewer than seven sides.
    page.keys("7")
    assert page.puzzle == PUZZLE
    page.keys("PageDown", "PageUp")
    assert page.text("#here") == f"face {face}: {clue}"
    page.keys("Delete", "Control+z")
    assert page.puzzle == PUZZLE
    page.page.click("#play")
    board.wait_for_answer()
    tiling = PUZZLE.tiling
    for edge in solve(PUZZLE).edges:
        board.go(tiling.faces_of(edge)[0])
        for _ in range(6):
            page.keys("Shift+ArrowRight")
            page.keys("Shift+ArrowUp")
            if edge in board.lines():
                break
            page.keys("Shift+ArrowUp")
        assert edge in board.lines()
    page.until(lambda: board.text("#play-message").startswith("Solved in"))
    page.keys("Shift+ArrowLeft", "Shift+ArrowRight")
    assert "side at" in page.text("#here")
    page.keys("Control+z")
    assert len(board.lines()) == len(solve(PUZZLE).edges) - 1


@pytest.mark.parametrize("name", ["cairo", "penrose_rhombs"])
def test_a_new_puzzle_is_made_and_opened_again(page, name):
    page.page.select_option("#tiling", name)
    page.until(lambda: name in str(page.kept("tiling")))
    page.wait_for_answer()
    page.page.click("#make-new")
    page.until(lambda: page.text("#going").startswith("Made"))
    puzzle = page.puzzle
    assert puzzle.tiling.words.startswith(name)
    assert page.status == "One solution"
    page.wait_for_answer()
    assert page.classes("lines") == [*solve(puzzle).edges]
    assert page.text("#grade") != "Not graded."
    page.page.click("#make-thin")
    page.until(lambda: "removed" in page.text("#going"))
    assert decide(page.puzzle).unique
    # Undo as far as the squares, which have another geometry, and redo.
    while page.kept("tiling") is not None:
        page.page.click("#undo")
    assert (page.puzzle.rows, page.puzzle.cols) == (7, 7)
    page.reload()
    page.page.click("#redo")
    page.page.click("#redo")
    page.until(lambda: page.kept("tiling") is not None)
    assert page.puzzle == puzzle
    page.page.click("#copy-loopy")
    page.until(lambda: page.text("#message") == "Copied.")
    loopy = page.page.input_value("#text")
    page.page.select_option("#tiling", "square")
    page.until(lambda: page.kept("tiling") is None)
    page.open(loopy)
    assert page.puzzle == puzzle
    assert page.status == "One solution"


def test_nothing_reaches_a_board_before_it_is_known_where_its_parts_are(page):
    page.page.select_option("#tiling", "cairo")
    page.until(lambda: page.kept("tiling") == "cairo 7 7")
    page.page.select_option("#tiling", "square")
    page.until(lambda: page.kept("tiling") is None)
    page.click(48)
    page.keys("3")
    # A reload forgets the geometry of boards.
    page.reload()
    page.wait_for_answer()
    held = []
    page.page.route("**/geometry", lambda route: held.append(route))
    page.settle = lambda: None
    query = page.data()["query"]
    # Two steps at once: the squares without the clue, answered late, and the tiling.
    page.page.evaluate("[1, 2].forEach(() => document.getElementById('undo').click())")
    # Playwright reports requests only while it is called.
    page.until(lambda: page.data() and held)
    assert page.data()["query"] != query
    page.wait_for_answer()
    assert page.status == "Multiple solutions"
    page.page.check("#marks-all")
    page.page.mouse.move(*Player(page).at(0.5, 0.5))
    page.page.mouse.click(*Player(page).at(0.5, 0.5))
    page.keys("ArrowRight", "Space", "PageDown", "Shift+ArrowDown")
    page.page.check("#mode-mask")
    page.keys("#")
    page.page.click("#play")
    page.keys("ArrowRight", "Shift+ArrowDown")
    page.page.click("#design")
    page.page.check("#mode-clues")
    assert page.kept("tiling") is None
    held.pop().continue_()
    page.until(lambda: page.kept("tiling") == "cairo 7 7")
    assert page.kept("marks") is None
    page.wait_for_answer()
    tiling = boards.named("cairo 7 7")
    page.keys("PageDown", "3")
    assert page.puzzle == Slitherlink.on(tiling, {1: 3})


def test_what_stands_against_each_other_and_a_line_that_is_filled(page):
    chosen(page, HONEYCOMB)
    board = Tiled(page)
    page.keys("6")
    board.go(next(iter(set(boards.named(HONEYCOMB).faces_of(1)) - {0}), 1))
    page.keys("6")
    assert page.status == "No solution"
    page.wait_for_answer()
    assert "2 conflicting clues: face 0" in page.text("#detail")
    assert page.page.locator(".marks .conflict").count() == 2
    page.page.click("#clear")
    page.page.check("#mode-loop")
    for face in (0, 1, 4):
        page.page.mouse.click(*board.cell_at(face))
    assert page.page.locator(".overlay .inside").count() == 3
    page.page.click("#make-line")
    page.until(lambda: page.text("#going").startswith(("Made", "Not made")))
    assert page.text("#going").startswith("Made")
    assert set(decide(page.puzzle).solutions[0].edges) == {*page.kept("sketch")}


def test_a_numberlink_and_a_simple_loop_on_cells(page):
    chosen(page, HONEYCOMB)
    page.page.select_option("#kind", "numberlink")
    page.until(lambda: page.kept("kind") == "numberlink")
    assert page.puzzle.tiling.words == HONEYCOMB
    board = Tiled(page)
    # A drag joins two cells by a pair of numbers.
    mouse = page.page.mouse
    mouse.move(*board.cell_at(0))
    mouse.down()
    mouse.move(*board.cell_at(8), steps=8)
    mouse.up()
    assert page.puzzle == Numberlink.on(boards.named(HONEYCOMB), {0: 1, 8: 1})
    assert page.status == "Multiple solutions"
    assert page.page.locator("#make-new").is_visible()
    loop = SimpleLoop.on(boards.named("triangular 3 3"))
    holes = next(
        SimpleLoop.on(loop.tiling, {face: 0})
        for face in range(loop.tiling.num_faces)
        if decide(SimpleLoop.on(loop.tiling, {face: 0})).unique
    )
    player = Tiled(page)
    player.play(holes)
    (walk,) = solve(holes).walks()
    mouse.move(*board.cell_at(walk[0]))
    mouse.down()
    for cell in walk[1:]:
        mouse.move(*board.cell_at(cell), steps=6)
    mouse.up()
    assert player.lines() == {*solve(holes).edges}
    page.until(lambda: player.text("#play-message").startswith("Solved in"))


def test_polygons_of_ones_own(page):
    tiling = boards.from_polygons(
        [[(0, 0), (2, 0), (2, 1), (0, 1)], [(2, 0), (3, 0), (2, 1)], [(0, 1), (2, 1), (1, 2.5)]]
    )
    puzzle = Slitherlink.on(tiling, {0: 3})
    page.open(write(puzzle, "json"))
    assert page.puzzle == puzzle
    assert page.page.input_value("#tiling") == "own"
    assert page.page.locator("#rows").is_disabled()
    assert page.status == "Multiple solutions"
    page.page.select_option("#variant", "fill")
    assert page.puzzle == puzzle.with_variant("fill")
    page.page.click("summary:text('Boards')")
    assert page.text("#boards [aria-current]") == "Slitherlink · its own board · 1 clue"


def test_arrows_lead_to_every_face(page):
    for words in (
        *("triangular 5 5", "honeycomb 5 5", "snub_square 4 4", "cairo 4 4"),
        *("great_hexagonal 3 3", "octagonal 4 4", "kites 3 3", "floret 3 3", "dodecagonal 3 3"),
        *("great_dodecagonal 3 3", "great_great_dodecagonal 3 3", "kagome 4 4"),
        "compass_dodecagonal 3 3",
        board_of(Slitherlink.on(boards.penrose_kite_dart(9, 9, seed=2)))["tiling"],
        board_of(Slitherlink.on(boards.hats(8, 8, seed=1)))["tiling"],
        board_of(Slitherlink.on(boards.spectres(9, 9, seed=1)))["tiling"],
    ):
        lost = page.page.evaluate(
            f"""async (tiling) => {{
              const {{Lattice}} = await import(`{STATIC}lattice.js`);
              const {{post}} = await import(`{STATIC}transport.js`);
              const lattice = new Lattice(
                await post("geometry", JSON.stringify({{board: tiling, throughCells: false}})));
              const cells = lattice.cells.map((_, cell) => cell);
              const after = cells.map((cell) => {ARROWS}.map((key) => lattice.step(cell, key)));
              const reached = new Set([0]);
              for (const cell of reached) after[cell].forEach((other) => reached.add(other));
              return cells.filter((cell) => !reached.has(cell));
            }}""",
            words,
        )
        assert lost == [], words

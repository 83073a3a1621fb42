"""The notebook widget in a real browser, on an empty page: ``make test-studio``."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("anywidget")

from linkoracle import Slitherlink, boards
from linkoracle.studio import Board
from linkoracle.studio.boards import board_of

pytestmark = pytest.mark.browser
TIMEOUT = 300.0
UNIQUE = Slitherlink([[3, 3], [1, 1]])
#: Acts as a notebook: loads the module and passes it a model, which reports its values to `saved`.
NOTEBOOK = """async ([code, state]) => {
  const url = URL.createObjectURL(new Blob([code], {type: "text/javascript"}));
  const {default: widget} = await import(url);
  const hooks = new Map();
  window.put = (name, value) => {
    state[name] = value;
    (hooks.get(`change:${name}`) ?? []).forEach((listener) => listener());
  };
  const model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    save_changes: () => saved(state.board),
    on: (name, listener) => hooks.set(name, [...(hooks.get(name) ?? []), listener]),
    off: (name, listener) => hooks.set(name, hooks.get(name).filter((one) => one !== listener)),
  };
  window.removed = widget.render({model, el: document.body});
  window.listeners = () => [...hooks.values()].flat().length;
}"""


class Notebook:
    """A widget on a page."""

    def __init__(self, browser, board: Board) -> None:
        self.board, self.errors = board, []
        self.page = browser.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.expose_function("saved", lambda board: setattr(self.board, "board", board))
        state = {
            name: getattr(board, name) for name in ("board", "kinds", "looks", "geometry", "answer")
        }
        self.page.evaluate(NOTEBOOK, [board._esm, state])
        self.text = ""

    def until(self, words: str) -> None:
        """Pass the answers of the kernel on until the widget shows these words."""
        until = time.monotonic() + TIMEOUT
        while words not in self.text:
            assert time.monotonic() < until, (words, self.text, self.errors)
            self.page.evaluate("answer => put('answer', answer)", self.board.answer)
            self.text = self.page.inner_text("#answer")

    def lines(self) -> list[int]:
        found = self.page.locator(".lines polyline").evaluate_all(
            "lines => lines.map(line => line.getAttribute('class'))"
        )
        return [edge for edge, name in enumerate(found) if (name or "").split()[:1] == ["forced"]]


def test_boards_that_are_not_square(browser):
    board = Board(Slitherlink.on(boards.honeycomb(2, 2), {0: 6}))
    notebook = Notebook(browser, board)
    notebook.until("One solution")
    assert notebook.page.locator("[data-cell]").count() == 4
    # A board whose geometry arrives later.
    board.puzzle = Slitherlink.on(boards.cairo(2, 2))
    notebook.page.evaluate("board => put('board', board)", board.board)
    assert notebook.page.locator("[data-cell]").count() == 4
    notebook.page.evaluate("geometry => put('geometry', geometry)", board.geometry)
    cells = board.puzzle.tiling.num_faces
    notebook.page.wait_for_function(
        "cells => document.body.shadowRoot.querySelectorAll('[data-cell]').length === cells",
        arg=cells,
    )
    notebook.until("Multiple solutions")
    assert notebook.errors == []
    notebook.page.close()
    board.close()


@pytest.fixture
def notebook(browser):
    board = Board(UNIQUE)
    notebook = Notebook(browser, board)
    yield notebook
    assert notebook.errors == []
    notebook.page.close()
    board.close()


def test_answers_are_shown(notebook):
    notebook.until("One solution")
    notebook.board.wait(TIMEOUT)
    notebook.until("follows from the others")
    assert notebook.lines() == list(notebook.board.solution.edges)


def test_clues_by_mouse_and_by_keyboard_reach_the_kernel(notebook):
    notebook.until("One solution")
    notebook.page.click("[data-cell='2']")
    notebook.page.keyboard.press("Backspace")
    notebook.board.wait(TIMEOUT)
    assert notebook.board.puzzle == UNIQUE.with_clues({(1, 0): None})
    notebook.page.keyboard.press("ArrowRight")
    notebook.page.keyboard.press("Delete")
    notebook.page.keyboard.press("ArrowUp")
    notebook.page.keyboard.press("Delete")
    notebook.text = ""
    notebook.until("Multiple solutions")
    assert notebook.board.puzzle == Slitherlink([[3, None], [None, None]])
    notebook.page.click("text=Undo")
    notebook.page.click("text=Undo")
    notebook.page.click("text=Redo")
    assert notebook.board.puzzle == Slitherlink([[3, 3], [None, None]])
    # The cursor is on that cell: the next clue.
    notebook.page.click("[data-cell='1']")
    assert notebook.board.puzzle.grid[0][1] == 4


def test_the_kernel_may_change_the_board(notebook):
    notebook.until("One solution")
    other = Slitherlink.blank(3, 4)
    notebook.board.puzzle = other
    notebook.page.evaluate("board => put('board', board)", board_of(other))
    assert notebook.page.locator("[data-cell]").count() == 12
    notebook.text = ""
    notebook.until("Multiple solutions")
    notebook.board.wait(TIMEOUT)
    assert notebook.board.count == 1049
    notebook.until("Exactly 1\u202f049")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_as_light_or_dark_as_the_notebook(notebook, scheme):
    notebook.page.emulate_media(color_scheme=scheme)
    colours = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}

    def back():
        return notebook.page.locator(".widget").evaluate(
            "widget => getComputedStyle(widget).backgroundColor"
        )

    assert back() == colours[scheme]
    for light, look in (("true", "light"), ("false", "dark")):
        notebook.page.evaluate("light => { document.body.dataset.jpThemeLight = light; }", light)
        assert back() == colours[look]
    notebook.page.evaluate("delete document.body.dataset.jpThemeLight")
    assert back() == colours[scheme]


def test_what_is_removed_listens_no_more(notebook):
    assert notebook.page.evaluate("listeners()") == 2
    notebook.page.evaluate("removed()")
    assert notebook.page.evaluate("listeners()") == 0

"""Editing tools in a real browser: masks, rows and columns, titles, trials, notes, replays."""

from __future__ import annotations

import json

import pytest

from linkoracle import Slitherlink, is_unique, read
from linkoracle.formats import About, read_all
from tests.studio.page import Player, make

pytestmark = pytest.mark.browser

RING = [cell for cell in range(25) if cell // 5 in (0, 4) or cell % 5 in (0, 4)]


def texts(page):
    return page.page.evaluate(
        "[...document.querySelectorAll('.clues .clue')].map(one => one.textContent)"
    )


def cells_of(puzzle):
    return {row * puzzle.cols + col for (row, col), _ in puzzle.clue_cells()}


def marks_shown(page):
    return page.page.evaluate(
        "[...document.querySelectorAll('.overlay [data-mark]')].map(one => one.dataset.mark)"
    )


def test_a_drawn_mask_stays_what_it_is(page):
    page.size(5, 5)
    page.page.check("#mode-mask")
    for cell in RING:
        page.click(cell)
    assert [cell for cell, mark in enumerate(marks_shown(page)) if mark == "must"] == RING
    assert set(marks_shown(page)) == {"must", "none"}
    page.page.select_option("#unmarked", "either")
    assert set(marks_shown(page)) == {"must", "either"}
    page.page.select_option("#unmarked", "none")
    assert make(page, "mask").startswith("Made: ")
    assert cells_of(page.puzzle) == set(RING)
    assert is_unique(page.puzzle)


def test_keys_mark_and_either_may_have_a_clue(page):
    page.size(5, 5)
    page.page.check("#mode-mask")
    page.keys("#", "ArrowRight", ".", "ArrowRight", "?", "ArrowRight", "#", "Backspace")
    assert page.kept("marks")[:5] == ["must", "none", "either", None, None]
    page.keys("Space", "Space")
    assert page.kept("marks")[3] == "either"
    page.keys("Space", "Space")
    assert page.kept("marks")[:5] == ["must", "none", "either", None, None]


def test_a_mask_that_leaves_other_loops_offers_the_nearest(page):
    page.size(6, 6)
    page.page.check("#mode-mask")
    page.click(14)
    page.click(14)
    page.click(14)
    page.click(14)
    assert "The nearest puzzle has" in make(page, "mask")
    assert page.page.locator(".overlay .about").count() > 0
    page.page.click("#take-near")
    assert not page.page.is_visible("#take-near")
    assert is_unique(page.puzzle)
    page.page.click("#undo")
    assert page.puzzle == Slitherlink.blank(6, 6)


def test_letters_stand_in_an_empty_surround(page):
    page.size(7, 9)
    page.page.check("#mode-mask")
    page.page.select_option("#pattern", "letters")
    page.page.fill("#letters", "42")
    page.page.click("#draw-marks")
    page.until(lambda: page.kept("marks") is not None)
    shown = marks_shown(page)
    assert set(shown) == {"must", "none"}
    if make(page, "mask").startswith("Not made"):
        page.page.click("#take-near")
    must = {cell for cell, mark in enumerate(shown) if mark == "must"}
    assert cells_of(page.puzzle) >= must
    assert len(cells_of(page.puzzle) - must) <= 3


def test_rows_and_columns_at_each_side_keep_all_else_in_place(page):
    board = Slitherlink(
        ["3.?", "..1"], given=[((0, 0), (0, 1))], forbidden=[((2, 2), (2, 3))], holes=[(1, 1)]
    )
    page.open("slitherlink\ngiven 0,0-0,1\nforbidden 2,2-2,3\nholes 1,1\n3.?\n..1\n")
    assert page.puzzle == board
    page.keys("Control+ArrowUp")
    assert page.puzzle.grid == ((None,) * 3, *board.grid)
    assert page.puzzle.given == (((1, 0), (1, 1)),)
    assert page.puzzle.holes == ((2, 1),)
    page.page.click("#grow")
    page.page.click("#add-left")
    page.page.click("#add-bottom")
    page.page.click("#add-right")
    assert page.puzzle.forbidden == (((3, 3), (3, 4)),)
    assert (page.puzzle.rows, page.puzzle.cols) == (4, 5)
    page.page.click("#remove-left")
    page.page.keyboard.press("Escape")
    page.keys("Control+Shift+ArrowUp", "Control+Shift+ArrowDown", "Control+Shift+ArrowRight")
    assert page.puzzle == board
    page.keys("Control+Shift+ArrowUp")
    assert page.puzzle == Slitherlink(["..1"], forbidden=[((1, 2), (1, 3))], holes=[(0, 1)])
    for _ in range(9):
        page.page.click("#undo")
    assert page.puzzle == board


def test_regions_and_what_is_filled_keep_their_places(page):
    page.open("countryroad\n2..\n...\nregions\naab\nabb\n")
    before = page.puzzle
    page.keys("Control+ArrowUp", "Control+ArrowLeft")
    grown = page.puzzle
    assert tuple(row[1:] for row in grown.grid[1:]) == before.grid
    # The new row and column are a separate region; the corner belongs to both.
    assert len({*grown.regions[0], *(row[0] for row in grown.regions)} & {grown.regions[1][1]}) == 0
    page.keys("Control+Shift+ArrowUp", "Control+Shift+ArrowLeft")
    assert page.puzzle == before
    page.page.select_option("#kind", "slitherlink")
    page.size(3, 3)
    page.page.check("#mode-loop")
    page.click(0)
    page.click(1)
    sketch = page.kept("sketch")
    page.keys("Control+ArrowUp")
    assert page.kept("sketch") != sketch
    page.keys("Control+Shift+ArrowUp")
    assert page.kept("sketch") == sketch


def test_a_clue_without_a_number_and_partners(page):
    page.size(4, 4)
    page.keys("?", "ArrowRight")
    assert page.puzzle.grid[0][0] == -1
    page.page.select_option("#symmetry", "half-turn")
    page.page.check("#partners")
    page.keys("3")
    assert page.puzzle.grid[3][2] == -1
    assert texts(page)[14] == "?"
    page.page.click("#copy-pzpr")
    page.until(lambda: page.text("#message") == "Copied.")
    copied = page.page.evaluate("navigator.clipboard.readText()")
    assert read(copied) == page.puzzle
    page.page.uncheck("#partners")
    page.keys("ArrowRight", "2")
    assert page.puzzle.grid[3][1] is None


def test_title_author_and_rules_are_kept(page):
    page.size(3, 3)
    page.keys("3")
    for name, words in (("name", "Under the sea"), ("author", "A. Setter"), ("rules", "Loop.")):
        page.page.fill(f"#about-{name}", words)
        page.page.keyboard.press("Tab")
    about = About("Under the sea", "A. Setter", "Loop.")
    for name in ("json", "text"):
        page.page.evaluate("document.getElementById('message').textContent = ''")
        page.page.click(f"#copy-{name}")
        page.until(lambda: page.text("#message") == "Copied.")
        copied = page.page.evaluate("navigator.clipboard.readText()")
        assert read_all(copied + "\n")[0].about == about
        page.page.fill("#about-name", "")
        page.page.keyboard.press("Tab")
        page.open(copied)
        assert page.kept("about") == about._asdict()
        assert page.page.input_value("#about-name") == "Under the sea"
    page.reload()
    assert page.page.input_value("#about-author") == "A. Setter"


def test_the_picture_is_copied_and_the_link_opened(page):
    page.size(3, 3)
    page.keys("3")
    page.page.click("#copy-picture")
    page.until(lambda: page.text("#message") == "Copied.")
    kinds = page.page.evaluate(
        "navigator.clipboard.read().then(([item]) => item.getType('image/png'))"
        ".then(blob => createImageBitmap(blob)).then(image => [image.width, image.height])"
    )
    assert min(kinds) > 100
    page.page.context.route("https://puzz.link/**", lambda route: route.fulfill(body="there"))
    with page.page.context.expect_page() as opened:
        page.page.click("#open-pzpr")
    assert read(opened.value.url) == page.puzzle
    opened.value.close()


def test_a_trial_is_kept_or_dropped(page):
    player = Player(page)
    player.play(Slitherlink(["3.3", "...", "3.3"]))
    page.keys("Shift+ArrowUp")
    before = player.lines()
    page.keys("t", "ArrowRight", "Shift+ArrowDown", "Shift+ArrowRight")
    assert len(player.lines()) == len(before) + 2
    assert page.page.locator(".lines .trial").count() == 2
    page.page.click("#trial-drop")
    assert player.lines() == before
    assert not page.page.is_visible("#trial-drop")
    page.keys("t", "Shift+ArrowDown", "t", "Shift+ArrowRight")
    assert page.text("#trial-name") == "Trial 2"
    page.keys("k")
    page.reload()
    assert page.page.locator(".lines .trial").count() == 2
    page.keys("x")
    assert player.lines() == before


def test_notes_pieces_and_replay(page):
    player = Player(page)
    player.play(Slitherlink(["3.3", "...", "3.3"]))
    page.page.check("#colour-pieces")
    page.keys("Shift+ArrowUp", "ArrowDown", "Shift+ArrowDown")
    page.page.check("#tool-note")
    page.click(8)
    page.keys("1", "4", "1", "ArrowUp", "2")
    looks = page.page.evaluate(
        "[...document.querySelectorAll('.lines .drawn')].map(one => one.getAttribute('class'))"
    )
    assert looks == ["drawn piece-0", "drawn piece-1"]
    notes = page.page.evaluate(
        "[...document.querySelectorAll('.clues .hint')].map(one => one.textContent)"
    )
    assert notes[8] == "4"
    assert notes[5] == "2"
    assert page.page.locator(".shades .note-1").count() == 1
    lines = player.lines()
    page.page.click("#play-replay")
    page.until(lambda: player.lines() != lines)
    page.until(lambda: player.lines() == lines)
    page.page.click("#play-undo")
    assert player.lines() == lines


def test_steps_are_replayed_and_jumped_along(page):
    page.open("slitherlink\n.132.\n3....\n.0...\n3..2.\n..3.3\n")
    page.page.click("#step-next")
    page.until(lambda: page.text("#step").startswith("Step 1 of "))
    last = int(page.text("#step").split(".")[0].split()[-1])
    page.page.evaluate(
        "(at) => { const input = document.getElementById('step-at'); input.value = at;"
        " input.dispatchEvent(new Event('input')); }",
        last - 1,
    )
    assert page.text("#step").startswith(f"Step {last} of {last}. ")
    page.page.click("#step-replay")
    page.until(lambda: page.text("#step").startswith("Step 2 of "))
    page.page.click("#step-none")


def test_lines_of_pairs_have_their_colours(page):
    page.open("numberlink\n1.2\n1.2\n3.3\n")
    page.page.check("#marks-lines")
    page.wait_for_answer()
    page.open("numberlink fill\n12\n12\n")
    page.wait_for_answer()
    looks = page.page.evaluate(
        "[...document.querySelectorAll('.lines .forced')].map(one => one.getAttribute('class'))"
    )
    assert sorted(looks) == ["forced piece-0", "forced piece-1"]


def test_boards_are_kept_and_listed(page):
    page.size(4, 4)
    page.keys("3")
    page.page.fill("#about-name", "First")
    page.page.keyboard.press("Tab")
    page.page.click("summary:text('Boards')")
    page.page.click("#new-board")
    page.until(lambda: page.puzzle == Slitherlink.blank(7, 7))
    page.open("masyu\nw..\n..b\n...\n")
    names = page.page.locator("#boards li button:first-child")
    page.until(lambda: names.count() == 2)
    titles = ["Masyu · 3x3 · 2 clues", "First · Slitherlink · 4x4 · 1 clue"]
    assert names.all_inner_texts() == titles
    page.reload()
    page.page.click("summary:text('Boards')")
    page.page.click("#boards button:has-text('First')")
    assert page.puzzle.grid[0][0] == 3
    page.page.click("#undo")
    assert page.page.input_value("#about-name") == ""
    page.page.click("#boards [aria-label^='Remove Masyu']")
    assert names.count() == 1
    kept = page.page.evaluate("Object.keys(localStorage).filter(key => /board:/.test(key)).length")
    assert json.dumps(kept) == "1"


def test_the_last_five_thousand_steps_can_be_undone(page):
    found = page.page.evaluate(
        """async () => {
          const {History} = await import(`/${location.pathname.split("/")[1]}/static/editor.js`);
          const history = new History({number: 0});
          for (let number = 1; number <= 5100; number++) history.change({number});
          let steps = 0;
          while (history.undo()) steps++;
          return [steps, history.now.number];
        }"""
    )
    assert found == [5000, 100]

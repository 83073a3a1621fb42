"""Queries about the last edit and the selected cell, and the advice in their answers."""

from __future__ import annotations

import re

import pytest

from linkoracle import Slitherlink, count, decide, write
from tests.studio.page import Player

pytestmark = pytest.mark.browser


def marked(page):
    """Return the cells of conflicting clues."""
    page.wait_for_answer()
    assert page.status == "No solution"
    found = page.page.evaluate(
        "[...document.querySelectorAll('.marks polygon')].map(e => e.getAttribute('class'))"
    )
    return [cell for cell, name in enumerate(found) if name == "conflict"]


def notes(page):
    """Return the note of each clue for the selected cell, on the keys beside the board."""
    return page.page.evaluate(
        "[...document.querySelectorAll('#keypad small')].map(e => e.textContent)"
    )[:5]


def test_a_contradiction_has_the_last_edit_whatever_came_before(page):
    page.size(3, 3)
    page.page.click("#clear")
    typed = {0: "3", 1: "0", 7: "0", 8: "3"}
    for order in [[0, 1, 7, 8], [8, 7, 1, 0], [1, 8, 0, 7]]:
        for cell in order:
            page.click(cell)
            page.keys(typed[cell])
        last = [0, 1] if order[-1] < 2 else [7, 8]
        assert marked(page) == last
        # The previous clue was the last edit then.
        page.page.click("#undo")
        before = [0, 1] if last == [7, 8] else [7, 8]
        assert marked(page) == before
        page.page.click("#redo")
        assert marked(page) == last
        assert page.text("#detail").startswith("2 conflicting clues: r")
        page.page.click("#clear")


def test_the_selected_cell_is_answered_first_and_others_when_they_are_selected(page):
    puzzle = Slitherlink.blank(10, 10).with_clues({(0, 0): 3, (4, 4): 0})
    page.open(write(puzzle, "text"))
    for cell in (55, 9):
        page.click(cell)
        # An approximate number at first, and an exact one if time allows.
        page.until(lambda: all(notes(page)))
        left = [count(puzzle.with_clues({divmod(cell, 10): clue})) for clue in range(5)]
        for words, number in zip(notes(page), left, strict=True):
            digits = str(number)
            if words.startswith("≥"):
                assert int("".join(re.findall(r"\d", words))) <= number
            elif number >= 10**7:
                assert words == f"{digits[0]}.{digits[1:3]}·10^{len(digits) - 1}"
            else:
                assert words == {0: "none", 1: "unique"}.get(number, digits)
    page.wait_for_answer()
    assert "given up" not in page.text("#detail")


def test_a_clue_can_be_compared_with_others(page):
    """A board without a solution has notes as well: which clues would repair it."""
    page.open("slitherlink\n0.\n..\n")
    page.click(1)
    page.keys("3")
    page.until(lambda: notes(page)[3] == "none")
    board = Slitherlink([[0, None], [None, None]])
    left = [count(board.with_clues({(0, 1): clue})) for clue in range(5)]
    page.until(lambda: all(notes(page)))
    for words, number in zip(notes(page), left, strict=True):
        assert (words == "none") == (number == 0)
        assert (words == "unique") == (number == 1)


def test_pearls_are_counted_in_the_selected_cell(page):
    page.open("masyu\n. . .\n. . .\n. . b\n")
    page.click(0)
    page.until(lambda: notes(page)[:2] == ["none", "unique"])


def test_adding_clues_is_stopped_with_the_best_so_far(page):
    puzzle = Slitherlink.blank(9, 9).with_clues({(4, 4): 3, (0, 0): 2, (8, 8): 1})
    page.open(write(puzzle, "text"))
    page.page.click("#make-add")
    page.until(lambda: "at least" in page.text("#going") and page.page.is_visible("#stop"))
    page.until(lambda: page.text("#stop") == "Stop and take this")
    page.page.click("#stop")
    words = page.text("#going")
    assert words.startswith("Stopped with the best so far: at least ")
    assert page.status == "One solution"
    added = page.puzzle
    assert decide(added).unique
    assert dict(added.clue_cells()).items() >= dict(puzzle.clue_cells()).items()
    most = int(words.split("at most ")[1].split(".")[0])
    assert added.number_of_clues - puzzle.number_of_clues <= most
    page.page.click("#undo")
    assert page.puzzle == puzzle


def test_a_hint_has_the_name_of_its_technique(page):
    player = Player(page)
    player.play(Slitherlink([[4, None], [None, None]]))
    player.hint()
    hint = player.text("#hint-message")
    assert hint.startswith("Counting a clue: The 4 at r1c1 needs every edge that is left: ")
    assert player.classes("marks").count("hinted") == 1
    page.page.click("#design")
    player.play(Slitherlink([[3, 3], [None, None]]))
    player.hint()
    assert player.text("#hint-message").startswith('Pattern "adjacent 3s" at r1c1')
    assert player.classes("marks").count("hinted") == 2

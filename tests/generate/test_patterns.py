"""Patterns and letters: masks as they are named, and puzzles of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import is_unique
from linkoracle.generate import PATTERNS, letters, pattern, slitherlink


def turned(mask):
    return tuple(row[::-1] for row in reversed(mask))


@given(st.sampled_from(PATTERNS), st.integers(1, 14), st.integers(1, 14))
def test_patterns_fill_their_board_and_look_the_same_from_the_other_side(name, rows, cols):
    mask = pattern(name, rows, cols)
    assert len(mask) == rows
    assert {len(row) for row in mask} == {cols}
    assert set("".join(mask)) <= set(".?03" if name == "border" else "#.?")
    free = {"frame": min(rows, cols) > 4, "opening": max(rows, cols) > 2}
    assert ("?" in "".join(mask)) == {**free, "border": min(rows, cols) > 2}.get(name, False)
    if name == "spiral":
        assert mask[0] == "#" * cols
    elif name != "checkerboard" or (rows + cols) % 2 == 0:
        assert turned(mask) == mask


@pytest.mark.parametrize("name", PATTERNS)
def test_there_are_puzzles_of_each_pattern(name):
    rows, cols = 9, 10
    lines = enumerate(pattern(name, rows, cols))
    cells = {(row, col): mark for row, line in lines for col, mark in enumerate(line)}
    marked = {mark: {cell for cell in cells if cells[cell] == mark} for mark in "#.?"}
    digits = {cell: int(mark) for cell, mark in cells.items() if mark.isdigit()}
    how = {} if marked["?"] else {"strategy": "mask"}
    must, must_not = marked["#"], marked["."]
    made = slitherlink(rows, cols, must=must, must_not=must_not, digits=digits, seed=0, **how)
    assert is_unique(made.puzzle)
    shown = dict(made.puzzle.clue_cells())
    assert must <= shown.keys() <= must | marked["?"] | digits.keys()
    assert digits.items() <= shown.items()
    assert name != "border" or len(digits) == 12


def test_letters_are_what_they_say():
    big, small = letters("7i", 12, 16), letters("7I", 7, 9)
    assert "\n".join(small).replace("_", ".") == (
        ".........\n.###.###.\n...#..#..\n..#...#..\n..#...#..\n..#..###.\n........."
    )
    # Twice as large in each direction, in the middle.
    halves = ["".join(row[1:-1:2]).replace("_", ".") for row in big[1:-1:2]]
    assert halves == [row[1:-1].replace("_", ".") for row in small[1:-1]]
    assert letters("a b", 8, 13)[1].count("#") == 3


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=1, max_size=4))
def test_no_clue_beside_a_letter(text):
    mask = letters(text, 9, 20)
    marked = {(r, c): mark for r, line in enumerate(mask) for c, mark in enumerate(line)}
    for (row, col), mark in marked.items():
        near = {
            marked.get((row + down, col + right)) for down in (-1, 0, 1) for right in (-1, 0, 1)
        }
        assert mark == "#" or (mark == ".") == ("#" in near)
    shapes = {letters(character, 7, 5) for character in text}
    assert len(shapes) == len(set(text))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pattern("zigzag", 4, 4), "a pattern out of rings, .*; got 'zigzag'"),
        (lambda: pattern("rings", 0, 4), "expected rows from 1, got 0"),
        (lambda: letters("ä", 9, 9), "letters and digits, such as 2026, found 'Ä'"),
        (lambda: letters(" ", 9, 9), "such as 2026, found nothing"),
        (lambda: letters("2026", 7.5, 17), "expected rows from 1, got 7.5"),
        (lambda: letters("2026", 9, 16), "a board of 7x17 cells at least for '2026', got 9x16"),
    ],
)
def test_what_cannot_be_drawn(call, message):
    with pytest.raises(ValueError, match=message):
        call()

"""Loops drawn by hand: reading them, and the places of errors."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle.core import FormatError
from linkoracle.formats import read_loop
from linkoracle.generate.loops.colouring import coloured
from linkoracle.generate.loops.shapes import two_colour
from linkoracle.kinds import Slitherlink
from linkoracle.render import draw

SIDES = st.integers(1, 9)


def cells_of(loop):
    """Return the picture of a loop in # and . cells."""
    marks = ["#" if inside else "." for inside in coloured(loop).colours]
    cols = loop.lattice.cols - 1
    rows = ["".join(marks[start : start + cols]) for start in range(0, len(marks), cols)]
    return "\n".join(rows) + "\n"


@given(rows=SIDES, cols=SIDES, seed=st.integers(0, 10**6), ascii_only=st.booleans())
def test_every_loop_is_read_as_it_is_drawn(rows, cols, seed, ascii_only):
    loop = two_colour(Random(seed), rows, cols)
    clued = Slitherlink.from_solution(loop)
    assert read_loop(cells_of(loop)) == loop
    for puzzle in (clued, Slitherlink.blank(rows, cols)):
        assert read_loop(draw(puzzle, loop, ascii_only=ascii_only)) == loop


@given(rows=SIDES, cols=SIDES, seed=st.integers(0, 10**6), ascii_only=st.booleans())
def test_given_lines_crosses_and_holes_are_read_over(rows, cols, seed, ascii_only):
    rng = Random(seed)
    loop = two_colour(rng, rows, cols)
    position = loop.lattice.position
    lists = {"given": [], "forbidden": []}
    for edge in range(loop.lattice.num_edges):
        if rng.random() < 0.3:
            ends = tuple(map(position, loop.lattice.ends(edge)))
            lists["given" if edge in loop else "forbidden"].append(ends)
    # Skip loops without a dot in the first row or column, whose drawing begins elsewhere.
    used = {dot for walk in loop.paths() for dot in walk}
    dots = [(row, col) for row in range(1, rows) for col in range(1, cols)]
    holes = [dot for dot in dots if dot not in used and rng.random() < 0.5]
    puzzle = Slitherlink([[None] * cols] * rows, holes=holes, **lists)
    assert read_loop(draw(puzzle, loop, ascii_only=ascii_only)) == loop


def test_blank_lines_around_a_drawing_do_not_count():
    assert read_loop("\n\n  \n#\n\n") == read_loop("#")


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("", "1:1", "cells # inside of it, found none"),
        ("...\n...\n", "1:1", "cells # inside of it, found none"),
        ("\n.#\n#.\n", "3:1", "does not touch itself at a corner"),
        (".#.\n..#\n...", "2:2", "does not touch itself at a corner"),
        ("#.#\n", "1:3", "found a second one"),
        ("###\n#.#\n###\n", "2:2", "cells . enclosed by #"),
        ("##\n#\n", "2:2", "expected 2 cells as in the first row, found 1"),
        ("##\n# #\n", "2:2", "expected # or ., found ' '"),
        ("##\n#x\n", "2:1", "rows of dots and rows of cells in turns"),
        ("·   ·\n\n·   ·\n", "1:1", "found no line"),
        ("┌───┐\n│   │\n└── ┘\n", "3:4", "expected a line from dot to dot, found '── '"),
        ("┌───┐\n│   y\n└───┘\n", "2:5", "expected a line between dots or a space, found 'y'"),
        ("┌───┐\n│   │\n└───x\n", "3:5", "expected a dot or a line, found 'x'"),
        ("┌───┐\n│   │\n└   ┘\n", "3:1", "found an end of a line"),
        ("+---+---+\n|   |   |\n+---+---+\n", "1:5", "found a branch or a crossing"),
        ("+---+   +---+\n|   |   |   |\n+---+   +---+\n", "1:9", "found a second one"),
    ],
)
def test_what_is_wrong_is_pointed_at(text, place, reason):
    with pytest.raises(FormatError) as raised:
        read_loop(text, "loop.txt")
    assert str(raised.value).startswith(f"loop.txt:{place}: ")
    assert reason in str(raised.value)

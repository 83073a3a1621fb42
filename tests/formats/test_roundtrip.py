"""Round trips: reading what was written gives the same puzzle."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle.core import FormatError
from linkoracle.formats import read, read_all, write
from linkoracle.kinds import Numberlink

from .strategies import numberlinks, puzzles, simpleloops, slitherlinks

names = st.one_of(st.none(), st.text(st.characters(codec="utf-8"), max_size=8))


def clean(name):
    """Return a name on one line."""
    return " ".join("".join(c if c.isprintable() else " " for c in name or "").split()) or None


@given(puzzles(), names)
def test_text(puzzle, name):
    (entry,) = read_all(write(puzzle, name=name))
    assert entry.puzzle == puzzle
    assert entry.name == clean(name)


@given(puzzles(), names)
def test_json(puzzle, name):
    (entry,) = read_all(write(puzzle, "json", name=name))
    assert entry.puzzle == puzzle
    assert entry.name == clean(name)


@given(st.lists(puzzles(), min_size=2, max_size=4), st.sampled_from(["text", "json"]))
def test_several(all_puzzles, form):
    text = "\n\n".join(write(puzzle, form) for puzzle in all_puzzles)
    assert [entry.puzzle for entry in read_all(text)] == all_puzzles


@given(
    st.one_of(slitherlinks(paths=False), numberlinks(), simpleloops()),
    st.sampled_from(["rows-cols", "cols-rows"]),
)
def test_dimensions(puzzle, form):
    try:
        text = write(puzzle, form)
    except FormatError:
        assert (puzzle.rows, puzzle.cols) == (2, 2)
        return
    variant = puzzle.variant  # the text does not contain the variant
    assert read(text, kind=puzzle.kind, variant=variant) == puzzle


@given(st.one_of(slitherlinks(paths=False), numberlinks(highest=1126351), simpleloops()))
def test_pzpr(puzzle):
    found = read(write(puzzle, "pzpr"))
    if isinstance(puzzle, Numberlink):
        puzzle = replace(puzzle, variant="free")
    assert found == puzzle


@given(slitherlinks(smallest=3, paths=False))
def test_loopy(puzzle):
    assert read(write(puzzle, "loopy")) == puzzle


@pytest.mark.parametrize("cols", [1, 2, 3])
def test_narrow_boards_of_long_numbers(cols):
    for rows in range(1, 13):
        if rows * cols % 2:
            continue
        for lowest in (1, 2, 9, 10):
            numbers = [number for n in range(rows * cols // 2) for number in (lowest + n,) * 2]
            grid = tuple(tuple(numbers[row * cols : (row + 1) * cols]) for row in range(rows))
            puzzle = Numberlink(grid)
            assert read(write(puzzle)) == puzzle

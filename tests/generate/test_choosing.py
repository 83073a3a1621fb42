"""Clues that a loop does not dictate: several in a cell, beside rows and columns, of the board."""

from __future__ import annotations

import doctest
import json
import re
from itertools import product
from pathlib import Path
from random import Random

import pytest

import linkoracle
from linkoracle.formats import read, write
from linkoracle.generate.loops.choosing import allowed, chosen
from linkoracle.kinds import KINDS, canonical, images
from linkoracle.kinds.checking import loops
from linkoracle.render import draw, picture, svg
from linkoracle.studio.boards import board_of, puzzle_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "kinds.md"
NAMES = ("countingloop", "tallyloop", "lengthloop")


@pytest.fixture(scope="module")
def kinds():
    """The kinds of the page, registered while these tests run."""
    text = PAGE.read_text(encoding="utf-8").partition("\n## What a model can say")[0]
    examples = doctest.DocTestParser().get_examples(text)
    defining = (
        one.source for one in examples if one.source.startswith(("@", "def", "class", "fr"))
    )
    namespace = {"__name__": "authors", "linkoracle": linkoracle}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KINDS, "_found", dict(KINDS._found))
        exec("from __future__ import annotations\nCell = tuple\n" + "".join(defining), namespace)
        yield {name: KINDS[name] for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("size", "seeds"), [(5, 2), pytest.param(8, 20, marks=pytest.mark.heavy)])
def test_every_clue_is_one_that_the_loop_allows(kinds, name, size, seeds):
    for seed in range(seeds):
        made = linkoracle.generate.puzzle(name, size, size + 1, seed=seed)
        puzzle = made.puzzle
        assert linkoracle.is_unique(puzzle, engine="plain")
        fits = allowed(puzzle, made.solution)
        assert all(clue in fits[place] for place, clue in puzzle.every_clue())
        if name != "countingloop":
            assert puzzle.beside
        again = linkoracle.generate.puzzle(name, size, size + 1, seed=seed)
        assert again.puzzle == puzzle


@pytest.mark.parametrize("name", NAMES)
def test_no_clue_of_a_minimal_puzzle_is_redundant(kinds, name):
    puzzle = linkoracle.generate.puzzle(name, 4, 5, seed=2, minimal=True).puzzle
    for place, _ in puzzle.every_clue():
        assert not linkoracle.is_unique(puzzle.with_clues({place: None}))


def test_a_difficulty_keeps_the_choice(kinds):
    made = linkoracle.generate.puzzle("countingloop", 6, 6, seed=1, difficulty="easy")
    assert linkoracle.is_unique(made.puzzle)
    assert linkoracle.grade(made.puzzle).label == "easy"


@pytest.mark.parametrize("size", [(3, 3), pytest.param((3, 4), marks=pytest.mark.heavy)], ids=str)
def test_a_choice_is_found_iff_there_is_one(kinds, size):
    """Brute force: all choices of clues, each compared with all loops of the board."""
    kind, every = kinds["countingloop"], loops(*size)
    found_some = 0
    for number, loop in enumerate(every):
        blank = kind.blank(*size)
        fits = allowed(blank, loop)
        # A few places suffice to make some loops unique and others not.
        places = sorted(fits)[:: 1 + number % 2][:7]
        full = blank.with_clues({place: fits[place][-1] for place in places})

        def others(puzzle, loop=loop):
            fitting = (one for one in every if one != loop and not puzzle.violations(one))
            return [*fitting][:1]

        puzzle, left = chosen(full, loop, others, Random(number))
        choices = product(*(fits[place] for place in places))
        possible = any(
            not others(blank.with_clues(dict(zip(places, clues, strict=True)))) for clues in choices
        )
        assert bool(left) != possible
        assert not puzzle.violations(loop)
        assert {*dict(puzzle.clue_cells())} == {*places}
        found_some += possible
    assert 0 < found_some < len(every)


def test_numbers_beside_the_grid_are_read_written_turned_and_drawn(kinds):
    kind = kinds["tallyloop"]
    puzzle = kind(["t..", "..s"], beside={"c3": 2, "r1": 12})
    assert puzzle.beside == (("r1", 12), ("c3", 2))
    assert puzzle.number_of_clues == 4
    assert write(puzzle, "text") == "tallyloop\nbeside r1=12 c3=2\nt..\n..s\n"
    for form in ("text", "json"):
        assert read(write(puzzle, form)) == puzzle
    assert puzzle.rotate().beside == (("r3", 2), ("c2", 12))
    assert puzzle.reflect().beside == (("r1", 12), ("c1", 2))
    assert puzzle.rotate(2).rotate(2) == puzzle
    assert len({canonical(image) for image in images(puzzle)}) == 1
    changed = puzzle.with_clues({"c3": None, (0, 0): None, "all": 4})
    assert dict(changed.every_clue()) == {(1, 2): "s", "r1": 12, "all": 4}
    assert draw(changed).split("\n") == [" 4", "12  ·   ·   ·", "", "    ·   ·   s"]
    drawn = svg(picture(puzzle, labels=True))
    # What stands beside the grid is inside the picture, apart from the names of rows.
    (at,) = re.findall('<text x="([0-9.]+)"[^>]*>12<', drawn)
    (named,) = re.findall('<text x="([0-9.]+)"[^>]*>r1<', drawn)
    assert 0 < float(named) < float(at) - 20


@pytest.mark.parametrize(
    ("beside", "reason"),
    [
        ({"r3": 1}, "expected a place r1 to r2, c1 to c3 or 'all', found 'r3'"),
        ([("r1", 1), ("r1", 2)], "expected one number at r1, found a second"),
        ({"r1": -1}, "expected a number from 0 at r1, found -1"),
        (3, r"expected pairs such as \('r1', 3\) beside the grid, found 3"),
    ],
)
def test_wrong_numbers_are_refused(kinds, beside, reason):
    with pytest.raises(linkoracle.PuzzleError, match=reason):
        kinds["tallyloop"](["...", "..."], beside=beside)


def test_a_wrong_item_is_named_by_line_and_column(kinds):
    text = "tallyloop\nbeside r1=3 c9=2\n...\n...\n"
    with pytest.raises(linkoracle.FormatError, match=r"2:13: expected a place r1 to r2"):
        read(text)
    with pytest.raises(linkoracle.FormatError, match=r"2:8: expected 'beside' and numbers such"):
        read(text.replace("r1=3", "1,2"))


def test_a_number_beside_the_grid_is_named_in_explanations(kinds):
    puzzle = kinds["lengthloop"](["...", "...", "..."], beside={"all": 4})
    assert linkoracle.count(puzzle) == linkoracle.count(puzzle, engine="plain") == 4
    some = kinds["tallyloop"](["...", "...", "..."], beside={"r1": 0})
    with linkoracle.Session(some) as session:
        assert "The number of row 1 leaves no other choice" in str(session.hint())


def test_the_studio_keeps_numbers_beside_the_grid(kinds):
    puzzle = kinds["tallyloop"](["t..", "..s"], beside={"c3": 2, "r1": 12})
    assert puzzle_of(json.loads(json.dumps(board_of(puzzle)))) == puzzle

"""What names, borders and holes of regions mean, through all front doors."""

from __future__ import annotations

import pytest

from linkoracle import FormatError, Session, certificate, count, read, write
from linkoracle.certificates import record_of
from linkoracle.certificates import verify_certificate as checker
from linkoracle.core import PuzzleError
from linkoracle.kinds import CountryRoad, Detour, DoubleBack
from tests.certificates.forging import holds

SHAPE = ["abbb", "abbb", "aaba", "aaaa"]
HOLES = ["....", "..*.", "..*.", "...."]


def test_a_hole_belongs_to_no_region():
    puzzle = read("https://puzz.link/p?doubleback/5/5/2acgte1u100gg")
    assert count(puzzle) == 1
    assert {puzzle.region_of(cell) for cell, _ in puzzle.clue_cells()} == {None}
    # A region of holes alone is none, and a board with one region has no solution.
    known = DoubleBack(HOLES, regions=SHAPE)
    assert count(known) == count(DoubleBack(HOLES, regions=["abbb", "abcb", "aada", "aaaa"])) == 1
    for one in (DoubleBack(HOLES), DoubleBack.blank(4, 4)):
        assert count(one) == 0
        assert holds(certificate(one).data, checker.Puzzle(record_of(one)))
    # Parts that hang together through a hole only are several.
    parts = DoubleBack(["...", ".*.", "..."], regions=["aba", "aaa", "cac"])
    assert parts.regions == ((0, 1, 2), (0, None, 2), (3, 4, 5))


def test_equal_boards_are_equal_whatever_is_drawn_below_holes():
    known = DoubleBack(HOLES, regions=SHAPE)
    others = [
        DoubleBack(HOLES, regions=["abbb", "abab", "aaba", "aaaa"]),
        DoubleBack(["....", "..*.", "....", "...."], regions=["abbb", "abbb", "aa.a", "aaaa"]),
        DoubleBack.blank(4, 4, regions=["abbb", "ab.b", "aa.a", "aaaa"]),
    ]
    for other in others:
        assert (other, hash(other), other.regions) == (known, hash(known), known.regions)
        assert [*other.figures()] == [*known.figures()]
        assert write(other, "pzpr") == write(known, "pzpr")
        assert checker.Puzzle(record_of(other)).essence == checker.Puzzle(record_of(known)).essence
    every = DoubleBack(["**"], regions=["ab"])
    assert every == DoubleBack(["**"]) == DoubleBack([".."], regions=[".."])
    assert read(write(every, "text")) == read(write(every, "pzpr")) == every


def test_a_hole_comes_and_goes():
    known = DoubleBack(HOLES, regions=SHAPE)
    cell, hole = (1, 1), (1, 2)
    assert known.with_clues({cell: 0}) != known
    assert known.with_clues({cell: 0}).with_clues({cell: None}) == known
    assert known.with_clues({hole: None}).regions == (
        (0, 1, 1, 1),
        (0, 1, 1, 1),
        (0, 0, None, 0),
        (0,) * 4,
    )
    # A cell without a name gets a region of its own, so that its hole is not redundant.
    unnamed = DoubleBack.blank(4, 4, regions=known.regions)
    assert unnamed.with_clues({hole: None}).region_of(hole) not in {*unnamed.regions[0]}
    assert unnamed.with_clues({hole: None}).with_clues({hole: 0}) == unnamed
    with Session(unnamed) as session:
        assert session.redundant() == []
        session.set({cell: 0})
        assert session.undo()
        assert session.puzzle == unnamed
        assert session.reduce(seed=1) == ("unique", True)
        assert session.puzzle == unnamed


def test_names_are_borders():
    """Cells of one name that do not hang together are drawn, and solved, as several regions."""
    puzzle = CountryRoad(["1..", "...", "1.."], regions=["aaa", "bbb", "aaa"])
    assert puzzle.regions == ((0, 0, 0), (1, 1, 1), (2, 2, 2))
    assert puzzle == CountryRoad(puzzle.grid, regions=["aaa", "bbb", "ccc"])
    assert read(write(puzzle, "pzpr")) == puzzle
    with pytest.raises(PuzzleError, match="at most one clue in a region"):
        Detour(["1.1"], regions=["aaa"])
    Detour(["1.1"], regions=["a.a"])
    Detour(["1.1"], regions=["aba"])


@pytest.mark.parametrize(("name", "clues"), [("doubleback", ""), ("country", "g")])
def test_borders_inside_a_region_are_refused_where_lines_must_not_cross_them(name, clues):
    """On puzz.link a line across such a border counts as one that enters the region."""
    with pytest.raises(FormatError, match="inside a region, at r1c1 and r1c") as e:
        read(f"https://puzz.link/p?{name}/3/3/g000{clues}")
    assert (e.value.line, e.value.column) == (1, len(f"https://puzz.link/p?{name}/3/3/") + 1)
    assert read("https://puzz.link/p?detour/3/3/g000g").regions == ()
    # Beside a hole, the same border encloses a region.
    closed = read("https://puzz.link/p?doubleback/3/3/g00020")
    assert closed.regions == ((0, 1, 1), (None, 1, 1), (1, 1, 1))

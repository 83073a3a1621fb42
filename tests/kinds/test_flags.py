"""Variants that flags of pzpr name, and clues without a number."""

import pytest

from linkoracle import PuzzleError, count, draw, solutions, violations
from linkoracle.board import Lattice
from linkoracle.certificates import certificate
from linkoracle.certificates import verify_certificate as checker
from linkoracle.formats import read, write
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import loops

#: A kind, a variant of it, and its flags in URLs.
FLAGS = [
    *(("masyu", "fill", "mashu/f"), ("geradeweg", "fill", "geradeweg/f")),
    *(("balanceloop", "fill", "balance/f"), ("countryroad", "skip", "country/e")),
    *(("yajilin", "outside", "yajilin/o"), ("regionalyajilin", "outside", "yajilin-regions/o")),
    *(("koburin", "outside", "koburin/o"), ("koburin", "eight", "koburin/m")),
    ("koburin", "outside-eight", "koburin/mo"),
]


@pytest.mark.parametrize(("kind", "variant", "called"), FLAGS)
def test_a_flag_is_a_variant(kind, variant, called):
    puzzle, solution = KINDS[kind].examples[variant].of(KINDS[kind], variant)
    url = write(puzzle, "pzpr")
    assert f"?{called}/" in url
    for form in ("pzpr", "text", "json"):
        found = read(write(puzzle, form))
        assert found.variant == variant
        assert found.number_of_clues == puzzle.number_of_clues
    name, flags = called.split("/")
    turned = url.replace(f"?{called}/", f"?{name}/{flags[::-1]}/")
    assert read(turned).variant == variant
    assert [count(puzzle), count(puzzle, engine="plain")] == [1, 1]
    assert not violations(puzzle, solution)
    assert puzzle.rotate(1).variant == variant
    assert puzzle.with_variant("loop").variant == "loop"
    with pytest.raises(PuzzleError, match="expected the variant"):
        puzzle.with_variant("free")


def test_flags_of_the_picture_change_nothing():
    for body in ("yajilin/{}/4/4/a4.k20b", "koburin/{}/3/3/k1i"):
        plain = read(body.format(""))
        assert read(body.format("b")) == plain
        assert read(body.format("ob")) == read(body.format("bo")) == plain.with_variant("outside")


@pytest.mark.parametrize("kind", ["yajilin", "koburin", "regionalyajilin"])
def test_outside_leaves_the_solutions_without_a_shaded_cell_inside(kind):
    """Of all loops of a board, those of the usual rules whose shaded cells a ray leaves."""
    blank = KINDS[kind].blank(4, 4)
    usual, outside = {*solutions(blank)}, {*solutions(blank.with_variant("outside"))}
    rays = {
        loop
        for loop in usual
        if not any(
            sum(
                loop.lattice.edge((above, col), (above, col + 1)) in loop.edges
                for above in range(row)
                if col < 3
            )
            % 2
            for row, col in {(r, c) for r in range(4) for c in range(4)}
            - {cell for walk in loop.paths() for cell in walk}
        )
    }
    assert outside == rays
    assert usual > outside


def test_regions_may_be_left_out():
    regions = ["aab", "ccb", "ccb"]
    usual = KINDS["countryroad"](["...", "...", "..."], regions=regions)
    skip = usual.with_variant("skip")
    inside = [one for one in loops(3, 3) if not violations(skip, one)]
    assert {*solutions(skip)} == {*inside}
    assert {*solutions(usual)} <= {*inside}
    none = KINDS["countryroad"](["0..", "...", "..."], regions=regions, variant="skip")
    assert all((0, 0) not in walk for one in solutions(none) for walk in one.paths())


#: A puzzle with a clue of unknown value, and all clues with a value in its place.
UNKNOWN = [
    ("masyu", ["?...", "....", "..?.", "...."], (2, 2), ["w", "b"]),
    ("shingoki", [". . . .", ". ?4 . .", ". . . .", ". . . ."], (1, 1), ["w4", "b4"]),
    ("yajilin", ["....", ".x..", "....", "...."], (1, 1), [f"{n}e" for n in range(3)]),
    ("castlewall", ["....", ".?..", "....", "...."], (1, 1), [f"{n}s" for n in range(4)]),
    ("regionalyajilin", ["?...", "....", "....", "...."], (0, 0), [*range(9)]),
    ("detour", ["?...", "....", "....", "...."], (0, 0), [*range(17)]),
    ("countryroad", ["?...", "....", "....", "...."], (0, 0), [*range(1, 17)]),
]


@pytest.mark.parametrize(("kind", "grid", "cell", "values"), UNKNOWN)
def test_a_clue_without_a_value_has_any(kind, grid, cell, values):
    regions = {"regions": ["aabb", "aabb", "ccbb", "cccc"]} if "regions" in dir(KINDS[kind]) else {}
    puzzle = KINDS[kind](grid, **regions)
    found = {*solutions(puzzle)}
    every = [{*solutions(puzzle.with_clues({cell: value}))} for value in values]
    assert found == set().union(*every)
    assert sum(map(len, every)) == len(found) == count(puzzle, engine="plain")
    made = certificate(puzzle, limit=10_000)
    assert checker.verify(made.data)[1] == len(found)
    for form in ("text", "json"):
        assert read(write(puzzle, form)) == puzzle
    assert ("?" in draw(puzzle)) == (kind not in ("yajilin", "castlewall"))


def test_an_arrow_without_a_number_closes_its_cell():
    puzzle = read("https://puzz.link/p?yajilin/4/4/a4.k20b")
    assert puzzle.grid[0][1] == "e"
    closed = puzzle.with_clues({(0, 1): "x"})
    assert {*solutions(puzzle)} == {*solutions(closed)}
    assert read(write(puzzle, "pzpr")) == puzzle
    castle = KINDS["castlewall"]([". . . .", ". no . .", ". . . .", ". . . ."])
    bare = castle.with_clues({(1, 1): "o"})
    assert {*solutions(castle)} == {*solutions(bare)} != set()
    assert read(write(castle, "pzpr")) == castle
    assert Lattice(4, 4) == castle.lattice

"""Boards as JSON: they survive the way there and back; invalid ones are refused with a reason."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from linkoracle import Slitherlink
from linkoracle.core import PuzzleError
from linkoracle.kinds import KINDS
from linkoracle.kinds.region_loops import CountryRoad, DoubleBack
from linkoracle.studio.boards import MAX_CELLS, MAX_SIDE, OpenBorders, board_of, kinds, puzzle_of
from tests.strategies import puzzles
from tests.studio.asking import slitherlink


@given(puzzle=puzzles())
def test_a_board_is_its_puzzle(puzzle):
    assert puzzle_of(board_of(puzzle)) == puzzle


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"kind": "nurikabe"}, "expected the kind"),
        ({"kind": ["slitherlink"]}, "kind of a board as a string"),
        ({"variant": "every"}, "expected a variant of the kind 'slitherlink'"),
        ({"variant": ["loop"]}, "expected a variant of the kind 'slitherlink'"),
        ({"variant": "path"}, "two ends"),
        ({"rows": "2"}, "whole numbers"),
        ({"rows": True}, "whole numbers"),
        ({"rows": 0}, "found 0x2"),
        ({"rows": MAX_SIDE + 1}, f"at most {MAX_SIDE} rows"),
        ({"rows": 60, "cols": 60}, f"{MAX_CELLS} cells"),
        ({"cells": [None] * 3}, "a list of 4 cells"),
        ({"cells": [None, 5, None, None]}, "a clue from 0 to 4"),
        ({"cells": [None, True, None, None]}, "expected a number up to"),
        ({"cells": [None, 10**30, None, None]}, "expected a number up to"),
        ({"cells": [None, "2n" * 20, None, None]}, "a short word"),
        ({"cells": [None, "2n", None, None]}, "a clue from 0 to 4"),
        ({"points": {"starts": []}}, "expected points"),
        ({"points": {"ends": 7}}, "points as a list"),
        ({"points": {"ends": [[0, 0]] * 10_001}}, "points as a list"),
        ({"variant": "path", "points": {"ends": [[0, 0], [1, 1]]}}, "border"),
        ({"variant": "path", "points": {"ends": [[0, 0], "ab"]}}, "ends"),
    ],
)
def test_invalid_boards(change, reason):
    with pytest.raises(PuzzleError, match=reason):
        puzzle_of(slitherlink(2, 2) | change)


@pytest.mark.parametrize("board", [None, 3, [], "slitherlink", {}])
def test_values_that_are_not_boards(board):
    with pytest.raises(PuzzleError):
        puzzle_of(board)


def test_a_puzzle_that_is_too_large_for_the_page():
    with pytest.raises(PuzzleError, match="found 61x2"):
        board_of(Slitherlink.blank(61, 2))


def test_every_kind_is_offered_as_it_is():
    offered = {kind["name"]: kind for kind in kinds()}
    assert list(offered) == list(KINDS)
    variants = {
        variant["name"]: variant["points"] for variant in offered["slitherlink"]["variants"]
    }
    assert (variants["loop"], variants["path"]) == ({}, {"ends": 2})
    assert offered["numberlink"]["clues"]["#"]["figures"] == [["label", "#"]]
    assert [name for name, kind in offered.items() if kind["shades"]] == [
        "koburin",
        "regionalyajilin",
        "yajilin",
    ]
    lists = {name: set(kind["lists"]) for name, kind in offered.items()}
    assert lists["slitherlink"] == {"ends", "given", "forbidden", "holes"}
    assert lists["countryroad"] == {"given", "forbidden", "borders", "outside"}


@pytest.mark.parametrize("kind", list(KINDS))
def test_the_board_of_an_example_is_its_puzzle(kind):
    for variant, example in KINDS[kind].examples.items():
        puzzle, _ = example.of(KINDS[kind], variant)
        assert puzzle_of(json.loads(json.dumps(board_of(puzzle)))) == puzzle


def divided(*pairs, outside=()):
    board = board_of(CountryRoad.blank(2, 2))
    points = {"borders": [list(map(list, pair)) for pair in pairs], "outside": list(outside)}
    return board | {"points": {name: found for name, found in points.items() if found}}


def test_borders_are_regions():
    between = [((0, 0), (0, 1)), ((1, 0), (1, 1))]
    assert puzzle_of(divided(*between)).regions == ((0, 1), (0, 1))
    assert puzzle_of(divided()).regions == ()
    board = divided(((0, 0), (0, 1)), ((0, 1), (1, 1)), outside=[[0, 1]])
    puzzle = puzzle_of(board)
    assert puzzle.regions == ((0, None), (0, 0))
    assert board_of(puzzle) == board


def test_borders_that_close_no_region_are_reported():
    with pytest.raises(OpenBorders, match=r"a border .* closes no region") as raised:
        puzzle_of(divided(((0, 0), (0, 1))))
    assert raised.value.borders == [((0, 0), (0, 1))]
    with pytest.raises(OpenBorders, match="2 borders"):
        puzzle_of(
            board_of(CountryRoad.blank(3, 3))
            | {"points": {"borders": [[[0, 0], [0, 1]], [[2, 1], [2, 2]]]}}
        )


@pytest.mark.parametrize("borders", [[3], [[[0, 0]]], [["ab", "cd"]], [[[0, 0], [0, "x"]]]])
def test_invalid_borders(borders):
    with pytest.raises(PuzzleError, match="borders as pairs of cells"):
        puzzle_of(board_of(CountryRoad.blank(2, 2)) | {"points": {"borders": borders}})


def test_regions_in_two_parts_are_two_regions():
    puzzle = CountryRoad.blank(1, 3, regions=["aba"])
    assert puzzle_of(board_of(puzzle)) == puzzle == CountryRoad.blank(1, 3, regions=["abc"])


def test_holes_close_regions():
    """Borders that end at a hole close a region; those beside and between holes mean nothing."""
    puzzle = DoubleBack(["..*", "..*", "..."], regions=["aab", "bbb", "bbb"])
    board = board_of(puzzle)
    assert "outside" not in board["points"]
    assert puzzle_of(board) == puzzle
    board["points"]["borders"] = [[[0, 0], [1, 0]], [[0, 1], [1, 1]], [[0, 2], [1, 2]]]
    assert puzzle_of(board) == puzzle
    # Without the hole, the borders close no region.
    with pytest.raises(OpenBorders):
        puzzle_of(
            board | {"cells": [None] * 9, "points": {"borders": board["points"]["borders"][:2]}}
        )

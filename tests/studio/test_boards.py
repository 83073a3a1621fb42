"""Boards come and go as they are; what is no board is refused in words."""

from __future__ import annotations

import pytest
from hypothesis import given

from linkoracle import Slitherlink
from linkoracle.core.errors import PuzzleError
from linkoracle.studio.boards import MAX_CELLS, MAX_SIDE, board_of, edited_kinds, kinds, puzzle_of
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
        ({"rule": "apart"}, "expected a rule of the kind 'slitherlink'"),
        ({"rule": ["loop"]}, "expected a rule of the kind 'slitherlink'"),
        ({"rule": "path"}, "two ends"),
        ({"rows": "2"}, "whole numbers"),
        ({"rows": True}, "whole numbers"),
        ({"rows": 0}, "found 0x2"),
        ({"rows": MAX_SIDE + 1}, f"at most {MAX_SIDE} rows"),
        ({"rows": 60, "cols": 60}, f"{MAX_CELLS} cells"),
        ({"cells": [None] * 3}, "a list of 4 cells"),
        ({"cells": [None, 5, None, None]}, "a clue from 0 to 4"),
        ({"cells": [None, True, None, None]}, "expected a number up to"),
        ({"cells": [None, 10**30, None, None]}, "expected a number up to"),
        ({"points": {"starts": []}}, "expected points"),
        ({"points": {"ends": 7}}, "points as a list"),
        ({"points": {"ends": [[0, 0]] * 10_001}}, "points as a list"),
        ({"rule": "path", "points": {"ends": [[0, 0], [1, 1]]}}, "rim"),
        ({"rule": "path", "points": {"ends": [[0, 0], "ab"]}}, "ends"),
    ],
)
def test_what_is_no_board(change, reason):
    with pytest.raises(PuzzleError, match=reason):
        puzzle_of(slitherlink(2, 2) | change)


@pytest.mark.parametrize("board", [None, 3, [], "slitherlink", {}])
def test_what_is_nothing_like_a_board(board):
    with pytest.raises(PuzzleError):
        puzzle_of(board)


def test_a_puzzle_that_is_too_large_for_the_page():
    with pytest.raises(PuzzleError, match="found 61x2"):
        board_of(Slitherlink.blank(61, 2))


def test_every_kind_is_offered_as_it_is():
    offered = {kind["name"]: kind for kind in kinds()}
    assert list(offered) == edited_kinds()
    rules = {rule["name"]: rule["points"] for rule in offered["slitherlink"]["rules"]}
    assert rules == {"loop": {}, "path": {"ends": 2}, "fill": {}}
    looks = {name: kind["look"] for name, kind in offered.items()}
    assert looks == {"slitherlink": "text", "numberlink": "label", "simpleloop": "filled"}
    bounds = {name: (kind["least"], kind["most"]) for name, kind in offered.items()}
    assert bounds == {"slitherlink": (0, 4), "numberlink": (1, None), "simpleloop": (0, 0)}

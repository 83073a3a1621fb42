"""Cells that a loop must leave out, with any other constraints."""

from __future__ import annotations

import pytest

from linkoracle import count
from linkoracle.core import PuzzleError
from linkoracle.kinds import KINDS


def test_no_line_is_given_at_a_black_circle():
    with pytest.raises(PuzzleError, match="given lines that avoid holes, found 0,0-0,1"):
        KINDS["dotchiloop"](["b..", "...", "..."], given=[((0, 0), (0, 1))])


def test_no_loop_visits_a_white_circle_outside_all_regions():
    puzzle = KINDS["dotchiloop"](["w..", "...", "..."], regions=[".aa", "aaa", "aaa"])
    assert count(puzzle) == 0
    # Of the 13 loops of the board, 7 visit a given corner.
    assert count(puzzle.with_clues({(0, 0): None})) == 13 - 7

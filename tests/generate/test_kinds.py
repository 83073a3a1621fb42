"""Makers for every kind that says on its page how it is made."""

from __future__ import annotations

import pytest

import linkoracle
from linkoracle.core.errors import NothingFound, SearchTimeout
from linkoracle.generate import makers, puzzle, puzzles


def test_puzzles_are_unique_and_repeatable():
    some = list(puzzles("simpleloop", 6, 5, seed=3, wanted=4))
    assert len({made.puzzle for made in some}) == 4
    for made in some:
        assert list(linkoracle.solutions(made.puzzle)) == [made.solution]
        again = puzzle("simpleloop", 6, 5, seed=made.seed, index=made.index)
        assert (again.puzzle, again.solution, again.tried) == (
            made.puzzle,
            made.solution,
            made.tried,
        )
    fresh = puzzle("simpleloop", 4, 4, seed=None)
    assert puzzle("simpleloop", 4, 4, seed=fresh.seed).puzzle == fresh.puzzle


def test_what_was_tried_is_told():
    told = []
    made = puzzle("simpleloop", 6, 6, seed=1, progress=lambda line, _: told.append(line))
    assert told[-1] == f"{made.tried} tried"


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (("slitherlink", 5, 5), "expected a kind with a maker, 'balanceloop'"),
        (("chess", 5, 5), "got 'chess'"),
        (("simpleloop", 0, 5), "expected rows from 1, got 0"),
        (("simpleloop", 5, 2.5), "expected columns from 1, got 2.5"),
        (("simpleloop", 1000, 1000), "at most 2500 cells, got 1000x1000"),
        (("simpleloop", 1, 5), "at least 2x2 cells, found 1x5"),
    ],
)
def test_what_makes_no_sense(asked, reason):
    with pytest.raises(ValueError, match=reason):
        puzzle(*asked, seed=0)


def test_small_boards_run_out():
    with pytest.raises(NothingFound, match="only 1 different board: "):
        list(puzzles("simpleloop", 2, 2, wanted=2, seed=0))
    with pytest.raises(SearchTimeout):
        puzzle("simpleloop", 30, 30, timeout=0.05, seed=0)
    assert {"simpleloop", "masyu"} <= set(makers())

"""A mask alone: the clues stand on it, on nothing else, and make the line unique."""

from __future__ import annotations

import pytest

from linkoracle import is_unique, solve
from linkoracle.core.errors import NothingFound, SearchTimeout
from linkoracle.generate import slitherlink


def cells(picture):
    rows = picture.split()
    return [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]


RING = cells("##### #...# #...# #...# #####")
HEART = cells(
    """
    .##.##.
    #######
    #######
    #######
    .#####.
    ..###..
    ...#...
    """
)


def from_mask(rows, cols, mask, **options):
    return slitherlink(rows, cols, strategy="mask", must=mask, **options)


@pytest.mark.parametrize(("mask", "size"), [(RING, 5), (HEART, 7)])
def test_the_clues_are_the_mask(mask, size):
    for seed in range(2):
        made = from_mask(size, size, mask, seed=seed)
        assert [cell for cell, _ in made.puzzle.clue_cells()] == mask
        assert is_unique(made.puzzle)
        assert solve(made.puzzle) == made.solution
        assert from_mask(size, size, mask, seed=seed) == made


def test_it_says_when_nothing_is_found():
    with pytest.raises(NothingFound, match=r"none of 1 lines .* 1 left cells .* \(\d+ at best\)"):
        from_mask(6, 6, [(0, 0)], tries=1)
    with pytest.raises(NothingFound, match="none of 20 lines, the default"):
        from_mask(2, 2, [])
    with pytest.raises(SearchTimeout):
        from_mask(8, 8, [(0, 0)], timeout=0.2, tries=10**9)
    with pytest.raises(ValueError, match="no cell 9,0"):
        from_mask(6, 6, [(9, 0)])

"""Whole puzzles: certified, reproducible, all different."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from linkoracle import Slitherlink, check_solution, is_unique, write
from linkoracle.core import NothingFound
from linkoracle.generate import SHAPES, slitherlink, slitherlinks
from tests.generate.test_reducing import is_minimal


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_every_shape_makes_puzzles(shape):
    for seed in range(3):
        made = slitherlink(6, 7, seed=seed, shape=shape, minimal=True)
        assert (made.puzzle.rows, made.puzzle.cols) == (6, 7)
        assert check_solution(made.puzzle, made.solution)
        assert is_unique(made.puzzle)
        assert made.minimal
        assert is_minimal(made.puzzle)
        assert made.queries > 0


def test_the_same_seed_makes_the_same_puzzle():
    one, other = (slitherlink(8, 8, seed=3, index=5) for _ in range(2))
    assert one == other
    assert slitherlink(8, 8, seed=3, index=6) != one
    assert slitherlink(8, 8, seed=4, index=5) != one


def test_a_known_puzzle_stays_as_it_is():
    """Changes of this board break the promise that a seed makes the same puzzle."""
    made = slitherlink(4, 4, seed=1)
    assert write(made.puzzle, "pzpr") == "https://puzz.link/p?slither/4/4/h7361d66b"


def test_open_paths():
    made = slitherlink(7, 7, seed=2, ends="random", minimal=True)
    assert made.puzzle.variant == "path"
    assert is_unique(made.puzzle)
    assert is_minimal(made.puzzle)
    ends = ((0, 3), (7, 4))
    assert slitherlink(7, 7, seed=2, ends=ends).puzzle.ends == ends
    assert slitherlink(4, 4, seed=2, ends=ends_of(4), shape="uniform").puzzle.ends == ends_of(4)
    with pytest.raises(ValueError, match="loops only"):
        slitherlink(7, 7, ends=ends, shape="expand", seed=0)


def ends_of(size):
    return ((0, 0), (size, size))


def test_a_run_makes_no_board_twice():
    boards = [made.puzzle for made in islice(slitherlinks(3, 3, seed=1), 60)]
    assert len(set(boards)) == 60
    assert boards == [made.puzzle for made in islice(slitherlinks(3, 3, seed=1), 60)]


def test_a_run_ends_when_there_is_no_more():
    run = slitherlinks(1, 2, seed=1)
    boards = []
    with pytest.raises(NothingFound, match="found only"):  # noqa: PT012 - the run goes on until then
        while True:
            boards.append(next(run).puzzle)
    # Two cells: four minimal puzzles without the clue 4, two with it, and three with both clues.
    assert len(boards) == len({board.clues for board in boards}) <= 9
    assert all(is_unique(board) for board in boards)


def test_density():
    made = slitherlink(8, 8, seed=1, max_clue_density=0.4)
    assert len(list(made.puzzle.clue_cells())) <= 25
    tried = []
    with pytest.raises(
        NothingFound, match=r"in 3 attempts: 3 kept more than 1 clues \(2\d at best\)\. Try"
    ):
        slitherlink(
            *(8, 8),
            seed=1,
            max_clue_density=0.02,
            tries=3,
            progress=lambda line, _: tried.append(line),
        )
    assert tried[0] == "1 tried"
    assert re.fullmatch(r"2 tried: 1 kept more than 1 clues \((\d+) at best\)", tried[1])
    assert re.fullmatch(r"3 tried: 2 kept more than 1 clues \((\d+) at best\)", tried[2])
    with pytest.raises(ValueError, match="density"):
        slitherlink(8, 8, max_clue_density=0, seed=0)


def test_a_number_of_clues_is_met_or_the_next_line_is_tried():
    for strategy in ("random", "stack"):
        made = slitherlink(7, 7, seed=1, strategy=strategy, clues=20)
        assert len(list(made.puzzle.clue_cells())) == 20
        assert is_unique(made.puzzle)


def test_boards_of_one_row():
    made = slitherlink(1, 6, seed=1)
    assert is_unique(made.puzzle)
    assert made.puzzle != Slitherlink.blank(1, 6)

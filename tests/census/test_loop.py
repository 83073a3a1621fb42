"""Puzzles of one loop: against the bitsets, against definition, and through every filter."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from linkoracle import Lattice, MemoryLimit, Oracle, PuzzleError, Slitherlink, Solution, diagram
from linkoracle.board import SYMMETRIES
from linkoracle.census import census_kernel, puzzles_of
from linkoracle.census.board import LoopTable
from tests import brute_force


def by_bitset(table, loop, fours):
    bad = census_kernel.new_bitset(table.cells)
    census_kernel.mark_agreements(table.planes, loop, (1 << table.cells) - 1, bad)
    census_kernel.close_downward(bad)
    if not fours and (four := int(table.planes[2, loop])):
        census_kernel.forbid(bad, four)
    return [
        {size: number for size, number in enumerate(row) if number}
        for row in census_kernel.count_sizes(bad, table.cells).tolist()
    ]


@pytest.mark.parametrize(
    ("board", "loops"),
    [
        *(((rows, cols), None) for rows, cols in [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3)]),
        ((4, 4), 20),
        ((3, 5), 10),
        ((5, 4), 5),
        pytest.param((5, 5), 2, marks=pytest.mark.heavy),
    ],
)
def test_diagram_and_bitset_agree(board, loops):
    table = LoopTable.build(*board)
    source = random.Random(7)
    chosen = range(len(table))
    if loops is not None:
        chosen = [source.randrange(len(table)) for _ in range(loops)]
    for loop in chosen:
        fours = bool(loop % 2)
        puzzles = puzzles_of(table.solution(loop), fours=fours)
        assert [puzzles.by_clues(), puzzles.minimal().by_clues()] == by_bitset(table, loop, fours)


@pytest.fixture(scope="module")
def some():
    """The puzzles of one loop of 3 x 3 cells, as a family and as a list by definition."""
    loop = max(diagram(Slitherlink.blank(3, 3)), key=lambda loop: (len(loop), loop.edges))
    full = Slitherlink.from_solution(loop)
    listed = [
        puzzle
        for puzzle in brute_force.all_puzzles(3, 3, True)
        if all(full.grid[row][col] == clue for (row, col), clue in puzzle.clue_cells())
    ]
    return puzzles_of(loop), listed


def test_members(some):
    puzzles, listed = some
    assert len(puzzles.full.grid) == 3
    assert set(puzzles) == set(listed)
    assert puzzles.count() == len(listed) == len(list(puzzles))
    assert all(puzzle in puzzles for puzzle in listed)
    assert set(puzzles.minimal()) == set(brute_force.minimal_puzzles(frozenset(listed)))
    fewest = min(len(dict(puzzle.clue_cells())) for puzzle in listed)
    assert set(puzzles.smallest()) == {
        puzzle for puzzle in listed if len(dict(puzzle.clue_cells())) == fewest
    }


def test_what_is_no_member(some):
    puzzles, _ = some
    full = puzzles.full
    assert full in puzzles
    other = full.with_clues({(1, 1): (full.grid[1][1] + 1) % 4})
    assert other not in puzzles
    assert Slitherlink.blank(3, 3) not in puzzles
    assert Slitherlink.blank(3, 4) not in puzzles
    assert full.grid not in puzzles


def test_filters(some):
    puzzles, listed = some

    def kept(rule):
        return {puzzle for puzzle in listed if rule(dict(puzzle.clue_cells()))}

    assert set(puzzles.filter(required=[(0, 0), (2, 1)])) == kept(
        lambda given: (0, 0) in given and (2, 1) in given
    )
    assert set(puzzles.filter(forbidden=[(1, 1)])) == kept(lambda given: (1, 1) not in given)
    assert set(puzzles.filter(clues=(5, 6))) == kept(lambda given: 5 <= len(given) <= 6)
    assert set(puzzles.filter(without_value=1)) == kept(lambda given: 1 not in given.values())
    both = puzzles.filter(required=[(0, 0)], forbidden=[(2, 2)], clues=(0, 6))
    assert set(both) == kept(
        lambda given: (0, 0) in given and (2, 2) not in given and len(given) <= 6
    )
    assert set(both.minimal()) == {
        puzzle
        for puzzle in both
        if not any(puzzle.with_clues({c: None}) in both for c, _ in puzzle.clue_cells())
    }
    assert set(puzzles.filter(clues=(6, 9)).minimal()) == kept(lambda given: len(given) == 6)
    assert not puzzles.filter(clues=(0, 0))
    assert puzzles.filter(required=[(0, 0)]) & puzzles.filter(forbidden=[(0, 0)]) == (
        puzzles - puzzles
    )
    assert puzzles.filter(required=[(0, 0)]) | puzzles.filter(forbidden=[(0, 0)]) == puzzles


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetric_masks(some, symmetry):
    puzzles, listed = some
    moved = {
        "none": [],
        "top-bottom": [lambda row, col: (2 - row, col)],
        "left-right": [lambda row, col: (row, 2 - col)],
        "both": [lambda row, col: (row, 2 - col), lambda row, col: (2 - row, col)],
        "half-turn": [lambda row, col: (2 - row, 2 - col)],
        "diagonal": [lambda row, col: (col, row)],
        "quarter-turn": [lambda row, col: (col, 2 - row)],
        "antidiagonal": [lambda row, col: (2 - col, 2 - row)],
    }[symmetry]
    expected = set()
    for puzzle in listed:
        cells = {cell for cell, _ in puzzle.clue_cells()}
        if all({move(*cell) for cell in cells} == cells for move in moved):
            expected.add(puzzle)
    assert set(puzzles.symmetric(symmetry)) == expected


def test_sampling_is_uniform_and_seeded(some):
    puzzles, _ = some
    few = puzzles.smallest()
    drawn = few.sample(60 * few.count(), seed=3)
    assert drawn == few.sample(60 * few.count(), seed=3)
    seen = Counter(drawn)
    assert set(seen) == set(few)
    assert all(25 < number < 110 for number in seen.values())
    assert [few[index] for index in range(few.count())] == list(few)
    assert few[-1] == list(few)[-1]
    with pytest.raises(IndexError):
        few[few.count()]
    with pytest.raises(ValueError, match=r"expected the index of a puzzle.*got 0\.5"):
        few[0.5]
    with pytest.raises(ValueError, match="no puzzles"):
        (few - few).sample()
    with pytest.raises(ValueError, match="a number of puzzles from 0, got -1"):
        few.sample(-1)
    assert puzzles.sample(20) != puzzles.sample(20)


def test_samples_of_a_larger_loop_are_puzzles():
    loop = diagram(Slitherlink.blank(5, 6)).sample(1, seed=4)[0]
    puzzles = puzzles_of(loop)
    minimal = puzzles.minimal()
    assert puzzles.count() > 10**6
    with Oracle.slitherlink(5, 6) as oracle:
        for puzzle in puzzles.sample(10, seed=1) + minimal.sample(5, seed=1):
            clues = dict(puzzle.clue_cells())
            assert oracle.ask(clues).solutions == (loop,)
            if puzzle in minimal:
                assert not any(oracle.implies(clues, cell) for cell in clues)


def test_letter_x():
    """The 2012 paper's kind of example: about 2.9 x 10^9 puzzles with 8 to 35 clues."""
    rows = ("#...#", "##.##", ".###.", "..#..", ".###.", "##.##", "#...#")
    lattice = Lattice(8, 6)
    inside = [5 * row + col for row in range(7) for col in range(5) if rows[row][col] == "#"]
    sides = np.bincount(lattice.face_edges[inside].ravel(), minlength=lattice.num_edges)
    loop = Solution(lattice, tuple(np.flatnonzero(sides & 1).tolist()))
    puzzles = puzzles_of(loop)
    clues = puzzles.by_clues()
    assert (puzzles.count(), min(clues), max(clues)) == (2_912_556_380, 8, 35)
    with Oracle.slitherlink(7, 5) as oracle:
        for puzzle in puzzles.smallest().sample(3, seed=1) + puzzles.sample(3, seed=1):
            assert oracle.ask(dict(puzzle.clue_cells())).solutions == (loop,)


def test_loops_that_share_all_clues_have_no_puzzle():
    # Each of these fills three of four cells, and both give the clues 2 3 3 2.
    lattice = Lattice(3, 3)
    walk = [(0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (2, 1), (2, 0), (1, 0), (0, 0)]
    puzzles = puzzles_of(Solution.from_paths(lattice, [walk]))
    assert (puzzles.count(), puzzles.by_clues(), list(puzzles)) == (0, {}, [])
    assert not puzzles.minimal()
    assert not puzzles.smallest()


def test_bad_input(some):
    puzzles, _ = some
    lattice = Lattice(4, 4)
    squares = (
        Solution(lattice, (0, 1, 3, 7, 16, 19, 20, 23)),
        Solution(lattice, (0, 1)),
        Solution(lattice),
    )
    for wrong in squares:
        with pytest.raises(PuzzleError, match="single loop"):
            puzzles_of(wrong)
    with pytest.raises(ValueError, match="at most 62 cells"):
        puzzles_of(Solution(Lattice(9, 9), (0, 1, 3, 17)))
    with pytest.raises(ValueError, match="no cell 3,0"):
        puzzles.filter(required=[(3, 0)])
    with pytest.raises(ValueError, match="a symmetry out of"):
        puzzles.symmetric("spiral")
    flat = puzzles_of(Solution(Lattice(2, 3), (0, 1, 2, 4, 5, 6)))
    with pytest.raises(ValueError, match="a symmetry of this board"):
        flat.symmetric("diagonal")
    with pytest.raises(ValueError, match="one call"):
        puzzles & flat
    with pytest.raises(MemoryLimit):
        puzzles_of(diagram(Slitherlink.blank(5, 5)).sample(1, seed=1)[0], memory=1_600_000)

"""Puzzles of a board: against definition, reference numbers and the SAT oracle."""

from __future__ import annotations

import json
import random
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from linkoracle import MemoryLimit, Oracle, Slitherlink, is_unique
from linkoracle.batch import Processes
from linkoracle.board import Lattice, LinkModel
from linkoracle.census import BoardRun, board_census
from linkoracle.census.board import LoopTable
from linkoracle.frontier import count
from tests import brute_force

REFERENCE = Path(__file__).resolve().parents[3] / "shared" / "reference"
needs_reference = pytest.mark.skipif(
    not REFERENCE.is_dir(), reason=f"no reference counts at {REFERENCE}"
)


@needs_reference
def test_reference_census_in_full():
    reference = json.loads((REFERENCE / "slitherlink_census.json").read_text())
    assert reference["clue_values"] == [0, 1, 2, 3]
    for board, numbers in reference["boards"].items():
        census = board_census(*map(int, board.split("x")))
        assert sum(census.puzzles) == numbers["unique"]
        assert sum(census.minimal) == numbers["minimal"]
        assert list(census.puzzles) == numbers["by_clues"]


@pytest.mark.parametrize(
    ("board", "fours"),
    [
        *product([(1, 1), (1, 2), (1, 5), (2, 2), (2, 3), (3, 2)], (False, True)),
        ((2, 4), False),
        pytest.param((2, 4), True, marks=pytest.mark.heavy),
        pytest.param((3, 3), True, marks=pytest.mark.heavy),
    ],
)
def test_census_by_definition(board, fours):
    census = board_census(*board, fours=fours)
    cells = board[0] * board[1]
    puzzles = brute_force.all_puzzles(*board, fours)
    minimal = brute_force.minimal_puzzles(puzzles)
    assert census.puzzles == brute_force.by_clues(puzzles, cells)
    assert census.minimal == brute_force.by_clues(minimal, cells)
    assert census.puzzle_classes == brute_force.by_clues(brute_force.up_to_symmetry(puzzles), cells)
    assert census.minimal_classes == brute_force.by_clues(
        brute_force.up_to_symmetry(minimal), cells
    )


@pytest.mark.parametrize("board", [(2, 2), (2, 3)])
def test_sum_over_loops_is_the_number_of_unique_boards(board):
    """Every board of clues 0-3 and blanks is put to the SAT oracle: 4096 boards of 2x3 x 3.8."""
    cells = list(product(range(board[0]), range(board[1])))
    unique = 0
    with Oracle.slitherlink(*board) as oracle:
        for clues in product((None, 0, 1, 2, 3), repeat=len(cells)):
            given = {c: clue for c, clue in zip(cells, clues, strict=True) if clue is not None}
            unique += oracle.ask(given).unique
    assert unique == sum(board_census(*board).puzzles)


def test_board_and_its_turn_have_the_same_numbers():
    one, other = board_census(3, 4), board_census(4, 3)
    assert one.puzzles == other.puzzles
    assert one.minimal_classes == other.minimal_classes


def test_examples_are_what_they_claim():
    census = board_census(4, 4)
    for puzzle, clues in ((census.fewest, 3), (census.largest, 12)):
        cells = dict(puzzle.clue_cells())
        assert len(cells) == clues
        assert is_unique(puzzle)
        assert not any(is_unique(puzzle.with_clues({cell: None})) for cell in cells)
    assert census.minimal[2:4] == (0, 128)
    assert census.minimal[12:14] == (4, 0)


def test_random_clue_sets_agree_with_the_oracle():
    """Of each sampled loop's clue sets the share of unique ones is what the bitset says of each."""
    from linkoracle.census import census_kernel

    table = LoopTable.build(4, 4)
    source = random.Random(5)
    bad = census_kernel.new_bitset(16)
    verdicts = []
    with Oracle.slitherlink(4, 4) as oracle:
        for _ in range(12):
            loop = source.randrange(len(table))
            clues = dict(Slitherlink.from_solution(table.solution(loop)).clue_cells())
            census_kernel.mark_agreements(table.planes, loop, (1 << 16) - 1, bad)
            census_kernel.close_downward(bad)
            for _ in range(40):
                mask = source.getrandbits(16) | source.getrandbits(16)
                shown = {cell: clues[cell] for cell in clues if mask >> (4 * cell[0] + cell[1]) & 1}
                verdicts.append(oracle.ask(shown).unique)
                assert verdicts[-1] != int(bad[mask >> 6]) >> (mask & 63) & 1
    assert 50 < sum(verdicts) < len(verdicts) - 50


@pytest.mark.parametrize("board", [(1, 4), (2, 5), (3, 4), (4, 4)])
def test_loop_table_holds_every_loop_once(board):
    table = LoopTable.build(*board)
    lattice = Lattice(board[0] + 1, board[1] + 1)
    assert len(table) == count(LinkModel.blank_loop(lattice))
    assert len(set(table.interiors.tolist())) == len(table)
    symmetries = 8 if board[0] == board[1] else 4
    orbits = [symmetries // int(fixing).bit_count() for fixing in table.stabilisers]
    assert sum(orbits) == len(table)
    for loop in range(0, len(table), 97):
        clues = table.solution(loop).face_counts().ravel().tolist()
        planes = table.planes[:, loop].tolist()
        assert clues == [
            sum((plane >> cell & 1) << bit for bit, plane in enumerate(planes))
            for cell in range(table.cells)
        ]


def test_limits():
    with pytest.raises(ValueError, match="1 to 30 cells"):
        LoopTable.build(4, 8)
    with pytest.raises(ValueError, match="expected rows from 1, got 0"):
        LoopTable.build(0, 3)
    with pytest.raises(ValueError, match="expected columns from 1, got '3'"):
        board_census(3, "3")
    with pytest.raises(ValueError, match="expected a memory limit in bytes from 1, got 0"):
        board_census(1, 2, memory=0)
    with pytest.raises(MemoryLimit, match="over the limit"):
        BoardRun(4, 6, memory=4 << 20)
    with pytest.raises(MemoryLimit, match="4 processes"):
        BoardRun(4, 4, memory=4 << 20, executor=Processes(4))


def puzzles_by_histogram(table: LoopTable, clues: int) -> int:
    """Clue boards with so many clues, none of them 4, that fit exactly one loop: by counting fits.

    For every set of cells, the loops are sorted into boxes by their clues there.
    """
    values = sum(
        (table.planes[bit][:, None] >> np.arange(table.cells) & 1) << bit for bit in range(3)
    ).astype(np.int64)
    found = 0
    for cells in combinations(range(table.cells), clues):
        boxes = np.zeros(len(table), dtype=np.int64)
        for cell in cells:
            boxes = 4 * boxes + values[:, cell]
        usable = (values[:, cells] < 4).all(axis=1)
        # A box for each combination, or, where these are too many, only for those that occur.
        filled = boxes[usable]
        fits = np.bincount(filled) if clues < 9 else np.unique(filled, return_counts=True)[1]
        found += int((fits == 1).sum())
    return found


def test_few_clues_by_histogram():
    table, census = LoopTable.build(4, 4), board_census(4, 4)
    for clues in (1, 2, 3, 4, 16):
        assert puzzles_by_histogram(table, clues) == census.puzzles[clues]


@pytest.mark.heavy
def test_few_clues_of_five_by_five():
    """The numbers of the complete run of 5 x 5 cells."""
    table = LoopTable.build(5, 5)
    assert [puzzles_by_histogram(table, clues) for clues in (1, 2, 3)] == [0, 0, 104]
    assert puzzles_by_histogram(table, 25) == 1_222_152
    assert puzzles_by_histogram(table, 24) == 30_553_761

"""Slitherlinks made on a board that has lines given or forbidden, holes, ends or clues."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Slitherlink, check_solution, is_unique, solutions, solve
from linkoracle.core import NothingFound
from linkoracle.generate import SlitherlinkRequest, slitherlink, slitherlinks
from linkoracle.generate.attempts import with_all_clues
from linkoracle.generate.loops.shapes import two_colour


@st.composite
def boards(draw, most=7):
    """A board with a few of each, which may have no solution."""
    rows, cols = draw(st.integers(2, most)), draw(st.integers(2, most))
    rng = Random(draw(st.integers(0, 10**6)))
    ends = draw(st.sampled_from([None, ((0, 0), (rows, cols)), ((0, cols), (0, 0))]))
    lattice = Slitherlink.blank(rows, cols).lattice
    line = two_colour(rng, rows, cols, ends=ends)
    drawn = [tuple(map(lattice.position, lattice.ends(edge))) for edge in line.edges]
    other = [
        tuple(map(lattice.position, lattice.ends(edge)))
        for edge in range(lattice.num_edges)
        if edge not in line
    ]
    passed = {dot for ends_of in drawn for dot in ends_of}
    dots = [lattice.position(dot) for dot in range(lattice.num_vertices)]
    free = [dot for dot in dots if dot not in passed]
    shares = [draw(st.sampled_from([0, 0, 0.1, 0.4])) for _ in range(4)]
    lines, crosses, holes, clues = (
        [one for one in every if rng.random() < share]
        for every, share in zip(
            (drawn, other, free, [(row, col) for row in range(rows) for col in range(cols)]),
            shares,
            strict=True,
        )
    )
    counts = line.face_counts()
    blank = Slitherlink.blank(rows, cols, ends)
    board = replace(blank, given=lines, forbidden=crosses, holes=holes)
    return board.with_clues({cell: int(counts[cell]) for cell in clues}), line


@settings(max_examples=25)
@given(case=boards(), seed=st.integers(0, 10**6), symmetry=st.sampled_from(["none", "half-turn"]))
def test_what_the_board_has_stays_and_there_is_one_solution(case, seed, symmetry):
    board, _ = case
    made = slitherlink(board.rows, board.cols, board=board, seed=seed, symmetry=symmetry)
    assert replace(made.puzzle, clues=board.clues) == board
    assert dict(board.clue_cells()).items() <= dict(made.puzzle.clue_cells()).items()
    assert check_solution(made.puzzle, made.solution)
    assert is_unique(made.puzzle)
    again = slitherlink(board.rows, board.cols, board=board, seed=seed, symmetry=symmetry)
    assert again == made


@settings(max_examples=25)
@given(case=boards(4), data=st.data())
def test_an_exact_mask_on_a_board_is_filled_if_a_loop_has_its_clues_alone(case, data):
    """Compare with all loops of the board: one that has its clues alone, or none."""
    board, _ = case
    cells = [(row, col) for row in range(board.rows) for col in range(board.cols)]
    mask = data.draw(st.sets(st.sampled_from(cells))) | {cell for cell, _ in board.clue_cells()}
    digits = dict(board.clue_cells())
    free = mask - digits.keys()
    by_clues = {}
    for line in solutions(replace(board, clues=())):
        counts = line.face_counts()
        by_clues.setdefault(tuple(int(counts[cell]) for cell in sorted(mask)), []).append(counts)
    fits = [
        counts
        for counts, *others in by_clues.values()
        if not others
        and all(counts[cell] == digit for cell, digit in digits.items())
        and 2 * sum(counts[cell] == 0 for cell in free) <= len(free) + 1
    ]
    request = SlitherlinkRequest(
        board.rows, board.cols, board=board, must=mask, strategy="mask", tries=3
    )
    if not fits:
        with pytest.raises(NothingFound):
            slitherlink(request, seed=0)
        return
    made = slitherlink(request, seed=0)
    assert {cell for cell, _ in made.puzzle.clue_cells()} == mask
    assert replace(made.puzzle, clues=board.clues) == board
    assert is_unique(made.puzzle)


@settings(max_examples=25)
@given(case=boards(), seed=st.integers(0, 10**6))
def test_a_line_that_fits_the_board_is_clued(case, seed):
    board, line = case
    if is_unique(with_all_clues(board, line)):
        made = slitherlink(board.rows, board.cols, board=board, loop=line, seed=seed, minimal=True)
        assert made.solution == line
        assert replace(made.puzzle, clues=board.clues) == board
        assert is_unique(made.puzzle)
    else:
        reason = r"full clues|another solution even with all clues"
        with pytest.raises(NothingFound, match=reason):
            slitherlink(board.rows, board.cols, board=board, loop=line, seed=seed, minimal=True)


def test_lines_that_are_given_take_the_place_of_clues():
    """Where all of a line is given, no clue is needed."""
    line = two_colour(Random(3), 6, 6)
    lattice = line.lattice
    drawn = [tuple(map(lattice.position, lattice.ends(edge))) for edge in line.edges]
    board = replace(Slitherlink.blank(6, 6), given=drawn)
    made = slitherlink(6, 6, board=board, minimal=True, seed=0)
    assert (made.solution, made.puzzle) == (line, board)
    assert slitherlink(6, 6, board=board, strategy="fewest", seed=0).puzzle == board


def test_puzzles_of_a_board_differ():
    board = replace(Slitherlink.blank(6, 6), holes=[(3, 3)], given=[((0, 0), (0, 1))])
    found = {made.puzzle for made in slitherlinks(6, 6, board=board, limit=6, seed=0)}
    assert len(found) == 6
    assert len({solve(puzzle) for puzzle in found}) > 1


def test_a_board_without_any_line():
    board = replace(Slitherlink.blank(4, 4), given=[((0, 0), (0, 1))], forbidden=[((0, 0), (1, 0))])
    with pytest.raises(NothingFound, match="no loop fits the board"):
        slitherlink(4, 4, board=board, seed=0)


HOLES = replace(Slitherlink.blank(4, 4, ((0, 0), (4, 4))), holes=[(2, 2)])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board": Slitherlink.blank(4, 5)}, "say 4 rows of 4 cells, the board has 4 rows of 5"),
        ({"board": "a board"}, "expected a board of 4x4 cells"),
        ({"board": HOLES, "ends": ((0, 0), (0, 4))}, "expected the ends of the board only"),
        ({"board": HOLES, "ends": "random"}, "expected the ends of the board only"),
        ({"board": Slitherlink.blank(4, 4).with_clues({(0, 0): 2}), "digits": {(0, 0): 3}},
         r"expected the clue 2 of the board at \(0, 0\), got 3"),
        ({"board": Slitherlink.blank(4, 4).with_clues({(0, 0): 2}), "must_not": [(0, 0)]},
         "cannot both"),
        ({"board": replace(Slitherlink.blank(4, 4), holes=[(0, 0)]),
          "loop": two_colour(Random(1), 4, 4)},
         "expected a loop that fits the board: a line passes the hole 0,0"),
    ],
)  # fmt: skip
def test_boards_that_make_no_sense(options, message):
    with pytest.raises(ValueError, match=message):
        SlitherlinkRequest(4, 4, **options)

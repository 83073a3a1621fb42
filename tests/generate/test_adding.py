"""The fewest clues that make a puzzle unique, against brute force; searches that are stopped."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Numberlink, Slitherlink, decide, solutions
from linkoracle.boards import honeycomb
from linkoracle.cli.main import main
from linkoracle.core import NothingFound, NotSupported
from linkoracle.formats import read, write
from linkoracle.generate import add_clues, slitherlink
from linkoracle.generate.clues import adding
from linkoracle.kinds import KINDS
from tests.strategies import slitherlinks


def fewest(puzzle):
    """How many clues are needed, by trying all sets of cells; ``None`` if all do not do."""
    counts = [one.face_counts().ravel().tolist() for one in solutions(puzzle)]
    empty = [at for at, cell in enumerate(cell for row in puzzle.grid for cell in row)
             if cell is None]  # fmt: skip
    for size in range(len(empty) + 1):
        for cells in combinations(empty, size):
            shown = [tuple(numbers[at] for at in cells) for numbers in counts]
            if any(shown.count(one) == 1 for one in shown):
                return size
    return None


def checked(puzzle, added):
    """What holds of every answer."""
    clues = dict(puzzle.clue_cells())
    assert dict(added.puzzle.clue_cells()).items() >= clues.items()
    assert {cell for cell, _ in added.puzzle.clue_cells()} == clues.keys() | set(added.cells)
    assert clues.keys().isdisjoint(added.cells)
    assert replace(added.puzzle, clues=puzzle.clues) == puzzle
    assert decide(added.puzzle).solutions == (added.solution,)
    assert added.lower_bound <= len(added.cells)


@st.composite
def boards(draw):
    rows, cols = draw(st.sampled_from([(1, 1), (2, 2), (2, 3), (3, 3), (3, 4), (1, 4)]))
    clue = st.sampled_from([None, None, None, 0, 1, 2, 3])
    grid = [[draw(clue) for _ in range(cols)] for _ in range(rows)]
    ends = draw(st.sampled_from([None, ((0, 0), (rows, cols)), ((0, 0), (0, 1))]))
    return Slitherlink(grid, ends)


@given(boards(), st.sampled_from([3, 300]))
@settings(max_examples=80, deadline=None)
def test_against_brute_force(puzzle, listed):
    least = fewest(puzzle)
    with pytest.MonkeyPatch.context() as patch:
        # With few of them looked at, the oracle has to find the others.
        patch.setattr(adding, "_LISTED", listed)
        if least is None:
            with pytest.raises(NothingFound):
                add_clues(puzzle)
            return
        added = add_clues(puzzle)
    checked(puzzle, added)
    assert added.proven
    assert len(added.cells) == least


@given(slitherlinks(fixed=True))
@settings(max_examples=60, deadline=None)
def test_lines_and_holes_stay(puzzle):
    rows = [row[:1] + (None,) * (puzzle.cols - 1) for row in puzzle.grid]
    puzzle = replace(puzzle, clues=rows, faces=None)
    least = fewest(puzzle)
    try:
        added = add_clues(puzzle)
    except NothingFound:
        assert least is None
        return
    checked(puzzle, added)
    assert added.proven
    assert len(added.cells) == least


def test_a_puzzle_with_one_solution_needs_no_clue():
    puzzle = slitherlink(6, 6, seed=1).puzzle
    added = add_clues(puzzle)
    assert (added.puzzle, added.cells, added.proven) == (puzzle, (), True)


def test_what_is_stopped_says_what_is_proven(clock):
    puzzle = Slitherlink.blank(9, 9).with_clues({(4, 4): 3, (0, 0): 2})
    messages = []

    def progress(words, _):
        messages.append(words)
        clock.run_out_when_told(words)

    added = add_clues(puzzle, timeout=600, progress=progress)
    checked(puzzle, added)
    assert not added.proven
    assert added.lower_bound >= 1
    assert messages[0] == f"at least 0 clues, at most {len(added.cells)}"


@pytest.mark.parametrize("interrupt", [True, False])
def test_what_is_stopped_gives_the_best_so_far(clock, interrupt):
    """By Ctrl-C, or by the time limit; the best is shown as soon as it is found."""
    puzzle = Slitherlink.blank(8, 8).with_clues({(4, 4): 3, (0, 0): 2})
    shown = []

    def progress(words, _):
        if words.startswith("at least 2"):
            if interrupt:
                raise KeyboardInterrupt
            clock.run_out()

    added = add_clues(
        puzzle, timeout=600, progress=progress, preview=lambda board, _: shown.append(board)
    )
    checked(puzzle, added)
    assert added.interrupted == interrupt
    assert added.lower_bound == 2
    assert added.puzzle == shown[-1]
    # Each that is shown could be taken.
    assert all(decide(board).unique for board in shown)
    numbers = [board.number_of_clues for board in shown]
    assert numbers == sorted(numbers, reverse=True)


def test_on_a_board_that_is_not_square():
    board = honeycomb(2, 3)
    for clues in ({}, {0: 2, 5: 3}, {1: 4}):
        puzzle = Slitherlink.on(board, clues)
        counts = [one.counts() for one in solutions(puzzle, engine="plain")]
        empty = [face for face in range(board.num_faces) if face not in clues]
        least = next(
            size
            for size in range(len(empty) + 1)
            for faces in combinations(empty, size)
            if 1 in Counter(tuple(one[face] for face in faces) for one in counts).values()
        )
        added = add_clues(puzzle)
        assert added.proven
        assert len(added.cells) == least
        assert decide(added.puzzle).solutions == (added.solution,)
        assert dict(added.puzzle.clue_cells()).items() >= clues.items()


def test_other_kinds_are_refused_by_name():
    for puzzle in (Numberlink([[1, 1]]), KINDS["grandtour"].blank(2, 2)):
        with pytest.raises(
            NotSupported, match=f"clues are added .* not to the kind '{puzzle.kind}'"
        ):
            add_clues(puzzle)


def test_the_command_adds_clues_and_says_what_is_proven(tmp_path):
    lacking, made = tmp_path / "lacking.txt", tmp_path / "made.txt"
    lacking.write_text("slitherlink\n3 . .\n. . .\n3 . 3\n")
    found = CliRunner().invoke(main, ["add-clues", "-o", str(made), str(lacking)])
    assert found.exit_code == 0
    assert found.stderr == f"{lacking}: 1 clue added, and fewer do not do\n"
    puzzle = read(made)
    assert puzzle.number_of_clues == 4
    assert decide(puzzle).unique
    blank = write(Slitherlink.blank(12, 12).with_clues({(6, 6): 3}), "text")
    found = CliRunner().invoke(main, ["add-clues", "--timeout", "1", "-"], input=blank)
    assert found.exit_code == 3
    assert re.fullmatch(
        r"<stdin>: \d+ clues added, and at least \d+ (is|are) needed\n", found.stderr
    )
    assert decide(read(found.stdout)).unique


def test_more_solutions_than_are_listed():
    full = slitherlink(8, 8, seed=4, minimal=True).puzzle
    cells = [cell for cell, _ in full.clue_cells()][::9]
    puzzle = full.with_clues(dict.fromkeys(cells))
    added = add_clues(puzzle)
    checked(puzzle, added)
    assert added.proven
    assert len(added.cells) <= len(cells)


def test_no_solution_cannot_become_one():
    with pytest.raises(NothingFound, match="the puzzle has no solution"):
        add_clues(Slitherlink([[4, 4]]))

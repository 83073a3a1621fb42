from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings

import linkoracle
from linkoracle import Numberlink, PuzzleError, SimpleLoop, Slitherlink
from linkoracle.formats.writing import texts, write_rows
from linkoracle.kinds import KINDS as KINDS_BY_NAME
from tests.strategies import puzzles


def test_puzzles_are_values():
    one, same = Slitherlink([[1, None]]), Slitherlink(((1, None),))
    assert one == same
    assert hash(one) == hash(same)
    assert one != Slitherlink([[1, None]], ((0, 0), (1, 2)))
    assert Numberlink([[1, 1]]) != Numberlink([[1, 1]], "fill")
    with pytest.raises(AttributeError):
        one.clues = ()


def test_ends_are_kept_in_order():
    assert Slitherlink.blank(1, 1, ((1, 1), (0, 0))) == Slitherlink.blank(1, 1, ((0, 0), (1, 1)))


@given(puzzles())
def test_rows_may_be_text(puzzle):
    # A row without spaces has a cell per character, so "10" is two cells.
    assume(puzzle.cols > 1)
    assert replace(puzzle, clues=write_rows(texts(puzzle)), faces=None) == puzzle
    assert linkoracle.read(str(puzzle)) == puzzle


def test_cells_of_rows_of_text():
    assert Numberlink(["10 . 2", " 2 - 10"]).grid == ((10, None, 2), (2, None, 10))
    assert SimpleLoop(["*.", ".."]).holes == ((0, 0),)
    for row in ("3x", "3\u0663", "3 " + 9000 * "1"):
        with pytest.raises(
            PuzzleError, match=r"expected a clue from 0 to 4 or '\?', found"
        ) as caught:
            Slitherlink(["..", row])
        assert caught.value.cell == (1, 1)


def test_a_verdict_is_true_if_there_is_one_solution():
    answers = [bool(linkoracle.decide(Slitherlink(rows))) for rows in (["4"], ["44"], ["..", ".."])]
    assert answers == [True, False, False]


@pytest.mark.parametrize(
    ("clues", "ends", "reason", "cell"),
    [
        ([], None, "at least one cell", None),
        ([[]], None, "at least one cell", None),
        ([[1, 2], [3]], None, "expected 2 cells in row 2", (1, 0)),
        ([[1, 2], [3, 5]], None, r"expected a clue from 0 to 4 or '\?', found 5", (1, 1)),
        ([[-2]], None, "found -2", (0, 0)),
        ([[1]], ((0, 0), (0, 0)), "two different ends", None),
        ([[None] * 2] * 2, ((0, 0), (1, 1)), "on the border of the 3x3 dots, found 1,1", None),
        ([[1]], ((0, 0), (0, 9)), "found 0,9", None),
        ([[1]], ((0, 0),), "expected two ends", None),
    ],
)
def test_bad_slitherlinks(clues, ends, reason, cell):
    with pytest.raises(PuzzleError, match=reason) as caught:
        Slitherlink(clues, ends)
    assert caught.value.cell == cell


@pytest.mark.parametrize(
    ("numbers", "variant", "reason", "cell"),
    [
        ([[1, 2, 1]], "free", "number 2 to stand exactly twice, found it once", (0, 1)),
        ([[1, 1, 1]], "free", "found it 3 times", (0, 2)),
        ([[0, 0]], "free", "expected a number from 1, found 0", (0, 0)),
        ([[1, 1]], "all", "'apart' or 'fill-apart', found 'all'", None),
    ],
)
def test_bad_numberlinks(numbers, variant, reason, cell):
    with pytest.raises(PuzzleError, match=reason) as caught:
        Numberlink(numbers, variant)
    assert caught.value.cell == cell


def test_numbers_must_be_placed_on_free_cells():
    with pytest.raises(PuzzleError, match="free cell of the board, found 0,0"):
        Numberlink.from_pairs(1, 3, [((0, 0), (0, 1)), ((0, 0), (0, 2))])
    with pytest.raises(PuzzleError, match="found 1,0"):
        Numberlink.from_pairs(1, 3, [((0, 0), (1, 0))])


def test_turning_and_mirroring():
    puzzle = Slitherlink([[0, 1, 2], [3, None, 4]], ((0, 1), (2, 3)))
    assert puzzle.rotate() == Slitherlink([[3, 0], [None, 1], [4, 2]], ((1, 2), (3, 0)))
    assert puzzle.reflect() == Slitherlink([[2, 1, 0], [4, None, 3]], ((0, 2), (2, 0)))
    assert puzzle.rotate(4) == puzzle.rotate(-2).rotate(2) == puzzle.reflect().reflect() == puzzle
    links = Numberlink([[1, 2, None], [1, None, 2]], "fill")
    assert links.rotate() == Numberlink([[1, 1], [None, 2], [2, None]], "fill")
    assert links.reflect() == Numberlink([[None, 2, 1], [2, None, 1]], "fill")


def test_clues_are_changed_on_a_copy():
    puzzle = Slitherlink([[1, None]])
    assert puzzle.with_clues({(0, 0): None, (0, 1): 3}) == Slitherlink([[None, 3]])
    assert puzzle == Slitherlink([[1, None]])
    links = Numberlink([[1, None, 1]], "fill")
    assert links.with_clues({(0, 1): 1, (0, 2): None}) == Numberlink([[1, 1, None]], "fill")


KINDS = [Slitherlink, Numberlink, SimpleLoop]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "cell", [(-1, 0), (0, -1), (2, 0), (0, 3), (0.0, 1), (True, 0), "ab", 7, (1,)]
)
def test_no_cell_outside_the_board_is_changed(kind, cell):
    with pytest.raises(PuzzleError) as caught:
        kind.blank(2, 3).with_clues({cell: None})
    assert str(caught.value) == f"expected a cell (row, column) of 2 x 3 cells, got {cell!r}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("clue", [2.9, 2.0, True, "2", -2, float("nan"), [1], 10.5])
def test_what_is_no_clue_is_refused_with_its_place(kind, clue):
    expected = {
        Slitherlink: "a clue from 0 to 4 or '?'",
        Numberlink: "a number from 1",
        SimpleLoop: "a hole (0)",
    }[kind]
    for make in (
        lambda: kind([[None, None], [clue, None]]),
        lambda: kind.blank(2, 2).with_clues({(1, 0): clue}),
        lambda: kind.from_grid([[None, None], [clue, None]]),
    ):
        with pytest.raises(PuzzleError) as caught:
            make()
        assert str(caught.value) == f"expected {expected}, found {clue!r}"
        assert caught.value.cell == (1, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_grid_is_refused(kind):
    for rows in ("..", 5, [1, 2], [[]], []):
        with pytest.raises(PuzzleError):
            kind(rows)
    for bad in (0, -1, 2.5, "3", True):
        for size in ((bad, 2), (2, bad)):
            with pytest.raises(PuzzleError, match=f"from 1, got {bad!r}"):
                kind.blank(*size)


def test_whole_numbers_of_other_types_become_int():
    for cell in (np.int64(0), np.uint8(0)):
        for kind in (Slitherlink, SimpleLoop):
            puzzle = kind([[cell, None]])
            assert puzzle == kind([[0, None]])
            assert type(puzzle.grid[0][0]) is int
    assert Slitherlink(np.array([[1, 2], [3, 4]])) == Slitherlink([[1, 2], [3, 4]])
    ends = ((np.int64(1), 1), (0, 0))
    assert repr(Slitherlink([[1]], ends)) == "Slitherlink(((1,),), ends=((0, 0), (1, 1)))"


@pytest.mark.parametrize("ends", [5, ((0, 0), (1.0, 1)), ((0,), (1, 1)), ((0, 0), (True, 1))])
def test_ends_that_are_no_dots(ends):
    with pytest.raises(PuzzleError, match="expected two ends, each as row and column of a dot"):
        Slitherlink([[1]], ends)


@settings(max_examples=50, deadline=None)
@given(puzzles())
def test_all_kinds_have_one_vocabulary(puzzle):
    kind = type(puzzle)
    assert KINDS_BY_NAME[puzzle.kind] is kind
    assert dict(puzzle.clue_cells()) == {
        (row, col): clue
        for row, cells in enumerate(puzzle.grid)
        for col, clue in enumerate(cells)
        if clue is not None
    }
    without = puzzle.with_clues(dict.fromkeys(dict(puzzle.clue_cells())))
    assert without.grid == kind.blank(puzzle.rows, puzzle.cols).grid
    assert without.with_clues(dict(puzzle.clue_cells())) == puzzle
    assert puzzle.variant in puzzle.variants
    assert puzzle.with_variant(puzzle.variant) == puzzle
    assert puzzle.rotate().reflect().rotate().reflect() == puzzle
    points = {name: getattr(puzzle, name) for name in puzzle.annotations if getattr(puzzle, name)}
    assert kind.from_grid(puzzle.grid, puzzle.variant, **points) == puzzle
    solution = linkoracle.solve(puzzle)
    assume(solution is not None)
    full = kind.from_solution(solution, **{n: at for n, at in points.items() if n == "ends"})
    assert linkoracle.check_solution(full, solution)


def test_a_numberlink_from_its_solution():
    links = Numberlink([[2, None, 1], [2, None, 1]], "fill")
    solution = linkoracle.Solution.from_paths(
        links.lattice, [[(0, 0), (0, 1), (1, 1), (1, 0)], [(0, 2), (1, 2)]]
    )
    assert Numberlink.from_solution(solution, "fill") == links.renumbered()
    loop = linkoracle.solve(SimpleLoop.blank(2, 2))
    with pytest.raises(PuzzleError, match="expected paths, found a loop"):
        Numberlink.from_solution(loop)
    branch = linkoracle.Solution.from_paths(loop.lattice, [[(0, 0), (0, 1)], [(0, 0), (1, 0)]])
    assert Numberlink.from_solution(branch).pairs() == {1: ((0, 1), (1, 0))}


@pytest.mark.parametrize(
    "puzzle",
    [
        Slitherlink.blank(1, 1),
        Slitherlink.blank(1, 1, ((0, 0), (1, 1))),
        Numberlink([[1, 1]]),
        Numberlink([[1, 1]], "fill"),
        SimpleLoop.blank(2, 2),
    ],
    ids=lambda puzzle: f"{puzzle.kind} {puzzle.variant}",
)
def test_every_rule_of_ours_is_told_with_an_example(puzzle):
    assert puzzle.instructions.keys() == puzzle.examples.keys() == puzzle.variants.keys()
    shown, solution = puzzle.examples[puzzle.variant].of(type(puzzle), puzzle.variant)
    assert (shown.kind, shown.variant) == (puzzle.kind, puzzle.variant)
    assert linkoracle.check_solution(shown, solution)
    assert linkoracle.decide(shown).unique

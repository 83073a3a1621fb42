from __future__ import annotations

import pytest

from linkoracle import Numberlink, PuzzleError, Slitherlink


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


@pytest.mark.parametrize(
    ("clues", "ends", "reason", "cell"),
    [
        ([], None, "at least one cell", None),
        ([[]], None, "at least one cell", None),
        ([[1, 2], [3]], None, "expected 2 cells in row 2", (1, 0)),
        ([[1, 2], [3, 5]], None, "expected a clue from 0 to 4, found 5", (1, 1)),
        ([[-1]], None, "found -1", (0, 0)),
        ([[1]], ((0, 0), (0, 0)), "two different ends", None),
        ([[None] * 2] * 2, ((0, 0), (1, 1)), "on the rim of the 3x3 dots, found 1,1", None),
        ([[1]], ((0, 0), (0, 9)), "found 0,9", None),
        ([[1]], ((0, 0),), "expected two ends", None),
    ],
)
def test_bad_slitherlinks(clues, ends, reason, cell):
    with pytest.raises(PuzzleError, match=reason) as caught:
        Slitherlink(clues, ends)
    assert caught.value.cell == cell


@pytest.mark.parametrize(
    ("numbers", "rule", "reason", "cell"),
    [
        ([[1, 2, 1]], "free", "number 2 to stand exactly twice, found it once", (0, 1)),
        ([[1, 1, 1]], "free", "found it 3 times", (0, 2)),
        ([[0, 0]], "free", "expected a number from 1, found 0", (0, 0)),
        ([[1, 1]], "all", "expected the rule 'free' or 'fill', found 'all'", None),
    ],
)
def test_bad_numberlinks(numbers, rule, reason, cell):
    with pytest.raises(PuzzleError, match=reason) as caught:
        Numberlink(numbers, rule)
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

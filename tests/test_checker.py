"""The checker finds every way in which a solution can be wrong."""

from __future__ import annotations

import pytest

from linkoracle import Lattice, Numberlink, Slitherlink, Solution, check_solution, violations


def on(puzzle, *walks):
    return Solution.from_paths(puzzle.lattice, walks)


BLANK = Slitherlink.blank(2, 3)
SQUARE = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]
FAR_SQUARE = [(1, 2), (1, 3), (2, 3), (2, 2), (1, 2)]
LINE = Slitherlink.blank(1, 2, ((0, 0), (1, 2)))
NUMBERS = Numberlink([[1, None, 2], [None, None, None], [1, None, 2]])
FILLED = Numberlink(NUMBERS.numbers, "fill")
LEFT = [(0, 0), (1, 0), (2, 0)]
RIGHT = [(0, 2), (1, 2), (2, 2)]
BENT = [(0, 0), (0, 1), (1, 1), (1, 0), (2, 0)]


@pytest.mark.parametrize(
    ("puzzle", "walks"),
    [
        (BLANK, [SQUARE]),
        (Slitherlink([[4, 1, 0], [1, None, None]]), [SQUARE]),
        (LINE, [[(0, 0), (0, 1), (1, 1), (1, 2)]]),
        (NUMBERS, [LEFT, RIGHT]),
        (NUMBERS, [BENT, RIGHT]),
        (Numberlink([[1, None], [1, None]], "fill"), [[(0, 0), (0, 1), (1, 1), (1, 0)]]),
    ],
)
def test_right_solutions(puzzle, walks):
    assert violations(puzzle, on(puzzle, *walks)) == []
    assert check_solution(puzzle, on(puzzle, *walks))


@pytest.mark.parametrize(
    ("puzzle", "walks", "reason"),
    [
        (BLANK, [], "no line at all"),
        (BLANK, [SQUARE, FAR_SQUARE], "fall into 2 parts"),
        (BLANK, [SQUARE[:4]], "a line ends at dot 0,0"),
        (BLANK, [SQUARE, [(1, 1), (1, 2)]], "3 lines meet at dot 1,1"),
        (Slitherlink([[3]]), [SQUARE], "the clue 3 at r1c1 has 4 lines around it"),
        (Slitherlink([[None, 2]]), [SQUARE], "the clue 2 at r1c2 has 1 line around it"),
        (LINE, [[(0, 0), (0, 1), (0, 2)]], "a line ends at dot 0,2"),
        (LINE, [[(0, 1), (0, 2), (1, 2)]], "no line ends at dot 0,0"),
        (LINE, [SQUARE], "2 lines meet at dot 0,0"),
        (NUMBERS, [LEFT], "r1c3 joins 2"),
        (NUMBERS, [LEFT, RIGHT, [(0, 1), (1, 1)]], "r1c2 joins no number"),
        (NUMBERS, [LEFT[:2], RIGHT], "r1c1 joins 1"),
        (NUMBERS, [[(0, 0), (0, 1), (0, 2)], LEFT[1:], RIGHT[1:]], "joins 1 and 2"),
        (NUMBERS, [LEFT, RIGHT, [(2, 0), (2, 1)]], "the number 1 goes on beyond"),
        (NUMBERS, [LEFT, RIGHT, [(1, 0), (1, 1)]], "the number 1 branches or closes"),
        (NUMBERS, [LEFT, [(0, 0), (0, 1), (1, 1), (1, 0)], RIGHT], "the number 1 branches"),
        (FILLED, [LEFT, RIGHT], "r1c2 is not used"),
    ],
)
def test_wrong_solutions(puzzle, walks, reason):
    broken = violations(puzzle, on(puzzle, *walks))
    assert any(reason in sentence for sentence in broken), broken
    assert not check_solution(puzzle, on(puzzle, *walks))


@pytest.mark.parametrize("puzzle", [BLANK, NUMBERS])
def test_a_solution_of_another_board(puzzle):
    (reason,) = violations(puzzle, Solution(Lattice(9, 9)))
    assert reason.startswith("the solution is not drawn on 3x")

"""Simple Loop: one loop through every cell that is not a hole."""

from __future__ import annotations

from random import Random

import pytest

import linkoracle
from linkoracle import PuzzleError, SimpleLoop, Solution
from linkoracle.formats import read, write
from tests import brute_force

RING = SimpleLoop.from_holes(3, 3, [(1, 1)])
AROUND = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0)]


@pytest.mark.parametrize("engine", ["sat", "frontier"])
@pytest.mark.parametrize(
    ("rows", "cols", "loops"),
    # https://oeis.org/A003763 has the squares of even side, A006864 the boards of 4 columns.
    [(2, 2, 1), (4, 4, 6), (6, 6, 1072), (4, 3, 2), (4, 5, 14), (3, 3, 0), (5, 5, 0), (1, 6, 0)],
)
def test_boards_without_holes(rows, cols, loops, engine):
    assert linkoracle.count(SimpleLoop.blank(rows, cols), engine=engine) == loops


def test_a_larger_board():
    """A003763(4)."""
    assert linkoracle.count(SimpleLoop.blank(8, 8), engine="frontier") == 4638576


def test_every_set_of_holes_of_a_small_board():
    """Each loop of the board is the unique or one of several solutions for some holes."""
    total = 0
    for bits in range(1 << 12):
        holes = [divmod(cell, 4) for cell in range(12) if bits >> cell & 1]
        puzzle = SimpleLoop.from_holes(3, 4, holes)
        found = list(linkoracle.solutions(puzzle))
        assert len(found) == len(brute_force.simpleloop(puzzle))
        assert all(linkoracle.check_solution(puzzle, one) for one in found)
        total += len(found)
    assert total == len(brute_force.closed_curves(2, 3, None)) > 10


@pytest.mark.parametrize(
    ("walks", "reason"),
    [
        ([], "there is no line at all"),
        ([[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]], "the hole is used at r2c2"),
        ([[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]], "the cell is not used at r1c3"),
        ([AROUND[:-1]], "a line ends at r1c1"),
        ([AROUND, [(0, 1), (1, 1)]], "3 lines meet at r1c2"),
    ],
)
def test_wrong_solutions(walks, reason):
    found = linkoracle.violations(RING, Solution.from_paths(RING.lattice, walks))
    assert reason in found, found


def test_right_solutions():
    around = Solution.from_paths(RING.lattice, [AROUND])
    assert linkoracle.check_solution(RING, around)
    assert SimpleLoop.from_solution(around) == RING
    blank = SimpleLoop.blank(2, 4)
    two = [[(0, col), (0, col + 1), (1, col + 1), (1, col), (0, col)] for col in (0, 2)]
    (reason,) = linkoracle.violations(blank, Solution.from_paths(blank.lattice, two))
    assert reason == "the lines fall into 2 parts"


def test_holes():
    assert RING.number_of_clues == 1
    assert RING.with_clues({(1, 1): None, (0, 2): 0}) == SimpleLoop.from_holes(3, 3, [(0, 2)])
    assert SimpleLoop.from_holes(2, 3, [(0, 0)]).rotate().holes == ((0, 1),)
    assert SimpleLoop.from_holes(2, 3, [(0, 0)]).reflect().holes == ((0, 2),)
    with pytest.raises(PuzzleError, match=r"expected a hole \(0\), found 1") as caught:
        SimpleLoop([[None, 1]])
    assert caught.value.cell == (0, 1)


def test_formats():
    assert write(RING) == "simpleloop\n...\n.*.\n...\n"
    assert (
        read("simpleloop\n...\n.*.\n...\n")
        == read("3 3\n...\n.*.\n...\n", kind="simpleloop")
        == RING
    )
    assert read('{"kind": "simpleloop", "grid": [". . .", ". * .", ". . ."]}') == RING
    assert read(write(RING, "json")) == RING
    with pytest.raises(
        linkoracle.FormatError, match="Loopy has only Slitherlink loops, not simpleloop"
    ):
        write(RING, "loopy")


def test_pzpr_urls():
    """Read the board of pzpr's own test (``test/script/simpleloop.js``)."""
    puzzle = read("https://puzz.link/p?simpleloop/5/5/sg020")
    assert puzzle == SimpleLoop.from_holes(5, 5, [(0, 0), (0, 1), (0, 2), (1, 0), (3, 3)])
    assert write(puzzle, "pzpr") == "https://puzz.link/p?simpleloop/5/5/sg020"
    # The solution of the board in that file.
    rows = [[0, 0, 0, 1], [0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 1, 1]]
    downs = [[0, 0, 0, 1, 1], [0, 1, 1, 1, 1], [1, 0, 0, 0, 1], [1, 1, 1, 0, 1]]
    lines = [[(r, c), (r, c + 1)] for r in range(5) for c in range(4) if rows[r][c]]
    lines += [[(r, c), (r + 1, c)] for r in range(4) for c in range(5) if downs[r][c]]
    assert linkoracle.check_solution(puzzle, Solution.from_paths(puzzle.lattice, lines))
    # Without holes pzpr writes no cells at all.
    assert write(SimpleLoop.blank(4, 4), "pzpr") == "https://puzz.link/p?simpleloop/4/4/"
    assert read("simpleloop/4/4") == read("simpleloop/4/4/0000") == SimpleLoop.blank(4, 4)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("simpleloop/4/4/000", "expected 16 cells, found 15"),
        ("simpleloop/4/4/000w", "expected a digit 0-9 or a-v of 5 cells, found 'w'"),
        ("simpleloop/4/4/00008", "expected 16 cells, found 25"),
        ("simpleloop/4/4/000f", "expected 16 cells, found 20"),
        ("simpleloop/v:/4/4/0000", "expected the usual rules in a URL, found the variant 'v:'"),
    ],
)
def test_wrong_urls(url, reason):
    with pytest.raises(linkoracle.FormatError) as caught:
        read(url)
    assert reason in str(caught.value)


def test_text_drawings():
    assert linkoracle.draw(RING).splitlines()[2] == "·   █   ·"
    solved = linkoracle.draw(RING, linkoracle.solve(RING), ascii_only=True)
    assert solved.splitlines() == [
        "+-------+",
        "|       |",
        "|   #   |",
        "|       |",
        "+-------+",
    ]


def test_the_maker_asks_for_alternatives_until_there_is_none():
    queried = []

    def another(puzzle, solution):
        queried.append(puzzle)
        assert linkoracle.check_solution(puzzle, solution)
        return next((one for one in linkoracle.solutions(puzzle) if one != solution), None)

    for seed in range(4):
        puzzle, solution = SimpleLoop.maker(5, 6, Random(seed), another)
        assert list(linkoracle.solutions(puzzle)) == [solution]
    assert len(queried) > 8
    with pytest.raises(PuzzleError, match="with cells all around a dot, found 1x6 cells"):
        SimpleLoop.maker(1, 6, Random(1), another)

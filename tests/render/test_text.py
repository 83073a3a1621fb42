from __future__ import annotations

import pytest

from linkoracle import Lattice, Numberlink, Slitherlink, Solution, draw, solve


def lines(text: str) -> list[str]:
    return text.strip("\n").split("\n")


def test_a_slitherlink_without_lines():
    assert lines(draw(Slitherlink([[3, None], [None, 0]]))) == [
        "·   ·   ·",
        "  3",
        "·   ·   ·",
        "      0",
        "·   ·   ·",
    ]


def test_a_loop():
    puzzle = Slitherlink([[2, None, 3], [None, 0, 3], [None, None, None]])
    solution = Solution.from_paths(
        puzzle.lattice,
        [[(0, 2), (0, 3), (1, 3), (2, 3), (2, 2), (3, 2), (3, 1), (2, 1), (2, 0), (1, 0)]],
    )
    assert lines(draw(puzzle, solution)) == [
        "·   ·   ╶───┐",
        "  2       3 │",
        "╷   ·   ·   │",
        "│     0   3 │",
        "└───┐   ┌───┘",
        "    │   │",
        "·   └───┘   ·",
    ]


def test_an_open_path_ends_in_half_lines():
    puzzle = Slitherlink.blank(1, 2, ((0, 0), (0, 2)))
    solution = Solution.from_paths(puzzle.lattice, [[(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)]])
    assert lines(draw(puzzle, solution)) == ["╷   ┌───╴", "│   │", "└───┘   ·"]
    assert lines(draw(puzzle, solution, ascii_only=True)) == ["|   +----", "|   |", "+---+   ."]


FIXED = Slitherlink(
    [[3, None, None], [None, 2, 3]],
    given=[((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 3), (2, 3))],
    forbidden=[((1, 0), (1, 1)), ((1, 2), (2, 2))],
    holes=[(0, 3)],
)


def crossed(puzzle, solution=None) -> list[str]:
    """Return the lines of a drawing, with crosses as in ASCII."""
    return lines(draw(puzzle, solution).replace("\N{MULTIPLICATION SIGN}", "x"))


def test_given_lines_are_heavy_and_forbidden_ones_crosses():
    assert crossed(FIXED) == [
        "┏━━━╸   ·",
        "┃ 3",
        "╹ x ·   ·   ╻",
        "      2 x 3 ┃",
        "·   ·   ·   ╹",
    ]
    assert lines(draw(FIXED, ascii_only=True)) == [
        "+====   .",
        "! 3",
        "! x .   .   !",
        "      2 x 3 !",
        ".   .   .   !",
    ]


def test_a_solution_goes_on_where_given_lines_end():
    solution = solve(FIXED)
    assert crossed(FIXED, solution) == [
        "┏━━━┐   ·",
        "┃ 3 │",
        "│ x └───────┐",
        "│     2 x 3 ┃",
        "└───────────┘",
    ]
    assert lines(draw(FIXED, solution, ascii_only=True))[0] == "+===+   ."


def test_lines_between_cells_that_are_fixed():
    puzzle = Numberlink(
        [[1, None, 10], [None, None, None], [1, None, 10]],
        given=[((0, 0), (0, 1)), ((0, 1), (1, 1))],
        forbidden=[((0, 1), (0, 2)), ((1, 0), (2, 0))],
    )
    assert crossed(puzzle) == [
        " 1━━━━┓ x 10",
        "      ┃",
        " ·    ╹    ·",
        " x",
        " 1    ·   10",
    ]


def test_numbers_of_three_digits_stay_in_line():
    puzzle = Numberlink([[1, None, 2], [None, 100, 2], [1, None, 100]])
    solution = Solution.from_paths(
        puzzle.lattice,
        [[(0, 0), (1, 0), (2, 0)], [(0, 2), (1, 2)], [(1, 1), (2, 1), (2, 2)]],
    )
    assert lines(draw(puzzle, solution)) == [
        " 1     ·     2",
        " │           │",
        " │    100    2",
        " │     │",
        " 1     └────100",
    ]
    assert lines(draw(puzzle)) == [
        " 1     ·     2",
        "",
        " ·    100    2",
        "",
        " 1     ·    100",
    ]


def test_every_crossing_has_a_character_even_a_wrong_one():
    puzzle = Numberlink([[None] * 3] * 3)
    everything = Solution(puzzle.lattice, tuple(range(puzzle.lattice.num_edges)))
    assert lines(draw(puzzle, everything)) == [
        "┌───┬───┐",
        "│   │   │",
        "├───┼───┤",
        "│   │   │",
        "└───┴───┘",
    ]


def test_a_solution_of_another_size_is_refused():
    with pytest.raises(ValueError, match="another size"):
        draw(Slitherlink([[3]]), Solution(Lattice(3, 3)))


@pytest.mark.parametrize("ascii_only", [False, True])
def test_sixty_columns_and_numbers_of_three_digits(ascii_only):
    pairs = [((row, left), (row, left + 19)) for row in range(60) for left in (0, 20, 40)]
    puzzle = Numberlink.from_pairs(60, 60, pairs)
    walks = [[(row, col) for col in range(left, right + 1)] for (row, left), (_, right) in pairs]
    drawn = lines(draw(puzzle, Solution.from_paths(puzzle.lattice, walks), ascii_only=ascii_only))
    assert len(drawn) == 119
    assert drawn[-1].isascii() == ascii_only
    for row in range(60):
        text = drawn[2 * row]
        # A column takes three characters, and three more to the next.
        for place, (_, col) in enumerate(
            end for pair in pairs[3 * row : 3 * row + 3] for end in pair
        ):
            assert text[6 * col : 6 * col + 3].strip("─- ") == str(3 * row + place // 2 + 1)

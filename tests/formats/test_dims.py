"""Rows under a line of dimensions, in either order."""

import pytest

from linkoracle.core import FormatError
from linkoracle.formats import read, read_all, write
from linkoracle.kinds import Numberlink, Slitherlink

from .strategies import fails

WIDE = Slitherlink([[3, None, 1], [None, 2, 0]])


@pytest.mark.parametrize("first", ["2 3", "3 2", " 3\t2 # columns, rows"])
@pytest.mark.parametrize("rows", ["3.1\n.20", "3 . 1\n- 2 0"])
@pytest.mark.parametrize("header", ["", "slitherlink\n"])
def test_either_order(first, rows, header):
    assert read(f"{header}{first}\n{rows}\n", kind="slitherlink") == WIDE


def test_header_with_a_rule_and_ends():
    assert read("numberlink fill\n1 2\n11\n") == Numberlink([[1, 1]], "fill")
    assert read("slitherlink path\n1 2\n2.\nends 0,0 1,2\n").ends == ((0, 0), (1, 2))


def test_letters_are_numbered_in_reading_order():
    assert read("3 2\nb.a\nab.\n", kind="numberlink") == Numberlink([[1, None, 2], [2, 1, None]])


def test_digits_beside_letters_and_zeros_are_labels_too():
    assert read("3 2\n7.a\na7.\n", kind="numberlink") == Numberlink([[1, None, 2], [2, 1, None]])
    assert read("3 2\n7.0\n07.\n", kind="numberlink") == Numberlink([[1, None, 2], [2, 1, None]])
    assert read("2 3\nb . 12\n12 b .\n", kind="numberlink") == Numberlink(
        [[1, None, 2], [2, 1, None]]
    )


def test_whole_numbers_from_1_stay_as_they_are():
    assert read("3 2\n7.9\n97.\n", kind="numberlink") == Numberlink([[7, None, 9], [9, 7, None]])


def test_a_row_of_the_labels_e_n_d_s():
    puzzle = read("4 2\nends\nends\n", kind="numberlink")
    assert puzzle == Numberlink([[1, 2, 3, 4], [1, 2, 3, 4]])


def test_several_boards_and_the_end_mark():
    text = "# Author: x\n2 1\naa\n\n# name: b\n1 2\nbb\n\n0 0\n"
    entries = read_all(text, kind="numberlink")
    assert [(entry.puzzle.grid, entry.name, entry.line) for entry in entries] == [
        (((1, 1),), None, 2),
        (((1, 1),), "b", 6),
    ]


def test_one_column_of_long_numbers():
    assert read("3 1\n10\n.\n10\n", kind="numberlink") == Numberlink([[10], [None], [10]])
    assert read("1 3\n10\n.\n10\n", kind="numberlink") == Numberlink([[10], [None], [10]])


def test_a_first_row_of_two_numbers_is_no_dimensions():
    assert read("numberlink\n1 2\n. .\n2 1\n") == Numberlink([[1, 2], [None, None], [2, 1]])


def test_only_one_reading_is_a_puzzle():
    # "2 1" as dimensions leaves 1 and 2 once each; "2 2" as a row gives four twos.
    assert read("numberlink\n2 1\n2 1\n") == Numberlink([[2, 1], [2, 1]])
    assert read("numberlink\n2 2\n2 1\n2 1\n") == Numberlink([[2, 1], [2, 1]])


def test_two_readings_are_an_error():
    fails("slitherlink\n2 2\n1 3\n2 0\n", "in:2", "found '2 2', which can be either here")
    fails("numberlink\n2 2\n1 3\n1 3\n", "in:2", "found '2 2', which can be either here")


def test_rows_without_spaces_settle_it():
    assert read("slitherlink\n2 2\n13\n20\n") == Slitherlink([[1, 3], [2, 0]])
    assert read("slitherlink\n22\n13\n20\n") == Slitherlink([[2, 2], [1, 3], [2, 0]])


def test_write():
    assert write(WIDE, "rows-cols", name="w") == "# name: w\n2 3\n3.1\n.20\n"
    assert write(WIDE, "cols-rows") == "3 2\n3.1\n.20\n"


def test_what_cannot_be_written():
    with pytest.raises(FormatError, match="no place for ends"):
        write(Slitherlink([[2]], ((0, 0), (1, 1))), "rows-cols")
    with pytest.raises(FormatError, match="use 'text'"):
        write(Numberlink([[10, 11], [11, 10]]), "cols-rows")


WRONG = {
    "too few rows": (
        "2 3\n3.1\n",
        "in:1:1",
        "expected 2 or 3 rows, as '2 3' declares, found 1 row of 3 cells",
    ),
    "too many rows": (
        "4 4\n....\n....\n....\n....\n....\n",
        "in:1:1",
        "expected 4 rows, as '4 4' declares, found 5 rows of 4 cells",
    ),
    "no rows": ("# c\n 5 5\n", "in:2:2", "expected 5 rows, as '5 5' declares, found 0 rows"),
    "narrow": (
        "5 5\n.....\n....\n.....\n.....\n.....\n",
        "in:3:5",
        "expected 5 cells, as '5 5' declares, found 4",
    ),
    "wide": ("2 3\n...\n.. . .\n", "in:3:1", "found '..'"),
    "wider": ("2 3\n...\n. . . .\n", "in:3:7", "expected 3 cells, as '2 3' declares, found 4"),
    "zero": ("0 3\n...\n", "in:1:1", "expected a board of 1 to 1000000 cells, found 0x3"),
    "huge": ("99999 99999\n...\n", "in:1:1", "expected a board of 1 to 1000000 cells"),
    "clue": ("2 3\n...\n..7\n", "in:3:3", "expected a clue from 0 to 4 or '?', found 7"),
    "letter": ("2 3\n...\n..a\n", "in:3:3", "expected a number or '.', found 'a'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong(case):
    text, place, reason = WRONG[case]
    fails(text, place, reason, kind="slitherlink")


def test_wrong_labels():
    fails("3 2\na.b\n..a\n", "in:2:3", "found it once", kind="numberlink")
    fails("2 2\nab .\n. .\n", "in:2:1", "found 'ab'", kind="numberlink")
    fails("3 2\n...\n..\xe9\n", "in:3:3", "found '\xe9'", kind="numberlink")

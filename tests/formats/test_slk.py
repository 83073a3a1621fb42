"""Files of the .slk format."""

import pytest

from linkoracle.core import FormatError
from linkoracle.formats import read, read_all, write
from linkoracle.kinds import Slitherlink

from .strategies import fails

PUZZLE = Slitherlink([[3, None, 1], [None, 2, 0]])
PLAIN = """\
# a source
2 3

3.1
-20

...
...
...

....
....
"""
COMMENTED = """\
# first line
2 3             # rows by columns
                # numbers
3.1
-20
                # horizontal lines
--.   # top
x.x
...
# vertical lines
-x-.
....
"""


@pytest.mark.parametrize(
    "text", [PLAIN, COMMENTED, PLAIN.rstrip("\n"), PLAIN.replace("\n", "\r\n")]
)
def test_read(text):
    assert read(text) == PUZZLE
    assert read(text, kind="slitherlink") == PUZZLE


def test_blocks_that_look_like_boards():
    text = "# c\n1 1\n\n.\n\n.\n-\n\n..\n"
    assert [entry.puzzle for entry in read_all(text)] == [Slitherlink([[None]])]
    assert read_all(text)[0].line == 2


def test_dimensions_followed_by_a_comment_are_not_slk():
    text = "2 3\n# the rows\n3.1\n.20\n# end\n"
    assert read(text, kind="slitherlink") == PUZZLE


def test_a_puzzle_may_follow():
    entries = read_all(PLAIN + "\n# name: b\nslitherlink\n4\n")
    assert [(entry.line, entry.name) for entry in entries] == [(2, None), (15, "b")]


def test_there_is_no_writer():
    with pytest.raises(FormatError, match=r"found 'slk' \(it can only be read\)"):
        write(PUZZLE, "slk")


WRONG = {
    "clue rows": (
        PLAIN.replace("-20\n", ""),
        "in:5",
        "expected 2 rows of clues in a .slk puzzle, found 1",
    ),
    "more clue rows": (
        PLAIN.replace("-20\n", "-20\n...\n"),
        "in:6",
        "expected an empty line after 2 rows of clues, found '...'",
    ),
    "clue row short": (
        PLAIN.replace("-20", "-2"),
        "in:5:3",
        "expected 3 cells in a row of clues, found 2",
    ),
    "clue": (PLAIN.replace("-20", "-50"), "in:5:2", "expected a clue from 0 to 4 or '?', found 5"),
    "clue rubbish": (PLAIN.replace("-20", "-x0"), "in:5:2", "expected a number or '.', found 'x'"),
    "no lines": (
        "# c\n2 3\n\n3.1\n-20\n",
        "in:6",
        "expected 3 rows of horizontal lines in a .slk puzzle, found 0",
    ),
    "horizontal width": (
        PLAIN.replace("20\n\n...\n", "20\n\n....\n"),
        "in:7:4",
        "expected 3 cells in a row of horizontal lines, found 4",
    ),
    "vertical width": (
        PLAIN.replace("....\n....", "....\n..."),
        "in:12:4",
        "expected 4 cells in a row of vertical lines, found 3",
    ),
    "vertical rows": (
        PLAIN + "....\n",
        "in:13",
        "expected an empty line after 2 rows of vertical lines",
    ),
    "mark": (
        PLAIN.replace("....\n....", "....\n..|."),
        "in:12:3",
        "expected a mark '.', '-' or 'x', found '|'",
    ),
    "size": ("# c\n0 3\n\n...\n", "in:2:1", "expected a board of 1 to 1000000 cells"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong(case):
    text, place, reason = WRONG[case]
    fails(text, place, reason)


def test_it_is_a_slitherlink():
    fails(PLAIN, "in:2", "expected the kind numberlink, found slitherlink", kind="numberlink")

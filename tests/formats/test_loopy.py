"""Game IDs of Loopy."""

import pytest

from linkoracle.core.errors import FormatError
from linkoracle.formats import read, read_all, write
from linkoracle.kinds import Numberlink, Slitherlink

from .strategies import fails

PUZZLE = Slitherlink([[3, None, None, 2], [None, 1, None, None], [None, None, None, 0]])


@pytest.mark.parametrize(
    "text",
    ["4x3t0:3b2a1e0", "4x3t0de:3b2a1e0", "4x3t0dh:3aa2a1bc0", "4x3:3b2a1e0", "4x3dt:3b2a1e0 # c"],
)
def test_read(text):
    assert read(text) == PUZZLE


def test_one_number_is_a_square():
    assert read("3:d2d") == Slitherlink([[None] * 3, [None, 2, None], [None] * 3])


def test_write():
    assert write(PUZZLE, "loopy") == "4x3t0:3b2a1e0"
    assert write(Slitherlink.blank(6, 9), "loopy") == "9x6t0:zzb"
    assert read("9x6t0:zzb") == Slitherlink.blank(6, 9)


def test_what_cannot_be_written():
    for puzzle in (Numberlink([[1, 1]]), Slitherlink([[2]], ((0, 0), (1, 1)))):
        with pytest.raises(FormatError, match="Loopy has only loops"):
            write(puzzle, "loopy")
    with pytest.raises(FormatError, match="from 3x3 cells, not 2x9"):
        write(Slitherlink.blank(2, 9), "loopy")


def test_one_a_line():
    entries = read_all("1x1t0:4\n\n# name: b\n1x1:a\n")
    assert [(entry.line, entry.name) for entry in entries] == [(1, None), (4, "b")]


WRONG = {
    "seed": ("10x10t0#123", "in:1:8", "found a random seed after '#'"),
    "seed with difficulty": ("10x10t0dh#4", "in:1:10", "found a random seed after '#'"),
    "other grid": (
        "10x10t99dh:a",
        "in:1:7",
        "expected a grid from 't0' to 't15' in a game ID, found 't99'",
    ),
    "short": ("4x3t0:3b2", "in:1:10", "expected 12 cells, found 4"),
    "empty": ("4x3t0:", "in:1:7", "expected 12 cells, found 0"),
    "long": ("4x3t0:3b2a1e00", "in:1:14", "expected 12 cells, found '0' after them"),
    "clue": ("4x3t0:3b2a1e7", "in:1:13", "expected a clue from 0 to 4, found 7"),
    "capital": ("4x3t0:3b2a1eB", "in:1:13", "expected a clue from 0 to 4, found 11"),
    "trailing": (" 4x3t0:3b2a1e0 x", "in:1:16", "expected nothing after a game ID, found 'x'"),
    "zero": ("0x3t0:a", "in:1:1", "expected a board of 1 to 1000000 cells, found 3x0"),
    "huge": ("99999x99999t0:a", "in:1:1", "expected a board of 1 to 1000000 cells"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong(case):
    text, place, reason = WRONG[case]
    fails(text, place, reason)


def test_wrong_kind():
    fails("1x1:4", "in:1", "expected the kind numberlink, found slitherlink", kind="numberlink")

"""Game IDs of Loopy."""

import os
import shutil
import subprocess
from itertools import product
from math import prod
from pathlib import Path

import pytest

from linkoracle import Slitherlink, boards, count_result
from linkoracle.core import FormatError
from linkoracle.formats import read, read_all, write
from linkoracle.kinds import Numberlink

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
        with pytest.raises(FormatError, match="Loopy has only Slitherlink loops"):
            write(puzzle, "loopy")
    with pytest.raises(FormatError, match="from 3x3 cells, not 2x9"):
        write(Slitherlink.blank(2, 9), "loopy")


def test_one_a_line():
    entries = read_all("1x1t0:4\n\n# name: b\n1x1:a\n")
    assert [(entry.line, entry.name) for entry in entries] == [(1, None), (4, "b")]


IDS = [
    line
    for line in (Path(__file__).parent / "loopy_ids.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("text", IDS, ids=lambda text: text.partition(":")[0])
def test_every_type(text):
    """Check that there is one solution, which is unlikely with clues in wrong faces."""
    puzzle = read(text)
    assert write(puzzle, "loopy") == text
    assert read(write(puzzle)) == puzzle
    result = count_result(puzzle, 2)
    assert (result.count, result.exact) == (1, True)


def test_ids_have_all_types():
    assert {int(text.partition(":")[0].partition("t")[2]) for text in IDS} == set(range(18))


def test_boards_that_loopy_does_not_have():
    for board, reason in (
        (boards.cairo(3, 3), "Loopy has boards from 3x4 cells, not 3x3"),
        (boards.from_polygons([[(0, 0), (1, 0), (0, 1)]]), "Loopy has only its own boards"),
    ):
        with pytest.raises(FormatError, match=reason):
            write(Slitherlink.on(board), "loopy")


def test_clues_above_9_are_capitals():
    puzzle = Slitherlink.on(boards.dodecagonal(2, 2), {0: 12, 1: 11})
    assert write(puzzle, "loopy") == "2x2t9:CBd"
    assert read("2x2t9:CBd") == puzzle


WRONG = {
    "seed": ("10x10t0#123", "in:1:8", "found a random seed after '#'"),
    "seed with difficulty": ("10x10t0dh#4", "in:1:10", "found a random seed after '#'"),
    "other grid": (
        "10x10t99dh:a",
        "in:1:7",
        "expected a grid from 't0' to 't17' in a game ID, found 't99'",
    ),
    "no patch": ("7x7t11:a", "in:1:8", "expected the part of the tiling, and '_'"),
    "wrong patch": ("7x7t12:G1,2_a", "in:1:8", "expected a patch like 'G1174,3877,72'"),
    "needless patch": ("7x7t2:0_a", "in:1:7", "expected no description of this board, found '0'"),
    "other triangles": ("7x7t1:1_a", "in:1:7", "expected no description of this board, found '1'"),
    "other board": ("7x7t2:za", "in:1:9", "expected 49 cells, found 27"),
    "too many sides": ("3x3t2:7h", "in:1:7", "expected a clue from 0 to 6 or '?', found 7"),
    "short": ("4x3t0:3b2", "in:1:10", "expected 12 cells, found 4"),
    "empty": ("4x3t0:", "in:1:7", "expected 12 cells, found 0"),
    "long": ("4x3t0:3b2a1e00", "in:1:14", "expected 12 cells, found '0' after them"),
    "clue": ("4x3t0:3b2a1e7", "in:1:13", "expected a clue from 0 to 4 or '?', found 7"),
    "capital": ("4x3t0:3b2a1eB", "in:1:13", "expected a clue from 0 to 4 or '?', found 11"),
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


LOOPY = shutil.which("sgt-loopy", path=f"{os.environ['PATH']}:/usr/games")
#: Sizes of boards by type number; types with large cells have smaller boards.
SIZES = {
    **dict.fromkeys(range(5), ("7x7", "10x10", "12x10", "15x15", "8x11")),
    **dict.fromkeys((5, 6, 7, 14), ("7x7", "5x5", "8x6", "15x15", "6x9")),
    8: ("3x3", "4x4", "5x5", "3x6", "12x12"),
    9: ("4x4", "5x5", "6x5", "12x12", "3x6"),
    10: ("3x3", "4x4", "5x4", "3x5", "12x12"),
    **dict.fromkeys((11, 12), ("7x7", "10x10", "8x6", "6x9", "15x15")),
    13: ("3x3", "4x4", "5x4", "3x5", "10x10"),
    15: ("4x4", "5x5", "6x5", "3x5", "7x6"),
}


@pytest.mark.heavy
@pytest.mark.skipif(LOOPY is None, reason="needs Loopy: sgt-loopy of Debian's sgt-puzzles")
@pytest.mark.parametrize("number", range(16))
def test_boards_that_loopy_makes(number):
    """Boards of each type and size, from easy to hard, have exactly one solution.

    Hard boards of the largest size are left out, as they take Loopy minutes.
    """
    largest = max(SIZES[number], key=lambda size: prod(map(int, size.split("x"))))
    for level, size in product("enth", SIZES[number]):
        if size == largest and level in "th":
            continue
        made = subprocess.run(
            [LOOPY, "--generate", "1", f"{size}t{number}d{level}"],
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        ).stdout.strip()
        result = count_result(read(made), 2)
        assert (result.count, result.exact) == (1, True), made
        assert write(read(made), "loopy") == made

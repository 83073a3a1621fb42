"""URLs of pzpr: reading, writing, and the places of errors."""

import pytest

from linkoracle import boards, check_solution, count, solutions
from linkoracle.certificates import certificate
from linkoracle.certificates import verify_certificate as checker
from linkoracle.core import FormatError
from linkoracle.formats import read, read_all, write
from linkoracle.kinds import KINDS, Numberlink, Slitherlink

from .strategies import fails

#: How many names of kinds a message leaves out.
OTHERS = sum(kind.pzpr is not None for kind in KINDS.values()) - 2
SLITHER = Slitherlink([[3, None, 1], [None, None, 0]])
NUMLIN = Numberlink([[16, None, 2], [2, None, 16]])


@pytest.mark.parametrize(
    "url",
    [
        "https://puzz.link/p?slither/3/2/8ba",
        "http://pzv.jp/p.html?slither/3/2/8ba/",
        "https://pzprxs.vercel.app/p?slither_edit/3/2/3g1h0",
        "https://puzz.link/p?type=editor&slither/3/2/8b0",
        "https://puzz.link/p?slither//3/2/3g1h0",
        "puzz.link/p?m+slither/3/2/3g1h0",
        "?slitherlink_play/3/2/8ba",
        "slither/3/2/8ba",
        "  slitherlink/3/2/8ba  # a comment",
    ],
)
def test_slither(url):
    assert read(url) == SLITHER


def test_a_clue_without_a_number_is_kept():
    puzzle = read("https://puzz.link/p?slither/3/2/3.1.g0")
    assert puzzle.grid == ((3, -1, 1), (-1, None, 0))
    for name in ("pzpr", "text", "json", "rows-cols"):
        assert read(write(puzzle, name), kind="slitherlink") == puzzle
    assert write(puzzle) == "slitherlink\n3?1\n?.0\n"
    known = puzzle.with_clues({(0, 1): None, (1, 0): None})
    assert count(puzzle) == count(known) == count(puzzle, engine="plain")
    assert all(check_solution(puzzle, one) for one in solutions(known))
    with pytest.raises(FormatError, match="no place for clues without a number"):
        write(Slitherlink(["?..", "...", "..."]), "loopy")
    honeycomb = Slitherlink.on(boards.honeycomb(2, 2), "5..?")
    assert [read(write(honeycomb, name)) for name in ("text", "json")] == [honeycomb] * 2
    assert count(honeycomb) == count(Slitherlink.on(boards.honeycomb(2, 2), "5...")) > 0


def test_the_verifier_reads_clues_without_a_number():
    puzzle = read("slitherlink\n3?1\n?.0\n")
    found = checker.read_puzzle(write(puzzle, "pzpr"))
    assert found.cells == [3, -1, 1, -1, None, 0]
    assert checker.verify(certificate(puzzle).data)[0].essence == found.essence


@pytest.mark.parametrize(
    "url",
    [
        "https://puzz.link/p?numlin/3/2/-10g22g-10",
        "https://puzz.link/p?numberlink/3/2/-10g22g-10",
        "numlin/3/2/+010g22g+010/",
    ],
)
def test_numlin(url):
    assert read(url) == NUMLIN


def test_the_rule_of_a_numlin_is_the_callers():
    assert read("numlin/2/1/11").variant == "free"
    assert read("numlin/2/1/11", variant="fill").variant == "fill"


def test_arukone_says_its_rule():
    assert read("arukone/2/1/11").variant == "fill"
    assert read("arukone/e/2/1/11").variant == "free"
    assert read("arukone/2/1/11", variant="free").variant == "free"


@pytest.mark.parametrize(
    ("code", "number"),
    [
        ("f", 15),
        ("-10", 16),
        ("-ff", 255),
        ("+100", 256),
        ("+fff", 4095),
        ("=000", 4096),
        ("=fff", 8191),
        ("%000", 8192),
        ("%fcf", 12239),
        ("*0000", 12240),
        ("*ffff", 77775),
        ("$00000", 77776),
        ("$fffff", 1126351),
    ],
)
def test_every_number_code(code, number):
    puzzle = Numberlink([[number, None, number]])
    url = f"https://puzz.link/p?numlin/3/1/{code}g{code}"
    assert read(url) == puzzle
    assert write(puzzle, "pzpr") == url


@pytest.mark.parametrize(("clues", "code"), [("0", "0"), ("4", "4"), ("0.", "5"), ("4..", "e")])
def test_every_clue_code(clues, code):
    puzzle = read(f"slitherlink\n{clues}3...\n")
    url = f"https://puzz.link/p?slither/{len(clues) + 4}/1/{code}dg"
    assert read(url) == puzzle
    assert write(puzzle, "pzpr") == url


def test_the_last_clue_overhangs_the_board():
    assert write(Slitherlink([[None, 3]]), "pzpr") == "https://puzz.link/p?slither/2/1/gd"
    assert write(Slitherlink([[3, None]]), "pzpr") == "https://puzz.link/p?slither/2/1/d"


def test_long_runs():
    board = Slitherlink.blank(5, 9)
    assert write(board, "pzpr") == "https://puzz.link/p?slither/9/5/zzk"
    assert read("slither/9/5/zzk") == board


def test_fill_is_lost_and_a_path_cannot_be_written():
    assert read(write(Numberlink([[1, 1]], "fill"), "pzpr")).variant == "free"
    with pytest.raises(FormatError, match="no place for ends"):
        write(Slitherlink([[2]], ((0, 0), (1, 1))), "pzpr")
    with pytest.raises(FormatError, match="cannot say a number as large as 1126352"):
        write(Numberlink([[1126352, 1126352]]), "pzpr")


def test_several_in_a_file():
    text = "# mine\n# name: a\nslither/1/1/4\n\n  numlin/2/1/11 # b\narukone/2/1/11\n"
    entries = read_all(text)
    assert [(entry.line, entry.name, entry.puzzle.variant) for entry in entries] == [
        (3, "a", "loop"),
        (5, None, "free"),
        (6, None, "fill"),
    ]


WRONG = {
    "dot at a corner": (
        "https://puzz.link/p?midloop/2/2/j1f",
        "in:1:34",
        "expected dots in cells and on sides, found one at a corner",
    ),
    "other puzzle": ("https://puzz.link/p?nurikabe/5/5/g", "in:1:21", "found 'nurikabe'"),
    "bare other": (
        "nurikabe/5/5/g",
        "in:1:1",
        f"expected the puzzle 'slither', 'numlin' or one of {OTHERS} others in a URL, found "
        "'nurikabe'",
    ),
    "not a puzzle": (
        "https://example.com/slither/2/2/k",
        "in:1:1",
        "expected a URL with '?slither/...'",
    ),
    "short link": ("https://sudokupad.app/abc", "in:1:1", "(short links hold no puzzle)"),
    "no data": ("https://puzz.link/p?slither", "in:1:21", "expected a URL with '?slither/...'"),
    "variant flag": ("slither/v:/10/10/z", "in:1:9", "found the variant 'v:'"),
    "variant option": ("https://puzz.link/p?variant=1&slither/2/1/h", "in:1:21", "found a variant"),
    "no height": (
        "https://puzz.link/p?slither/5",
        "in:1:30",
        "expected a width and a height in a URL, found ''",
    ),
    "bad height": ("https://puzz.link/p?slither/5/x/g", "in:1:31", "found 'x'"),
    "zero": ("slither/0/5/g", "in:1:11", "expected a board of 1 to 1000000 cells, found 5x0"),
    "huge": ("slither/9999/9999/g", "in:1:14", "1000000 cells, found 9999x9999"),
    "short": ("slither/3/2/3g1", "in:1:16", "expected 6 cells, found 3"),
    "a clue too many": ("https://puzz.link/p?slither/3/2/8bkk0", "in:1:36", "found 15"),
    "empty": ("slither/3/2", "in:1:12", "expected 6 cells, found 0"),
    "long": ("slither/3/2/zz", "in:1:13", "expected 6 cells, found 20"),
    "more": ("slither/3/2/3g1ha1", "in:1:18", "expected 6 cells, found 9"),
    "slash": ("slither/3/2/3g1/h", "in:1:16", "found '/'"),
    "f": ("slither/3/2/f", "in:1:13", "found 'f'"),
    "capital": ("slither/3/2/3G", "in:1:14", "found 'G'"),
    "question": ("numlin/3/1/1.1", "in:1:13", "found '.', which stands for '?'"),
    "cut number": (
        "numlin/3/1/1g-1",
        "in:1:14",
        "expected 2 hexadecimal digits after '-', found '1'",
    ),
    "no number": ("numlin/3/1/1!", "in:1:13", "found '!'"),
    "once": ("numlin/3/1/1g-1f", "in:1:12", "expected the number 1 to stand exactly twice"),
    "zero label": ("numlin/3/1/0g0", "in:1:12", "expected a number from 1, found 0"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong(case):
    text, place, reason = WRONG[case]
    fails(text, place, reason)


def test_wrong_kind():
    fails(
        "slither/1/1/4",
        "in:1",
        "expected the kind numberlink, found slitherlink",
        kind="numberlink",
    )
    fails("slither/1/1/4", "in:1", "of slitherlink, found 'apart'", variant="apart")
    fails("\n\n numlin/2/1/1!\n", "in:3:14", "found '!'")

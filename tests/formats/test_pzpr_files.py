"""Files that pzpr saves, as text and inside URLs."""

import pytest

from linkoracle.formats import read, read_all, write
from linkoracle.kinds import KINDS

from .strategies import fails

#: A board of each form of cells, as pzpr saves it, and its rows in our text.
FILES = {
    "slither/2/2/3 . /- 2 /0 0 /0 0 /0 0 /0 0 0 /0 0 0 /": "slitherlink\n3.\n?2\n",
    "numlin/2/2/1 2 /1 2 /0 /0 /0 0 /": "numberlink\n12\n12\n",
    "simpleloop/2/3/* . . /. . . /0 0 /0 0 /0 0 0 /": "simpleloop\n*..\n...\n",
    "yajilin/2/3/0,- . . /4,1 1,- . /. . . /. . . /": "yajilin\nx . .\n1e n .\n",
    "koburin/2/3/2 . . /. - . /. . . /. . . /": "koburin\n2..\n.?.\n",
    "castle/2/3/0,-1,0 4,2,0 0,-,1 /2,0,2 3,-,0 0,-,0 /": "castlewall\n. 2e o\n0sx w ?\n",
    "geradeweg/2/3/- . 2 /. . . /": "geradeweg\n?.2\n...\n",
    "balance/2/3/1,4 . . /. 0,-2 . /": "balanceloop\nb4 . .\n. w .\n",
    "detour/2/3/2/0 0 1 /0 1 1 /3 . - /. . . /": "detour\n3.?\n...\nregions\naab\nabb\n",
    "dotchi/2/3/2/0 0 1 /0 1 1 /1 . 2 /. . . /": "dotchiloop\nw.b\n...\nregions\naab\nabb\n",
    "midloop/2/2/22. /2.. /..2 /": "midloop\noes .\n. o\n",
    "doubleback/2/3/2/0 0 1 /0 1 1 /* . . /. . . /": "doubleback\n*..\n...\nregions\n.ab\nabb\n",
}


@pytest.mark.parametrize("saved", FILES)
def test_a_board_of_each_kind(saved):
    text = FILES[saved]
    expected = read(text)
    whole = "pzprv3/" + saved
    for form in (whole, f"https://puzz.link/p?{whole}", whole.replace("/", "\n")):
        assert read(form) == expected, write(read(form))


def test_borders_and_flags_of_later_versions():
    borders, cells = "0 1 \n1 0 \n0 1 0 \n", "2 . . \n. . . \n0 0 \n0 0 \n0 0 0 \n"
    text = f"pzprv3.2\ncountry\n2\n3\ncountry_empty\n{borders}{cells}"
    found = read(text)
    assert (found.variant, found.regions) == ("skip", ((0, 0, 1), (0, 1, 1)))
    usual = read(text.replace("country_empty", ""))
    assert usual == found.with_variant("loop")
    assert read("pzprv3/mashu/2/2/f/1 . /. . /").variant == "fill"
    assert read("pzprv3/koburin/2/2/o/m/b/1 . /. . /").variant == "outside-eight"


def test_two_files_with_a_blank_line():
    text = "pzprv3\nslither\n1\n2\n3 . \n0 0 \n\npzprv3\nslither\n1\n1\n4 \n"
    assert [(one.line, one.puzzle.size) for one in read_all(text)] == [
        (1, "1 x 2 cells"),
        (8, "1 x 1 cells"),
    ]


def test_wrong():
    fails("pzprv3\nsudoku\n9\n9\n", "in:2:1", "found 'sudoku'")
    fails("pzprv3\nslither\n2\n", "in:3:1", "expected the number of columns, found the end")
    fails("pzprv3\nslither\n2\nx\n", "in:4:1", "expected the number of columns, found 'x'")
    fails("pzprv3\nslither\n1\n2\n3\n", "in:5:1", "expected 2 cells in a row, found 1")
    fails("pzprv3\nslither\n1\n2\n3 x\n", "in:5:1", "expected a cell of Slitherlink, found 'x'")
    fails("pzprv3\nslither\n1\n1\nz\n4\n", "in:6:1", "found the flags 'z'")
    fails("pzprv3\nyajilin\n1\n1\n0,3\n", "in:5:1", "found '0,3'")
    fails("pzprv3\nmidloop\n2\n2\n2..\n.2.\n...\n", "in:6:1", "found one at a corner")
    fails("pzprv3\nslither\n0\n1\n", "in:2:1", "expected a board of 1 to")
    fails("https://puzz.link/p?pzprv3/slither/1/1/9", "in:1:21", "expected a clue from 0 to 4")


def test_every_kind_with_urls_has_its_cells():
    for kind in KINDS.values():
        if kind.pzpr is not None and kind.kind != "numberlink":
            name = kind.pzpr.name
            empty = {"regions": "1/0 0 /0 0 /", "sides": ".../.../.../", "walls": "0 /0 /0 0 /"}
            parts = kind.pzpr.parts(kind, saved=True)
            body = "".join(empty.get(part, ". . /. . /") for part in parts)
            found = read(f"pzprv3/{name}/2/2/{body}")
            assert (found.kind, found.number_of_clues) == (kind.kind, 0)

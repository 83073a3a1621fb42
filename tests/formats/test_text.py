"""The native text format, and the places of its errors."""

import pytest

from linkoracle.formats import read, read_all, write
from linkoracle.kinds import Numberlink, Slitherlink

from .strategies import OTHERS, fails


def test_slitherlink_without_spaces():
    assert read("slitherlink\n3.1\n-20\n") == Slitherlink([[3, None, 1], [None, 2, 0]])


def test_numberlink_with_spaces_and_long_numbers():
    puzzle = read("numberlink fill\n10  . 2\n 2 10 .\n")
    assert puzzle == Numberlink([[10, None, 2], [2, 10, None]], "fill")


def test_each_row_may_have_spaces_or_not():
    assert read("numberlink\n1 . 2\n1.2\n") == Numberlink([[1, None, 2], [1, None, 2]])


@pytest.mark.parametrize(
    ("header", "variant"),
    [("slitherlink", "loop"), ("SlitherLink LOOP", "loop"), ("\t slitherlink  loop ", "loop")],
)
def test_header_of_a_loop(header, variant):
    assert read(f"{header}\n4\n").variant == variant


@pytest.mark.parametrize(
    ("header", "variant"),
    [("numberlink", "free"), ("Numberlink free", "free"), ("NUMBERLINK Fill", "fill")],
)
def test_header_of_a_numberlink(header, variant):
    assert read(f"{header}\n11\n").variant == variant


@pytest.mark.parametrize("ends_first", [True, False])
def test_open_path(ends_first):
    lines = ["ends 0,0 2,2", "3.\n.2"] if ends_first else ["3.\n.2", "  Ends  2,2   0,0"]
    puzzle = read("\n".join(["slitherlink path", *lines, ""]))
    assert puzzle == Slitherlink([[3, None], [None, 2]], ((0, 0), (2, 2)))


def test_ends_state_the_kind_and_the_rule():
    assert read("ends 0,0 1,1\n2\n").variant == "path"


def test_comments_anywhere():
    text = "# a file\n\nslitherlink # header\n # inside\n3. # row\n.2\n# after\n"
    assert read(text) == Slitherlink([[3, None], [None, 2]])


def test_names_and_lines_of_several_puzzles():
    text = (
        "# by hand\n#NAME:  first one \nslitherlink\n4\n\n# nothing\n\nnumberlink\n11\n\n\n"
        "# name: third\n# more words\n\nnumberlink fill\n22\n# name: nobody\n"
    )
    entries = read_all(text)
    assert [(entry.name, entry.line) for entry in entries] == [
        ("first one", 3),
        (None, 8),
        ("third", 15),
    ]
    assert [entry.puzzle for entry in entries] == [
        Slitherlink([[4]]),
        Numberlink([[1, 1]]),
        Numberlink([[2, 2]], "fill"),
    ]


def test_tabs_are_taken_out_of_names():
    assert read_all("# name: a\t\tb\nslitherlink\n4\n")[0].name == "a b"


def test_without_header_the_caller_says_the_kind():
    assert read("1.\n.1\n", kind="numberlink", variant="fill") == Numberlink(
        [[1, None], [None, 1]], "fill"
    )
    assert read("1.\n.1\n", kind="slitherlink") == Slitherlink([[1, None], [None, 1]])


def test_the_rule_asked_for_overrides_that_of_a_numberlink():
    assert read("numberlink fill\n11\n", variant="free").variant == "free"
    assert read("slitherlink\n4\n", variant="loop").variant == "loop"


@pytest.mark.parametrize("text", ["1.\n.1\n", "7.\n.7\n", "..\n..\n", "2 2\n..\n..\n"])
def test_a_bare_grid_is_never_guessed(text):
    fails(
        text,
        "in:1",
        "the text does not say its kind of puzzle. Add a first line such as 'slitherlink', or name "
        "the kind (--kind)",
    )


def test_write_shows_the_grid():
    puzzle = Slitherlink([[3, None], [None, 2]], ((0, 0), (2, 2)))
    assert write(puzzle, name=" two\nlines ") == (
        "# name: two lines\nslitherlink path\nends 0,0 2,2\n3.\n.2\n"
    )
    puzzle = Numberlink([[10, None, 2], [2, 10, None]], "fill")
    assert write(puzzle) == "numberlink fill\n10  .  2\n 2 10  .\n"


def test_one_column_is_read_character_by_character():
    assert read("numberlink\n12\n12\n") == Numberlink([[1, 2], [1, 2]])
    assert read("numberlink\n2 1\n12\n12\n") == Numberlink([[12], [12]])
    assert write(Numberlink([[12], [12]])) == "numberlink\n2 1\n12\n12\n"


@pytest.mark.parametrize(
    "grid",
    [
        [[10, 10]],
        [[2, 2], [10, 11], [10, 11]],
        [[10, 2]] + [[n, n] for n in range(20, 29)] + [[10, 2]],
        [[10, 11], [11, 10]],
    ],
)
def test_rows_that_look_like_dimensions_survive(grid):
    assert read(write(Numberlink(grid))) == Numberlink(grid)


WRONG = {
    "empty": ("\n", "in", "expected a puzzle, found none"),
    "only comments": ("# a\n\n # b\n", "in", "expected a puzzle, found none"),
    "unknown header": (
        "nurikabe\n1.\n",
        "in:1:1",
        f"'slitherlink', 'numberlink' or one of {OTHERS} others, found 'nurikabe'",
    ),
    "unknown variant": ("slitherlink apart\n4\n", "in:1:13", "'path' or 'fill', found 'apart'"),
    "word too many": ("numberlink  fill it\n11\n", "in:1:18", "found 'it'"),
    "header alone": ("\nslitherlink\n\n3.\n", "in:2", "expected rows after the header, found none"),
    "short row": (
        "slitherlink\n3..\n.2\n",
        "in:3:3",
        "expected 3 cells as in the first row (line 2), found 2",
    ),
    "long row": (
        "slitherlink\n3. # c\n. 2 1 0\n",
        "in:3:5",
        "expected 2 cells as in the first row (line 2), found 4",
    ),
    "clue 5": ("slitherlink\n..\n .5\n", "in:3:3", "expected a clue from 0 to 4 or '?', found 5"),
    "rubbish": ("slitherlink\n.\x1b\n..\n", "in:2:2", r"found '\x1b'"),
    "foreign digit": ("slitherlink\n.\u0663\n..\n", "in:2:2", "found '\u0663'"),
    "minus": ("slitherlink\n. -1\n. .\n", "in:2:3", "found '-1'"),
    "letter": ("numberlink\n.a\nab\n", "in:2:2", "need a line with the dimensions"),
    "label once": (
        "numberlink\n. .\n. 10\n",
        "in:3:3",
        "number 10 to stand exactly twice, found it once",
    ),
    "label thrice": ("numberlink\n1.1\n..1\n", "in:3:3", "exactly twice, found it 3 times"),
    "label 0": ("numberlink\n.0\n0.\n", "in:2:2", "expected a number from 1, found 0"),
    "huge label": ("numberlink\n. 1234567890123456789\n", "in:2:3", "at most 18 digits"),
    "ends in a loop": ("slitherlink\nends 0,0 1,1\n2\n", "in:2:6", "expected 'slitherlink path'"),
    "ends in numberlink": ("numberlink\n11\n ends 0,0 1,1\n", "in:3:7", "expected no ends"),
    "no ends": (
        "slitherlink path\n2\n",
        "in:1",
        "expected two ends for the variant 'path', found none",
    ),
    "ends inside": (
        "slitherlink path\n..\n..\nends 1,1 0,0\n",
        "in:4:6",
        "expected an end on the border",
    ),
    "ends outside": (
        "slitherlink path\n..\n..\nends 0,0 3,0\n",
        "in:4:6",
        "expected an end on the border",
    ),
    "equal ends": ("slitherlink path\nends 0,0 0,0\n2\n", "in:2:6", "expected two different ends"),
    "one end": ("slitherlink path\nends 0,0\n2\n", "in:2:9", "2 places 'row,column', found 1"),
    "three ends": ("slitherlink path\nends 0,0 1,1 1,0\n2\n", "in:2:14", "found '1,0'"),
    "bad end": ("slitherlink path\nends 0,0 1;1\n2\n", "in:2:10", "found '1;1'"),
    "ends twice": ("slitherlink path\nends 0,0 1,1\n2\nends 0,0 1,1\n", "in:4:1", "found a second"),
    "bare ends": ("slitherlink path\nends\n2\n", "in:2:5", "found 0"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong(case):
    text, place, reason = WRONG[case]
    fails(text, place, reason)


def test_wrong_kind_and_rule():
    fails(
        "slitherlink\n4\n",
        "in:1",
        "expected the kind numberlink, found slitherlink",
        kind="numberlink",
    )
    fails(
        "slitherlink\n4\n",
        "in:1",
        "the variant 'loop', 'path' or 'fill' of slitherlink, found 'apart'",
        variant="apart",
    )
    fails("numberlink\n11\n", "in:1", "of numberlink, found 'loop'", variant="loop")
    fails(
        "slitherlink\n4\n",
        "in:1",
        "expected the variant 'path', found slitherlink with the variant 'loop'",
        variant="path",
    )


def test_a_second_block_needs_a_header():
    fails("1.\n.1\n\n22\n", "in:4", "before another puzzle, found '22'", kind="numberlink")

"""Given lines, forbidden lines and missing dots."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import linkoracle
from linkoracle import FormatError, Numberlink, PuzzleError, SimpleLoop, Slitherlink, Solution
from linkoracle.census import instances, puzzles_of
from linkoracle.formats import FORMATS, read, write
from linkoracle.kinds import FIXED, Figure, images
from tests.formats.strategies import fails
from tests.strategies import puzzles

BOARD = Slitherlink(
    [[3, None], [None, 2]],
    given=[((1, 0), (0, 0))],
    forbidden=[((2, 2), (2, 1)), ((0, 1), (1, 1))],
    holes=[(2, 2), (0, 2)],
)


def test_they_are_kept_in_order_and_make_another_puzzle():
    assert BOARD.given == (((0, 0), (1, 0)),)
    assert BOARD.forbidden == (((0, 1), (1, 1)), ((2, 1), (2, 2)))
    assert BOARD.holes == ((0, 2), (2, 2))
    plain = Slitherlink(BOARD.grid)
    others = [replace(BOARD, **{name: ()}) for name in ("given", "forbidden", "holes")]
    assert len({plain, BOARD, *others}) == 5
    assert pickle.loads(pickle.dumps(BOARD)) == BOARD
    again = BOARD.with_clues({(0, 0): None})
    assert again == replace(BOARD, clues=(None, None, None, 2))


def test_what_a_puzzle_has_not_is_not_shown():
    assert repr(Slitherlink([[3]])) == "Slitherlink(((3,),), ends=None)"
    assert repr(Numberlink([[1, 1]])) == "Numberlink(((1, 1),), variant='free')"
    shown = "SimpleLoop(((None, None),), forbidden=(((0, 0), (0, 1)),))"
    assert repr(SimpleLoop([[None, None]], forbidden=[((0, 0), (0, 1))])) == shown
    assert eval(repr(BOARD)) == BOARD


def test_the_model_has_them():
    model, lattice = BOARD.model, BOARD.lattice
    assert model.given == (lattice.edge((0, 0), (1, 0)),)
    assert set(model.forbidden) == {
        lattice.edge((2, 1), (2, 2)),
        lattice.edge((0, 1), (1, 1)),
    }
    assert model.holes == (lattice.vertex(0, 2), lattice.vertex(2, 2))


WRONG = {
    "no neighbours": ({"given": [((0, 0), (1, 1))]}, "neighbours of the 3x3 dots, found 0,0-1,1"),
    "off the board": ({"forbidden": [((0, 2), (0, 3))]}, "expected forbidden lines between"),
    "negative": ({"given": [((0, 0), (0, -1))]}, "found 0,0-0,-1"),
    "one end": ({"given": [((0, 0),)]}, "found 0,0"),
    "three ends": ({"given": [((0, 0), (0, 1), (0, 2))]}, "found 0,0-0,1-0,2"),
    "no edge": ({"given": [7]}, "found 7"),
    "no places": ({"given": ["ab"]}, "found 'ab'"),
    "no list": ({"given": 7}, "expected given lines as a list, found 7"),
    "a text": ({"holes": "0,0"}, "expected holes as a list, found '0,0'"),
    "nothing": ({"forbidden": None}, "expected forbidden lines as a list, found None"),
    "twice": ({"given": [((0, 0), (0, 1)), ((0, 1), (0, 0))]}, "line 0,0-0,1 once, found it twice"),
    "both": (
        {"given": [((0, 0), (0, 1))], "forbidden": [((0, 1), (0, 0))]},
        "expected the line 0,0-0,1 given or forbidden, found it both",
    ),
    "hole off the board": ({"holes": [(0, 3)]}, "expected holes among the 3x3 dots, found 0,3"),
    "no hole": ({"holes": [(0, True)]}, "expected holes among the 3x3 dots, found (0, True)"),
    "hole twice": ({"holes": [(1, 1), (1, 1)]}, "expected the hole 1,1 once, found it twice"),
    "line at a hole": (
        {"given": [((0, 0), (0, 1))], "holes": [(0, 1)]},
        "expected given lines that avoid holes, found 0,0-0,1",
    ),
    "end at a hole": (
        {"ends": ((0, 0), (2, 2)), "holes": [(2, 2)]},
        "expected an end that is not a hole, found 2,2",
    ),
    "no ends": ({"ends": ()}, "expected two ends"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_contradicts_itself_is_refused(case):
    arguments, reason = WRONG[case]
    with pytest.raises(PuzzleError) as caught:
        Slitherlink([[None] * 2] * 2, **arguments)
    assert reason in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_given_line_at_a_hole_of_a_simple_loop():
    with pytest.raises(PuzzleError, match="expected given lines that avoid holes, found 0,0-0,1"):
        SimpleLoop([[None, 0]], given=[((0, 0), (0, 1))])
    board = SimpleLoop([[None, None]], given=[((0, 0), (0, 1))])
    with pytest.raises(PuzzleError, match="avoid holes"):
        board.with_clues({(0, 1): 0})


def test_the_check_reads_them_itself():
    """Find exactly the rules that lines around one cell break."""
    around = Solution.from_paths(
        Slitherlink.blank(1, 1).lattice, [[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]]
    )
    nothing = Solution(around.lattice)
    top = [((0, 0), (0, 1))]
    assert linkoracle.violations(Slitherlink([[4]], given=top), around) == []
    assert linkoracle.violations(Slitherlink([[4]], forbidden=top), around) == [
        "the line 0,0-0,1 is forbidden, and is drawn"
    ]
    assert linkoracle.violations(Slitherlink([[4]], holes=[(1, 1)]), around) == [
        "a line passes the hole 1,1"
    ]
    missing = linkoracle.violations(Slitherlink([[0]], given=top), nothing)
    assert "the line 0,0-0,1 is given, and is missing" in missing
    for kind in (SimpleLoop, Numberlink):
        fixed = kind([[None] * 2] * 2, forbidden=top)
        assert "the line 0,0-0,1 is forbidden, and is drawn" in fixed.violations(around)


@settings(max_examples=100, deadline=None)
@given(puzzles())
def test_symmetries_keep_what_there_is_to_solve(puzzle):
    assume(any(getattr(puzzle, name) for name in FIXED) or getattr(puzzle, "holes", ()))
    expected = linkoracle.count(puzzle)
    for image in images(puzzle):
        assert linkoracle.count(image, engine="sat") == expected
        assert {len(getattr(image, name)) for name in FIXED} == {
            len(getattr(puzzle, name)) for name in FIXED
        }


@settings(max_examples=100, deadline=None)
@given(puzzles(), st.data())
def test_one_more_line_leaves_the_solutions_that_have_it(puzzle, data):
    """Given and forbidden lines partition the solutions."""
    lattice = puzzle.lattice
    assume(lattice.num_edges)
    edge = data.draw(st.integers(0, lattice.num_edges - 1))
    ends = tuple(map(lattice.position, lattice.ends(edge)))
    assume(ends not in puzzle.given and ends not in puzzle.forbidden)
    assume(set(ends).isdisjoint(getattr(puzzle, "holes", ())))
    with_it = replace(puzzle, given=[*puzzle.given, ends])
    without = replace(puzzle, forbidden=[*puzzle.forbidden, ends])
    assert linkoracle.count(with_it) + linkoracle.count(without) == linkoracle.count(puzzle)
    for solution in linkoracle.solutions(with_it):
        assert edge in solution.edges
        assert linkoracle.check_solution(puzzle, solution)
        assert not linkoracle.check_solution(without, solution)


REFUSED = {
    "given lines": Slitherlink.blank(3, 3).with_clues({(0, 0): 3}),
    "forbidden lines": Numberlink([[1, 1, None]]),
    "holes": Slitherlink.blank(3, 3),
}
LISTS = {
    "given lines": {"given": [((0, 0), (0, 1))]},
    "forbidden lines": {"forbidden": [((0, 0), (0, 1))]},
    "holes": {"holes": [(1, 1)]},
}


@pytest.mark.parametrize("what", REFUSED)
def test_formats_without_a_place_for_them_say_so(what):
    puzzle = replace(REFUSED[what], **LISTS[what])
    for name, form in FORMATS.items():
        if name in ("text", "json", "link") or (name == "penpa" and what.endswith("lines")):
            assert read(write(puzzle, name)) == puzzle
        elif form.writes:
            with pytest.raises(FormatError) as caught:
                write(puzzle, name)
            if name != "loopy" or puzzle.kind == "slitherlink":
                assert str(caught.value).endswith(f"has no place for {what}")


def test_as_text():
    assert write(BOARD) == (
        "slitherlink\ngiven 0,0-1,0\nforbidden 0,1-1,1 2,1-2,2\nholes 0,2 2,2\n3.\n.2\n"
    )
    assert read("holes 0,0\n3.\n..\n").holes == ((0, 0),)
    assert read("given 0,0-0,1\nends 0,0 1,1\n3\n").variant == "path"


LINES = "slitherlink\n..\n..\n"
WRONG_TEXTS = {
    "no neighbours": (LINES + "given 0,0-0,1 1,1-2,2\n", "in:4:15", "found 1,1-2,2"),
    "a place": (LINES + "given 0,0\n", "in:4:7", "'given' and places 'row,column-row,column'"),
    "an edge": (LINES + "holes 0,0-0,1\n", "in:4:7", "expected 'holes' and places 'row,column'"),
    "none": (LINES + "forbidden\n", "in:4:10", "found 0"),
    "second line": (LINES + "holes 0,0\nholes 1,1\n", "in:5:1", "expected one line 'holes'"),
    "both": (LINES + "forbidden 1,0-1,1\ngiven 1,1-1,0\n", "in:4:11", "found it both"),
    "hole twice": (LINES + "holes 1,1 0,0 1,1\n", "in:4:15", "found it twice"),
    "other kind": ("simpleloop\nholes 1,1\n..\n..\n", "in:2:7", "expected no holes in a puzzle"),
    "whose": ("given 0,0-0,1\n..\n..\n", "in:1", "the text does not say its kind of puzzle"),
    "json edge": (
        '{"kind": "slitherlink", "grid": ["."], "given": [[[0,0],[0,1]], [0, 1]]}',
        "in:1:65",
        "expected a line as a pair of places in 'given', found [0, 1]",
    ),
    "json no list": (
        '{"kind": "slitherlink", "grid": ["."], "holes": 3}',
        "in:1:49",
        "in 'holes', found 3",
    ),
    "json off": (
        '{"kind": "slitherlink", "grid": ["."], "holes": [[0, 0], [5, 5]]}',
        "in:1:58",
        "expected holes among the 2x2 dots, found 5,5",
    ),
}


@pytest.mark.parametrize("case", WRONG_TEXTS)
def test_errors_name_the_place(case):
    text, place, reason = WRONG_TEXTS[case]
    fails(text, place, reason)


def test_empty_lists_are_none():
    text = '{"kind": "slitherlink", "grid": ["."], "given": [], "forbidden": null, "holes": []}'
    assert read(text) == Slitherlink([[None]])


def test_figures():
    assert [*BOARD.figures()][BOARD.number_of_clues :] == [
        Figure("given", (0, 0), to=(1, 0)),
        Figure("cross", (0, 1), to=(1, 1)),
        Figure("cross", (2, 1), to=(2, 2)),
        Figure("gap", (0, 2)),
        Figure("gap", (2, 2)),
    ]


def test_a_census_has_no_such_puzzles():
    """A census covers only clues or pairs."""
    puzzle = Slitherlink([[4, None]])
    family = puzzles_of(linkoracle.solve(puzzle), fours=True)
    assert puzzle in family
    links = Numberlink([[1, 2], [1, 2]])
    pairs = instances(2, 2)
    assert links in pairs
    for lists in LISTS.values():
        assert replace(puzzle, **lists) not in family
        assert "holes" in lists or replace(links, **lists) not in pairs

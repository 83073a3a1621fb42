"""Requests: what makes no sense is refused at the door, with the value and what was expected."""

from __future__ import annotations

import pickle
import re
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from math import nan
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from linkoracle import boards, decide, grade, is_unique
from linkoracle.cli.generate import generate
from linkoracle.core import NothingFound, SearchTimeout
from linkoracle.deduce import within
from linkoracle.generate import (
    NumberlinkRequest,
    PuzzleRequest,
    SlitherlinkRequest,
    estimate,
    made_kinds,
    make,
    numberlink,
    numberlinks,
    options_for,
    reduce_clues,
    request_for,
    slitherlink,
    slitherlinks,
)
from linkoracle.generate.loops.shapes import two_colour
from linkoracle.generate.request import label_spans, labels_of
from linkoracle.studio.making import form_of

EVERYWHERE = [(row, col) for row in range(6) for col in range(6)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rows": 0}, "expected rows from 1, got 0"),
        ({"rows": 2.5}, "expected rows from 1, got 2.5"),
        ({"cols": None}, "expected columns from 1, got None"),
        ({"rows": 501, "cols": 1}, "board too large: 501x1"),
        ({"rows": 10**6}, "1000000x6 .*at most 10,000 cells, and 500 rows"),
        ({"shape": "square"}, "expected shape out of .*; got 'square'"),
        ({"shape": "expand", "ends": "random"}, "loops only"),
        ({"shape": "uniform", "rows": 30, "cols": 30}, "short side of up to 16 cells, got 30x30"),
        *(({"shape_options": one}, "options of a shape by name, got") for one in (1, None, [1])),
        ({"shape_options": {"colour": 3}}, "mix has no option colour, only zeros, threes, variety"),
        ({"shape": "two_colour", "shape_options": {"recursive": 3}}, "recursive .* got 3"),
        ({"shape": "crumple", "shape_options": {"ratio": nan}}, "ratio .* got nan"),
        ({"shape": "expand", "shape_options": {"thickness": "1"}}, "cannot use"),
        ({"shape": "uniform", "shape_options": {"length": 2.5}}, "length.* got 2.5"),
        ({"shape": "uniform", "shape_options": {"share": (0.5, 2)}}, "share .* got .0.5, 2"),
        ({"ends": ((1, 1), (0, 0))}, "border"),
        ({"ends": 3}, "two ends, .*, found 3"),
        ({"strategy": "magic"}, "strategy out of .*; got 'magic'"),
        ({"strategy": "stack"}, "number of clues"),
        ({"symmetry": "45"}, "a symmetry out of none, half-turn.*; got '45'"),
        ({"symmetry": "quarter-turn", "cols": 7}, "expected a symmetry of this board"),
        ({"clues": 37}, "expected 0 to 36 clues, got 37"),
        ({"clues": "3"}, "expected 0 to 36 clues, got '3'"),
        ({"must": [(0, 0)], "must_not": [(0, 0)]}, r"\(0, 0\) cannot both"),
        ({"must": [(6, 0)]}, "no cell 6,0"),
        ({"must": [(-1, 0)]}, "no cell -1,0"),
        ({"must": [(0.5, 0)]}, r"expected a cell .*, got \(0.5, 0\)"),
        ({"must": 3}, "expected cells as must, got 3"),
        ({"digits": [(0, 0)]}, r"expected digits by cell, got \[\(0, 0\)\]"),
        ({"memory": -1}, "expected a memory limit in bytes from 1, got -1"),
        ({"memory": -1, "shape": "uniform"}, "a memory limit in bytes from 1, got -1"),
        ({"fill": "no"}, "expected True or False for fill, got 'no'"),
        ({"must": [3]}, "expected a cell .*, got 3"),
        ({"max_clue_density": 0}, "density above 0 and up to 1, got 0"),
        ({"max_clue_density": nan}, "density above 0 and up to 1, got nan"),
        ({"max_clue_density": "1"}, "density above 0 and up to 1, got '1'"),
        ({"max_failures": 0}, "failures from 1, got 0"),
        ({"tries": 1.5}, "tries from 1, got 1.5"),
        ({"keeps": "easy"}, "expected a function of a puzzle to keep it, got 'easy'"),
        ({"strategy": "fewest", "minimal": True}, "fewest clues takes no minimal"),
        ({"strategy": "fewest", "must": [(0, 0)]}, "fewest clues takes no must"),
        ({"strategy": "mask", "shape": "long"}, "mask takes no shape"),
        ({"strategy": "mask", "shape_options": {"zeros": 1}}, "takes no shape_opt"),
        ({"strategy": "mask", "must": [(0, 0)], "must_not": [(1, 1)]}, "a mark for every cell"),
    ],
)
def test_slitherlinks_that_cannot_be(options, words):
    options = {"rows": 6, "cols": 6, **options}
    for ask in (SlitherlinkRequest, slitherlink, slitherlinks):
        with pytest.raises(ValueError, match=words):
            ask(**options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rows": 1, "cols": 1}, "no room for a pair"),
        ({"rows": 0}, "expected rows from 1, got 0"),
        ({"rows": 2.5}, "expected rows from 1, got 2.5"),
        ({"rows": 10**5, "cols": 10**5}, "100000x100000 .*at most 1,600 cells"),
        ({"pairs": 40}, "do not fit"),
        ({"pairs": 0}, "expected pairs from 1, got 0"),
        ({"pairs": 2.5}, "expected pairs from 1, got 2.5"),
        ({"pairs": (1, 2, 3)}, r"the least and the most, got \(1, 2, 3\)"),
        ({"pairs": (9, 8)}, "from 1 up, got 9 to 8"),
        ({"min_length": 1}, "cells of the shortest path from 2, got 1"),
        ({"min_length": 9, "max_length": 8}, "cannot be shorter"),
        ({"pairs": 6, "max_length": 5}, "do not cover"),
        ({"short_share": (0.5, 0.4)}, r"short_share, got \(0.5, 0.4\)"),
        ({"long_share": (0.0, nan)}, r"long_share, got \(0.0, nan\)"),
        ({"long_share": 0.5}, "long_share, got 0.5"),
        ({"short_share": (0.6, 1), "long_share": (0.6, 1)}, "cannot both"),
        ({"straight_share": (0.5, 0.4)}, r"straight_share, got \(0.5, 0.4\)"),
        ({"min_turns": -1}, "turns of a path from 0, got -1"),
        ({"min_turns": nan}, "turns of a path from 0, got nan"),
        ({"must": [(0, 6)]}, "no cell 0,6"),
        ({"must": [(0, 0)], "must_not": [(0, 0)]}, "cannot both have to carry a clue"),
        ({"pairs": 2, "must": [(0, col) for col in range(5)]}, "the mask has 5 numbers .*2 pairs"),
        (
            {"pairs": 18, "min_length": 2, "must_not": [(0, 0)]},
            "leaves 35 cells for numbers .*18 pairs",
        ),
        ({"mask": ["#....."] + ["......"] * 5}, r"leaves 1 cell for numbers \(least: 1 pair\)"),
        (
            {"must": [(0, 0)], "symmetry": "half-turn"},
            "the mask does not have the symmetry half-turn",
        ),
        ({"symmetry": "spiral"}, "a symmetry out of .*; got 'spiral'"),
        ({"symmetry": "diagonal"}, "cannot have the symmetry diagonal"),
        ({"symmetry": "quarter-turn", "cols": 8}, "a symmetry of this board"),
        ({"symmetry": "quarter-turn", "rows": 7, "cols": 7}, "even side"),
        ({"symmetry": "quarter-turn", "pairs": (5, 7)}, "groups of 4"),
        ({"symmetry": "half-turn", "pairs": 5}, "groups of 2"),
        ({"variant": "empty"}, "variant out of free, fill, apart, fill-apart; got 'empty'"),
        ({"maker": "guess"}, "maker out of links, diagram; got 'guess'"),
        ({"tries": 0}, "tries from 1, got 0"),
        ({"effort": 0}, "effort from 1, got 0"),
        ({"repairs": -1}, "repairs from 0, got -1"),
        ({"maker": "diagram", "rows": 9, "cols": 9}, "up to 96 cells .*, got 9x9"),
        ({"maker": "diagram", "symmetry": "half-turn"}, "no symmetry"),
    ],
)
def test_numberlinks_that_cannot_be(options, words):
    options = {"rows": 6, "cols": 6, **options}
    for ask in (NumberlinkRequest, numberlink, numberlinks):
        with pytest.raises(ValueError, match=words):
            ask(**options)


def partitions(cells, number, shortest, longest):
    """All ways to write a number of cells as a sum of so many lengths that do not fall."""
    if number == 1:
        return [(cells,)] if shortest <= cells <= longest else []
    return [
        (least, *rest)
        for least in range(shortest, min(longest, cells // number) + 1)
        for rest in partitions(cells - least, number - 1, least, longest)
    ]


shares = st.lists(
    st.sampled_from([k / d for d in (6, 7, 10) for k in range(d + 1)]), min_size=2, max_size=2
).map(sorted)


@settings(max_examples=300, deadline=None)
@given(
    st.integers(2, 5),
    st.integers(2, 5),
    st.integers(1, 6),
    st.integers(2, 4),
    st.integers(4, 25),
    shares,
    shares,
)
@example(5, 5, 5, 3, 25, [0.3, 0.35], [0, 1])
@example(4, 4, 4, 2, 16, [0, 1], [0.7, 1])
def test_shares_are_refused_exactly_where_no_lengths_have_them(
    rows, cols, number, shortest, longest, short, long
):
    cells = rows * cols
    possible = any(
        short[0] <= sum(2 * number * size <= cells for size in sizes) / number <= short[1]
        and long[0] <= sum(2 * number * size >= 3 * cells for size in sizes) / number <= long[1]
        for sizes in partitions(cells, number, shortest, longest)
    )
    options = {"pairs": number, "min_length": shortest, "max_length": longest}
    with nullcontext() if possible else pytest.raises(ValueError, match=r"do not|cannot both"):
        NumberlinkRequest(rows, cols, **options, short_share=short, long_share=long)


@pytest.mark.parametrize("make", [slitherlink, slitherlinks, numberlink, numberlinks])
@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"seed": 1.5}, "expected a seed, a whole number, got 1.5"),
        ({"timeout": nan}, "positive number of seconds, got nan"),
        ({"timeout": 0}, "positive number of seconds, got 0"),
    ],
)
def test_seeds_and_times_that_cannot_be(make, how, words):
    with pytest.raises(ValueError, match=words):
        make(5, 5, **how)
    with pytest.raises(ValueError, match="a request, or a size and options"):
        make(NumberlinkRequest(3, 3) if "number" in make.__name__ else SlitherlinkRequest(3, 3), 5)
    index = {"index": -1} if make in (slitherlink, numberlink) else {"start": -1}
    with pytest.raises(ValueError, match=r"index from 0, got -1"):
        make(5, 5, **index)


def test_thin_takes_away_from_a_line_that_is_given():
    line = two_colour(Random(1), 4, 4)
    with pytest.raises(ValueError, match="from the given solution"):
        reduce_clues(line, strategy="fewest", seed=0)
    with pytest.raises(ValueError, match="0 to 16 clues"):
        reduce_clues(line, clues=17, seed=0)


def test_a_mask_is_a_field_of_a_request():
    request = SlitherlinkRequest(mask=["#.??", "?3??", "????"])
    assert (request.rows, request.cols, request.strategy) == (3, 4, "even")
    assert (request.must, request.must_not) == ({(0, 0), (1, 1)}, {(0, 1)})
    assert request.digits == {(1, 1): 3}
    assert replace(request) == request
    rings = SlitherlinkRequest(5, 5, pattern="rings")
    assert (rings.strategy, len(rings.must), len(rings.must_not)) == ("mask", 17, 8)
    assert SlitherlinkRequest(9, 11, letters="26").strategy == "mask"
    assert SlitherlinkRequest(9, 11, letters="26", unmarked="either").strategy == "even"
    assert NumberlinkRequest(mask=["?.????"] + ["??????"] * 5).must_not == {(0, 1)}
    loop = two_colour(Random(1), 4, 5)
    assert SlitherlinkRequest(loop=loop).cols == 5
    memory = SlitherlinkRequest(5, 5, shape="uniform", memory=1 << 20).shape_options
    assert memory == {"memory": 1 << 20}
    for kind, wrong, words in (
        (SlitherlinkRequest, {"mask": ["#x"]}, "mask:1:2: expected # "),
        (SlitherlinkRequest, {"mask": ["##", "#"]}, "mask:2:2: expected 2 cells"),
        *((SlitherlinkRequest, {"mask": one}, "a mask as rows of") for one in (1, "#", [1], {})),
        (SlitherlinkRequest, {"mask": []}, "rows of a mask, found none"),
        (SlitherlinkRequest, {"mask": ["?"], "letters": "A"}, "one of mask, pattern and letters"),
        (
            SlitherlinkRequest,
            {"mask": ["??"], "rows": 2, "cols": 2},
            "say 2 rows of 2 cells, the m",
        ),
        (
            SlitherlinkRequest,
            {"mask": ["??"], "loop": loop},
            "has 1 row of 2 cells, the loop has 4",
        ),
        (SlitherlinkRequest, {"mask": ["#."], "minimal": True}, "takes no minimal, got True"),
        (NumberlinkRequest, {"mask": ["1??"]}, "a mask of #, . and [?] for numbers, found 1"),
    ):
        with pytest.raises(ValueError, match=words):
            kind(**wrong)


def test_a_request_is_a_value():
    one = SlitherlinkRequest(
        5, 5, must=[(0, 0)], shape="uniform", shape_options={"length": (10, 20)}
    )
    other = SlitherlinkRequest(
        5, 5, must={(0, 0)}, shape="uniform", shape_options={"length": (10, 20)}
    )
    assert one == other == pickle.loads(pickle.dumps(one))
    assert hash(one) == hash(other)
    assert one != SlitherlinkRequest(5, 5)
    plain = NumberlinkRequest(6, 6, pairs=(5, 6))
    assert plain == pickle.loads(pickle.dumps(plain))
    assert len({plain, NumberlinkRequest(6, 6, pairs=(5, 6)), NumberlinkRequest(6, 6)}) == 2


def test_a_request_makes_what_its_parts_make():
    options = {"symmetry": "both", "tries": 7}
    for kind, one, many in (
        (SlitherlinkRequest, slitherlink, slitherlinks),
        (NumberlinkRequest, numberlink, numberlinks),
    ):
        whole = kind(6, 6, **options)
        made = one(whole, seed=3)
        assert made == one(6, 6, seed=3, **options) == next(many(whole, seed=3))
        assert made == next(many(6, 6, seed=3, **options))


@pytest.mark.parametrize(
    ("kind", "request_of"),
    [
        ("slitherlink", SlitherlinkRequest),
        ("numberlink", NumberlinkRequest),
        ("simpleloop", partial(PuzzleRequest, "simpleloop")),
    ],
)
def test_an_option_is_declared_once(kind, request_of):
    """The command and the form of the page have what the request declares, and so do its checks."""
    command = generate.get_command(None, kind)
    params = {param.name: param for param in command.params}
    form = {field["name"]: field for field in form_of(kind)}
    declared = options_for(kind)
    assert {"tries", "difficulty", "score", "techniques", "max_depth"} <= declared.keys()
    assert form.keys() <= declared.keys()
    for name, one in declared.items():
        assert params[name].help == one.help
        if one.words:
            assert [*params[name].type.choices] == [*one.words]
            with pytest.raises(ValueError, match=f"{name} out of .*; got 'none of them'"):
                request_of(6, 6, **{name: "none of them"})
        if isinstance(one.least, int):
            assert params[name].type.min == one.least
            with pytest.raises(ValueError, match=f"got {one.least - 1}"):
                request_of(6, 6, **{name: one.least - 1})
        if one.title:
            assert form[name]["title"] == one.title
            assert {*form[name].get("values", ())} <= {*(one.words or one.offered), "any"}


@pytest.mark.parametrize("kind", ["slitherlink", "numberlink", "simpleloop"])
def test_a_difficulty_is_a_field_of_every_request(kind):
    # All small Simple Loops are easy.
    size = 8 if kind == "simpleloop" else 6
    request = request_for(kind, size, size, difficulty="normal")
    assert request.keeps == within("normal", least="normal")
    assert replace(request) == request
    made = make(request, seed=2)
    assert grade(made.puzzle).label == "normal"
    assert make(request_for(kind, size, size, keeps=request.keeps), seed=2) == made
    ranged = request_for(kind, size, size, difficulty="easy..hard", score=(1, 400), max_depth=1)
    assert ranged.keeps == within("hard", least="easy", score=(1, 400), max_depth=1)
    for wrong, words in (
        ({"difficulty": "great"}, "expected one of the labels easy, .* got 'great'"),
        ({"difficulty": "hard..easy"}, "expected the easier label first, got hard and easy"),
        ({"difficulty": "normal", "keeps": is_unique}, "to keep it, got both"),
        *(
            ({"score": one}, "expected the lowest and the highest score, got")
            for one in (3, (), (1, 2, 3), "ab", (1, "a"), {"a": 1}, False)
        ),
        ({"score": (3, 2)}, "range 3-2 is empty"),
        *(({"tries": None}, "tries from 1, got None") for _ in [0] if kind != "slitherlink"),
    ):
        with pytest.raises(ValueError, match=words):
            request_for(kind, size, size, **wrong)
    with pytest.raises(ValueError, match=r"a kind that can be made, .* got 'nurikabe'"):
        request_for("nurikabe", 6, 6)


@pytest.mark.parametrize("make", [slitherlink, numberlink])
def test_a_fresh_seed_is_told_and_repeats(make):
    made = make(6, 6, seed=None, index=2)
    assert made.index == 2
    assert make(6, 6, seed=made.seed, index=made.index) == made
    assert len({make(6, 6, seed=None).seed for _ in range(4)}) == 4


def test_runs_tell_seed_and_index_of_each_puzzle():
    for many, one in ((slitherlinks, slitherlink), (numberlinks, numberlink)):
        run = many(5, 5, seed=None, limit=4)
        for made in run:
            assert one(5, 5, seed=made.seed, index=made.index) == made
            assert is_unique(made.puzzle)


def test_progress_tells_boards_that_are_not_as_requested():
    messages = []
    with pytest.raises(NothingFound, match=r"found no puzzle .* 0 boards as requested, 5 not"):
        numberlink(4, 4, pairs=1, tries=5, progress=lambda line, _: messages.append(line), seed=0)
    assert messages[-1] == "0 tried, 5 not as requested"
    shares = []
    list(slitherlinks(4, 4, limit=4, progress=lambda _, share: shares.append(share), seed=0))
    assert shares == [None, 0.25, 0.5, 0.75]


@pytest.mark.parametrize(
    ("kind", "size", "label", "others"),
    [
        (
            "numberlink",
            8,
            "extreme",
            "Numberlinks of 64 cells cannot be 'extreme'. Choose 'normal', 'tricky' or 'hard'",
        ),
        ("slitherlink", 2, "normal", "Slitherlinks of 4 cells cannot be 'normal'. Choose 'easy'"),
        (
            "masyu",
            10,
            "brutal",
            "Masyus of 100 cells cannot be 'brutal'. Choose 'easy', .* or 'extreme'",
        ),
    ],
)
def test_difficulties_that_a_kind_and_a_size_are_not_made_to(kind, size, label, others):
    with pytest.raises(ValueError, match=others):
        request_for(kind, size, size, difficulty=label)
    assert request_for(kind, size, size, difficulty=f"easy..{label}")
    values = {field["name"]: field.get("values") for field in form_of(kind)}["difficulty"]
    assert values == ["any", *options_for(kind)["difficulty"].offered]


@pytest.mark.parametrize(
    ("kind", "label"),
    [("masyu", "normal"), ("koburin", "tricky"), ("linesweeper", "hard"), ("grandtour", "normal")],
)
def test_clues_are_restored_until_a_puzzle_is_as_easy_as_requested(kind, label):
    size = 7 if kind == "grandtour" else 6
    places = {} if kind == "grandtour" else {"symmetry": "half-turn"}
    made = make(request_for(kind, size, size, difficulty=label, **places), seed=1)
    assert grade(made.puzzle).label == label
    assert is_unique(made.puzzle)
    assert not made.puzzle.violations(made.solution)
    cells = {cell for cell, _ in made.puzzle.clue_cells()}
    assert not places or cells == {(size - 1 - row, size - 1 - col) for row, col in cells}


@pytest.mark.parametrize("label", ["easy", "tricky"])
@pytest.mark.parametrize("kind", ["zip", "numbrix"])
def test_paths_past_numbers_are_made_to_a_difficulty(kind, label):
    """More numbers make them easier, also where these are 1, 2, 3 ... whatever lies between."""
    made = make(request_for(kind, 6, 6, difficulty=label), seed=1)
    assert grade(made.puzzle).label == label
    assert decide(made.puzzle).solutions == (made.solution,)
    numbers = sorted(clue for _, clue in made.puzzle.clue_cells())
    assert kind == "numbrix" or numbers == [*range(1, len(numbers) + 1)]


def test_times_are_estimated_before_a_request_is_run():
    hard = request_for("masyu", 10, 10, difficulty="hard")
    assert estimate(hard) == estimate(request_for("masyu", 10, 10, difficulty="hard..extreme"))
    assert estimate(request_for("masyu", 20, 20, difficulty="hard")) > 4 * estimate(hard)
    messages = []
    slow = request_for("numbrix", 5, 5, difficulty="tricky..extreme")
    made = make(slow, seed=1, progress=lambda line, _: messages.append(line))
    assert not any("usually" in line for line in messages)
    assert made.puzzle.kind == "numbrix"
    with pytest.raises(SearchTimeout):
        make(
            request_for("numbrix", 20, 20, difficulty="normal"),
            seed=1,
            timeout=0.01,
            progress=lambda line, _: messages.append(line),
        )
    assert re.fullmatch(r"0 tried, usually about \d+ s", messages[-1])


@pytest.mark.parametrize("kind", made_kinds())
def test_every_label_that_is_offered_is_accepted(kind):
    """The form, the help and the page's next puzzle offer what is not refused."""
    cols = 11 if kind == "grandtour" else 10
    assert estimate(request_for(kind, 10, cols)) is not None
    offered = options_for(kind)["difficulty"].offered
    assert [*offered] == [*label_spans(kind)]
    for label in labels_of(kind, 10 * cols)[0]:
        assert request_for(kind, 10, cols, difficulty=label).difficulty == label
        assert label in offered
    with pytest.raises(ValueError, match="no loop visits every cell of 5x5: choose an even"):
        request_for("entryexit", 5, 5)


#: Values of options that the page names without one, on a board of 7x7 cells.
VALUES = {
    "mask": ["#??????"] + ["???????"] * 6,
    "pattern": "frame",
    "letters": "1",
    "layout": "pairs",
    "clue_density": 0.4,
    "max_clue_density": 0.4,
    "shape": "long",
    "shape_options": {"zeros": 1},
    "symmetry": "half-turn",
    "clues": 12,
    "max_failures": 3,
    "minimal": True,
    "difficulty": "normal",
    "score": (1, 300),
    "techniques": "hard",
    "max_depth": 1,
    "ends": ((0, 0), (0, 7)),
    "fill": True,
    "loop": two_colour(Random(1), 7, 7),
    "extra_clues": 2,
    "memory": 10**9,
    "maker": "diagram",
}
PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "generate.md"


def excluded():
    """Yield the request and the two sets of options of each pair that the page excludes."""
    section = PAGE.read_text(encoding="utf-8").split("## Options that exclude each other")[1]
    for row in section.split("| --- |\n")[1].split("\n\n")[0].splitlines():
        names, others = row.strip("| ").split(" | ")
        request = NumberlinkRequest if names.startswith("numberlink") else SlitherlinkRequest
        names, others = (re.findall(r"`--(.*?)`", part) for part in (names, others))
        others += names if "one another" in row else []
        yield from ((request, name, other) for name in names for other in others if name != other)


def stated(option):
    """Return the size, and the field for an option of the command line with its value."""
    size = {"rows": 7, "cols": 7}
    name, _, value = option.partition(" ")
    name = name.replace("-", "_")
    if name == "fewest":
        return {**size, "strategy": "fewest"}
    if name == "board":
        return {"board": boards.named(value), "rows": None, "cols": None}
    name = {"shape_option": "shape_options"}.get(name, name)
    return {**size, name: value or VALUES[name]}


@pytest.mark.parametrize(("kind", "one", "other"), [*excluded()])
def test_the_page_names_options_that_exclude_each_other(kind, one, other):
    for option in (one, other):
        kind(**stated(option))
    with pytest.raises(ValueError, match=r"\w"):
        kind(**{**stated(other), **stated(one)})

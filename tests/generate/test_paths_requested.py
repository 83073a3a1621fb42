"""Puzzles whose path is requested: each kind, each condition, and requests that are refused."""

from __future__ import annotations

import pytest

from linkoracle import NothingFound, boards, generate, read, write
from linkoracle.deduce import PathWish, deduced, hint, narrowest, places_of, widest
from linkoracle.deduce.grades import Made
from linkoracle.generate import made_kinds, make, request_for
from linkoracle.generate.request import PATH_OPTIONS, techniques_of
from tests.boards import named

#: A size at which each kind is made at once.
SIDE = 6


def size_of(kind: str) -> tuple[int, int]:
    """Return rows and columns; one more where the loop of a kind visits every dot or cell."""
    try:
        request_for(kind, SIDE, SIDE)
    except ValueError:
        return SIDE, SIDE + 1
    return SIDE, SIDE


def path_of(puzzle):
    """Return the path from the clues alone."""
    again = read(write(puzzle, "json"))
    found = deduced(again, None)
    assert found.grade.status == "solved"
    return found.path()


# The numbers of an Ice Walk are of whole walks: techniques seldom solve one.
@pytest.mark.parametrize("kind", [kind for kind in made_kinds() if kind != "icewalk"])
def test_every_kind_is_made_with_the_path_requested(kind):
    size = size_of(kind)
    plain = make(request_for(kind, *size), seed=1)
    path = path_of(plain.puzzle)
    first = "dot" if "dot" in techniques_of(kind) else "count"
    wishes = {
        "steps": (len(path) // 3, 2 * len(path)),
        "widest": (2, 3 * widest(path) + 9),
        "uses": {first: (1, 2 * len(path))},
    }
    request = request_for(kind, *size, **wishes)
    made = make(request, seed=2, timeout=30)
    found = path_of(made.puzzle)
    assert wishes["steps"][0] <= len(found) <= wishes["steps"][1]
    assert 2 <= widest(found) <= wishes["widest"][1]
    assert sum(step.technique == first for step in found) >= 1
    # A path has no guess unless a difficulty or a depth allows it.
    assert "guess" not in {step.technique for step in found}
    assert request.keeps.check(made.puzzle) == 0
    assert make(request, seed=2).puzzle == made.puzzle


@pytest.mark.parametrize(
    "options",
    [
        {"steps": "1-40"},
        {"narrowest": "2-9"},
        {"widest": (4, 6)},
        {"techniques": "clue,dot,loop,static"},
        {"techniques": ["clue", "dot", "static", "reach"], "steps": (1, 60)},
        {"uses": "cell=1-2,loop"},
        {"no_trial": True, "difficulty": "hard"},
        {"begins": "r1c1-r3c3"},
    ],
    ids=str,
)
def test_paths_of_slitherlinks(options):
    request = request_for("slitherlink", 6, 6, **options)
    made = make(request, seed=1, timeout=30)
    path = path_of(made.puzzle)
    steps, used = len(path), [step.technique for step in path]
    spans = {name: request.__getattribute__(name) for name in ("steps", "widest", "narrowest")}
    wish = request.keeps.path
    for name, number in (
        ("steps", steps),
        ("widest", widest(path)),
        ("narrowest", narrowest(path)),
    ):
        if spans[name] is not None:
            low, high = getattr(wish, name)
            assert low <= number <= high
    assert set(used) <= (wish.techniques or set(used))
    for name, least, most in wish.uses:
        assert least <= used.count(name) <= (most or steps)
    if wish.begins:
        assert places_of(made.puzzle, hint(made.puzzle))[0] in wish.begins
    assert made.puzzle == make(request, seed=1).puzzle


def test_paths_on_boards_that_are_not_square():
    board = boards.honeycomb(4, 4)
    made = make(request_for("slitherlink", board=board, techniques="count,end", begins="3"), seed=1)
    path = path_of(made.puzzle)
    assert {step.technique for step in path} <= {"count", "end"}
    assert places_of(made.puzzle, hint(made.puzzle))[0] == 3
    pairs = make(request_for("numberlink", board=named("cairo 3 3"), steps="1-400"), seed=1)
    assert len(path_of(pairs.puzzle)) <= 400


@pytest.mark.parametrize("kind", ["numberlink", "slitherlink"])
def test_boards_without_rows_have_no_symmetry_whether_requested_or_not(kind):
    board = named("cairo 3 3")
    open_, none = (request_for(kind, board=board, symmetry=one) for one in (None, "none"))
    assert make(open_, seed=1).puzzle == make(none, seed=1).puzzle


@pytest.mark.parametrize("kind", ["slitherlink", "shingoki", "numberlink"])
def test_a_path_like_that_of_a_puzzle(kind):
    other = make(request_for(kind, 6, 6), seed=3).puzzle
    solved = deduced(other, None)
    request = request_for(kind, 6, 6, like=other)
    made = make(request, seed=4, timeout=30).puzzle
    before, after = solved.path(), path_of(made)
    assert deduced(made, None).grade.label == solved.grade.label
    assert {step.technique for step in after} <= {step.technique for step in before}
    for number in (len, widest, narrowest):
        assert abs(number(after) - number(before)) <= max(3, round(number(before) / 3))
    with pytest.raises(ValueError, match=f"a puzzle of the kind {kind}"):
        request_for(kind, 6, 6, like=generate.puzzle("detour", 6, 6, seed=1).puzzle)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"techniques": "coutn"}, "no technique is called 'coutn': did you mean 'count'"),
        ({"techniques": []}, "expected the names of techniques"),
        ({"techniques": "colour"}, "the technique colour is not for Masyus here"),
        ({"techniques": "guess", "no_trial": True}, "no technique is left"),
        ({"uses": "colour"}, "the technique colour is not for Masyus here"),
        ({"uses": "count=4-2"}, "the range 4-2 of count is empty"),
        ({"uses": "count="}, "expected a technique, or NAME=N"),
        ({"uses": "trial", "no_trial": True}, "cannot use trial: no trial is allowed"),
        ({"uses": "trial", "techniques": "count"}, "cannot use trial: not allowed"),
        ({"uses": "count=30", "steps": (1, 20)}, "take 30 steps, more than the 20 allowed"),
        ({"steps": (20, 1)}, "the range 20-1 of steps is empty"),
        ({"steps": "many"}, "expected a number of steps from 1"),
        ({"steps": (0, 4)}, "expected a number of steps from 1"),
        ({"widest": "2-3", "narrowest": "4-5"}, "narrowest point cannot be wider"),
        ({"begins": "r7c1"}, "expected cells of a board of 6x6"),
        ({"begins": "somewhere"}, "expected a cell such as r1c1"),
        ({"no_trial": True, "max_depth": 2}, "expected no trial, or guesses"),
        ({"no_trial": 1}, "expected True or False"),
        ({"like": "a.txt"}, "does not say its kind"),
        ({"steps": 9, "keeps": bool}, "got both"),
    ],
    ids=str,
)
def test_paths_that_cannot_be_are_refused_at_once(options, message):
    with pytest.raises(ValueError, match=message):
        request_for("masyu", 6, 6, **options)


def test_options_of_the_path_are_declared_for_every_kind():
    for kind in made_kinds():
        assert set(PATH_OPTIONS) <= generate.options_for(kind).keys()
        if generate.made_on_boards(kind):
            assert set(PATH_OPTIONS) <= generate.options_for(kind, on_board=True).keys()


def test_how_far_a_path_is_from_the_conditions():
    easy = [Made("count", 1, 5, 3)] * 6
    hard = [*easy, *[Made("trial", 6, 1, 1, length=3)] * 4]
    assert PathWish(steps=(1, 6)).difference(hard) == 1
    assert PathWish(steps=(8, 20)).difference(easy) == -1
    assert PathWish(no_trial=True).difference(hard) == 1
    assert PathWish(uses=(("trial", 1, 2),)).difference(hard) == 1
    assert PathWish(uses=(("trial", 1, None),)).difference(easy) == -1
    assert PathWish(narrowest=(2, 9)).difference(hard) == 1
    assert PathWish(widest=(1, 3)).difference(easy) == -1
    assert PathWish(widest=(2, 9)).difference([]) == -1
    assert PathWish(widest=(5, 5), steps=(6, 6)).difference(easy) == 0
    # Too hard in one way counts before too easy in another.
    assert PathWish(steps=(20, 30), no_trial=True).difference(hard) == 1


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("masyu", {"steps": (1, 6)}, r"4 with more than 6 steps \(\d+ at best\)"),
        ("countryroad", {"uses": {"trial": 3}}, "with fewer than 3 steps by trial"),
        ("numberlink", {"steps": (1, 5)}, r"with more than 5 steps \(\d+ at best\)"),
        ("slitherlink", {"steps": (1, 5)}, "4 with more than 5 steps"),
        ("doubleback", {"narrowest": (30, 40)}, "4 with fewer than 30 steps open"),
    ],
)
def test_a_wish_that_cannot_be_met_is_told_with_how_often_it_failed(kind, options, message):
    request = request_for(kind, 6, 6, tries=4, **options)
    with pytest.raises(NothingFound, match=message) as failed:
        make(request, seed=1)
    assert "as requested in 4 attempts" in str(failed.value)


def test_a_needed_trial_is_told():
    path = PathWish(no_trial=True)
    assert path.missed([Made("trial", 5, 1, 1, 1)]).reason == "needing a trial"
    assert PathWish().missed([Made("guess", 40, 1, 1)]).reason == "needing guess"
    assert path.missed([Made("count", 1, 1, 1)]) is None
    wish = PathWish(techniques=frozenset({"count"}))
    assert wish.missed([Made("end", 2, 1, 1)]).reason == "needing end"
    assert wish.not_allowed() == "needing other techniques"

"""What is left open in a request for a Slitherlink is drawn as in published puzzles.

The figures are those of 206 published Slitherlinks of 10x10 cells, measured by ``scripts/looks.py``
(``docs/explanation/benchmarks.md``). Most have symmetric places, and these have fewer clues and are
harder than the others. Loops that keep away from part of the board carry symmetric clues; loops
that go everywhere hardly ever do.
"""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate, pairwise
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from linkoracle.board.symmetry import Symmetry
from linkoracle.generate.layouts import Layout
from linkoracle.generate.request_parts import as_grade

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linkoracle.board.solution import Solution
    from linkoracle.deduce.rules import Label
    from linkoracle.generate.slitherlink_request import SlitherlinkRequest

Thing = TypeVar("Thing")
#: A distribution by its least value, its quarters, and its largest value.
Quarters = tuple[float, float, float, float, float]


class Habits(NamedTuple):
    """How puzzles are made, as shares that need not add up to 1.

    ``square`` and ``oblong`` are the symmetries of boards with equal and with other sides.
    ``hardest`` has the label of the hardest techniques: how often it is drawn, and the share of
    cells with a clue that is aimed at: the least, its quarters, and the largest. Most aims are a
    little below what is published, since what a loop or a label needs stays anyway. Two of three
    puzzles have the label of their hardest techniques, and shares are such that the labels are as
    frequent as published.
    """

    square: Mapping[Symmetry, float]
    oblong: Mapping[Symmetry, float]
    layouts: Mapping[Layout, float]
    hardest: Mapping[Label, tuple[float, Quarters]]


SYMMETRIC = Habits(
    {"half-turn": 95, "quarter-turn": 25, "both": 12},
    {"half-turn": 112, "both": 48},
    {"even": 5, "openings": 70, "lines": 15, "pairs": 10},
    {
        "easy": (6, (0.32, 0.34, 0.36, 0.38, 0.50)),
        "normal": (12, (0.26, 0.32, 0.36, 0.44, 0.60)),
        "tricky": (20, (0.28, 0.32, 0.36, 0.40, 0.64)),
        "hard": (60, (0.22, 0.30, 0.34, 0.38, 0.52)),
        "extreme": (2, (0.30, 0.32, 0.34, 0.38, 0.48)),
    },
)
OTHERS = Habits(
    {"none": 1},
    {"none": 1},
    {"scattered": 1},
    {
        "easy": (10, (0.40, 0.45, 0.47, 0.49, 0.55)),
        "normal": (22, (0.35, 0.39, 0.41, 0.44, 0.53)),
        "tricky": (20, (0.34, 0.36, 0.40, 0.42, 0.47)),
        "hard": (38, (0.33, 0.35, 0.38, 0.42, 0.53)),
        "extreme": (10, (0.34, 0.36, 0.40, 0.44, 0.48)),
    },
)
#: Of loops with this share of cells without a line, or less, a twentieth carries symmetric clues;
#: of those with the other share or more, all but a twentieth.
_WINDING, _SPARSE = 0.015, 0.115
_LEAST = 0.05
#: Boards with more cells are graded, as the label of the techniques says less there. Of those with
#: more than the second number, only the symmetry is drawn: the rest would take ten times as long.
_JUDGED, _LARGE = 150, 900


def as_published(
    request: SlitherlinkRequest, line: Solution, rng: Random
) -> tuple[SlitherlinkRequest, Label]:
    """Return the request with what it leaves open, and the label of the hardest techniques.

    That is a symmetry, a layout and a clue density; on larger boards a difficulty, too. Each is
    drawn whatever else is said, so the same ``rng`` draws the same ones. Requests that say which
    cells or how many have clues, or which clues go, stay as they are. So do those that ask for a
    guess: no published puzzle needs one, and symmetric or few clues seldom lead to just one.

    >>> from linkoracle.generate import SlitherlinkRequest, loop
    >>> drawn, hardest = as_published(SlitherlinkRequest(10, 10), loop(10, 10, seed=1), Random(1))
    >>> drawn.symmetry, drawn.layout, round(drawn.clue_density, 2), hardest
    ('quarter-turn', 'openings', 0.39, 'hard')
    """
    hardest: Label = "extreme"
    if not request.is_open or request.tiling is not None:
        return request, hardest
    from linkoracle.deduce.grades import GUESSED, label_of
    from linkoracle.deduce.grading import within

    asked = as_grade(request.keeps)
    if asked is not None and asked.scores[0] >= GUESSED:
        return request, hardest
    kind, which, density, layout, label = (rng.random() for _ in range(5))
    empty = line.counts().count(0) / line.board.num_faces
    share = min(max((empty - _WINDING) / (_SPARSE - _WINDING), _LEAST), 1 - _LEAST)
    symmetric = kind < share if request.symmetry is None else request.is_symmetric
    habits = SYMMETRIC if symmetric else OTHERS
    found: dict[str, Any] = {}
    if request.symmetry is None:
        square = request.rows == request.cols
        found["symmetry"] = _cut(habits.square if square else habits.oblong, which)
    if request.cells > _LARGE:
        return request.with_drawn(**found), hardest
    shares = {label: share for label, (share, _) in habits.hardest.items()}
    hardest = _cut(shares, label)
    if asked is not None and (asked.label is not None or asked.score is not None):
        hardest = label_of(min(asked.scores[1], GUESSED - 1))
    if request.clue_density is None:
        found["clue_density"] = _between(habits.hardest[hardest][1], density)
    # Of a given loop, clues are removed: it may lead to no puzzle without a guess. So are they for
    # labels that few choices of clues lead to.
    if request.layout is None and request.loop is None and not (asked and asked.narrow):
        found["layout"] = _cut(habits.layouts, layout)
    if request.keeps is None and request.loop is None and request.cells > _JUDGED:
        found["keeps"] = within(hardest)
    return request.with_drawn(**found), hardest


def _cut(shares: Mapping[Thing, float], where: float) -> Thing:
    """Return what is at a place from 0 to 1, if each thing is as wide as its share."""
    ends = [*accumulate(shares.values())]
    return [*shares][bisect(ends, where * ends[-1], hi=len(ends) - 1)]


def _between(quarters: tuple[float, ...], where: float) -> float:
    """Return the value at a place from 0 to 1 on the broken line through these values.

    >>> _between((0.0, 1.0, 5.0), 0.75)
    3.0
    """
    place = where * (len(quarters) - 1)
    low, high = [*pairwise(quarters)][int(place)]
    return low + (place - int(place)) * (high - low)

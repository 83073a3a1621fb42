"""Slitherlinks: clues that make a loop the only solution, made by a plan.

`request` has the options, and `maker` runs the steps. The plan is what to draw, to search, to
reduce and check, and to accept. A request is translated once (`plan_of`), and each step sees its
own part of the plan only.

Options that a request leaves open are drawn for each loop as in published puzzles (`as_published`).
The figures are those of 206 published Slitherlinks of 10x10 cells, measured by
``scripts/layout_statistics.py`` (``docs/explanation/benchmarks.md``). Most have symmetric places.
These have fewer clues and are harder than the others. Loops that avoid part of the board can carry
symmetric clues; loops that go everywhere rarely can.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import accumulate, pairwise
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from linkoracle.board import Board, Lattice, Solution, Symmetry, middle, orbits
from linkoracle.core import exports, pick, swept
from linkoracle.deduce import GUESSED, Label, Within, label_of, within
from linkoracle.generate.clues.layout import Group, Layout
from linkoracle.generate.clues.request import (
    LOOP_TRIES,
    MASK_TRIES,
    TRIES,
    SlitherlinkRequest,
    Strategy,
)
from linkoracle.generate.loops.shapes import Shape
from linkoracle.generate.request import Cell, as_grade
from linkoracle.kinds import Ends, Slitherlink

if not TYPE_CHECKING:
    __all__, __getattr__, __dir__ = exports(
        __name__,
        {},
        own=(
            "DENSITY Acceptance CluePlan Habits LoopPlan OTHERS Plan SYMMETRIC SearchPlan "
            "as_published plan_of"
        ),
    )

#: The density of clues up to which `"even"` fills voids: the mean of published puzzles
#: (docs/explanation/generating.md).
DENSITY = 0.42
#: Least cells of a board that is swept. On small boards, sweeping only gives fewer puzzles. Boards
#: that are not square are swept from the second number on, and for minimal puzzles: with clues in
#: the order of their crowding, a honeycomb of 900 faces takes a hundred times as long.
_SWEPT_CELLS, _SWEPT_FACES = 64, 400
#: Draws an order of the faces, from a corner of the board to the opposite one.
Sweep = Callable[[Random], list[int]]


@dataclass(frozen=True)
class LoopPlan:
    """What to draw: a loop of a ``shape``, or a path between ``ends``; or the loop is ``given``.

    With ``fill``, a loop through every dot.
    """

    board: Board
    shape: Shape = "mix"
    options: Mapping[str, Any] = field(default_factory=dict)
    ends: Ends | Literal["random"] | None = None
    fill: bool = False
    given: Solution | None = None

    @property
    def may_change(self) -> bool:
        """Whether the loop may be changed so that it suits clues on some cells."""
        return self.shape == "mix" and self.given is None and not self.fill


@dataclass(frozen=True)
class SearchPlan:
    """What to search: a loop that fits ``digits`` and a ``board``, with clues where allowed only.

    The board has the annotations. Cells of ``must`` have a clue and cells of ``must_not`` have
    none; if ``exact``, neither has any other cell. ``blank`` returns the board without clues for
    the ends of a path.
    """

    board: Slitherlink
    blank: Callable[[Ends | None], Any]
    ends: Ends | Literal["random"] | None
    must: frozenset[Cell]
    must_not: frozenset[Cell]
    digits: Mapping[Cell, int]
    exact: bool

    def faces(self, cells: Iterable[Cell]) -> set[int]:
        """Return the numbers of cells, row by row."""
        return {row * self.board.cols + col for row, col in cells}

    @property
    def shown(self) -> set[int]:
        """The faces that may have a clue."""
        if self.exact:
            return self.faces(self.must)
        return set(range(self.board.rows * self.board.cols)) - self.faces(self.must_not)

    def against(self, puzzle: Any) -> tuple[Cell, ...]:
        """Return the cells of a puzzle with clues against the mask."""
        shown = self.shown
        return tuple(cell for cell, _ in puzzle.clue_cells() if not self.faces([cell]) <= shown)


@dataclass(frozen=True)
class CluePlan:
    """What to reduce and to check: the clues left, and the puzzles that are good enough.

    ``must`` and ``must_not`` are faces that keep and lose their clues. Removal goes on until
    ``least`` clues are left, or after ``max_failures`` needed clues in a row. ``symmetry``,
    ``layout``, ``density`` and ``keeps`` may be drawn for each loop if ``is_open``. If puzzles are
    graded ``by_counts``, only restored clues make them as easy as requested. If there is a
    ``sweep``, a core omits one corner of the board after the other.
    """

    board: Board
    strategy: Strategy
    symmetry: Symmetry | None
    layout: Layout | None
    density: float | None
    keeps: Callable[[Any], bool] | None
    must: frozenset[int]
    must_not: frozenset[int]
    least: int | None
    most: int
    max_failures: int | None
    minimal: bool
    is_open: bool
    is_given: bool
    by_counts: bool = False
    sweep: Sweep | None = None

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.board.num_faces

    @property
    def is_symmetric(self) -> bool:
        """Whether symmetric clues are removed together."""
        return self.symmetry not in (None, "none")

    @cached_property
    def grade(self) -> Within | None:
        """The requested grade, if any."""
        return as_grade(self.keeps)

    @cached_property
    def regrades(self) -> bool:
        """Whether clues are removed without grading, and restored as the grade needs them."""
        monotone = self.grade is not None and self.grade.monotone
        return monotone and self.strategy != "stack" and self.max_failures is None

    @cached_property
    def alone(self) -> bool:
        """Whether only uniqueness decides on a clue, and none is left that is not decided."""
        whole = self.least is None and self.max_failures is None
        return whole and (self.keeps is None or self.regrades)

    @cached_property
    def goal(self) -> int | None:
        """The number of clues up to which voids are filled afterwards; ``None`` if they are not."""
        graded = self.grade is not None and self.by_counts
        if self.strategy != "even" or not self.alone or self.minimal or graded:
            return None
        density = DENSITY if self.density is None else self.density
        return min(round(density * self.cells), self.most)

    @cached_property
    def groups(self) -> list[Group]:
        """The faces that lose their clues together, except those of ``must`` and ``must_not``."""
        decided, board, symmetry = self.must | self.must_not, self.board, self.symmetry or "none"
        return [faces for faces in orbits(board, symmetry) if decided.isdisjoint(faces)]


@dataclass(frozen=True)
class Acceptance:
    """What to accept: puzzles of up to ``most`` clues, one of up to ``tries`` loops.

    Up to ``most_extra`` clues may be where an exact mask has none.
    """

    most: int
    tries: int
    by_default: bool
    most_extra: float


@dataclass(frozen=True)
class Plan:
    """The parts of a plan; ``blank`` returns the board without clues for the ends of a path."""

    loop: LoopPlan
    search: SearchPlan | None
    clues: CluePlan
    accept: Acceptance
    blank: Callable[[Ends | None], Any]


def plan_of(request: SlitherlinkRequest) -> Plan:
    """Translate a request into a plan.

    >>> plan = plan_of(SlitherlinkRequest(mask=["#.", "??"]))
    >>> sorted(plan.clues.must), sorted(plan.clues.must_not), plan.accept.tries
    ([0], [1], 20)
    """
    board = request.faces
    # Squares alone have techniques to grade by, published puzzles to follow, and loops that are
    # searched for clues.
    square = isinstance(board, Lattice)
    most = math.floor(request.max_clue_density * request.cells + 1e-9)
    most = most if request.clues is None else min(most, request.clues)
    loop = LoopPlan(
        board, request.shape, request.shape_options, request.ends, request.fill, request.loop
    )
    search = None
    if square and request.is_bound:
        search = SearchPlan(
            board=request.blank(None),
            blank=request.blank,
            ends=request.ends,
            must=frozenset(request.must),
            must_not=frozenset(request.must_not),
            digits=request.digits,
            exact=request.strategy == "mask",
        )
    clues = CluePlan(
        board=board,
        strategy=request.strategy,
        symmetry=request.symmetry,
        layout=request.layout,
        density=request.clue_density,
        keeps=request.keeps,
        must=frozenset(map(board.face_of, request.must)),
        must_not=frozenset(map(board.face_of, request.must_not)),
        least=request.clues,
        most=most,
        max_failures=request.max_failures,
        minimal=request.minimal,
        is_open=request.is_open and square,
        is_given=request.loop is not None,
        by_counts=not square,
        sweep=partial(_diagonally if square else _across, board)
        if _sweeps(request, square)
        else None,
    )
    tries = MASK_TRIES if search is not None else TRIES if request.loop is None else LOOP_TRIES
    extra = 0 if request.letters is None else math.inf
    accept = Acceptance(
        most=most,
        tries=tries if request.tries is None else request.tries,
        by_default=request.tries is None,
        most_extra=extra if request.extra_clues is None else request.extra_clues,
    )
    return Plan(loop, search, clues, accept, request.blank)


def _sweeps(request: SlitherlinkRequest, square: bool) -> bool:
    """Return whether a core omits one corner of the board after the other."""
    if request.strategy == "core":
        whole = request.clues is None and request.max_failures is None
        return whole and request.cells >= _SWEPT_CELLS
    large = request.minimal or request.cells > _SWEPT_FACES
    return request.strategy == "even" and large and not square


def _diagonally(board: Board, rng: Random) -> list[int]:
    """Return the cells of rows and columns, one diagonal after the other."""
    return swept(rng, *board.shape)


def _across(board: Board, rng: Random) -> list[int]:
    """Return the faces in order across the board; without coordinates, in their own order."""
    if board.points is None:
        return list(range(board.num_faces))
    right, down = (pick(rng, (1, -1)) for _ in range(2))
    faces = range(board.num_faces)
    walks = [[board.points[vertex] for vertex in board.walk(face)] for face in faces]
    places = [middle(walk) for walk in walks]
    return sorted(faces, key=lambda face: right * places[face][0] + down * places[face][1])


Thing = TypeVar("Thing")
#: A distribution by its least value, its quarters, and its largest value.
Quarters = tuple[float, float, float, float, float]


class Habits(NamedTuple):
    """The frequencies with which options are drawn; they need not add up to 1.

    ``square`` and ``oblong`` are the symmetries of boards with equal and with different sides.
    ``hardest`` has, for each label of the hardest techniques, its frequency and the clue densities
    to aim at: the least, the quartiles, and the largest. Most aims are slightly below published
    densities, since a loop or a label may need more clues. Two of three puzzles have the label of
    their hardest techniques. The frequencies make the labels as frequent as published.
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
#: Fractions of cells without a line: of loops with the first or less, a twentieth carries symmetric
#: clues; of loops with the second or more, all but a twentieth.
_WINDING, _SPARSE = 0.015, 0.115
_LEAST = 0.05
#: Boards with more cells are graded, as the label of the techniques is less precise there. For more
#: cells than the second number, only the symmetry is drawn: the rest would take ten times as long.
_GRADED, _LARGE = 150, 900


def as_published(plan: CluePlan, loop: Solution, rng: Random) -> tuple[CluePlan, Label]:
    """Return the plan with its open options drawn, and the label of the hardest techniques.

    The options are a symmetry, a layout and a clue density; on larger boards a difficulty, too.
    Each is drawn whether it is needed or not, so the same ``rng`` draws the same ones. Plans
    that decide which cells have clues, how many, or which are removed stay unchanged. So do
    plans for a guess: no published puzzle needs one, and symmetric or few clues seldom need just
    one.

    >>> from linkoracle.generate import SlitherlinkRequest, loop
    >>> plan = plan_of(SlitherlinkRequest(10, 10)).clues
    >>> drawn, hardest = as_published(plan, loop(10, 10, seed=1), Random(1))
    >>> drawn.symmetry, drawn.layout, round(drawn.density, 2), hardest
    ('quarter-turn', 'openings', 0.39, 'hard')
    """
    hardest: Label = "extreme"
    grade, board = plan.grade, plan.board
    guesses = grade is not None and grade.scores[0] >= GUESSED
    if not plan.is_open or guesses:
        return plan, hardest
    kind, which, density, layout, label = (rng.random() for _ in range(5))
    empty = loop.counts().count(0) / plan.cells
    share = min(max((empty - _WINDING) / (_SPARSE - _WINDING), _LEAST), 1 - _LEAST)
    symmetric = kind < share if plan.symmetry is None else plan.is_symmetric
    habits = SYMMETRIC if symmetric else OTHERS
    drawn: dict[str, Any] = {}
    if plan.symmetry is None:
        rows, cols = board.shape
        symmetries = habits.square if rows == cols else habits.oblong
        drawn["symmetry"] = _cut(symmetries, which)
    if plan.cells > _LARGE:
        return replace(plan, **drawn), hardest
    shares = {label: share for label, (share, _) in habits.hardest.items()}
    hardest = _cut(shares, label)
    if grade is not None and (grade.label is not None or grade.score is not None):
        hardest = label_of(min(grade.scores[1], GUESSED - 1))
    if plan.density is None:
        drawn["density"] = _between(habits.hardest[hardest][1], density)
    # A given loop may lead to no puzzle without a guess, and few choices of clues lead to a narrow
    # grade: in both cases, clues are removed instead.
    if plan.layout is None and not plan.is_given and not (grade and grade.narrow):
        drawn["layout"] = _cut(habits.layouts, layout)
    if plan.keeps is None and not plan.is_given and plan.cells > _GRADED:
        drawn["keeps"] = within(hardest)
    return replace(plan, **drawn), hardest


def _cut(shares: Mapping[Thing, float], where: float) -> Thing:
    """Return the thing at a place from 0 to 1, if each thing is as wide as its share."""
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

"""`Grade`, the result of grading a puzzle; its score, from which labels are cut; and the effort.

The *effort* of a puzzle is the root of a sum over its steps: the square of the weight of each step,
divided by the number of steps that are *open* at that time. A step is open from the time its
premises hold until it is made, and counts if its technique weighs no more. A step is easy to find
when ten are open and hard when there is only one. So hard steps add up, and one hard step counts
for more than many easy ones. A large board has more steps than a small one of the same difficulty,
so the sum is divided by a power of the size. The score is a line through the logarithm of the
effort. Where patterns apply, a score higher by 100 means 1.74 times the effort; other kinds have
scales of their own, which ``scripts/grade_fit.py`` fits to published puzzles.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate, groupby
from math import ceil, log2
from typing import Literal, NamedTuple, get_args

from linkoracle.board import LinkModel, board_lists
from linkoracle.core import SCALE
from linkoracle.deduce.board import CROSS, LINE, DeductionState, Move
from linkoracle.deduce.rules import CATALOGUE, CLUE, COLOUR, DOT, GIVEN, LOOP, PATTERNS, Label

#: The result of grading.
Status = Literal["solved", "gave up", "not unique", "no solution"]

#: The labels, the easiest first.
LABELS: tuple[Label, ...] = get_args(Label)

#: The scores of each label span this range.
SPAN = 100
#: The lowest score of a Slitherlink or Numberlink that needs a guess; all others score less.
GUESSED = SPAN * LABELS.index("fiendish")
#: The edges of 10x10 cells, by which sizes are compared; the power of the size; and the edges of
#: 7x7 cells, as which smaller boards count: one guess is one guess.
_EDGES, _POWER, _FEWEST = 220, 0.6, 112
#: The weight of each level of nested guesses.
NESTED = 500


class Scale(NamedTuple):
    """A line from efforts, which are binary logarithms, to scores: where 0 is, and the next 100."""

    lowest: float
    step: float


#: The scale where patterns apply, but for kinds with one of their own.
PATTERN_SCALE = Scale(2.85, 0.8)


@cache
def scales() -> Mapping[str, Scale]:
    """Return the scale of each kind, and ``other``: of kinds and boards that have none."""
    text = (files("linkoracle.deduce") / "scales.json").read_text(encoding="utf-8")
    return {kind: Scale(**line) for kind, line in json.loads(text).items()}


def scale_of(model: LinkModel, *, patterns: bool) -> Scale:
    """Return the scale of the kind of a model; else of ``patterns``, or of all others.

    >>> from linkoracle.board import Lattice
    >>> blank = LinkModel.blank_loop(Lattice(3, 3))
    >>> scale_of(blank, patterns=True), scale_of(blank, patterns=False) == scales()["other"]
    (Scale(lowest=2.85, step=0.8), True)
    """
    other = PATTERN_SCALE if patterns else scales()["other"]
    return other if model.kind is None else scales().get(model.kind, other)


def effort_of(squares: float, edges: int) -> float:
    """Return the binary logarithm of the effort for a sum of ``squares`` on a board of ``edges``.

    >>> effort_of(16**2, 220), effort_of(0, 220)
    (4.0, 0.0)
    """
    if squares <= 0:
        return 0.0
    return log2(squares * (_EDGES / max(_FEWEST, edges)) ** _POWER) / 2


def score_of(
    squares: float, edges: int, scale: Scale = PATTERN_SCALE, *, guessed: bool = False
) -> int:
    """Return the score for a sum of ``squares`` on a board with ``edges``, a whole number from 0.

    That of a puzzle which needs a guess is `GUESSED` or higher, any other lower.

    >>> score_of(20**2, 220), score_of(20**2, 440), score_of(150**2, 220)
    (184, 146, 499)
    >>> score_of(150**2, 220, guessed=True), score_of(20**2, 220, Scale(3.5, 0.4))
    (547, 205)
    """
    found = max(0, round(SPAN * (effort_of(squares, edges) - scale.lowest) / scale.step))
    return max(found, GUESSED) if guessed else min(found, GUESSED - 1)


def label_of(score: int) -> Label:
    """Return the label of a score.

    >>> label_of(99), label_of(100), label_of(1234)
    ('easy', 'normal', 'brutal')
    """
    return LABELS[min(score // SPAN, len(LABELS) - 1)]


@dataclass(frozen=True)
class Grade:
    """The difficulty of a puzzle, and the steps that solve it.

    ``status`` is ``"solved"``, ``"gave up"``, ``"not unique"`` or ``"no solution"``. If solved,
    ``score`` is a number from 0, higher for harder puzzles. Its hundreds give the ``label``, one of
    `LABELS`: 0 to 99 is easy. ``scale`` is the version of scores and labels. ``steps`` has the
    number of steps of each technique, and ``rules`` the number of steps of each pattern. ``depth``
    is the greatest depth of a guess that decided an edge, ``guesses`` the number of guesses, and
    ``backtracking`` the depth of `backtrack` if requested. ``path`` has each step in numbers.
    """

    status: Status
    label: Label | None
    score: int | None
    steps: dict[str, int]
    rules: dict[str, int]
    depth: int
    guesses: int
    open_edges: int
    backtracking: int | None = None
    scale: int = SCALE
    path: tuple[Made, ...] = ()

    @property
    def total(self) -> int:
        """The number of steps."""
        return sum(self.steps.values())

    @property
    def widest(self) -> int:
        """The number of steps that are open where most are; 0 without steps."""
        return widest(self.path)

    @property
    def narrowest(self) -> int:
        """The number of steps that are open where fewest are; 0 without steps."""
        return narrowest(self.path)


class Made(NamedTuple):
    """A step of a path in numbers: its technique, its cost, and how many steps were open.

    The cost is on the scale of `CATALOGUE`. ``choices`` counts the open steps that are no harder,
    this one among them; ``facts`` is the number of edges and cells that the step decides.
    ``length`` is the number of steps of a trial, ``ways`` the number of cases; else they are 0.
    """

    technique: str
    cost: float
    choices: int
    facts: int
    length: int = 0
    ways: int = 0


#: Where the last steps of a path begin, of which too few are left for several to be open.
_END = 0.9


def widest(path: Sequence[Made]) -> int:
    """Return how many steps are open where most are; 0 without steps.

    >>> widest([Made("count", 1, 4, 2), Made("count", 1, 3, 1)])
    4
    """
    return max((step.choices for step in path), default=0)


def narrowest(path: Sequence[Made]) -> int:
    """Return how many steps are open where fewest are; 0 without steps.

    The last step and the last tenth do not count: hardly anything is left to do there.

    >>> narrowest([Made("count", 1, 4, 2), Made("count", 1, 3, 1), Made("count", 1, 1, 1)])
    3
    """
    last = max(1, min(len(path) - 1, ceil(_END * len(path))))
    return min((step.choices for step in path[:last]), default=0)


def squares_of(path: Iterable[Made]) -> float:
    """Return the sum from which the effort of a path follows: see `score_of`.

    >>> squares_of([Made("count", 1, 4, 2), Made("trial", 6, 2, 1, length=3)])
    18.25
    """
    # In a fixed order, so the sum is the same on every machine.
    return sum(step.cost**2 / step.choices for step in path)


def runs_of(path: Iterable[Made]) -> list[tuple[str, int]]:
    """Return the techniques of a path, each with its number of steps in a row.

    >>> runs_of([Made("count", 1, 1, 1), Made("count", 1, 1, 1), Made("trial", 3, 1, 1)])
    [('count', 2), ('trial', 1)]
    """
    names = groupby(step.technique for step in path)
    return [(name, sum(1 for _ in run)) for name, run in names]


def made_by_patterns(board: DeductionState) -> list[Made]:
    """Return the steps of a state. O(steps and edges), and less than the deduction takes."""
    made = board.moves()
    weights = [CATALOGUE[why].weight for why, _, _ in made]
    counts = _open(weights, _ready(board, made))
    return [
        Made(CATALOGUE[why].name, weight, max(1, count), len(literals))
        for (why, _, literals), weight, count in zip(made, weights, counts, strict=True)
        if why != GIVEN
    ]


def score_of_steps(board: DeductionState, path: Sequence[Made] | None = None) -> int:
    """Return the score of the steps of a state, a whole number from 0; ``path`` has them.

    >>> from linkoracle import Slitherlink
    >>> board = DeductionState(Slitherlink([[3, 3], [None, None]]).model)
    >>> board.begin(), score_of_steps(board)
    (True, 0)
    """
    made = made_by_patterns(board) if path is None else path
    squares = squares_of(made) + (NESTED * max(0, board.depth - 1)) ** 2
    edges, scale = board.model.lattice.num_edges, scale_of(board.model, patterns=True)
    return score_of(squares, edges, scale, guessed=board.depth > 0)


def _open(weights: Sequence[int], ready: Sequence[int]) -> list[int]:
    """Return for each step with a weight how many steps were open when it was made.

    ``ready`` has for each step the first one that it could have replaced.
    """
    counts = [0] * len(weights)
    for most in set(weights) - {0}:
        # A step is open from the time it is ready until it is made.
        change = [0] * (len(weights) + 1)
        for step, weight in enumerate(weights):
            if 0 < weight <= most:
                change[ready[step]] += 1
                change[step + 1] -= 1
        for step, count in enumerate(accumulate(change[:-1])):
            if weights[step] == most:
                counts[step] = count
    return counts


def _ready(board: DeductionState, made: Sequence[Move]) -> list[int]:
    """Return for each step the first one that it could have replaced.

    Steps of techniques for the whole board count as ready only when they are made, since these
    techniques are tried only if no others find a step.
    """
    lattice = board.model.lattice
    lists = board_lists(lattice)
    around = [[edge for edge, _ in steps] for steps in lists.around]
    ends, sides = lists.ends, [*map(board.sides, range(lattice.num_edges))]
    # By edge, its value, and the number of steps made before it was decided.
    value, decided = [0] * lattice.num_edges, [0] * lattice.num_edges
    paths, faces = _Joined(lattice.num_vertices), _Joined(lattice.num_faces + 2)
    ready = []
    for step, (technique, place, literals) in enumerate(made):
        since: int | None = step
        if technique in PATTERNS:
            _, _, needed, _ = board.pattern(place)
            since = max((decided[literal >> 1] for literal in needed), default=0)
        elif technique in (CLUE, DOT):
            ring = lists.face_edges[place] if technique == CLUE else around[place]
            ring = [edge for edge in ring if value[edge]]
            lines = [edge for edge in ring if value[edge] == LINE]
            if literals[0] & 1:
                # All lines are there; at a dot, possibly none.
                ring = lines if lines or technique == CLUE else ring
            elif technique == CLUE:
                ring = [edge for edge in ring if value[edge] == CROSS]
            since = max((decided[edge] for edge in ring), default=0)
        elif technique == LOOP and place >= 0:
            since = paths.since(*ends[place])
        elif technique == COLOUR:
            since = faces.since(*sides[place])
        ready.append(step if since is None else since)
        for literal in literals:
            edge = literal >> 1
            value[edge], decided[edge] = LINE + (literal & 1), step + 1
            faces.join(sides[edge], step + 1)
            if not literal & 1:
                paths.join(ends[edge], step + 1)
    return ready


class _Joined:
    """A union-find structure that knows since when any two items are connected.

    A forest without path compression, in which each link has its time. Trees are merged by size, so
    depths are logarithmic, and times increase towards the root.
    """

    def __init__(self, items: int) -> None:
        self._parent = list(range(items))
        self._size = [1] * items
        self._time = [0] * items

    def join(self, pair: Iterable[int], time: int) -> None:
        """Connect two items. Times must not decrease."""
        one, other = map(self._root, pair)
        if one == other:
            return
        if self._size[one] < self._size[other]:
            one, other = other, one
        self._parent[other], self._time[other] = one, time
        self._size[one] += self._size[other]

    def since(self, one: int, other: int) -> int | None:
        """Return since when two items are connected; ``None`` if they are not."""
        above = dict(self._upwards(one))
        for item, time in self._upwards(other):
            if item in above:
                return max(time, above[item])
        return None

    def _upwards(self, item: int) -> Iterator[tuple[int, int]]:
        """Yield an item and its ancestors, each with the time of its connection to the item."""
        time = 0
        yield item, time
        while self._parent[item] != item:
            time, item = self._time[item], self._parent[item]
            yield item, time

    def _root(self, item: int) -> int:
        while self._parent[item] != item:
            item = self._parent[item]
        return item

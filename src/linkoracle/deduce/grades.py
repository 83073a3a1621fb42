"""`Grade`, the result of grading a puzzle; its score, from which labels are cut; and the effort.

The *effort* of a puzzle is the root of a sum over its steps: the square of the cost of each step.
So hard steps add up, and one hard step counts for more than many easy ones. Where patterns apply, a
share is divided by the number of steps that are *open* at that time: a step is open from the time
its premises hold until it is made, and counts if its technique costs no more. Elsewhere open steps
do not count: published orders do not follow them. A large board has more steps than a small one of
the same difficulty, so the sum is divided by a power of the size.

The score follows from the logarithm of the effort: each kind has the efforts at which its labels
begin, which ``scripts/grade_fit.py`` fits to published puzzles; between these the score is a line.
Where patterns apply, a score higher by 100 means 1.74 times the effort.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, groupby
from math import ceil, log2
from typing import Literal, NamedTuple, get_args

from linkoracle.board import LinkModel, board_lists
from linkoracle.core import SCALE, data_text
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
#: The weight of each level of nested guesses.
NESTED = 500


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


class Scale(NamedTuple):
    """How scores follow from the steps of a puzzle.

    ``cuts`` are binary logarithms of efforts, at least two: those at which scores are 0, 100 and so
    on. ``least`` is the number of edges as which smaller boards count, ``power`` that of the size.
    ``opened`` is true if open steps count.
    """

    cuts: tuple[float, ...]
    least: int
    power: float
    opened: bool

    def effort(self, path: Iterable[Made], edges: int, nested: float = 0.0) -> float:
        """Return the binary logarithm of the effort of a path on a board of ``edges``; at least 0.

        ``nested`` is the cost of guesses within guesses.

        >>> path = [Made("trial", 16, 4, 1)]
        >>> scale_with((1, 2)).effort(path, 220), PATTERN_SCALE.effort(path, 220)
        (4.0, 3.0)
        """
        # In a fixed order, so the sum is the same on every machine.
        squares = sum(step.cost**2 / (step.choices if self.opened else 1) for step in path)
        return self.effort_of(squares + nested**2, edges)

    def effort_of(self, squares: float, edges: int) -> float:
        """Return the binary logarithm of the effort for the sum over all steps; at least 0."""
        if squares <= 1:
            return 0.0
        return max(0.0, log2(squares * (_EDGES / max(self.least, edges)) ** self.power) / 2)

    def score(self, effort: float, *, guessed: bool = False) -> int:
        """Return the score for an effort, a whole number from 0.

        That of a puzzle which needs a guess is `GUESSED` or higher, any other lower.

        >>> scale = scale_with((3.0, 3.5, 4.5))
        >>> [scale.score(effort) for effort in (2.0, 3.25, 4.0, 5.0, 10.0)]
        [0, 50, 150, 250, 499]
        >>> scale.score(4.0, guessed=True)
        500
        """
        place = sum(effort >= cut for cut in self.cuts[1:-1])
        low, high = self.cuts[place : place + 2]
        found = max(0, round(SPAN * (place + (effort - low) / (high - low))))
        return max(found, GUESSED) if guessed else min(found, GUESSED - 1)


#: The edges of 10x10 cells where lines run between cells, by which sizes are compared.
_EDGES = 220
#: The scale where patterns apply. Boards smaller than 7x7 cells count as these: one guess is one
#: guess.
PATTERN_SCALE = Scale((2.85, 3.65), least=112, power=0.6, opened=True)


@cache
def scales() -> Mapping[str, Scale]:
    """Return the scale of each kind, and ``other``: of kinds and boards that have none."""
    cuts = json.loads(data_text("linkoracle.deduce", "scales.json"))
    return {kind: scale_with(some) for kind, some in cuts.items()}


def scale_with(cuts: Iterable[float]) -> Scale:
    """Return the scale with these cuts where no patterns apply.

    Boards smaller than 10x10 cells, through which lines run, count as these.
    """
    return Scale(tuple(cuts), least=180, power=0.9, opened=False)


def scale_of(model: LinkModel) -> Scale:
    """Return the scale of the kind of a model where no patterns apply.

    >>> from linkoracle.board import Lattice
    >>> scale_of(LinkModel.blank_loop(Lattice(3, 3))) == scales()["other"]
    True
    """
    return scales().get(model.kind or "other", scales()["other"])


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
    nested = NESTED * max(0, board.depth - 1)
    effort = PATTERN_SCALE.effort(made, board.model.lattice.num_edges, nested)
    return PATTERN_SCALE.score(effort, guessed=board.depth > 0)


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

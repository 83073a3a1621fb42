"""The effort of a puzzle: the weights of its steps, and how few are available at a time.

A step counts the square of the weight of its technique, divided by the number of steps that are
*open* at that time. A step is open from the time its premises hold until it is made, and counts if
its technique weighs no more. A step is easy to find when ten are open and hard when there is only
one. `linkoracle.deduce.grades` makes a score of the sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from linkoracle.board.adjacency import board_lists
from linkoracle.deduce.board import CROSS, LINE, DeductionState, Move
from linkoracle.deduce.grades import GUESSED, score_of
from linkoracle.deduce.rules import CATALOGUE, CLUE, COLOUR, DOT, LOOP, PATTERNS

#: The weight of each level of nested guesses.
NESTED = 500


def score(board: DeductionState) -> int:
    """Return the score of the steps of a state, a whole number from 0.

    O(steps and edges), and less than the deduction takes.

    >>> from linkoracle import Slitherlink
    >>> board = DeductionState(Slitherlink([[3, 3], [None, None]]).model)
    >>> board.begin(), score(board)
    (True, 0)
    """
    made = board.moves()
    weights = [CATALOGUE[why].weight for why, _, _ in made]
    counts = _open(weights, _ready(board, made))
    # Whole numbers in a fixed order, so the sum is the same on every machine.
    shares = (weight**2 / max(1, count) for weight, count in zip(weights, counts, strict=True))
    squares = sum(shares) + (NESTED * max(0, board.depth - 1)) ** 2
    found = score_of(squares, board.model.lattice.num_edges)
    return max(found, GUESSED) if board.depth else min(found, GUESSED - 1)


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

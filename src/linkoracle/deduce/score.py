"""The score of a puzzle: what its steps weigh, and how few of them could be made at a time.

Labels say which technique is needed; the score says how much of it, and how hard the next step is
to find. Each step counts the weight of its technique, divided by the number of steps that were
*open* when it was made: those that were made then or later, though all that they need was there,
with techniques that weigh no more. Who can go on in ten places finds one of them soon; who can go
on in one place only has to look for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from linkoracle.deduce.board import CROSS, LINE, DeductionState, Move
from linkoracle.deduce.rules import CATALOGUE, CLUE, COLOUR, DOT, LOOP, PATTERNS

#: What each level of guesses within guesses adds.
NESTED = 500


def score(board: DeductionState) -> int:
    """How hard it was to get where a board is, as a whole number from 0.

    O(steps and edges), and less than the deduction takes.

    >>> from linkoracle import Slitherlink
    >>> board = DeductionState(Slitherlink([[3, 3], [None, None]]).model)
    >>> board.begin(), score(board)
    (True, 15)
    """
    made = board.moves()
    weights = [CATALOGUE[why].weight for why, _, _ in made]
    counts = _open(weights, _ready(board, made))
    # From whole numbers in one order: the same everywhere.
    shares = (weight / max(1, count) for weight, count in zip(weights, counts, strict=True))
    return round(sum(shares) + NESTED * max(0, board.depth - 1))


def _open(weights: Sequence[int], ready: Sequence[int]) -> list[int]:
    """For each step that has a weight, how many steps were open when it was made.

    ``ready`` are the steps from which on each could have been made.
    """
    counts = [0] * len(weights)
    for most in set(weights) - {0}:
        # Steps are open from when they are ready until they are made.
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
    """For each step, the first at whose time it could have been made in place of that one.

    What techniques for the whole board find is taken to be found as soon as it is there, since they
    are asked where no others have anything to say.
    """
    lattice = board.model.lattice
    rings = {CLUE: lattice.edges_of, DOT: lattice.edges_at}
    edges = range(lattice.num_edges)
    ends, sides = [*map(lattice.ends, edges)], [*map(board.grid.sides, edges)]
    # By edge, what it is, and how many steps were made when it had been decided.
    value, decided = [0] * lattice.num_edges, [0] * lattice.num_edges
    paths, faces = _Joined(lattice.num_vertices), _Joined(lattice.num_faces + 2)
    ready = []
    for step, (technique, place, literals) in enumerate(made):
        since: int | None = step
        if technique in PATTERNS:
            needed = board.laid.premises(place)
            since = max((decided[literal >> 1] for literal in needed), default=0)
        elif technique in rings:
            ring = [edge for edge in rings[technique](place) if value[edge]]
            lines = [edge for edge in ring if value[edge] == LINE]
            if literals[0] & 1:
                # All lines are there; or, at a dot, none can be.
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
    """Items that come to hang together one after the other, and since when any two do.

    A forest without path compression, in which each link keeps its time: trees are merged by size,
    so no item is deeper than the logarithm of their number, and times rise towards the root.
    """

    def __init__(self, items: int) -> None:
        self._parent = list(range(items))
        self._size = [1] * items
        self._time = [0] * items

    def join(self, pair: Iterable[int], time: int) -> None:
        """The two hang together from now on. Times never fall."""
        one, other = map(self._root, pair)
        if one == other:
            return
        if self._size[one] < self._size[other]:
            one, other = other, one
        self._parent[other], self._time[other] = one, time
        self._size[one] += self._size[other]

    def since(self, one: int, other: int) -> int | None:
        """Since when the two hang together; ``None``: they do not."""
        above = dict(self._upwards(one))
        for item, time in self._upwards(other):
            if item in above:
                return max(time, above[item])
        return None

    def _upwards(self, item: int) -> Iterator[tuple[int, int]]:
        """An item and those above it, each with the time since when the item hangs below it."""
        time = 0
        yield item, time
        while self._parent[item] != item:
            time, item = self._time[item], self._parent[item]
            yield item, time

    def _root(self, item: int) -> int:
        while self._parent[item] != item:
            item = self._parent[item]
        return item

"""The *diagram* maker: uniform draws from all ways to cover a small board with links.

Other than in the frontier engine, the ends are free. `Covers` goes cell by cell in reading order,
with the short side across. A state holds what crosses the frontier in each column:

* 0: nothing; 1 and 2: the two ends of one unfinished path, nested like parentheses;
* 3: a path whose other end is done; 4: the same, and that end is the cell just left, so the path
  has one cell yet. This is what keeps links of two cells out.

Where cells may stay empty, a solution with a chord is never the only one. Chords around a single
square (three of its four edges) are kept out by a bit a column: is the step above chosen, and can
that still matter? Longer chords are sorted out after the draw; that leaves the draw uniform.

Counts are polynomials in the number of ends, each packed into one integer (coefficient *k* at bit
``width * k``), so that a draw can be uniform for any range of the number of links.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import big_below
from linkoracle.generate.numberlink_request import NumberlinkRequest
from linkoracle.generate.path_system import PathSystem, Step

#: States between two looks at the clock.
_CHECKED = 1000

#: Plugs by column with one more for the step to the right, and the bits of steps above.
_State = tuple[tuple[int, ...], int]
#: What is chosen at a cell (2: the step to the right, 1: down, 3: both), ends made, what is after.
_Change = tuple[int, int, _State]


def covers(request: NumberlinkRequest, rng: Random, deadline: Deadline) -> PathSystem | None:
    """One draw; ``None`` if it has a chord or a length that was not asked for.

    Boards that come out are uniform over all that are as requested, under the rule ``"fill"`` also
    those on which the two ends of a link touch.
    """
    rows, cols = request.rows, request.cols
    chordless = request.rule == "free"
    size = max(rows, cols), min(rows, cols)
    every = _covers_of(*size, pairs_of_cells=request.shortest < 3, chordless=chordless)
    steps = every.draw(rng, *request.links, deadline)
    if steps is None:
        return None
    system = PathSystem(rows, cols, touching=not chordless)
    for x, y in steps:
        if cols > rows:
            x, y = (cell % rows * cols + cell // rows for cell in (x, y))
        # A chord stays one, whatever follows. Ends that touch now may be none later.
        if chordless and not system.joinable(x, y):
            return None
        system.join(x, y)
    return None if request.misses(system) else system


class Covers:
    """All ways to cover ``height`` x ``width`` cells with paths of at least two cells.

    Without ``pairs_of_cells``, of at least three. With ``chordless``, no unit square has three of
    its edges chosen. Building takes time and memory in proportion to cells times states.

    >>> Covers(2, 2, pairs_of_cells=True).count(1), Covers(2, 2, pairs_of_cells=True).count(2)
    (4, 2)
    """

    def __init__(
        self, height: int, width: int, *, pairs_of_cells: bool = False, chordless: bool = False
    ) -> None:
        self.height, self.width = height, width
        self._pairs_of_cells, self._chordless = pairs_of_cells, chordless
        #: No coefficient exceeds the number of edge sets.
        self._bits = height * (width - 1) + (height - 1) * width + 1

        #: For every cell and state before it: choices, ends they make, and the state after.
        self._layers: list[list[list[tuple[int, int, int]]]] = []
        #: For every cell and state before it, the packed polynomial of what can follow.
        self._counts: list[list[int]] = []

    def count(self, links: int) -> int:
        """How many of them have so many links."""
        self._build(Deadline(None))
        return self._coefficient(self._counts[0][0], 2 * links)

    def draw(self, rng: Random, least: int, most: int, deadline: Deadline) -> list[Step] | None:
        """The steps of a uniform one with ``least`` to ``most`` links; ``None`` if none exists."""
        self._build(deadline)
        numbers = range(least, most + 1)
        total = sum(map(self.count, numbers))
        if not total:
            return None
        rank = big_below(rng, total)
        for links in numbers:
            if rank < self.count(links):
                break
            rank -= self.count(links)
        steps: list[Step] = []
        node, ends = 0, 2 * links
        for cell, layer in enumerate(self._layers):
            for choice, new_ends, child in layer[node]:
                left = ends - new_ends
                weight = self._coefficient(self._counts[cell + 1][child], left)
                if rank >= weight:
                    rank -= weight
                    continue
                if choice & 2:
                    steps.append((cell, cell + 1))
                if choice & 1:
                    steps.append((cell, cell + self.width))
                node, ends = child, left
                break
        return steps

    def _coefficient(self, packed: int, power: int) -> int:
        return packed >> self._bits * power & (1 << self._bits) - 1 if power >= 0 else 0

    def _build(self, deadline: Deadline) -> None:
        """Fill the layers, then the counts; each is kept when it is whole."""
        if self._counts:
            return
        layers = []
        states: dict[_State, int] = {((0,) * (self.width + 1), 0): 0}
        for cell in range(self.height * self.width):
            following: dict[_State, int] = {}
            layer = []
            for number, state in enumerate(states):
                if not number % _CHECKED:
                    deadline.check()
                children = []
                for choice, ends, child in self._after(state, cell):
                    children.append((choice, ends, following.setdefault(child, len(following))))
                layer.append(children)
            layers.append(layer)
            states = following
        # After the last cell nothing crosses the frontier: at most one state is left.
        counts = [[1]]
        for layer in reversed(layers):
            deadline.check()
            bits, below = self._bits, counts[-1]
            counts.append([sum(below[to] << bits * ends for _, ends, to in each) for each in layer])
        self._layers, self._counts = layers, counts[::-1]

    def _after(self, state: _State, cell: int) -> Iterator[_Change]:
        plugs, tops = state
        row, col = divmod(cell, self.width)
        can_right, can_down = col + 1 < self.width, row + 1 < self.height
        for choice in range(4):
            if (choice & 2 and not can_right) or (choice & 1 and not can_down):
                continue
            found = self._plugs_after(plugs, col, choice)
            if found is None:
                continue
            new_plugs, ends = found
            new_tops = tops
            if self._chordless and can_right:
                around = (
                    (tops >> col & 1) + (plugs[col + 1] > 0) + (plugs[col + 2] > 0) + (choice > 1)
                )
                if row and around > 2:
                    continue
                new_tops = tops & ~(1 << col) | (choice >> 1) << col
            if self._chordless and col and new_tops >> (col - 1) & 1:
                # The step to this cell was chosen: how many go down from its two cells?
                downs = (new_plugs[col - 1] > 0) + (choice & 1)
                if downs == 2:
                    continue
                if not downs:
                    new_tops &= ~(1 << (col - 1))
            if not can_right:
                # The next row begins: its first cell has nothing on the left.
                new_plugs = (0, *new_plugs[:-1])
            yield choice, ends, (new_plugs, new_tops)

    def _plugs_after(
        self, plugs: tuple[int, ...], col: int, choice: int
    ) -> tuple[tuple[int, ...], int] | None:
        """The plugs after a choice at a cell and the ends it makes; ``None``: not allowed."""
        new, left, up = list(plugs), plugs[col], plugs[col + 1]
        down, right = choice & 1, choice >> 1
        coming, going = (left > 0) + (up > 0), down + right
        if not 1 <= coming + going <= 2:
            return None
        new[col] = new[col + 1] = 0
        if coming == 0:
            if going == 2:
                new[col], new[col + 1] = 1, 2
                return tuple(new), 0
            new[col + right] = 4
            return tuple(new), 1
        if coming == 1:
            plug, place = (left, col) if left else (up, col + 1)
            if going:
                new[col + right] = 3 if plug == 4 else plug
                return tuple(new), 0
            if plug == 4 and not self._pairs_of_cells:
                return None
            if plug < 3:
                new[_mate(plugs, place)] = 3
            return tuple(new), 1
        if (left, up) == (1, 2):
            return None  # a cycle
        if left > 2 or up > 2:
            # One path has an end already; so has, from now on, what the other led to.
            for plug, place in ((left, col), (up, col + 1)):
                if plug < 3:
                    new[_mate(plugs, place)] = 3
        elif left == up == 1:
            new[_mate(plugs, col + 1)] = 1
        elif left == up == 2:
            new[_mate(plugs, col)] = 2
        return tuple(new), 0


_covers_of = lru_cache(maxsize=4)(Covers)


def _mate(plugs: tuple[int, ...], place: int) -> int:
    """The place of the other end of the unfinished path at ``place``."""
    step = 1 if plugs[place] == 1 else -1
    depth = 0
    while True:
        depth += {1: step, 2: -step}.get(plugs[place], 0)
        if not depth:
            return place
        place += step

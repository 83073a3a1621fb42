"""Numberlinks: paths that together cover a board, made by a plan.

`request` has the options, and `maker` runs the steps. The plan is what paths to draw, what to
repair, and what to accept. A request is translated once, and each step sees its own part of the
plan only. Generators join, cut and re-route the paths of a `PathSystem`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, product
from random import Random
from typing import TYPE_CHECKING, Any, Literal, get_args

from linkoracle.board import Board, Solution, Symmetry, board_lists, images
from linkoracle.core import exports
from linkoracle.kinds import Numberlink, Variant

if not TYPE_CHECKING:
    __all__, __getattr__, __dir__ = exports(
        __name__,
        {},
        own="ALL DrawPairs MAKERS MOST_CUTS Maker PathPlan PathSystem Plan Share Step can_cover",
    )

Maker = Literal["links", "diagram"]
MAKERS: tuple[Maker, ...] = get_args(Maker)
#: The most cuts that make a puzzle easier, and the most pairs beyond the default that these add.
MOST_CUTS = 4
#: A range of fractions that includes both ends.
Share = tuple[float, float]
ALL: Share = (0.0, 1.0)


@lru_cache(maxsize=1024)
def numbers_within(share: Share, number: int) -> range:
    """Return the numbers of paths, out of ``number``, in a range of fractions; may be empty.

    >>> numbers_within((0.25, 0.5), 8), list(numbers_within((0.3, 0.4), 2))
    (range(2, 5), [])
    """
    # Divided and not multiplied, since 7 / 100 is 0.07 and 0.07 * 100 more than 7.
    fewest = next(part for part in range(number + 1) if part / number >= share[0])
    return range(fewest, 1 + next(k for k in range(number, -1, -1) if k / number <= share[1]))


def missed_by(part: int, share: Share, number: int) -> int:
    """Return by how much ``part`` out of ``number`` misses a range; never 0 if that is empty.

    >>> [missed_by(part, (0.25, 0.5), 8) for part in (1, 2, 6)]
    [1, 0, 2]
    """
    within = numbers_within(share, number)
    return max(0, within.start - part, part + 1 - within.stop)


def can_cover(
    cells: int, number: int, short_share: Share, long_share: Share, shortest: int, longest: int
) -> bool:
    """Return whether paths of ``shortest`` to ``longest`` cells can cover all cells.

    The ranges are for the fractions of paths of at most half, and of at least one and a half times,
    the average length.

    >>> can_cover(36, 6, (0, 1), (0, 1), 3, 36), can_cover(36, 6, (1, 1), (0, 1), 3, 36)
    (True, False)
    """
    half, much = cells // (2 * number), -(-3 * cells // (2 * number))
    lengths = (
        (shortest, min(half, longest)),
        (max(shortest, much), longest),
        (max(shortest, half + 1), min(much - 1, longest)),
    )
    shorts, longs = numbers_within(short_share, number), numbers_within(long_share, number)
    # A long path can give cells to a short one until that is average; it is then at least average
    # itself. So checking the fewest of one of the two suffices.
    for short, long in [*product(shorts, longs[:1]), *product(shorts[:1], longs)]:
        parts = list(zip((short, long, number - short - long), lengths, strict=True))
        if (
            all(not part or (part > 0 and least <= most) for part, (least, most) in parts)
            and sum(part * least for part, (least, _) in parts) <= cells
            and sum(part * most for part, (_, most) in parts) >= cells
        ):
            return True
    return False


#: Draws the range of the number of pairs of one attempt.
DrawPairs = Callable[[tuple[int, int], Random], tuple[int, int]]


@dataclass(frozen=True)
class PathPlan:
    """What to draw: paths that cover a ``board``, which has a vertex for each cell.

    The number of ``pairs`` is a range, of which ``draw_pairs`` may draw a part for each attempt.
    Other fields are as in `NumberlinkRequest`. A cell of ``must`` is an end of a path, and a cell
    of ``must_not`` is none. The first path has straight pieces of up to half the length ``across``
    the board.
    """

    board: Board
    across: int
    variant: Variant
    symmetry: Symmetry
    pairs: tuple[int, int]
    draw_pairs: DrawPairs | None
    shortest: int
    longest: int | None
    short_share: Share
    long_share: Share
    straight_share: Share
    min_turns: float
    must: frozenset[int]
    must_not: frozenset[int]

    @property
    def fills(self) -> bool:
        """Whether players must use every cell."""
        return self.variant.startswith("fill")

    @property
    def touching(self) -> bool:
        """Whether a path may touch itself."""
        return self.variant == "fill"

    @cached_property
    def images(self) -> list[Sequence[int]]:
        """The image of every cell, for each isometry of the symmetry except the identity."""
        return [vertices for _, vertices in images(self.board, self.symmetry)[1:]]

    @property
    def average(self) -> float:
        """The average length of a path, for the middle of the range of pairs."""
        return 2 * self.board.num_vertices / sum(self.pairs)

    def drawn(self, rng: Random) -> PathPlan:
        """Return the plan of one attempt, whose number of pairs is drawn."""
        if self.draw_pairs is None:
            return self
        return replace(self, pairs=self.draw_pairs(self.pairs, rng))

    def with_cuts(self, min_turns: float) -> PathPlan:
        """Return this plan with a few more pairs, whose paths turn so often at least."""
        low, high = self.pairs
        return replace(self, pairs=(low, high + MOST_CUTS), min_turns=min_turns)

    def misses(self, system: PathSystem) -> int:
        """Return how far a board is from the plan: 0 if it is as requested.

        Counts the missing cells of short paths and the excess cells of long ones, missing or excess
        paths, paths by which fractions are missed, missing turns, and ends against the mask.
        """
        sizes = system.size.values()
        number, cells = len(sizes), self.board.num_vertices
        low, high = self.pairs
        far = max(0, low - number, number - high)
        least, most = self.shortest, self.longest
        far += sum(least - size for size in sizes if size < least)
        if most is not None:
            far += sum(size - most for size in sizes if size > most)
        # Called at every change of a board, so conditions that always hold are not checked.
        if self.short_share != ALL:
            short = sum(2 * number * size <= cells for size in sizes)
            far += missed_by(short, self.short_share, number)
        if self.long_share != ALL:
            long = sum(2 * number * size >= 3 * cells for size in sizes)
            far += missed_by(long, self.long_share, number)
        if self.straight_share != ALL:
            straight = list(system.turns.values()).count(0)
            far += missed_by(straight, self.straight_share, number)
        if self.min_turns:
            far += max(0, math.ceil(self.min_turns * number) - sum(system.turns.values()))
        if self.must or self.must_not:
            far += sum(len(system.linked[cell]) > 1 for cell in self.must)
            far += sum(len(system.linked[cell]) < 2 for cell in self.must_not)
        return far


@dataclass(frozen=True)
class Plan:
    """The parts of a plan.

    ``paths`` is what a ``maker`` draws, and ``cut`` what paths may be after some were cut to make
    a puzzle easier; ``None`` if none may be cut. Before a new board is drawn, there are ``repairs``
    of one with a second solution. A board is dropped as undecided after ``conflicts``; ``keeps``
    decides on a puzzle; there are up to ``tries`` attempts. ``blank`` has no numbers.
    """

    paths: PathPlan
    cut: PathPlan | None
    maker: Maker
    blank: Numberlink
    repairs: int
    conflicts: int
    keeps: Callable[[Any], bool] | None
    tries: int


#: Two neighbouring cells, as vertices of their board.
Step = tuple[int, int]
#: A path goes straight on if it turns by less: the cosine of 40 degrees.
_STRAIGHT = 0.766


@lru_cache(maxsize=4)
def _cells_ahead(board: Board) -> dict[Step, int]:
    """Return the cell straight ahead of each step between neighbours, or -1.

    >>> from linkoracle.board import Lattice
    >>> ahead = _cells_ahead(Lattice(2, 3))
    >>> ahead[0, 1], ahead[1, 2], ahead[1, 4]
    (2, -1, -1)
    """
    places = [complex(*point) for point in board.points or ()]
    found: dict[Step, int] = {}
    for here, steps in enumerate(board_lists(board).around):
        for _, before in steps:
            found[before, here] = -1
            if not places:
                continue
            came = places[here] - places[before]
            best, least = -1, _STRAIGHT
            for _, cell in steps:
                turn = (places[cell] - places[here]) * came.conjugate()
                if turn and turn.real / abs(turn) > least:
                    best, least = cell, turn.real / abs(turn)
            found[before, here] = best
    return found


class PathSystem:
    """Disjoint paths that together use every cell of a board.

    At first every cell is a path. `change` removes a step, adds one, or both; with ``images`` (see
    `PathPlan.images`) it does the same at all images, so the system stays symmetric. A change that
    breaks one of these rules is not made:

    * a path has no cycle and no branch;
    * without ``touching``, cells of a path are neighbours only if consecutive: if cells may stay
      empty, the short cut (*chord*) makes another solution. With ``touching``, only the two ends
      must not touch: that would be a loop with a gap.

    Cells are the vertices of ``board``, by their numbers. A change takes time proportional to the
    paths it touches.
    """

    def __init__(
        self, board: Board, images: Iterable[Sequence[int]] = (), *, touching: bool = False
    ) -> None:
        self.board = board
        cells = range(board.num_vertices)
        around = board_lists(board).around
        self.neighbours = [[beside for _, beside in steps] for steps in around]
        #: The cells before and after each cell on its path.
        self.linked: list[list[int]] = [[] for _ in cells]
        #: The name of each cell's path, and the number of cells by name.
        self.label = list(cells)
        self.size = dict.fromkeys(cells, 1)
        #: The number of turns by name.
        self.turns = dict.fromkeys(cells, 0)
        self._images, self._touching = list(images), touching
        self._next_label = len(cells)
        self._ahead = _cells_ahead(board)
        #: The operations that undo the last change.
        self._undo: list[tuple[Callable[[int, int], None], Step]] = []

    def ahead(self, before: int, here: int) -> int:
        """Return the neighbour of ``here`` where a path from ``before`` goes straight on, or -1."""
        return self._ahead[before, here]

    def walk(self, start: int, before: int = -1) -> list[int]:
        """Return the cells of a path from ``start``, away from ``before``; from an end, all."""
        cells = [start]
        while onward := [cell for cell in self.linked[cells[-1]] if cell != before]:
            before = cells[-1]
            cells.append(onward[0])
        return cells

    def paths(self) -> list[list[int]]:
        """Return the cells of every path from its smaller end, in the order of these ends."""
        ends = [cell for cell, linked in enumerate(self.linked) if len(linked) < 2]
        first = {self.label[cell]: cell for cell in reversed(ends)}
        return [self.walk(cell) for cell in sorted(first.values())]

    def solution(self) -> Solution:
        """Return the steps as chosen edges."""
        walks = [list(map(self.board.position, path)) for path in self.paths()]
        return Solution.from_paths(self.board, walks)

    def puzzle(self, blank: Any) -> Any:
        """Return the ``blank`` Numberlink with the ends, numbered in the order of the cells.

        Raises `PuzzleError` while there is a path of one cell.
        """
        ends = enumerate(((path[0], path[-1]) for path in self.paths()), start=1)
        place = self.board.position
        return blank.with_clues({place(cell): number for number, two in ends for cell in two})

    def joinable(self, x: int, y: int) -> bool:
        """Return whether the step between neighbours ``x`` and ``y`` can be added."""
        label = self.label
        if len(self.linked[x]) > 1 or len(self.linked[y]) > 1 or label[x] == label[y]:
            return False
        if self._touching:
            first, last = self.walk(x)[-1], self.walk(y)[-1]
            return (first, last) == (x, y) or last not in self.neighbours[first]
        if self.size[label[x]] > self.size[label[y]]:
            x, y = y, x
        other = label[y]
        for cell in self.walk(x):
            for near in self.neighbours[cell]:
                if label[near] == other and (cell, near) != (x, y):
                    return False
        return True

    def change(self, out: Step | None = None, into: Step | None = None) -> bool:
        """Remove the step ``out`` and add the step ``into``, at all images as well.

        Returns whether it was possible; if not, nothing has changed.
        """
        self._undo = []
        for y, z in self._orbit(out):
            self._cut(y, z)
            self._undo.append((self.join, (y, z)))
        for x, y in self._orbit(into):
            if not self.joinable(x, y):
                self.undo()
                return False
            self.join(x, y)
            self._undo.append((self._cut, (x, y)))
        if self._touching and any(map(self._is_loop, chain(*self._orbit(out)))):
            self.undo()
            return False
        return True

    def _is_loop(self, cell: int) -> bool:
        """Return whether the two ends of the path of ``cell`` touch."""
        first = self.walk(cell)[-1]
        path = self.walk(first)
        return len(path) > 2 and path[-1] in self.neighbours[first]

    def undo(self) -> None:
        """Undo the last `change`."""
        for back, step in reversed(self._undo):
            back(*step)
        self._undo = []

    def _orbit(self, step: Step | None) -> list[Step]:
        """Return the step and its images, each once."""
        if step is None:
            return []
        found = [step]
        for x, y in ((image[step[0]], image[step[1]]) for image in self._images):
            if (x, y) not in found and (y, x) not in found:
                found.append((x, y))
        return found

    def join(self, x: int, y: int) -> None:
        """Add a step between ends of two paths, `joinable` or not, without its images."""
        if self.size[self.label[x]] > self.size[self.label[y]]:
            x, y = y, x
        small, large = self.label[x], self.label[y]
        for cell in self.walk(x):
            self.label[cell] = large
        self.size[large] += self.size.pop(small)
        self.turns[large] += self.turns.pop(small) + self._turns(x, y) + self._turns(y, x)
        self.linked[x].append(y)
        self.linked[y].append(x)

    def _turns(self, end: int, beyond: int) -> bool:
        """Return whether the path that ends at a cell turns there if extended to ``beyond``."""
        return bool(self.linked[end]) and self.ahead(self.linked[end][0], end) != beyond

    def _cut(self, y: int, z: int) -> None:
        self.linked[y].remove(z)
        self.linked[z].remove(y)
        piece = self.walk(z)
        inner = zip(piece, piece[1:], piece[2:], strict=False)
        turns = sum(self.ahead(one, cell) != other for one, cell, other in inner)
        self.size[self.label[y]] -= len(piece)
        self.turns[self.label[y]] -= turns + self._turns(y, z) + self._turns(z, y)
        self.turns[self._next_label] = turns
        for cell in piece:
            self.label[cell] = self._next_label
        self.size[self._next_label] = len(piece)
        self._next_label += 1

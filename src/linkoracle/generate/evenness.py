"""The most crowded clue, and the empty cell in the largest void.

A board looks even if its clues are spread like the dots of a good halftone. This is the
*void-and-cluster* method (R. Ulichney, *The void-and-cluster method for dither array generation*,
SPIE 1913, 1993): weigh the clues around a cell by a Gaussian of their distance, remove dots from
the tightest cluster and add them in the largest void. All weights are whole numbers, so the choice
is the same on every machine.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from linkoracle.generate.evenness_kernel import Crowding

if TYPE_CHECKING:
    from linkoracle.generate.face_crowding import FaceCrowding
    from linkoracle.generate.removal import Group

#: The weight of a clue by its distance in rows and columns: 1000 exp(-square / 2.88), a Gaussian
#: with a deviation of 1.2 cells, increased from the second cell in the same row or column, where
#: players notice gaps and runs.
_WEIGHTS = {
    (0, 1): 707,
    (1, 1): 499,
    (0, 2): 280,
    (1, 2): 176,
    (0, 3): 80,
    (2, 2): 62,
    (0, 4): 30,
}
#: The reach of the weights in rows and columns.
_REACH = 4
#: The offsets in rows and columns, and their weights.
_AROUND = [
    (down, right, _WEIGHTS[min(abs(down), abs(right)), max(abs(down), abs(right))])
    for down in range(-_REACH, _REACH + 1)
    for right in range(-_REACH, _REACH + 1)
    if (min(abs(down), abs(right)), max(abs(down), abs(right))) in _WEIGHTS
]
#: The cost of each digit, added to the crowding of its cell (1 means a clue in every cell around).
#: Players like to see a 0 or a 3, and most cells of a loop have 1 or 2.
_DIGIT_COST = (-0.005, 0.0, 0.0, -0.03, 0.0)
#: The cost of a cell that a layout leaves free.
_OUTSIDE_COST = 0.3
#: The largest random cost, so that one loop leads to many puzzles.
_CHANCE = 0.05


class Evenness:
    """The crowding of clues on a board, while clues are hidden and shown; all are shown at first.

    ``clues`` knows how crowded these are. A *group* is a tuple of faces whose clues are hidden and
    shown together.

    >>> even = Evenness.of_rows(3, 3, [2] * 9, Random(0))
    >>> even.crowding((4,)) > even.crowding((0,))
    True
    >>> even.hide([0, 1, 2, 3])
    >>> even.crowding((4,)) > even.crowding((8,))
    False
    """

    def __init__(self, clues: Crowding | FaceCrowding, faces: Iterable[int]) -> None:
        self._clues = clues
        self._shown = set(faces)

    @classmethod
    def of_rows(
        cls,
        rows: int,
        cols: int,
        counts: Sequence[int],
        rng: Random,
        outside: Iterable[int] = (),
    ) -> Evenness:
        """The crowding on rows and columns; ``counts`` has the clue of face ``row * cols + col``.

        Faces ``outside`` count as more crowded. Other boards have a
        `linkoracle.generate.face_crowding.FaceCrowding`.
        """
        bias = array("d", [_DIGIT_COST[count] + _CHANCE * rng.random() for count in counts])
        for face in outside:
            bias[face] += _OUTSIDE_COST
        return cls(Crowding(rows, cols, _AROUND, bias), range(rows * cols))

    def hide(self, faces: Iterable[int]) -> None:
        """Hide these clues."""
        self._clues.change(faces, -1)
        self._shown.difference_update(faces)

    def show(self, faces: Iterable[int]) -> None:
        """Show these clues."""
        self._clues.change(faces, 1)
        self._shown.update(faces)

    def only(self, faces: set[int]) -> None:
        """Show these clues and hide all others."""
        self.show(faces - self._shown)
        self.hide(self._shown - faces)

    def crowding(self, group: Group) -> float:
        """Return the mean crowding of these faces, with or without clues."""
        return self._clues.of(group)

    def ordered(self, groups: Iterable[Group]) -> list[Group]:
        """Return the groups by their current crowding, the most crowded first."""
        return sorted(groups, key=self.crowding, reverse=True)

    def clusters(self, groups: Iterable[Group]) -> Choice:
        """Return groups with clues, the most crowded first; each is hidden when chosen."""
        return Choice(self, groups, hide=True)

    def voids(self, groups: Iterable[Group]) -> Choice:
        """Return groups without clues, the least crowded first; each is shown when chosen."""
        return Choice(self, groups, hide=False)


class Choice(Iterator["Group"]):
    """An iterator of groups: clusters to ``hide``, or voids to show.

    Groups come in increasing order of the crowding, or of its negative. These values only increase
    as groups are chosen. Undoing a choice decreases them, so the remaining groups are queued again.
    """

    def __init__(self, evenness: Evenness, groups: Iterable[Group], *, hide: bool) -> None:
        self._evenness, self._sign = evenness, -1 if hide else 1
        self._choose, self._undo = evenness.hide, evenness.show
        if not hide:
            self._choose, self._undo = self._undo, self._choose
        self._left = dict.fromkeys(groups)
        self._queue: list[tuple[float, Group]] = []
        self._renewed = False

    def __next__(self) -> Group:
        queue, crowding, sign = self._queue, self._evenness.crowding, self._sign
        if not self._renewed:
            values = (sign * crowding(group) for group in self._left)
            queue[:] = zip(values, self._left, strict=True)
            heapq.heapify(queue)
            self._renewed = True
        while queue:
            value, group = heapq.heappop(queue)
            now = sign * crowding(group)
            if now > value and queue and now > queue[0][0]:
                heapq.heappush(queue, (now, group))
                continue
            del self._left[group]
            self._choose(group)
            return group
        raise StopIteration

    def undo(self, groups: Iterable[Group]) -> None:
        """Undo the choice of these groups; they are not chosen again."""
        for group in groups:
            self._undo(group)
            self._renewed = False

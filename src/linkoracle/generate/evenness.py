"""Which clue crowds the others the most, and which empty cell lies in the greatest void.

A board looks even when its clues lie as the dots of a good halftone do. This is *void-and-cluster*
(R. Ulichney, *The void-and-cluster method for dither array generation*, SPIE 1913, 1993): weigh the
clues around a cell by a Gaussian of their distance; take a dot out of the tightest cluster, put one
into the largest void. All weights are whole numbers, so that the same clues lead to the same choice
on every machine.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from linkoracle.generate.evenness_kernel import Crowding

if TYPE_CHECKING:
    from linkoracle.generate.removal import Group

#: By the distance in rows and columns, what a clue weighs: 1000 exp(-square / 2.88), a
#: Gaussian with a deviation of 1.2 cells, but more from the second cell on in the same row or
#: column, where people see gaps and runs.
_WEIGHTS = {
    (0, 1): 707,
    (1, 1): 499,
    (0, 2): 280,
    (1, 2): 176,
    (0, 3): 80,
    (2, 2): 62,
    (0, 4): 30,
}
#: The rows and columns that this reaches over.
_REACH = 4
#: The offsets within reach, in rows and columns, and their weights.
_AROUND = [
    (down, right, _WEIGHTS[min(abs(down), abs(right)), max(abs(down), abs(right))])
    for down in range(-_REACH, _REACH + 1)
    for right in range(-_REACH, _REACH + 1)
    if (min(abs(down), abs(right)), max(abs(down), abs(right))) in _WEIGHTS
]
#: What a number adds to the crowding of its cell, where 1 is a clue on every cell around it. People
#: like to see a 0 or a 3, and most of the cells of a line are 1 or 2.
_DULLNESS = (-0.005, 0.0, 0.0, -0.03, 0.0)
#: The most that chance adds, so that one line leads to many puzzles.
_CHANCE = 0.05


class Evenness:
    """How crowded the clues on a board are, while clues come and go; all are shown at first.

    ``counts`` has the number of each face ``row * cols + col``. A *group* is a tuple of faces
    whose clues come and go together.

    >>> even = Evenness(3, 3, [2] * 9, Random(0))
    >>> even.crowding((4,)) > even.crowding((0,))
    True
    >>> even.hide([0, 1, 2, 3])
    >>> even.crowding((4,)) > even.crowding((8,))
    False
    """

    def __init__(self, rows: int, cols: int, counts: Sequence[int], rng: Random) -> None:
        bias = array("d", [_DULLNESS[count] + _CHANCE * rng.random() for count in counts])
        self._clues = Crowding(rows, cols, _AROUND, bias)
        self._shown = set(range(rows * cols))

    def hide(self, faces: Iterable[int]) -> None:
        """Take note that these clues are gone."""
        self._clues.change(faces, -1)
        self._shown.difference_update(faces)

    def show(self, faces: Iterable[int]) -> None:
        """Take note that these clues are back."""
        self._clues.change(faces, 1)
        self._shown.update(faces)

    def only(self, faces: set[int]) -> None:
        """Take note that these clues are there, and no others."""
        self.show(faces - self._shown)
        self.hide(self._shown - faces)

    def crowding(self, group: Group) -> float:
        """How crowded these faces are in the mean, whether or not they have a clue themselves."""
        return self._clues.of(group)

    def ordered(self, groups: Iterable[Group]) -> list[Group]:
        """The groups by their crowding as it is now, the most crowded first."""
        return sorted(groups, key=self.crowding, reverse=True)

    def clusters(self, groups: Iterable[Group]) -> Choice:
        """Groups with clues, the most crowded first; each is hidden as it is chosen."""
        return Choice(self, groups, hide=True)

    def voids(self, groups: Iterable[Group]) -> Choice:
        """Groups without clues, the least crowded first; each is shown as it is chosen."""
        return Choice(self, groups, hide=False)


class Choice(Iterator["Group"]):
    """Groups one after the other: clusters to ``hide``, or voids to show.

    The least value comes first, which is the crowding or minus that. Values only grow as groups are
    chosen. When a choice is undone, they shrink; the groups that are left are then queued anew.
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
        """Take back that these were chosen; they do not come again."""
        for group in groups:
            self._undo(group)
            self._renewed = False

"""Which clue crowds the others the most, and which empty cell lies in the greatest void.

A board looks even when its clues lie as the dots of a good halftone do. This is *void-and-cluster*
(R. Ulichney, *The void-and-cluster method for dither array generation*, SPIE 1913, 1993): weigh the
clues around a cell by a Gaussian of their distance; take a dot out of the tightest cluster, put one
into the largest void. All weights are whole numbers, so that the same clues lead to the same choice
on every machine.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

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


@lru_cache(maxsize=4)
def _full(rows: int, cols: int) -> tuple[list[int], list[tuple[int, int]], list[int]]:
    """The places of all faces, the offsets of what is around one, and its weight with all shown."""
    step = cols + 2 * _REACH
    offsets = [(down * step + right, by) for down, right, by in _AROUND]
    places = [
        row * step + col
        for row in range(_REACH, rows + _REACH)
        for col in range(_REACH, cols + _REACH)
    ]
    weights = [0] * (step * (rows + 2 * _REACH))
    for place in places:
        for offset, by in offsets:
            weights[place + offset] += by
    return places, offsets, weights


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
        #: Where a face stands on a board within a rim, so that every cell has all offsets.
        self._places, self._offsets, full = _full(rows, cols)
        self._shown = set(range(rows * cols))
        #: The weights of the clues around a place.
        self._weight = list(full)
        # Beside the rim less can be around a cell. To count a fifth of what is off the board as
        # empty leaves the rim a little denser than the rest, as people make it.
        whole = sum(by for _, by in self._offsets)
        self._most = [(whole + 4 * full[place]) / 5 for place in self._places]
        self._bias = [_DULLNESS[count] + _CHANCE * rng.random() for count in counts]

    def hide(self, faces: Iterable[int]) -> None:
        """Take note that these clues are gone."""
        self._change(faces, -1)
        self._shown.difference_update(faces)

    def show(self, faces: Iterable[int]) -> None:
        """Take note that these clues are back."""
        self._change(faces, 1)
        self._shown.update(faces)

    def only(self, faces: set[int]) -> None:
        """Take note that these clues are there, and no others."""
        self.show(faces - self._shown)
        self.hide(self._shown - faces)

    def _change(self, faces: Iterable[int], sign: int) -> None:
        weight = self._weight
        for face in faces:
            place = self._places[face]
            for offset, by in self._offsets:
                weight[place + offset] += sign * by

    def crowding(self, group: Group) -> float:
        """How crowded these faces are in the mean, whether or not they have a clue themselves."""
        total = 0.0
        for face in group:
            total += self._bias[face] + self._weight[self._places[face]] / self._most[face]
        return total / len(group)

    def ordered(self, groups: Iterable[Group]) -> list[Group]:
        """The groups by their crowding as it is now, the most crowded first."""
        return sorted(groups, key=self.crowding, reverse=True)

    def clusters(self, groups: Iterable[Group]) -> Choice:
        """Groups with clues, the most crowded first; each is hidden as it is chosen."""
        return Choice(groups, lambda group: -self.crowding(group), self.hide, self.show)

    def voids(self, groups: Iterable[Group]) -> Choice:
        """Groups without clues, the least crowded first; each is shown as it is chosen."""
        return Choice(groups, self.crowding, self.show, self.hide)


class Choice(Iterator["Group"]):
    """Groups one after the other, by the least of a value that only grows as they are chosen.

    When a choice is undone, values shrink; the groups that are left are then queued anew.
    """

    def __init__(
        self,
        groups: Iterable[Group],
        value: Callable[[Group], float],
        choose: Callable[[Group], None],
        undo: Callable[[Group], None],
    ) -> None:
        self._value, self._choose, self._undo = value, choose, undo
        self._left = dict.fromkeys(groups)
        self._queue: list[tuple[float, Group]] = []
        self._renewed = False

    def __next__(self) -> Group:
        queue = self._queue
        if not self._renewed:
            queue[:] = [(self._value(group), group) for group in self._left]
            heapq.heapify(queue)
            self._renewed = True
        while queue:
            value, group = heapq.heappop(queue)
            now = self._value(group)
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

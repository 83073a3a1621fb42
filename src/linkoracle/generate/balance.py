"""How evenly clues are spread over a board, and over the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from linkoracle.kinds import Slitherlink

#: Clues count as neighbours up to this distance in rows and columns.
_REACH = 2


def imbalance(puzzle: Slitherlink) -> float:
    """How unevenly the clues of a puzzle are spread: 0 is perfect, 1 is bad.

    The mean of two parts. *Crowding*: twice the standard deviation of the share of cells with a
    clue, over all windows of 4x4 cells (or the board, where it is smaller). *Monotony*: by how much
    the most frequent number exceeds its even share of a quarter (of the numbers 0 to 3), over three
    quarters. Without clues it is 0. O(cells).

    >>> imbalance(Slitherlink([[2, 2], [2, 2]]))
    0.5
    >>> imbalance(Slitherlink([[0, 1], [2, 3]]))
    0.0
    """
    values = Counter(clue for _, clue in puzzle.clue_cells())
    if not values:
        return 0.0
    shown = np.array([[clue is not None for clue in row] for row in puzzle.clues])
    window = min(4, puzzle.rows), min(4, puzzle.cols)
    shares = sliding_window_view(shown, window).mean(axis=(2, 3))
    crowding = 2 * shares.std()
    monotony = max(0.0, (max(values.values()) / sum(values.values()) - 0.25) / 0.75)
    return float(crowding + monotony) / 2


class Crowd:
    """Which clue of a set is the most dispensable for the balance, while clues go.

    A clue scores by its neighbours that carry a clue, as a share of all its neighbours, plus the
    share of the clues that have its number. ``counts`` are the true numbers of all cells.
    """

    def __init__(self, rows: int, cols: int, counts: list[int], rng: Random) -> None:
        self._counts, self._rng = counts, rng
        cells = np.arange(rows * cols).reshape(rows, cols)
        self._near: list[list[int]] = []
        for face in range(rows * cols):
            down, right = (slice(max(0, at - _REACH), at + _REACH + 1) for at in divmod(face, cols))
            self._near.append(
                [near for near in cells[down, right].ravel().tolist() if near != face]
            )
        self._around = [len(near) for near in self._near]
        self._values = Counter(counts)
        self._total = len(counts)

    def remove(self, faces: Iterable[int]) -> None:
        """Take note that clues are gone."""
        for face in faces:
            for other in self._near[face]:
                self._around[other] -= 1
            self._values[self._counts[face]] -= 1
            self._total -= 1

    def worst(self, groups: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
        """The group of clues with the highest mean score; ties are broken at random."""
        return max(groups, key=lambda group: (self._score(group), self._rng.random()))

    def ordered(self, groups: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """The groups by their mean score, the highest first; clues that are gone have one, too."""
        return sorted(groups, key=self._score, reverse=True)

    def _score(self, group: tuple[int, ...]) -> float:
        scores = [
            self._around[face] / max(1, len(self._near[face]))
            + self._values[self._counts[face]] / self._total
            for face in group
        ]
        return sum(scores) / len(scores)

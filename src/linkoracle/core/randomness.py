"""Random choices that are the same on every machine and Python version.

Python guarantees reproducible results only for seeding `random.Random` with a string, and for
`random()` (https://docs.python.org/3/library/random.html#notes-on-reproducibility). It does not for
`choice`, `shuffle` and `randrange`, so everything here uses `random()`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TypeVar

from linkoracle.core.limits import checked_int

Thing = TypeVar("Thing")


def seed_or_fresh(seed: int | None) -> int:
    """Return ``seed``, or a fresh one for ``None``.

    Raises ``ValueError`` unless it is a whole number.

    >>> seed_or_fresh(7)
    7
    """
    return int.from_bytes(os.urandom(4)) if seed is None else checked_int(seed, "a seed")


class Sample(list[Thing]):
    """Things drawn at random: a list with the ``seed`` that draws the same again.

    >>> Sample("ab", seed=7).seed
    7
    """

    def __init__(self, things: Iterable[Thing], seed: int) -> None:
        super().__init__(things)
        self.seed = seed


class Drawing(Iterator[Thing]):
    """Like `Sample`, for things that are read one by one."""

    def __init__(self, things: Iterator[Thing], seed: int) -> None:
        self._things, self.seed = things, seed

    def __next__(self) -> Thing:
        return next(self._things)


def source(seed: int, index: int) -> Random:
    """Return the random numbers of element ``index`` of a seed; they depend on nothing else."""
    return Random(f"linkoracle {seed} {index}")


def below(rng: Random, bound: int) -> int:
    """Return a whole number from 0 to ``bound - 1``, for bounds far below 2**53."""
    return int(rng.random() * bound)


def big_below(rng: Random, bound: int) -> int:
    """Return a uniform whole number below a ``bound`` of any size: exact, by rejection.

    >>> 0 <= big_below(source(1, 0), 10**50) < 10**50
    True
    """
    bits = bound.bit_length()
    while True:
        number = 0
        for _ in range(-(-bits // 32)):
            number = number << 32 | int(rng.random() * (1 << 32))
        number >>= -bits % 32
        if number < bound:
            return number


def pick(rng: Random, things: Sequence[Thing]) -> Thing:
    """Return one of the things, uniformly. Raises ``IndexError`` if there are none."""
    return things[int(rng.random() * len(things))]


def shuffled(rng: Random, things: Sequence[Thing]) -> list[Thing]:
    """Return the things in random order (Fisher and Yates)."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other = below(rng, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def some(rng: Random, things: Sequence[Thing], number: int) -> list[Thing]:
    """Return ``number`` of the things in random order, without replacement.

    >>> sorted(some(source(1, 0), range(3), 3))
    [0, 1, 2]
    """
    order = list(things)
    for place in range(number):
        other = place + below(rng, len(order) - place)
        order[place], order[other] = order[other], order[place]
    return order[:number]


def swept(rng: Random, rows: int, cols: int) -> list[int]:
    """Return the cells of a board, diagonal by diagonal from a random corner.

    Cells are numbered ``row * cols + col``; the cells of a diagonal are in random order.

    >>> swept(source(2, 0), 2, 3)           # from the corner at the bottom left
    [3, 4, 0, 1, 5, 2]
    """
    down, right = (2 * below(rng, 2) - 1 for _ in range(2))
    cells = shuffled(rng, range(rows * cols))
    return sorted(cells, key=lambda cell: cell // cols * down + cell % cols * right)

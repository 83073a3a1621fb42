"""The registers of a state: what the pass keeps of each open local constraint.

A *rule* is a weighted count: the weights of chosen items must add up to an allowed total. Faces and
counts have weights of 1. In a shape, edges have weights by which a total is a set of up to two of
them (`linkoracle.frontier.steps.set_weights`). A rule counts *events*: the edges chosen at the step
of a vertex, and whether the vertex is visited.

A register keeps a residual, not a total: the set of sums of the events to come that make an
allowed total, as bits of a number. Totals with the same residual have the same future, so states
that differ only in these become one. An empty residual has no future, so no such state is stored.
This is the minimal automaton of the rule, read in the order of the pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from linkoracle.frontier.steps import Decisions

#: The amounts that a step adds to the total of a rule: a row for each case, a number for each
#: decision. If there are two cases, the vertex had no chosen edge before the step, or it had one.
Sums = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=1 << 12)
def edge_sums(decisions: Decisions, place: int, weight: int, positive: bool) -> Sums:
    """Return what an edge adds to a total if chosen, or if not chosen (not ``positive``)."""
    return (tuple(weight * ((place in chosen) == positive) for chosen in decisions),)


@lru_cache(maxsize=1 << 10)
def visit_sums(decisions: Decisions, weight: int, positive: bool) -> Sums:
    """Return what a vertex adds to a total if visited, or if not visited (not ``positive``)."""
    unseen = tuple(weight * (bool(chosen) == positive) for chosen in decisions)
    return unseen, (weight * positive,) * len(unseen)


def grouped(events: Sequence[tuple[int, Sums]]) -> Iterator[tuple[int, Sums]]:
    """Add up events of the same step, in the order of steps."""
    by_step: dict[int, Sums] = {}
    for step, sums in events:
        known = by_step.get(step)
        by_step[step] = sums if known is None else added(known, sums)
    yield from sorted(by_step.items())


def added(first: Sums, second: Sums) -> Sums:
    """Return the sums of two kinds of events of one step."""
    cases = max(len(first), len(second))
    return tuple(
        tuple(map(sum, zip(first[case % len(first)], second[case % len(second)], strict=True)))
        for case in range(cases)
    )


class Table(NamedTuple):
    """The change of a register in one step."""

    #: By class of the residual and case: the class after each decision, -1 for no future.
    rows: tuple[tuple[int, ...], ...]
    #: The residual of each class before the step.
    residuals: tuple[int, ...]
    #: Classes after the step.
    after: int

    @property
    def cases(self) -> int:
        return len(self.rows) // len(self.residuals)

    @property
    def masks(self) -> list[int]:
        """Return for each row the mask of the decisions that have a future."""
        return [sum(1 << at for at, to in enumerate(row) if to >= 0) for row in self.rows]


@lru_cache(maxsize=1 << 12)
def tables(allowed: int, steps: tuple[Sums, ...]) -> tuple[Table, ...] | None:
    """Return the table of each step of a rule; ``None`` if it excludes nothing.

    ``allowed`` has a bit for each allowed total of all ``steps``. The first table has no rows with
    a future if no total is allowed. O(classes x decisions) for each step; boards have few different
    rules, so most are found in the cache.

    >>> [table.rows for table in tables(0b10, (((0, 1),), ((0, 1),)))]
    [((0, 1),), ((-1, 0), (0, -1))]
    """
    reach = [1]
    for sums in reversed(steps):
        reach.append(_sums_reached(reach[-1], sums))
    reach.reverse()
    if allowed & reach[0] == reach[0]:
        return None
    found = []
    classes = [allowed & reach[0]]
    for sums, left in zip(steps, reach[1:], strict=True):
        after: dict[int, int] = {}
        rows = []
        for residual in classes:
            for case in sums:
                rests = ((residual >> added) & left for added in case)
                rows.append(
                    tuple(after.setdefault(rest, len(after)) if rest else -1 for rest in rests)
                )
        found.append(Table(tuple(rows), tuple(classes), max(1, len(after))))
        classes = list(after) or [0]
    return tuple(found)


def _sums_reached(reached: int, sums: Sums) -> int:
    """Return the totals of a step and all later ones, as bits."""
    total = 0
    for added in {added for case in sums for added in case}:
        total |= reached << added
    return total


class Registers:
    """The bits of a state: some have a fixed use, others are lent to registers in turn.

    Allocated bits are always within one 64-bit word.

    >>> bits = Registers()
    >>> bits.keep(62), bits.lend(2, 0, 5), bits.lend(2, 3, 9), bits.lend(1, 5, 9), bits.words
    (0, 62, 64, 62, 2)
    """

    def __init__(self) -> None:
        self._kept = 0
        self._free_from: list[int] = []

    @property
    def words(self) -> int:
        return max(1, -(-(self._kept + len(self._free_from)) // 64))

    def keep(self, size: int) -> int:
        """Return the lowest of ``size`` bits that are never lent, before any are."""
        place = _within_word(self._kept, size)
        self._kept = place + size
        return place

    def lend(self, size: int, first: int, last: int) -> int:
        """Return the lowest of ``size`` bits that are free from step ``first`` to ``last``.

        They may be lent again at step ``last``, which reads them before it writes others.
        """
        free_from, kept = self._free_from, self._kept
        place = _within_word(kept, size)
        bit = place - kept
        while bit < min(place - kept + size, len(free_from)):
            if free_from[bit] > first:
                place = _within_word(kept + bit + 1, size)
                bit = place - kept
            else:
                bit += 1
        free_from.extend([0] * (place - kept + size - len(free_from)))
        free_from[place - kept : place - kept + size] = [last] * size
        return place


def _within_word(place: int, size: int) -> int:
    """Return the first bit from ``place`` on that begins ``size`` bits within one word."""
    return place if place % 64 + size <= 64 else place + 64 - place % 64

"""Weighted sets of a decision diagram: the lightest, those within a budget, and weighted samples.

A set weighs the sum of the weights of its members; `Chances` takes their product. All arithmetic is
exact: decimal fractions are taken as they are written.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf, isfinite
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkoracle.core import big_below
from linkoracle.zdd import EMPTY, UNIT, zdd_kernel

#: A weight, exactly.
Weight = int | Fraction

_Rows = list[list[int]]


def exact(weight: Any) -> Weight:
    """Return a weight as a whole number or a fraction; ``ValueError`` for anything else.

    >>> exact(3), exact(0.1), exact("2.50")
    (3, Fraction(1, 10), Fraction(5, 2))
    """
    try:
        if isinstance(weight, Real) and not isfinite(weight):
            raise ValueError
        # As it is written: 0.1 is a tenth.
        found = Fraction(str(weight))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"expected a number as a weight, got {weight!r}") from None
    return found.numerator if found.denominator == 1 else found


def extents(rows: _Rows, weights: Sequence[Weight], sign: int) -> list[Any]:
    """Return the largest weight of a set of each family, or the smallest if ``sign`` is negative.

    A family without sets has an infinite one. O(nodes).
    """
    better: Any = max if sign > 0 else min
    best: list[Any] = [-sign * inf, 0]
    for variable, low, high in rows[2:]:
        best.append(better(best[low], best[high] + weights[variable]))
    return best


def extreme(rows: _Rows, root: int, weights: Sequence[Weight], sign: int) -> tuple[int, ...]:
    """Return the first set, in order, with the largest or the smallest weight; there is a set."""
    best = extents(rows, weights, sign)
    chosen, node = [], root
    while node != UNIT:
        variable, low, high = rows[node]
        if best[low] == best[node]:
            node = low
        else:
            chosen.append(variable)
            node = high
    return tuple(chosen)


def within(
    rows: _Rows, root: int, weights: Sequence[Weight], budget: Weight
) -> tuple[NDArray[np.int32], int]:
    """Return the nodes of the family of the sets that weigh up to ``budget``, and its root.

    Each node keeps the intervals of budgets that lead to the same family, so it is visited once for
    each of these (S. Minato, J. Kawahara, M. Banbara, T. Horiyama, I. Takigawa and Y. Yamaguchi,
    *Fast enumeration of all cost-bounded solutions for combinatorial problems using ZDDs*, Discrete
    Applied Mathematics 360, 2025).
    """
    least, most = (extents(rows, weights, sign) for sign in (-1, 1))
    made = [*map(tuple, rows)]
    numbers = {row: number for number, row in enumerate(made) if number > UNIT}
    # Of each node: the lower ends of intervals, in order, then their upper ends and families.
    starts: dict[int, list[Any]] = {}
    spans: dict[int, list[tuple[Any, int]]] = {}

    def known(node: int, left: Any) -> tuple[int, Any, Any] | None:
        """Return the family within a budget and its interval, if it is known."""
        if left < least[node]:
            return EMPTY, -inf, least[node]
        if left >= most[node]:
            return node, most[node], inf
        at = bisect_right(starts.get(node, ()), left) - 1
        if at < 0 or left >= spans[node][at][0]:
            return None
        return spans[node][at][1], starts[node][at], spans[node][at][0]

    stack = [(root, budget)]
    while stack:
        node, left = stack[-1]
        if known(node, left) is not None:
            stack.pop()
            continue
        variable, low, high = rows[node]
        weight = weights[variable]
        parts = known(low, left), known(high, left - weight)
        waiting = [
            (child, budget_left)
            for part, child, budget_left in zip(
                parts, (low, high), (left, left - weight), strict=True
            )
            if part is None
        ]
        if waiting:
            stack.extend(waiting)
            continue
        (without, begin, end), (having, later, until) = (part or (0, 0, 0) for part in parts)
        family = without
        if having != EMPTY:
            row = (variable, without, having)
            family = numbers.setdefault(row, len(made))
            if family == len(made):
                made.append(row)
        place = bisect_right(starts.setdefault(node, []), left)
        starts[node].insert(place, max(begin, later + weight))
        spans.setdefault(node, []).insert(place, (min(end, until + weight), family))
        stack.pop()
    found = known(root, budget)
    assert found is not None
    return _reached(made, found[0])


def _reached(made: Sequence[Sequence[int]], root: int) -> tuple[NDArray[np.int32], int]:
    """Return the nodes that a family has, and its root, as `linkoracle.zdd.Zdd` keeps them."""
    if root <= UNIT:
        return np.array([(zdd_kernel.LAST, 0, 0)] * 2, dtype=np.int32), root
    seen, waiting = {root}, [root]
    for node in waiting:
        for child in made[node][1:]:
            if child > UNIT and child not in seen:
                seen.add(child)
                waiting.append(child)
    # Children have later variables.
    waiting.sort(key=lambda node: -made[node][0])
    places = {EMPTY: EMPTY, UNIT: UNIT} | {node: at for at, node in enumerate(waiting, start=2)}
    kept = [(zdd_kernel.LAST, 0, 0)] * 2
    kept += [(made[node][0], places[made[node][1]], places[made[node][2]]) for node in waiting]
    return np.array(kept, dtype=np.int32), places[root]


class Chances:
    """The sets of a family, drawn in proportion to the product of the weights of their members."""

    def __init__(self, rows: _Rows, root: int, weights: Iterable[Weight]) -> None:
        self._rows, self._root, self._weights = rows, root, [*weights]
        if any(weight < 0 for weight in self._weights):
            raise ValueError("expected weights of 0 or more to draw by")
        self._totals: list[Weight] = [0, 1]
        for variable, low, high in rows[2:]:
            self._totals.append(self._totals[low] + self._weights[variable] * self._totals[high])

    @property
    def total(self) -> Weight:
        """The sum of the products of all sets."""
        return self._totals[self._root]

    def draw(self, rng: Any) -> tuple[int, ...]:
        """Return a set; O(variables)."""
        chosen, node = [], self._root
        while node != UNIT:
            variable, low, high = self._rows[node]
            share = Fraction(self._totals[low]) / self._totals[node]
            if big_below(rng, share.denominator) < share.numerator:
                node = low
            else:
                chosen.append(variable)
                node = high
        return tuple(chosen)

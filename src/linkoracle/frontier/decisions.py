"""The decisions at a vertex: which of its edges to later vertices are chosen, two at most.

Most vertices of a board have the same few patterns of edges, so everything here is cached.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from linkoracle.board.model import HOLE
from linkoracle.frontier.registers import Sums

#: Decisions in lexicographic order, each the places of the chosen edges: the one without the first
#: edge in which two differ comes first.
Decisions = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=1 << 10)
def decisions_of(size: int, given: int, most: int) -> Decisions:
    """Return the sets of up to ``most`` of ``size`` edges that have those of the mask ``given``.

    >>> decisions_of(2, 0, 2), decisions_of(2, 0b10, 2)
    (((), (1,), (0,), (0, 1)), ((1,), (0, 1)))
    """
    required = {place for place in range(size) if given >> place & 1}
    sets = (
        chosen
        for number in range(most + 1)
        for chosen in combinations(range(size), number)
        if required.issubset(chosen)
    )
    return tuple(sorted(sets, key=lambda chosen: [place in chosen for place in range(size)]))


@lru_cache(maxsize=1 << 10)
def allowed_by(decisions: Decisions, degrees: int) -> tuple[int, int, int]:
    """Return masks of the decisions after no edge, after two (or a terminal's), and after one.

    >>> allowed_by(decisions_of(2, 0, 2), 0b101)
    (9, 1, 6)
    """
    numbers = [number for number in range(3) if degrees >> number & 1]
    more = [number - 1 for number in numbers if number]
    before, full, one = (
        sum(1 << at for at, chosen in enumerate(decisions) if len(chosen) in allowed)
        for allowed in (numbers, [0] if degrees > HOLE else [], more)
    )
    return before, full, one


@lru_cache(maxsize=1 << 12)
def edge_sums(decisions: Decisions, place: int, weight: int, wanted: bool) -> Sums:
    """Return what an edge adds to a total if it is chosen, or with ``wanted`` false if not."""
    return (tuple(weight * ((place in chosen) == wanted) for chosen in decisions),)


@lru_cache(maxsize=1 << 10)
def visit_sums(decisions: Decisions, weight: int, wanted: bool) -> Sums:
    """Return what a vertex adds to a total if it is visited, or with ``wanted`` false if not."""
    left = tuple(weight * (bool(chosen) == wanted) for chosen in decisions)
    return left, (weight * wanted,) * len(left)

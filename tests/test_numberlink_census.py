"""`is_unique` over all sets of pairs of ends of small boards, against published and own censuses.

The numbers of boards with one solution that covers are those of Yoshinaka, Saitoh, Kawahara,
Tsuruma, Iwashita, Minato, *Finding All Solutions and Instances of Numberlink and Slitherlink by
ZDDs*, Algorithms 5(2), 2012, https://doi.org/10.3390/a5020176. Those under "free" and "fill" come
from brute force over all path systems, which is repeated here for "fill".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from linkoracle import Numberlink, decide, is_unique
from tests import brute_force

#: Size: unique and covering under free, unique under free, unique under fill.
CENSUS = {(2, 2): (2, 2, 6), (2, 3): (10, 22, 24), (3, 3): (86, 288, 150)}


def matchings(cells: list) -> Iterator[list]:
    """All sets of disjoint pairs, the empty one included."""
    if not cells:
        yield []
        return
    first, *rest = cells
    yield from matchings(rest)
    for other in rest:
        left = [cell for cell in rest if cell != other]
        yield from ([(first, other), *more] for more in matchings(left))


@pytest.mark.parametrize("size", CENSUS, ids=str)
def test_census(size):
    rows, cols = size
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    number: Counter[str] = Counter()
    for pairs in matchings(cells):
        if not pairs:
            continue
        number["fill"] += is_unique(Numberlink.from_pairs(rows, cols, pairs, "fill"))
        verdict = decide(Numberlink.from_pairs(rows, cols, pairs))
        if verdict.unique:
            number["free"] += 1
            used = {cell for path in verdict.solutions[0].paths() for cell in path}
            number["covering"] += len(used) == rows * cols
    assert (number["covering"], number["free"], number["fill"]) == CENSUS[size]


@pytest.mark.parametrize("size", CENSUS, ids=str)
def test_fill_by_brute_force(size):
    cells = size[0] * size[1]
    systems = brute_force.path_systems(*size)
    times = Counter(frozenset(mate.items()) for _, mate, used in systems if len(used) == cells)
    assert list(times.values()).count(1) == CENSUS[size][2]

"""Small Numberlinks, random ones and ones with a solution, against the census of their board."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from linkoracle import Numberlink, check_solution, decide
from linkoracle.board import Lattice
from linkoracle.census import instances

heavy = pytest.mark.heavy

#: Flavours of the census by variant.
FLAVOURS = {"free": "unique_free", "fill": "unique_fill"}


@cache
def unique(rows, cols, variant):
    return instances(rows, cols, FLAVOURS[variant])


def random_pairs(lattice, draw):
    """Cells of random pairs, one to as many as fit."""
    cells = [lattice.position(vertex) for vertex in range(lattice.num_vertices)]
    draw.shuffle(cells)
    number = draw.randint(1, len(cells) // 2)
    return list(zip(cells[:number], cells[number : 2 * number], strict=True))


def ends_of_random_paths(lattice, draw):
    """The ends of random walks that keep off each other, and mostly leave few cells empty."""
    left = set(range(lattice.num_vertices))
    pairs = []
    while left and (len(pairs) < 1 or draw.random() < 0.9):
        walk = [draw.choice(sorted(left))]
        left.discard(walk[0])
        while draw.random() < 0.95:
            around = [other for other in neighbours(lattice, walk[-1]) if other in left]
            if not around:
                break
            walk.append(draw.choice(around))
            left.discard(walk[-1])
        if len(walk) > 1:
            pairs.append((lattice.position(walk[0]), lattice.position(walk[-1])))
    return pairs or random_pairs(lattice, draw)


def neighbours(lattice, vertex):
    for edge in lattice.vertex_edges[vertex].tolist():
        if edge >= 0:
            yield from (other for other in lattice.ends(edge) if other != vertex)


@pytest.mark.parametrize(
    ("most", "sample"), [(3, 500), pytest.param(5, 100_000, marks=heavy)], ids=str
)
@pytest.mark.parametrize("variant", FLAVOURS)
def test_boards_are_unique_where_the_census_says_so(variant, most, sample):
    """Half of them have random pairs, half a solution; who says "several" shows two of them."""
    draw = random.Random(f"{variant} {most}")
    sizes = [(r, c) for r in range(1, most + 1) for c in range(max(r, 2), most + 1)]
    weights = [rows * cols for rows, cols in sizes]
    statuses: Counter[str] = Counter()
    for number in range(sample):
        rows, cols = draw.choices(sizes, weights)[0]
        lattice = Lattice(rows, cols)
        pairs = (random_pairs if number % 2 else ends_of_random_paths)(lattice, draw)
        puzzle = Numberlink.from_pairs(rows, cols, pairs, variant)
        verdict = decide(puzzle)
        statuses[verdict.status] += 1
        assert verdict.unique == (puzzle in unique(rows, cols, variant)), puzzle
        assert len(set(verdict.solutions)) == ["none", "unique", "many"].index(verdict.status)
        assert all(check_solution(puzzle, solution) for solution in verdict.solutions)
    assert min(statuses[status] for status in ("none", "unique", "many")) > sample / 100, statuses

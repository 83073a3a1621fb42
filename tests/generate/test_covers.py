from __future__ import annotations

from collections import Counter
from itertools import islice

import networkx as nx
import pytest

from linkoracle.board import Lattice
from linkoracle.core import Deadline
from linkoracle.generate import numberlink, numberlinks
from linkoracle.generate.paths.maker import Covers
from tests import brute_force

NEVER = Deadline(None)
SIZES = [(2, 1), (3, 1), (2, 2), (3, 2), (4, 2), (3, 3), (4, 3)]


def systems(height, width, pairs_of_cells, chordless):
    """By definition: all path systems that use every cell, minus those ruled out."""
    for edges, mate, used in brute_force.path_systems(height, width):
        if len(used) < height * width:
            continue
        graph = nx.Graph([tuple(edge) for edge in edges])
        if not pairs_of_cells and min(map(len, nx.connected_components(graph))) < 3:
            continue
        squares = (
            brute_force.square(row, col) for row in range(height - 1) for col in range(width - 1)
        )
        if chordless and any(len(square & edges) > 2 for square in squares):
            continue
        yield edges, len(mate) // 2


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("pairs_of_cells", [False, True])
@pytest.mark.parametrize("chordless", [False, True])
def test_counts_by_number_of_links(size, pairs_of_cells, chordless):
    expected = Counter(links for _, links in systems(*size, pairs_of_cells, chordless))
    covers = Covers(Lattice(*size), pairs_of_cells=pairs_of_cells, chordless=chordless)
    cells = size[0] * size[1]
    found = [covers.with_paths(number, number, NEVER).count() for number in range(cells)]
    assert found == [expected[number] for number in range(cells)]


def test_every_system_is_there_once():
    expected = {edges for edges, links in systems(3, 3, False, False) if links == 2}
    found = [
        frozenset(frozenset(map(one.lattice.position, one.board.ends(edge))) for edge in one.edges)
        for one in Covers(Lattice(3, 3)).with_paths(2, 2, NEVER)
    ]
    assert len(found) == len(expected)
    assert set(found) == expected


def unique_boards(rows, cols, pairs, variant):
    """By definition: the ends of all covers that no other path system joins as well."""
    cells, fitting = rows * cols, {}
    for _, mate, used in brute_force.path_systems(rows, cols):
        if len(mate) == 2 * pairs and (variant == "free" or len(used) == cells):
            fitting.setdefault(frozenset(map(frozenset, mate.items())), []).append(len(used))
    return {ends for ends, found in fitting.items() if found == [cells]}


def ends_of(puzzle):
    return frozenset(map(frozenset, puzzle.pairs().values()))


def mirrored(ends, cols):
    return frozenset(frozenset((row, cols - 1 - col) for row, col in pair) for pair in ends)


@pytest.mark.parametrize(
    ("rows", "cols", "pairs", "variant", "number"),
    [
        pytest.param(3, 3, 2, "fill", 52, marks=pytest.mark.heavy),
        (2, 4, 1, "fill", 14),
        (4, 2, 2, "fill", 46),
        (3, 3, 2, "free", 12),
        (2, 4, 3, "free", 22),
    ],
)
def test_every_board_is_made_about_equally_often(rows, cols, pairs, variant, number):
    """Boards on which the two ends of a link touch, and mirror images, like all others."""
    expected = unique_boards(rows, cols, pairs, variant)
    options = {"maker": "diagram", "variant": variant, "pairs": pairs, "min_length": 2, "seed": 11}
    draws = 20 * number
    made = Counter(
        ends_of(numberlink(rows, cols, index=index, **options).puzzle) for index in range(draws)
    )
    assert set(made) == expected == {mirrored(ends, cols) for ends in expected}
    assert len(expected) == number
    # Chi-squared has the mean `freedom` and the variance twice that: four deviations above.
    freedom = number - 1
    assert (
        sum((times - 20) ** 2 / 20 for times in made.values()) < freedom + 4 * (2 * freedom) ** 0.5
    )
    run = numberlinks(rows, cols, **options)
    assert {ends_of(board.puzzle) for board in islice(run, number)} == expected


def test_nothing_to_draw():
    assert not Covers(Lattice(2, 2), chordless=True).with_paths(1, 4, NEVER)


def test_wide_boards_are_turned_back():
    run = numberlinks(4, 6, maker="diagram", seed=1, max_length=12)
    for _ in range(5):
        made = next(run)
        assert (made.puzzle.rows, made.puzzle.cols) == (4, 6)
        assert max(len(path) for path in made.solution.paths()) <= 12

"""Turns and mirror images: a group on cells, the same on edges, and the patterns they keep."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import Lattice, Slitherlink, Solution
from linkoracle.board import symmetry
from linkoracle.board.symmetry import SYMMETRIES, group, isometries, orbits

SIDES = st.integers(1, 5)


@pytest.mark.parametrize("size", [(4, 4), (3, 5), (1, 4), (1, 1)])
def test_isometries_are_a_group(size):
    rows, cols = size
    images = [tuple(one.cells(rows, cols)) for one in isometries(rows, cols)]
    assert images[0] == tuple(range(rows * cols))
    for one in images:
        for other in images:
            assert tuple(one[cell] for cell in other) in images
    if min(size) > 2:
        assert len(set(images)) == len(images)


@pytest.mark.parametrize("name", SYMMETRIES)
def test_a_named_symmetry_is_a_group(name):
    images = [tuple(one.cells(4, 4)) for one in group(4, 4, name)]
    assert images[0] == tuple(range(16))
    assert {tuple(one[cell] for cell in other) for one in images for other in images} == {*images}


@given(SIDES, SIDES, st.sampled_from(symmetry.isometries(1, 1)))
def test_edges_go_where_their_ends_go(rows, cols, isometry):
    lattice = Lattice(rows, cols)
    turned, edges = isometry.edges(lattice, np.arange(lattice.num_edges))
    assert sorted(edges.tolist()) == list(range(turned.num_edges))
    ends = np.array(isometry.cells(rows, cols))[lattice.edge_vertices]
    assert np.sort(ends, axis=1).tolist() == turned.edge_vertices[edges].tolist()


@given(SIDES, SIDES, st.randoms(use_true_random=False))
def test_turning_a_solution_turns_its_clues(rows, cols, rng):
    lattice = Lattice(rows + 1, cols + 1)
    line = Solution(lattice, tuple(e for e in range(lattice.num_edges) if rng.random() < 0.5))
    full = Slitherlink.from_solution(line)
    assert Slitherlink.from_solution(line.rotate()) == full.rotate()
    assert Slitherlink.from_solution(line.reflect()) == full.reflect()
    assert line.rotate(-1).rotate() == line.rotate(2).rotate(2) == line


def test_orbits_by_their_pictures():
    assert orbits(2, 3, "both") == ((0, 2, 3, 5), (1, 4))
    assert orbits(2, 3, "top-bottom") == ((0, 3), (1, 4), (2, 5))
    assert orbits(2, 3, "left-right") == ((0, 2), (1,), (3, 5), (4,))
    assert orbits(3, 3, "quarter-turn") == ((0, 2, 6, 8), (1, 3, 5, 7), (4,))
    assert orbits(2, 2, "diagonal") == ((0,), (1, 2), (3,))
    assert orbits(2, 2, "antidiagonal") == ((0, 3), (1,), (2,))


def test_what_a_board_has_not():
    with pytest.raises(ValueError, match="diagonal needs a square board, got 2x3"):
        orbits(2, 3, "diagonal")
    with pytest.raises(ValueError, match=r"a symmetry out of none, .*; got '180'"):
        group(2, 2, "180")

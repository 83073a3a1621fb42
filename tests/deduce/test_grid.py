"""What boards of one size share: the same by arrays, and what is refused."""

from __future__ import annotations

import pytest

from linkoracle.board.lattice import Lattice
from linkoracle.core.errors import MemoryLimit
from linkoracle.deduce.board import rim_between
from linkoracle.deduce.kernel import Grid
from tests.deduce.tables import tables

ROOMY = 1 << 30


@pytest.mark.parametrize("rows", range(1, 7))
@pytest.mark.parametrize("cols", [1, 2, 3, 4, 6])
def test_tables_are_the_same_by_arrays(rows, cols):
    lattice = Lattice(rows, cols)
    rims = {()}
    for end in range(1, lattice.num_vertices):
        rims.add(rim_between(lattice, (0, end)) or ())
    for rim in sorted(rims):
        grid = Grid(rows, cols, rim, ROOMY)
        wanted = tables(lattice, rim)
        found = grid.tables()
        assert found.keys() == wanted.keys()
        for name, table in wanted.items():
            assert found[name] == table, name
        edges = range(lattice.num_edges)
        assert [list(grid.sides(edge)) for edge in edges] == [row[1] for row in wanted["edges"]]


@pytest.mark.parametrize("sides", [(0, 6), (6, 0), (-1, 6), (2**40, 1)])
def test_what_is_no_lattice(sides):
    with pytest.raises(ValueError, match="expected a lattice"):
        Grid(*sides, (), ROOMY)


def test_too_large_a_lattice():
    for sides in ((2**14, 2**14), (1, 2**27)):
        with pytest.raises(MemoryLimit, match="takes boards of up to"):
            Grid(*sides, (), ROOMY)
    refused = 0
    for limit in range(0, 20_000, 97):
        try:
            Grid(5, 5, (), limit)
        except MemoryLimit:
            refused += 1
    assert 10 < refused < 200


@pytest.mark.parametrize("rim", [(-1,), (12,), (3,), (0, 0), (2**31,), ("0",), (None,)])
def test_what_is_no_edge_of_the_rim(rim):
    with pytest.raises((ValueError, TypeError, OverflowError)):
        Grid(3, 3, rim, ROOMY)


@pytest.mark.parametrize("number", [-1, 12, 10**6])
def test_places_off_the_board(number):
    grid = Grid(3, 3, (), ROOMY)
    with pytest.raises(ValueError, match="expected an edge from 0 to 11"):
        grid.sides(number)

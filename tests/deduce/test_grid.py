"""What boards of one size share: the same by arrays, and what is refused."""

from __future__ import annotations

import pytest

from linkoracle.board import Lattice
from linkoracle.core import MemoryLimit
from linkoracle.deduce.board import border_between
from linkoracle.deduce.deduction_engine import Engine, Positions
from linkoracle.deduce.rules import TECHNIQUES
from tests.deduce.boards import bare
from tests.deduce.tables import tables

#: What a board needs beside its lattice and its masks.
REST = {
    "pairs": [],
    "is_loop": True,
    "coloured": True,
    "is_free": False,
    "local": True,
    "enabled": bytes(2 * TECHNIQUES),
    "hidden": False,
    "limit": 1 << 30,
}


@pytest.mark.parametrize("rows", range(1, 7))
@pytest.mark.parametrize("cols", [1, 2, 3, 4, 6])
def test_tables_are_the_same_by_arrays(rows, cols):
    lattice = Lattice(rows, cols)
    borders = {()}
    for end in range(1, lattice.num_vertices):
        borders.add(border_between(lattice, (0, end)) or ())
    for border in sorted(borders):
        grid = bare(lattice, border)
        expected = tables(lattice, border)
        found = grid.tables()
        assert found.keys() == expected.keys()
        for name, table in expected.items():
            assert found[name] == table, name
        edges = range(lattice.num_edges)
        assert [list(grid.sides(edge)) for edge in edges] == [row[1] for row in expected["edges"]]


@pytest.mark.parametrize("other", [None, (3, 3), "lattice"])
def test_what_is_no_lattice(other):
    right = {"degrees": bytes([5] * 9), "faces": bytes([31] * 4)}
    with pytest.raises(ValueError, match="expected a lattice"):
        Engine(other, (), Positions([]), **right, **REST)


def test_too_large_a_lattice():
    for sides in ((2**14, 2**14), (1, 2**27)):
        with pytest.raises(MemoryLimit, match="takes boards of up to"):
            Engine(Lattice(*sides), (), Positions([]), degrees=b"", faces=b"", **REST)
    refused = 0
    for limit in range(0, 60_000, 297):
        try:
            bare(Lattice(5, 5), limit=limit)
        except MemoryLimit:
            refused += 1
    assert 10 < refused < 200


@pytest.mark.parametrize("border", [(-1,), (12,), (3,), (0, 0), (2**31,), ("0",), (None,)])
def test_edges_off_the_border(border):
    with pytest.raises((ValueError, TypeError, OverflowError)):
        bare(Lattice(3, 3), border)


@pytest.mark.parametrize("number", [-1, 12, 10**6])
def test_places_off_the_board(number):
    grid = bare(Lattice(3, 3))
    with pytest.raises(ValueError, match="expected edges from 0 to 11"):
        grid.sides(number)

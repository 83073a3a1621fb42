"""Turns and mirror images: a group on cells, the same on edges, and the patterns they keep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import Lattice, Slitherlink, Solution, boards
from linkoracle.board import SYMMETRIES, Board, orbits, symmetries, symmetry
from linkoracle.board.symmetry import images, motions, moved_edges, moved_vertices

SIDES = st.integers(1, 5)
SIZES = [(4, 4), (3, 5), (5, 2), (1, 4), (1, 2), (1, 1), (7, 7)]
#: By the names of isometries: where rows and columns change places, then each runs backwards.
ROWS_AND_COLUMNS = {
    "IDENTITY": (False, False, False),
    "TOP_BOTTOM": (False, True, False),
    "LEFT_RIGHT": (False, False, True),
    "HALF_TURN": (False, True, True),
    "DIAGONAL": (True, False, False),
    "QUARTER_TURN": (True, False, True),
    "COUNTER_TURN": (True, True, False),
    "ANTIDIAGONAL": (True, True, True),
}
#: The same for the names of symmetries, in the order of their results.
GROUPS = {
    "none": ("IDENTITY",),
    "half-turn": ("IDENTITY", "HALF_TURN"),
    "quarter-turn": ("IDENTITY", "HALF_TURN", "QUARTER_TURN", "COUNTER_TURN"),
    "left-right": ("IDENTITY", "LEFT_RIGHT"),
    "top-bottom": ("IDENTITY", "TOP_BOTTOM"),
    "both": ("IDENTITY", "HALF_TURN", "LEFT_RIGHT", "TOP_BOTTOM"),
    "diagonal": ("IDENTITY", "DIAGONAL"),
    "antidiagonal": ("IDENTITY", "ANTIDIAGONAL"),
}


def by_rows(name, rows, cols):
    """Return where an isometry takes each cell, by arithmetic on rows and columns."""
    transposed, rows_backwards, cols_backwards = ROWS_AND_COLUMNS[name]
    down, right = (cols, rows) if transposed else (rows, cols)
    found = []
    for cell in range(rows * cols):
        row, col = divmod(cell, cols)
        row, col = (col, row) if transposed else (row, col)
        row = down - 1 - row if rows_backwards else row
        found.append(row * right + (right - 1 - col if cols_backwards else col))
    return tuple(found)


def turned(name, rows, cols):
    return (cols, rows) if ROWS_AND_COLUMNS[name][0] else (rows, cols)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ROWS_AND_COLUMNS)
def test_isometries_of_squares_are_those_of_rows_and_columns(size, name):
    isometry = getattr(symmetry, name)
    found = moved_vertices(Lattice(*size), isometry, Lattice(*turned(name, *size)))
    assert found == by_rows(name, *size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SYMMETRIES)
def test_named_symmetries_of_squares_are_those_of_rows_and_columns(size, name):
    rows, cols = size
    around, through = Lattice(rows + 1, cols + 1), Lattice(rows, cols)
    if rows != cols and any(ROWS_AND_COLUMNS[one][0] for one in GROUPS[name]):
        for ask in (orbits, images):
            with pytest.raises(ValueError, match=r"expected a symmetry of this board .*both"):
                ask(around, name)
        return
    expected = [by_rows(one, rows, cols) for one in GROUPS[name]]
    assert [faces for faces, _ in images(around, name)] == expected
    assert [vertices for _, vertices in images(through, name)] == expected
    sets = {tuple(sorted({*orbit})) for orbit in zip(*expected, strict=True)}
    assert orbits(around, name) == tuple(sorted(sets))


@pytest.mark.parametrize("size", SIZES)
def test_symmetries_of_squares_are_all_that_keep_rows_and_columns(size):
    rows, cols = size
    names = [one for one in ROWS_AND_COLUMNS if rows == cols or not ROWS_AND_COLUMNS[one][0]]
    expected = sorted(by_rows(one, rows, cols) for one in names)
    assert sorted(faces for faces, _ in motions(Lattice(rows + 1, cols + 1))) == expected
    found = symmetries(Lattice(rows, cols))
    assert {*found} == {*expected}
    assert found[0] == tuple(range(rows * cols))


@pytest.mark.parametrize(
    "words", ["honeycomb 5 5", "snub_square 4 4", "octagonal 3 4", "kites 2 2"]
)
def test_named_symmetries_of_tilings_are_among_all_of_theirs(words):
    board = boards.named(words)
    for name in SYMMETRIES:
        try:
            found = images(board, name)
        except ValueError:
            continue
        assert {*found} <= {*motions(board)}
        vertices = [vertices for _, vertices in found]
        products = {tuple(one[at] for at in other) for one in vertices for other in vertices}
        assert products == {*vertices}


def test_a_board_without_coordinates_has_no_symmetry_but_none():
    triangle = Board(3, [(0, 1), (0, 2), (1, 2)], [(0, 1, 2)])
    assert orbits(triangle, "none") == ((0,),)
    with pytest.raises(ValueError, match=r"of this board \(none\), got 'both'"):
        orbits(triangle, "both")


@given(SIDES, SIDES, st.sampled_from([*ROWS_AND_COLUMNS]))
def test_edges_go_where_their_ends_go(rows, cols, name):
    lattice, onto = Lattice(rows, cols), Lattice(*turned(name, rows, cols))
    vertices = by_rows(name, rows, cols)
    edges = moved_edges(lattice, vertices, onto)
    assert sorted(edges) == list(range(onto.num_edges))
    for edge, there in enumerate(edges):
        assert {*onto.ends(there)} == {vertices[end] for end in lattice.ends(edge)}
    assert (
        Solution(lattice, (0,) * (rows * cols > 1)).moved(getattr(symmetry, name)).edges
        == edges[:1]
    )


@given(SIDES, SIDES, st.randoms(use_true_random=False))
def test_turning_a_solution_turns_its_clues(rows, cols, rng):
    lattice = Lattice(rows + 1, cols + 1)
    line = Solution(lattice, tuple(e for e in range(lattice.num_edges) if rng.random() < 0.5))
    full = Slitherlink.from_solution(line)
    assert Slitherlink.from_solution(line.rotate()) == full.rotate()
    assert Slitherlink.from_solution(line.reflect()) == full.reflect()
    assert line.rotate(-1).rotate() == line.rotate(2).rotate(2) == line


def test_orbits_by_their_pictures():
    assert orbits(Lattice(3, 4), "both") == ((0, 2, 3, 5), (1, 4))
    assert orbits(Lattice(3, 4), "top-bottom") == ((0, 3), (1, 4), (2, 5))
    assert orbits(Lattice(3, 4), "left-right") == ((0, 2), (1,), (3, 5), (4,))
    assert orbits(Lattice(4, 4), "quarter-turn") == ((0, 2, 6, 8), (1, 3, 5, 7), (4,))
    assert orbits(Lattice(3, 3), "diagonal") == ((0,), (1, 2), (3,))
    assert orbits(Lattice(3, 3), "antidiagonal") == ((0, 3), (1,), (2,))


def test_an_unknown_symmetry_is_refused():
    with pytest.raises(ValueError, match=r"a symmetry out of none, .*; got '180'"):
        orbits(Lattice(3, 3), "180")

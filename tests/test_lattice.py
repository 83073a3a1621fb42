from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import Lattice, MemoryLimit, Solution

SIZES = [(1, 1), (1, 5), (4, 1), (2, 2), (3, 4), (5, 3)]


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_edges_are_numbered_by_first_vertex_right_before_down(rows, cols):
    lattice = Lattice(rows, cols)
    expected = []
    for vertex in range(rows * cols):
        row, col = divmod(vertex, cols)
        if col < cols - 1:
            expected.append([vertex, vertex + 1])
        if row < rows - 1:
            expected.append([vertex, vertex + cols])
    assert lattice.edge_vertices.tolist() == expected
    assert lattice.num_edges == len(expected)
    for edge, (u, v) in enumerate(expected):
        one, other = lattice.position(u), lattice.position(v)
        assert lattice.edge(one, other) == lattice.edge(other, one) == edge


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_incidence_arrays_agree_with_the_ends(rows, cols):
    lattice = Lattice(rows, cols)
    around = [sorted(e for e in row if e >= 0) for row in lattice.vertex_edges.tolist()]
    ends = lattice.edge_vertices
    for vertex in range(lattice.num_vertices):
        assert around[vertex] == np.flatnonzero((ends == vertex).any(axis=1)).tolist()
    for face, edges in enumerate(lattice.face_edges.tolist()):
        row, col = divmod(face, cols - 1)
        assert lattice.face(row, col) == face
        corners = {(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)}
        top, left, right, bottom = (
            {lattice.position(int(v)) for v in ends[edge]} for edge in edges
        )
        assert top | bottom == left | right == corners
        assert top == {(row, col), (row, col + 1)}
        assert left == {(row, col), (row + 1, col)}


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_what_is_told_of_one_is_in_the_arrays(rows, cols):
    lattice = Lattice(rows, cols)
    ends = [list(lattice.ends(edge)) for edge in range(lattice.num_edges)]
    assert ends == lattice.edge_vertices.tolist()
    around = [lattice.edges_of(face) for face in range(lattice.num_faces)]
    assert around == lattice.face_edges.tolist()
    for edge in range(lattice.num_edges):
        assert lattice.faces_of(edge) == [face for face, of in enumerate(around) if edge in of]


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_a_byte_for_each_edge_by_rows(rows, cols):
    lattice = Lattice(rows, cols)
    marks = bytes(range(lattice.num_edges))
    rights, downs = lattice.edge_rows(marks)
    assert [[*row] for row in rights] == lattice.right[:, :-1].tolist()
    assert [[*row] for row in downs] == lattice.down[:-1].tolist()


@pytest.mark.parametrize(("rows", "cols"), SIZES)
@given(rng=st.randoms(use_true_random=False))
def test_clues_are_the_chosen_edges_around_each_face(rows, cols, rng):
    lattice = Lattice(rows, cols)
    chosen = [rng.random() < 0.5 for _ in range(lattice.num_edges)]
    solution = Solution(lattice, tuple(edge for edge, on in enumerate(chosen) if on))
    assert [*solution.marks()] == solution.mask().tolist() == chosen
    clues = [sum(chosen[edge] for edge in around) for around in lattice.face_edges.tolist()]
    assert [*chain.from_iterable(solution.clues())] == clues
    assert solution.face_counts().shape == (rows - 1, cols - 1)
    assert solution.face_counts().ravel().tolist() == clues


def test_the_arrays_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        Lattice(2, 2).edge_vertices[0, 0] = 5


def test_places_off_the_lattice_are_refused():
    lattice = Lattice(2, 3)
    with pytest.raises(ValueError, match="the rows of a lattice from 1, got 0"):
        Lattice(0, 3)
    with pytest.raises(IndexError, match=r"no vertex \(2, 0\)"):
        lattice.vertex(2, 0)
    with pytest.raises(IndexError, match=r"no face \(1, 0\)"):
        lattice.face(1, 0)
    with pytest.raises(ValueError, match="not neighbours"):
        lattice.edge((0, 0), (1, 1))
    with pytest.raises(ValueError, match="not both on the lattice"):
        lattice.edge((0, 2), (0, 3))


@pytest.mark.parametrize("side", ["3", 2.0, None, True, -1])
def test_sides_are_whole_numbers(side):
    with pytest.raises(ValueError, match="the cols of a lattice from 1, got"):
        Lattice(3, side)
    assert type(Lattice(np.int64(3), 3).rows) is int


def test_what_cannot_be_numbered_is_refused_at_once():
    with pytest.raises(MemoryLimit, match=r"1000000001x4 vertices has 7000000003 edges"):
        Lattice(10**9 + 1, 4)

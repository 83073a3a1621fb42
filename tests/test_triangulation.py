"""Triangles between the terminals of a board."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle.board import Lattice, LinkModel, Triangulation
from linkoracle.board.homotopy import digital_line, turn
from linkoracle.core import Deadline, SearchTimeout

points = st.tuples(st.integers(-30, 30), st.integers(-30, 30))


@st.composite
def models(draw):
    rows, cols = draw(st.integers(1, 9)), draw(st.integers(2, 9))
    size = rows * cols
    vertices = st.integers(0, size - 1)
    ends = draw(st.lists(vertices, min_size=2, max_size=min(16, size), unique=True))
    pairs = list(zip(ends[::2], ends[1::2], strict=False))
    return LinkModel.blank_paths(Lattice(rows, cols), pairs)


@given(models())
def test_the_triangles_cover_the_board_once(model):
    board = Triangulation(model)
    corners = [[board.points[point] for point in one.points] for one in board.triangles]
    area = sum(abs(turn(*three)) for three in corners)
    assert area == 2 * (model.lattice.rows + 1) * (model.lattice.cols + 1)
    for three in corners:
        for point in set(board.points) - set(three):
            sides = [turn(three[place - 1], three[place], point) for place in range(3)]
            assert not all(side >= 0 for side in sides)
            assert not all(side <= 0 for side in sides)


@given(models())
def test_every_edge_has_a_triangle_on_each_side(model):
    board = Triangulation(model)
    beside = [0] * len(board.edges)
    for triangle in board.triangles:
        for place in range(3):
            ends = set(triangle.points) - {triangle.points[place]}
            assert set(board.edges[triangle.edges[place]]) == ends
            beside[triangle.edges[place]] += 1
    for edge, number in zip(board.edges, beside, strict=True):
        row_or_col = [{board.points[end][axis] for end in edge} for axis in (0, 1)]
        rows, cols = model.lattice.rows, model.lattice.cols
        outer = row_or_col[0] in ({-1}, {rows}) or row_or_col[1] in ({-1}, {cols})
        assert number == (1 if outer else 2)


@given(points, points)
def test_a_digital_line_is_next_to_its_segment(start, end):
    """Step by step, and never more than half a step away: no lattice point is between them."""
    line = digital_line(start, end)
    steps = max(abs(start[axis] - end[axis]) for axis in (0, 1))
    assert len(line) == max(0, steps - 1)
    way = [start, *line, end] if start != end else [start]
    for one, other in pairwise(way):
        assert max(abs(one[axis] - other[axis]) for axis in (0, 1)) == 1
    for step, point in enumerate(line, start=1):
        for axis in (0, 1):
            away = steps * (point[axis] - start[axis]) - step * (end[axis] - start[axis])
            assert abs(2 * away) <= steps


def test_cells_are_those_of_the_board_that_are_no_holes():
    model = LinkModel.blank_paths(Lattice(1, 5), [(0, 4)])
    for holes, expected in (((), [1, 2, 3]), ((2,), [1, 3])):
        board = Triangulation(model.with_holes(set(holes)))
        assert board.cells[board.edges.index((0, 1))] == expected
    around = [
        cells
        for (one, other), cells in zip(board.edges, board.cells, strict=True)
        if board.points[one][0] == board.points[other][0] == -1
    ]
    assert around
    assert not any(around)


def test_edges_do_not_cross():
    rng = random.Random(1)
    cells = rng.sample(range(400), 40)
    model = LinkModel.blank_paths(Lattice(20, 20), list(zip(cells[::2], cells[1::2], strict=True)))
    board = Triangulation(model)
    segments = [[board.points[end] for end in edge] for edge in board.edges]
    for (one, other), (start, end) in combinations(segments, 2):
        apart = turn(one, other, start) * turn(one, other, end) >= 0
        assert apart or turn(start, end, one) * turn(start, end, other) >= 0


def test_what_has_no_terminals_is_refused():
    with pytest.raises(ValueError, match="without terminals"):
        Triangulation(LinkModel.blank_loop(Lattice(3, 3)))


def test_time_that_is_up_ends_the_drawing():
    model = LinkModel.blank_paths(Lattice(3, 3), [(0, 8)])
    with pytest.raises(SearchTimeout):
        Triangulation(model, Deadline(1e-9))

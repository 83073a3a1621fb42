"""Colours of faces on any board: what the compiled loops do is what they say that they do."""

import math
from itertools import pairwise
from random import Random

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from linkoracle import Board, Lattice, Solution
from linkoracle.board.colouring_kernel import Colouring
from linkoracle.core import NothingFound
from linkoracle.generate import SHAPES, loop
from linkoracle.generate.loops.colouring import beyond, coloured, divided
from tests.boards import honeycomb, rim_dots, scattered, triangular

QUICK = sorted(set(SHAPES) - {"uniform"})


def is_loop(line):
    """Whether the edges are one cycle, by networkx."""
    graph = nx.Graph([line.board.ends(edge) for edge in line])
    return len(graph) > 2 and nx.is_connected(graph) and {d for _, d in graph.degree} == {2}


def is_path(line, ends):
    graph = nx.Graph([line.board.ends(edge) for edge in line])
    odd = {line.board.position(vertex) for vertex, degree in graph.degree if degree == 1}
    most = max((degree for _, degree in graph.degree), default=0)
    return odd == set(ends) and nx.is_connected(graph) and most <= 2


@st.composite
def plane_boards(draw):
    """Squares, honeycombs, triangles, and random boards whose faces may have any boundary."""
    kind = draw(st.integers(0, 3))
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    if kind == 0:
        return Lattice(rows + 1, cols + 1)
    if kind == 1:
        return honeycomb(rows, cols)
    if kind == 2:
        return triangular(rows, cols + 1)
    rng = Random(draw(st.integers(0, 10**6)))
    board = scattered(rng, draw(st.integers(4, 25)), draw(st.sampled_from([0.85, 1.0])))
    return board if board.num_faces else triangular(1, 2)


@st.composite
def coloured_boards(draw):
    """A board with a single line, and another with the same colours."""
    board = draw(plane_boards())
    try:
        line = loop(board, shape=draw(st.sampled_from(QUICK)), seed=draw(st.integers(0, 10**6)))
    except NothingFound:
        board = triangular(1, 2)
        line = loop(board, seed=1)
    return coloured(line), coloured(line)


@pytest.mark.parametrize("shape", QUICK)
@given(board=plane_boards(), seed=st.integers(0, 10**6))
def test_a_shape_is_one_loop_on_every_board(shape, board, seed):
    try:
        drawn = loop(board, shape=shape, seed=seed)
    except NothingFound:
        alone = (
            set(zip(w, [*w[1:], w[0]], strict=True))
            for w in map(board.walk, range(board.num_faces))
        )
        assert not any(len(set(sum(steps, ()))) == len(steps) > 2 for steps in alone)
        return
    assert is_loop(drawn)
    assert loop(board, shape=shape, seed=seed) == drawn


@given(
    st.sampled_from([honeycomb(3, 4), triangular(4, 5), Lattice(5, 6)]),
    st.sampled_from(["mix", "two_colour", "long"]),
    st.integers(0, 10**6),
)
def test_open_paths_join_places_of_the_border(board, shape, seed):
    dots = [board.position(vertex) for vertex in board.border()[0]]
    ends = tuple(Random(seed).sample(dots, 2))
    assert is_path(loop(board, shape=shape, ends=ends, seed=seed), ends)
    assert is_path(divided(board, ends).outline(), ends)


def test_squares_are_boards_like_others():
    for shape in SHAPES:
        assert loop(Lattice(6, 7), shape=shape, seed=5) == loop(5, 6, shape=shape, seed=5)


def test_boards_without_a_loop_or_a_border_are_refused():
    tree = Board.from_graph(nx.path_graph(4), {v: (v, 0) for v in range(4)})
    with pytest.raises(ValueError, match="expected a board with faces"):
        loop(tree, seed=1)
    # A square with an edge inside it that leads to nowhere.
    graph = nx.cycle_graph(4)
    graph.add_edge(0, 4)
    pendant = Board.from_graph(graph, {0: (0, 0), 1: (4, 0), 2: (4, 4), 3: (0, 4), 4: (1, 1)})
    assert pendant.num_faces == 1
    with pytest.raises(NothingFound, match="no loop bounds a face"):
        loop(pendant, seed=1)
    # Two squares that meet in one vertex.
    bow = Board(
        7,
        [*pairwise([0, 1, 2, 3]), (0, 3), *pairwise([3, 4, 5, 6]), (3, 6)],
        [(0, 1, 2, 3), (3, 4, 5, 6)],
    )
    assert is_loop(loop(bow, seed=1))
    with pytest.raises(ValueError, match="a board that one cycle bounds"):
        loop(bow, ends=(0, 5), seed=1)
    with pytest.raises(ValueError, match="expected two dots on the border, got 7 and 0"):
        loop(triangular(1, 2), ends=(7, 0), seed=1)
    with pytest.raises(ValueError, match="mix has no option ratio, only zeros, threes, variety"):
        loop(honeycomb(2, 2), ratio=2)
    with pytest.raises(ValueError, match="the shape crumple makes loops only"):
        loop(honeycomb(2, 2), shape="crumple", ends="random")


@given(coloured_boards())
def test_the_line_runs_where_colours_differ(both):
    line, other = both
    board = line.board
    colours = line.colours
    beside = [
        sum(colours[face] for face in board.faces_of(edge)) for edge in range(board.num_edges)
    ]
    edges = tuple(edge for edge, inside in enumerate(beside) if inside == 1)
    assert line.outline().edges == edges
    other.load(())
    assert not other.outline().edges
    other.paint(colours)
    assert other.outline().edges == edges


@given(coloured_boards())
def test_a_flip_is_allowed_iff_the_line_stays_single(both):
    line, other = both
    counts = line.board.face_counts
    for face in range(line.board.num_faces):
        allowed, added, before = line.can_flip(face), line.added(face), line.outline()
        line.flip(face)
        after = line.outline()
        assert line.is_single_line() == is_loop(after)
        assert allowed == is_loop(after) or set(line.board.edges_of(face)) == set(before)
        assert len(after) - len(before) == added
        assert [line.count(one) for one in range(line.board.num_faces)] == counts(after.marks())
        line.flip(face)
    assert line.colours == other.colours


def sides_and_corners(line, face):
    """The colours across the edges of a face, and those of faces that meet it at a vertex only."""
    board = line.board
    sides = [line.is_inside(one) if one >= 0 else False for one in line.across(face)]
    corners = []
    for vertex in board.walk(face):
        own = {edge for edge in board.edges_at(vertex) if face in board.faces_of(edge)}
        beside = {one for edge in own for one in board.faces_of(edge)}
        met = {one for edge in board.edges_at(vertex) for one in board.faces_of(edge)} - beside
        corners += [line.is_inside(one) for one in met]
        # Beyond the border there is one more.
        corners += [False] * any(len(board.faces_of(e)) == 1 for e in board.edges_at(vertex))
    return sides, corners


def stirred(rng, line, worth, tries):
    """What `stir` says that it does, from its description."""
    board = line.board
    for _ in range(tries):
        face = int(rng.random() * board.num_faces)
        if not line.can_flip(face):
            continue
        seen = [face, *(one for one in line.across(face) if one >= 0)]
        before = [line.count(one) for one in seen]
        line.flip(face)
        gain = 0.0
        for one, old in zip(seen, before, strict=True):
            values = worth[len(board.edges_of(one))]
            gain += values[line.count(one)] - values[old]
        if gain < 0 and rng.random() >= math.exp(gain):
            line.flip(face)


def stable(rng, line, ties):
    waiting = list(range(line.board.num_faces))
    while waiting:
        place = int(rng.random() * len(waiting))
        face, waiting[place] = waiting[place], waiting[-1]
        waiting.pop()
        sides, corners = sides_and_corners(line, face)
        mine = line.is_inside(face)
        alike = sides.count(mine)
        tie = 2 * alike == len(sides) and 2 * corners.count(mine) > len(corners)
        if line.can_flip(face) and (2 * alike > len(sides) or (ties and tie)):
            line.flip(face)
            waiting += [one for one in line.around(face) if one not in waiting]


def share_no_two_edges(board):
    pairs = [tuple(board.faces_of(edge)) for edge in range(board.num_edges)]
    twice = [pair for pair in pairs if len(pair) == 2]
    return len(set(twice)) == len(twice)


@given(coloured_boards(), st.integers(0, 2**32))
def test_stirring_is_what_is_described(both, seed):
    line, other = both
    assume(share_no_two_edges(line.board))
    one, two, values = Random(seed), Random(seed), Random(seed + 1)
    lengths = {len(line.board.edges_of(face)) for face in range(line.board.num_faces)}
    worth = {n: [values.uniform(-2, 2) for _ in range(n + 1)] for n in sorted(lengths)}
    line.stir(worth, 200, one.random)
    stirred(two, other, worth, 200)
    assert line.colours == other.colours
    assert one.random() == two.random()
    assert is_loop(line.outline())


@given(coloured_boards(), st.integers(0, 2**32), st.booleans())
def test_flips_until_stable_are_what_is_described(both, seed, ties):
    line, other = both
    one, two = Random(seed), Random(seed)
    line.flip_until_stable(ties, one.random)
    stable(two, other, ties)
    assert line.colours == other.colours
    assert one.random() == two.random()
    assert is_loop(line.outline())


def wheel(spokes, shift):
    """Quadrilaterals around one vertex, whose faces and edges are numbered in a shuffled order."""
    ring = list(range(1, 2 * spokes + 1))
    Random(shift).shuffle(ring)
    graph, points = nx.Graph(), {0: (0.0, 0.0)}
    for place, vertex in enumerate(ring):
        angle = math.pi * place / spokes
        points[vertex] = (math.cos(angle), math.sin(angle))
        graph.add_edge(vertex, ring[place - 1])
        if place % 2:
            graph.add_edge(0, vertex)
    return Board.from_graph(graph, points)


@pytest.mark.parametrize("spokes", [3, 4, 5, 6, 9])
def test_what_meets_at_a_vertex_of_many_edges_counts_once(spokes):
    for shift in range(20):
        board = wheel(spokes, shift)
        assert board.num_faces == spokes
        for seed in range(20):
            line, other = (coloured(loop(board, shape="expand", seed=seed)) for _ in range(2))
            line.flip_until_stable(True, Random(seed).random)
            stable(Random(seed), other, True)
            assert line.colours == other.colours
            assert sorted(line.around(0)) == list(range(1, spokes))


@given(st.integers(1, 6), st.integers(1, 6))
def test_the_border_of_squares_goes_clockwise(rows, cols):
    dots = rim_dots(rows, cols)
    assert len(set(dots)) == len(dots) == 2 * (rows + cols)
    assert dots[:2] == [(0, 0), (0, 1)]
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise([*dots, dots[0]]))
    board = Lattice(rows + 1, cols + 1)
    vertices, edges = board.border()
    for place, edge in enumerate(edges):
        assert set(board.ends(edge)) == {vertices[place], vertices[(place + 1) % len(vertices)]}
    assert beyond(board, (dots[2], dots[0])) == edges[:2]


def test_arguments_are_checked_before_memory_is_touched():
    board, random = Lattice(4, 5), Random(1).random
    line = Colouring(board)
    worth = {4: [0.0] * 5}
    for call in (
        line.flip,
        line.can_flip,
        line.count,
        line.added,
        line.is_inside,
        line.across,
        line.around,
    ):
        for face in (-1, 12):
            with pytest.raises(ValueError, match="expected a face of the board"):
                call(face)
    for vertex in (-1, 20):
        for call in (line.is_visited, line.meeting):
            with pytest.raises(ValueError, match="expected a vertex of the board"):
                call(vertex)
    for edge in (-1, 31):
        with pytest.raises(ValueError, match="expected edges of the board"):
            line.load([edge])
        with pytest.raises(ValueError, match="expected edges of the board"):
            Colouring(board, [edge])
    with pytest.raises(ValueError, match="a colour for each face"):
        line.paint(bytes(11))
    for place in (-1, 4):
        with pytest.raises(ValueError, match="a place around the face"):
            line.contact(0, place)
    with pytest.raises(ValueError, match="a face of the board, got -1"):
        line.contact(0, 0)
    for wrong in ({}, {3: [0.0] * 4}, {4: [0.0] * 4}):
        with pytest.raises(ValueError, match="a worth for each number"):
            line.stir(wrong, 9, random)
    line.flip(5)
    for number in (1.0, -0.5, math.nan):
        with pytest.raises(ValueError, match="random numbers from 0 to 1"):
            line.stir(worth, 9, lambda: number)  # noqa: B023
        with pytest.raises(ValueError, match="random numbers from 0 to 1"):
            line.flip_until_stable(True, lambda: number)  # noqa: B023


def test_what_random_raises_comes_out():
    def random():
        raise KeyboardInterrupt

    line = coloured(Solution(Lattice(3, 3), (0, 1, 3, 5)))
    with pytest.raises(KeyboardInterrupt):
        line.stir({4: [0.0] * 5}, 9, random)
    with pytest.raises(KeyboardInterrupt):
        line.flip_until_stable(True, random)

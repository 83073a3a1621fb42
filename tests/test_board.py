"""Boards: their arrays, faces from drawings, symmetries, and what is refused."""

from __future__ import annotations

import pickle
import random
from array import array

import networkx as nx
import pytest

from linkoracle import Board, Count, Lattice, LinkModel, NotSupported, Shape, Solution
from linkoracle.board import board_lists, symmetries
from linkoracle.board.symmetry import moved_edges
from tests import boards


def grid(rows: int, cols: int) -> nx.Graph:
    graph = nx.Graph()
    for row in range(rows):
        for col in range(cols):
            graph.add_node((row, col), pos=(col, row))
    for row, col in list(graph):
        for near in ((row, col + 1), (row + 1, col)):
            if near in graph:
                graph.add_edge((row, col), near)
    return graph


SIZES = [(1, 1), (1, 5), (4, 1), (2, 2), (2, 5), (3, 4), (5, 3), (6, 7)]


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_squares_have_the_numbers_that_their_graph_gives(rows, cols):
    """The arrays that are written down for squares are those found from the drawing."""
    lattice, board = Lattice(rows, cols), Board.from_graph(grid(rows, cols))
    assert board.layout == lattice.layout
    assert all(type(items) is array and items.typecode == "i" for items in board.layout)
    assert board.points == lattice.points
    assert board.sides == lattice.sides
    assert board.free_masks == lattice.free_masks
    assert board.low_masks == lattice.low_masks
    for face in range(lattice.num_faces):
        assert sorted(board.walk(face)) == sorted(lattice.walk(face))
        assert board.edges_of(face) == lattice.edges_of(face)
    for vertex in range(lattice.num_vertices):
        assert board.edges_at(vertex) == lattice.edges_at(vertex)
    for edge in range(lattice.num_edges):
        assert board.ends(edge) == lattice.ends(edge)
        assert board.faces_of(edge) == lattice.faces_of(edge)
        ends = map(lattice.position, lattice.ends(edge))
        assert board.edge(*ends) == edge


@pytest.mark.parametrize(
    ("board", "faces", "sizes"),
    [
        (boards.honeycomb(2, 3), 6, {6}),
        (boards.triangular(3, 4), 12, {3}),
        (Board.from_graph(nx.dodecahedral_graph()), 11, {5}),
        (Board.from_graph(nx.petersen_graph()), 0, set()),
        (Board.from_graph(nx.path_graph(4)), 0, set()),
        (Board.from_graph(nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(4))), 0, set()),
        (Board.from_graph(nx.empty_graph(0)), 0, set()),
        (
            Board.from_graph(
                nx.complete_graph(4), dict(enumerate([(0, 0), (1, 0), (1, 1), (0, 1)]))
            ),
            0,
            set(),
        ),
        (Board.from_graph(nx.check_planarity(nx.complete_graph(4))[1]), 3, {3}),
    ],
)
def test_faces_are_those_of_a_plane_drawing(board, faces, sizes):
    """A drawing with crossings, and a graph in two parts, have none."""
    assert board.num_faces == faces
    assert {len(board.edges_of(face)) for face in range(faces)} == sizes


@pytest.mark.parametrize("seed", range(30))
def test_faces_and_edges_say_the_same_of_each_other(seed):
    rng = random.Random(seed)
    board = boards.scattered(rng, rng.randrange(2, 30), 0.9)
    graph = nx.Graph(board.ends(edge) for edge in range(board.num_edges))
    graph.add_nodes_from(range(board.num_vertices))
    if nx.is_connected(graph):
        assert board.num_vertices - board.num_edges + board.num_faces == 1
    else:
        assert board.num_faces == 0
    for edge in range(board.num_edges):
        found = [face for face in range(board.num_faces) if edge in board.edges_of(face)]
        assert board.faces_of(edge) == found
    for vertex in range(board.num_vertices):
        around = board.edges_at(vertex)
        assert sorted(around) == [e for e in range(board.num_edges) if vertex in board.ends(e)]
    marks = [rng.randrange(2) for _ in range(board.num_edges)]
    assert board.face_counts(marks) == [
        sum(marks[edge] for edge in board.edges_of(face)) for face in range(board.num_faces)
    ]


def test_edges_stand_around_a_vertex_in_the_order_of_their_angle():
    star = nx.star_graph(4)
    points = {0: (0, 0), 1: (0, -1), 2: (1, 0), 3: (-1, 0), 4: (0, 1)}
    board = Board.from_graph(star, points)
    # Clockwise from the right; y grows downwards.
    assert [board.ends(edge)[1] for edge in board.edges_at(0)] == [2, 4, 3, 1]


def test_boards_are_values():
    one, other = boards.honeycomb(2, 2), boards.honeycomb(2, 2)
    assert one == other
    assert hash(one) == hash(other)
    assert one != boards.honeycomb(2, 3)
    assert one != Lattice(3, 3)
    for board in (one, Lattice(4, 5)):
        _ = board.layout, board.sides, board.free_masks
        again = pickle.loads(pickle.dumps(board))
        assert again == board
        assert again.layout == board.layout
        # What is computed from a board is not sent along.
        assert len(pickle.dumps(board)) < 2000


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Board(2, [(0, 1), (1, 0)]), r"edges 0 and 1 of the board both join \(0, 1\)"),
        (lambda: Board(2, [(0, 0)]), "joins vertex 0 to itself"),
        (lambda: Board(2, [(0, 2)]), "no edge of 2 vertices: 0, 2"),
        (lambda: Board(3, [(0, 1), (1, 2)], [(0, 1, 2)]), r"needs the edge \(0, 2\)"),
        (lambda: Board(3, [(0, 1), (1, 2), (0, 2)], [(0, 1, 2)] * 3), "more than two faces"),
        (lambda: Board(-1, []), "a number of vertices from 0, got -1"),
        (lambda: Board(2.0, [(0, 1)]), r"a number of vertices from 0, got 2\.0"),
        (lambda: Board(2, [(0.0, 1)]), r"a vertex, a whole number, got 0\.0"),
        (lambda: Board(3, [(0, 1, 2)]), r"two vertices that an edge joins, got \(0, 1, 2\)"),
        (lambda: Board(2, [(0, 1)], [(0.0, 1)]), r"a vertex, a whole number, got 0\.0"),
        (lambda: Board(2, [(0, 1)], [()]), "a face of the board has no vertices"),
        (lambda: Board(2, [0]), "expected a list of vertices, got 0"),
        (lambda: Board(2, [(0, 1)], [3]), "expected a list of vertices, got 3"),
        (lambda: Board(2, [(0, 1)], labels="a"), "2 vertices, but 1 labels"),
        (lambda: Board(2, [(0, 1)], labels="aa"), "same label"),
        (lambda: Board(2, [(0, 1)], points=[(0, 0)]), "2 vertices, but 1 points"),
        (lambda: Board.from_graph(nx.MultiGraph([(0, 1)])), "undirected graph"),
        (lambda: Board.from_graph(nx.DiGraph([(0, 1)])), "undirected graph"),
        (lambda: Board.from_graph(nx.Graph([(0, 0)])), "0 is joined to itself"),
        (lambda: Board.from_graph(nx.path_graph(2), {0: (0, 0)}), "the node 1 has no point"),
        (lambda: Lattice(2, 2).edge((0, 0.0), (0, 1)), r"whole numbers .* got \(0, 0\.0\)"),
        (lambda: Solution(Lattice(2, 2), [((0, 0.5), (1, 0.5))]), "whole numbers for positions"),
        (lambda: Solution.from_paths(Lattice(2, 2), [[0, 1]]), r"\(row, column\), got 0"),
        (
            lambda: Solution.from_paths(Lattice(2, 2), [[(0,), (1,)]]),
            r"\(row, column\), got \(0,\)",
        ),
        (lambda: boards.honeycomb(1, 1).edge(0, 1), "not both on the board"),
        (lambda: boards.honeycomb(1, 1).edge((0, 0), (1, 2)), "not neighbours"),
        (lambda: boards.honeycomb(1, 1).face_of(1), "a face from 0 to 0, got 1"),
        (lambda: boards.honeycomb(1, 1).face_of((0, 0)), "a face from 0 to 0"),
        (
            lambda: LinkModel.blank_loop(boards.honeycomb(1, 1)).lattice,
            "expected a square board, found",
        ),
        (lambda: Solution(boards.honeycomb(1, 1)).lattice, "expected a square board, found"),
    ],
)
def test_what_is_no_board_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("board", "number"),
    [
        (boards.honeycomb(1, 1), 12),
        (boards.triangular(1, 1), 6),
        (Board.from_graph(nx.cycle_graph(7), nx.circular_layout(nx.cycle_graph(7))), 14),
        (boards.scattered(random.Random(1), 12), 1),
        (Board(3, [(0, 1)]), 1),
        (Board(2, [(0, 1)], points=[(0, 0), (0, 0)]), 1),
    ],
)
def test_symmetries_are_permutations_that_keep_edges(board, number):
    found = symmetries(board)
    assert len(found) == number
    for permutation in found:
        moved = moved_edges(board, permutation)
        assert sorted(moved) == list(range(board.num_edges))
        for edge, there in enumerate(moved):
            ends = {permutation[end] for end in board.ends(edge)}
            assert set(board.ends(there)) == ends


def test_solutions_of_any_board_are_walks_over_its_labels():
    board = boards.honeycomb(1, 2)
    model = LinkModel.blank_loop(board).with_faces({0: 6})
    from linkoracle import solve

    solution = solve(model)
    (walk,) = solution.paths()
    assert len(walk) == 7
    assert set(walk) <= set(map(board.position, range(board.num_vertices)))
    assert Solution.from_paths(board, [walk]) == solution
    assert solution.counts() == [6, 1]
    assert nx.is_isomorphic(solution.graph(), nx.cycle_graph(6))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda model: model.with_faces({0: 7}), "a clue from 0 to 6, got 7"),
        (lambda model: model.with_faces({2: 1}), "a face from 0 to 1, got 2"),
        (lambda model: model.with_faces({0: "3"}), "a clue from 0 to 6, got '3'"),
        (lambda model: model.with_constraints(counts=[Count((0,), 1)]), "a literal"),
        (lambda model: model.with_constraints(counts=[Count((22,), 1)]), "of up to 21 variables"),
        (lambda model: model.with_constraints(counts=[Count((1,), -1)]), "a mask of counts"),
        (lambda model: model.with_constraints(clauses=[[1, 0]]), "a literal"),
        (lambda model: model.with_constraints(shapes=[Shape(10, 1)]), "a vertex of a shape"),
        (lambda model: Shape.of(model.board, 0, [(10,)]), "does not have all of the edges"),
        (lambda _: Count.of([1], {-1}), "a count from 0"),
    ],
)
def test_constraints_that_make_no_sense_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        change(LinkModel.blank_loop(boards.honeycomb(1, 2)))


def test_engines_refuse_by_name_what_they_do_not_take():
    import linkoracle

    honeycomb = LinkModel.blank_loop(boards.honeycomb(1, 2))
    counted = LinkModel.blank_loop(Lattice(3, 3)).with_constraints(counts=[Count((1,), 2)])
    paths = LinkModel.blank_paths(honeycomb.board, [(0, 1)])
    assert linkoracle.grade(paths).status == "not unique"
    for model in (honeycomb, counted):
        assert linkoracle.grade(model).status == "not unique"
        numbers = {linkoracle.count(model, engine=engine) for engine in linkoracle.ENGINES}
        assert numbers == {linkoracle.diagram(model).count()}
    auxiliary = honeycomb.with_constraints(clauses=[[1, 100], [1, -100]])
    for ask in (
        lambda model: linkoracle.count(model, engine="frontier"),
        linkoracle.diagram,
        linkoracle.frontier.count,
        linkoracle.frontier.Diagram.build,
    ):
        with pytest.raises(NotSupported, match="frontier engine does not take auxiliary"):
            ask(auxiliary)
    assert linkoracle.count_result(auxiliary).engine == "sat"


@pytest.mark.parametrize("seed", range(20))
def test_the_lists_of_a_board_are_what_it_says_itself(seed):
    board = boards.random_board(random.Random(seed))
    lists = board_lists(board)
    edges, faces = range(board.num_edges), range(board.num_faces)
    assert lists.ends == [*map(board.ends, edges)]
    assert lists.faces_of_edge == [*map(board.faces_of, edges)]
    assert lists.face_edges == [*map(board.edges_of, faces)]
    assert lists.corners == [*map(board.walk, faces)]
    for vertex, around in enumerate(lists.around):
        assert [edge for edge, _ in around] == sorted(board.edges_at(vertex))
        assert all({vertex, other} == {*board.ends(edge)} for edge, other in around)

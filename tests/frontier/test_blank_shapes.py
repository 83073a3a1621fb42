"""Honeycombs, cylinders and triangles by ranks: against hash tables, diagrams and graphs."""

from collections import Counter
from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import graphs
from linkoracle.batch import Processes
from linkoracle.board import PASS, Board, LinkModel
from linkoracle.boards import named
from linkoracle.core import Deadline, MemoryLimit
from linkoracle.frontier import (
    Diagram,
    blank_board,
    by_length,
    count,
    finished,
    lengths,
    ranked_board,
)
from linkoracle.frontier.blank import passes
from linkoracle.frontier.blank.board import BlankBoard, Shape
from linkoracle.frontier.blank.counting import Runner, primes, solutions
from linkoracle.frontier.blank.passes import BlankPass, Tables, TrackPass, TrackTables
from linkoracle.frontier.blank.shapes import cylinder, honeycomb, shape_of
from linkoracle.frontier.blank.tracks import TrackBoard, graph_of
from linkoracle.frontier.blank.tracks import triangle as triangle_board
from linkoracle.frontier.blank.tracks import triangular as triangular_board
from linkoracle.frontier.sweep import Sweep

NEVER = Deadline(None)
PRIME = next(primes())


def board_from(near) -> Board:
    pairs = {
        (min(pair), max(pair))
        for one, there in enumerate(near)
        for pair in ((one, x) for x in there)
    }
    return Board(len(near), sorted(pairs))


def loop_model(near, cover: bool = False) -> LinkModel:
    model = LinkModel.blank_loop(board_from(near))
    return replace(model, degrees=bytes([PASS]) * model.board.num_vertices) if cover else model


def ring(length: int, around: int) -> "nx.Graph[object]":
    return nx.cartesian_product(nx.path_graph(length), nx.cycle_graph(around))


def triangle(rows: int, _: int = 0):
    board = triangle_board(rows)
    return board, graph_of(board)


def triangular(rows: int, cols: int):
    board = triangular_board(rows, cols)
    return board, graph_of(board)


SMALL = [
    *((triangle, side, 0) for side in range(3, 8)),
    *((triangular, rows, cols) for rows in range(2, 6) for cols in range(2, 6)),
    *((honeycomb, rows, cols) for rows in range(1, 6) for cols in range(2, 6)),
    *((cylinder, rows, cols) for rows in range(2, 7) for cols in range(3, 8)),
]


@pytest.mark.parametrize(("make", "rows", "cols"), SMALL)
def test_counts_are_those_of_the_pass_with_a_hash_table(make, rows, cols) -> None:
    board, near = make(rows, cols)
    for cover in (False, True):
        model = loop_model(near, cover)
        board = replace(board, cover=cover)
        # Triangular boards with as few edges as others are not looked for.
        few = isinstance(board, TrackBoard) and model.board.num_edges < 2 * board.vertices
        assert blank_board(model) == (None if few else board)
        assert board.vertices == len(near)
        number = finished(Sweep(model).count())
        assert finished(Runner(board).answer(solutions(board))) == number
        assert number <= board.most_solutions
        if len(near) <= 30:
            found = finished(Runner(board).answer(lengths(board)))
            assert found == Diagram.build(model).by_length()


@pytest.mark.parametrize(
    ("make", "rows", "cols"),
    [
        (honeycomb, 9, 9),
        (cylinder, 8, 9),
        (cylinder, 8, 10),
        (triangle, 11, 0),
        pytest.param(triangular, 10, 9, marks=pytest.mark.heavy),
        pytest.param(triangle, 14, 0, marks=pytest.mark.heavy),
        pytest.param(triangular, 12, 12, marks=pytest.mark.heavy),
        pytest.param(honeycomb, 13, 13, marks=pytest.mark.heavy),
        pytest.param(cylinder, 13, 13, marks=pytest.mark.heavy),
    ],
)
def test_counts_of_larger_boards(make, rows, cols, tmp_path, monkeypatch) -> None:
    board, near = make(rows, cols)
    model = loop_model(near)
    assert ranked_board(model) == board
    number = finished(Sweep(model).count())
    # In no more memory than a plan states.
    assert count(model, memory=board.memory) == number
    with pytest.raises(MemoryLimit):
        count(model, memory=board.bytes)
    if make in (cylinder, honeycomb):
        assert sum(by_length(model).values()) == number
    # Small blocks, several threads, files, and a stop after each row.
    monkeypatch.setattr(passes, "_BLOCK_WORDS", 1 << 8)
    monkeypatch.setattr("linkoracle.frontier.blank.counting._LEAST_SHARED_WORDS", 1)
    assert finished(Runner(board, threads=3).answer(solutions(board))) == number
    assert count(model, spill=tmp_path) == number
    tracks = make in (triangle, triangular)
    tables = TrackTables(board, 1 << 30, NEVER) if tracks else Tables(board, 1, 1 << 30, NEVER)
    begin = TrackPass if tracks else BlankPass
    row = None
    for _ in range(board.height):
        one = begin(tables, PRIME, begun=row)
        one.row(NEVER)
        row = one.reached
    assert row is not None
    assert row.answer == number % PRIME


@pytest.mark.parametrize(
    ("make", "rows", "cols"), [(honeycomb, 9, 9), (cylinder, 9, 10), (triangle, 11, 0)]
)
def test_counts_are_kept_and_shared(make, rows, cols, tmp_path) -> None:
    model = loop_model(make(rows, cols)[1])
    number = finished(Sweep(model).count())
    with Processes(2) as processes:
        assert count(model, executor=processes, store=tmp_path / "run.sqlite") == number
    assert count(model, store=tmp_path / "run.sqlite", resume=True) == number


@given(
    st.sampled_from([(honeycomb, 3, 4), (honeycomb, 4, 3), (cylinder, 4, 6), (triangle, 5, 0)]),
    st.randoms(),
)
@settings(max_examples=20, deadline=None)
def test_any_names_of_vertices_give_the_same_board(made, random) -> None:
    make, rows, cols = made
    board, near = make(rows, cols)
    names = list(range(len(near)))
    random.shuffle(names)
    moved: list[list[int]] = [[] for _ in near]
    for vertex, others in enumerate(near):
        moved[names[vertex]] = [names[other] for other in others]
    assert shape_of(board_from(moved)) == board


@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (3, 4), (4, 3), (2, 7), (5, 5)])
def test_tilings_and_graphs_are_recognised(rows, cols) -> None:
    board = honeycomb(rows, cols)[0]
    assert shape_of(named(f"honeycomb {rows} {cols}")) == board
    lattice = nx.convert_node_labels_to_integers(nx.hexagonal_lattice_graph(rows, cols))
    assert shape_of(Board.from_graph(lattice)) == board


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 2), (4, 3), (5, 6), (6, 5)])
def test_triangular_tilings_are_recognised(rows, cols) -> None:
    assert shape_of(named(f"triangular {rows} {cols}")) == triangular_board(rows, cols)
    ears = shape_of(named(f"triangular {rows} {cols} ears"))
    assert ears in (None, triangular_board(rows, cols))


def path_model(near, ends, cover: bool = False) -> LinkModel:
    return LinkModel.blank_paths(board_from(near), [ends], cover=cover)


PATHS = [
    (triangle, 5, 0),
    (triangular, 3, 2),
    *((honeycomb, rows, cols) for rows in (1, 2, 3) for cols in (2, 3)),
    *((cylinder, rows, cols) for rows in (2, 3) for cols in (3, 4, 5)),
]


@pytest.mark.parametrize(("make", "rows", "cols"), PATHS)
def test_paths_are_those_of_a_search(make, rows, cols) -> None:
    near = make(rows, cols)[1]
    graph = nx.Graph((one, other) for one, there in enumerate(near) for other in there)
    pairs = [(one, other) for one in range(len(near)) for other in range(one)]
    for ends in pairs[:: 1 + len(pairs) // (8 if len(near) > 12 else 30)]:
        for cover in (False, True):
            model = path_model(near, ends, cover)
            board = blank_board(model)
            assert isinstance(board, TrackBoard)
            found = Counter(map(len, nx.all_simple_paths(graph, *ends)))
            found = {
                number - 1: found[number]
                for number in sorted(found)
                if number == len(near) or not cover
            }
            assert finished(Runner(board).answer(lengths(board))) == found
            for turned in (board, board.mirrored(rows=True), board.mirrored(rows=False)):
                number = finished(Runner(turned).answer(solutions(turned)))
                assert number == sum(found.values()) <= turned.most_solutions


@given(
    st.sampled_from(
        [
            *((triangle, 6, 0), (triangle, 7, 0), (triangular, 4, 4), (triangular, 5, 4)),
            *((honeycomb, 4, 4), (honeycomb, 5, 3), (honeycomb, 3, 5)),
            *((cylinder, 5, 6), (cylinder, 4, 7), (cylinder, 7, 5)),
        ]
    ),
    st.data(),
    st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_paths_are_those_of_the_pass_with_a_hash_table(made, data, cover) -> None:
    make, rows, cols = made
    near = make(rows, cols)[1]
    one = data.draw(st.integers(1, len(near) - 1))
    ends = one, data.draw(st.integers(0, one - 1))
    model = path_model(near, ends, cover)
    board = blank_board(model)
    assert board is not None
    number = finished(Sweep(model).count())
    assert finished(Runner(board).answer(solutions(board))) == number <= board.most_solutions


@pytest.mark.parametrize(
    ("make", "rows", "cols", "ends", "outside"),
    [
        (triangle, 12, 0, (0, 77), True),
        (honeycomb, 11, 11, (0, 285), True),
        (cylinder, 9, 10, (0, 41), False),
        pytest.param(triangle, 13, 0, (45, 46), False, marks=pytest.mark.heavy),
        pytest.param(triangular, 12, 12, (0, 100), False, marks=pytest.mark.heavy),
        pytest.param(honeycomb, 11, 11, (140, 150), False, marks=pytest.mark.heavy),
        pytest.param(cylinder, 12, 12, (0, 75), False, marks=pytest.mark.heavy),
    ],
)
def test_paths_of_larger_boards(make, rows, cols, ends, outside) -> None:
    near = make(rows, cols)[1]
    model = path_model(near, ends)
    board = ranked_board(model)
    assert isinstance(board, TrackBoard)
    assert board.outside == outside
    number = finished(Sweep(model).count())
    assert count(model, memory=board.memory) == number
    every = path_model(near, ends, cover=True)
    assert count(every) == finished(Sweep(every).count())


def test_lengths_of_few_rows_are_those_of_a_diagram(monkeypatch) -> None:
    # Faster than a pass for each length and prime.
    model = loop_model(triangle(11)[1])
    assert ranked_board(model) == triangle_board(11)
    monkeypatch.setattr("linkoracle.frontier.blank.lengths", None)
    assert sum(by_length(model).values()) == count(model)


def test_other_graphs_are_not() -> None:
    around = ring(4, 6)
    assert shape_of(Board.from_graph(nx.convert_node_labels_to_integers(around)))
    strip = around.copy()
    # A Moebius strip: as many vertices of each degree.
    for at in range(4):
        strip.remove_edge((at, 0), (at, 5))
    for at in range(4):
        strip.add_edge((at, 0), (3 - at, 5))
    torus = nx.cartesian_product(nx.cycle_graph(4), nx.cycle_graph(6))
    for other in (strip, torus, nx.petersen_graph(), nx.path_graph(9), nx.cycle_graph(12)):
        board = Board.from_graph(nx.convert_node_labels_to_integers(other))
        assert shape_of(board) is None


def test_graphs_are_counted_by_ranks(monkeypatch) -> None:
    graph = ring(10, 10)
    assert graphs.count(graph) == 7884768474166076906420
    order = [(row, at) for row in range(10) for at in range(10)]
    assert graphs.count(graph, order=order) == 7884768474166076906420
    monkeypatch.setattr("linkoracle.frontier.sweep.Sweep.count", None)
    assert graphs.count(graph) == 7884768474166076906420


def test_boards_that_lie_are_swept_the_other_way() -> None:
    assert not BlankBoard(22, 20, shape=Shape.HONEYCOMB).pays
    assert BlankBoard(22, 13, shape=Shape.HONEYCOMB).pays
    assert ranked_board(loop_model(cylinder(5, 12)[1])) is None
    assert ranked_board(loop_model(honeycomb(5, 12)[1])) is None


def test_a_large_count_is_right() -> None:
    # As the pass with a hash table found it, in 80 times as long.
    assert count(LinkModel.blank_loop(named("honeycomb 13 13"))) == (
        35188947899576871506364583116178824759845900932
    )

"""The order of a pass: on which side of the board it begins."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from linkoracle import Numberlink, Slitherlink
from linkoracle.board import Board, LinkModel, neighbours
from linkoracle.frontier import Diagram, steps
from linkoracle.frontier import order as module
from linkoracle.frontier.order import clued_order, frontier_widths, vertex_order
from linkoracle.frontier.sweep import Sweep
from tests import boards

PAIRS = [
    ".........1",
    ".....2....",
    "..3.......",
    "..4.......",
    ".....56...",
    ".....7..8.",
    ".....6....",
    "1..5..74..",
    "........3.",
    "82........",
]
CLUES = [*[10 * "."] * 6, "2.2.12.2.2", ".2.1..2.2.", "2.2.21.2.1"]


def turns(kind, lines):
    """A puzzle, what a half turn makes of it, and the one with rows and columns exchanged."""
    grid = [[None if clue == "." else int(clue) for clue in line] for line in lines]
    yield kind(grid)
    yield kind([row[::-1] for row in grid[::-1]])
    yield kind(list(zip(*grid, strict=True)))


def work(model, order=None):
    """All states of a pass, and the number of solutions."""
    states, taken = 0, Sweep(model, threads=1, order=order).count()
    while True:
        try:
            states += next(taken)[2]
        except StopIteration as end:
            return states, end.value


@pytest.mark.parametrize(("kind", "lines"), [(Numberlink, PAIRS), (Slitherlink, CLUES)])
def test_clues_say_where_a_pass_begins(kind, lines, monkeypatch):
    """However the board lies, the pass is the same, and no longer than the usual one."""
    models = [one.model for one in turns(kind, lines)]
    found = {work(model) for model in models}
    assert len(found) == 1
    monkeypatch.setattr(steps, "_LEAST_FREE_EDGES", 1 << 30)
    usual = {work(model) for model in models}
    assert {count for _, count in usual} == {count for _, count in found}
    assert min(usual) == min(found) < max(usual)


def test_edges_of_a_diagram_do_not_depend_on_clues():
    """Families of one board have one order of edges."""
    for puzzle in turns(Slitherlink, CLUES):
        board = puzzle.model.board
        diagram = Diagram.build(puzzle)
        assert diagram.edge_order == Diagram.build(LinkModel.blank_loop(board)).edge_order


def test_other_boards_are_taken_from_either_side():
    board = boards.honeycomb(4, 6)
    usual = vertex_order(board)
    orders = set()
    for end in (usual[:3], usual[-3:]):
        model = LinkModel.blank_paths(board, [(end[0], end[2])])
        orders.add(clued_order(model, range(board.num_edges), []))
    assert orders == {usual, usual[::-1]}


def width(board, order):
    return max(frontier_widths(board, order))


def test_orders_with_far_wider_reverses_are_not_reversed():
    """Greedy orders leave few vertices open; turned around they may open many at once."""
    widths = []
    for seed in range(12):
        graph = nx.gnm_random_graph(60, 85, seed)
        board = Board(60, list(graph.edges))
        usual = vertex_order(board)
        model = LinkModel.blank_loop(board)
        chosen = clued_order(model, range(board.num_edges), [])
        widths.append((width(board, usual), width(board, usual[::-1])))
        assert width(board, chosen) <= width(board, usual) + 1
    assert max(back - forth for forth, back in widths) > 3


def test_the_search_for_an_order_ends_early_on_small_boards(monkeypatch):
    """The first order will do for a ladder; if vertices are shuffled, others are tried."""
    taken = []

    def candidates(*board):
        for order in usual(*board):
            taken.append(order)
            yield order

    usual = module._candidates
    monkeypatch.setattr(module, "_candidates", candidates)
    rungs = [*((v, v + 2) for v in range(38)), *((v, v + 1) for v in range(0, 40, 2))]
    assert vertex_order(Board(40, rungs)) == tuple(range(40))
    assert len(taken) == 1
    names = random.Random(1).sample(range(40), 40)
    shuffled = Board(40, [(names[one], names[other]) for one, other in rungs])
    assert width(shuffled, vertex_order(shuffled)) == 2
    assert 1 < len(taken) < 40


def irregular_boards():
    """Yield a plane board, and graphs of any kind, also without edges or in several parts."""
    yield boards.honeycomb(4, 4)
    for seed in range(8):
        graph = nx.gnm_random_graph(14, 3 * seed, seed)
        yield Board(14, list(graph.edges))


def test_greedy_orders_go_on_where_states_grow_least():
    for board in irregular_boards():
        near = neighbours(board)
        order = module._greedy(near, 3)
        assert sorted(order) == list(range(board.num_vertices))
        for done in range(1, len(order)):
            before, rest = order[:done], order[done:]
            frontier = {other for vertex in before for other in near[vertex]}.intersection(rest)

            def growth(vertex, before=before, near=near):
                *_, (width, twice) = module._frontiers(near, (*before, vertex))
                return 1099 * width + 288 * twice

            if frontier:
                assert order[done] in frontier
                assert growth(order[done]) == min(map(growth, frontier))


def test_the_estimate_of_states_finds_good_orders():
    """The order with the fewest states by the estimate has few, and the estimate is near."""
    graphs = [nx.random_regular_graph(3, 24, seed) for seed in range(4)]
    for board in [boards.honeycomb(4, 6), *(Board(24, list(graph.edges)) for graph in graphs)]:
        near, model = neighbours(board), LinkModel.blank_loop(board)
        found = []
        for order in {*module._candidates(near, board.points)}:
            found.append((module._cost(near, order), *work(model, order=order)))
        assert len({count for *_, count in found}) == 1
        estimate, states, _ = min(found)
        assert 0.5 < states / estimate < 3
        assert states <= 1.5 * min(states for _, states, _ in found)

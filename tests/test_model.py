from __future__ import annotations

import networkx as nx
import pytest

from linkoracle import Lattice, LinkModel, Numberlink, Slitherlink, Solution
from linkoracle.model import ANY_COUNT, END, PASS, PASS_OR_SKIP


def test_a_slitherlink_becomes_a_loop_with_face_counts():
    model = Slitherlink([[3, None], [0, 4]]).model
    assert model.loop
    assert model.terminals == ()
    assert list(model.faces) == [0b1000, ANY_COUNT, 0b1, 0b10000]
    assert set(model.degrees) == {PASS_OR_SKIP}


def test_an_open_path_becomes_one_pair_of_terminals():
    model = Slitherlink.blank(1, 2, ((0, 0), (1, 2))).model
    assert not model.loop
    assert model.terminals == ((0, 5),)
    assert list(model.degrees) == [END, PASS_OR_SKIP, PASS_OR_SKIP, PASS_OR_SKIP, PASS_OR_SKIP, END]


@pytest.mark.parametrize(("rule", "inner"), [("free", PASS_OR_SKIP), ("fill", PASS)])
def test_a_numberlink_becomes_pairs_in_the_order_of_its_numbers(rule, inner):
    model = Numberlink([[7, 2], [None, 2], [None, 7]], rule).model
    assert model.terminals == ((1, 3), (0, 5))
    assert list(model.degrees) == [END, END, inner, END, inner, END]
    assert not model.has_face_rules


def test_models_that_make_no_sense_are_refused():
    lattice = Lattice(2, 2)
    blank = LinkModel.blank_loop(lattice)
    with pytest.raises(ValueError, match="one degree mask per vertex"):
        LinkModel(lattice, blank.degrees[:-1], blank.faces, loop=True)
    with pytest.raises(ValueError, match="bits 0 to 4"):
        LinkModel(lattice, blank.degrees, bytes([64]), loop=True)
    with pytest.raises(ValueError, match="different vertices"):
        LinkModel.blank_paths(lattice, [(0, 0)])
    with pytest.raises(ValueError, match="different vertices"):
        LinkModel.blank_paths(lattice, [(0, 4)])
    with pytest.raises(ValueError, match="no terminals"):
        LinkModel(lattice, bytes([END, 5, 5, END]), blank.faces, ((0, 3),), loop=True)
    with pytest.raises(ValueError, match="at vertex 1"):
        LinkModel(lattice, bytes([5, 8, 5, 5]), blank.faces, loop=True)
    with pytest.raises(ValueError, match="at vertex 0"):
        LinkModel(lattice, bytes([END, 5, 5, 5]), blank.faces, loop=True)


def test_a_solution_is_a_sorted_set_of_edges():
    lattice = Lattice(2, 3)
    solution = Solution(lattice, (5, 0, 3, 1, 0))
    assert solution.edges == (0, 1, 3, 5)
    assert solution == Solution(lattice, (0, 1, 3, 5))
    assert solution != Solution(lattice, (2, 3, 4, 6))
    assert 3 in solution
    assert 2 not in solution
    assert len(solution) == 4
    assert solution.face_counts().tolist() == [[4, 1]]
    with pytest.raises(ValueError, match="outside the lattice"):
        Solution(lattice, (7,))


def test_walks_come_in_a_fixed_order_paths_before_cycles():
    lattice = Lattice(4, 3)
    solution = Solution.from_paths(
        lattice,
        [
            [(3, 2), (3, 1), (3, 0)],
            [(1, 0), (1, 1), (2, 1), (2, 0), (1, 0)],
            [(0, 2), (0, 1)],
        ],
    )
    assert solution.paths() == [
        [(0, 1), (0, 2)],
        [(3, 0), (3, 1), (3, 2)],
        [(1, 0), (1, 1), (2, 1), (2, 0), (1, 0)],
    ]


def test_walks_of_a_branching_set_are_refused():
    lattice = Lattice(2, 3)
    with pytest.raises(ValueError, match="branch"):
        Solution(lattice, (0, 2, 3)).paths()
    with pytest.raises(ValueError, match="not neighbours"):
        Solution.from_paths(lattice, [[(0, 0), (0, 2)]])


def test_the_graph_has_the_edge_ids():
    solution = Solution(Lattice(2, 2), (0, 1, 2, 3))
    graph = solution.graph()
    assert nx.is_isomorphic(graph, nx.cycle_graph(4))
    assert sorted(nx.get_edge_attributes(graph, "id").values()) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("model", "free"),
    [
        (LinkModel.blank_paths(Lattice(2, 3), [(0, 5)]), True),
        (LinkModel.blank_paths(Lattice(2, 3), [(0, 5)], cover=True), False),
        (LinkModel.blank_paths(Lattice(2, 3), []), False),
        (LinkModel.blank_loop(Lattice(2, 3)), False),
        (LinkModel(Lattice(2, 2), bytes([2, 5, 1, 2]), bytes([31]), ((0, 3),)), False),
        (LinkModel(Lattice(2, 2), bytes([2, 5, 5, 2]), bytes([15]), ((0, 3),)), False),
    ],
)
def test_free_are_paths_without_other_rules(model, free):
    assert model.is_free == free

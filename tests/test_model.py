from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Lattice, LinkModel, Numberlink, Slitherlink, Solution, count
from linkoracle.board import (
    ANY_COUNT,
    END,
    HOLE,
    PASS,
    PASS_OR_END,
    PASS_OR_SKIP,
    model_of,
    violations,
)
from tests import brute_force
from tests.strategies import models


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


@pytest.mark.parametrize(("variant", "inner"), [("free", PASS_OR_SKIP), ("fill", PASS)])
def test_a_numberlink_becomes_pairs_in_the_order_of_its_numbers(variant, inner):
    model = Numberlink([[7, 2], [None, 2], [None, 7]], variant).model
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
    with pytest.raises(ValueError, match="a terminal from 0 to 3, got 4"):
        LinkModel.blank_paths(lattice, [(0, 4)])
    with pytest.raises(ValueError, match="no terminals"):
        LinkModel(lattice, bytes([END, 5, 5, END]), blank.faces, ((0, 3),), loop=True)
    with pytest.raises(ValueError, match="at vertex 1"):
        LinkModel(lattice, bytes([5, 8, 5, 5]), blank.faces, loop=True)
    with pytest.raises(ValueError, match="at vertex 0"):
        LinkModel(lattice, bytes([END, 5, 5, 5]), blank.faces, loop=True)
    with pytest.raises(ValueError, match="as bytes"):
        LinkModel(lattice, [5, 5, 5, 5], blank.faces, loop=True)
    with pytest.raises(ValueError, match=r"a terminal from 0 to 3, got 2\.9"):
        LinkModel.blank_paths(lattice, [(0, 2.9)])
    for pair in ((0, 1, 2), 3):
        with pytest.raises(ValueError, match="expected a pair of terminals, got "):
            LinkModel.blank_paths(lattice, [pair])
    assert LinkModel.blank_paths(lattice, np.array([[0, 3]])).terminals == ((0, 3),)


def test_given_and_forbidden_edges_are_kept_sorted_and_added_up():
    blank = LinkModel.blank_loop(Lattice(3, 3))
    assert not blank.has_fixed_edges
    model = blank.with_edges(given=np.array([7, 2]), forbidden=[9, 9]).with_edges([3], {1})
    assert model.given == (2, 3, 7)
    assert model.forbidden == (1, 9)
    assert model.has_fixed_edges
    assert all(type(edge) is int for edge in model.given)
    assert model == LinkModel(
        blank.lattice, blank.degrees, blank.faces, (), True, [7, 3, 2], [9, 1]
    )
    assert hash(model) == hash(blank.with_edges([2, 3, 7], [1, 9]))


def test_lists_become_tuples():
    blank = LinkModel.blank_loop(Lattice(3, 3))
    lists: list[list] = [[], [], [], [], []]
    listed = LinkModel(blank.board, blank.degrees, [*blank.faces], [], True, *lists)
    assert (listed, hash(listed)) == (blank, hash(blank))


def test_holes_may_come_after_free_ends():
    """The path is one edge shorter for each."""
    board = Lattice(3, 3)
    model = LinkModel(board, bytes([PASS_OR_END]) * 9, board.free_masks)
    holes = [[], [4], [0], [0, 2]]
    assert [count(model.with_holes(some)) for some in holes] == [20, 8, 12, 2]


def test_holes_are_vertices_that_no_line_uses():
    blank = LinkModel.blank_loop(Lattice(3, 3))
    assert blank.holes == ()
    model = blank.with_holes([8, 4])
    assert model.holes == (4, 8)
    assert model.degrees[4] == HOLE
    assert model.with_holes([0]).holes == (0, 4, 8)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda model: model.with_edges([12]), "a given edge from 0 to 11, got 12"),
        (lambda model: model.with_edges([-1]), "a given edge from 0 to 11, got -1"),
        (lambda model: model.with_edges([0.7]), "a given edge from 0 to 11, got 0.7"),
        (lambda model: model.with_edges(["3"]), "a given edge from 0 to 11, got '3'"),
        (lambda model: model.with_edges((), [12]), "a forbidden edge from 0 to 11, got 12"),
        (lambda model: model.with_edges([3, 5], [5]), "edge 5 is both given and forbidden"),
        (lambda model: model.with_holes([4]).with_edges([5]), "edge 5 is given, .* 4 is a hole"),
        (lambda model: model.with_edges([5]).with_holes([4]), "edge 5 is given, .* 4 is a hole"),
        (lambda model: model.with_holes([9]), "a hole from 0 to 8, got 9"),
        (lambda model: model.with_holes([-1]), "a hole from 0 to 8, got -1"),
        (lambda model: model.with_holes([1.0]), "a hole from 0 to 8, got 1.0"),
    ],
)
def test_edges_and_holes_that_make_no_sense_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        change(LinkModel.blank_loop(Lattice(3, 3)))


def test_a_terminal_is_no_hole():
    with pytest.raises(ValueError, match="at vertex 0"):
        LinkModel.blank_paths(Lattice(2, 2), [(0, 3)]).with_holes([0])


def test_a_model_is_asked_for_by_itself_or_by_what_has_one():
    puzzle = Slitherlink([[3, None]])
    assert model_of(puzzle) == puzzle.model
    assert model_of(puzzle.model) is puzzle.model
    for nothing in (None, "3.", Slitherlink, [[3, None]]):
        with pytest.raises(ValueError, match="expected a LinkModel or something with"):
            model_of(nothing)


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
    assert Solution(lattice, np.array([3, 0])).edges == (0, 3)
    assert all(type(edge) is int for edge in Solution(lattice, np.array([3, 0])))


@pytest.mark.parametrize("edge", [7, -1, 0.7, 2.0, "3", None, True, np.float64(1)])
def test_a_solution_takes_edge_ids_only(edge):
    with pytest.raises(ValueError, match="the id of an edge from 0 to 6, got") as caught:
        Solution(Lattice(2, 3), (0, edge))
    assert repr(edge) in str(caught.value)


def test_walks_are_over_whole_numbers():
    assert Solution.from_paths(Lattice(2, 3), [np.array([[0, 0], [0, 1]])]).edges == (0,)
    for walk in ([(0, 0), (0.0, 1)], [(0, 0), (0, 1.9)], [("0", 0), (0, 1)]):
        with pytest.raises(ValueError, match=r"expected a (row|column), a whole number, got"):
            Solution.from_paths(Lattice(2, 3), [walk])


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
        (LinkModel.blank_paths(Lattice(2, 3), [(0, 5)]).with_edges(given=[0]), False),
        (LinkModel.blank_paths(Lattice(2, 3), [(0, 5)]).with_edges(forbidden=[0]), False),
        (LinkModel.blank_paths(Lattice(2, 3), [(0, 5)]).with_holes([1]), False),
    ],
)
def test_free_are_paths_without_other_rules(model, free):
    assert model.is_free == free


def test_a_model_is_freed_of_the_need_to_use_all_vertices_and_of_nothing_else():
    model = LinkModel.blank_paths(Lattice(2, 3), [(0, 5)], cover=True)
    assert model.relaxed == LinkModel.blank_paths(Lattice(2, 3), [(0, 5)])
    assert model.with_edges(given=[0]).relaxed is None
    assert model.with_edges(forbidden=[0]).relaxed is None
    assert model.with_holes([1]).relaxed is None


@given(st.data(), models())
@settings(max_examples=150, deadline=None)
def test_violations_are_those_of_no_solution(data, model):
    """Against all solutions by definition; and single edges more or less."""
    right = brute_force.model_solutions(model)
    every = range(model.lattice.num_edges)
    tried = [frozenset(data.draw(st.sets(st.sampled_from(every)))) if every else frozenset()]
    for solution in sorted(right, key=sorted)[:5]:
        tried += [solution, *(solution ^ {edge} for edge in every)]
    for edges in tried:
        assert (violations(model, edges) == []) == (edges in right), edges


def test_violations_are_told():
    blank = LinkModel.blank_loop(Lattice(2, 4))
    two = blank.lattice
    assert violations(blank, [0, 1, 3, 7, 5, 6, 8, 9]) != []
    squares = Solution.from_paths(
        two, [[(0, c), (0, c + 1), (1, c + 1), (1, c), (0, c)] for c in (0, 2)]
    )
    assert violations(blank, squares) == ["the edges form 2 cycles, expected 1"]
    assert violations(blank, []) == ["the edges form 0 cycles, expected 1"]
    fixed = blank.with_edges(given=[0], forbidden=[1])
    assert violations(fixed, [1])[:2] == ["edge 0 is given, but not chosen", "edge 1 is forbidden"]
    pairs = LinkModel.blank_paths(two, [(0, 5), (4, 1)])
    rows = Solution.from_paths(two, [[(0, 0), (0, 1)], [(1, 0), (1, 1)]])
    assert violations(pairs, rows) == [
        "a path joins the vertices 0 and 1, which are not a pair",
        "a path joins the vertices 4 and 5, which are not a pair",
    ]

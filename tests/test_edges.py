"""An edge is its id, or the two positions that it joins, wherever the API takes edges."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkoracle
from linkoracle import Lattice, LinkModel, Oracle, Slitherlink, Solution
from linkoracle.frontier import Diagram
from tests import boards

LATTICE = Lattice(3, 3)
BLANK = LinkModel.blank_loop(LATTICE)
#: The edges of the loop around the first cell, and the positions that they join.
SQUARE = (0, 1, 3, 5)


def pair(board, edge, *, turned=False):
    one, other = (board.position(vertex) for vertex in board.ends(edge))
    return (other, one) if turned else (one, other)


@given(seed=st.integers(0, 99), data=st.data())
def test_ids_and_pairs_name_the_same_edge(seed, data):
    board = data.draw(st.sampled_from([LATTICE, boards.random_board(random.Random(seed))]))
    edge = data.draw(st.integers(0, board.num_edges - 1))
    assert board.edge_of(edge) == board.edge_of(np.int64(edge)) == edge
    assert board.edge_of(pair(board, edge)) == edge
    assert board.edge_of(list(pair(board, edge, turned=True))) == edge


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (12, "the id of an edge from 0 to 11, got 12"),
        (True, "the id of an edge from 0 to 11, got True"),
        (((0, 0), (1, 1)), "are not neighbours"),
        (((0, 0), (0, 3)), "are not both on the lattice"),
        ((0, 1), r"expected two positions that an edge joins, got \(0, 1\)"),
        ("ab", "got 'ab'"),
    ],
)
def test_wrong_edges_have_one_message_everywhere(name, said):
    diagram = Diagram.build(BLANK)
    with Oracle(BLANK) as oracle:
        for call in (
            lambda: LATTICE.edge_of(name),
            lambda: Solution(LATTICE, [name]),
            lambda: oracle.ask(edges={name: True}),
            lambda: list(oracle.solutions(edges=[(name, False)])),
            lambda: diagram.filter(required=[name]),
            lambda: diagram.including([name]),
            lambda: diagram.excluding([name]),
            lambda: diagram.family().including([name]),
            lambda: diagram.family().excluding([name]),
        ):
            with pytest.raises(ValueError, match=said):
                call()


def test_solutions_take_pairs():
    pairs = [pair(LATTICE, edge) for edge in SQUARE]
    solution = Solution(LATTICE, pairs)
    assert solution == Solution(LATTICE, SQUARE) == Solution(LATTICE, [*pairs[:2], 3, 5])
    assert all(edge in solution for edge in (*SQUARE, *pairs))
    assert 2 not in solution
    assert pair(LATTICE, 2) not in solution
    assert "edge" not in solution
    assert linkoracle.check_solution(Slitherlink.blank(2, 2), pairs)


def test_the_oracle_takes_pairs_and_none():
    top, middle = pair(LATTICE, 0), pair(LATTICE, 5, turned=True)
    with Oracle(BLANK) as oracle:
        # Of three solutions, a verdict has any two.
        expected = {one for one in oracle.solutions() if {0, 5} <= {*one.edges}}
        assert len(expected) == 3
        for edges in ({0: True, 5: True}, [(top, True), (middle, True)]):
            found = oracle.ask(edges=edges)
            assert (found.status, len({*found.solutions})) == ("many", 2)
            assert {*found.solutions} < expected
            assert {*oracle.solutions(edges=edges)} == expected
        # None is no clue, and an edge that is left open.
        assert oracle.ask({(0, 0): 4, (1, 1): None}, edges={0: True, 5: None}).unique
        assert len(list(oracle.solutions({(0, 0): None}, edges={0: None}))) == 13
        assert oracle.ask(dict.fromkeys([(0, 0)]), edges=None).status == "many"
        with pytest.raises(ValueError, match="both chosen and not chosen"):
            oracle.ask(edges={0: True, top: False})
        # Cores have the names of the query.
        verdict = oracle.core({(0, 0): 0}, edges={top: True, 11: True})
        assert (verdict.core, verdict.core_edges) == ({(0, 0): 0}, {top: True})
        assert oracle.implies({(0, 0): 4}, top, edges={0: True})
        assert oracle.implies({(0, 0): 4}, 0, edges={top: True})
        assert not oracle.implies({(0, 0): 3}, middle, edges={middle: True})
        with pytest.raises(KeyError):
            oracle.implies({(0, 0): 4}, middle, edges={top: True})


@given(data=st.data())
def test_diagrams_and_families_are_narrowed_alike(data):
    diagram = Diagram.build(BLANK)
    family, listed = diagram.family(), set(diagram)
    edges = st.lists(st.integers(0, 11), max_size=3)
    included, excluded = data.draw(edges), data.draw(edges)
    named = [pair(LATTICE, edge) if data.draw(st.booleans()) else edge for edge in included]
    expected = {
        one for one in listed if {*included} <= {*one.edges} and {*excluded}.isdisjoint(one.edges)
    }
    for sets in (diagram, family):
        narrowed = sets.including(named).excluding(excluded)
        assert set(narrowed) == expected
        assert len(narrowed) == narrowed.count() == len(expected)
        assert all((one in narrowed) == (one in expected) for one in listed)
    assert diagram.including(named).family() == family.including(included)


def test_the_length_is_the_count_up_to_what_python_allows():
    assert len(Diagram.build(BLANK)) == len(Diagram.build(BLANK).family()) == 13
    assert len(linkoracle.census.instances(2, 2)) == 2
    large = linkoracle.diagram(Slitherlink.blank(9, 9))
    assert large.count() == 27359264067916806101
    assert large
    with pytest.raises(OverflowError):
        len(large)

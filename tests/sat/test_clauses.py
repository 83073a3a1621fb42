from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest

from linkoracle import Lattice, LinkModel, certify, solutions
from linkoracle.board.model import ANY_COUNT, HOLE, PASS
from linkoracle.sat.clauses import count_clauses, is_balanced, one_count
from tests import brute_force


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("mask", range(1 << 5))
def test_count_clauses_hold_exactly_for_the_counts_allowed(size, mask):
    """Every mask, every size, every assignment."""
    edges = np.array([[7, 3, 12, 0][:size]], dtype=np.int32)
    clauses = count_clauses(edges, mask)
    for values in product((False, True), repeat=size):
        true = {int(e) + 1 if on else -1 - int(e) for e, on in zip(edges[0], values, strict=True)}
        satisfied = all(true & set(clause) for clause in clauses)
        assert satisfied == bool(mask >> sum(values) & 1)


@pytest.mark.parametrize("mask", [0, 0b00001, 0b00110, 0b10000])
def test_a_literal_frees_each_row_from_the_rule(mask):
    edges = np.array([[7, 3, 12, 0], [1, 2, 4, 5]], dtype=np.int32)
    plain = count_clauses(edges, mask)
    freed = count_clauses(edges, mask, np.array([-20, -21]))
    alone = [
        clause
        for row, unless in zip(edges.tolist(), [-20, -21], strict=True)
        for clause in one_count(row, mask, unless)
    ]
    assert sorted(map(sorted, freed)) == sorted(map(sorted, alone))
    assert sorted(map(sorted, freed)) == sorted(
        sorted([*clause, *({-20, -21} & set(other))])
        for clause, other in zip(plain, freed, strict=True)
    )
    for clause in freed:
        variables = {abs(literal) - 1 for literal in clause} - {19, 20}
        row = 0 if -20 in clause else 1
        assert variables <= set(edges[row].tolist())
        assert len({-20, -21} & set(clause)) == 1


def test_a_rule_is_for_up_to_four_edges():
    with pytest.raises(ValueError, match="four edges"):
        count_clauses(np.zeros((1, 5), dtype=np.int32), 1)
    with pytest.raises(ValueError, match="four edges"):
        one_count([1, 2, 3, 4, 5], 1, -9)
    with pytest.raises(ValueError, match="for each row"):
        count_clauses(np.zeros((2, 4), dtype=np.int32), 1, np.array([-20]))


def test_the_colours_of_a_checkerboard():
    """Every way to fill 3x4 cells with one or two paths, and every set of holes around a loop."""
    told = Counter()
    for rows, cols in ((3, 3), (3, 4)):
        lattice = Lattice(rows, cols)
        for number in (1, 2):
            for ends in combinations(range(rows * cols), 2 * number):
                for pairs in pairings(ends):
                    model = LinkModel.blank_paths(lattice, pairs, cover=True)
                    if rows * cols > 9 and number == 2 and sum(ends) % 7:
                        continue
                    told[is_balanced(model), bool(brute_force.model_solutions(model))] += 1
        for code in range(1 << rows * cols):
            if code % (1 if rows * cols == 9 else 7):
                continue
            holes = [vertex for vertex in range(rows * cols) if code >> vertex & 1]
            degrees = bytes(HOLE if v in holes else PASS for v in range(rows * cols))
            faces = bytes([ANY_COUNT]) * lattice.num_faces
            model = LinkModel(lattice, degrees, faces, loop=True)
            told[is_balanced(model), bool(brute_force.model_solutions(model))] += 1
    assert not told[False, True]
    assert min(told[True, True], told[True, False], told[False, False]) > 20


def pairings(ends):
    first, *others = ends
    for other in others:
        rest = [end for end in others if end != other]
        yield from (
            ([(first, other), *more] for more in pairings(rest)) if rest else [[(first, other)]]
        )


def test_what_a_checkerboard_rules_out_is_not_searched_for():
    """Two corners of one colour, on a board with as many cells of both."""
    corners = LinkModel.blank_paths(Lattice(40, 40), [(0, 1599)], cover=True)
    assert certify(corners).status == "none"
    assert certify(LinkModel.blank_paths(Lattice(40, 40), [(0, 39)], cover=True)).status == "many"
    assert not list(solutions(corners))

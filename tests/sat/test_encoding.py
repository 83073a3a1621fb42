from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from linkoracle import Lattice, LinkModel
from linkoracle.sat.encoding import count_clauses, degree_clauses, is_free


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


def test_an_isolated_vertex_that_must_be_used_is_a_contradiction():
    model = LinkModel.blank_paths(Lattice(1, 1), [], cover=True)
    assert [] in degree_clauses(model.lattice, model.degrees)
    assert degree_clauses(model.lattice, bytes([0b101])) == []


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
def test_the_normal_form_is_for_free_paths_without_other_rules(model, free):
    assert is_free(model) == free

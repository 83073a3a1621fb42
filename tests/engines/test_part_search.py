"""Second solutions of parts of a board, against all that these parts have."""

from __future__ import annotations

from itertools import pairwise

import pytest

from linkoracle.board import Lattice, LinkModel, Solution
from linkoracle.core import Deadline, SearchTimeout
from linkoracle.engines import another_in_part
from tests import brute_force

heavy = pytest.mark.heavy
NEVER = Deadline(None)


def used(lattice: Lattice, edges) -> set[int]:
    return {vertex for edge in edges for vertex in lattice.ends(edge)}


def has_chord(lattice: Lattice, edges) -> bool:
    """Whether two cells of a path are neighbours that it does not join."""
    for path in Solution(lattice, edges).paths():
        joined = {frozenset(step) for step in pairwise(path)}
        for row, col in path:
            for near in ((row, col + 1), (row + 1, col)):
                if near in path and frozenset(((row, col), near)) not in joined:
                    return True
    return False


@pytest.mark.parametrize("cover", [False, True])
@pytest.mark.parametrize(
    ("rows", "cols"), [(2, 2), (1, 5), (2, 4), (3, 3), pytest.param(3, 4, marks=heavy)]
)
def test_a_part_has_another_solution_iff_brute_force_finds_one(rows, cols, cover):
    """Every path system of a board is the solution of a part whose holes are all it leaves out."""
    lattice = Lattice(rows, cols)
    checked = 0
    for mate, systems in brute_force.systems_by_ends(rows, cols).items():
        pairs = [(lattice.vertex(*one), lattice.vertex(*other)) for one, other in mate]
        board = LinkModel.blank_paths(lattice, pairs, cover=cover)
        for chosen in systems:
            if not cover and has_chord(lattice, chosen):
                continue
            there = used(lattice, chosen)
            model = board.with_holes(set(range(lattice.num_vertices)) - there)
            others = {
                other
                for other in systems
                if other != chosen
                and (used(lattice, other) == there if cover else used(lattice, other) <= there)
            }
            found = another_in_part(model, chosen, NEVER)
            assert found in others if others else found is None
            checked += 1
    assert checked


def test_a_part_without_ends_has_no_lines():
    """Nothing is all there is, in a window whose vertices are holes or unused."""
    model = LinkModel.blank_paths(Lattice(3, 4), []).with_holes([5])
    assert another_in_part(model, (), Deadline(None)) is None


def test_time_limits_end_it():
    model = LinkModel.blank_paths(Lattice(3, 3), [(0, 8)])
    with pytest.raises(SearchTimeout):
        another_in_part(model, (0, 1, 4, 9), Deadline(1e-9))

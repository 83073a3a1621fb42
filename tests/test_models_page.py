"""The variant that docs/how-to/models.md builds, against its rules, by brute force."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import linkoracle
from tests import brute_force
from tests.pages import doctests_of

PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "models.md"


@pytest.fixture(scope="module")
def shown():
    """The names that the page defines."""
    test = doctest.DocTestParser().get_doctest(doctests_of(PAGE), {}, "models", None, None)
    assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
    return test.globs


def loops_of(clues):
    """The loops of a board, as sets of edges: an ``e`` is even, a number itself."""
    rows, cols = len(clues), len(clues[0])
    expected = [clue for row in clues for clue in row]
    return {
        loop
        for loop in brute_force.closed_curves(rows, cols, None)
        if all(
            clue == "." or (count % 2 == 0 if clue == "e" else count == int(clue))
            for clue, count in zip(expected, brute_force.face_counts(loop, rows, cols), strict=True)
        )
    }


def as_edges(solutions):
    return {
        frozenset(
            frozenset(map(solution.lattice.position, solution.lattice.edge_vertices[edge].tolist()))
            for edge in solution
        )
        for solution in solutions
    }


def test_the_variant_has_the_solutions_of_its_rules(shown):
    loops, puzzle = loops_of(shown["clues"]), shown["puzzle"]
    assert as_edges(linkoracle.solutions(puzzle)) == loops
    ends = (0, 1), (1, 1)
    unique = puzzle.with_edges(given=[shown["lattice"].edge(*ends)])
    assert as_edges([linkoracle.solve(unique)]) == {loop for loop in loops if {*ends} in loop}
    assert len(loops) == 2

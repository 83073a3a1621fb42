"""`Oracle.another`: is a known solution the only one?"""

from __future__ import annotations

from hypothesis import assume, given, settings

from linkoracle import Oracle, check_solution, solve
from tests import brute_force
from tests.strategies import puzzles


@settings(max_examples=150, deadline=None)
@given(puzzles())
def test_another_solution_exists_iff_brute_force_finds_two(puzzle):
    known = solve(puzzle)
    assume(known is not None)
    with Oracle(puzzle.model) as oracle:
        other = oracle.another(known)
    assert (other is None) == (len(brute_force.solutions(puzzle)) == 1)
    if other is not None:
        assert other != known
        assert check_solution(puzzle, other)

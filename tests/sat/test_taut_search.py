"""Where a search for taut solutions begins."""

from __future__ import annotations

import pytest

from linkoracle import Numberlink, verify
from linkoracle.board.lattice import Solution
from linkoracle.core.limits import Deadline
from linkoracle.sat.oracle import Oracle
from linkoracle.sat.taut_search import WIDTH, TautSearch, windows


def two_ways(side: int, top: int) -> Numberlink:
    """Straight lines, but for 3 x 4 cells below ``top`` in which two paths can pass in two ways."""
    pairs = {(top + 1, 0): (top + 1, 2), (top + 1, 1): (top + 1, 3)}
    for row in range(side):
        pairs[row, 4 if top <= row < top + 3 else 0] = (row, side - 1)
    return Numberlink.from_pairs(side, side, pairs.items())


@pytest.fixture
def nearby(monkeypatch):
    """What is found near first solutions."""
    found = []
    near = TautSearch.near

    def watched(self, first, assumed, deadline):
        found.append(near(self, first, assumed, deadline))
        return found[-1]

    monkeypatch.setattr(TautSearch, "near", watched)
    return found


@pytest.mark.parametrize("top", [0, 5, 13])
def test_another_solution_is_found_in_a_part_of_a_large_board(nearby, top):
    puzzle = two_ways(WIDTH + 2, top)
    with Oracle(puzzle) as oracle:
        verdict = oracle.ask()
    assert verdict.status == "many"
    assert nearby == [verdict.solutions[1]]
    assert all(verify(puzzle, solution) for solution in verdict.solutions)
    one, other = (set(solution.edges) for solution in verdict.solutions)
    assert len(one ^ other) == 12


def test_near_a_solution_that_is_alone_nothing_is_sought_twice(monkeypatch):
    with Oracle(two_ways(WIDTH + 2, 5)) as oracle:
        first = oracle.ask().solutions[0]
        assert oracle._taut.near(first, [1, -1], Deadline(None)) is None
        monkeypatch.setattr("linkoracle.sat.taut_search.windows", lambda _: pytest.fail("again"))
        assert oracle._taut.near(first, [1, -1], Deadline(None)) is None


def test_windows_cover_a_board_and_keep_what_is_outside():
    lattice = two_ways(WIDTH + 3, 0).lattice
    solution = Solution(lattice, tuple(range(0, lattice.num_edges, 3)))
    kept = list(windows(solution))
    assert len(kept) == 4
    assert not set.intersection(*map(set, kept))
    for literals in kept:
        on = {literal - 1 for literal in literals if literal > 0}
        off = {-1 - literal for literal in literals if literal < 0}
        assert on <= set(solution.edges)
        assert not off & set(solution.edges)
        # A window of 14 x 14 vertices has 2 x 13 x 14 edges.
        assert len(on | off) == len(literals) == lattice.num_edges - 364

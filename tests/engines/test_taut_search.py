"""Where a search for taut solutions begins."""

from __future__ import annotations

import pytest

from linkoracle import Numberlink, check_solution
from linkoracle.board import Solution
from linkoracle.core import ConflictLimit, Deadline
from linkoracle.engines import Oracle, taut_search
from linkoracle.engines.taut_search import LARGE, WIDTH, TautSearch, windows
from tests import brute_force


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


@pytest.mark.parametrize("top", [0, 5, 15])
def test_another_solution_is_found_in_a_part_of_a_large_board(nearby, top):
    puzzle = two_ways(LARGE, top)
    with Oracle(puzzle) as oracle:
        verdict = oracle.ask()
    assert verdict.status == "many"
    assert nearby == [verdict.solutions[1]]
    assert all(check_solution(puzzle, solution) for solution in verdict.solutions)
    one, other = (set(solution.edges) for solution in verdict.solutions)
    assert len(one ^ other) == 12


def test_near_a_solution_that_is_alone_nothing_is_sought_twice(monkeypatch):
    with Oracle(two_ways(LARGE, 5)) as oracle:
        first = oracle.ask().solutions[0]
        assert oracle._taut.near(first, [1, -1], Deadline(None)) is None
        monkeypatch.setattr(
            "linkoracle.engines.taut_search.windows", lambda *_: pytest.fail("again")
        )
        assert oracle._taut.near(first, [1, -1], Deadline(None)) is None


def test_a_small_board_has_no_windows(monkeypatch):
    monkeypatch.setattr("linkoracle.engines.taut_search.windows", lambda *_: pytest.fail("windows"))
    with Oracle(two_ways(LARGE - 1, 5)) as oracle:
        assert oracle.ask().status == "many"


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


# ---- boards whose cells must all be used ---------------------------------------------------------


def filled_two_ways(side: int, top: int, left: int) -> Numberlink:
    """Straight lines, but for two cells that the line above takes in, or the line below."""
    pairs = [((row, 0), (row, side - 1)) for row in range(side) if row != top]
    pairs += [((top, 0), (top, left - 1)), ((top, left + 2), (top, side - 1))]
    return Numberlink.from_pairs(side, side, pairs, "fill")


@pytest.fixture
def lost(monkeypatch):
    """No solution is found directly; says for what effort it was tried."""
    efforts = []
    usual = Deadline.with_conflicts

    def limited(self, conflicts):
        if conflicts == taut_search._SECOND_CONFLICTS:
            efforts.append(conflicts)
            raise ConflictLimit
        return usual(self, conflicts)

    # A number of its own.
    monkeypatch.setattr(taut_search, "_SECOND_CONFLICTS", 7_777)
    monkeypatch.setattr(Deadline, "with_conflicts", limited)
    return efforts


@pytest.mark.parametrize(("top", "left"), [(1, 3), (7, 8), (13, 11)])
def test_another_solution_that_fills_a_large_board_is_found_in_a_part_of_it(
    nearby, lost, top, left
):
    puzzle = filled_two_ways(15, top, left)
    with Oracle(puzzle) as oracle:
        verdict = oracle.ask()
    assert lost == [7_777]
    assert verdict.status == "many"
    assert nearby == [verdict.solutions[1]]
    assert all(check_solution(puzzle, solution) for solution in verdict.solutions)
    one, other = (set(solution.edges) for solution in verdict.solutions)
    assert len(one ^ other) == 6


@pytest.mark.parametrize(
    ("rows", "cols"), [(2, 5), (3, 3), pytest.param(3, 4, marks=pytest.mark.heavy)]
)
def test_boards_that_are_not_filled_at_once_are_decided(monkeypatch, lost, rows, cols):
    """All pairs of a small board, decided as a large one is that takes long."""
    monkeypatch.setattr("linkoracle.engines.oracle._LARGE_VERTICES", 0)
    monkeypatch.setattr(taut_search, "FILLED_WIDTH", 2)
    seen = set()
    for ends, systems in brute_force.systems_by_ends(rows, cols).items():
        puzzle = Numberlink.from_pairs(rows, cols, ends, "fill")
        filling = {edges for edges in systems if len(edges) == rows * cols - len(ends)}
        with Oracle(puzzle) as oracle:
            verdict = oracle.ask()
            # What is asked afterwards is not restricted to taut solutions.
            assert {solution.edges for solution in oracle.solutions()} == filling
        assert verdict.status == ("none", "unique", "many")[min(2, len(filling))]
        assert len({solution.edges for solution in verdict.solutions} & filling) == len(
            verdict.solutions
        )
        seen.add(verdict.status)
    assert seen == {"none", "unique", "many"}
    assert lost

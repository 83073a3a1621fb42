"""Boards to be filled, decided by way of the boards whose cells may stay empty."""

from __future__ import annotations

import math
from collections import Counter

import pytest

import linkoracle
from linkoracle import Numberlink, SearchTimeout, check_solution
from linkoracle.board import Lattice, LinkModel, Solution
from linkoracle.core import ConflictLimit, Deadline, source
from linkoracle.engines import Oracle, Query, Turns
from linkoracle.engines.relaxation import Filling, filling_solutions, fills
from tests import brute_force
from tests.test_rerouting import is_taut

NEVER = Deadline(None)

#: Filled without a chord, and so that no part of 10 x 10 cells can be filled otherwise; all others
#: of its many solutions are led around the ends in other ways.
LED_OTHERWISE = """\
numberlink fill
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  1  2  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  3  .  .  .  .
 4  .  5  6  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  .  4  .  .  .  7  8  9  . 10  .  .  .  .  .  .  .
 .  .  .  . 10  8  .  .  .  .  .  .  .  .  . 11  .  .
 .  .  .  .  .  .  . 12  .  .  .  .  .  .  .  .  .  .
13  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  . 14  .  .  .  .  .  .  .  .  .  5  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  9  .  .  .  . 11 15  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
13  .  .  2  .  .  .  . 12  7  .  .  .  .  .  1  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  . 15  .
 . 14  .  .  6  .  .  .  .  .  .  .  .  .  .  .  .  .
 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  3
"""


@pytest.mark.parametrize("limit", [1, pytest.param(2, marks=pytest.mark.heavy), 4, None])
@pytest.mark.parametrize(
    ("rows", "cols", "step"),
    [(3, 3, 1), (3, 4, 24), pytest.param(3, 4, 1, marks=pytest.mark.heavy)],
)
def test_small_boards_that_the_free_one_decides_are_decided_rightly(rows, cols, step, limit):
    """Boards of pairs that have a solution when cells may stay empty."""
    decided = Counter()
    for mate, systems in list(brute_force.systems_by_ends(rows, cols).items())[::step]:
        puzzle = Numberlink.from_pairs(rows, cols, mate, "fill")
        filling = {edges for edges in systems if len(edges) == rows * cols - len(mate)}
        work = Turns(Query(puzzle.model)._work("relaxed", limit, True))
        assert work.go_on(math.inf)
        if work.answer is None:
            assert len(systems) > 1
            continue
        found = [solution.edges for solution in work.answer.solutions]
        assert len(set(found)) == len(found)
        assert filling.issuperset(found)
        if len(found) < 2:
            assert filling == set(found)
        assert work.answer.count == min(len(filling), limit or 1)
        assert work.answer.exact == (len(filling) < 2)
        decided[len(found)] += 1
    assert decided[0]
    assert decided[1]
    if limit == 1 and cols == 4:
        assert decided[2]
    assert decided.keys() <= {0, 1, (limit or 0) + 1}


def test_a_wide_board_is_decided_by_its_relaxation_first(monkeypatch):
    """Unless the colours of a checkerboard refute it, which needs no engine."""
    wide = [((row, 0), (row, 12)) for row in range(13)]
    asked: list[bool] = []
    opened = Query.opened

    def noted(query, model=None):
        asked.append((model or query.model).is_free)
        return opened(query, model)

    monkeypatch.setattr(Query, "opened", noted)
    assert linkoracle.decide(Numberlink.from_pairs(13, 13, wide, "fill")).status == "unique"
    assert asked == [True]
    unbalanced = [((0, 1), (0, 3)), *wide[2:]]
    puzzle = Numberlink.from_pairs(13, 13, unbalanced, "fill")
    assert linkoracle.decide(puzzle.with_variant("free")).status == "many"
    asked.clear()
    assert linkoracle.decide(puzzle).status == "none"
    assert not asked


@pytest.mark.parametrize("limit", [None, pytest.param(50, marks=pytest.mark.heavy)])
def test_a_board_led_otherwise_is_decided_soon(limit):
    """With a ``limit``, the functions that users call search again, and list so many."""
    puzzle = linkoracle.read(LED_OTHERWISE)
    question = Query(puzzle.model)

    def first_four():
        with question.opened(puzzle.model.relaxed) as oracle:
            taut = yield from question.asking(oracle)
            return (
                yield from filling_solutions(
                    puzzle.model, None, oracle, taut, question.deadline, 1.0, 4
                )
            )

    work = Turns(first_four())
    # In conflicts; the board as it stands takes millions.
    assert work.go_on(50_000)
    found = work.answer
    assert len(set(found)) == len(found) == 4
    assert all(check_solution(puzzle, solution) for solution in found)
    if limit is None:
        return
    assert linkoracle.decide(puzzle).status == "many"
    tally = linkoracle.count_result(puzzle, limit, keep=True)
    assert (tally.count, tally.exact, len(set(tally.solutions))) == (limit, False, limit)
    assert all(check_solution(puzzle, solution) for solution in tally.solutions)


def test_taut_solutions_are_listed_each_once():
    """Those of brute force that no straightening and no corner pushed down would change."""
    model = LinkModel.blank_paths(Lattice(5, 5), [(0, 24), (6, 8), (16, 18)])
    listed: list[Solution] = []
    with Oracle(model) as oracle:
        while (another := oracle.another_taut(listed, NEVER)) is not None:
            listed.append(another)
        every = set(oracle.solutions())
    taut = {solution for solution in every if is_taut(solution)}
    assert taut < set(listed) < every
    assert 1 < len(taut) <= len(set(listed)) == len(listed) < 2 * len(taut)


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 3), (3, 4)])
def test_what_is_found_near_a_solution_fills_the_board(rows, cols):
    """With no vertex assumed, all solutions come one after the other; with some, only such."""
    rng, seen = source(1, 0), set()
    for mate, systems in list(brute_force.systems_by_ends(rows, cols).items())[::7]:
        model = Numberlink.from_pairs(rows, cols, mate, "fill").model
        filling = {edges for edges in systems if len(edges) == rows * cols - len(mate)}
        other = Solution(model.lattice, min(systems, key=len))
        assert fills(model, other) == (other.edges in filling)
        with Filling(model, None, NEVER) as search:
            near = sum(search.near(other, 0.5, rng, NEVER) for _ in range(3))
            assert len(search.solutions) == near
            while search.near(other, 0.0, rng, NEVER):
                pass
            found = [solution.edges for solution in search.solutions]
        assert len(found) == len(filling)
        assert set(found) == filling
        seen.add(len(filling))
    assert {0, 1} <= seen


def test_vertices_that_are_assumed_to_be_on_a_path_are():
    puzzle = Numberlink.from_pairs(3, 4, [((0, 0), (0, 3)), ((2, 0), (2, 3))], "fill")
    model = puzzle.model
    straight = linkoracle.solve(Numberlink.from_pairs(3, 4, puzzle.pairs().values(), "free"))
    with Filling(model, None, NEVER) as search:
        while search.near(straight, 1.0, source(1, 0), NEVER):
            pass
        found = search.solutions
    assert found
    for solution in found:
        for path, short in zip(solution.paths(), straight.paths(), strict=True):
            assert set(short) <= set(path)


def test_limits_end_a_search_near_a_solution_and_it_can_go_on():
    puzzle = linkoracle.read(LED_OTHERWISE)
    with Oracle(puzzle.model.relaxed) as oracle:
        first, second = oracle.ask().solutions
    with Filling(puzzle.model, None, NEVER) as search:
        search.add(first)
        with pytest.raises(ConflictLimit):
            search.near(second, 0.0, source(0, 0), NEVER.with_conflicts(1))
        with pytest.raises(SearchTimeout):
            search.near(second, 0.0, source(0, 0), Deadline(1e-9))
        assert search.solutions == [first]
        rng = source(0, 0)
        for _ in range(40):
            try:
                search.near(second, 0.2, rng, NEVER.with_conflicts(2_000))
            except ConflictLimit:
                continue
        assert len(search.solutions) > 1
    assert all(check_solution(puzzle, solution) for solution in search.solutions)

"""Refutations without a solver: most loops need none, and what is derived so holds."""

from __future__ import annotations

from itertools import islice

import pytest

from linkoracle import (
    MemoryLimit,
    SearchTimeout,
    SimpleLoop,
    Slitherlink,
    certificate,
    read_file,
    solve,
)
from linkoracle.certificates import making, record_of
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.refutation_kernel import Refutation
from linkoracle.certificates.refuting import derived_by_probes
from linkoracle.core import Deadline
from linkoracle.generate import puzzles, slitherlinks
from linkoracle.lines.rules_kernel import Rules
from tests.certificates.test_refutation_kernel import NEVER, ROOM, long_work, resolved

__all__ = ["long_work"]


def without_solver(puzzle, monkeypatch):
    """The certificate, if it takes no solver."""

    class Solved(Exception):
        pass

    def solver(*_):
        raise Solved

    with monkeypatch.context() as patch:
        patch.setattr(making, "_learned", solver)
        try:
            return certificate(puzzle)
        except Solved:
            return None


@pytest.mark.parametrize("size", [(4, 4), (5, 7), (8, 8)])
def test_slitherlinks_that_take_no_solver(size, monkeypatch):
    some = [made.puzzle for made in islice(slitherlinks(*size, seed=6), 20)]
    made = [one for puzzle in some if (one := without_solver(puzzle, monkeypatch))]
    assert len(made) > 5
    for one in made:
        _, number, clues = checker.verify(one.data, checker.Puzzle(record_of(one.puzzle)))
        assert number == 1
        assert {divmod(cell, one.puzzle.cols) for cell in clues} == one.clues


def test_simple_loops_that_take_no_solver(monkeypatch):
    some = [made.puzzle for made in islice(puzzles("simpleloop", 6, 6, seed=2), 12)]
    made = [one for puzzle in some if (one := without_solver(puzzle, monkeypatch))]
    assert made
    assert all(checker.verify(one.data)[1] == 1 for one in made)


@pytest.mark.parametrize("kind", ["castlewall", "countryroad", "shingoki"])
def test_cuts_may_rest_on_lines_and_visits(kind, monkeypatch):
    """No clue requires lines beside a path that would close, and probes decide visits, too."""
    some = [made.puzzle for made in islice(puzzles(kind, 7, 7, seed=1), 4)]
    made = [one for puzzle in some if (one := without_solver(puzzle, monkeypatch))]
    assert len(made) >= 3
    assert all(checker.verify(one.data)[1] == 1 for one in made)


def test_a_solver_gets_what_probes_leave(monkeypatch):
    puzzle = Slitherlink([[None, 2, None, 2], [2, None, 3, None], [None, 2, None, None]])
    given = []

    def learned(model, clauses, deadline, right=making._learned):
        given.append(clauses)
        return right(model, clauses, deadline)

    monkeypatch.setattr(making, "_learned", learned)
    one = certificate(puzzle, limit=40)
    assert checker.verify(one.data)[1] == len(one.solutions) > 1
    board = checker.Board(checker.Puzzle(record_of(puzzle)))
    every = [*board.axioms([sorted(found.edges) for found in one.solutions], False)]
    assert len(given) == 1
    assert len(given[0]) < len(every)


def test_open_clauses():
    refutation = Refutation([(1,), (-1, 2), (-2, 3, 4), (-1, -3, 5, 6), (4, -5)], ROOM)
    refutation.begin(NEVER)
    left = {frozenset(clause) for clause in refutation.open_clauses()}
    assert left == {*map(frozenset, ([1], [2], [3, 4], [-3, 5, 6], [4, -5]))}
    assert not refutation.is_done
    refutation.add((-4,), NEVER)
    assert sorted(refutation.open_clauses()) == [[-5], [-4], [1], [2], [3], [6]]


def test_what_takes_more_is_left_to_the_solver(monkeypatch):
    several = Slitherlink([[3, None, 3], [None, None, None], [3, None, 3]])
    for puzzle in (several, Slitherlink([[0, 0], [0, 0]]), SimpleLoop([[None] * 3] * 3)):
        assert without_solver(puzzle, monkeypatch) is None
        assert checker.verify(certificate(puzzle).data)[1] == len(certificate(puzzle).solutions)


def test_limits():
    puzzle = read_file("instances/slitherlink-7x7.txt")
    board = checker.Board(checker.Puzzle(record_of(puzzle)))
    solution = solve(puzzle)
    axioms = [clause for clause, _ in board.axioms([sorted(solution.edges)], False)]
    with pytest.raises(MemoryLimit):
        derived_by_probes(puzzle, board, solution, axioms, NEVER, 10_000)
    with pytest.raises(SearchTimeout):
        derived_by_probes(puzzle, board, solution, axioms, Deadline(1e-9), ROOM)
    assert derived_by_probes(puzzle, board, solution, axioms, NEVER, ROOM) is not None


def test_clauses_are_derived_one_by_one():
    axioms = [(1, 2), (1, -2), (-3, 4), (-4, 5, 6), (-4, 5, -6)]
    refutation = Refutation(axioms, ROOM)
    assert not refutation.begin(NEVER)
    assert refutation.root_literals(0) == []
    assert refutation.derive((1,), NEVER) is None
    assert refutation.root_literals(0) == [1]
    # What is assumed, and what follows, but not what holds for good.
    assert refutation.derive((-3, -1), NEVER) == [3, 4]
    assert refutation.derive((-3, 5), NEVER) is None
    assert refutation.derive((6,), NEVER) == [-6]
    # Two of its literals are decided, one of which is true; then none is open; then one.
    assert not refutation.add((1, -4), NEVER)
    assert not refutation.add((-1, -5), NEVER)
    assert refutation.root_literals(0)[0] == 1
    assert refutation.root_literals(1) == refutation.root_literals(0)[1:] != []
    assert refutation.root_literals(-1) == refutation.root_literals(0)
    assert refutation.root_literals(99) == []
    assert refutation.add((-1, 3), NEVER)
    assert refutation.derive((2,), NEVER) is None
    clauses = [*axioms, (1, -4), (-1, -5), (-1, 3)]
    assert resolved(clauses, *refutation.chains())[-1] == set()
    assert refutation.chains()[0][-2:] == [6, 7]


def test_an_axiom_that_comes_late_may_be_empty_or_violated():
    for late in ((), (-1, -2)):
        refutation = Refutation([(1,), (2,)], ROOM)
        refutation.begin(NEVER)
        assert refutation.add(late, NEVER)
        used, lemmas = refutation.chains()
        assert resolved([(1,), (2,), late], used, lemmas)[-1] == set()


def test_questions_out_of_order():
    refutation = Refutation([(1, 2)], ROOM)
    for ask in (refutation.derive, refutation.add):
        with pytest.raises(ValueError, match="expected a refutation that has begun"):
            ask((1,), NEVER)
    with pytest.raises(ValueError, match="expected a refutation that has begun"):
        refutation.root_literals(0)
    refutation.begin(NEVER)
    with pytest.raises(ValueError, match="has followed no proof"):
        refutation.begin(NEVER)
    with pytest.raises(ValueError, match="expected a refutation"):
        refutation.chains()
    for clause in ((0,), (3,), (1, -1)):
        for ask in (refutation.derive, refutation.add):
            with pytest.raises(ValueError, match="expected literals, with no variable twice"):
                ask(clause, NEVER)
    # Nothing was left behind.
    assert refutation.derive((1,), NEVER) == [-1, 2]


def test_a_derivation_ends_in_time(long_work):
    clauses, _ = long_work
    refutation = Refutation(clauses, 1 << 32)
    assert not refutation.begin(NEVER)
    with pytest.raises(SearchTimeout):
        refutation.derive((-1, len(clauses)), Deadline(1e-9))
    with pytest.raises(ValueError, match="expected a refutation that has begun"):
        refutation.derive((-1, 2), NEVER)


def test_steps_are_the_edges_that_are_known():
    rules = Rules(read_file("instances/slitherlink-10x10.txt").model)
    with pytest.raises(ValueError, match="expected rules after `preprocess`"):
        rules.steps()
    assert rules.preprocess(NEVER)
    steps, fixed = rules.steps(), rules.fixed()
    assert sorted(edge for edge, _ in steps) == [e for e, value in enumerate(fixed) if value < 2]
    place = {edge: number for number, (edge, _) in enumerate(steps)}
    tried = [(edge, other) for edge, other in steps if other >= 0]
    # The edge that was tried was not known then.
    assert all(place.get(other, len(steps)) > place[edge] for edge, other in tried)
    assert all(other == -1 or 0 <= other < len(fixed) for _, other in steps)

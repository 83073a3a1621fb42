"""Counts of many literals, stated by new variables: against plain counting and brute force."""

from __future__ import annotations

import random
from itertools import count, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import Board, Count, Lattice, LinkModel, certificate
from linkoracle.certificates import record_of
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.writing import refuted
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import loops
from tests import boards, brute_force, constrained
from tests.certificates.forging import Parts, holds, random_puzzle
from tests.kinds import corpora


@pytest.fixture
def always(monkeypatch):
    """Give every count new variables, those of short clauses too."""
    monkeypatch.setattr(checker, "LONG", (-1,))


def propagated(clauses, values):
    """The values of all variables by unit propagation; ``None`` if a clause is violated."""
    values, changed = {**values}, True
    while changed:
        changed = False
        for clause in clauses:
            if any(values.get(abs(x)) == (x > 0) for x in clause):
                continue
            unknown = [x for x in clause if abs(x) not in values]
            if not unknown:
                return None
            if len(unknown) == 1:
                values[abs(unknown[0])] = unknown[0] > 0
                changed = True
    return values


literal_lists = st.lists(st.integers(1, 7).flatmap(lambda x: st.sampled_from([x, -x])), max_size=8)


@given(literal_lists, st.sets(st.integers(0, 9)))
def test_new_variables_follow_from_the_others(literals, allowed):
    """Each assignment has one extension if its count is allowed, and none otherwise."""
    clauses = [*checker.diagram(literals, allowed, count(8))]
    nodes = sum(map(len, checker.layers(len(literals), allowed)))
    used = {abs(x) for clause in clauses for x in clause}
    assert used <= {*map(abs, literals), *range(8, 8 + nodes)}
    assert sum(map(len, clauses)) <= checker.NODE * nodes + 1
    own = sorted({*map(abs, literals)})
    for values in product([False, True], repeat=len(own)):
        known = dict(zip(own, values, strict=True))
        true = sum(known[abs(x)] == (x > 0) for x in literals)
        found = propagated(clauses, known)
        assert (found is not None) == (true in allowed)
        if found is not None:
            assert len(found) == len(own) + nodes


@given(st.integers(0, 9), st.sets(st.integers(0, 9)), st.data())
def test_what_must_hold_is_found_by_propagation(size, allowed, data):
    """A literal whose value follows from the others known is found one clause at a time."""
    allowed = {min(allowed)} if allowed and data.draw(st.booleans()) else allowed
    parity = data.draw(st.booleans())
    exact = len(allowed) < 2
    wanted = allowed if exact else set(range(parity, 10, 2))
    clauses = [*checker.diagram([*range(1, size + 1)], wanted, count(10))]
    values = {x: data.draw(st.booleans()) for x in range(1, size + 1) if data.draw(st.booleans())}
    unknown = [x for x in range(1, size + 1) if x not in values]
    true = sum(values.values())
    possible = [k for k in range(len(unknown) + 1) if true + k in wanted]
    found = propagated(clauses, values)
    assert (found is None) == (not possible)
    if possible == [0] or possible == [len(unknown)]:
        assert all(found[x] == (possible != [0]) for x in unknown)


def test_long_counts_against_brute_force():
    """Random counts of up to 40 literals, some of them twice, on boards of all sorts."""
    rng = random.Random(1)
    longest = tried = 0
    while tried < 12:
        board = rng.choice([Lattice(4, 4), boards.honeycomb(3, 2), boards.triangular(3, 3)])
        every = range(1, board.num_edges + board.num_vertices + 1)
        literals = [rng.choice(every) * rng.choice([1, -1]) for _ in range(rng.randrange(15, 41))]
        numbers = rng.sample(range(len(literals) + 1), rng.choice([1, 3, len(literals) // 2]))
        one = Count.of(literals, numbers)
        model = LinkModel.blank_loop(board).with_constraints(counts=[one])
        expected = constrained.solutions(model)
        if len(expected) > 60:
            continue
        tried += 1
        allowed = {*numbers}
        longest += checker.is_long(literals, allowed, checker.LONG[0])
        made = certificate(model, limit=60)
        assert sorted(found.edges for found in made.solutions) == sorted(map(tuple, expected))
        assert checker.verify(made.data)[1] == len(expected)
    assert longest > 6


def test_vertices_of_many_edges():
    """At most two of many lines; the clauses without new variables would have 10^8 literals."""
    size = 300
    hub = [(0, leaf) for leaf in range(1, size)]
    rim = [(leaf, leaf + 1) for leaf in range(1, 4)]
    model = LinkModel.blank_loop(Board(size, [*hub, *rim]))
    made = certificate(model, limit=10)
    assert len(made.solutions) == 6
    assert checker.verify(made.data)[1] == 6


@pytest.mark.parametrize("kind", list(checker.LOOPS))
def test_kinds_where_every_count_is_long(kind, always):
    puzzle, _ = KINDS[kind].examples["loop"].of(KINDS[kind])
    made = certificate(puzzle)
    assert not made.of_model
    assert checker.verify(made.data, checker.Puzzle(record_of(puzzle)))[1] == 1


def test_random_models_and_puzzles_where_every_count_is_long(always):
    rng = random.Random(2)
    several = 0
    for _ in range(25):
        model = constrained.random_model(rng, boards.random_board(rng))
        expected = constrained.solutions(model)
        if len(expected) <= 12:
            made = certificate(model, limit=12)
            assert sorted(found.edges for found in made.solutions) == sorted(map(tuple, expected))
            assert checker.verify(made.data)[1] == len(expected)
            several += len(expected) > 1
        puzzle = random_puzzle(rng, 3, 4)
        number = len(brute_force.solutions(puzzle))
        if number <= 12:
            assert checker.verify(certificate(puzzle, limit=12).data)[1] == number
    assert several


def test_arrows_that_are_long(always):
    """All loops of a board of three rows, with three shaded cells ahead of the arrow."""
    puzzle = KINDS["yajilin"].from_grid(["3e" + " ." * 7, ". " + " ." * 7, ". " + " ." * 7])
    expected = sorted(sorted(one.edges) for one in loops(3, 8) if not puzzle.violations(one))
    made = certificate(puzzle, limit=99)
    assert [list(found.edges) for found in made.solutions] == expected


def long_model(rng):
    """A model of one long count with at most 20 solutions, and these."""
    board = Lattice(4, 4)
    every = range(1, board.num_edges + board.num_vertices + 1)
    while True:
        literals = [x * rng.choice([1, -1]) for x in rng.sample(every, 30)]
        numbers = rng.sample(range(31), 2)
        model = LinkModel.blank_loop(board).with_constraints(counts=[Count.of(literals, numbers)])
        expected = constrained.solutions(model)
        if 0 < len(expected) <= 20:
            return model, expected


def test_tampered_counts_are_refused_or_true():
    """Another number, another literal, or one less: the claim defines the variables."""
    rng = random.Random(4)
    tried = refused = 0
    for _ in range(4):
        model, expected = long_model(rng)
        parts = Parts.of(certificate(model, limit=20).data)
        own = checker.Puzzle(record_of(model))
        assert holds(parts.packed(), own)
        for _ in range(12):
            other = parts.copy()
            ((mask, *literals),) = other.header["puzzle"]["counts"]
            place = rng.randrange(len(literals))
            what = rng.choice(["mask", "sign", "less", "other"])
            if what == "mask":
                mask ^= 1 << rng.randrange(31)
            elif what == "sign":
                literals[place] *= -1
            elif what == "less":
                del literals[place]
            else:
                literals[place] = rng.randrange(1, 41)
            other.header["puzzle"]["counts"] = [[mask, *literals]]
            tried += 1
            assert not holds(other.packed(), own)
            if holds(other.packed()):
                changed = LinkModel.blank_loop(model.board).with_constraints(
                    counts=[Count(tuple(literals), mask)]
                )
                assert sorted(constrained.solutions(changed)) == sorted(expected)
            else:
                refused += 1
    assert refused > tried // 2


def test_no_solution_is_hidden_and_no_step_is_missing():
    rng = random.Random(5)
    model, expected = long_model(rng)
    parts = Parts.of(certificate(model, limit=20).data)
    for index in range(len(expected)):
        fewer = parts.copy()
        del fewer.header["solutions"][index]
        assert not holds(fewer.packed())
    for name in ("axioms", "lemmas"):
        for _ in range(20):
            less = parts.copy()
            some = getattr(less, name)
            del some[rng.randrange(len(some))]
            assert not holds(less.packed())


def test_new_variables_are_no_variables_of_the_board():
    """Those of a model, of visited vertices, of colours: each name stands for one thing."""
    board = Lattice(4, 4)
    top = board.num_edges + board.num_vertices
    literals = [*range(1, 25), *range(board.num_edges + 1, board.num_edges + 9)]
    model = LinkModel.blank_paths(board, [(0, 15), (3, 12)]).with_constraints(
        counts=[Count.of(literals, {9, 11})], clauses=[(top + 40, 1), (-top - 40, 2)]
    )
    own = checker.Board(checker.Puzzle(record_of(model)))
    stated = [clause for clause, _ in own.axioms([], False)]
    colours = {variable for some in own.colour for variable in some}
    named = {top + 40, *range(1, top + 1)}
    new = {abs(x) for clause in stated for x in clause} - colours - named
    nodes = sum(map(len, checker.layers(len(literals), {9, 11})))
    assert nodes == len(new) > 100
    assert min(new) > top + 40
    assert max(new) < min(colours)


def test_what_a_file_says_of_new_variables_is_ignored():
    """The values that a file gives for a solution do not reach the refutation."""
    rng = random.Random(6)
    model, expected = long_model(rng)
    parts = Parts.of(certificate(model, limit=20).data)
    assert "auxiliary" not in parts.header
    parts.header["auxiliary"] = [[100, 101, 102] for _ in expected]
    assert holds(parts.packed())
    del parts.header["solutions"][0], parts.header["auxiliary"][0]
    assert not holds(parts.packed())


def test_exported_clauses_contradict_each_other():
    rng = random.Random(7)
    model, _ = long_model(rng)
    made = certificate(model, limit=20)
    clauses, lemmas = refuted(made.data)
    assert lemmas[-1].clause == ()
    from pysat.solvers import Solver

    with Solver("cadical195", bootstrap_with=map(list, clauses)) as solver:
        assert not solver.solve()


#: Published puzzles with counts of 23 to 56 literals.
PUBLISHED = [("castlewall", "17_14x24"), ("doubleback", "23_10x10"), ("yajilin", "557_20x32")]


@pytest.mark.parametrize(("kind", "name"), PUBLISHED)
def test_published_puzzles_with_long_counts(kind, name):
    if not (corpora.CORPUS / f"{kind}.jsonl").is_file():
        pytest.skip(f"no published puzzles in {corpora.CORPUS}")
    record = next(one for one in corpora.records(kind) if one.name == name)
    made = certificate(record.puzzle)
    assert not made.of_model
    assert checker.verify(made.data, checker.Puzzle(record_of(record.puzzle)))[1] == 1
    assert made.solutions == (record.solution,)

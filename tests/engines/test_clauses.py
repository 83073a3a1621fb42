from __future__ import annotations

from collections import Counter
from itertools import combinations, count, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from linkoracle import Lattice, LinkModel, decide, solutions
from linkoracle.board import ANY_COUNT, HOLE, PASS
from linkoracle.lines.rules_kernel import count_clauses
from tests import brute_force


@pytest.mark.parametrize("size", range(6))
def test_count_clauses_hold_exactly_for_the_counts_allowed(size):
    """Every mask, every size, every assignment."""
    literals = [8, -4, 13, 1, -6][:size]
    for mask in range(2 << size):
        clauses = count_clauses(literals, mask)
        for values in product((False, True), repeat=size):
            true = {e if on else -e for e, on in zip(literals, values, strict=True)}
            satisfied = all(true & set(clause) for clause in clauses)
            assert satisfied == bool(mask >> sum(values) & 1)


@pytest.mark.parametrize("size", [9, 10, 70])
@settings(max_examples=40)
@given(data=st.data())
def test_a_long_count_has_a_counter_that_says_the_same(size, data):
    check_a_long_count(size, data)


@pytest.mark.heavy
@pytest.mark.parametrize("size", [9, 10, 70])
@given(data=st.data())
def test_many_long_counts_have_counters_that_say_the_same(size, data):
    check_a_long_count(size, data)


def check_a_long_count(size, data):
    """Longer than a word of 64 bits, too."""
    numbers = data.draw(st.sets(st.integers(0, size + 3), max_size=4))
    mask = sum(1 << number for number in numbers)
    if data.draw(st.booleans()):
        mask = (2 << size) - 1 & ~mask
    literals = [k if k % 3 else -k for k in range(1, size + 1)]
    used = count(size + 2)
    guard = size + 1
    clauses = count_clauses(literals, mask, [-guard], lambda n: min(next(used) for _ in range(n)))
    with Solver("cadical153", bootstrap_with=clauses) as solver:
        rng = data.draw(st.randoms(use_true_random=False))
        for number in {0, size, *(n for k in numbers for n in (k - 1, k, k + 1) if 0 <= n <= size)}:
            true = set(rng.sample(literals, number))
            chosen = [one if one in true else -one for one in literals]
            assert solver.solve([*chosen, guard]) == bool(mask >> number & 1)
            assert solver.solve([*chosen, -guard])


@pytest.mark.parametrize("mask", [0, 0b00001, 0b00110, 0b10000])
def test_a_literal_frees_from_the_count(mask):
    plain = count_clauses([7, 3, 12, 1], mask)
    assert count_clauses([7, 3, 12, 1], mask, [-20]) == [[-20, *clause] for clause in plain]


def test_the_colours_of_a_checkerboard():
    """Every way to fill 3x4 cells with one or two paths, and every set of holes around a loop."""
    answers = Counter()
    for rows, cols in ((3, 3), (3, 4)):
        lattice = Lattice(rows, cols)
        for number in (1, 2):
            for ends in combinations(range(rows * cols), 2 * number):
                for pairs in pairings(ends):
                    model = LinkModel.blank_paths(lattice, pairs, cover=True)
                    if rows * cols > 9 and number == 2 and sum(ends) % 7:
                        continue
                    answers[model.is_balanced, bool(brute_force.model_solutions(model))] += 1
        for code in range(1 << rows * cols):
            if code % (1 if rows * cols == 9 else 7):
                continue
            holes = [vertex for vertex in range(rows * cols) if code >> vertex & 1]
            degrees = bytes(HOLE if v in holes else PASS for v in range(rows * cols))
            faces = bytes([ANY_COUNT]) * lattice.num_faces
            model = LinkModel(lattice, degrees, faces, loop=True)
            answers[model.is_balanced, bool(brute_force.model_solutions(model))] += 1
    assert not answers[False, True]
    assert min(answers[True, True], answers[True, False], answers[False, False]) > 20


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
    assert decide(corners).status == "none"
    assert decide(LinkModel.blank_paths(Lattice(40, 40), [(0, 39)], cover=True)).status == "many"
    assert not list(solutions(corners))

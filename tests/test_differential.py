"""The engines against brute force: every kind of puzzle and variant, every answer it gives."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import linkoracle
from linkoracle import Numberlink, Oracle, Slitherlink, Solution
from tests import brute_force, strategies


def as_edges(solution: Solution) -> brute_force.Edges:
    """A solution in the terms of the brute force: unordered pairs of positions."""
    lattice = solution.lattice
    ends = lattice.edge_vertices
    return brute_force.Edges(
        brute_force.Edge(lattice.position(int(vertex)) for vertex in ends[edge])
        for edge in solution
    )


@settings(max_examples=60, deadline=None)
@given(strategies.puzzles())
@example(Numberlink([[None, None, None], [None, None, None]], "fill"))
@example(Numberlink([[None]], "fill"))
@example(Numberlink([[None]], "free"))
@example(Numberlink([[1, 1, None, None], [None, None, None, None]], "fill"))
@example(Slitherlink.blank(3, 4))
@example(Slitherlink([[0]]))
@pytest.mark.parametrize("engine", linkoracle.ENGINES)
def test_solutions_are_those_of_brute_force(engine, puzzle):
    compare(engine, puzzle)


@pytest.mark.heavy
@settings(max_examples=1_000, deadline=None)
@given(strategies.puzzles())
@pytest.mark.parametrize("engine", linkoracle.ENGINES)
def test_solutions_of_many_puzzles_are_those_of_brute_force(engine, puzzle):
    compare(engine, puzzle)


def compare(engine, puzzle):
    expected = brute_force.solutions(puzzle)
    listed = [as_edges(solution) for solution in linkoracle.solutions(puzzle, engine=engine)]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(expected)
    verdict = linkoracle.decide(puzzle, engine=engine)
    assert verdict.status == ("none", "unique", "many")[min(2, len(expected))]
    assert len({as_edges(solution) for solution in verdict.solutions} & set(expected)) == min(
        2, len(expected)
    )
    for limit in (1, 2, 5):
        tally = linkoracle.count_result(puzzle, limit, keep=True, engine=engine)
        assert tally.count == min(limit, len(expected)) == len(set(tally.solutions))
        assert tally.exact == (len(expected) <= limit)
    if engine != "plain":
        assert linkoracle.count(puzzle, engine=engine) == len(expected)
    # The plain engine lists these with a diagram, and those above with a solver.
    every = linkoracle.count_result(puzzle, keep=True, engine=engine)
    assert every.count == len(every.solutions) == len(expected)
    assert {as_edges(solution) for solution in every.solutions} == set(expected)
    assert linkoracle.is_unique(puzzle, engine=engine) == (len(expected) == 1)
    assert (linkoracle.solve(puzzle, engine=engine) is None) == (not expected)


@pytest.mark.parametrize("variant", ["free", "fill"])
@pytest.mark.parametrize(("rows", "cols"), [(1, 4), (2, 2), (2, 3), (3, 3)])
def test_every_set_of_pairs_on_a_small_board(rows, cols, variant):
    """All Numberlink boards that have a solution at all, each decided right."""
    count: dict[frozenset, int] = {}
    for _, mate, used in brute_force.path_systems(rows, cols):
        if variant == "free" or len(used) == rows * cols:
            key = frozenset(frozenset(pair) for pair in mate.items())
            count[key] = count.get(key, 0) + 1
    for pairs, number in count.items():
        puzzle = Numberlink.from_pairs(rows, cols, [tuple(sorted(pair)) for pair in pairs], variant)
        # Without a pair there is no line: that is no solution.
        assert linkoracle.count_result(puzzle, 2).count == (min(2, number) if pairs else 0), puzzle


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_one_oracle_through_many_questions(data):
    """Clues come and go on one oracle; every answer is still that of brute force."""
    first = data.draw(strategies.slitherlinks())
    rows, cols = first.rows, first.cols
    oracle = Oracle.slitherlink(rows, cols, first.ends)
    curves = brute_force.closed_curves(rows, cols, first.ends)
    cells = [(row, col) for row in range(rows) for col in range(cols)]

    def number_with(clues):
        units = [(brute_force.square(*cell), clue) for cell, clue in clues.items()]
        return sum(all(len(c & unit) == clue for unit, clue in units) for c in curves)

    clues = dict(first.clue_cells())
    for _ in range(8):
        number = number_with(clues)
        core = data.draw(st.booleans())
        verdict = oracle.ask(clues, core=core)
        assert verdict.status == ("none", "unique", "many")[min(2, number)]
        for solution in verdict.solutions:
            assert all(solution.face_counts()[cell] == clue for cell, clue in clues.items())
        if verdict.core is None:
            assert number > 1 or not core
        else:
            assert verdict.core.items() <= clues.items()
            assert number_with(verdict.core) == number
        for cell in data.draw(st.lists(st.sampled_from(cells), max_size=3, unique=True)):
            if cell in clues:
                others = {place: clue for place, clue in clues.items() if place != cell}
                forced = 0 < number_with(others) == number_with(clues)
                assert oracle.implies(clues, cell) == forced
                if data.draw(st.booleans()):
                    clues = others
            else:
                clues[cell] = data.draw(st.integers(0, 4))
        if data.draw(st.integers(0, 3)) == 0:
            listed = list(oracle.solutions(clues))
            assert len(listed) == len(set(listed)) == number_with(clues)
    oracle.close()

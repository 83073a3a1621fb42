"""The ways in which the paths of solutions are led fulfil the clauses."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from pysat.solvers import Solver

from linkoracle import decide
from linkoracle.board import Lattice, LinkModel, Solution
from linkoracle.core import Deadline, SearchTimeout
from linkoracle.engines import Oracle
from linkoracle.engines.homotopy import Crossing, HomotopyClauses, least
from linkoracle.generate import numberlink
from tests import brute_force
from tests.engines.crossings import crossings

heavy = pytest.mark.heavy
NEVER = Deadline(None)


def listed(by_edge: list[list[int]]) -> list[Crossing]:
    return [
        Crossing(edge, number, before, len(there) - 1 - before)
        for edge, there in enumerate(by_edge)
        for before, number in enumerate(there)
    ]


def check_all_hold(model: LinkModel, solutions) -> int:
    """What each solution crosses is a model of the clauses, and it has cells where it must."""
    clauses = HomotopyClauses(model)
    crossed = 0
    with Solver("cadical195") as solver:
        clauses.state(solver.add_clause, NEVER)
        for solution in solutions:
            by_edge = crossings(clauses.board, solution)
            expected = listed(by_edge)
            exactly = [-literal for one in expected for literal in clauses.excluding(one)]
            exactly += [
                -least(variables, len(there) + 1)
                for variables, there in zip(clauses._crossed, by_edge, strict=True)
            ]
            assert solver.solve(assumptions=exactly), solution.paths()
            assert clauses.crossings(solver.get_model()) == expected
            check_cells(clauses, model, solution, expected)
            crossed += len(expected)
    return crossed


def has_model(clauses: HomotopyClauses) -> bool:
    with Solver("cadical195") as solver:
        clauses.state(solver.add_clause, NEVER)
        return solver.solve()


def check_cells(clauses, model, solution, expected):
    """Each crossing is at a cell of its path, among those where it can be."""
    paths = [{model.lattice.vertex(*place) for place in path} for path in solution.paths()]
    by_number = {
        number: path
        for number, pair in enumerate(model.terminals)
        for path in paths
        if pair[0] in path
    }
    for one in expected:
        cells = clauses.board.cells[one.edge]
        there = cells[one.before : len(cells) - one.after]
        assert by_number[one.number].intersection(there)


@pytest.mark.parametrize(
    ("rows", "cols", "step"),
    [
        (2, 4, 1),
        (3, 3, 4),
        *(pytest.param(*size, 1, marks=heavy) for size in ((3, 3), (2, 5), (3, 4))),
    ],
)
def test_every_solution_of_a_small_board_fulfils_them(rows, cols, step):
    lattice = Lattice(rows, cols)
    crossed = 0
    for mate, systems in list(brute_force.systems_by_ends(rows, cols).items())[::step]:
        pairs = [(lattice.vertex(*one), lattice.vertex(*other)) for one, other in mate]
        model = LinkModel.blank_paths(lattice, pairs)
        crossed += check_all_hold(model, [Solution(lattice, edges) for edges in systems])
    assert crossed


@pytest.mark.parametrize("boards", [range(12), pytest.param(range(12, 200), marks=heavy)])
def test_solutions_with_many_turns_fulfil_them(boards):
    """Some of the solutions of boards with room: paths wriggle, and go around terminals."""
    crossed = 0
    for seed in boards:
        rng = random.Random(seed)
        rows, cols = rng.randint(5, 8), rng.randint(5, 8)
        cells = rng.sample(range(rows * cols), 2 * rng.randint(2, 5))
        pairs = list(zip(cells[::2], cells[1::2], strict=True))
        model = LinkModel.blank_paths(Lattice(rows, cols), pairs)
        with Oracle(model) as oracle:
            solutions = list(islice(oracle.solutions(), 40))
        crossed += check_all_hold(model, solutions)
    assert crossed > 200


@pytest.mark.parametrize("seed", range(3))
def test_solutions_of_puzzles_fulfil_them(seed):
    puzzle = numberlink(12, 12, seed=seed).puzzle.with_variant("free")
    (solution,) = decide(puzzle).solutions
    assert check_all_hold(puzzle.model, [solution])


def test_where_a_terminal_has_no_way_out_there_is_no_model():
    """The pair in the corner is shut in by two terminals of others."""
    lattice = Lattice(4, 4)
    pairs = [(0, 15), (1, 11), (4, 14), (5, 10)]
    assert not has_model(HomotopyClauses(LinkModel.blank_paths(lattice, pairs)))


def test_no_more_paths_cross_an_edge_than_it_has_cells():
    """Three straight lines fit between two terminals four apart, and a fourth does not."""
    lattice = Lattice(5, 9)
    walls = [((0, 4), (0, 3)), ((4, 4), (4, 3))]
    models = [
        LinkModel.blank_paths(
            lattice,
            [
                (lattice.vertex(*one), lattice.vertex(*other))
                for one, other in [*walls, *(((row, 0), (row, 8)) for row in range(1, last + 1))]
            ],
        )
        for last in range(1, 5)
    ]
    for model in models[:3]:
        with Oracle(model) as oracle:
            first = oracle.ask().solutions[0]
        assert check_all_hold(model, [first])
    assert not has_model(HomotopyClauses(models[3]))


def test_holes_leave_less_room():
    lattice = Lattice(3, 3)
    model = LinkModel.blank_paths(lattice, [(1, 7)])
    assert sum(map(len, HomotopyClauses(model).board.cells)) > sum(
        map(len, HomotopyClauses(model.with_holes({3, 4})).board.cells)
    )


def test_stating_them_ends_with_the_deadline():
    model = LinkModel.blank_paths(Lattice(9, 9), [(0, 80), (8, 72)])
    with pytest.raises(SearchTimeout):
        HomotopyClauses(model).state(lambda _: None, Deadline(1e-9))

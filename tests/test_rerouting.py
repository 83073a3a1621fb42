"""The theorem behind free Numberlink, checked over every path system of small boards."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import Lattice, Numberlink, Solution, check_solution, count, decide
from linkoracle.board import rerouted
from linkoracle.core import ConflictLimit, Deadline
from linkoracle.engines import LazySearch, Oracle
from linkoracle.engines.taut_search import SIDES
from tests import brute_force

heavy = pytest.mark.heavy
#: It takes minutes: see `tests.parts`.
lengthy = [heavy, pytest.mark.lengthy]

#: Boards with no solution, with one, and with several.
BOARDS = (
    Numberlink([[1, None, 2], [None, None, None], [2, None, 1]]),
    Numberlink(
        [[1, None, None, 2], [None, 3, None, None], [None, None, 3, None], [2, None, None, 1]]
    ),
    Numberlink([[1, 2, None], [None, None, None], [None, 2, 1]]),
    Numberlink([[1, 2, 3], [None, None, None], [None, None, None], [1, 2, 3]]),
    Numberlink([[1, None, None], [None, None, 2], [1, None, None], [2, None, None]]),
)


@pytest.mark.parametrize(
    ("rows", "cols"),
    [
        *((2, 2), (1, 5), (2, 4), (3, 3)),
        *(pytest.param(3, 4, marks=heavy), pytest.param(4, 4, marks=lengthy)),
    ],
)
def test_a_solution_is_unique_iff_it_has_no_other_route_and_is_the_only_taut_one(rows, cols):
    lattice = Lattice(rows, cols)
    rigid = 0
    for mate, systems in brute_force.systems_by_ends(rows, cols).items():
        solutions = [Solution(lattice, edges) for edges in systems]
        taut = [solution for solution in solutions if is_taut(solution)]
        # What has a solution has a taut one.
        assert taut
        puzzle = Numberlink.from_pairs(rows, cols, mate)
        for solution in solutions:
            other = rerouted(lattice, solution.edges)
            if other is not None:
                assert other in systems
                assert other != solution.edges
                assert len(solutions) > 1
            else:
                assert (len(solutions) == 1) == (taut == [solution])
                rigid += 1
        assert check_solution(puzzle, solutions[0])
    assert rigid


@pytest.mark.parametrize(
    ("rows", "cols", "sides"),
    [
        (2, 3, SIDES),
        (4, 2, SIDES),
        (3, 3, ("bottom",)),
        pytest.param(2, 5, SIDES, marks=heavy),
        pytest.param(3, 3, ("left", "top", "right"), marks=heavy),
        pytest.param(3, 4, SIDES, marks=heavy),
    ],
)
def test_the_clauses_leave_every_taut_solution(rows, cols, sides):
    """They say more than the definition, and must still hold of every taut solution."""
    for side in sides:
        check_clauses(rows, cols, side)


def check_clauses(rows, cols, side):
    lattice = Lattice(rows, cols)
    checked = 0
    for mate, systems in brute_force.systems_by_ends(rows, cols).items():
        taut = {edges for edges in systems if is_taut(Solution(lattice, edges), side)}
        model = Numberlink.from_pairs(rows, cols, mate).model
        left = set()
        with LazySearch(model) as search:
            search.state_taut(search.colour(Deadline(None)), Deadline(None), side)
            while (found := search.next_solution([], Deadline(None))) is not None:
                left.add(tuple(found))
                search.add([[-1 - edge for edge in found]])
        assert taut <= left <= set(systems)
        checked += len(taut)
    assert checked


@pytest.mark.parametrize(
    ("rows", "cols"),
    [(2, 3), (2, 4), (3, 3), *(pytest.param(*size, marks=heavy) for size in ((2, 5), (3, 4)))],
)
def test_both_engines_decide_every_board_that_has_a_solution(rows, cols):
    for mate, systems in brute_force.systems_by_ends(rows, cols).items():
        puzzle = Numberlink.from_pairs(rows, cols, mate)
        for engine in ("sat", "frontier"):
            verdict = decide(puzzle, engine=engine)
            assert verdict.status == ("unique" if len(systems) == 1 else "many")
            assert {solution.edges for solution in verdict.solutions} <= set(systems)
            assert len(set(verdict.solutions)) == len(verdict.solutions)


@st.composite
def boards(draw):
    """Terminals anywhere: mostly boards with many solutions, or none."""
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(2, 6))
    cells = draw(st.permutations([(row, col) for row in range(rows) for col in range(cols)]))
    pairs = draw(st.integers(1, min(5, len(cells) // 2)))
    ends = cells[: 2 * pairs]
    return Numberlink.from_pairs(rows, cols, zip(ends[::2], ends[1::2], strict=True))


@st.composite
def solvable_boards(draw):
    """The ends of paths that cover the board in rows, cut and joined at random."""
    rows, cols = draw(st.integers(2, 6)), draw(st.integers(3, 6))
    snake = [
        (row, col if row % 2 == 0 else cols - 1 - col) for row in range(rows) for col in range(cols)
    ]
    pairs, start = [], 0
    while len(snake) - start >= 2:
        length = draw(st.integers(2, min(9, len(snake) - start)))
        if draw(st.booleans()):
            pairs.append((snake[start], snake[start + length - 1]))
        start += length
    return Numberlink.from_pairs(rows, cols, pairs or [(snake[0], snake[-1])])


@given(boards() | solvable_boards())
def test_both_engines_and_the_count_agree(puzzle):
    number = min(2, count(puzzle, engine="frontier"))
    for engine in ("sat", "frontier"):
        verdict = decide(puzzle, engine=engine)
        assert verdict.status == ("none", "unique", "many")[number]
        assert len(verdict.solutions) == len(set(verdict.solutions)) == number
        assert all(check_solution(puzzle, solution) for solution in verdict.solutions)


#: Where a cell is when a side of the board is down, far enough to tell below from above.
TURNED = {
    "bottom": lambda row, col: (row, col),
    "top": lambda row, col: (-row, col),
    "right": lambda row, col: (col, row),
    "left": lambda row, col: (-col, row),
}


@pytest.mark.parametrize("side", SIDES)
def test_every_board_is_decided_whatever_side_is_down(side):
    for mate, systems in brute_force.systems_by_ends(3, 3).items():
        with Oracle(Numberlink.from_pairs(3, 3, mate), side=side) as oracle:
            verdict = oracle.ask()
        assert verdict.status == ("unique" if len(systems) == 1 else "many")
        assert {solution.edges for solution in verdict.solutions} <= set(systems)


def test_a_side_that_no_board_has_is_refused():
    with pytest.raises(ValueError, match="expected a side out of bottom, top, right, left; got"):
        Oracle(BOARDS[0], side="down")


def is_taut(solution: Solution, side: str = "bottom") -> bool:
    """Nothing to straighten, and no corner that could be pushed down: by definition."""
    walks = [[TURNED[side](*cell) for cell in walk] for walk in solution.paths()]
    used = {cell for walk in walks for cell in walk}
    for walk in walks:
        for a, corner, b in zip(walk, walk[1:], walk[2:], strict=False):
            below = (a[0] + b[0] - corner[0], a[1] + b[1] - corner[1])
            if a[0] != b[0] and below[0] > corner[0] and below not in used:
                return False
        for (i, u), (j, v) in combinations(enumerate(walk), 2):
            distance = abs(u[0] - v[0]) + abs(u[1] - v[1])
            aligned = u[0] == v[0] or u[1] == v[1]
            if aligned and j - i > distance and not between(u, v) & used:
                return False
    return True


def between(u: tuple[int, int], v: tuple[int, int]) -> set[tuple[int, int]]:
    """The cells between two of one row or column."""
    (top, bottom), (left, right) = sorted((u[0], v[0])), sorted((u[1], v[1]))
    line = {(row, col) for row in range(top, bottom + 1) for col in range(left, right + 1)}
    return line - {u, v}


def test_what_taut_means():
    lattice = Lattice(3, 3)

    def solution(*cells: tuple[int, int]) -> Solution:
        return Solution(lattice, tuple(lattice.edge(u, v) for u, v in pairwise(cells)))

    assert is_taut(solution((0, 0), (1, 0), (2, 0), (2, 1), (2, 2)))
    # A corner at the top left, nothing below it.
    assert not is_taut(solution((1, 0), (0, 0), (0, 1)))
    # A cup with nothing in it.
    assert not is_taut(solution((0, 0), (1, 0), (1, 1), (1, 2), (0, 2)))
    # A chord.
    assert not is_taut(solution((1, 1), (2, 1), (2, 2), (1, 2)))


@pytest.mark.parametrize(("rows", "cols"), [(2, 5), (3, 3), pytest.param(3, 4, marks=heavy)])
def test_a_solution_that_fills_the_board_is_found_first(rows, cols):
    lattice = Lattice(rows, cols)
    filled = 0
    for mate, systems in brute_force.systems_by_ends(rows, cols).items():
        puzzle = Numberlink.from_pairs(rows, cols, mate)
        most = rows * cols - len(puzzle.model.terminals)
        if any(len(edges) == most and is_taut(Solution(lattice, edges)) for edges in systems):
            with Oracle(puzzle) as oracle:
                assert len(oracle.ask().solutions[0].edges) == most
            filled += 1
    assert filled


def test_a_board_is_decided_where_filling_it_takes_too_long(monkeypatch):
    """The search for a solution that fills the board is given up after some conflicts."""
    given_up = []

    def brief(self, conflicts):
        given_up.append(conflicts)
        raise ConflictLimit("no time at all")

    expected = [(puzzle, decide(puzzle, engine="sat").status) for puzzle in BOARDS]
    monkeypatch.setattr(Deadline, "with_conflicts", brief)
    for puzzle, status in expected:
        with Oracle(puzzle) as oracle:
            assert oracle.ask().status == status
    assert given_up
    assert {status for _, status in expected} == {"none", "unique", "many"}

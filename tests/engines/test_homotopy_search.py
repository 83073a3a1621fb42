"""Boards decided way by way to lead their paths, against brute force and the other engine."""

from __future__ import annotations

import random
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from linkoracle import Numberlink, check_solution, decide
from linkoracle.board import Lattice, LinkModel, Solution
from linkoracle.core import ConflictLimit, Deadline, SearchTimeout
from linkoracle.engines import LazySearch, Oracle, taut_search
from linkoracle.engines.clauses import other_than
from linkoracle.engines.homotopy import HomotopySearch
from linkoracle.engines.taut_search import Cubes, orders
from linkoracle.generate import numberlink
from tests import brute_force
from tests.engines.test_racing import hard
from tests.test_rerouting import is_taut

heavy = pytest.mark.heavy
NEVER = Deadline(None)


@contextmanager
def searching(model: LinkModel):
    """The search on cells, the literal of taut solutions, and the search by ways."""
    with LazySearch(model) as search:
        colours = search.colour(NEVER)
        used, taut = search.state_taut(colours, NEVER, guarded=True)

        def find(assumed, deadline):
            edges = search.next_solution(assumed, deadline)
            return None if edges is None else Solution(model.lattice, edges)

        ways = HomotopySearch(search, colours, used, find, NEVER)
        yield search, taut, ways
        ways.close()


def listed(model: LinkModel, cubes=(None,)) -> set[tuple[int, ...]]:
    """All that is found, each excluded after it was."""
    found = set()
    with searching(model) as (search, taut, ways):
        assumed = [taut]
        for number in cubes:
            cube = None if number is None else ways.cube(number, 2)
            if number is not None and cube is None:
                continue
            while (solution := ways.find(assumed, NEVER, cube)) is not None:
                assert solution.edges not in found
                found.add(solution.edges)
                # As an assumption, the way in which uniqueness is asked for.
                differs = search.new_variables(1)
                search.add([[-differs, *other_than(solution.edges)]])
                assumed.append(differs)
    return found


@pytest.mark.parametrize("cubes", [(None,), (3, 1, 0, 2)])
@pytest.mark.parametrize(
    ("rows", "cols", "step"),
    [
        (2, 4, 1),
        (3, 3, 4),
        *(pytest.param(*size, 1, marks=heavy) for size in ((3, 3), (2, 5), (3, 4))),
    ],
)
def test_every_taut_solution_of_a_small_board_is_found(rows, cols, step, cubes):
    lattice = Lattice(rows, cols)
    checked = 0
    for mate, systems in list(brute_force.systems_by_ends(rows, cols).items())[::step]:
        taut = {edges for edges in systems if is_taut(Solution(lattice, edges))}
        pairs = [(lattice.vertex(*one), lattice.vertex(*other)) for one, other in mate]
        found = listed(LinkModel.blank_paths(lattice, pairs), cubes)
        assert taut <= found <= set(systems)
        checked += len(taut)
    assert checked


def boards(seeds):
    for seed in seeds:
        rng = random.Random(seed)
        rows, cols = rng.randint(4, 8), rng.randint(4, 8)
        cells = rng.sample(range(rows * cols), 2 * rng.randint(2, rows))
        places = [divmod(cell, cols) for cell in cells]
        yield Numberlink.from_pairs(rows, cols, zip(places[::2], places[1::2], strict=True))


@pytest.mark.parametrize(
    ("seeds", "divided"),
    [(range(150), 24), (range(150), 1), pytest.param(range(150, 3000), 24, marks=heavy)],
)
def test_boards_are_decided_as_by_the_frontier_engine(seeds, divided, monkeypatch):
    """Random pairs mostly have no solution, or several; `test_puzzles_are_unique` has one."""
    monkeypatch.setattr(taut_search, "DIVIDED", divided)
    monkeypatch.setattr(taut_search.TautSearch, "near", lambda *_: None)
    seen = set()
    for puzzle in boards(seeds):
        expected = decide(puzzle, engine="frontier")
        seen.add(expected.status)
        found = listed_first_two(puzzle)
        assert len(found) == len(expected.solutions)
        assert all(check_solution(puzzle, solution) for solution in found)
    assert seen == {"none", "unique", "many"}


def listed_first_two(puzzle: Numberlink) -> set[Solution]:
    """As `Oracle` asks, but by ways from the first conflict on."""
    with Oracle(puzzle) as oracle:
        taut = oracle._taut
        taut.only()
        taut._homotopy = HomotopySearch(
            oracle._search, taut._colours, taut._used, oracle._find, NEVER
        )
        return set(oracle.ask().solutions)


@pytest.mark.parametrize("seed", range(3))
def test_puzzles_are_unique(seed):
    puzzle = numberlink(10, 10, seed=seed).puzzle.with_variant("free")
    assert len(listed_first_two(puzzle)) == 1


def test_holes_are_no_cells():
    """A wall with a gap of one cell lets one of two paths through."""
    lattice = Lattice(5, 7)
    wall = {lattice.vertex(row, 3) for row in (0, 1, 3, 4)}
    model = LinkModel.blank_paths(lattice, [(lattice.vertex(1, 0), lattice.vertex(1, 6)), (28, 34)])
    assert listed(model)
    assert not listed(model.with_holes(wall))
    one = LinkModel.blank_paths(lattice, [(lattice.vertex(1, 0), lattice.vertex(1, 6))])
    assert len(listed(one.with_holes(wall))) == 1


def test_limits_end_the_search_and_it_can_be_asked_again():
    with searching(hard()) as (_, taut, ways):
        for _ in range(2):
            with pytest.raises(ConflictLimit):
                ways.find([taut], Deadline(None, 2_000))
            with pytest.raises(SearchTimeout):
                ways.find([taut], Deadline(0.2))


def test_stating_what_is_asked_ends_with_the_deadline():
    model = hard()
    with LazySearch(model) as search:
        colours = search.colour(NEVER)
        used, _ = search.state_taut(colours, NEVER)
        with pytest.raises(SearchTimeout):
            HomotopySearch(search, colours, used, lambda *_: None, Deadline(1e-9))


def test_a_cube_that_others_have_decided_is_not_sought_again(monkeypatch):
    """What they know besides is a solution, and counts as one."""
    taken = []

    def find(self, assumed, deadline, cube=None):
        taken.append(cube)

    monkeypatch.setattr(HomotopySearch, "find", find)
    monkeypatch.setattr(taut_search.TautSearch, "near", lambda *_: None)
    puzzle = Numberlink([[1, None, 2], [None, None, None], [1, None, 2]])
    first, second = decide(puzzle).solutions
    for known, answer in ((None, None), (first, None), (second, second)):
        with Oracle(puzzle) as oracle:
            taut = oracle._taut
            taut.only()
            taut._homotopy = HomotopySearch(
                oracle._search, taut._colours, taut._used, oracle._find, NEVER
            )
            oracle.share(Cubes(orders(2)[0]))
            for cube in range(4):
                taut.cubes.decided[cube] = known
            assert taut.second(first, [1, -1], NEVER) == answer
    assert not taken


def test_every_cube_is_in_every_order():
    for processes in range(1, 5):
        found = orders(processes)
        assert len(found) == processes
        assert all(sorted(order) == sorted(found[0]) for order in found)
        assert len({tuple(order) for order in found}) == processes


@pytest.mark.parametrize("answered", range(1, 6))
def test_on_large_boards_two_searches_have_turns(answered, monkeypatch):
    monkeypatch.setattr(taut_search, "DIVIDED", 2)
    asked = []

    def search(name):
        def find(assumed, deadline):
            asked.append((name, deadline.conflicts))
            if len(asked) < answered:
                deadline.spend(deadline.conflicts)

        return find

    with Oracle(Numberlink([[1, 2, 3], [1, 2, 3]])) as oracle:
        taut = oracle._taut
        taut._find = search("cells")
        taut._homotopy = SimpleNamespace(find=search("classes"), close=bool)
        assert taut.find([], None, NEVER) is None
        assert (
            asked
            == [
                ("classes", 4_000),
                ("cells", 4_000),
                ("classes", 8_000),
                ("cells", 8_000),
                ("classes", 16_000),
            ][:answered]
        )
        answered, asked[:] = 6, []
        with pytest.raises(ConflictLimit):
            taut.find([], None, Deadline(None, 3_000))
        assert asked == [("classes", 1_500), ("cells", 1_500)]


def test_boards_of_very_many_pairs_are_searched_on_cells(monkeypatch):
    monkeypatch.setattr(taut_search, "_MOST_PAIRS", 1)
    with Oracle(Numberlink([[1, 2, 3], [1, 2, 3]])) as oracle:
        assert oracle._taut.on_cells
        oracle._taut._left_on_cells = 0
        assert oracle.ask().status == "unique"
        assert oracle._taut._homotopy is None

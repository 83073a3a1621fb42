"""Links that are changed where the board has a second solution."""

from __future__ import annotations

from itertools import chain, islice, pairwise, product
from typing import get_args

import pytest

import linkoracle
from linkoracle import boards, check_solution
from linkoracle.board import Lattice, Solution
from linkoracle.core import ConflictLimit, Deadline, NothingFound, SearchTimeout, source
from linkoracle.engines import Oracle, another_covering, another_in_part, lanes
from linkoracle.generate import NumberlinkRequest, attempts, numberlink
from linkoracle.generate.paths import link_repair
from linkoracle.generate.paths.link_repair import LinkRepair
from linkoracle.generate.paths.maker import links
from linkoracle.generate.paths.windows import part, rectangle, returning, second, windows_of
from linkoracle.kinds import Variant
from tests.engines.test_lanes import coverings, filled

NEVER = Deadline(None)
#: Boards with windows, of which many have second solutions when they are laid.
REQUESTS = [
    NumberlinkRequest(14, 16, pairs=20),
    NumberlinkRequest(15, 15, pairs=19, symmetry="half-turn"),
    NumberlinkRequest(12, 13, pairs=18, variant="fill"),
    NumberlinkRequest(board=boards.honeycomb(8, 8), pairs=16, variant="fill"),
]


def laid(request, seed):
    rng = source(seed, 0)
    system = links(request.paths, rng, NEVER)
    return system, LinkRepair(system, request.paths, rng, NEVER, lambda: False)


def steps(solution):
    return {frozenset(solution.board.ends(edge)) for edge in solution.edges}


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.faces.cells_in_words)
def test_a_second_solution_of_a_window_is_one_of_the_board(request_):
    found = 0
    for seed in range(4):
        system, _ = laid(request_, seed)
        board = system.board
        puzzle, solution = system.puzzle(request_.plan.blank), system.solution()
        for window in chain.from_iterable(windows_of(board).every()):
            inner = second(system, window, request_.variant, NEVER)
            if inner is None:
                continue
            cells = {*window.cells, *returning(system, window)}
            other = inner | {step for step in steps(solution) if not step <= cells}
            edges = (board.edge(*map(board.position, step)) for step in other)
            other = Solution(board, tuple(sorted(edges)))
            assert other != solution
            assert check_solution(puzzle, other)
            found += 1
    assert found > 5


@pytest.mark.parametrize("variant", ["free", "fill"])
def test_parts_are_unique_iff_the_other_engine_finds_one_solution(variant):
    """Parts of boards with few links: many have several solutions, and most have holes."""
    seen = {True: 0, False: 0}
    holes = 0
    for seed in range(9):
        system, _ = laid(NumberlinkRequest(9, 9, pairs=(5, 7), variant=variant, min_length=2), seed)
        for top, left in ((0, 0), (1, 2), (2, 1), (2, 2), (0, 1)):
            model, chosen = part(system, rectangle(system.board, top, left, 7, 7), variant)
            found = another_in_part(model, chosen, NEVER)
            every = {one.edges for one in linkoracle.solutions(model, engine="frontier")}
            assert chosen in every
            assert found in every - {chosen} if len(every) > 1 else found is None
            seen[found is None] += 1
            holes += len(model.holes)
    assert min(seen.values()) > 5
    assert holes > 10


@pytest.mark.parametrize("variant", ["free", "fill"])
def test_windows_show_all_that_differs_inside_even_if_pieces_of_a_path_change_places(variant):
    """Compare with the solutions of the board; a window alone would not join pieces otherwise."""
    seen = exchanged = 0
    for seed in range(12):
        request_ = NumberlinkRequest(7, 7, pairs=(3, 4), variant=variant, min_length=2)
        system, _ = laid(request_, seed)
        model, chosen = system.puzzle(request_.plan.blank).model, {*system.solution().edges}
        for top, left in product((0, 1, 2), repeat=2):
            window = rectangle(system.board, top, left, 5, 5)
            cells = {*window.cells}
            outside = {
                e for e in range(model.board.num_edges) if not cells >= {*model.board.ends(e)}
            }
            alike = model.with_edges(outside & chosen, outside - chosen)
            if len(list(islice(linkoracle.solutions(alike, engine="frontier"), 2))) > 1:
                assert second(system, window, variant, NEVER) is not None
                seen += 1
                exchanged += another_in_part(*part(system, window, variant), NEVER) is None
    assert seen > 10
    assert exchanged


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.faces.cells_in_words)
def test_calm_boards_have_no_second_solution_in_any_window(request_):
    """Check with new searches, without results from before a change."""
    changed = 0
    for seed in range(4):
        system, repair = laid(request_, seed)
        before = system.solution()
        if not repair.calm():
            continue
        assert request_.paths.misses(system) == 0
        for window in chain.from_iterable(windows_of(system.board).every()):
            assert second(system, window, request_.variant, NEVER) is None
        for image in request_.paths.images:
            for cell, near in enumerate(system.linked):
                assert {image[other] for other in near} == set(system.linked[image[cell]])
        changed += system.solution() != before
    assert changed


@pytest.mark.parametrize("least", [2, pytest.param(3, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.faces.cells_in_words)
def test_what_is_refuted_is_no_solution_any_more(request_, least):
    refuted = 0
    for seed in range(6):
        if refuted >= least:
            break
        system, repair = laid(request_, seed)
        for _ in range(3):
            puzzle, solution = system.puzzle(request_.plan.blank), system.solution()
            with Oracle(puzzle) as oracle:
                other = oracle.another(solution)
            if other is None or not repair.refute(other):
                break
            after = system.puzzle(request_.plan.blank)
            assert check_solution(after, system.solution())
            assert not check_solution(after, other)
            assert request_.paths.misses(system) == 0
            refuted += 1
    assert refuted


def test_boards_that_do_not_become_calm_are_given_up(monkeypatch):
    monkeypatch.setattr(link_repair, "second", lambda *_: frozenset())
    with pytest.raises(NothingFound, match=r"2 with second solutions in parts"):
        numberlink(15, 15, tries=2, seed=0)


def test_without_repairs_no_window_is_asked_about(monkeypatch):
    monkeypatch.setattr(link_repair, "second", lambda *_: pytest.fail("searched"))
    with pytest.raises(NothingFound, match=r"2 with a second solution"):
        numberlink(15, 15, tries=2, repairs=0, seed=1)


def test_boards_without_rows_whose_cells_are_all_used_are_made():
    """On a honeycomb, hardly any has one solution that was not repaired in its parts."""
    made = numberlink(boards.honeycomb(10, 10), variant="fill", seed=3)
    assert list(linkoracle.solutions(made.puzzle, engine="plain")) == [made.solution]


def test_time_limits_end_it():
    paths = REQUESTS[0].paths
    rng = source(1, 0)
    system = links(paths, rng, NEVER)
    with pytest.raises(SearchTimeout):
        LinkRepair(system, paths, rng, Deadline(1e-9), lambda: False).calm()


@pytest.mark.heavy
@pytest.mark.parametrize("side", [30, 40])
def test_large_boards_are_made(side):
    made = numberlink(side, side, seed=1)
    paths = made.solution.paths()
    assert sum(map(len, paths)) == side * side
    assert all(len(path) == len(set(path)) and len(path) >= 4 for path in paths)
    assert all(
        abs(row - to_row) + abs(col - to_col) == 1
        for path in paths
        for (row, col), (to_row, to_col) in pairwise(path)
    )
    with Oracle(made.puzzle, side="left") as oracle:
        assert oracle.another(made.solution) is None


def test_windows_are_decided_where_paths_may_be_laid_in_other_ways():
    """Paths apart that use all cells can hardly ever be laid in two ways: see `Rectangles`."""
    for board, variants in (
        (Lattice(20, 20), ["free", "fill"]),
        (boards.honeycomb(8, 8), ["fill", "fill-apart"]),
    ):
        assert [v for v in get_args(Variant) if v in windows_of(board).variants] == variants


@pytest.mark.parametrize("seed", range(3))
def test_paths_apart_are_made_without_the_solver(monkeypatch, seed):
    monkeypatch.setattr(link_repair, "second", lambda *_: pytest.fail("searched"))
    monkeypatch.setattr(attempts, "Oracle", lambda *_: pytest.fail("encoded"))
    made = numberlink(18, 17, variant="fill-apart", seed=seed)
    assert linkoracle.decide(made.puzzle, engine="sat").solutions == (made.solution,)


def test_the_only_other_covering_is_found():
    """The four sets of ends on 4x4 cells with two coverings, each seen from both."""
    seen = 0
    for pairs, every in coverings(4, 4).items():
        if len(every) == 2:
            model = filled(Lattice(4, 4), pairs)
            for known in every:
                other = another_covering(model, known, NEVER)
                assert {other.edges} == every - {known}
                seen += 1
    assert seen == 8


def test_a_search_along_lanes_costs_conflicts(monkeypatch):
    made = numberlink(8, 8, variant="fill-apart", seed=1)
    monkeypatch.setattr(lanes, "CELLS", 1)
    with pytest.raises(ConflictLimit):
        another_covering(made.puzzle.model, made.solution.edges, Deadline(None, 1_000))

"""Which engine answers, and what happens at the limits."""

from __future__ import annotations

import dataclasses
import math
import random
import re
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import assume, given, settings

import linkoracle
from linkoracle import (
    Board,
    LinkModel,
    MemoryLimit,
    NotSupported,
    Numberlink,
    SearchTimeout,
    Slitherlink,
)
from linkoracle.boards import made
from linkoracle.engines import Oracle, Query, schedule, search
from linkoracle.frontier.sweep import Sweep
from linkoracle.solving import Options
from tests import boards, constrained
from tests.strategies import slitherlinks

INSTANCES = Path(__file__).resolve().parents[1] / "instances"

SMALL = Slitherlink.blank(3, 3)  # 213 loops, OEIS A140517
LARGE = Slitherlink.blank(11, 11)


def test_few_solutions_are_counted_by_sat_and_many_by_the_frontier():
    assert linkoracle.count_result(Slitherlink.blank(2, 3)).engine == "sat"
    assert linkoracle.count_result(SMALL).engine == "frontier"
    assert linkoracle.count_result(SMALL, 100).engine == "sat"
    assert linkoracle.count_result(SMALL, 150) == linkoracle.CountResult(150, False, "frontier")
    assert linkoracle.count_result(SMALL, 213) == linkoracle.CountResult(213, True, "frontier")
    assert linkoracle.count_result(SMALL, engine="sat") == linkoracle.CountResult(213, True, "sat")
    assert len(linkoracle.count_result(SMALL, 10**40, keep=True).solutions) == 213
    assert linkoracle.count_result(Numberlink([[1, 1]]), engine="frontier").engine == "frontier"


def test_huge_counts_are_exact():
    """OEIS A140517, the term for 11x11 cells: 30 digits."""
    assert linkoracle.count(LARGE) == 109331355810135629946698361371
    assert linkoracle.count(LARGE, limit=10**20) == 10**20


def test_listing_goes_over_to_the_frontier_without_repeating():
    for engine in linkoracle.ENGINES:
        listed = list(linkoracle.solutions(SMALL, engine=engine))
        assert len(listed) == len(set(listed)) == 213
    kept = linkoracle.count_result(SMALL, keep=True).solutions
    assert len(set(kept)) == 213
    assert len(set(linkoracle.count_result(SMALL, 120, keep=True).solutions)) == 120


def test_too_little_memory_is_told_or_done_without():
    ruled = LARGE.with_clues({(0, 0): 3})
    with pytest.raises(MemoryLimit, match=r"reached vertex \d+ of"):
        linkoracle.count(ruled, memory=1_000_000)
    with pytest.raises(MemoryLimit, match=r"170 kB of memory \(limit: 100 kB\)"):
        linkoracle.count(LARGE, memory=100_000)
    listed = list(islice(linkoracle.solutions(LARGE, memory=1_000_000), 130))
    assert len(set(listed)) == 130
    for solution in listed:
        assert linkoracle.check_solution(LARGE, solution)


@pytest.fixture
def impatient(monkeypatch):
    """SAT gives up at the first conflict, as it does on a hard Numberlink much later."""
    monkeypatch.setattr(search, "PIECE", 1)
    for module in (schedule, linkoracle.solving):
        monkeypatch.setattr(module, "CONFLICT_BUDGET", 1)


HARD = [
    # Unique, ambiguous, impossible: what SAT gives up on, the frontier engine decides.
    ("numberlink-8x8.txt", 1),
    ("numberlink-10x10.txt", 1),
    ("numberlink-fill-9x12.txt", 1),
    ("numberlink-several.txt", 1786),
    ("numberlink-none.txt", 0),
]


@pytest.mark.parametrize("memory", [None, 100_000])
@pytest.mark.parametrize(("name", "number"), HARD)
def test_a_numberlink_that_sat_gives_up_is_decided_all_the_same(impatient, name, number, memory):
    """By the frontier engine, and where that has too little memory, by SAT after all."""
    puzzle = linkoracle.read(INSTANCES / name)
    verdict = linkoracle.decide(puzzle, memory=memory)
    assert verdict.status == ("none", "unique", "many")[min(2, number)]
    assert all(linkoracle.check_solution(puzzle, solution) for solution in verdict.solutions)
    assert linkoracle.is_unique(puzzle, memory=memory) == (number == 1)
    assert linkoracle.count(puzzle, 3, memory=memory) == min(3, number)
    listed = list(islice(linkoracle.solutions(puzzle, memory=memory), 150))
    assert len(listed) == len(set(listed)) == min(150, number)


def test_a_time_limit_holds_for_the_frontier_too():
    with pytest.raises(SearchTimeout):
        linkoracle.count(Slitherlink.blank(18, 18), engine="frontier", timeout=0.3)
    with pytest.raises(SearchTimeout):
        list(linkoracle.solutions(Slitherlink.blank(14, 14), engine="frontier", timeout=0.3))


def test_progress_tells_what_is_done():
    reports = []
    linkoracle.count_result(SMALL, progress=lambda line, share: reports.append((line, share)))
    steps = [share for line, share in reports if line.startswith("step")]
    assert steps == sorted(steps)
    assert steps[-1] <= 1
    reports.clear()
    linkoracle.count_result(
        SMALL, engine="sat", progress=lambda line, share: reports.append((line, share))
    )
    assert ("100 solutions so far", None) in reports


def test_a_diagram_knows_all_loops():
    """OEIS A302337: cycles by length in the grid of 4x4 vertices."""
    loops = linkoracle.diagram(SMALL)
    assert list(loops.by_length().items()) == [
        (4, 9),
        (6, 12),
        (8, 26),
        (10, 52),
        (12, 76),
        (14, 32),
        (16, 6),
    ]


class Anything:
    """Not a puzzle of any kind, but it has a model."""

    model = SMALL.model


@pytest.mark.parametrize("puzzle", [SMALL, SMALL.model, Anything()], ids=["puzzle", "model", "any"])
def test_every_function_takes_what_has_a_model(puzzle):
    assert linkoracle.count(puzzle) == 213
    assert linkoracle.count_result(puzzle, 3).count == 3
    assert linkoracle.decide(puzzle).status == "many"
    assert not linkoracle.is_unique(puzzle)
    assert linkoracle.check_solution(SMALL, linkoracle.solve(puzzle))
    assert len(set(linkoracle.solutions(puzzle))) == 213
    assert linkoracle.diagram(puzzle).count() == 213


FUNCTIONS = [
    linkoracle.count,
    linkoracle.count_result,
    linkoracle.decide,
    linkoracle.is_unique,
    linkoracle.solve,
    linkoracle.solutions,
    linkoracle.diagram,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_what_has_no_model_is_refused(function):
    for wrong in (None, "3", [[3]], object()):
        with pytest.raises(ValueError, match=re.escape(f"something with a .model, got {wrong!r}")):
            function(wrong)


BAD = [
    *({"timeout": value} for value in (0, -1, math.nan, "3", True)),
    *({"memory": value} for value in (0, -5, 1.5, True, "4GB")),
    *({"engine": value} for value in ("x", "", None)),
    *({"solver": value} for value in ("x", "", 0)),
]


@pytest.mark.parametrize("options", BAD, ids=repr)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_options_that_make_no_sense_are_refused(function, options):
    """At once, with the value and what was expected."""
    (value,) = options.values()
    if function is linkoracle.diagram and set(options) & {"engine", "solver"}:
        with pytest.raises(TypeError):
            function(SMALL, **options)
        return
    with pytest.raises(ValueError, match=rf"expected .*got {re.escape(repr(value))}"):
        function(SMALL, **options)


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "3", math.nan])
def test_limits_that_make_no_sense_are_refused(limit):
    for function in (linkoracle.count, linkoracle.count_result):
        with pytest.raises(ValueError, match=f"expected a limit from 1, got {limit!r}"):
            function(SMALL, limit)


def test_an_unknown_option_is_refused():
    with pytest.raises(TypeError, match="engin"):
        linkoracle.count(SMALL, engin="sat")


def test_the_options_are_those_of_a_question():
    assert set(Options.__annotations__) < {field.name for field in dataclasses.fields(Query)}


def test_a_list_has_all_its_time_from_the_first_on(clock):
    listing = linkoracle.solutions(SMALL, timeout=0.2)
    clock.now = 0.3
    assert next(listing)
    clock.now = 0.6
    with pytest.raises(SearchTimeout):
        list(listing)


@pytest.mark.parametrize("rows", [3, 5])
def test_a_blank_thin_board_is_not_listed_first(monkeypatch, rows):
    """SAT took 76 seconds to list a hundred loops of 3x2000, to throw them away."""

    def refused(*_, **__):
        raise AssertionError("SAT was used")

    monkeypatch.setattr(Oracle, "__init__", refused)
    board = Slitherlink.blank(rows, 300)
    found = linkoracle.count_result(board)
    assert (found.engine, found.exact) == ("frontier", True)
    assert len(str(found.count)) > 100
    assert len(list(islice(linkoracle.solutions(board), 150))) == 150
    with pytest.raises(AssertionError, match="SAT was used"):
        linkoracle.decide(board, engine="sat")


BLANK = {
    **{
        kind: lambda size, kind=kind: linkoracle.read("\n".join([kind, *[size * "."] * size]))
        for kind in ("slitherlink", "masyu", "castlewall", "countryroad", "shingoki")
    },
    **{
        tiling: lambda size, tiling=tiling: Slitherlink.on(made(tiling, size // 2, size // 2), {})
        for tiling in ("honeycomb", "cairo")
    },
}


@pytest.mark.parametrize("name", BLANK)
@pytest.mark.parametrize("size", [60, pytest.param(200, marks=pytest.mark.heavy)])
def test_loops_of_a_large_blank_board_are_found_without_an_engine(monkeypatch, name, size):
    def refused(*_, **__):
        raise AssertionError("an engine was used")

    puzzle = BLANK[name](size)
    for engine in (Oracle, Sweep):
        monkeypatch.setattr(engine, "__init__", refused)
    for limit in (1, 2, 100):
        found = linkoracle.count_result(puzzle, limit, keep=True)
        assert (found.count, found.exact, found.engine) == (limit, False, "direct")
        assert len({*found.solutions}) == limit
        assert all(linkoracle.check_solution(puzzle, one) for one in found.solutions)
    assert linkoracle.decide(puzzle, core=True).status == "many"
    assert not linkoracle.is_unique(puzzle)
    assert len({*islice(linkoracle.solutions(puzzle), 300)}) == 300
    model = puzzle.model.with_edges(forbidden=range(50)).with_holes(range(100, 200))
    edges = {edge for one in islice(linkoracle.solutions(model), 300) for edge in one.edges}
    for engine in ("sat", "frontier"):
        with pytest.raises(AssertionError, match="an engine was used"):
            linkoracle.count(SMALL, engine=engine)
    assert edges.isdisjoint(range(50))
    assert not any(100 <= end < 200 for edge in edges for end in puzzle.model.board.ends(edge))


def test_a_large_board_with_few_cycles_is_left_to_the_engines():
    size = schedule.LARGE_EDGES
    ring = LinkModel.blank_loop(Board(size, [(k, (k + 1) % size) for k in range(size)]))
    found = linkoracle.count_result(ring, 1)
    assert (found.count, found.exact) == (1, True)
    assert found.engine != "direct"
    assert linkoracle.decide(ring).status == "unique"
    tree = LinkModel.blank_loop(Board(size, [(k, k + 1) for k in range(size - 1)]))
    assert linkoracle.decide(tree).status == "none"


@pytest.mark.parametrize("seed", range(60))
def test_lists_begin_with_cycles_that_need_no_engine(monkeypatch, seed):
    """All solutions, each once, whichever come first, on boards small enough to try all."""
    rng = random.Random(seed)
    monkeypatch.setattr(schedule, "LARGE_EDGES", 0)
    board = boards.random_board(rng)
    model = LinkModel.blank_loop(board).with_holes({rng.randrange(board.num_vertices)})
    model = model.with_edges(forbidden={*rng.sample(range(board.num_edges), board.num_edges // 8)})
    if rng.random() < 0.3:
        model = constrained.random_model(rng, board)
    expected = constrained.solutions(model)
    listed = [solution.edges for solution in linkoracle.solutions(model)]
    assert len(listed) == len(expected)
    assert {*listed} == expected
    for limit in (1, 2, 3, 10):
        found = linkoracle.count_result(model, limit, keep=True)
        assert found.count == min(limit, len(expected))
        assert found.exact == (len(expected) <= limit)
        assert {solution.edges for solution in found.solutions} <= expected
    assert linkoracle.decide(model).status == ("none", "unique", "many")[min(2, len(expected))]


@pytest.mark.parametrize("size", [30, pytest.param(200, marks=pytest.mark.heavy)])
def test_sparse_boards(size):
    """A loop round all rows but the last, as a comb, and a few per cent of its clues."""
    rng = random.Random(size)
    inside = {
        (row, col) for row in range(size - 1) for col in range(size) if not col % 2 or not row
    }
    for share in (0.02, 0.05):
        clues = {
            (row, col): sum(
                ((row, col) in inside) != (beside in inside)
                for beside in [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
            )
            for row in range(size)
            for col in range(size)
            if rng.random() < share
        }
        grid = [[clues.get((row, col)) for col in range(size)] for row in range(size)]
        puzzle = Slitherlink(grid)
        verdict = linkoracle.decide(puzzle)
        assert verdict.status == "many"
        assert all(linkoracle.check_solution(puzzle, one) for one in verdict.solutions)


class Spending:
    """Work that has an answer when so much was spent, or none."""

    def __init__(self, needs, answer):
        self.needs, self.answer, self.spent, self.closed = needs, answer, 0.0, False

    def __call__(self):
        try:
            while self.spent < self.needs:
                self.spent += 0.01
                yield 0.01
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer
        finally:
            self.closed = True


def answered_by(model, works, query, limit=None):
    """Return the answer of one of these works, which take turns."""

    class Given(Query):
        def _work(self, engine, *_):
            return works[engine]()

    return Given(model)._first_answer(query, limit, keep=False)


@pytest.mark.parametrize("query", ["decide", "count"])
@pytest.mark.parametrize("better", ["sat", "frontier"])
@pytest.mark.parametrize("needs", [0.01, 0.3, 3, 30])
def test_the_better_engine_is_not_waited_for_long(query, better, needs):
    for board in (SMALL, Slitherlink.blank(7, 7), Numberlink([[1, 2], [1, 2]])):
        model = board.model
        first = dict(schedule.schedule(model, query))
        works = {name: Spending(math.inf, None) for name in first}
        works[better] = Spending(needs, better)
        assert answered_by(model, works, query) == better
        assert all(work.closed for work in works.values() if work.spent)
        total = sum(work.spent for work in works.values())
        assert total <= 5 * needs + sum(first.values())


def test_a_wide_blank_board_is_not_listed_to_be_counted():
    for board in (Slitherlink.blank(8, 8), Slitherlink.blank(12, 9)):
        assert dict(schedule.schedule(board.model, "count")) == {"frontier": math.inf}
        assert "sat" in dict(schedule.schedule(board.model, "decide"))


def test_without_memory_sat_answers_what_has_an_end():
    model = SMALL.model
    limit = MemoryLimit("too little")

    def engine_for(query, needs, at_most=None):
        works = {"sat": Spending(needs, "sat"), "frontier": Spending(0.1, limit)}
        return answered_by(model, works, query, at_most)

    assert engine_for("decide", 100) == "sat"
    assert engine_for("count", 100, 10**6) == "sat"
    assert engine_for("count", 0.5) == "sat"
    with pytest.raises(MemoryLimit):
        engine_for("count", math.inf)


@settings(max_examples=60, deadline=None)
@given(slitherlinks())
def test_a_core_of_the_own_clues(puzzle):
    """Its clues alone leave as many solutions as all of them: one, or none."""
    verdict = linkoracle.decide(puzzle, core=True)
    assume(verdict.status != "many")
    clues = dict(puzzle.clue_cells())
    assume(clues)
    assert verdict.core is not None
    assert verdict.core.items() <= clues.items()
    others = dict.fromkeys(clues.keys() - verdict.core.keys())
    assert linkoracle.decide(puzzle.with_clues(others)).status == verdict.status
    # A board without any clue has a solution, and one of more than a cell has several.
    assert verdict.core or puzzle.rows * puzzle.cols == 1 or puzzle.ends


def test_no_core_is_promised_that_is_none():
    unique = linkoracle.read(INSTANCES / "slitherlink-10x10.txt")
    assert linkoracle.decide(unique).core is None
    assert linkoracle.decide(unique, engine="frontier").core is None
    assert len(linkoracle.decide(unique, core=True).core) > 20
    assert linkoracle.decide(linkoracle.Slitherlink.blank(1, 1), core=True).core is None
    numbers = linkoracle.read(INSTANCES / "numberlink-8x8.txt")
    assert linkoracle.decide(numbers, core=True).core is None
    assert linkoracle.decide(SMALL, core=True).core is None
    with pytest.raises(ValueError, match="got 'frontier'"):
        linkoracle.decide(unique, core=True, engine="frontier")


def test_a_core_where_nothing_is_compiled(monkeypatch):
    wrong = Slitherlink([[4, None], [3, None]])
    monkeypatch.setattr(schedule, "COMPILED", False)
    assert linkoracle.decide(wrong, core=True).core == {(0, 0): 4, (1, 0): 3}
    with pytest.raises(NotSupported, match=r"linkoracle\.sat is not in the plain one"):
        linkoracle.decide(wrong, core=True, engine="sat")


def test_engines_that_take_turns_are_closed_when_one_is_stopped(monkeypatch):
    closed = []

    def waiting():
        try:
            while True:
                yield 1.0
        finally:
            closed.append(True)

    def stopped():
        yield 1.0
        raise KeyboardInterrupt

    works = {"sat": waiting, "relaxed": waiting, "frontier": stopped}
    monkeypatch.setattr(
        "linkoracle.engines.schedule.schedule", lambda *_: tuple((name, 0.5) for name in works)
    )
    with pytest.raises(KeyboardInterrupt):
        answered_by(Slitherlink.blank(2, 2).model, works, "decide")
    assert closed == [True, True]

"""Which engine answers, and what happens at the limits."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

import linkoracle
from linkoracle import MemoryLimit, Numberlink, SearchTimeout, Slitherlink, engines
from linkoracle.engines import Question
from linkoracle.sat import search
from linkoracle.sat.search import Deadline
from tests.test_rerouting import path_systems

INSTANCES = Path(__file__).resolve().parents[1] / "instances"

SMALL = Slitherlink.blank(3, 3)  # 213 loops, OEIS A140517
LARGE = Slitherlink.blank(11, 11)


def test_few_solutions_are_counted_by_sat_and_many_by_the_frontier():
    assert linkoracle.tally(Slitherlink.blank(2, 3)).engine == "sat"
    assert linkoracle.tally(SMALL).engine == "frontier"
    assert linkoracle.tally(SMALL, 100).engine == "sat"
    assert linkoracle.tally(SMALL, 150) == linkoracle.Tally(150, False, "frontier")
    assert linkoracle.tally(SMALL, 213) == linkoracle.Tally(213, True, "frontier")
    assert linkoracle.tally(SMALL, engine="sat") == linkoracle.Tally(213, True, "sat")
    assert linkoracle.tally(Numberlink([[1, 1]]), engine="frontier").engine == "frontier"


def test_huge_counts_are_exact():
    """OEIS A140517, the term for 11x11 cells: 30 digits."""
    assert linkoracle.count(LARGE) == 109331355810135629946698361371
    assert linkoracle.count(LARGE, limit=10**20) == 10**20


def test_listing_goes_over_to_the_frontier_without_repeating():
    for engine in linkoracle.ENGINES:
        listed = list(linkoracle.solutions(SMALL, engine=engine))
        assert len(listed) == len(set(listed)) == 213
    kept = linkoracle.tally(SMALL, keep=True).solutions
    assert len(set(kept)) == 213
    assert len(set(linkoracle.tally(SMALL, 120, keep=True).solutions)) == 120


def test_too_little_memory_is_told_or_done_without():
    with pytest.raises(MemoryLimit, match="row"):
        linkoracle.count(LARGE, memory=1_000_000)
    listed = list(islice(linkoracle.solutions(LARGE, memory=1_000_000), 130))
    assert len(set(listed)) == 130
    for solution in listed:
        assert linkoracle.verify(LARGE, solution)


@pytest.fixture
def impatient(monkeypatch):
    """SAT gives up at the first conflict, as it does on a hard Numberlink much later."""
    monkeypatch.setattr(search, "_SLICE", 1)
    monkeypatch.setattr(engines, "PATIENCE", 1)


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
    verdict = linkoracle.certify(puzzle, memory=memory)
    assert verdict.status == ("none", "unique", "many")[min(2, number)]
    assert all(linkoracle.verify(puzzle, solution) for solution in verdict.solutions)
    assert linkoracle.is_unique(puzzle, memory=memory) == (number == 1)
    assert linkoracle.count(puzzle, 3, memory=memory) == min(3, number)
    listed = list(islice(linkoracle.solutions(puzzle, memory=memory), 150))
    assert len(listed) == len(set(listed)) == min(150, number)


def test_a_time_limit_holds_for_the_frontier_too():
    with pytest.raises(SearchTimeout):
        linkoracle.count(Slitherlink.blank(14, 14), engine="frontier", timeout=0.3)
    with pytest.raises(SearchTimeout):
        list(linkoracle.solutions(Slitherlink.blank(14, 14), engine="frontier", timeout=0.3))


def test_progress_tells_what_is_done():
    told = []
    linkoracle.tally(SMALL, progress=lambda line, share: told.append((line, share)))
    steps = [share for line, share in told if line.startswith("step")]
    assert steps == sorted(steps)
    assert steps[-1] <= 1
    assert ("100 solutions so far", None) in told


def test_the_first_use_is_announced(monkeypatch):
    from linkoracle import frontier

    monkeypatch.setattr(frontier, "compiled", lambda _: False)
    told = []
    linkoracle.tally(SMALL, progress=lambda line, _: told.append(line))
    assert engines.COMPILING in told


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


def test_a_board_to_be_filled_may_be_decided_as_if_it_were_free():
    """On every board of 3x3 cells that has a solution when cells may stay empty."""
    decided = set()
    for mate, systems in path_systems(3, 3).items():
        puzzle = linkoracle.Numberlink.from_pairs(3, 3, mate, "fill")
        found = Question(puzzle, "auto", Deadline(None))._as_if_free()
        if found is not None:
            filling = [edges for edges in systems if len(edges) == 9 - len(mate)]
            assert [solution.edges for solution in found] == filling
            decided.add(len(filling))
    assert decided == {0, 1}
    assert Question(SMALL, "auto", Deadline(None))._as_if_free() is None

"""Boards that are decided by several processes at a time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from linkoracle import Numberlink, check_solution, decide
from linkoracle.core import ConflictLimit, Deadline, SearchTimeout, processors, share_processors
from linkoracle.engines import Oracle, Query
from linkoracle.engines.racing import Racers
from tests.workers import WAIT_SECONDS, Program, alive, children, command, wait_until

NONE = Numberlink([[1, None, 2], [None, None, None], [2, None, 1]])
ONE = Numberlink([[1, 2, 3], [None, None, None], [None, None, None], [1, 2, 3]])
SEVERAL = Numberlink([[1, None, None], [None, None, None], [None, None, 1]])

#: A board that takes long enough to be divided.
LONG = Numberlink.from_pairs(
    15,
    15,
    [
        ((1, 1), (4, 13)),
        ((2, 11), (8, 14)),
        ((2, 12), (9, 2)),
        ((4, 1), (12, 11)),
        ((4, 4), (8, 6)),
        ((5, 8), (9, 9)),
        ((5, 11), (14, 11)),
        ((6, 0), (10, 2)),
        ((6, 3), (12, 5)),
        ((7, 0), (14, 5)),
        ((7, 3), (14, 14)),
        ((12, 2), (12, 8)),
    ],
)

#: Pairs that take very long.
HARD = """
import random
from linkoracle import Numberlink
cells = [divmod(cell, 30) for cell in random.Random(1).sample(range(900), 40)]
HARD = Numberlink.from_pairs(30, 30, zip(cells[::2], cells[1::2]))
"""


@pytest.fixture
def two_processors(monkeypatch):
    monkeypatch.setattr("linkoracle.engines.racing.processors", lambda: 2)


@pytest.mark.usefixtures("two_processors")
@pytest.mark.parametrize("puzzle", [NONE, ONE, SEVERAL])
def test_a_rival_finds_what_there_is(puzzle):
    with Oracle(puzzle) as oracle, Racers(oracle, None, Deadline(None)) as racers:
        wait_until(racers.heard)
        found = racers.solutions
    expected = decide(puzzle, engine="frontier")
    assert len(found) == len(expected.solutions)
    assert len(set(found)) == len(found)
    assert all(check_solution(puzzle, solution) for solution in found)


@pytest.mark.usefixtures("two_processors")
def test_a_rival_says_which_cubes_it_has_decided():
    """From the last one on; so nothing is left to do for others."""
    with Oracle(LONG) as oracle, Racers(oracle, None, Deadline(None)) as racers:
        cubes = oracle._taut.cubes
        cubes.take(3)
        wait_until(racers.heard)
        assert cubes.lost()
        wait_until(lambda: racers.heard() and racers.solutions is not None)
        (solution,) = racers.solutions
        assert check_solution(LONG, solution)
        assert cubes.decided == dict.fromkeys(range(4), solution)
    assert oracle._taut.cubes is None


@pytest.mark.usefixtures("two_processors")
@pytest.mark.parametrize("divided", [pytest.param(1, marks=pytest.mark.heavy), 24])
def test_a_board_is_decided_together(divided, monkeypatch):
    """Divided or not, as one process decides it alone."""
    monkeypatch.setattr("linkoracle.engines.racing.DIVIDED", divided)
    monkeypatch.setattr("linkoracle.engines.schedule.first_budget", lambda _: 1_000)
    verdict = Query(LONG.model).decide()
    with Oracle(LONG) as oracle:
        assert oracle.ask().solutions == verdict.solutions
    assert verdict.status == "unique"
    assert not racing()


@pytest.mark.usefixtures("two_processors")
def test_a_rival_that_dies_is_none():
    with Oracle(hard()) as oracle, Racers(oracle, None, Deadline(None)) as racers:
        (process,) = racers._processes
        os.kill(process.pid, signal.SIGKILL)
        wait_until(lambda: process.poll() is not None)
        assert not racers.heard()
        assert not racers._processes


def test_on_one_processor_there_are_none(monkeypatch):
    monkeypatch.setattr("linkoracle.engines.racing.processors", lambda: 1)
    with Oracle(ONE) as oracle, Racers(oracle, None, Deadline(None)) as racers:
        assert not racers.heard()
        assert not racers._processes


@pytest.mark.usefixtures("two_processors")
@pytest.mark.parametrize("puzzle", [NONE, ONE, SEVERAL])
def test_the_first_to_answer_has_answered(puzzle, monkeypatch):
    """A search that gets nowhere leaves the answer to the rival, which is gone afterwards."""
    expected = Query(puzzle.model).decide()
    turns = []

    def nowhere(self, *, timeout):
        deadline = timeout
        turns.append(deadline)
        while True:
            time.sleep(0.01)
            deadline.spend(1 if len(turns) > 1 else 1 << 30)

    monkeypatch.setattr(Oracle, "ask", nowhere)
    monkeypatch.setattr("linkoracle.engines.schedule.schedule", lambda *_: (("sat", 1e9),))
    verdict = Query(puzzle.model).decide()
    assert verdict.status == expected.status
    assert all(check_solution(puzzle, solution) for solution in verdict.solutions)
    assert len(turns) == 2
    assert not racing()


@pytest.mark.usefixtures("two_processors")
def test_rivals_are_gone_when_time_is_up(monkeypatch, clock):
    monkeypatch.setattr("linkoracle.engines.schedule.first_budget", lambda _: 1)
    seen = []
    real = Racers.heard

    def heard(self):
        seen.append(racing())
        clock.run_out()
        return real(self)

    monkeypatch.setattr(Racers, "heard", heard)
    with pytest.raises(SearchTimeout):
        Query(hard(), timeout=WAIT_SECONDS).decide()
    assert seen[0]
    assert not racing()


def test_a_rival_ends_with_its_parent():
    program = (
        HARD
        + """
import time
import linkoracle.engines.racing as racing
from linkoracle import Oracle
from linkoracle.core.limits import Deadline
racing.processors = lambda: 2
racers = racing.Racers(Oracle(HARD), None, Deadline(None))
print(racers._processes[0].pid, flush=True)
time.sleep(600)
"""
    )
    with Program([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        rival = int(parent.stdout.readline())
        assert alive(rival)
        parent.kill()
        parent.wait()
        wait_until(lambda: not alive(rival))


def test_a_question_to_which_others_have_the_answer_ends():
    answers = iter([False, False, True])
    limited = Deadline(None).with_conflicts(1_000_000, lambda: next(answers))
    limited.spend(1)
    # What is asked meanwhile ends, too.
    inner = limited.with_conflicts(1_000_000)
    inner.spend(1)
    with pytest.raises(ConflictLimit):
        inner.spend(1)


def test_processes_share_processors():
    alone = processors()
    try:
        share_processors(2)
        assert processors() == max(1, alone // 2)
        share_processors(10_000)
        assert processors() == 1
    finally:
        share_processors(1)
    assert processors() == alone
    with pytest.raises(ValueError, match="expected a number of processes from 1, got 0"):
        share_processors(0)


def hard():
    names: dict[str, Numberlink] = {}
    exec(HARD, names)
    return names["HARD"].model


def racing():
    return any("linkoracle.engines.racing" in command(one) for one in children(os.getpid()))

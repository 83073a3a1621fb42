"""A solver that is interrupted at any moment answers the next question rightly."""

from __future__ import annotations

import os
import random
import signal
import threading

import pytest

from linkoracle import Slitherlink
from linkoracle.core.errors import SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.sat.oracle import Oracle
from linkoracle.studio import kept_oracle
from linkoracle.studio.kept_oracle import KeptOracle
from linkoracle.studio.questions import Questions
from tests.studio.asking import slitherlink


def clues_of(rng: random.Random, side: int) -> dict[tuple[int, int], int]:
    cells = [(row, col) for row in range(side) for col in range(side)]
    return {cell: rng.randrange(4) for cell in rng.sample(cells, side * side // 4)}


def test_interrupts_at_any_moment():
    rng, side = random.Random(3), 9
    model = Slitherlink.blank(side, side).model
    solver, interrupted = KeptOracle(model), 0
    for _ in range(60):
        clues = clues_of(rng, side)
        timer = threading.Timer(rng.random() * 0.01, os.kill, (os.getpid(), signal.SIGINT))
        try:
            timer.start()
            solver.ask(clues, Deadline(30))
            timer.join()
        except KeyboardInterrupt:
            interrupted += 1
        found = solver.ask(clues, Deadline(30)).status
        with Oracle(model) as other:
            assert other.ask(clues).status == found
    assert interrupted


def test_it_is_the_same_solver_after_an_interrupt(monkeypatch):
    solver = KeptOracle(Slitherlink.blank(3, 3).model)
    solver.ask({}, Deadline(5))
    before = solver._oracle

    def interrupts(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(kept_oracle, "deferred_signals", interrupts)
        with pytest.raises(KeyboardInterrupt):
            solver.ask({}, Deadline(5))
    assert solver._oracle is before


def test_what_takes_more_than_one_step(monkeypatch):
    """Steps that are too short for anything lead to the answer nevertheless."""
    monkeypatch.setattr(kept_oracle, "_FIRST", 1e-7)
    monkeypatch.setattr(kept_oracle, "_LONGEST", 1e-6)
    solver = KeptOracle(Slitherlink.blank(8, 8).model)
    assert solver.ask({(0, 0): 3, (1, 1): 2}, Deadline(30)).status == "many"
    assert solver.ask({(0, 0): 4, (0, 1): 3}, Deadline(30)).status == "none"
    with pytest.raises(SearchTimeout):
        solver.ask({(0, 0): 4}, Deadline(1e-6))
    assert solver.ask({(0, 0): 4}, Deadline(30)).status == "unique"


def test_a_solver_that_is_left_is_freed_once_whatever_interrupts():
    questions = Questions()
    questions.answer(slitherlink(2, 2, {0: 3}), lambda _: None)
    left = questions._solver._oracle._search._solver
    delete = left._owner.delete
    freed = []

    def interrupted() -> None:
        # Its destructor calls it once more, when there is nothing to free.
        if not freed:
            os.kill(os.getpid(), signal.SIGINT)
        delete()
        freed.append(True)

    left._owner.delete = interrupted
    with pytest.raises(KeyboardInterrupt):
        questions.answer(slitherlink(3, 3, {0: 3}), lambda _: None)
    assert freed
    assert left._owner is None
    told = []
    questions.answer(slitherlink(3, 3, {0: 3}), told.append)
    assert told[0]["status"] == "many"
    questions._solver.close()


def test_one_that_is_interrupted_in_its_work_is_freed(monkeypatch):
    monkeypatch.setattr(kept_oracle, "_LONGEST", 0.0)
    solver = KeptOracle(Slitherlink.blank(3, 3).model)
    solver.ask({}, Deadline(5))
    search = solver._oracle._search

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Oracle, "ask", interrupted)
        with pytest.raises(KeyboardInterrupt):
            solver.ask({}, Deadline(5))
    assert search._solver is None
    assert solver.ask({(0, 0): 4}, Deadline(5)).status == "unique"
    solver.close()

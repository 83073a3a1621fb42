"""A session that is interrupted at any moment answers the next query rightly."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Numberlink, Session, Slitherlink, count, decide, is_unique
from linkoracle import session as sessions
from linkoracle.cli.jsonl import Server
from linkoracle.cli.work import Settings
from linkoracle.core.errors import PuzzleError, SearchTimeout
from linkoracle.generate import slitherlink as slitherlink_maker
from linkoracle.sat.oracle import Oracle
from linkoracle.studio.questions import Questions
from tests.strategies import slitherlinks
from tests.studio.asking import slitherlink


def clues_of(rng: random.Random, side: int) -> dict[tuple[int, int], int]:
    cells = [(row, col) for row in range(side) for col in range(side)]
    return {cell: rng.randrange(4) for cell in rng.sample(cells, side * side // 4)}


@contextmanager
def interrupting(monkeypatch, owner: object, name: str) -> Iterator[None]:
    """What is done inside is interrupted where it calls the function of this name."""

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, interrupt)
        with pytest.raises(KeyboardInterrupt):
            yield


def test_interrupts_at_any_moment():
    rng, side = random.Random(3), 9
    model = Slitherlink.blank(side, side).model
    solver, interrupted = Session(Slitherlink.blank(side, side), prompt=True), 0
    for _ in range(60):
        clues = clues_of(rng, side)
        timer = threading.Timer(rng.random() * 0.01, os.kill, (os.getpid(), signal.SIGINT))
        try:
            timer.start()
            solver.ask(clues, timeout=30)
            timer.join()
        except KeyboardInterrupt:
            interrupted += 1
        found = solver.ask(clues, timeout=30).status
        with Oracle(model) as other:
            assert other.ask(clues).status == found
    assert interrupted


def test_it_is_the_same_solver_after_an_interrupt(monkeypatch):
    solver = Session(Slitherlink.blank(3, 3), prompt=True)
    solver.ask({}, timeout=5)
    before = solver._oracle

    with interrupting(monkeypatch, sessions, "deferred_signals"):
        solver.ask({}, timeout=5)
    assert solver._oracle is before


def test_what_takes_more_than_one_step(monkeypatch):
    """Steps that are too short for anything lead to the answer nevertheless."""
    monkeypatch.setattr(sessions, "_FIRST", 1e-7)
    monkeypatch.setattr(sessions, "_LONGEST", 1e-6)
    solver = Session(Slitherlink.blank(8, 8), prompt=True)
    assert solver.ask({(0, 0): 3, (1, 1): 2}, timeout=30).status == "many"
    assert solver.ask({(0, 0): 4, (0, 1): 3}, timeout=30).status == "none"
    with pytest.raises(SearchTimeout):
        solver.ask({(0, 0): 4}, timeout=1e-6)
    assert solver.ask({(0, 0): 4}, timeout=30).status == "unique"


def test_a_solver_that_is_left_is_freed_once_whatever_interrupts():
    questions = Questions()
    questions.answer(slitherlink(2, 2, {0: 3}), lambda _: None)
    left = questions._session._oracle._search._solver
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
    questions._session.close()


def test_one_that_is_interrupted_in_its_work_is_freed(monkeypatch):
    monkeypatch.setattr(sessions, "_LONGEST", 0.0)
    solver = Session(Slitherlink.blank(3, 3), prompt=True)
    solver.ask({}, timeout=5)
    search = solver._oracle._search

    with interrupting(monkeypatch, Oracle, "ask"):
        solver.ask({}, timeout=5)
    assert search._solver is None
    assert solver.ask({(0, 0): 4}, timeout=5).status == "unique"
    solver.close()


@given(puzzle=slitherlinks(), prompt=st.booleans(), seed=st.integers(0, 9))
@settings(max_examples=40)
def test_queries_are_about_the_puzzle_with_its_changes(puzzle, prompt, seed):
    rng = random.Random(seed)
    cells = [(row, col) for row in range(puzzle.rows) for col in range(puzzle.cols)]
    changes = {rng.choice(cells): rng.choice([None, 0, 1, 2, 3]) for _ in range(2)}
    changed, edge = puzzle.with_clues(changes), rng.randrange(puzzle.lattice.num_edges)
    with Session(puzzle, prompt=prompt) as session:
        before = dict(session.clues)
        assert session.ask().status == decide(puzzle).status
        assert session.ask(changes).status == decide(changed).status
        assert count(session.model(changes)) == count(changed)
        with_edge = changed.model.with_edges(given=[edge])
        assert (session.solution({**changes, edge: True}) is None) == (not count(with_edge))
        for cell, clue in changed.clue_cells():
            # A clue follows from the others just when no solution without it has another count.
            without = count(changed.with_clues({cell: None}))
            assert session.implies(cell, changes) == (without == count(changed)), (cell, clue)
        assert (session.clues, session.edges) == (before, {})
        core = session.core(changes)
        if core.status == "none":
            assert core.core_minimal
            only = {cell: core.core.get(cell) for cell in cells}
            assert not count(puzzle.with_clues(only))
        session.set({**changes, edge: True})
        assert session.ask().status == decide(with_edge).status
        session.set({edge: None})
        assert session.clues == dict(changed.clue_cells())


def test_thinning_leaves_one_solution_and_no_clue_too_many():
    puzzle = Slitherlink.from_solution(slitherlink_maker(6, 6, seed=1).solution)
    with Session(puzzle) as session:
        kept = [(0, 0), (3, 3)]
        status, minimal = session.thin(seed=3, keep=kept)
        assert (status, minimal, session.clues.keys() >= {*kept}) == ("unique", False, True)
        left = dict(session.clues)
        session.begin(puzzle)
        assert session.thin(seed=3, keep=kept) == (status, minimal)
        assert session.clues == left
        assert session.thin(seed=4) == ("unique", True)
    blank = Slitherlink.blank(6, 6)
    assert is_unique(blank.with_clues(session.clues))
    for cell in session.clues:
        assert not is_unique(blank.with_clues({**session.clues, cell: None}))
    with Session(blank) as session:
        assert session.thin() == ("many", False)
    with Session(Numberlink([[1, 1]])) as session, pytest.raises(PuzzleError, match="taken away"):
        session.thin()


def test_the_oracle_stays_where_only_clues_differ():
    session = Session(Slitherlink([[3, 3], [1, 1]]))
    oracle = session._oracle
    assert oracle is not None
    session.begin(Slitherlink([[3, None], [None, None]]))
    assert session._oracle is oracle
    assert session.ask().status == decide(session.puzzle).status
    session.begin(Slitherlink([[3, None, None]]))
    assert session.ask().status == decide(session.puzzle).status
    assert session._oracle is not oracle
    session.close()


def test_the_page_and_the_lines_keep_the_same_session():
    questions, server = Questions(), Server(Settings())
    questions.answer(slitherlink(2, 2, {0: 3}), lambda _: None)
    server.answer(1, b'{"op": "open", "session": "a", "kind": "slitherlink", "grid": ["3.", ".."]}')
    for kept in (questions._session, server.sessions["a"].session):
        assert isinstance(kept, Session)
        assert isinstance(kept._oracle, Oracle)
        kept.close()

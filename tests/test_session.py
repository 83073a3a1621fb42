"""A session that is interrupted at any moment answers the next query correctly."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import (
    Numberlink,
    Session,
    SimpleLoop,
    Slitherlink,
    boards,
    count,
    decide,
    is_unique,
    solutions,
)
from linkoracle.cli.jsonl import Server
from linkoracle.cli.work import Settings
from linkoracle.core import PuzzleError, SearchTimeout
from linkoracle.engines import Oracle
from linkoracle.generate import slitherlink as slitherlink_maker
from linkoracle.kinds import KINDS, cell_named
from linkoracle.session import board as board_module
from linkoracle.session import queries
from linkoracle.studio.analysis import BoardAnalysis
from tests.strategies import numberlinks, puzzles, simpleloops, slitherlinks
from tests.studio.asking import slitherlink


def clues_of(rng: random.Random, side: int) -> dict[tuple[int, int], int]:
    cells = [(row, col) for row in range(side) for col in range(side)]
    return {cell: rng.randrange(4) for cell in rng.sample(cells, side * side // 4)}


@contextmanager
def interrupting(monkeypatch, owner: object, name: str) -> Iterator[None]:
    """Interrupt the work in this context where it calls the function of this name."""

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
    before = solver._queries.oracle

    with interrupting(monkeypatch, queries, "deferred_signals"):
        solver.ask({(0, 0): 1}, timeout=5)
    assert solver._queries.oracle is before


def test_work_of_more_than_one_step(monkeypatch):
    """Check that even the shortest steps lead to the answer."""
    monkeypatch.setattr(queries, "_FIRST", 1e-7)
    monkeypatch.setattr(queries, "_LONGEST", 1e-6)
    solver = Session(Slitherlink.blank(8, 8), prompt=True)
    assert solver.ask({(0, 0): 3, (1, 1): 2}, timeout=30).status == "many"
    assert solver.ask({(0, 0): 4, (0, 1): 3}, timeout=30).status == "none"
    with pytest.raises(SearchTimeout):
        solver.ask({(0, 0): 4}, timeout=1e-6)
    assert solver.ask({(0, 0): 4}, timeout=30).status == "unique"


def test_a_solver_is_freed_once_whatever_interrupts():
    analysis = BoardAnalysis()
    analysis.answer(slitherlink(2, 2, {0: 3}), lambda _: None)
    left = analysis._session._queries.oracle._search._solver
    delete = left._owner.delete
    fired = []

    def interrupted() -> None:
        # The destructor of the solver calls it once more, when there is nothing to free.
        if not fired:
            os.kill(os.getpid(), signal.SIGINT)
        delete()
        fired.append(True)

    left._owner.delete = interrupted
    with pytest.raises(KeyboardInterrupt):
        analysis.answer(slitherlink(3, 3, {0: 3}), lambda _: None)
    assert fired
    assert left._owner is None
    events = []
    analysis.answer(slitherlink(3, 3, {0: 3}), events.append)
    assert events[0]["status"] == "many"
    analysis._session.close()


def test_a_solver_that_is_interrupted_at_work_is_freed(monkeypatch):
    monkeypatch.setattr(queries, "_LONGEST", 0.0)
    solver = Session(Slitherlink.blank(3, 3), prompt=True)
    solver.ask({}, timeout=5)
    search = solver._queries.oracle._search

    with interrupting(monkeypatch, Oracle, "ask"):
        solver.ask({(0, 0): 1}, timeout=5)
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
            # A clue follows if there are solutions without it, and all of them have its count.
            without = count(changed.with_clues({cell: None}))
            follows = 0 < without == count(changed)
            assert session.implies(cell, changes) == follows, (cell, clue)
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


def test_reducing_leaves_one_solution_and_no_redundant_clue():
    puzzle = Slitherlink.from_solution(slitherlink_maker(6, 6, seed=1).solution)
    with Session(puzzle) as session:
        kept = [(0, 0), (3, 3)]
        status, minimal = session.reduce(seed=3, keep=kept)
        assert (status, minimal, session.clues.keys() >= {*kept}) == ("unique", False, True)
        left = dict(session.clues)
        session.begin(puzzle)
        assert session.reduce(seed=3, keep=kept) == (status, minimal)
        assert session.clues == left
        assert session.reduce(seed=4) == ("unique", True)
    blank = Slitherlink.blank(6, 6)
    assert is_unique(blank.with_clues(session.clues))
    for cell in session.clues:
        assert not is_unique(blank.with_clues({**session.clues, cell: None}))
    with Session(blank) as session:
        assert session.reduce() == ("many", False)
    with Session(Numberlink([[1, 1]])) as session:
        assert session.reduce() == ("unique", True)
        assert session.clues == {(0, 0): 1, (0, 1): 1}


def test_the_oracle_stays_where_only_clues_differ():
    session = Session(Slitherlink([[3, 3], [1, 1]]))
    oracle = session._queries.oracle
    assert oracle is not None
    session.begin(Slitherlink([[3, None], [None, None]]))
    assert session._queries.oracle is oracle
    assert session.ask().status == decide(session.puzzle).status
    session.begin(Slitherlink([[3, None, None]]))
    assert session.ask().status == decide(session.puzzle).status
    assert session._queries.oracle is not oracle
    session.close()


def test_the_page_and_json_lines_keep_the_same_solver():
    analysis, server = BoardAnalysis(), Server(Settings())
    analysis.answer(slitherlink(2, 2, {0: 3}), lambda _: None)
    server.answer(1, b'{"op": "open", "session": "a", "kind": "slitherlink", "grid": ["3.", ".."]}')
    for kept in (analysis._session, server.sessions["a"].session):
        assert isinstance(kept, Session)
        assert isinstance(kept._queries.oracle, Oracle)
        kept.close()


@given(puzzle=st.one_of(numberlinks(), simpleloops()))
@settings(max_examples=40)
def test_clues_that_are_a_part_of_the_board_change(puzzle):
    clues = dict(puzzle.clue_cells())
    blank = puzzle.with_clues(dict.fromkeys(clues))
    with Session(blank) as session:
        assert session.ask(clues).status == decide(puzzle).status
        assert session.ask().status == decide(blank).status
        session.set(clues)
        assert (session.puzzle, session.clues) == (puzzle, clues)
        assert session.ask().status == decide(puzzle).status
        total = count(puzzle)
        assert session.count().count == total
        assert len(session.ask(limit=total + 2).solutions) == total
        assert session.ask(limit=2).status == session.ask().status
        first = session.solution()
        if first is not None:
            edge = first.edges[0]
            with_edge = count(puzzle.model.with_edges(given=[edge]))
            assert session.count({edge: True}).count == with_edge
            assert session.implies(edge, {edge: True}) == (with_edge == total)
        assert (session.undo(), session.clues, session.undo()) == (True, {}, False)


@given(puzzle=puzzles())
@settings(max_examples=40)
def test_forced_edges_are_those_on_which_all_solutions_agree(puzzle):
    every = [{*one.edges} for one in solutions(puzzle)]
    with Session(puzzle) as session:
        if not every:
            with pytest.raises(PuzzleError, match="no solution"):
                session.forced()
            return
        found = session.forced()
        assert found.whole
        assert found.lines == sorted(set.intersection(*every))
        edges = range(puzzle.lattice.num_edges)
        assert found.crosses == [edge for edge in edges if not any(edge in one for one in every)]


def test_changes_are_undone_one_by_one():
    puzzle = Slitherlink.from_solution(slitherlink_maker(5, 5, seed=1).solution)
    with Session(puzzle) as session:
        states = []
        for change in ({(0, 0): None, 3: True}, {(0, 0): {1, 2}}, {3: None, 4: False}):
            states.append((dict(session.clues), dict(session.edges)))
            session.set(change)
        assert not session.ask(timeout=60).unique or session.edges
        session.set({4: None, (0, 0): None})
        before = dict(session.clues)
        assert session.reduce(seed=1)[0] == "unique"
        assert len(session.clues) < len(before)
        assert session.undo()
        assert session.clues == before
        assert session.undo()
        for clues, edges in reversed(states):
            assert session.undo()
            assert (session.clues, session.edges) == (clues, edges)
        assert not session.undo()


def test_puzzles_are_generated_on_the_board():
    edge = ((0, 0), (0, 1))
    path = Slitherlink.blank(5, 5, ((0, 0), (5, 5))).with_clues({(2, 2): 1})
    for board in (path, replace(path, given=[edge])):
        with Session(board) as session:
            made = session.generate(seed=1)
            assert replace(made.puzzle, clues=board.clues) == board
            assert session.puzzle == made.puzzle
            assert (session.clues[2, 2], session.ask().solutions) == (1, (made.solution,))
            assert (session.undo(), session.puzzle) == (True, board)
    with Session(Numberlink.blank(6, 6).with_variant("fill")) as session:
        session.set({(0, 0): 1, (5, 5): 1})
        made = session.generate(seed=2, pairs=(5, 7))
        assert (made.puzzle.variant, session.puzzle) == ("fill", made.puzzle)
        assert {(0, 0), (5, 5)} <= session.clues.keys()
    for kind in (Numberlink, SimpleLoop):
        with Session(replace(kind.blank(4, 4), given=[edge])) as session:
            with pytest.raises(PuzzleError, match="for boards without given lines"):
                session.generate()
            with pytest.raises(ValueError, match="expected one of the labels"):
                Session(kind.blank(4, 4)).generate(difficulty="great")


def test_undo_takes_little_memory(monkeypatch):
    monkeypatch.setattr(board_module, "MAX_UNDO", 5)
    with Session(Slitherlink.blank(3, 3)) as session:
        for clue in range(3):
            session.set({(0, 0): clue, (0, 1): clue})
        assert [session.undo() for _ in range(3)] == [True, True, False]
        assert session.clues == {(0, 0): 0, (0, 1): 0}
        session.set({(2, 2): 1})
        assert (session.undo(), session.undo()) == (True, False)


def test_limits_and_invalid_arguments():
    with Session(Slitherlink.blank(3, 3)) as session:
        assert [len(session.ask(limit=most).solutions) for most in (2, 7, 300)] == [2, 7, 213]
        with pytest.raises(ValueError, match="a limit of solutions from 2, got 1"):
            session.ask(limit=1)
        for change, reason in (
            ({(0, 0): 5}, "a clue from 0 to 4, got 5"),
            ({(0, 0): {1, 5}}, "a clue from 0 to 4, got 5"),
            ({((0, 0), (1, 1)): True}, "are not neighbours"),
            ({(0, 0, 0): 1}, r"a cell \(row, column\) of 3 x 3"),
            ({(0, 0): 1, 24: True}, "id of an edge from 0 to 23, got 24"),
            ({(0, 0): 1, 0: 2}, "expected True or False for edge 0, got 2"),
        ):
            with pytest.raises(ValueError, match=reason):
                session.set(change)
            assert not session.clues
    with Session(Numberlink([[1, None, 1]])) as session:
        for change, reason in (({(0, 1): 2}, "the number 2 to stand"), ({(0, 5): 1}, "a cell ")):
            with pytest.raises(PuzzleError, match=reason):
                session.set(change)
            assert session.clues == {(0, 0): 1, (0, 2): 1}
        with pytest.raises(KeyError):
            session.implies((0, 1))


UNKNOWN = [name for name, kind in KINDS.items() if kind.unknown is not None]


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.parametrize("prompt", [False, True])
def test_a_clue_of_unknown_value_follows_if_the_solutions_have_it(name, prompt):
    """As of a puzzle with the clue and one without it; a Slitherlink keeps such a clue."""
    kind = KINDS[name]
    boards_with = [kind.blank(3, 3).with_clues({cell: kind.unknown}) for cell in ((0, 1), (1, 1))]
    if kind.fits_boards():
        boards_with.append(kind.on(boards.honeycomb(2, 2), {1: kind.unknown}))
    for puzzle in boards_with:
        ((cell, _),) = puzzle.clue_cells()
        without = {*solutions(puzzle.with_clues({cell: None}))}
        follows = set() < without <= {*solutions(puzzle)}
        with Session(puzzle, prompt=prompt) as session:
            assert session.implies(cell_named(cell)) == follows
            # Nothing follows where there is no solution.
            assert not session.implies(
                cell_named(cell), dict.fromkeys(range(puzzle.board.num_edges), False)
            )


def test_a_clue_of_unknown_value_follows_from_others_that_agree():
    with Session(Slitherlink(["0?", ".."])) as session:
        assert session.implies((0, 1))
        assert not session.implies((0, 1), {(1, 0): 3, (1, 1): 3})
        assert not session.implies((0, 1), {(0, 1): 3})
        with pytest.raises(KeyError, match="expected a face with a clue"):
            session.implies((1, 1))
        with pytest.raises(KeyError, match="expected a face with a clue"):
            session.implies((1, 1), {(1, 1): None})


def test_changes_as_mappings_or_pairs_and_edges_by_their_ends():
    square, comb = Slitherlink.blank(3, 3), Slitherlink.on(boards.honeycomb(2, 3))
    for puzzle, first, second in ((square, (0, 0), (1, 2)), (comb, (0,), (3,))):
        solution = next(iter(solutions(puzzle)))
        board, counts = solution.board, solution.counts()
        one, other = (
            counts[board.face_of(cell if len(cell) == 2 else cell[0])] for cell in (first, second)
        )
        edge = solution.edges[0]
        pair = tuple(map(board.position, board.ends(edge)))
        by_id = {first: one, second: other, edge: True}
        with Session(puzzle) as session:
            for changes in (
                {first: one, second: other, pair: True},
                [(first, one), (second, other), (edge, True)],
                [(first, one), (second, other), (pair[::-1], True)],
            ):
                assert session.ask(iter(dict(changes).items())) == session.ask(by_id)
                assert session.count(changes) == session.count(by_id)
                assert session.implies(pair, changes) == session.implies(edge, by_id)
                assert session.core(changes, containing=[pair]) == (
                    session.core(by_id, containing=[edge])
                )
                assert session.forced(changes) == session.forced(by_id)
                session.set(iter(dict(changes).items()))
                assert session.edges == {edge: True}
                assert session.clues == {first: one, second: other}
                assert session.undo()
                assert not session.edges


def test_cells_and_dots_may_be_numbers_of_numpy():
    zero, one = np.arange(2)
    with Session(Slitherlink.blank(3, 3)) as session:
        assert session.ask({(zero, one): 3}) == session.ask({(0, 1): 3})
        session.set({(zero, one): 3, ((zero, zero), (zero, one)): False})
        assert session.clues == {(0, 1): 3}
        assert session.edges == {0: False}

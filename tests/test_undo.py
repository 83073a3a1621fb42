"""Undo takes back the last call that may change a session, whatever it changed: all kinds."""

from __future__ import annotations

import json
import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Numberlink, Session, SimpleLoop, Slitherlink, boards, write
from linkoracle.cli.jsonl import Server
from linkoracle.cli.work import Settings
from linkoracle.core import PuzzleError, source
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import random_puzzles
from linkoracle.studio.tab import Sessions
from tests.strategies import puzzles


def state_of(session):
    return dict(session.clues), dict(session.edges), session.puzzle


def an_edit(rng, puzzle, session):
    """Return changes of some clues and edges; many of them change nothing."""
    changes = {}
    words = [*dict(puzzle.clue_cells()).values(), None]
    cells = [*session.clues, *(cell for cell, _ in puzzle.clue_cells())]
    if puzzle.tiling is None:
        cells += [(rng.randrange(puzzle.rows), rng.randrange(puzzle.cols))]
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        if rng.random() < 0.3:
            edge = rng.randrange(puzzle.board.num_edges)
            changes[edge] = rng.choice((True, False, None, session.edges.get(edge)))
        elif cells:
            cell = rng.choice(cells)
            cell = cell if isinstance(cell, tuple) else (cell,)
            changes[cell] = rng.choice((rng.choice(words), None, session.clues.get(cell)))
    return changes


def check_undo(puzzle, rng, steps):
    """Make random calls and undo some; return how many sets changed nothing."""
    idle = 0
    with Session(puzzle) as session:
        states = [state_of(session)]
        for _ in range(steps):
            act = rng.random()
            if act < 0.3:
                assert session.undo() == (len(states) > 1)
                states = states[:-1] or states
            elif act < 0.4:
                session.reduce(seed=rng.randrange(9))
                states.append(state_of(session))
            else:
                try:
                    changed = session.set(an_edit(rng, puzzle, session))
                except (PuzzleError, ValueError):
                    # Such as one number of a pair, two clues in a region, or a line at a hole.
                    assert state_of(session) == states[-1]
                    continue
                states.append(state_of(session))
                assert changed == (states[-1] != states[-2])
                idle += not changed
            assert state_of(session) == states[-1]
        while len(states) > 1:
            states.pop()
            assert session.undo()
            assert state_of(session) == states[-1]
        assert not session.undo()
        assert state_of(session)[1:] == ({}, puzzle)
    return idle


@pytest.mark.parametrize("kind", KINDS)
def test_undo_takes_back_each_call(kind):
    rng = random.Random(kind)
    found = islice(random_puzzles(KINDS[kind], 3, 3, 20, source(5, 0)), 4)
    assert sum(check_undo(puzzle, rng, 25) for puzzle in found)


@pytest.mark.heavy
@pytest.mark.parametrize("kind", KINDS)
def test_undo_takes_back_each_of_many_calls(kind):
    rng = random.Random(7)
    for puzzle in random_puzzles(KINDS[kind], 3, 4, 300, source(6, 0)):
        check_undo(puzzle, rng, 40)


@given(puzzle=puzzles(), seed=st.integers(0, 99))
@settings(max_examples=30)
def test_undo_takes_back_each_call_beside_annotations(puzzle, seed):
    check_undo(puzzle, random.Random(seed), 12)


@pytest.mark.parametrize("kind", [Slitherlink, Numberlink, SimpleLoop])
def test_undo_takes_back_each_call_on_other_boards(kind):
    board = boards.honeycomb(3, 3)
    clues = {0: 1, 8: 1} if kind is Numberlink else {4: 0}
    assert check_undo(kind.on(board, clues), random.Random(8), 25)


def test_unknown_clues_come_back():
    with Session(Slitherlink(["?3", ".."])) as session:
        assert (session.set({(0, 0): None}), session.set({(0, 0): 2})) == (False, True)
        assert session.undo()
        assert session.undo()
        assert session.puzzle == Slitherlink(["?3", ".."])
        assert not session.undo()


def test_requests_say_whether_they_changed_something():
    """The example of the tab and of JSON lines: clear an empty cell, and undo that."""
    puzzle = Slitherlink.blank(3, 3)
    server, sessions = Server(Settings()), Sessions()
    opening = {"op": "open", "puzzle": write(puzzle, "json")}
    number = sessions.answer(json.dumps(opening))["session"]

    def lines(**request):
        return json.loads(server.answer(1, json.dumps({"session": "a", **request}).encode()).line)

    def tab(**request):
        return sessions.answer(json.dumps({"session": number, **request}))

    lines(**opening)
    for ask in (lines, tab):
        edges = [[[0, 0], [0, 1], True]]
        assert ask(op="set", clues=[[0, 0, 3]], edges=edges)["changed"] is True
        assert ask(op="set", clues=[[0, 0, 3], [2, 2, None]], edges=edges)["changed"] is False
        assert ask(op="reduce")["removed"] == 0
        assert ask(op="implies", cell=[0, 0], drop=True)["implied"] is False
        left = []
        for _ in range(3):
            assert ask(op="undo")["undone"]
            left.append(ask(op="ask", limit=300)["count"])
        # The first two take back what changed nothing.
        assert left[0] == left[1] < left[2] == 213
        assert not ask(op="undo")["undone"]
    server.close()

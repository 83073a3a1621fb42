"""The kernel's engine: what it refuses, and what is left of a call that was stopped."""

from __future__ import annotations

import re
import signal
import threading
from itertools import product
from pathlib import Path
from random import Random

import pytest

from linkoracle import Numberlink, Slitherlink
from linkoracle.core import Deadline, MemoryLimit, SearchTimeout
from linkoracle.deduce import CATALOGUE, DeductionState
from linkoracle.deduce import board as boards
from linkoracle.deduce.deduction_engine import Engine
from linkoracle.deduce.rules import COLOUR, POCKET, REGION, TECHNIQUES, WIDE, WINDOW
from linkoracle.generate.loops.shapes import two_colour
from tests.deduce.boards import memory
from tests.interrupting import ctrl_c, ends_within, while_at_work

#: Seconds of processor time that a call may go on for: the machine may do other things as well.
SLACK = 0.2


def clued(side, seed=1):
    """A board with clues on about half of its cells: most of a second of deduction for 120x120."""
    rng = Random(seed)
    full = Slitherlink.from_solution(two_colour(rng, side, side))
    cells = [(row, col) for row in range(side) for col in range(side)]
    return full.with_clues({cell: None for cell in cells if rng.random() < 0.5})


def linked():
    """A board with one solution, since arguments from that are among all techniques."""
    rows = "13...", "...2.", ".....", ".3...", "...21"
    return Numberlink([[None if sign == "." else int(sign) for sign in row] for row in rows])


def parts(puzzle):
    """What a board hands to the kernel, with all techniques."""
    handed = []

    class Recorder(Engine):
        def __new__(cls, *given, **named):
            handed.append((given, named))
            return super().__new__(cls, *given, **named)

    class Handed(DeductionState, Recorder):
        pass

    Handed(puzzle.model, uniqueness=True)
    return handed[0]


def test_techniques_have_the_numbers_of_the_catalogue():
    """The enum of the kernel, member by member."""
    # An installation does not have the sources of kernels.
    sources = Path(__file__).resolve().parents[2] / "src/linkoracle/deduce"
    text = (sources / "state.pxd").read_text(encoding="utf-8")
    (members,) = re.findall(r"^cdef enum:  # techniques(.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    names = re.findall(r"^    (\w+)", members, re.MULTILINE)
    assert names == [*(one.name.upper() for one in CATALOGUE), "REASONS", "TECHNIQUES"]
    assert f"TECHNIQUES = {TECHNIQUES}\n" in f"{members}\n"


@pytest.mark.parametrize(
    "call",
    [
        lambda board, bad: board.put([bad]),
        lambda board, bad: board.put([0], bad),
        lambda board, bad: board.assume(bad),
        lambda board, bad: board.guess(bad),
        lambda board, bad: board.show([bad]),
        lambda board, bad: board.hide([bad], board.mark()),
        lambda board, bad: board.undo((bad, 0)),
        lambda board, bad: board.undo((0, bad)),
    ],
    ids=["put", "technique", "assume", "guess", "show", "hide", "trail", "merges"],
)
@pytest.mark.parametrize("bad", [-1, 10**6, 10**30, 1.5, "1", None])
def test_what_is_out_of_range_is_refused_before_anything_changes(call, bad):
    board = DeductionState(Slitherlink([[3, None], [None, 2]]).model, hidden=True)
    assert board.begin()
    before = memory(board)
    with pytest.raises(ValueError, match="expected"):
        call(board, bad)
    assert memory(board) == before


@pytest.mark.parametrize("timeout", [0, -1, "soon"])
def test_an_invalid_time_limit_is_refused_before_a_clue_is_shown(timeout):
    board = DeductionState(Slitherlink([[3, None], [None, 2]]).model, hidden=True)
    assert board.begin()
    with pytest.raises(ValueError, match="positive number of seconds"):
        board.show([0], timeout=timeout)
    assert board.show([0])


def test_a_clue_comes_once_and_goes_once():
    board = DeductionState(clued(4).model, hidden=True)
    assert board.begin()
    before, mark = memory(board), board.mark()
    for faces in ([1, 2, 1], [0, 16]):
        with pytest.raises(ValueError, match="face"):
            board.show(faces)
        assert memory(board) == before
    board.show([1, 2])
    with pytest.raises(ValueError, match="face 2 is shown"):
        board.show([3, 2])
    with pytest.raises(ValueError, match="face 3 is not shown"):
        board.hide([1, 3], mark)
    board.hide([1, 2], mark)
    assert memory(board) == before


def test_relations_that_were_there_at_first_cannot_be_undone():
    board = DeductionState(linked().model)
    assert board.mark()[1] > 0
    with pytest.raises(ValueError, match="mark"):
        board.undo((0, 0))


@pytest.mark.parametrize("puzzle", [clued(5), linked()], ids=["loop", "paths"])
def test_random_puzzles_are_refused_or_do_no_harm(puzzle):
    rng = Random(2)
    given, right = parts(puzzle)
    solved = 0
    for name, value in right.items():
        if not isinstance(value, bytes):
            continue
        for _ in range(40):
            wrong = bytearray(value)
            wrong[rng.randrange(len(wrong))] = rng.choice([0, 1, 2, max(value), 31])
            try:
                engine = Engine(*given, **{**right, name: bytes(wrong)})
            except ValueError as error:
                assert name == "enabled"
                assert "expected" in str(error)  # noqa: PT017
                continue
            deadline = Deadline(60)
            solved += engine.begin(timeout=deadline) and engine.guess(1, 50, timeout=deadline)
        top = {"degrees": 32, "faces": 32, "enabled": 2}[name]
        for wrong in (value[1:], value + value, b"", bytes([top]) + value[1:]):
            with pytest.raises(ValueError, match="expected"):
                Engine(*given, **{**right, name: wrong})
    assert solved > 20
    for bits in product((False, True), repeat=4):
        named = dict(zip(("is_loop", "coloured", "is_free", "local"), bits, strict=True))
        try:
            engine = Engine(*given, **{**right, **named})
        except ValueError:
            continue
        engine.begin(timeout=60)


@pytest.mark.parametrize(
    "pairs",
    [[(0, 0)], [(-1, 3)], [(0, 25)], [(0, 1), (1, 2)], [(0, 1, 2)], [(0,)], [3], [(0, 1)] * 30],
)
def test_what_are_no_pairs(pairs):
    given, right = parts(linked())
    with pytest.raises((ValueError, TypeError)):
        Engine(*given, **{**right, "pairs": pairs})


def test_a_loop_has_no_pairs():
    given, right = parts(clued(5))
    with pytest.raises(ValueError, match="fewer pairs"):
        Engine(*given, **{**right, "pairs": [(0, 1)]})


def test_too_little_memory_is_an_error(monkeypatch):
    puzzle = linked()
    given, right = parts(puzzle)
    refused = 0
    for limit in range(0, 20_000, 97):
        try:
            engine = Engine(*given, **{**right, "limit": limit})
            assert engine.begin()
            # Deep guesses need room of their own.
            engine.guess(6, 1)
        except MemoryLimit:
            refused += 1
    assert 10 < refused < 200
    monkeypatch.setattr(boards, "limit_for", lambda _: 5000)
    with pytest.raises(MemoryLimit, match="the deduction needs more"):
        DeductionState(puzzle.model)


def begin(board, **limits):
    return board.begin(**limits)


def deep(board, **limits):
    return board.begin() and board.guess(6, **limits)


def showing(board, **limits):
    return board.begin() and board.show(range(120 * 120), **limits)


LONG = [
    pytest.param(lambda: DeductionState(clued(120).model), begin, id="begin"),
    pytest.param(lambda: DeductionState(Slitherlink.blank(25, 25).model), deep, id="guess"),
    pytest.param(lambda: DeductionState(clued(120).model, hidden=True), showing, id="show"),
]


@pytest.mark.parametrize(("make", "work"), LONG)
@pytest.mark.parametrize("by_ctrl_c", [False, True], ids=["time", "ctrl-c"])
def test_long_calls_are_stopped_at_once_and_leave_no_trace(make, work, by_ctrl_c):
    board = make()
    at = 0.03
    if work in (deep, showing):
        board.begin()
    before, numbers = memory(board), (board.fault, board.depth, board.guesses)
    if by_ctrl_c:
        with ctrl_c(after=at, within=SLACK):
            work(board)
    else:
        with ends_within(at + SLACK), pytest.raises(SearchTimeout):
            work(board, timeout=at)
    assert memory(board) == before
    assert (board.fault, board.depth, board.guesses) == numbers


@pytest.mark.parametrize("kind", ["loop", "paths"])
def test_one_look_at_the_whole_board_is_stopped_on_its_way(kind):
    """It is all that is done about the first edge."""
    side = 150
    if kind == "loop":
        model, technique = Slitherlink.blank(side, side).model, REGION
    else:
        grid = [[None] * side for _ in range(side)]
        grid[0][0], grid[0][-1], grid[-1][-1], grid[-1][0] = 1, 2, 1, 2
        model, technique = Numberlink(grid).model, POCKET
    board = DeductionState(model, without=set(range(TECHNIQUES)) - {technique, COLOUR})
    before = memory(board)
    with pytest.raises(SearchTimeout):
        board.assume(0, timeout=1e-4)
    assert memory(board) == before
    assert board.assume(0)


def test_what_was_stopped_can_be_done_again():
    """As often as it is stopped, and wherever, the same is deduced in the end."""
    puzzle = clued(30)
    plain, stopped = DeductionState(puzzle.model), DeductionState(puzzle.model)
    assert plain.begin()
    plain.guess(1, 200)
    limit, tries = 1e-4, 0
    steps = [lambda limit: stopped.begin(timeout=limit)]
    steps.append(lambda limit: stopped.guess(1, 200, timeout=limit))
    while steps:
        try:
            steps[0](limit)
        except SearchTimeout:
            limit *= 1.3
            tries += 1
        else:
            del steps[0]
    assert tries > 5
    assert stopped.trail() == plain.trail()
    assert memory(stopped) == memory(plain)
    assert (stopped.depth, stopped.guesses) == (plain.depth, plain.guesses)


def test_clues_that_were_coming_are_gone_when_that_is_stopped():
    board = DeductionState(clued(60).model, hidden=True)
    assert board.begin()
    before = memory(board)
    with pytest.raises(SearchTimeout):
        board.show(range(60 * 60), timeout=0.002)
    assert memory(board) == before
    assert board.show([0, 1])


def test_boards_in_several_threads():
    puzzles = [clued(20, seed) for seed in range(6)]
    expected = []
    for puzzle in puzzles:
        board = DeductionState(puzzle.model)
        board.begin()
        expected.append(board.trail())
    found = [DeductionState(puzzle.model) for puzzle in puzzles]
    threads = [threading.Thread(target=board.begin) for board in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [board.trail() for board in found] == expected


def test_one_board_is_not_for_two_threads():
    board = DeductionState(Slitherlink.blank(25, 25).model)
    assert board.begin()

    def ask(board):
        for call in (
            *(board.trail, board.edges, board.mark, board.deduce, board.begin, board.next_edge),
            lambda: board.put([0]),
            lambda: board.undo((0, 0)),
            lambda: board.hide([0], (0, 0)),
        ):
            with pytest.raises(RuntimeError, match="at work on this board"):
                call()

    while_at_work(lambda: board, lambda board, deadline: board.guess(6, timeout=deadline.left), ask)
    assert board.deduce()


def test_a_signal_handler_cannot_use_the_board_that_is_at_work():
    board = DeductionState(Slitherlink.blank(25, 25).model)
    assert board.begin()

    def handler(*_):
        with pytest.raises(RuntimeError, match="at work"):
            board.undo((0, 0))
        raise ZeroDivisionError

    before = signal.signal(signal.SIGPROF, handler)
    signal.setitimer(signal.ITIMER_PROF, 0.02)
    try:
        with pytest.raises(ZeroDivisionError):
            board.guess(6)
    finally:
        signal.signal(signal.SIGPROF, before)


def test_the_slow_techniques_need_no_memory_where_they_are_not_used():
    without = {WINDOW, WIDE}
    assert DeductionState(clued(10).model, without=without).begin()


@pytest.mark.parametrize("budget", [1, 2, 7])
def test_guesses_go_on_where_the_budget_ended(budget):
    """A few at a time they are the same as all at once."""
    several = 0
    for seed in range(30):
        full = Slitherlink.from_solution(two_colour(Random(seed), 7, 7))
        rng = Random(seed)
        bare = {cell: None for cell, _ in full.clue_cells() if rng.random() < 0.6}
        whole, parts = (DeductionState(full.with_clues(bare).model) for _ in range(2))
        assert whole.begin()
        assert parts.begin()
        whole.guess(1)
        calls = 0
        while parts.guesses < whole.guesses:
            tried = parts.guesses
            parts.guess(1, budget)
            assert tried < parts.guesses <= tried + 2 * budget
            calls += 1
        assert parts.trail() == whole.trail()
        assert parts.depth == whole.depth
        several += calls > 1
    assert several > 10

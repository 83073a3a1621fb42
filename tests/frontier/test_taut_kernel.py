"""The kernel of the pass over taut solutions: bad tables, limits, Ctrl-C."""

from __future__ import annotations

import random

import numpy as np
import pytest

from linkoracle import Numberlink
from linkoracle.core.errors import MemoryLimit, SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.frontier import two_solutions
from linkoracle.frontier.taut import STEP, TautPass
from linkoracle.frontier.taut_kernel import TautWalk
from tests.interrupting import ctrl_c, ends_within

NEVER = Deadline(None)
#: Ends at random, so that there is nothing that a pass could rely on: its layers grow large.
CELLS = random.Random(3).sample([(row, col) for row in range(24) for col in range(24)], 80)
LARGE = Numberlink.from_pairs(24, 24, zip(CELLS[::2], CELLS[1::2], strict=True)).model


def blank(vertices):
    steps = np.zeros(vertices, dtype=STEP)
    steps["guard"] = -1
    return steps


@pytest.mark.parametrize(
    ("field", "value"), [("phase", 3), ("phase", -1), ("code", 3), ("code", -1)]
)
def test_steps_that_cannot_be_are_refused(field, value):
    steps = blank(6)
    steps[field][4] = value
    with pytest.raises(ValueError, match="codes of terminals"):
        TautWalk(steps, width=2, open_codes=2, memory=1 << 20, wide=1 << 14)


def test_numbers_that_cannot_be_are_refused():
    for steps, width, codes, error in (
        (blank(6), 4, 1, "a step for each vertex"),
        (blank(6), 0, 1, "a step for each vertex"),
        (blank(0), 1, 0, "a step for each vertex"),
        (blank(6), 3, 7, "codes of pairs"),
        (blank(6), 3, -1, "codes of pairs"),
        (np.zeros(6, dtype=np.int32), 3, 1, "mismatch"),
    ):
        with pytest.raises(ValueError, match=error):
            TautWalk(steps, width=width, open_codes=codes, memory=1 << 20, wide=1 << 14)
    with pytest.raises(MemoryLimit, match="taut"):
        TautWalk(blank(6), width=2, open_codes=1, memory=100, wide=1 << 14)


def test_ways_are_those_of_states():
    walk = TautWalk(blank(6), width=3, open_codes=0, memory=1 << 20, wide=1 << 14)
    with pytest.raises(IndexError):
        walk.way(0, 0)
    for _ in range(6):
        walk.advance(NEVER, 1 << 20)
    assert walk.way(0, 0) == (0, -1)
    for step, state in ((-1, 0), (6, 0), (5, walk.states)):
        with pytest.raises(IndexError):
            walk.way(step, state)
    with pytest.raises(IndexError):
        walk.advance(NEVER, 1 << 20)
    with pytest.raises(IndexError):
        TautWalk.__new__(TautWalk).advance(NEVER, 1 << 20)


@pytest.mark.parametrize("seed", range(200))
def test_garbage_stays_within_memory(seed):
    """Whatever tables say that no plan would, a pass makes some states or none."""
    noise = np.random.default_rng(seed)
    width, height = int(noise.integers(1, 6)), int(noise.integers(1, 5))
    codes = int(noise.integers(0, 1 + min(3, width * height)))
    steps = blank(width * height)
    for name, low, high in (
        ("phase", 0, 3),
        ("code", 0, codes + 1),
        ("guard", -1, codes + 2),
        ("may_hang_right", 0, 2),
        ("may_hang_left", 0, 2),
        ("unseen", 0, 3),
    ):
        where = noise.random(len(steps)) < noise.choice([0.1, 0.4, 1])
        steps[name] = np.where(where, noise.integers(low, high, len(steps)), steps[name])
    walk = TautWalk(steps, width=width, open_codes=codes, memory=1 << 24, wide=1 << seed % 3 * 7)
    while walk.step < len(steps):
        before = walk.rows
        walk.advance(NEVER, 1 << 24)
        for state in range(walk.rows):
            assert all(way < 4 * before for way in walk.way(walk.step - 1, state))


def test_a_pass_goes_on_after_a_limit():
    one, other = TautPass(LARGE, 0, None), TautPass(LARGE, 0, None)
    stopped = 0
    while other.states < 10_000:
        other.advance(NEVER, 0)
        while one.step < other.step:
            try:
                one.advance(Deadline(1e-6), 0)
            except SearchTimeout:
                stopped += 1
                one.advance(Deadline(1) if stopped % 2 else NEVER, 0)
        assert one.states == other.states
        last = one.step - 1
        for state in range(one._walk.rows):
            assert one._walk.way(last, state) == other._walk.way(last, state)
    assert stopped > 5


def test_memory_is_shared_by_passes():
    """Together they hold no more than is allowed."""
    allowed = 1 << 22
    one = TautPass(LARGE, 0, allowed)

    def to_the_end():
        while not one.done:
            one.advance(NEVER, allowed // 2)
            assert one.bytes <= allowed // 2

    with pytest.raises(MemoryLimit, match="4 MB allowed: it reached row"):
        to_the_end()


def test_a_time_limit_holds_within_a_step():
    one = TautPass(LARGE, 0, None)
    while one.states < 20_000:
        one.advance(NEVER, 0)
    for seconds in (1e-6, 1e-5, 1e-4):
        with ends_within(0.2), pytest.raises(SearchTimeout):
            one.advance(Deadline(seconds), 0)


def test_ctrl_c_is_heard_within_a_step():
    with ctrl_c(after=1, within=0.3):
        two_solutions(LARGE)

"""The kernel of the search: bad arguments, memory, time, Ctrl-C, threads."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Lattice, LinkModel, MemoryLimit, SearchTimeout, Slitherlink
from linkoracle.core import Deadline
from linkoracle.generate.loops.shapes import two_colour
from linkoracle.search import Alternatives
from linkoracle.search.engine import Engine
from tests.interrupting import ctrl_c, ends_within, while_at_work
from tests.search.twin import OracleAlternatives

NEVER = Deadline(None)
LINE = two_colour(Random(5), 10, 10)
BLANK = Slitherlink.blank(10, 10)


def ints(numbers):
    return np.array(list(numbers), dtype=np.int32)


def engine(line=LINE, **changed):
    """The engine of a board; arguments may be changed."""
    arguments = {
        "model": LinkModel.blank_loop(line.board),
        "true_ones": ints(line.edges),
        "order": ints(range(line.board.num_faces)),
        "memory": 1 << 30,
    }
    return Engine(**{**arguments, **changed})


def test_the_engine_of_a_board():
    opened = engine()
    assert opened.find(bytes([1]) * 100, ints([]), 1000, NEVER) is False
    assert opened.find(bytes(100), ints([]), 1000, NEVER) is True
    assert opened.flips()
    assert opened.conflicts >= 0
    assert opened.queries == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"limit": 0},
        {"model": LinkModel.blank_loop(Lattice(10, 11))},
        {"model": LinkModel.blank_loop(Lattice(1, 1)), "order": ints([])},
        {"model": LinkModel.blank_paths(LINE.board, [])},
        {"model": LinkModel.blank_paths(LINE.board, [(0, 5)])},
        {"model": LinkModel.blank_paths(LINE.board, [(0, 5), (7, 8)])},
        {"model": LinkModel(LINE.board, bytes([0b100]) * 121, LINE.board.free_masks, loop=True)},
        {"model": LinkModel.blank_loop(LINE.board).with_edges(forbidden=LINE.edges[:1])},
        {"model": LinkModel.blank_loop(LINE.board).with_constraints(clauses=[(221,)])},
        {"true_ones": ints([])},
        {"true_ones": ints([*LINE.edges, 220])},
        {"true_ones": ints([*LINE.edges, -1])},
        {"true_ones": ints([*LINE.edges, LINE.edges[0]])},
        {"true_ones": ints(LINE.edges[1:])},
        {"true_ones": ints(range(220))},
        {"order": ints(range(99))},
        {"order": ints([*range(99), 100])},
        {"order": ints([-1, *range(1, 100)])},
        {"order": ints([1, *range(1, 100)])},
        {"order": np.arange(100)},
        {"true_ones": np.array(LINE.edges, dtype=np.int32)[::2]},
    ],
)
def test_arguments_that_do_not_belong_together(changed):
    with pytest.raises(ValueError, match=r"."):
        engine(**changed)


def test_edges_that_are_fixed_stay():
    blank = LinkModel.blank_loop(LINE.board)
    others = sorted({*range(220)} - {*LINE.edges})
    opened = engine(model=blank.with_edges(given=LINE.edges, forbidden=others))
    assert opened.find(bytes(100), ints([]), 1000, NEVER) is False
    assert list(opened.core()) == []
    opened = engine(model=blank.with_edges(given=LINE.edges[:30]))
    assert opened.find(bytes(100), ints([]), 1000, NEVER) is True
    assert {*opened.flips()}.isdisjoint(LINE.edges[:30])


_INTS = st.lists(st.integers(-3, 12) | st.sampled_from([2**31 - 1, -(2**31)]), max_size=14)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_garbage_is_refused_or_answered(data):
    """Whatever the arrays hold, memory is not touched where it should not be."""
    opened = engine(two_colour(Random(1), 3, 3))
    for _ in range(6):
        mask = data.draw(st.binary(min_size=8, max_size=10))
        faces = ints(data.draw(_INTS))
        conflicts = data.draw(st.sampled_from([-1, 0, 1, 2**62]))
        task = data.draw(st.sampled_from(["find", "reduce", "fix_clues", "witness"]))
        fits = len(set(faces.tolist())) == len(faces) and all(0 <= face < 9 for face in faces)
        fits = fits and (task == "fix_clues" or len(mask) == 9)
        try:
            if task == "fix_clues":
                opened.fix_clues(faces, True)
            elif task == "witness":
                fits = len(faces) > 0 and 0 <= faces[0] < 9
                opened.witness(faces[0] if len(faces) else -1)
            elif task == "reduce":
                opened.reduce(mask, faces, NEVER)
            else:
                opened.find(mask, faces, conflicts, NEVER)
        except ValueError:
            assert not fits
        else:
            assert fits
        assert set(opened.core()) <= set(range(9))
        assert set(opened.fixed_clues(True)).isdisjoint(opened.fixed_clues(False))


def test_memory_is_limited():
    """No question takes more than allowed, and one that is refused does no harm."""
    least = engine().memory
    with pytest.raises(MemoryLimit, match=r"this board needs more than the \d+ kB allowed"):
        engine(memory=least - 50_000)
    refused = answered = 0
    for more in range(0, 50_000, 5_000):
        opened = engine(memory=least + more)
        twin = OracleAlternatives(BLANK, LINE)
        rng = Random(1)
        for _ in range(25):
            shown = {face for face in range(100) if rng.random() < 0.5}
            changing = rng.sample(sorted(set(range(100)) - shown), 2)
            mask = bytes(face in shown for face in range(100))
            try:
                found = opened.find(mask, ints(changing), 2**62, NEVER)
            except MemoryLimit:
                refused += 1
            else:
                answered += 1
                assert found == (twin.find(shown, changing, timeout=NEVER) is not None)
            assert opened.memory <= least + more
    assert refused > 0
    assert answered > refused


def test_clauses_are_forgotten():
    opened, twin = engine(limit=50), OracleAlternatives(BLANK, LINE)
    rng = Random(4)
    for _ in range(100):
        shown = {face for face in range(100) if rng.random() < 0.5}
        changing = rng.sample(sorted(set(range(100)) - shown), 2)
        mask = bytes(face in shown for face in range(100))
        found = opened.find(mask, ints(changing), 2**62, NEVER)
        assert found == (twin.find(shown, changing, timeout=NEVER) is not None)
    assert opened.limit > 50


@pytest.fixture(scope="module")
def large():
    """What takes a minute to thin."""
    line = two_colour(Random(1), 70, 70)
    return Slitherlink.blank(70, 70), line


def test_time_limits_hold(large):
    with Alternatives(*large) as alternatives:
        for timeout in (0.1, 0.3):
            begun = time.monotonic()
            with ends_within(timeout + 0.5), pytest.raises(SearchTimeout):
                alternatives.reduce(timeout=timeout)
            assert timeout <= time.monotonic() - begun
        assert alternatives.find(range(4900)) is None


def test_ctrl_c_ends_a_series(large):
    with Alternatives(*large) as alternatives:
        with ctrl_c(after=0.3, within=0.5):
            alternatives.reduce()
        # It can be asked again, and goes on where it was.
        assert alternatives._removed
        assert alternatives.find(set(range(4900)) - alternatives._removed) is None


def made(seed):
    line = two_colour(Random(seed), 15, 15)
    with Alternatives(Slitherlink.blank(15, 15), line) as alternatives:
        return alternatives.reduce()


def test_threads_with_objects_of_their_own():
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(made, range(10))) == [made(seed) for seed in range(10)]


def test_one_object_is_not_for_two_threads(large):
    def ask(alternatives):
        for ask in (
            lambda: alternatives.find([1]),
            lambda: alternatives.reduce(timeout=1e-9),
            lambda: alternatives.fix_clues([3], keep=True),
            lambda: alternatives.witness(2),
        ):
            with pytest.raises(RuntimeError, match="at work in another thread"):
                ask()
        # The thread that is at work has what it needs.
        alternatives.close()

    while_at_work(
        lambda: Alternatives(*large),
        lambda alternatives, deadline: alternatives.reduce(timeout=deadline.left),
        ask,
    )

"""Wide layers are shared by threads: the same answers, in the same order, whatever stops them."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Numberlink, Slitherlink
from linkoracle.board import Lattice, LinkModel
from linkoracle.core import Deadline, MemoryLimit, SearchTimeout
from linkoracle.frontier import Plan, finished
from linkoracle.frontier.diagram import from_layers
from linkoracle.frontier.running import Threads
from linkoracle.frontier.sweep import Sweep
from linkoracle.generate.loops.shapes import two_colour
from linkoracle.zdd import Zdd
from tests import brute_force
from tests.frontier import reference
from tests.interrupting import ctrl_c, ends_within
from tests.strategies import random_model
from tests.workers import WAIT_SECONDS

NEVER = Deadline(None)
#: Each layer in the middle of this board takes seconds. With an edge given, it is not blank.
LARGE = LinkModel.blank_loop(Lattice(24, 24)).with_edges(given=[0])
CELLS = random.Random(3).sample([(row, col) for row in range(24) for col in range(24)], 16)
#: Few ends at random, so that there is nothing that a pass could rely on: its layers grow large.
FREE = Numberlink.from_pairs(24, 24, zip(CELLS[::2], CELLS[1::2], strict=True)).model


def clued(seed: int, rows: int, cols: int) -> LinkModel:
    """A Slitherlink with some of the clues of a line, a hole, and an edge given or forbidden."""
    rng = random.Random(seed)
    line = two_colour(rng, rows, cols)
    lattice, on = line.lattice, set(line.edges)
    share = rng.choice([0, 0.2, 0.5])
    clues: list[list[int | None]] = [[None] * cols for _ in range(rows)]
    for row in range(rows):
        for col in range(cols):
            if rng.random() < share:
                corners = [(row, col), (row, col + 1), (row + 1, col + 1), (row + 1, col)]
                sides = zip(corners, corners[1:] + corners[:1], strict=True)
                clues[row][col] = sum(lattice.edge(*side) in on for side in sides)
    model = Slitherlink(clues).model
    edge = rng.randrange(lattice.num_edges)
    if rng.random() < 0.3:
        return model.with_edges(given=[edge]) if edge in on else model.with_edges(forbidden=[edge])
    return model


def paths(seed: int, rows: int, cols: int) -> LinkModel:
    rng = random.Random(seed)
    ends = rng.sample(range(rows * cols), 2 * rng.randint(1, 3))
    return LinkModel.blank_paths(
        Lattice(rows, cols), zip(ends[::2], ends[1::2], strict=True), cover=rng.random() < 0.3
    )


sides, seeds = st.integers(3, 6), st.integers(0, 1 << 32)
models = st.builds(clued, seeds, sides, sides) | st.builds(paths, seeds, sides, sides)
threads = st.integers(1, 4)
#: Layers of so many states are shared: from all of them to hardly any.
wides = st.sampled_from([1, 2, 5, 30])


@settings(max_examples=150, deadline=None)
@given(models, threads, wides)
def test_counts_do_not_depend_on_threads(model: LinkModel, threads: int, wide: int) -> None:
    expected = finished(Sweep(model, wide=1 << 40).count())
    assert finished(Sweep(model, threads=threads, wide=wide).count()) == expected


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 32), st.sampled_from(["loop", "paths"]))
def test_counts_are_those_of_brute_force(seed: int, kind: str) -> None:
    model = random_model(random.Random(seed), 3, 3, 1, kind)
    expected = len(brute_force.model_solutions(model))
    assert finished(Sweep(model, threads=2, wide=1).count()) == expected


@settings(max_examples=60, deadline=None)
@given(models, threads, wides)
def test_diagrams_do_not_depend_on_threads(model: LinkModel, threads: int, wide: int) -> None:
    """Even the order of their nodes; and there are as many as without shards."""
    plan, found = Plan(model), []
    for number, width in ((1, wide), (threads, wide), (None, 1 << 40)):
        kept = finished(Sweep(model, keep=True, threads=number, wide=width).layers())
        sets = Zdd(len(plan.edge_order))
        root = from_layers(plan, sets, kept)
        found.append((sets.array(), root))
    (one, first), (several, second), (narrow, _) = found
    assert first == second
    assert np.array_equal(one, several)
    assert len(one) == len(narrow)


@pytest.mark.parametrize("memory", [None, 1 << 24])
def test_nodes_of_many_rounds_do_not_depend_on_threads(memory: int | None) -> None:
    """Also where memory is so scarce that slices are small."""
    model = LinkModel.blank_loop(Lattice(11, 11))
    one, several = (
        finished(Sweep(model, keep=True, memory=memory, threads=n, wide=1 << 8).layers())
        for n in (1, 3)
    )
    assert all(np.array_equal(a, b) for a, b in zip(one, several, strict=True))


@pytest.mark.parametrize("threads", [1, 3])
def test_a_large_count_is_right(threads: int) -> None:
    """Limbs are added, tables grow, rounds follow one another."""
    model = LinkModel.blank_loop(Lattice(12, 12))
    assert finished(Sweep(model, threads=threads, wide=1 << 10).count()) == reference.LOOPS[11, 11]


def test_a_pass_goes_on_after_a_limit() -> None:
    """Whatever stops its threads, and whether there are others next time."""
    one = Plan(LinkModel.blank_loop(Lattice(11, 11))).begin(
        counted=True, records=2, memory=1 << 30, wide=100
    )
    stopped = 0
    with Threads(2) as shared:
        while one.step < 121:
            try:
                one.advance(Deadline(1e-4), share=shared.run)
            except SearchTimeout:
                stopped += 1
                share = shared.run if stopped % 2 else None
                try:
                    one.advance(Deadline(1e-3), True, share=share)
                except SearchTimeout:
                    one.advance(NEVER, True, share=share)
    assert stopped > 10
    assert one.answer == reference.LOOPS[10, 10]


@pytest.mark.parametrize(
    "work",
    [
        lambda: Sweep(LARGE, deadline=Deadline(1), threads=2).count(),
        lambda: Sweep(FREE, deadline=Deadline(1), threads=2).count(),
    ],
)
def test_a_time_limit_holds_in_all_threads(work) -> None:
    with ends_within(2 * 1.3), pytest.raises(SearchTimeout):
        finished(work())
    assert threads_that_share() == 0


@pytest.mark.parametrize(
    "work",
    [lambda: Sweep(LARGE, threads=2).count(), lambda: Sweep(FREE, threads=2).count()],
)
def test_ctrl_c_stops_all_threads(work) -> None:
    with ctrl_c(after=1, within=0.3):
        finished(work())
    assert threads_that_share() == 0


def threads_that_share() -> int:
    return sum("ThreadPoolExecutor" in thread.name for thread in threading.enumerate())


@pytest.mark.parametrize("memory", [1 << 20, 1 << 22, 1 << 23, 1 << 25])
def test_memory_of_all_threads_is_limited(memory: int) -> None:
    for model in (LARGE, FREE):
        sweep = Sweep(model, threads=3, memory=memory, wide=1 << 10)
        with pytest.raises(MemoryLimit, match="allowed: it reached vertex"):
            finished(sweep.count())
        assert sweep._pass.used <= memory


def test_work_is_for_passes_that_share() -> None:
    one = Plan(LARGE).begin(counted=True, records=8, memory=1 << 20, wide=1)
    with pytest.raises(RuntimeError, match="shares its work"):
        one.work(NEVER)


def test_what_a_thread_raises_is_raised_when_all_are_back() -> None:
    stopped = threading.Event()
    back = []

    def work(task: int) -> None:
        if task == 0:
            raise ZeroDivisionError
        stopped.wait(WAIT_SECONDS)
        back.append(task)

    with Threads(3) as shared, pytest.raises(ZeroDivisionError):
        shared.share(work, range(3), lambda stop: stop and stopped.set())
    assert stopped.is_set()
    assert sorted(back) in ([], [1], [2], [1, 2])

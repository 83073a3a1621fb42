"""The kernel of a pass: bad tables, limits, Ctrl-C, threads."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from linkoracle.board import Lattice, LinkModel
from linkoracle.core import Deadline, MemoryLimit, SearchTimeout, processors
from linkoracle.frontier import Diagram, Plan, Windows, count, plan
from linkoracle.frontier.pass_kernel import Pass, Tables
from linkoracle.frontier.plan import STEP
from tests.frontier import reference
from tests.interrupting import ctrl_c, ends_within, while_at_work
from tests.strategies import random_model

NEVER = Deadline(None)
#: Each layer in the middle of this board takes seconds. With an edge given, it is not blank.
LARGE = LinkModel.blank_loop(Lattice(24, 24)).with_edges(given=[0])


def arguments(model):
    """What a plan hands to the kernel: its tables by name, and its numbers."""
    taken = {}

    def keep(tables, **numbers):
        for name, value in tables._asdict().items():
            taken[name] = value.copy() if isinstance(value, np.ndarray) else value
        taken.update(numbers)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "Pass", keep)
        Plan(model).begin(counted=True, records=4, memory=1 << 24, wide=8)
    return taken


def begun(arguments):
    return Pass(**handed(arguments))


def handed(arguments):
    tables = Tables(**{name: arguments[name] for name in Tables._fields})
    return {"tables": tables} | {
        name: value for name, value in arguments.items() if name not in Tables._fields
    }


TABLES = ("steps", "outs", "choices", "touches", "masks", "entries", "fields", "order")
CLUED = LinkModel.blank_loop(Lattice(4, 4)).with_faces({(1, 1): 2, (0, 2): {1, 3}})


def test_a_plan_is_taken():
    model = random_model(random.Random(1), 4, 4, 2, "paths")
    one = begun(arguments(model))
    while not one.advance(NEVER):
        pass
    assert one.answer == count(model)


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("slot", 4, "slot of a vertex"),
        ("slot", -2, "slot of a vertex"),
        ("pair", 0, "slot of a vertex"),
        ("outs", -1, "edges, decisions and registers"),
        ("num_outs", 99, "edges, decisions and registers"),
        ("choices", 99, "edges, decisions and registers"),
        ("num_choices", 1000, "edges, decisions and registers"),
        ("touches", 99, "edges, decisions and registers"),
        ("num_touches", -1, "edges, decisions and registers"),
        ("num_outs", 1, "decisions on the edges"),
        ("num_choices", 1, "masks of decisions"),
        ("children", 1, "as many children"),
        ("children", 65, "as many children"),
        ("allowed", 1 << 40, "masks of decisions"),
    ],
)
def test_steps_that_cannot_be_are_refused(name, value, error):
    changed = arguments(CLUED)
    changed["steps"][name][0] = value
    with pytest.raises(ValueError, match=error):
        begun(changed)


@pytest.mark.parametrize(
    ("name", "column", "value", "error"),
    [
        ("outs", 0, 9, "on the frontier"),
        ("outs", 0, -1, "on the frontier"),
        ("outs", 1, 3, "on the frontier"),
        ("choices", 0, 7, "decisions on the edges"),
        ("choices", 1, -2, "decisions on the edges"),
        ("touches", 0, 9, "places within a state"),
        ("touches", 1, 64, "places within a state"),
        ("touches", 1, 2, "behind the fields"),
        ("touches", 2, 5, "what registers hold"),
        ("touches", 3, -1, "what registers hold"),
        ("touches", 3, 0, "what registers can hold"),
        ("touches", 4, 3, "one case or two"),
        ("touches", 5, 10**6, "a row for all"),
        ("touches", 6, 10**6, "an entry for each"),
        ("fields", 0, 9, "places within a state"),
        ("fields", 1, 64, "places within a state"),
        ("order", 0, 9, "slots of the frontier"),
    ],
)
def test_tables_that_cannot_be_are_refused(name, column, value, error):
    changed = arguments(CLUED)
    changed[name][0, column] = value
    with pytest.raises(ValueError, match=error):
        begun(changed)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"words": 0}, "words of a state"),
        ({"field_bits": 0}, "bits of a field"),
        ({"field_bits": 2}, "hold all codes"),
        ({"decision_bits": 1}, "bits of a decision"),
        ({"closed": 64}, "bit of a closed loop"),
        ({"pairs": 20}, "hold all codes"),
        ({"records": 0}, "room"),
    ],
)
def test_numbers_that_cannot_be_are_refused(change, error):
    with pytest.raises(ValueError, match=error):
        begun(arguments(CLUED) | change)


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_other_sizes_are_refused(name):
    """Shorter ones, empty ones, and those of other numbers."""
    good = arguments(CLUED)
    wide = np.int64 if good[name].dtype != np.int64 else np.int32
    wrong = [good[name][:0], good[name][:-1]]
    wrong.append(good[name].astype(wide) if name != "steps" else good[name].view(np.int32))
    for table in wrong:
        with pytest.raises(ValueError, match=r"expected|mismatch"):
            begun(good | {name: table})


@pytest.mark.parametrize("seed", range(300))
def test_garbage_raises_or_counts_something(seed):
    """Tables that no plan would make stay within memory, whatever they count."""
    rng = random.Random(seed)
    noise = np.random.default_rng(seed)
    rows, cols = rng.randint(1, 4), rng.randint(1, 4)
    model = random_model(rng, rows, cols, min(3, rows * cols // 2), rng.choice(["loop", "paths"]))
    changed = arguments(model)
    for name in TABLES:
        table = changed[name]
        if not table.size or rng.random() < 0.4:
            continue
        for field in table.dtype.names or [None]:
            column = table if field is None else table[field]
            where = noise.random(column.shape) < rng.choice([0.02, 0.1, 0.5])
            most = max(1, int(column.max()) + rng.choice([1, 1, 2]))
            values = noise.integers(0, most, column.shape, dtype=np.uint64).astype(column.dtype)
            column[...] = np.where(where, values, column)
    try:
        one = begun(changed)
    except ValueError:
        return
    while not one.advance(NEVER):
        pass
    assert one.answer >= 0


def test_children_and_look_ahead_have_to_fit():
    one = Plan(CLUED).begin(counted=False, records=8, memory=1 << 26)
    assert one.most_children == 2
    for shape in ((0, 2), (2, 2), (1, 1), (1, 3)):
        with pytest.raises(ValueError, match="room for the children"):
            one.advance(NEVER, True, np.zeros(shape, dtype=np.uint32))
    with pytest.raises(ValueError, match="room for the children"):
        one.advance(NEVER, False, np.zeros((1, 2), dtype=np.uint32))
    tables = Windows(Plan(CLUED)).prospects()
    for number, table in enumerate(tables):
        wrongs = [table[:-1], table[:0]]
        # Any mask, any step and any large window is good.
        if number not in (2, 3, 4, 8, 9):
            wrongs.append(table + table.dtype.type(1 << 20))
        for wrong in wrongs:
            fresh = Plan(CLUED).begin(counted=False, records=8, memory=1 << 26)
            with pytest.raises(ValueError, match="expected"):
                fresh.foresee(tables._replace(**{tables._fields[number]: wrong}))
    one.foresee(tables)
    with pytest.raises(RuntimeError, match="once"):
        one.foresee(tables)
    with pytest.raises(ValueError, match="a new pass"):
        one.__init__(**handed(arguments(CLUED)))
    assert Pass.__new__(Pass).answer == 0


def test_the_fields_of_a_step_are_those_of_the_kernel():
    good = arguments(CLUED)
    names = STEP.names
    swapped = np.dtype([(name, np.int64) for name in names])
    steps = np.zeros(len(good["steps"]), dtype=swapped)
    with pytest.raises(ValueError, match="mismatch"):
        begun(good | {"steps": steps})


def test_a_pass_goes_on_after_a_limit():
    """Whatever stops it, the answer is right in the end, and so are the children."""
    model = LinkModel.blank_loop(Lattice(11, 11))
    one = Plan(model).begin(counted=True, records=2, memory=1 << 30)
    stopped = 0
    while one.step < 121 and one.states:
        try:
            one.advance(Deadline(1e-6))
        except SearchTimeout:
            stopped += 1
            if stopped == 5:
                one.foresee(Windows(Plan(model)).prospects())
            one.advance(NEVER, True)
    assert stopped > 10
    assert one.answer == reference.LOOPS[10, 10]


def to_the_end(memory):
    one = Plan(LARGE).begin(counted=True, records=1 << 8, memory=memory)
    while one.step < 24 * 24:
        one.advance(NEVER)


def test_memory_of_every_table_counts():
    for memory in (1 << 8, 1 << 12, 1 << 14, 1 << 16, 1 << 20):
        with pytest.raises(MemoryLimit):
            to_the_end(memory)
    one = Plan(LARGE).begin(counted=True, records=1 << 8, memory=1 << 20)
    before = one.used
    one.take(1000)
    assert one.used == before + 1000
    for size in (1 << 20, 1 << 62):
        with pytest.raises(MemoryLimit):
            one.take(size)
    with pytest.raises(MemoryLimit):
        Plan(LARGE).begin(counted=True, records=1 << 29, memory=1 << 30)


@pytest.mark.parametrize("ask", [count, Diagram.build])
def test_time_limits_hold_within_milliseconds(ask):
    start = time.monotonic()
    # All processors share a wide layer for a second.
    with ends_within(processors() + 0.3), pytest.raises(SearchTimeout):
        ask(LARGE, timeout=1)
    assert time.monotonic() - start >= 1


@pytest.mark.parametrize("ask", [count, Diagram.build])
def test_ctrl_c_is_heard_within_a_step(ask):
    with ctrl_c(after=1, within=0.3):
        ask(LARGE)


def test_threads_have_passes_of_their_own():
    models = [LinkModel.blank_loop(Lattice(side, side)) for side in (9, 10, 11) * 4]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(count, models))
    assert found == [reference.LOOPS[side, side] for side in (8, 9, 10)] * 4


def test_a_pass_is_for_one_thread():
    tables = Windows(Plan(LARGE)).prospects()

    def at_work():
        one = Plan(LARGE).begin(counted=True, records=1, memory=1 << 30)
        assert not one.advance(NEVER)
        return one

    def ask(one):
        with pytest.raises(RuntimeError, match="another thread"):
            one.advance(Deadline(1e-9))
        with pytest.raises(RuntimeError, match="not at work"):
            one.foresee(tables)

    while_at_work(at_work, lambda one, deadline: one.advance(deadline), ask)

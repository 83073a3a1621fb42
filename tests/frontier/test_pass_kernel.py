"""The kernel of a pass: bad tables, limits, Ctrl-C, threads."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import END, HOLE, PASS, PASS_OR_SKIP, LinkModel
from linkoracle.core.errors import MemoryLimit, SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.frontier import Diagram, count
from linkoracle.frontier.lookahead import lookahead
from linkoracle.frontier.pass_kernel import Pass
from linkoracle.frontier.plan import STEP, Plan
from tests.frontier import reference
from tests.interrupting import ctrl_c, ends_within, while_at_work
from tests.strategies import random_model

NEVER = Deadline(None)
#: Each layer in the middle of this board takes seconds. With an edge given, it is not blank.
LARGE = LinkModel.blank_loop(Lattice(24, 24)).with_edges(given=[0])


def arguments(plan):
    bits, words, _, _, pair_base = plan._layout
    tables = plan.steps.copy(), plan.faces, plan.plug_places, plan.top_places
    numbers = {"words": words, "plug_bits": bits, "pair_base": pair_base, "spare_code": pair_base}
    rest = {"loop": plan.model.loop, "counted": True, "records": 4, "memory": 1 << 24}
    return tables, numbers | rest | {"wide": 8}


def test_a_plan_is_taken():
    model = random_model(random.Random(1), 4, 4, 2, "paths")
    tables, numbers = arguments(Plan(model))
    one = Pass(*tables, **numbers)
    while not one.advance(NEVER):
        pass
    assert one.answer == count(model)


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("column", 1, "row by row"),
        ("degrees", 0b111, "at most two decisions"),
        ("degrees", -1, "masks of degrees"),
        ("decisions", 16, "masks of degrees"),
        ("phase", 3, "codes of terminals"),
        ("code", 4, "codes of terminals"),
        ("code", -1, "codes of terminals"),
        ("above", 32, "masks of counts"),
        ("beside", 3, "left of the first column"),
        ("keep_top", 1, "face bit"),
    ],
)
def test_steps_that_cannot_be_are_refused(field, value, error):
    tables, numbers = arguments(Plan(LinkModel.blank_loop(Lattice(4, 3))))
    tables[0][field][0] = value
    with pytest.raises(ValueError, match=error):
        Pass(*tables, **numbers)


@pytest.mark.parametrize(("vertex", "error"), [(2, "last column"), (9, "last row")])
def test_edges_that_leave_the_board_are_refused(vertex, error):
    tables, numbers = arguments(Plan(LinkModel.blank_loop(Lattice(4, 3))))
    tables[0]["decisions"][vertex] = 0b1111
    with pytest.raises(ValueError, match=error):
        Pass(*tables, **numbers)


@pytest.mark.parametrize("degrees", [PASS_OR_SKIP, PASS, END, HOLE])
def test_the_degrees_of_models_leave_two_decisions(degrees):
    """The bound on the growth of counts rests on it, and the kernel refuses others."""
    tables, numbers = arguments(Plan(LinkModel.blank_loop(Lattice(4, 3))))
    tables[0]["degrees"] = degrees
    Pass(*tables, **numbers)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"words": 0}, "words of a state"),
        ({"plug_bits": 64}, "bits of a plug"),
        ({"pair_base": 5}, "codes of met pairs"),
        ({"spare_code": -1}, "codes of met pairs"),
        ({"records": 0}, "room"),
    ],
)
def test_numbers_that_cannot_be_are_refused(change, error):
    tables, numbers = arguments(Plan(LinkModel.blank_loop(Lattice(4, 3))))
    with pytest.raises(ValueError, match=error):
        Pass(*tables, **numbers | change)


def test_tables_of_other_sizes_are_refused():
    tables, numbers = arguments(Plan(LinkModel.blank_loop(Lattice(4, 3))))
    steps, faces, plugs, tops = tables
    for others in (
        (steps[:-1], faces, plugs, tops),
        (steps[:0], faces, plugs, tops),
        (steps, faces[:-1], plugs, tops),
        (steps, faces, plugs[:-1], tops),
        (steps, faces, plugs, tops[:-1]),
        (steps, faces, plugs[:, :1].copy(), tops),
        (steps, faces, plugs + 64, tops),
        (steps, faces, plugs, tops + 65),
        (steps.view(np.int32), faces, plugs, tops),
        (steps, faces.astype(np.int32), plugs, tops),
    ):
        with pytest.raises(ValueError, match=r"expected|mismatch"):
            Pass(*others, **numbers)


@pytest.mark.parametrize("seed", range(300))
def test_garbage_raises_or_counts_something(seed):
    """Tables that no plan would make stay within memory, whatever they count."""
    rng = random.Random(seed)
    noise = np.random.default_rng(seed)
    rows, cols = rng.randint(1, 4), rng.randint(1, 4)
    model = random_model(rng, rows, cols, min(3, rows * cols // 2), rng.choice(["loop", "paths"]))
    tables, numbers = arguments(Plan(model))
    steps, faces, plugs, tops = tables
    most = (1 << numbers["plug_bits"]) - 1
    for name, low, high in (
        ("degrees", 0, 8),
        ("decisions", 0, 16),
        ("phase", 0, 3),
        ("code", 0, most + 1),
        ("guard", -1, most + 1),
        ("above", 0, 32),
        ("unseen", 0, 2),
    ):
        if rng.random() < 0.5:
            where = noise.random(len(steps)) < rng.choice([0.1, 1])
            steps[name] = np.where(where, noise.integers(low, high, len(steps)), steps[name])
    if rng.random() < 0.7:
        # What must hold lest the pass be refused.
        width = len(tops)
        for degrees in range(8):
            pairs = [bin(degrees >> entering & 7).count("1") for entering in range(3)]
            if degrees in (3, 7, 6) or max(pairs) > 2:
                steps["degrees"][steps["degrees"] == degrees] = PASS_OR_SKIP
        steps["decisions"][steps["column"] == width - 1] &= 0b0011
        steps["decisions"][-width:] &= 0b0101
    numbers |= {"pair_base": rng.randint(3, most + 1), "spare_code": rng.randint(0, most)}
    if rng.random() < 0.3:
        plugs = noise.integers(0, 8, plugs.shape)
        plugs[:, 0] %= numbers["words"]
    try:
        one = Pass(steps, faces, plugs, tops, **numbers)
    except ValueError:
        return
    while not one.advance(NEVER):
        pass
    assert one.answer >= 0


def test_children_and_look_ahead_have_to_fit():
    plan = Plan(LinkModel.blank_loop(Lattice(4, 4)))
    one = plan.begin(counted=False, records=8, memory=1 << 20)
    for shape in ((0, 2), (2, 2), (1, 1), (1, 3)):
        with pytest.raises(ValueError, match="two children"):
            one.advance(NEVER, True, np.zeros(shape, dtype=np.uint32))
    with pytest.raises(ValueError, match="two children"):
        one.advance(NEVER, False, np.zeros((1, 2), dtype=np.uint32))
    for shape in ((15, 256), (16, 255), (0, 256)):
        with pytest.raises(ValueError, match="a row of the table"):
            one.foresee(np.zeros(shape, dtype=np.uint8))
    with pytest.raises(ValueError, match="a new pass"):
        one.__init__(*arguments(plan)[0], **arguments(plan)[1])
    assert Pass.__new__(Pass).answer == 0


def test_the_fields_of_a_step_are_those_of_the_kernel():
    assert STEP.itemsize == 4 * len(STEP.names)
    tables, numbers = arguments(Plan(LinkModel.blank_loop(Lattice(2, 2))))
    swapped = tables[0].astype(np.dtype([(name, np.int64) for name in STEP.names]))
    with pytest.raises(ValueError, match="mismatch"):
        Pass(swapped, *tables[1:], **numbers)


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
            one.foresee(lookahead(Plan(model)).view(np.uint8))
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
    before = one.room
    one.take(1000)
    assert one.room == before + 1000
    for size in (1 << 20, 1 << 62):
        with pytest.raises(MemoryLimit):
            one.take(size)
    with pytest.raises(MemoryLimit):
        Plan(LARGE).begin(counted=True, records=1 << 29, memory=1 << 30)


@pytest.mark.parametrize("ask", [count, Diagram.build])
def test_time_limits_hold_within_milliseconds(ask):
    start = time.monotonic()
    with ends_within(1.3), pytest.raises(SearchTimeout):
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
    def begun():
        one = Plan(LARGE).begin(counted=True, records=1, memory=1 << 30)
        assert not one.advance(NEVER)
        return one

    def ask(one):
        with pytest.raises(RuntimeError, match="another thread"):
            one.advance(Deadline(1e-9))
        with pytest.raises(RuntimeError, match="another thread"):
            one.foresee(np.zeros((24 * 24, 256), dtype=np.uint8))

    while_at_work(begun, lambda one, deadline: one.advance(deadline), ask)

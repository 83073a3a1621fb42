"""The passes over kept layers: wrong arguments, time limits and interrupts."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
import pytest

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel
from linkoracle.core.errors import SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.frontier import Diagram
from linkoracle.frontier import counts_kernel as counts
from linkoracle.frontier import layers_kernel as passes
from linkoracle.frontier.layers import NEVER, reduced, unrolled
from tests.interrupting import ctrl_c, ends_within

#: A child of the first node of the next layer, by the decision 1; one that is nothing more.
FIRST, LAST = 2 << 2 | 1, 1 << 2


def array(values, dtype):
    return np.array(values, dtype=dtype)


def calls(children):
    """Every pass over one layer with these children; the next layer has one node."""
    size = len(children)
    ones = np.ones((size, 1), dtype=np.uint64)
    below = np.ones((2, 1), dtype=np.uint64)
    starts = array([0, size, size + 1], np.int64)
    nodes = np.concatenate([children, array([[LAST, 0]], np.uint32)])
    bounds = np.zeros(1, dtype=np.int32)
    return {
        "reduce": lambda: passes.reduce_layer(
            children.copy(),
            array([0, 1, 2], np.uint32),
            np.empty(64, dtype=np.int32),
            np.empty(size + 2, dtype=np.uint32),
            NEVER,
        ),
        "below": lambda: counts.count_below(
            children, below, np.zeros((size + 1, 1), dtype=np.uint64), NEVER
        ),
        "above": lambda: counts.count_above(
            children, ones, np.zeros((1, 1), dtype=np.uint64), NEVER
        ),
        "share": lambda: counts.share_layer(
            children, ones, below, np.zeros((4, 1), dtype=np.uint64), NEVER
        ),
        "lengths": lambda: counts.lengths_below(
            children, below[:, None], np.zeros((size + 1, 3, 1), dtype=np.uint64), NEVER
        ),
        "extents": lambda: passes.extents(nodes, starts, 1, NEVER).tolist(),
        "restrict": lambda: passes.restrict_layer(
            children,
            np.zeros((1, 2), dtype=np.int64),
            15,
            True,
            array([0, 1, 1, 2], np.int64),
            np.ones(4, dtype=np.uint8),
            bounds,
            bounds,
            np.full((1, 4), -1, dtype=np.int32),
            np.empty((1, 2), dtype=np.uint32),
            np.empty((2, 2), dtype=np.int64),
            NEVER,
        ),
        "unroll": lambda: [rows.tolist() for rows in unrolled(nodes, starts, 4)],
    }


def test_one_layer():
    found = {name: call() for name, call in calls(array([[LAST, FIRST]], np.uint32)).items()}
    assert found["unroll"] == [[[0, 0], [1, 0]]]
    assert found["extents"] == [1, 0]
    assert (found["below"], found["above"], found["reduce"], found["restrict"]) == (2, 1, 1, 1)


@pytest.mark.parametrize("child", [3 << 2, 4 << 2 | 1, 1 << 20, (1 << 32) - 1])
@pytest.mark.parametrize("name", calls(np.zeros((1, 2), dtype=np.uint32)))
def test_a_child_that_leads_out_of_its_layer(name, child):
    for children in ([[child, 0]], [[LAST, child]], [[FIRST, child]]):
        with pytest.raises(ValueError, match="children within the next layer"):
            calls(array(children, np.uint32))[name]()


@pytest.mark.parametrize("seed", range(30))
def test_random_layers_do_no_harm(seed):
    source = np.random.default_rng(seed)
    children = source.integers(0, 14, (int(source.integers(1, 20)), 2)).astype(np.uint32)
    for call in calls(children).values():
        try:
            call()
        except ValueError as error:
            assert "expected" in str(error)  # noqa: PT017


def test_arrays_that_do_not_belong_together():
    children = array([[LAST, 0]], np.uint32)
    one, two = np.ones((1, 1), dtype=np.uint64), np.zeros((2, 1), dtype=np.uint64)
    names, table = np.empty(3, dtype=np.uint32), np.empty(4, dtype=np.int32)
    starts, walk = array([0, 1], np.int64), np.zeros(2, dtype=np.int64)
    rows = np.zeros((1, 1), dtype=np.uint8)
    wrong = [
        lambda: passes.reduce_layer(children, names, table[:3].copy(), names, NEVER),
        lambda: passes.reduce_layer(children, names, table[:1].copy(), names, NEVER),
        lambda: passes.reduce_layer(children, names, table, names[:2].copy(), NEVER),
        lambda: passes.reduce_layer(children.T.copy(), names, table, names, NEVER),
        lambda: counts.count_below(children, one, one, NEVER),
        lambda: counts.count_below(children, one, two[:, :0].copy(), NEVER),
        lambda: counts.count_above(children, two, one, NEVER),
        lambda: counts.share_layer(children, one, one, two, NEVER),
        lambda: counts.lengths_below(children, one[None], one[None], NEVER),
        lambda: passes.extents(children, starts + 1, 1, NEVER),
        lambda: passes.extents(children, array([0, 2, 1], np.int64), 1, NEVER),
        lambda: passes.extents(children, starts[:0], 1, NEVER),
        lambda: passes.unroll(children, starts, walk[:1].copy(), walk, rows, NEVER),
        lambda: passes.unroll(children, starts, walk + 1, walk, rows, NEVER),
        lambda: passes.unroll(children, starts, walk - 2, walk, rows, NEVER),
        lambda: passes.unroll(children, starts, walk, walk + 3, rows, NEVER),
        lambda: passes.unroll(children, starts, walk, walk, rows[:, :0].copy(), NEVER),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match="expected"):
            call()


def test_counts_of_many_limbs():
    """A chain in which every layer doubles: carries through all limbs, and products of them."""
    layers = 400
    kept = [array([[2 << 2, 2 << 2 | 1]], np.uint32) for _ in range(layers - 1)]
    kept.append(array([[LAST, LAST | 1]], np.uint32))
    nodes, starts = reduced(kept)
    assert (len(nodes), len(starts)) == (layers, layers + 1)
    below = np.ones((1, 1), dtype=np.uint64)
    for layer in reversed(range(layers)):
        rows = np.zeros((2, (layers - layer) // 64 + 1), dtype=np.uint64)
        bits = counts.count_below(nodes[layer : layer + 1], below, rows, NEVER)
        rows[0, 0] = 1
        below = rows
        assert bits == layers - layer + 1
    source = np.random.default_rng(1)
    one, other = (source.integers(0, 1 << 64, (1, 5), dtype=np.uint64) for _ in range(2))
    one[0, :3] = other[0, 1:] = np.uint64((1 << 64) - 1)
    totals = np.zeros((4, 10), dtype=np.uint64)
    totals[1, :5] = one[0]
    below = np.concatenate([one, other])
    counts.share_layer(array([[FIRST, 0]], np.uint32), one, below, totals, NEVER)
    number = [int.from_bytes(row.astype("<u8").tobytes(), "little") for row in (one, other, totals)]
    assert number[2] >> 640 == number[0] * (number[1] + 1)


@pytest.fixture(scope="module")
def large():
    """Layers of a pass, as one that is kept in the midst: reducing them takes some tenths."""
    children = np.empty((3_000_000, 2), dtype=np.uint32)
    children[:, 0] = (np.arange(len(children)) + 2) << 2
    children[:, 1] = children[::-1, 0] | 1
    last = np.full((len(children), 2), LAST, dtype=np.uint32)
    last[:, 1] |= 1
    return [children, last]


def test_a_time_limit_stops_the_reduction(large):
    begun = time.process_time()
    reduced([layer.copy() for layer in large], NEVER)
    whole = time.process_time() - begun
    kept = [layer.copy() for layer in large]
    with ends_within(whole / 3), pytest.raises(SearchTimeout):
        reduced(kept, Deadline(0.002))


@pytest.mark.parametrize(
    ("side", "ask"), [(12, Diagram.by_length), (13, Diagram.edge_shares)], ids=["lengths", "shares"]
)
def test_an_interrupt_stops_a_pass(side, ask):
    """Which takes longer than that on each of these boards."""
    diagram = Diagram.build(LinkModel.blank_loop(Lattice(side, side)))
    with ctrl_c(after=0.02, within=0.1):
        ask(diagram)
    # As good as before.
    found, number = ask(diagram), diagram.count()
    if ask is Diagram.by_length:
        assert sum(found.values()) == number
    else:
        assert found[0] == Fraction(diagram.filter(required=[0]).count(), number)

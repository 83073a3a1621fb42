"""Families from the layers of a pass: any number of children, wrong ones, limits, interrupts."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from linkoracle.board import Lattice, LinkModel
from linkoracle.core import Deadline, MemoryLimit, SearchTimeout
from linkoracle.frontier import Diagram
from linkoracle.zdd import Zdd
from linkoracle.zdd.sets_kernel import SetCounts
from tests.interrupting import ctrl_c, ends_within

TERMINALS = np.array([0, 1], dtype=np.int32)


def layer(rows):
    return np.array(rows, dtype=np.uint32)


def variables(*numbers):
    return np.array(numbers, dtype=np.int32)


def add(sets, children, places, targets, deadline=None):
    """A layer in which each decision is the mask of what it chooses."""
    bits = len(places)
    masks = variables(*range(1 << bits))
    return sets.add_layer(children, max(1, bits), masks, places, targets, deadline)


def test_children_add_sets_of_edges():
    """A layer of one state for each of its targets, and one with a child for each decision."""
    sets = Zdd(6)
    targets = add(sets, layer([[1 << 2 | 1], [1 << 2 | 2]]), variables(4, 5), TERMINALS)
    assert targets[:2].tolist() == [0, 1]
    assert [list(sets.sets(node)) for node in targets[2:]] == [[(5,)], [(4,)]]
    children = [target << 3 | decision for decision, target in enumerate([0, 1, 2, 3, 0, 2, 1, 3])]
    (*_, node) = add(sets, layer([children]), variables(0, 1, 3), targets).tolist()
    expected = {(3,), (1, 5), (1, 3, 4), (0, 3, 5), (0, 1), (0, 1, 3, 4)}
    assert set(sets.sets(node)) == expected
    # What leads nowhere is no node, and equal states are one.
    size = len(sets)
    rows = layer([[0, 0], [2 << 1, 0], [0, 2 << 1]])
    again = add(sets, rows, variables(), np.append(TERMINALS, np.int32(node)))
    assert again.tolist() == [0, 1, 0, node, node]
    assert len(sets) == size


@pytest.mark.parametrize("child", [3 << 2, 4 << 2 | 1, 1 << 20, (1 << 32) - 1])
def test_a_child_that_leads_out_of_its_layer(child):
    for children in ([[child, 0]], [[1 << 2, child]], [[2 << 2 | 1, child]]):
        sets = Zdd(4)
        targets = add(sets, layer([[1 << 2]]), variables(2, 3), TERMINALS)
        with pytest.raises(ValueError, match="children within the next layer"):
            add(sets, layer(children), variables(0, 1), targets)


@pytest.mark.parametrize("seed", range(30))
def test_random_layers_do_no_harm(seed):
    source = np.random.default_rng(seed)
    sets, targets = Zdd(12), TERMINALS
    for step in reversed(range(6)):
        children = source.integers(0, 14, (int(source.integers(1, 20)), 3)).astype(np.uint32)
        try:
            targets = add(sets, children, variables(2 * step, 2 * step + 1), targets)
        except ValueError as error:
            assert "expected" in str(error)  # noqa: PT017
    assert len(Zdd(12, kept=sets.array())) == len(sets)


def test_layers_that_make_no_sense():
    good = {
        "children": layer([[1 << 2]]),
        "decision_bits": 2,
        "decisions": variables(0, 1, 2, 3),
        "variables": variables(1, 2),
        "targets": TERMINALS,
    }
    Zdd(8).add_layer(**good)
    for name, wrong in (
        ("children", layer([[1 << 2, 1 << 2]])),
        ("decision_bits", 0),
        ("decision_bits", 40),
        ("decisions", variables()),
        ("decisions", variables(4, 1, 2, 3)),
        ("decisions", variables(-1, 1, 2, 3)),
        ("variables", variables(*range(8), 8, 9, 10)),
        ("variables", variables(2, 1)),
        ("variables", variables(1, 1)),
        ("variables", variables(1, 8)),
        ("targets", TERMINALS[:1]),
        ("targets", np.array([1, 0], dtype=np.int32)),
        ("targets", np.array([0, 1, 7], dtype=np.int32)),
    ):
        with pytest.raises(ValueError, match=r"expected|no node"):
            Zdd(8).add_layer(**{**good, name: wrong})
    sets = Zdd(8)
    targets = add(sets, layer([[1 << 1 | 1]]), variables(3), TERMINALS)
    for late in (3, 4):
        with pytest.raises(ValueError, match="variables before those of the targets"):
            add(sets, layer([[1 << 1 | 1]]), variables(late), targets)


def test_numbers_of_many_limbs():
    """All sets of 400 variables: carries through all limbs, and products of them."""
    size = 400
    sets, targets = Zdd(size), TERMINALS
    for step in reversed(range(size)):
        child = 1 if step == size - 1 else 2
        targets = add(sets, layer([[child << 1, child << 1 | 1]]), variables(step), targets)
    root = int(targets[2])
    assert len(sets) == size + 2
    counts = SetCounts(sets, root)
    assert [counts[node] for node in range(2, root + 1)] == [1 << k for k in range(1, size + 1)]
    assert counts.by_variable(root) == [1 << size - 1] * size
    sizes = counts.by_size(root)
    assert sum(sizes.values()) == 1 << size
    assert (sizes[0], sizes[1], sizes[2]) == (1, size, sum(1 for _ in combinations(range(size), 2)))
    exact = [size // 2 == number for number in range(size + 1)]
    into = Zdd(size)
    assert into.count(sets.narrowed(root, sizes=exact, into=into)) == sizes[size // 2]


def test_counts_belong_to_what_was_counted():
    sets = Zdd(3)
    counts = SetCounts(sets, 1)
    family = sets.from_sets([[0], [1]])
    for ask in (counts.by_size, counts.by_variable):
        with pytest.raises(ValueError, match="those that were counted"):
            ask(family)
    with pytest.raises(IndexError, match="those that were counted"):
        counts[family]


def test_memory_is_a_limit():
    """Each layer has a state for any two families of the one that follows."""
    sets, targets = Zdd(4, memory=1 << 20), TERMINALS

    def below(step):
        low, high = np.indices((len(targets),) * 2).reshape(2, -1)
        children = np.stack([low << 1, high << 1 | 1], axis=1).astype(np.uint32)
        return add(sets, children, variables(step), targets)

    for step in (3, 2, 1):
        targets = below(step)
    with pytest.raises(MemoryLimit, match="needs more than the 1 MB allowed"):
        below(0)
    assert sets.count(int(targets[-1])) == 8


@pytest.fixture(scope="module")
def large():
    """Layers of a pass, as one that is kept in the midst: to merge them takes some tenths."""
    size = 3_000_000
    last = np.full((size, 2), 1 << 2, dtype=np.uint32)
    last[:, 1] |= 1
    children = np.empty_like(last)
    children[:, 0] = (np.arange(size) + 2) << 2
    children[:, 1] = children[::-1, 0] | 1
    return last, children


def test_a_time_limit_stops_a_layer(large):
    begun = time.process_time()
    add(Zdd(2), large[0], variables(0, 1), TERMINALS, Deadline(None))
    whole = time.process_time() - begun
    with ends_within(whole / 3), pytest.raises(SearchTimeout):
        add(Zdd(2), large[0], variables(0, 1), TERMINALS, Deadline(0.002))


@pytest.mark.parametrize(
    ("side", "ask"),
    [(11, Diagram.by_length), (12, Diagram.edge_frequencies)],
    ids=["lengths", "shares"],
)
def test_an_interrupt_stops_a_pass(side, ask):
    """Which takes longer than that on each of these boards."""
    diagram = Diagram.build(LinkModel.blank_loop(Lattice(side, side)))
    diagram.count()
    with ctrl_c(after=0.02, within=0.1):
        ask(diagram)
    # As good as before.
    found, number = ask(diagram), diagram.count()
    if ask is Diagram.by_length:
        assert sum(found.values()) == number
    else:
        assert found[0] == Fraction(diagram.filter(required=[0]).count(), number)


def test_an_interrupt_stops_a_filter():
    diagram = Diagram.build(LinkModel.blank_loop(Lattice(11, 11)))
    for _ in range(2):
        with ctrl_c(after=0.1, within=0.5):
            diagram.filter(length=(40, 60))
    lengths = diagram.by_length()
    found = diagram.filter(length=(40, 44)).by_length()
    assert found == {length: lengths[length] for length in (40, 42, 44)}

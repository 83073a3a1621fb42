"""`Diagram` against brute force: order, shares, lengths, filters, and an exactly uniform sample."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import census, graphs
from linkoracle.board import Lattice, LinkModel, Solution
from linkoracle.core import MemoryLimit
from linkoracle.frontier import Diagram, Family, count
from linkoracle.zdd import Zdd
from tests import brute_force
from tests.frontier import reference
from tests.strategies import models

LOOPS_4X4 = Diagram.build(LinkModel.blank_loop(Lattice(4, 5)))


def _in_order(diagram: Diagram, edge_sets: set[frozenset[int]]) -> list[Solution]:
    """Edge sets as solutions, sorted as the class says."""
    ordered = sorted(edge_sets, key=lambda s: [edge in s for edge in diagram.edge_order])
    return [Solution(diagram.model.lattice, tuple(edges)) for edges in ordered]


@given(models())
@settings(max_examples=250, deadline=None)
def test_everything_agrees_with_brute_force(model: LinkModel) -> None:
    expected = brute_force.model_solutions(model)
    diagram = Diagram.build(model)
    listed = list(diagram)
    assert listed == _in_order(diagram, expected)
    assert diagram.count() == count(model) == len(expected)
    assert bool(diagram) == bool(expected)
    assert diagram.by_length() == dict(sorted(Counter(map(len, expected)).items()))
    assert [diagram[index] for index in range(len(expected))] == listed
    assert all(solution in diagram for solution in listed)
    if expected:
        shares = diagram.edge_frequencies()
        assert list(shares) == list(range(model.lattice.num_edges))
        for edge, share in shares.items():
            assert share == Fraction(sum(edge in s for s in expected), len(expected))
        most, fewest = max(map(len, expected)), min(map(len, expected))
        assert diagram.longest() == next(s for s in listed if len(s) == most)
        assert diagram.shortest() == next(s for s in listed if len(s) == fewest)
    else:
        assert diagram.longest() is diagram.shortest() is None


@given(models(), st.data())
@settings(max_examples=250, deadline=None)
def test_filter_agrees_with_brute_force(model: LinkModel, data: st.DataObject) -> None:
    expected = brute_force.model_solutions(model)
    diagram = Diagram.build(model)
    edges = st.lists(st.integers(0, model.lattice.num_edges - 1), max_size=2)
    required, forbidden = data.draw(edges), data.draw(edges)
    low, high = sorted(data.draw(st.tuples(st.integers(0, 14), st.integers(0, 14))))
    length, allowed = data.draw(
        st.sampled_from(
            [
                (None, range(100)),
                (high, [high]),
                ((low, high), range(low, high + 1)),
                (range(low, high), range(low, high)),
                ({low, high}, [low, high]),
            ]
        )
    )
    chosen = {
        s for s in expected if s >= set(required) and not s & set(forbidden) and len(s) in allowed
    }
    narrowed = diagram.filter(required=required, forbidden=forbidden, length=length)
    assert list(narrowed) == _in_order(diagram, chosen)
    assert narrowed.count() == len(chosen)
    assert narrowed.by_length() == dict(sorted(Counter(map(len, chosen)).items()))
    assert diagram.count() == len(expected)


@pytest.mark.parametrize("side", reference.CYCLES_BY_LENGTH)
def test_cycles_by_length(side: int) -> None:
    counts = Diagram.build(LinkModel.blank_loop(Lattice(side, side))).by_length()
    assert counts == dict(zip(itertools.count(4, 2), reference.CYCLES_BY_LENGTH[side]))


def test_large_counts() -> None:
    """Several limbs: sums over lengths, shares and filters agree with the published count."""
    total = reference.LOOPS[10, 10]
    diagram = Diagram.build(LinkModel.blank_loop(Lattice(11, 11)))
    assert diagram.count() == total > 2**64
    by_length = diagram.by_length()
    assert sum(by_length.values()) == total
    shares = diagram.edge_frequencies()
    assert sum(shares.values()) * total == sum(n * k for n, k in by_length.items())
    for edge in (0, 57, 219):
        assert diagram.filter(required=[edge]).count() == shares[edge] * total
        assert diagram.filter(forbidden=[edge]).count() == (1 - shares[edge]) * total
    lattice = diagram.model.lattice
    for edge in (0, 57):
        [mirrored] = Solution(lattice, (edge,)).reflect().edges
        assert shares[mirrored] == shares[edge]
    ranges = [diagram.filter(length=(low, low + 39)).count() for low in range(0, 160, 40)]
    assert sum(ranges) == total
    assert diagram.filter(length=max(by_length)).count() == by_length[max(by_length)]
    longest = diagram.longest()
    assert longest is not None
    assert len(longest) == max(by_length) == 120
    assert len(longest.paths()) == 1


def test_index_and_membership() -> None:
    total = LOOPS_4X4.count()
    assert LOOPS_4X4[-1] == LOOPS_4X4[total - 1]
    for index in (total, -total - 1):
        with pytest.raises(IndexError):
            LOOPS_4X4[index]
    lattice = LOOPS_4X4.model.lattice
    assert Solution(lattice, ()) not in LOOPS_4X4
    assert Solution(lattice, (0, 1)) not in LOOPS_4X4
    assert Solution(Lattice(5, 4), LOOPS_4X4[0].edges) not in LOOPS_4X4
    assert "loop" not in LOOPS_4X4
    first, last = LOOPS_4X4[0], LOOPS_4X4[-1]
    assert Solution(lattice, (*first.edges, *last.edges)) not in LOOPS_4X4


def test_sample_is_uniform() -> None:
    """Chi-square over the 213 loops of 3x3 cells: 211.5 expected, 3.3 standard deviations."""
    diagram = Diagram.build(LinkModel.blank_loop(Lattice(4, 4)))
    draws = 213 * 100
    tally = Counter(diagram.sample(draws, seed=20120501))
    assert len(tally) == 213
    chi_square = sum((tally[loop] - 100) ** 2 / 100 for loop in diagram)
    assert 212 - 3.3 * (2 * 212) ** 0.5 < chi_square < 212 + 3.3 * (2 * 212) ** 0.5


def test_sample_repeats_with_its_seed() -> None:
    assert LOOPS_4X4.sample(20, seed=7) == LOOPS_4X4.sample(20, seed=7)
    assert LOOPS_4X4.sample(20, seed=7) != LOOPS_4X4.sample(20, seed=8)
    assert len(LOOPS_4X4.sample(3)) == 3


def test_samples_are_the_same_everywhere() -> None:
    """Drawn by numbers that Python promises to keep, and fresh ones without a seed."""
    assert LOOPS_4X4.sample(3, seed=1) == [LOOPS_4X4[rank] for rank in (342, 35, 551)]
    assert LOOPS_4X4.sample(20) != LOOPS_4X4.sample(20)


def test_calls_that_make_no_sense_are_refused() -> None:
    for k in (-1, 1.5, "2"):
        with pytest.raises(ValueError, match="a number of solutions from 0, got"):
            LOOPS_4X4.sample(k)
    with pytest.raises(ValueError, match="a seed, a whole number, got"):
        LOOPS_4X4.sample(1, seed=1.5)
    with pytest.raises(ValueError, match="the index of a solution"):
        LOOPS_4X4[0.5]
    for length in (4.0, 1.5):
        with pytest.raises(ValueError, match="a length, a whole number, got"):
            LOOPS_4X4.filter(length=length)
    with pytest.raises(ValueError, match="a bound of lengths"):
        LOOPS_4X4.filter(length=(1, 4.5))
    with pytest.raises(ValueError, match="a number of rows from 1, got 0"):
        next(LOOPS_4X4.masks(0))


def test_nothing_to_draw_from() -> None:
    empty = Diagram.build(LinkModel.blank_loop(Lattice(1, 5)))
    assert not empty
    assert empty.count() == 0
    assert list(empty) == []
    assert empty.sample(0) == []
    with pytest.raises(ValueError, match="no solutions"):
        empty.sample(1)
    with pytest.raises(ValueError, match="no solutions"):
        empty.edge_frequencies()


def test_filter_refuses_unknown_edges() -> None:
    for edge in (-1, LOOPS_4X4.model.lattice.num_edges):
        with pytest.raises(ValueError, match="the id of an edge from 0 to"):
            LOOPS_4X4.filter(required=[edge])


@pytest.mark.parametrize("batch", [1, 2, 7, 1048, 1049, 1050])
def test_masks_in_batches(batch: int) -> None:
    listed = list(LOOPS_4X4)
    blocks = list(LOOPS_4X4.masks(batch))
    assert [len(block) for block in blocks[:-1]] == [batch] * (len(blocks) - 1)
    rows = [tuple(row.nonzero()[0].tolist()) for block in blocks for row in block]
    assert rows == [solution.edges for solution in listed]


def test_memory_limit() -> None:
    model = LinkModel.blank_loop(Lattice(13, 13)).with_holes([0])  # not blank: no bound
    with pytest.raises(MemoryLimit, match="kept layers"):
        Diagram.build(model, memory=16 << 20)
    model, total = LinkModel.blank_loop(Lattice(10, 10)), reference.LOOPS[9, 9]
    diagram = Diagram.build(model, memory=16 << 20)
    assert diagram.count() == total
    assert sum(diagram.by_length().values()) == total
    nodes, root = diagram.nodes()
    for memory, ask, what in (
        (1 << 22, Diagram.count, "counting below"),
        (6 << 20, Diagram.by_length, "counting the sizes of a diagram"),
        (5 << 20, Diagram.edge_frequencies, "counting the members of a diagram"),
        (5 << 20, lambda one: one.filter(length=40), "a part of a diagram"),
    ):
        scarce = Zdd(180, memory=memory, kept=nodes, capacity=len(nodes))
        with pytest.raises(MemoryLimit, match=what):
            ask(Diagram(diagram._plan, scarce, root, None))


@pytest.mark.parametrize(
    ("memory", "ask"),
    [(6 << 20, Diagram.edge_frequencies), (9 << 19, lambda one: one.filter(required=[40]).count())],
    ids=["shares", "filter"],
)
def test_memory_suffices(memory: int, ask: Callable[[Diagram], object]) -> None:
    """The nodes take 2.7 MB. Shares need 1.8 MB of counts and little else, a filter no counts."""
    diagram = Diagram.build(LinkModel.blank_loop(Lattice(10, 10)))
    nodes, root = diagram.nodes()
    scarce = Zdd(180, memory=memory, kept=nodes, capacity=len(nodes))
    assert ask(Diagram(diagram._plan, scarce, root, None)) == ask(diagram)


def test_nodes_stand_by_edges() -> None:
    """Those of the last edge first, so that a pass that reads them in turn has children at hand."""
    for diagram in (
        LOOPS_4X4,
        LOOPS_4X4.filter(required=[3]),
        LOOPS_4X4.filter(forbidden=[7], length=(8, 12)),
    ):
        nodes, _ = diagram.nodes()
        assert (np.diff(nodes[2:, 0]) <= 0).all()
        assert len(nodes) == diagram.num_nodes + 2


def test_filters_compose() -> None:
    rng = random.Random(3)
    for _ in range(20):
        a, b = rng.sample(range(LOOPS_4X4.model.lattice.num_edges), 2)
        together = LOOPS_4X4.filter(required=[a], forbidden=[b], length=(6, 12))
        stepwise = LOOPS_4X4.filter(length=(6, 12)).filter(forbidden=[b]).filter(required=[a])
        assert list(together) == list(stepwise)
        # Reduced diagrams of the same set are the same.
        assert together.num_nodes == stepwise.num_nodes


def test_slices_are_lists():
    """Of all collections that are indexed, with any step, and past the ends."""
    collections = [
        Diagram.build(LinkModel.blank_loop(Lattice(4, 4))),
        census.instances(2, 3),
        graphs.simple_cycles(nx.grid_2d_graph(4, 4)),
        graphs.simple_cycles(nx.windmill_graph(3, 4)).including([(0, 1)]),
    ]
    for members in collections:
        expected = list(members)
        bounds = (None, -1000, -9, -1, 0, 2, 10, 1000)
        for start, stop in product(bounds, bounds):
            for step in (None, 1, 3, -1, -4, 1000):
                assert members[start:stop:step] == expected[start:stop:step]
        with pytest.raises(ValueError, match="zero"):
            members[::0]


def test_more_members_than_len_can_tell(monkeypatch):
    large = Diagram.build(LinkModel.blank_loop(Lattice(10, 10)))
    paths = graphs.all_simple_paths(nx.grid_2d_graph(11, 11), (0, 0), (10, 10))
    family = Diagram.build(LinkModel.blank_loop(Lattice(3, 3))).family()
    assert len(family) == 13
    monkeypatch.setattr(Family, "count", lambda _: 2**63)
    for members in (large, paths, family):
        assert members.count() >= 2**63
        with pytest.raises(OverflowError, match=r"2\^63 or more\. Call count\(\) instead"):
            len(members)
    last = large.count() - 1
    assert large[last - 1 :] == [large[-2], large[-1]]
    assert large[:: -(10**30)] == [large[-1]]

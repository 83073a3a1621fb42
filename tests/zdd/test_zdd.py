"""Families of sets: every operation against Python's own sets."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import MemoryLimit
from linkoracle.zdd import EMPTY, UNIT, Zdd
from linkoracle.zdd import zdd_kernel as kernel
from linkoracle.zdd.sets_kernel import SetCounts

VARIABLES = 6
families = st.frozensets(st.frozensets(st.integers(0, VARIABLES - 1)), max_size=8)
EVERY = [
    frozenset(chosen)
    for chosen in chain.from_iterable(
        combinations(range(VARIABLES), size) for size in range(VARIABLES + 1)
    )
]


def minimal(family):
    return {one for one in family if not any(other < one for other in family)}


def members(sets: Zdd, node: int) -> set:
    listed = [frozenset(one) for one in sets.sets(node)]
    assert len(listed) == len(set(listed))
    return set(listed)


@given(families, families, st.integers(0, VARIABLES - 1))
def test_operations(first, second, variable):
    sets = Zdd(VARIABLES)
    f, g = sets.from_sets(first), sets.from_sets(second)

    def result(operation, left, right=0):
        return members(sets, sets.apply(operation, left, right))

    assert members(sets, f) == first
    assert result(kernel.UNION, f, g) == first | second
    assert result(kernel.INTERSECTION, f, g) == first & second
    assert result(kernel.DIFFERENCE, f, g) == first - second
    assert result(kernel.WITHOUT_SUPERSETS, f, g) == {
        one for one in first if not any(other <= one for other in second)
    }
    assert result(kernel.WITHOUT_SUBSETS, f, g) == {
        one for one in first if not any(one <= other for other in second)
    }
    assert result(kernel.MAXIMAL, f) == {
        one for one in first if not any(one < other for other in first)
    }
    assert result(kernel.MINIMAL, f) == minimal(first)
    assert result(kernel.ATTACH, f, variable) == {one | {variable} for one in first}
    least = [sets.apply(kernel.MINIMAL, node) for node in (f, g)]
    assert result(kernel.MINIMAL_UNION, *least) == minimal(first | second)


@given(families)
def test_hitting_sets(family):
    sets = Zdd(VARIABLES)
    hitting = sets.apply(kernel.HITTING, sets.apply(kernel.MINIMAL, sets.from_sets(family)))
    expected = {one for one in EVERY if all(one & other for other in family)}
    assert members(sets, hitting) == expected
    least = sets.apply(kernel.MINIMAL_OF_UPSET, hitting)
    assert members(sets, least) == minimal(expected)
    assert sets.count(hitting) == len(expected)
    assert all(sets.has(hitting, one) == (one in expected) for one in EVERY)


@given(families)
def test_counts(family):
    sets = Zdd(VARIABLES)
    node = sets.from_sets(family)
    counts = SetCounts(sets, node)
    assert counts[node] == sets.count(node) == len(family)
    assert counts.by_size(node) == dict(sorted(Counter(map(len, family)).items()))
    expected = [sum(variable in one for one in family) for variable in range(VARIABLES)]
    assert counts.by_variable(node) == expected
    if family:
        sizes = set(map(len, family))
        assert [sets.extents(node, sign)[node] for sign in (-1, 1)] == [min(sizes), max(sizes)]


@given(
    families,
    st.frozensets(st.integers(0, VARIABLES - 1), max_size=2),
    st.frozensets(st.integers(0, VARIABLES - 1), max_size=2),
    st.none() | st.lists(st.booleans(), max_size=VARIABLES + 2),
)
def test_parts(family, required, forbidden, sizes):
    """In the same diagram and in another one, which stays usable for operations."""
    sets, other = Zdd(VARIABLES), Zdd(VARIABLES)
    node = sets.from_sets(family)
    expected = {
        one
        for one in family
        if required <= one
        and not forbidden & one
        and (sizes is None or True in sizes[len(one) :][:1])
    }
    part = sets.narrowed(node, required, forbidden, sizes)
    assert members(sets, part) == expected
    assert members(sets, node) == family
    assert part == sets.from_sets(expected)
    moved = sets.narrowed(node, required, forbidden, sizes, other)
    assert members(other, moved) == expected
    other.trim()
    assert members(other, other.union(moved, other.from_sets(family))) == family


@given(families, st.integers(1, 4))
def test_rows_in_batches(family, batch):
    sets = Zdd(VARIABLES)
    node = sets.from_sets(family)
    blocks = [rows.tolist() for rows in sets.rows(node, batch)]
    assert all(len(block) == batch for block in blocks[:-1])
    listed = [row for block in blocks for row in block]
    # Those without the smallest variable first.
    assert listed == sorted([variable in one for variable in range(VARIABLES)] for one in family)


@given(st.lists(families, min_size=1, max_size=4))
def test_collecting_keeps_the_roots(several):
    sets = Zdd(VARIABLES)
    nodes = [sets.from_sets(family) for family in several]
    kept = sets.collect(np.array(nodes, dtype=np.int32)).tolist()
    assert [members(sets, node) for node in kept] == [set(family) for family in several]
    # Equal families are still one node, new ones too.
    again = [sets.from_sets(family) for family in several]
    assert again == kept
    assert len(sets) >= 2


def test_growing_in_the_middle_of_an_operation():
    """Operations that run out of nodes go on where they were, with the same result."""
    pairs = [[a, b] for a in range(12) for b in range(a)]
    sets = Zdd(12, capacity=4)
    hitting = sets.apply(kernel.HITTING, sets.from_sets(pairs))
    # Of each pair one is taken: at most one of the twelve is left out.
    assert SetCounts(sets, hitting).by_size(hitting) == {11: 12, 12: 1}
    assert len(sets) > 4


def test_terminals_and_limits():
    sets = Zdd(3)
    assert (sets.count(EMPTY), sets.count(UNIT)) == (0, 1)
    counts = SetCounts(sets, UNIT)
    assert (counts.by_size(EMPTY), counts.by_size(UNIT)) == ({}, {0: 1})
    assert counts.by_variable(EMPTY) == counts.by_variable(UNIT) == [0, 0, 0]
    assert (list(sets.sets(EMPTY)), list(sets.sets(UNIT))) == ([], [()])
    with pytest.raises(ValueError, match="no variable 3"):
        sets.from_sets([[3]])
    with pytest.raises(MemoryLimit):
        Zdd(3, memory=1000)

"""The smallest cores against brute force, whatever the oracle answered before."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import engines
from linkoracle.core import Deadline, SearchTimeout
from linkoracle.engines import Conflicts, HittingSets, best_core

MEMBERS = "abcdefg"
FAMILIES = st.lists(st.sets(st.sampled_from(MEMBERS), max_size=5), min_size=1, max_size=6)


def subsets():
    """All sets of members, the smallest first, in lexicographic order."""
    return [{*some} for size in range(8) for some in combinations(MEMBERS, size)]


def answering(family):
    """An oracle that answers with the first contradiction of this list."""
    return lambda part: next((core for core in family if core <= {*part}), None)


def cores(family):
    """Contradictions all of whose members are needed, the smallest and first first."""
    return [one for one in subsets() if one in family and not any(c < one for c in family)]


@given(FAMILIES, st.sets(st.sampled_from(MEMBERS), max_size=2), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_the_smallest_core_against_brute_force(family, containing, rng):
    expected = [core for core in cores(family) if core & containing] or cores(family)
    found = set()
    for _ in range(3):
        rng.shuffle(family)
        conflicts = Conflicts(MEMBERS, answering(family), MEMBERS, containing)
        minimal = conflicts.minimal()
        assert {*minimal} in cores(family)
        assert {*conflicts.smallest(Deadline(None))} == expected[0]
        found.add(tuple(minimal))
    # What the oracle happens to answer first does not matter.
    assert len(found) == 1


@pytest.mark.parametrize("compiled", [True, False], ids=["installed", "in a browser tab"])
@given(FAMILIES, FAMILIES)
@settings(max_examples=100, deadline=None)
def test_minimum_hitting_sets_against_brute_force(compiled, hit, spare):
    hitting = [one for one in subsets() if all(one & some for some in hit)]
    fitting = [one for one in hitting if not any(one >= some for some in spare)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines.cores, "COMPILED", compiled)
        sets = HittingSets(MEMBERS)
    with sets:
        assert (sets._hitter is None) == (not compiled)
        for some in hit:
            sets.hit(some)
        for some in spare:
            sets.spare(some)
        found = sets.smallest(Deadline(None))
        if not fitting:
            assert found is None
            return
        assert len(found) == len(fitting[0])
        assert found in fitting
        assert sets.first(len(found), Deadline(None)) == fitting[0]


def test_what_is_found_until_time_runs_out_is_a_contradiction():
    proven = set()
    for most in range(1, 40):
        queries = iter(range(most))

        def contradiction(part, queries=queries):
            if next(queries, None) is None:
                raise SearchTimeout(1.0)
            return answering([{*"abc"}, {*"dg"}])(part)

        conflicts = Conflicts(MEMBERS, contradiction, MEMBERS)
        core, minimal, smallest = best_core(conflicts, Deadline(None), smallest=True)
        assert {*"abc"} <= {*core} or {*"dg"} <= {*core}
        assert not minimal or {*core} in ({*"abc"}, {*"dg"})
        assert not smallest or core == ["d", "g"]
        proven.add((minimal, smallest))
    assert proven == {(False, False), (True, False), (True, True)}

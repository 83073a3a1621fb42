"""Engines on plane boards of all sorts, and on graphs that are not plane, against brute force."""

from __future__ import annotations

import random

import pytest

from linkoracle import Oracle, plain, plain_count
from tests import boards


def check(seed: int, *, diagram: bool = True) -> int:
    """All engines on one random model; how many solutions it has."""
    rng = random.Random(seed)
    model = boards.random_model(rng, boards.random_board(rng))
    wanted = boards.solutions(model)
    with Oracle(model) as oracle:
        status = ("none", "unique", "many")[min(2, len(wanted))]
        verdict = oracle.ask()
        assert verdict.status == status, seed
        assert {one.edges for one in verdict.solutions} <= wanted, seed
        listed = [one.edges for one in oracle.solutions()]
    assert len(listed) == len(set(listed)), seed
    assert set(listed) == wanted, seed
    listed = list(plain.solutions(model))
    assert len(listed) == len(set(listed)), seed
    assert set(listed) == wanted, seed
    if diagram:
        assert plain_count.count(model) == len(wanted), seed
    return len(wanted)


@pytest.mark.parametrize("part", range(8))
def test_random_models_on_random_boards(part):
    found = [check(1000 * part + k, diagram=k % 4 == 0) for k in range(100)]
    assert {0, 1} < set(found)


@pytest.mark.heavy
@pytest.mark.parametrize("part", range(100))
def test_very_many_random_models(part):
    for k in range(2000):
        check(10**6 * (part + 1) + k, diagram=k % 20 == 0)

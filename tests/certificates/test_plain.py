"""Certificates as they are made where nothing is compiled: the verifier accepts them, too."""

from __future__ import annotations

import random

import pytest

from linkoracle import NoCertificate, Numberlink, Slitherlink, boards, certificate, count, generate
from linkoracle.certificates import making
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.refuting import PlainRefutation
from linkoracle.kinds import KINDS
from tests.certificates.forging import random_puzzle

KNOWN = [*checker.LOOPS, "grandtour", "detour", "zip"]


@pytest.fixture(autouse=True)
def without_kernels(monkeypatch):
    monkeypatch.setattr(making, "COMPILED", False)
    seen = []
    follow = PlainRefutation.follow
    monkeypatch.setattr(
        PlainRefutation, "follow", lambda *given: seen.append(given) or follow(*given)
    )
    yield
    assert seen


def holds(puzzle) -> int:
    made = certificate(puzzle, limit=20)
    _, found, _ = checker.verify(made.data)
    assert found == len(made.solutions)
    return found


def test_random_boards_have_the_true_number():
    rng, numbers = random.Random(5), set()
    for _ in range(80):
        puzzle = random_puzzle(rng, rng.randint(1, 3), rng.randint(1, 3))
        true = count(puzzle)
        if true > 20:
            with pytest.raises(NoCertificate, match="more solutions"):
                certificate(puzzle, limit=20)
            continue
        assert holds(puzzle) == true, puzzle
        numbers.add(true)
    assert {0, 1, 2} < numbers


@pytest.mark.parametrize("kind", KNOWN)
def test_examples_of_kinds_hold(kind):
    for variant, example in KINDS[kind].examples.items():
        assert holds(example.of(KINDS[kind], variant)[0]) == 1


def test_larger_boards_hold():
    assert holds(generate.slitherlink(9, 9, seed=2).puzzle) == 1
    clues = [
        *[[1, None, None, 2, None], [None, None, None, 3, None], [None, None, 3, None, None]],
        *[[None, 4, None, None, 2], [None, None, None, 4, 1]],
    ]
    for variant in ("free", "fill"):
        puzzle = Numberlink(clues, variant=variant)
        assert holds(puzzle) == count(puzzle)
    honeycomb = generate.slitherlink(boards.honeycomb(4, 4), seed=1).puzzle
    assert holds(honeycomb) == 1
    assert holds(Slitherlink([[4, 4]])) == 0

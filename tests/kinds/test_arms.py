"""The clauses of two arms say exactly which lengths these may have."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product, takewhile

import pytest

from linkoracle.kinds.arms import ArmLoop, Arms, BalanceLoop, Geradeweg, Shingoki

NUMBERS = range(1, 10)
Fits = Callable[[bool, int, int], bool]


def _cases() -> list[tuple[type[ArmLoop], int | str, Fits]]:
    cases: list[tuple[type[ArmLoop], int | str, Fits]] = [
        (Geradeweg, -1, lambda straight, i, j: straight or i == j),
        (BalanceLoop, "w", lambda _, i, j: i == j),
        (BalanceLoop, "b", lambda _, i, j: i != j),
        (Shingoki, "w", lambda straight, *_: straight),
        (Shingoki, "b", lambda straight, *_: not straight),
    ]
    for n in NUMBERS:
        cases += [
            (
                Geradeweg,
                n,
                lambda straight, i, j, n=n: (i + j if straight else (i, j)) in (n, (n, n)),
            ),
            (BalanceLoop, f"w{n}", lambda _, i, j, n=n: i == j and i + j == n),
            (BalanceLoop, f"b{n}", lambda _, i, j, n=n: i != j and i + j == n),
            (Shingoki, f"w{n}", lambda straight, i, j, n=n: straight and i + j == n),
            (Shingoki, f"b{n}", lambda straight, i, j, n=n: not straight and i + j == n),
        ]
    return cases


@pytest.mark.parametrize(("kind", "clue", "fits"), _cases())
def test_arms_have_exactly_the_lengths_of_the_clue(
    kind: type[ArmLoop], clue: int | str, fits: Fits
) -> None:
    for size, rest, straight in product(range(1, 5), range(1, 4), (False, True)):
        one, other = range(1, 1 + size), range(1 + size, 1 + size + rest)
        clauses: list[tuple[int, ...]] = []
        kind.constrain_arms(Arms(one, other, straight, clauses), clue)
        for drawn in product((False, True), repeat=size + rest):
            if not (drawn[0] and drawn[size]):
                # The loop does not leave the cell along both.
                assert all(any((x > 0) == drawn[abs(x) - 1] for x in c) for c in clauses)
                continue
            i, j = (len([*takewhile(bool, arm)]) for arm in (drawn[:size], drawn[size:]))
            held = all(any((x > 0) == drawn[abs(x) - 1] for x in clause) for clause in clauses)
            assert held == fits(straight, i, j), (size, rest, straight, drawn)

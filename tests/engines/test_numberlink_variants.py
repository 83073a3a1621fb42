"""Random Numberlinks under every variant: what decides them against engines that know less.

`decide` has searches along lanes, for taut solutions, by homotopy classes and by the relaxation.
The frontier engine knows of none, nor does SAT of the lanes; brute force shares no code with them.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice, pairwise

import pytest

from linkoracle import Lattice, Numberlink, Solution, count, decide, solutions
from tests import brute_force
from tests.engines.test_lanes import random_pairs

#: It takes hours: see `tests.parts`.
lengthy = [pytest.mark.heavy, pytest.mark.lengthy]

#: Solutions that are listed of a board to be filled.
LISTED = 60


def boards(number: int, seed: str, most: int):
    """Boards of two to ``most`` cells a side: ends of paths that grew, or cells that were drawn."""
    rng = random.Random(seed)
    for _ in range(number):
        board = Lattice(rng.randint(2, most), rng.randint(2, most))
        pairs = [map(board.position, pair) for pair in sorted(random_pairs(rng, board))]
        yield Numberlink.from_pairs(board.rows, board.cols, pairs)


def drawn(solution: Solution) -> brute_force.Edges:
    """The edges of a solution, each as a pair of positions."""
    paths = solution.paths()
    return frozenset(frozenset(step) for path in paths for step in pairwise(path))


def compared(puzzle: Numberlink) -> list[str]:
    """Decide a board under every variant as other engines do; return the statuses."""
    statuses = []
    for variant in ("free", "fill", "fill-apart"):
        one = puzzle.with_variant(variant)
        verdict = decide(one)
        other = decide(one, engine="sat" if variant == "fill-apart" else "frontier")
        assert verdict.status == other.status, one
        assert not any(map(one.violations, verdict.solutions))
        assert len(set(verdict.solutions)) == len(verdict.solutions)
        if verdict.status == "unique":
            assert verdict.solutions == other.solutions
        statuses.append(verdict.status)
    if statuses[1] == "none":
        assert statuses[2] == "none"
        return statuses
    filling = set(map(drawn, islice(solutions(puzzle.with_variant("fill")), LISTED)))
    if len(filling) < LISTED:
        found = set(map(drawn, solutions(puzzle.with_variant("fill-apart"))))
        assert found == {edges for edges in filling if not brute_force.touches_itself(edges)}
    return statuses


@pytest.mark.parametrize(
    ("number", "seed"),
    [
        (60, "quick"),
        pytest.param(3_000, "heavy", marks=pytest.mark.heavy),
        *(pytest.param(50_000, f"lengthy {part}", marks=lengthy) for part in range(4)),
    ],
)
def test_random_boards_under_every_variant(number, seed):
    seen = Counter(
        status for puzzle in boards(number, seed, 8) for status in enumerate(compared(puzzle))
    )
    # Boards of each sort are among them, under each variant.
    wanted = {(variant, status) for variant in range(3) for status in ("none", "unique")}
    assert wanted | {(0, "many"), (1, "many")} <= seen.keys()


@pytest.mark.parametrize(
    ("number", "most"), [(40, 4), pytest.param(400, 5, marks=pytest.mark.heavy)]
)
def test_random_boards_as_brute_force_says(number, most):
    for puzzle in boards(number, f"by force {most}", most):
        compared(puzzle)
        for variant in ("free", "fill", "fill-apart"):
            one = puzzle.with_variant(variant)
            right = set(brute_force.solutions(one))
            verdict = decide(one)
            assert verdict.status == ("none", "unique", "many")[min(len(right), 2)]
            assert right.issuperset(map(drawn, verdict.solutions))
            assert count(one) == len(right)

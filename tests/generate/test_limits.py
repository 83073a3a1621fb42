"""Time limits hold inside everything that can take long."""

from __future__ import annotations

from random import Random

import pytest

from linkoracle import Slitherlink
from linkoracle.core import Deadline, SearchTimeout
from linkoracle.deduce import within
from linkoracle.generate import (
    attempts,
    fewest,
    numberlink,
    reduce_clues,
    slitherlink,
    slitherlinks,
)
from linkoracle.generate.loops.shapes import long, two_colour, uniform
from tests.interrupting import ends_within

#: Seconds of the processor by which a call may be late.
SLACK = 3


def ring(side):
    every = [(row, col) for row in range(side) for col in range(side)]
    return [cell for cell in every if {0, side - 1} & {*cell}]


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(
            lambda t: slitherlink(14, 14, shape="uniform", timeout=t, seed=0), id="uniform"
        ),
        pytest.param(lambda t: uniform(Random(1), 14, 14, timeout=t), id="the shape itself"),
        pytest.param(lambda t: long(Random(1), 250, 250, timeout=t), id="long"),
        pytest.param(lambda t: slitherlink(100, 100, timeout=t, seed=0), id="reducing"),
        pytest.param(
            lambda t: slitherlink(
                20, 20, strategy="stack", clues=110, tries=10**6, timeout=t, seed=0
            ),
            id="stack",
        ),
        pytest.param(
            lambda t: slitherlink(
                15, 15, strategy="mask", must=ring(15), tries=10**6, timeout=t, seed=0
            ),
            id="mask",
        ),
        pytest.param(
            lambda t: slitherlink(9, 9, max_clue_density=0.01, tries=10**6, timeout=t, seed=0),
            id="tries",
        ),
        pytest.param(lambda t: numberlink(28, 28, timeout=t, seed=0), id="links"),
        pytest.param(
            lambda t: numberlink(9, 9, pairs=1, tries=10**6, timeout=t, seed=0), id="settling"
        ),
        pytest.param(lambda t: numberlink(12, 8, maker="diagram", timeout=t, seed=0), id="diagram"),
        pytest.param(lambda t: list(slitherlinks(1, 1, limit=9, timeout=t, seed=0)), id="repeats"),
    ],
)
def test_no_maker_runs_past_its_time(work, monkeypatch):
    # Else that many boards of one cell may be made before the time is over.
    monkeypatch.setattr(attempts, "_REPEATS", 10**9)
    uniform(Random(1), 2, 2)  # loads the frontier engine
    with ends_within(0.2 + SLACK), pytest.raises(SearchTimeout, match=r"within 0\.2 s"):
        work(0.2)


def test_guesses_end_in_time():
    line = two_colour(Random(1), 12, 12)
    deep = within(max_depth=5)
    for work in (
        lambda: reduce_clues(line, keeps=deep, minimal=True, timeout=0.5, seed=0),
        lambda: deep.check(Slitherlink.blank(12, 12).with_clues({(0, 0): 0}), Deadline(0.5)),
    ):
        with ends_within(0.5 + SLACK), pytest.raises(SearchTimeout):
            work()


def test_the_fewest_found_so_far_come_in_time():
    line = two_colour(Random(1), 18, 18)
    with ends_within(4 + SLACK):
        best = fewest(line, timeout=4)
    assert not best.proven
    assert best.lower_bound > 0

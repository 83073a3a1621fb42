"""`generate.loop`: a random loop alone."""

from __future__ import annotations

import pytest

from linkoracle import (
    Lattice,
    MemoryLimit,
    NothingFound,
    SearchTimeout,
    Slitherlink,
    check_solution,
)
from linkoracle.generate import SHAPES, loop, slitherlink


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape(shape):
    drawn = loop(5, 7, shape=shape, seed=4)
    assert drawn.lattice == Lattice(6, 8)
    assert check_solution(Slitherlink.blank(5, 7), drawn)
    assert loop(5, 7, shape=shape, seed=4) == drawn


def test_seeds():
    assert len({loop(10, 10, seed=seed) for seed in range(20)}) == 20
    assert len({loop(10, 10) for _ in range(20)}) == 20
    made = slitherlink(10, 10, seed=3)
    assert made.tried == 1
    assert loop(10, 10, seed=3) == made.solution


def test_the_largest_board():
    assert check_solution(Slitherlink.blank(100, 100), loop(100, 100, seed=1))


def test_open_paths():
    ends = ((0, 0), (6, 3))
    for given in (ends, ends[::-1]):
        assert check_solution(Slitherlink.blank(6, 6, ends), loop(6, 6, ends=given, seed=1))
    (path,) = loop(6, 6, ends="random", seed=1).paths()
    assert check_solution(
        Slitherlink.blank(6, 6, (path[0], path[-1])), loop(6, 6, ends="random", seed=1)
    )
    assert path[0] != path[-1]


def test_options_of_shapes():
    thin, thick = (loop(30, 30, shape="expand", thickness=t, seed=1) for t in (0, 1))
    assert len(thin) != len(thick)
    assert len(loop(5, 5, shape="uniform", length=20, seed=1)) == 20


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"shape": "round"}, "expected shape out of mix"),
        ({"thickness": 0.5}, "mix has no option thickness, only zeros, threes, variety"),
        ({"shape": "expand", "thickness": 2}, "expected a thickness between 0 and 1"),
        ({"shape": "expand", "ends": ((0, 0), (6, 6))}, "the shape expand makes loops only"),
        ({"ends": ((0, 0), (1, 1))}, "on the border"),
        ({"rows": 0}, "expected rows from 1"),
        ({"rows": 2000}, "at most 10,000 cells"),
        ({"seed": "x"}, "expected a seed"),
    ],
)
def test_what_makes_no_sense(arguments, said):
    with pytest.raises(ValueError, match=said):
        loop(**{"rows": 6, "cols": 6} | arguments)


def test_limits():
    with pytest.raises(SearchTimeout):
        loop(100, 100, shape="long", timeout=1e-9)
    with pytest.raises(MemoryLimit, match="at least 55 MB"):
        loop(12, 12, shape="uniform", memory=10**7)
    with pytest.raises(NothingFound, match="no loop or path on 3x3 cells has 3 to 3 edges"):
        loop(3, 3, shape="uniform", length=3)

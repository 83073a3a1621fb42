"""Rules laid on boards: wrong arguments, and the same by definition."""

from __future__ import annotations

import numpy as np
import pytest

from linkoracle.board.lattice import Lattice
from linkoracle.deduce.instances import Deck
from linkoracle.deduce.instances_kernel import by_key, lay
from linkoracle.deduce.rules import all_rules

NAMES = ("heads", "start", "order", "clues", "premises", "conclusions")
ROOMS = ("clues", "premises", "conclusions")


@pytest.fixture(scope="module")
def deck():
    return Deck.of(all_rules()[:20])


@pytest.fixture(scope="module")
def good(deck):
    lattice = Lattice(4, 5)
    room = [np.empty((500, 4), dtype=np.int32)]
    room += [np.empty((500, getattr(deck, name).shape[1]), dtype=np.int32) for name in ROOMS]
    board = np.random.default_rng(1).integers(0, 4, (3, 4))
    ends = np.zeros((0, 2), dtype=np.int64)
    given = [getattr(deck, name) for name in NAMES]
    return [*given, board, lattice.right, lattice.down, ends, *room]


def test_the_room_is_filled_as_far_as_it_reaches(good):
    found = lay(*good)
    assert 0 < found <= 500
    short = [array[: found - 1].copy() for array in good[10:]]
    assert lay(*good[:10], *short) == found
    for long, array in zip(good[10:], short, strict=True):
        # The first row is scratch for what has no room.
        assert (long[1 : found - 1, 0] == array[1:, 0]).all()


@pytest.mark.parametrize("which", range(14))
def test_arrays_that_do_not_belong_together(good, which):
    array = good[which]
    others = [array[..., None], array[:0], np.concatenate([array, array])]
    others += [array.astype(np.int16)]
    if array.ndim > 1:
        others += [np.ascontiguousarray(array[:, :-1]), np.ascontiguousarray(array[..., :-1])]
    if which in (1, 2):
        others += [array + 1000, array - 1000]
    if which in (3, 4, 5):
        others += [np.zeros_like(array)]
    if which == 6:
        others += [array + 5]
        # More rows of clues are another board; more room does no harm.
    if which == 9:
        others = [array[:, :1].copy(), array.astype(np.int16)]
    for other in others:
        with pytest.raises(ValueError, match=r"expected|Buffer"):
            lay(*good[:which], other, *good[which + 1 :])


def test_random_decks_do_no_harm(good):
    source = np.random.default_rng(2)
    for _ in range(300):
        given = [array.copy() for array in good]
        for which in range(7):
            array = given[which].reshape(-1)
            places = source.integers(0, array.size, 3)
            array[places] = source.integers(-10, 10, 3)
        try:
            lay(*given)
        except ValueError as error:
            assert "expected" in str(error)  # noqa: PT017


@pytest.mark.parametrize("seed", range(20))
def test_an_index(seed):
    source = np.random.default_rng(seed)
    rows = source.integers(-1, 6, (int(source.integers(0, 12)), 3), dtype=np.int32)
    offsets = source.integers(0, 3, len(rows)) * 6
    start, found = by_key(rows, offsets, 18)
    wanted = [[] for _ in range(18)]
    for row, numbers in enumerate(rows.tolist()):
        for number in numbers:
            if number < 0:
                break
            wanted[offsets[row] + number].append(row)
    assert [found[start[key] : start[key + 1]].tolist() for key in range(18)] == wanted


@pytest.mark.parametrize(
    ("rows", "offsets", "size"),
    [
        ([[0, 3]], [0], 3),
        ([[0, 2]], [1], 3),
        ([[(1 << 31) - 1]], [1], 3),
        ([[0]], [-1], 3),
        ([[-1]], [3], 3),
        ([[0]], [0], 0),
        ([[0]], [0], -1),
        ([[0]], [0, 0], 3),
    ],
)
def test_an_index_that_makes_no_sense(rows, offsets, size):
    with pytest.raises(ValueError, match="expected"):
        by_key(np.array(rows, dtype=np.int32), np.array(offsets), size)

"""Lines are mended by flips: what the kernel counts is what a look at every flip counts."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle.core.errors import SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.generate.colouring import SIMPLE, Colouring
from linkoracle.generate.mending_kernel import Mending
from linkoracle.generate.shapes import two_colour

ENDLESS = Deadline(None)


@st.composite
def boards(draw):
    """A colouring, which cells show their clues, and numbers that some of them must have."""
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rng = Random(draw(st.integers(0, 10**6)))
    share = draw(st.floats(0, 1))
    board = Colouring.of(two_colour(rng, rows, cols))
    shown = np.array([rng.random() < share for _ in board.cells], dtype=np.uint8)
    digits = [rng.randrange(4) if rng.random() < share / 3 else -1 for _ in board.cells]
    return board, shown, np.array(digits, dtype=np.int8)


def mended(board, shown, wanted, seed=1, free=None):
    free = np.ones(len(board.cells), dtype=np.uint8) if free is None else free
    mending = Mending(board.rows, board.cols, bytes(SIMPLE), shown, wanted, free, seed)
    mending.load(bytes(board.colour))
    return mending


def counts(board):
    return board.outline().face_counts().ravel()


def flipped_one_by_one(board, cells):
    """Whether the line stays single all the time; the cells stay flipped."""
    single = True
    for cell in cells:
        single = single and board.can_flip(cell)
        board.flip(cell)
    return single


def loose(board, shown, still=frozenset()):
    """Cells, and pairs of them at most two steps apart, whose flips no clue shown tells.

    Those that are ``still`` cannot flip.
    """
    before = counts(board)
    apart = [(row, col) for row, col in product(range(-2, 3), repeat=2) if abs(row) + abs(col) <= 2]
    found = set()
    for cell, (row, col) in product(board.cells, apart):
        other = cell + row * board.step + col
        if 0 <= other < len(board.on_board) and board.on_board[other]:
            cells = [cell] if other == cell else [cell, other]
            if not still.isdisjoint(cells):
                continue
            single = flipped_one_by_one(board, cells)
            if single and not np.any(shown & (counts(board) != before)):
                found.add(frozenset(cells))
            for one in cells:
                board.flip(one)
    return found


@settings(max_examples=60)
@given(case=boards())
def test_loose_flips_wrong_numbers_and_stray_edges_are_counted(case):
    board, shown, wanted = case
    mending = mended(*case)
    found = counts(board)
    wrong = np.abs(found - wanted)[wanted >= 0].sum()
    assert mending.cost == len(loose(board, shown)) + 4 * wrong
    seen = np.zeros(board.outline().lattice.num_edges, dtype=bool)
    seen[board.outline().lattice.face_edges[shown.astype(bool)]] = True
    free = shown.astype(bool) & (wanted < 0)
    zeros = int((found[free] == 0).sum())
    most = (int(free.sum()) + 1) // 2
    stray = int((board.outline().mask() & ~seen).sum())
    assert mending.dull == stray + max(0, zeros - most)
    assert mending.is_unfit == (mending.cost > 0 or zeros > most)


@settings(max_examples=60)
@given(case=boards(), seed=st.integers(0, 10**6), shakes=st.integers(0, 3))
def test_what_is_counted_after_flips_is_what_is_counted_anew(case, seed, shakes):
    board, shown, wanted = case
    mending = mended(board, shown, wanted, seed)
    before = mending.cost + mending.dull
    for shake in range(shakes):
        mending.shake((seed + shake) % len(board.cells), 3)
    mending.settle(50, 0.5, ENDLESS)
    board.colour[:] = mending.colours()
    assert board.is_single_line()
    fresh = mended(board, shown, wanted)
    assert (fresh.cost, fresh.dull, fresh.is_unfit) == (
        mending.cost,
        mending.dull,
        mending.is_unfit,
    )
    if not shakes:
        mending.load(bytes(case[0].colour))
        mending.settle(200, 1e-6, ENDLESS)
        assert mending.cost + mending.dull <= before


@settings(max_examples=60)
@given(case=boards(), data=st.data())
def test_cells_that_are_not_free_keep_their_colours(case, data):
    board, shown, wanted = case
    flags = st.lists(st.booleans(), min_size=len(board.cells), max_size=len(board.cells))
    free = np.array(data.draw(flags), dtype=np.uint8)
    still = {cell for cell, one in zip(board.cells, free, strict=True) if not one}
    mending = mended(*case, free=free)
    wrong = np.abs(counts(board) - wanted)[wanted >= 0].sum()
    assert mending.cost == len(loose(board, shown, still)) + 4 * wrong
    before = {cell: board.colour[cell] for cell in still}
    for face in range(len(board.cells)):
        mending.shake(face, 2)
    mending.settle(50, 0.5, ENDLESS)
    board.colour[:] = mending.colours()
    assert board.is_single_line()
    assert {cell: board.colour[cell] for cell in still} == before


@settings(max_examples=60)
@given(case=boards(), data=st.data())
def test_flips_of_many_cells_are_judged(case, data):
    board, shown, _ = case
    faces = data.draw(st.sets(st.integers(0, len(board.cells) - 1), min_size=1, max_size=6))
    mending = mended(*case)
    before, colours = counts(board), mending.colours()
    for face in faces:
        board.flip(board.cells[face])
    same = not np.any(shown & (counts(board) != before))
    expected = same and board.is_single_line()
    assert mending.is_loose(np.array(sorted(faces), dtype=np.int64)) == expected
    assert mending.colours() == colours


def test_wrong_arguments_and_time_limits():
    ones, none = np.ones(4, dtype=np.uint8), np.full(4, -1, dtype=np.int8)
    simple = bytes(SIMPLE)
    for rows, cols, table, shown, wanted, free in (
        (0, 4, simple, ones, none, ones),
        (2, 3, simple, ones, none, ones),
        (2, 2, simple[1:], ones, none, ones),
        (2, 2, simple, ones, none[1:], ones),
        (2, 2, simple, ones, none, ones[1:]),
    ):
        with pytest.raises(ValueError, match="expected"):
            Mending(rows, cols, table, shown, wanted, free, 0)
    mending = Mending(2, 2, simple, ones, none, ones, 0)
    with pytest.raises(RuntimeError, match="set up once"):
        mending.__init__(2, 2, simple, ones, none, ones, 0)
    with pytest.raises(ValueError, match="a colour for each cell"):
        mending.load(bytes(15))
    for face in (-1, 4):
        with pytest.raises(ValueError, match="a face of the board"):
            mending.shake(face, 1)
        with pytest.raises(ValueError, match="faces of the board"):
            mending.is_loose(np.array([face], dtype=np.int64))
    with pytest.raises(ValueError, match="warmth above 0"):
        mending.settle(1, 0.0, ENDLESS)
    unset = Mending.__new__(Mending)
    for call in (unset.colours, lambda: unset.settle(1, 1.0, ENDLESS)):
        with pytest.raises(ValueError, match="expected"):
            call()
    # No line gives a cell this number and its neighbour that one.
    wanted = np.array([4, 4, 0, 0], dtype=np.int8)
    endless = Mending(2, 2, simple, ones, wanted, ones, 0)
    endless.load(bytes(16))
    with pytest.raises(SearchTimeout):
        endless.settle(2**31 - 1, 1.0, Deadline(0.05))

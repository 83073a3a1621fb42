"""Lines are mended by flips: what the kernel counts is what a look at every flip counts."""

from __future__ import annotations

from array import array
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Lattice
from linkoracle.core.errors import SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.generate.colouring import coloured, neighbourhoods
from linkoracle.generate.mending_kernel import Mending
from linkoracle.generate.shapes import two_colour
from tests.boards import honeycomb, triangular

ENDLESS = Deadline(None)


@st.composite
def boards(draw):
    """A line on a board, which faces show their clues, and numbers that some of them must have."""
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rng = Random(draw(st.integers(0, 10**6)))
    share = draw(st.floats(0, 1))
    board = draw(
        st.sampled_from([Lattice(rows + 1, cols + 1)] * 3 + [honeycomb(2, 3), triangular(3, 4)])
    )
    line = two_colour(rng, board)
    faces = range(board.num_faces)
    shown = np.array([rng.random() < share for _ in faces], dtype=np.uint8)
    digits = [rng.randrange(4) if rng.random() < share / 3 else -1 for _ in faces]
    return line, shown, np.array(digits, dtype=np.int8)


def mended(line, shown, wanted, seed=1, free=None):
    free = np.ones(line.board.num_faces, dtype=np.uint8) if free is None else free
    near = neighbourhoods(line.board)
    mending = Mending(line.board, (), shown, wanted, free, near, seed)
    mending.load(line.edges)
    return mending


def counts(line):
    return np.array(line.counts())


def flipped_one_by_one(board, faces):
    """Whether the line stays single all the time; the faces stay flipped."""
    single = True
    for face in faces:
        single = single and board.can_flip(face)
        board.flip(face)
    return single


def loose(line, shown, still=frozenset()):
    """Faces, and pairs of them at most two steps apart, whose flips no clue shown tells.

    Those that are ``still`` cannot flip.
    """
    board, before = coloured(line), counts(line)
    dual = nx.Graph(
        filter(lambda two: len(two) == 2, map(line.board.faces_of, range(line.board.num_edges)))
    )
    dual.add_nodes_from(range(line.board.num_faces))
    found = set()
    for face, apart in nx.all_pairs_shortest_path_length(dual, cutoff=2):
        for other in apart:
            faces = [face] if other == face else [face, other]
            if not still.isdisjoint(faces):
                continue
            single = flipped_one_by_one(board, faces)
            if single and not np.any(shown & (counts(board.outline()) != before)):
                found.add(frozenset(faces))
            for one in faces:
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
    seen = np.zeros(board.board.num_edges, dtype=bool)
    for face in np.flatnonzero(shown):
        seen[board.board.edges_of(int(face))] = True
    free = shown.astype(bool) & (wanted < 0)
    zeros = int((found[free] == 0).sum())
    most = (int(free.sum()) + 1) // 2
    stray = int((board.mask() & ~seen).sum())
    assert mending.dull == stray + max(0, zeros - most)
    assert mending.is_unfit == (mending.cost > 0 or zeros > most)


@settings(max_examples=60)
@given(case=boards(), seed=st.integers(0, 10**6), shakes=st.integers(0, 3))
def test_what_is_counted_after_flips_is_what_is_counted_anew(case, seed, shakes):
    board, shown, wanted = case
    mending = mended(board, shown, wanted, seed)
    before = mending.cost + mending.dull
    for shake in range(shakes):
        mending.shake((seed + shake) % len(shown), 3)
    mending.anneal(50, 0.5, ENDLESS)
    assert mending.is_single_line()
    fresh = mended(mending.outline(), shown, wanted)
    assert (fresh.cost, fresh.dull, fresh.is_unfit) == (
        mending.cost,
        mending.dull,
        mending.is_unfit,
    )
    if not shakes:
        mending.load(board.edges)
        mending.anneal(200, 1e-6, ENDLESS)
        assert mending.cost + mending.dull <= before


@settings(max_examples=60)
@given(case=boards(), data=st.data())
def test_cells_that_are_not_free_keep_their_colours(case, data):
    board, shown, wanted = case
    flags = st.lists(st.booleans(), min_size=len(shown), max_size=len(shown))
    free = np.array(data.draw(flags), dtype=np.uint8)
    still = set(np.flatnonzero(free == 0).tolist())
    mending = mended(*case, free=free)
    wrong = np.abs(counts(board) - wanted)[wanted >= 0].sum()
    assert mending.cost == len(loose(board, shown, still)) + 4 * wrong
    before = {face: mending.is_inside(face) for face in still}
    for face in range(len(shown)):
        mending.shake(face, 2)
    mending.anneal(50, 0.5, ENDLESS)
    assert mending.is_single_line()
    assert {face: mending.is_inside(face) for face in still} == before


@settings(max_examples=60)
@given(case=boards(), data=st.data())
def test_flips_of_many_cells_are_judged(case, data):
    board, shown, _ = case
    faces = data.draw(st.sets(st.integers(0, len(shown) - 1), min_size=1, max_size=6))
    mending = mended(*case)
    before, colours, flipped = counts(board), mending.colours, coloured(board)
    for face in faces:
        flipped.flip(face)
    same = not np.any(shown & (counts(flipped.outline()) != before))
    expected = same and flipped.is_single_line()
    assert mending.is_loose(np.array(sorted(faces), dtype=np.int64)) == expected
    assert mending.colours == colours


def test_wrong_arguments_and_time_limits():
    board = Lattice(3, 3)
    ones, none, near = (
        np.ones(4, dtype=np.uint8),
        np.full(4, -1, dtype=np.int8),
        neighbourhoods(board),
    )
    short = [neighbourhoods(Lattice(2, 3))[0], *near[1:]]
    wild = [(near[0][0], array("i", [9] * len(near[0][1]))), *near[1:]]
    for shown, wanted, free, lists in (
        (ones[1:], none, ones, near),
        (ones, none[1:], ones, near),
        (ones, none, ones[1:], near),
        (ones, none, ones, short),
        (ones, none, ones, wild),
    ):
        with pytest.raises(ValueError, match="expected"):
            Mending(board, (), shown, wanted, free, lists, 0)
    mending = Mending(board, (), ones, none, ones, near, 0)
    with pytest.raises(RuntimeError, match="set up once"):
        mending.__init__(board, (), ones, none, ones, near, 0)
    with pytest.raises(ValueError, match="a colour for each face"):
        mending.paint(bytes(15))
    for face in (-1, 4):
        with pytest.raises(ValueError, match="a face of the board"):
            mending.shake(face, 1)
        with pytest.raises(ValueError, match="a face of the board"):
            mending.is_loose(np.array([face], dtype=np.int64))
    with pytest.raises(ValueError, match="warmth above 0"):
        mending.anneal(1, 0.0, ENDLESS)
    unset = Mending.__new__(Mending, board)
    for call in (lambda: unset.load(()), lambda: unset.anneal(1, 1.0, ENDLESS)):
        with pytest.raises(ValueError, match="expected"):
            call()
    # No line gives a cell this number and its neighbour that one.
    wanted = np.array([4, 4, 0, 0], dtype=np.int8)
    endless = Mending(board, (), ones, wanted, ones, near, 0)
    with pytest.raises(SearchTimeout):
        endless.anneal(2**31 - 1, 1.0, Deadline(0.05))

"""Loops are repaired by flips: the counts of the kernel are those of all flips, one by one."""

from __future__ import annotations

from array import array
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Lattice
from linkoracle.board.colouring_kernel import LoopRepair
from linkoracle.core import Deadline, SearchTimeout
from linkoracle.generate.loops.colouring import coloured, neighbourhoods
from linkoracle.generate.loops.shapes import two_colour
from tests.boards import honeycomb, triangular

ENDLESS = Deadline(None)


@st.composite
def boards(draw):
    """Draw a loop on a board, the faces that show their clues, and required digits of some."""
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rng = Random(draw(st.integers(0, 10**6)))
    share = draw(st.floats(0, 1))
    board = draw(
        st.sampled_from([Lattice(rows + 1, cols + 1)] * 3 + [honeycomb(2, 3), triangular(3, 4)])
    )
    loop = two_colour(rng, board)
    faces = range(board.num_faces)
    shown = np.array([rng.random() < share for _ in faces], dtype=np.uint8)
    digits = [rng.randrange(4) if rng.random() < share / 3 else -1 for _ in faces]
    return loop, shown, np.array(digits, dtype=np.int8)


def repaired(loop, shown, digits, seed=1, may_flip=None):
    may_flip = np.ones(loop.board.num_faces, dtype=np.uint8) if may_flip is None else may_flip
    near = neighbourhoods(loop.board)
    repair = LoopRepair(loop.board, (), shown, digits, may_flip, near, seed)
    repair.load(loop.edges)
    return repair


def counts(loop):
    return np.array(loop.counts())


def flipped_one_by_one(board, faces):
    """Flip faces; return whether the loop stays single all the time."""
    single = True
    for face in faces:
        single = single and board.can_flip(face)
        board.flip(face)
    return single


def free_flips(loop, shown, still=frozenset()):
    """Return faces, and pairs at most two steps apart, whose flips change no shown clue.

    The faces in ``still`` cannot flip.
    """
    board, before = coloured(loop), counts(loop)
    dual = nx.Graph(
        filter(lambda two: len(two) == 2, map(loop.board.faces_of, range(loop.board.num_edges)))
    )
    dual.add_nodes_from(range(loop.board.num_faces))
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
def test_free_flips_wrong_digits_and_edges_without_clues_are_counted(case):
    board, shown, digits = case
    repair = repaired(*case)
    found = counts(board)
    wrong = np.abs(found - digits)[digits >= 0].sum()
    assert repair.cost == len(free_flips(board, shown)) + 4 * wrong
    seen = np.zeros(board.board.num_edges, dtype=bool)
    for face in np.flatnonzero(shown):
        seen[board.board.edges_of(int(face))] = True
    optional = shown.astype(bool) & (digits < 0)
    zeros = int((found[optional] == 0).sum())
    most = (int(optional.sum()) + 1) // 2
    unclued = int((board.mask() & ~seen).sum())
    assert repair.layout_cost == unclued + max(0, zeros - most)
    assert repair.is_unfit == (repair.cost > 0 or zeros > most)


@settings(max_examples=60)
@given(case=boards(), seed=st.integers(0, 10**6), shakes=st.integers(0, 3))
def test_counts_after_flips_are_those_of_a_new_count(case, seed, shakes):
    board, shown, digits = case
    repair = repaired(board, shown, digits, seed)
    before = repair.cost + repair.layout_cost
    for shake in range(shakes):
        repair.shake((seed + shake) % len(shown), 3)
    repair.anneal(50, 0.5, ENDLESS)
    assert repair.is_single_line()
    fresh = repaired(repair.outline(), shown, digits)
    assert (fresh.cost, fresh.layout_cost, fresh.is_unfit) == (
        repair.cost,
        repair.layout_cost,
        repair.is_unfit,
    )
    if not shakes:
        repair.load(board.edges)
        repair.anneal(200, 1e-6, ENDLESS)
        assert repair.cost + repair.layout_cost <= before


@settings(max_examples=60)
@given(case=boards(), data=st.data())
def test_faces_that_may_not_flip_keep_their_colours(case, data):
    board, shown, digits = case
    flags = st.lists(st.booleans(), min_size=len(shown), max_size=len(shown))
    may_flip = np.array(data.draw(flags), dtype=np.uint8)
    still = set(np.flatnonzero(may_flip == 0).tolist())
    repair = repaired(*case, may_flip=may_flip)
    wrong = np.abs(counts(board) - digits)[digits >= 0].sum()
    assert repair.cost == len(free_flips(board, shown, still)) + 4 * wrong
    before = {face: repair.is_inside(face) for face in still}
    for face in range(len(shown)):
        repair.shake(face, 2)
    repair.anneal(50, 0.5, ENDLESS)
    assert repair.is_single_line()
    assert {face: repair.is_inside(face) for face in still} == before


@settings(max_examples=60)
@given(case=boards(), data=st.data())
def test_flips_of_many_faces_are_checked(case, data):
    board, shown, _ = case
    faces = data.draw(st.sets(st.integers(0, len(shown) - 1), min_size=1, max_size=6))
    repair = repaired(*case)
    before, colours, flipped = counts(board), repair.colours, coloured(board)
    for face in faces:
        flipped.flip(face)
    same = not np.any(shown & (counts(flipped.outline()) != before))
    expected = same and flipped.is_single_line()
    assert repair.is_free_flip(np.array(sorted(faces), dtype=np.int64)) == expected
    assert repair.colours == colours


def test_wrong_arguments_and_time_limits():
    board = Lattice(3, 3)
    ones, none, near = (
        np.ones(4, dtype=np.uint8),
        np.full(4, -1, dtype=np.int8),
        neighbourhoods(board),
    )
    short = [neighbourhoods(Lattice(2, 3))[0], *near[1:]]
    wild = [(near[0][0], array("i", [9] * len(near[0][1]))), *near[1:]]
    for shown, digits, may_flip, lists in (
        (ones[1:], none, ones, near),
        (ones, none[1:], ones, near),
        (ones, none, ones[1:], near),
        (ones, none, ones, short),
        (ones, none, ones, wild),
    ):
        with pytest.raises(ValueError, match="expected"):
            LoopRepair(board, (), shown, digits, may_flip, lists, 0)
    repair = LoopRepair(board, (), ones, none, ones, near, 0)
    with pytest.raises(RuntimeError, match="set up once"):
        repair.__init__(board, (), ones, none, ones, near, 0)
    with pytest.raises(ValueError, match="a colour for each face"):
        repair.paint(bytes(15))
    for face in (-1, 4):
        with pytest.raises(ValueError, match="a face of the board"):
            repair.shake(face, 1)
        with pytest.raises(ValueError, match="a face of the board"):
            repair.is_free_flip(np.array([face], dtype=np.int64))
    with pytest.raises(ValueError, match="temperature above 0"):
        repair.anneal(1, 0.0, ENDLESS)
    unset = LoopRepair.__new__(LoopRepair, board)
    for call in (lambda: unset.load(()), lambda: unset.anneal(1, 1.0, ENDLESS)):
        with pytest.raises(ValueError, match="expected"):
            call()
    # No loop has the clue 4 next to the clue 0.
    digits = np.array([4, 4, 0, 0], dtype=np.int8)
    endless = LoopRepair(board, (), ones, digits, ones, near, 0)
    with pytest.raises(SearchTimeout):
        endless.anneal(2**31 - 1, 1.0, Deadline(0.05))

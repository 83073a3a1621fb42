"""The compiled loops that flip cells do what the same loops in Python do."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import Lattice
from linkoracle.generate import flips_kernel
from linkoracle.generate.colouring import CORNERS_ALIKE, SIDES_ALIKE, SIMPLE, Colouring, rim_dots
from linkoracle.generate.mixing import stir

MAY_FLIP = bytes(
    simple and (sides == 3 or (sides == 2 and corners > 2))
    for simple, sides, corners in zip(SIMPLE, SIDES_ALIKE, CORNERS_ALIKE, strict=True)
)


@st.composite
def boards(draw):
    """A board of two colours with a single line, and another with the same colours."""
    rows, cols = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    dots = rim_dots(rows, cols)
    ends = None
    if draw(st.booleans()):
        ends = tuple(draw(st.permutations(dots))[:2])
    board = Colouring(rows, cols, ends)
    if ends is None:
        board.flip(draw(st.sampled_from(board.cells)))
    other = Colouring(rows, cols, ends)
    other.colour[:] = board.colour
    return board, other


@given(boards())
def test_the_line_runs_where_colours_differ(both):
    board, other = both
    lattice, step = Lattice(board.rows + 1, board.cols + 1), board.step
    edges = []
    for edge, (one, two) in enumerate(lattice.edge_vertices.tolist()):
        row, col = divmod(one, lattice.cols)
        # The cell below and to the right of a dot, and the one on the other side of the edge.
        cell = (row + 1) * step + col + 1
        if board.colour[cell] != board.colour[cell - (step if two == one + 1 else 1)]:
            edges.append(edge)
    assert board.outline().edges == tuple(edges)
    assert Colouring.of(board.outline(), board.ends).colour == other.colour


def line_around(board, cell):
    return sum(board.colour[cell] != board.colour[cell + side] for side in board.sides)


def stirred(rng, board, worth, tries):
    """What `stir` says that it does, from its description."""
    for _ in range(tries):
        cell = board.cells[int(rng.random() * len(board.cells))]
        if not board.can_flip(cell):
            continue
        seen = [cell, *(cell + side for side in board.sides if board.on_board[cell + side])]
        before = [line_around(board, one) for one in seen]
        board.flip(cell)
        gain = 0.0
        for one, old in zip(seen, before, strict=True):
            gain += worth[line_around(board, one)] - worth[old]
        if gain < 0 and rng.random() >= math.exp(gain):
            board.flip(cell)


def settled(rng, board, may_flip):
    waiting, listed = list(board.cells), set(board.cells)
    while waiting:
        place = int(rng.random() * len(waiting))
        cell, waiting[place] = waiting[place], waiting[-1]
        waiting.pop()
        listed.discard(cell)
        if may_flip[board.alike(cell)]:
            board.flip(cell)
            for beside in (cell + offset for offset in board.around):
                if board.on_board[beside] and beside not in listed:
                    listed.add(beside)
                    waiting.append(beside)


@given(boards(), st.lists(st.floats(-2, 2), min_size=5, max_size=5), st.integers(0, 2**32))
def test_stirring_is_what_is_described(pair, worth, seed):
    board, other = pair
    one, two = Random(seed), Random(seed)
    stir(one, board, worth, 200)
    stirred(two, other, worth, 200)
    assert board.colour == other.colour
    assert one.random() == two.random()
    assert board.is_single_line()


@given(boards(), st.integers(0, 2**32))
def test_settling_is_what_is_described(pair, seed):
    board, other = pair
    one, two = Random(seed), Random(seed)
    flips_kernel.settle(board.colour, MAY_FLIP, board.rows, board.cols, one.random)
    settled(two, other, MAY_FLIP)
    assert board.colour == other.colour
    assert one.random() == two.random()
    assert board.is_single_line()


def test_arguments_are_checked_before_memory_is_touched():
    board, worth, random = Colouring(3, 4), np.zeros(5), Random(1).random
    simple = bytes(SIMPLE)
    for size in ((3, 5), (2, 4), (0, 4), (3, -1), (1 << 14, 4)):
        with pytest.raises(ValueError, match="expected a"):
            flips_kernel.stir(board.colour, simple, *size, worth, 9, random)
        with pytest.raises(ValueError, match="expected a"):
            flips_kernel.settle(board.colour, simple, *size, random)
    with pytest.raises(ValueError, match="256 patterns"):
        flips_kernel.stir(board.colour, simple[:9], 3, 4, worth, 9, random)
    with pytest.raises(ValueError, match="a worth for each number"):
        flips_kernel.stir(board.colour, simple, 3, 4, worth[:4], 9, random)
    with pytest.raises(ValueError, match="colours 0 and 1, got 2"):
        flips_kernel.stir(bytearray([2] * 30), simple, 3, 4, worth, 9, random)
    for number in (1.0, -0.5, math.nan):
        with pytest.raises(ValueError, match="random numbers from 0 to 1"):
            flips_kernel.stir(board.colour, simple, 3, 4, worth, 9, lambda: number)  # noqa: B023
        with pytest.raises(ValueError, match="random numbers from 0 to 1"):
            flips_kernel.settle(board.colour, simple, 3, 4, lambda: number)  # noqa: B023


def test_what_random_raises_comes_out():
    def random():
        raise KeyboardInterrupt

    board = Colouring(3, 4)
    with pytest.raises(KeyboardInterrupt):
        flips_kernel.stir(board.colour, bytes(SIMPLE), 3, 4, np.zeros(5), 9, random)
    with pytest.raises(KeyboardInterrupt):
        flips_kernel.settle(board.colour, MAY_FLIP, 3, 4, random)

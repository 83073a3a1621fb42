"""The pass over taut solutions, against SAT and against the count of all solutions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import MemoryLimit, Numberlink, certify, count, verify
from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel
from linkoracle.frontier import two_solutions


@st.composite
def boards(draw):
    """Terminals anywhere: mostly boards with many solutions, or none."""
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(2, 6))
    cells = draw(st.permutations([(row, col) for row in range(rows) for col in range(cols)]))
    pairs = draw(st.integers(1, min(5, len(cells) // 2)))
    ends = cells[: 2 * pairs]
    return Numberlink.from_pairs(rows, cols, zip(ends[::2], ends[1::2], strict=True))


@st.composite
def solvable_boards(draw):
    """The ends of paths that cover the board in rows, cut and joined at random."""
    rows, cols = draw(st.integers(2, 6)), draw(st.integers(3, 6))
    snake = [
        (row, col if row % 2 == 0 else cols - 1 - col) for row in range(rows) for col in range(cols)
    ]
    pairs, start = [], 0
    while len(snake) - start >= 2:
        length = draw(st.integers(2, min(9, len(snake) - start)))
        if draw(st.booleans()):
            pairs.append((snake[start], snake[start + length - 1]))
        start += length
    return Numberlink.from_pairs(rows, cols, pairs or [(snake[0], snake[-1])])


@given(boards() | solvable_boards())
def test_both_engines_and_the_count_agree(puzzle):
    found = two_solutions(puzzle.model)
    assert len(found) == len(set(found)) == min(2, count(puzzle, engine="frontier"))
    assert all(verify(puzzle, solution) for solution in found)
    assert certify(puzzle, engine="sat").status == ("none", "unique", "many")[len(found)]


@given(solvable_boards(), st.integers(0, 3), st.booleans())
def test_turning_the_board_changes_nothing(puzzle, turns, mirrored):
    turned = puzzle.rotate(turns)
    if mirrored:
        turned = turned.reflect()
    assert len(two_solutions(turned.model)) == len(two_solutions(puzzle.model))


def test_only_free_models_have_taut_solutions():
    with pytest.raises(ValueError, match="leave out"):
        two_solutions(LinkModel.blank_paths(Lattice(2, 2), [(0, 3)], cover=True))
    with pytest.raises(ValueError, match="leave out"):
        two_solutions(LinkModel.blank_loop(Lattice(2, 2)))
    free = LinkModel.blank_paths(Lattice(3, 3), [(0, 8)])
    for model in (free.with_edges([0]), free.with_edges([], [0]), free.with_holes([4])):
        with pytest.raises(ValueError, match="holes, and given or forbidden edges"):
            two_solutions(model)


def test_memory_is_bounded():
    ends = [((row, 0), (19 - row, 19)) for row in range(0, 20, 3)]
    with pytest.raises(MemoryLimit, match="row"):
        two_solutions(Numberlink.from_pairs(20, 20, ends).model, memory=2_000_000)


def test_progress_is_told():
    told = []
    puzzle = Numberlink.from_pairs(3, 3, [((0, 0), (2, 2))])
    two_solutions(puzzle.model, progress=lambda *step: told.append(step))
    assert told
    assert all(line.endswith("states") and 0 < share <= 1 for line, share in told)

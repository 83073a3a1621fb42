"""Clauses of paths, beside those that the checker of certificates states from the rules alone."""

from __future__ import annotations

import random
from itertools import chain

import numpy as np
import pytest

from linkoracle import Lattice, LinkModel, Numberlink
from linkoracle.board.symmetry import (
    COUNTER_TURN,
    DIAGONAL,
    TOP_BOTTOM,
    moved_edges,
    moved_vertices,
)
from linkoracle.certificates import verify_certificate
from linkoracle.core import Deadline, SearchTimeout
from linkoracle.engines.connectivity import PathClauses

SIZES = [(1, 2), (1, 5), (2, 2), (5, 1), (3, 4), (6, 2), (7, 9), (12, 11), (16, 16)]
#: What brings a side of the board down.
TURNS = {"top": TOP_BOTTOM, "right": DIAGONAL, "left": COUNTER_TURN}


def random_pairs(size, seed):
    rng = random.Random(seed)
    ends = rng.sample(range(size), 2 * rng.randint(1, max(1, min(17, size // 3))))
    return list(zip(ends[::2], ends[1::2], strict=True))


def colours(model):
    stated = []
    first = model.lattice.num_edges + 1
    PathClauses(model).state_colours(first, stated.append, Deadline(None))
    return stated


def taut(model, side="bottom", unless=()):
    stated = []
    paths, first = PathClauses(model), model.lattice.num_edges + 1
    add, deadline = stated.append, Deadline(None)
    paths.state_taut(first, first + paths.num_colours, side, [*unless], add, deadline)
    return stated


def about_edges(model, side="bottom"):
    """Corners, cups and faces: what names edges only, as sets of edges that are on or off."""
    edges = model.lattice.num_edges
    named = [one for one in taut(model, side) if max(map(abs, one)) <= edges]
    return sorted(sorted(clause) for clause in named)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_clauses_are_those_of_the_checker(rows, cols, seed):
    pairs = random_pairs(rows * cols, seed)
    puzzle = Numberlink(
        [
            [next((k for k, pair in enumerate(pairs, 1) if v in pair), None) for v in row]
            for row in np.arange(rows * cols).reshape(rows, cols).tolist()
        ]
    )
    grid = [list(row) for row in puzzle.grid]
    other = verify_certificate.Board(
        verify_certificate.Puzzle({"kind": "numberlink", "variant": "free", "grid": grid})
    )
    for ours, theirs in (
        (colours(puzzle.model), other.colours()),
        (taut(puzzle.model), other.taut_axioms()),
    ):
        assert sorted(map(sorted, ours)) == sorted(map(sorted, theirs))


@pytest.mark.parametrize("side", TURNS)
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_another_side_is_down_when_the_board_is_turned(rows, cols, side):
    turn, pairs = TURNS[side], random_pairs(rows * cols, 9)
    model = LinkModel.blank_paths(Lattice(rows, cols), pairs)
    turned = Lattice(cols, rows) if turn.swaps_axes else model.board
    goes_to = moved_vertices(model.board, turn, turned)
    edge_goes_to = moved_edges(model.board, goes_to, turned)
    image = LinkModel.blank_paths(turned, [(goes_to[one], goes_to[other]) for one, other in pairs])
    mapped = [
        sorted((1 + edge_goes_to[abs(x) - 1]) * (1 if x > 0 else -1) for x in clause)
        for clause in about_edges(model, side)
    ]
    assert sorted(mapped) == about_edges(image)


def test_lines_hang_on_holes_as_on_terminals():
    lattice, holes = Lattice(9, 8), (29, 51)
    pairs = [(0, 10), (17, 33), (40, 70)]
    with_holes = LinkModel.blank_paths(lattice, pairs).with_holes(holes)
    with_ends = LinkModel.blank_paths(lattice, [*pairs, holes])
    for side in ("bottom", "left"):
        assert about_edges(with_holes, side) == about_edges(with_ends, side)
        assert about_edges(with_holes, side) != about_edges(
            LinkModel.blank_paths(lattice, pairs), side
        )


def test_variables_are_as_many_as_was_said():
    model = LinkModel.blank_paths(Lattice(5, 6), [(0, 29), (3, 12), (5, 20), (7, 8), (9, 22)])
    paths, edges = PathClauses(model), model.lattice.num_edges
    assert paths.bits == 3
    assert {*map(abs, chain(*colours(model)))} <= {*range(1, edges + paths.num_colours + 1)}
    used = {*map(abs, chain(*colours(model), *taut(model)))}
    assert used == {*range(1, edges + paths.num_colours + paths.num_taut + 1)}


def test_a_literal_frees_from_every_clause():
    model = LinkModel.blank_paths(Lattice(4, 4), [(0, 15), (3, 9)])
    assert taut(model, "top", [-999]) == [[-999, *clause] for clause in taut(model, "top")]


def test_bad_models_and_sides():
    with pytest.raises(ValueError, match="of paths"):
        PathClauses(LinkModel.blank_loop(Lattice(3, 3)))
    broken = LinkModel.blank_paths(Lattice(3, 3), [(0, 8)])
    object.__setattr__(broken, "degrees", broken.degrees[1:])
    with pytest.raises(ValueError, match="each vertex"):
        PathClauses(broken)
    with pytest.raises(ValueError, match="side of the board"):
        taut(LinkModel.blank_paths(Lattice(3, 3), [(0, 8)]), "middle")


def test_time_is_up_and_errors_come_through():
    model = LinkModel.blank_paths(Lattice(60, 60), [(0, 3599), (1, 70), (2, 90)])
    first, stated = model.lattice.num_edges + 1, []
    paths = PathClauses(model)
    over = Deadline(1e-9)
    with pytest.raises(SearchTimeout):
        paths.state_colours(first, stated.append, over)
    with pytest.raises(SearchTimeout):
        paths.state_taut(first, 2 * first, "bottom", [], stated.append, over)
    assert len(stated) == 2 * 20_000

    def refuse(clause):
        raise KeyError(len(clause))

    with pytest.raises(KeyError):
        paths.state_taut(first, 2 * first, "left", [], refuse, Deadline(None))

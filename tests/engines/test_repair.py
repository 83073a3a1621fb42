"""Boards with few rules: solutions at once, at any size. Bounds are on rounds, not on seconds."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkoracle import Lattice, LinkModel, Oracle, Slitherlink, Solution, check_solution, solve
from linkoracle.engines.connectivity import CutMaker
from linkoracle.engines.repair import Repairer, routes
from linkoracle.generate.loops.shapes import two_colour
from tests.boards import rim_dots

#: The most rounds for two solutions, about twice what is seen.
ROUNDS = 40
SHAPES = [(30, 30), (28, 28), (20, 31), (2, 100), (100, 2), (3, 100), (1, 60), (12, 50), (60, 60)]


def with_few_clues(rng: Random, rows: int, cols: int, share: float, *, path: bool) -> Slitherlink:
    """A board with about this share of the clues of a random line."""
    ends = tuple(sorted(rng.sample(rim_dots(rows, cols), 2))) if path else None
    board = Slitherlink.from_solution(two_colour(rng, rows, cols, ends=ends), ends)
    gone = {cell: None for cell, _ in board.clue_cells() if rng.random() >= share}
    return board.with_clues(gone)


@pytest.mark.parametrize(("rows", "cols"), SHAPES)
@pytest.mark.parametrize("path", [False, True])
def test_two_solutions_of_boards_with_few_clues(rows, cols, path):
    for number, share in enumerate((0, 0.01, 0.03, 0.1)):
        puzzle = with_few_clues(Random(number), rows, cols, share, path=path)
        with Oracle(puzzle) as oracle:
            verdict = oracle.ask()
            assert oracle.rounds <= ROUNDS, (puzzle.rows, puzzle.cols, share)
        assert verdict.status == "many" or (share >= 0.03 and min(rows, cols) < 4)
        assert len(set(verdict.solutions)) == len(verdict.solutions)
        assert all(check_solution(puzzle, solution) for solution in verdict.solutions)


@pytest.mark.parametrize("share", [0, 0.05, 0.15])
def test_the_largest_boards(share):
    puzzle = with_few_clues(Random(1), 100, 100, share, path=False)
    with Oracle(puzzle) as oracle:
        assert oracle.ask().status == "many"
        assert oracle.rounds <= ROUNDS


def test_blank_boards_that_used_to_hang():
    assert check_solution(Slitherlink.blank(30, 30), solve(Slitherlink.blank(30, 30), timeout=60))
    with Oracle.slitherlink(28, 28) as oracle:
        assert oracle.ask(timeout=60).status == "many"
        assert oracle.rounds <= 5


def test_a_list_goes_on_quickly():
    for share in (0, 0.02, 0.1):
        puzzle = with_few_clues(Random(3), 40, 40, share, path=False)
        with Oracle(puzzle) as oracle:
            listed = list(islice(oracle.solutions(), 30))
            assert len(set(listed)) == 30
            assert all(check_solution(puzzle, solution) for solution in listed)
            assert oracle.rounds <= 30 * 4


def test_given_edges_holes_and_pairs():
    rng = Random(4)
    lattice = Lattice(40, 40)
    blank = LinkModel.blank_loop(lattice)
    models = [
        blank.with_edges(given=[0, 830, lattice.num_edges - 1], forbidden=range(100, 140)),
        blank.with_holes(rng.sample(range(lattice.num_vertices), 150)),
        LinkModel.blank_paths(lattice, [(0, 1599)]).with_holes(rng.sample(range(1, 1599), 150)),
        LinkModel.blank_paths(lattice, [(0, 820), (3, 1500)]),
        LinkModel.blank_paths(lattice, [(0, 39)], cover=True),
        LinkModel(lattice, bytes([0b100]) * lattice.num_vertices, blank.faces, loop=True),
    ]
    for model in models:
        with Oracle(model) as oracle:
            assert oracle.ask().status == "many"
            assert oracle.rounds <= ROUNDS


def test_assumed_clues_and_edges_hold_in_what_was_repaired():
    with Oracle.slitherlink(30, 30) as oracle:
        edges = {0: True, 900: True, 5: False, 1859: True}
        clues = {(10, 10): 3, (20, 5): {0, 3}, (29, 0): 0}
        listed = list(islice(oracle.solutions(clues, edges=edges), 5))
        assert len(set(listed)) == 5
        for solution in listed:
            assert all((edge in solution) == on for edge, on in edges.items())
            counts = solution.face_counts()
            assert (counts[10, 10], counts[29, 0]) == (3, 0)
            assert counts[20, 5] in (0, 3)


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 7), st.integers(2, 7), st.integers(0, 10**6))
def test_a_repair_keeps_every_local_rule(rows, cols, seed):
    """Any set of cycles: degrees, counts that are asked for, fixed edges, what it says of parts."""
    rng = Random(seed)
    model = Slitherlink.blank(rows, cols).model
    edges: set[int] = set()
    for face in rng.sample(range(rows * cols), rng.randrange(1, rows * cols)):
        square = set(model.lattice.face_edges[face].tolist())
        vertices = {v for e in edges for v in model.lattice.edge_vertices[e].tolist()}
        if vertices.isdisjoint(v for e in square for v in model.lattice.edge_vertices[e].tolist()):
            edges |= square
    assume(len(edges) > 4)
    maker = CutMaker(model)
    counts = Solution(model.lattice, tuple(edges)).face_counts().ravel().tolist()
    masks = {face: 1 << count for face, count in enumerate(counts) if rng.random() < 0.1}
    fixed = {edge for edge in range(model.lattice.num_edges) if rng.random() < 0.05}
    before = maker.components(sorted(edges))
    for attempt in range(3):
        after, number = Repairer(model).repaired(before, masks, fixed, attempt)
        parts = maker.components(after)
        assert sum(len(part.edges) for part in parts) == len(after)
        assert len(parts) == number <= len(before)
        new = Solution(model.lattice, tuple(after))
        assert all(
            new.face_counts().ravel()[face] == mask.bit_length() - 1 for face, mask in masks.items()
        )
        assert fixed & edges == fixed & set(after)
        if not masks and not fixed and attempt % 2 == 0:
            # Every other attempt drops what no rule needs.
            assert number == 1


def test_routes_join_pairs_and_say_when_they_do_not():
    lattice = Lattice(3, 3)
    edges, complete = routes(LinkModel.blank_paths(lattice, [(0, 2), (6, 8)]))
    assert complete
    assert Solution(lattice, tuple(edges)).paths() == [
        [(0, 0), (0, 1), (0, 2)],
        [(2, 0), (2, 1), (2, 2)],
    ]
    assert not routes(LinkModel.blank_paths(lattice, [(1, 7), (3, 5)]))[1]
    around, complete = routes(LinkModel.blank_paths(lattice, [(0, 2)]).with_holes([1]))
    assert complete
    assert len(around) == 4

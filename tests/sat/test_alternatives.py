"""`SatAlternatives` against brute force, and near cuts against the usual ones."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkoracle import Lattice, LinkModel, Slitherlink, Solution, is_unique
from linkoracle.core.errors import ClosedError
from linkoracle.core.limits import Deadline
from linkoracle.generate.colouring import rim_dots
from linkoracle.generate.shapes import two_colour
from linkoracle.sat.alternatives import SatAlternatives
from linkoracle.sat.near_cuts import NearCuts
from linkoracle.search.alternatives import CompiledAlternatives
from tests import brute_force

SOLVERS = ["cadical153", "minisat22", "glucose4"]


def lines(rows, cols, ends):
    """All lines of a board, each as its count of edges at every cell."""
    curves = brute_force.closed_curves(rows, cols, ends)
    return [brute_force.face_counts(curve, rows, cols) for curve in curves]


@pytest.mark.parametrize("make", [SatAlternatives, CompiledAlternatives])
@given(st.data())
@settings(max_examples=80, deadline=None)
def test_a_series_of_questions_against_brute_force(make, data):
    rows, cols = data.draw(st.sampled_from([(2, 2), (2, 3), (3, 3), (3, 4), (1, 4)]))
    rng = Random(data.draw(st.integers(0, 10**6)))
    ends = tuple(sorted(rng.sample(rim_dots(rows, cols), 2))) if rng.random() < 0.5 else None
    line = two_colour(rng, rows, cols, ends=ends)
    mine = tuple(line.face_counts().ravel().tolist())
    others = lines(rows, cols, ends)
    others.remove(mine)
    differing = [
        {face for face, (a, b) in enumerate(zip(mine, other, strict=True)) if a != b}
        for other in others
    ]
    faces = range(rows * cols)
    with make(
        Slitherlink.blank(rows, cols, ends).model,
        line,
        solver=rng.choice(SOLVERS),
        order=rng.choice([None, rng.sample(faces, rows * cols)]),
    ) as alternatives:
        gone, staying = set(), set()
        for _ in range(12):
            kept = {face for face in faces if rng.random() < 0.6} - gone
            free = [face for face in faces if face not in kept | staying]
            denied = rng.sample(free, min(len(free), rng.randrange(4)))
            in_force = kept | staying
            right = [
                changed
                for changed in differing
                if changed.isdisjoint(in_force) and (not denied or changed & set(denied))
            ]
            found = alternatives.find(kept, denied)
            if found is None:
                assert not right
                core = alternatives.core
                assert core <= in_force
                assert not any(
                    changed.isdisjoint(core) and (not denied or changed & set(denied))
                    for changed in differing
                )
            else:
                assert set(found) in right
            unsettled = [face for face in faces if face not in gone | staying]
            if unsettled and rng.random() < 0.3:
                face = rng.choice(unsettled)
                stay = rng.random() < 0.5
                alternatives.settle([face], stay=stay)
                (staying if stay else gone).add(face)


@pytest.mark.parametrize(
    "make", [*(partial(SatAlternatives, solver=solver) for solver in SOLVERS), CompiledAlternatives]
)
def test_alternatives_agree_with_the_oracle_on_larger_boards(make):
    for seed in range(4):
        rng = Random(seed)
        ends = ((0, 2), (9, 5)) if seed % 2 else None
        line = two_colour(rng, 9, 9, ends=ends)
        full = Slitherlink.from_solution(line, ends)
        with make(Slitherlink.blank(9, 9, ends).model, line) as alternatives:
            for _ in range(12):
                kept = {face for face in range(81) if rng.random() < 0.75}
                gone = {divmod(face, 9): None for face in range(81) if face not in kept}
                unique = is_unique(full.with_clues(gone))
                assert (alternatives.find(kept) is None) == unique


@pytest.mark.parametrize("make", [SatAlternatives, CompiledAlternatives])
def test_a_core_prefers_clues_that_are_assumed_first(make):
    downwards = list(range(144))
    in_last_row = [0, 0]
    for seed in range(5):
        line = two_colour(Random(seed), 12, 12)
        for way, order in enumerate((downwards, downwards[::-1])):
            with make(Slitherlink.blank(12, 12).model, line, order=order) as alternatives:
                assert alternatives.find(downwards) is None
                in_last_row[way] += len(alternatives.core.intersection(range(132, 144)))
    assert in_last_row[1] > in_last_row[0] + 10


@given(st.integers(2, 5), st.integers(2, 5), st.integers(0, 10**6))
def test_components_from_the_difference(rows, cols, seed):
    """Any two-regular edge set splits into the same components as by walking all of it."""
    rng = Random(seed)
    line = two_colour(rng, rows, cols)
    model = Slitherlink.blank(rows, cols).model
    near = NearCuts(model, line)
    # Sums of unit squares have even degrees; those without a crossing are sets of cycles.
    edges: set[int] = set(line.edges)
    for face in rng.sample(range(rows * cols), rng.randrange(rows * cols)):
        edges ^= set(model.lattice.face_edges[face].tolist())
    ends = model.lattice.edge_vertices
    degree = [0] * model.lattice.num_vertices
    for edge in edges:
        for vertex in ends[edge]:
            degree[vertex] += 1
    assume(edges and max(degree) <= 2)
    changed = tuple(sorted(edges ^ set(line.edges)))
    cycles, main = near._cycles(changed)
    usual = near.components(sorted(edges))
    mine = []
    for cycle in cycles:
        vertices = near._vertices_of(cycle)
        assert len(vertices) == cycle.size
        mine.append(sorted(vertices))
    assert sorted(mine) == sorted(sorted(part.vertices) for part in usual)
    assert cycles[main].size == max(len(part.vertices) for part in usual)


def test_what_it_refuses():
    board = LinkModel.blank_loop(Lattice(3, 3))
    square = Solution(board.lattice, (0, 1, 3, 5))
    with pytest.raises(ValueError, match="without clues"):
        SatAlternatives(Slitherlink([[1, None], [None, None]]).model, square)
    with pytest.raises(ValueError, match="does not solve this board"):
        SatAlternatives(board, Solution(board.lattice, (0, 2)))
    with pytest.raises(ValueError, match="does not solve this board"):
        SatAlternatives(board, Solution(board.lattice, ()))


@pytest.mark.parametrize("make", [SatAlternatives, CompiledAlternatives])
def test_the_solver_is_freed(make):
    board = LinkModel.blank_loop(Lattice(3, 3))
    with make(board, Solution(board.lattice, (0, 1, 3, 5))) as alternatives:
        assert alternatives.find(set(range(4))) is None
        assert make is CompiledAlternatives or alternatives.rounds >= 1
        assert alternatives.cuts >= 0
    for ask in (alternatives.find, lambda faces: alternatives.settle(faces, stay=True)):
        with pytest.raises(ClosedError, match="closed"):
            ask([])


@pytest.mark.parametrize("make", [SatAlternatives, CompiledAlternatives])
@pytest.mark.parametrize("wrong", [64, 10**8, -1, 1.5, None, True])
def test_faces_that_the_board_has_not_are_refused(make, wrong):
    line = two_colour(Random(1), 8, 8)
    model = Slitherlink.blank(8, 8).model
    said = f"expected a face from 0 to 63, got {wrong!r}"
    with make(model, line) as alternatives:
        questions = [
            lambda: alternatives.find({1}, [wrong]),
            lambda: alternatives.find({2, wrong}),
            lambda: alternatives.settle([wrong], stay=True),
            lambda: alternatives.settle(iter([wrong]), stay=False),
        ]
        if make is CompiledAlternatives:
            never = Deadline(None)
            questions += [
                lambda: alternatives.try_all([wrong], [1], never),
                lambda: alternatives.try_all([1], [wrong], never),
            ]
        for ask in questions:
            with pytest.raises(ValueError, match=said):
                ask()
        assert alternatives.find(set(range(64)), [0, 0, 0]) is None
    for order in ([wrong, *range(1, 64)], range(63), [0, *range(63)]):
        with pytest.raises(ValueError, match="expected a"):
            make(model, line, order=order)


@pytest.mark.parametrize("make", [SatAlternatives, CompiledAlternatives])
@pytest.mark.parametrize(("rows", "cols"), [(1, 4), (4, 1), (1, 2), (2, 1)])
def test_a_board_without_faces_has_no_alternatives(make, rows, cols):
    lattice = Lattice(rows, cols)
    model = LinkModel.blank_paths(lattice, [(0, lattice.num_vertices - 1)])
    with make(model, Solution(lattice, tuple(range(lattice.num_edges)))) as alternatives:
        assert alternatives.find(set()) is None
        assert alternatives.core == set()


@pytest.mark.parametrize("make", [SatAlternatives, CompiledAlternatives])
@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3)])
def test_alternatives_to_a_line_of_one_edge(make, rows, cols):
    lattice = Lattice(rows, cols)
    model = LinkModel.blank_paths(lattice, [(0, 1)])
    with make(model, Solution(lattice, (lattice.edge((0, 0), (0, 1)),))) as alternatives:
        assert 0 in alternatives.find(set())
        assert alternatives.find({0}) is None
        assert alternatives.core == {0}


@pytest.mark.parametrize("make", [SatAlternatives, CompiledAlternatives])
def test_fixed_edges_are_refused_by_name(make):
    board = LinkModel.blank_loop(Lattice(3, 3))
    square = Solution(board.lattice, (0, 1, 3, 5))
    for model in (board.with_edges(given=[0]), board.with_edges(forbidden=[11])):
        with pytest.raises(ValueError, match="given or forbidden edges"):
            make(model, square)

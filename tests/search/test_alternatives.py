"""Alternatives against brute force and the SAT engine, question by question and in series."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import (
    Lattice,
    LinkModel,
    Oracle,
    SearchTimeout,
    Slitherlink,
    Solution,
    check_solution,
    is_unique,
)
from linkoracle.core import ConflictLimit, Deadline, MemoryLimit
from linkoracle.core.errors import ClosedError
from linkoracle.generate.loops.shapes import two_colour
from linkoracle.search import Alternatives
from tests import boards, brute_force
from tests.boards import rim_dots
from tests.search.twin import OracleAlternatives

if TYPE_CHECKING:
    from linkoracle.search import AlternativeSearch

NEVER = Deadline(None)
SQUARE = Solution(Lattice(3, 3), (0, 1, 3, 5))


def board(seed, rows, cols, *, path=False, fixed=False):
    """A line, and the board without clues that it lies on, where some of it may be fixed."""
    rng = Random(seed)
    ends = tuple(sorted(rng.sample(rim_dots(rows, cols), 2))) if path else None
    blank, line = Slitherlink.blank(rows, cols, ends), two_colour(rng, rows, cols, ends=ends)
    if not fixed:
        return blank, line
    position = line.lattice.position
    share = rng.choice([0.02, 0.1, 0.3])
    lists = {"given": [], "forbidden": []}
    for edge in range(line.lattice.num_edges):
        if rng.random() < share:
            ends_of = tuple(map(position, line.lattice.ends(edge)))
            lists["given" if edge in line else "forbidden"].append(ends_of)
    used = {dot for walk in line.paths() for dot in walk}
    dots = (dot for dot in map(position, range(line.lattice.num_vertices)) if dot not in used)
    return replace(blank, holes=[dot for dot in dots if rng.random() < share], **lists), line


def question(rng, faces, shares, changes):
    """Faces whose clues are shown, a share of all, and fewer than ``changes`` that must differ."""
    share = rng.choice(shares)
    kept = {face for face in faces if rng.random() < share}
    free = sorted(set(faces) - kept)
    return kept, rng.sample(free, min(len(free), rng.randrange(changes)))


def assert_alternative(found, blank, line, shown, changing=()):
    """What the rules of the puzzle, and the counts of both lines, say of an alternative."""
    assert found.solution != line
    assert check_solution(blank, found.solution)
    one, other = (solution.face_counts().ravel() for solution in (line, found.solution))
    assert found.changed == {face for face in range(len(one)) if one[face] != other[face]}
    assert found.changed.isdisjoint(shown)
    assert not changing or not found.changed.isdisjoint(changing)


def greedy(search: AlternativeSearch, kept, order):
    """Clues that are left when each that can go goes, asked about one at a time."""
    kept = set(kept)
    for face in order:
        if search.find(kept - {face}, (face,), timeout=NEVER) is None:
            kept.discard(face)
    return kept


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_series_of_questions_against_brute_force(data):
    rows, cols = data.draw(st.sampled_from([(2, 2), (2, 3), (3, 3), (3, 4), (1, 4)]))
    rng = Random(data.draw(st.integers(0, 10**6)))
    path, fixed = rng.random() < 0.5, rng.random() < 0.5
    blank, line = board(rng.randrange(10**6), rows, cols, path=path, fixed=fixed)
    mine = tuple(line.face_counts().ravel().tolist())
    curves = brute_force.solutions(blank)
    others = [brute_force.face_counts(curve, rows, cols) for curve in curves]
    others.remove(mine)
    differing = [
        {face for face, (a, b) in enumerate(zip(mine, other, strict=True)) if a != b}
        for other in others
    ]
    faces = range(rows * cols)

    def right(shown, changing):
        return [
            changed
            for changed in differing
            if changed.isdisjoint(shown) and (not changing or changed & set(changing))
        ]

    order = rng.choice([None, rng.sample(faces, rows * cols)])
    with Alternatives(blank, line, order=order) as alternatives:
        gone, staying = set(), set()
        for _ in range(12):
            kept = {face for face in faces if rng.random() < 0.6} - gone
            changing = rng.sample(faces, min(len(faces), rng.randrange(4)))
            in_force = kept | staying
            found = alternatives.find(kept, changing)
            if found is None:
                assert not right(in_force, changing)
                assert alternatives.core <= in_force
                assert not right(alternatives.core, changing)
            else:
                assert found.changed in right(in_force, changing)
                assert_alternative(found, blank, line, in_force, changing)
            assert alternatives.implies(kept, 0) == (not right(in_force, [0]))
            unsettled = [face for face in faces if face not in gone | staying]
            if unsettled and rng.random() < 0.3:
                face = rng.choice(unsettled)
                stay = rng.random() < 0.5
                alternatives.fix_clues([face], keep=stay)
                (staying if stay else gone).add(face)


@given(st.integers(2, 8), st.integers(2, 8), st.integers(0, 10**6), st.booleans(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_series_of_trials_is_the_same_as_one_question_each(rows, cols, seed, path, fixed):
    blank, line = board(seed, rows, cols, path=path, fixed=fixed)
    everything = set(range(rows * cols))
    order = Random(seed).sample(sorted(everything), rows * cols)
    twin = OracleAlternatives(blank, line)
    with Alternatives(blank, line) as compiled:
        if twin.find(everything, timeout=NEVER) is not None:
            assert compiled.find(everything) is not None
            return
        still = compiled.reduce(everything, order)
        assert still == greedy(twin, everything, order)
        assert compiled.queries <= 2 * rows * cols
        for face in everything:
            witness = compiled.witness(face)
            assert (witness is None) == (face not in still)
            if witness is not None:
                assert_alternative(witness, blank, line, still - {face}, [face])
        # What it learned meanwhile does no harm to later questions.
        assert compiled.find(still) is None


@given(st.integers(3, 9), st.integers(3, 9), st.integers(0, 10**6), st.booleans(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_long_series_of_questions_agree_with_the_sat_engine(rows, cols, seed, path, fixed):
    blank, line = board(seed, rows, cols, path=path, fixed=fixed)
    rng = Random(seed)
    faces = range(rows * cols)
    twin = OracleAlternatives(blank, line)
    with Alternatives(blank, line) as compiled:
        for _ in range(25):
            kept, changing = question(rng, faces, [0.3, 0.5, 0.7, 0.9], 4)
            found = compiled.find(kept, changing)
            assert (found is None) == (twin.find(kept, changing, timeout=NEVER) is None)
            if found is None:
                assert compiled.core <= kept
                assert twin.find(compiled.core, changing, timeout=NEVER) is None
            else:
                assert_alternative(found, blank, line, kept, changing)


@pytest.mark.parametrize("seed", range(60))
def test_boards_of_all_sorts_agree_with_the_sat_engine(seed):
    """Loops, and paths between pairs that may end anywhere."""
    rng = Random(seed)
    board = rng.choice(
        [
            boards.honeycomb(rng.randrange(2, 6), rng.randrange(2, 6)),
            boards.triangular(rng.randrange(3, 7), rng.randrange(3, 9)),
            boards.scattered(rng, rng.randrange(15, 40), rng.choice([0.8, 1.0])),
            Lattice(rng.randrange(3, 8), rng.randrange(3, 8)),
        ]
    )
    pairs = rng.choice([0, 0, 1, 2, 3])
    ends = rng.sample(range(board.num_vertices), 2 * pairs)
    model = LinkModel.blank_paths(board, zip(ends[::2], ends[1::2], strict=True))
    model = model if pairs else LinkModel.blank_loop(board)
    some = {rng.randrange(board.num_edges): rng.random() < 0.5 for _ in range(5)}
    with Oracle(model) as oracle:
        known = [*oracle.ask(edges=some).solutions, *oracle.ask().solutions][:1]
    faces = range(board.num_faces)
    for line in known:
        twin = OracleAlternatives(model, line)
        with Alternatives(model, line) as compiled:
            for _ in range(15):
                kept, changing = question(rng, faces, [0.3, 0.6, 0.8, 0.95], 3)
                found = compiled.find(kept, changing)
                assert (found is None) == (twin.find(kept, changing, timeout=NEVER) is None)
                if found is None:
                    assert twin.find(compiled.core, changing, timeout=NEVER) is None
                else:
                    assert check_solution(model, found.solution)
                    assert found.changed.isdisjoint(kept)
                    assert not changing or not found.changed.isdisjoint(changing)


def test_larger_boards_agree_with_the_oracle():
    for seed in range(4):
        blank, line = board(seed, 14, 14, path=seed % 2)
        full = Slitherlink.from_solution(line, blank.ends)
        rng = Random(seed)
        with Alternatives(blank, line) as alternatives:
            for _ in range(12):
                kept = {face for face in range(196) if rng.random() < 0.75}
                gone = {divmod(face, 14): None for face in range(196) if face not in kept}
                assert (alternatives.find(kept) is None) == is_unique(full.with_clues(gone))


def test_a_core_prefers_clues_that_are_assumed_first():
    downwards = list(range(144))
    in_last_row = [0, 0]
    for seed in range(5):
        blank, line = board(seed, 12, 12)
        for way, order in enumerate((downwards, downwards[::-1])):
            with Alternatives(blank, line, order=order) as alternatives:
                assert alternatives.find(downwards) is None
                in_last_row[way] += len(alternatives.core.intersection(range(132, 144)))
    assert in_last_row[1] > in_last_row[0] + 10


def test_what_is_settled_is_not_tried_again():
    blank, line = board(3, 8, 8)
    with Alternatives(blank, line) as alternatives:
        assert alternatives.find(range(64)) is None
        still = alternatives.reduce()
        asked = alternatives.queries
        assert alternatives.reduce(still, range(64)) == still
        assert alternatives.queries == asked


def test_what_is_shown_does_not_change():
    blank, line = board(3, 8, 8)
    with Alternatives(blank, line) as alternatives:
        assert alternatives.find({5, 6}, [5, 6, 5]) is None
        assert alternatives.core == {5, 6}
        assert alternatives.find({5}, [5, 6]).changed.isdisjoint({5})


def test_a_limit_of_conflicts():
    blank, line = board(1, 20, 20)
    everything = set(range(400))
    hard = everything - set(range(0, 400, 3))
    with Alternatives(blank, line) as alternatives:

        def conflicts_of(face):
            before = alternatives.conflicts
            alternatives.find(hard, (face,))
            return alternatives.conflicts - before

        hardest = max(range(0, 60, 3), key=conflicts_of)
    with Alternatives(blank, line) as alternatives:
        with pytest.raises(ConflictLimit, match="undecided after 1 conflicts"):
            alternatives.find(hard, (hardest,), conflicts=1)
        with pytest.raises(ValueError, match="a limit of conflicts from 1, got 0"):
            alternatives.find(hard, conflicts=0)
        twin = OracleAlternatives(blank, line)
        for face in range(0, 60, 3):
            right = twin.find(hard, (face,), timeout=NEVER)
            assert (alternatives.find(hard, (face,)) is None) == (right is None)


def test_it_stops_in_time():
    blank, line = board(2, 10, 10)
    with Alternatives(blank, line) as alternatives:
        with pytest.raises(SearchTimeout):
            alternatives.find({1, 2, 3}, timeout=1e-9)
        with pytest.raises(SearchTimeout):
            alternatives.reduce(timeout=1e-9)
        assert alternatives.find(set(range(100))) is None


def test_what_was_decided_before_time_ran_out_holds():
    blank, line = board(8, 30, 30)
    everything = set(range(900))
    order = Random(1).sample(sorted(everything), 900)
    with Alternatives(blank, line) as alternatives:
        right = alternatives.reduce(order=order)
    stopped = 0
    with Alternatives(blank, line) as alternatives:
        kept, limit = set(everything), 0.005
        while True:
            try:
                kept = alternatives.reduce(kept, order, timeout=limit)
                break
            except SearchTimeout:
                stopped += 1
                limit *= 1.2
                assert alternatives._removed.isdisjoint(right)
                assert alternatives._kept <= right
                kept -= alternatives._removed
                assert alternatives.find(kept) is None
        assert kept == right
        assert all(alternatives.witness(face) is not None for face in right)
    assert stopped > 1


def test_an_end_inside_the_board():
    lattice = Lattice(4, 4)
    inner, corner = lattice.vertex(1, 1), lattice.vertex(3, 3)
    model = LinkModel.blank_paths(lattice, [(inner, corner)])
    line = Solution.from_paths(lattice, [[(1, 1), (2, 1), (2, 2), (2, 3), (3, 3)]])
    twin = OracleAlternatives(model, line)
    with Alternatives(model, line) as compiled:
        rng = Random(0)
        for _ in range(60):
            kept = {face for face in range(9) if rng.random() < 0.6}
            found = twin.find(kept, timeout=NEVER)
            assert (compiled.find(kept) is None) == (found is None)


def test_vertices_that_must_be_visited_or_not():
    """A loop through all cells but some, as in a Simple Loop: another one is an alternative."""
    lattice = Lattice(4, 4)
    rim = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3), (3, 3), (3, 2), (3, 1), (3, 0)]
    inside = [(2, 0), (2, 1), (2, 2), (1, 2), (1, 1), (1, 0), (0, 0)]
    line = Solution.from_paths(lattice, [rim + inside])
    model = LinkModel(lattice, bytes([0b100]) * 16, bytes([0b11111]) * 9, loop=True)
    right = {frozenset(edges) for edges in brute_force.model_solutions(model)}
    seen = {frozenset(line.edges)}
    assert seen < right
    with Alternatives(model, line) as alternatives:
        for face in range(9):
            found = alternatives.find((), [face])
            if found is not None:
                assert frozenset(found.solution.edges) in right - seen


@pytest.mark.parametrize(("rows", "cols"), [(1, 4), (4, 1), (1, 2), (2, 1)])
def test_a_board_without_faces_has_no_alternatives(rows, cols):
    lattice = Lattice(rows, cols)
    model = LinkModel.blank_paths(lattice, [(0, lattice.num_vertices - 1)])
    with Alternatives(model, Solution(lattice, tuple(range(lattice.num_edges)))) as alternatives:
        assert alternatives.find(set()) is None
        assert alternatives.core == alternatives.reduce() == set()


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3)])
def test_alternatives_to_a_line_of_one_edge(rows, cols):
    lattice = Lattice(rows, cols)
    model = LinkModel.blank_paths(lattice, [(0, 1)])
    with Alternatives(model, Solution(lattice, (lattice.edge((0, 0), (0, 1)),))) as alternatives:
        assert 0 in alternatives.find(set()).changed
        assert alternatives.find({0}) is None
        assert alternatives.core == {0}


def test_what_it_refuses():
    blank = LinkModel.blank_loop(Lattice(3, 3))
    with pytest.raises(ValueError, match="without clues"):
        Alternatives(Slitherlink([[1, None], [None, None]]), SQUARE)
    for model in (blank.with_edges(given=[11]), blank.with_edges(forbidden=[0])):
        with pytest.raises(ValueError, match="does not solve this board"):
            Alternatives(model, SQUARE)
    with pytest.raises(ValueError, match=r"something with a \.model"):
        Alternatives(SQUARE, SQUARE)
    two = LinkModel.blank_loop(Lattice(2, 4))
    for wrong in [(0, 2), (), (0, 1, 3, 5, 4, 6, 8, 9)]:
        with pytest.raises(ValueError, match="does not solve this board"):
            Alternatives(two, Solution(two.lattice, wrong))
    with pytest.raises(ValueError, match="does not solve this board"):
        Alternatives(two, SQUARE)
    with pytest.raises(ValueError, match="a memory limit in bytes from 1, got 0"):
        Alternatives(blank, SQUARE, memory=0)
    with pytest.raises(MemoryLimit, match="this board needs more"):
        Alternatives(blank, SQUARE, memory=1000)
    with pytest.raises(ValueError, match=r"expected a face from 0 to 3, got 1\.0"):
        Alternatives(blank, SQUARE, order=[0, 1.0, 2, 3])


@pytest.mark.parametrize("wrong", [64, 10**8, -1, 1.5, None, True])
def test_faces_that_the_board_has_not_are_refused(wrong):
    blank, line = board(1, 8, 8)
    said = f"expected a face from 0 to 63, got {wrong!r}"
    with Alternatives(blank, line) as alternatives:
        for ask in (
            lambda: alternatives.find({1}, [wrong]),
            lambda: alternatives.find({2, wrong}),
            lambda: alternatives.implies({2}, wrong),
            lambda: alternatives.fix_clues([wrong], keep=True),
            lambda: alternatives.fix_clues(iter([wrong]), keep=False),
            lambda: alternatives.reduce([wrong], [1]),
            lambda: alternatives.reduce([1], [wrong]),
            lambda: alternatives.witness(wrong),
        ):
            with pytest.raises(ValueError, match=said):
                ask()
        assert alternatives.find(set(range(64)), [0, 0, 0]) is None
    for order in ([wrong, *range(1, 64)], range(63), [0, *range(63)]):
        with pytest.raises(ValueError, match="expected a"):
            Alternatives(blank, line, order=order)


def test_a_closed_search_is_not_asked():
    with Alternatives(LinkModel.blank_loop(Lattice(3, 3)), SQUARE) as alternatives:
        assert alternatives.find(range(4)) is None
    for ask in (
        lambda: alternatives.find([]),
        lambda: alternatives.implies([], 0),
        lambda: alternatives.fix_clues([], keep=True),
        lambda: alternatives.reduce(),
        lambda: alternatives.witness(0),
        lambda: alternatives.queries,
        lambda: alternatives.conflicts,
    ):
        with pytest.raises(ClosedError, match="closed"):
            ask()
    alternatives.close()

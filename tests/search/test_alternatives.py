"""The compiled search where it does more than its twin, whose tests it passes too."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Lattice, LinkModel, SearchTimeout, Slitherlink, Solution
from linkoracle.core.limits import Deadline
from linkoracle.generate.colouring import rim_dots
from linkoracle.generate.shapes import two_colour
from linkoracle.sat.alternatives import SatAlternatives
from linkoracle.search import alternatives as module
from linkoracle.search.alternatives import CompiledAlternatives
from linkoracle.search.kernel import state as k

NEVER = Deadline(None)


def board(seed, rows, cols, *, path=False):
    """A line, and the board without clues that it lies on."""
    rng = Random(seed)
    ends = tuple(sorted(rng.sample(rim_dots(rows, cols), 2))) if path else None
    line = two_colour(rng, rows, cols, ends=ends)
    return Slitherlink.blank(rows, cols, ends).model, line


def greedy(alternatives, kept, order):
    """Clues that are left when each that can go goes, asked about one at a time."""
    kept = set(kept)
    for face in order:
        if alternatives.find(kept - {face}, (face,)) is None:
            kept.discard(face)
    return kept


@given(st.integers(2, 8), st.integers(2, 8), st.integers(0, 10**6), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_series_of_trials_is_the_same_as_one_question_each(rows, cols, seed, path):
    model, line = board(seed, rows, cols, path=path)
    everything = set(range(rows * cols))
    order = Random(seed).sample(sorted(everything), rows * cols)
    with SatAlternatives(model, line) as usual, CompiledAlternatives(model, line) as compiled:
        if usual.find(everything) is not None:
            assert compiled.find(everything) is not None
            return
        still, left, questions = compiled.try_all(everything, order, NEVER)
        assert left == []
        assert still == greedy(usual, everything, order)
        assert 1 <= questions <= 2 * rows * cols
        # What it learned meanwhile does no harm to later questions.
        assert compiled.find(still) is None


@given(st.integers(3, 9), st.integers(3, 9), st.integers(0, 10**6), st.booleans())
@settings(max_examples=60, deadline=None)
def test_long_series_of_questions_agree_with_the_sat_solver(rows, cols, seed, path):
    model, line = board(seed, rows, cols, path=path)
    rng = Random(seed)
    faces = range(rows * cols)
    with SatAlternatives(model, line) as usual, CompiledAlternatives(model, line) as compiled:
        for _ in range(25):
            share = rng.choice([0.3, 0.5, 0.7, 0.9])
            kept = {face for face in faces if rng.random() < share}
            free = sorted(set(faces) - kept)
            denied = rng.sample(free, min(len(free), rng.randrange(4)))
            alternative = compiled.find(kept, denied)
            assert (alternative is None) == (usual.find(kept, denied) is None)
            if alternative is None:
                assert compiled.core <= kept
                assert usual.find(compiled.core, denied) is None
            else:
                assert alternative.isdisjoint(kept)
                assert not denied or not alternative.isdisjoint(denied)


def test_what_is_settled_is_not_tried_again():
    model, line = board(3, 8, 8)
    everything = set(range(64))
    with CompiledAlternatives(model, line) as alternatives:
        assert alternatives.find(everything) is None
        order = sorted(everything)
        still, _, _ = alternatives.try_all(everything, order, NEVER)
        again, left, questions = alternatives.try_all(still, order, NEVER)
        assert (again, left, questions) == (still, [], 0)


def test_a_question_that_is_too_hard_goes_to_the_sat_solver(monkeypatch):
    model, line = board(1, 12, 12)
    everything = set(range(144))
    order = Random(0).sample(sorted(everything), 144)
    with CompiledAlternatives(model, line) as alternatives:
        assert alternatives.find(everything) is None
        right, left, _ = alternatives.try_all(everything, order, NEVER)
        assert left == []
        assert alternatives.rounds == alternatives.cuts == 0
    monkeypatch.setattr(module, "PATIENCE", 5)
    with CompiledAlternatives(model, line) as alternatives:
        kept, left = set(everything), order
        while left:
            kept, left, _ = alternatives.try_all(kept, left, NEVER)
            if left:
                # Alone it is too hard as well, or it was the pair with the next one.
                face = left.pop(0)
                needed = alternatives.find(kept - {face}, (face,)) is not None
                alternatives.settle([face], stay=needed)
                if not needed:
                    kept.discard(face)
        assert alternatives.rounds > 0
        assert kept == right


def test_it_stops_in_time():
    model, line = board(2, 10, 10)
    with CompiledAlternatives(model, line) as alternatives:
        late = Deadline(1e-9)
        with pytest.raises(SearchTimeout):
            alternatives.find({1, 2, 3}, timeout=late)
        with pytest.raises(SearchTimeout):
            alternatives.try_all(range(100), range(100), late)
        assert alternatives.find(set(range(100))) is None


def test_what_was_decided_before_time_ran_out_holds(monkeypatch):
    model, line = board(8, 10, 10)
    everything = set(range(100))
    order = Random(1).sample(sorted(everything), 100)
    with SatAlternatives(model, line) as usual:
        right = greedy(usual, everything, order)

    class Short(Deadline):
        """Over when it is looked at for the third time."""

        looks = 0

        def check(self):
            self.looks += 1
            if self.looks == 3:
                raise SearchTimeout(1.0, 0)

    monkeypatch.setattr(module, "BREATH", 20)
    with CompiledAlternatives(model, line) as alternatives:
        assert alternatives.find(everything) is None
        with pytest.raises(SearchTimeout):
            alternatives.try_all(everything, order, Short(None))
        gone = set(alternatives._gone)
        assert gone
        assert gone.isdisjoint(right)
        assert alternatives._staying <= right
        still, left, _ = alternatives.try_all(everything - gone, order, NEVER)
        assert (still, left) == (right, [])


def test_an_end_inside_the_board_has_no_sides():
    lattice = Lattice(4, 4)
    inner, corner = lattice.vertex(1, 1), lattice.vertex(3, 3)
    model = LinkModel.blank_paths(lattice, [(inner, corner)])
    line = Solution.from_paths(lattice, [[(1, 1), (2, 1), (2, 2), (2, 3), (3, 3)]])
    with SatAlternatives(model, line) as usual, CompiledAlternatives(model, line) as compiled:
        rng = Random(0)
        for _ in range(60):
            kept = {face for face in range(9) if rng.random() < 0.6}
            assert (compiled.find(kept) is None) == (usual.find(kept) is None)


def test_what_it_refuses():
    model = LinkModel.blank_loop(Lattice(3, 3))
    square = Solution(model.lattice, (0, 1, 3, 5))
    with pytest.raises(ValueError, match="without clues"):
        CompiledAlternatives(Slitherlink([[1, None], [None, None]]).model, square)
    two = LinkModel.blank_loop(Lattice(2, 4))
    for wrong in [(0, 2), (), (0, 1, 3, 5, 4, 6, 8, 9)]:
        with pytest.raises(ValueError, match="does not solve this board"):
            CompiledAlternatives(two, Solution(two.lattice, wrong))
    with pytest.raises(ValueError, match="does not solve this board"):
        CompiledAlternatives(two, square)


def long_series(alternatives, usual, seed):
    """Enough questions for hundreds of clauses and conflicts, each compared with the SAT solver."""
    rng = Random(seed)
    for _ in range(150):
        kept = {face for face in range(100) if rng.random() < 0.5}
        denied = rng.sample(sorted(set(range(100)) - kept), 2)
        assert (alternatives.find(kept, denied) is None) == (usual.find(kept, denied) is None)


def test_no_room_for_clauses():
    model, line = board(5, 10, 10)
    with SatAlternatives(model, line) as usual, CompiledAlternatives(model, line) as alternatives:
        numbers = alternatives._numbers
        # Room for some; then for none at all, when the SAT solver has to answer everything.
        numbers[k.MOST_CLAUSES] = numbers[k.CLAUSES] + 40
        long_series(alternatives, usual, 1)
        assert numbers[k.CLAUSES] <= numbers[k.MOST_CLAUSES]
        numbers[k.MOST_CLAUSES] = numbers[k.CLAUSES] + 1
        long_series(alternatives, usual, 2)
        assert alternatives.rounds > 0
        everything = set(range(100))
        still, left, _ = alternatives.try_all(everything, sorted(everything), NEVER)
        assert (still, left) == (everything, sorted(everything))


def test_stamps_and_marks_begin_anew(monkeypatch):
    model, line = board(6, 10, 10)
    monkeypatch.setattr(module, "_MOST_MARKS", 500)
    with SatAlternatives(model, line) as usual, CompiledAlternatives(model, line) as alternatives:
        long_series(alternatives, usual, 3)
        assert alternatives.conflicts > 100
        assert alternatives._numbers[k.STAMP] < 100_000


def test_clauses_are_forgotten():
    model, line = board(7, 10, 10)
    with SatAlternatives(model, line) as usual, CompiledAlternatives(model, line) as alternatives:
        alternatives._numbers[k.LIMIT] = 50
        long_series(alternatives, usual, 4)
        assert alternatives._numbers[k.LIMIT] > 50

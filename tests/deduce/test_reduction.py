"""`Reduction` answers as new boards do, in whatever order clues are shown and hidden."""

from __future__ import annotations

from functools import partial
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Slitherlink, solve
from linkoracle.core import Deadline, SearchTimeout
from linkoracle.deduce import LABELS, DeductionState, deck_for, within
from linkoracle.deduce.reduction import guessed
from linkoracle.deduce.rules import TECHNIQUES, WIDE, WINDOW
from linkoracle.generate import slitherlink
from linkoracle.generate.loops.shapes import two_colour
from tests.deduce.boards import memory
from tests.strategies import slitherlinks

WAYS = [*({"label": label} for label in LABELS), {"subset": "easy"}, {"subset": "hard"}]
HARDEST = within("extreme")


def full_board(seed, size):
    return Slitherlink.from_solution(two_colour(Random(seed), size, size))


def stands_still(full, faces, face, label):
    """Whether the lines and crosses around a face leave its clue nothing to decide at once."""
    clues = within(label).clues(full)
    board = clues._board
    board.show(sorted(faces))
    lines, crosses = board.face_counts()
    still_open = 4 - lines[face] - crosses[face]
    row, col = divmod(face, full.cols)
    return not still_open or 0 < full.grid[row][col] - lines[face] < still_open


def solved(keeps, puzzle):
    """Whether the techniques of a predicate solve a puzzle, on a new board."""
    deck, without = deck_for(keeps.subset, keeps.label)
    board = DeductionState(puzzle.model, deck=deck, without=without)
    if not board.begin():
        return False
    if keeps._one_guess:
        return guessed(board, 1, Deadline(None))
    return board.guess(keeps._depth) and board.solved


def shown(full, faces):
    """The puzzle with the clues of these faces only."""
    hidden = set(range(full.rows * full.cols)) - set(faces)
    return full.with_clues({divmod(face, full.cols): None for face in hidden})


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_any_part_of_the_clues_suffices_as_on_a_new_board(options):
    keeps = within(**options)
    passed = 0
    for seed in range(6):
        rng = Random(seed)
        full = full_board(seed, 6)
        clues = keeps.clues(full)
        for _ in range(12):
            faces = rng.sample(range(36), rng.randint(18, 36))
            passes = clues.passes(faces)
            assert passes == solved(keeps, shown(full, faces))
            passed += passes
    assert 5 < passed < 70


@pytest.mark.parametrize("label", ["hard", "extreme"])
def test_clues_approach_what_is_enough_and_stay_below(label):
    keeps = within(label)
    nearer = 0
    for seed in range(12):
        rng = Random(seed)
        full = full_board(seed, 7)
        clues = keeps.clues(full)
        faces = rng.sample(range(49), 20)
        spare = [(face,) for face in range(49) if face not in faces]
        added = clues.approach(faces, spare, 6)
        if added is None:
            assert clues.passes(faces)
            continue
        assert len(added) == len(set(added)) <= 6
        near = [*faces, *(face for number in added for face in spare[number])]
        assert not clues.passes(near)
        before, after = (
            DeductionState(shown(full, faces).model),
            DeductionState(shown(full, near).model),
        )
        assert before.begin()
        assert after.begin()
        nearer += after.open_edges < before.open_edges
        if len(added) < 6:
            # Every clue that is left would be enough, or decides nothing.
            for number in set(range(len(spare))) - set(added):
                more = clues.approach([*near, *spare[number]], [], 0)
                assert more is None or stands_still(full, near, spare[number][0], label)
    assert nearer > 3


@given(slitherlinks(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_puzzles_of_any_kind_are_judged_as_on_a_new_board(puzzle, rng):
    # Open paths, and boards with no solution, or without some clues.
    faces = [r * puzzle.cols + c for (r, c), _ in puzzle.clue_cells()]
    clues = HARDEST.clues(puzzle)
    for _ in range(3):
        some = [face for face in faces if rng.random() < 0.8]
        assert clues.passes(some) == solved(HARDEST, shown(puzzle, some))
    assert clues.passes(faces) == solved(HARDEST, puzzle)


def one_by_one(full, faces, groups, keeps):
    """What `Reduction.reduce` must find, with a new board for each query."""
    left = set(faces)
    gone = []
    for number, group in enumerate(groups):
        if solved(keeps, shown(full, left.difference(group))):
            left.difference_update(group)
            gone.append(number)
    return gone


@pytest.mark.parametrize("options", [*WAYS, {"max_depth": 1, "subset": "easy"}], ids=str)
def test_halving_removes_the_same_as_one_by_one(options):
    keeps = within(**options)
    for seed in range(3):
        rng = Random(seed)
        full = full_board(seed, 6)
        faces = list(range(36))
        pairs = [(face, 35 - face) for face in range(18)]
        for groups in ([(face,) for face in rng.sample(faces, 36)], rng.sample(pairs, 15)):
            found = keeps.clues(full).reduce(faces, groups)
            assert found == one_by_one(full, faces, groups, keeps)
            assert found


class Needed:
    """Says of some groups beforehand that they are needed, and of another after one is gone."""

    def __init__(self, needed, after):
        self.needed = set(needed)
        self.after = dict(after)
        self.removed = []

    def remove(self, group):
        self.removed.append(group)
        return self.after.get(group, ())


def test_what_is_known_to_be_needed_is_not_asked_about():
    full = full_board(1, 6)
    groups = [(face,) for face in range(36)]
    reduction = within("normal").clues(full)
    free = reduction.reduce(range(36), groups)
    first, *_, last = free
    known = Needed({first}, {})
    found = reduction.reduce(range(36), groups, known)
    assert first not in found
    assert sorted(known.removed) == found
    later = Needed((), {first: [last]})
    found = reduction.reduce(range(36), groups, later)
    assert first in found
    assert last not in found


def test_a_half_of_which_all_is_known_to_be_needed():
    full = full_board(1, 6)
    groups = [(face,) for face in range(36)]
    keeps = within("normal")
    reduction = keeps.clues(full)
    found = reduction.reduce(range(36), groups, Needed(range(18, 36), {}))
    assert found == one_by_one(full, range(36), groups[:18], keeps)
    later = reduction.reduce(range(36), groups, Needed((), {0: range(9, 36)}))
    assert later == one_by_one(full, range(36), groups[:9], keeps)
    # Nothing of that is left on the board.
    assert reduction.reduce(range(36), groups) == one_by_one(full, range(36), groups, keeps)


@pytest.mark.parametrize("label", ["normal", "brutal"])
def test_no_more_clues_go_than_are_asked_for(label):
    full = full_board(1, 6)
    groups = [(face,) for face in range(36)]
    keeps = within(label)
    clues = keeps.clues(full)
    every = clues.reduce(range(36), groups)
    some = clues.reduce(range(36), groups, None, 3)
    assert 3 <= len(some) < len(every)
    assert keeps(shown(full, set(range(36)).difference(some)))


def test_guesses_are_saved_by_clues():
    saved = 0
    for seed in range(20):
        puzzle = slitherlink(9, 9, seed=seed, minimal=True).puzzle
        full = Slitherlink.from_solution(solve(puzzle))
        kept = {r * 9 + c for (r, c), _ in puzzle.clue_cells()}
        spare = [(face,) for face in range(81) if face not in kept]
        clues = within("fiendish").clues(full)
        added = clues.grow(kept, spare)
        assert bool(added) == (not clues.passes(kept))
        if added:
            saved += 1
            back = {face for number in added for face in spare[number]}
            assert clues.passes(kept | back)
            assert not any(clues.passes((kept | back) - {face}) for face in back)
    assert saved > 2


def test_clues_are_put_back_until_it_is_enough():
    for seed, label in product(range(4), LABELS):
        keeps = within(label)
        full = full_board(seed, 6)
        kept = {r * 6 + c for (r, c), _ in slitherlink(6, 6, seed=seed).puzzle.clue_cells()} & set(
            range(30)
        )
        spare = [(face,) for face in range(36) if face not in kept]
        reduction = keeps.clues(full)
        added = reduction.grow(kept, spare)
        assert len(set(added)) == len(added)
        # The score, which the predicate looks at too, may be too high all the same.
        assert solved(keeps, shown(full, kept.union(spare[number][0] for number in added)))
        assert reduction.grow(kept, []) == ([] if reduction.passes(kept) else None)


def test_clues_that_were_shown_leave_no_trace():
    full = full_board(2, 6)
    board = DeductionState(full.model, hidden=True)
    assert board.begin()
    before = memory(board)
    mark = board.mark()
    assert board.show(range(20))
    inner = board.mark()
    assert board.show(range(20, 36))
    assert board.solved
    board.hide(range(20, 36), inner)
    assert not board.solved
    board.hide(range(20), mark)
    assert memory(board) == before
    assert board.show(range(36))
    assert board.solved


def test_windows_are_looked_at_again_when_a_path_grows():
    # Shown at once or one after the other, these clues once led to different ends.
    made = slitherlink(8, 8, seed=23).puzzle
    full = Slitherlink.from_solution(slitherlink(8, 8, seed=23).solution)
    kept = [r * 8 + c for (r, c), _ in made.clue_cells()]
    spare = [(face,) for face in range(64) if face not in kept]
    Random(23).shuffle(spare)
    keeps = within("hard")
    added = keeps.clues(full).grow(kept, spare)
    assert keeps(shown(full, [*kept, *(spare[number][0] for number in added)]))


def test_time_may_run_out():
    groups = [(face,) for face in range(36)]
    assert within("easy").clues(full_board(1, 6), Deadline(600)).reduce(range(36), groups)
    with pytest.raises(SearchTimeout):
        within("easy").clues(full_board(1, 6), Deadline(1e-9)).reduce(range(36), groups)
    guessing = within("fiendish").clues(full_board(1, 6), Deadline(1e-9))
    for ask in (guessing.passes, partial(guessing.grow, groups=groups)):
        with pytest.raises(SearchTimeout):
            ask(())


def test_uniqueness_goes_with_no_coming_and_going():
    assert within("tricky", uniqueness=True).clues(full_board(1, 4)) is None
    with pytest.raises(ValueError, match="cannot be combined with hidden clues"):
        DeductionState(full_board(1, 4).model, hidden=True, uniqueness=True)


@pytest.mark.parametrize(("technique", "side"), [(WINDOW, 2), (WIDE, 3)])
def test_a_window_finds_all_that_its_ways_agree_on(technique, side):
    """On a board that is one window: all colourings, listed by other means."""
    rng = Random(5)
    found = 0
    for seed in range(60):
        full = full_board(seed, side)
        faces = rng.sample(range(side * side), rng.randint(1, side * side - 1))
        puzzle = shown(full, faces)
        board = DeductionState(puzzle.model, without=set(range(TECHNIQUES)) - {int(technique)})
        assert board.begin()
        decided = {literal >> 1: 1 - (literal & 1) for literal, _, _ in board.trail()}
        ways = np.array(list(colourings(puzzle)))
        for edge in np.flatnonzero((ways == ways[0]).all(axis=0)):
            assert decided[int(edge)] == ways[0][edge]
            found += 1
    assert found > 60


def colourings(puzzle):
    """The lines, as 0 and 1 by edge, between cells inside and outside; several loops are right."""
    lattice = puzzle.lattice
    rows, cols = puzzle.rows, puzzle.cols
    for sides in product((0, 1), repeat=rows * cols):
        board = np.zeros((rows + 2, cols + 2), dtype=int)
        board[1:-1, 1:-1] = np.reshape(sides, (rows, cols))
        lines = np.zeros(lattice.num_edges, dtype=int)
        lines[lattice.right[:, :-1]] = board[:-1, 1:-1] != board[1:, 1:-1]
        lines[lattice.down[:-1]] = board[1:-1, :-1] != board[1:-1, 1:]
        degrees = [sum(lines[e] for e in around if e >= 0) for around in lattice.vertex_edges]
        counts = lines[lattice.face_edges].sum(axis=1)
        fits = all(counts[r * cols + c] == clue for (r, c), clue in puzzle.clue_cells())
        if fits and max(degrees) <= 2 and any(sides):
            yield lines

"""What can be seen of a puzzle while it is made."""

from __future__ import annotations

from itertools import count, pairwise
from types import SimpleNamespace

import pytest

from linkoracle import Slitherlink, Solution
from linkoracle.generate import (
    NumberlinkRequest,
    SlitherlinkRequest,
    add_clues,
    numberlink,
    puzzle,
    puzzles,
    reduce_clues,
    slitherlink,
)
from linkoracle.generate.attempts import Watching


class Seen(list):
    """All that is shown, as if a second went by between two looks."""

    def __call__(self, board, line):
        assert isinstance(line, Solution)
        assert line.lattice == board.lattice
        self.append((board, line))

    @property
    def clues(self):
        return [board.number_of_clues for board, _ in self]


@pytest.fixture
def seen(monkeypatch):
    clock = SimpleNamespace(monotonic=count().__next__)
    monkeypatch.setattr("linkoracle.generate.attempts.time", clock)
    return Seen()


@pytest.mark.parametrize("strategy", ["even", "core", "random", "prefix"])
def test_clues_go_one_after_the_other_and_the_line_stays(seen, strategy):
    made = slitherlink(7, 7, seed=1, strategy=strategy, minimal=True, preview=seen)
    assert made == slitherlink(7, 7, seed=1, strategy=strategy, minimal=True)
    assert seen.clues[0] == 49
    assert len(seen) >= 2
    assert seen.clues == sorted(seen.clues, reverse=True)
    for board, line in seen:
        assert line == made.solution
        assert not board.violations(line)


def test_the_places_of_a_layout_and_then_the_puzzle(seen):
    made = slitherlink(7, 7, seed=1, layout="openings", preview=seen)
    assert made == slitherlink(7, 7, seed=1, layout="openings")
    every, places, whole = seen.clues
    assert every == 49
    assert places < whole == made.puzzle.number_of_clues
    assert seen[-1] == (made.puzzle, made.solution)
    assert not any(board.violations(line) for board, line in seen)


def test_reducing_an_open_path(seen):
    made = slitherlink(6, 6, seed=2, ends="random")
    reduced = reduce_clues(made.solution, seed=3, ends=made.puzzle.ends, minimal=True, preview=seen)
    assert reduced == reduce_clues(made.solution, seed=3, ends=made.puzzle.ends, minimal=True)
    assert {board.ends for board, _ in seen} == {made.puzzle.ends}
    final = dict(reduced.puzzle.clue_cells()).items()
    assert all(dict(board.clue_cells()).items() >= final for board, _ in seen)


def test_the_fewest_clues_so_far(seen):
    made = slitherlink(5, 5, seed=1, strategy="fewest", preview=seen)
    assert made == slitherlink(5, 5, seed=1, strategy="fewest")
    assert seen.clues[0] == 25
    assert seen.clues[-1] >= made.puzzle.number_of_clues
    seen.clear()
    lacking = made.puzzle.with_clues({next(cell for cell, _ in made.puzzle.clue_cells()): None})
    added = add_clues(lacking, preview=seen)
    assert added == add_clues(lacking)
    own = dict(lacking.clue_cells()).items()
    assert seen
    assert all(dict(board.clue_cells()).items() >= own for board, _ in seen)


def test_a_mask_shows_clues_only_where_they_may_be(seen):
    must = [(row, col) for row in range(8) for col in range(8) if (row + col) % 2]
    digits = {(0, 1): 3, (4, 5): 2}
    request = SlitherlinkRequest(8, 8, must=must, strategy="mask", digits=digits)
    made = slitherlink(request, seed=4, preview=seen)
    assert made == slitherlink(request, seed=4)
    later = [board for board, line in seen if board.number_of_clues < 64]
    assert later
    for board in later:
        assert {cell for cell, _ in board.clue_cells()} == set(must)
        assert dict(board.clue_cells()).items() >= digits.items()


@pytest.mark.parametrize("variant", ["free", "fill"])
def test_numberlinks_are_shown_before_they_are_proven(seen, variant):
    request = NumberlinkRequest(7, 7, variant=variant)
    made = numberlink(request, seed=5, preview=seen)
    assert made == numberlink(request, seed=5)
    assert len(seen) == made.tried
    assert seen[-1] == (made.puzzle, made.solution)
    assert all(not board.violations(line) for board, line in seen)


def test_kinds_with_a_maker_on_their_page(seen):
    made = puzzle("simpleloop", 6, 6, seed=2, preview=seen)
    assert made == puzzle("simpleloop", 6, 6, seed=2)
    assert (made.puzzle, made.solution) in seen
    assert len(seen) == made.tried
    seen.clear()
    several = list(puzzles("simpleloop", 6, 6, seed=2, limit=3, preview=seen))
    assert several[0] == made
    assert {one.puzzle for one in several} <= {board for board, _ in seen}


def test_nothing_is_shown_at_once_nor_too_often(monkeypatch):
    now = 0.0
    clock = SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr("linkoracle.generate.attempts.time", clock)
    shown = []
    board = Slitherlink.blank(1, 1)
    line = Solution(board.lattice, (0, 1, 2, 3))

    def look():
        looked.append(now)
        return board, line

    looked = []
    watching = Watching(lambda *_: shown.append(now))
    for tick in range(100):
        now = tick / 100
        watching.show(look)
    assert shown == looked
    assert len(shown) == 4
    assert all(later - sooner >= 0.2 for sooner, later in pairwise([0.0, *shown]))
    Watching().show(look)
    assert len(looked) == 4

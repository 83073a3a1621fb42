"""Published puzzles, where the folder that holds them is there."""

from __future__ import annotations

from pathlib import Path

import pytest

import linkoracle
from linkoracle.core import Deadline
from linkoracle.deduce import DeductionState, grade
from linkoracle.deduce.grading import attempt

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
heavy = pytest.mark.heavy
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no published puzzles at {CORPUS}")


def contradicting(kind, largest, uniqueness, every=1):
    """The puzzles with one solution on which a deduction disagrees with it; how many were seen."""
    found, seen = [], 0
    entries = linkoracle.read_all(CORPUS / f"{kind}.jsonl", kind=kind)
    small = [entry for entry in entries if entry.puzzle.rows * entry.puzzle.cols <= largest]
    for entry in small[::every]:
        puzzle = entry.puzzle
        verdict = linkoracle.decide(puzzle)
        if not verdict.unique:
            continue
        solution = set(verdict.solutions[0].edges)
        board = DeductionState(puzzle.model, uniqueness=uniqueness)
        fits = board.begin() and board.guess(1)
        seen += 1
        if not fits or any((lit >> 1 in solution) == (lit & 1) for lit, _, _ in board.trail()):
            found.append(entry.name)
    return found, seen


@pytest.mark.parametrize(("every", "unique"), [(3, 194), pytest.param(1, 581, marks=heavy)])
@pytest.mark.parametrize("uniqueness", [False, True])
def test_slitherlink_deductions_agree_with_the_solution(uniqueness, every, unique):
    assert contradicting("slitherlink", 10**9, uniqueness, every) == ([], unique)


@pytest.mark.parametrize(
    ("uniqueness", "every"),
    [
        (True, 3),
        (False, 9),
        *(pytest.param(*both, marks=heavy) for both in ((True, 1), (False, 1))),
    ],
)
def test_numberlink_deductions_agree_with_the_solution(uniqueness, every):
    found, seen = contradicting("numberlink", 100, uniqueness, every)
    assert found == []
    assert seen > 100 / every


@pytest.mark.heavy
def test_full_numberlinks_on_which_sat_takes_two_queries():
    """Arguments that only the longer query allows lead to the solution, too."""
    options = {"kind": "numberlink", "variant": "fill"}
    known = {
        entry.name: entry.puzzle
        for entry in linkoracle.read_all(CORPUS / "numberlink.jsonl", **options)
    }
    for name in ("427_15x15", "458_15x15"):
        board, found = attempt(known[name].model, 1, None, None, False, Deadline(None))
        assert (found.status, board.relaxed) == ("solved", True)
        verdict = linkoracle.decide(known[name])
        assert verdict.unique
        assert board.lines() == verdict.solutions[0]


def test_most_10x10_puzzles_need_no_guess():
    grades = [
        grade(entry.puzzle, max_depth=0)
        for entry in linkoracle.read_all(CORPUS / "slitherlink.jsonl", kind="slitherlink")
        if (entry.puzzle.rows, entry.puzzle.cols) == (10, 10)
    ]
    solved = sum(one.status == "solved" for one in grades)
    assert solved >= 0.9 * len(grades)


def test_most_free_numberlinks_need_no_guess():
    """By arguments from there being one solution; the others need one guess at a time."""
    options = {"kind": "numberlink", "variant": "free"}
    for side, share in ((10, 0.9), (15, 0.7)):
        boards = []
        for entry in linkoracle.read_all(CORPUS / "numberlink.jsonl", **options):
            if (entry.puzzle.rows, entry.puzzle.cols) == (side, side):
                boards.append(DeductionState(entry.puzzle.model, uniqueness=True))
        assert all(board.begin() for board in boards)
        assert sum(board.solved for board in boards) >= share * len(boards)
        assert all(board.guess(1) and board.solved for board in boards)

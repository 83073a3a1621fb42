"""New puzzles for the page: they fit the options, and have one solution."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import pytest

from linkoracle import Solution, decide, grade
from linkoracle.board import Lattice, orbits
from linkoracle.core import NothingFound
from linkoracle.kinds import KINDS
from linkoracle.studio.boards import puzzle_of
from linkoracle.studio.clues import forms
from linkoracle.studio.making import offers
from linkoracle.studio.tasks import Limits
from tests.studio.making import failure, made, stages


def checked(event):
    """Return the puzzle of an event; check that its solution is unique."""
    puzzle = puzzle_of(event["board"])
    shown = Solution(puzzle.board, tuple(event["lines"]))
    assert decide(puzzle).solutions == (shown,)
    return puzzle


def new(kind="slitherlink", rows=6, cols=6, seed=1, **more):
    event = made(what="new", kind=kind, rows=rows, cols=cols, seed=seed, **more)
    return checked(event), event


@pytest.mark.parametrize("kind", list(KINDS))
def test_each_kind_has_the_size_requested_and_is_the_same_for_a_seed(kind):
    puzzle, event = new(kind, 5, 6)
    assert (puzzle.kind, puzzle.rows, puzzle.cols) == (kind, 5, 6)
    assert event["words"].startswith(f"{puzzle.number_of_clues} {puzzle.unit}")
    assert new(kind, 5, 6)[1] == event
    assert new(kind, 5, 6, seed=2)[0] != puzzle


@pytest.mark.parametrize(
    ("kind", "label"),
    [("slitherlink", "easy"), ("slitherlink", "hard"), ("numberlink", "normal"),
     ("simpleloop", "easy")],
)  # fmt: skip
def test_a_difficulty_is_met(kind, label):
    puzzle, _ = new(kind, difficulty=label)
    assert grade(puzzle).label == label


@pytest.mark.parametrize("kind", ["slitherlink", "numberlink"])
def test_with_a_symmetry(kind):
    puzzle, _ = new(kind, symmetry="half-turn")
    shown = {row * 6 + col for (row, col), _ in puzzle.clue_cells()}
    assert all(
        len(shown.intersection(orbit)) in (0, 2) for orbit in orbits(Lattice(7, 7), "half-turn")
    )


# Kinds without clues are made at once.
@pytest.mark.parametrize("kind", [kind for kind in KINDS if forms(KINDS[kind])])
def test_the_board_is_shown_while_it_is_made(kind, monkeypatch):
    clock = SimpleNamespace(monotonic=count().__next__)
    monkeypatch.setattr("linkoracle.generate.attempts.time", clock)
    events = stages({"what": "new", "kind": kind, "rows": 6, "cols": 6, "seed": 1})
    shown = [stage for stage in events if stage["stage"] == "shown"]
    assert shown
    for stage in shown:
        puzzle = puzzle_of(stage["board"])
        assert (puzzle.kind, puzzle.rows, puzzle.cols) == (kind, 6, 6)
        assert not puzzle.violations(Solution(puzzle.board, tuple(stage["lines"])))
    last = events[-1]
    assert last["stage"] == "made"
    assert last["lines"] in [stage["lines"] for stage in shown]


def test_an_open_path_and_a_numberlink_that_fills_the_board():
    assert new(variant="path")[0].variant == "path"
    assert new("numberlink", variant="fill", pairs=5)[0].number_of_clues == 5
    assert new("numberlink", variant="fill")[0].variant == "fill"


def test_every_shape_and_strategy_that_is_offered():
    fields = {field["name"]: field for field in offers("slitherlink")["new"]}
    boards = {new(rows=4, cols=4, shape=name)[0] for name in fields["shape"]["values"]}
    assert len(boards) > 1
    for name in fields["strategy"]["values"]:
        new(rows=4, cols=4, strategy=name, minimal=True)


def test_the_fewest_clues_say_what_is_proven(clock, monkeypatch):
    puzzle, event = new(rows=4, cols=4, strategy="fewest")
    assert event["words"] == f"{puzzle.number_of_clues} clues: the minimum for this solution"
    clock.run_out_after(3, monkeypatch)
    puzzle, event = new(rows=12, cols=12, strategy="fewest")
    assert "are needed for this solution" in event["words"]


def test_progress_is_reported(clock, monkeypatch):
    clock.run_out_after(3, monkeypatch)
    task = {"what": "new", "kind": "slitherlink", "rows": 12, "cols": 12, "strategy": "fewest"}
    going = [one for one in stages(task) if one["stage"] == "going"]
    assert going
    assert all(one.keys() == {"stage", "words", "share"} for one in going)


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (None, "expected an object"),
        ({}, "in 'what', found null"),
        ({"what": ["new"]}, "in 'what', found an array"),
        ({"kind": "nurikabe"}, "others, found 'nurikabe'"),
        ({"rows": None}, "expected rows and columns"),
        ({"rows": 61}, "a whole number from 1 to 60"),
        ({"rows": 60, "cols": 60}, "2500 cells"),
        ({"rows": True}, "a whole number"),
        ({"seconds": 0}, "a whole number from 1 to 600 or null in 'seconds'"),
        ({"difficulty": "great"}, "expected 'any', 'easy', "),
        ({"strategy": "stack"}, "in 'strategy', found 'stack'"),
        ({"minimal": 2}, "true or false in 'minimal', found 2"),
        ({"strategy": "fewest", "difficulty": "easy"}, "fewest clues takes no difficulty"),
        ({"strategy": "fewest", "symmetry": "both"}, "takes no symmetry"),
        ({"rows": 5, "symmetry": "quarter-turn"}, "expected a symmetry of this board"),
        ({"kind": "numberlink", "pairs": 500}, "do not fit"),
        ({"kind": "simpleloop", "rows": 1}, "cells all around a dot"),
        ({"kind": "numberlink", "variant": "loop"}, "in 'variant', found 'loop'"),
    ],
)
def test_the_reason_of_a_failure_is_one_line(task, reason):
    if task:
        task = {"what": "new", "kind": "slitherlink", "rows": 6, "cols": 6} | task
    assert reason in failure(task)


def test_options_without_a_field_are_not_advised(monkeypatch):
    def make(*_: object, **__: object) -> None:
        raise NothingFound("no puzzle as requested in 3 attempts.", "Try another seed.")

    monkeypatch.setattr("linkoracle.studio.making.make", make)
    task = {"what": "new", "kind": "slitherlink", "rows": 6, "cols": 6}
    assert failure(task) == "no puzzle as requested in 3 attempts"


def test_it_ends_in_time():
    task = {"what": "new", "kind": "numberlink", "rows": 30, "cols": 30, "pairs": 3}
    assert failure(task, Limits(making=1)) == (
        "nothing was found in 1 s. Raise the time limit, or request less"
    )

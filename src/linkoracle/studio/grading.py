"""What a board of the page takes to be solved, what it looks like, and the steps to solve it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkoracle.core.errors import SearchTimeout
from linkoracle.deduce.grading import attempt, grade
from linkoracle.deduce.walk import Step, walk
from linkoracle.looks import has_looks, looks
from linkoracle.studio.boards import places

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.deduce import Grade
    from linkoracle.kinds import Puzzle
    from linkoracle.studio.tasks import Task

#: Seconds for a grade that is written down, or printed: it can be left out.
_PATIENCE = 10.0


def grade_in_time(puzzle: Puzzle, left: float | None) -> Grade | None:
    """The grade, unless that takes longer than it is worth."""
    try:
        return grade(puzzle, timeout=_PATIENCE if left is None else min(_PATIENCE, left))
    except SearchTimeout:
        return None


def graded(puzzle: Puzzle, solution: Solution, timeout: float | None) -> dict[str, Any]:
    """Grade and score, and the looks as words, of a puzzle with this one solution."""
    found = grade(puzzle, timeout=timeout)
    seen = str(looks(puzzle, solution)) if has_looks(puzzle) else None
    about = {key: getattr(found, key) for key in ("label", "score", "depth")}
    return {**about, "steps": found.total, "looks": seen}


def steps(task: Task) -> dict[str, Any]:
    """The steps by which a board is solved, as far as they lead, each with its sentence.

    Each says the ``lines`` and ``crosses`` that it decides, as edges, and the ``cells`` that it is
    about, as numbers.
    """
    puzzle = task.puzzle
    board, found = attempt(puzzle, 1, None, None, False, task.deadline.left)
    return {"steps": [told(puzzle, step) for step in walk(puzzle, board)], "status": found.status}


def told(puzzle: Puzzle, step: Step) -> dict[str, Any]:
    """A step as the page is told it."""
    return {
        "lines": list(step.lines),
        "crosses": list(step.crosses),
        "cells": places(puzzle, step.cells),
        "sentence": step.sentence,
    }

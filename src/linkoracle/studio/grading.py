"""What a board of the page takes to be solved, what it looks like, and the steps to solve it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkoracle.core.errors import NotSupported, SearchTimeout
from linkoracle.looks import has_looks, looks
from linkoracle.studio.boards import places

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.deduce import Grade
    from linkoracle.deduce.walk import Step
    from linkoracle.kinds import Puzzle
    from linkoracle.studio.tasks import Task

#: Seconds for a grade that can be left out.
_PATIENCE = 10.0


def grade_in_time(puzzle: Puzzle, left: float | None) -> Grade | None:
    """The grade, unless that takes longer than it is worth, or there is none of its kind."""
    try:
        # Compiled.
        from linkoracle.deduce.grading import grade

        return grade(puzzle, timeout=_PATIENCE if left is None else min(_PATIENCE, left))
    except (NotSupported, SearchTimeout):
        return None


def graded(puzzle: Puzzle, solution: Solution, timeout: float | None) -> dict[str, Any]:
    """Grade and score, and the looks as words, of a puzzle with this one solution."""
    from linkoracle.deduce.grading import grade

    found = grade(puzzle, timeout=timeout)
    seen = str(looks(puzzle, solution)) if has_looks(puzzle) and puzzle.number_of_clues else None
    about = {key: getattr(found, key) for key in ("label", "score", "depth")}
    return {**about, "steps": found.total, "looks": seen}


def steps(task: Task) -> dict[str, Any]:
    """The steps by which a board is solved, as far as they lead, each with its sentence.

    Each says the ``lines`` and ``crosses`` that it decides, as edges, and the ``cells`` that it is
    about, as numbers.
    """
    from linkoracle.deduce.grading import deduced

    puzzle, found = task.puzzle, deduced(task.puzzle, task.deadline)
    steps = [told(puzzle, step) for step in found.steps(puzzle)]
    return {"steps": steps, "status": found.grade.status}


def told(puzzle: Puzzle, step: Step) -> dict[str, Any]:
    """A step as the page is told it."""
    return {
        "lines": list(step.lines),
        "crosses": list(step.crosses),
        "cells": places(puzzle, step.cells),
        "name": step.name,
        "sentence": step.sentence,
    }

"""The grade of a board of the page, its layout statistics, and the steps to solve it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkoracle.core.errors import NotSupported, SearchTimeout
from linkoracle.generate.looks import has_layout_statistics, layout_statistics
from linkoracle.studio.boards import places

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.deduce import Grade
    from linkoracle.deduce.explaining import Step
    from linkoracle.kinds import Puzzle
    from linkoracle.studio.tasks import Task

#: Time limit for an optional grade.
_GRADE_SECONDS = 10.0


def grade_in_time(puzzle: Puzzle, left: float | None) -> Grade | None:
    """Return the grade; ``None`` if grading takes too long, or the kind has no grades."""
    try:
        # Loads compiled modules.
        from linkoracle.deduce.grading import grade

        return grade(puzzle, timeout=_GRADE_SECONDS if left is None else min(_GRADE_SECONDS, left))
    except (NotSupported, SearchTimeout):
        return None


def graded(puzzle: Puzzle, solution: Solution, timeout: float | None) -> dict[str, Any]:
    """Return the grade of a puzzle with this only solution, and ``looks``, its layout in words."""
    from linkoracle.deduce.grading import grade

    found = grade(puzzle, timeout=timeout)
    seen = (
        str(layout_statistics(puzzle, solution))
        if has_layout_statistics(puzzle) and puzzle.number_of_clues
        else None
    )
    about = {key: getattr(found, key) for key in ("label", "score", "depth")}
    return {**about, "steps": found.total, "looks": seen}


def steps(task: Task) -> dict[str, Any]:
    """Return the steps that solve a board, as far as they lead: see `as_json`."""
    from linkoracle.deduce.grading import deduced

    puzzle, found = task.puzzle, deduced(task.puzzle, task.deadline)
    return {
        "steps": [as_json(puzzle, step) for step in found.steps(puzzle)],
        "status": found.grade.status,
    }


def as_json(puzzle: Puzzle, step: Step) -> dict[str, Any]:
    """Return a step as an object of JSON.

    It has a ``name`` and a ``sentence``, the edges that it decides as ``lines`` and ``crosses``,
    and the numbers of the ``cells`` that it is about.
    """
    return {
        "lines": list(step.lines),
        "crosses": list(step.crosses),
        "cells": places(puzzle, step.cells),
        "name": step.name,
        "sentence": step.sentence,
    }

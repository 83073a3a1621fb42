"""Tasks with boards that are not square: fewer clues, and those of a line."""

from __future__ import annotations

from typing import Any

from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError, counted
from linkoracle.kinds import Puzzle, check_solution
from linkoracle.session import Session
from linkoracle.studio.clues import can_go
from linkoracle.studio.tasks import Outcome, Task


def reduced(task: Task, puzzle: Puzzle) -> Outcome:
    """As many clues away as can go."""
    if not can_go(type(puzzle)):
        raise PuzzleError(f"no clues of a {puzzle.title} can go by themselves")
    left, solution, minimal = _reduction(task, puzzle, "expected a board with one solution")
    gone = puzzle.number_of_clues - left.number_of_clues
    told = f"{counted(gone, 'clue')} taken away, {left.number_of_clues} left"
    return Outcome(left, solution, told + ": none is redundant" * minimal)


def clues_of_line(task: Task, puzzle: Any, drawn: Solution) -> Outcome:
    """The clues of a line, as few as do."""
    full = type(puzzle).from_solution(drawn).with_rule(puzzle.rule)
    if not check_solution(full, drawn):
        raise PuzzleError(f"this is no solution: {full.violations(drawn)[0]}")
    several = "even with all clues of this line there are other solutions"
    left, solution, minimal = _reduction(task, full, several)
    words = f"{left.number_of_clues} {left.unit}"
    return Outcome(left, solution, words + ": none is redundant" * minimal)


def _reduction(task: Task, puzzle: Puzzle, reason: str) -> tuple[Puzzle, Solution, bool]:
    """What is left of a puzzle, its only solution, and whether no clue of it can go.

    Raises `PuzzleError` for this reason, unless there is one solution.
    """
    with Session(puzzle, memory=task.memory) as session:
        verdict = session.ask(timeout=task.deadline.left)
        if not verdict.unique:
            raise PuzzleError(reason)
        _, minimal = session.reduce(seed=task.seed(), timeout=task.deadline.left)
        return session.puzzle, verdict.solutions[0], minimal

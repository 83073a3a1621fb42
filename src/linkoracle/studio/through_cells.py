"""Tasks with boards of any kind, for which no maker is needed: fewer clues, and those of a line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from linkoracle.board.solution import Solution
from linkoracle.board.symmetry import SYMMETRIES, orbits
from linkoracle.core.errors import PuzzleError, counted
from linkoracle.core.randomness import shuffled, source
from linkoracle.kinds import Puzzle, check_solution
from linkoracle.kinds.fixed import FIXED
from linkoracle.session import Session
from linkoracle.solving import decide
from linkoracle.studio.clues import can_go, forms
from linkoracle.studio.tasks import Outcome, Task


def symmetry_of(task: Task) -> Any:
    """The symmetry asked for, by its name."""
    return task.word("symmetry", SYMMETRIES, "none")


def thinned(task: Task, puzzle: Puzzle) -> Outcome:
    """As many clues away as can go where lines run through cells, an orbit of symmetry at a time.

    Where a clue must stay, it may do to know that there is one. In a kind without clues, given
    lines go.
    """
    if not can_go(type(puzzle)):
        raise PuzzleError(f"no clues of a {puzzle.title} can go by themselves")
    rng, unknown = source(task.seed(), 0), getattr(puzzle, "unknown", None)
    with Session(puzzle, memory=task.memory) as session:
        verdict = session.ask(timeout=task.deadline.left)
        if not verdict.unique:
            raise PuzzleError("expected a board with one solution")
        (only,) = verdict.solutions
        for orbit in shuffled(rng, orbits(puzzle.rows, puzzle.cols, symmetry_of(task))):
            cells = {divmod(cell, puzzle.cols) for cell in orbit} & session.clues.keys()
            for less in dict.fromkeys((None, unknown)):
                changes = {cell: less for cell in cells if session.clues[cell] != less}
                asked = session.ask(changes, timeout=task.deadline.left) if changes else None
                if asked is not None and asked.solutions == (only,):
                    session.set(changes)
                    break
        left = session.puzzle
    if not forms(type(puzzle)):
        return _fewer_given(task, left, only)
    gone = puzzle.number_of_clues - left.number_of_clues
    return Outcome(left, only, f"{counted(gone, 'clue')} taken away, {left.number_of_clues} left")


def _fewer_given(task: Task, puzzle: Any, only: Solution) -> Outcome:
    if not puzzle.given:
        raise PuzzleError("there are no given lines to take away")
    for line in shuffled(source(task.seed(), 0), puzzle.given):
        fewer = replace(puzzle, given=tuple(one for one in puzzle.given if one != line))
        if decide(fewer, timeout=task.deadline.left, memory=task.memory).unique:
            puzzle = fewer
    return Outcome(puzzle, only, f"{counted(len(puzzle.given), 'given line')} left")


def told_by_line(task: Task, puzzle: Puzzle, drawn: Solution) -> Outcome:
    """The puzzle that a line through cells tells by itself."""
    kept: Any = {name: getattr(puzzle, name) for name in puzzle.points.keys() & FIXED}
    # Clues of regions depend on these.
    regions = {name: getattr(puzzle, name) for name, listed in puzzle.points.items() if listed.grid}
    plain: Any = type(puzzle).from_solution(drawn, **regions).with_rule(puzzle.rule)
    told: Puzzle = replace(plain, **kept)
    if not check_solution(told, drawn):
        raise PuzzleError(f"this is no solution: {told.violations(drawn)[0]}")
    told_words = f"{told.number_of_clues} {told.unit}"
    if decide(told, timeout=task.deadline.left, memory=task.memory).unique:
        return Outcome(told, drawn, told_words)
    return Outcome(told, None, f"{told_words}, but there are other solutions as well")

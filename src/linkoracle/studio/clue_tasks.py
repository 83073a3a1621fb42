"""Tasks with boards of any kind, for which no maker is needed: fewer clues, and those of a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from linkoracle.board.solution import Solution
from linkoracle.board.symmetry import SYMMETRIES, orbits
from linkoracle.core.errors import PuzzleError, counted
from linkoracle.core.randomness import shuffled, source
from linkoracle.kinds import Puzzle, Slitherlink, check_solution
from linkoracle.kinds.fixed import FIXED
from linkoracle.session import Session
from linkoracle.solving import decide
from linkoracle.studio.boards import numbers
from linkoracle.studio.clues import can_go, forms
from linkoracle.studio.tasks import Outcome, Task


def symmetry_of(task: Task) -> Any:
    """The symmetry asked for, by its name."""
    return task.word("symmetry", SYMMETRIES, "none")


def taken_away(before: int, left: int) -> str:
    """How many clues were taken away, and how many are left."""
    return f"{counted(before - left, 'clue')} taken away, {left} left"


def thinned(task: Task) -> Outcome:
    """As many clues away as can go, on squares an orbit of symmetry at a time.

    Where a clue must stay, it may do to know that there is one. In a kind without clues, given
    lines go.
    """
    puzzle = task.puzzle
    if not can_go(type(puzzle)):
        raise PuzzleError(f"no clues of a {puzzle.title} can go by themselves")
    if puzzle.tiling is not None:
        return _reduced(task, puzzle, lambda left: taken_away(puzzle.number_of_clues, left))
    rng, unknown = source(task.seed(), 0), getattr(puzzle, "unknown", None)
    with Session(puzzle, memory=task.memory) as session:
        only = task.only_solution(session)
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
    return Outcome(left, only, taken_away(puzzle.number_of_clues, left.number_of_clues))


def _fewer_given(task: Task, puzzle: Any, only: Solution) -> Outcome:
    if not puzzle.given:
        raise PuzzleError("there are no given lines to take away")
    for line in shuffled(source(task.seed(), 0), puzzle.given):
        fewer = replace(puzzle, given=tuple(one for one in puzzle.given if one != line))
        if decide(fewer, timeout=task.deadline.left, memory=task.memory).unique:
            puzzle = fewer
    return Outcome(puzzle, only, f"{counted(len(puzzle.given), 'given line')} left")


def drawn_line(task: Task) -> Solution:
    """The line that was drawn, ``lines`` as a list of edges."""
    board = task.puzzle.board
    lines = numbers(task.members.get("lines"), "lines", board.num_edges)
    if not lines:
        raise PuzzleError("expected a line")
    return Solution(board, tuple(sorted(lines)))


def clued_line(task: Task) -> Outcome:
    """A puzzle of a line that was drawn: all its clues, or of a Slitherlink those needed."""
    puzzle, drawn = task.puzzle, drawn_line(task)
    if puzzle.tiling is None and not isinstance(puzzle, Slitherlink):
        return _told_by_line(task, puzzle, drawn)
    return clues_of_line(task, puzzle, drawn)


def clues_of_line(task: Task, puzzle: Any, drawn: Solution) -> Outcome:
    """The clues of a line, as few as do."""
    names = map(puzzle.board.face_name, range(puzzle.board.num_faces))
    full = puzzle.with_clues(zip(names, drawn.counts(), strict=True))
    _check(full, drawn)
    reason = "even with all clues of this line there are other solutions"
    return _reduced(task, full, lambda left: f"{left} {full.unit}", reason)


def _told_by_line(task: Task, puzzle: Puzzle, drawn: Solution) -> Outcome:
    """The puzzle that a line tells by itself."""
    kept: Any = {name: getattr(puzzle, name) for name in puzzle.points.keys() & FIXED}
    # Clues of regions depend on these.
    regions = {name: getattr(puzzle, name) for name, listed in puzzle.points.items() if listed.grid}
    plain: Any = type(puzzle).from_solution(drawn, **regions).with_rule(puzzle.rule)
    told: Puzzle = replace(plain, **kept)
    _check(told, drawn)
    words = f"{told.number_of_clues} {told.unit}"
    if decide(told, timeout=task.deadline.left, memory=task.memory).unique:
        return Outcome(told, drawn, words)
    return Outcome(told, None, f"{words}, but there are other solutions as well")


def _check(puzzle: Puzzle, drawn: Solution) -> None:
    if not check_solution(puzzle, drawn):
        raise PuzzleError(f"this is no solution: {puzzle.violations(drawn)[0]}")


def _reduced(task: Task, puzzle: Puzzle, words: Callable[[int], str], reason: str = "") -> Outcome:
    """A puzzle with as few clues as do; ``words`` says that so many are left.

    Raises `PuzzleError`, if wanted for this reason, unless there is one solution.
    """
    with Session(puzzle, memory=task.memory) as session:
        only = task.only_solution(session, reason)
        _, minimal = session.reduce(seed=task.seed(), timeout=task.deadline.left)
        said = words(session.puzzle.number_of_clues) + ": none is redundant" * minimal
        return Outcome(session.puzzle, only, said)

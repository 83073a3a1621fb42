"""Which clues of a board are needed, and which contradict each other, in kinds with clues in cells.

A `Session` knows that of clues that count the lines around a cell. Where clues are a part of the
board, fewer of them are another board, which is asked about by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from linkoracle.board.solution import Solution
from linkoracle.board.symmetry import orbits
from linkoracle.core.errors import PuzzleError
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import shuffled, source
from linkoracle.kinds import Puzzle
from linkoracle.sat.cores import minimal_core
from linkoracle.solving import decide
from linkoracle.studio.clues import forms

Cell = tuple[int, int]


def can_go(kind: type[Puzzle]) -> bool:
    """Whether clues of a kind can go by themselves: no pairs, and no holes, which a line must fill.

    >>> from linkoracle.kinds import KINDS
    >>> [name for name in ("masyu", "numberlink", "simpleloop") if can_go(KINDS[name])]
    ['masyu']
    """
    looks = {look for form in forms(kind).values() for look, _ in form["figures"]}
    return not kind.letters and looks != {"filled"}


def redundant(
    puzzle: Puzzle, solution: Solution, deadline: Deadline, memory: int | None
) -> list[Cell]:
    """The cells whose clues can go, each by itself, without another solution than the given one."""
    found = []
    for cell, _ in puzzle.clue_cells():
        if (fewer := _changed(puzzle, {cell: None}, solution)) is not None:
            found += [cell] if _is_unique(fewer, deadline, memory) else []
    return found


def thinned(
    puzzle: Puzzle,
    solution: Solution,
    seed: int,
    symmetry: Any,
    deadline: Deadline,
    memory: int | None,
) -> Puzzle:
    """Take away clues in random order, all of an orbit together, while there is one solution.

    Where a clue must stay, it may do to know that there is one. In a kind without clues, given
    lines go.
    """
    rng, unknown = source(seed, 0), getattr(puzzle, "unknown", None)
    clues = dict(puzzle.clue_cells())
    for orbit in shuffled(rng, orbits(puzzle.rows, puzzle.cols, symmetry)):
        cells = [cell for cell in (divmod(one, puzzle.cols) for one in orbit) if cell in clues]
        for less in dict.fromkeys((None, unknown)):
            changes = dict.fromkeys(cells, less)
            fewer = _changed(puzzle, changes, solution) if cells else None
            if fewer is not None and fewer != puzzle and _is_unique(fewer, deadline, memory):
                puzzle = fewer
                break
    if not forms(type(puzzle)):
        shown: Any = puzzle
        for line in shuffled(rng, shown.given):
            fewer = replace(shown, given=tuple(one for one in shown.given if one != line))
            if _is_unique(fewer, deadline, memory):
                shown = fewer
        puzzle = shown
    return puzzle


def conflict(
    puzzle: Puzzle, deadline: Deadline, memory: int | None
) -> tuple[dict[Cell, Any], bool]:
    """Clues that no solution has together, and whether all of them are needed for that.

    The puzzle must have no solution.
    """
    clues = dict(puzzle.clue_cells())

    def contradiction(part: dict[Cell, Any]) -> dict[Cell, Any] | None:
        fewer = _changed(puzzle, {cell: None for cell in clues if cell not in part})
        if fewer is None:
            return None
        verdict = decide(fewer, timeout=deadline.left, memory=memory)
        return part if verdict.status == "none" else None

    return minimal_core(clues, contradiction)


def _changed(
    puzzle: Puzzle, changes: dict[Cell, Any], solution: Solution | None = None
) -> Puzzle | None:
    """The puzzle with clues changed; ``None`` if there is none, or none with this solution."""
    try:
        made = puzzle.with_clues(changes)
    except PuzzleError:
        return None
    return None if solution is not None and made.violations(solution) else made


def _is_unique(puzzle: Puzzle, deadline: Deadline, memory: int | None) -> bool:
    return decide(puzzle, timeout=deadline.left, memory=memory).unique

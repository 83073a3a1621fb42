"""What makers do with a board of the page: fill a mask, complete a half, thin, add, clue a line.

Cells are told by their numbers in reading order, edges by those of the lattice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from linkoracle.board.symmetry import orbits
from linkoracle.core.errors import PuzzleError, counted
from linkoracle.generate import PATTERNS, add_clues, letters, pattern
from linkoracle.generate.request_parts import UNMARKED
from linkoracle.generate.requests import REQUESTS, options_for
from linkoracle.kinds import Puzzle, Slitherlink
from linkoracle.kinds.puzzle import empty_cells
from linkoracle.kinds.slitherlink import unknown_clues
from linkoracle.session import Session
from linkoracle.studio.boards import numbers, places
from linkoracle.studio.clue_tasks import clued_line, drawn_line, symmetry_of, taken_away, thinned
from linkoracle.studio.new_puzzles import outcome_of, wishes
from linkoracle.studio.tasks import Outcome, Task

#: What a mask may say of a cell; of one that is not marked, what is said of all these.
MUST, NONE, EITHER = "must", "none", "either"
#: Longer words fit on no board.
_MOST_LETTERS = 100


def fill_mask(task: Task) -> Outcome:
    """Clues where ``marks`` say, a list with "must", "none", "either" or null for each cell.

    ``unmarked`` says what null is, "none" or "either". The clues that a Slitherlink has stay as
    they are; of other kinds, their places.
    """
    puzzle = task.puzzle
    marks = task.members.get("marks")
    if not isinstance(marks, list) or len(marks) != puzzle.rows * puzzle.cols:
        raise PuzzleError("expected marks as a list with one for each cell")
    if any(mark not in (MUST, NONE, EITHER, None) for mark in marks):
        raise PuzzleError(f"expected marks out of {MUST!r}, {NONE!r}, {EITHER!r} and null")
    must = {cell for cell, mark in enumerate(marks) if mark == MUST} | _clued(puzzle)
    none = {cell for cell, mark in enumerate(marks) if mark == NONE}
    if task.word("unmarked", UNMARKED, NONE) == NONE:
        none |= {cell for cell, mark in enumerate(marks) if mark is None} - must
    return _filled(task, puzzle, must, none)


def complete(task: Task) -> Outcome:
    """More clues where the ``symmetry`` wants them; elsewhere, too, if it says ``more``."""
    puzzle, symmetry = task.puzzle, symmetry_of(task)
    shown = _clued(puzzle)
    if not shown or symmetry == "none":
        raise PuzzleError("expected some clues and a symmetry")
    every = orbits(puzzle.rows, puzzle.cols, symmetry)
    must = {cell for orbit in every if not shown.isdisjoint(orbit) for cell in orbit}
    if must == shown:
        raise PuzzleError("the clues have this symmetry already")
    none = set() if task.flag("more") else set(range(puzzle.rows * puzzle.cols)) - must
    # Links need not be symmetric for their ends to be.
    return _filled(task, puzzle, must, none, symmetry="none")


def _clued(puzzle: Puzzle) -> set[int]:
    return {*places(puzzle, (cell for cell, _ in puzzle.clue_cells()))}


def _filled(task: Task, puzzle: Puzzle, must: set[int], none: set[int], **of_links: Any) -> Outcome:
    """What the maker of the kind makes, with cells that must carry a clue, or must not."""
    kind, places, said = puzzle.kind, len(must), len(must) + len(none)
    declared = options_for(kind)
    if kind not in REQUESTS:
        raise PuzzleError(f"no masks of the kind {kind!r} can be filled")
    # Where all cells are said, there is no choice of clues.
    exact = said == puzzle.rows * puzzle.cols
    asked: dict[str, Any]
    if "strategy" in declared:
        asked = {"strategy": "mask"} if exact else _clue_wishes(task, kind)
    else:
        if exact and places % 2:
            raise PuzzleError(f"numbers come in pairs, and there are {counted(places, 'place')}")
        pairs = places // 2 if exact else task.number("pairs", most=said // 2 + 1)
        asked = {**wishes(task, kind), **of_links, "pairs": pairs}
    for name, found in (("must", must), ("must_not", none)):
        asked[name] = [divmod(cell, puzzle.cols) for cell in sorted(found)]
    return _made(task, puzzle, **asked)


def _made(task: Task, puzzle: Puzzle, **asked: Any) -> Outcome:
    """What the maker of the kind makes of a board."""
    with Session(puzzle) as session:
        return outcome_of(session.generate(**asked, **task.how()))


def _clue_wishes(task: Task, kind: str) -> dict[str, Any]:
    """What is wished of the clues of a puzzle, not of its line."""
    return {name: one for name, one in wishes(task, kind).items() if name != "shape"}


def ready_mask(task: Task) -> dict[str, Any]:
    """The marks of a ``pattern`` by its name, or of ``letters``, for the size of the board."""
    puzzle, drawn = task.puzzle, task.members.get("letters")
    if isinstance(drawn, str):
        rows = letters(drawn[:_MOST_LETTERS], puzzle.rows, puzzle.cols)
    else:
        named: Any = task.word("pattern", PATTERNS)
        rows = pattern(named, puzzle.rows, puzzle.cols)
    said = {"#": MUST, ".": NONE, "?": EITHER, "_": None}
    return {"marks": [said[mark] for row in rows for mark in row]}


def thin_out(task: Task) -> Outcome:
    """As many clues away as can go, but not those of ``keep``, a list of cells."""
    puzzle = task.puzzle
    if not isinstance(puzzle, Slitherlink):
        return thinned(task)
    keep = numbers(task.members.get("keep"), "keep", puzzle.rows * puzzle.cols)
    unknown = unknown_clues(puzzle)
    puzzle = puzzle.with_clues(dict.fromkeys(unknown))
    with Session(puzzle, memory=task.memory) as session:
        only = task.only_solution(session)
        clues = dict(session.clues)
        session.set(dict.fromkeys(clues))
        made: Any = session.generate(
            loop=only,
            must=[cell for cell in (divmod(one, puzzle.cols) for one in keep) if cell in clues],
            must_not=empty_cells(puzzle),
            symmetry=symmetry_of(task),
            minimal=True,
            **task.how(),
        )
    told = taken_away(len(clues), made.puzzle.number_of_clues)
    if made.minimal:
        told += ": none is redundant"
    elif made.redundant:
        told += f"; {len(made.redundant)} of them are redundant, kept for other options"
    return Outcome(made.puzzle.with_clues(unknown), made.solution, told)


def can_add(kind: type[Puzzle]) -> bool:
    """Whether `add` takes a kind."""
    return issubclass(kind, Slitherlink)


def add(task: Task) -> Outcome:
    """The fewest more clues that make the board unique."""
    puzzle: Any = task.puzzle
    # Of a board that is not square, the page of its kind.
    if not can_add(getattr(puzzle, "page", type(puzzle))):
        raise PuzzleError(f"expected a Slitherlink, found the kind {puzzle.kind!r}")
    found = add_clues(puzzle, **task.within_time())
    return Outcome(found.puzzle, found.solution, str(found))


def clue_line(task: Task) -> Outcome:
    """A puzzle of a line that was drawn; of a Slitherlink, with clues as they are wished."""
    puzzle = task.puzzle
    if not isinstance(puzzle, Slitherlink):
        return clued_line(task)
    board = replace(puzzle, grid=Slitherlink.blank(puzzle.rows, puzzle.cols).grid)
    return _made(task, board, loop=drawn_line(task), **_clue_wishes(task, puzzle.kind))


#: The tasks by their names.
BOARD_TASKS: Mapping[str, Any] = {
    "mask": fill_mask,
    "complete": complete,
    "thin": thin_out,
    "add": add,
    "line": clue_line,
}

"""The tasks of a browser tab: new puzzles, fewer clues, more clues, clues for a drawn solution."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from linkoracle.board.solution import Solution
from linkoracle.core.errors import PuzzleError, SearchTimeout, counted
from linkoracle.core.randomness import pick, shuffled, source
from linkoracle.generate.cell_loops import cell_loop
from linkoracle.generate.drawn_loops import plain_loop
from linkoracle.kinds import KINDS, Puzzle, Slitherlink, kind_named
from linkoracle.kinds.cell_loops import CellLoop
from linkoracle.kinds.contents import empty_cells
from linkoracle.kinds.regions import RegionPuzzle
from linkoracle.session import Session
from linkoracle.solving import solutions
from linkoracle.studio.boards import tiling_of
from linkoracle.studio.clue_tasks import drawn_puzzle, reduced, with_few_clues
from linkoracle.studio.clues import can_go
from linkoracle.studio.files import file_of
from linkoracle.studio.tasks import Done, Outcome, Task

#: Larger puzzles take too long to generate.
MAX_SIDE, MAX_FACES = 10, 300


def offers(kind: str, *, on_faces: bool = False) -> dict[str, Any]:
    """Return the tasks for a kind, and as ``new`` a list if new puzzles can be generated.

    With ``on_faces``, those on boards that are not square.

    >>> offers("slitherlink"), offers("numberlink")
    ({'tasks': ['line', 'thin', 'add'], 'new': []}, {'tasks': ['line'], 'new': None})
    """
    found = KINDS[kind]
    clued = issubclass(found, Slitherlink)
    if on_faces:
        return {"tasks": ["line", "thin"] * clued, "new": [] if clued else None}
    tasks = ["line", *["thin"] * can_go(found), *["add"] * clued]
    return {"tasks": tasks, "new": [] if _is_made(found) else None}


def _is_made(kind: type[Puzzle]) -> bool:
    # Regions that a loop visits twice require a matching, and so networkx.
    twice = issubclass(kind, RegionPuzzle) and kind.visits == 2
    return issubclass(kind, Slitherlink) or (issubclass(kind, CellLoop) and not twice)


def _new(task: Task) -> Outcome:
    kind = kind_named(task.word("kind", list(KINDS)))
    blank, rng = _blank(task, kind), source(task.seed(), 0)
    while True:
        task.deadline.check()
        task.progress("choosing a loop")
        if not issubclass(kind, CellLoop):
            # Some loops are ambiguous even with all clues.
            with suppress(PuzzleError):
                return with_few_clues(task, blank, plain_loop(rng, blank.board))
            continue
        found = cell_loop(kind, blank.rows, blank.cols, rng, partial(_another, task), minimal=True)
        if found is not None:
            return Outcome(*found, f"{found[0].number_of_clues} {found[0].unit}")


def _blank(task: Task, kind: Any) -> Any:
    """Return the board of a new puzzle."""
    words = task.members.get("tiling")
    if not (issubclass(kind, Slitherlink) if words else _is_made(kind)):
        raise PuzzleError(f"puzzles of the kind {kind.kind!r} need an installed studio")
    if words:
        tiling = tiling_of(words)
        if tiling.num_faces > MAX_FACES:
            raise PuzzleError(f"expected at most {MAX_FACES} cells, found {tiling.num_faces}")
        return kind.on(tiling)
    return kind.blank(*task.rows_and_cols(MAX_SIDE))


def _another(task: Task, puzzle: Puzzle, solution: Solution) -> Solution | None:
    """Return an alternative to this solution; ``None`` if there is none."""
    task.progress("removing clues")
    every = solutions(puzzle, timeout=task.deadline.left)
    return next((other for other in every if other != solution), None)


def _add(task: Task) -> Outcome:
    """Add clues of a solution until it is the only one, then remove the redundant ones.

    Earlier clues stay. Another solution might need fewer clues.
    """
    puzzle = task.puzzle
    if not isinstance(puzzle, Slitherlink):
        raise PuzzleError(f"expected a Slitherlink, found the kind {puzzle.kind!r}")
    rng = source(task.seed(), 0)
    before = dict(puzzle.clue_cells())
    with Session(puzzle) as session:
        found = session.ask(timeout=task.deadline.left).solutions
        if not found:
            raise PuzzleError("there is no solution")
        target = found[0]
        if len(found) == 1:
            return Outcome(puzzle, target, "there is one solution already")
        blank = {*empty_cells(puzzle)}
        cells = [*map(puzzle.board.face_name, range(puzzle.board.num_faces))]
        while others := [one for one in found if one != target]:
            counts = zip(cells, target.counts(), others[0].counts(), strict=True)
            differing = [
                (cell, count) for cell, count, other in counts if count != other and cell in blank
            ]
            if not differing:
                raise PuzzleError("no clues make this solution the only one")
            session.set(dict([pick(rng, differing)]))
            found = session.ask(timeout=task.deadline.left).solutions
            task.progress(f"{len(session.clues)} clues")
        order = shuffled(rng, list(session.clues))
        with suppress(SearchTimeout):
            session.reduce(order, keep=before, timeout=task.deadline.left)
        made = session.puzzle
    added = made.number_of_clues - len(before)
    return Outcome(made, target, f"{counted(added, 'clue')} added: none is redundant")


#: The tasks of the page, as in `linkoracle.studio.making`.
TASKS: dict[str, Callable[[Task], Done]] = {
    "new": _new,
    "thin": reduced,
    "add": _add,
    "line": drawn_puzzle,
    "file": file_of,
}

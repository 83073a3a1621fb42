"""What a browser tab makes: new puzzles, fewer clues, more clues, the clues of a line."""

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
from linkoracle.kinds.puzzle import empty_cells
from linkoracle.kinds.regions import RegionPuzzle
from linkoracle.session import Session
from linkoracle.solving import solutions
from linkoracle.studio.boards import tiling_of
from linkoracle.studio.clue_tasks import clued_line, clues_of_line, thinned
from linkoracle.studio.clues import can_go
from linkoracle.studio.files import file_of
from linkoracle.studio.tasks import Done, Outcome, Task

#: Larger puzzles take too long to make.
MAX_SIDE, MAX_FACES = 10, 300


def offers(kind: str, *, on_faces: bool = False) -> dict[str, Any]:
    """Return the tasks that can be done with a kind, and whether new ones are made.

    With ``on_faces`` those on boards that are not square.

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
    # Regions that a loop visits twice take a matching, for which networkx is needed.
    twice = issubclass(kind, RegionPuzzle) and kind.visits == 2
    return issubclass(kind, Slitherlink) or (issubclass(kind, CellLoop) and not twice)


def _new(asked: Task) -> Outcome:
    kind = kind_named(asked.word("kind", list(KINDS)))
    blank, rng = _blank(asked, kind), source(asked.seed(), 0)
    while True:
        asked.deadline.check()
        asked.progress("choosing a loop")
        if not issubclass(kind, CellLoop):
            # Of some loops all clues do not suffice.
            with suppress(PuzzleError):
                return clues_of_line(asked, blank, plain_loop(rng, blank.board))
            continue
        found = cell_loop(kind, blank.rows, blank.cols, rng, partial(_another, asked), minimal=True)
        if found is not None:
            return Outcome(*found, f"{found[0].number_of_clues} {found[0].unit}")


def _blank(asked: Task, kind: Any) -> Any:
    """The board of a new puzzle."""
    words = asked.members.get("tiling")
    if not (issubclass(kind, Slitherlink) if words else _is_made(kind)):
        raise PuzzleError(f"puzzles of the kind {kind.kind!r} are made by an installed studio")
    if words:
        tiling = tiling_of(words)
        if tiling.num_faces > MAX_FACES:
            raise PuzzleError(f"expected at most {MAX_FACES} cells, found {tiling.num_faces}")
        return kind.on(tiling)
    return kind.blank(*asked.rows_and_cols(MAX_SIDE))


def _another(asked: Task, puzzle: Puzzle, solution: Solution) -> Solution | None:
    """Return another solution than this one; ``None`` if there is none."""
    asked.progress("removing clues")
    every = solutions(puzzle, timeout=asked.deadline.left)
    return next((other for other in every if other != solution), None)


def _add(asked: Task) -> Outcome:
    """Add clues of a solution until it is the only one, and none that is not needed.

    Those that were there stay. Fewer may do with another solution.
    """
    puzzle = asked.puzzle
    if not isinstance(puzzle, Slitherlink):
        raise PuzzleError(f"expected a Slitherlink, found the kind {puzzle.kind!r}")
    rng = source(asked.seed(), 0)
    before = dict(puzzle.clue_cells())
    with Session(puzzle) as session:
        found = session.ask(timeout=asked.deadline.left).solutions
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
            found = session.ask(timeout=asked.deadline.left).solutions
            asked.progress(f"{len(session.clues)} clues")
        order = shuffled(rng, list(session.clues))
        with suppress(SearchTimeout):
            session.reduce(order, keep=before, timeout=asked.deadline.left)
        made = session.puzzle
    added = made.number_of_clues - len(before)
    return Outcome(made, target, f"{counted(added, 'clue')} added, none of which can go")


#: The tasks of the page, as in `linkoracle.studio.making`.
TASKS: dict[str, Callable[[Task], Done]] = {
    "new": _new,
    "thin": thinned,
    "add": _add,
    "line": clued_line,
    "file": file_of,
}

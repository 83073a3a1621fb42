"""Save puzzles of the page to the catalogue of the server, and find puzzles in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linkoracle.catalogue import GRADES, UNGRADED, Catalogue, Filter, Record
from linkoracle.core import CatalogueError, PuzzleError, counted
from linkoracle.kinds import KINDS
from linkoracle.render import picture, svg
from linkoracle.solving import decide
from linkoracle.studio.boards import MAX_SIDE, board_of
from linkoracle.studio.puzzle_tasks import grade_in_time
from linkoracle.studio.tasks import Task

#: The values of the filter for grades.
SHOWN_GRADES = ["any", *GRADES, UNGRADED]
#: Puzzles that are shown at a time.
SHOWN = 24
#: Most characters of a name.
_NAME = 200
_GREATEST_ID = 2**53 - 1


def saved(task: Task, path: Path) -> dict[str, Any]:
    """Add the board, under its ``name`` if given, with its grade if grading is fast enough."""
    puzzle = task.puzzle
    with Catalogue(path) as catalogue:
        if puzzle in catalogue:
            return {"words": "this puzzle is already in the catalogue, perhaps turned or mirrored"}
        verdict = decide(puzzle, timeout=task.deadline.left, memory=task.memory)
        if not verdict.unique:
            raise PuzzleError("a catalogue holds only puzzles with one solution")
        name = task.members.get("name")
        if name is not None and not isinstance(name, str):
            raise PuzzleError("expected a name as text")
        catalogue.add(
            puzzle,
            verdict.solutions[0],
            name=name[:_NAME] if name else None,
            source={"command": "studio"},
            grade=grade_in_time(puzzle, None),
        )
        return {"words": f"saved; the catalogue has {counted(len(catalogue), 'puzzle')}"}


def found(task: Task, path: Path) -> dict[str, Any]:
    """Return the puzzles of a ``kind``, ``rows``, ``cols`` and ``grade`` with ids above ``after``.

    With ``certified``, only those with a certificate. ``skipped`` counts unreadable records.
    """
    rows, cols = (task.number(name, most=MAX_SIDE) for name in ("rows", "cols"))
    label = task.word("grade", SHOWN_GRADES, "any")
    kind = task.word("kind", ["any", *KINDS], "any")
    requested = Filter(
        kind=None if kind == "any" else kind,
        rows=None if rows is None else (rows, rows),
        cols=None if cols is None else (cols, cols),
        grades=() if label == "any" else (label,),
    )
    after, certified = task.number("after", least=0, most=_GREATEST_ID) or 0, task.flag("certified")
    damaged: list[CatalogueError] = []
    shown: list[dict[str, Any]] = []
    with Catalogue(path, readonly=True) as catalogue:
        records: Iterator[Record] = catalogue.find(requested, skipped=damaged.append)
        for record in records:
            task.deadline.check()
            if record.id <= after or (certified and not record.certified):
                continue
            if len(shown) == SHOWN:
                return {"records": shown, "more": True, "skipped": len(damaged)}
            try:
                shown.append(_shown(record))
            except ValueError as error:
                damaged.append(CatalogueError(str(error)))
    return {"records": shown, "more": False, "skipped": len(damaged)}


def _shown(record: Record) -> dict[str, Any]:
    """Return what the page shows of a puzzle; ``board`` is null if it is too large for the page."""
    puzzle = record.puzzle
    try:
        board = board_of(puzzle)
    except PuzzleError:
        board = None
    about = ("id", "size", "grade", "score", "name", "certified")
    return {
        **{key: getattr(record, key) for key in about},
        "title": puzzle.title,
        "clues": f"{record.clues} {puzzle.unit}",
        "board": board,
        "picture": svg(picture(puzzle)),
    }

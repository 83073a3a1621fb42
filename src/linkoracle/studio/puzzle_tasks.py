"""Tasks for puzzles of any kind, without a generator.

They remove clues, find the clues of a drawn solution, grade a puzzle and solve it in steps, save it
as a sheet to print or a certificate, or in the catalogue of the server, and find puzzles there.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from linkoracle import booklets, catalogue, certificates, deduce, render
from linkoracle.board import SYMMETRIES, Lattice, Solution, orbits
from linkoracle.core import (
    CatalogueError,
    MissingExtra,
    NotSupported,
    PuzzleError,
    SearchTimeout,
    counted,
    shuffled,
    source,
)
from linkoracle.generate import has_layout_statistics, layout_statistics
from linkoracle.kinds import FIXED, KINDS, REGIONS, CellLoop, Puzzle, RegionPuzzle, check_solution
from linkoracle.session import Session
from linkoracle.solving import decide
from linkoracle.studio.boards import MAX_SIDE, about_of, board_of, numbers, places, shades
from linkoracle.studio.clues import can_go, forms
from linkoracle.studio.tasks import Outcome, Task

#: Time limit for an optional grade.
_GRADE_SECONDS = 10.0
#: Puzzles of a catalogue that are shown at a time, and most characters of a name in it.
SHOWN, _NAME = 24, 200
_GREATEST_ID = 2**53 - 1


def symmetry_of(task: Task) -> Any:
    """Return the name of the symmetry that a task requests."""
    return task.word("symmetry", SYMMETRIES, "none")


def removed(before: int, after: int) -> str:
    """Say how many clues were removed, and how many are left."""
    return f"{counted(before - after, 'clue')} removed, {after} left"


def reduced(task: Task) -> Outcome:
    """Remove all redundant clues; on squares, one orbit of the symmetry at a time.

    A clue that is needed may become an unknown one where the kind has these. In kinds without
    clues, remove given lines.
    """
    puzzle = task.puzzle
    if not can_go(type(puzzle)):
        raise PuzzleError(f"single clues of a {puzzle.title} are never redundant")
    # The page offers symmetries of squares only.
    if puzzle.tiling is not None:
        return _reduced(task, puzzle, lambda clues: removed(puzzle.number_of_clues, clues))
    rng, unknown = source(task.seed(), 0), getattr(puzzle, "unknown", None)
    board = Lattice(puzzle.rows + 1, puzzle.cols + 1)
    with Session(puzzle, memory=task.memory) as session:
        only = task.only_solution(session)
        for orbit in shuffled(rng, orbits(board, symmetry_of(task))):
            cells = {divmod(cell, puzzle.cols) for cell in orbit} & session.clues.keys()
            for less in dict.fromkeys((None, unknown)):
                changes = {cell: less for cell in cells if session.clues[cell] != less}
                verdict = session.ask(changes, timeout=task.deadline.left) if changes else None
                if verdict is not None and verdict.solutions == (only,):
                    session.set(changes)
                    break
        fewer = session.puzzle
    if not forms(type(puzzle)):
        return _fewer_given(task, fewer, only)
    return Outcome(fewer, only, removed(puzzle.number_of_clues, fewer.number_of_clues))


def _fewer_given(task: Task, puzzle: Any, only: Solution) -> Outcome:
    if not puzzle.given:
        raise PuzzleError("there are no given lines to remove")
    for line in shuffled(source(task.seed(), 0), puzzle.given):
        fewer = replace(puzzle, given=tuple(given for given in puzzle.given if given != line))
        if decide(fewer, timeout=task.deadline.left, memory=task.memory).unique:
            puzzle = fewer
    return Outcome(puzzle, only, f"{counted(len(puzzle.given), 'given line')} left")


def drawn_solution(task: Task) -> Solution:
    """Return the solution that was drawn: ``lines``, a list of edges."""
    board = task.puzzle.board
    lines = numbers(task.members.get("lines"), "lines", board.num_edges)
    if not lines:
        raise PuzzleError("expected a drawn loop or path")
    return Solution(board, tuple(sorted(lines)))


def drawn_puzzle(task: Task) -> Outcome:
    """Return a puzzle with the drawn solution: all its clues, or, where these count lines, few."""
    puzzle, drawn = task.puzzle, drawn_solution(task)
    counting = puzzle.counts_lines and not puzzle.through_cells and bool(forms(type(puzzle)))
    if not counting:
        return _with_all_clues(task, puzzle, drawn)
    return with_few_clues(task, puzzle, drawn)


def with_few_clues(task: Task, puzzle: Any, drawn: Solution) -> Outcome:
    """Return a puzzle with the drawn solution and no redundant clue."""
    names = map(puzzle.board.face_name, range(puzzle.board.num_faces))
    full = puzzle.with_clues(zip(names, drawn.counts(), strict=True))
    _check(full, drawn)
    reason = "this solution is not unique even with all its clues"
    return _reduced(task, full, lambda left: f"{left} {full.unit}", reason)


def _with_all_clues(task: Task, puzzle: Puzzle, drawn: Solution) -> Outcome:
    """Return the puzzle with all clues of the drawn solution."""
    kept: Any = {name: getattr(puzzle, name) for name in puzzle.annotations.keys() & FIXED}
    how: Any = {"variant": puzzle.variant} if isinstance(puzzle, CellLoop) else {}
    if isinstance(puzzle, RegionPuzzle):
        # Clues depend on these; holes may have been drawn over.
        bare = puzzle.with_clues((cell, None) for cell, _ in puzzle.clue_cells())
        how |= {REGIONS.what: bare.regions}
    plain: Any = type(puzzle).from_solution(drawn, **how).with_variant(puzzle.variant)
    full: Puzzle = replace(plain, **kept)
    _check(full, drawn)
    words = f"{full.number_of_clues} {full.unit}"
    if decide(full, timeout=task.deadline.left, memory=task.memory).unique:
        return Outcome(full, drawn, words)
    return Outcome(full, None, f"{words}, with multiple solutions")


def _check(puzzle: Puzzle, drawn: Solution) -> None:
    if not check_solution(puzzle, drawn):
        raise PuzzleError(f"the drawing is not a solution: {puzzle.violations(drawn)[0]}")


def _reduced(task: Task, puzzle: Puzzle, words: Callable[[int], str], reason: str = "") -> Outcome:
    """Remove all redundant clues; ``words`` makes a message of the number left.

    Raise `PuzzleError`, with ``reason`` if given, unless there is one solution.
    """
    with Session(puzzle, memory=task.memory) as session:
        only = task.only_solution(session, reason)
        _, minimal = session.reduce(seed=task.seed(), timeout=task.deadline.left)
        message = words(session.puzzle.number_of_clues) + ": none is redundant" * minimal
        return Outcome(session.puzzle, only, message)


def grade_in_time(puzzle: Puzzle, left: float | None) -> deduce.Grade | None:
    """Return the grade; ``None`` if grading takes too long, or the kind has no grades."""
    try:
        return deduce.grade(
            puzzle, timeout=_GRADE_SECONDS if left is None else min(_GRADE_SECONDS, left)
        )
    except (NotSupported, SearchTimeout):
        return None


def graded(puzzle: Puzzle, solution: Solution, timeout: float | None) -> dict[str, Any]:
    """Return the grade of a puzzle with this only solution, and ``looks``, its layout in words."""
    found = deduce.grade(puzzle, timeout=timeout)
    seen = (
        str(layout_statistics(puzzle, solution, found))
        if has_layout_statistics(puzzle) and puzzle.number_of_clues
        else None
    )
    about = {key: getattr(found, key) for key in ("label", "score", "depth")}
    return {**about, "steps": found.total, "looks": seen}


def steps(task: Task) -> dict[str, Any]:
    """Return the steps that solve a board, as far as they lead: see `as_json`."""
    puzzle, found = task.puzzle, deduce.deduced(task.puzzle, task.deadline)
    return {
        "steps": [as_json(puzzle, step) for step in found.steps(puzzle)],
        "status": found.grade.status,
    }


def as_json(puzzle: Puzzle, step: Any) -> dict[str, Any]:
    """Return a step as an object of JSON.

    It has a ``name`` and a ``sentence``, the edges that it decides as ``lines`` and ``crosses``,
    the areas that are ``inside`` and ``outside`` (or shaded and not shaded), and the numbers of the
    ``cells`` that it is about.
    """
    shaded = shades(type(puzzle))
    return {
        "lines": list(step.lines),
        "crosses": list(step.crosses),
        "inside": list(step.unvisited if shaded else step.inside),
        "outside": list(step.visited if shaded else step.outside),
        "cells": places(puzzle, step.cells),
        "name": step.name,
        "sentence": step.sentence,
    }


def file_of(task: Task) -> dict[str, Any]:
    """Return the board in a ``format``: the ``name``, ``type`` and base64 ``data`` of a file."""
    form = task.word("format", _WAYS)
    data, content = _WAYS[form](task)
    return {
        "name": f"{task.puzzle.kind}.{form}",
        "type": content,
        "data": b64encode(data).decode("ascii"),
        "words": "saved",
    }


def _pdf(task: Task) -> tuple[bytes, str]:
    """Return a sheet with the rules and the puzzle, and its grade if it has one solution."""
    render.available("pdf")
    puzzle = task.puzzle
    verdict = decide(puzzle, timeout=task.deadline.left, memory=task.memory)
    if verdict.status == "none":
        raise PuzzleError("the puzzle has no solution")
    found = grade_in_time(puzzle, task.deadline.left) if verdict.unique else None
    label, score = (None, None) if found is None else (found.label, found.score)
    about = about_of(task.members["board"])._asdict()
    sheet = booklets.Sheet(puzzle, grade=label, score=score, unique=verdict.unique, **about)
    return booklets.booklet([sheet]), "application/pdf"


def _certificate(task: Task) -> tuple[bytes, str]:
    made = certificates.certificate(task.puzzle, timeout=task.deadline.left, memory=task.memory)
    return made.data, "application/octet-stream"


_WAYS = {"pdf": _pdf, "certificate": _certificate}


def ways() -> list[str]:
    """Return the formats of files that the installed packages support."""
    with suppress(MissingExtra):
        render.available("pdf")
        return [*_WAYS]
    return ["certificate"]


def shown_grades() -> list[str]:
    """Return the values of the filter for grades."""
    return ["any", *catalogue.GRADES, catalogue.UNGRADED]


def save(task: Task, path: Path) -> dict[str, Any]:
    """Add the board, under its ``name`` if given, with its grade if grading is fast enough."""
    puzzle = task.puzzle
    with catalogue.Catalogue(path) as kept:
        if puzzle in kept:
            return {"words": "this puzzle is already in the catalogue, perhaps turned or mirrored"}
        verdict = decide(puzzle, timeout=task.deadline.left, memory=task.memory)
        if not verdict.unique:
            raise PuzzleError("a catalogue holds only puzzles with one solution")
        name = task.members.get("name")
        if name is not None and not isinstance(name, str):
            raise PuzzleError("expected a name as text")
        kept.add(
            puzzle,
            verdict.solutions[0],
            name=name[:_NAME] if name else None,
            source={"command": "studio"},
            grade=grade_in_time(puzzle, None),
        )
        return {"words": f"saved; the catalogue has {counted(len(kept), 'puzzle')}"}


def find(task: Task, path: Path) -> dict[str, Any]:
    """Return the puzzles of a ``kind``, ``rows``, ``cols`` and ``grade`` with ids above ``after``.

    With ``certified``, only those with a certificate. ``skipped`` counts unreadable records.
    """
    rows, cols = (task.number(name, most=MAX_SIDE) for name in ("rows", "cols"))
    label = task.word("grade", shown_grades(), "any")
    kind = task.word("kind", ["any", *KINDS], "any")
    requested = catalogue.Filter(
        kind=None if kind == "any" else kind,
        rows=None if rows is None else (rows, rows),
        cols=None if cols is None else (cols, cols),
        grades=() if label == "any" else (label,),
    )
    after, certified = task.number("after", least=0, most=_GREATEST_ID) or 0, task.flag("certified")
    damaged: list[CatalogueError] = []
    shown: list[dict[str, Any]] = []
    with catalogue.Catalogue(path, readonly=True) as kept:
        records = kept.find(requested, skipped=damaged.append)
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


def _shown(record: catalogue.Record) -> dict[str, Any]:
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
        "picture": render.svg(render.picture(puzzle)),
    }

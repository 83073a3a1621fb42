"""Files that the page offers for its board: a sheet to print, and a certificate."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from typing import Any

from linkoracle.core.errors import MissingExtra, PuzzleError
from linkoracle.solving import decide
from linkoracle.studio.boards import about_of
from linkoracle.studio.tasks import Task


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
    from linkoracle.booklets import Sheet, booklet
    from linkoracle.render import available
    from linkoracle.studio.grading import grade_in_time

    available("pdf")
    puzzle = task.puzzle
    verdict = decide(puzzle, timeout=task.deadline.left, memory=task.memory)
    if verdict.status == "none":
        raise PuzzleError("the puzzle has no solution")
    found = grade_in_time(puzzle, task.deadline.left) if verdict.unique else None
    label, score = (None, None) if found is None else (found.label, found.score)
    about = about_of(task.members["board"])._asdict()
    sheet = Sheet(puzzle, grade=label, score=score, unique=verdict.unique, **about)
    return booklet([sheet]), "application/pdf"


def _certificate(task: Task) -> tuple[bytes, str]:
    from linkoracle.certificates import certificate

    made = certificate(task.puzzle, timeout=task.deadline.left, memory=task.memory)
    return made.data, "application/octet-stream"


_WAYS = {"pdf": _pdf, "certificate": _certificate}


def ways() -> list[str]:
    """Return the formats of files that the installed packages support."""
    from linkoracle.render.pictures import available

    with suppress(MissingExtra):
        available("pdf")
        return [*_WAYS]
    return ["certificate"]

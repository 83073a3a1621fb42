"""Game IDs of Loopy, the Slitherlink in Simon Tatham's Portable Puzzle Collection.

``WIDTHxHEIGHTt0:CELLS``, with an optional difficulty before the colon. Only ``t0``, the square
grid, is a Slitherlink. Source: ``loopy.c`` (``decode_params``, ``validate_desc``) of
https://www.chiark.greenend.org.uk/~sgtatham/puzzles/
"""

from __future__ import annotations

import re

from linkoracle.core.errors import FormatError
from linkoracle.formats.document import (
    Asked,
    Document,
    Entry,
    Place,
    build,
    checked_size,
    decide_kind,
    quoted,
)
from linkoracle.kinds import Puzzle
from linkoracle.kinds.registry import kind_of_format

_PARAMETERS = re.compile(
    r"(?P<width>\d{1,18})(?:x(?P<height>\d{1,18}))?(?:t(?P<type>\d{1,18}))?(?:d[a-z])?", re.ASCII
)

#: Loopy refuses a square board with a side shorter than this.
_SMALLEST = 3


def read(document: Document, index: int, asked: Asked) -> tuple[list[Entry], int]:
    """Read the game ID on line ``index`` (from 0); return the puzzle and the next index."""
    line = index + 1
    text = re.split(r"[ \t]", document.lines[index].strip(" \t"), maxsplit=1)[0]
    start = document.lines[index].index(text)
    rest = document.lines[index][start + len(text) :].lstrip(" \t")
    if rest and not rest.startswith("#"):
        raise document.error(
            f"expected nothing after a game ID, found {quoted(rest)}",
            line,
            document.lines[index].rindex(rest) + 1,
        )
    parameters = _PARAMETERS.match(text)
    end = parameters.end() if parameters else 0
    if parameters is None or text[end : end + 1] not in (":", "#"):
        raise document.error(
            f"expected a game ID like '5x5t0:...', found {quoted(text)}", line, start + end + 1
        )
    kind = decide_kind(document, asked, kind_of_format("loopy"), line)
    if int(parameters["type"] or 0) != 0:
        raise document.error(
            f"expected the square grid 't0' in a game ID, found 't{parameters['type']}'",
            line,
            start + parameters.start("type") + 1,
        )
    if text[end] == "#":
        raise document.error(
            "expected a game ID with the clues after ':', found a random seed after '#'"
            " (open it in Loopy and copy the game ID by description)",
            line,
            start + end + 1,
        )
    cols = int(parameters["width"])
    rows = int(parameters["height"] or cols)
    checked_size(document, rows, cols, line, start + 1)
    cells, origins = _decode(document, line, text[end + 1 :], start + end + 2, rows * cols)
    grid = [cells[first : first + cols] for first in range(0, rows * cols, cols)]

    def place(row: int, col: int) -> Place:
        return line, origins[row * cols + col]

    return [Entry(build(document, asked, kind, None, grid, place, line), None, line)], line


def _decode(
    document: Document, line: int, body: str, column: int, size: int
) -> tuple[list[int | None], dict[int, int]]:
    """Return the cells in reading order, and the column from which each clue came."""
    cells: list[int | None] = []
    origins: dict[int, int] = {}
    for at, char in enumerate(body, start=column):
        if "0" <= char <= "9":
            origins[len(cells)] = at
            cells.append(int(char))
        elif "a" <= char <= "z":
            cells.extend([None] * (ord(char) - ord("a") + 1))
        else:
            raise document.error(
                f"expected a clue 0-4 or a run a-z of empty cells, found {quoted(char)}", line, at
            )
        if len(cells) > size:
            raise document.error(f"expected {size} cells, found more", line, at)
    if len(cells) < size:
        raise document.error(f"expected {size} cells, found {len(cells)}", line, column + len(body))
    return cells, origins


def write(puzzle: Puzzle, name: str | None) -> str:  # noqa: ARG001 - an ID has no place for a name
    """Return the game ID of a loop puzzle of at least 3x3 cells."""
    if "loopy" not in puzzle.formats or puzzle.rule != "loop":
        raise FormatError(f"Loopy has only loops, not {puzzle.kind} with the rule {puzzle.rule!r}")
    if min(puzzle.rows, puzzle.cols) < _SMALLEST:
        raise FormatError(
            f"Loopy has boards from {_SMALLEST}x{_SMALLEST} cells, not {puzzle.rows}x{puzzle.cols}"
        )
    body = "".join("." if clue is None else str(clue) for row in puzzle.grid for clue in row)
    runs = re.sub(r"\.{1,26}", lambda run: chr(ord("a") + len(run.group()) - 1), body)
    return f"{puzzle.cols}x{puzzle.rows}t0:{runs}"

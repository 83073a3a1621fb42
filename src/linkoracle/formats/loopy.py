"""Game IDs of Loopy, the Slitherlink in Simon Tatham's Portable Puzzle Collection.

``WIDTHxHEIGHTt0:CELLS``, with an optional difficulty before the colon. Only ``t0``, the square
grid, is a Slitherlink. Source: ``loopy.c`` (``decode_params``, ``validate_desc``) of
https://www.chiark.greenend.org.uk/~sgtatham/puzzles/
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from linkoracle.core.errors import FormatError, quoted
from linkoracle.formats import reading as doc
from linkoracle.formats.pzpr import decode
from linkoracle.kinds import Puzzle, kind_of_format
from linkoracle.kinds.codings import Code, Coding
from linkoracle.kinds.puzzle import refuse

#: A game ID, and what follows it.
_LINE = re.compile(r"[ \t]*([^ \t]+)[ \t]*(.*)", re.DOTALL)
_PARAMETERS = re.compile(
    r"(?P<width>\d{1,18})(?:x(?P<height>\d{1,18}))?(?:t(?P<type>\d{1,18}))?(?:d[a-z])?", re.ASCII
)

#: Loopy refuses a square board with a side shorter than this.
_SMALLEST = 3


def read(document: doc.Document, index: int, asked: doc.Asked) -> tuple[list[doc.Entry], int]:
    """Read the game ID on line ``index`` (from 0); return the puzzle and the next index."""
    line = index + 1

    def fail(reason: str, at: int) -> FormatError:
        return document.error(reason, line, at + 1)

    found = _LINE.match(document.lines[index])
    assert found is not None
    text, start, rest = found[1], found.start(1), found[2]
    if rest and not rest.startswith("#"):
        raise fail(f"expected nothing after a game ID, found {quoted(rest)}", found.start(2))
    parameters = _PARAMETERS.match(text)
    end = parameters.end() if parameters else 0
    if parameters is None or text[end : end + 1] not in (":", "#"):
        raise fail(f"expected a game ID like '5x5t0:...', found {quoted(text)}", start + end)
    kind = doc.decide_kind(document, asked, kind_of_format("loopy"), line)
    if int(parameters["type"] or 0) != 0:
        reason = f"expected the square grid 't0' in a game ID, found 't{parameters['type']}'"
        raise fail(reason, start + parameters.start("type"))
    if text[end] == "#":
        raise fail(
            "expected a game ID with the clues after ':', found a random seed after '#'"
            " (open it in Loopy and copy the game ID by description)",
            start + end,
        )
    cols = int(parameters["width"])
    rows = int(parameters["height"] or cols)
    doc.checked_size(document, rows, cols, line, start + 1)
    cells, origins = decode(text[end + 1 :], start + end + 1, rows * cols, _CODING, fail)
    grid = [cells[first : first + cols] for first in range(0, rows * cols, cols)]
    puzzle = doc.build(
        document, asked, kind, None, grid, lambda row, col: (line, origins[row * cols + col]), line
    )
    return [doc.Entry(puzzle, None, line)], line


def _read_code(body: str, position: int) -> Code:
    char = body[position]
    if "0" <= char <= "9":
        return Code((int(char),))
    if "a" <= char <= "z":
        return Code((None,) * (ord(char) - ord("a") + 1))
    raise ValueError(f"expected a clue 0-4 or a run a-z of empty cells, found {quoted(char)}")


def _write_codes(cells: Sequence[int | None]) -> str:
    text = "".join("." if clue is None else str(clue) for clue in cells)
    return re.sub(r"\.{1,26}", lambda run: chr(ord("a") + len(run[0]) - 1), text)


_CODING = Coding(_read_code, _write_codes)


def write(puzzle: Puzzle, name: str | None) -> str:  # noqa: ARG001 - an ID has no place for a name
    """Return the game ID of a loop puzzle of at least 3x3 cells."""
    if "loopy" not in puzzle.formats or puzzle.rule != "loop":
        raise FormatError(f"Loopy has only loops, not {puzzle.kind} with the rule {puzzle.rule!r}")
    refuse(puzzle, "a Loopy game ID")
    if min(puzzle.rows, puzzle.cols) < _SMALLEST:
        raise FormatError(
            f"Loopy has boards from {_SMALLEST}x{_SMALLEST} cells, not {puzzle.rows}x{puzzle.cols}"
        )
    runs = _CODING.write([clue for row in puzzle.grid for clue in row])
    return f"{puzzle.cols}x{puzzle.rows}t0:{runs}"

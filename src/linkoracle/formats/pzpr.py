"""URLs of pzpr.js: https://puzz.link and the other sites that run it.

``https://puzz.link/p?slither/COLS/ROWS/CELLS``, or only the part from ``slither`` on. Source:
https://github.com/sabo2/pzprjs (parsing in ``parser.js``, cell codings in ``Encode.js``).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from linkoracle.core.errors import FormatError, quoted
from linkoracle.formats import reading as doc
from linkoracle.kinds import KINDS, Puzzle, alternatives
from linkoracle.kinds.codings import Coding, Pzpr
from linkoracle.kinds.puzzle import refuse

_SITE = "https://puzz.link/p?"
_OPTIONS = re.compile(r"(?:\w+=\w*&)*(?:[mp]\+)?", re.ASCII)
_SIZE = re.compile(r"\d{1,18}", re.ASCII)

#: Makes the error with this reason at a character of the line, from 0.
Fail = Callable[[str, int], FormatError]


def read(document: doc.Document, index: int, asked: doc.Asked) -> tuple[list[doc.Entry], int]:
    """Read the URL on line ``index`` (from 0); return the puzzle and the next index."""
    line = index + 1

    def fail(reason: str, at: int) -> FormatError:
        return document.error(reason, line, at + 1)

    text = re.split(r"[ \t]#", document.lines[index], maxsplit=1)[0].rstrip(" \t")
    known = _known()
    name, flag, (cols, rows), places, body = _split(text, known, fail)
    stated, pzpr = known[name]
    kind = doc.decide_kind(document, asked, stated, line)
    doc.checked_size(document, rows, cols, line, places[1] + 1)
    cells, origins = decode(body, places[2], rows * cols, pzpr.coding, fail)
    grid = [cells[first : first + cols] for first in range(0, rows * cols, cols)]
    rule = pzpr.names[name, flag]
    puzzle = doc.build(
        document, asked, kind, rule, grid, lambda row, col: (line, origins[row * cols + col]), line
    )
    return [doc.Entry(puzzle, None, line)], line


def _known() -> dict[str, tuple[str, Pzpr]]:
    """The names of puzzles in URLs, each with its kind and how pzpr has that."""
    return {
        name: (kind.kind, kind.pzpr)
        for kind in KINDS.values()
        if kind.pzpr is not None
        for name, _ in kind.pzpr.names
    }


def _written() -> list[str]:
    return [kind.pzpr.name for kind in KINDS.values() if kind.pzpr is not None]


def _split(
    text: str, known: dict[str, tuple[str, Pzpr]], fail: Fail
) -> tuple[str, str, list[int], list[int], str]:
    """Return name, flag, width and height, where these and the body begin, and the body."""
    query = text.find("?") + 1
    start = query or len(text) - len(text.lstrip(" \t"))
    options = _OPTIONS.match(text, start)
    assert options is not None
    if "variant" in options.group():
        raise fail("expected a puzzle with the usual rules, found a variant", start)
    parts = text[options.end() :].split("/")
    if (not query and "://" in text) or len(parts) == 1:
        wanted = alternatives(f"?{name}/..." for name in _written())
        raise fail(f"expected a URL with {wanted}, found {quoted(text)}", start)
    # What is missing stands at the end.
    parts += ["", ""]
    offsets = [options.end()]
    for part in parts:
        offsets.append(min(offsets[-1] + len(part) + 1, len(text)))
    name = parts[0].removesuffix("_edit").removesuffix("_play")
    if name not in known:
        wanted = alternatives(_written())
        raise fail(f"expected the puzzle {wanted} in a URL, found {quoted(name)}", offsets[0])
    flag = ""
    if not _SIZE.fullmatch(parts[1]):
        flag = parts.pop(1)
        at = offsets.pop(1)
        if (name, flag) not in known[name][1].names:
            raise fail(f"expected the usual rules in a URL, found the variant {quoted(flag)}", at)
    for part, at in zip(parts[1:3], offsets[1:3], strict=True):
        if not _SIZE.fullmatch(part):
            raise fail(f"expected a width and a height in a URL, found {quoted(part)}", at)
    body = "/".join(parts[3:]).rstrip("/")
    return name, flag, [int(part) for part in parts[1:3]], offsets[1:4], body


def decode(
    body: str, start: int, size: int, coding: Coding, fail: Fail
) -> tuple[list[int | None], dict[int, int]]:
    """Return the cells in reading order, and the column from which each number came."""
    if not body and coding.may_lack:
        return [None] * size, {}
    cells: list[int | None] = []
    origins: dict[int, int] = {}
    position = 0
    while position < len(body):
        offset = start + position
        if len(cells) >= size:
            raise fail(f"expected {size} cells, found {quoted(body[position:])} after them", offset)
        try:
            code = coding.read(body, position)
        except ValueError as error:
            raise fail(str(error), offset) from None
        for cell in code.cells:
            if cell is not None:
                origins[len(cells)] = offset + 1
            cells.append(cell)
        if len(cells) > size and code.padded and not any(n >= size for n in origins):
            del cells[size:]
        if len(cells) > size:
            raise fail(f"expected {size} cells, found {len(cells)}", offset)
        position += code.length
    if len(cells) < size:
        raise fail(f"expected {size} cells, found {len(cells)}", start + len(body))
    return cells, origins


def write(puzzle: Puzzle, name: str | None) -> str:  # noqa: ARG001 - a URL has no place for a name
    """Return the URL at puzz.link, cells coded exactly as pzpr codes them."""
    if puzzle.pzpr is None:
        raise FormatError(f"pzpr has no {puzzle.kind}")
    refuse(puzzle, "a pzpr URL")
    body = puzzle.pzpr.coding.write([cell for row in puzzle.grid for cell in row])
    return f"{_SITE}{puzzle.pzpr.name}/{puzzle.cols}/{puzzle.rows}/{body}"

"""URLs of pzpr.js: https://puzz.link and the other sites that run it.

``https://puzz.link/p?slither/COLS/ROWS/CELLS``, or only the part from ``slither`` on. Source:
https://github.com/sabo2/pzprjs (parsing in ``parser.js``, cell codings in ``Encode.js``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

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
from linkoracle.kinds import KINDS, Puzzle
from linkoracle.kinds.codings import Coding, Pzpr
from linkoracle.kinds.registry import alternatives

_SITE = "https://puzz.link/p?"
_OPTIONS = re.compile(r"(?:\w+=\w*&)*(?:[mp]\+)?")
_SIZE = re.compile(r"\d{1,18}", re.ASCII)


def read(document: Document, index: int, asked: Asked) -> tuple[list[Entry], int]:
    """Read the URL on line ``index`` (from 0); return the puzzle and the next index."""
    line = index + 1
    text = re.split(r"[ \t]#", document.lines[index], maxsplit=1)[0].rstrip(" \t")
    fail = partial(_fail, document, line)
    name, flag, sizes, body, start = _split(text, fail)
    stated, has = _known()[name]
    kind = decide_kind(document, asked, stated, line)
    (cols, _), (rows, column) = sizes
    checked_size(document, rows, cols, line, column)
    cells, origins = _decode(body, start, rows * cols, has.coding, fail)
    grid = [cells[first : first + cols] for first in range(0, rows * cols, cols)]

    def place(row: int, col: int) -> Place:
        return line, origins[row * cols + col]

    return [
        Entry(build(document, asked, kind, has.names[name, flag], grid, place, line), None, line)
    ], line


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


def _fail(document: Document, line: int, reason: str, offset: int) -> FormatError:
    return document.error(reason, line, offset + 1)


_Fail = Callable[[str, int], FormatError]


def _split(
    text: str, fail: _Fail
) -> tuple[str, str, tuple[tuple[int, int], tuple[int, int]], str, int]:
    """Return puzzle name, flag, (size, column) twice, body, and the offset of the body."""
    query = text.find("?") + 1
    start = query or len(text) - len(text.lstrip(" \t"))
    options = _OPTIONS.match(text, start)
    assert options is not None
    if "variant" in options.group():
        raise fail("expected a puzzle with the usual rules, found a variant", start)
    parts = text[options.end() :].split("/")
    offsets = [options.end()]
    for part in parts:
        offsets.append(offsets[-1] + len(part) + 1)
    name = parts[0].removesuffix("_edit").removesuffix("_play")
    if (not query and "://" in text) or len(parts) == 1:
        raise fail(
            f"expected a URL with {alternatives(f'?{one}/...' for one in _written())}, "
            f"found {quoted(text)}",
            start,
        )
    if name not in _known():
        raise fail(
            f"expected the puzzle {alternatives(_written())} in a URL, found {quoted(name)}",
            offsets[0],
        )
    flag = ""
    at = 1
    if not _SIZE.fullmatch(parts[1]):
        flag = parts[1]
        at = 2
        if (name, flag) not in _known()[name][1].names:
            raise fail(
                f"expected the usual rules in a URL, found the variant {quoted(flag)}", offsets[1]
            )
    sizes = []
    for position in (at, at + 1):
        part = parts[position] if position < len(parts) else ""
        if not _SIZE.fullmatch(part):
            offset = min(offsets[min(position, len(parts))], len(text))
            raise fail(f"expected a width and a height in a URL, found {quoted(part)}", offset)
        sizes.append((int(part), offsets[position] + 1))
    first = at + 2
    body = "/".join(parts[first:]).rstrip("/")
    offset = offsets[first] if first < len(parts) else len(text)
    return name, flag, (sizes[0], sizes[1]), body, offset


def _decode(
    body: str, start: int, size: int, coding: Coding, fail: _Fail
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
    for member in puzzle.points:
        if getattr(puzzle, member):
            raise FormatError(f"a pzpr URL has no place for {member}")
    body = puzzle.pzpr.coding.write([cell for row in puzzle.grid for cell in row])
    return f"{_SITE}{puzzle.pzpr.name}/{puzzle.cols}/{puzzle.rows}/{body}"

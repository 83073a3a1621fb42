"""URLs of pzpr.js: https://puzz.link and the other sites that run it.

``https://puzz.link/p?slither/COLS/ROWS/CELLS``, or only the part from ``slither`` on. Source:
https://github.com/sabo2/pzprjs (parsing in ``parser.js``, cell codings in ``Encode.js``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from linkoracle.errors import FormatError
from linkoracle.formats.building import build, checked_size, decide_kind
from linkoracle.formats.document import Asked, Document, Entry, Place, quoted
from linkoracle.puzzles import Numberlink, Puzzle, Slitherlink

_SITE = "https://puzz.link/p?"
_KINDS = {
    "slither": Slitherlink.kind,
    "slitherlink": Slitherlink.kind,
    "numlin": Numberlink.kind,
    "numberlink": Numberlink.kind,
    # Letters for numbers; every cell is used, unless the flag "e" says that some may stay empty.
    "arukone": Numberlink.kind,
}
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|\S*\?(?:\w+=\w*&)*(?:[mp]\+)?\w+/")
_BARE = re.compile(r"(?:[mp]\+)?[a-z][a-z0-9]*(?:_edit|_play)?/(?:[^/\s]*/)?\d+/\d+(?:/|\s|$)")
_OPTIONS = re.compile(r"(?:\w+=\w*&)*(?:[mp]\+)?")
_SIZE = re.compile(r"\d{1,18}", re.ASCII)
_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"

#: Number codings of two digits or more: prefix, digits, and what the digits count from.
_PREFIXES = {"-": (2, 0), "+": (3, 0), "=": (3, 4096), "%": (3, 8192)}
_LONG_PREFIXES = {"*": (4, 12240), "$": (5, 77776)}


class _Code(NamedTuple):
    """One code of a body: a number or none, the empty cells that follow, and its length.

    ``padded`` is set when the empty cells are part of a number's code, which may overhang the
    board; pzpr writes the last number of a board in that way.
    """

    number: int | None
    blanks: int
    length: int
    padded: bool = False


_Coding = Callable[[str, int], _Code]


def sniff(document: Document, index: int) -> bool:
    """Tell whether the line looks like a URL, or like the part of one after the ``?``."""
    text = document.lines[index].lstrip(" \t")
    return bool(_URL.match(text) or _BARE.match(text))


def read(document: Document, index: int, asked: Asked) -> tuple[list[Entry], int]:
    """Read the URL on line ``index`` (from 0); return the puzzle and the next index."""
    line = index + 1
    text = re.split(r"[ \t]#", document.lines[index], maxsplit=1)[0].rstrip(" \t")
    fail = partial(_fail, document, line)
    name, flag, sizes, body, start = _split(text, fail)
    kind = decide_kind(document, asked, _KINDS[name], line)
    (cols, _), (rows, column) = sizes
    checked_size(document, rows, cols, line, column)
    rule = None
    if name == "arukone":
        rule = "free" if flag == "e" else "fill"
    coding = _four_code if kind == Slitherlink.kind else _hex_code
    cells, origins = _decode(body, start, rows * cols, coding, fail)
    grid = [cells[first : first + cols] for first in range(0, rows * cols, cols)]

    def place(row: int, col: int) -> Place:
        return line, origins[row * cols + col]

    return [Entry(build(document, asked, kind, rule, grid, place, line), None, line)], line


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
            f"expected a URL with '?slither/...' or '?numlin/...', found {quoted(text)}", start
        )
    if name not in _KINDS:
        raise fail(
            f"expected the puzzle 'slither' or 'numlin' in a URL, found {quoted(name)}", offsets[0]
        )
    flag = ""
    at = 1
    if not _SIZE.fullmatch(parts[1]):
        flag = parts[1]
        at = 2
        if flag and not (name == "arukone" and flag == "e"):
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
    body: str, start: int, size: int, coding: _Coding, fail: _Fail
) -> tuple[list[int | None], dict[int, int]]:
    """Return the cells in reading order, and the column from which each number came."""
    cells: list[int | None] = []
    origins: dict[int, int] = {}
    position = 0
    while position < len(body):
        offset = start + position
        if len(cells) >= size:
            raise fail(f"expected {size} cells, found {quoted(body[position:])} after them", offset)
        try:
            code = coding(body, position)
        except ValueError as error:
            raise fail(str(error), offset) from None
        if code.number is not None:
            origins[len(cells)] = offset + 1
            cells.append(code.number)
        cells.extend([None] * code.blanks)
        if len(cells) > size and code.padded:
            del cells[size:]
        if len(cells) > size:
            raise fail(f"expected {size} cells, found {len(cells)}", offset)
        position += code.length
    if len(cells) < size:
        raise fail(f"expected {size} cells, found {len(cells)}", start + len(body))
    return cells, origins


def _run(char: str) -> _Code | None:
    """The code of a run of empty cells, ``g`` to ``z`` for 1 to 20, if it is one."""
    length = _LETTERS.find(char) - 15
    return _Code(None, length, 1) if length > 0 else None


def _four_code(body: str, position: int) -> _Code:
    """A clue 0-4 with none, one or two empty cells after it; ``.`` is a clue yet to be chosen."""
    char = body[position]
    value = _LETTERS.find(char)
    if 0 <= value < 15:
        return _Code(value % 5, value // 5, 1, padded=True)
    if char == ".":
        return _Code(None, 1, 1)
    run = _run(char)
    if run is None:
        raise ValueError(f"expected a clue 0-9 or a-e, '.', or a run g-z, found {quoted(char)}")
    return run


def _hex_code(body: str, position: int) -> _Code:
    """A hexadecimal digit, or a prefix and more of them."""
    char = body[position]
    value = _LETTERS.find(char)
    if 0 <= value < 16:
        return _Code(value, 0, 1)
    if char == ".":
        raise ValueError("expected a number in every marked cell, found '.', which stands for '?'")
    prefix = _PREFIXES.get(char) or _LONG_PREFIXES.get(char)
    if prefix:
        length, base = prefix
        digits = body[position + 1 : position + 1 + length]
        if not re.fullmatch(f"[0-9a-f]{{{length}}}", digits):
            raise ValueError(
                f"expected {length} hexadecimal digits after {char!r}, found {quoted(digits)}"
            )
        return _Code(int(digits, 16) + base, 0, 1 + length)
    run = _run(char)
    if run is None:
        raise ValueError(f"expected a number or a run g-z of empty cells, found {quoted(char)}")
    return run


def write(puzzle: Puzzle, name: str | None) -> str:  # noqa: ARG001 - a URL has no place for a name
    """Return the URL at puzz.link, cells coded exactly as pzpr codes them."""
    if puzzle.rule == "path":
        raise FormatError("a pzpr URL cannot say the ends of an open path")
    cells = [cell for row in puzzle.grid for cell in row]
    if isinstance(puzzle, Slitherlink):
        kind, codes = "slither", _four_codes(cells)
    else:
        kind, codes = "numlin", _hex_codes(cells)
    return f"{_SITE}{kind}/{puzzle.cols}/{puzzle.rows}/{_with_runs(codes)}"


def _with_runs(codes: Iterator[str]) -> str:
    """Join codes; every empty string is an empty cell, and these become runs of up to 20."""
    out: list[str] = []
    blanks = 0
    for code in codes:
        if code or blanks == 20:
            if blanks:
                out.append(_LETTERS[15 + blanks])
            blanks = 0
        if code:
            out.append(code)
        else:
            blanks += 1
    if blanks:
        out.append(_LETTERS[15 + blanks])
    return "".join(out)


def _four_codes(cells: list[int | None]) -> Iterator[str]:
    position = 0
    while position < len(cells):
        clue = cells[position]
        if clue is None:
            yield ""
        else:
            blanks = 0
            while blanks < 2 and cells[position + 1 + blanks : position + 2 + blanks] in (
                [None],
                [],
            ):
                blanks += 1
            yield _LETTERS[clue + 5 * blanks]
            position += blanks
        position += 1


def _hex_codes(cells: list[int | None]) -> Iterator[str]:
    for number in cells:
        if number is None:
            yield ""
        elif number < 16:
            yield f"{number:x}"
        elif number < 256:
            yield f"-{number:02x}"
        elif number < 4096:
            yield f"+{number:03x}"
        else:
            yield _long_code(number)


def _long_code(number: int) -> str:
    for prefix, (length, base) in reversed((_PREFIXES | _LONG_PREFIXES).items()):
        if base and base <= number:
            if number - base >= 16**length:
                break
            return f"{prefix}{number - base:0{length}x}"
    raise FormatError(f"a pzpr URL cannot say a number as large as {number}")

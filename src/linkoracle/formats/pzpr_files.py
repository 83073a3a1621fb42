"""Files of pzpr.js (``pzprv3``), and URLs that hold such a file: the board, without the answer.

Lines, or parts between slashes, hold the version, the name of the puzzle, rows and columns, flags
if any, the regions, and the cells. What follows is the answer of a player. Source: ``FileData.js``
of https://github.com/robx/pzprjs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from linkoracle.core import FormatError, alternatives, quoted
from linkoracle.formats import reading as doc
from linkoracle.formats.pzpr import dot_at, neighbours, stated_by
from linkoracle.kinds import (
    KINDS,
    RegionPuzzle,
    arrow_word,
    borders,
    regions_within,
    wall_word,
)

#: A part of a file, and its place.
Part = tuple[str, doc.Place]

_HEAD = re.compile(r"pzprv3(?:\.(\d))?", re.ASCII)
#: A line of flags; a Country Road has words, or an empty line.
_FLAGS = re.compile("[a-z_,]*")
_WORDS = {"country_empty": "e"}
#: The lines above the flags.
_ABOVE = 4
#: What stands for a value that is not known.
_UNKNOWN = ("-", "-2")


def read(document: doc.Document, index: int) -> tuple[list[doc.Entry], int]:
    """Read the file or the URL at line ``index`` (from 0); return also the next index."""
    end = index + 1
    if _HEAD.fullmatch(document.lines[index].strip(" \t")):
        while end < len(document.lines) and (
            document.lines[end].strip(" \t") or end == index + _ABOVE
        ):
            end += 1
        lines = range(index, end)
        parts = [(document.lines[at].strip(" \t"), (at + 1, 1)) for at in lines]
    else:
        text = document.lines[index]
        start = text.index("pzprv3")
        words = unquote(re.split(r"[ \t]*#", text[start:])[0]).split("/")
        parts = [(word.strip(" \t"), (index + 1, start + 1)) for word in words]
    return [_Reader(document, index + 1, parts).entry()], end


class _Reader:
    """Takes the parts of a file one after the other."""

    def __init__(self, document: doc.Document, line: int, parts: list[Part]) -> None:
        self.document, self.line = document, line
        self.parts = iter(parts)
        self.last = parts[-1][1]

    def fail(self, reason: str, place: doc.Place) -> FormatError:
        return self.document.error(reason, *place)

    def take(self, what: str) -> Part:
        """Return the next part; raise `FormatError` if there is none."""
        for found in self.parts:
            return found
        raise self.fail(f"expected {what}, found the end of the file", self.last)

    def entry(self) -> doc.Entry:
        """Return the puzzle."""
        version, _ = self.take("pzprv3")
        name, at = self.take("the name of a puzzle")
        stated = stated_by(name)
        if stated is None:
            names = (one.pzpr.name for one in KINDS.values() if one.pzpr is not None)
            raise self.fail(f"expected the puzzle {alternatives(names)}, found {quoted(name)}", at)
        kind, pzpr = stated
        doc.decide_kind(self.document, kind.kind, self.line)
        rows, cols = self.number("rows"), self.number("columns")
        doc.checked_size(self.document, rows, cols, *at)
        part = self.take("the cells")
        flags = set[str]()
        while _FLAGS.fullmatch(part[0]):
            for word in part[0].split(","):
                flags.update(_WORDS.get(word, word))
            part = self.take("the cells")
        flag = "".join(sorted(flags.difference(pzpr.drawn)))
        if (name, flag) not in pzpr.names:
            raise self.fail(f"expected the usual rules, found the flags {quoted(flag)}", part[1])
        places = [part[1]] * rows
        self.parts = (one for some in ([part], self.parts) for one in some)
        points: dict[str, Any] = {}
        drawn: list[Any] = []
        grid: list[list[Any]] = [[None] * cols for _ in range(rows)]
        holes: list[Any] = []
        for piece in pzpr.parts(kind, saved=True):
            if piece in ("regions", "walls"):
                by_border = piece == "walls" or version.endswith(".2")
                drawn = self.borders(rows, cols, by_border=by_border)
            elif piece in ("holes", "ice"):
                sign = "*" if piece == "holes" else "1"
                marks = [self.row(cols)[0] for _ in range(rows)]
                holes = [(r, c) for r in range(rows) for c in range(cols) if marks[r][c] == sign]
            elif piece == "sides":
                grid = self.dots(rows, cols)
            else:
                table = [self.row(cols) for _ in range(rows)]
                if piece == "ice-cells":
                    marks = [[*some] for some, _ in table]
                    holes = [(r, c) for r in range(rows) for c in range(cols) if marks[r][c] == "#"]
                    table = [([one.replace("#", ".") for one in some], at) for some, at in table]
                places = [at for _, at in table]
                read_cell = _CELLS[str(pzpr.coding)]
                grid = [
                    [self.clue(read_cell, kind, cell, at) for cell in some] for some, at in table
                ]
        if issubclass(kind, RegionPuzzle):
            outside = [*kind.holes_in(grid), *holes]
            points["regions"] = regions_within(rows, cols, drawn, outside)[0], lambda _: places[0]
        if "ice" in kind.annotations:
            points["ice"] = holes, lambda _: places[0]
        if "walls" in kind.annotations:
            points["walls"] = drawn, lambda _: places[0]
        draft = doc.Draft(self.document, self.line, kind, pzpr.names[name, flag], points)
        return draft.of_grid(grid, lambda row, _: places[row])

    def dots(self, rows: int, cols: int) -> list[list[Any]]:
        """Return the words of dots in cells and on sides, in as many rows as there are of both."""
        grid: list[list[Any]] = [[None] * cols for _ in range(rows)]
        for place in range(2 * rows - 1):
            text, at = self.take("a row of dots")
            if not re.fullmatch(f"[.2]{{{2 * cols - 1}}}", text):
                raise self.fail(f"expected {2 * cols - 1} dots 2 or '.', found {quoted(text)}", at)
            for found in re.finditer("2", text):
                try:
                    (row, col), letter = dot_at(place, found.start())
                except ValueError as error:
                    raise self.fail(str(error), at) from None
                grid[row][col] = (grid[row][col] or "") + letter
        return grid

    def number(self, what: str) -> int:
        text, at = self.take(f"the number of {what}")
        if not re.fullmatch(r"\d{1,9}", text, re.ASCII):
            raise self.fail(f"expected the number of {what}, found {quoted(text)}", at)
        return int(text)

    def row(self, size: int) -> tuple[list[str], doc.Place]:
        """Return the cells of the next row."""
        text, at = self.take("a row of cells")
        cells = text.split()
        if len(cells) != size:
            raise self.fail(f"expected {size} cells in a row, found {len(cells)}", at)
        return cells, at

    def borders(self, rows: int, cols: int, *, by_border: bool) -> list[Any]:
        """Return the neighbours between which there is a border."""
        if by_border:
            across, down = neighbours(rows, cols)
            marks = [mark for _ in range(rows) for mark in self.row(cols - 1)[0]]
            more = [mark for _ in range(rows - 1) for mark in self.row(cols)[0]]
            marked = zip([*across, *down], [*marks, *more], strict=True)
            return [pair for pair, mark in marked if mark == "1"]
        self.number("regions")
        names = (self.row(cols)[0] for _ in range(rows))
        return [*borders(tuple(map(tuple, names)))]

    def clue(self, read_cell: Callable[[str], Any], kind: Any, text: str, at: doc.Place) -> Any:
        """Return the clue of a cell; ``...`` stands for one of unknown value."""
        if text == ".":
            return None
        try:
            found = read_cell(text)
        except (ValueError, IndexError, KeyError):
            raise self.fail(f"expected a cell of {kind.title}, found {quoted(text)}", at) from None
        return kind.unknown if found is ... else found


def _number(text: str) -> Any:
    return ... if text in _UNKNOWN else int(text)


def _arrow(text: str) -> str | None:
    way, number = text.split(",")
    if number == "-1":
        return None
    known = None if number in _UNKNOWN else int(number)
    if known is not None and int(way) == 0:
        raise ValueError("a number without an arrow")
    return arrow_word(int(way), known)


def _wall(text: str) -> str | None:
    arrow, _, colour = text.rpartition(",")
    word = _arrow(arrow)
    return None if word is None else wall_word(word, int(colour) & 3)


def _list(text: str) -> str:
    numbers = ["?" if one in _UNKNOWN else str(int(one)) for one in text.split(",")]
    return ",".join(numbers)


def _circle(text: str) -> str:
    colour, number = text.split(",")
    return "wb"[int(colour)] + ("" if number in _UNKNOWN else str(int(number)))


#: Functions that read a cell, by the coding of the kind in URLs.
_CELLS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("four_or_unknown", "hex", "hex_or_unknown"), _number),
    "pearls": {"1": "w", "2": "b", **dict.fromkeys(_UNKNOWN, "?")}.__getitem__,
    "bits": {"*": 0}.__getitem__,
    "arrows": _arrow,
    "walls": _wall,
    "circles": _circle,
    **dict.fromkeys(("sections", "lengths"), _list),
    "winds": dict(
        zip("udlrNUDLR", ["n", "s", "w", "e", "x", "xn", "xs", "xw", "xe"], strict=True)
    ).__getitem__,
}

"""Links of Penpa-Edit, read only: ``https://swaroopg92.github.io/penpa-edit/#m=edit&p=...``.

After ``p=`` comes a text in base64, deflated and with abbreviations. Its first line has the board
and metadata, the second line the empty rows and columns around the board, and the fourth line the
drawing. The eighteenth line may name the kind. Source: ``class_p.js`` (``COMPRESS_SUB``,
``maketext``) and ``general.js`` (``load``) of https://github.com/swaroopg92/penpa-edit
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from linkoracle.core import FormatError, quoted
from linkoracle.formats import reading as doc
from linkoracle.formats.pzpr import neighbours, stated_by
from linkoracle.kinds import KINDS, Cell, Grid, Puzzle, RegionPuzzle, regions_within

_LINK = re.compile(r"[ \t]*\S*?[#?&]p=([A-Za-z0-9+/=%_-]+)\S*[ \t]*(?:#.*)?")
#: Abbreviations of words, to expand from the last; the first one escapes a ``z`` of the text.
_SHORT = (
    *(("z", "zZ"), ('"qa"', "z9"), ('"pu_q"', "zQ"), ('"pu_a"', "zA"), ('"grid"', "zG")),
    *(('"edit_mode"', "zM"), ('"surface"', "zS"), ('"line"', "zL"), ('"lineE"', "zE")),
    *(('"wall"', "zW"), ('"cage"', "zC"), ('"number"', "zN"), ('"symbol"', "zY")),
    *(('"special"', "zP"), ('"board"', "zB"), ('"command_redo"', "zR")),
    *(('"command_undo"', "zU"), ('"command_replay"', "z8"), ('"numberS"', "z1")),
    *(('"freeline"', "zF"), ('"freelineE"', "z2"), ('"thermo"', "zT"), ('"arrows"', "z3")),
    *(('"direction"', "zD"), ('"squareframe"', "z0"), ('"polygon"', "z5")),
    *(('"deletelineE"', "z4"), ('"killercages"', "z6"), ('"nobulbthermo"', "z7")),
    *(('"__a"', "z_"), ("null", "zO")),
)
_UNREADABLE = "expected a link of Penpa-Edit, found one that cannot be read"
#: The most characters of a text.
_MOST = 4_000_000
#: The number of empty rows and columns on each side of any board.
_MARGIN = 2
#: Circles by their style: white, black, and two that are grey.
_CIRCLES = {1: "w", 2: "b", 3: "?", 5: "?"}
#: The colours of filled cells: dark grey, grey, black.
_FILLED = (1, 3, 4)
#: Directions by their digits.
_ARROWS = "nwes"
#: The parts of a drawing that are read, and the prefix of parts that are not a drawing.
_KNOWN, _NO_DRAWING = ("number", "symbol", "surface", "lineE"), "command_"


class _Drawn(NamedTuple):
    """The content of a link: the sizes of board and numbering, the drawing, and the rest."""

    rows: int
    cols: int
    width: int
    height: int
    top: int
    left: int
    parts: dict[str, Any]
    tags: list[str]
    about: doc.About

    def cell(self, number: str) -> tuple[int, int]:
        """Return the cell of a number, off the board for numbers of the margin."""
        row, col = divmod(int(number), self.width)
        return row - _MARGIN - self.top, col - _MARGIN - self.left

    def number(self, row: int, col: int) -> int:
        """Return the number of a cell."""
        return (row + _MARGIN + self.top) * self.width + col + _MARGIN + self.left


def read(document: doc.Document, index: int) -> tuple[list[doc.Entry], int]:
    """Read the link on line ``index`` (from 0); return the puzzle and the next index."""
    line = index + 1

    def fail(reason: str) -> FormatError:
        return document.error(reason, line, 1)

    drawn = _drawn(document.lines[index], fail)
    # Tags are names such as "simple loop" and "dotchi-loop", or those of pzpr.
    plain = [re.sub("[ -]", "", tag) for tag in drawn.tags]
    found = (
        stated_by(tag) for tag, name in zip(drawn.tags, plain, strict=True) if name not in KINDS
    )
    names = [
        *(name for name in plain if name in KINDS),
        *(one[0].kind for one in found if one is not None),
    ]
    stated = names[0] if len(names) == 1 else None
    kind = doc.decide_kind(document, stated, line, advice="Name")
    doc.checked_size(document, drawn.rows, drawn.cols, line, 1)
    for name, part in drawn.parts.items():
        if part and name not in _KNOWN and not name.startswith(_NO_DRAWING):
            raise fail(f"expected numbers, circles, filled cells and borders, found {quoted(name)}")
    points: dict[str, Any] = {}
    try:
        if issubclass(kind, RegionPuzzle):
            holes = [cell for cell, word in _words(drawn, fail) if word == "*"]
            outside = holes if kind.clues_are_holes else []
            points["regions"] = _regions(drawn, outside), lambda _: (line, 1)
        elif drawn.parts.get("lineE"):
            raise fail(f"expected no drawn edges in a link with a {kind.title}")
        words = [*_words(drawn, fail)]
    except FormatError:
        raise
    except (ValueError, TypeError, IndexError, AttributeError):
        raise fail(_UNREADABLE) from None
    draft = doc.Draft(document, line, kind, points=points, about=drawn.about)
    return [of_words(draft, drawn.rows, drawn.cols, words)], line


def _drawn(text: str, fail: Callable[[str], FormatError]) -> _Drawn:
    found = _LINK.fullmatch(text)
    data = unquote(found[1]).replace("-", "+").replace("_", "/") if found else ""
    try:
        packed = b64decode(data + "=" * (-len(data) % 4), validate=True)
        plain = zlib.decompressobj(-15).decompress(packed, _MOST).decode()
        for word, short in reversed(_SHORT):
            plain = plain.replace(short, word)
        lines = plain.split("\n")
        head = lines[0].split(",")
        cols, rows = map(int, head[1:3])
        top, bottom, left, right = map(int, json.loads(lines[1]))
        parts = json.loads(lines[3])
        tags = json.loads(lines[17]) if len(lines) > 17 and lines[17] else []
    except (ValueError, TypeError, IndexError, zlib.error, RecursionError):
        raise fail(_UNREADABLE) from None
    if head[0] not in ("square", "sudoku", "kakuro"):
        raise fail(f"expected a board of square cells in a link, found {quoted(head[0])}")
    if not (isinstance(parts, dict) and isinstance(tags, list)):
        raise fail(_UNREADABLE)
    about = doc.About(
        *(_said(head, at, label) for at, label in ((15, "Title:"), (16, "Author:"), (18, "")))
    )
    inside = rows - top - bottom, cols - left - right
    width, height = cols + 2 * _MARGIN, rows + 2 * _MARGIN
    words = [str(tag).lower() for tag in tags]
    return _Drawn(*inside, width, height, top, left, parts, words, about)


def _said(head: list[str], at: int, label: str) -> str | None:
    """Return the value of a part of the first line; ``None`` if it is empty."""
    text = head[at] if at < len(head) else ""
    for short, sign in (("%2C", ","), ("%2D", " "), ("%2E", "&"), ("%2F", "=")):
        text = text.replace(short, sign)
    return doc.clean_name(text.removeprefix(label))


def of_words(
    draft: doc.Draft, rows: int, cols: int, words: Iterable[tuple[tuple[int, int], str]]
) -> doc.Entry:
    """Return the puzzle of a link; ``words`` are cells and the words drawn in them."""
    said: dict[tuple[int, int], list[str]] = {}
    for (row, col), word in words:
        if not (0 <= row < rows and 0 <= col < cols):
            reason = f"expected clues in cells, found {quoted(word)} elsewhere"
            raise draft.document.error(reason, draft.line, 1)
        said.setdefault((row, col), []).append(word)
    grid: list[list[Any]] = [[None] * cols for _ in range(rows)]
    for (row, col), found in said.items():
        grid[row][col] = _clue(draft.kind, found)
    return draft.of_grid(grid, lambda *_: (draft.line, 1))


def _words(
    drawn: _Drawn, fail: Callable[[str], FormatError]
) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield cells and the parts of words drawn in them: w, b, 3, n, *."""
    for number, (look, name, _) in drawn.parts.get("symbol", {}).items():
        if not str(name).startswith("circle") or look not in _CIRCLES:
            raise fail(f"expected white, black and grey circles, found {quoted(str(name))}")
        yield drawn.cell(number), _CIRCLES[look]
    for number, (text, *_) in drawn.parts.get("number", {}).items():
        value, _, arrow = str(text).partition("_")
        yield drawn.cell(number), value.strip() + (_ARROWS[int(arrow)] if arrow else "")
    for number, colour in drawn.parts.get("surface", {}).items():
        if colour in _FILLED:
            yield drawn.cell(number), "*"


def _clue(kind: type[Puzzle], words: list[str]) -> object:
    """Return the clue that the words in a cell make; the kind refuses an invalid one."""
    if kind.words is not None and len(words) > 1:
        # A number in a filled cell, as in Yajilin.
        words = [word for word in words if word != "*"]
    text = "".join(words)
    unknown = getattr(kind, "unknown", None)
    return unknown if text == "?" and unknown is not None else kind.clue_of(text)


def _regions(drawn: _Drawn, outside: Sequence[Cell]) -> Grid:
    """Return the regions into which the drawn edges divide the cells but those ``outside``."""
    size = drawn.width * drawn.height
    # Edges drawn by hand may be longer than a side, across several sides.
    walls = {
        tuple(sorted(int(end) - size for end in key.split(",")))
        for key in drawn.parts.get("lineE", {})
    }
    found = []
    for pairs, back in zip(neighbours(drawn.rows, drawn.cols), (drawn.width, 1), strict=True):
        for pair in pairs:
            corner = drawn.number(*pair[0])
            if (corner - back, corner) in walls:
                found.append(pair)
    return regions_within(drawn.rows, drawn.cols, found, outside)[0]

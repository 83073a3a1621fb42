"""Links of Penpa-Edit: ``https://swaroopg92.github.io/penpa-edit/#m=edit&p=...``.

After ``p=`` comes a text in base64, deflated and with abbreviations. Its first line has the board
and metadata, the second line the empty rows and columns around the board, and the fourth line the
drawing. The eighteenth line may name the kind, and a variant. After ``a=`` comes the answer that
the site checks. Source: ``class_p.js`` (``COMPRESS_SUB``, ``maketext``, ``make_solution``),
``class_square.js`` (``create_point``) and ``general.js`` (``load``) of
https://github.com/swaroopg92/penpa-edit
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import unquote

from linkoracle.core import FormatError, quoted
from linkoracle.formats import reading as doc
from linkoracle.formats.pzpr import neighbours, stated_by
from linkoracle.kinds import KINDS, Cell, Figure, Grid, RegionPuzzle, regions_within

_LINK = re.compile(r"[ \t]*\S*?[#?&]p=([A-Za-z0-9+/=%_-]+)\S*[ \t]*(?:#.*)?")
_SITE = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
#: The answer that a link checks.
_ANSWER = re.compile(r"&a=([A-Za-z0-9+/=%_-]+)")
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
#: The styles of circles by the look of a figure.
_STYLES = {"white": 1, "black": 2, "either": 3}
#: Colours of filled cells and squares by what a figure says of its ground; and the other way round.
_GROUNDS = {"": 3, "grey": 3, "black": 4, "filled": 4}
_COLOURS = {1: "grey", 3: "grey", 4: "black"}
#: The colour of ice.
_ICE = 5
#: The parts of an empty drawing.
_LISTS = "thermo arrows direction squareframe polygon killercages nobulbthermo"
_MAPS = "surface number numberS symbol freeline freelineE line lineE wall cage deletelineE"
_STACKS = "command_redo command_undo command_replay"
#: The colours of texts, the size of cells and the version of the site for which links are written.
_BLACK, _WHITE, _PIXELS, _VERSION = 1, 4, 38, [3, 2, 1]
#: The value of a cross, and of a drawn line.
_CROSS, _LINE = 98, 2
#: Directions by their digits.
_ARROWS = "nwes"
#: The parts of a drawing that are read, and the prefix of parts that are not a drawing.
_KNOWN, _NO_DRAWING = ("number", "symbol", "surface", "line", "lineE"), "command_"


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
        row, col = divmod(int(number) % self.size, self.width)
        return row - _MARGIN - self.top, col - _MARGIN - self.left

    @property
    def size(self) -> int:
        """The number of cells with the margin: then come corners, lower and right sides."""
        return self.width * self.height

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
    stated = names[0] if len({*names}) == 1 else None
    kind = doc.decide_kind(document, stated, line, advice="Name")
    doc.checked_size(document, drawn.rows, drawn.cols, line, 1)
    for name, part in drawn.parts.items():
        if part and name not in _KNOWN and not name.startswith(_NO_DRAWING):
            raise fail(f"expected numbers, circles, filled cells and borders, found {quoted(name)}")
    points: dict[str, Any] = {}
    try:
        if issubclass(kind, RegionPuzzle):
            holes = [cell for cell, word in _words(drawn, fail) if word[0] == "*"]
            outside = holes if kind.clues_are_holes else []
            points["regions"] = _regions(drawn, outside), lambda _: (line, 1)
        for name, pairs in _drawn_lines(drawn, kind).items():
            if name not in kind.annotations:
                raise fail(f"expected no drawn lines or edges in a link with a {kind.title}")
            points[name] = pairs, lambda _: (line, 1)
        if "ice" in kind.annotations:
            surface = drawn.parts.get("surface", {}).items()
            ice = [drawn.cell(number) for number, colour in surface if colour == _ICE]
            points["ice"] = ice, lambda _: (line, 1)
        words = [*_words(drawn, fail)]
    except FormatError:
        raise
    except (ValueError, TypeError, IndexError, AttributeError):
        raise fail(_UNREADABLE) from None
    variant = next((one for one in kind.variants if one in drawn.tags), None)
    draft = doc.Draft(document, line, kind, variant, points, drawn.about)
    entry = of_words(draft, drawn.rows, drawn.cols, words)
    if answer := _ANSWER.search(document.lines[index]):
        _check_answer(drawn, entry.puzzle, answer[1], fail)
    return [entry], line


def _drawn(text: str, fail: Callable[[str], FormatError]) -> _Drawn:
    found = _LINK.fullmatch(text)
    try:
        plain = _unpacked(found[1] if found else "")
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


def _unpacked(data: str) -> str:
    """Return a text that is packed in a link; raise ``ValueError`` or ``zlib.error`` if invalid."""
    plain = unquote(data).replace("-", "+").replace("_", "/")
    packed = b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    return zlib.decompressobj(-15).decompress(packed, _MOST).decode()


def _packed(text: str) -> str:
    return b64encode(zlib.compress(text.encode(), wbits=-15)).decode()


def _words(
    drawn: _Drawn, fail: Callable[[str], FormatError]
) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield cells and what is drawn in them: w, b, 3, n, e, a ``*`` before a colour."""
    for number, (look, name, _) in drawn.parts.get("symbol", {}).items():
        if name == "square_LL" and look == 1:
            yield drawn.cell(number), "*white"
        elif str(name).startswith("circle") and look in _CIRCLES:
            # The sides of cells are numbered after the cells and the corners.
            side = " -se"[min(3, int(number) // drawn.size)].strip()
            dot = "o" if name == "circle_SS" else _CIRCLES[look]
            yield drawn.cell(number), side or dot
        else:
            raise fail(f"expected white, black and grey circles, found {quoted(str(name))}")
    for number, (text, *_) in drawn.parts.get("number", {}).items():
        value, _, arrow = str(text).partition("_")
        yield drawn.cell(number), value.strip() + (_ARROWS[int(arrow)] if arrow else "")
    for number, colour in drawn.parts.get("surface", {}).items():
        if colour in _COLOURS:
            yield drawn.cell(number), f"*{_COLOURS[colour]}"


def _clue(kind: type[Any], words: list[str]) -> object:
    """Return the clue that is drawn as these words; the kind refuses an invalid one.

    Clues that differ in their ground only are told apart by it.
    """
    grounds = {word[1:] for word in words if word[0] == "*" and len(word) > 1}
    words = ["*" if word[0] == "*" else word for word in words]
    if kind.words is not None and len(words) > 1:
        # A number in a filled cell, as in Yajilin; dots in order.
        words = sorted((word for word in words if word != "*"), key="oes".find)
    text = "".join(words).replace(" ", ",")
    bare = text.replace("*", "")
    if kind.words is None and grounds and bare and _grounds(kind, kind.clue_of(bare)) == grounds:
        return kind.clue_of(bare)
    if kind.words is not None and grounds:
        for word in (bare, f"x{bare}", f"{bare}o", f"{bare}x", "?"):
            if re.fullmatch(kind.words, word) and _grounds(kind, word) == grounds:
                return word
    unknown = kind.unknown
    return unknown if text == "?" and unknown is not None else kind.clue_of(text)


def _grounds(kind: type[Any], clue: Any) -> set[str]:
    """Return the grounds on which a clue is drawn."""
    figures = kind.blank(2, 2).clue_figures((0, 0), clue)
    return {figure.text or "grey" for figure in figures if figure.look == "grey"}


def _drawn_lines(drawn: _Drawn, kind: type[Any]) -> dict[str, list[Any]]:
    """Return what lines and edges say besides regions: given and forbidden lines, and walls."""
    found: dict[str, list[Any]] = {}
    own = "line" if kind.through_cells else "lineE"
    corner = 0 if kind.through_cells else 1
    for part in ("line", "lineE"):
        if part == "lineE" and "regions" in kind.annotations:
            continue
        for key, value in drawn.parts.get(part, {}).items():
            ends = [int(end) for end in str(key).split(",")]
            name = "given" if part == own else "walls" if part == "lineE" else "drawn"
            if len(ends) == 1 and value == _CROSS:
                # The middle of a side: of a line along it, or of one across it.
                (row, col), right = drawn.cell(str(ends[0])), ends[0] // drawn.size == 3
                if kind.through_cells:
                    pair = (row, col), (row + (not right), col + right)
                else:
                    pair = (row + (not right), col + right), (row + 1, col + 1)
                name = "forbidden" if part == own else "drawn"
            else:
                (row, col), (row2, col2) = (drawn.cell(str(end)) for end in ends)
                pair = (row + corner, col + corner), (row2 + corner, col2 + corner)
                if name == "walls":
                    # The side runs from corner to corner, the wall is between the cells beside it.
                    pair = (row2, col2), (row2 + (row == row2), col2 + (col == col2))
            found.setdefault(name, []).append(tuple(sorted(pair)))
    return found


def _check_answer(
    drawn: _Drawn, puzzle: Any, packed: str, fail: Callable[[str], FormatError]
) -> None:
    """Refuse a link whose answer, if it is lines, breaks a rule of the puzzle."""
    try:
        answer = json.loads(_unpacked(packed))
        lines = answer[1 if puzzle.through_cells else 2]
        corner = 0 if puzzle.through_cells else 1
        pairs = []
        for one in lines:
            cells = [drawn.cell(end) for end in one.split(",")[:2]]
            pairs.append([(row + corner, col + corner) for row, col in cells])
        edges = {puzzle.board.edge(*pair) for pair in [*pairs, *getattr(puzzle, "given", ())]}
    except (ValueError, TypeError, IndexError, AttributeError, zlib.error):
        # Answers may also be numbers, or several.
        return
    if pairs and (faults := puzzle.violations(edges)):
        raise fail(f"the answer that the link checks is wrong: {faults[0]}")


def write(puzzle: Any, about: doc.About) -> str:
    """Return a link to the editor, with the puzzle as its drawing.

    Raises `FormatError` for what has no place in such a drawing.
    """
    rows, cols = puzzle.rows, puzzle.cols
    regions = getattr(puzzle, "regions", ())
    if not getattr(puzzle, "clues_are_holes", False) and any(None in row for row in regions):
        raise FormatError("a link of Penpa-Edit has no place for cells outside all regions")
    for name, listed in puzzle.annotations.items():
        if getattr(puzzle, name) and listed.look in ("gap", "end"):
            raise FormatError(f"a link of Penpa-Edit has no place for {listed.what}")
    drawn = _Drawn(rows, cols, cols + 2 * _MARGIN, rows + 2 * _MARGIN, 0, 0, {}, [], about)
    parts, answer = _empty(), _empty()
    for figure in puzzle.figures():
        _draw(drawn, parts, figure, through_cells=puzzle.through_cells)
    # The middle of the board: a cell, a corner, or the middle of a lower or a right side.
    middle = drawn.number((rows - 1) // 2, (cols - 1) // 2)
    middle += drawn.size * {(1, 1): 0, (0, 0): 1, (0, 1): 2, (1, 0): 3}[rows % 2, cols % 2]
    canvas = (_PIXELS * (cols + 1), _PIXELS * (rows + 1))
    said = [f"Title: {about.name or ''}", f"Author: {about.author or ''}", "", about.rules or ""]
    signs = ((",", "%2C"), ("&", "%2E"), ("=", "%2F"), ("\n", "%2D"))
    for sign, short in signs:
        said = [text.replace(sign, short) for text in said]
    head = ["square", cols, rows, _PIXELS, 0, 1, 1, *canvas, middle, middle, 0, 0, 0, 0, *said]
    inside = [drawn.number(row, col) for row in range(rows) for col in range(cols)]
    steps = [inside[0], *(after - before for before, after in pairwise(inside))]
    name = puzzle.title.lower()
    tags = [name if re.sub("[ -]", "", name) == puzzle.kind else puzzle.kind]
    if puzzle.variant != next(iter(puzzle.variants)):
        tags.append(puzzle.variant)
    grid = ["1", "2", "1"] if puzzle.through_cells else ["3", "1", "2"]
    lines: list[Any] = [[0, 0, 0, 0], {"qa": "pu_q", "grid": grid}, parts, answer, steps]
    lines += [[], {}, "x", "x", _VERSION, None, None, 0, None, None, None, tags, None]
    texts = ["" if line is None else json.dumps(line, separators=(",", ":")) for line in lines]
    text = "\n".join([",".join(map(str, [*head, "ON", "false", ""])), *texts])
    for word, short in _SHORT:
        text = text.replace(word, short)
    return f"{_SITE}{_packed(text)}"


def _empty() -> dict[str, Any]:
    """Return the parts of an empty drawing."""
    stacks: dict[str, Any] = {name: {"__a": []} for name in _STACKS.split()}
    return stacks | {name: {} for name in _MAPS.split()} | {name: [] for name in _LISTS.split()}


def _draw(drawn: _Drawn, parts: dict[str, Any], figure: Figure, *, through_cells: bool) -> None:
    """Draw a figure of a puzzle; raise `FormatError` if that is impossible."""
    look, place, text, to = figure
    at = drawn.number(*place)
    match look:
        case "text" | "label":
            parts["number"][at] = [text, _BLACK, "1" if len(text) < 3 else "8"]
        case "arrow":
            on_black = parts["surface"].get(at) == _GROUNDS["black"]
            number = f"{text[:-1] or ' '}_{_ARROWS.index(text[-1])}"
            parts["number"][at] = [number, _WHITE if on_black else _BLACK, "2"]
        case "white" | "black" | "either":
            parts["symbol"][at] = [_STYLES[look], "circle_L", 1]
            if text:
                parts["number"][at] = [text, _WHITE if look == "black" else _BLACK, "1"]
        case "grey" if text == "white":
            parts["symbol"][at] = [1, "square_LL", 1]
        case "grey" | "filled":
            parts["surface"][at] = _GROUNDS[text or look.replace("grey", "")]
        case "ice":
            parts["surface"][at] = _ICE
        case "dot":
            side = 0 if to is None else 2 if to[0] > place[0] else 3
            parts["symbol"][at + side * drawn.size] = [1, "circle_SS", 2]
        case "border" if to is not None:
            # From corner to corner: the last one is the lower right corner of the cell.
            corner = drawn.size + at
            before = corner - (drawn.width if to[1] > place[1] else 1)
            parts["lineE"][f"{before},{corner}"] = _LINE
        case "given" | "cross" if to is not None and max(to[0] - place[0], to[1] - place[1]) == 1:
            other = drawn.number(*to)
            if not through_cells:
                # A corner has the number of the cell to its upper left.
                at, other = (drawn.size + one - drawn.width - 1 for one in (at, other))
            along = other - at == 1
            if look == "given":
                key = f"{at},{other}"
            else:
                middle = at + drawn.size * (3 if along else 2)
                key = str(
                    middle if through_cells else other % drawn.size + drawn.size * (2 + (not along))
                )
            parts["line" if through_cells else "lineE"][key] = _LINE if look == "given" else _CROSS
        case _:
            raise FormatError(f"a link of Penpa-Edit has no place for the figure {look!r}")


def _regions(drawn: _Drawn, outside: Sequence[Cell]) -> Grid:
    """Return the regions into which the drawn edges divide the cells but those ``outside``."""
    # Edges drawn by hand may be longer than a side, across several sides.
    walls = {
        tuple(sorted(int(end) - drawn.size for end in key.split(",")))
        for key in drawn.parts.get("lineE", {})
    }
    found = []
    for pairs, back in zip(neighbours(drawn.rows, drawn.cols), (drawn.width, 1), strict=True):
        for pair in pairs:
            corner = drawn.number(*pair[0])
            if (corner - back, corner) in walls:
                found.append(pair)
    return regions_within(drawn.rows, drawn.cols, found, outside)[0]

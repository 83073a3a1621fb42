"""URLs of pzpr.js: https://puzz.link and the other sites that run it.

``https://puzz.link/p?slither/COLS/ROWS/CELLS``, or only the part from ``slither`` on. Source:
https://github.com/sabo2/pzprjs (parsing in ``parser.js``, cell codings in ``Encode.js``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain, product
from typing import Any
from urllib.parse import unquote

from linkoracle.core import FormatError, quoted
from linkoracle.formats import reading as doc
from linkoracle.kinds import (
    BITS,
    BORDERS,
    KINDS,
    REGIONS,
    Cell,
    Coding,
    Ends,
    Puzzle,
    Pzpr,
    RegionPuzzle,
    alternatives,
    annotation_names,
    borders,
    coding_of,
    place_of,
    regions_within,
)

_SITE = "https://puzz.link/p?"
_OPTIONS = re.compile(r"(?:\w+=\w*&)*(?:[mp]\+)?", re.ASCII)
#: Options at the end of a URL; a character, or the percent sign and digits that stand for one.
_TRAILING = re.compile(r"(?:&\w+=\w*)+$", re.ASCII)
_CHARACTERS = re.compile(r"%[2-7][0-9A-Fa-f]|.", re.DOTALL)
_SIZE = re.compile(r"\d{1,18}", re.ASCII)

#: Makes the error with a reason at a character of the line, counted from 0.
Fail = Callable[[str, int], FormatError]


def read(document: doc.Document, index: int) -> tuple[list[doc.Entry], int]:
    """Read the URL on line ``index`` (from 0); return the puzzle and the next index."""
    line = index + 1
    text = re.split(r"[ \t]*#", document.lines[index], maxsplit=1)[0].rstrip(" \t")
    text, columns = _without_percents(_TRAILING.sub("", text))

    def fail(reason: str, at: int) -> FormatError:
        return document.error(reason, line, columns[at])

    stated, pzpr, variant, (cols, rows), places, body = _split(text, fail)
    kind = doc.decide_kind(document, stated.kind, line)
    coding = coding_of(pzpr.coding)
    doc.checked_size(document, rows, cols, line, places[1] + 1)
    start, size = places[2], rows * cols
    points: dict[str, Any] = {}
    walls: dict[Ends, int] = {}
    cells: list[Any] = [None] * size
    origins: dict[int, int] = {}
    holes: list[Any] = []
    parts = pzpr.parts(kind)
    at = 0
    for part in parts:
        rest, last = body[at:], part == parts[-1]
        if part in ("regions", "walls"):
            walls, length = _read_walls(rest, start + at, rows, cols, fail)
        elif part == "cells" and pzpr.by_region:
            firsts = _first_cells(regions_within(rows, cols, walls)[0])
            found, came, length = decode(rest, start + at, len(firsts), coding, fail, last=last)
            for cell, clue in zip(firsts, found, strict=True):
                cells[cell] = clue
            origins = {firsts[place]: one for place, one in came.items()}
        elif part == "sides":
            width = 2 * cols - 1
            _, came, length = decode(
                rest, start + at, width * (2 * rows - 1), coding, fail, last=last
            )
            for place in came:
                try:
                    (row, col), letter = dot_at(*divmod(place, width))
                except ValueError as error:
                    raise fail(str(error), came[place]) from None
                cell = row * cols + col
                cells[cell] = (cells[cell] or "") + letter
                origins.setdefault(cell, came[place])
        elif part in ("holes", "ice"):
            bits = BITS if part == "holes" else BORDERS
            found, came, length = decode(rest, start + at, size, bits, fail, last=last)
            holes = [divmod(place, cols) for place in came]
            if part == "ice":
                points["ice"] = holes, lambda _: (line, places[2] + 1)
        else:
            cells, origins, length = decode(rest, start + at, size, coding, fail, last=last)
        at += length
    grid = [cells[first : first + cols] for first in range(0, size, cols)]
    if issubclass(kind, RegionPuzzle):
        regions, within = regions_within(rows, cols, walls, [*kind.holes_in(grid), *holes])
        # On such a site, a line across this border enters the region that it leaves.
        if within and kind.visits is not None:
            between = " and ".join(map(place_of, within[0]))
            reason = f"expected borders between regions, found one inside a region, at {between}"
            raise fail(reason, walls[within[0]])
        points["regions"] = regions, lambda _: (line, places[2] + 1)
    elif "walls" in parts:
        points["walls"] = sorted(walls), lambda _: (line, places[2] + 1)
    draft = doc.Draft(document, line, kind, variant, points)
    return [draft.of_grid(grid, lambda row, col: (line, columns[origins[row * cols + col]]))], line


def _without_percents(text: str) -> tuple[str, list[int]]:
    """Return a URL with the characters that ``%2F`` and others stand for, and their columns.

    >>> _without_percents("p%2F4")
    ('p/4', [1, 2, 5, 6])
    """
    # Elsewhere, a percent sign is part of a number.
    if "/" in text[text.find("?") :]:
        return text, [*range(1, len(text) + 2)]
    columns = [found.start() + 1 for found in _CHARACTERS.finditer(text)]
    return unquote(text), [*columns, len(text) + 1]


def _first_cells(regions: Sequence[Sequence[int | None]]) -> list[int]:
    """Return the first cell of each region, as a number in reading order."""
    firsts: dict[int | None, int] = {}
    for cell, region in enumerate(chain.from_iterable(regions)):
        firsts.setdefault(region, cell)
    return list(firsts.values())


def _read_walls(
    body: str, start: int, rows: int, cols: int, fail: Fail
) -> tuple[dict[Ends, int], int]:
    """Return the borders at the start of a body by their places, and their number of characters.

    The bits are the walls between cells of a row, followed by those between cells of a column.
    """
    drawn: dict[Ends, int] = {}
    at = 0
    for pairs in neighbours(rows, cols):
        length = -(-len(pairs) // 5)
        _, origins, _ = decode(body[at : at + length], start + at, len(pairs), BORDERS, fail)
        drawn |= {pairs[place]: offset for place, offset in origins.items()}
        at += length
    return drawn, at


def neighbours(rows: int, cols: int) -> tuple[list[Ends], list[Ends]]:
    """Return the pairs of neighbours in rows, and those in columns, in reading order."""
    cells = [*product(range(rows), range(cols))]
    return (
        [((row, col), (row, col + 1)) for row, col in cells if col + 1 < cols],
        [((row, col), (row + 1, col)) for row, col in cells if row + 1 < rows],
    )


def _written() -> list[str]:
    return [kind.pzpr.name for kind in KINDS.values() if kind.pzpr is not None]


def stated_by(name: str) -> tuple[type[Puzzle], Pzpr] | None:
    """Return the kind with this name in URLs, and its `Pzpr`; ``None`` if there is none.

    Checks one kind after another, so that not all pages are loaded.
    """
    for kind in KINDS.values():
        if kind.pzpr is not None and any(name == known for known, _ in kind.pzpr.names):
            return kind, kind.pzpr
    return None


def _split(
    text: str, fail: Fail
) -> tuple[type[Puzzle], Pzpr, str | None, list[int], list[int], str]:
    """Return kind, `Pzpr`, variant, width and height, starts of these and of the body, and body."""
    query = text.find("?") + 1
    start = query or len(text) - len(text.lstrip(" \t"))
    options = _OPTIONS.match(text, start)
    assert options is not None
    parts = text[options.end() :].split("/")
    if "variant" in options.group() or parts[0].startswith("v:"):
        raise fail("expected a puzzle with the usual rules, found a variant", start)
    if (not query and "://" in text) or len(parts) == 1:
        expected = alternatives(f"?{name}/..." for name in _written())
        reason = f"expected a URL with {expected} (short links hold no puzzle)"
        raise fail(f"{reason}, found {quoted(text)}", start)
    # Append empty parts for those that are missing at the end.
    parts += ["", ""]
    offsets = [options.end()]
    for part in parts:
        offsets.append(min(offsets[-1] + len(part) + 1, len(text)))
    name = parts[0].removesuffix("_edit").removesuffix("_play")
    stated = stated_by(name)
    if stated is None:
        expected = alternatives(_written())
        raise fail(f"expected the puzzle {expected} in a URL, found {quoted(name)}", offsets[0])
    flag = ""
    if not _SIZE.fullmatch(parts[1]):
        found, at = parts.pop(1), offsets.pop(1)
        flag = "".join(sorted({*found}.difference(stated[1].drawn)))
        if (name, flag) not in stated[1].names:
            raise fail(f"expected the usual rules in a URL, found the variant {quoted(found)}", at)
    for part, at in zip(parts[1:3], offsets[1:3], strict=True):
        if not _SIZE.fullmatch(part):
            raise fail(f"expected a width and a height in a URL, found {quoted(part)}", at)
    body = "/".join(parts[3:]).rstrip("/")
    sizes = [int(part) for part in parts[1:3]]
    return *stated, stated[1].names[name, flag], sizes, offsets[1:4], body


def decode(
    body: str, start: int, size: int, coding: Coding, fail: Fail, *, last: bool | None = None
) -> tuple[list[Any], dict[int, int], int]:
    """Return the cells in reading order, the place of the code of each number, and the length.

    If this part of a body is not the ``last``, others follow, perhaps after a slash. After the last
    one, more empty cells may follow, at most as many, as in URLs written by hand.
    """
    if not body and coding.may_lack:
        return [None] * size, {}, 0
    cells: list[Any] = []
    origins: dict[int, int] = {}
    position, most = 0, 2 * size if last else size
    while position < len(body):
        offset = start + position
        if len(cells) >= most:
            if last is False:
                break
            raise fail(f"expected {size} cells, found {quoted(body[position:])} after them", offset)
        try:
            code = coding.read(body, position)
        except ValueError as error:
            raise fail(str(error), offset) from None
        for cell in code.cells:
            if cell is not None:
                origins[len(cells)] = offset
            cells.append(cell)
        if len(cells) > size:
            exceeds = len(cells) > most and not code.padded
            if exceeds or any(place >= size for place in origins):
                raise fail(f"expected {size} cells, found {len(cells)}", offset)
        position += code.length
    if len(cells) < size:
        raise fail(f"expected {size} cells, found {len(cells)}", start + len(body))
    return (
        cells[:size],
        origins,
        position + (last is False and body[position : position + 1] == "/"),
    )


def dot_at(row: int, col: int) -> tuple[Cell, str]:
    """Return the cell of a dot and its letter, from a table of cells and of what is between them.

    Raises ``ValueError`` for a dot between four cells.

    >>> dot_at(2, 4), dot_at(2, 5), dot_at(3, 4)
    (((1, 2), 'o'), ((1, 2), 'e'), ((1, 2), 's'))
    """
    if row % 2 and col % 2:
        raise ValueError("expected dots in cells and on sides, found one at a corner")
    return (row // 2, col // 2), "s" if row % 2 else "e" if col % 2 else "o"


def write(puzzle: Any, about: doc.About) -> str:  # noqa: ARG001 - a URL has no place for it
    """Return the URL at puzz.link, with cells coded exactly as pzpr does."""
    rows, cols = puzzle.rows, puzzle.cols
    if puzzle.pzpr is None:
        raise FormatError(f"pzpr has no {puzzle.kind}")
    own = [
        puzzle.annotations[part].what
        for part in puzzle.pzpr.parts(type(puzzle))
        if part in puzzle.annotations
    ]
    for what in annotation_names(puzzle):
        if what not in (REGIONS.what, *own):
            raise FormatError(f"a pzpr URL has no place for {what}")
    pzpr = puzzle.pzpr
    fitting = (one for one, variant in pzpr.names.items() if variant in (None, puzzle.variant))
    if (called := next(fitting, None)) is None:
        raise FormatError(f"pzpr has no {puzzle.kind} with the variant {puzzle.variant!r}")
    body = ""
    for part in pzpr.parts(type(puzzle)):
        cells: Sequence[Any] = puzzle.clues
        coding = coding_of(pzpr.coding)
        if part in ("regions", "walls"):
            body += _walls_of(puzzle, pzpr)
            continue
        if part == "ice":
            coding = BORDERS
            cells = [0 if cell in puzzle.ice else None for cell in puzzle.faces.face_names]
        elif part == "holes":
            coding = BITS
            cells = [0 if name is None else None for row in puzzle.regions for name in row]
        elif part == "sides":
            fine: list[list[Any]] = [[None] * (2 * cols) for _ in range(2 * rows)]
            for (row, col), word in puzzle.clue_cells():
                for letter in word:
                    fine[2 * row + (letter == "s")][2 * col + (letter == "e")] = 0
            cells = [mark for row in fine[:-1] for mark in row[:-1]]
        elif pzpr.by_region:
            clues = {cell: clue for (cell, *_), _, clue in puzzle.clues_by_region()}
            cells = [clues.get(cell) for cell, *_ in puzzle.cells_by_region()]
        body += coding.write(cells)
    return f"{_SITE}{'/'.join(filter(None, called))}/{cols}/{rows}/{body}"


def _walls_of(puzzle: Any, pzpr: Pzpr) -> str:
    """Return the borders of the regions, or the walls, as a URL has them."""
    drawn: set[Ends]
    if isinstance(puzzle, RegionPuzzle):
        has_holes = puzzle.clues_are_holes or "holes" in pzpr.layout
        if not has_holes and any(None in row for row in puzzle.regions):
            raise FormatError("a pzpr URL has no place for cells outside all regions")
        drawn = {*borders(puzzle.regions)}
    else:
        drawn = {*puzzle.walls}
    return "".join(
        BORDERS.write([0 if pair in drawn else None for pair in pairs])
        for pairs in neighbours(puzzle.rows, puzzle.cols)
    )

"""Puzzles as JSON: one object, an array of objects, or one object a line.

Ours: ``{"kind": "slitherlink", "rule": "loop", "rows": 2, "cols": 2, "grid": [[3, null],
[null, 2]]}``, with ``ends`` for an open path and an optional ``name``. The grid may also be a
string of rows or a list of such strings, as in the public data set
https://github.com/SmilingWayne/puzzlekit-dataset, whose ``id`` serves as the name. Keys that are
not known are ignored. Source of the notation: RFC 8259, https://www.rfc-editor.org/rfc/rfc8259
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

from linkoracle.errors import FormatError
from linkoracle.formats.building import (
    RULES,
    Ends,
    build,
    checked_size,
    decide_kind,
)
from linkoracle.formats.document import (
    Asked,
    Document,
    Entry,
    Place,
    clean_name,
    counted,
    quoted,
)
from linkoracle.formats.json_values import DECODER, Pairs, Path, locate, shown, skip_space
from linkoracle.formats.rows import check_rectangle, content, numbers, split_row
from linkoracle.puzzles import KINDS, Puzzle, Slitherlink

Grid = list[list[int | None]]
_CellPlace = Callable[[int, int], Place]


def sniff(document: Document, index: int) -> bool:
    """Tell whether the line begins an object or an array."""
    return document.lines[index].lstrip(" \t")[:1] in ("{", "[")


def read(document: Document, index: int, asked: Asked) -> tuple[list[Entry], int]:
    """Read the object or array that begins on line ``index``; return its puzzles and the index."""
    try:
        return _read(document, index, asked)
    except RecursionError:
        raise document.error(
            "expected a puzzle as JSON, found too deep a nesting", index + 1
        ) from None


def _read(document: Document, index: int, asked: Asked) -> tuple[list[Entry], int]:
    text = document.text
    position = skip_space(text, document.offset(index + 1))
    entries: list[Entry] = []
    if text[position] == "[":
        position = skip_space(text, position + 1)
        while text[position : position + 1] != "]":
            if entries:
                if text[position : position + 1] != ",":
                    raise _syntax(document, "expected ',' or ']' after a puzzle", position)
                position = skip_space(text, position + 1)
            entry, position = _read_object(document, position, asked)
            entries.append(entry)
            position = skip_space(text, position)
        position += 1
    else:
        entry, position = _read_object(document, position, asked)
        entries.append(entry)
    line, column = document.place(position)
    rest = document.lines[line - 1][column - 1 :].strip(" \t")
    if rest:
        at = document.lines[line - 1].index(rest, column - 1) + 1
        raise document.error(f"expected one JSON value a line, found {quoted(rest)}", line, at)
    return entries, line


def _syntax(document: Document, reason: str, position: int) -> FormatError:
    found = document.text[position : position + 1]
    shown = quoted(found) if found else "the end"
    return document.error(f"{reason}, found {shown}", *document.place(position))


def _read_object(document: Document, position: int, asked: Asked) -> tuple[Entry, int]:
    try:
        value, end = DECODER.raw_decode(document.text, position)
    except json.JSONDecodeError as error:
        # Python's own words for what is wrong, such as "Expecting ',' delimiter".
        reason = f"not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise document.error(reason, *document.place(error.pos)) from None
    reader = _Object(document, position, value)
    return reader.entry(asked), end


class _Object:
    """One object while it is read: its members, and where each stands."""

    def __init__(self, document: Document, position: int, value: object) -> None:
        self.document = document
        self.position = position
        self.members: dict[str, Any] = {}
        if not isinstance(value, Pairs):
            raise self.wrong((), "an object with a puzzle", value)
        for key, member in value:
            if key in self.members:
                raise self.fail((key,), f"expected the key {quoted(key)} once, found it twice")
            self.members[key] = member

    def place(self, path: Path, characters: int | None = None) -> Place:
        """The place of a value; with ``characters``, of that character of a string."""
        return self.document.place(locate(self.document.text, self.position, path, characters))

    def fail(self, path: Path, reason: str) -> FormatError:
        return self.document.error(reason, *self.place(path))

    def wrong(self, path: Path, expected: str, value: object) -> FormatError:
        where = f" in {path[0]!r}" if path else ""
        return self.fail(path, f"expected {expected}{where}, found {shown(value)}")

    def word(self, key: str, known: tuple[str, ...]) -> str | None:
        """The member ``key`` as one of the known words, or ``None`` when absent or null."""
        value = self.members.get(key)
        if value is not None and value not in known:
            raise self.wrong((key,), " or ".join(map(repr, known)), value)
        return cast("str | None", value)

    def size(self, key: str) -> int | None:
        value = self.members.get(key)
        if value is not None and (type(value) is not int or value < 1):
            raise self.wrong((key,), "a whole number from 1", value)
        return value

    def entry(self, asked: Asked) -> Entry:
        document = self.document
        line, column = document.place(self.position)
        stated = self.word("kind", tuple(KINDS))
        kind = decide_kind(document, asked, stated, line, column)
        rule = self.word("rule", RULES[kind])
        rows, cols = self.size("rows"), self.size("cols")
        if rows and cols:
            checked_size(document, rows, cols, *self.place(("rows",)))
        reader = self.strings if self._has_strings() else self.lists
        grid, place = reader(cols)
        for key, declared, found in (("rows", rows, len(grid)), ("cols", cols, len(grid[0]))):
            if declared is not None and declared != found:
                thing = "row" if key == "rows" else "column"
                raise self.fail(
                    (key,), f"expected {counted(found, thing)} as in 'grid', found {declared}"
                )
        ends = self.ends()
        puzzle = build(
            document,
            asked,
            kind,
            rule,
            grid,
            place,
            line,
            ends,
            (lambda: self.place(("ends",))) if ends else None,
        )
        return Entry(puzzle, self.name(), line)

    def name(self) -> str | None:
        for key in ("name", "id"):
            value = self.members.get(key)
            if isinstance(value, str):
                return clean_name(value)
            if key == "id" and type(value) is int:
                return str(value)
            if value is not None:
                raise self.wrong((key,), "a string", value)
        return None

    def ends(self) -> Ends | None:
        value = self.members.get("ends")
        if value is None:
            return None
        dots = value if type(value) is list else []
        if len(dots) != 2 or not all(_is_dot(dot) for dot in dots):
            raise self.wrong(("ends",), "two dots [row, column]", value)
        return (dots[0][0], dots[0][1]), (dots[1][0], dots[1][1])

    def _has_strings(self) -> bool:
        grid = self.members.get("grid")
        if "grid" not in self.members:
            raise self.fail((), "expected a key 'grid', found none")
        if isinstance(grid, str):
            return True
        if type(grid) is not list or not grid:
            raise self.wrong(("grid",), "rows of cells", grid)
        return isinstance(grid[0], str)

    def lists(self, cols: int | None) -> tuple[Grid, _CellPlace]:  # noqa: ARG002 - as `strings`
        """The grid from lists of numbers and nulls."""
        rows = self.members["grid"]
        width = len(rows[0]) if type(rows[0]) is list else 0
        for row, cells in enumerate(rows):
            if type(cells) is not list or not cells:
                raise self.wrong(("grid", row), "a row of cells", cells)
            if len(cells) != width:
                raise self.fail(
                    ("grid", row),
                    f"expected {counted(width, 'cell')} as in the first row, found {len(cells)}",
                )
            for col, cell in enumerate(cells):
                if cell is not None and type(cell) is not int:
                    raise self.wrong(("grid", row, col), "a whole number or null", cell)
        checked_size(self.document, len(rows), width, *self.place(("grid",)))
        return rows, lambda row, col: self.place(("grid", row, col))

    def strings(self, cols: int | None) -> tuple[Grid, _CellPlace]:
        """The grid from one string with line breaks, or from a list of strings."""
        value = self.members["grid"]
        if isinstance(value, str):
            texts = value.rstrip("\n").split("\n")
        else:
            texts = value
            for index, text in enumerate(texts):
                if not isinstance(text, str) or "\n" in text:
                    raise self.wrong(("grid", index), "a row of cells as a string", text)
        reporter = _GridString(self, value if isinstance(value, str) else None)
        rows = [
            split_row(content(text), number, single=cols == 1)
            for number, text in enumerate(texts, start=1)
        ]
        for row in rows:
            if not row.cells:
                raise reporter.error("expected a row of cells, found none", row.line, 1)
        check_rectangle(rows, reporter)
        return numbers(rows, reporter), lambda row, col: reporter.place(
            row + 1, rows[row].columns[col]
        )


class _GridString:
    """A grid inside strings: knows the place in the file of a line and column of the grid."""

    def __init__(self, owner: _Object, whole: str | None) -> None:
        self.owner = owner
        self.whole = whole

    def place(self, line: int, column: int) -> Place:
        if self.whole is None:
            return self.owner.place(("grid", line - 1), column - 1)
        before = sum(len(text) + 1 for text in self.whole.split("\n")[: line - 1])
        return self.owner.place(("grid",), before + column - 1)

    def error(self, reason: str, line: int, column: int) -> FormatError:
        return self.owner.document.error(reason, *self.place(line, column))


def _is_dot(value: object) -> bool:
    return (
        type(value) is list
        and len(value) == 2
        and all(type(part) is int and part >= 0 for part in value)
    )


def write(puzzle: Puzzle, name: str | None) -> str:
    """Return the puzzle as one object on one line."""
    members: dict[str, object] = {
        "kind": puzzle.kind,
        "rule": puzzle.rule,
        "rows": puzzle.rows,
        "cols": puzzle.cols,
        "grid": puzzle.grid,
    }
    if isinstance(puzzle, Slitherlink) and puzzle.ends:
        members["ends"] = puzzle.ends
    if name is not None:
        members["name"] = name
    return json.dumps(members)

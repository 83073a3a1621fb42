"""Puzzles as JSON: one object, an array of objects, or one object a line.

Ours: ``{"kind": "slitherlink", "variant": "loop", "rows": 2, "cols": 2, "grid": [[3, null],
[null, 2]]}``, with ``ends`` for an open path, lists of other annotations, and an optional
``name``, ``author`` and ``rules``. The grid may also be a string of rows or a list of such strings,
as in the public data set https://github.com/SmilingWayne/puzzlekit-dataset. Its ``id`` serves as
the name. Unknown keys are ignored, unless they hold the name of a variant. Source of the notation:
RFC 8259, https://www.rfc-editor.org/rfc/rfc8259
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from linkoracle.core import FormatError, counted, quoted
from linkoracle.formats import reading as doc
from linkoracle.formats.json_values import (
    DECODER,
    JsonPath,
    Pairs,
    locate,
    not_json,
    plain,
    shown,
    skip_space,
)
from linkoracle.formats.reading import Document
from linkoracle.formats.text import Row, check_rectangle, clues, split_row
from linkoracle.kinds import KINDS, Puzzle, alternatives

#: The keys that puzzles of all kinds may have.
_KEYS = ("kind", "variant", "rows", "cols", "grid", "board", "clues", "id", *doc.About._fields)
#: The cells, and the place of each cell in the text.
_Grid = tuple[list[list[Any]], Callable[[int, int], doc.Place]]


def read(document: Document, index: int) -> tuple[list[doc.Entry], int]:
    """Read the object or array that begins on line ``index``; return its puzzles and the index."""
    try:
        return _read(document, index)
    except RecursionError:
        raise document.error(
            "expected a puzzle as JSON, found too deep a nesting", index + 1
        ) from None


def _read(document: Document, index: int) -> tuple[list[doc.Entry], int]:
    text = document.text
    position = skip_space(text, document.starts[index])
    entries: list[doc.Entry] = []
    if text[position] == "[":
        position = skip_space(text, position + 1)
        while text[position : position + 1] != "]":
            if entries:
                if text[position : position + 1] != ",":
                    found = quoted(text[position]) if position < len(text) else "the end"
                    reason = f"expected ',' or ']' after a puzzle, found {found}"
                    raise document.error(reason, *document.place(position))
                position = skip_space(text, position + 1)
            entry, position = _read_object(document, position)
            entries.append(entry)
            position = skip_space(text, position)
        position += 1
    else:
        entry, position = _read_object(document, position)
        entries.append(entry)
    line, column = document.place(position)
    rest = document.lines[line - 1][column - 1 :].strip(" \t")
    if rest:
        at = document.lines[line - 1].index(rest, column - 1) + 1
        raise document.error(f"expected one JSON value a line, found {quoted(rest)}", line, at)
    return entries, line


def _read_object(document: Document, position: int) -> tuple[doc.Entry, int]:
    try:
        value, end = DECODER.raw_decode(document.text, position)
    except json.JSONDecodeError as error:
        raise document.error(not_json(error), *document.place(error.pos)) from None
    return _Object(document, position, value).entry(), end


class _Object:
    """One object while it is read: its members, and their places."""

    def __init__(self, document: Document, position: int, value: object) -> None:
        self.document = document
        self.position = position
        if not isinstance(value, Pairs):
            raise self.wrong((), "an object with a puzzle", value)
        self.members = self.once(value)

    def once(self, pairs: Pairs, *path: str) -> dict[str, Any]:
        """Return the members of the object at a path, each of which must be there once."""
        members: dict[str, Any] = {}
        for key, member in pairs:
            if key in members:
                raise self.fail(
                    (*path, key), f"expected the key {quoted(key)} once, found it twice"
                )
            members[key] = member
        return members

    def place(self, path: JsonPath, characters: int | None = None) -> doc.Place:
        """Return the place of a value, or of the character ``characters`` of a string."""
        return self.document.place(locate(self.document.text, self.position, path, characters))

    def fail(self, path: JsonPath, reason: str) -> FormatError:
        return self.document.error(reason, *self.place(path))

    def wrong(self, path: JsonPath, expected: str, value: object) -> FormatError:
        where = f" in {path[0]!r}" if path else ""
        return self.fail(path, f"expected {expected}{where}, found {shown(value)}")

    def word(self, key: str, known: Collection[str]) -> str | None:
        """Return the member ``key``, one of the known words; ``None`` if absent or null."""
        value = self.members.get(key)
        if value is not None and not (isinstance(value, str) and value in known):
            raise self.wrong((key,), alternatives(known), value)
        return value

    def size(self, key: str) -> int | None:
        value = self.members.get(key)
        if value is not None and (type(value) is not int or value < 1):
            raise self.wrong((key,), "a whole number from 1", value)
        return value

    def entry(self) -> doc.Entry:
        document = self.document
        line, column = document.place(self.position)
        stated = self.word("kind", KINDS)
        advice = 'Add the key \'kind\', such as "kind": "slitherlink", or name'
        kind = doc.decide_kind(document, stated, line, column, advice=advice)
        variant = self.word("variant", kind.variants)
        for key in self.members.keys() - {*_KEYS} | {"rules"}:
            if reason := doc.misplaced(self.members.get(key), kind, f"under {quoted(key)}"):
                raise self.fail((key,), reason)
        board = self.members.get("board")
        # Beside a grid, other programs may use this key for something else.
        if isinstance(board, Pairs) or (board is not None and "grid" not in self.members):
            return self.on_board(kind, variant)
        rows, cols = self.size("rows"), self.size("cols")
        if rows and cols:
            doc.checked_size(document, rows, cols, *self.place(("rows",)))
        grid, place = self.strings(cols, kind) if self._has_strings() else self.lists(kind)
        sizes = ("rows", "row", rows, len(grid)), ("cols", "column", cols, len(grid[0]))
        for key, thing, declared, found in sizes:
            if declared not in (None, found):
                expected = f"expected {counted(found, thing)} as in 'grid'"
                raise self.fail((key,), f"{expected}, found {declared}")
        return self.draft(kind, variant).of_grid(grid, place)

    def draft(
        self, kind: type[Puzzle], variant: str | None, *, numbered: bool = False
    ) -> doc.Draft:
        """Return the puzzle before its cells; with ``numbered``, vertices are numbers."""
        points, (line, _) = self.points(kind, numbered=numbered), self.document.place(self.position)
        return doc.Draft(self.document, line, kind, variant, points, self.about())

    def on_board(self, kind: type[Puzzle], variant: str | None) -> doc.Entry:
        """Return the puzzle on the faces of the board of the object."""
        for key in ("grid", "rows", "cols"):
            if self.members.get(key) is not None:
                raise self.fail((key,), f"expected a board or {key!r}, found both")
        said = self.members["board"]
        if not isinstance(said, Pairs):
            raise self.wrong(("board",), "an object", said)
        from linkoracle.formats.board_texts import board_at, on_board

        parts = {key: plain(member) for key, member in self.once(said, "board").items()}
        board = board_at(self.document, parts, self.place(("board",)))
        clues = [] if self.members.get("clues") is None else self.members["clues"]
        if type(clues) not in (list, str):
            raise self.wrong(("clues",), "an array or a string", clues)

        def place(face: int) -> doc.Place:
            is_list = type(clues) is list and clues
            return self.place(("clues", face) if is_list else ("clues",))

        return on_board(self.draft(kind, variant, numbered=True), board, clues, place)

    def about(self) -> doc.About:
        author, rules = (
            doc.clean_name(said) if isinstance(said := self.members.get(key), str) else None
            for key in ("author", "rules")
        )
        return doc.About(self.name(), author, rules)

    def name(self) -> str | None:
        for key in ("name", "id"):
            value = self.members.get(key)
            if isinstance(value, str):
                return doc.clean_name(value)
            if key == "id" and type(value) is int:
                return str(value)
            # An id may be any value; a name must be printable.
            if value is not None and key == "name":
                raise self.wrong((key,), "a string", value)
        return None

    def points(self, kind: type[Puzzle], *, numbered: bool = False) -> doc.Points:
        """Return the annotations of the object, for this or any other kind.

        With ``numbered``, for boards that are not square, vertices of edges are numbers.
        """
        every = dict(kind.annotations)
        if not self.members.keys() <= {*_KEYS, *every}:
            # Find lists of other kinds, too, so that they are an error. This loads all kinds.
            every |= {
                name: one for kind in KINDS.values() for name, one in kind.annotations.items()
            }
        found: dict[str, tuple[list[Any], doc.PlaceIn]] = {}
        for name, listed in every.items():
            value = self.members.get(name)
            if value is None:
                continue
            if listed.grid:
                if type(value) is not list or not all(isinstance(row, list | str) for row in value):
                    raise self.wrong((name,), "rows of names", value)
                for row, names in enumerate(value):
                    for col, one in enumerate(names):
                        if one is not None and type(one) not in (int, str):
                            raise self.wrong((name, row, col), "a name or a whole number", one)
                if value:
                    found[name] = value, partial(self._place_in, name)
                continue
            what, is_one = "a place [row, column]", _is_vertex
            if listed.of_lines:
                what, is_one = 'a place with its number, such as ["r1", 3]', _is_numbered
            elif listed.edges and numbered:
                what = "a line as a pair of numbers"
            elif listed.edges:
                what, is_one = "a line as a pair of places", _is_edge
            if listed.length is None:
                if type(value) is not list:
                    raise self.wrong((name,), f"an array, each of it {what},", value)
                for place, one in enumerate(value):
                    if not is_one(one):
                        raise self.wrong((name, place), what, one)
            elif not (_is_list(value, listed.length) and all(map(is_one, value))):
                found_there = len(value) if type(value) is list else value
                raise self.wrong((name,), f"{listed.length} places [row, column]", found_there)
            if value:
                found[name] = [plain(one, tuple) for one in value], partial(self._place_in, name)
        return found

    def _place_in(self, name: str, number: int | None) -> doc.Place:
        return self.place((name,) if number is None else (name, number))

    def _has_strings(self) -> bool:
        grid = self.members.get("grid")
        if "grid" not in self.members:
            raise self.fail((), "expected a key 'grid', found none")
        if isinstance(grid, str):
            return True
        if type(grid) is not list or not grid:
            raise self.wrong(("grid",), "rows of cells", grid)
        return isinstance(grid[0], str)

    def lists(self, kind: type[Puzzle]) -> _Grid:
        """Return the grid of lists of clues and nulls."""
        word = "a whole number" if kind.words is None else "a clue as a string"
        rows = self.members["grid"]
        width = len(rows[0]) if type(rows[0]) is list else 0
        for row, cells in enumerate(rows):
            if type(cells) is not list or not cells:
                raise self.wrong(("grid", row), "a row of cells", cells)
            if len(cells) != width:
                expected = f"expected {counted(width, 'cell')} as in the first row"
                raise self.fail(("grid", row), f"{expected}, found {len(cells)}")
            for col, cell in enumerate(cells):
                if cell is not None and type(cell) is not (int if kind.words is None else str):
                    raise self.wrong(("grid", row, col), f"{word} or null", cell)
        doc.checked_size(self.document, len(rows), width, *self.place(("grid",)))
        return rows, lambda row, col: self.place(("grid", row, col))

    def strings(self, cols: int | None, kind: type[Puzzle]) -> _Grid:
        """Return the grid of one string with line breaks, or of a list of strings."""
        value = self.members["grid"]
        if isinstance(value, str):
            texts = value.rstrip("\n").split("\n")
        else:
            texts = value
            for index, text in enumerate(texts):
                if not isinstance(text, str) or "\n" in text:
                    raise self.wrong(("grid", index), "a row of cells as a string", text)
        reporter = _GridString(self, value if isinstance(value, str) else None)
        rows: list[Row] = []
        for line, text in enumerate(texts, start=1):
            rows.append(split_row(text, line, single=cols == 1))
            if not rows[-1].cells:
                raise reporter.error("expected a row of cells, found none", line, 1)
        check_rectangle(rows, reporter)
        grid = clues(rows, reporter, kind)
        return grid, lambda row, col: reporter.place(row + 1, rows[row].columns[col])


class _GridString:
    """A grid inside strings, which maps its lines and columns to places in the file."""

    def __init__(self, owner: _Object, whole: str | None) -> None:
        self.owner = owner
        self.whole = whole

    def place(self, line: int, column: int) -> doc.Place:
        if self.whole is None:
            return self.owner.place(("grid", line - 1), column - 1)
        before = sum(len(text) + 1 for text in self.whole.split("\n")[: line - 1])
        return self.owner.place(("grid",), before + column - 1)

    def error(self, reason: str, line: int, column: int) -> FormatError:
        return self.owner.document.error(reason, *self.place(line, column))


def _is_list(value: Any, length: int) -> bool:
    return type(value) is list and len(value) == length


def _is_vertex(value: Any) -> bool:
    return _is_list(value, 2) and all(type(part) is int and part >= 0 for part in value)


def _is_numbered(value: Any) -> bool:
    return _is_list(value, 2) and type(value[0]) is str and type(value[1]) is int


def _is_edge(value: Any) -> bool:
    return _is_list(value, 2) and all(map(_is_vertex, value))


def write(puzzle: Puzzle, about: doc.About) -> str:
    """Return the puzzle as one object on one line."""
    members: dict[str, Any] = {"kind": puzzle.kind, "variant": puzzle.variant}
    keys = ["rows", "cols", "grid"]
    # Rows say how large a board is; another board has words, or a list of its edges.
    if puzzle.tiling is not None:
        from linkoracle.formats.board_texts import json_of_board

        members["board"] = json_of_board(puzzle.tiling)
        keys = ["clues"]
    members |= {key: getattr(puzzle, key) for key in keys}
    members |= {key: found for key in puzzle.annotations if (found := getattr(puzzle, key))}
    members |= {key: said for key, said in about._asdict().items() if said is not None}
    return json.dumps(members)

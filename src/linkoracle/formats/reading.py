"""The formats by name, reading and writing: sniff a text puzzle by puzzle, or write in one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import takewhile
from typing import Any

from linkoracle.core.errors import FormatError
from linkoracle.formats.document import (
    MAX_DIGITS,
    Asked,
    Document,
    Entry,
    clean_name,
    load,
    quoted,
)
from linkoracle.kinds import Puzzle

#: What a line begins with in each format, its spaces taken away.
_JSON = re.compile(r"[{\[]")
_PZPR = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://|\S*\?(?:\w+=\w*&)*(?:[mp]\+)?\w+/"
    r"|(?:[mp]\+)?[a-z][a-z0-9]*(?:_edit|_play)?/(?:[^/\s]*/)?\d+/\d+(?:/|\s|$)"
)
# A "#" alone after a number would be a row and a comment: only an x or t makes it a seed.
_LOOPY = re.compile(
    r"\d+(?:x\d+)?(?:t\d+)?(?:d[a-z])?:|\d+(?:x\d+(?:t\d+)?|t\d+)(?:d[a-z])?#", re.ASCII
)
_DIMENSIONS = re.compile(r"\d+[ \t]+\d+[ \t]*(?:#|$)", re.ASCII)
_ANYTHING = re.compile("")


@dataclass(frozen=True)
class Format:
    """One format: its name, a line about it, and what it can do.

    ``one_line`` formats take a line a puzzle, and are written without a line break at the end. The
    module of a format is loaded when a text ``looks`` like it: some line of the puzzle does, or of
    ``first`` only the first one. Then its ``sniffer`` decides, if there is one.
    """

    name: str
    description: str
    module: str
    looks: re.Pattern[str]
    sniffer: str | None = None
    reader: str = "read"
    writer: str | None = "write"
    first: bool = True
    one_line: bool = False

    @property
    def writes(self) -> bool:
        """Whether puzzles can be written in this format."""
        return self.writer is not None

    def sniff(self, document: Document, index: int) -> bool:
        """Tell whether the puzzle at a line is in this format."""
        end = index + 1 if self.first else len(document.lines)
        lines = (document.lines[at].strip(" \t") for at in range(index, end))
        if not any(self.looks.match(line) for line in takewhile(bool, lines)):
            return False
        return self.sniffer is None or bool(self._part(self.sniffer)(document, index))

    def read(self, document: Document, index: int, asked: Asked) -> tuple[list[Entry], int]:
        """Return the puzzles at a line, and the index of the line after them."""
        found: tuple[list[Entry], int] = self._part(self.reader)(document, index, asked)
        return found

    def write(self, puzzle: Puzzle, name: str | None) -> str:
        """Return the puzzle as a text; `FormatError` if it cannot be said."""
        assert self.writer is not None
        return str(self._part(self.writer)(puzzle, name))

    def _part(self, name: str) -> Callable[..., Any]:
        part: Callable[..., Any] = getattr(import_module(f"linkoracle.formats.{self.module}"), name)
        return part


_ALL = (
    Format("json", "JSON: an object a puzzle", "json_format", _JSON, one_line=True),
    Format("pzpr", "a puzz.link / pzpr URL, such as slither", "pzpr", _PZPR, one_line=True),
    Format(
        "loopy", "a game ID of Simon Tatham's Loopy: loops only", "loopy", _LOOPY, one_line=True
    ),
    Format(
        "slk",
        "a .slk file: Slitherlink with a partial solution, read only",
        *("dims", _DIMENSIONS, "sniff_slk", "read_slk", None),
    ),
    Format(
        "rows-cols",
        "rows under a line 'rows cols'",
        *("dims", _DIMENSIONS, "sniff", "read", "write_rows_cols", False),
    ),
    Format(
        "cols-rows",
        "rows under a line 'cols rows'",
        *("dims", _DIMENSIONS, "sniff", "read", "write_cols_rows", False),
    ),
    Format("text", "the native text: a header and the rows", "text", _ANYTHING),
)

#: The formats by name, in the order in which they are tried on a text: ``text`` takes what is left.
FORMATS: dict[str, Format] = {one.name: one for one in _ALL}

_NAME = re.compile(r"#\s*name\s*:(.*)", re.IGNORECASE | re.DOTALL)


def read(
    source: str | os.PathLike[str], *, kind: str | None = None, rule: str | None = None
) -> Puzzle:
    """Return the one puzzle that ``source`` holds; the arguments are those of `read_all`.

    Raises `FormatError` as `read_all` does, and when there are several puzzles.

    >>> read("slitherlink\\n3.\\n.2\\n")
    Slitherlink(grid=((3, None), (None, 2)), ends=None)
    >>> read("https://puzz.link/p?numlin/2/2/1212").rule
    'free'
    """
    document, entries = _read_source(source, Asked.checked(kind, rule), None)
    if len(entries) > 1:
        raise document.error(f"expected one puzzle, found {len(entries)} (read_all reads them all)")
    return entries[0].puzzle


def read_all(
    source: str | os.PathLike[str],
    *,
    kind: str | None = None,
    rule: str | None = None,
    name: str | None = None,
) -> list[Entry]:
    """Return every puzzle that ``source`` holds, in order, in whatever formats.

    ``source`` is a path, or a string that is the text itself: one with a line break, a URL, a game
    ID or JSON. ``kind`` says which of `linkoracle.kinds.KINDS` it is where the text does not;
    ``rule`` overrides the rule of Numberlink puzzles. ``name`` is what errors call the source.

    Raises `FormatError` for anything that is not puzzles, with the line and column.

    >>> for entry in read_all("# name: tiny\\nslitherlink\\n4\\n\\nnumberlink\\n11\\n"):
    ...     print(entry.line, entry.name, entry.puzzle.kind)
    2 tiny slitherlink
    5 None numberlink
    """
    return _read_source(source, Asked.checked(kind, rule), name)[1]


def _read_source(
    source: str | os.PathLike[str], asked: Asked, name: str | None
) -> tuple[Document, list[Entry]]:
    document = load(source, name, _is_one_line)
    entries = _read_document(document, asked)
    if not entries:
        raise document.error("expected a puzzle, found none")
    return document, entries


def _is_one_line(text: str) -> bool:
    document = Document(text)
    return any(one.sniff(document, 0) for one in FORMATS.values() if one.one_line)


def _read_document(document: Document, asked: Asked) -> list[Entry]:
    entries: list[Entry] = []
    name = None
    index = 0
    while index < len(document.lines):
        line = document.lines[index].lstrip(" \t")
        if not line or line.startswith("#"):
            comment = _NAME.match(line)
            if comment:
                name = clean_name(comment[1])
            index += 1
            continue
        one = next(one for one in FORMATS.values() if one.sniff(document, index))
        found, index = one.read(document, index, asked)
        entries += [
            Entry(entry.puzzle, entry.name or name, entry.line) if name else entry
            for entry in found
        ]
        name = None
    return entries


def write(puzzle: Puzzle, format: str = "text", *, name: str | None = None) -> str:  # noqa: A002 - the word users expect
    """Return ``puzzle`` in a format of `FORMATS`; grids end with a line break, one-liners do not.

    Raises `FormatError` when there is no such format, or it cannot express the puzzle.

    >>> from linkoracle.kinds import Slitherlink
    >>> write(Slitherlink([[3, None], [None, 2]]), "pzpr")
    'https://puzz.link/p?slither/2/2/dc'
    """
    one = FORMATS.get(format)
    if one is None or not one.writes:
        known = ", ".join(repr(name) for name, one in FORMATS.items() if one.writes)
        read_only = " (it can only be read)" if format in FORMATS else ""
        raise FormatError(f"expected a format {known}, found {quoted(str(format))}{read_only}")
    if any(cell is not None and cell >= 10**MAX_DIGITS for row in puzzle.grid for cell in row):
        raise FormatError(f"expected numbers of at most {MAX_DIGITS} digits, found a longer one")
    return one.write(puzzle, name)

"""Reading and writing in whatever format: sniff a text puzzle by puzzle, or write in one."""

from __future__ import annotations

import os
import re

from linkoracle.errors import FormatError
from linkoracle.formats.building import MAX_DIGITS, checked_asked
from linkoracle.formats.document import Asked, Document, Entry, clean_name, load, quoted
from linkoracle.formats.registry import FORMATS
from linkoracle.puzzles import Puzzle

_NAME = re.compile(r"#\s*name\s*:(.*)", re.IGNORECASE | re.DOTALL)


def read(
    source: str | os.PathLike[str], *, kind: str | None = None, rule: str | None = None
) -> Puzzle:
    """Return the one puzzle that ``source`` holds; the arguments are those of `read_all`.

    Raises `FormatError` as `read_all` does, and when there are several puzzles.

    >>> read("slitherlink\\n3.\\n.2\\n")
    Slitherlink(clues=((3, None), (None, 2)), ends=None)
    >>> read("https://puzz.link/p?numlin/2/2/1212").rule
    'free'
    """
    document, entries = _read_source(source, checked_asked(kind, rule), None)
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
    ID or JSON. ``kind`` says ``"slitherlink"`` or ``"numberlink"`` where the text does not;
    ``rule`` overrides the rule of Numberlink puzzles. ``name`` is what errors call the source.

    Raises `FormatError` for anything that is not puzzles, with the line and column.

    >>> for entry in read_all("# name: tiny\\nslitherlink\\n4\\n\\nnumberlink\\n11\\n"):
    ...     print(entry.line, entry.name, entry.puzzle.kind)
    2 tiny slitherlink
    5 None numberlink
    """
    return _read_source(source, checked_asked(kind, rule), name)[1]


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

    >>> from linkoracle.puzzles import Slitherlink
    >>> write(Slitherlink([[3, None], [None, 2]]), "pzpr")
    'https://puzz.link/p?slither/2/2/dc'
    """
    writers = {known: one.write for known, one in FORMATS.items() if one.write}
    writer = writers.get(format)
    if writer is None:
        known = ", ".join(map(repr, writers))
        read_only = " (it can only be read)" if format in FORMATS else ""
        raise FormatError(f"expected a format {known}, found {quoted(str(format))}{read_only}")
    if any(cell is not None and cell >= 10**MAX_DIGITS for row in puzzle.grid for cell in row):
        raise FormatError(f"expected numbers of at most {MAX_DIGITS} digits, found a longer one")
    return writer(puzzle, name)

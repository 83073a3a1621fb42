"""The native text format: a header line, and the grid as rows of cells.

::

    # name: a small one
    slitherlink
    .3.
    2.2
    ...

The grammar is in ``docs/reference/file-formats.md``. The dimension formats
(`linkoracle.formats.dims`) are the same blocks with an additional line, and use the same reader.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from linkoracle.core import FormatError, counted, quoted
from linkoracle.formats import reading as doc
from linkoracle.formats.reading import MAX_CELLS, MAX_DIGITS, Document, Place
from linkoracle.kinds import EMPTY, KINDS, Puzzle, alternatives

_WORD = re.compile(r"[^ \t]+")
#: The cells of a row of letters.
_LETTERS = re.compile("[A-Za-z.-]+")
#: The words of a line.
Words = Sequence[re.Match[str]]

#: The first word of the line that names a board without rows and columns.
BOARD = "board"


class Reporter(Protocol):
    """Reports errors at a line and a column: of a document, or of a string inside it."""

    def error(self, reason: str, line: int, column: int) -> FormatError: ...


class Row(NamedTuple):
    """One row split into cells: their texts, their columns, and the end of the row."""

    cells: Sequence[str]
    columns: Sequence[int]
    line: int
    end: int
    spaced: bool

    def __len__(self) -> int:
        return len(self.cells)


def content(line: str) -> str:
    """Return a line without its comment and the spaces before it.

    >>> content("1 . 2  # the top row")
    '1 . 2'
    """
    return line.partition("#")[0].rstrip(" \t")


def split_row(text: str, line: int, *, single: bool = False) -> Row:
    """Split a row at spaces, or into characters if it has no space inside.

    With ``single``, for boards with one column, a row without spaces is one cell.

    >>> split_row("10 . 2", 1).cells
    ['10', '.', '2']
    >>> split_row("3.2", 1).cells
    '3.2'
    >>> split_row("10", 1, single=True).cells
    ['10']
    """
    words = list(_WORD.finditer(text))
    cells = [word[0] for word in words]
    columns = [word.start() + 1 for word in words]
    end = columns[-1] + len(cells[-1]) if cells else 1
    if len(cells) == 1 and not single:
        return Row(cells[0], range(columns[0], end), line, end, False)
    return Row(cells, columns, line, end, len(cells) > 1)


def check_width(row: Row, cols: int, reporter: Reporter, why: str) -> None:
    """Raise `FormatError` at the end of a row that is too short, or at its first excess cell."""
    if len(row) != cols:
        column = row.end if len(row) < cols else row.columns[cols]
        raise reporter.error(
            f"expected {counted(cols, 'cell')}{why}, found {len(row)}", row.line, column
        )


def check_rectangle(rows: Sequence[Row], reporter: Reporter) -> None:
    """Raise `FormatError` at a row of another length than the first row, or for too many cells."""
    cells = 0
    for row in rows:
        check_width(row, len(rows[0]), reporter, f" as in the first row (line {rows[0].line})")
        cells += len(row)
        if cells > MAX_CELLS:
            raise reporter.error(f"expected at most {MAX_CELLS} cells, found more", row.line, 1)


def clues(
    rows: Sequence[Row], reporter: Reporter, kind: type[Puzzle], hint: str = ""
) -> list[list[Any]]:
    """Return the cells as clues of a kind; ``None`` for an empty cell.

    Raises `FormatError` for an invalid number; ``hint`` is added to the message for a letter. The
    kind checks words.
    """
    grid: list[list[Any]] = [[kind.clue_of(text) for text in row.cells] for row in rows]
    if kind.words is None:
        for cells, row in zip(grid, rows, strict=True):
            for index, clue in enumerate(cells):
                if isinstance(clue, str):
                    cells[index] = _number(row, index, reporter, hint, [*kind.annotations])
    return grid


def labels(rows: Sequence[Row], reporter: Reporter) -> list[list[Any]]:
    """Return the cells as numbers; single characters may be labels.

    If any label is not a whole number from 1, all labels are numbered 1, 2, 3 ... in the order of
    their first cells.

    >>> from linkoracle.formats.reading import Document
    >>> labels([split_row("b.7", 1), split_row("7.b", 2)], Document(""))
    [[1, None, 2], [2, None, 1]]
    """
    grid: list[list[Any]] = [
        [
            None
            if text in EMPTY
            else text
            if len(text) == 1 and text.isascii() and text.isprintable() and not text.isdigit()
            else _number(row, index, reporter)
            for index, text in enumerate(row.cells)
        ]
        for row in rows
    ]
    found = dict.fromkeys(label for cells in grid for label in cells if label is not None)
    if all(isinstance(label, int) and label > 0 for label in found):
        return grid
    order = {label: number for number, label in enumerate(found, start=1)}
    return [[order.get(label) for label in cells] for cells in grid]


def _number(
    row: Row, index: int, reporter: Reporter, hint: str = "", lists: Sequence[str] = ()
) -> int:
    """Return a cell as a number; a row may be a list with a wrong name, out of ``lists``."""
    text = row.cells[index]
    if not (text.isascii() and text.isdigit()):
        expected, more = "or '.'", hint if len(text) == 1 and text.isalpha() else ""
        if len(text) > 1 and text.isalpha() and lists:
            expected = f"or '.', or a list {alternatives(lists)}"
    elif len(text) > MAX_DIGITS:
        expected, more = f"of at most {MAX_DIGITS} digits", ""
    else:
        return int(text)
    reason = f"expected a number {expected}, found {quoted(text)}{more}"
    raise reporter.error(reason, row.line, row.columns[index])


LETTERS_HINT = (
    " (labels that are letters each stand twice, or need a line with the dimensions above the rows)"
)

_NUMBER = rf"(\d{{1,{MAX_DIGITS}}})"
_VERTEX = rf"{_NUMBER},{_NUMBER}"
#: An item of a list of vertices, and of a list of edges.
_ITEMS = {
    False: re.compile(_VERTEX, re.ASCII),
    True: re.compile(f"{_VERTEX}-{_VERTEX}", re.ASCII),
}
#: An item of a list of numbers beside the grid.
_NUMBERED_LINES = re.compile(rf"([a-z]+\d*)={_NUMBER}", re.ASCII)
#: An item of a list of edges on a board that is not square.
_NUMBERED = re.compile(f"{_NUMBER}-{_NUMBER}", re.ASCII)


@dataclass
class Block:
    """The lines of one puzzle up to a blank line: the header, the annotations and the rows.

    ``rows`` are the other lines but comments, with their numbers. ``next_index`` is the index, from
    0, of the line after the block.
    """

    line: int
    kind: str | None = None
    variant: str | None = None
    points: dict[str, tuple[list[Any], doc.PlaceIn]] = field(default_factory=dict)
    rows: list[tuple[int, str]] = field(default_factory=list)
    next_index: int = 0
    grids: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    #: The board, if the text names one, and the line and column of its name.
    board: tuple[str, Place] | None = None
    #: The list for the next rows: those of the grid, or of a grid of annotations.
    section: list[tuple[int, str]] = field(init=False)

    def __post_init__(self) -> None:
        self.section = self.rows

    @property
    def stated(self) -> str | None:
        """The kind that a block states by its header, or by annotations that only one kind has."""
        if self.kind or not self.points:
            return self.kind
        found = [
            name for name, kind in KINDS.items() if self.points.keys() <= kind.annotations.keys()
        ]
        return found[0] if len(found) == 1 else None

    def draft(self, document: Document, kind: type[Puzzle]) -> doc.Draft:
        """Return the puzzle before its cells."""
        return doc.Draft(document, self.line, kind, self.variant, self.points)

    def entry(
        self, document: Document, kind: type[Puzzle], grid: list[list[Any]], rows: list[Row]
    ) -> doc.Entry:
        """Build the puzzle whose ``grid`` was read from ``rows``."""

        def place(row: int, col: int) -> Place:
            return rows[row].line, rows[row].columns[col]

        for name, beside in self.grids.items():
            _, place_in = self.points[name]
            self.points[name] = [split_row(text, line).cells for line, text in beside], place_in
        return self.draft(document, kind).of_grid(grid, place)


def read_block(document: Document, index: int) -> Block:
    """Read the block at line ``index`` (from 0); raise `FormatError` for an invalid header."""
    block = Block(line=index + 1)
    letters = _has_letters(document, index)
    if letters and document.kind is None:
        block.kind = "numberlink"
    for number in range(index + 1, len(document.lines) + 1):
        line = document.lines[number - 1]
        if not line.strip(" \t"):
            break
        block.next_index = number
        text = content(line)
        words = list(_WORD.finditer(text))
        first = not (block.kind or block.rows or block.points or letters)
        if not words or (first and _read_header(document, block, words, number)):
            continue
        word = words[0][0].lower()
        if word == BOARD:
            _read_board(document, block, words, number)
            continue
        # "ends" alone may be a row of labels, unless the kind has such a list.
        if _is_points(word) if words[1:] else block.kind and word in KINDS[block.kind].annotations:
            _read_points(document, block, words, number)
        else:
            block.section.append((number, text))
    return block


def _has_letters(document: Document, index: int) -> bool:
    """Return whether the block at a line has only rows of letters, each exactly twice.

    Only a Numberlink has letters in pairs.
    """
    rows = []
    for line in document.lines[index:]:
        if not line.strip(" \t"):
            break
        if text := content(line):
            rows.append(text.split())
            if not _LETTERS.fullmatch("".join(rows[-1])):
                return False
    cells = [row if len(row) > 1 else [*row[0]] for row in rows]
    held = Counter(cell for row in cells for cell in row if cell not in EMPTY)
    return (
        len(cells) > 1
        and len({*map(len, cells)}) == 1
        and {*held.values()} == {2}
        and all(len(cell) == 1 for cell in held)
    )


def _read_header(document: Document, block: Block, words: Words, number: int) -> bool:
    kind = words[0][0].lower()
    if not (len(kind) > 1 and kind.isalpha()) or kind == BOARD:
        return False
    if kind not in KINDS:
        if not _is_points(kind):
            raise _other(document, f"a header {alternatives(KINDS)}", number, words[0])
        return False
    block.kind = kind
    variants = KINDS[kind].variants
    block.variant = words[1][0].lower() if len(words) > 1 else next(iter(variants))
    if block.variant not in variants or len(words) > 2:
        wrong = words[2 if block.variant in variants else 1]
        expected = f"after {kind!r} nothing or {alternatives(variants)}"
        raise _other(document, expected, number, wrong)
    return True


def _read_board(document: Document, block: Block, words: Words, number: int) -> None:
    if block.board is not None:
        raise _other(document, f"one line {BOARD!r}", number, words[0])
    if block.points:
        expected = f"the line {BOARD!r} above the line {next(iter(block.points))!r}"
        raise _other(document, expected, number, words[0])
    if len(words) < 2:
        expected = f"{BOARD!r} and a board, such as 'honeycomb 7 7'"
        raise document.error(f"expected {expected}, found nothing", number, words[0].end() + 1)
    start = words[1].start()
    block.board = words[0].string[start:], (number, start + 1)


def _other(document: Document, expected: str, line: int, found: re.Match[str]) -> FormatError:
    """Return the error that this word was found in place of the expected text."""
    return document.error(f"expected {expected}, found {quoted(found[0])}", line, found.start() + 1)


def _is_points(word: str) -> bool:
    # Rows begin with single letters, which do not require loading all kinds.
    return (
        len(word) > 1 and word.isalpha() and any(word in one.annotations for one in KINDS.values())
    )


def _read_points(document: Document, block: Block, words: Words, number: int) -> None:
    name = words[0][0].lower()
    if name in block.points:
        column = words[0].start() + 1
        raise document.error(f"expected one line {name!r}, found a second", number, column)
    listed = next(kind.annotations[name] for kind in KINDS.values() if name in kind.annotations)
    if listed.grid:
        if len(words) > 1:
            raise _other(document, f"rows under the line {name!r}", number, words[1])
        # The rows from here on belong to this list.
        block.section = block.grids.setdefault(name, [])
        block.points[name] = [], lambda place: (number if place is None else number + 1 + place, 1)
        return
    form, expected = _ITEMS[listed.edges], f"{name!r} and {listed.expected_items}"
    if block.board is not None and listed.edges:
        form, expected = _NUMBERED, f"{name!r} and pairs of numbers such as '3-7'"
    elif listed.of_lines:
        form = _NUMBERED_LINES
    found: list[Any] = []
    for word in words[1:]:
        item = form.fullmatch(word.group())
        if item is None or len(found) == listed.length:
            raise _other(document, expected, number, word)
        if listed.of_lines:
            found.append((item[1], int(item[2])))
            continue
        one, two, *other = map(int, item.groups())
        found.append(((one, two), tuple(other)) if other else (one, two))
    if len(found) < (listed.length or 1):
        raise document.error(
            f"expected {expected}, found {len(found)}", number, words[-1].end() + 1
        )
    columns = [word.start() + 1 for word in words[1:]]
    block.points[name] = found, lambda place: (number, columns[place or 0])


def read(document: Document, index: int) -> tuple[list[doc.Entry], int]:
    """Read the block at line ``index`` (from 0); return the puzzle and the index after it."""
    block = read_block(document, index)
    if block.kind is None and any(map(content, document.lines[:index])):
        raise document.error(
            f"expected a header {alternatives(KINDS)} before another puzzle, found "
            f"{quoted(document.lines[index].strip())} (a blank line ends a puzzle)",
            block.line,
        )
    return [read_plain(document, block)], block.next_index


def read_plain(document: Document, block: Block) -> doc.Entry:
    """Build the puzzle of a block whose rows are all rows of cells, or clues of a board."""
    if block.board is not None:
        from linkoracle.formats.board_texts import read_on_board

        kind = doc.decide_kind(document, block.kind, block.line)
        words = [
            (word[0], (number, word.start() + 1))
            for number, text in block.rows
            for word in _WORD.finditer(text)
        ]
        return read_on_board(block.draft(document, kind), *block.board, words)
    if not block.rows:
        raise document.error("expected rows after the header, found none", block.line)
    kind = doc.decide_kind(document, block.stated, block.line)
    rows = [split_row(text, number) for number, text in block.rows]
    check_rectangle(rows, document)
    if kind.letters and _has_letters(document, block.rows[0][0] - 1):
        grid = labels(rows, document)
    else:
        grid = clues(rows, document, kind, LETTERS_HINT if kind.letters else "")
    return block.entry(document, kind, grid, rows)

"""Rows of cells as text: the one tokenizer of every format that draws its grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from linkoracle.errors import FormatError
from linkoracle.formats.building import MAX_CELLS, MAX_DIGITS
from linkoracle.formats.document import counted, quoted

EMPTY = (".", "-")

#: Cells before labels have been made numbers.
Labels = list[list[int | str | None]]


class Reporter(Protocol):
    """What knows where a line and a column are: a document, or a string inside one."""

    def error(self, reason: str, line: int, column: int) -> FormatError: ...


class Row(NamedTuple):
    """One row split into cells: their texts, their columns, and where the row ends."""

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
    """Split a row on spaces, or into characters when it has no space inside.

    With ``single``, for boards known to have one column, a row without spaces is one cell.

    >>> split_row("10 . 2", 1).cells
    ['10', '.', '2']
    >>> split_row("3.2", 1).cells
    '3.2'
    >>> split_row("10", 1, single=True).cells
    ['10']
    """
    words = text.replace("\t", " ").split(" ")
    columns = []
    cells = []
    column = 1
    for word in words:
        if word:
            cells.append(word)
            columns.append(column)
        column += len(word) + 1
    end = columns[-1] + len(cells[-1]) if cells else 1
    if len(cells) == 1 and not single:
        return Row(cells[0], range(columns[0], end), line, end, False)
    return Row(cells, columns, line, end, len(cells) > 1)


def check_width(row: Row, cols: int, reporter: Reporter, why: str) -> None:
    """Raise `FormatError` where ``row`` ends too early, or at its first cell too many."""
    if len(row) != cols:
        column = row.end if len(row) < cols else row.columns[cols]
        raise reporter.error(
            f"expected {counted(cols, 'cell')}{why}, found {len(row)}", row.line, column
        )


def check_rectangle(rows: Sequence[Row], reporter: Reporter) -> None:
    """Raise `FormatError` at the first row that is not as long as the first, or at too many."""
    cells = 0
    for row in rows:
        check_width(row, len(rows[0]), reporter, f" as in the first row (line {rows[0].line})")
        cells += len(row)
        if cells > MAX_CELLS:
            raise reporter.error(f"expected at most {MAX_CELLS} cells, found more", row.line, 1)


def numbers(rows: Sequence[Row], reporter: Reporter, hint: str = "") -> list[list[int | None]]:
    """Return the cells as numbers, ``None`` for an empty one; `FormatError` at anything else.

    ``hint`` ends the message when the wrong cell is a letter.
    """
    return [
        [
            None if text in EMPTY else _number(row, index, reporter, hint)
            for index, text in enumerate(row.cells)
        ]
        for row in rows
    ]


def labels(rows: Sequence[Row], reporter: Reporter) -> list[list[int | None]]:
    """Return the cells as numbers, where single characters may be labels.

    If any label is not a whole number from 1, all are renumbered 1, 2, 3 ... in reading order of
    their first appearance.

    >>> from linkoracle.formats.document import Document
    >>> labels([split_row("b.7", 1), split_row("7.b", 2)], Document(""))
    [[1, None, 2], [2, None, 1]]
    """
    grid: Labels = [
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
    order: dict[int | str, int] = {}
    for cells in grid:
        for label in cells:
            if label is not None:
                order.setdefault(label, len(order) + 1)
    renumber = any(isinstance(label, str) or label < 1 for label in order)
    if not renumber:
        order = {label: label for label in order if isinstance(label, int)}
    return [[None if label is None else order[label] for label in cells] for cells in grid]


def _number(row: Row, index: int, reporter: Reporter, hint: str = "") -> int:
    text = row.cells[index]
    if not (text.isascii() and text.isdigit()):
        reason = f"expected a number or '.', found {quoted(text)}"
        if len(text) == 1 and text.isalpha():
            reason += hint
        raise reporter.error(reason, row.line, row.columns[index])
    if len(text) > MAX_DIGITS:
        raise reporter.error(
            f"expected a number of at most {MAX_DIGITS} digits, found {quoted(text)}",
            row.line,
            row.columns[index],
        )
    return int(text)


def needs_spaces(grid: Sequence[Sequence[int | None]]) -> bool:
    """Tell whether some number has two digits or more, so that cells need spaces between."""
    return any(cell is not None and cell > 9 for cells in grid for cell in cells)


def write_rows(grid: Sequence[Sequence[int | None]]) -> list[str]:
    """Return the rows: without spaces when every number has one digit, else in aligned columns.

    >>> write_rows([[1, None], [None, 1]])
    ['1.', '.1']
    >>> write_rows([[10, None], [None, 10]])
    ['10  .', ' . 10']
    """
    texts = [["." if cell is None else str(cell) for cell in cells] for cells in grid]
    if not needs_spaces(grid):
        return ["".join(cells) for cells in texts]
    width = max(len(text) for cells in texts for text in cells)
    return [" ".join(text.rjust(width) for text in cells) for cells in texts]

"""The ``.slk`` files of a Slitherlink solver: https://github.com/davidjosepha/slitherlink

A comment line, the numbers of rows and columns, an empty line, the clues, an empty line, the
horizontal and, after another empty line, the vertical lines of a partial solution. We read the
puzzle; the partial solution is checked for its form and otherwise ignored. There is no writer.
"""

from __future__ import annotations

import re

from linkoracle.formats.building import build, checked_size, decide_kind
from linkoracle.formats.dims import dimensions
from linkoracle.formats.document import Asked, Document, Entry, Place, counted, quoted
from linkoracle.formats.rows import Row, check_width, content, numbers, split_row
from linkoracle.puzzles import Slitherlink

_MARKS = re.compile(r"[.x-]+")


def sniff(document: Document, index: int) -> bool:
    """Tell whether line ``index`` gives dimensions and an empty line follows.

    That empty line sets the format apart from a board that follows its dimensions at once. It may
    hold a comment, and so may be a comment inside such a board: then the mark lines decide.
    """
    lines = document.lines
    size = dimensions(lines[index])
    after = index + 1
    if size is None or after == len(lines) or content(lines[after]):
        return False
    if not lines[after].strip(" \t"):
        return any(content(lines[number]) for number in range(after, len(lines)))
    gap = after + size[0] + 1
    return (
        gap + 1 < len(lines)
        and not content(lines[gap])
        and _MARKS.fullmatch(content(lines[gap + 1])) is not None
    )


def read(document: Document, index: int, asked: Asked) -> tuple[list[Entry], int]:
    """Read the puzzle whose dimensions are on line ``index``; return it and the index after it."""
    line = index + 1
    kind = decide_kind(document, asked, Slitherlink.kind, line)
    size = dimensions(document.lines[index])
    assert size is not None
    rows, cols = size
    checked_size(document, rows, cols, line, 1)
    clues, index = _read_rows(document, index + 1, rows, cols, "clues")
    grid = numbers(clues, document)
    for height, width, what in (
        (rows + 1, cols, "horizontal lines"),
        (rows, cols + 1, "vertical lines"),
    ):
        marks, index = _read_rows(document, index, height, width, what)
        for row in marks:
            _check_marks(document, row)

    def place(row: int, col: int) -> Place:
        return clues[row].line, clues[row].columns[col]

    return [Entry(build(document, asked, kind, None, grid, place, line), None, line)], index


def _read_rows(
    document: Document, index: int, height: int, width: int, what: str
) -> tuple[list[Row], int]:
    lines = document.lines
    while index < len(lines) and not content(lines[index]):
        index += 1
    rows: list[Row] = []
    while len(rows) < height:
        text = content(lines[index]) if index < len(lines) else ""
        if not text:
            raise document.error(
                f"expected {counted(height, 'row')} of {what} in a .slk puzzle, found {len(rows)}",
                min(index + 1, len(lines)),
            )
        row = split_row(text, index + 1)
        check_width(row, width, document, f" in a row of {what}")
        rows.append(row)
        index += 1
    if index < len(lines) and content(lines[index]):
        raise document.error(
            f"expected an empty line after {counted(height, 'row')} of {what}, found "
            + quoted(content(lines[index])),
            index + 1,
        )
    return rows, index


def _check_marks(document: Document, row: Row) -> None:
    for mark, column in zip(row.cells, row.columns, strict=True):
        if mark not in (".", "-", "x"):
            raise document.error(
                f"expected a mark '.', '-' or 'x', found {quoted(mark)}", row.line, column
            )

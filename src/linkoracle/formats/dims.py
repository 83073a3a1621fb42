"""Native text with a first line of dimensions, as ``rows cols`` or as ``cols rows``.

Public collections put the rows first; the programs of Yoshinaka et al. (*Finding All Solutions and
Instances of Numberlink and Slitherlink by ZDDs*, Algorithms 5(2), 2012) and the Go program
https://github.com/thomasahle/numberlink put the columns first. The rows that follow tell which it
is, so one reader serves both. Labels may be letters.
"""

from __future__ import annotations

import re
from functools import partial

from linkoracle.errors import FormatError
from linkoracle.formats.building import MAX_DIGITS, checked_size, decide_kind
from linkoracle.formats.document import Asked, Document, Entry, counted
from linkoracle.formats.rows import (
    Row,
    check_width,
    content,
    labels,
    needs_spaces,
    numbers,
    split_row,
    write_rows,
)
from linkoracle.formats.text import Block, name_lines, read_block, read_plain, stated_kind
from linkoracle.puzzles import Numberlink, Puzzle

_DIMENSIONS = re.compile(rf"[ \t]*(\d{{1,{MAX_DIGITS}}})[ \t]+(\d{{1,{MAX_DIGITS}}})", re.ASCII)


def dimensions(line: str) -> tuple[int, int] | None:
    """Return the two whole numbers that a line consists of, or ``None``.

    >>> dimensions("10 18  # rows, columns")
    (10, 18)
    """
    match = _DIMENSIONS.fullmatch(content(line))
    return (int(match[1]), int(match[2])) if match else None


def sniff(document: Document, index: int) -> bool:
    """Tell whether the block at ``index`` begins with dimensions rather than with a row of two."""
    block = read_block(document, index)
    declared = dimensions(block.rows[0][1]) if block.rows else None
    if declared is None:
        return False
    return len(block.rows) == 1 or _fits(block, declared) or not _looks_plain(block, 1)


def _fits(block: Block, declared: tuple[int, int]) -> bool:
    count = len(block.rows) - 1
    if count not in declared:
        return False
    cols = declared[1] if count == declared[0] else declared[0]
    return all(len(row) == cols for row in _body(block, cols))


def _looks_plain(block: Block, count: int | None = None) -> bool:
    """Tell whether the rows (the first ``count``) look like the line above them: two, a space."""
    rows = block.rows[1 : None if count is None else count + 1]
    return all(row.spaced and len(row) == 2 for row in (split_row(text, 0) for _, text in rows))


def _body(block: Block, cols: int) -> list[Row]:
    return [split_row(text, number, single=cols == 1) for number, text in block.rows[1:]]


def read(document: Document, index: int, asked: Asked) -> tuple[list[Entry], int]:
    """Read the block at line ``index`` (from 0); return the puzzle and the index after it.

    When the first line may as well be a row of the board, and both readings are puzzles, that is a
    `FormatError`; when only one is, that one it is.
    """
    block = read_block(document, index)
    number, text = block.rows[0]
    declared = dimensions(text)
    assert declared is not None
    if declared == (0, 0) and len(block.rows) == 1 and block.kind is None:
        return [], block.next_index  # the end mark of the Go program's files
    kind = decide_kind(document, asked, stated_kind(block), block.line)
    plain = _fits(block, declared) and _looks_plain(block)
    try:
        entry = _read_declared(document, block, asked, kind, declared)
    except FormatError:
        if not plain:
            raise
        try:
            return [read_plain(document, block, asked)], block.next_index
        except FormatError:
            pass
        raise
    if plain and _is_puzzle(document, block, asked):
        raise document.error(
            f"expected dimensions or a row, found {text.strip()!r}, which can be either here"
            " (write the rows without spaces, or the puzzle as JSON)",
            number,
        )
    return [entry], block.next_index


def _is_puzzle(document: Document, block: Block, asked: Asked) -> bool:
    try:
        read_plain(document, block, asked)
    except FormatError:
        return False
    return True


def _read_declared(
    document: Document, block: Block, asked: Asked, kind: str, declared: tuple[int, int]
) -> Entry:
    first, second = declared
    number, text = block.rows[0]
    column = len(text) - len(text.lstrip(" \t")) + 1
    checked_size(document, first, second, number, column)
    count = len(block.rows) - 1
    if count not in declared:
        expected = f"{first}" if first == second else f"{first} or {second}"
        width = len(split_row(block.rows[1][1], 0)) if count else 0
        found = counted(count, "row") + (f" of {counted(width, 'cell')}" if count else "")
        raise document.error(
            f"expected {expected} rows, as '{first} {second}' declares, found {found}",
            number,
            column,
        )
    cols = second if count == first else first
    rows = _body(block, cols)
    for row in rows:
        check_width(row, cols, document, f", as '{first} {second}' declares")
    cells = labels if kind == Numberlink.kind else numbers
    grid = cells(rows, document)
    return block.entry(document, asked, kind, grid, rows)


def _write(puzzle: Puzzle, name: str | None, *, rows_first: bool) -> str:
    if puzzle.rule == "path":
        raise FormatError("a board after its dimensions has no place for the ends of an open path")
    cells = [cell for row in puzzle.grid for cell in row]
    if puzzle.rows == puzzle.cols == 2 and needs_spaces(puzzle.grid) and 2 not in cells:
        # "2 2" before two rows of two such numbers is itself a row of a valid board.
        raise FormatError("a 2x2 board of such numbers cannot be told from a 3x2 board: use 'text'")
    sizes = (puzzle.rows, puzzle.cols) if rows_first else (puzzle.cols, puzzle.rows)
    first = "{} {}".format(*sizes)
    return "\n".join([*name_lines(name), first, *write_rows(puzzle.grid), ""])


write_rows_cols = partial(_write, rows_first=True)
write_cols_rows = partial(_write, rows_first=False)

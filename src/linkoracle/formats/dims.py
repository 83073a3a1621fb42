"""Native text with a first line of dimensions, as ``rows cols`` or as ``cols rows``.

Public collections put the rows first; the programs of Yoshinaka et al. (*Finding All Solutions and
Instances of Numberlink and Slitherlink by ZDDs*, Algorithms 5(2), 2012) and the Go program
https://github.com/thomasahle/numberlink put the columns first. The rows that follow show which
order it is, so one reader serves both. Labels may be letters.

``.slk`` files also begin with dimensions, and an empty line after them: `sniff_slk`, `read_slk`.
"""

from __future__ import annotations

import re
from contextlib import suppress

from linkoracle.core import FormatError, counted, quoted
from linkoracle.formats import reading as doc
from linkoracle.formats import text as native
from linkoracle.formats.text import Block, Row, content, split_row
from linkoracle.kinds import Puzzle, kind_of_format

_DIMENSIONS = re.compile(
    rf"[ \t]*(\d{{1,{doc.MAX_DIGITS}}})[ \t]+(\d{{1,{doc.MAX_DIGITS}}})", re.ASCII
)


def dimensions(line: str) -> tuple[int, int] | None:
    """Return the two whole numbers of a line; ``None`` for any other line.

    >>> dimensions("10 18  # rows, columns")
    (10, 18)
    """
    match = _DIMENSIONS.fullmatch(content(line))
    return (int(match[1]), int(match[2])) if match else None


def sniff(document: doc.Document, index: int) -> bool:
    """Return whether the block at ``index`` begins with dimensions, not with a row of two cells."""
    block = native.read_block(document, index)
    declared = dimensions(block.rows[0][1]) if block.rows else None
    if declared is None or block.board is not None:
        return False
    _end_before_next(block, declared)
    return len(block.rows) == 1 or _fits(block, declared) or not _looks_plain(block, 1)


def _end_before_next(block: Block, declared: tuple[int, int]) -> None:
    """End a block before the dimensions of another board, which no blank line separates."""
    for rows, cols in (declared, declared[::-1]):
        if not (0 < rows < len(block.rows) - 1) or block.points or _looks_plain(block):
            continue
        number, text = block.rows[rows + 1]
        lengths = {len(split_row(row, 0, single=cols == 1)) for _, row in block.rows[1 : rows + 1]}
        if dimensions(text) is not None and lengths == {cols}:
            block.next_index = number - 1
            del block.rows[rows + 1 :]
            return


def _fits(block: Block, declared: tuple[int, int]) -> bool:
    count = len(block.rows) - 1
    if count not in declared:
        return False
    cols = declared[1] if count == declared[0] else declared[0]
    return all(len(row) == cols for row in _body(block, cols))


def _looks_plain(block: Block, count: int | None = None) -> bool:
    """Return whether all rows, or ``count``, have two spaced cells, as the line above them."""
    rows = block.rows[1 : None if count is None else count + 1]
    return all(row.spaced and len(row) == 2 for row in (split_row(text, 0) for _, text in rows))


def _body(block: Block, cols: int) -> list[Row]:
    return [split_row(text, number, single=cols == 1) for number, text in block.rows[1:]]


def read(document: doc.Document, index: int) -> tuple[list[doc.Entry], int]:
    """Read the block at line ``index`` (from 0); return the puzzle and the index after it.

    If the first line may be dimensions or a row of the board, the reading that gives a puzzle
    counts. Raises `FormatError` if both do.
    """
    block = native.read_block(document, index)
    number, text = block.rows[0]
    declared = dimensions(text)
    assert declared is not None
    _end_before_next(block, declared)
    if declared == (0, 0) and len(block.rows) == 1 and block.kind is None:
        return [], block.next_index  # the end mark of the Go program's files
    kind = doc.decide_kind(document, block.stated, block.line)
    plain = None
    if _fits(block, declared) and _looks_plain(block):
        with suppress(FormatError):
            plain = native.read_plain(document, block)
    try:
        entry = _read_declared(document, block, kind, declared)
    except FormatError:
        if plain is None:
            raise
        return [plain], block.next_index
    if plain is not None:
        raise document.error(
            f"expected dimensions or a row, found {text.strip()!r}, which can be either here"
            " (write the rows without spaces, or the puzzle as JSON)",
            number,
        )
    return [entry], block.next_index


def _read_declared(
    document: doc.Document,
    block: Block,
    kind: type[Puzzle],
    declared: tuple[int, int],
) -> doc.Entry:
    first, second = declared
    number, text = block.rows[0]
    column = len(text) - len(text.lstrip(" \t")) + 1
    doc.checked_size(document, first, second, number, column)
    count = len(block.rows) - 1
    if count not in declared:
        expected = f"{first}" if first == second else f"{first} or {second}"
        found = counted(count, "row")
        if count:
            found += f" of {counted(len(split_row(block.rows[1][1], 0)), 'cell')}"
        reason = f"expected {expected} rows, as '{first} {second}' declares, found {found}"
        raise document.error(reason, number, column)
    cols = second if count == first else first
    rows = _body(block, cols)
    for row in rows:
        native.check_width(row, cols, document, f", as '{first} {second}' declares")
    grid = native.labels(rows, document) if kind.letters else native.clues(rows, document, kind)
    return block.entry(document, kind, grid, rows)


_MARKS = re.compile(r"[.x-]+")


def sniff_slk(document: doc.Document, index: int) -> bool:
    """Return whether line ``index`` gives dimensions and an empty line follows.

    The empty line distinguishes the format from a board right after its dimensions. If the line
    holds a comment, it may be inside such a board; then the lines of marks decide.
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


def read_slk(document: doc.Document, index: int) -> tuple[list[doc.Entry], int]:
    """Read the puzzle whose dimensions are on line ``index``; return it and the index after it.

    The format of https://github.com/davidjosepha/slitherlink: a comment line, the numbers of rows
    and columns, an empty line, the clues, an empty line, the horizontal and, after another empty
    line, the vertical lines of a partial solution. The partial solution is checked for its form
    and otherwise ignored.
    """
    line = index + 1
    kind = doc.decide_kind(document, kind_of_format("slk"), line)
    size = dimensions(document.lines[index])
    assert size is not None
    rows, cols = size
    doc.checked_size(document, rows, cols, line, 1)
    clues, index = _slk_rows(document, index + 1, rows, cols, "clues")
    grid = native.clues(clues, document, kind)
    sides = (rows + 1, cols, "horizontal lines"), (rows, cols + 1, "vertical lines")
    for height, width, what in sides:
        marks, index = _slk_rows(document, index, height, width, what)
        for row in marks:
            for mark, column in zip(row.cells, row.columns, strict=True):
                if mark not in (".", "-", "x"):
                    reason = f"expected a mark '.', '-' or 'x', found {quoted(mark)}"
                    raise document.error(reason, row.line, column)
    return [Block(line).entry(document, kind, grid, clues)], index


def _slk_rows(
    document: doc.Document, index: int, height: int, width: int, what: str
) -> tuple[list[Row], int]:
    lines = document.lines
    expected = f"{counted(height, 'row')} of {what}"
    while index < len(lines) and not content(lines[index]):
        index += 1
    rows: list[Row] = []
    while len(rows) < height:
        text = content(lines[index]) if index < len(lines) else ""
        if not text:
            reason = f"expected {expected} in a .slk puzzle, found {len(rows)}"
            raise document.error(reason, min(index + 1, len(lines)))
        row = split_row(text, index + 1)
        native.check_width(row, width, document, f" in a row of {what}")
        rows.append(row)
        index += 1
    if index < len(lines) and (rest := content(lines[index])):
        reason = f"expected an empty line after {expected}, found {quoted(rest)}"
        raise document.error(reason, index + 1)
    return rows, index

"""The native text format: a header line and the grid as it looks.

::

    # name: a small one
    slitherlink
    .3.
    2.2
    ...

The grammar is in ``docs/formats.md``. The dimension formats (`linkoracle.formats.dims`) are the
same blocks with one line more, so the block reader here serves them as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from linkoracle.formats.building import MAX_DIGITS, RULES, Ends, build, decide_kind
from linkoracle.formats.document import Asked, Document, Entry, Place, clean_name, quoted
from linkoracle.formats.rows import (
    Row,
    check_rectangle,
    content,
    needs_spaces,
    numbers,
    split_row,
    write_rows,
)
from linkoracle.puzzles import KINDS, Numberlink, Puzzle, Slitherlink

LETTERS_HINT = " (labels that are letters need a line with the dimensions above the rows)"

_WORD = re.compile(r"[^ \t]+")
_ENDS = re.compile(r"[ \t]*ends(?:[ \t]|$)", re.IGNORECASE)
_DOT = re.compile(rf"(\d{{1,{MAX_DIGITS}}}),(\d{{1,{MAX_DIGITS}}})", re.ASCII)


@dataclass
class Block:
    """The lines of one puzzle up to a blank line, comments taken out, header and ends understood.

    ``rows`` are the other lines with their numbers; ``next_index`` is the line after, from 0.
    """

    line: int
    kind: str | None = None
    rule: str | None = None
    ends: Ends | None = None
    ends_place: Place | None = None
    rows: list[tuple[int, str]] = field(default_factory=list)
    next_index: int = 0

    def entry(
        self,
        document: Document,
        asked: Asked,
        kind: str,
        grid: list[list[int | None]],
        rows: list[Row],
    ) -> Entry:
        """Build the puzzle whose ``grid`` was read from ``rows``."""
        ends_place = self.ends_place

        def place(row: int, col: int) -> Place:
            return rows[row].line, rows[row].columns[col]

        puzzle = build(
            document,
            asked,
            kind,
            self.rule,
            grid,
            place,
            self.line,
            self.ends,
            (lambda: ends_place) if ends_place else None,
        )
        return Entry(puzzle, None, self.line)


def read_block(document: Document, index: int) -> Block:
    """Read the block that begins at line ``index`` (from 0); `FormatError` for a bad header."""
    block = Block(line=index + 1)
    first = True
    for number in range(index + 1, len(document.lines) + 1):
        line = document.lines[number - 1]
        if not line.strip(" \t"):
            break
        block.next_index = number
        text = content(line)
        if not text:
            continue
        if first:
            first = False
            if _read_header(document, block, text, number):
                continue
        bare = text.strip(" \t").lower() == "ends"
        # A row of the labels e, n, d, s is a row; "ends" and something more is not.
        if _ENDS.match(text) and not (bare and block.kind != Slitherlink.kind):
            _read_ends(document, block, text, number)
        else:
            block.rows.append((number, text))
    return block


def _read_header(document: Document, block: Block, text: str, number: int) -> bool:
    words = list(_WORD.finditer(text))
    kind = words[0].group().lower()
    if kind not in KINDS:
        if len(kind) > 1 and kind.isalpha() and not _ENDS.match(text):
            raise document.error(
                "expected a header 'slitherlink' or 'numberlink', found "
                + quoted(words[0].group()),
                number,
                words[0].start() + 1,
            )
        return False
    block.kind = kind
    if len(words) > 1:
        block.rule = words[1].group().lower()
        if block.rule not in RULES[kind] or len(words) > 2:
            wrong = words[2 if block.rule in RULES[kind] else 1]
            expected = " or ".join(map(repr, RULES[kind]))
            raise document.error(
                f"expected after {kind!r} nothing or {expected}, found {quoted(wrong.group())}",
                number,
                wrong.start() + 1,
            )
    elif kind == Slitherlink.kind:
        block.rule = "loop"
    return True


def _read_ends(document: Document, block: Block, text: str, number: int) -> None:
    words = list(_WORD.finditer(text))
    if block.ends is not None:
        raise document.error(
            "expected one line 'ends', found a second", number, words[0].start() + 1
        )
    dots: list[tuple[int, int]] = []
    for word in words[1:]:
        dot = _DOT.fullmatch(word.group())
        if dot is None or len(dots) == 2:
            raise document.error(
                f"expected 'ends' and two dots 'row,column', found {quoted(word.group())}",
                number,
                word.start() + 1,
            )
        dots.append((int(dot[1]), int(dot[2])))
    if len(dots) != 2:
        raise document.error(
            f"expected 'ends' and two dots 'row,column', found {len(dots)}", number, len(text) + 1
        )
    block.ends = dots[0], dots[1]
    block.ends_place = number, words[1].start() + 1


def stated_kind(block: Block) -> str | None:
    """The kind that a block states: by its header, or by ends, which only one puzzle has."""
    return block.kind or (Slitherlink.kind if block.ends else None)


def sniff(document: Document, index: int) -> bool:  # noqa: ARG001 - the signature of every sniffer
    """Anything that no other format claims is native text."""
    return True


def read(document: Document, index: int, asked: Asked) -> tuple[list[Entry], int]:
    """Read the block at line ``index`` (from 0); return the puzzle and the index after it."""
    block = read_block(document, index)
    if block.kind is None and not document.nothing_before(index):
        raise document.error(
            "expected a header 'slitherlink' or 'numberlink' before another puzzle, found "
            f"{quoted(document.lines[index].strip())} (a blank line ends a puzzle)",
            block.line,
        )
    return [read_plain(document, block, asked)], block.next_index


def read_plain(document: Document, block: Block, asked: Asked) -> Entry:
    """Build the puzzle of a block all of whose rows are rows of cells."""
    if not block.rows:
        raise document.error("expected rows after the header, found none", block.line)
    kind = decide_kind(document, asked, stated_kind(block), block.line)
    rows = [split_row(text, number) for number, text in block.rows]
    check_rectangle(rows, document)
    hint = LETTERS_HINT if kind == Numberlink.kind else ""
    grid = numbers(rows, document, hint)
    return block.entry(document, asked, kind, grid, rows)


def write(puzzle: Puzzle, name: str | None) -> str:
    """Return the puzzle as a block, with a name line when it has a name."""
    lines = name_lines(name)
    default = RULES[puzzle.kind][0]
    lines.append(puzzle.kind if puzzle.rule == default else f"{puzzle.kind} {puzzle.rule}")
    if isinstance(puzzle, Slitherlink) and puzzle.ends:
        lines.append("ends " + " ".join(f"{row},{col}" for row, col in puzzle.ends))
    if _needs_dimensions(puzzle):
        lines.append(f"{puzzle.rows} {puzzle.cols}")
    return "\n".join([*lines, *write_rows(puzzle.grid), ""])


def name_lines(name: str | None) -> list[str]:
    """The comment that carries a name, if there is one."""
    cleaned = clean_name(name) if name else None
    return [f"# name: {cleaned}"] if cleaned else []


def _needs_dimensions(puzzle: Puzzle) -> bool:
    # A single column of two-digit numbers would be read character by character, and a first row
    # of two numbers that happen to describe the rest would be taken for dimensions.
    if not needs_spaces(puzzle.grid):
        return False
    first = [cell for cell in puzzle.grid[0] if cell is not None]
    return puzzle.cols == 1 or (
        puzzle.cols == len(first) == 2
        and (puzzle.rows == 1 or sorted(first) == sorted((2, puzzle.rows - 1)))
    )

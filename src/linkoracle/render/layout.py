"""A board on its sheet: margins, a title above, a legend and a caption below."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from linkoracle.kinds import Puzzle
from linkoracle.render.pictures import Picture
from linkoracle.render.shapes import Line, Shape, Text

#: Cells around the board, and lines of text from one to the next, in heights of a line.
MARGIN, LEADING = 0.5, 1.35

#: The longer side of a board in pixels, if cells may have what that takes; their least and greatest
#: size; the height of a line of text.
_BOARD, _LEAST_CELL, _GREATEST_CELL, _TEXT = 900, 14, 40, 16

#: What a character is wide, in heights of the line, at most on average. And how many characters a
#: line of text has room for, however small the board is.
_CHARACTER, _FEWEST = 0.6, 36


@dataclass(frozen=True)
class Key:
    """An entry of a legend: a line of this role and weight, and what it stands for."""

    role: str
    meaning: str
    weight: float = 1.0


def cell_size(puzzle: Puzzle) -> float:
    """Pixels for a cell: many on small boards, and enough to read the clues on large ones.

    >>> from linkoracle import Numberlink
    >>> [cell_size(Numberlink([[None] * side])) for side in (5, 30, 100)]
    [40, 30, 14]
    """
    wanted = _BOARD // max(puzzle.rows, puzzle.cols)
    return min(_GREATEST_CELL, max(_LEAST_CELL, wanted))


def described(puzzle: Puzzle) -> str:
    """The kind of a puzzle, its size and its rule, in a few words.

    >>> from linkoracle import Numberlink
    >>> described(Numberlink([[1, 1]], "fill"))
    'Numberlink, 1 x 2 cells, every cell used'
    """
    rule = puzzle.rules[puzzle.rule]
    size = f"{puzzle.title}, {puzzle.rows} x {puzzle.cols} cells"
    return f"{size}, {rule}" if rule else size


def laid_out(
    puzzle: Puzzle,
    shapes: Sequence[Shape],
    *,
    what: str,
    title: str | None = None,
    legend: Sequence[Key] = (),
    caption: str | None = None,
) -> Picture:
    """The board's shapes with the words around it; ``what`` is added to the name of the picture."""
    cell = cell_size(puzzle)
    height = _TEXT / cell
    title, caption = printable(title or ""), printable(caption or "")
    width = float(puzzle.cols)
    if title or legend or caption:
        width = max(width, _FEWEST * _CHARACTER * height)
    fit = int(width / (_CHARACTER * height))
    around: list[Shape] = []
    y = MARGIN
    for line in textwrap.wrap(title, int(fit / 1.15)):
        y += LEADING * height * 1.15
        around.append(Text("title", (MARGIN + width / 2, y - height), line, height * 1.15))
    y += MARGIN / 2 if title else 0.0
    left = MARGIN + (width - puzzle.cols) / 2
    board = [shape.moved(left, y) for shape in shapes]
    y += puzzle.rows + MARGIN / 2
    for row in _rows(legend, width, height):
        y += LEADING * height
        around += [shape.moved(MARGIN, y - height / 2) for shape in row]
    for line in textwrap.wrap(caption, fit):
        y += LEADING * height
        around.append(Text("caption", (MARGIN, y - height / 2), line, height, start=True))
    name = ": ".join(part for part in (title, f"{described(puzzle)}{what}", caption) if part)
    return Picture(width + 2 * MARGIN, y + MARGIN / 2, name, (*board, *around), cell)


def printable(text: str) -> str:
    """``text`` on one line, without what no file may hold."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _rows(legend: Sequence[Key], width: float, height: float) -> list[list[Shape]]:
    """Samples of lines with their meanings, in columns, as many to a row as fit, around y = 0."""
    rows: list[list[Shape]] = []
    sample, gap = max(2.0 * height, 0.8), 0.5 * height
    longest = max((len(key.meaning) for key in legend), default=0)
    wide = sample + gap + _CHARACTER * height * longest
    x = width
    for key in legend:
        if x + wide > width:
            rows.append([])
            x = 0.0
        rows[-1].append(Line(key.role, ((x, 0.0), (x + sample, 0.0)), weight=key.weight))
        rows[-1].append(Text("caption", (x + sample + gap, 0.0), key.meaning, height, start=True))
        x += wide + height
    return rows

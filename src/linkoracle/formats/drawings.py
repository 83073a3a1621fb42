"""A loop drawn by hand: its cells, or its lines.

Rows of ``#`` and ``.`` are cells inside and outside of the loop::

    ##.
    .#.

Lines are drawn as `linkoracle.render.text.draw` draws them, in box-drawing or ASCII characters:
alternating rows of cells and rows of dots four columns apart. Only the lines between dots count;
characters inside cells and at dots are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from linkoracle.board import Lattice, Solution
from linkoracle.core import FormatError, counted, quoted
from linkoracle.formats.reading import MAX_CELLS, plain_text

#: The number of columns from one dot to the next.
_WIDTH = 4
#: Each cell takes two rows of four columns.
_MOST_CHARACTERS = 2 * _WIDTH * MAX_CELLS
#: The characters of lines across and down, given or not; of dots; and of no line between dots.
_LEVEL, _UPRIGHT = "─-━=", "│|┃!"
_DOTS = "·.+ ╵╴┘╶└─┴╷│┐┤┌├┬┼-|╹╸┛╺┗━┻╻┃┓┫┏┣┳╋=!"
_NONE = ("", "x", "\N{MULTIPLICATION SIGN}")

Cell = tuple[int, int]


def read_loop(text: str, source: str | None = None) -> Solution:
    """Return the loop of a drawing, on a board of the size of the drawing.

    Raises `FormatError`, with the line and the column, unless the drawing is a single loop that
    does not touch itself. O(characters).

    >>> loop = read_loop("##.\\n.#.\\n")
    >>> loop.lattice, len(loop)
    (Lattice(rows=3, cols=4), 8)
    >>> read_loop("#.\\n.#\\n")
    Traceback (most recent call last):
        ...
    linkoracle.core.errors.FormatError: 2:1: expected a loop that does not touch itself at a corner
    """
    drawing = _Drawing(text, source)
    return drawing.of_lines() if re.search(r"[^#.\s]", text) else drawing.of_cells()


def check_rows(
    rows: Mapping[int, str], known: str, marks: str, error: Callable[[str, int, int], FormatError]
) -> None:
    """Raise ``error`` unless rows have equal lengths and only ``known`` characters.

    ``error`` takes a row and a column from 0; ``marks`` names the characters in messages.
    """
    first = len(next(iter(rows.values())))
    for number, row in rows.items():
        if odd := re.search(f"[^{known}]", row):
            raise error(f"expected {marks}, found {odd[0]!r}", number, odd.start())
        if len(row) != first:
            reason = f"expected {counted(first, 'cell')} as in the first row, found {len(row)}"
            raise error(reason, number, min(len(row), first))


class _Drawing:
    """The lines of a text, without blank lines at its start and end."""

    def __init__(self, text: str, source: str | None) -> None:
        lines = [line.rstrip() for line in plain_text(text, source).split("\n")]
        full = [number for number, line in enumerate(lines) if line]
        self._source = source
        self._first = full[0] if full else 0
        self._lines = lines[self._first : full[-1] + 1] if full else []
        if len(self._lines) * max(map(len, self._lines), default=0) > _MOST_CHARACTERS:
            raise self._wrong(f"expected a drawing of at most {MAX_CELLS} cells")

    def _wrong(self, reason: str, row: int = 0, column: int = 0) -> FormatError:
        line = self._first + row + 1
        return FormatError(reason, source=self._source, line=line, column=column + 1)

    def of_cells(self) -> Solution:
        """Return the border of the cells ``#``."""
        if not any("#" in line for line in self._lines):
            raise self._wrong("expected a drawing of a loop, with cells # inside of it, found none")
        check_rows(dict(enumerate(self._lines)), "#.", "# or .", self._wrong)
        inside = np.array([[mark == "#" for mark in line] for line in self._lines])
        lattice = Lattice(*(side + 1 for side in inside.shape))
        sides = np.bincount(lattice.face_edges[inside.ravel()].ravel(), minlength=lattice.num_edges)
        edges = np.flatnonzero(sides & 1).tolist()
        for dot in np.flatnonzero(_degrees(lattice, edges) > 2).tolist():
            row, col = lattice.position(dot)
            reason = "expected a loop that does not touch itself at a corner"
            raise self._wrong(reason, row, col - 1)
        solution = Solution(lattice, tuple(edges))
        for (row, col), *_ in solution.paths()[1:]:
            # The first corner of a loop is the top left one.
            if inside[row, col]:
                raise self._wrong("expected one region of #, found a second one", row, col)
            raise self._wrong("expected one loop, found cells . enclosed by #", row, col)
        return solution

    def of_lines(self) -> Solution:
        """Return the lines between dots."""
        height = len(self._lines)
        width = -(-max(map(len, self._lines)) // _WIDTH)
        if height % 2 == 0 or height < 3 or width < 2:
            reason = "expected rows of dots and rows of cells in turns, dots first and last, found "
            raise self._wrong(f"{reason}{counted(height, 'row')}", height - 1)
        lattice = Lattice(height // 2 + 1, width)
        lines = [line.ljust(width * _WIDTH) for line in self._lines]
        edges = [*self._level(lattice, lines), *self._upright(lattice, lines)]
        if not edges:
            raise self._wrong("expected a drawing of a loop, found no line")
        degrees = _degrees(lattice, edges)
        for dot in np.flatnonzero((degrees > 0) & (degrees != 2)).tolist():
            found = "an end of a line" if degrees[dot] == 1 else "a branch or a crossing"
            raise self._at_dot(f"expected one loop, found {found}", lattice.position(dot))
        solution = Solution(lattice, tuple(edges))
        loops = solution.paths()
        if len(loops) > 1:
            raise self._at_dot("expected one loop, found a second one", loops[1][0])
        return solution

    def _at_dot(self, reason: str, dot: Cell) -> FormatError:
        return self._wrong(reason, 2 * dot[0], _WIDTH * dot[1])

    def _level(self, lattice: Lattice, lines: list[str]) -> Iterator[int]:
        for row, line in enumerate(lines[::2]):
            for col in range(lattice.cols):
                place = _WIDTH * col
                if line[place] not in _DOTS:
                    reason = f"expected a dot or a line, found {quoted(line[place])}"
                    raise self._wrong(reason, 2 * row, place)
                between = line[place + 1 : place + _WIDTH]
                drawn = [mark in _LEVEL for mark in between]
                if col + 1 < lattice.cols and all(drawn):
                    yield int(lattice.right[row, col])
                elif between.strip() not in _NONE:
                    wrong = drawn.index(False) if any(drawn) and not all(drawn) else 0
                    reason = f"expected a line from dot to dot, found {quoted(between)}"
                    raise self._wrong(reason, 2 * row, place + 1 + wrong)

    def _upright(self, lattice: Lattice, lines: list[str]) -> Iterator[int]:
        for row, line in enumerate(lines[1::2]):
            for col in range(lattice.cols):
                mark = line[_WIDTH * col]
                if mark in _UPRIGHT:
                    yield int(lattice.down[row, col])
                elif mark.strip() not in _NONE:
                    reason = f"expected a line between dots or a space, found {quoted(mark)}"
                    raise self._wrong(reason, 2 * row + 1, _WIDTH * col)


def _degrees(lattice: Lattice, edges: list[int]) -> NDArray[np.int64]:
    """Return the number of edges at each dot."""
    return np.bincount(lattice.edge_vertices[edges].ravel())

"""Boards in box-drawing characters.

Lines run between dots, with clues in the cells, or through the cells. Every column is as wide as
the widest number needs, so wide boards and long numbers line up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkoracle.kinds import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkoracle.board.solution import Solution

#: What stands in cells.
Labels = dict[tuple[int, int], str]

#: A vertex by the lines it has: up, left, right, down as bits 1, 2, 4, 8. Both tables also draw
#: branches, so that a wrong solution can be looked at, too.
_BOX = "·╵╴┘╶└─┴╷│┐┤┌├┬┼"
_ASCII = ".|-+-+-+||++++++"


def draw(puzzle: Puzzle, solution: Solution | None = None, *, ascii_only: bool = False) -> str:
    """Draw the board, with a solution's lines if one is given. No line end at the end.

    Raises ``ValueError`` when the solution belongs to a board of another size.

    >>> from linkoracle import Slitherlink, solve
    >>> puzzle = Slitherlink([[3, None, None], [None, 2, 3]])
    >>> print(draw(puzzle, solve(puzzle)))
    ┌───┐   ·   ·
    │ 3 │
    │   └───────┐
    │     2   3 │
    └───────────┘
    """
    if solution is not None and solution.lattice != puzzle.lattice:
        raise ValueError("the solution belongs to a board of another size")
    lines = _Lines(puzzle, solution, _ASCII if ascii_only else _BOX)
    filled = "#" if ascii_only else "█"
    labels = {
        figure.place: filled if figure.look == "filled" else figure.text
        for figure in puzzle.figures()
        if figure.look != "end"
    }
    draw_cells = _through_cells if puzzle.through_cells else _between_dots
    return "\n".join(line.rstrip() for line in draw_cells(puzzle, lines, labels))


class _Lines:
    """The chosen edges by position, and the characters to draw them with."""

    def __init__(self, puzzle: Puzzle, solution: Solution | None, characters: str) -> None:
        lattice = puzzle.lattice
        chosen = np.zeros(lattice.num_edges + 1, dtype=np.bool_)  # the last: "no such edge", -1
        if solution is not None:
            chosen[list(solution.edges)] = True
        self.rows, self.cols = lattice.rows, lattice.cols
        self.right = chosen[lattice.right]
        self.down = chosen[lattice.down]
        self.horizontal, self.vertical = characters[6], characters[9]
        self._degree_bits = chosen[lattice.vertex_edges] @ np.array([1, 2, 4, 8])
        self._characters = characters

    def vertex(self, row: int, col: int) -> str:
        return self._characters[self._degree_bits[row * self.cols + col]]

    def along(self, row: int, col: int, width: int) -> str:
        return (self.horizontal if self.right[row, col] else " ") * width

    def across(self, row: int, col: int) -> str:
        return self.vertical if self.down[row, col] else " "


def _between_dots(puzzle: Puzzle, lines: _Lines, labels: Labels) -> Iterator[str]:
    width = max(map(len, labels.values()), default=1)
    for row in range(lines.rows):
        cols = range(puzzle.cols)
        dots = (lines.vertex(row, col) + lines.along(row, col, width + 2) for col in cols)
        yield "".join(dots) + lines.vertex(row, puzzle.cols)
        if row < puzzle.rows:
            clues = (f" {labels.get((row, col), ''):>{width}} " for col in cols)
            cells = (lines.across(row, col) + clue for col, clue in enumerate(clues))
            yield "".join(cells) + lines.across(row, puzzle.cols)


def _through_cells(puzzle: Puzzle, lines: _Lines, labels: Labels) -> Iterator[str]:
    width = max(map(len, labels.values()), default=1)
    for row in range(puzzle.rows):
        text = ""
        for col in range(puzzle.cols):
            left = lines.horizontal if col and lines.right[row, col - 1] else " "
            right = lines.horizontal if lines.right[row, col] else " "
            label = labels.get((row, col)) or lines.vertex(row, col)
            before = (width - len(label) + 1) // 2
            text += left * before + label + right * (width - len(label) - before)
            if col < puzzle.cols - 1:
                text += right * 3
        yield text
        if row < puzzle.rows - 1:
            # Where a cell of one character stands in the width of its column.
            gaps = " " * (width // 2), " " * (width - 1 - width // 2 + 3)
            yield "".join(lines.across(row, col).join(gaps) for col in range(puzzle.cols))

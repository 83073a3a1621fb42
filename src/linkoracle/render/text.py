"""Boards in box-drawing characters.

A Slitherlink is drawn on its dots, with clues between them; a Numberlink through its cells. Every
column is as wide as its widest number needs, so wide boards and long numbers line up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkoracle.puzzles import Numberlink, Puzzle, Slitherlink

if TYPE_CHECKING:
    from linkoracle.model import Solution

#: A vertex by the lines it has: up, left, right, down as bits 1, 2, 4, 8. Both tables also draw
#: branches, so that a wrong solution can be looked at, too.
_BOX = "·╵╴┘╶└─┴╷│┐┤┌├┬┼"
_ASCII = ".|-+-+-+||++++++"


def draw(puzzle: Puzzle, solution: Solution | None = None, *, ascii_only: bool = False) -> str:
    """Draw the board, with a solution's lines if one is given. No line end at the end.

    Raises ``ValueError`` when the solution belongs to a board of another size.

    >>> from linkoracle import solve
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
    if isinstance(puzzle, Slitherlink):
        return _slitherlink(puzzle, lines)
    return _numberlink(puzzle, lines)


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


def _slitherlink(puzzle: Slitherlink, lines: _Lines) -> str:
    drawn = []
    for row in range(lines.rows):
        drawn.append(
            "".join(lines.vertex(row, col) + lines.along(row, col, 3) for col in range(puzzle.cols))
            + lines.vertex(row, puzzle.cols)
        )
        if row < puzzle.rows:
            clues = ["" if clue is None else str(clue) for clue in puzzle.clues[row]]
            drawn.append(
                "".join(
                    lines.across(row, col) + (f" {clues[col] or ' '} ")
                    for col in range(puzzle.cols)
                )
                + lines.across(row, puzzle.cols)
            )
    return "\n".join(line.rstrip() for line in drawn)


def _numberlink(puzzle: Numberlink, lines: _Lines) -> str:
    labels = [["" if n is None else str(n) for n in row] for row in puzzle.numbers]
    width = max(len(label) for row in labels for label in row) if puzzle.pairs() else 1
    drawn = []
    for row in range(puzzle.rows):
        text = ""
        for col in range(puzzle.cols):
            left = lines.horizontal if col and lines.right[row, col - 1] else " "
            right = lines.horizontal if lines.right[row, col] else " "
            label = labels[row][col] or lines.vertex(row, col)
            before = (width - len(label) + 1) // 2
            text += left * before + label + right * (width - len(label) - before)
            if col < puzzle.cols - 1:
                text += right * 3
        drawn.append(text)
        if row < puzzle.rows - 1:
            # Where a cell of one character stands in the width of its column.
            gaps = " " * (width // 2), " " * (width - 1 - width // 2 + 3)
            drawn.append("".join(lines.across(row, col).join(gaps) for col in range(puzzle.cols)))
    return "\n".join(line.rstrip() for line in drawn)

"""The board of a Slitherlink: dots, clues, the ends of an open path, and the inside of a loop."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkoracle.model import Solution
from linkoracle.puzzles import Slitherlink
from linkoracle.render.shapes import Area, Disc, Line, Shape, Text

#: Of dots, of the two ends, of what keeps hatching away from a clue; and the height of clues.
_DOT, _END, _HALO, _CLUE = 0.07, 0.19, 0.33, 0.56


def ground(puzzle: Slitherlink) -> list[Shape]:
    """What lies below the lines: the dots."""
    return [
        Disc("dot", (float(col), float(row)), _DOT)
        for row in range(puzzle.rows + 1)
        for col in range(puzzle.cols + 1)
    ]


def figures(puzzle: Slitherlink) -> list[Shape]:
    """What lies above the lines: the clues, and the ends of an open path."""
    shapes: list[Shape] = [
        Text("clue", (col + 0.5, row + 0.5), str(clue), _CLUE)
        for (row, col), clue in puzzle.clue_cells()
    ]
    shapes += [Disc("end", (float(col), float(row)), _END) for row, col in puzzle.ends or ()]
    return shapes


def regions(puzzle: Slitherlink, solution: Solution) -> list[Shape]:
    """The cells inside the loop, or on one side of the open path: filled, and hatched."""
    sides = inside(solution, loop=puzzle.ends is None)
    cells = [(row, col) for row, col in np.argwhere(sides).tolist()]
    filled: list[Shape] = []
    for row, first, end in _runs(cells):
        filled.append(Area("inside", (first, row), (end, row + 1)))
    hatched: list[Shape] = []
    for row, col in cells:
        # Two strokes a cell, which go on in the next cell.
        hatched.append(Line("hatch", ((col, row + 0.5), (col + 0.5, row))))
        hatched.append(Line("hatch", ((col + 0.5, row + 1), (col + 1, row + 0.5))))
    halos = [
        Disc("halo", (col + 0.5, row + 0.5), _HALO)
        for row, col in cells
        if puzzle.clues[row][col] is not None
    ]
    return [*filled, *hatched, *halos]


def inside(solution: Solution, *, loop: bool = True) -> NDArray[np.bool_]:
    """Which cells lie inside the loop, of shape ``(rows, cols)`` in cells.

    Without ``loop``, for an open path between two dots of the rim: which lie on the side where the
    top-left cell is not. Neighbours lie on different sides just when there is a line between them.

    >>> from linkoracle.lattice import Lattice
    >>> inside(Solution(Lattice(2, 3), (0, 1, 3, 5))).tolist()
    [[True, False]]
    """
    lattice = solution.lattice
    chosen = solution.mask()
    crossed_down = np.zeros((lattice.rows - 1, 1), dtype=np.int64)
    crossed_down[1:, 0] = chosen[lattice.right[1:-1, 0]]
    if loop:
        crossed_down[0, 0] = chosen[lattice.right[0, 0]]
    crossed_right = np.zeros((lattice.rows - 1, lattice.cols - 1), dtype=np.int64)
    crossed_right[:, 1:] = chosen[lattice.down[:-1, 1:-1]]
    sides: NDArray[np.bool_] = (crossed_down.cumsum(axis=0) + crossed_right.cumsum(axis=1)) % 2 == 1
    return sides


def _runs(cells: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Cells in reading order as runs: row, first column, column after the last."""
    runs: list[tuple[int, int, int]] = []
    for row, col in cells:
        if runs and runs[-1][0] == row and runs[-1][2] == col:
            runs[-1] = (row, runs[-1][1], col + 1)
        else:
            runs.append((row, col, col + 1))
    return runs

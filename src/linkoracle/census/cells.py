"""The number of cells of a board, and the numbers of its cells."""

from __future__ import annotations

from linkoracle.core.limits import checked_int
from linkoracle.kinds.puzzle import Cell


def checked_size(rows: int, cols: int, most: int) -> int:
    """Return the number of cells; raise ``ValueError`` for none, or for more than ``most``."""
    cells = checked_int(rows, "rows", 1) * checked_int(cols, "columns", 1)
    if cells > most:
        raise ValueError(f"expected a board of 1 to {most} cells, got {rows}x{cols}")
    return cells


def cell_number(cell: Cell, rows: int, cols: int) -> int:
    """Return the number of a cell, row by row; ``ValueError`` if it is not on the board."""
    row, col = cell
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(f"the board has no cell {row},{col}")
    return row * cols + col

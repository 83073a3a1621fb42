"""Numbers of the cells of a board."""

from __future__ import annotations

from linkoracle.kinds.puzzle import Cell


def cell_number(cell: Cell, rows: int, cols: int) -> int:
    """Return the number of a cell, row by row; ``ValueError`` if it is not on the board."""
    row, col = cell
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(f"the board has no cell {row},{col}")
    return row * cols + col

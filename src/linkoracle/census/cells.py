"""Cells of a board by number."""

from __future__ import annotations

from linkoracle.kinds.puzzle import Cell


def cell_number(cell: Cell, rows: int, cols: int) -> int:
    """The number of a cell, row by row; ``ValueError`` for one that the board does not have."""
    row, col = cell
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(f"the board has no cell {row},{col}")
    return row * cols + col

"""Rectangles of cells, as both puzzles hold them: checked, turned, mirrored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from linkoracle.errors import PuzzleError

#: Rows of cells; ``None`` is an empty cell.
Grid = tuple[tuple[int | None, ...], ...]

Cell = TypeVar("Cell")


def checked_grid(rows: Iterable[Iterable[int | None]]) -> Grid:
    """Freeze rows of cells, or raise `PuzzleError` when they are no rectangle."""
    grid = tuple(tuple(None if cell is None else int(cell) for cell in row) for row in rows)
    if not grid or not grid[0]:
        raise PuzzleError("a puzzle needs at least one cell")
    for index, row in enumerate(grid):
        if len(row) != len(grid[0]):
            raise PuzzleError(
                f"expected {len(grid[0])} cells in row {index + 1}, as in row 1, found {len(row)}",
                (index, min(len(row), len(grid[0])) - 1 if row else 0),
            )
    return grid


def rotated(grid: Sequence[Sequence[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """Turn rows a quarter clockwise."""
    return tuple(zip(*reversed(grid), strict=True))


def reflected(grid: Sequence[Sequence[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """Mirror rows left to right."""
    return tuple(tuple(reversed(row)) for row in grid)

"""What boards of one size share, written with arrays: the twin of the kernel's `Engine.tables`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from linkoracle.board import Lattice
from linkoracle.deduce.rules import Window
from rule_windows import completed


def tables(lattice: Lattice, border: tuple[int, ...] = ()) -> dict[str, list[Any]]:
    sides = sides_of(lattice, border)
    cuts = [*map(list, lattice.down[:-1].tolist()), *map(list, lattice.right[:, :-1].T.tolist())]
    cut_of = {edge: number for number, cut in enumerate(cuts) for edge in cut}
    edges = zip(lattice.edge_vertices.tolist(), sides.tolist(), strict=True)
    cells = cell_edges(lattice)
    found: dict[str, list[Any]] = {
        "edges": [(ends, beside, cut_of[edge]) for edge, (ends, beside) in enumerate(edges)],
        "rings": [*lattice.vertex_edges.tolist(), *lattice.face_edges.tolist()],
        "border": np.flatnonzero(sides[:, 1] >= lattice.num_faces).tolist(),
        "crossing": cuts,
        "cells": cells.tolist(),
        "cells at": by_item(cells, lattice.num_edges),
        "fills": lasting_fills(),
    }
    for side in (2, 3):
        faces, dots = window_faces(lattice, sides, side), window_dots(lattice, side)
        rows = zip(filled(faces, 25), filled(dots, 16), strict=True)
        found[f"windows {side}"] = list(rows)
        found[f"windows {side} at"] = by_item(faces, lattice.num_faces + 2)
    return found


def filled(array: np.ndarray, width: int) -> list[list[int]]:
    """Rows filled up with zeros."""
    return np.pad(array, ((0, 0), (0, width - array.shape[1]))).tolist()


def sides_of(lattice: Lattice, border: tuple[int, ...]) -> np.ndarray:
    sides = np.full((lattice.num_edges, 2), lattice.num_faces)
    faces = np.arange(lattice.num_faces)
    top, left, right, bottom = lattice.face_edges.T
    for edges, column in ((bottom, 1), (right, 1), (top, 0), (left, 0)):
        sides[edges, column] = faces
    # The outside stands second.
    outer = sides[:, 0] == lattice.num_faces
    sides[outer] = sides[outer][:, ::-1]
    sides[list(border), 1] = lattice.num_faces + 1
    return sides


def cell_edges(lattice: Lattice) -> np.ndarray:
    """The edges of the window of each cell, in its order; -1 off the board."""
    edges = completed(Window(1, 1)).edges
    rows, cols = lattice.rows - 1, lattice.cols - 1
    found = np.full((rows, cols, len(edges)), -1)
    right, down = (np.pad(ids, 1, constant_values=-1) for ids in (lattice.right, lattice.down))
    for place, (kind, row, col) in enumerate(edges):
        ids = down if kind == "v" else right
        found[:, :, place] = ids[row + 1 : row + 1 + rows, col + 1 : col + 1 + cols]
    return found.reshape(-1, len(edges))


def window_faces(lattice: Lattice, sides: np.ndarray, side: int) -> np.ndarray:
    """The faces in and around each window of ``side`` x ``side`` cells, row by row."""
    rows, cols = lattice.rows - 1, lattice.cols - 1
    board = np.full((rows + 2, cols + 2), rows * cols)
    board[1:-1, 1:-1] = np.arange(rows * cols).reshape(rows, cols)
    if rows and cols:
        board[0, 1:-1] = sides[lattice.right[0, :-1], 1]
        board[-1, 1:-1] = sides[lattice.right[-1, :-1], 1]
        board[1:-1, 0] = sides[lattice.down[:-1, 0], 1]
        board[1:-1, -1] = sides[lattice.down[:-1, -1], 1]
        board[:: rows + 1, 0] = board[:: rows + 1, 1]
        board[:: rows + 1, -1] = board[:: rows + 1, -2]
    return blocks(board, side + 2)


def window_dots(lattice: Lattice, side: int) -> np.ndarray:
    return blocks(np.arange(lattice.num_vertices).reshape(lattice.rows, lattice.cols), side + 1)


def blocks(ids: np.ndarray, side: int) -> np.ndarray:
    """What lies in each block of ``side`` x ``side``, row by row: shape ``(blocks, side**2)``."""
    if min(ids.shape) < side:
        return np.zeros((0, side**2), dtype=int)
    return sliding_window_view(ids, (side, side)).reshape(-1, side**2)


def by_item(rows: np.ndarray, items: int) -> list[list[int]]:
    """The rows that each item is in, as often as it is there."""
    found: list[list[int]] = [[] for _ in range(items)]
    for number, row in enumerate(rows.tolist()):
        for item in row:
            if item >= 0:
                found[item].append(number)
    return found


def lasting_fills() -> list[int]:
    """The completions of a cell without a clue that cannot be flipped."""
    cell = completed(Window(1, 1))
    ring = cell.of_cell(0, 0)
    kept = []
    for way in cell.ways.tolist():
        top, left, right, bottom = (way >> edge & 1 for edge in ring)
        lines = top + left + right + bottom
        one_piece = lines in (1, 3) or (lines == 2 and top != bottom and left != right)
        flipped = way ^ sum(1 << edge for edge in ring)
        degrees = [sum(flipped >> edge & 1 for edge in cell.at_dot(*dot)) for dot in cell.dots]
        if not one_piece or not {0, 2}.issuperset(degrees):
            kept.append(way)
    return kept

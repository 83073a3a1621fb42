"""Index arrays of a board for the deduction engine, which depend on its size only."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkoracle.deduce.windows import Window
from linkoracle.lattice import Lattice

Ints = NDArray[np.int64]


class Geometry(NamedTuple):
    """What the frames of all boards of one size share: see `linkoracle.deduce.kernel.Frame`."""

    ends: Ints
    around: Ints
    sides: Ints
    ring: Ints
    right: Ints
    down: Ints
    cut_of: Ints
    cut_start: Ints
    cut_edges: Ints
    window_first: Ints
    window_faces: Ints
    window_dots: Ints
    face_start: Ints
    windows_at: Ints
    cell_edges: Ints
    cell_start: Ints
    cells_of: Ints
    rim: Ints
    site_faces: Ints
    site_pairs: Ints


@lru_cache(maxsize=32)
def geometry(lattice: Lattice, rim: tuple[int, ...] = ()) -> Geometry:
    """The index arrays; the outside is face ``num_faces``, beyond the edges ``rim`` one more."""
    sides = _sides(lattice, rim)
    cuts = list(lattice.down[:-1]) + list(lattice.right[:, :-1].T)
    cut_of = np.empty(lattice.num_edges, dtype=np.int64)
    for number, cut in enumerate(cuts):
        cut_of[cut] = number
    cell_edges = _cell_edges(lattice)
    squares, blocks = _window_faces(lattice, sides, 2), _window_faces(lattice, sides, 3)
    square_start, windows_at = _by_item(squares, lattice.num_faces + 2)
    block_start, blocks_at = _by_item(blocks, lattice.num_faces + 2)
    site_faces, site_pairs = _sites(lattice, sides)
    return Geometry(
        lattice.edge_vertices.astype(np.int64),
        lattice.vertex_edges.astype(np.int64),
        sides,
        lattice.face_edges.astype(np.int64),
        lattice.right.astype(np.int64),
        lattice.down.astype(np.int64),
        cut_of,
        np.cumsum([0, *map(len, cuts)]).astype(np.int64),
        np.concatenate([np.zeros(0, dtype=np.int64), *cuts]).astype(np.int64),
        np.cumsum([0, len(squares), len(blocks)]),
        np.concatenate([np.pad(squares, ((0, 0), (0, 9))), blocks]),
        np.concatenate([_window_dots(lattice, side) for side in (2, 3)]),
        np.stack([square_start, len(windows_at) + block_start]),
        np.concatenate([windows_at, blocks_at]),
        cell_edges,
        *_by_item(cell_edges, lattice.num_edges),
        np.flatnonzero(sides[:, 1] >= lattice.num_faces),
        site_faces,
        site_pairs,
    )


def rim_between(lattice: Lattice, ends: tuple[int, int]) -> tuple[int, ...] | None:
    """The edges of the rim from one vertex to the other; ``None`` if one is not on the rim.

    >>> rim_between(Lattice(2, 3), (0, 5))
    (0, 2, 4)
    """
    rows, cols = lattice.rows - 1, lattice.cols - 1
    if min(rows, cols) < 1:
        return None
    walk = [(0, col) for col in range(cols)] + [(row, cols) for row in range(rows)]
    walk += [(rows, col) for col in range(cols, 0, -1)] + [(row, 0) for row in range(rows, 0, -1)]
    places = {lattice.vertex(*dot): index for index, dot in enumerate(walk)}
    if any(end not in places for end in ends):
        return None
    first, last = sorted(places[end] for end in ends)
    steps = zip(walk[first:last], [*walk[1:], walk[0]][first:last], strict=True)
    return tuple(lattice.edge(*step) for step in steps)


def _sides(lattice: Lattice, rim: tuple[int, ...]) -> Ints:
    sides = np.full((lattice.num_edges, 2), lattice.num_faces, dtype=np.int64)
    faces = np.arange(lattice.num_faces, dtype=np.int64)
    top, left, right, bottom = lattice.face_edges.T
    for edges, column in ((bottom, 1), (right, 1), (top, 0), (left, 0)):
        sides[edges, column] = faces
    # The outside stands second.
    outer = sides[:, 0] == lattice.num_faces
    sides[outer] = sides[outer][:, ::-1]
    sides[list(rim), 1] = lattice.num_faces + 1
    return sides


def _cell_edges(lattice: Lattice) -> Ints:
    """The edges of the window of each cell, in its order; -1 off the board."""
    edges = Window(1, 1).edges
    rows, cols = lattice.rows - 1, lattice.cols - 1
    found = np.full((rows, cols, len(edges)), -1, dtype=np.int64)
    right, down = (np.pad(ids, 1, constant_values=-1) for ids in (lattice.right, lattice.down))
    for place, (kind, row, col) in enumerate(edges):
        ids = down if kind == "v" else right
        found[:, :, place] = ids[row + 1 : row + 1 + rows, col + 1 : col + 1 + cols]
    return found.reshape(-1, len(edges))


def _window_faces(lattice: Lattice, sides: Ints, side: int) -> Ints:
    """The faces in and around each window of ``side`` x ``side`` cells, row by row."""
    rows, cols = lattice.rows - 1, lattice.cols - 1
    board = np.full((rows + 2, cols + 2), rows * cols, dtype=np.int64)
    board[1:-1, 1:-1] = np.arange(rows * cols).reshape(rows, cols)
    if rows and cols:
        board[0, 1:-1] = sides[lattice.right[0, :-1], 1]
        board[-1, 1:-1] = sides[lattice.right[-1, :-1], 1]
        board[1:-1, 0] = sides[lattice.down[:-1, 0], 1]
        board[1:-1, -1] = sides[lattice.down[:-1, -1], 1]
        # Beyond a corner dot is the same outside as beside it; where a path ends there, all the
        # same, for nothing is asked of that dot.
        board[:: rows + 1, 0] = board[:: rows + 1, 1]
        board[:: rows + 1, -1] = board[:: rows + 1, -2]
    height, width = max(rows - side + 1, 0), max(cols - side + 1, 0)
    found = [
        board[row : row + height, col : col + width].ravel()
        for row, col in product(range(side + 2), repeat=2)
    ]
    return np.stack(found, axis=1)


def _window_dots(lattice: Lattice, side: int) -> Ints:
    """The vertices of each window of ``side`` x ``side`` cells, row by row, filled up to 16."""
    rows, cols = max(lattice.rows - side, 0), max(lattice.cols - side, 0)
    ids = np.arange(lattice.num_vertices).reshape(lattice.rows, lattice.cols)
    found = [
        ids[row : row + rows, col : col + cols].ravel()
        for row, col in product(range(side + 1), repeat=2)
    ]
    return np.pad(np.stack(found, axis=1), ((0, 0), (0, 16 - len(found))))


def _by_item(windows: Ints, items: int) -> tuple[Ints, Ints]:
    """The windows that each edge or face is in, as ``(start, windows)``."""
    window, place = np.nonzero(windows >= 0)
    item = windows[window, place]
    order = np.argsort(item, kind="stable")
    start = np.searchsorted(item[order], np.arange(items + 1))
    return start.astype(np.int64), window[order].astype(np.int64)


def _sites(lattice: Lattice, sides: Ints) -> tuple[Ints, Ints]:
    """The faces around each vertex, then each face and its neighbours; and what divides them."""
    around = [[edge for edge in edges if edge >= 0] for edges in lattice.vertex_edges.tolist()]
    rings = lattice.face_edges.tolist()
    site_faces = np.full((len(around) + len(rings), 5), -1, dtype=np.int64)
    site_pairs = np.full((len(around) + len(rings), 4, 2), -1, dtype=np.int64)
    pair_of = sides.tolist()
    for site, edges in enumerate([*around, *rings]):
        local: dict[int, int] = {}
        for place, edge in enumerate(edges):
            one, other = pair_of[edge]
            site_pairs[site, place, 0] = local.setdefault(one, len(local))
            site_pairs[site, place, 1] = local.setdefault(other, len(local))
        site_faces[site, : len(local)] = list(local)
    return site_faces, site_pairs

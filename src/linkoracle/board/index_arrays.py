"""The index arrays of a lattice, for NumPy: see the properties of `Lattice` by their names.

Loaded when one is asked for first. All are read-only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from linkoracle.board.lattice import Lattice

#: An index array: signed, so that -1 can say "no such edge".
IndexArray = NDArray[np.int32]


def right(lattice: Lattice) -> IndexArray:
    edges = np.full((lattice.rows, lattice.cols), -1, dtype=np.int32)
    row, col = _places(lattice)
    edges[:-1, :-1] = (row + 2 * col)[:-1, :-1]
    edges[-1, :-1] = (row + col)[-1, :-1]
    return _frozen(edges)


def down(lattice: Lattice) -> IndexArray:
    edges = np.full((lattice.rows, lattice.cols), -1, dtype=np.int32)
    row, col = _places(lattice)
    edges[:-1, :] = np.minimum(row + 2 * col + 1, row + 2 * (lattice.cols - 1))[:-1, :]
    return _frozen(edges)


def _places(lattice: Lattice) -> tuple[IndexArray, IndexArray]:
    """The first edge of each row of vertices, as a column, and the columns, as a row."""
    row = np.arange(lattice.rows, dtype=np.int32)[:, None] * (2 * lattice.cols - 1)
    return row, np.arange(lattice.cols, dtype=np.int32)[None, :]


def edge_vertices(lattice: Lattice) -> IndexArray:
    vertex = np.arange(lattice.num_vertices, dtype=np.int32).reshape(lattice.rows, lattice.cols)
    ends = np.empty((lattice.num_edges, 2), dtype=np.int32)
    ends[lattice.right[:, :-1].ravel(), 0] = vertex[:, :-1].ravel()
    ends[lattice.right[:, :-1].ravel(), 1] = vertex[:, 1:].ravel()
    ends[lattice.down[:-1, :].ravel(), 0] = vertex[:-1, :].ravel()
    ends[lattice.down[:-1, :].ravel(), 1] = vertex[1:, :].ravel()
    return _frozen(ends)


def vertex_edges(lattice: Lattice) -> IndexArray:
    edges = np.full((lattice.rows, lattice.cols, 4), -1, dtype=np.int32)
    edges[1:, :, 0] = lattice.down[:-1, :]
    edges[:, 1:, 1] = lattice.right[:, :-1]
    edges[:, :, 2] = lattice.right
    edges[:, :, 3] = lattice.down
    return _frozen(edges.reshape(lattice.num_vertices, 4))


def face_edges(lattice: Lattice) -> IndexArray:
    top, bottom = lattice.right[:-1, :-1], lattice.right[1:, :-1]
    left, right = lattice.down[:-1, :-1], lattice.down[:-1, 1:]
    edges = np.stack([top, left, right, bottom], axis=-1)
    return _frozen(edges.reshape(lattice.num_faces, 4))


def _frozen(array: IndexArray) -> IndexArray:
    array.setflags(write=False)
    return array

"""The rectangular lattice graph and its one fixed numbering.

Everything else speaks in the ids defined here:

* **vertex** ``(r, c)`` has id ``r * cols + c``: row-major order;
* **edges** are numbered by their first vertex in that order, the edge to the right before the edge
  down. This is the order in which a frontier pass decides them;
* **face** ``(r, c)``, the unit square with ``(r, c)`` as its top-left vertex, has id
  ``r * (cols - 1) + c``.

For a 2x3 lattice::

    0--e0--1--e2--2
    |      |      |
    e1 f0  e3 f1  e4
    |      |      |
    3--e5--4--e6--5
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import checked_int

#: An index array: signed, so that -1 can say "no such edge".
IndexArray = NDArray[np.int32]

T = TypeVar("T")


def _once(compute: Callable[[Lattice], T]) -> cached_property[T]:
    """A property computed once for all equal lattices; the last few are remembered."""
    return cached_property(lru_cache(maxsize=32)(compute))


@dataclass(frozen=True, order=True)
class Lattice:
    """A grid graph with ``rows`` x ``cols`` *vertices*.

    Raises ``ValueError`` when a side is no whole number from 1, and `MemoryLimit` for more edges
    than can be numbered. The index arrays are built in O(rows * cols) when first needed, shared by
    equal lattices, and read-only.

    >>> lattice = Lattice(2, 3)
    >>> lattice.num_vertices, lattice.num_edges, lattice.num_faces
    (6, 7, 2)
    >>> lattice.face_edges.tolist()
    [[0, 1, 3, 5], [2, 3, 4, 6]]
    """

    rows: int
    cols: int

    def __post_init__(self) -> None:
        for side in ("rows", "cols"):
            number = checked_int(getattr(self, side), f"the {side} of a lattice", 1)
            object.__setattr__(self, side, number)
        if self.num_edges > np.iinfo(np.int32).max:
            raise MemoryLimit(
                f"a lattice of {self.rows}x{self.cols} vertices has {self.num_edges} edges, more "
                "than can be numbered"
            )

    @property
    def num_vertices(self) -> int:
        return self.rows * self.cols

    @property
    def num_edges(self) -> int:
        return self.rows * (self.cols - 1) + (self.rows - 1) * self.cols

    @property
    def num_faces(self) -> int:
        return (self.rows - 1) * (self.cols - 1)

    def vertex(self, row: int, col: int) -> int:
        """Return the id of the vertex at ``(row, col)``; raise ``IndexError`` outside."""
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise IndexError(f"no vertex ({row}, {col}) on a {self.rows}x{self.cols} lattice")
        return row * self.cols + col

    def position(self, vertex: int) -> tuple[int, int]:
        """Return ``(row, col)`` of a vertex id."""
        return divmod(vertex, self.cols)

    def face(self, row: int, col: int) -> int:
        """Return the id of the face at ``(row, col)``; raise ``IndexError`` outside."""
        if not (0 <= row < self.rows - 1 and 0 <= col < self.cols - 1):
            raise IndexError(f"no face ({row}, {col}) on a {self.rows}x{self.cols} lattice")
        return row * (self.cols - 1) + col

    def edge(self, u: tuple[int, int], v: tuple[int, int]) -> int:
        """Return the id of the edge between two neighbouring positions.

        Raises ``ValueError`` when they are not neighbours on the lattice.

        >>> Lattice(2, 3).edge((1, 1), (0, 1))
        3
        """
        (row, col), (row2, col2) = sorted((u, v))
        if not (0 <= row <= row2 < self.rows and col >= 0 and max(col, col2) < self.cols):
            raise ValueError(f"{u} and {v} are not both on the lattice")
        first = row * (2 * self.cols - 1)
        if (row2, col2) == (row, col + 1):
            return first + (2 * col if row < self.rows - 1 else col)
        if (row2, col2) == (row + 1, col):
            return first + (2 * col + 1 if col < self.cols - 1 else 2 * col)
        raise ValueError(f"{u} and {v} are not neighbours")

    @_once
    def right(self) -> IndexArray:
        """Edge to the right of each vertex: shape ``(rows, cols)``, -1 in the last column."""
        return self._grids[0]

    @_once
    def down(self) -> IndexArray:
        """Edge below each vertex: shape ``(rows, cols)``, -1 in the last row."""
        return self._grids[1]

    @_once
    def _grids(self) -> tuple[IndexArray, IndexArray]:
        right = np.full((self.rows, self.cols), -1, dtype=np.int32)
        down = np.full((self.rows, self.cols), -1, dtype=np.int32)
        row = np.arange(self.rows, dtype=np.int32)[:, None] * (2 * self.cols - 1)
        col = np.arange(self.cols, dtype=np.int32)[None, :]
        right[:-1, :-1] = (row + 2 * col)[:-1, :-1]
        right[-1, :-1] = (row + col)[-1, :-1]
        down[:-1, :] = np.minimum(row + 2 * col + 1, row + 2 * (self.cols - 1))[:-1, :]
        return _frozen(right), _frozen(down)

    @_once
    def edge_vertices(self) -> IndexArray:
        """The two ends of each edge, smaller id first: shape ``(num_edges, 2)``."""
        vertex = np.arange(self.num_vertices, dtype=np.int32).reshape(self.rows, self.cols)
        ends = np.empty((self.num_edges, 2), dtype=np.int32)
        ends[self.right[:, :-1].ravel(), 0] = vertex[:, :-1].ravel()
        ends[self.right[:, :-1].ravel(), 1] = vertex[:, 1:].ravel()
        ends[self.down[:-1, :].ravel(), 0] = vertex[:-1, :].ravel()
        ends[self.down[:-1, :].ravel(), 1] = vertex[1:, :].ravel()
        return _frozen(ends)

    @_once
    def vertex_edges(self) -> IndexArray:
        """Edges up, left, right and down of each vertex: shape ``(num_vertices, 4)``, -1: none."""
        edges = np.full((self.rows, self.cols, 4), -1, dtype=np.int32)
        edges[1:, :, 0] = self.down[:-1, :]
        edges[:, 1:, 1] = self.right[:, :-1]
        edges[:, :, 2] = self.right
        edges[:, :, 3] = self.down
        return _frozen(edges.reshape(self.num_vertices, 4))

    @_once
    def face_edges(self) -> IndexArray:
        """Edges at the top, left, right and bottom of each face: shape ``(num_faces, 4)``."""
        top, bottom = self.right[:-1, :-1], self.right[1:, :-1]
        left, right = self.down[:-1, :-1], self.down[:-1, 1:]
        return _frozen(np.stack([top, left, right, bottom], axis=-1).reshape(self.num_faces, 4))


def _frozen(array: IndexArray) -> IndexArray:
    array.setflags(write=False)
    return array

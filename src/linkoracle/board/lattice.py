"""The rectangular lattice graph and its one fixed numbering; a `Solution` is a set of its edges.

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

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import checked_int

if TYPE_CHECKING:
    import networkx as nx

    from linkoracle.board.symmetry import Isometry

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
    def transposed(self) -> Lattice:
        """The lattice whose rows are the columns of this one."""
        return Lattice(self.cols, self.rows)

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


@dataclass(frozen=True, order=True)
class Solution:
    """A set of chosen edges on a lattice, kept as a sorted tuple of edge ids.

    Comparable and hashable: equal when lattice and edges are. Nothing is implied about rules;
    `linkoracle.verify` checks a solution against a puzzle. Raises ``ValueError`` for what is no id
    of an edge of the lattice.

    >>> square = Solution(Lattice(2, 2), (3, 1, 0, 2))
    >>> square.edges
    (0, 1, 2, 3)
    >>> square.paths()
    [[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]]
    """

    lattice: Lattice
    edges: tuple[int, ...] = field(default=())

    def __post_init__(self) -> None:
        edges, last = tuple(self.edges), self.lattice.num_edges - 1
        # Solutions are listed by the million: whole numbers are told at once, and sorted first.
        if not set(map(type, edges)) <= {int}:
            edges = tuple(checked_int(edge, "the id of an edge", 0, last) for edge in edges)
        ids = tuple(sorted(set(edges)))
        if ids and not 0 <= ids[0] <= ids[-1] <= last:
            checked_int(ids[0] if ids[0] < 0 else ids[-1], "the id of an edge", 0, last)
        object.__setattr__(self, "edges", ids)

    @classmethod
    def from_paths(cls, lattice: Lattice, paths: Iterable[Iterable[tuple[int, int]]]) -> Solution:
        """Build from walks over positions, as `paths` returns them.

        Raises ``ValueError`` when two steps of a walk are not neighbours, or one is no position, or
        an edge is used twice: what goes back and forth, or around again, is no path and no cycle.

        >>> Solution.from_paths(Lattice(2, 2), [[(0, 0), (0, 1), (0, 0)]])
        Traceback (most recent call last):
            ...
        ValueError: the edge between (0, 1) and (0, 0) is used twice
        """
        edges: set[int] = set()
        for walk in paths:
            steps = [(checked_int(row, "a row"), checked_int(col, "a column")) for row, col in walk]
            for u, v in pairwise(steps):
                edge = lattice.edge(u, v)
                if edge in edges:
                    raise ValueError(f"the edge between {u} and {v} is used twice")
                edges.add(edge)
        return cls(lattice, tuple(edges))

    def __len__(self) -> int:
        return len(self.edges)

    def __contains__(self, edge: object) -> bool:
        return edge in self.edges

    def __iter__(self) -> Iterator[int]:
        return iter(self.edges)

    def mask(self) -> NDArray[np.bool_]:
        """Which edges are chosen: a boolean array of shape ``(num_edges,)``."""
        chosen = np.zeros(self.lattice.num_edges, dtype=np.bool_)
        chosen[list(self.edges)] = True
        return chosen

    def face_counts(self) -> NDArray[np.int64]:
        """Chosen edges around each face, of shape ``(rows - 1, cols - 1)``: the full clues."""
        counts: NDArray[np.int64] = self.mask()[self.lattice.face_edges].sum(axis=1)
        return counts.reshape(self.lattice.rows - 1, self.lattice.cols - 1)

    def paths(self) -> list[list[tuple[int, int]]]:
        """The chosen edges as walks over ``(row, col)``, in a fixed order.

        Paths first, each from its smaller end, by that end; then cycles, each from its smallest
        vertex towards its smaller neighbour, ending where it began. O(edges). Raises
        ``ValueError`` when a vertex has three or more chosen edges, which no walk describes.
        """
        neighbours: dict[int, list[int]] = {}
        ends = self.lattice.edge_vertices
        for edge in self.edges:
            u, v = (int(end) for end in ends[edge])
            neighbours.setdefault(u, []).append(v)
            neighbours.setdefault(v, []).append(u)
        if any(len(adjacent) > 2 for adjacent in neighbours.values()):
            raise ValueError("the chosen edges branch: they are not paths and cycles")
        starts = sorted(neighbours, key=lambda vertex: (len(neighbours[vertex]), vertex))
        walks, seen = [], set()
        for start in starts:
            if start in seen:
                continue
            closed = len(neighbours[start]) == 2
            walk, here, before = [start], min(neighbours[start]), start
            while here != start:
                walk.append(here)
                onward = [vertex for vertex in neighbours[here] if vertex != before]
                if not onward:
                    break
                here, before = onward[0], here
            seen.update(walk)
            walks.append([self.lattice.position(v) for v in walk + [start] * closed])
        return walks

    def graph(self) -> nx.Graph[Any]:
        """The chosen edges as a `networkx.Graph` on ``(row, col)`` nodes, each edge with its id."""
        import networkx as nx

        graph: nx.Graph[Any] = nx.Graph()
        ends = self.lattice.edge_vertices
        for edge in self.edges:
            u, v = (self.lattice.position(int(end)) for end in ends[edge])
            graph.add_edge(u, v, id=edge)
        return graph

    def rotate(self, quarter_turns: int = 1) -> Solution:
        """Turn clockwise by ``quarter_turns`` times 90 degrees."""
        from linkoracle.board import symmetry

        turns = symmetry.IDENTITY, symmetry.QUARTER_TURN, symmetry.HALF_TURN, symmetry.COUNTER_TURN
        return self.moved(turns[quarter_turns % 4])

    def reflect(self) -> Solution:
        """Mirror left to right."""
        from linkoracle.board.symmetry import LEFT_RIGHT

        return self.moved(LEFT_RIGHT)

    def moved(self, isometry: Isometry) -> Solution:
        """Where a turn or mirror image of the lattice takes these edges."""
        lattice, edges = isometry.edges(self.lattice, np.array(self.edges, dtype=np.int32))
        return Solution(lattice, tuple(edges.tolist()))

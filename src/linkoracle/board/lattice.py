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

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from linkoracle.core.errors import MemoryLimit
from linkoracle.core.limits import checked_int

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

    from linkoracle.board.index_arrays import IndexArray
    from linkoracle.board.symmetry import Isometry

T = TypeVar("T")

#: Ids of edges are numbers of 32 bits.
_MOST_EDGES = 2**31 - 1


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
        if self.num_edges > _MOST_EDGES:
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
        if (row2, col2) == (row, col + 1):
            return self._right(row, col)
        if (row2, col2) == (row + 1, col):
            return self._down(row, col)
        raise ValueError(f"{u} and {v} are not neighbours")

    def _right(self, row: int, col: int) -> int:
        return row * (2 * self.cols - 1) + (2 * col if row < self.rows - 1 else col)

    def _down(self, row: int, col: int) -> int:
        return row * (2 * self.cols - 1) + (2 * col + 1 if col < self.cols - 1 else 2 * col)

    def ends(self, edge: int) -> tuple[int, int]:
        """The two ends of an edge, smaller id first: a row of `edge_vertices`.

        >>> [Lattice(2, 3).ends(edge) for edge in (0, 1, 4, 6)]
        [(0, 1), (0, 3), (2, 5), (4, 5)]
        """
        row, place = divmod(edge, 2 * self.cols - 1)
        last = row == self.rows - 1
        vertex = row * self.cols + (place if last else place // 2)
        upright = not last and (place % 2 == 1 or place == 2 * self.cols - 2)
        return vertex, vertex + (self.cols if upright else 1)

    def faces_of(self, edge: int) -> list[int]:
        """The faces beside an edge, one or two of them unless the lattice has none.

        >>> Lattice(2, 3).faces_of(3), Lattice(2, 3).faces_of(5)
        ([0, 1], [0])
        """
        one, other = self.ends(edge)
        row, col = divmod(one, self.cols)
        before = (row - 1, col) if other == one + 1 else (row, col - 1)
        return [
            at * (self.cols - 1) + beside
            for at, beside in (before, (row, col))
            if 0 <= at < self.rows - 1 and 0 <= beside < self.cols - 1
        ]

    def edges_of(self, face: int) -> list[int]:
        """The edges at the top, left, right and bottom of a face: a row of `face_edges`.

        >>> Lattice(2, 3).edges_of(1)
        [2, 3, 4, 6]
        """
        row, col = divmod(face, self.cols - 1)
        sides = self._right(row, col), self._down(row, col), self._down(row, col + 1)
        return [*sides, self._right(row + 1, col)]

    def edge_rows(self, marks: bytes | bytearray) -> tuple[list[bytes], list[bytes]]:
        """A byte for each edge, by rows of vertices: those of the edges to the right, and down.

        >>> rights, downs = Lattice(2, 3).edge_rows(bytes(range(7)))
        >>> [*map(list, rights)], [*map(list, downs)]
        ([[0, 2], [5, 6]], [[1, 3, 4]])
        """
        step, right = 2 * self.cols - 1, 2 * self.cols - 2
        rows = [bytes(marks[at : at + step]) for at in range(0, len(marks) - right // 2, step)]
        downs = [row[1::2] + row[-1:] for row in rows]
        return [*(row[:right:2] for row in rows), bytes(marks[len(rows) * step :])], downs

    def from_edge_rows(self, rights: Sequence[bytes], downs: Sequence[bytes]) -> bytearray:
        """What `edge_rows` takes apart."""
        marks = bytearray(self.num_edges)
        step, right = 2 * self.cols - 1, 2 * self.cols - 2
        for row, down in enumerate(downs):
            at = row * step
            marks[at : at + right : 2] = rights[row]
            marks[at + 1 : at + right : 2] = down[:-1]
            marks[at + right] = down[-1]
        marks[len(downs) * step :] = rights[-1]
        return marks

    @_once
    def right(self) -> IndexArray:
        """Edge to the right of each vertex: shape ``(rows, cols)``, -1 in the last column."""
        from linkoracle.board.index_arrays import right

        return right(self)

    @_once
    def down(self) -> IndexArray:
        """Edge below each vertex: shape ``(rows, cols)``, -1 in the last row."""
        from linkoracle.board.index_arrays import down

        return down(self)

    @_once
    def edge_vertices(self) -> IndexArray:
        """The two ends of each edge, smaller id first: shape ``(num_edges, 2)``."""
        from linkoracle.board.index_arrays import edge_vertices

        return edge_vertices(self)

    @_once
    def vertex_edges(self) -> IndexArray:
        """Edges up, left, right and down of each vertex: shape ``(num_vertices, 4)``, -1: none."""
        from linkoracle.board.index_arrays import vertex_edges

        return vertex_edges(self)

    @_once
    def face_edges(self) -> IndexArray:
        """Edges at the top, left, right and bottom of each face: shape ``(num_faces, 4)``."""
        from linkoracle.board.index_arrays import face_edges

        return face_edges(self)


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

    @classmethod
    def of(cls, lattice: Lattice, chosen: Solution | Iterable[int]) -> Solution:
        """Return ``chosen`` if it is a solution, else that of these edge ids, or ``ValueError``.

        >>> Solution.of(Lattice(2, 2), [0, 1]).edges
        (0, 1)
        """
        if isinstance(chosen, Solution):
            return chosen
        try:
            edges = tuple(chosen)
        except TypeError:
            raise ValueError(f"expected a Solution or edge ids, got {chosen!r}") from None
        return cls(lattice, edges)

    def __len__(self) -> int:
        return len(self.edges)

    def __contains__(self, edge: object) -> bool:
        return edge in self.edges

    def __iter__(self) -> Iterator[int]:
        return iter(self.edges)

    def mask(self) -> NDArray[np.bool_]:
        """Which edges are chosen: a boolean array of shape ``(num_edges,)``."""
        import numpy as np

        return np.frombuffer(self.marks(), dtype=np.bool_)

    def marks(self) -> bytearray:
        """`mask` as a byte for each edge, 1 for the chosen.

        >>> list(Solution(Lattice(2, 3), (0, 1, 3, 5)).marks())
        [1, 1, 0, 1, 0, 1, 0]
        """
        marks = bytearray(self.lattice.num_edges)
        for edge in self.edges:
            marks[edge] = 1
        return marks

    def face_counts(self) -> NDArray[np.int64]:
        """Chosen edges around each face, of shape ``(rows - 1, cols - 1)``: the full clues."""
        import numpy as np

        shape = self.lattice.rows - 1, self.lattice.cols - 1
        return np.array(self.clues(), dtype=np.int64).reshape(shape)

    def clues(self) -> list[list[int]]:
        """`face_counts` as lists.

        >>> Solution(Lattice(2, 3), (0, 1, 3, 5)).clues()
        [[4, 1]]
        """
        rights, downs = self.lattice.edge_rows(self.marks())
        return [
            [sum(sides) for sides in zip(above, left, left[1:], below, strict=False)]
            for above, left, below in zip(rights, downs, rights[1:], strict=False)
        ]

    def paths(self) -> list[list[tuple[int, int]]]:
        """The chosen edges as walks over ``(row, col)``, in a fixed order.

        Paths first, each from its smaller end, by that end; then cycles, each from its smallest
        vertex towards its smaller neighbour, ending where it began. O(edges). Raises
        ``ValueError`` when a vertex has three or more chosen edges, which no walk describes.
        """
        neighbours: dict[int, list[int]] = {}
        for edge in self.edges:
            u, v = self.lattice.ends(edge)
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
        for edge in self.edges:
            u, v = map(self.lattice.position, self.lattice.ends(edge))
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
        import numpy as np

        lattice, edges = isometry.edges(self.lattice, np.array(self.edges, dtype=np.int32))
        return Solution(lattice, tuple(edges.tolist()))

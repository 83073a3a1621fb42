"""`Lattice`: the square board, a grid of vertices with one fixed numbering.

All other modules use the ids defined here:

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
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from linkoracle.board.board import MAX_EDGES, Board, Layout, Point
from linkoracle.core import MemoryLimit, checked_int

if TYPE_CHECKING:
    from array import array

    import numpy as np
    from numpy.typing import NDArray

    from linkoracle.board.plane_kernel import PlaneArrays

    #: An index array: signed, so that -1 can say "no such edge". Read-only.
    IndexArray = NDArray[np.int32]

T = TypeVar("T")


def _once(compute: Callable[[Lattice], T]) -> cached_property[T]:
    """Make a property that is computed once for all equal lattices; the last few are kept."""
    return cached_property(lru_cache(maxsize=32)(compute))


@dataclass(frozen=True, order=True)
class Lattice(Board):
    """A grid graph with ``rows`` x ``cols`` *vertices*; labels are ``(row, col)``.

    Raises ``ValueError`` if a side is not a whole number from 1, and `MemoryLimit` for more edges
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

    is_taut: ClassVar[bool] = True
    name_form: ClassVar[str] = "[row, column]"
    _state: ClassVar[tuple[str, ...]] = ("rows", "cols")

    def __post_init__(self) -> None:
        for side in ("rows", "cols"):
            number = checked_int(getattr(self, side), f"the {side} of a lattice", 1)
            object.__setattr__(self, side, number)
        if self.num_edges > MAX_EDGES:
            raise MemoryLimit(
                f"a lattice of {self.rows}x{self.cols} vertices has {self.num_edges} edges, more "
                "than can be numbered"
            )

    @cached_property
    def num_vertices(self) -> int:
        return self.rows * self.cols

    @cached_property
    def num_edges(self) -> int:
        return self.rows * (self.cols - 1) + (self.rows - 1) * self.cols

    @cached_property
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
        if (row2, col2) not in ((row, col + 1), (row + 1, col)):
            raise ValueError(f"{u} and {v} are not neighbours")
        try:
            return index(self._right(row, col) if row2 == row else self._down(row, col))
        except TypeError:
            raise ValueError(f"expected whole numbers for positions, got {u} and {v}") from None

    def _right(self, row: int, col: int) -> int:
        return row * (2 * self.cols - 1) + (2 * col if row < self.rows - 1 else col)

    def _down(self, row: int, col: int) -> int:
        return row * (2 * self.cols - 1) + (2 * col + 1 if col < self.cols - 1 else 2 * col)

    def ends(self, edge: int) -> tuple[int, int]:
        """Return the two ends of an edge, smaller id first: a row of `edge_vertices`.

        >>> [Lattice(2, 3).ends(edge) for edge in (0, 1, 4, 6)]
        [(0, 1), (0, 3), (2, 5), (4, 5)]
        """
        row, place = divmod(edge, 2 * self.cols - 1)
        last = row == self.rows - 1
        vertex = row * self.cols + (place if last else place // 2)
        upright = not last and (place % 2 == 1 or place == 2 * self.cols - 2)
        return vertex, vertex + (self.cols if upright else 1)

    def faces_of(self, edge: int) -> list[int]:
        """Return the faces beside an edge, one or two unless the lattice has none.

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
        """Return the edges at the top, left, right and bottom of a face: a row of `face_edges`.

        >>> Lattice(2, 3).edges_of(1)
        [2, 3, 4, 6]
        """
        row, col = divmod(face, self.cols - 1)
        sides = self._right(row, col), self._down(row, col), self._down(row, col + 1)
        return [*sides, self._right(row + 1, col)]

    def edges_at(self, vertex: int) -> list[int]:
        """Return the edges to the right, down, to the left and up of a vertex that it has.

        >>> Lattice(2, 3).edges_at(1)
        [2, 3, 0]
        """
        row, col = divmod(vertex, self.cols)
        edges = [self._right(row, col)] if col < self.cols - 1 else []
        edges += [self._down(row, col)] if row < self.rows - 1 else []
        edges += [self._right(row, col - 1)] if col > 0 else []
        return edges + ([self._down(row - 1, col)] if row > 0 else [])

    def edge_rows(self, marks: bytes | bytearray) -> tuple[list[bytes], list[bytes]]:
        """Return a byte for each edge, by rows of vertices: of the edges to the right, and down.

        >>> rights, downs = Lattice(2, 3).edge_rows(bytes(range(7)))
        >>> [*map(list, rights)], [*map(list, downs)]
        ([[0, 2], [5, 6]], [[1, 3, 4]])
        """
        step, right = 2 * self.cols - 1, 2 * self.cols - 2
        rows = [bytes(marks[at : at + step]) for at in range(0, len(marks) - right // 2, step)]
        downs = [row[1::2] + row[-1:] for row in rows]
        return [*(row[:right:2] for row in rows), bytes(marks[len(rows) * step :])], downs

    def walk(self, face: int) -> tuple[int, ...]:
        """Return the corners of a face, clockwise from the top left."""
        row, col = divmod(face, self.cols - 1)
        first = row * self.cols + col
        return first, first + 1, first + self.cols + 1, first + self.cols

    def face_of(self, name: object) -> int:
        """Return the face of a cell ``(row, column)``; ``ValueError`` if it is not on the board."""
        rows, cols = self.rows - 1, self.cols - 1
        try:
            row, col = cast("tuple[int, int]", name)
            # Queries have hundreds of cells, and nearly all of them are valid.
            if type(row) is int and type(col) is int and 0 <= row < rows and 0 <= col < cols:
                return row * cols + col
            return self.face(checked_int(row, "a row", 0), checked_int(col, "a column", 0))
        except (TypeError, ValueError, IndexError):
            raise ValueError(
                f"expected a cell (row, column) of {rows} x {cols} cells, got {name!r}"
            ) from None

    def face_name(self, face: int) -> tuple[int, int]:
        """Return the cell ``(row, column)`` of a face."""
        return divmod(face, self.cols - 1)

    @_once
    def face_names(self) -> tuple[tuple[int, int], ...]:
        return tuple(product(range(self.rows - 1), range(self.cols - 1)))

    def vertex_of(self, name: Any) -> int:
        row, col = (checked_int(part, "a place") for part in name)
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise ValueError(f"no vertex ({row}, {col}) on a {self.rows}x{self.cols} lattice")
        return row * self.cols + col

    @_once
    def face_sides(self) -> tuple[list[tuple[Any, Any]], ...]:
        return super().face_sides

    vertex_name = position

    @_once
    def vertex_names(self) -> tuple[tuple[int, int], ...]:
        return tuple(product(range(self.rows), range(self.cols)))

    def steps(self, walk: Iterable[Any]) -> Iterator[tuple[int, int]]:
        return map(_row_and_column, walk)

    def vertices_in_words(self, noun: str) -> str:
        return f"{self.rows}x{self.cols} {noun}s"

    def squares(self, expected: str = "") -> Lattice:  # noqa: ARG002 - for other boards
        return self

    @_once
    def dual(self) -> Lattice:
        return Lattice(self.rows - 1, self.cols - 1)

    @_once
    def words(self) -> str | None:
        return f"square {self.rows - 1} {self.cols - 1}" if self.num_faces else None

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows - 1, self.cols - 1

    @_once
    def vertex_shape(self) -> tuple[int, int]:
        return self.rows, self.cols

    @property
    def dimensions(self) -> dict[str, Any]:
        return {"rows": self.rows - 1, "cols": self.cols - 1}

    @property
    def cells_in_words(self) -> str:
        return f"{self.rows - 1} x {self.cols - 1} cells"

    def face_counts(self, marks: Sequence[int]) -> list[int]:
        """Return how many edges around each face are marked.

        >>> Lattice(2, 3).face_counts([1, 1, 0, 1, 0, 1, 0])
        [4, 1]
        """
        rights, downs = self.edge_rows(bytes(marks))
        return [
            top + west + east + bottom
            for above, left, below in zip(rights, downs, rights[1:], strict=False)
            for top, west, east, bottom in zip(above, left, left[1:], below, strict=False)
        ]

    @_once
    def points(self) -> tuple[Point, ...]:
        """The coordinates of each vertex: column and row."""
        return tuple(
            (float(col), float(row)) for row in range(self.rows) for col in range(self.cols)
        )

    @_once
    def sides(self) -> bytes:
        """The colours of a checkerboard, by vertex: 0 at the top left."""
        line = bytes(col % 2 for col in range(self.cols + 1))
        return b"".join(line[row % 2 : row % 2 + self.cols] for row in range(self.rows))

    @_once
    def has_sides(self) -> bool:
        return True

    @_once
    def free_masks(self) -> tuple[int, ...]:
        return (0b11111,) * self.num_faces

    @_once
    def low_masks(self) -> tuple[int, ...]:
        return (0b11,) * self.num_faces

    @_once
    def layout(self) -> Layout:
        """The flat arrays."""
        from linkoracle.board.plane_kernel import square_layout

        return Layout(*square_layout(self.rows, self.cols))

    @_once
    def plane(self) -> PlaneArrays:
        from linkoracle.board.plane_kernel import PlaneArrays

        return PlaneArrays(self)

    @_once
    def right(self) -> IndexArray:
        """Edge to the right of each vertex: shape ``(rows, cols)``, -1 in the last column."""
        return self.vertex_edges[:, 2].reshape(self.rows, self.cols)

    @_once
    def down(self) -> IndexArray:
        """Edge below each vertex: shape ``(rows, cols)``, -1 in the last row."""
        return self.vertex_edges[:, 3].reshape(self.rows, self.cols)

    @_once
    def edge_vertices(self) -> IndexArray:
        """The two ends of each edge, smaller id first: shape ``(num_edges, 2)``."""
        return _index_array(self.layout.edge_ends, 2)

    @_once
    def face_edges(self) -> IndexArray:
        """Edges at the top, left, right and bottom of each face: shape ``(num_faces, 4)``."""
        return _index_array(self.layout.face_edges, 4)

    @_once
    def vertex_edges(self) -> IndexArray:
        """Edges up, left, right and down of each vertex: shape ``(num_vertices, 4)``, -1: none."""
        import numpy as np

        found = np.full((self.num_vertices, 4), -1, dtype=np.int32)
        one, other = self.edge_vertices.T
        edges = np.arange(self.num_edges, dtype=np.int32)
        down = other - one == self.cols if self.cols > 1 else edges >= 0
        for side, ends, chosen in (
            (0, other, down),
            (1, other, ~down),
            (2, one, ~down),
            (3, one, down),
        ):
            found[ends[chosen], side] = edges[chosen]
        found.setflags(write=False)
        return found


def _row_and_column(label: Any) -> tuple[int, int]:
    try:
        row, col = label
    except (TypeError, ValueError):
        raise ValueError(f"expected a position (row, column), got {label!r}") from None
    return checked_int(row, "a row"), checked_int(col, "a column")


def _index_array(items: array[int], width: int) -> IndexArray:
    import numpy as np

    found = np.frombuffer(items, dtype=np.int32).reshape(-1, width)
    found.setflags(write=False)
    return found

"""Cells as vertices that are joined in other ways than across sides: `Touching`, `Crossing`."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

from linkoracle.board.board import Board
from linkoracle.board.topology import middle


class Touching(Board):
    """The faces of a board as vertices, joined if they share a corner. No plane graph on squares.

    Vertices have the names of the faces. Edges are sorted by their ends.

    >>> from linkoracle.board.lattice import Lattice
    >>> king = Touching(Lattice(4, 4))
    >>> king.num_vertices, king.num_edges, king.edge((0, 0), (1, 1))
    (9, 20, 2)
    """

    _state: ClassVar[tuple[str, ...]] = (*Board._state, "cells")

    def __init__(self, cells: Board) -> None:
        self.cells = cells
        around: list[list[int]] = [[] for _ in range(cells.num_vertices)]
        for face in range(cells.num_faces):
            for vertex in {*cells.walk(face)}:
                around[vertex].append(face)
        pairs = {pair for faces in around for pair in combinations(faces, 2)}
        points = cells.points
        super().__init__(
            cells.num_faces,
            sorted(pairs),
            labels=cells.face_names,
            points=points
            and [
                middle([points[vertex] for vertex in cells.walk(face)])
                for face in range(cells.num_faces)
            ],
        )

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.cells == other.cells

    def __hash__(self) -> int:
        return hash((type(self), self.cells))

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and columns of cells, as on the board of the cells."""
        return self.cells.shape

    def vertex_of(self, name: Any) -> int:
        """Return the vertex of a cell."""
        return self.cells.face_of(tuple(name) if isinstance(name, list) else name)

    def vertex_name(self, vertex: int) -> Any:
        """Return the name of a cell."""
        return self.cells.face_name(vertex)

    def vertices_in_words(self, noun: str) -> str:
        """Return the cells in words."""
        return self.cells.dual.vertices_in_words(noun)


#: Equal boards share one of these.
touching = lru_cache(maxsize=32)(Touching)


class Crossing(Board):
    """The cells of rows and columns as vertices; those of ``ice`` are two, one for each direction.

    So a loop goes straight on in icy cells, and may cross itself there. Edges are numbered as on
    the `Lattice` of the cells. The second vertex of icy cells, for lines up and down, comes after
    all others. Both have the name and the label of the cell.

    >>> from linkoracle.board.lattice import Lattice
    >>> board = Crossing(Lattice(4, 4), ((1, 1),))
    >>> board.num_vertices, board.vertices_of((1, 1)), board.position(9)
    (10, (4, 9), (1, 1))
    """

    _state: ClassVar[tuple[str, ...]] = (*Board._state, "cells", "ice", "_squares")

    def __init__(self, cells: Any, ice: tuple[Any, ...]) -> None:
        self.cells, self.ice = cells, tuple(ice)
        squares: Any = cells.dual
        self._squares = squares
        upright = {squares.vertex(*cell): squares.num_vertices + at for at, cell in enumerate(ice)}
        edges = []
        for edge in range(squares.num_edges):
            one, other = squares.ends(edge)
            ends = (
                (one, other)
                if other - one == 1
                else (upright.get(one, one), upright.get(other, other))
            )
            edges.append(ends)
        super().__init__(squares.num_vertices + len(upright), edges)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and (self.cells, self.ice) == (other.cells, other.ice)

    def __hash__(self) -> int:
        return hash((type(self), self.cells, self.ice))

    def position(self, vertex: int) -> Any:
        """Return the cell of a vertex."""
        size = self._squares.num_vertices
        return self.ice[vertex - size] if vertex >= size else self._squares.position(vertex)

    vertex_name = position

    def vertex_of(self, name: Any) -> int:
        """Return the first vertex of a cell."""
        return int(self._squares.vertex_of(name))

    def vertex(self, row: int, col: int) -> int:
        """Return the first vertex of a cell."""
        return int(self._squares.vertex(row, col))

    def vertices_of(self, cell: Any) -> tuple[int, ...]:
        """Return the vertices of a cell: two of an icy one."""
        first = self.vertex_of(cell)
        if cell not in self.ice:
            return (first,)
        return first, self._squares.num_vertices + self.ice.index(cell)

    def edge(self, one: Any, other: Any) -> int:
        """Return the edge between two cells."""
        return int(self._squares.edge(one, other))

    def steps(self, walk: Any) -> Any:
        """Yield the cells of a walk as `edge` takes them."""
        return self._squares.steps(walk)

    @property
    def rows(self) -> int:
        """The number of rows of cells."""
        return int(self._squares.rows)

    @property
    def cols(self) -> int:
        """The number of columns of cells."""
        return int(self._squares.cols)

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and columns of cells, less one each, as on the `Lattice` of the cells."""
        found: tuple[int, int] = self._squares.shape
        return found


@lru_cache(maxsize=64)
def crossing(cells: Board, ice: tuple[Any, ...]) -> Board:
    """Return the board of cells with these icy ones; a `Lattice` without ice."""
    return Crossing(cells, ice) if ice else cells.dual

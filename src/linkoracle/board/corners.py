"""`Touching`: cells as vertices, joined if they share a corner: by king's moves on squares."""

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

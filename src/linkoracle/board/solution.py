"""`Solution`: a set of edges of a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from linkoracle import core
from linkoracle.board.board import Board, Edge
from linkoracle.board.lattice import Lattice
from linkoracle.core import checked_int

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

    from linkoracle.board.symmetry import Isometry


@dataclass(frozen=True, order=True)
class Solution:
    """A set of chosen edges on a board, kept as a sorted tuple of edge ids.

    Comparable and hashable: equal when board and edges are. Nothing is implied about rules;
    `linkoracle.check_solution` checks a solution against a puzzle. An edge is given by its id or by
    the two positions that it joins; ``ValueError`` if the board does not have it.

    >>> square = Solution(Lattice(2, 2), (3, 1, 0, 2))
    >>> square.edges
    (0, 1, 2, 3)
    >>> square.paths()
    [[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]]
    """

    board: Board
    edges: tuple[int, ...] = field(default=())

    def __post_init__(self) -> None:
        edges, last = tuple(self.edges), self.board.num_edges - 1
        # Engines list millions of solutions, so the common case of plain ids comes first.
        if not set(map(type, edges)) <= {int}:
            edges = tuple(map(self.board.edge_of, edges))
        ids = tuple(sorted(set(edges)))
        if ids and not 0 <= ids[0] <= ids[-1] <= last:
            checked_int(ids[0] if ids[0] < 0 else ids[-1], "the id of an edge", 0, last)
        object.__setattr__(self, "edges", ids)

    @property
    def lattice(self) -> Lattice:
        """The board, if it is a square one; `NotSupported` if not."""
        board: Lattice = self.board.squares()
        return board

    @classmethod
    def from_paths(cls, board: Board, paths: Iterable[Iterable[Any]]) -> Solution:
        """Build from walks over the labels of vertices, as `paths` returns them.

        Raises ``ValueError`` when two steps of a walk are not neighbours, or one is not a label, or
        an edge is used twice: a walk that goes back, or around again, is not a path or a cycle.

        >>> Solution.from_paths(Lattice(2, 2), [[(0, 0), (0, 1), (0, 0)]])
        Traceback (most recent call last):
            ...
        ValueError: the edge between (0, 1) and (0, 0) is used twice
        """
        edges: set[int] = set()
        for walk in paths:
            for u, v in pairwise(board.steps(walk)):
                edge = board.edge(u, v)
                if edge in edges:
                    raise ValueError(f"the edge between {u} and {v} is used twice")
                edges.add(edge)
        return cls(board, tuple(edges))

    @classmethod
    def of(cls, board: Board, chosen: Solution | Iterable[Edge]) -> Solution:
        """Return ``chosen`` if it is a solution, else the solution with these edges.

        >>> Solution.of(Lattice(2, 2), [0, ((0, 0), (1, 0))]).edges
        (0, 1)
        """
        if isinstance(chosen, Solution):
            return chosen
        try:
            edges = tuple(chosen)
        except TypeError:
            raise ValueError(f"expected a Solution or edges, got {chosen!r}") from None
        return cls(board, edges)  # type: ignore[arg-type]

    def _repr_svg_(self) -> str | None:
        # For notebooks: the lines on a board without clues.
        return core.draw_svg(self)

    def __len__(self) -> int:
        return len(self.edges)

    def __contains__(self, edge: object) -> bool:
        """Return whether an edge is chosen, given by its id or by the two positions it joins."""
        try:
            return self.board.edge_of(edge) in self.edges  # type: ignore[arg-type]
        except ValueError:
            return False

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
        marks = bytearray(self.board.num_edges)
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
        counts, cols = self.counts(), self.lattice.cols - 1
        return [counts[row * cols : row * cols + cols] for row in range(self.lattice.rows - 1)]

    def counts(self) -> list[int]:
        """Return the number of chosen edges around each face, in the order of the faces.

        >>> Solution(Lattice(2, 3), (0, 1, 3, 5)).counts()
        [4, 1]
        """
        return self.board.face_counts(self.marks())

    def paths(self) -> list[list[Any]]:
        """The chosen edges as walks over labels, ``(row, col)`` on squares, in a fixed order.

        Paths first, each from its smaller end, by that end; then cycles, each from its smallest
        vertex towards its smaller neighbour, ending where it began. O(edges). Raises
        ``ValueError`` when a vertex has three or more chosen edges, which no walk describes.
        """
        return [[*map(self.board.position, walk)] for walk in self.walks()]

    def walks(self) -> list[list[int]]:
        """`paths` over the ids of vertices."""
        neighbours: dict[int, list[int]] = {}
        for edge in self.edges:
            u, v = self.board.ends(edge)
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
            walks.append(walk + [start] * closed)
        return walks

    def graph(self) -> nx.Graph[Any]:
        """The chosen edges as a `networkx.Graph` on labels of vertices, each edge with its id."""
        import networkx as nx

        graph: nx.Graph[Any] = nx.Graph()
        for edge in self.edges:
            u, v = map(self.board.position, self.board.ends(edge))
            graph.add_edge(u, v, id=edge)
        return graph

    def rotate(self, quarter_turns: int = 1) -> Solution:
        """Turn a square board clockwise by ``quarter_turns`` times 90 degrees."""
        from linkoracle.board import symmetry

        turns = symmetry.IDENTITY, symmetry.QUARTER_TURN, symmetry.HALF_TURN, symmetry.COUNTER_TURN
        return self.moved(turns[quarter_turns % 4])

    def reflect(self) -> Solution:
        """Mirror a square board left to right."""
        from linkoracle.board.symmetry import LEFT_RIGHT

        return self.moved(LEFT_RIGHT)

    def moved(self, isometry: Isometry) -> Solution:
        """Where a turn or mirror image of a square board takes these edges."""
        from linkoracle.board.symmetry import moved_edges, moved_vertices

        lattice = self.lattice
        onto = Lattice(lattice.cols, lattice.rows) if isometry.swaps_axes else lattice
        moved = moved_edges(lattice, moved_vertices(lattice, isometry, onto), onto)
        return Solution(onto, tuple(moved[edge] for edge in self.edges))

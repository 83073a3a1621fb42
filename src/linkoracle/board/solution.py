"""`Solution`: a set of chosen edges, what the engines return."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from linkoracle.board.lattice import Lattice
from linkoracle.board.symmetry import (
    COUNTER_TURN,
    HALF_TURN,
    IDENTITY,
    LEFT_RIGHT,
    QUARTER_TURN,
    Isometry,
)
from linkoracle.core.limits import checked_int

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray


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

        Raises ``ValueError`` when two steps of a walk are not neighbours, or one is no position.
        """
        edges: list[int] = []
        for walk in paths:
            steps = [(checked_int(row, "a row"), checked_int(col, "a column")) for row, col in walk]
            edges += [lattice.edge(u, v) for u, v in pairwise(steps)]
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
        return self.moved((IDENTITY, QUARTER_TURN, HALF_TURN, COUNTER_TURN)[quarter_turns % 4])

    def reflect(self) -> Solution:
        """Mirror left to right."""
        return self.moved(LEFT_RIGHT)

    def moved(self, isometry: Isometry) -> Solution:
        """Where a turn or mirror image of the lattice takes these edges."""
        lattice, edges = isometry.edges(self.lattice, np.array(self.edges, dtype=np.int32))
        return Solution(lattice, tuple(edges.tolist()))

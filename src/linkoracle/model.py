"""`LinkModel`, what both engines solve, and `Solution`, what they return.

A link puzzle is a subset of the edges of a lattice under local rules (how many chosen edges each
vertex and each face may have) and one global rule (a single loop; or paths that join terminals).
A puzzle translates itself into a `LinkModel`; the engines know nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from linkoracle.lattice import Lattice

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray

#: Face mask of a face without a rule: any number of its four edges may be chosen.
ANY_COUNT = 0b11111
#: Degree mask of a vertex that a line may pass through or leave out.
PASS_OR_SKIP = 0b101
#: Degree mask of a vertex that a line must pass through.
PASS = 0b100
#: Degree mask of a terminal.
END = 0b010
#: The degree masks that a vertex may have which is no terminal; 1 is for one that is never used.
_BETWEEN_ENDS = bytes([1, PASS, PASS_OR_SKIP])


@dataclass(frozen=True)
class LinkModel:
    """One puzzle, as the engines see it. Immutable and hashable.

    ``degrees[v]`` is a bitmask: bit *d* is set when vertex *v* may have *d* chosen edges. A
    terminal's mask is `END`; any other vertex's is `PASS_OR_SKIP`, `PASS`, or 1 (never used).
    ``faces[f]`` is the same for the number of chosen edges around face *f* (bits 0 to 4).
    ``terminals`` are pairs of vertex ids: pair *i* has the ends of path *i*.

    The global rule: without terminals and with ``loop`` true the chosen edges form exactly one
    cycle and nothing else (the empty set is not a cycle); otherwise they form one path for each
    pair of terminals and nothing else.

    Raises ``ValueError`` when the arrays have the wrong length or a mask makes no sense.

    >>> model = LinkModel.blank_loop(Lattice(3, 3))
    >>> len(model.degrees), len(model.faces), model.loop
    (9, 4, True)
    """

    lattice: Lattice
    degrees: bytes
    faces: bytes
    terminals: tuple[tuple[int, int], ...] = ()
    loop: bool = False

    def __post_init__(self) -> None:
        lattice = self.lattice
        if len(self.degrees) != lattice.num_vertices or len(self.faces) != lattice.num_faces:
            raise ValueError("need one degree mask per vertex and one count mask per face")
        if max(self.faces, default=0) > ANY_COUNT:
            raise ValueError("a face mask has bits 0 to 4 only")
        ends = [vertex for pair in self.terminals for vertex in pair]
        if len(set(ends)) != len(ends) or any(not 0 <= v < lattice.num_vertices for v in ends):
            raise ValueError("terminals must be different vertices of the lattice")
        if self.loop and ends:
            raise ValueError("a loop has no terminals")
        fitting = bytearray(self.degrees)
        for vertex in ends:
            # An end where it is expected is as good as any other mask.
            fitting[vertex] = PASS if fitting[vertex] == END else END
        if fitting.translate(None, _BETWEEN_ENDS):
            vertex = next(at for at, mask in enumerate(fitting) if mask not in _BETWEEN_ENDS)
            mask = self.degrees[vertex]
            raise ValueError(f"degree mask {mask:#b} at vertex {vertex} is not supported")

    @classmethod
    def blank_loop(cls, lattice: Lattice) -> LinkModel:
        """The model whose solutions are all cycles of the lattice graph."""
        degrees = bytes([PASS_OR_SKIP]) * lattice.num_vertices
        return cls(lattice, degrees, bytes([ANY_COUNT]) * lattice.num_faces, loop=True)

    @classmethod
    def blank_paths(
        cls, lattice: Lattice, pairs: Iterable[tuple[int, int]], *, cover: bool = False
    ) -> LinkModel:
        """Disjoint paths joining ``pairs`` of vertex ids; with ``cover`` every vertex is used."""
        terminals = tuple((int(a), int(b)) for a, b in pairs)
        degrees = bytearray([PASS if cover else PASS_OR_SKIP]) * lattice.num_vertices
        for pair in terminals:
            for vertex in pair:
                if 0 <= vertex < lattice.num_vertices:
                    degrees[vertex] = END
        return cls(lattice, bytes(degrees), bytes([ANY_COUNT]) * lattice.num_faces, terminals)

    @property
    def has_face_rules(self) -> bool:
        """Whether some face restricts its count."""
        return any(mask != ANY_COUNT for mask in self.faces)

    @property
    def is_free(self) -> bool:
        """Whether paths are wanted, which may leave out any vertex, and there is no other rule.

        Then a path may be rerouted wherever there is room: see `linkoracle.rerouting`.

        >>> LinkModel.blank_paths(Lattice(2, 3), [(0, 5)]).is_free
        True
        """
        if not self.terminals or self.has_face_rules:
            return False
        ends = 2 * len(self.terminals)
        return self.degrees.count(PASS_OR_SKIP) == len(self.degrees) - ends

    @property
    def freed(self) -> LinkModel | None:
        """The free model of the same pairs, if this one only demands that all vertices are used.

        Every solution of this model is one of that. ``None`` for any other model.

        >>> LinkModel.blank_paths(Lattice(2, 2), [(0, 1)], cover=True).freed.is_free
        True
        """
        inside = len(self.degrees) - 2 * len(self.terminals)
        if not self.terminals or self.has_face_rules or self.degrees.count(PASS) != inside:
            return None
        return LinkModel.blank_paths(self.lattice, self.terminals)


@dataclass(frozen=True, order=True)
class Solution:
    """A set of chosen edges on a lattice, kept as a sorted tuple of edge ids.

    Comparable and hashable: equal when lattice and edges are. Nothing is implied about rules;
    `linkoracle.verify` checks a solution against a puzzle.

    >>> square = Solution(Lattice(2, 2), (3, 1, 0, 2))
    >>> square.edges
    (0, 1, 2, 3)
    >>> square.paths()
    [[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]]
    """

    lattice: Lattice
    edges: tuple[int, ...] = field(default=())

    def __post_init__(self) -> None:
        edges = tuple(sorted({int(edge) for edge in self.edges}))
        if edges and not 0 <= edges[0] <= edges[-1] < self.lattice.num_edges:
            raise ValueError("an edge id lies outside the lattice")
        object.__setattr__(self, "edges", edges)

    @classmethod
    def from_paths(cls, lattice: Lattice, paths: Iterable[Iterable[tuple[int, int]]]) -> Solution:
        """Build from walks over positions, as `paths` returns them.

        Raises ``ValueError`` when two steps of a walk are not neighbours.
        """
        edges: list[int] = []
        for walk in paths:
            steps = [(int(row), int(col)) for row, col in walk]
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
        turned = self
        for _ in range(quarter_turns % 4):
            lattice = turned.lattice
            ids = lattice.rotated(np.array(turned.edges, dtype=np.int32))
            turned = Solution(Lattice(lattice.cols, lattice.rows), tuple(ids.tolist()))
        return turned

    def reflect(self) -> Solution:
        """Mirror left to right."""
        ids = self.lattice.reflected(np.array(self.edges, dtype=np.int32))
        return Solution(self.lattice, tuple(ids.tolist()))

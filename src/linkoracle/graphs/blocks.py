"""`Blocks`: the parts of a graph with its cycles, or paths, each as a model; `grid_of`.

Grids have passes of their own, many times as fast as those of other graphs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from math import isqrt
from typing import Any

import networkx as nx

from linkoracle.board import PASS, Board, Lattice, LinkModel, neighbours

#: The fewest nodes of a grid that is counted as a lattice. Smaller graphs take less time than
#: loading the passes for lattices, ten milliseconds.
_LEAST_LATTICE_NODES = 100

#: A node of a graph, and an edge by the nodes that it joins.
Node = Hashable
Edge = tuple[Any, Any]


class Blocks:
    """The models of the cycles of a graph, or of the paths between two ``ends``.

    A cycle stays in one block of the graph (a part that no single node separates); paths only pass
    the blocks between their ends. With ``hamiltonian``, they have all nodes. ``order`` is that in
    which passes take the nodes, or ``None``.
    """

    def __init__(
        self,
        graph: nx.Graph[Any],
        ends: tuple[Node, ...],
        hamiltonian: bool,
        order: tuple[Node, ...] | None,
    ) -> None:
        self.graph, self.ends, self.order = graph, ends, order
        self._hamiltonian = hamiltonian

    @cached_property
    def models(self) -> list[LinkModel]:
        """A model for each block in which there may be solutions; O(edges), whatever the blocks."""
        models = []
        for edges in _blocks(self.graph, self.ends):
            nodes = set(chain.from_iterable(edges))
            if not self._hamiltonian or len(nodes) == len(self.graph):
                models.append(self.model(nodes, edges))
        return models

    @cached_property
    def _place(self) -> dict[Any, int]:
        """The place of each node in the graph."""
        return {node: at for at, node in enumerate(self.graph)}

    def model(self, nodes: Iterable[Any], joined: Iterable[Edge]) -> LinkModel:
        """Return the model of these nodes and edges."""
        part = sorted(nodes, key=self._place.__getitem__)
        number = {node: vertex for vertex, node in enumerate(part)}
        # However the graph was made, equal boards are equal, and share what is computed once.
        pairs = ((number[one], number[other]) for one, other in joined)
        edges = sorted((min(pair), max(pair)) for pair in pairs)
        # A pass needs no faces, which would take longer to find than small graphs to count. Places
        # may lead to a better order; without usable ones, the order follows from the edges.
        known = self.graph.nodes
        try:
            places = [known[node]["pos"] for node in part]
            points = [(float(place[0]), float(place[1])) for place in places]
        except (IndexError, KeyError, TypeError, ValueError):
            points = None
        board = Board(len(part), edges, labels=part, points=points)
        return self._stated(board, [number[end] for end in self.ends])

    def _stated(self, board: Board, ends: Sequence[int]) -> LinkModel:
        """Return the model of a board, with these vertices as terminals if there are any."""
        if ends:
            one, other = ends
            return LinkModel.blank_paths(board, [(one, other)], cover=self._hamiltonian)
        model = LinkModel.blank_loop(board)
        if self._hamiltonian:
            model = replace(model, degrees=bytes([PASS]) * board.num_vertices)
        return model

    def faster(self, model: LinkModel) -> LinkModel:
        """Return a model with as many solutions, on a lattice if the graph is a large grid."""
        if self.order is not None or model.board.num_vertices < _LEAST_LATTICE_NODES:
            return model
        return self.on_lattice(model) or model

    def on_lattice(self, model: LinkModel) -> LinkModel | None:
        """Return a model with as many solutions on a lattice; ``None`` if the graph is no grid."""
        if (found := grid_of(model.board)) is None:
            return None
        lattice, place = found
        return self._stated(lattice, [place[end] for pair in model.terminals for end in pair])

    def order_of(self, board: Board) -> tuple[int, ...] | None:
        """Return the given order, as ids of vertices of a block."""
        if self.order is None:
            return None
        return tuple(
            sorted(range(board.num_vertices), key=lambda at: self._turn[board.position(at)])
        )

    @cached_property
    def _turn(self) -> dict[Any, int]:
        """The place of each node in the given order."""
        return {node: at for at, node in enumerate(self.order or ())}


def _blocks(graph: nx.Graph[Any], ends: Sequence[Any]) -> Iterator[list[Edge]]:
    """Yield the edges of each part of a graph in which there may be cycles, or paths. O(edges)."""
    blocks_of: Any = nx.biconnected_component_edges  # its stub names another type
    if not ends:
        yield from (edges for edges in blocks_of(graph) if len(edges) > 1)
        return
    # With an edge between the ends, the blocks on the way from one to the other are one block.
    joined: nx.Graph[Any] = nx.Graph(graph.edges)
    joined.add_edge(*ends)
    for edges in blocks_of(joined):
        if any(set(edge) == set(ends) for edge in edges):
            found = [edge for edge in edges if graph.has_edge(*edge)]
            if found:
                yield found


def grid_of(board: Board) -> tuple[Lattice, list[int]] | None:
    """Return the lattice of a grid, and the lattice vertex for each vertex of the board.

    Return ``None`` if the board is not a grid of at least two rows and two columns. O(vertices),
    and O(1) for most other boards.

    >>> square = Board(4, [(0, 1), (1, 3), (2, 3), (0, 2)])
    >>> grid_of(square), grid_of(Board(4, [(0, 1), (1, 2), (2, 3)]))
    ((Lattice(rows=2, cols=2), [0, 1, 2, 3]), None)
    """
    # The numbers of vertices and edges of a grid determine the sum of its sides.
    number = board.num_vertices
    both = 2 * number - board.num_edges
    root = isqrt(max(0, both * both - 4 * number))
    rows, cols = (both + root) // 2, (both - root) // 2
    if rows * cols != number or rows + cols != both or cols < 2:
        return None
    near = neighbours(board)
    corners = [vertex for vertex in range(number) if len(near[vertex]) == 2]
    if len(corners) != 4:
        return None
    here = _distances(near, corners[0])
    there = _distances(near, min(corners[1:], key=here.__getitem__))
    # From one corner to the other, along the shorter side. The edges show whether it is a grid.
    places = []
    for one, two in zip(here, there, strict=True):
        col = (one - two + cols - 1) // 2
        places.append((one - col) * cols + col)
    lattice = Lattice(rows, cols)
    ends = ((places[one], places[two]) for one, two in map(board.ends, range(board.num_edges)))
    edges = {(min(pair), max(pair)) for pair in ends}
    same = edges == {lattice.ends(edge) for edge in range(lattice.num_edges)}
    return (lattice, places) if same and len(set(places)) == number else None


def _distances(near: list[list[int]], start: int) -> list[int]:
    """Return the distance of each vertex from ``start`` in edges; -1 if it is not reachable."""
    away = [-1] * len(near)
    away[start] = 0
    waiting = [start]
    for vertex in waiting:
        for other in near[vertex]:
            if away[other] < 0:
                away[other] = away[vertex] + 1
                waiting.append(other)
    return away

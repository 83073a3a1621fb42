"""`Blocks`: the parts of a graph with its cycles, or paths, each as a model; `grid_of`.

Grids have passes of their own, many times as fast as those of other graphs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from math import isqrt
from typing import Any, NamedTuple

from linkoracle.board import PASS, Board, Count, Lattice, LinkModel, neighbours
from linkoracle.graphs.network import Network, Node

#: The fewest nodes of a grid that is counted as a lattice. Smaller graphs take less time than
#: loading the passes for lattices, ten milliseconds.
_LEAST_LATTICE_NODES = 100


class _Multiboard(Board):
    """A board on which several edges may join the same two vertices."""

    def _check_pairs(self) -> None:
        pass


class Block(NamedTuple):
    """A part of a graph: its model, and for each edge of the board its number in the graph."""

    model: LinkModel
    links: tuple[int, ...]


class Blocks:
    """The models of the cycles of a graph, or of the paths between two ``ends``.

    A cycle stays in one block of the graph (a part that no single node separates); paths only pass
    the blocks between their ends. With ``hamiltonian``, they have all nodes. ``order`` is that in
    which passes take the nodes, or ``None``.
    """

    def __init__(
        self,
        graph: Network,
        ends: tuple[Node, ...],
        hamiltonian: bool,
        order: tuple[Node, ...] | None,
    ) -> None:
        self.graph, self.ends, self.order = graph, ends, order
        self._hamiltonian = hamiltonian

    @cached_property
    def every(self) -> list[Block]:
        """Each block in which there may be solutions; O(edges), whatever the blocks."""
        graph, found = self.graph, []
        for links in graph.blocks(self.ends):
            nodes = {node for number in links for node in graph.links[number][:2]}
            if not self._hamiltonian or len(nodes) == len(graph):
                found.append(self.block(nodes, links))
        return found

    @cached_property
    def models(self) -> list[LinkModel]:
        """The model of each block."""
        return [block.model for block in self.every]

    @cached_property
    def _place(self) -> dict[Any, int]:
        """The place of each node in the graph."""
        return {node: at for at, node in enumerate(self.graph)}

    def block(self, nodes: Iterable[Any], links: Iterable[int]) -> Block:
        """Return the block of these nodes and edges."""
        graph = self.graph
        part = sorted(nodes, key=self._place.__getitem__)
        number = {node: vertex for vertex, node in enumerate(part)}
        # However the graph was made, equal boards are equal, and share what is computed once.
        arcs = (
            (number[graph.links[link].one], number[graph.links[link].other], link) for link in links
        )
        edges = sorted((min(one, other), max(one, other), link) for one, other, link in arcs)
        # A pass needs no faces, which would take longer to find than small graphs to count. Places
        # may lead to a better order; without usable ones, the order follows from the edges.
        try:
            places = [graph.nodes[node]["pos"] for node in part]
            points = [(float(place[0]), float(place[1])) for place in places]
        except (IndexError, KeyError, TypeError, ValueError):
            points = None
        pairs = [(one, other) for one, other, _ in edges]
        kind = _Multiboard if len({*pairs}) < len(pairs) else Board
        board = kind(len(part), pairs, labels=part, points=points)
        kept = tuple(link for _, _, link in edges)
        model = self._stated(board, [number[end] for end in self.ends])
        if graph.directed:
            model = self._oriented(model, kept, number)
        return Block(model, kept)

    def _stated(self, board: Board, ends: Sequence[int]) -> LinkModel:
        """Return the model of a board, with these vertices as terminals if there are any."""
        if ends:
            one, other = ends
            return LinkModel.blank_paths(board, [(one, other)], cover=self._hamiltonian)
        model = LinkModel.blank_loop(board)
        if self._hamiltonian:
            model = replace(model, degrees=bytes([PASS]) * board.num_vertices)
        return model

    def _oriented(
        self, model: LinkModel, links: Sequence[int], number: dict[Any, int]
    ) -> LinkModel:
        """Return a model in which at most one arc enters a vertex, and at most one leaves it.

        A cycle has two arcs at each vertex: so one enters and one leaves, all the way round. No arc
        enters the first vertex of a path or leaves the last: all arcs lead from one to the other.
        """
        ways: dict[tuple[int, bool], list[int]] = {}
        for edge, link in enumerate(links):
            one, other = (number[node] for node in self.graph.links[link][:2])
            ways.setdefault((one, True), []).append(edge)
            ways.setdefault((other, False), []).append(edge)
        idle: list[int] = []
        if self.ends:
            source, target = (number[end] for end in self.ends)
            idle = ways.pop((source, False), []) + ways.pop((target, True), [])
        counts = [
            Count(tuple(edge + 1 for edge in edges), 0b11)
            for _, edges in sorted(ways.items())
            if len(edges) > 1
        ]
        return model.with_edges(forbidden=idle).with_constraints(counts=counts)

    def faster(self, model: LinkModel) -> LinkModel:
        """Return a model with as many solutions, on a lattice if the graph is a large grid."""
        few = model.board.num_vertices < _LEAST_LATTICE_NODES
        if self.order is not None or self.graph.directed or few:
            return model
        return self.on_lattice(model) or model

    def on_lattice(self, model: LinkModel) -> LinkModel | None:
        """Return a model with as many solutions on a lattice; ``None`` if the graph is no grid."""
        if (found := grid_of(model.board)) is None:
            return None
        lattice, place = found
        return self._stated(lattice, [place[end] for pair in model.terminals for end in pair])

    def heads(self, block: Block) -> list[int] | None:
        """Return the vertex to which each edge of a block leads; ``None`` if not directed."""
        if not self.graph.directed:
            return None
        board = block.model.board
        number = {board.position(vertex): vertex for vertex in range(board.num_vertices)}
        return [number[self.graph.links[link].other] for link in block.links]

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

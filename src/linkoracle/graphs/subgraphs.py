"""`Subgraphs`: all cycles of a graph, or all paths between two nodes, as a collection."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self, TypedDict, Unpack

import networkx as nx

from linkoracle.board.board import Board
from linkoracle.board.model import PASS, LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.limits import Progress
from linkoracle.frontier import Diagram, Family, by_length, count
from linkoracle.frontier.blank.board import LEAST_WIDTH
from linkoracle.frontier.counts import Scale
from linkoracle.graphs.grids import grid_of
from linkoracle.graphs.planning import Needs, Plan, needs_of
from linkoracle.zdd.families import Indexed

#: The fewest nodes of a grid that is counted as a lattice. Smaller graphs take less time than
#: loading the passes for lattices, ten milliseconds.
_LEAST_LATTICE_NODES = 100

#: A node of a graph, and an edge by the nodes that it joins.
Node = Hashable
Edge = tuple[Any, Any]


class Limits(TypedDict, total=False):
    """The options of a search.

    * ``order``: all nodes in the order in which a pass takes them; ``None`` finds one with few
      nodes on the frontier (see `Subgraphs.plan`);
    * ``timeout``: seconds after which `SearchTimeout` is raised; ``None`` means no limit;
    * ``memory``: bytes that a pass may use before it raises `MemoryLimit`; ``None`` means no limit;
    * ``progress``: called after each node with a line of text and the share of nodes done.
    """

    order: Iterable[Node] | None
    timeout: float | None
    memory: int | None
    progress: Progress | None


class Subgraphs(Indexed[list[Any]]):
    """All cycles of a graph, or all paths between two nodes, or the part that filters leave.

    Cycles are lists of nodes as those of `networkx.simple_cycles`: the first is not repeated. Paths
    begin at the source. They are indexed, listed and sampled from decision diagrams
    (`linkoracle.frontier.Diagram`), which are built at the first query that needs them; `count`
    builds none.

    A cycle stays in one block of the graph (a part that no single node separates), so each block
    has a pass of its own. Paths only pass the blocks between their ends.

    >>> from linkoracle.graphs import all_simple_paths, simple_cycles
    >>> cycles = simple_cycles(nx.grid_2d_graph(3, 3))
    >>> len(cycles), cycles.by_length(), cycles[0]
    (13, {4: 4, 6: 4, 8: 5}, [(1, 1), (1, 2), (2, 2), (2, 1)])
    >>> cycles.including([((0, 0), (0, 1)), ((2, 1), (2, 2))]).by_length()
    {8: 3}
    >>> paths = all_simple_paths(nx.grid_2d_graph(6, 6), (0, 0), (5, 5))
    >>> [len(path) for path in paths.sample(4, seed=1)]
    [25, 31, 25, 25]
    """

    def __init__(
        self,
        graph: nx.Graph[Any],
        source: Node = None,
        target: Node = None,
        *,
        hamiltonian: bool = False,
        order: Iterable[Node] | None = None,
        timeout: float | None = None,
        memory: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        if graph.is_directed() or graph.is_multigraph():
            raise ValueError(
                "expected an undirected graph, with one edge between two nodes at most"
            )
        if (source is None) != (target is None):
            raise ValueError("expected both ends of the paths, got one")
        for end in (source, target):
            if end is not None and end not in graph:
                raise ValueError(f"the node {end!r} is not in the graph")
        if source is not None and source == target:
            raise ValueError(f"expected paths between two nodes, got {source!r} twice")
        for node in nx.nodes_with_selfloops(graph):
            raise ValueError(f"the node {node!r} is joined to itself")
        if order is not None:
            order = tuple(order)
            if len(order) != len(graph) or set(order) != set(graph):
                raise ValueError(f"expected an order of the {len(graph)} nodes, got {order!r}")
        self.graph = graph
        self._ends = () if source is None else (source, target)
        self._kind = "path" if self._ends else "cycle"
        self._hamiltonian, self._order = hamiltonian, order
        self._limits: Any = {"timeout": timeout, "memory": memory, "progress": progress}
        self._required: tuple[Edge, ...] = ()
        self._forbidden: tuple[Edge, ...] = ()

    @cached_property
    def _models(self) -> list[LinkModel]:
        """A model for each block in which there may be solutions."""
        models = []
        for nodes in _blocks(self.graph, self._ends):
            if not self._hamiltonian or len(nodes) == len(self.graph):
                models.append(self._model(nodes))
        return models

    def _model(self, nodes: set[Any]) -> LinkModel:
        part = [node for node in self.graph if node in nodes]
        number = {node: vertex for vertex, node in enumerate(part)}
        edges = [
            (number[one], number[other])
            for one, other in self.graph.edges
            if one in number and other in number
        ]
        # A pass needs no faces, which would take longer to find than small graphs to count. Places
        # may lead to a better order; without usable ones, the order follows from the edges.
        places = nx.get_node_attributes(self.graph, "pos")
        try:
            points = [(float(places[node][0]), float(places[node][1])) for node in part]
        except (IndexError, KeyError, TypeError, ValueError):
            points = None
        board = Board(len(part), edges, labels=part, points=points)
        return self._stated(board, [number[end] for end in self._ends])

    def _stated(self, board: Board, ends: Sequence[int]) -> LinkModel:
        """Return the model of a board, with these vertices as terminals if there are any."""
        if ends:
            one, other = ends
            return LinkModel.blank_paths(board, [(one, other)], cover=self._hamiltonian)
        model = LinkModel.blank_loop(board)
        if self._hamiltonian:
            model = replace(model, degrees=bytes([PASS]) * board.num_vertices)
        return model

    def _faster(self, model: LinkModel) -> LinkModel:
        """Return a model with as many solutions, on a lattice if the graph is a large grid."""
        if self._order is not None or model.board.num_vertices < _LEAST_LATTICE_NODES:
            return model
        return self._on_lattice(model) or model

    def _on_lattice(self, model: LinkModel) -> LinkModel | None:
        """Return a model with as many solutions on a lattice; ``None`` if the graph is no grid."""
        if (found := grid_of(model.board)) is None:
            return None
        lattice, place = found
        return self._stated(lattice, [place[end] for pair in model.terminals for end in pair])

    def _blank(self) -> LinkModel:
        """Return the only model, on a lattice, for counts in other processes or with files."""
        models = [] if self._required or self._forbidden or self._order else self._models
        found = self._on_lattice(models[0]) if len(models) == 1 else None
        if found is None or min(found.lattice.rows, found.lattice.cols) < LEAST_WIDTH:
            raise ValueError(
                f"expected a grid of {LEAST_WIDTH} or more rows and columns to count in other "
                "processes or with files: any other graph takes one pass, whose states stay in "
                "this process, where threads share the work"
            )
        return found

    def _order_of(self, board: Board) -> tuple[int, ...] | None:
        """Return the given order, as ids of vertices of a block."""
        if self._order is None:
            return None
        number = {board.position(vertex): vertex for vertex in range(board.num_vertices)}
        return tuple(number[node] for node in self._order if node in number)

    def _diagram(self, model: LinkModel) -> Diagram:
        """Build a diagram; all required edges are on the board."""
        board = model.board
        found = Diagram.build(model, order=self._order_of(board), **self._limits)
        if self._required or self._forbidden:
            found = found.filter(
                required=_known(board, self._required), forbidden=_known(board, self._forbidden)
            )
        return found

    @cached_property
    def _diagrams(self) -> list[Diagram]:
        number = len(self._required)
        return [
            self._diagram(model)
            for model in self._models
            if len(_known(model.board, self._required)) == number
        ]

    def count(self, **scale: Unpack[Scale]) -> int:
        """Return the exact number of cycles or paths.

        For grids of rows and columns, the count can be distributed and resumed with the options
        ``executor``, ``store``, ``resume`` and ``spill`` of `linkoracle.frontier.count`. Raises
        ``ValueError`` for other graphs with these options.

        >>> from linkoracle.batch import Processes
        >>> with Processes(2) as executor:
        ...     Subgraphs(nx.grid_2d_graph(4, 5)).count(executor=executor)
        1049
        """
        if any(scale.values()):
            return count(self._blank(), **scale, **self._limits)
        if self._required or self._forbidden or "_diagrams" in self.__dict__:
            return self._total()
        return sum(
            count(self._faster(model), order=self._order_of(model.board), **self._limits)
            for model in self._models
        )

    def _total(self) -> int:
        return sum(diagram.count() for diagram in self._diagrams)

    def __bool__(self) -> bool:
        return any(self._diagrams)

    def __repr__(self) -> str:
        what = f"paths from {self._ends[0]!r} to {self._ends[1]!r}" if self._ends else "cycles"
        return f"<{'Hamiltonian ' * self._hamiltonian}{what} of {self.graph}>"

    def by_length(self, **scale: Unpack[Scale]) -> dict[int, int]:
        """Return the number of each length in edges, by increasing length, without zeros.

        The options are those of `count`.

        >>> from linkoracle.graphs import all_simple_paths
        >>> all_simple_paths(nx.grid_2d_graph(4, 4), (0, 0), (3, 3)).by_length()
        {6: 20, 8: 36, 10: 48, 12: 48, 14: 32}
        """
        if any(scale.values()):
            return by_length(self._blank(), **scale, **self._limits)
        total: dict[int, int] = {}
        for diagram in self._diagrams:
            for length, number in diagram.by_length().items():
                total[length] = total.get(length, 0) + number
        return dict(sorted(total.items()))

    def __iter__(self) -> Iterator[list[Any]]:
        for diagram in self._diagrams:
            yield from map(self._nodes, diagram)

    def _at(self, rank: int) -> list[Any]:
        for diagram in self._diagrams:
            if rank < diagram.count():
                break
            rank -= diagram.count()
        return self._nodes(diagram[rank])

    def __contains__(self, nodes: object) -> bool:
        """Return whether a list of nodes is one of them; a cycle may begin anywhere."""
        if not isinstance(nodes, Sequence) or len(nodes) < 2:
            return False
        walk = [*nodes] if self._ends else [*nodes, nodes[0]]
        if self._ends and {walk[0], walk[-1]} != set(self._ends):
            return False
        for diagram in self._diagrams:
            board = diagram.model.board
            if len(_known(board, [*pairwise(walk)])) == len(walk) - 1:
                try:
                    return Solution.from_paths(board, [walk]) in diagram
                except ValueError:
                    return False
        return False

    def _nodes(self, solution: Solution) -> list[Any]:
        (walk,) = solution.paths()
        if not self._ends:
            return walk[:-1]
        return walk if walk[0] == self._ends[0] else walk[::-1]

    def longest(self) -> list[Any] | None:
        """Return one with the most edges; ``None`` if there is none."""
        return self._extreme(1)

    def shortest(self) -> list[Any] | None:
        """Return one with the fewest edges; ``None`` if there is none."""
        return self._extreme(-1)

    def _extreme(self, sign: int) -> list[Any] | None:
        best = [one.longest() if sign > 0 else one.shortest() for one in self._diagrams]
        found = [one for one in best if one is not None]
        return self._nodes(max(found, key=lambda one: sign * len(one))) if found else None

    def including(self, edges: Iterable[Edge]) -> Self:
        """Return the cycles or paths that have all of these edges, each a pair of nodes."""
        found = self._copy()
        found._required += self._checked(edges)
        return found

    def excluding(self, edges: Iterable[Edge]) -> Self:
        """Return the cycles or paths that have none of these edges, each a pair of nodes."""
        found = self._copy()
        found._forbidden += self._checked(edges)
        return found

    def _copy(self) -> Self:
        found = copy(self)
        found.__dict__.pop("_diagrams", None)
        return found

    def _checked(self, edges: Iterable[Edge]) -> tuple[Edge, ...]:
        found = tuple(edges)
        for one, other in found:
            if not self.graph.has_edge(one, other):
                raise ValueError(f"the graph has no edge between {one!r} and {other!r}")
        return found

    def family(self) -> Family:
        """Return a `linkoracle.frontier.Family`, for set algebra on the edges of the graph.

        Families of one graph combine if their orders are the same.

        >>> from linkoracle.graphs import all_simple_paths, hamiltonian_paths
        >>> graph = nx.complete_graph(5)
        >>> short = all_simple_paths(graph, 0, 1).family()
        >>> (short - hamiltonian_paths(graph, 0, 1).family()).count()
        10
        """
        return self._diagram(self._model(set(self.graph))).family()

    def plan(self) -> Plan:
        """Return upper bounds of the requirements of a count: `linkoracle.graphs.planning`.

        A count within ``memory`` bytes of the plan never raises `MemoryLimit`. On the graphs of the
        tests, the bound of states is up to 32 times what a pass has, the bound of memory up to 150
        times, and more if Hamiltonian. Diagrams need more. O(nodes x (nodes + edges)).

        >>> from linkoracle.graphs import simple_cycles
        >>> plan = simple_cycles(nx.grid_2d_graph(8, 30)).plan()
        >>> plan.width, plan.states
        (8, 452)
        """
        order: list[Any] = []
        largest = Needs(0, 0, 0)
        for model in self._models:
            board = model.board
            passing, needs = needs_of(model, self._faster(model), self._order_of(board))
            order.extend(map(board.position, passing))
            largest = Needs(*map(max, largest, needs))
        return Plan(tuple(order), *largest)


def _blocks(graph: nx.Graph[Any], ends: Sequence[Any]) -> Iterator[set[Any]]:
    """Yield the nodes of each part of a graph in which there may be cycles, or paths."""
    blocks_of: Any = nx.biconnected_components  # its stub names another type
    if not ends:
        yield from (nodes for nodes in blocks_of(graph) if len(nodes) > 2)
        return
    # With an edge between the ends, the blocks on the way from one to the other are one block.
    joined: nx.Graph[Any] = nx.Graph(graph.edges)
    joined.add_edge(*ends)
    for nodes in blocks_of(joined):
        if nodes.issuperset(ends) and any(nodes.issuperset(edge) for edge in graph.edges):
            yield nodes


def _known(board: Board, edges: Iterable[Edge]) -> list[int]:
    """Return the edges that a board has, as ids."""
    found = []
    for edge in edges:
        try:
            found.append(board.edge_of(edge))
        except ValueError:
            continue
    return found

"""`Subgraphs`: all cycles of a graph, or all paths between two nodes, as a collection."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, chain, pairwise
from math import comb, factorial
from typing import Any, NamedTuple, Self, TypedDict

import networkx as nx

from linkoracle.board.board import Board
from linkoracle.board.model import PASS, LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.limits import Progress
from linkoracle.frontier import Diagram, Family, count
from linkoracle.frontier.order import frontier_widths, vertex_order
from linkoracle.graphs.grids import grid_of
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


class Plan(NamedTuple):
    """The requirements of a pass over a graph: see `Subgraphs.plan`."""

    #: The nodes in the order of the pass.
    order: tuple[Any, ...]
    #: The most nodes on the frontier at a time.
    width: int
    #: The most states between two nodes, if no state is pruned.
    states: int
    #: The memory in bytes that a count needs for these states.
    memory: int


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
        """A model for each block in which there may be solutions; O(edges), whatever the blocks."""
        models = []
        for edges in _blocks(self.graph, self._ends):
            nodes = set(chain.from_iterable(edges))
            if not self._hamiltonian or len(nodes) == len(self.graph):
                models.append(self._model(nodes, edges))
        return models

    @cached_property
    def _place(self) -> dict[Any, int]:
        """The place of each node in the graph."""
        return {node: at for at, node in enumerate(self.graph)}

    def _model(self, nodes: Iterable[Any], joined: Iterable[Edge]) -> LinkModel:
        part = sorted(nodes, key=self._place.__getitem__)
        number = {node: vertex for vertex, node in enumerate(part)}
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
        """Return a model with as many solutions, on a lattice if the graph is a grid."""
        board = model.board
        eligible = self._order is None and board.num_vertices >= _LEAST_LATTICE_NODES
        if not eligible or (found := grid_of(board)) is None:
            return model
        lattice, place = found
        return self._stated(lattice, [place[end] for pair in model.terminals for end in pair])

    def _order_of(self, board: Board) -> tuple[int, ...] | None:
        """Return the given order, as ids of vertices of a block."""
        if self._order is None:
            return None
        return tuple(
            sorted(range(board.num_vertices), key=lambda at: self._passing[board.position(at)])
        )

    @cached_property
    def _passing(self) -> dict[Any, int]:
        """The place of each node in the given order."""
        return {node: at for at, node in enumerate(self._order or ())}

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

    @cached_property
    def _ranks(self) -> list[int]:
        """The rank of the first member of each diagram."""
        counts = [diagram.count() for diagram in self._diagrams]
        return list(accumulate(counts[:-1], initial=0))

    @cached_property
    def _diagram_of(self) -> dict[frozenset[Any], Diagram]:
        """The diagram of each edge: blocks have no edge in common."""
        found = {}
        for diagram in self._diagrams:
            board = diagram.model.board
            for edge in range(board.num_edges):
                found[frozenset(map(board.position, board.ends(edge)))] = diagram
        return found

    def count(self) -> int:
        """Return the exact number of cycles or paths."""
        if self._required or self._forbidden or "_diagrams" in self.__dict__:
            return self._total()
        # Graphs with many blocks have few different ones.
        known: dict[object, int] = {}
        total = 0
        for model in self._models:
            board = model.board
            edges = tuple(map(board.ends, range(board.num_edges)))
            key = board.num_vertices, edges, model.terminals
            if key not in known:
                order = self._order_of(board)
                known[key] = count(self._faster(model), order=order, **self._limits)
            total += known[key]
        return total

    def _total(self) -> int:
        return self._ranks[-1] + self._diagrams[-1].count() if self._diagrams else 0

    def __bool__(self) -> bool:
        return any(self._diagrams)

    def __repr__(self) -> str:
        what = f"paths from {self._ends[0]!r} to {self._ends[1]!r}" if self._ends else "cycles"
        return f"<{'Hamiltonian ' * self._hamiltonian}{what} of {self.graph}>"

    def by_length(self) -> dict[int, int]:
        """Return the number of each length in edges, by increasing length, without zeros.

        >>> from linkoracle.graphs import all_simple_paths
        >>> all_simple_paths(nx.grid_2d_graph(4, 4), (0, 0), (3, 3)).by_length()
        {6: 20, 8: 36, 10: 48, 12: 48, 14: 32}
        """
        total: dict[int, int] = {}
        for diagram in self._diagrams:
            for length, number in diagram.by_length().items():
                total[length] = total.get(length, 0) + number
        return dict(sorted(total.items()))

    def __iter__(self) -> Iterator[list[Any]]:
        for diagram in self._diagrams:
            yield from map(self._nodes, diagram)

    def _at(self, rank: int) -> list[Any]:
        at = bisect_right(self._ranks, rank) - 1
        return self._nodes(self._diagrams[at][rank - self._ranks[at]])

    def __contains__(self, nodes: object) -> bool:
        """Return whether a list of nodes is one of them; a cycle may begin anywhere."""
        if not isinstance(nodes, Sequence) or len(nodes) < 2:
            return False
        walk = [*nodes] if self._ends else [*nodes, nodes[0]]
        if self._ends and {walk[0], walk[-1]} != set(self._ends):
            return False
        try:
            diagram = self._diagram_of.get(frozenset(walk[:2]))
        except TypeError:
            return False
        if diagram is None:
            return False
        board = diagram.model.board
        if len(_known(board, pairwise(walk))) < len(walk) - 1:
            return False
        try:
            return Solution.from_paths(board, [walk]) in diagram
        except ValueError:
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
        for name in ("_diagrams", "_ranks", "_diagram_of"):
            found.__dict__.pop(name, None)
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
        return self._diagram(self._model(self.graph, self.graph.edges)).family()

    def plan(self) -> Plan:
        """Return the requirements of a count, that is, of its largest pass.

        The bound on states assumes that all ways to join the nodes of the frontier occur. Real
        passes have far fewer states, but grow in the same way.

        >>> from linkoracle.graphs import simple_cycles
        >>> plan = simple_cycles(nx.grid_2d_graph(8, 30)).plan()
        >>> plan.width, plan.states < 20000
        (8, True)
        """
        order: list[Any] = []
        width = states = size = 0
        for model in self._models:
            board = model.board
            passing = self._order_of(board) or vertex_order(board)
            order.extend(map(board.position, passing))
            across = max(frontier_widths(board, passing))
            plane = nx.is_planar(nx.Graph(map(board.ends, range(board.num_edges))))
            bound = _states(across, len(self._ends), plane=plane)
            if bound > states:
                # Two layers of codes and counts, in tables that are half empty.
                words = 1 + across * (across + 3).bit_length() // 64
                states, size = bound, bound * 4 * 8 * (words + 1 + board.num_edges // 64)
            width = max(width, across)
        return Plan(tuple(order), width, states, size)


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


def _known(board: Board, edges: Iterable[Edge]) -> list[int]:
    """Return the edges that a board has, as ids."""
    found = []
    for edge in edges:
        try:
            found.append(board.edge_of(edge))
        except ValueError:
            continue
    return found


def _states(width: int, ends: int, *, plane: bool) -> int:
    """Return the largest number of states that a frontier of this many nodes has.

    Each node has no edge yet, two, or one. Nodes with one edge are joined in pairs, without
    crossings if the board is plane, or to one of the ``ends``.
    """
    total = 0
    for ended in range(ends + 1):
        for pairs in range((width - ended) // 2 + 1):
            joined = 2 * pairs
            ways = factorial(joined) // factorial(pairs)
            ways //= factorial(pairs + 1) if plane else 2**pairs
            free = width - ended - joined
            chosen = comb(width, ended) * comb(width - ended, joined) * factorial(ended)
            total += chosen * comb(ends, ended) * ways * 2**free
    return total

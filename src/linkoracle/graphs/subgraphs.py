"""`Subgraphs`: all cycles of a graph, or all paths between two nodes, as a collection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack, overload

from linkoracle import frontier
from linkoracle.core import Progress, Sample, checked_int
from linkoracle.graphs.blocks import Blocks
from linkoracle.graphs.conditions import Conditions
from linkoracle.graphs.members import Members
from linkoracle.graphs.network import Edge, Network, Node
from linkoracle.zdd import Indexed

if TYPE_CHECKING:
    import networkx as nx

    from linkoracle.frontier import Family, Scale
    from linkoracle.graphs.planning import Plan

#: Most members that are listed to find one by its index, if there is no diagram.
_FEW_MEMBERS = 1_000


class Limits(TypedDict, total=False):
    """The options of a search.

    * ``order``: all nodes in the order in which a pass takes them; ``None`` finds one with few
      nodes on the frontier (see `Subgraphs.plan`);
    * ``timeout``: seconds after which `SearchTimeout` is raised, for a list those from its first
      member on until there is a diagram; ``None`` means no limit;
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
    begin at a source. ``length_bound`` is the largest number of edges. In a multigraph, parallel
    edges make different cycles and paths, so each is a list of edges ``(node, node, key)``, as of
    `networkx.all_simple_edge_paths`. Those of a directed graph follow its arcs.

    Samples, indices far from 0 and numbers by length need decision diagrams
    (`linkoracle.frontier.Diagram`), which are built at the first query that needs them. `count`
    builds none, and neither do ``in``, ``bool``, `shortest`, and the first members: a search finds
    them one by one (`linkoracle.graphs.backtracking`). A list with a small ``length_bound`` needs
    no pass over the graph for any query.

    **The order** of members is that of diagrams, whether there is one yet or not: two in a block
    are compared at the first edge on which they differ, in the order of a pass, and the one without
    it comes first.

    A cycle stays in one block of the graph (a part that no single node separates), so each block
    has a pass of its own. Paths only pass the blocks between their ends.

    >>> import networkx as nx
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
        graph: nx.Graph[Any] | Network,
        source: Node | Iterable[Node] = None,
        target: Node | Iterable[Node] = None,
        *,
        hamiltonian: bool = False,
        length_bound: int | None = None,
        order: Iterable[Node] | None = None,
        timeout: float | None = None,
        memory: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        conditions = Conditions.of(
            Network.of(graph), source, target, hamiltonian=hamiltonian, length_bound=length_bound
        )
        #: The graph, with a node for each set of ends if a path has several sources or targets.
        self.graph = conditions.graph
        self._kind = conditions.kind
        if order is not None:
            order, nodes = tuple(order), {*self.graph}.difference(conditions.added)
            if len(order) != len(nodes) or {*order} != nodes:
                raise ValueError(f"expected an order of the {len(nodes)} nodes, got {order!r}")
            order = (*conditions.added[:1], *order, *conditions.added[1:])
        blocks = Blocks(self.graph, conditions.ends, hamiltonian, order)
        limits = {"timeout": timeout, "memory": memory, "progress": progress}
        self._members = Members(conditions, blocks, limits)
        #: The first members, as far as they are known, and whether these are all.
        self._begun: tuple[list[list[Any]], bool] = [], False

    def _under(self, conditions: Conditions) -> Self:
        """Return the cycles or paths of the same graph under other conditions."""
        part = type(self).__new__(type(self))
        part.__dict__ = {**vars(self), "_members": self._members.under(conditions)}
        part._begun = [], False
        return part

    def count(self, **scale: Unpack[Scale]) -> int:
        """Return the exact number of cycles or paths.

        For grids of rows and columns, the count can be distributed and resumed with the options
        ``executor``, ``store``, ``resume`` and ``spill`` of `linkoracle.frontier.count`. Raises
        ``ValueError`` for other graphs with these options.

        >>> import networkx as nx
        >>> from linkoracle.batch import Processes
        >>> with Processes(2) as executor:
        ...     Subgraphs(nx.grid_2d_graph(4, 5)).count(executor=executor)
        1049
        """
        if any(scale.values()):
            return frontier.count(self._members.on_lattice(), **scale, **self._members.limits)
        return self._members.count()

    def _total(self) -> int:
        return self._members.total()

    def _at(self, rank: int) -> list[Any]:
        return self._members.at(rank)

    def __bool__(self) -> bool:
        return bool(self._members)

    def __iter__(self) -> Iterator[list[Any]]:
        return iter(self._members)

    def __repr__(self) -> str:
        return f"<{self._members.conditions}>"

    def by_length(self, **scale: Unpack[Scale]) -> dict[int, int]:
        """Return the number of each length in edges, by increasing length, without zeros.

        The options are those of `count`.

        >>> import networkx as nx
        >>> from linkoracle.graphs import all_simple_paths
        >>> all_simple_paths(nx.grid_2d_graph(4, 4), (0, 0), (3, 3)).by_length()
        {6: 20, 8: 36, 10: 48, 12: 48, 14: 32}
        """
        if any(scale.values()):
            return frontier.by_length(self._members.on_lattice(), **scale, **self._members.limits)
        return self._members.by_length()

    @overload
    def __getitem__(self, index: int) -> list[Any]: ...

    @overload
    def __getitem__(self, index: slice) -> list[list[Any]]: ...

    def __getitem__(self, index: int | slice) -> Any:
        """Return the member at ``index``, or those of a slice: see `Indexed.__getitem__`.

        The first members are found by search, without a diagram.
        """
        few = _few(index, self._kind) if self._members.is_searched else None
        if few is not None:
            found, whole = self._begun
            if len(found) < few and not whole:
                few = max(few, 2 * len(found))
                found = list(islice(self, few))
                whole = len(found) < few
                self._begun = found, whole
            if isinstance(index, slice):
                return [[*nodes] for nodes in found[index]]
            if index < len(found):
                return [*found[index]]
            raise IndexError(f"no {self._kind} {index} among {len(found)}")
        return super().__getitem__(index)

    def __contains__(self, nodes: object) -> bool:
        """Return whether a list is one of them; a cycle may begin anywhere. O(nodes).

        Of an undirected graph, a list may also be in the other direction.
        """
        return self._members.conditions.hold(nodes)

    def longest(self) -> list[Any] | None:
        """Return one with the most edges; ``None`` if there is none."""
        return self._members.extreme(1)

    def shortest(self) -> list[Any] | None:
        """Return the first one, in order, with the fewest edges; ``None`` if there is none.

        With more than two required edges, the search may be given up and a diagram be built.
        """
        members = self._members
        if not members.is_searched:
            return members.extreme(-1)
        from linkoracle.graphs.disjoint_paths import Undecided

        try:
            length = members.least_length()
        except Undecided:
            return members.extreme(-1)
        if length is None:
            return None
        return next(iter(members.under(replace(members.conditions, length_bound=length))))

    def lightest(self, weight: str = "weight") -> list[Any] | None:
        """Return one whose edges weigh least; ``None`` if there is none.

        The edge attribute ``weight`` has the weights: numbers, which may be negative, taken exactly
        as they are written. Raises ``ValueError`` for an edge without one.

        >>> import networkx as nx
        >>> from linkoracle.graphs import simple_cycles
        >>> graph = nx.complete_graph(6)
        >>> for one, other, data in graph.edges(data=True):
        ...     data["weight"] = one * other
        >>> trips = simple_cycles(graph)
        >>> trips.lightest(), trips.heaviest(), trips.within(5).count()
        ([0, 1, 2], [2, 3, 5, 4], 5)
        """
        return self._members.weightiest(weight, -1)

    def heaviest(self, weight: str = "weight") -> list[Any] | None:
        """Return one whose edges weigh most: see `lightest`."""
        return self._members.weightiest(weight, 1)

    def within(self, budget: Any, weight: str = "weight") -> Self:
        """Return those whose edges weigh up to ``budget`` together: see `lightest`."""
        return self._under(self._members.conditions.within(budget, weight))

    def sample(
        self, k: int = 1, seed: int | None = None, *, weight: str | None = None
    ) -> Sample[Any]:
        """Draw ``k`` uniformly: see `Indexed.sample`; or by the products of their edges' weights.

        With ``weight``, the name of an edge attribute, the chance of each is in exact proportion to
        the product of the weights of its edges, which are 0 or more.

        >>> import networkx as nx
        >>> from linkoracle.graphs import all_simple_paths
        >>> graph = nx.cycle_graph(4)
        >>> nx.set_edge_attributes(graph, {(0, 1): 0, (1, 2): 1, (2, 3): 1, (0, 3): 2}, "odds")
        >>> all_simple_paths(graph, 0, 2).sample(2, seed=1, weight="odds")
        [[0, 3, 2], [0, 3, 2]]
        """
        if weight is None:
            return super().sample(k, seed)
        return self._members.drawn(k, seed, weight)

    def including(self, edges: Iterable[Edge] = (), *, nodes: Iterable[Node] = ()) -> Self:
        """Return the cycles or paths that have all of these edges, and visit all of these nodes.

        An edge is a pair of nodes, in a multigraph with its key if there are several.

        >>> import networkx as nx
        >>> from linkoracle.graphs import simple_cycles
        >>> len(simple_cycles(nx.petersen_graph()).including([(0, 1)], nodes=[2, 3]))
        16
        """
        return self._under(self._members.conditions.including(edges, nodes))

    def excluding(self, edges: Iterable[Edge] = (), *, nodes: Iterable[Node] = ()) -> Self:
        """Return the cycles or paths that have none of these edges, and visit none of these nodes.

        In a multigraph, a pair of nodes stands for all edges between these.
        """
        return self._under(self._members.conditions.excluding(edges, nodes))

    def family(self) -> Family:
        """Return a `linkoracle.frontier.Family`, for set algebra on the edges of the graph.

        Families of one graph combine if their orders are the same. Raises ``ValueError`` for paths
        between sets of nodes.

        >>> import networkx as nx
        >>> from linkoracle.graphs import all_simple_paths, hamiltonian_paths
        >>> graph = nx.complete_graph(5)
        >>> short = all_simple_paths(graph, 0, 1).family()
        >>> (short - hamiltonian_paths(graph, 0, 1).family()).count()
        10
        """
        members = self._members
        if members.conditions.added:
            raise ValueError("expected one source and one target for a family")
        whole = members.blocks.block(self.graph, range(len(self.graph.links)))
        return members.diagram(whole).family()

    def plan(self) -> Plan:
        """Return upper bounds of the requirements of a count: `linkoracle.graphs.planning`.

        A count within ``memory`` bytes of the plan never raises `MemoryLimit`. On the graphs of the
        tests, the bound of states is up to 32 times what a pass has, the bound of memory up to 150
        times, and more if Hamiltonian. Diagrams need more. O(nodes x (nodes + edges)).

        >>> import networkx as nx
        >>> from linkoracle.graphs import simple_cycles
        >>> plan = simple_cycles(nx.grid_2d_graph(8, 30)).plan()
        >>> plan.width, plan.states
        (8, 452)
        """
        from linkoracle.graphs.planning import Needs, Plan, needs_of

        order: list[Any] = []
        largest = Needs(0, 0, 0)
        blocks, added = self._members.blocks, self._members.conditions.added
        for model in blocks.models:
            board = model.board
            passing, needs = needs_of(model, blocks.faster(model), blocks.order_of(board))
            order.extend(map(board.position, passing))
            largest = Needs(*map(max, largest, needs))
        return Plan(tuple(node for node in order if node not in added), *largest)


def _few(index: int | slice, kind: str) -> int | None:
    """Return how many first members are enough for an index or a slice; ``None`` if not a few."""
    if not isinstance(index, slice):
        most = checked_int(index, f"the index of a {kind}") + 1
        return most if 0 < most <= _FEW_MEMBERS else None
    start, stop, step = index.start or 0, index.stop, index.step or 1
    if not all(isinstance(one, int) for one in (start, stop, step)):
        return None
    return stop if start >= 0 and 0 <= stop <= _FEW_MEMBERS and step > 0 else None

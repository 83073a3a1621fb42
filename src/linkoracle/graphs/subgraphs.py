"""`Subgraphs`: all cycles of a graph, or all paths between two nodes, as a collection."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from copy import copy
from functools import cached_property
from itertools import accumulate, islice, pairwise
from typing import Any, Self, TypedDict, Unpack, overload

import networkx as nx

from linkoracle.board import Board, LinkModel, Solution
from linkoracle.core import Deadline, MemoryLimit, NotSupported, Progress, checked_int
from linkoracle.engines import Turns
from linkoracle.frontier import LEAST_WIDTH, Diagram, Family, Scale, Steps, by_length, count
from linkoracle.graphs.backtracking import Backtracking
from linkoracle.graphs.blocks import Blocks, Edge, Node
from linkoracle.graphs.bounded import FIRST_EFFORT, bounded_diagram, passing
from linkoracle.graphs.disjoint_paths import Undecided
from linkoracle.graphs.planning import Needs, Plan, needs_of
from linkoracle.zdd import Indexed

#: Most members that are listed to find one by its index, if there is no diagram.
_FEW_MEMBERS = 1_000
#: Bytes of diagrams that are built while members are found without them.
_MEANWHILE = 1 << 28


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
    begin at the source. ``length_bound`` is the largest number of edges.

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
        length_bound: int | None = None,
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
        if length_bound is not None:
            length_bound = checked_int(length_bound, "a bound of lengths", 0)
        self.graph, self._length_bound = graph, length_bound
        self._ends = () if source is None else (source, target)
        self._kind = "path" if self._ends else "cycle"
        self._hamiltonian = hamiltonian
        self._blocks = Blocks(graph, self._ends, hamiltonian, order)
        self._limits: Any = {"timeout": timeout, "memory": memory, "progress": progress}
        self._required: tuple[Edge, ...] = ()
        self._forbidden: tuple[Edge, ...] = ()
        #: The first members, as far as they are known, and whether these are all.
        self._begun: tuple[list[list[Any]], bool] = [], False

    def _blank(self) -> LinkModel:
        """Return the only model, on a lattice, for counts in other processes or with files."""
        plain = not (self._required or self._forbidden or self._blocks.order)
        models = self._blocks.models if plain else []
        found = self._blocks.on_lattice(models[0]) if len(models) == 1 else None
        if found is None or min(found.lattice.rows, found.lattice.cols) < LEAST_WIDTH:
            raise ValueError(
                f"expected a grid of {LEAST_WIDTH} or more rows and columns to count in other "
                "processes or with files: any other graph takes one pass, whose states stay in "
                "this process, where threads share the work"
            )
        return found

    def _diagram(self, model: LinkModel) -> Diagram:
        """Build a diagram; all required edges are on the board."""
        order, most = self._blocks.order_of(model.board), self._length_bound
        if most is None:
            return self._filtered(Diagram.build(model, order=order, **self._limits))
        memory, timeout = self._limits["memory"], self._limits["timeout"]
        fixed = self._fixed(model)
        return bounded_diagram(model, fixed, most, order, memory, timeout, self._filtered)

    def _filtered(self, found: Diagram) -> Diagram:
        """Return the part of a diagram that the filters and the bound leave."""
        board, most = found.model.board, self._length_bound
        if most is None and not (self._required or self._forbidden):
            return found
        return found.filter(
            required=_known(board, self._required),
            forbidden=_known(board, self._forbidden),
            length=None if most is None else (0, most),
        )

    def _fixed(self, model: LinkModel) -> LinkModel:
        """Return a model with the edges that the filters require and forbid."""
        board = model.board
        required, forbidden = (
            {*_known(board, edges)} for edges in (self._required, self._forbidden)
        )
        if required & forbidden:
            # No solution: a terminal alone, or no edge at all, is none.
            return model.with_edges(forbidden=range(board.num_edges))
        return model.with_edges(required, forbidden)

    def _searches(self) -> Iterator[tuple[LinkModel, Backtracking]]:
        """Yield each block that has all required edges, and a search in it."""
        deadline, most = Deadline(self._limits["timeout"]), self._length_bound
        for model in self._eligible:
            yield model, Backtracking(self._fixed(model), length=most, timeout=deadline)

    @property
    def _eligible(self) -> list[LinkModel]:
        """The models that have all required edges."""
        required, number = self._required, len(self._required)
        return [one for one in self._blocks.models if len(_known(one.board, required)) == number]

    @cached_property
    def _diagrams(self) -> list[Diagram]:
        return [self._diagram(model) for model in self._eligible]

    @property
    def _is_built(self) -> bool:
        """Whether there are diagrams."""
        return "_diagrams" in self.__dict__

    @cached_property
    def _ranks(self) -> list[int]:
        """The rank of the first member of each diagram."""
        counts = [diagram.count() for diagram in self._diagrams]
        return list(accumulate(counts[:-1], initial=0))

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
        filtered = self._required or self._forbidden or self._length_bound is not None
        if filtered or self._is_built:
            return self._total()
        # Graphs with many blocks have few different ones.
        known: dict[object, int] = {}
        total = 0
        for model in self._blocks.models:
            board = model.board
            edges = tuple(map(board.ends, range(board.num_edges)))
            key = board.num_vertices, edges, model.terminals
            if key not in known:
                order = self._blocks.order_of(board)
                known[key] = count(self._blocks.faster(model), order=order, **self._limits)
            total += known[key]
        return total

    def _total(self) -> int:
        return self._ranks[-1] + self._diagrams[-1].count() if self._diagrams else 0

    def __bool__(self) -> bool:
        if self._is_built:
            return any(self._diagrams)
        return any(search.exists() for _, search in self._searches())

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
        number = 0
        if not self._is_built:
            # If there are many, diagrams are built meanwhile, unless they are too large.
            with closing(self._passing()) as work:
                diagrams: Turns[None] = Turns(work)
                effort, lost = FIRST_EFFORT, False
                for nodes, visited in self._searched():
                    yield nodes
                    number += 1
                    if visited < effort or lost:
                        continue
                    try:
                        if self._is_built or diagrams.go_on(effort):
                            break
                    except (MemoryLimit, NotSupported):
                        lost = True
                    effort *= 2
                else:
                    return
        every = (self._nodes(one) for diagram in self._diagrams for one in diagram)
        yield from islice(every, number, None)

    def _passing(self) -> Generator[float, None, None]:
        """Build all diagrams, as work in steps."""
        memory = min(self._limits["memory"] or _MEANWHILE, _MEANWHILE)
        found, deadline = [], Deadline(None)
        for model in self._eligible:
            order = self._blocks.order_of(model.board)
            found.append((yield from passing(model, order, memory, deadline, self._filtered)))
        self._diagrams = found

    def _searched(self) -> Iterator[tuple[list[Any], int]]:
        """Yield each member in order, found by search, and the vertices visited so far."""
        before = 0
        for model, search in self._searches():
            board = model.board
            order = Steps(model, given_order=self._blocks.order_of(board)).edge_order
            for edges in search.solutions(order):
                yield self._nodes(Solution(board, tuple(edges))), before + search.visited
            before += search.visited

    @overload
    def __getitem__(self, index: int) -> list[Any]: ...

    @overload
    def __getitem__(self, index: slice) -> list[list[Any]]: ...

    def __getitem__(self, index: int | slice) -> Any:
        """Return the member at ``index``, or those of a slice: see `Indexed.__getitem__`.

        The first members are found by search, without a diagram.
        """
        few = None if self._is_built else _few(index, self._kind)
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

    def _at(self, rank: int) -> list[Any]:
        at = bisect_right(self._ranks, rank) - 1
        return self._nodes(self._diagrams[at][rank - self._ranks[at]])

    def __contains__(self, nodes: object) -> bool:
        """Return whether a list of nodes is one of them; a cycle may begin anywhere. O(nodes)."""
        if not isinstance(nodes, Sequence) or len(nodes) < (2 if self._ends else 3):
            return False
        walk = [*nodes] if self._ends else [*nodes, nodes[0]]
        steps = [*pairwise(walk)]
        if not all(self.graph.has_edge(*step) for step in steps) or len({*nodes}) < len(nodes):
            return False
        if self._ends and {walk[0], walk[-1]} != {*self._ends}:
            return False
        used = {*map(frozenset, steps)}
        return (
            used.issuperset(map(frozenset, self._required))
            and used.isdisjoint(map(frozenset, self._forbidden))
            and (not self._hamiltonian or len(nodes) == len(self.graph))
            and (self._length_bound is None or len(used) <= self._length_bound)
        )

    def _nodes(self, solution: Solution) -> list[Any]:
        (walk,) = solution.paths()
        if not self._ends:
            return walk[:-1]
        return walk if walk[0] == self._ends[0] else walk[::-1]

    def longest(self) -> list[Any] | None:
        """Return one with the most edges; ``None`` if there is none."""
        return self._extreme(1)

    def shortest(self) -> list[Any] | None:
        """Return the first one, in order, with the fewest edges; ``None`` if there is none.

        With more than two required edges, the search may be given up and a diagram be built.
        """
        if self._is_built:
            return self._extreme(-1)
        try:
            lengths = [search.shortest() for _, search in self._searches()]
        except Undecided:
            return self._extreme(-1)
        found = [length for length in lengths if length is not None]
        if not found:
            return None
        part = self._copy()
        part._length_bound = min(found)
        return next(iter(part))

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
        found = type(self).__new__(type(self))
        stale = ("_diagrams", "_ranks")
        found.__dict__ = {name: one for name, one in vars(self).items() if name not in stale}
        found._begun = [], False
        return found

    def __getstate__(self) -> dict[str, Any]:
        # A view of a graph may have functions. A function that shows progress belongs here.
        limits = {**self._limits, "progress": None}
        blocks = copy(self._blocks)
        blocks.graph = nx.Graph(self.graph)
        return {**vars(self), "graph": blocks.graph, "_blocks": blocks, "_limits": limits}

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
        return self._diagram(self._blocks.model(self.graph, self.graph.edges)).family()

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
        blocks = self._blocks
        for model in blocks.models:
            board = model.board
            passing, needs = needs_of(model, blocks.faster(model), blocks.order_of(board))
            order.extend(map(board.position, passing))
            largest = Needs(*map(max, largest, needs))
        return Plan(tuple(order), *largest)


def _few(index: int | slice, kind: str) -> int | None:
    """Return how many first members are enough for an index or a slice; ``None`` if not a few."""
    if not isinstance(index, slice):
        most = checked_int(index, f"the index of a {kind}") + 1
        return most if 0 < most <= _FEW_MEMBERS else None
    start, stop, step = index.start or 0, index.stop, index.step or 1
    if not all(isinstance(one, int) for one in (start, stop, step)):
        return None
    return stop if start >= 0 and 0 <= stop <= _FEW_MEMBERS and step > 0 else None


def _known(board: Board, edges: Iterable[Edge]) -> list[int]:
    """Return the edges that a board has, as ids."""
    found = []
    for edge in edges:
        try:
            found.append(board.edge_of(edge))
        except ValueError:
            continue
    return found

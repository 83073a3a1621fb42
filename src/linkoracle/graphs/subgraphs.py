"""`Subgraphs`: all cycles of a graph, or all paths between two nodes, as a collection."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, islice, pairwise
from math import lcm
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack, overload

from linkoracle import frontier
from linkoracle.board import END, PASS, LinkModel, Solution
from linkoracle.core import (
    Deadline,
    MemoryLimit,
    NotSupported,
    Progress,
    Sample,
    big_below,
    checked_int,
    seed_or_fresh,
    source,
)
from linkoracle.graphs.blocks import Block, Blocks
from linkoracle.graphs.network import Edge, Network, Node
from linkoracle.zdd import Indexed

if TYPE_CHECKING:
    import networkx as nx

    from linkoracle.frontier import Diagram, Family, Scale
    from linkoracle.graphs.backtracking import Backtracking
    from linkoracle.graphs.planning import Plan

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
        network = Network.of(graph)
        if (source is None) != (target is None):
            raise ValueError("expected both ends of the paths, got one")
        self._sources, self._targets = _ends(network, source), _ends(network, target)
        for both in self._sources:
            if both in self._targets:
                raise ValueError(f"expected paths between two nodes, got {both!r} twice")
        if order is not None:
            order = tuple(order)
            if len(order) != len(network) or set(order) != set(network):
                raise ValueError(f"expected an order of the {len(network)} nodes, got {order!r}")
        if length_bound is not None:
            length_bound = checked_int(length_bound, "a bound of lengths", 0)
        #: The nodes at the ends of all paths, and how many edges to these each path has.
        self._ends: tuple[Node, ...] = (*self._sources, *self._targets)
        self._extra = 0
        if len(self._ends) > 2:
            network, begin, end = network.joined(self._sources, self._targets)
            self._ends, self._extra = (begin, end), 2
            order = None if order is None else (self._ends[0], *order, self._ends[1])
        self.graph = network
        self._length_bound = None if length_bound is None else length_bound + self._extra
        self._kind = "path" if self._ends else "cycle"
        self._hamiltonian = hamiltonian
        self._blocks = Blocks(network, self._ends, hamiltonian, order)
        self._limits: Any = {"timeout": timeout, "memory": memory, "progress": progress}
        #: Edges by number, and nodes.
        self._required: frozenset[int] = frozenset()
        self._forbidden: frozenset[int] = frozenset()
        self._visited: frozenset[Node] = frozenset()
        #: The most that edges may weigh, each with the attribute that has their weights.
        self._budgets: tuple[tuple[str, Any], ...] = ()
        #: The first members, as far as they are known, and whether these are all.
        self._begun: tuple[list[list[Any]], bool] = [], False

    def _blank(self) -> LinkModel:
        """Return the only model, on a lattice, for counts in other processes or with files."""
        plain = not (self._is_filtered or self._budgets or self._blocks.order)
        plain = plain and not self.graph.directed and self._length_bound is None
        models = self._blocks.models if plain else []
        found = self._blocks.on_lattice(models[0]) if len(models) == 1 else None
        if found is None or min(found.lattice.rows, found.lattice.cols) < frontier.LEAST_WIDTH:
            raise ValueError(
                f"expected a grid of {frontier.LEAST_WIDTH} or more rows and columns to count in "
                "other processes or with files: any other graph takes one pass, whose states stay "
                "in this process, where threads share the work"
            )
        return found

    @property
    def _is_filtered(self) -> bool:
        """Whether filters require or exclude edges or nodes."""
        return bool(self._required or self._forbidden or self._visited)

    def _diagram(self, block: Block) -> Diagram:
        """Build a diagram; all required edges and nodes are in the block."""
        order, most = self._blocks.order_of(block.model.board), self._length_bound
        fixed = self._fixed(block)
        if most is None:
            built = frontier.Diagram.build(fixed, order=order, **self._limits)
            return self._affordable(block, built)
        from linkoracle.graphs.bounded import bounded_diagram

        memory, timeout = self._limits["memory"], self._limits["timeout"]
        heads = self._blocks.heads(block)
        found = bounded_diagram(fixed, most, order, memory, timeout, self._short, heads)
        return self._affordable(block, found)

    def _short(self, found: Diagram) -> Diagram:
        """Return the part of a diagram within the bound of lengths."""
        most = self._length_bound
        return found if most is None else found.filter(length=(0, most))

    def _affordable(self, block: Block, found: Diagram) -> Diagram:
        """Return the part of the diagram of a block within all budgets."""
        for weight, budget in self._budgets:
            found = found.within(self._weights(block, weight, 0), budget)
        return found

    def _weights(self, block: Block, weight: str, outside: int) -> list[Any]:
        """Return the weight of each edge of a block; those to sets of ends weigh ``outside``."""
        found: list[Any] = []
        for one, other, _, data in map(self.graph.links.__getitem__, block.links):
            if self._extra and (one == self._ends[0] or other == self._ends[1]):
                found.append(outside)
                continue
            try:
                found.append(frontier.exact(data[weight]))
            except (KeyError, ValueError):
                has = f"the {weight} {data[weight]!r}" if weight in data else f"no {weight}"
                raise ValueError(
                    f"expected a number as the {weight} of each edge; the edge between {one!r} and "
                    f"{other!r} has {has}"
                ) from None
        return found

    def _fixed(self, block: Block) -> LinkModel:
        """Return the model of a block with the edges and nodes that the filters require."""
        if not self._is_filtered:
            return block.model
        model, board = block.model, block.model.board
        required, forbidden = (
            {edge for edge, link in enumerate(block.links) if link in chosen}
            for chosen in (self._required, self._forbidden)
        )
        if required & forbidden.union(model.forbidden):
            # No solution: a terminal alone, or no edge at all, is none.
            return model.with_edges(forbidden=range(board.num_edges))
        degrees = bytes(
            PASS if mask != END and board.position(vertex) in self._visited else mask
            for vertex, mask in enumerate(model.degrees)
        )
        return replace(model, degrees=degrees).with_edges(required, forbidden)

    def _searches(self) -> Iterator[tuple[Block, Backtracking]]:
        """Yield each block that has all required edges, and a search in it."""
        from linkoracle.graphs.backtracking import Backtracking

        deadline, most = Deadline(self._limits["timeout"]), self._length_bound
        for block in self._eligible:
            yield block, Backtracking(self._fixed(block), length=most, timeout=deadline)

    @property
    def _is_searched(self) -> bool:
        """Whether a search finds members one by one: no arcs, required nodes, budgets."""
        return not (self.graph.directed or self._visited or self._budgets)

    @cached_property
    def _eligible(self) -> list[Block]:
        """The blocks that have all required edges and nodes."""
        return [
            block
            for block in self._blocks.every
            if self._required.issubset(block.links)
            and (
                not self._visited
                or self._visited.issubset(map(block.model.board.position, _all(block)))
            )
        ]

    @cached_property
    def _diagrams(self) -> list[Diagram]:
        return [self._diagram(block) for block in self._eligible]

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

        >>> import networkx as nx
        >>> from linkoracle.batch import Processes
        >>> with Processes(2) as executor:
        ...     Subgraphs(nx.grid_2d_graph(4, 5)).count(executor=executor)
        1049
        """
        if any(scale.values()):
            return frontier.count(self._blank(), **scale, **self._limits)
        if self._length_bound is not None or self._budgets or self._is_built:
            return self._total()
        # Graphs with many blocks have few different ones.
        known: dict[object, int] = {}
        total = 0
        for block in self._eligible:
            model, board = self._fixed(block), block.model.board
            edges = tuple(map(board.ends, range(board.num_edges)))
            fixed = model.degrees, model.given, model.forbidden
            key = board.num_vertices, edges, model.terminals, model.counts, fixed
            if key not in known:
                order = self._blocks.order_of(board)
                faster = model if self._is_filtered else self._blocks.faster(model)
                known[key] = frontier.count(faster, order=order, **self._limits)
            total += known[key]
        return total

    def _total(self) -> int:
        return self._ranks[-1] + self._diagrams[-1].count() if self._diagrams else 0

    def __bool__(self) -> bool:
        if self._is_built or not self._is_searched:
            return any(self._diagrams)
        return any(search.exists() for _, search in self._searches())

    def __repr__(self) -> str:
        what = "cycles"
        if self._ends:
            what = f"paths from {_shown(self._sources)} to {_shown(self._targets)}"
        return f"<{'Hamiltonian ' * self._hamiltonian}{what} of {self.graph}>"

    def by_length(self, **scale: Unpack[Scale]) -> dict[int, int]:
        """Return the number of each length in edges, by increasing length, without zeros.

        The options are those of `count`.

        >>> import networkx as nx
        >>> from linkoracle.graphs import all_simple_paths
        >>> all_simple_paths(nx.grid_2d_graph(4, 4), (0, 0), (3, 3)).by_length()
        {6: 20, 8: 36, 10: 48, 12: 48, 14: 32}
        """
        if any(scale.values()):
            return frontier.by_length(self._blank(), **scale, **self._limits)
        total: dict[int, int] = {}
        for diagram in self._diagrams:
            for length, number in diagram.by_length().items():
                shown = length - self._extra
                total[shown] = total.get(shown, 0) + number
        return dict(sorted(total.items()))

    def __iter__(self) -> Iterator[list[Any]]:
        number = 0
        if not self._is_built and self._is_searched:
            from linkoracle.engines import Turns
            from linkoracle.graphs.bounded import FIRST_EFFORT

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
        pairs = zip(self._eligible, self._diagrams, strict=True)
        every = (self._nodes(block, one) for block, diagram in pairs for one in diagram)
        yield from islice(every, number, None)

    def _passing(self) -> Generator[float, None, None]:
        """Build all diagrams, as work in steps."""
        from linkoracle.graphs.bounded import passing

        memory = min(self._limits["memory"] or _MEANWHILE, _MEANWHILE)
        found, deadline = [], Deadline(None)
        for block in self._eligible:
            order, fixed = self._blocks.order_of(block.model.board), self._fixed(block)
            found.append((yield from passing(fixed, order, memory, deadline, self._short)))
        self._diagrams = found

    def _searched(self) -> Iterator[tuple[list[Any], int]]:
        """Yield each member in order, found by search, and the vertices visited so far."""
        before = 0
        for block, search in self._searches():
            board = block.model.board
            order = frontier.Steps(block.model, given_order=self._blocks.order_of(board)).edge_order
            for edges in search.solutions(order):
                yield self._nodes(block, Solution(board, tuple(edges))), before + search.visited
            before += search.visited

    @overload
    def __getitem__(self, index: int) -> list[Any]: ...

    @overload
    def __getitem__(self, index: slice) -> list[list[Any]]: ...

    def __getitem__(self, index: int | slice) -> Any:
        """Return the member at ``index``, or those of a slice: see `Indexed.__getitem__`.

        The first members are found by search, without a diagram.
        """
        few = None if self._is_built or not self._is_searched else _few(index, self._kind)
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
        return self._nodes(self._eligible[at], self._diagrams[at][rank - self._ranks[at]])

    def __contains__(self, nodes: object) -> bool:
        """Return whether a list is one of them; a cycle may begin anywhere. O(nodes).

        Of an undirected graph, a list may also be in the other direction.
        """
        graph = self.graph
        if not isinstance(nodes, Sequence):
            return False
        walk = [*nodes]
        if graph.parallel:
            steps: list[Any] = walk
            try:
                walk = [step[0] for step in steps] + [step[1] for step in steps[-1:]]
                if any(step[1] != after[0] for step, after in pairwise(steps)):
                    return False
            except (IndexError, TypeError):
                return False
            if not self._ends and walk and walk[0] != walk.pop():
                return False
        else:
            steps = [*pairwise(walk if self._ends else [*walk, *walk[:1]])]
        try:
            links = [graph.between(step) for step in steps]
            repeated = len({*walk}) < len(walk)
        except (TypeError, ValueError):
            return False
        used = {number for numbers in links for number in numbers}
        least = 1 if self._ends else 2
        if repeated or any(len(one) > 1 for one in links) or len(used) < max(least, len(steps)):
            return False
        if self._ends:
            ways = [(walk[0], walk[-1])] + [(walk[-1], walk[0])] * (not graph.directed)
            if not any(one in self._sources and two in self._targets for one, two in ways):
                return False
        return (
            used >= self._required
            and used.isdisjoint(self._forbidden)
            and self._visited.issubset(walk)
            and (not self._hamiltonian or len(walk) == len(graph) - self._extra)
            and (self._length_bound is None or len(used) + self._extra <= self._length_bound)
            and all(self._total_weight(used, weight) <= most for weight, most in self._budgets)
        )

    def _nodes(self, block: Block, solution: Solution) -> list[Any]:
        """Return a solution as a list of nodes, or of edges with their keys."""
        graph, board = self.graph, block.model.board
        if not (graph.directed or graph.parallel):
            (walk,) = solution.paths()
            if not self._ends:
                return walk[:-1]
            walk = walk if walk[0] == self._ends[0] else walk[::-1]
            return walk[1:-1] if self._extra else walk
        at: dict[Any, list[int]] = {}
        for edge in solution.edges:
            for vertex in board.ends(edge):
                at.setdefault(board.position(vertex), []).append(block.links[edge])
        node = self._ends[0] if self._ends else board.position(board.ends(solution.edges[0])[0])
        link = next(one for one in at[node] if not graph.directed or graph.links[one].one == node)
        steps = []
        for _ in solution.edges:
            one, other, key, _ = graph.links[link]
            far = other if one == node else one
            steps.append((node, far, key))
            node = far
            link = next((number for number in at[node] if number != link), link)
        if self._extra:
            steps = steps[1:-1]
        if graph.parallel:
            return steps
        return [one for one, _, _ in steps] + [steps[-1][1]] * bool(self._ends)

    def longest(self) -> list[Any] | None:
        """Return one with the most edges; ``None`` if there is none."""
        return self._extreme(1)

    def shortest(self) -> list[Any] | None:
        """Return the first one, in order, with the fewest edges; ``None`` if there is none.

        With more than two required edges, the search may be given up and a diagram be built.
        """
        if self._is_built or not self._is_searched:
            return self._extreme(-1)
        from linkoracle.graphs.disjoint_paths import Undecided

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
        pairs = zip(self._eligible, best, strict=True)
        found = [self._nodes(block, one) for block, one in pairs if one is not None]
        return max(found, key=lambda one: sign * len(one)) if found else None

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
        return self._weightiest(weight, -1)

    def heaviest(self, weight: str = "weight") -> list[Any] | None:
        """Return one whose edges weigh most: see `lightest`."""
        return self._weightiest(weight, 1)

    def _weightiest(self, weight: str, sign: int) -> list[Any] | None:
        best: list[tuple[Any, Block, Solution]] = []
        for block, diagram in zip(self._eligible, self._diagrams, strict=True):
            weights = self._weights(block, weight, 0)
            one = diagram.lightest(weights, sign=sign)
            if one is not None:
                best.append((sum(weights[edge] for edge in one.edges), block, one))
        if not best:
            return None
        _, block, found = max(best, key=lambda one: sign * one[0])
        return self._nodes(block, found)

    def within(self, budget: Any, weight: str = "weight") -> Self:
        """Return those whose edges weigh up to ``budget`` together: see `lightest`."""
        found = self._copy()
        found._budgets += ((weight, frontier.exact(budget)),)
        return found

    def _total_weight(self, links: Iterable[int], weight: str) -> Any:
        return sum(frontier.exact(self.graph.links[number].data[weight]) for number in links)

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
        from fractions import Fraction

        parts = [
            (block, diagram, diagram.chances(self._weights(block, weight, 1)))
            for block, diagram in zip(self._eligible, self._diagrams, strict=True)
        ]
        total = Fraction(sum(chances.total for _, _, chances in parts))
        if checked_int(k, f"a number of {self._kind}s", 0) and not total:
            raise ValueError(f"there are no {self._kind}s of a weight above 0 to draw from")
        seed = seed_or_fresh(seed)
        rng = source(seed, 0)
        drawn = []
        for _ in range(k):
            # The place of a point in all shares, one behind the other.
            scale = total.denominator * lcm(*(Fraction(one.total).denominator for *_, one in parts))
            point = big_below(rng, int(total * scale))
            for block, diagram, chances in parts:
                point -= int(chances.total * scale)
                if point < 0:
                    drawn.append(self._nodes(block, diagram.drawn(chances, rng)))
                    break
        return Sample(drawn, seed)

    def including(self, edges: Iterable[Edge] = (), *, nodes: Iterable[Node] = ()) -> Self:
        """Return the cycles or paths that have all of these edges, and visit all of these nodes.

        An edge is a pair of nodes, in a multigraph with its key if there are several.

        >>> import networkx as nx
        >>> from linkoracle.graphs import simple_cycles
        >>> len(simple_cycles(nx.petersen_graph()).including([(0, 1)], nodes=[2, 3]))
        16
        """
        found = self._copy()
        for edge in edges:
            links = self.graph.between(edge)
            if len(links) > 1:
                raise ValueError(
                    f"expected the key of one of the {len(links)} edges between {edge[0]!r} and "
                    f"{edge[1]!r}"
                )
            found._required |= {*links}
        found._visited |= self._known(nodes).difference(self._ends)
        return found

    def excluding(self, edges: Iterable[Edge] = (), *, nodes: Iterable[Node] = ()) -> Self:
        """Return the cycles or paths that have none of these edges, and visit none of these nodes.

        In a multigraph, a pair of nodes stands for all edges between these.
        """
        found = self._copy()
        for edge in edges:
            found._forbidden |= {*self.graph.between(edge)}
        for node in self._known(nodes):
            found._forbidden |= {number for _, number in self.graph.near[node]}
        return found

    def _known(self, nodes: Iterable[Node]) -> frozenset[Node]:
        found = tuple(nodes)
        for node in found:
            if node not in self.graph:
                raise ValueError(f"the node {node!r} is not in the graph")
        return frozenset(found)

    def _copy(self) -> Self:
        found = type(self).__new__(type(self))
        stale = ("_diagrams", "_eligible", "_ranks")
        found.__dict__ = {name: one for name, one in vars(self).items() if name not in stale}
        found._begun = [], False
        return found

    def __getstate__(self) -> dict[str, Any]:
        # A function that shows progress belongs here.
        return {**vars(self), "_limits": {**self._limits, "progress": None}}

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
        if self._extra:
            raise ValueError("expected one source and one target for a family")
        graph = self.graph
        return self._diagram(self._blocks.block(graph, range(len(graph.links)))).family()

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
        blocks = self._blocks
        for model in blocks.models:
            board = model.board
            passing, needs = needs_of(model, blocks.faster(model), blocks.order_of(board))
            order.extend(map(board.position, passing))
            largest = Needs(*map(max, largest, needs))
        return Plan(
            tuple(node for node in order if node not in self._ends[: self._extra]), *largest
        )


def _few(index: int | slice, kind: str) -> int | None:
    """Return how many first members are enough for an index or a slice; ``None`` if not a few."""
    if not isinstance(index, slice):
        most = checked_int(index, f"the index of a {kind}") + 1
        return most if 0 < most <= _FEW_MEMBERS else None
    start, stop, step = index.start or 0, index.stop, index.step or 1
    if not all(isinstance(one, int) for one in (start, stop, step)):
        return None
    return stop if start >= 0 and 0 <= stop <= _FEW_MEMBERS and step > 0 else None


def _all(block: Block) -> range:
    """Return the vertices of a block."""
    return range(block.model.board.num_vertices)


def _ends(graph: Network, given: Any) -> tuple[Node, ...]:
    """Return the sources, or the targets, of paths: a node of the graph, or several."""
    if given is None:
        return ()
    several = isinstance(given, list | set | frozenset) and given not in graph
    nodes = tuple(dict.fromkeys(given)) if several else (given,)
    if not nodes:
        raise ValueError("expected one end of the paths or more, got none")
    for node in nodes:
        if node not in graph:
            raise ValueError(f"the node {node!r} is not in the graph")
    return nodes


def _shown(nodes: tuple[Node, ...]) -> str:
    return repr(nodes[0]) if len(nodes) == 1 else repr([*nodes])

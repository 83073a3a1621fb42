"""`Network`: a graph as a list of nodes and a list of edges; its blocks, and what cycles can reach.

Reading a list of edges and counting need no more of a graph than this, and networkx takes longer to
load than most graphs take to count.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import networkx as nx

#: A node of a graph, and an edge by the nodes that it joins, with its key if there are more.
Node = Hashable
Edge = tuple[Any, Any] | tuple[Any, Any, Any]


class Link(NamedTuple):
    """An edge, or an arc from ``one`` to ``other``; parallel ones differ in their ``key``."""

    one: Any
    other: Any
    key: Any
    data: Mapping[str, Any]


class _Joint:
    """A node outside the graph, joined to every source or to every target."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<the {self.name}>"


class Network:
    """A graph: directed or not, with parallel edges or not, but without loops at a node.

    ``near`` has the neighbours of each node, each with the number of the edge to it in ``links``;
    of a directed graph it has the heads and the tails of arcs.

    >>> square = Network()
    >>> for ends in ("ab", "bc", "cd", "da"):
    ...     square.add(*ends)
    >>> list(square), square.near["a"], len(list(square.blocks()))
    (['a', 'b', 'c', 'd'], [('b', 0), ('d', 3)], 1)
    """

    def __init__(self, *, directed: bool = False, parallel: bool = False) -> None:
        self.directed, self.parallel = directed, parallel
        self.nodes: dict[Any, Mapping[str, Any]] = {}
        self.near: dict[Any, list[tuple[Any, int]]] = {}
        self.links: list[Link] = []

    @staticmethod
    def of(graph: Network | nx.Graph[Any]) -> Network:
        """Return the network of a graph of networkx; ``ValueError`` for a node joined to itself."""
        if isinstance(graph, Network):
            return graph
        made = Network(directed=graph.is_directed(), parallel=graph.is_multigraph())
        for node, data in graph.nodes.items():
            made.add_node(node, data)
        numbers: dict[Any, int] = {}
        for one, others in graph.adjacency():
            for other, joining in others.items():
                if one == other:
                    raise ValueError(f"the node {one!r} is joined to itself")
                keyed: Any = joining.items() if made.parallel else ((0, joining),)
                for key, data in keyed:
                    same = (one, other) if made.directed else frozenset((one, other))
                    if (number := numbers.setdefault((same, key), len(made.links))) == len(
                        made.links
                    ):
                        made.links.append(Link(one, other, key, data))
                        if made.directed:
                            made.near[other].append((one, number))
                    made.near[one].append((other, number))
        return made

    def networkx(self) -> nx.Graph[Any]:
        """Return the graph of networkx."""
        import networkx as nx

        kinds: dict[tuple[bool, bool], Any] = {
            (False, False): nx.Graph,
            (True, False): nx.DiGraph,
            (False, True): nx.MultiGraph,
            (True, True): nx.MultiDiGraph,
        }
        graph: Any = kinds[self.directed, self.parallel]()
        graph.add_nodes_from(self.nodes.items())
        for one, other, key, data in self.links:
            if self.parallel:
                graph.add_edge(one, other, key, **data)
            else:
                graph.add_edge(one, other, **data)
        made: nx.Graph[Any] = graph
        return made

    def add_node(self, node: Node, data: Mapping[str, Any] | None = None) -> None:
        """Add a node, unless the graph has it."""
        if node not in self.nodes:
            self.nodes[node] = data or {}
            self.near[node] = []

    def blank(self) -> Network:
        """Return a network of the same kind without nodes."""
        return Network(directed=self.directed, parallel=self.parallel)

    @property
    def pairs(self) -> set[Any]:
        """The pairs of nodes that edges join, or arcs, in their direction."""
        pair: Any = tuple if self.directed else frozenset
        return {pair(link[:2]) for link in self.links}

    def add(
        self, one: Node, other: Node, key: Any = 0, data: Mapping[str, Any] | None = None
    ) -> None:
        """Add an edge, or an arc from ``one`` to ``other``."""
        for node, far in ((one, other), (other, one)):
            self.add_node(node)
            self.near[node].append((far, len(self.links)))
        self.links.append(Link(one, other, key, data or {}))

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.nodes
        except TypeError:
            return False

    def __str__(self) -> str:
        kind = "Multi" * self.parallel + ("DiGraph" if self.directed else "Graph")
        return f"{kind} with {len(self)} nodes and {len(self.links)} edges"

    @cached_property
    def _numbers(self) -> dict[Any, list[int]]:
        """The links between two nodes, by both, in the direction of arcs if these have one."""
        found: dict[Any, list[int]] = {}
        for number, link in enumerate(self.links):
            found.setdefault((link.one, link.other), []).append(number)
            if not self.directed:
                found.setdefault((link.other, link.one), []).append(number)
        return found

    def between(self, edge: Sequence[Any]) -> list[int]:
        """Return the links that a user names: from one node to another, perhaps with a key.

        Raises ``ValueError`` if there are none.
        """
        if len(edge) not in (2, 2 + self.parallel):
            raise ValueError(f"expected an edge as a pair of nodes, got {edge!r}")
        one, other, *key = edge
        try:
            numbers = self._numbers.get((one, other), [])
        except TypeError:
            numbers = []
        found = [number for number in numbers if not key or self.links[number].key == key[0]]
        if not found:
            raise ValueError(f"the graph has no edge between {one!r} and {other!r}")
        return found

    def joined(self, sources: Iterable[Node], targets: Iterable[Node]) -> tuple[Network, Any, Any]:
        """Return the graph with a node before all sources and one behind all targets, and both."""
        made = self.blank()
        begin, end = _Joint("sources"), _Joint("targets")
        made.add_node(begin)
        for node, data in self.nodes.items():
            made.add_node(node, data)
        for link in self.links:
            made.add(*link)
        for node in sources:
            made.add(begin, node)
        for node in targets:
            made.add(node, end)
        return made, begin, end

    # ---- parts -----------------------------------------------------------------------------------

    def blocks(self, ends: Sequence[Any] = ()) -> Iterator[list[int]]:
        """Yield the links of each part in which there may be cycles, or paths between two nodes.

        A cycle stays in a block: a part that no single node separates. Paths only pass the blocks
        between their ends. Of a directed graph, arcs that no cycle, or path, can have are left out
        before. O(links) (J. Hopcroft and R. Tarjan, *Efficient algorithms for graph manipulation*,
        Communications of the ACM 16, 1973).
        """
        near = self._useful(ends) if self.directed else self.near
        if not ends:
            yield from (links for links in _blocks(near) if len(links) > 1)
            return
        # With an edge between the ends, the blocks on the way from one to the other are one block.
        extra = len(self.links)
        joined = dict(near)
        for one, other in (ends, ends[::-1]):
            joined[one] = [*near[one], (other, extra)]
        for links in _blocks(joined):
            if extra in links:
                if found := [number for number in links if number != extra]:
                    yield found
                return

    def _useful(self, ends: Sequence[Any]) -> dict[Any, list[tuple[Any, int]]]:
        """Return the neighbours by arcs of cycles, or of walks from one end to the other."""
        if ends:
            ahead, behind = self._reached(ends[0], True), self._reached(ends[1], False)
            alive = dict.fromkeys(ahead & behind, 0)
        else:
            alive = self._components
        links = self.links
        return {
            node: [
                (far, number)
                for far, number in found
                if node in alive
                and far in alive
                and alive[node] == alive[far]
                and not (ends and (links[number].other == ends[0] or links[number].one == ends[1]))
            ]
            for node, found in self.near.items()
        }

    def _reached(self, start: Any, forward: bool) -> set[Any]:
        """Return the nodes to which arcs lead from ``start``, or from which they lead to it."""
        found, waiting = {start}, [start]
        for node in waiting:
            for far, number in self.near[node]:
                tail = self.links[number].one
                if (tail == node) == forward and far not in found:
                    found.add(far)
                    waiting.append(far)
        return found

    @cached_property
    def _components(self) -> dict[Any, int]:
        """The strongly connected component of each node, by number.

        O(links) (S. R. Kosaraju, 1978; M. Sharir, Computers and Mathematics with Applications 7,
        1981).
        """
        done: dict[Any, None] = {}
        seen: set[Any] = set()
        for first in self.nodes:
            if first in seen:
                continue
            seen.add(first)
            stack = [(first, iter(self.near[first]))]
            while stack:
                node, onward = stack[-1]
                for far, number in onward:
                    if self.links[number].one == node and far not in seen:
                        seen.add(far)
                        stack.append((far, iter(self.near[far])))
                        break
                else:
                    done[stack.pop()[0]] = None
        component: dict[Any, int] = {}
        for number, first in enumerate(reversed(done)):
            if first in component:
                continue
            component[first] = number
            waiting = [first]
            for node in waiting:
                for far, link in self.near[node]:
                    if self.links[link].other == node and far not in component:
                        component[far] = number
                        waiting.append(far)
        return component


def _blocks(near: Mapping[Any, Sequence[tuple[Any, int]]]) -> Iterator[list[int]]:
    """Yield the links of each block."""
    discovery: dict[Any, int] = {}
    low: dict[Any, int] = {}
    for start in near:
        if start in discovery:
            continue
        low[start] = discovery[start] = len(discovery)
        links: list[int] = []
        # Of each node on the way: the link to it, how many links came before, and what is left.
        stack = [(start, -1, 0, iter(near[start]))]
        while stack:
            node, link, before, onward = stack[-1]
            for far, number in onward:
                if number == link:
                    continue
                if far not in discovery:
                    low[far] = discovery[far] = len(discovery)
                    stack.append((far, number, len(links), iter(near[far])))
                    links.append(number)
                    break
                if discovery[far] < discovery[node]:
                    low[node] = min(low[node], discovery[far])
                    links.append(number)
            else:
                stack.pop()
                if stack:
                    above = stack[-1][0]
                    if low[node] >= discovery[above]:
                        yield links[before:]
                        del links[before:]
                    low[above] = min(low[above], low[node])

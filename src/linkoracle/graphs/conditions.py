"""`Conditions`: which cycles of a graph are asked for, or which paths between two of its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Self

from linkoracle import frontier
from linkoracle.board import END, PASS, LinkModel
from linkoracle.core import checked_int
from linkoracle.graphs.blocks import Block
from linkoracle.graphs.network import Edge, Network, Node


@dataclass(frozen=True, eq=False)
class Conditions:
    """What cycles of a graph fulfil, or paths if there are ``ends``. Edges are numbers.

    >>> triangle = Network()
    >>> for ends in ("ab", "bc", "ca"):
    ...     triangle.add(*ends)
    >>> paths = Conditions.of(triangle, "a", "c").including([("a", "b")], [])
    >>> paths.hold(["a", "b", "c"]), paths.hold(["a", "c"])
    (True, False)
    """

    #: The graph in which members are found.
    graph: Network
    #: The ends as they were given: a path leads from one of the sources to one of the targets.
    sources: tuple[Node, ...] = ()
    targets: tuple[Node, ...] = ()
    #: The first and the last node of all paths in ``graph``.
    ends: tuple[Node, ...] = ()
    #: How many edges of each path lead to ``ends`` that were added for sets of ends: 2 or 0.
    extra: int = 0
    hamiltonian: bool = False
    #: The most edges, with those to added ends.
    length_bound: int | None = None
    required: frozenset[int] = frozenset()
    forbidden: frozenset[int] = frozenset()
    visited: frozenset[Node] = frozenset()
    #: The most that edges may weigh, each with the attribute that has their weights.
    budgets: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(
        cls,
        graph: Network,
        source: Node | Iterable[Node] = None,
        target: Node | Iterable[Node] = None,
        *,
        hamiltonian: bool = False,
        length_bound: int | None = None,
    ) -> Self:
        """Return the conditions that the arguments of `Subgraphs` state; check these."""
        if (source is None) != (target is None):
            raise ValueError("expected both ends of the paths, got one")
        sources, targets = _ends(graph, source), _ends(graph, target)
        for node in sources:
            if node in targets:
                raise ValueError(f"expected paths between two nodes, got {node!r} twice")
        if length_bound is not None:
            length_bound = checked_int(length_bound, "a bound of lengths", 0)
        ends, extra = (*sources, *targets), 0
        if len(ends) > 2:
            graph, begin, end = graph.joined(sources, targets)
            ends, extra = (begin, end), 2
            length_bound = None if length_bound is None else length_bound + extra
        return cls(graph, sources, targets, ends, extra, hamiltonian, length_bound)

    @property
    def added(self) -> tuple[Node, ...]:
        """The nodes of the graph that stand for sets of ends."""
        return self.ends[: self.extra]

    @property
    def kind(self) -> str:
        """What a member is called in messages."""
        return "path" if self.ends else "cycle"

    def __str__(self) -> str:
        what = "cycles"
        if self.ends:
            what = f"paths from {_shown(self.sources)} to {_shown(self.targets)}"
        return f"{'Hamiltonian ' * self.hamiltonian}{what} of {self.graph}"

    @property
    def is_filtered(self) -> bool:
        """Whether filters require or exclude edges or nodes."""
        return bool(self.required or self.forbidden or self.visited)

    def including(self, edges: Iterable[Edge], nodes: Iterable[Node]) -> Self:
        """Require all of these edges and nodes."""
        required = {*self.required}
        for edge in edges:
            links = self.graph.between(edge)
            if len(links) > 1:
                raise ValueError(
                    f"expected the key of one of the {len(links)} edges between {edge[0]!r} and "
                    f"{edge[1]!r}"
                )
            required |= {*links}
        visited = self.visited | self._known(nodes).difference(self.ends)
        return replace(self, required=frozenset(required), visited=visited)

    def excluding(self, edges: Iterable[Edge], nodes: Iterable[Node]) -> Self:
        """Forbid all of these edges, and all edges at these nodes."""
        forbidden = {*self.forbidden}
        for edge in edges:
            forbidden |= {*self.graph.between(edge)}
        for node in self._known(nodes):
            forbidden |= {number for _, number in self.graph.near[node]}
        return replace(self, forbidden=frozenset(forbidden))

    def within(self, budget: Any, weight: str) -> Self:
        """Let the edges weigh up to ``budget`` together."""
        return replace(self, budgets=(*self.budgets, (weight, frontier.exact(budget))))

    def _known(self, nodes: Iterable[Node]) -> frozenset[Node]:
        named = tuple(nodes)
        for node in named:
            if node not in self.graph:
                raise ValueError(f"the node {node!r} is not in the graph")
        return frozenset(named)

    def fit(self, block: Block) -> bool:
        """Return whether a block has all required edges and nodes."""
        if not self.required.issubset(block.links):
            return False
        board = block.model.board
        return not self.visited or self.visited.issubset(
            map(board.position, range(board.num_vertices))
        )

    def fixed(self, block: Block) -> LinkModel:
        """Return the model of a block with the edges and nodes that the filters require."""
        if not self.is_filtered:
            return block.model
        model, board = block.model, block.model.board
        required, forbidden = (
            {edge for edge, link in enumerate(block.links) if link in chosen}
            for chosen in (self.required, self.forbidden)
        )
        if required & forbidden.union(model.forbidden):
            # No solution: a terminal alone, or no edge at all, is none.
            return model.with_edges(forbidden=range(board.num_edges))
        degrees = bytes(
            PASS if mask != END and board.position(vertex) in self.visited else mask
            for vertex, mask in enumerate(model.degrees)
        )
        return replace(model, degrees=degrees).with_edges(required, forbidden)

    def weights(self, block: Block, weight: str, outside: int) -> list[Any]:
        """Return the weight of each edge of a block; those to added ends weigh ``outside``.

        Raises ``ValueError`` for an edge without a number as its attribute ``weight``.
        """
        weights: list[Any] = []
        for one, other, _, data in map(self.graph.links.__getitem__, block.links):
            if self.extra and (one == self.ends[0] or other == self.ends[1]):
                weights.append(outside)
                continue
            try:
                weights.append(frontier.exact(data[weight]))
            except (KeyError, ValueError):
                has = f"the {weight} {data[weight]!r}" if weight in data else f"no {weight}"
                raise ValueError(
                    f"expected a number as the {weight} of each edge; the edge between {one!r} and "
                    f"{other!r} has {has}"
                ) from None
        return weights

    def hold(self, nodes: object) -> bool:
        """Return whether a list of nodes, or of edges with keys, fulfils them: see `Subgraphs`."""
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
            if not self.ends and walk and walk[0] != walk.pop():
                return False
        else:
            steps = [*pairwise(walk if self.ends else [*walk, *walk[:1]])]
        try:
            links = [graph.between(step) for step in steps]
            repeated = len({*walk}) < len(walk)
        except (TypeError, ValueError):
            return False
        used = {number for numbers in links for number in numbers}
        least = 1 if self.ends else 2
        if repeated or any(len(one) > 1 for one in links) or len(used) < max(least, len(steps)):
            return False
        if self.ends:
            ways = [(walk[0], walk[-1])] + [(walk[-1], walk[0])] * (not graph.directed)
            if not any(one in self.sources and two in self.targets for one, two in ways):
                return False
        return (
            used >= self.required
            and used.isdisjoint(self.forbidden)
            and self.visited.issubset(walk)
            and (not self.hamiltonian or len(walk) == len(graph) - self.extra)
            and (self.length_bound is None or len(used) + self.extra <= self.length_bound)
            and all(self._total_weight(used, weight) <= most for weight, most in self.budgets)
        )

    def _total_weight(self, links: Iterable[int], weight: str) -> Any:
        return sum(frontier.exact(self.graph.links[number].data[weight]) for number in links)


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

"""Count, list, sample and filter the cycles and paths of any graph.

Graphs are those of `networkx <https://networkx.org>`_, undirected and simple. The functions have
the names of their counterparts in networkx, but they count without listing.

>>> import networkx as nx
>>> count(nx.petersen_graph())
57
>>> count(nx.grid_2d_graph(10, 10), (0, 0), (9, 9))
41044208702632496804
"""

from __future__ import annotations

from typing import Any, Unpack

import networkx as nx

from linkoracle.graphs.planning import Plan
from linkoracle.graphs.reading import read
from linkoracle.graphs.subgraphs import Limits, Node, Subgraphs

__all__ = [
    "Limits",
    "Plan",
    "Subgraphs",
    "all_simple_paths",
    "count",
    "hamiltonian_cycles",
    "hamiltonian_paths",
    "read",
    "simple_cycles",
]


def count(
    graph: nx.Graph[Any],
    source: Node = None,
    target: Node = None,
    *,
    hamiltonian: bool = False,
    **limits: Unpack[Limits],
) -> int:
    """Return the number of cycles of a graph, or of paths between two nodes.

    With ``hamiltonian``, count only those through all nodes. Two cycles, or paths, differ if their
    sets of edges do. Time and memory grow with the number of states of the frontier, not with the
    number of cycles or paths: see `linkoracle.frontier.count`, which names the method's sources.

    Raises ``ValueError`` for directed graphs, several edges between two nodes, edges from a node to
    itself, nodes that are not in the graph, and ``source`` without ``target``.

    >>> count(nx.dodecahedral_graph(), hamiltonian=True)  # Hamilton's Icosian game
    30
    >>> count(nx.complete_graph(5), 0, 4)
    16
    """
    return Subgraphs(graph, source, target, hamiltonian=hamiltonian, **limits).count()


def simple_cycles(graph: nx.Graph[Any], **limits: Unpack[Limits]) -> Subgraphs:
    """Return all cycles of a graph; raises what `count` raises.

    >>> list(simple_cycles(nx.complete_graph(4)))[:3]
    [[1, 2, 3], [0, 2, 3], [0, 2, 1, 3]]
    """
    return Subgraphs(graph, **limits)


def hamiltonian_cycles(graph: nx.Graph[Any], **limits: Unpack[Limits]) -> Subgraphs:
    """Return all cycles through all nodes; raises what `count` raises.

    >>> len(hamiltonian_cycles(nx.complete_graph(7)))
    360
    """
    return Subgraphs(graph, hamiltonian=True, **limits)


def all_simple_paths(
    graph: nx.Graph[Any], source: Node, target: Node, **limits: Unpack[Limits]
) -> Subgraphs:
    """Return all paths from one node to another; raises what `count` raises.

    >>> list(all_simple_paths(nx.cycle_graph(5), 0, 2))
    [[0, 4, 3, 2], [0, 1, 2]]
    """
    return _paths(graph, source, target, hamiltonian=False, **limits)


def hamiltonian_paths(
    graph: nx.Graph[Any], source: Node, target: Node, **limits: Unpack[Limits]
) -> Subgraphs:
    """Return all paths from one node to another through all nodes; raises what `count` raises.

    >>> len(hamiltonian_paths(nx.grid_2d_graph(7, 7), (0, 0), (6, 6)))
    111712
    """
    return _paths(graph, source, target, hamiltonian=True, **limits)


def _paths(
    graph: nx.Graph[Any], source: Node, target: Node, *, hamiltonian: bool, **limits: Unpack[Limits]
) -> Subgraphs:
    # Without ends, `Subgraphs` are cycles.
    if source is None and target is None:
        raise ValueError("expected both ends of the paths, got none")
    return Subgraphs(graph, source, target, hamiltonian=hamiltonian, **limits)

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

from typing import TYPE_CHECKING, Any, Unpack

import networkx as nx

from linkoracle.core import exports
from linkoracle.graphs.blocks import Node
from linkoracle.graphs.subgraphs import Limits as Limits
from linkoracle.graphs.subgraphs import Subgraphs as Subgraphs

if TYPE_CHECKING:
    from linkoracle.graphs.backtracking import shortest_solution as shortest_solution
    from linkoracle.graphs.backtracking import takes as takes
    from linkoracle.graphs.disjoint_paths import Undecided as Undecided
    from linkoracle.graphs.planning import Plan as Plan
    from linkoracle.graphs.reading import read as read
    from linkoracle.graphs.reading import read_file as read_file
else:
    __all__, __getattr__, __dir__ = exports(
        __name__,
        {
            "planning": "Plan",
            "reading": "read read_file",
            "subgraphs": "Limits Subgraphs",
        },
        inner={
            "backtracking": "shortest_solution takes",
            "disjoint_paths": "Undecided",
        },
        own="all_simple_paths count hamiltonian_cycles hamiltonian_paths simple_cycles",
    )


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


def simple_cycles(
    graph: nx.Graph[Any], length_bound: int | None = None, **limits: Unpack[Limits]
) -> Subgraphs:
    """Return all cycles of a graph, or those of up to ``length_bound`` edges.

    Raises what `count` raises.

    >>> simple_cycles(nx.complete_graph(4))[:3]
    [[1, 2, 3], [0, 2, 3], [0, 2, 1, 3]]
    >>> len(simple_cycles(nx.grid_2d_graph(30, 30), length_bound=8))
    7951
    """
    return Subgraphs(graph, length_bound=length_bound, **limits)


def hamiltonian_cycles(graph: nx.Graph[Any], **limits: Unpack[Limits]) -> Subgraphs:
    """Return all cycles through all nodes; raises what `count` raises.

    >>> len(hamiltonian_cycles(nx.complete_graph(7)))
    360
    """
    return Subgraphs(graph, hamiltonian=True, **limits)


def all_simple_paths(
    graph: nx.Graph[Any],
    source: Node,
    target: Node,
    cutoff: int | None = None,
    **limits: Unpack[Limits],
) -> Subgraphs:
    """Return all paths from one node to another, or those of up to ``cutoff`` edges.

    Raises what `count` raises.

    >>> list(all_simple_paths(nx.cycle_graph(5), 0, 2))
    [[0, 4, 3, 2], [0, 1, 2]]
    >>> next(iter(all_simple_paths(nx.grid_2d_graph(30, 30), (0, 0), (29, 29), cutoff=58)))[:3]
    [(0, 0), (1, 0), (2, 0)]
    """
    _check_ends(source, target)
    return Subgraphs(graph, source, target, length_bound=cutoff, **limits)


def hamiltonian_paths(
    graph: nx.Graph[Any], source: Node, target: Node, **limits: Unpack[Limits]
) -> Subgraphs:
    """Return all paths from one node to another through all nodes; raises what `count` raises.

    >>> len(hamiltonian_paths(nx.grid_2d_graph(7, 7), (0, 0), (6, 6)))
    111712
    """
    _check_ends(source, target)
    return Subgraphs(graph, source, target, hamiltonian=True, **limits)


def _check_ends(source: Node, target: Node) -> None:
    # Without ends, `Subgraphs` are cycles.
    if source is None and target is None:
        raise ValueError("expected both ends of the paths, got none")

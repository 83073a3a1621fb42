"""Count, list, sample and filter the cycles and paths of any graph.

Graphs are those of `networkx <https://networkx.org>`_: directed or not, with parallel edges or not.
The functions have the names of their counterparts in networkx, but they count without listing.

>>> import networkx as nx
>>> count(nx.petersen_graph())
57
>>> count(nx.grid_2d_graph(10, 10), (0, 0), (9, 9))
41044208702632496804
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack

from linkoracle.core import exports
from linkoracle.graphs.network import Network, Node
from linkoracle.graphs.subgraphs import Limits as Limits
from linkoracle.graphs.subgraphs import Subgraphs as Subgraphs

if TYPE_CHECKING:
    import networkx as nx

    from linkoracle.graphs.backtracking import shortest_solution as shortest_solution
    from linkoracle.graphs.backtracking import takes as takes
    from linkoracle.graphs.disjoint_paths import Undecided as Undecided
    from linkoracle.graphs.planning import Plan as Plan
    from linkoracle.graphs.reading import read as read
    from linkoracle.graphs.reading import read_file as read_file
    from linkoracle.graphs.reading import read_network as read_network
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
            "reading": "read_network",
        },
        own="all_simple_paths count hamiltonian_cycles hamiltonian_paths simple_cycles",
    )


def count(
    graph: nx.Graph[Any] | Network,
    source: Node | Iterable[Node] = None,
    target: Node | Iterable[Node] = None,
    *,
    hamiltonian: bool = False,
    **limits: Unpack[Limits],
) -> int:
    """Return the number of cycles of a graph, or of paths between two nodes.

    With ``hamiltonian``, count only those through all nodes. Two cycles, or paths, differ if their
    sets of edges do, also by parallel edges. Those of a directed graph follow its arcs. A list or a
    set of nodes stands for any of these: paths from one of several sources to one of several
    targets, which may pass the others. Time and memory grow with the number of states of the
    frontier, not with the number of cycles or paths: see `linkoracle.frontier.count`, which names
    the method's sources.

    Raises ``ValueError`` for edges from a node to itself, nodes that are not in the graph,
    ``source`` without ``target``, and a node that is both.

    >>> import networkx as nx
    >>> count(nx.dodecahedral_graph(), hamiltonian=True)  # Hamilton's Icosian game
    30
    >>> count(nx.complete_graph(5), 0, 4)
    16
    >>> count(nx.complete_graph(5, nx.DiGraph)), count(nx.complete_graph(5), 0, [3, 4])
    (84, 32)
    """
    return Subgraphs(graph, source, target, hamiltonian=hamiltonian, **limits).count()


def simple_cycles(
    graph: nx.Graph[Any] | Network, length_bound: int | None = None, **limits: Unpack[Limits]
) -> Subgraphs:
    """Return all cycles of a graph, or those of up to ``length_bound`` edges.

    Raises what `count` raises.

    >>> import networkx as nx
    >>> simple_cycles(nx.complete_graph(4))[:3]
    [[1, 2, 3], [0, 2, 3], [0, 2, 1, 3]]
    >>> len(simple_cycles(nx.grid_2d_graph(30, 30), length_bound=8))
    7951
    """
    return Subgraphs(graph, length_bound=length_bound, **limits)


def hamiltonian_cycles(graph: nx.Graph[Any] | Network, **limits: Unpack[Limits]) -> Subgraphs:
    """Return all cycles through all nodes; raises what `count` raises.

    >>> import networkx as nx
    >>> len(hamiltonian_cycles(nx.complete_graph(7)))
    360
    """
    return Subgraphs(graph, hamiltonian=True, **limits)


def all_simple_paths(
    graph: nx.Graph[Any] | Network,
    source: Node | Iterable[Node],
    target: Node | Iterable[Node],
    cutoff: int | None = None,
    **limits: Unpack[Limits],
) -> Subgraphs:
    """Return all paths from one node to another, or those of up to ``cutoff`` edges.

    Either end may be a list or a set of nodes: any of these. Raises what `count` raises.

    >>> import networkx as nx
    >>> list(all_simple_paths(nx.cycle_graph(5), 0, 2))
    [[0, 4, 3, 2], [0, 1, 2]]
    >>> next(iter(all_simple_paths(nx.grid_2d_graph(30, 30), (0, 0), (29, 29), cutoff=58)))[:3]
    [(0, 0), (1, 0), (2, 0)]
    """
    _check_ends(source, target)
    return Subgraphs(graph, source, target, length_bound=cutoff, **limits)


def hamiltonian_paths(
    graph: nx.Graph[Any] | Network,
    source: Node | Iterable[Node],
    target: Node | Iterable[Node],
    **limits: Unpack[Limits],
) -> Subgraphs:
    """Return all paths from one node to another through all nodes; raises what `count` raises.

    >>> import networkx as nx
    >>> len(hamiltonian_paths(nx.grid_2d_graph(7, 7), (0, 0), (6, 6)))
    111712
    """
    _check_ends(source, target)
    return Subgraphs(graph, source, target, hamiltonian=True, **limits)


def _check_ends(source: object, target: object) -> None:
    # Without ends, `Subgraphs` are cycles.
    if source is None and target is None:
        raise ValueError("expected both ends of the paths, got none")

"""Plans are upper bounds: of the states of each layer, and of the memory of a count."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

from linkoracle import MemoryLimit, graphs
from linkoracle.board import Lattice, LinkModel
from linkoracle.frontier import by_length, count, ranked_board
from linkoracle.frontier.sweep import Sweep
from linkoracle.graphs import Subgraphs

#: What docs/tutorials/graphs.md says of bounds of cycles and paths.
MOST_STATES, MOST_MEMORY = 32, 150


def king(side: int) -> nx.Graph:
    return nx.strong_product(nx.path_graph(side), nx.path_graph(side))


def block(graph: nx.Graph) -> nx.Graph:
    """The largest part of a graph without a cut node."""
    return graph.subgraph(max(nx.biconnected_components(graph), key=len)).copy()


TOWN = Path(__file__).resolve().parents[2] / "instances" / "town.edges"
#: Small graphs and large ones, plane and not plane.
GRAPHS = {
    "town": lambda: block(graphs.read(TOWN)),
    "petersen": nx.petersen_graph,
    "dodecahedron": nx.dodecahedral_graph,
    "cube": lambda: nx.hypercube_graph(4),
    "cycle": lambda: nx.cycle_graph(50),
    "ladder": lambda: nx.circular_ladder_graph(30),
    "wheel": lambda: nx.wheel_graph(9),
    "bipartite": lambda: nx.complete_bipartite_graph(4, 7),
    "triangles": lambda: nx.triangular_lattice_graph(8, 12),
    "hexagons": lambda: nx.hexagonal_lattice_graph(5, 6),
    "torus": lambda: nx.grid_2d_graph(5, 8, periodic=True),
    **{f"complete {n}": (lambda n=n: nx.complete_graph(n)) for n in (5, 8, 10, 11)},
    **{f"king {n}": (lambda n=n: king(n)) for n in (4, 5, 6)},
    **{
        f"grid {rows}x{cols}": (lambda rows=rows, cols=cols: nx.grid_2d_graph(rows, cols))
        for rows, cols in ((8, 8), (5, 40), (9, 9), (8, 30), (9, 12), (10, 10))
    },
    **{
        f"regular {n} {d}": (lambda n=n, d=d: nx.random_regular_graph(d, n, seed=n))
        for n, d in ((20, 3), (30, 3), (40, 3), (50, 3), (20, 4), (24, 4), (30, 4))
    },
    **{
        f"random {n}": (lambda n=n, p=p: block(nx.gnp_random_graph(n, p, seed=n)))
        for n, p in ((14, 0.3), (16, 0.4), (18, 0.35), (20, 0.3))
    },
    "small world": lambda: block(nx.connected_watts_strogatz_graph(80, 4, 0.1, seed=2)),
}
LARGE = {
    "king 7": lambda: king(7),
    "grid 13x13": lambda: nx.grid_2d_graph(13, 13),
    "near": lambda: block(nx.random_geometric_graph(60, 0.2, seed=1)),
    "more hexagons": lambda: nx.hexagonal_lattice_graph(9, 9),
    "more triangles": lambda: nx.triangular_lattice_graph(12, 16),
    "wide torus": lambda: nx.grid_2d_graph(6, 8, periodic=True),
    "regular 60": lambda: nx.random_regular_graph(3, 60, seed=5),
    "random 22": lambda: block(nx.gnp_random_graph(22, 0.3, seed=9)),
    "more near": lambda: block(nx.random_geometric_graph(100, 0.16, seed=2)),
}


def peak(found: Subgraphs, order=None) -> int:
    """The most states of a pass."""
    most = 0
    for model in found._members.blocks.models:
        model = model if order else found._members.blocks.faster(model)
        if board := (None if order else ranked_board(model)):
            most = max(most, board.words)
        else:
            by_step = Sweep(model, order=found._members.blocks.order_of(model.board)).count()
            most = max(most, *(states for _, _, states in by_step))
    return most


@pytest.mark.parametrize(
    "name", [*GRAPHS, *(pytest.param(name, marks=pytest.mark.heavy) for name in LARGE)]
)
def test_forty_plans_hold_and_are_not_far_above(name):
    graph = (GRAPHS | LARGE)[name]()
    nodes = list(graph)
    for ends in ((), (nodes[0], nodes[-1])):
        for hamiltonian in (False, True):
            found = Subgraphs(graph, *ends, hamiltonian=hamiltonian)
            plan = found.plan()
            states = peak(found)
            assert sorted(map(repr, plan.order)) == sorted(map(repr, nodes))
            assert states <= plan.states
            expected = found.count()
            within = Subgraphs(graph, *ends, hamiltonian=hamiltonian, memory=plan.memory)
            assert within.count() == expected
            if hamiltonian:
                # Far fewer states have a future.
                continue
            assert plan.states <= MOST_STATES * states
            with pytest.raises(MemoryLimit):
                Subgraphs(graph, *ends, memory=plan.memory // MOST_MEMORY).count()


def plane(rng: random.Random) -> Iterator[nx.Graph]:
    """Random subgraphs of lattices."""
    lattice = rng.choice(
        [
            nx.grid_2d_graph(5, 6),
            nx.triangular_lattice_graph(4, 7),
            nx.hexagonal_lattice_graph(3, 3),
            nx.wheel_graph(10),
            nx.circular_ladder_graph(9),
        ]
    ).copy()
    lattice.remove_edges_from([edge for edge in list(lattice.edges) if rng.random() < 0.1])
    yield from (lattice.subgraph(nodes) for nodes in nx.biconnected_components(lattice))


@pytest.mark.parametrize("number", [12, pytest.param(150, marks=pytest.mark.heavy)])
def test_bounds_hold_in_any_order(number):
    rng = random.Random(number)
    for _ in range(number):
        near = nx.gnp_random_graph(
            rng.randint(5, 11), rng.uniform(0.3, 0.7), seed=rng.randrange(9999)
        )
        for graph in [*plane(rng), *map(near.subgraph, nx.biconnected_components(near))]:
            if len(graph) < 3:
                continue
            order = list(graph)
            rng.shuffle(order)
            for ends in ((), rng.sample(order, 2)):
                found = Subgraphs(graph, *ends, order=order)
                plan = found.plan()
                assert peak(found, order) <= plan.states
                within = Subgraphs(graph, *ends, order=order, memory=plan.memory)
                assert within.count() == found.count()


def test_nothing_to_count_needs_nothing():
    tree = nx.path_graph(4)
    assert Subgraphs(tree).plan()[1:] == (0, 0, 0)
    assert Subgraphs(tree, memory=1).count() == 0


@pytest.mark.parametrize(
    ("rows", "cols"),
    [(9, 9), (12, 10), *(pytest.param(n, n, marks=pytest.mark.heavy) for n in (16, 18))],
)
def test_the_memory_of_blank_boards_is_a_bound(rows, cols):
    lattice = Lattice(rows, cols)
    last = lattice.num_vertices - 1
    inner = lattice.vertex(1, 1), lattice.vertex(rows - 2, cols - 2)
    for model in (
        LinkModel.blank_loop(lattice),
        LinkModel.blank_paths(lattice, [(0, last)]),
        LinkModel.blank_paths(lattice, [inner]),
    ):
        board = ranked_board(model)
        assert count(model, memory=board.memory) == count(model)
        with pytest.raises(MemoryLimit):
            count(model, memory=board.memory // 8)
    if rows < 12:
        model = LinkModel.blank_loop(lattice)
        assert sum(by_length(model, memory=ranked_board(model).memory).values()) == count(model)


@pytest.mark.parametrize(
    "name", ["king 5", "torus", "regular 30 3", "regular 24 4", "random 18", "small world", "cube"]
)
def test_no_breadth_first_order_has_less_than_half_the_states(name):
    """The orders of other programs: breadth-first from any node, and Cuthill and McKee's."""
    graph = nx.convert_node_labels_to_integers(GRAPHS[name]())
    shuffled = list(graph)
    random.Random(1).shuffle(shuffled)
    graph = nx.relabel_nodes(graph, dict(zip(graph, shuffled, strict=True)))
    found = [list(nx.bfs_tree(graph, start)) for start in random.Random(2).sample(shuffled, 5)]
    found.append(list(nx.utils.reverse_cuthill_mckee_ordering(graph)))

    def states(order):
        total = 0

        def note(text, _share):
            nonlocal total
            total += int(text.split(", ")[1].split()[0])

        graphs.count(graph, order=order, progress=note)
        return total

    assert states(None) <= 2 * min(map(states, found))

"""Count the cycles of graphs, plane and not, beside Graphillion: time and memory.

    python scripts/bench_graphs.py
    python scripts/bench_graphs.py --only king --time 120

Each count runs in a process of its own. Graphillion (``pip install 'linkoracle[bench]'``) takes an
order of edges; the table has the best of three orders. All counts must agree. Times are seconds of
processor time, without imports; memory is without that of a process that has only imported.
Graphillion has one thread: on a busy machine, more of them wait in loops, which would count as its
time.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import networkx as nx

from measuring import in_a_process, peak

ORDERS = ("bfs", "greedy", "as-is")


def king(size: int) -> nx.Graph[Any]:
    path = nx.path_graph(size)
    return nx.strong_product(path, path)


def thinned_triangles(size: int, seed: int) -> nx.Graph[Any]:
    """Return a triangular board without a quarter of its edges: plane, without a pattern."""
    graph = nx.Graph(nx.triangular_lattice_graph(size, 2 * size))
    rng = random.Random(seed)
    edges = sorted(graph.edges)
    graph.remove_edges_from(rng.sample(edges, len(edges) // 4))
    return graph


def diagonals(rows: int, cols: int) -> nx.Graph[Any]:
    """Return a plane grid with a diagonal in every second cell; two in each would not be plane."""
    graph = nx.grid_2d_graph(rows, cols)
    for row in range(rows - 1):
        for col in range(row % 2, cols - 1, 2):
            graph.add_edge((row, col), (row + 1, col + 1))
            graph.add_edge((row, col + 1), (row + 1, col))
    return graph


#: Plane graphs first.
GRAPHS: dict[str, Callable[[], nx.Graph[Any]]] = {
    "grid 9x9": lambda: nx.grid_2d_graph(9, 9),
    "grid 11x11": lambda: nx.grid_2d_graph(11, 11),
    "honeycomb 8x8": lambda: nx.hexagonal_lattice_graph(8, 8),
    "honeycomb 10x10": lambda: nx.hexagonal_lattice_graph(10, 10),
    "triangular 7x14": lambda: nx.triangular_lattice_graph(7, 14),
    "triangular 9x18": lambda: nx.triangular_lattice_graph(9, 18),
    "thinned triangular 10": lambda: thinned_triangles(10, 1),
    "dodecahedron": nx.dodecahedral_graph,
    "king 5x5": lambda: king(5),
    "king 6x6": lambda: king(6),
    "grid 7x7 with diagonals": lambda: diagonals(7, 7),
    "Petersen": nx.petersen_graph,
    "Tutte-Coxeter": lambda: nx.LCF_graph(30, [-13, -9, 7, -7, 9, 13], 5),
    "hypercube 4": lambda: nx.hypercube_graph(4),
    "complete 11": lambda: nx.complete_graph(11),
    "random 3-regular 40": lambda: nx.random_regular_graph(3, 40, seed=1),
    "random 3-regular 60": lambda: nx.random_regular_graph(3, 60, seed=1),
    "random sparse 60, 90": lambda: nx.gnm_random_graph(60, 90, seed=1),
    "random dense 16, 60": lambda: nx.gnm_random_graph(16, 60, seed=1),
}


def counted(name: str, method: str) -> dict[str, Any]:
    """Count in this process."""
    graph = nx.convert_node_labels_to_integers(GRAPHS[name](), label_attribute="label")
    if method == "linkoracle":
        from linkoracle import graphs

        graphs.count(nx.cycle_graph(3))
    else:
        from graphillion import GraphSet
    before, start = peak(), time.process_time()
    if method == "linkoracle":
        found = graphs.count(graph)
    else:
        GraphSet.set_universe(list(graph.edges), traversal=method)
        found = int(GraphSet.cycles().len())
    return {
        "count": str(found),
        "seconds": time.process_time() - start,
        "bytes": peak() - before,
        "plane": nx.is_planar(graph),
        "size": (len(graph), graph.number_of_edges()),
    }


def measured(name: str, method: str, seconds: float, runs: int) -> dict[str, Any] | None:
    """Return the median of some runs in processes of their own; ``None`` past the limit."""
    found = []
    alone = {**os.environ, "OMP_NUM_THREADS": "1"}
    for _ in range(runs):
        one = in_a_process(__file__, [name, method], seconds, env=alone)
        if "error" in one:
            return None
        found.append(one)
    return sorted(found, key=lambda one: float(one["seconds"]))[runs // 2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="graphs whose name begins so")
    parser.add_argument("--time", type=float, default=300.0, help="seconds for one count")
    parser.add_argument("--runs", type=int, default=3, help="runs of each; the median counts")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(counted(*options.child)))
        return
    print("| graph | nodes, edges | plane | cycles | s | Graphillion s | MB | Graphillion MB |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in GRAPHS:
        if not name.startswith(options.only):
            continue
        ours = measured(name, "linkoracle", options.time, options.runs)
        if ours is None:
            sys.exit(f"{name}: no answer within {options.time:g} s")
        tries = [measured(name, order, options.time, options.runs) for order in ORDERS]
        theirs = min(
            (one for one in tries if one is not None),
            key=lambda one: float(one["seconds"]),
            default={"count": ours["count"], "seconds": math.inf, "bytes": math.inf},
        )
        if theirs["count"] != ours["count"]:
            sys.exit(f"{name}: {ours['count']} cycles, Graphillion counts {theirs['count']}")
        print(
            f"| {name} | {ours['size'][0]}, {ours['size'][1]} | {'yes' if ours['plane'] else 'no'} "
            f"| {int(ours['count']):.3g} | {ours['seconds']:.4f} | {theirs['seconds']:.4f} "
            f"| {ours['bytes'] / 2**20:.1f} | {theirs['bytes'] / 2**20:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()

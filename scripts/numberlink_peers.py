"""Other ways to decide a Numberlink, for benchmarks only: the number of solutions up to 2.

`one_hot` is the usual CP-SAT model: one Boolean for each cell and number. Under the rule ``free``
it is told to look at solutions without a chord only (see `docs/taut.md`); otherwise it decides next
to nothing. `graphillion` asks for all path systems between the pairs as one decision diagram.
"""

from __future__ import annotations

from linkoracle import Numberlink, Solution
from linkoracle.board.rerouting import rerouted


def one_hot(puzzle: Numberlink) -> int:
    """By CP-SAT, one worker; under ``free`` among the solutions without a chord."""
    import networkx as nx
    from ortools.sat.python import cp_model

    lattice = puzzle.lattice
    model = cp_model.CpModel()
    pairs = puzzle.model.terminals
    ends = {vertex: number for number, pair in enumerate(pairs) for vertex in pair}
    colour = [[model.new_bool_var("") for _ in pairs] for _ in range(lattice.num_vertices)]
    edges = [model.new_bool_var("") for _ in range(lattice.num_edges)]
    free = puzzle.rule == "free"
    used = [model.new_bool_var("") for _ in range(lattice.num_vertices)]
    for vertex, around in enumerate(lattice.vertex_edges.tolist()):
        model.add(sum(colour[vertex]) == used[vertex])
        degree = sum(edges[edge] for edge in around if edge >= 0)
        if vertex in ends:
            model.add(colour[vertex][ends[vertex]] == 1)
            model.add(degree == 1)
        else:
            model.add(degree == 2 * used[vertex])
            if not free:
                model.add(used[vertex] == 1)
    for edge, (u, v) in zip(edges, lattice.edge_vertices.tolist(), strict=True):
        for one, other in zip(colour[u], colour[v], strict=True):
            model.add(one == other).only_enforce_if(edge)
            if free:
                model.add_bool_or([one.negated(), other.negated(), edge])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    found: list[Solution] = []
    while len(found) < 2:
        if solver.solve(model) == cp_model.INFEASIBLE:
            return len(found)
        chosen = [e for e, edge in enumerate(edges) if solver.boolean_value(edge)]
        graph = nx.Graph(lattice.edge_vertices[chosen].tolist())
        cycles = [part for part in nx.connected_components(graph) if not part & ends.keys()]
        for part in cycles:
            inside = [e for e in chosen if part >= set(lattice.edge_vertices[e].tolist())]
            model.add_bool_or([edges[e].negated() for e in inside])
        if cycles:
            continue
        found.append(Solution(lattice, tuple(chosen)))
        if free and rerouted(lattice, chosen) is not None:
            return 2
        model.add_bool_or([edges[e].negated() for e in chosen])
    return 2


def graphillion(puzzle: Numberlink) -> int:
    """By Graphillion's frontier search over all path systems."""
    from graphillion import GraphSet

    lattice = puzzle.lattice
    order = sorted(map(tuple, (lattice.edge_vertices + 1).tolist()))
    GraphSet.set_universe(order, traversal="as-is")
    groups = [[u + 1, v + 1] for u, v in puzzle.model.terminals]
    ends = {vertex for group in groups for vertex in group}
    inside = 2 if puzzle.rule == "fill" else range(0, 3, 2)
    degrees = {v: 1 if v in ends else inside for v in range(1, lattice.num_vertices + 1)}
    found = GraphSet.graphs(vertex_groups=groups, degree_constraints=degrees, no_loop=True)
    return min(2, found.len())

"""Other ways to decide a Slitherlink, for benchmarks only (``pip install 'linkoracle[bench]'``).

`add_circuit` is the model that OR-Tools' documentation suggests for one closed loop. `textbook` is
lazy subtour elimination in its first, obvious form over PySAT and networkx: clauses made in
Python loops, one plain cut per component.
"""

from __future__ import annotations

from itertools import combinations

from linkoracle import Slitherlink


def add_circuit(puzzle: Slitherlink, timeout: float) -> int | None:
    """Count the solutions up to 2 by CP-SAT with AddCircuit; ``None`` past the time limit."""
    from ortools.sat.python import cp_model

    lattice = puzzle.lattice
    model = cp_model.CpModel()
    arcs, edges = [], []
    for u, v in lattice.edge_vertices.tolist():
        there, back, either = (model.new_bool_var("") for _ in range(3))
        arcs += [(u, v, there), (v, u, back)]
        model.add(there + back == either)
        edges.append(either)
    # A dot off the loop is a circuit of its own.
    arcs += [(v, v, model.new_bool_var("")) for v in range(lattice.num_vertices)]
    model.add_circuit(arcs)
    model.add_bool_or(edges)
    for cell, clue in puzzle.clue_cells():
        around = lattice.face_edges[lattice.face(*cell)].tolist()
        model.add(sum(edges[edge] for edge in around) == clue)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    left = timeout
    for found in range(2):
        solver.parameters.max_time_in_seconds = max(left, 0.001)
        status = solver.solve(model)
        left -= solver.wall_time
        if status == cp_model.INFEASIBLE:
            return found
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        model.add_bool_or([edge.negated() for edge in edges if solver.boolean_value(edge)])
    return 2


def textbook(puzzle: Slitherlink) -> int:
    """Count the solutions up to 2 by plain lazy subtour elimination."""
    import networkx as nx
    from pysat.solvers import Solver

    lattice = puzzle.lattice
    ends = lattice.edge_vertices.tolist()
    with Solver(name="cadical153") as solver:
        for row in lattice.vertex_edges.tolist():
            around = [edge + 1 for edge in row if edge >= 0]
            for edge in around:
                solver.add_clause([-edge, *(other for other in around if other != edge)])
            for three in combinations(around, 3):
                solver.add_clause([-edge for edge in three])
        for cell, clue in puzzle.clue_cells():
            around = [int(edge) + 1 for edge in lattice.face_edges[lattice.face(*cell)]]
            for too_many in combinations(around, clue + 1):
                solver.add_clause([-edge for edge in too_many])
            for too_few in combinations(around, 5 - clue):
                solver.add_clause(list(too_few))
        solver.add_clause(list(range(1, len(ends) + 1)))
        found = 0
        while found < 2 and solver.solve():
            chosen = [edge for edge in solver.get_model()[: len(ends)] if edge > 0]
            graph = nx.Graph([(*ends[edge - 1], {"id": edge}) for edge in chosen])
            parts = list(nx.connected_components(graph))
            if len(parts) == 1:
                found += 1
                solver.add_clause([-edge for edge in chosen])
                continue
            inside = [
                [graph.edges[step]["id"] for step in graph.subgraph(part).edges] for part in parts
            ]
            for number, part in enumerate(parts):
                boundary = [i + 1 for i, (u, v) in enumerate(ends) if (u in part) != (v in part)]
                solver.add_clause([-inside[number][0], -inside[number - 1][0], *boundary])
        return found

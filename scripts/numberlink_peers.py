"""Other ways to decide a Numberlink, for benchmarks only: the number of solutions up to 2.

`one_hot` is the usual CP-SAT model: one Boolean for each cell and number. `one_hot_sat` gives the
same to CaDiCaL as clauses. `order_sat` has an integer for each cell instead, in the order encoding
that cspuz and its ancestor Sugar give to a SAT solver. In the variant ``free`` these search only
solutions without a chord (see `docs/explanation/taut.md`), or would decide hardly any puzzle.
`graphillion` builds one decision diagram of all path systems between the pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations, count

from linkoracle import Numberlink, Solution
from linkoracle.board import rerouted

Clauses = list[list[int]]


def up_to_two(
    puzzle: Numberlink,
    solve: Callable[[], list[int] | None],
    exclude: Callable[[list[int]], object],
) -> int:
    """Count the solutions up to 2, where ``solve`` may find cycles beside the paths.

    ``exclude`` is called with edges that must not be chosen together again.
    """
    import networkx as nx

    lattice = puzzle.lattice
    ends = {vertex for pair in puzzle.model.terminals for vertex in pair}
    found = 0
    while (chosen := solve()) is not None:
        graph = nx.Graph(lattice.edge_vertices[chosen].tolist())
        cycles = [part for part in nx.connected_components(graph) if not part & ends]
        for part in cycles:
            exclude([e for e in chosen if part >= set(lattice.edge_vertices[e].tolist())])
        if cycles:
            continue
        found += 1
        free = puzzle.variant == "free"
        if found == 2 or (free and rerouted(lattice, Solution(lattice, tuple(chosen)))):
            return 2
        exclude(chosen)
    return found


def one_hot(puzzle: Numberlink) -> int:
    """Decide by CP-SAT, one worker; under ``free`` among the solutions without a chord."""
    from ortools.sat.python import cp_model

    lattice = puzzle.lattice
    model = cp_model.CpModel()
    pairs = puzzle.model.terminals
    ends = {vertex: number for number, pair in enumerate(pairs) for vertex in pair}
    colour = [[model.new_bool_var("") for _ in pairs] for _ in range(lattice.num_vertices)]
    edges = [model.new_bool_var("") for _ in range(lattice.num_edges)]
    free = puzzle.variant == "free"
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

    def solve() -> list[int] | None:
        if solver.solve(model) == cp_model.INFEASIBLE:
            return None
        return [e for e, edge in enumerate(edges) if solver.boolean_value(edge)]

    def exclude(chosen: list[int]) -> None:
        model.add_bool_or([edges[e].negated() for e in chosen])

    return up_to_two(puzzle, solve, exclude)


def one_hot_sat(puzzle: Numberlink) -> int:
    """Decide by CaDiCaL, with a variable for each cell and number."""
    fresh = count(puzzle.lattice.num_edges + 1)
    number = [[next(fresh) for _ in puzzle.model.terminals] for _ in puzzle.model.degrees]
    clauses: Clauses = [[-one, -other] for row in number for one, other in combinations(row, 2)]

    def is_number(vertex: int, which: int) -> Clauses:
        return [[number[vertex][which]]]

    def alike(edge: int, u: int, v: int) -> Clauses:
        pairs = list(zip(number[u], number[v], strict=True))
        joined = [[-edge, s * one, -s * other] for one, other in pairs for s in (1, -1)]
        return joined + [[-one, -other, edge] for one, other in pairs if puzzle.variant == "free"]

    return by_clauses(puzzle, clauses, number, is_number, alike)


def order_sat(puzzle: Numberlink) -> int:
    """Decide by CaDiCaL, with an integer for each cell, 0 for none; a variable is "at least k"."""
    fresh = count(puzzle.lattice.num_edges + 1)
    least = [[next(fresh) for _ in puzzle.model.terminals] for _ in puzzle.model.degrees]
    clauses: Clauses = [[-row[k + 1], row[k]] for row in least for k in range(len(row) - 1)]

    def is_number(vertex: int, which: int) -> Clauses:
        return [[at if k <= which else -at] for k, at in enumerate(least[vertex])]

    def alike(edge: int, u: int, v: int) -> Clauses:
        pairs = list(zip(least[u], least[v], strict=True))
        made = [[-edge, s * one, -s * other] for one, other in pairs for s in (1, -1)]
        if puzzle.variant == "free":
            differ = [next(fresh) for _ in pairs]
            for at, (one, other) in zip(differ, pairs, strict=True):
                made += [[-at, one, other], [-at, -one, -other]]
            made.append([edge, -least[u][0], -least[v][0], *differ])
        return made

    return by_clauses(puzzle, clauses, [row[:1] for row in least], is_number, alike)


def by_clauses(
    puzzle: Numberlink,
    clauses: Clauses,
    used: list[list[int]],
    is_number: Callable[[int, int], Clauses],
    alike: Callable[[int, int, int], Clauses],
) -> int:
    """Decide by CaDiCaL, from clauses about the numbers of cells; edges are the variables from 1.

    ``used`` has for each cell literals, one of them true iff the cell is used; ``is_number`` says
    that a cell has a number, ``alike`` that an edge joins equal numbers, and under ``free`` that
    equal neighbours are joined.
    """
    from pysat.solvers import Solver

    lattice = puzzle.lattice
    ends = {v: number for number, pair in enumerate(puzzle.model.terminals) for v in pair}
    with Solver("cadical195", bootstrap_with=clauses) as solver:
        for vertex, row in enumerate(lattice.vertex_edges.tolist()):
            around = [edge + 1 for edge in row if edge >= 0]
            for clause in degree_clauses(around, used[vertex], vertex in ends):
                solver.add_clause(clause)
            if vertex in ends:
                for clause in is_number(vertex, ends[vertex]):
                    solver.add_clause(clause)
            elif puzzle.variant == "fill":
                solver.add_clause(used[vertex])
        for edge, (u, v) in enumerate(lattice.edge_vertices.tolist(), start=1):
            for clause in alike(edge, u, v):
                solver.add_clause(clause)

        def solve() -> list[int] | None:
            if not solver.solve():
                return None
            return [edge - 1 for edge in solver.get_model()[: lattice.num_edges] if edge > 0]

        def exclude(chosen: Iterable[int]) -> None:
            solver.add_clause([-1 - edge for edge in chosen])

        return up_to_two(puzzle, solve, exclude)


def degree_clauses(around: list[int], used: list[int], end: bool) -> Clauses:
    """Yield clauses: one edge at an end; elsewhere two if one of ``used`` holds, else none."""
    most = 2 if end else 3
    clauses = [[-edge for edge in some] for some in combinations(around, most)]
    if end:
        return [*clauses, around]
    for edge in around:
        others = [other for other in around if other != edge]
        clauses += [[-edge, *others], [-edge, *used]]
    return clauses + [[-one, *around] for one in used]


def graphillion(puzzle: Numberlink) -> int:
    """Decide by Graphillion's frontier search over all path systems."""
    from graphillion import GraphSet

    lattice = puzzle.lattice
    order = sorted(map(tuple, (lattice.edge_vertices + 1).tolist()))
    GraphSet.set_universe(order, traversal="as-is")
    groups = [[u + 1, v + 1] for u, v in puzzle.model.terminals]
    ends = {vertex for group in groups for vertex in group}
    inside = 2 if puzzle.variant == "fill" else range(0, 3, 2)
    degrees = {v: 1 if v in ends else inside for v in range(1, lattice.num_vertices + 1)}
    found = GraphSet.graphs(vertex_groups=groups, degree_constraints=degrees, no_loop=True)
    return min(2, found.len())

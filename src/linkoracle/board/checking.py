"""`violations`: what edges break of a model, by its definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from linkoracle.board.model import LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.errors import counted


def violations(model: LinkModel, solution: Solution | Iterable[int]) -> list[str]:
    """Return the constraints that ``solution`` breaks, a sentence each; empty when it is right.

    ``solution`` is a `Solution` or the ids of its edges. Local constraints come first, and alone if
    one is broken. O(size of the model), and a SAT problem for clauses with auxiliary variables.
    Raises ``ValueError`` for anything else than a solution.

    >>> from linkoracle.board.lattice import Lattice
    >>> violations(LinkModel.blank_loop(Lattice(2, 3)), [0, 1, 3, 5])
    []
    >>> violations(LinkModel.blank_loop(Lattice(2, 2)).with_edges(forbidden=[3]), range(4))
    ['edge 3 is forbidden']
    """
    solution = Solution.of(model.board, solution)
    if solution.board != model.board:
        return ["the solution belongs to another board"]
    found = [*_broken_masks(model, solution), *_broken_constraints(model, solution)]
    if not found and model.clauses and not _satisfiable(model, solution):
        found = ["the clauses have no solution with these edges"]
    return found or [*_broken_lines(model, solution)]


def _broken_masks(model: LinkModel, solution: Solution) -> Iterator[str]:
    """The edges that are fixed otherwise, and the vertices and faces whose mask is broken."""
    chosen = solution.marks()
    yield from (f"edge {e} is given, but not chosen" for e in model.given if not chosen[e])
    yield from (f"edge {e} is forbidden" for e in model.forbidden if chosen[e])
    counts, around = _degrees(solution), solution.counts()
    for what, masks, found in (("vertex", model.degrees, counts), ("face", model.faces, around)):
        for place, (mask, count) in enumerate(zip(masks, found, strict=True)):
            if not mask >> count & 1:
                yield f"{what} {place} has {counted(count, 'edge')}, expected {_numbers(mask)}"


def _broken_constraints(model: LinkModel, solution: Solution) -> Iterator[str]:
    """The shapes and counts that are broken."""
    if not (model.shapes or model.counts):
        return
    chosen, board = solution.marks(), model.board
    values = _values(solution)
    for vertex, allowed in model.shapes:
        edges = board.edges_at(vertex)
        if not allowed >> sum(chosen[edge] << place for place, edge in enumerate(edges)) & 1:
            yield f"vertex {vertex} has a set of edges that its shape does not allow"
    for number, (literals, allowed) in enumerate(model.counts):
        true = sum(values[abs(one) - 1] == (one > 0) for one in literals)
        if not allowed >> true & 1:
            yield f"of count {number} {true} are true, expected {_numbers(allowed)}"


def _values(solution: Solution) -> list[int]:
    """The values of edges and of visited vertices."""
    return [*solution.marks(), *map(bool, _degrees(solution))]


def _satisfiable(model: LinkModel, solution: Solution) -> bool:
    """Whether auxiliary variables can have values that fulfil the clauses."""
    values = _values(solution)
    if not model.has_auxiliary:
        return all(
            any(values[abs(one) - 1] == (one > 0) for one in clause) for clause in model.clauses
        )
    from pysat.solvers import Solver

    known = [variable + 1 if on else -1 - variable for variable, on in enumerate(values)]
    with Solver("minisat22", bootstrap_with=map(list, model.clauses)) as solver:
        return bool(solver.solve(known))


def _broken_lines(model: LinkModel, solution: Solution) -> Iterator[str]:
    """Why edges that fit each vertex are not one loop, or not one path for each pair."""
    board = model.board
    vertex_of = {board.position(vertex): vertex for vertex in range(board.num_vertices)}
    paths = [[vertex_of[label] for label in path] for path in solution.paths()]
    closed = sum(path[0] == path[-1] for path in paths)
    if closed != model.loop:
        yield f"the edges form {counted(closed, 'cycle')}, expected {int(model.loop)}"
    if model.free_ends:
        if len(paths) - closed != 1:
            yield f"the edges form {counted(len(paths) - closed, 'path')}, expected 1"
        return
    pairs = {tuple(sorted(pair)) for pair in model.terminals}
    for first, last in ((path[0], path[-1]) for path in paths):
        if first != last and (first, last) not in pairs:
            yield f"a path joins the vertices {first} and {last}, which are not a pair"


def _degrees(solution: Solution) -> list[int]:
    counts = [0] * solution.board.num_vertices
    for edge in solution:
        for vertex in solution.board.ends(edge):
            counts[vertex] += 1
    return counts


def _numbers(mask: int) -> str:
    numbers = (str(k) for k in range(mask.bit_length()) if mask >> k & 1)
    return " or ".join(numbers) or "no number"

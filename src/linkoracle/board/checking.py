"""The constraints of a model that a solution breaks, by the definition of each constraint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from linkoracle.board.model import LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core import counted


def violations(model: LinkModel, solution: Solution | Iterable[int]) -> list[str]:
    """Return a sentence for each constraint that ``solution`` breaks; an empty list if it is right.

    ``solution`` is a `Solution` or the ids of its edges. If a local constraint is broken, the
    connectivity constraint is not checked. O(size of the model), and a SAT problem for clauses with
    auxiliary variables. Raises ``ValueError`` for anything other than edges of the board.

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
    """Yield a sentence for each fixed edge, vertex and face that is violated."""
    chosen = solution.marks()
    yield from (f"edge {e} is given, but not chosen" for e in model.given if not chosen[e])
    yield from (f"edge {e} is forbidden" for e in model.forbidden if chosen[e])
    counts, around = _degrees(solution), solution.counts()
    for what, masks, found in (("vertex", model.degrees, counts), ("face", model.faces, around)):
        for place, (mask, count) in enumerate(zip(masks, found, strict=True)):
            if not mask >> count & 1:
                yield f"{what} {place} has {counted(count, 'edge')}, expected {_numbers(mask)}"


def _broken_constraints(model: LinkModel, solution: Solution) -> Iterator[str]:
    """Yield a sentence for each shape and count that is violated."""
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
    """Return the values of edges and of visited vertices."""
    return [*solution.marks(), *map(bool, _degrees(solution))]


def _satisfiable(model: LinkModel, solution: Solution) -> bool:
    """Return whether some values of auxiliary variables satisfy the clauses."""
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
    """Yield why edges that fit each vertex are not one loop, or not one path for each pair."""
    paths = solution.walks()
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

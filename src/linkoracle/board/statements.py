"""The constraints of a model, one by one: as `statements`, and those that a solution breaks.

Two puzzles on one board share most of what their models state. An oracle that keeps each statement
apart learns a new one only where a clue has changed, whatever kind of puzzle it is. `violations`
takes each constraint by its definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from linkoracle.board.constraints import Clause, Count, at_least_one
from linkoracle.board.model import PASS, PASS_OR_SKIP, LinkModel
from linkoracle.board.solution import Solution
from linkoracle.board.topology import united
from linkoracle.core import counted

if TYPE_CHECKING:
    from linkoracle.board.board import Board

#: Counts that are stated together: one, or clauses with auxiliary variables of their own.
Statement = tuple[Count, ...]
#: Statements in their order; every value is true.
Statements = dict[Statement, Any]


def statements(model: LinkModel) -> Statements:
    """Return what a model of one loop states of vertices, faces and edges, as counts.

    Each statement occurs once. Auxiliary variables are renumbered in each statement, so that equal
    statements of two models are equal. Raises ``ValueError`` for a model of paths: a statement
    knows vertices with two lines or none.

    >>> from linkoracle.board.lattice import Lattice
    >>> from linkoracle.board.model import LinkModel
    >>> model = LinkModel.blank_loop(Lattice(2, 2)).with_holes([3]).with_edges(given=[0])
    >>> list(statements(model))
    [(Count(literals=(-8,), allowed=2),), (Count(literals=(1,), allowed=2),)]
    """
    if not model.loop:
        raise ValueError("expected a model of one loop, got one of paths")
    known = model.board.num_variables
    plain: Sequence[Clause] = model.clauses
    if model.has_auxiliary:
        plain = [clause for clause in plain if max(map(abs, clause), default=0) <= known]
    found: Statements = {(count,): True for count in _counts(model)}
    found |= dict.fromkeys(map(_of_clause, plain), True)
    if len(plain) < len(model.clauses):
        found |= {_renumbered(group, known): True for group in _groups(model.clauses, known)}
    return found


@lru_cache(1 << 16)
def _of_clause(clause: Clause) -> Statement:
    """Return the statement of a clause; puzzles on one board share most of them."""
    return (at_least_one(clause),)


def has_auxiliary(statement: Statement, board: Board) -> bool:
    """Return whether a statement has auxiliary variables."""
    return any(
        abs(literal) > board.num_variables for count in statement for literal in count.literals
    )


def _counts(model: LinkModel) -> Iterator[Count]:
    board = model.board
    for vertex, mask in enumerate(model.degrees):
        if mask != PASS_OR_SKIP:
            visited = board.visited(vertex)
            yield at_least_one((visited if mask == PASS else -visited,))
    for face, (mask, free) in enumerate(zip(model.faces, board.free_masks, strict=True)):
        if mask != free:
            yield Count(tuple(edge + 1 for edge in board.edges_of(face)), mask)
    yield from (at_least_one((edge + 1,)) for edge in model.given)
    yield from (at_least_one((-1 - edge,)) for edge in model.forbidden)
    yield from model.counts
    for shape in model.shapes:
        yield from (_of_clause(one)[0] for one in shape.excluded(board, PASS_OR_SKIP))


def _groups(clauses: Sequence[Clause], known: int) -> list[list[Clause]]:
    """Return the clauses with auxiliary variables; those that share one are together."""
    own = [[abs(one) for one in clause if abs(one) > known] for clause in clauses]
    group_of = united((one, variables[0]) for variables in own for one in variables)
    groups: dict[int, list[Clause]] = {}
    for clause, variables in zip(clauses, own, strict=True):
        if variables:
            groups.setdefault(group_of[variables[0]], []).append(clause)
    return list(groups.values())


def _renumbered(group: list[Clause], known: int) -> Statement:
    """Return clauses as counts, with auxiliary variables numbered by where they first stand."""
    names: dict[int, int] = {}

    def renamed(literal: int) -> int:
        if abs(literal) <= known:
            return literal
        name = names.setdefault(abs(literal), known + 1 + len(names))
        return name if literal > 0 else -name

    return tuple(at_least_one(tuple(map(renamed, clause))) for clause in group)


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

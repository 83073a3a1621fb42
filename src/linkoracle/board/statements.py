"""`statements`: the local constraints of a model, one by one, so that each may come and go.

Two puzzles on one board share most of what their models state. An oracle that keeps each statement
apart learns a new one only where a clue has changed, whatever kind of puzzle it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from linkoracle.board.constraints import Clause, Count, at_least_one
from linkoracle.board.model import PASS, PASS_OR_SKIP
from linkoracle.board.topology import united

if TYPE_CHECKING:
    from linkoracle.board.board import Board
    from linkoracle.board.model import LinkModel

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

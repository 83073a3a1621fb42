"""Counts of the plain engine: a binary decision diagram of all solutions of a small board.

The diagram is the conjunction of one for the connectivity constraint and one for each local
constraint.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from linkoracle import plain
from linkoracle.board.model import LinkModel
from linkoracle.core import COMPILED
from linkoracle.core.limits import Deadline

#: Most edges of a board that is counted with a diagram. Larger boards are counted by listing.
MAX_EDGES = 60
#: In place of the other end of a line: no line ends there, now or later.
_DONE = -1


def count(model: LinkModel, deadline: Deadline | None = None) -> int:
    """Return the number of solutions, exactly. Raises `SearchTimeout` past the deadline.

    >>> from linkoracle.board.lattice import Lattice
    >>> count(LinkModel.blank_loop(Lattice(4, 4)))
    213
    """
    deadline = deadline or Deadline(None)
    # A state does not know the ends of a finished path. No package of a browser tab has dd.
    if model.board.num_edges > MAX_EDGES or model.free_ends or not COMPILED:
        return sum(1 for _ in plain.solutions(model, deadline))
    from dd.autoref import BDD

    board, diagram = model.board, BDD()
    auxiliary = [f"a{variable}" for variable in range(board.num_variables, model.num_variables)]
    diagram.declare(*(f"e{edge}" for edge in range(board.num_edges)), *auxiliary)
    true: list[Any] = [diagram.var(f"e{edge}") for edge in range(board.num_edges)]
    around = [[true[edge] for edge in board.edges_at(v)] for v in range(board.num_vertices)]
    true += [~_so_many(diagram, edges, 1) for edges in around]
    true += [diagram.var(name) for name in auxiliary]
    found = _connected(model, diagram, true, deadline)

    def holds(literal: int) -> Any:
        return true[literal - 1] if literal > 0 else ~true[-literal - 1]

    counts = [(edges, mask) for edges, mask in zip(around, model.degrees, strict=True)]
    for face, mask in enumerate(model.faces):
        counts.append(([true[edge] for edge in board.edges_of(face)], mask))
    counts += [(list(map(holds, literals)), mask) for literals, mask in model.counts]
    clauses = chain(model.clauses, plain.shape_clauses(model))
    counts += [(list(map(holds, clause)), ~1) for clause in clauses]
    counts += [([true[edge]], 0b10) for edge in model.given]
    counts += [([true[edge]], 0b01) for edge in model.forbidden]
    for functions, mask in counts:
        deadline.check()
        found &= _so_many(diagram, functions, mask)
    return int(diagram.exist(auxiliary, found).count(nvars=board.num_edges))


def _so_many(diagram: Any, functions: Sequence[Any], allowed: int) -> Any:
    """Return the diagram of "an ``allowed`` number of these functions is true"."""
    exactly = [diagram.true]
    for function in functions:
        fewer, more = [*exactly, diagram.false], [diagram.false, *exactly]
        exactly = [function & one | ~function & two for one, two in zip(more, fewer, strict=True)]
    found = diagram.false
    for number, one in enumerate(exactly):
        if allowed >> number & 1:
            found |= one
    return found


#: The state after some edges are decided. For each vertex it has the other end of the line that
#: ends there: the vertex itself if there is no line, and `_DONE` if no line will end there. It also
#: has the ends of lines that contain a pair of terminals. ``None``: the loop is closed.
State = tuple[tuple[int, ...], frozenset[int]] | None


def _connected(model: LinkModel, diagram: Any, edges: Sequence[Any], deadline: Deadline) -> Any:
    """Return the diagram of the sets of edges that satisfy the connectivity constraint.

    A pass over the edges finds all reachable states (Knuth, The Art of Computer Programming 4A,
    7.1.4, exercise 225). A pass back finds the sets of later edges that complete each state. A pair
    of terminals counts as a line from the start, which its path closes to a cycle.
    """
    board = model.board
    last_edge = {vertex: edge for edge in range(board.num_edges) for vertex in board.ends(edge)}
    mates = list(range(board.num_vertices))
    for one, other in model.terminals:
        mates[one], mates[other] = other, one
    terminals = frozenset(vertex for pair in model.terminals for vertex in pair)
    layers: list[dict[State, list[State | str]]] = []
    states: set[State] = {(tuple(mates), terminals)}
    for edge in range(board.num_edges):
        deadline.check()
        ends = board.ends(edge)
        over = [vertex for vertex in ends if last_edge[vertex] == edge]
        layers.append(
            {
                state: [_left(after, over) for after in (_joined(state, *ends, model.loop), state)]
                for state in states
            }
        )
        states = {after for both in layers[-1].values() for after in both if after != _DEAD}  # type: ignore[misc]
    complete: dict[State | str, Any] = {_DEAD: diagram.false}
    for state in states:
        fits = model.loop if state is None else not (model.loop or _has_line(state[0]))
        complete[state] = diagram.true if fits else diagram.false
    for edge, layer in zip(reversed(edges[: board.num_edges]), reversed(layers), strict=True):
        deadline.check()
        complete = {
            state: diagram.ite(edge, complete[on], complete[off])
            for state, (on, off) in layer.items()
        } | {_DEAD: diagram.false}
    return complete[tuple(mates), terminals]


#: In place of a state: no solution has these edges.
_DEAD = "dead"


def _joined(state: State, one: int, other: int, loop: bool) -> State | str:
    """Return the state after choosing the edge between two vertices."""
    if state is None:
        return _DEAD
    mates, paired = list(state[0]), state[1]
    far, beyond = mates[one], mates[other]
    if _DONE in (far, beyond):
        return _DEAD
    mates[one] = mates[other] = _DONE
    if far == other:
        if loop:
            return _DEAD if _has_line(mates) else None
        return (tuple(mates), paired - {one, other}) if one in paired else _DEAD
    if one in paired and other in paired:
        return _DEAD
    mates[far], mates[beyond] = beyond, far
    if one in paired or other in paired:
        paired = paired - {one, other} | {far, beyond}
    return tuple(mates), paired


def _left(state: State | str, over: Sequence[int]) -> State | str:
    """Return the state after all edges of some vertices are decided: no line may end there."""
    if state is None or isinstance(state, str):
        return state
    mates = list(state[0])
    for vertex in over:
        if mates[vertex] not in (vertex, _DONE):
            return _DEAD
        mates[vertex] = _DONE
    return tuple(mates), state[1]


def _has_line(mates: Sequence[int]) -> bool:
    return any(mate not in (vertex, _DONE) for vertex, mate in enumerate(mates))

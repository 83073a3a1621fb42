"""All solutions of a small board at once: the plain engine's binary decision diagram.

The diagram is the conjunction of one for the connectivity constraint and one for each local
constraint. The package `dd` keeps it, so a count or a list asks no solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from linkoracle.board import Board, LinkModel
from linkoracle.core import COMPILED, Deadline
from linkoracle.engines import plain

#: Most edges of a board with a diagram. The SAT solver lists the solutions of larger ones.
MAX_EDGES = 60
#: In place of the other end of a line: no line ends there, now or later.
_DONE = -1


def count(model: LinkModel, deadline: Deadline | None = None) -> int:
    """Return the number of solutions, exactly. Raises `SearchTimeout` past the deadline.

    >>> from linkoracle.board import Lattice
    >>> count(LinkModel.blank_loop(Lattice(4, 4)))
    213
    """
    deadline = deadline or Deadline(None)
    if not _is_small(model):
        return sum(1 for _ in plain.solutions(model, deadline))
    return int(diagram(model, deadline)[1].count(nvars=model.board.num_edges))


def solutions(model: LinkModel, deadline: Deadline | None = None) -> Iterator[tuple[int, ...]]:
    """Yield the edges of every solution, once. Raises `SearchTimeout` past the deadline.

    >>> from linkoracle.board import Lattice
    >>> sorted(solutions(LinkModel.blank_loop(Lattice(2, 3))))
    [(0, 1, 2, 4, 5, 6), (0, 1, 3, 5), (2, 3, 4, 6)]
    """
    deadline = deadline or Deadline(None)
    if not _is_small(model):
        yield from plain.solutions(model, deadline)
        return
    bdd, function = diagram(model, deadline)
    names = _names(model.board)
    for values in bdd.pick_iter(function, care_vars=set(names)):
        deadline.check()
        yield tuple(edge for edge, name in enumerate(names) if values[name])


def _is_small(model: LinkModel) -> bool:
    # No package of a browser tab has dd.
    return COMPILED and model.board.num_edges <= MAX_EDGES


def _names(board: Board) -> list[str]:
    """Return the variables of the edges."""
    return [f"e{edge}" for edge in range(board.num_edges)]


def diagram(model: LinkModel, deadline: Deadline | None = None) -> tuple[Any, Any]:
    """Return a `dd.autoref.BDD`, and in it the function that is true for the solutions only.

    Edge *e* is the variable ``"e<e>"``. Raises `SearchTimeout` past the deadline.

    >>> from linkoracle.board import Lattice
    >>> bdd, loops = diagram(LinkModel.blank_loop(Lattice(3, 3)))
    >>> loops.count(nvars=12), (loops & bdd.var("e0")).count(nvars=12)
    (13, 7)
    """
    from dd.autoref import BDD

    deadline = deadline or Deadline(None)
    board, bdd = model.board, BDD()
    auxiliary = [f"a{variable}" for variable in range(board.num_variables, model.num_variables)]
    joins = _joins(model)
    bdd.declare(*(name for name, *_ in joins), *auxiliary)
    found = _connected(model, bdd, joins, deadline)
    true: list[Any] = [bdd.var(name) for name in _names(board)]
    around = [[true[edge] for edge in board.edges_at(v)] for v in range(board.num_vertices)]
    true += [~_so_many(bdd, edges, 1) for edges in around]
    true += [bdd.var(name) for name in auxiliary]

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
        found &= _so_many(bdd, functions, mask)
    return bdd, bdd.exist({*bdd.vars}.difference(_names(board)), found)


#: What may join two vertices: its variable, and the vertices.
Join = tuple[str, int, int]


def _joins(model: LinkModel) -> list[Join]:
    """Return the edges, in their order, and what else may join two vertices.

    A path with free ends closes to a loop through one more vertex, which may be joined to every
    other. The variable for that follows the last edge of the vertex.
    """
    board = model.board
    last_edge = {vertex: edge for edge in range(board.num_edges) for vertex in board.ends(edge)}
    joins: list[Join] = []
    for edge, name in enumerate(_names(board)):
        joins.append((name, *board.ends(edge)))
        if model.free_ends:
            over = [vertex for vertex in board.ends(edge) if last_edge[vertex] == edge]
            joins += [(f"end{vertex}", vertex, board.num_vertices) for vertex in over]
    return joins


def _so_many(bdd: Any, functions: Sequence[Any], allowed: int) -> Any:
    """Return the diagram of "an ``allowed`` number of these functions is true"."""
    exactly = [bdd.true]
    for function in functions:
        fewer, more = [*exactly, bdd.false], [bdd.false, *exactly]
        exactly = [function & one | ~function & two for one, two in zip(more, fewer, strict=True)]
    found = bdd.false
    for number, one in enumerate(exactly):
        if allowed >> number & 1:
            found |= one
    return found


#: The state after some joins are decided. For each vertex it has the other end of the line that
#: ends there: the vertex itself if there is no line, and `_DONE` if no line will end there. It also
#: has the ends of lines that contain a pair of terminals. ``None``: no solution has these joins.
State = tuple[tuple[int, ...], frozenset[int]] | None


def _connected(model: LinkModel, bdd: Any, joins: Sequence[Join], deadline: Deadline) -> Any:
    """Return the function of the joins that satisfy the connectivity constraint.

    A pass over the joins finds all reachable states (Knuth, The Art of Computer Programming 4A,
    7.1.4, exercise 225). A pass back finds the later joins that complete each state. A pair of
    terminals counts as a line from the start, which its path closes to a cycle.
    """
    loop, outside = model.loop or model.free_ends, model.board.num_vertices
    last = {vertex: place for place, (_, *ends) in enumerate(joins) for vertex in ends}
    mates = list(range(outside + 1))
    for one, other in model.terminals:
        mates[one], mates[other] = other, one
    paired = frozenset(vertex for pair in model.terminals for vertex in pair)
    start: State = (tuple(mates), paired)
    states, layers = {start}, []
    for place, (_, one, other) in enumerate(joins):
        deadline.check()
        over = [vertex for vertex in (one, other) if last[vertex] == place]
        layer = {
            state: (_left(_joined(state, one, other, loop), over), _left(state, over))
            for state in states
        }
        layers.append(layer)
        states = {after for both in layer.values() for after in both} - {None}
    complete = dict.fromkeys(states, bdd.true)
    for (name, *_), layer in zip(reversed(joins), reversed(layers), strict=True):
        deadline.check()
        complete[None] = bdd.false
        complete = {
            state: bdd.ite(bdd.var(name), complete[on], complete[off])
            for state, (on, off) in layer.items()
        }
    found = complete[start]
    if loop:
        # No loop is no solution; with free ends, the loop has the additional vertex.
        needed = [bdd.var(name) for name, _, end in joins if model.loop or end == outside]
        found &= ~_so_many(bdd, needed, 1)
    return found


def _joined(state: State, one: int, other: int, loop: bool) -> State:
    """Return the state after choosing a join of two vertices."""
    assert state is not None
    mates, paired = list(state[0]), state[1]
    far, beyond = mates[one], mates[other]
    if _DONE in (far, beyond):
        return None
    mates[one] = mates[other] = _DONE
    if far == other:
        if not loop:
            return (tuple(mates), paired - {one, other}) if one in paired else None
        has_line = any(mate not in (vertex, _DONE) for vertex, mate in enumerate(mates))
        return None if has_line else ((_DONE,) * len(mates), paired)
    if one in paired and other in paired:
        return None
    mates[far], mates[beyond] = beyond, far
    if one in paired or other in paired:
        paired = paired - {one, other} | {far, beyond}
    return tuple(mates), paired


def _left(state: State, over: Sequence[int]) -> State:
    """Return the state after all joins of some vertices are decided: no line may end there."""
    if state is None or any(state[0][vertex] not in (vertex, _DONE) for vertex in over):
        return None
    mates = (_DONE if vertex in over else mate for vertex, mate in enumerate(state[0]))
    return tuple(mates), state[1]

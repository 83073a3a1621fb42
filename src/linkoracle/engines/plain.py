"""The plain engine: solves every model on every board, in as few lines as possible.

A solution is a set of edges. There is a variable for each edge, and the *local constraints* are
clauses for a SAT solver: how many edges a vertex has, how many a face, and so on. The solver finds
lines without dangling ends, but possibly several cycles, or paths between the wrong endpoints. The
*connectivity constraint* requires one loop, or the right pairs of endpoints. So look at the
connected components of the answer, add a *cut* that excludes a wrong one, and solve again, until
the answer is right or there is none.

The fast engines do the same with more care: see `linkoracle.engines` and `linkoracle.frontier`.
This engine explains them, and tests compare them with it. PySAT solves, networkx finds the
components, and dd keeps all solutions of a small board (see `linkoracle.engines.plain_diagram`). No
compiled module of linkoracle is needed: so this is the engine in a browser tab, where a few lines
stand in for networkx.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count as numbers_from
from itertools import product

from linkoracle.board import Board, LinkModel
from linkoracle.core import COMPILED, Deadline

Clause = list[int]

#: Conflicts of the SAT solver between two checks of the deadline.
PIECE = 1_000
#: Most literals of a count whose wrong assignments each get a clause.
SHORT = 6


def solutions(
    model: LinkModel, deadline: Deadline | None = None, *, solver: str = "cadical195"
) -> Iterator[tuple[int, ...]]:
    """Yield the edges of every solution, once. Raises `SearchTimeout` past the deadline.

    ``solver`` is the name of a PySAT solver.

    >>> from linkoracle.board import Lattice
    >>> sorted(solutions(LinkModel.blank_loop(Lattice(2, 3))))
    [(0, 1, 2, 4, 5, 6), (0, 1, 3, 5), (2, 3, 4, 6)]
    """
    from pysat.solvers import Solver

    deadline = deadline or Deadline(None)
    with Solver(solver, bootstrap_with=local_clauses(model)) as sat:
        while True:
            deadline.check()
            sat.conf_budget(PIECE)
            found = sat.solve_limited()
            if found is None:
                continue
            if not found:
                return
            values = sat.get_model()
            chosen = tuple(edge for edge in range(model.board.num_edges) if values[edge] > 0)
            cuts = [cut for _, cut in cuts_of(model, chosen)]
            if not cuts:
                yield chosen
                # No solution contains another: the rest would be an additional cycle or path.
                cuts = [[-1 - edge for edge in chosen]]
            sat.append_formula(cuts)


def local_clauses(model: LinkModel, fresh: Iterator[int] | None = None) -> Iterator[Clause]:
    """Yield the local constraints as clauses: edge *e* is variable ``e + 1``, see `Count`.

    ``fresh`` yields auxiliary variables, by default those after the model's own.
    """
    board = model.board
    around = [board.edges_at(vertex) for vertex in range(board.num_vertices)]
    fresh = fresh or numbers_from(model.first_fresh)
    for vertex, edges in enumerate(around):
        yield from count_clauses([edge + 1 for edge in edges], model.degrees[vertex], fresh)
        yield [-board.visited(vertex), *(edge + 1 for edge in edges)]
        yield from ([board.visited(vertex), -1 - edge] for edge in edges)
    for face, allowed in enumerate(model.faces):
        yield from count_clauses([edge + 1 for edge in board.edges_of(face)], allowed, fresh)
    length = [model.count_of_edges()] if model.free_ends else []
    for literals, allowed in (*model.counts, *length):
        yield from count_clauses(literals, allowed, fresh)
    yield from shape_clauses(model)
    yield from map(list, model.clauses)
    yield from ([edge + 1] for edge in model.given)
    yield from ([-1 - edge] for edge in model.forbidden)
    if model.loop:
        yield [edge + 1 for edge in range(board.num_edges)]


def shape_clauses(model: LinkModel) -> Iterator[Clause]:
    """Yield a clause for each set of edges at a vertex that its shape does not allow."""
    for vertex, allowed in model.shapes:
        edges = [edge + 1 for edge in model.board.edges_at(vertex)]
        for chosen in product((0, 1), repeat=len(edges)):
            if not allowed >> sum(on << place for place, on in enumerate(chosen)) & 1:
                yield _excluded(edges, chosen)


def count_clauses(literals: Sequence[int], allowed: int, fresh: Iterator[int]) -> Iterator[Clause]:
    """Yield clauses for a count: *k* of the literals may be true if bit *k* of ``allowed`` is set.

    ``fresh`` yields auxiliary variables. Each says how many of the first *i* literals are true.
    """
    if len(literals) <= SHORT:
        for chosen in product((0, 1), repeat=len(literals)):
            if not allowed >> sum(chosen) & 1:
                yield _excluded(literals, chosen)
        return
    before = [next(fresh)]
    yield before
    for literal in literals:
        after = [next(fresh) for _ in range(len(before) + 1)]
        for number, reached in enumerate(before):
            yield [-reached, literal, after[number]]
            yield [-reached, -literal, after[number + 1]]
        before = after
    yield from ([-reached] for number, reached in enumerate(before) if not allowed >> number & 1)


def _excluded(literals: Sequence[int], chosen: tuple[int, ...]) -> Clause:
    return [-literal if on else literal for literal, on in zip(literals, chosen, strict=True)]


def components(board: Board, chosen: Sequence[int]) -> list[set[int]]:
    """Return the vertices of each connected component of some edges.

    >>> from linkoracle.board import Lattice
    >>> components(Lattice(2, 3), (0, 6))
    [{0, 1}, {4, 5}]
    """
    if COMPILED:
        import networkx as nx

        return list(nx.connected_components(nx.Graph(map(board.ends, chosen))))
    # A browser tab has no networkx.
    around: dict[int, list[int]] = {}
    for one, other in map(board.ends, chosen):
        around.setdefault(one, []).append(other)
        around.setdefault(other, []).append(one)
    parts = []
    while around:
        part, reached = set(), [next(iter(around))]
        while reached:
            vertex = reached.pop()
            part.add(vertex)
            reached += around.pop(vertex, ())
        parts.append(part)
    return parts


def cuts_of(model: LinkModel, chosen: Sequence[int]) -> Iterator[tuple[set[int], Clause]]:
    """Yield each connected component of the chosen edges that no solution has, and a clause for it.

    Let X be the vertices of the component, and e one of its edges. A line with an edge at a vertex
    of X and an edge elsewhere must leave X by an edge of its boundary. So every solution satisfies:
    if X is one of several components, and there is to be one (a loop, or a path with free ends),
    "not e, or not f (an edge of another component), or an edge of the boundary"; if X is a cycle
    besides paths, "not e, or an edge of the boundary"; if X is a path from a terminal whose partner
    is not in X, "an edge of the boundary".
    """
    board = model.board
    parts = components(board, chosen)
    one_line = model.loop or model.free_ends
    if one_line and len(parts) == 1:
        return
    pair_of = {end: number for number, pair in enumerate(model.terminals) for end in pair}
    inside = [next(edge for edge in chosen if board.ends(edge)[0] in part) for part in parts]
    for number, part in enumerate(parts):
        pairs = [pair_of[vertex] for vertex in part if vertex in pair_of]
        if len(pairs) == 2 and pairs[0] == pairs[1]:
            continue
        boundary = [
            edge + 1
            for vertex in part
            for edge in board.edges_at(vertex)
            if sum(board.ends(edge)) - vertex not in part
        ]
        witnesses = [] if pairs else [-1 - inside[number]]
        yield part, boundary + witnesses + ([-1 - inside[number - 1]] if one_line else [])


def with_pair_labels(model: LinkModel) -> LinkModel:
    """Return a model with the same solutions, in which vertices have the numbers of their pairs.

    The plain engine finds only afterwards that a path joins the wrong terminals, hundreds of times
    on a Numberlink of 10x10. With a number at each vertex, equal along each path, the SAT solver
    knows.

    The number of a vertex is binary, in auxiliary variables. Both terminals of a pair have that of
    the pair, and the ends of a chosen edge have the same. Models without several pairs stay as they
    are.

    >>> from linkoracle import Numberlink
    >>> model = Numberlink([[1, None, 1], [2, None, 2]]).model
    >>> [*solutions(with_pair_labels(model))] == [*solutions(model)]
    True
    """
    if len(model.terminals) < 2 or model.loop or model.free_ends:
        return model
    board = model.board
    bits = range((len(model.terminals) - 1).bit_length())

    def label(vertex: int) -> list[int]:
        first = model.first_fresh + vertex * len(bits)
        return [first + bit for bit in bits]

    clauses: list[list[int]] = []
    for number, pair in enumerate(model.terminals):
        for vertex in pair:
            clauses += (
                [one if number >> bit & 1 else -one] for bit, one in enumerate(label(vertex))
            )
    for edge in range(board.num_edges):
        for one, other in zip(*map(label, board.ends(edge)), strict=True):
            clauses += [[-1 - edge, -one, other], [-1 - edge, one, -other]]
    return model.with_constraints(clauses=clauses)

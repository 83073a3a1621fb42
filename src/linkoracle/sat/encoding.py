"""Clauses of a `LinkModel`: local rules and path colours.

Edge *e* is Boolean variable ``e + 1``, in the DIMACS convention that PySAT uses; further variables
follow. Clauses are made by indexing whole arrays of edges with small templates, because for most
puzzles a loop over clauses in Python would cost more than the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.lattice import IndexArray, Lattice
from linkoracle.board.model import ANY_COUNT, LinkModel
from linkoracle.board.solution import Solution

Clauses = list[list[int]]
#: Reserves that many new variables and returns the first.
NewVariables = Callable[[int], int]

#: Column of a template that holds the negation of literal ``i``: ``i + NEGATED``.
_NEGATED = 4


@cache
def count_template(size: int, mask: int) -> tuple[NDArray[np.intp], ...]:
    """Clauses over ``size`` <= 4 literals that hold iff their true ones number a bit of ``mask``.

    ``mask`` must allow some count up to ``size``. Returns arrays of shape ``(clauses, literals)``,
    one per clause length, whose entries index the literals ``0..size-1`` or, plus 4, their
    negations. Counts above the greatest allowed one
    are excluded together by short clauses ("of these k, not all"), likewise counts below the
    least; a count between allowed ones is excluded pattern by pattern.
    """
    allowed = [k for k in range(size + 1) if mask >> k & 1]
    clauses: list[tuple[int, ...]] = []
    everything = range(size)
    if allowed[-1] < size:
        for subset in combinations(everything, allowed[-1] + 1):
            clauses.append(tuple(i + _NEGATED for i in subset))
    if allowed[0] > 0:
        clauses += combinations(everything, size - allowed[0] + 1)
    for k in set(range(allowed[0], allowed[-1])) - set(allowed):
        for subset in combinations(everything, k):
            clauses.append(tuple(i + _NEGATED if i in subset else i for i in everything))
    lengths = sorted({len(clause) for clause in clauses})
    return tuple(
        np.array([clause for clause in clauses if len(clause) == length], dtype=np.intp)
        for length in lengths
    )


def count_clauses(edges: IndexArray, mask: int, unless: NDArray[np.int64] | None = None) -> Clauses:
    """Clauses: in each row of ``edges`` (shape ``(n, size)``) the chosen edges number a bit of it.

    ``unless`` has a literal for each row, which frees it from the rule. O(n) clauses; edge ids go
    in, literals come out.
    """
    size = edges.shape[1]
    if not any(mask >> k & 1 for k in range(size + 1)):
        return [[] for _ in edges] if unless is None else unless[:, None].tolist()
    literals = np.zeros((len(edges), 2 * _NEGATED), dtype=np.int64)
    literals[:, :size] = edges + 1
    literals[:, _NEGATED : _NEGATED + size] = -1 - edges
    clauses: Clauses = []
    for template in count_template(size, mask):
        rows = literals[:, template]
        if unless is not None:
            literal = np.broadcast_to(unless[:, None, None], (*rows.shape[:2], 1))
            rows = np.concatenate([literal, rows], axis=2)
        clauses += rows.reshape(-1, rows.shape[2]).tolist()
    return clauses


@lru_cache(maxsize=8)
def degree_clauses(lattice: Lattice, degrees: bytes) -> Clauses:
    """The degree rule of every vertex. Kept for the last few boards: callers must not change it."""
    masks = np.frombuffer(degrees, dtype=np.uint8)
    around = lattice.vertex_edges
    size = (around >= 0).sum(axis=1)
    clauses: Clauses = []
    for mask in np.unique(masks):
        for count in range(5):
            rows = around[(masks == mask) & (size == count)]
            if len(rows):
                clauses += count_clauses(rows[rows >= 0].reshape(len(rows), count), int(mask))
    return clauses


def face_clauses(lattice: Lattice, faces: bytes) -> Clauses:
    """The count rule of every face that has one."""
    masks = np.frombuffer(faces, dtype=np.uint8)
    clauses: Clauses = []
    for mask in np.unique(masks):
        if mask != ANY_COUNT:
            clauses += count_clauses(lattice.face_edges[masks == mask], int(mask))
    return clauses


@lru_cache(maxsize=8)
def side_clauses(
    lattice: Lattice, ends: tuple[int, ...], first: int
) -> tuple[Clauses, tuple[int, ...]]:
    """Tell the faces on one side of a line from those on the other.

    Face *f* gets the variable ``first + f``, and an edge is chosen iff its two sides differ; the
    side beyond the rim is false, but for the part of the rim clockwise from the first of ``ends``
    to the second. Follows from the other rules; it lets the solver see at a distance that a closed
    curve meets the line an even number of times. ``ends`` are no vertices for a loop, or the two
    ends of a path, on the rim. Returns the clauses, and for each row the side (0 or 1) beyond its
    left end. Kept for the last few boards: callers must not change the clauses.
    """
    rows, cols = lattice.rows - 1, lattice.cols - 1
    face = first + np.arange(rows * cols).reshape(rows, cols)
    clauses: Clauses = []
    for edge, one, other in (
        (lattice.right[1:-1, :-1], face[:-1], face[1:]),
        (lattice.down[:-1, 1:-1], face[:, :-1], face[:, 1:]),
    ):
        chosen = edge + 1
        for signs in ((-1, 1, 1), (-1, -1, -1), (1, -1, 1), (1, 1, -1)):
            literals = np.stack([chosen, one, other], axis=-1) * np.array(signs)
            clauses += literals.reshape(-1, 3).tolist()
    rim = (
        (lattice.right[0, :-1], face[0], range(cols)),
        (lattice.down[:-1, -1], face[:, -1], [row * (cols + 1) + cols for row in range(rows)]),
        (
            lattice.right[-1, -2::-1],
            face[-1, ::-1],
            [rows * (cols + 1) + col for col in range(cols, 0, -1)],
        ),
        (
            lattice.down[-2::-1, 0],
            face[::-1, 0],
            [row * (cols + 1) for row in range(rows, 0, -1)],
        ),
    )
    beyond = 0
    left: list[int] = []
    for edges, faces, vertices in rim:
        left = []
        for edge_id, inside, vertex in zip(edges.tolist(), faces.tolist(), vertices, strict=True):
            beyond ^= vertex in ends
            left.append(beyond)
            variable = -inside if beyond else inside
            clauses += [[-1 - edge_id, variable], [edge_id + 1, -variable]]
    return clauses, tuple(reversed(left))


def on_rim(lattice: Lattice, vertices: Iterable[int]) -> bool:
    """Whether all these vertices are on the rim: a line with such ends, or none, has two sides."""
    last = lattice.rows - 1, lattice.cols - 1
    return all(
        row in (0, last[0]) or col in (0, last[1]) for row, col in map(lattice.position, vertices)
    )


def sides(solution: Solution, left: Sequence[int]) -> NDArray[np.int64]:
    """The side (0 or 1) of each face, from those beyond the left ends of the rows."""
    crossed = solution.mask()[solution.lattice.down[:-1, :-1]]
    side: NDArray[np.int64] = (np.cumsum(crossed, axis=1) + np.array(left)[:, None]) % 2
    return side.ravel()


def colour_clauses(
    model: LinkModel, new_variables: NewVariables
) -> tuple[Clauses, NDArray[np.int64]]:
    """Give every vertex the number of its path in binary, equal along each chosen edge.

    Returns the clauses and the variables, of shape ``(num_vertices, bits)``. Terminals are fixed
    to their pair; the colour of an unused vertex means nothing. One variable per pair and vertex
    would need O(pairs) variables per vertex in place of O(log pairs), and on published boards
    decides no more puzzles.
    """
    lattice = model.lattice
    bits = max(1, (len(model.terminals) - 1).bit_length())
    first = new_variables(lattice.num_vertices * bits)
    colour = first + np.arange(lattice.num_vertices * bits).reshape(-1, bits)
    clauses: Clauses = []
    for number, pair in enumerate(model.terminals):
        for vertex in pair:
            for bit in range(bits):
                variable = int(colour[vertex, bit])
                clauses.append([variable if number >> bit & 1 else -variable])
    off = -1 - np.arange(lattice.num_edges)[:, None].repeat(bits, axis=1)
    one, other = colour[lattice.edge_vertices[:, 0]], colour[lattice.edge_vertices[:, 1]]
    clauses += np.stack([off, -one, other], axis=-1).reshape(-1, 3).tolist()
    clauses += np.stack([off, one, -other], axis=-1).reshape(-1, 3).tolist()
    return clauses, colour

"""Clauses of a `LinkModel`: local rules, path colours, and the normal form of free paths.

Edge *e* is Boolean variable ``e + 1``, in the DIMACS convention that PySAT uses; further variables
follow. Clauses are made by indexing whole arrays of edges with small templates, because for most
puzzles a loop over clauses in Python would cost more than the search.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from linkoracle.lattice import IndexArray, Lattice
from linkoracle.model import ANY_COUNT, PASS_OR_SKIP, LinkModel

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


def count_clauses(edges: IndexArray, mask: int) -> Clauses:
    """Clauses: in each row of ``edges`` (shape ``(n, size)``) the chosen edges number a bit of it.

    O(n) clauses; edge ids go in, literals come out.
    """
    size = edges.shape[1]
    if not any(mask >> k & 1 for k in range(size + 1)):
        return [[] for _ in edges]
    literals = np.zeros((len(edges), 2 * _NEGATED), dtype=np.int64)
    literals[:, :size] = edges + 1
    literals[:, _NEGATED : _NEGATED + size] = -1 - edges
    clauses: Clauses = []
    for template in count_template(size, mask):
        clauses += literals[:, template].reshape(-1, template.shape[1]).tolist()
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


def is_free(model: LinkModel) -> bool:
    """Whether the normal form applies: paths that may leave out any vertex, and no other rule."""
    if not model.terminals or model.has_face_rules:
        return False
    ends = 2 * len(model.terminals)
    return model.degrees.count(PASS_OR_SKIP) == len(model.degrees) - ends


def normal_form_clauses(
    model: LinkModel, colour: NDArray[np.int64], new_variables: NewVariables
) -> Clauses:
    """Restrict free paths to those without a chord and without a loose corner that could go up.

    A *chord* is a lattice edge, not chosen, between two vertices of one path. A corner a-v-b is
    *loose* when the fourth vertex d of its unit square is unused. If a free model has a solution
    it has one in this form: shorten paths along chords, and replace v by d where d lies in the
    row above; both end, since the number of used vertices, then the sum of their rows, falls.
    When that solution admits no change of another kind (`linkoracle.sat.normal_form`), it is
    unique iff no second solution has this form.
    """
    lattice = model.lattice
    vertices, bits = colour.shape
    used = new_variables(vertices) + np.arange(vertices)
    differ = np.arange(lattice.num_edges * bits).reshape(-1, bits)
    differ += new_variables(differ.size)
    clauses: Clauses = []
    ends = lattice.edge_vertices
    edge = 1 + np.arange(lattice.num_edges)
    for side in (0, 1):
        clauses += np.stack([-edge, used[ends[:, side]]], axis=-1).tolist()
    around = [[e + 1 for e in row if e >= 0] for row in lattice.vertex_edges.tolist()]
    clauses += [[-variable, *edges] for variable, edges in zip(used.tolist(), around, strict=True)]
    one, other = colour[ends[:, 0]], colour[ends[:, 1]]
    for sign in (1, -1):
        clauses += np.stack([-differ, sign * one, sign * other], axis=-1).reshape(-1, 3).tolist()
    both = -used[ends]
    clauses += np.concatenate([edge[:, None], both, differ], axis=1).tolist()
    for row in range(1, lattice.rows):
        for col in range(lattice.cols):
            up = int(lattice.down[row - 1, col]) + 1
            for beside in (col - 1, col + 1):
                if 0 <= beside < lattice.cols:
                    across = int(lattice.right[row, min(col, beside)]) + 1
                    clauses.append([-up, -across, int(used[(row - 1) * lattice.cols + beside])])
    return clauses
